//! The heuristics of Reversi: the number of discs, and the sum of the values of their squares.

use crate::games::heuristic::Heuristic;

use super::encode::CLASSES;

/// The heuristic that counts discs: its player flips as many as possible.
pub(super) const GREEDY: usize = 0;

pub(super) const HEURISTICS: [Heuristic; 2] = [
    Heuristic {
        name: "greedy",
        about: "flips the most discs",
        depths: &[1],
        random_move_share: None,
    },
    Heuristic {
        name: "swh",
        about: "weighted squares: counts discs by the value of their squares",
        depths: &[1, 2, 3, 4],
        random_move_share: Some(0.1),
    },
];

/// The value of a disc by the class of its square: a1 b1 c1 d1, b2 c2 d2, c3 d3, d4. The standard
/// heuristic of the literature (Yoshioka, Ishii & Ito 1999, as used by Lucas & Runarsson 2006).
const SQUARE_VALUES: [f32; 10] = [1.0, -0.25, 0.1, 0.05, -0.25, 0.01, 0.01, 0.05, 0.02, 0.01];

/// The sum of the values of own discs minus that of enemy discs.
pub(super) fn weighted_squares(own: u64, enemy: u64) -> f32 {
    let classes = CLASSES.iter().zip(SQUARE_VALUES);
    classes
        .map(|(&squares, value)| value * (count(own & squares) - count(enemy & squares)))
        .sum()
}

/// Own discs minus enemy discs.
pub(super) fn disc_difference(own: u64, enemy: u64) -> f32 {
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
    fn every_square_has_the_published_value() {
        for square in 0..64 {
            let (row, column) = (square / 8, square % 8);
            let fold = |line: usize| line.min(7 - line);
            let value = QUADRANT[fold(row)][fold(column)];
            assert_eq!(weighted_squares(1 << square, 0).to_bits(), value.to_bits());
            assert_eq!(
                weighted_squares(0, 1 << square).to_bits(),
                (-value).to_bits()
            );
        }
    }
}
