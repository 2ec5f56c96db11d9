//! A board as numbers for networks, always as one of the players sees it: whole, and what of it a move changes.

use crate::features::Features;
use crate::params::choices;

use super::bits::squares;
use crate::games::sheet::{Sheet, square_name};
use crate::games::windows::WINDOWS;

choices! {
    /// The numbers that describe a board.
    pub enum Inputs {
        /// 64: each square from a1 row by row, 1 for an own disc, -1 for an enemy disc, 0 for none.
        Signed = "signed",
        /// 128: for each square whether an own disc is on it, then for each whether an enemy disc is.
        OwnEnemy = "own_enemy",
        /// 10: own minus enemy discs in each class of squares that turning and mirroring the board exchange.
        Symmetric = "symmetric",
        /// 91: own minus enemy discs in each square part of the board with sides of 3 to 8, as in Chellapilla and
        /// Fogel's checkers player (2001).
        Windows = "windows",
    }
}

impl Inputs {
    /// What the inputs are sums of, where they are sums: the squares as with [`Inputs::Signed`].
    pub(super) fn features(self) -> Option<Features> {
        let parts = self.parts()?;
        let sums = |square: u32| within(parts, square);
        Some(Features::new((0..64).map(sums).collect()))
    }

    /// The parts of the board that are summed up.
    fn parts(self) -> Option<&'static [u64]> {
        match self {
            Self::Signed | Self::OwnEnemy => None,
            Self::Symmetric => Some(&CLASSES),
            Self::Windows => Some(&WINDOWS),
        }
    }

    /// How many numbers there are.
    pub(super) fn count(self) -> usize {
        match self {
            Self::Signed => 64,
            Self::OwnEnemy => 128,
            Self::Symmetric => CLASSES.len(),
            Self::Windows => WINDOWS.len(),
        }
    }
}

/// The discs as a player sees them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) own: u64,
    pub(super) enemy: u64,
}

impl Seen {
    /// The board after a step of the player who sees it, or of the other.
    fn after(self, step: Step, by_own: bool) -> Self {
        let (gained, turned) = (step.disc | step.turned, step.turned);
        if by_own {
            Self {
                own: self.own | gained,
                enemy: self.enemy & !turned,
            }
        } else {
            Self {
                own: self.own & !turned,
                enemy: self.enemy | gained,
            }
        }
    }
}

/// A disc put on the board and the discs it turned, both none after a pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) disc: u64,
    pub(super) turned: u64,
}

/// Writes the features, or where there are none the inputs.
pub(super) fn encode(inputs: Inputs, seen: Seen, out: &mut [f32]) {
    match inputs {
        Inputs::Signed | Inputs::Symmetric | Inputs::Windows => {
            let (lines, _) = out.as_chunks_mut();
            let boards = seen
                .own
                .to_le_bytes()
                .into_iter()
                .zip(seen.enemy.to_le_bytes());
            for (line, (own, enemy)) in lines.iter_mut().zip(boards) {
                *line = signs(own, enemy);
            }
        }
        Inputs::OwnEnemy => {
            let flags = |board: u64| (0..64).map(move |square| (board >> square & 1) as i8);
            let flags = flags(seen.own).chain(flags(seen.enemy));
            for (input, flag) in out.iter_mut().zip(flags) {
                *input = flag.into();
            }
        }
    }
}

/// 1 for each own disc of a row, −1 for each enemy disc, 0 for none.
fn signs(own: u8, enemy: u8) -> [f32; 8] {
    let (own, enemy) = (&FLAGS[usize::from(own)], &FLAGS[usize::from(enemy)]);
    std::array::from_fn(|column| own[column] - enemy[column])
}

/// The bits of each byte as numbers, the lowest first.
static FLAGS: [[f32; 8]; 256] = {
    let mut flags = [[0.0; 8]; 256];
    let mut bit = 0;
    while bit < 256 * 8 {
        flags[bit / 8][bit % 8] = (((bit / 8) >> (bit % 8)) & 1) as f32;
        bit += 1;
    }
    flags
};

/// The parts that hold a square, each once.
fn within(parts: &[u64], square: u32) -> Vec<(u32, f32)> {
    let parts = (0..).zip(parts);
    let holding = parts.filter(|&(_, part)| part >> square & 1 == 1);
    holding.map(|(input, _)| (input, 1.0)).collect()
}

/// What a disc on each square adds to the inputs: an own disc, and with [`Inputs::OwnEnemy`] an enemy disc on a sheet of its
/// own. Everywhere else an enemy disc takes away what an own one adds.
pub(super) fn sheets(inputs: Inputs) -> Vec<Sheet> {
    let sheet = |name, feeds: &dyn Fn(u32) -> Vec<(u32, f32)>| Sheet {
        name,
        columns: 8,
        squares: (0..64).map(|place| square_name(place, 8)).collect(),
        cells: (0..64).map(feeds).collect(),
    };
    match inputs {
        Inputs::Signed => vec![sheet("own discs", &|square| vec![(square, 1.0)])],
        Inputs::OwnEnemy => vec![
            sheet("own discs", &|square| vec![(square, 1.0)]),
            sheet("enemy discs", &|square| vec![(64 + square, 1.0)]),
        ],
        Inputs::Symmetric => vec![sheet("own discs", &|square| within(&CLASSES, square))],
        Inputs::Windows => vec![sheet("own discs", &|square| within(&WINDOWS, square))],
    }
}

/// Appends the numbers that differ after a step that led to `after`, with their new values.
pub(super) fn changes(inputs: Inputs, after: Seen, step: Step, out: &mut Vec<(u32, f32)>) {
    let touched = step.disc | step.turned;
    match inputs {
        Inputs::Signed | Inputs::Symmetric | Inputs::Windows => {
            let value = if after.own & touched == 0 { -1.0 } else { 1.0 };
            out.extend(squares(touched).map(|square| (square.into(), value)));
        }
        Inputs::OwnEnemy => {
            let own = after.own & touched != 0;
            let (gained, lost) = if own { (0, 64) } else { (64, 0) };
            out.extend(squares(touched).map(|square| (gained + u32::from(square), 1.0)));
            out.extend(squares(step.turned).map(|square| (lost + u32::from(square), 0.0)));
        }
    }
}

/// The changes of all moves of a position, step after step.
#[derive(Debug)]
pub(super) struct StepList<'a> {
    inputs: Inputs,
    before: Seen,
    /// Whether the steps are those of the player who sees the board.
    by_own: bool,
    changes: &'a mut Vec<(u32, f32)>,
    /// Where the last step's changes end; behind it may be anything.
    end: usize,
}

/// Squares that are written down at once. Few steps touch more, so that how many it is need not be foreseen.
const AT_ONCE: usize = 8;

#[allow(
    clippy::inline_always,
    reason = "wide instructions are only used within functions that are compiled for them"
)]
impl<'a> StepList<'a> {
    /// Begins anew; what was in `changes` is lost.
    pub(super) fn new(
        inputs: Inputs,
        before: Seen,
        by_own: bool,
        changes: &'a mut Vec<(u32, f32)>,
    ) -> Self {
        if inputs == Inputs::OwnEnemy {
            changes.clear();
        }
        Self {
            inputs,
            before,
            by_own,
            changes,
            end: 0,
        }
    }

    /// Appends a step and returns where its changes end.
    #[inline(always)]
    pub(super) fn add(&mut self, step: Step) -> u32 {
        if self.inputs == Inputs::OwnEnemy {
            let after = self.before.after(step, self.by_own);
            changes(self.inputs, after, step, self.changes);
            self.end = self.changes.len();
        } else {
            let value = if self.by_own { 1.0 } else { -1.0 };
            self.touch(step.disc | step.turned, value);
        }
        self.end as u32
    }

    #[inline(always)]
    fn touch(&mut self, mut board: u64, value: f32) {
        const LAST: u64 = 1 << 63;
        let mut from = self.end;
        self.end += board.count_ones() as usize;
        while board != 0 {
            if self.changes.len() < from + AT_ONCE {
                self.changes.resize(from + 32 * AT_ONCE, (0, 0.0));
            }
            for change in &mut self.changes[from..from + AT_ONCE] {
                *change = ((board | LAST).trailing_zeros(), value);
                board &= board.wrapping_sub(1);
            }
            from += AT_ONCE;
        }
    }
}

/// The squares of each class, classes by the squares of a1, b1, c1, d1, b2, c2, d2, c3, d3 and d4.
pub(super) static CLASSES: [u64; 10] = {
    let mut classes = [0; 10];
    let mut square = 0;
    while square < 64 {
        let (column, row) = (folded(square % 8), folded(square / 8));
        let (low, high) = if column < row {
            (column, row)
        } else {
            (row, column)
        };
        classes[[0, 3, 5, 6][low] + high] |= 1 << square;
        square += 1;
    }
    classes
};

/// The distance from the closer edge.
const fn folded(line: usize) -> usize {
    if line < 4 { line } else { 7 - line }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::rng::{Purpose, stream};

    fn boards() -> impl Iterator<Item = Seen> {
        let mut rng = stream(2, Purpose::Sample, 0, 0);
        let full = [(u64::MAX, 0), (0, u64::MAX), (0, 0)];
        let random = (0..500).map(move |_| {
            let (a, b): (u64, u64) = (rng.random(), rng.random());
            (a & b, a & !b)
        });
        let boards = full.into_iter().chain(random);
        boards.map(|(own, enemy)| Seen { own, enemy })
    }

    #[test]
    fn the_classes_are_the_squares_that_symmetries_exchange() {
        let sizes = CLASSES.map(u64::count_ones);
        assert_eq!(sizes, [4, 8, 8, 8, 4, 8, 8, 4, 8, 4]);
        for part in CLASSES {
            assert_eq!(part.swap_bytes(), part, "top and bottom");
            assert_eq!(part.reverse_bits(), part, "half a turn");
            let mirrored =
                squares(part).fold(0, |all, square| all | 1 << (square % 8 * 8 + square / 8));
            assert_eq!(mirrored, part, "along the diagonal");
        }
        assert_eq!(CLASSES.iter().fold(0, |all, part| all | part), u64::MAX);
    }

    #[test]
    fn only_numbers_with_new_values_are_reported_as_changed() {
        for inputs in [
            Inputs::Signed,
            Inputs::OwnEnemy,
            Inputs::Symmetric,
            Inputs::Windows,
        ] {
            for seen in boards() {
                let Some(square) = squares(!(seen.own | seen.enemy)).next() else {
                    continue;
                };
                let turned = seen.enemy & 0x00ff_00f0_0f00_1010;
                let step = Step {
                    disc: 1 << square,
                    turned,
                };
                let after = Seen {
                    own: seen.own | step.disc | turned,
                    enemy: seen.enemy & !turned,
                };
                check_changes(inputs, seen, after, step);
                let swap = |seen: Seen| Seen {
                    own: seen.enemy,
                    enemy: seen.own,
                };
                check_changes(inputs, swap(seen), swap(after), step);
            }
        }
    }

    #[test]
    fn the_sheets_say_what_a_single_disc_does_to_the_inputs() {
        for inputs in [
            Inputs::Signed,
            Inputs::OwnEnemy,
            Inputs::Symmetric,
            Inputs::Windows,
        ] {
            let sheets = sheets(inputs);
            for square in 0..64 {
                let (disc, own) = (1 << square, &sheets[0].cells[square]);
                check_sheet(
                    inputs,
                    Seen {
                        own: disc,
                        enemy: 0,
                    },
                    own,
                    1.0,
                );
                let (enemy, sign) = match sheets.get(1) {
                    Some(sheet) => (&sheet.cells[square], 1.0),
                    None => (own, -1.0),
                };
                check_sheet(
                    inputs,
                    Seen {
                        own: 0,
                        enemy: disc,
                    },
                    enemy,
                    sign,
                );
            }
        }
    }

    /// Checks the inputs of a board with one disc, the empty one being all zeros.
    fn check_sheet(inputs: Inputs, seen: Seen, feeds: &[(u32, f32)], sign: f32) {
        let mut expected = vec![0.0; inputs.count()];
        for &(input, factor) in feeds {
            expected[input as usize] += sign * factor;
        }
        assert_eq!(taken_in(inputs, seen), expected, "{inputs:?} {seen:?}");
    }

    fn numbers(inputs: Inputs, seen: Seen) -> Vec<f32> {
        let features = inputs.features();
        let count = features.map_or(inputs.count(), |features| features.count());
        let mut numbers = vec![f32::NAN; count];
        encode(inputs, seen, &mut numbers);
        numbers
    }

    /// The inputs.
    fn taken_in(inputs: Inputs, seen: Seen) -> Vec<f32> {
        let numbers = numbers(inputs, seen);
        let Some(features) = inputs.features() else {
            return numbers;
        };
        let mut sums = vec![f32::NAN; inputs.count()];
        features.add_up(&numbers, None, &mut sums);
        sums
    }

    #[test]
    fn parts_are_summed_as_if_square_by_square() {
        for (inputs, parts) in [
            (Inputs::Symmetric, &CLASSES[..]),
            (Inputs::Windows, &WINDOWS),
        ] {
            for seen in boards() {
                let count = |board: u64, part: u64| (board & part).count_ones() as f32;
                let sums = parts.iter().copied();
                let sums = sums.map(|part| count(seen.own, part) - count(seen.enemy, part));
                assert_eq!(taken_in(inputs, seen), sums.collect::<Vec<f32>>());
            }
        }
    }

    fn check_changes(inputs: Inputs, before: Seen, after: Seen, step: Step) {
        let (old, new) = (numbers(inputs, before), numbers(inputs, after));
        let mut told = Vec::new();
        changes(inputs, after, step, &mut told);
        told.sort_by_key(|&(place, _)| place);
        let differ = (0..old.len()).filter(|&place| old[place].to_bits() != new[place].to_bits());
        let expected: Vec<(u32, f32)> = differ.map(|place| (place as u32, new[place])).collect();
        assert_eq!(told, expected, "{inputs:?} {step:?}");
    }
}
