//! A turn: one piece from square to square, whatever it takes on its way. It knows no position, so that it can't tell whether it
//! is legal.
//!
//! Boards have 64 bits: bit 0 is the light square in white's top left corner, bit 8 the one below it. Pieces stand on dark squares
//! only, and what a step carries over the left or right edge comes out on a light one, so that no edge needs to be looked at.

use std::fmt;

/// The squares that pieces stand on.
pub(super) const DARK: u64 = 0x55aa_55aa_55aa_55aa;

/// The most pieces that can be taken in one turn: the squares on which a piece can land have nine between them.
const MOST_JUMPS: usize = 9;

/// A neighboring square: 0 up the board to the left, 1 up to the right, 2 down to the left, 3 down to the right; the opposite
/// of one is 3 minus it.
pub(super) type Heading = u8;

/// Every piece one square further.
#[inline]
pub(super) const fn shift(board: u64, heading: Heading) -> u64 {
    match heading {
        0 => board >> 9,
        1 => board >> 7,
        2 => board << 7,
        _ => board << 9,
    }
}

/// The bits of a board, the lowest first.
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

/// The number of a dark square as players count, from 1 to 32.
pub(super) fn number(bit: u8) -> u8 {
    bit / 2 + 1
}

/// The bit of the dark square with that number.
pub(super) fn bit(number: u8) -> u8 {
    let place = number - 1;
    2 * place + u8::from((place / 4).is_multiple_of(2))
}

/// A step of one piece, or all its jumps of one turn.
///
/// From its highest bit: the square it begins on (6 bits), where it goes at each jump (2 bits each, for 9), and how many jumps
/// they are (4 bits), none for a step, which has one heading too. Two turns are the same only if they visit the same squares,
/// and they are in order if their first squares and then their headings are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Turn(u32);

const HEADINGS: u32 = 4;
const FROM: u32 = HEADINGS + 2 * MOST_JUMPS as u32;

impl Turn {
    /// A turn that does not lead anywhere yet.
    #[inline]
    pub(super) fn begin(from: u8) -> Self {
        Self(u32::from(from) << FROM)
    }

    /// A step to the next square.
    #[inline]
    pub(super) fn step(from: u8, heading: Heading) -> Self {
        Self(u32::from(from) << FROM | u32::from(heading) << Self::place(0))
    }

    /// The same with one more jump.
    #[inline]
    pub(super) fn jump(self, heading: Heading) -> Self {
        Self((self.0 | u32::from(heading) << Self::place(self.jumps())) + 1)
    }

    /// The turn as far as its first so many jumps, one at least and no more than it has.
    pub(super) fn begun(self, jumps: usize) -> Self {
        let headings = (0..jumps).map(|jump| self.heading(jump));
        headings.fold(Self::begin(self.from()), Self::jump)
    }

    /// Where the heading of a jump lies.
    #[inline]
    fn place(jump: usize) -> u32 {
        FROM - 2 * (jump as u32 + 1)
    }

    /// The bit of its first square.
    #[inline]
    pub(super) fn from(self) -> u8 {
        (self.0 >> FROM) as u8
    }

    /// How many pieces it takes; none is a step.
    #[inline]
    pub(super) fn jumps(self) -> usize {
        (self.0 & 15) as usize
    }

    #[inline]
    pub(super) fn heading(self, jump: usize) -> Heading {
        (self.0 >> Self::place(jump)) as u8 & 3
    }

    /// The square on which it ends, and those of the pieces it takes.
    #[inline]
    pub(super) fn trace(self) -> (u64, u64) {
        let mut at = 1 << self.from();
        if self.jumps() == 0 {
            return (shift(at, self.heading(0)), 0);
        }
        let mut taken = 0;
        for jump in 0..self.jumps() {
            let over = shift(at, self.heading(jump));
            taken |= over;
            at = shift(over, self.heading(jump));
        }
        (at, taken)
    }

    /// The bits of all squares it visits, the first and last among them.
    pub(super) fn visits(self) -> impl Iterator<Item = u8> {
        let mut at = 1_u64 << self.from();
        let jumps = self.jumps();
        let next = (0..jumps.max(1)).map(move |jump| {
            let heading = self.heading(jump);
            at = shift(at, heading);
            if jumps > 0 {
                at = shift(at, heading);
            }
            at.trailing_zeros() as u8
        });
        std::iter::once(self.from()).chain(next)
    }
}

impl fmt::Debug for Turn {
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

    /// The numbers of the squares beside one.
    fn beside(square: u8) -> Vec<u8> {
        let next = (0..4).map(|heading| shift(1 << bit(square), heading) & DARK);
        next.flat_map(bits).map(number).collect()
    }

    #[test]
    fn no_step_leads_across_an_edge() {
        assert_eq!(beside(1), [5, 6]);
        assert_eq!(beside(4), [8]);
        assert_eq!(beside(5), [1, 9]);
        assert_eq!(beside(12), [8, 16]);
        assert_eq!(beside(15), [10, 11, 18, 19]);
        assert_eq!(beside(29), [25]);
        assert_eq!(beside(32), [27, 28]);
    }

    #[test]
    fn a_turn_keeps_every_square_of_the_longest_path() {
        let headings = [3, 3, 1, 0, 2, 3, 1, 1, 2];
        let turn = headings.into_iter().fold(Turn::begin(bit(5)), Turn::jump);
        assert_eq!(turn.jumps(), MOST_JUMPS);
        let kept: Vec<u8> = (0..MOST_JUMPS).map(|jump| turn.heading(jump)).collect();
        assert_eq!(kept, headings);
        assert_eq!(turn.from(), bit(5));
    }

    #[test]
    fn turns_are_in_the_order_of_their_squares_and_headings() {
        let turn = |from, headings: &[Heading]| {
            let begun = Turn::begin(from);
            headings.iter().fold(begun, |turn, &next| turn.jump(next))
        };
        let ascending = [
            Turn::step(8, 1),
            Turn::step(8, 3),
            turn(10, &[1, 3, 3]),
            turn(10, &[2, 0]),
            turn(10, &[2, 1, 0]),
            turn(10, &[3]),
            Turn::step(17, 0),
        ];
        assert!(ascending.is_sorted_by(|one, other| one < other));
    }
}
