//! The rules of thumb of Reversi: how many discs, and how good the squares are that they stand on.

use crate::games::reference::Judge;

use super::encode::CLASSES;

/// Most discs; the player that turns the most at each move.
pub(super) const GREEDY: usize = 0;

pub(super) const JUDGES: [Judge; 2] = [
    Judge {
        name: "greedy",
        about: "turns the most discs",
        depths: &[1],
        measured: None,
    },
    Judge {
        name: "swh",
        about: "counts discs by the worth of their squares",
        depths: &[1, 2, 3, 4],
        measured: Some(0.1),
    },
];

/// What a disc is worth by its square, for the ten classes of squares: a1 b1 c1 d1, b2 c2 d2, c3 d3, d4. The standard
/// heuristic of the literature (Yoshioka, Ishii & Ito 1999, as used by Lucas & Runarsson 2006).
const WORTH: [f32; 10] = [1.0, -0.25, 0.1, 0.05, -0.25, 0.01, 0.01, 0.05, 0.02, 0.01];

/// The sum of what the own discs are worth less that of the enemy's.
pub(super) fn weigh(own: u64, enemy: u64) -> f32 {
    let classes = CLASSES.iter().zip(WORTH);
    classes
        .map(|(&squares, worth)| worth * (count(own & squares) - count(enemy & squares)))
        .sum()
}

/// Own discs less enemy discs.
pub(super) fn difference(own: u64, enemy: u64) -> f32 {
    count(own) - count(enemy)
}

fn count(discs: u64) -> f32 {
    discs.count_ones() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published quadrant, row by row.
    const QUADRANT: [[f32; 4]; 4] = [
        [1.0, -0.25, 0.1, 0.05],
        [-0.25, -0.25, 0.01, 0.01],
        [0.1, 0.01, 0.05, 0.02],
        [0.05, 0.01, 0.02, 0.01],
    ];

    #[test]
    fn every_square_is_worth_what_its_quadrant_says() {
        for square in 0..64 {
            let (row, column) = (square / 8, square % 8);
            let fold = |line: usize| line.min(7 - line);
            let worth = QUADRANT[fold(row)][fold(column)];
            assert_eq!(weigh(1 << square, 0).to_bits(), worth.to_bits());
            assert_eq!(weigh(0, 1 << square).to_bits(), (-worth).to_bits());
        }
    }
}
