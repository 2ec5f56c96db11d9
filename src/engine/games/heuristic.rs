//! The description of a heuristic, from which reference players are made.

/// A heuristic of a game: a published or obvious formula for the value of a position. It defines
/// one player per depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heuristic {
    /// The name of the player that looks one move ahead. Deeper players append the depth, as in
    /// `swh-3`.
    pub name: &'static str,
    /// A description in one line.
    pub about: &'static str,
    /// The search depths of its players, in moves.
    pub depths: &'static [u8],
    /// The share of moves that both sides play at random in measurements against the player of the
    /// first depth. Without it, two deterministic players would repeat one game. `None` if the
    /// heuristic is not used for measurements.
    pub random_move_share: Option<f64>,
}
