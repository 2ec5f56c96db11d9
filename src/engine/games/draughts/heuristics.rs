//! The heuristic of draughts: material.

use crate::games::Side;
use crate::games::heuristic::Heuristic;

use super::pieces::Pieces;

pub(super) const HEURISTICS: [Heuristic; 1] = [Heuristic {
    name: "material",
    about: "counts pieces, a king as one and a half",
    depths: &[1, 2, 4, 6],
    random_move_share: Some(0.1),
}];

/// Own pieces minus enemy pieces.
pub(super) fn material(pieces: &Pieces, side: Side) -> f32 {
    const KING: f32 = 1.5;
    let value = |side: Side| {
        let [men, kings] = [pieces.men(side), pieces.kings(side)].map(u64::count_ones);
        men as f32 + KING * kings as f32
    };
    value(side) - value(side.opponent())
}
