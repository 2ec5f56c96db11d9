//! A board as numbers for networks, as one of the players sees it: whole, and what of it a turn changes.

use crate::features::Features;
use crate::games::Side;
use crate::games::sheet::Sheet;
use crate::games::windows::WINDOWS;
use crate::params::choices;

use super::pieces::Pieces;
use super::turn::{DARK, bits};

choices! {
    /// The numbers that describe a board.
    pub enum Inputs {
        /// 32: each square from 1 on, 1 for an own man, -1 for an enemy man, the worth of a king likewise, 0 for none.
        Signed = "signed",
        /// 91: the sum of these in each square part of the board with sides of 3 to 8 (Chellapilla & Fogel 2001; Thien 2018).
        Windows = "windows",
        /// 91: the same sums divided by how many dark squares they are over, as in the program of Thien (2018).
        Means = "means",
        /// 123: each square, then each sum.
        Both = "both",
    }
}

choices! {
    /// From where a board is seen.
    pub enum View {
        /// From the own side: white sees it turned by half.
        Own = "own",
        /// Both players see square 1 first.
        Fixed = "fixed",
    }
}

/// How a network sees the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    pub(super) inputs: Inputs,
    pub(super) view: View,
    pub(super) king_weight: f32,
    /// Whether the sum of all pieces is one more input.
    pub(super) difference: bool,
}

const SQUARES: usize = 32;
const PARTS: usize = WINDOWS.len();

impl Inputs {
    fn has_squares(self) -> bool {
        matches!(self, Self::Signed | Self::Both)
    }

    fn has_parts(self) -> bool {
        self != Self::Signed
    }

    /// How many numbers there are.
    fn count(self) -> usize {
        self.first_part() + if self.has_parts() { PARTS } else { 0 }
    }

    /// The input of the first part of the board.
    fn first_part(self) -> usize {
        if self.has_squares() { SQUARES } else { 0 }
    }
}

/// The pieces as a player sees them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// Own and enemy men.
    men: [u64; 2],
    kings: [u64; 2],
}

impl Sight {
    /// How many inputs there are.
    pub(super) fn count(self) -> usize {
        self.inputs.count() + usize::from(self.difference)
    }

    /// What the inputs are sums of: for each square, from 1 on, 1 for an own man and -1 for an enemy one, then the same of kings.
    pub(super) fn features(self) -> Features {
        let men = (0..SQUARES).map(|square| self.feeds(2 * square as u8));
        Features::new(men.collect()).and_heavy(self.king_weight)
    }

    /// The inputs that a man on a square is added to, and how many times.
    fn feeds(self, bit: u8) -> Vec<(u32, f32)> {
        let mut feeds = Vec::new();
        // Dark squares come in pairs with light ones, either first.
        let square = DARK & 3 << (bit & !1);
        if self.inputs.has_squares() {
            feeds.push((u32::from(bit / 2), 1.0));
        }
        for (part, window) in WINDOWS.iter().enumerate() {
            if self.inputs.has_parts() && window & square != 0 {
                let dark = (window & DARK).count_ones() as f32;
                let share = match self.inputs {
                    Inputs::Means => 1.0 / dark,
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

    pub(super) fn seen(self, pieces: &Pieces, side: Side) -> Seen {
        let turn = |board: u64| match (self.view, side) {
            (View::Own, Side::Second) => board.reverse_bits(),
            _ => board,
        };
        let sides = [side, side.other()];
        Seen {
            men: sides.map(|side| turn(pieces.men(side))),
            kings: sides.map(|side| turn(pieces.kings(side))),
        }
    }

    /// What an own man on each square adds to the inputs, as its owner sees them. A king adds its weight times as much, and enemies
    /// take away what own pieces add.
    pub(super) fn sheets(self) -> Vec<Sheet> {
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
        vec![Sheet {
            name: "own men",
            columns: 8,
            squares: (0..64).map(name).collect(),
            cells: (0..64).map(feeds).collect(),
        }]
    }
}

/// Writes the features.
pub(super) fn encode(seen: Seen, out: &mut [f32]) {
    out.fill(0.0);
    let (men, kings) = out.split_at_mut(SQUARES);
    for (numbers, [own, enemy]) in [(men, seen.men), (kings, seen.kings)] {
        for (board, value) in [(own, 1.0), (enemy, -1.0)] {
            for bit in bits(board) {
                numbers[usize::from(bit / 2)] = value;
            }
        }
    }
}

/// Appends the features that differ on the board `after`, with their new values.
pub(super) fn changes(before: Seen, after: Seen, out: &mut Vec<(u32, f32)>) {
    let kinds = [
        (0, before.men, after.men),
        (SQUARES as u32, before.kings, after.kings),
    ];
    for (first, before, [own, enemy]) in kinds {
        for bit in bits(before[0] ^ own | before[1] ^ enemy) {
            let value = (own >> bit & 1) as i8 - (enemy >> bit & 1) as i8;
            out.push((first + u32::from(bit / 2), value.into()));
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::rng::{Purpose, stream};

    fn sights() -> impl Iterator<Item = Sight> {
        let inputs = [Inputs::Signed, Inputs::Windows, Inputs::Means, Inputs::Both];
        let views = [View::Own, View::Fixed];
        inputs.into_iter().flat_map(move |inputs| {
            views.into_iter().flat_map(move |view| {
                [true, false].map(|difference| Sight {
                    inputs,
                    view,
                    king_weight: 1.3,
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

    fn features(sight: Sight, pieces: &Pieces, side: Side) -> Vec<f32> {
        let mut features = vec![f32::NAN; 2 * SQUARES];
        encode(sight.seen(pieces, side), &mut features);
        features
    }

    /// The inputs.
    fn numbers(sight: Sight, pieces: &Pieces, side: Side) -> Vec<f32> {
        let mut numbers = vec![f32::NAN; sight.count()];
        let features = features(sight, pieces, side);
        let sums = sight.features();
        sums.add_up(&features, None, &mut numbers);
        numbers
    }

    /// What the definition says stands on a square, from 1 on, as a side sees it.
    fn piece(sight: Sight, pieces: &Pieces, side: Side, bit: u8) -> f64 {
        let turned = sight.view == View::Own && side == Side::Second;
        let bit = if turned { 63 - bit } else { bit };
        let owner = |side: Side| (pieces.of[side.index()] >> bit & 1) as f64;
        let king = pieces.kings >> bit & 1 == 1;
        let weight = if king {
            f64::from(sight.king_weight)
        } else {
            1.0
        };
        weight * (owner(side) - owner(side.other()))
    }

    #[test]
    fn every_number_is_what_adding_up_the_squares_gives() {
        for (sight, pieces) in sights().flat_map(|sight| boards().map(move |board| (sight, board)))
        {
            for side in [Side::First, Side::Second] {
                let sum = |part: u64| -> f64 {
                    let squares = bits(part & DARK);
                    squares.map(|bit| piece(sight, &pieces, side, bit)).sum()
                };
                let mut expected = Vec::new();
                if sight.inputs.has_squares() {
                    expected.extend(bits(DARK).map(|bit| sum(1 << bit)));
                }
                if sight.inputs.has_parts() {
                    let dark = |part: u64| f64::from((part & DARK).count_ones());
                    let mean = sight.inputs == Inputs::Means;
                    let share = |part| if mean { dark(part) } else { 1.0 };
                    expected.extend(WINDOWS.map(|part| sum(part) / share(part)));
                }
                if sight.difference {
                    expected.push(sum(u64::MAX));
                }
                let found = numbers(sight, &pieces, side);
                assert_eq!(found.len(), expected.len());
                for (found, expected) in found.into_iter().zip(expected) {
                    assert!((f64::from(found) - expected).abs() < 1e-5, "{sight:?}");
                }
            }
        }
    }

    #[test]
    fn only_features_with_new_values_are_reported_as_changed() {
        for sight in sights() {
            for (before, after) in boards().zip(boards().skip(1)) {
                let [old, new] =
                    [&before, &after].map(|pieces| features(sight, pieces, Side::Second));
                let mut told = Vec::new();
                let [one, two] = [&before, &after].map(|pieces| sight.seen(pieces, Side::Second));
                changes(one, two, &mut told);
                let pairs = old.iter().zip(&new).enumerate();
                let differ = pairs.filter(|(_, (old, new))| old.to_bits() != new.to_bits());
                let expected: Vec<(u32, f32)> = differ
                    .map(|(input, (_, &new))| (input as u32, new))
                    .collect();
                assert_eq!(told, expected, "{sight:?}");
            }
        }
    }

    #[test]
    fn from_the_own_side_both_players_see_the_same_start() {
        for sight in sights() {
            let [first, second] =
                [Side::First, Side::Second].map(|side| numbers(sight, &Pieces::START, side));
            assert_eq!(first == second, sight.view == View::Own);
        }
    }

    #[test]
    fn the_sheet_says_what_a_single_man_does_to_the_inputs() {
        for sight in sights() {
            let sheet = sight.sheets().remove(0);
            for bit in 0..64 {
                let mut expected = vec![0.0; sight.count()];
                for &(input, amount) in &sheet.cells[bit] {
                    expected[input as usize] = amount;
                }
                let pieces = Pieces {
                    of: [1 << bit & DARK, 0],
                    kings: 0,
                    to_move: Side::First,
                };
                assert_eq!(numbers(sight, &pieces, Side::First), expected);
            }
        }
    }
}
