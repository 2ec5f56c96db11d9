//! What the arena and evolution tell each other: who meets whom, and what came of it. Plain data; it knows no game and no network.

/// Who sits at one side of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// A member of the population, by its index.
    Member(u32),
    /// A player of the hall of fame, by its place there.
    Famer(u32),
}

/// One game to be played: the first seat moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    pub first: Seat,
    pub second: Seat,
    /// Games with the same number start from the same position.
    pub opening: u32,
}

/// How a game came out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// 1, 0 or −1 for the first seat.
    pub result: i8,
    /// Moves made, an illegal one included.
    pub plies: u32,
    /// What the game itself counted for the first and the second seat, such as discs.
    pub points: [u16; 2],
}

impl Played {
    /// The result as the second seat sees it.
    pub fn for_second(self) -> i8 {
        -self.result
    }
}
