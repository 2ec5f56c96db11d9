//! The encoding of a board for networks, from the point of view of one player, and the changes of a
//! move.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use crate::board_geometry::BoardGeometry;
use crate::games::Side;
use crate::games::input_plane::InputPlane;
use crate::games::windows::WINDOWS;
use crate::params::choices;
use crate::projection::InputProjection;

use super::pieces::Pieces;
use super::turn::DARK;

choices! {
    /// The encodings of a board.
    pub enum DraughtsInputs {
        /// 32: for each square from 1 on 1 for an own man, -1 for an enemy man, plus or minus the
        /// king weight for kings, else 0.
        Signed = "signed",
        /// 91: the sum of these in each square window with sides of 3 to 8 (Chellapilla & Fogel
        /// 2001; Thien 2018).
        Windows = "windows",
        /// 91: the same sums divided by the number of dark squares in the window, as in the program
        /// of Thien (2018).
        Means = "means",
        /// 123: each square, then each sum.
        Both = "both",
        /// 32: for each square from 1 on 1 for an own man, 2 for an own king, -1 and -2 for those
        /// of the enemy, else 0. The king weight does not count.
        Pieces = "pieces",
    }
}

choices! {
    /// The side from which a board is encoded.
    pub enum View {
        /// From the own side: for white the board is rotated by half a turn.
        Own = "own",
        /// For both players square 1 comes first.
        Fixed = "fixed",
    }
}

/// How the board is encoded.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardEncoding {
    pub(super) inputs: DraughtsInputs,
    pub(super) view: View,
    pub(super) king_weight: f32,
    /// Whether the sum of all pieces is an additional input.
    pub(super) difference: bool,
}

const SQUARES: usize = 32;

/// The number of an own king among [`DraughtsInputs::Pieces`].
const KING: i8 = 2;

const PARTS: usize = WINDOWS.len();

impl DraughtsInputs {
    fn has_squares(self) -> bool {
        matches!(self, Self::Signed | Self::Both | Self::Pieces)
    }

    fn has_parts(self) -> bool {
        !matches!(self, Self::Signed | Self::Pieces)
    }

    /// The number of inputs without the difference.
    fn count(self) -> usize {
        self.first_part() + if self.has_parts() { PARTS } else { 0 }
    }

    /// The index of the first window's input.
    fn first_part(self) -> usize {
        if self.has_squares() { SQUARES } else { 0 }
    }
}

/// The pieces from the point of view of a player.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceView {
    /// Own and enemy men.
    men: [u64; 2],
    kings: [u64; 2],
    /// Whether the last square comes first.
    is_turned: bool,
}

impl PieceView {
    /// The bits of a board, the first square of the view first, each with the index of its square.
    #[inline]
    fn squares(self, mut board: u64) -> impl Iterator<Item = (u8, usize)> {
        std::iter::from_fn(move || {
            if board == 0 {
                return None;
            }
            let place = if self.is_turned {
                board.leading_zeros()
            } else {
                board.trailing_zeros()
            } as u8;
            let bit = if self.is_turned { 63 - place } else { place };
            board &= !(1 << bit);
            Some((bit, usize::from(place / 2)))
        })
    }

    fn occupied(self) -> u64 {
        let boards = self.men.into_iter().chain(self.kings);
        boards.fold(0, |occupied, board| occupied | board)
    }

    /// The squares on which another piece stands, or one instead of none.
    fn differs(&self, other: &Self) -> u64 {
        let boards = self.men.iter().chain(&self.kings);
        let others = other.men.iter().chain(&other.kings);
        boards
            .zip(others)
            .fold(0, |differs, (own, other)| differs | own ^ other)
    }

    /// The number of the piece on a square among [`DraughtsInputs::Pieces`].
    fn piece(self, bit: u8) -> f32 {
        value_at(bit, self.men) + f32::from(KING) * value_at(bit, self.kings)
    }
}

impl BoardEncoding {
    /// The number of inputs.
    pub(super) fn count(self) -> usize {
        self.inputs.count() + usize::from(self.difference)
    }

    /// The projection of the encoding onto the inputs; `None` if they are the same. The encoding
    /// has, for each square from 1 on, 1 for an own man and -1 for an enemy man, then the same for
    /// kings.
    pub(super) fn projection(self) -> Option<InputProjection> {
        if self.inputs == DraughtsInputs::Pieces {
            return None;
        }
        let men = (0..SQUARES).map(|square| self.feeds(2 * square as u8));
        Some(InputProjection::new(men.collect()).with_piece_value(self.king_weight))
    }

    /// The largest absolute value of a number in the encoding.
    pub(super) fn largest(self) -> u16 {
        if self.inputs == DraughtsInputs::Pieces {
            KING.unsigned_abs().into()
        } else {
            1
        }
    }

    /// Where the squares lie, if each has a number that tells what stands on it. The board is alike
    /// from no other side.
    pub(super) fn board(self) -> Option<BoardGeometry> {
        let square = |bit: u8| (DARK >> bit & 1 == 1).then_some(u32::from(bit / 2));
        (self.inputs == DraughtsInputs::Pieces && !self.difference).then(|| BoardGeometry {
            columns: 8,
            inputs: (0..64).map(square).collect(),
            lowest: -KING,
            levels: 2 * KING.unsigned_abs() + 1,
            symmetries: vec![(0..SQUARES as u32).collect()],
            opposite: match self.view {
                View::Own => (0..SQUARES as u32).rev().collect(),
                View::Fixed => (0..SQUARES as u32).collect(),
            },
        })
    }

    /// The inputs that a man on a square adds to, with weights.
    fn feeds(self, bit: u8) -> Vec<(u32, f32)> {
        let mut feeds = Vec::new();
        // Every pair of squares in a row has one dark square.
        let square = DARK & 3 << (bit & !1);
        if self.inputs.has_squares() {
            feeds.push((u32::from(bit / 2), 1.0));
        }
        for (part, window) in WINDOWS.iter().enumerate() {
            if self.inputs.has_parts() && window & square != 0 {
                let dark = (window & DARK).count_ones() as f32;
                let share = match self.inputs {
                    DraughtsInputs::Means => 1.0 / dark,
                    _ => 1.0,
                };
                feeds.push(((self.inputs.first_part() + part) as u32, share));
            }
        }
        if self.difference {
            feeds.push((self.inputs.count() as u32, 1.0));
        }
        feeds
    }

    /// A hash of the encoding of these pieces for a side. The square of the lowest bit is light.
    #[inline]
    pub(super) fn key(pieces: &Pieces, side: Side) -> u64 {
        let [pieces, kings] = pieces.packed();
        FixedState::default().hash_one((pieces, kings | side as u64))
    }

    pub(super) fn seen(self, pieces: &Pieces, side: Side) -> PieceView {
        let sides = [side, side.opponent()];
        PieceView {
            men: sides.map(|side| pieces.men(side)),
            kings: sides.map(|side| pieces.kings(side)),
            is_turned: self.view == View::Own && side == Side::Second,
        }
    }

    /// What an own man on each square adds to the inputs of its owner. A king adds its weight times
    /// as much; enemy pieces subtract the same.
    pub(super) fn planes(self) -> Vec<InputPlane> {
        let is_dark = |bit: u8| DARK >> bit & 1 == 1;
        let name = |bit: u8| {
            if is_dark(bit) {
                (bit / 2 + 1).to_string()
            } else {
                String::new()
            }
        };
        let feeds = |bit: u8| {
            if is_dark(bit) {
                self.feeds(bit)
            } else {
                Vec::new()
            }
        };
        vec![InputPlane {
            name: "own men",
            columns: 8,
            squares: (0..64).map(name).collect(),
            cells: (0..64).map(feeds).collect(),
        }]
    }
}

/// Writes the encoding.
pub(super) fn encode(encoding: BoardEncoding, seen: PieceView, out: &mut [f32]) {
    out.fill(0.0);
    if encoding.inputs == DraughtsInputs::Pieces {
        for (bit, square) in seen.squares(seen.occupied()) {
            out[square] = seen.piece(bit);
        }
        return;
    }
    let (men, kings) = out.split_at_mut(SQUARES);
    for (numbers, boards) in [(men, seen.men), (kings, seen.kings)] {
        for (bit, square) in seen.squares(boards[0] | boards[1]) {
            numbers[square] = value_at(bit, boards);
        }
    }
}

/// 1 for an own piece on a square, -1 for one of the enemy, else 0.
#[inline]
fn value_at(bit: u8, [own, enemy]: [u64; 2]) -> f32 {
    let value = (own >> bit & 1) as i8 - (enemy >> bit & 1) as i8;
    value.into()
}

/// Appends the numbers of the encoding that differ on the board `after`, with their new values.
pub(super) fn changes(
    encoding: BoardEncoding,
    [before, after]: [PieceView; 2],
    out: &mut Vec<(u32, f32)>,
) {
    if encoding.inputs == DraughtsInputs::Pieces {
        for (bit, square) in after.squares(before.differs(&after)) {
            out.push((square as u32, after.piece(bit)));
        }
        return;
    }
    let kinds = [
        (0, before.men, after.men),
        (SQUARES, before.kings, after.kings),
    ];
    for (first, before, boards) in kinds {
        let changed = before[0] ^ boards[0] | before[1] ^ boards[1];
        for (bit, square) in after.squares(changed) {
            out.push(((first + square) as u32, value_at(bit, boards)));
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::super::turn::bits;
    use super::*;
    use crate::rng::{Purpose, stream};

    fn encodings() -> impl Iterator<Item = BoardEncoding> {
        let inputs = [
            DraughtsInputs::Signed,
            DraughtsInputs::Windows,
            DraughtsInputs::Means,
            DraughtsInputs::Both,
            DraughtsInputs::Pieces,
        ];
        let views = [View::Own, View::Fixed];
        inputs.into_iter().flat_map(move |inputs| {
            views.into_iter().flat_map(move |view| {
                let is_valued = inputs != DraughtsInputs::Pieces;
                let differences = [true, false]
                    .into_iter()
                    .filter(move |&it| !it || is_valued);
                differences.map(move |difference| BoardEncoding {
                    inputs,
                    view,
                    king_weight: if is_valued { 1.3 } else { KING.into() },
                    difference,
                })
            })
        })
    }

    fn boards() -> impl Iterator<Item = Pieces> {
        let mut rng = stream(5, Purpose::Sample, 0, 0);
        (0..60).map(move |_| {
            let mut some = || rng.random::<u64>() & rng.random::<u64>() & DARK;
            let (first, second, kings) = (some(), some(), some());
            Pieces {
                of: [first, second & !first],
                kings: kings & (first | second),
                to_move: Side::First,
            }
        })
    }

    fn encoded(encoding: BoardEncoding, pieces: &Pieces, side: Side) -> Vec<f32> {
        let projection = encoding.projection();
        let count = projection.map_or(SQUARES, |projection| projection.count());
        let mut encoded = vec![f32::NAN; count];
        encode(encoding, encoding.seen(pieces, side), &mut encoded);
        encoded
    }

    /// The inputs.
    fn numbers(encoding: BoardEncoding, pieces: &Pieces, side: Side) -> Vec<f32> {
        let encoded = encoded(encoding, pieces, side);
        let Some(projection) = encoding.projection() else {
            return encoded;
        };
        let mut numbers = vec![f32::NAN; encoding.count()];
        projection.project(&encoded, None, &mut numbers);
        numbers
    }

    /// The signed value of the piece on a square by the definition, from the point of view of a
    /// side.
    fn piece(encoding: BoardEncoding, pieces: &Pieces, side: Side, bit: u8) -> f64 {
        let turned = encoding.view == View::Own && side == Side::Second;
        let bit = if turned { 63 - bit } else { bit };
        let owner = |side: Side| (pieces.of[side.index()] >> bit & 1) as f64;
        let king = pieces.kings >> bit & 1 == 1;
        let weight = if king {
            f64::from(encoding.king_weight)
        } else {
            1.0
        };
        weight * (owner(side) - owner(side.opponent()))
    }

    #[test]
    fn every_input_is_the_sum_of_its_squares() {
        for (encoding, pieces) in
            encodings().flat_map(|encoding| boards().map(move |board| (encoding, board)))
        {
            for side in [Side::First, Side::Second] {
                let sum = |part: u64| -> f64 {
                    let squares = bits(part & DARK);
                    squares.map(|bit| piece(encoding, &pieces, side, bit)).sum()
                };
                let mut expected = Vec::new();
                if encoding.inputs.has_squares() {
                    expected.extend(bits(DARK).map(|bit| sum(1 << bit)));
                }
                if encoding.inputs.has_parts() {
                    let dark = |part: u64| f64::from((part & DARK).count_ones());
                    let mean = encoding.inputs == DraughtsInputs::Means;
                    let share = |part| if mean { dark(part) } else { 1.0 };
                    expected.extend(WINDOWS.map(|part| sum(part) / share(part)));
                }
                if encoding.difference {
                    expected.push(sum(u64::MAX));
                }
                let found = numbers(encoding, &pieces, side);
                assert_eq!(found.len(), expected.len());
                for (found, expected) in found.into_iter().zip(expected) {
                    assert!((f64::from(found) - expected).abs() < 1e-5, "{encoding:?}");
                }
            }
        }
    }

    #[test]
    fn only_numbers_with_new_values_are_reported_as_changed() {
        for encoding in encodings() {
            for (before, after) in boards().zip(boards().skip(1)) {
                let [old, new] =
                    [&before, &after].map(|pieces| encoded(encoding, pieces, Side::Second));
                let mut changed = Vec::new();
                let [one, two] =
                    [&before, &after].map(|pieces| encoding.seen(pieces, Side::Second));
                changes(encoding, [one, two], &mut changed);
                let pairs = old.iter().zip(&new).enumerate();
                let differ = pairs.filter(|(_, (old, new))| old.to_bits() != new.to_bits());
                let expected: Vec<(u32, f32)> = differ
                    .map(|(input, (_, &new))| (input as u32, new))
                    .collect();
                assert_eq!(changed, expected, "{encoding:?}");
            }
        }
    }

    #[test]
    fn a_board_of_pieces_says_where_its_squares_lie() {
        let mut boards = encodings().map(|encoding| (encoding.inputs, encoding.board()));
        assert!(
            boards.all(|(inputs, board)| board.is_some() == (inputs == DraughtsInputs::Pieces))
        );
        let pieces = encodings().find_map(BoardEncoding::board);
        let board = pieces.expect("one encoding has it");
        let dark = board.inputs.iter().flatten().copied();
        assert!(dark.eq(0..SQUARES as u32));
        assert_eq!((board.lowest, board.levels), (-2, 5));
        assert_eq!((board.input(0, 0), board.input(0, 1)), (None, Some(0)));
        assert_eq!((board.input(1, 0), board.input(7, 6)), (Some(4), Some(31)));
    }

    #[test]
    fn seen_from_the_other_side_pieces_are_negative_and_in_opposite_places() {
        for encoding in encodings() {
            let Some(board) = encoding.board() else {
                continue;
            };
            for pieces in boards() {
                let [own, others] =
                    [Side::First, Side::Second].map(|side| encoded(encoding, &pieces, side));
                let opposite = board.opposite.iter().map(|&at| -others[at as usize]);
                assert!(own.iter().copied().eq(opposite));
            }
        }
    }

    #[test]
    fn from_the_own_side_the_start_is_the_same_for_both_players() {
        for encoding in encodings() {
            let [first, second] =
                [Side::First, Side::Second].map(|side| numbers(encoding, &Pieces::START, side));
            assert_eq!(first == second, encoding.view == View::Own);
        }
    }

    #[test]
    fn the_plane_shows_how_a_single_man_changes_the_inputs() {
        for encoding in encodings() {
            let plane = encoding.planes().remove(0);
            for bit in 0..64 {
                let mut expected = vec![0.0; encoding.count()];
                for &(input, amount) in &plane.cells[bit] {
                    expected[input as usize] = amount;
                }
                let pieces = Pieces {
                    of: [1 << bit & DARK, 0],
                    kings: 0,
                    to_move: Side::First,
                };
                assert_eq!(numbers(encoding, &pieces, Side::First), expected);
            }
        }
    }
}
