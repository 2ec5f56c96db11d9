//! The pieces and how they move. It knows nothing of draws.

use crate::games::Side;

use super::turn::{DARK, Heading, Turn, bits, shift};

/// The pieces on the board, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Pieces {
    /// Men and kings of the first and of the second player.
    pub(super) of: [u64; 2],
    /// The kings of both.
    pub(super) kings: u64,
    pub(super) to_move: Side,
}

/// What kind of turn was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Capture,
    /// A man's step, which can't be taken back.
    ManStep,
    KingStep,
}

/// The squares on which men of a player become kings.
pub(super) fn king_row(side: Side) -> u64 {
    match side {
        Side::First => 0xff << 56,
        Side::Second => 0xff,
    }
}

impl Pieces {
    /// Twelve men each, black on squares 1 to 12, who moves first.
    pub(super) const START: Self = Self {
        of: [DARK & 0x00ff_ffff, DARK & 0xffff_ff00_0000_0000],
        kings: 0,
        to_move: Side::First,
    };

    /// The men of a player.
    pub(super) fn men(&self, side: Side) -> u64 {
        self.of[side.index()] & !self.kings
    }

    /// The kings of a player.
    pub(super) fn kings(&self, side: Side) -> u64 {
        self.of[side.index()] & self.kings
    }

    /// Makes a legal turn: what it takes stays on the board until its end, and a man on the king row is crowned.
    #[inline]
    pub(super) fn play(&mut self, turn: Turn) -> Kind {
        let (to, taken) = turn.trace();
        let from = 1 << turn.from();
        let is_king = self.kings & from != 0;
        let [own, enemy] = [self.to_move, self.to_move.other()];
        self.of[own.index()] = self.of[own.index()] & !from | to;
        self.of[enemy.index()] &= !taken;
        self.kings &= !(from | taken);
        if is_king || to & king_row(own) != 0 {
            self.kings |= to;
        }
        self.to_move = enemy;
        match (taken, is_king) {
            (0, true) => Kind::KingStep,
            (0, false) => Kind::ManStep,
            _ => Kind::Capture,
        }
    }

    /// The board as the player to move may go about it.
    #[inline]
    pub(super) fn field(&self) -> Field {
        let own = self.of[self.to_move.index()];
        let (up, down) = match self.to_move {
            Side::First => (own & self.kings, own),
            Side::Second => (own, own & self.kings),
        };
        Field {
            up,
            down,
            enemy: self.of[self.to_move.other().index()],
            empty: DARK & !(self.of[0] | self.of[1]),
        }
    }
}

/// The board as one player may go about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    /// Own pieces that may go up the board, and those that may go down; kings are both.
    up: u64,
    down: u64,
    enemy: u64,
    empty: u64,
}

const ALL: [Heading; 4] = [0, 1, 2, 3];

/// Room for the steps of any position: there are 49 pairs of neighboring squares, and a step goes from one to the other.
const STEP_ROOM: usize = 64;

impl Field {
    /// Own pieces that may go a way if it is free.
    #[inline]
    fn movers(&self, heading: Heading) -> u64 {
        if heading < 2 { self.up } else { self.down }
    }

    /// Own pieces that can step a way.
    #[inline]
    fn steppers(&self, heading: Heading) -> u64 {
        self.movers(heading) & shift(self.empty, 3 - heading)
    }

    /// Own pieces that can take something.
    #[inline]
    fn jumpers(&self) -> u64 {
        ALL.into_iter().fold(0, |all, heading| {
            let back = 3 - heading;
            all | self.movers(heading) & shift(self.enemy & shift(self.empty, back), back)
        })
    }

    pub(super) fn must_take(&self) -> bool {
        self.jumpers() != 0
    }

    #[inline]
    pub(super) fn can_move(&self) -> bool {
        let step = ALL
            .into_iter()
            .fold(0, |all, heading| all | self.steppers(heading));
        step | self.jumpers() != 0
    }

    /// How many legal turns there are.
    pub(super) fn count(&self) -> usize {
        let jumpers = self.jumpers();
        if jumpers == 0 {
            let steps = ALL.map(|heading| self.steppers(heading).count_ones());
            return steps.into_iter().sum::<u32>() as usize;
        }
        let mut count = 0;
        self.each_capture(jumpers, &mut |_| count += 1);
        count
    }

    /// Appends the legal turns in ascending order: captures, where there are any, else steps.
    pub(super) fn list(&self, out: &mut Vec<Turn>) {
        let jumpers = self.jumpers();
        if jumpers != 0 {
            return self.each_capture(jumpers, &mut |turn| out.push(turn));
        }
        let steppers = ALL.map(|heading| self.steppers(heading));
        let any = steppers.into_iter().fold(0, |all, some| all | some);
        // Every step is written and only the legal ones are counted, because whether one is legal can't be foretold.
        let (mut turns, mut count) = ([Turn::begin(0); STEP_ROOM], 0);
        for from in bits(any) {
            for (heading, some) in ALL.into_iter().zip(steppers) {
                turns[count % STEP_ROOM] = Turn::step(from, heading);
                count += (some >> from & 1) as usize;
            }
        }
        out.extend_from_slice(&turns[..count]);
    }

    fn each_capture(&self, jumpers: u64, found: &mut impl FnMut(Turn)) {
        for from in bits(jumpers) {
            let piece = 1 << from;
            let jumper = Jumper {
                first: if self.up & piece == 0 { 2 } else { 0 },
                last: if self.down & piece == 0 { 1 } else { 3 },
                empty: self.empty | piece,
            };
            jumper.go_on(piece, self.enemy, Turn::begin(from), found);
        }
    }
}

/// A piece in the middle of its jumps.
struct Jumper {
    /// The headings it may take.
    first: Heading,
    last: Heading,
    /// Squares where it may land, that which it left among them. Pieces that it has taken are still on the board, but never in
    /// its way: it lands on every other row, and they stand on those between.
    empty: u64,
}

impl Jumper {
    /// Follows every way to go on from a square until there is none, over enemies that have not been taken. A man that comes to
    /// the king row can't go on, since there is nothing ahead.
    fn go_on(&self, at: u64, enemy: u64, turn: Turn, found: &mut impl FnMut(Turn)) {
        let mut is_end = true;
        for heading in self.first..=self.last {
            let over = shift(at, heading) & enemy;
            let to = shift(over, heading) & self.empty;
            if to != 0 {
                is_end = false;
                self.go_on(to, enemy & !over, turn.jump(heading), found);
            }
        }
        if is_end {
            found(turn);
        }
    }
}
