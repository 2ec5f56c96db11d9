//! A board as numbers for networks, as one of the players sees it: whole, and what of it a turn changes.

use crate::games::Side;
use crate::games::sheet::Sheet;
use crate::games::windows::{WINDOWS, sums};
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
    /// Own and enemy men, and kings.
    men: [u64; 2],
    kings: [u64; 2],
}

impl Seen {
    /// Squares that do not hold the same as on another board.
    fn differing(self, other: Self) -> u64 {
        let apart = |one: [u64; 2], other: [u64; 2]| one[0] ^ other[0] | one[1] ^ other[1];
        apart(self.men, other.men) | apart(self.kings, other.kings)
    }
}

/// Own less enemy men and kings in each of the parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sums {
    men: [i8; PARTS],
    kings: [i8; PARTS],
}

impl Sums {
    fn of(seen: Seen) -> Self {
        // Most positions have no king.
        let kings = match seen.kings {
            [0, 0] => [0; PARTS],
            [own, enemy] => sums(own, enemy),
        };
        Self {
            men: sums(seen.men[0], seen.men[1]),
            kings,
        }
    }

    /// The sums once `before` has become `after`.
    fn follow(mut self, before: Seen, after: Seen) -> Self {
        let ways = [
            (&mut self.men, before.men, after.men),
            (&mut self.kings, before.kings, after.kings),
        ];
        for (sums, before, after) in ways {
            for (player, sign) in [(0, 1), (1, -1)] {
                let (old, new): (u64, u64) = (before[player], after[player]);
                for bit in bits(new & !old) {
                    add(sums, &HOLDS[usize::from(bit / 2)], sign);
                }
                for bit in bits(old & !new) {
                    add(sums, &HOLDS[usize::from(bit / 2)], -sign);
                }
            }
        }
        self
    }
}

fn add(sums: &mut [i8; PARTS], holds: &[i8; PARTS], sign: i8) {
    for (sum, holds) in sums.iter_mut().zip(holds) {
        *sum += sign * holds;
    }
}

/// For each dark square, in order, 1 for the parts that hold it.
static HOLDS: [[i8; PARTS]; SQUARES] = {
    let mut holds = [[0; PARTS]; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut part = 0;
        while part < PARTS {
            let pair = (WINDOWS[part] & DARK) >> (2 * square) & 3;
            holds[square][part] = (pair != 0) as i8;
            part += 1;
        }
        square += 1;
    }
    holds
};

/// The same as a set of parts, part 0 being the lowest bit.
static HOLDERS: [u128; SQUARES] = {
    let mut holders = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut part = 0;
        while part < PARTS {
            holders[square] |= (HOLDS[square][part] as u128) << part;
            part += 1;
        }
        square += 1;
    }
    holders
};

/// The dark squares of each part.
static DARK_SQUARES: [f32; PARTS] = {
    let mut counts = [0.0; PARTS];
    let mut part = 0;
    while part < PARTS {
        counts[part] = (WINDOWS[part] & DARK).count_ones() as f32;
        part += 1;
    }
    counts
};

/// A board and its sums, where they are needed, from which what follows is told.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glance {
    seen: Seen,
    sums: Option<Sums>,
}

impl Sight {
    /// How many numbers there are.
    pub(super) fn count(self) -> usize {
        self.inputs.count() + usize::from(self.difference)
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

    pub(super) fn glance(self, pieces: &Pieces, side: Side) -> Glance {
        let seen = self.seen(pieces, side);
        Glance {
            seen,
            sums: self.inputs.has_parts().then(|| Sums::of(seen)),
        }
    }

    /// What so many men and kings are worth.
    fn worth(self, men: i8, kings: i8) -> f32 {
        f32::from(men) + self.king_weight * f32::from(kings)
    }

    fn on_square(self, seen: Seen, bit: u8) -> f32 {
        let here = |[own, enemy]: [u64; 2]| (own >> bit & 1) as i8 - (enemy >> bit & 1) as i8;
        self.worth(here(seen.men), here(seen.kings))
    }

    fn in_part(self, sums: &Sums, part: usize) -> f32 {
        let worth = self.worth(sums.men[part], sums.kings[part]);
        match self.inputs {
            Inputs::Means => worth / DARK_SQUARES[part],
            _ => worth,
        }
    }

    fn in_all(self, seen: Seen) -> f32 {
        let balance = |[own, enemy]: [u64; 2]| own.count_ones() as i8 - enemy.count_ones() as i8;
        self.worth(balance(seen.men), balance(seen.kings))
    }

    /// Writes `self.count()` numbers.
    pub(super) fn encode(self, pieces: &Pieces, side: Side, out: &mut [f32]) {
        let Glance { seen, sums } = self.glance(pieces, side);
        let (squares, rest) = out.split_at_mut(self.inputs.first_part());
        squares.fill(0.0);
        if self.inputs.has_squares() {
            let [own, enemy] = [0, 1].map(|player| seen.men[player] | seen.kings[player]);
            for bit in bits(own | enemy) {
                squares[usize::from(bit / 2)] = self.on_square(seen, bit);
            }
        }
        if let Some(sums) = sums {
            for (part, number) in rest.iter_mut().take(PARTS).enumerate() {
                *number = self.in_part(&sums, part);
            }
        }
        if let (true, [.., last]) = (self.difference, out) {
            *last = self.in_all(seen);
        }
    }

    /// Appends the inputs that differ on the board `after`, with their new values.
    pub(super) fn changes(self, before: &Glance, after: Seen, out: &mut Vec<(u32, f32)>) {
        let touched = before.seen.differing(after);
        let mut differ = |input: usize, old: f32, new: f32| {
            if old.to_bits() != new.to_bits() {
                out.push((input as u32, new));
            }
        };
        if self.inputs.has_squares() {
            for bit in bits(touched) {
                let [old, new] = [before.seen, after].map(|seen| self.on_square(seen, bit));
                differ(usize::from(bit / 2), old, new);
            }
        }
        if let Some(old) = &before.sums {
            let new = old.follow(before.seen, after);
            let mut parts = bits(touched).fold(0, |all, bit| all | HOLDERS[usize::from(bit / 2)]);
            while parts != 0 {
                let part = parts.trailing_zeros() as usize;
                let [old, new] = [old, &new].map(|sums| self.in_part(sums, part));
                differ(self.inputs.first_part() + part, old, new);
                parts &= parts - 1;
            }
        }
        if self.difference {
            let [old, new] = [before.seen, after].map(|seen| self.in_all(seen));
            differ(self.inputs.count(), old, new);
        }
    }

    /// What an own man on each square adds to the inputs, as its owner sees them. A king adds its weight times as much, and enemies
    /// take away what own pieces add.
    pub(super) fn sheets(self) -> Vec<Sheet> {
        let feeds = |bit: u8| {
            let mut feeds = Vec::new();
            if DARK >> bit & 1 == 0 {
                return feeds;
            }
            if self.inputs.has_squares() {
                feeds.push((u32::from(bit / 2), 1.0));
            }
            for part in (0..PARTS).filter(|_| self.inputs.has_parts()) {
                if WINDOWS[part] >> bit & 1 == 1 {
                    let share = match self.inputs {
                        Inputs::Means => 1.0 / DARK_SQUARES[part],
                        _ => 1.0,
                    };
                    feeds.push(((self.inputs.first_part() + part) as u32, share));
                }
            }
            if self.difference {
                feeds.push((self.inputs.count() as u32, 1.0));
            }
            feeds
        };
        let name = |bit: u8| match DARK >> bit & 1 {
            0 => String::new(),
            _ => (bit / 2 + 1).to_string(),
        };
        vec![Sheet {
            name: "own men",
            columns: 8,
            squares: (0..64).map(name).collect(),
            cells: (0..64).map(feeds).collect(),
        }]
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

    fn numbers(sight: Sight, pieces: &Pieces, side: Side) -> Vec<f32> {
        let mut numbers = vec![f32::NAN; sight.count()];
        sight.encode(pieces, side, &mut numbers);
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
    fn only_inputs_with_new_values_are_reported_as_changed() {
        for sight in sights() {
            for (before, after) in boards().zip(boards().skip(1)) {
                let [old, new] =
                    [&before, &after].map(|pieces| numbers(sight, pieces, Side::Second));
                let mut told = Vec::new();
                let seen = sight.seen(&after, Side::Second);
                sight.changes(&sight.glance(&before, Side::Second), seen, &mut told);
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
