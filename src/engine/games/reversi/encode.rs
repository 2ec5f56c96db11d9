//! The encoding of a board for networks, from the point of view of one player, and the changes of a
//! move.

use crate::board_geometry::BoardGeometry;
use crate::params::choices;
use crate::projection::InputProjection;

use super::bits::squares;
use crate::games::input_plane::{InputPlane, square_name};
use crate::games::windows::WINDOWS;

choices! {
    /// The encodings of a board.
    pub enum ReversiInputs {
        /// 64: each square from a1 row by row, 1 for an own disc, -1 for an enemy disc, 0 for none.
        Signed = "signed",
        /// 128: for each square 1 for an own disc, then for each square 1 for an enemy disc.
        OwnEnemy = "own_enemy",
        /// 10: own minus enemy discs in each class of squares that are symmetric under rotation and
        /// reflection.
        Symmetric = "symmetric",
        /// 91: own minus enemy discs in each square window with sides of 3 to 8: the windows of
        /// Chellapilla and Fogel's checkers player (2001), but with fixed sums in the place of
        /// evolved weights.
        Windows = "windows",
    }
}

impl ReversiInputs {
    /// The projection for inputs that are sums over squares. The squares are encoded as in
    /// [`ReversiInputs::Signed`].
    pub(super) fn projection(self) -> Option<InputProjection> {
        let parts = self.parts()?;
        let sums = |square: u32| within(parts, square);
        Some(InputProjection::new((0..64).map(sums).collect()))
    }

    /// The regions of the board that are summed.
    fn parts(self) -> Option<&'static [u64]> {
        match self {
            Self::Signed | Self::OwnEnemy => None,
            Self::Symmetric => Some(&CLASSES),
            Self::Windows => Some(&WINDOWS),
        }
    }

    /// Where the squares lie, if each has an input. Rotations and reflections of the board are
    /// symmetries of the game.
    pub(super) fn board(self) -> Option<BoardGeometry> {
        (self == Self::Signed).then(|| BoardGeometry::square(8, -1, 3))
    }

    /// The number of inputs.
    pub(super) fn count(self) -> usize {
        match self {
            Self::Signed => 64,
            Self::OwnEnemy => 128,
            Self::Symmetric => CLASSES.len(),
            Self::Windows => WINDOWS.len(),
        }
    }
}

/// The discs from the point of view of a player.
#[derive(Clone, Copy, Debug)]
pub(super) struct DiscView {
    pub(super) own: u64,
    pub(super) enemy: u64,
}

impl DiscView {
    /// The board after a move by this player (`by_own`) or by the opponent.
    fn after(self, step: DiscPlacement, by_own: bool) -> Self {
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

/// A new disc and the discs it flips; both empty for a pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct DiscPlacement {
    pub(super) disc: u64,
    pub(super) turned: u64,
}

/// Writes the encoding: the inputs, or the squares that are projected onto them.
pub(super) fn encode(inputs: ReversiInputs, seen: DiscView, out: &mut [f32]) {
    match inputs {
        ReversiInputs::Signed | ReversiInputs::Symmetric | ReversiInputs::Windows => {
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
        ReversiInputs::OwnEnemy => {
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

/// The bits of each byte as numbers, lowest bit first.
static FLAGS: [[f32; 8]; 256] = {
    let mut flags = [[0.0; 8]; 256];
    let mut bit = 0;
    while bit < 256 * 8 {
        flags[bit / 8][bit % 8] = (((bit / 8) >> (bit % 8)) & 1) as f32;
        bit += 1;
    }
    flags
};

/// The regions that contain a square, each with weight 1.
fn within(parts: &[u64], square: u32) -> Vec<(u32, f32)> {
    let parts = (0..).zip(parts);
    let holding = parts.filter(|&(_, part)| part >> square & 1 == 1);
    holding.map(|(input, _)| (input, 1.0)).collect()
}

/// What an own disc on each square adds to the inputs. With [`ReversiInputs::OwnEnemy`] enemy discs
/// have a plane of their own; otherwise an enemy disc subtracts what an own disc adds.
pub(super) fn planes(inputs: ReversiInputs) -> Vec<InputPlane> {
    let plane = |name, feeds: &dyn Fn(u32) -> Vec<(u32, f32)>| InputPlane {
        name,
        columns: 8,
        squares: (0..64).map(|place| square_name(place, 8)).collect(),
        cells: (0..64).map(feeds).collect(),
    };
    match inputs {
        ReversiInputs::Signed => vec![plane("own discs", &|square| vec![(square, 1.0)])],
        ReversiInputs::OwnEnemy => vec![
            plane("own discs", &|square| vec![(square, 1.0)]),
            plane("enemy discs", &|square| vec![(64 + square, 1.0)]),
        ],
        ReversiInputs::Symmetric => vec![plane("own discs", &|square| within(&CLASSES, square))],
        ReversiInputs::Windows => vec![plane("own discs", &|square| within(&WINDOWS, square))],
    }
}

/// Appends the numbers that change by a move that led to `after`, with their new values.
pub(super) fn changes(
    inputs: ReversiInputs,
    after: DiscView,
    step: DiscPlacement,
    out: &mut Vec<(u32, f32)>,
) {
    let touched = step.disc | step.turned;
    match inputs {
        ReversiInputs::Signed | ReversiInputs::Symmetric | ReversiInputs::Windows => {
            let value = if after.own & touched == 0 { -1.0 } else { 1.0 };
            out.extend(squares(touched).map(|square| (square.into(), value)));
        }
        ReversiInputs::OwnEnemy => {
            let own = after.own & touched != 0;
            let (gained, lost) = if own { (0, 64) } else { (64, 0) };
            out.extend(squares(touched).map(|square| (gained + u32::from(square), 1.0)));
            out.extend(squares(step.turned).map(|square| (lost + u32::from(square), 0.0)));
        }
    }
}

/// Collects the changes of all moves of a position.
#[derive(Debug)]
pub(super) struct ChangeList<'a> {
    inputs: ReversiInputs,
    before: DiscView,
    /// Whether the moves are those of the player whose point of view is encoded.
    by_own: bool,
    changes: &'a mut Vec<(u32, f32)>,
    /// The end of the last move's changes. Entries after it are undefined.
    end: usize,
}

/// The number of squares written at once. Few moves change more, so that the loop's branch is well
/// predicted.
const AT_ONCE: usize = 8;

#[allow(
    clippy::inline_always,
    reason = "wide instructions are only used within functions that are compiled for them"
)]
impl<'a> ChangeList<'a> {
    /// Starts an empty list that overwrites `changes`.
    pub(super) fn new(
        inputs: ReversiInputs,
        before: DiscView,
        by_own: bool,
        changes: &'a mut Vec<(u32, f32)>,
    ) -> Self {
        if inputs == ReversiInputs::OwnEnemy {
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

    /// Appends a move and returns the end of its changes.
    #[inline(always)]
    pub(super) fn add(&mut self, step: DiscPlacement) -> u32 {
        if self.inputs == ReversiInputs::OwnEnemy {
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

/// The distance from the nearer edge.
const fn folded(line: usize) -> usize {
    if line < 4 { line } else { 7 - line }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::games::reversi::bits::FlipEngine;
    use crate::rng::{Purpose, stream};

    fn boards() -> impl Iterator<Item = DiscView> {
        let mut rng = stream(2, Purpose::Sample, 0, 0);
        let full = [(u64::MAX, 0), (0, u64::MAX), (0, 0)];
        let random = (0..500).map(move |_| {
            let (a, b): (u64, u64) = (rng.random(), rng.random());
            (a & b, a & !b)
        });
        let boards = full.into_iter().chain(random);
        boards.map(|(own, enemy)| DiscView { own, enemy })
    }

    #[test]
    fn the_classes_are_invariant_under_symmetries() {
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
    fn moves_are_symmetric_like_the_board() {
        let board = ReversiInputs::Signed.board().expect("it has all squares");
        for seen in boards() {
            let legal = FlipEngine::detect().moves(seen.own, seen.enemy);
            for symmetry in &board.symmetries {
                let image = |set: u64| {
                    let images = squares(set).map(|square| symmetry[usize::from(square)]);
                    images.fold(0, |image, square| image | 1 << square)
                };
                let moves = FlipEngine::detect().moves(image(seen.own), image(seen.enemy));
                assert_eq!(moves, image(legal));
            }
        }
    }

    #[test]
    fn only_numbers_with_new_values_are_reported_as_changed() {
        for inputs in [
            ReversiInputs::Signed,
            ReversiInputs::OwnEnemy,
            ReversiInputs::Symmetric,
            ReversiInputs::Windows,
        ] {
            for seen in boards() {
                let Some(square) = squares(!(seen.own | seen.enemy)).next() else {
                    continue;
                };
                let turned = seen.enemy & 0x00ff_00f0_0f00_1010;
                let step = DiscPlacement {
                    disc: 1 << square,
                    turned,
                };
                let after = DiscView {
                    own: seen.own | step.disc | turned,
                    enemy: seen.enemy & !turned,
                };
                check_changes(inputs, seen, after, step);
                let swap = |seen: DiscView| DiscView {
                    own: seen.enemy,
                    enemy: seen.own,
                };
                check_changes(inputs, swap(seen), swap(after), step);
            }
        }
    }

    #[test]
    fn the_planes_show_how_a_single_disc_changes_the_inputs() {
        for inputs in [
            ReversiInputs::Signed,
            ReversiInputs::OwnEnemy,
            ReversiInputs::Symmetric,
            ReversiInputs::Windows,
        ] {
            let planes = planes(inputs);
            for square in 0..64 {
                let (disc, own) = (1 << square, &planes[0].cells[square]);
                check_plane(
                    inputs,
                    DiscView {
                        own: disc,
                        enemy: 0,
                    },
                    own,
                    1.0,
                );
                let (enemy, sign) = match planes.get(1) {
                    Some(plane) => (&plane.cells[square], 1.0),
                    None => (own, -1.0),
                };
                check_plane(
                    inputs,
                    DiscView {
                        own: 0,
                        enemy: disc,
                    },
                    enemy,
                    sign,
                );
            }
        }
    }

    /// Checks the inputs of a board with one disc; those of an empty board are 0.
    fn check_plane(inputs: ReversiInputs, seen: DiscView, feeds: &[(u32, f32)], sign: f32) {
        let mut expected = vec![0.0; inputs.count()];
        for &(input, factor) in feeds {
            expected[input as usize] += sign * factor;
        }
        assert_eq!(inputs_of(inputs, seen), expected, "{inputs:?} {seen:?}");
    }

    fn numbers(inputs: ReversiInputs, seen: DiscView) -> Vec<f32> {
        let projection = inputs.projection();
        let count = projection.map_or(inputs.count(), |projection| projection.count());
        let mut numbers = vec![f32::NAN; count];
        encode(inputs, seen, &mut numbers);
        numbers
    }

    /// The inputs.
    fn inputs_of(inputs: ReversiInputs, seen: DiscView) -> Vec<f32> {
        let numbers = numbers(inputs, seen);
        let Some(projection) = inputs.projection() else {
            return numbers;
        };
        let mut sums = vec![f32::NAN; inputs.count()];
        projection.project(&numbers, None, &mut sums);
        sums
    }

    #[test]
    fn regions_are_summed_square_by_square() {
        for (inputs, parts) in [
            (ReversiInputs::Symmetric, &CLASSES[..]),
            (ReversiInputs::Windows, &WINDOWS),
        ] {
            for seen in boards() {
                let count = |board: u64, part: u64| (board & part).count_ones() as f32;
                let sums = parts.iter().copied();
                let sums = sums.map(|part| count(seen.own, part) - count(seen.enemy, part));
                assert_eq!(inputs_of(inputs, seen), sums.collect::<Vec<f32>>());
            }
        }
    }

    fn check_changes(
        inputs: ReversiInputs,
        before: DiscView,
        after: DiscView,
        step: DiscPlacement,
    ) {
        let (old, new) = (numbers(inputs, before), numbers(inputs, after));
        let mut changed = Vec::new();
        changes(inputs, after, step, &mut changed);
        changed.sort_by_key(|&(place, _)| place);
        let differ = (0..old.len()).filter(|&place| old[place].to_bits() != new[place].to_bits());
        let expected: Vec<(u32, f32)> = differ.map(|place| (place as u32, new[place])).collect();
        assert_eq!(changed, expected, "{inputs:?} {step:?}");
    }
}
