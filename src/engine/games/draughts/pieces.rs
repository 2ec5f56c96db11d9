//! The pieces and how they move, without the draw rules.

use std::hash::{Hash, Hasher};

use crate::games::Side;

use super::turn::{DARK, Diagonal, DraughtsMove, bits, shift};

/// The pieces on the board and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pieces {
    /// Men and kings of the first and of the second player.
    pub(super) of: [u64; 2],
    /// The kings of both.
    pub(super) kings: u64,
    pub(super) to_move: Side,
}

/// The kind of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveKind {
    Capture,
    /// A man's step, which is irreversible.
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
    /// The start: twelve men each, black on squares 1 to 12 and to move.
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

    /// All pieces in two words, which identify the board together. Each pair of neighboring squares
    /// in a row has one dark square, so a second board fits on the light ones.
    #[inline]
    pub(super) fn packed(&self) -> [u64; 2] {
        const EVEN: u64 = 0x5555_5555_5555_5555;
        let [first, second] = self.of;
        let on_light = (second & EVEN) << 1 | second >> 1 & EVEN;
        [first | on_light, self.kings]
    }

    /// Plays a legal move. Captured pieces are removed at its end, and a man on the king row is
    /// crowned.
    #[inline]
    pub(super) fn play(&mut self, turn: DraughtsMove) -> MoveKind {
        let (to, taken) = turn.trace();
        let from = 1 << turn.from();
        let is_king = self.kings & from != 0;
        let [own, enemy] = [self.to_move, self.to_move.opponent()];
        self.of[own.index()] = self.of[own.index()] & !from | to;
        self.of[enemy.index()] &= !taken;
        self.kings &= !(from | taken);
        if is_king || to & king_row(own) != 0 {
            self.kings |= to;
        }
        self.to_move = enemy;
        match (taken, is_king) {
            (0, true) => MoveKind::KingStep,
            (0, false) => MoveKind::ManStep,
            _ => MoveKind::Capture,
        }
    }

    /// The move generator of the side to move.
    #[inline]
    pub(super) fn generator(&self) -> MoveGenerator {
        let own = self.of[self.to_move.index()];
        let (up, down) = match self.to_move {
            Side::First => (own & self.kings, own),
            Side::Second => (own, own & self.kings),
        };
        MoveGenerator {
            up,
            down,
            enemy: self.of[self.to_move.opponent().index()],
            empty: DARK & !(self.of[0] | self.of[1]),
        }
    }
}

impl Hash for Pieces {
    /// Two words are hashed several times as fast as the fields one by one. The square of the
    /// lowest bit is light.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [pieces, kings] = self.packed();
        state.write_u64(pieces);
        state.write_u64(kings | self.to_move as u64);
    }
}

/// Generates the legal moves of one player.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveGenerator {
    /// Own pieces that can move up the board, and those that can move down. Kings are in both sets.
    up: u64,
    down: u64,
    enemy: u64,
    empty: u64,
}

const ALL: [Diagonal; 4] = [0, 1, 2, 3];

/// A buffer size for the steps of any position: there are 49 pairs of neighboring squares and at
/// most one step per pair.
const MAX_STEPS: usize = 64;

impl MoveGenerator {
    /// Own pieces that may move in a direction if the square is free.
    #[inline]
    fn movers(&self, diagonal: Diagonal) -> u64 {
        if diagonal < 2 { self.up } else { self.down }
    }

    /// Own pieces that can step in a direction.
    #[inline]
    fn steppers(&self, diagonal: Diagonal) -> u64 {
        self.movers(diagonal) & shift(self.empty, 3 - diagonal)
    }

    /// Own pieces that can capture.
    #[inline]
    fn jumpers(&self) -> u64 {
        ALL.into_iter().fold(0, |all, diagonal| {
            let back = 3 - diagonal;
            all | self.movers(diagonal) & shift(self.enemy & shift(self.empty, back), back)
        })
    }

    pub(super) fn must_take(&self) -> bool {
        self.jumpers() != 0
    }

    #[inline]
    pub(super) fn can_move(&self) -> bool {
        let step = ALL
            .into_iter()
            .fold(0, |all, diagonal| all | self.steppers(diagonal));
        step | self.jumpers() != 0
    }

    /// The number of legal moves.
    pub(super) fn count(&self) -> usize {
        let jumpers = self.jumpers();
        if jumpers == 0 {
            let steps = ALL.map(|diagonal| self.steppers(diagonal).count_ones());
            return steps.into_iter().sum::<u32>() as usize;
        }
        let mut count = 0;
        self.each_capture(jumpers, &mut |_| count += 1);
        count
    }

    /// Appends the legal moves in ascending order: captures if there are any, else steps.
    pub(super) fn list(&self, out: &mut Vec<DraughtsMove>) {
        let jumpers = self.jumpers();
        if jumpers != 0 {
            return self.each_capture(jumpers, &mut |turn| out.push(turn));
        }
        let steppers = ALL.map(|diagonal| self.steppers(diagonal));
        let any = steppers.into_iter().fold(0, |all, some| all | some);
        // Branch-free: every step is written, but only legal ones advance the count.
        let (mut turns, mut count) = ([DraughtsMove::begin(0); MAX_STEPS], 0);
        for from in bits(any) {
            for (diagonal, some) in ALL.into_iter().zip(steppers) {
                turns[count % MAX_STEPS] = DraughtsMove::step(from, diagonal);
                count += (some >> from & 1) as usize;
            }
        }
        out.extend_from_slice(&turns[..count]);
    }

    fn each_capture(&self, jumpers: u64, found: &mut impl FnMut(DraughtsMove)) {
        for from in bits(jumpers) {
            let piece = 1 << from;
            let search = CaptureSearch {
                first: if self.up & piece == 0 { 2 } else { 0 },
                last: if self.down & piece == 0 { 1 } else { 3 },
                empty: self.empty | piece,
            };
            search.extend(piece, self.enemy, DraughtsMove::begin(from), found);
        }
    }
}

/// The search for all captures of one piece.
struct CaptureSearch {
    /// The range of directions it may take.
    first: Diagonal,
    last: Diagonal,
    /// Squares where it may land, including the one it left. Captured pieces stay on the board
    /// until the end but never block the path: the piece lands on every other row, and they stand
    /// on the rows between.
    empty: u64,
}

impl CaptureSearch {
    /// Follows every continuation from a square over enemies that have not been captured. A man on
    /// the king row stops, since there is no row ahead.
    fn extend(
        &self,
        at: u64,
        enemy: u64,
        turn: DraughtsMove,
        found: &mut impl FnMut(DraughtsMove),
    ) {
        let mut is_end = true;
        for diagonal in self.first..=self.last {
            let over = shift(at, diagonal) & enemy;
            let to = shift(over, diagonal) & self.empty;
            if to != 0 {
                is_end = false;
                self.extend(to, enemy & !over, turn.jump(diagonal), found);
            }
        }
        if is_end {
            found(turn);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::hash::BuildHasher;

    use foldhash::fast::FixedState;

    use super::*;

    #[test]
    fn boards_that_differ_in_one_piece_have_other_packed_words_and_hashes() {
        let mut boards = vec![Pieces::START];
        for square in bits(DARK) {
            let moved = |of: [u64; 2], kings| Pieces {
                of: [Pieces::START.of[0] ^ of[0], Pieces::START.of[1] ^ of[1]],
                kings,
                to_move: Side::First,
            };
            let piece = 1 << square;
            boards.extend([
                moved([piece, 0], 0),
                moved([0, piece], 0),
                moved([piece; 2], 0),
                moved([0, 0], piece),
            ]);
        }
        let mut packed: Vec<[u64; 2]> = boards.iter().map(Pieces::packed).collect();
        packed.sort_unstable();
        packed.dedup();
        assert_eq!(packed.len(), boards.len());
        let turned = Pieces {
            to_move: Side::Second,
            ..Pieces::START
        };
        let hash = |pieces: &Pieces| FixedState::default().hash_one(pieces);
        assert_ne!(hash(&turned), hash(&Pieces::START));
    }
}
