//! A move: the path of one piece from square to square, including captures. It is independent of
//! the position, so that it can't tell whether it is legal.
//!
//! Boards have 64 bits: bit 0 is the light square in the top left corner as white sees the board,
//! bit 8 the one below it. Pieces stand on dark squares only. A step across the left or right edge
//! ends on a light square, so that no edge checks are needed.

use std::fmt;

/// The squares that pieces stand on.
pub(super) const DARK: u64 = 0x55aa_55aa_55aa_55aa;

/// The maximal number of captures in one move: there are only nine squares between those on which a
/// piece can land.
const MAX_JUMPS: usize = 9;

/// A diagonal direction: 0 up the board to the left, 1 up to the right, 2 down to the left, 3 down
/// to the right. The opposite of `d` is `3 - d`.
pub(super) type Diagonal = u8;

/// Moves every piece by one square.
#[inline]
pub(super) const fn shift(board: u64, diagonal: Diagonal) -> u64 {
    match diagonal {
        0 => board >> 9,
        1 => board >> 7,
        2 => board << 7,
        _ => board << 9,
    }
}

/// The indices of the set bits of a board, ascending.
#[inline]
pub(super) fn bits(mut board: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let bit = board.trailing_zeros() as u8;
        (board != 0).then(|| {
            board &= board - 1;
            bit
        })
    })
}

/// The usual number of a dark square, from 1 to 32.
pub(super) fn number(bit: u8) -> u8 {
    bit / 2 + 1
}

/// The bit of the dark square with that number.
pub(super) fn bit(number: u8) -> u8 {
    let place = number - 1;
    2 * place + u8::from((place / 4).is_multiple_of(2))
}

/// A step of one piece, or all jumps of one move.
///
/// Bits from the highest: the first square (6 bits), the direction of each jump (2 bits each, for
/// 9), and the number of jumps (4 bits). A step has 0 jumps and one direction. Two moves are equal
/// only if they visit the same squares. Moves are ordered by their first squares, then by their
/// directions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct DraughtsMove(u32);

const HEADINGS: u32 = 4;
const FROM: u32 = HEADINGS + 2 * MAX_JUMPS as u32;

impl DraughtsMove {
    /// An empty path.
    #[inline]
    pub(super) fn begin(from: u8) -> Self {
        Self(u32::from(from) << FROM)
    }

    /// A step to a neighboring square.
    #[inline]
    pub(super) fn step(from: u8, diagonal: Diagonal) -> Self {
        Self(u32::from(from) << FROM | u32::from(diagonal) << Self::place(0))
    }

    /// The path with one more jump.
    #[inline]
    pub(super) fn jump(self, diagonal: Diagonal) -> Self {
        Self((self.0 | u32::from(diagonal) << Self::place(self.jumps())) + 1)
    }

    /// The first `jumps` jumps of the move: at least 1, at most all.
    pub(super) fn prefix(self, jumps: usize) -> Self {
        let diagonals = (0..jumps).map(|jump| self.diagonal(jump));
        diagonals.fold(Self::begin(self.from()), Self::jump)
    }

    /// The bit offset of a jump's direction.
    #[inline]
    fn place(jump: usize) -> u32 {
        FROM - 2 * (jump as u32 + 1)
    }

    /// The bit of its first square.
    #[inline]
    pub(super) fn from(self) -> u8 {
        (self.0 >> FROM) as u8
    }

    /// The number of captures; 0 for a step.
    #[inline]
    pub(super) fn jumps(self) -> usize {
        (self.0 & 15) as usize
    }

    #[inline]
    pub(super) fn diagonal(self, jump: usize) -> Diagonal {
        (self.0 >> Self::place(jump)) as u8 & 3
    }

    /// The last square and the squares of the captured pieces, as bitboards.
    #[inline]
    pub(super) fn trace(self) -> (u64, u64) {
        let mut at = 1 << self.from();
        if self.jumps() == 0 {
            return (shift(at, self.diagonal(0)), 0);
        }
        let mut taken = 0;
        for jump in 0..self.jumps() {
            let over = shift(at, self.diagonal(jump));
            taken |= over;
            at = shift(over, self.diagonal(jump));
        }
        (at, taken)
    }

    /// The bits of all visited squares, including the first and the last.
    pub(super) fn visits(self) -> impl Iterator<Item = u8> {
        let mut at = 1_u64 << self.from();
        let jumps = self.jumps();
        let next = (0..jumps.max(1)).map(move |jump| {
            let diagonal = self.diagonal(jump);
            at = shift(at, diagonal);
            if jumps > 0 {
                at = shift(at, diagonal);
            }
            at.trailing_zeros() as u8
        });
        std::iter::once(self.from()).chain(next)
    }
}

impl fmt::Debug for DraughtsMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&super::text::of_turn(*self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dark_squares_are_numbered_row_by_row() {
        let numbers: Vec<u8> = bits(DARK).map(number).collect();
        assert_eq!(numbers, (1..=32).collect::<Vec<u8>>());
        assert!(bits(DARK).all(|dark| bit(number(dark)) == dark));
        assert_eq!([bit(1), bit(5), bit(32)], [1, 8, 62]);
    }

    /// The numbers of the neighboring squares.
    fn beside(square: u8) -> Vec<u8> {
        let next = (0..4).map(|diagonal| shift(1 << bit(square), diagonal) & DARK);
        next.flat_map(bits).map(number).collect()
    }

    #[test]
    fn no_step_crosses_an_edge() {
        assert_eq!(beside(1), [5, 6]);
        assert_eq!(beside(4), [8]);
        assert_eq!(beside(5), [1, 9]);
        assert_eq!(beside(12), [8, 16]);
        assert_eq!(beside(15), [10, 11, 18, 19]);
        assert_eq!(beside(29), [25]);
        assert_eq!(beside(32), [27, 28]);
    }

    #[test]
    fn a_move_can_hold_the_longest_path() {
        let diagonals = [3, 3, 1, 0, 2, 3, 1, 1, 2];
        let turn = diagonals
            .into_iter()
            .fold(DraughtsMove::begin(bit(5)), DraughtsMove::jump);
        assert_eq!(turn.jumps(), MAX_JUMPS);
        let kept: Vec<u8> = (0..MAX_JUMPS).map(|jump| turn.diagonal(jump)).collect();
        assert_eq!(kept, diagonals);
        assert_eq!(turn.from(), bit(5));
    }

    #[test]
    fn moves_are_ordered_by_squares_and_directions() {
        let turn = |from, diagonals: &[Diagonal]| {
            let begun = DraughtsMove::begin(from);
            diagonals.iter().fold(begun, |turn, &next| turn.jump(next))
        };
        let ascending = [
            DraughtsMove::step(8, 1),
            DraughtsMove::step(8, 3),
            turn(10, &[1, 3, 3]),
            turn(10, &[2, 0]),
            turn(10, &[2, 1, 0]),
            turn(10, &[3]),
            DraughtsMove::step(17, 0),
        ];
        assert!(ascending.is_sorted_by(|one, other| one < other));
    }
}
