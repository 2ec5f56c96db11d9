//! The rule of thumb of draughts: how many pieces there are.

use crate::games::Side;
use crate::games::reference::Judge;

use super::pieces::Pieces;

pub(super) const JUDGES: [Judge; 1] = [Judge {
    name: "material",
    about: "counts pieces, a king as one and a half",
    depths: &[1, 2, 4, 6],
    measured: Some(0.1),
}];

/// Own pieces less the enemy's.
pub(super) fn material(pieces: &Pieces, side: Side) -> f32 {
    const KING: f32 = 1.5;
    let worth = |side: Side| {
        let [men, kings] = [pieces.men(side), pieces.kings(side)].map(u64::count_ones);
        men as f32 + KING * kings as f32
    };
    worth(side) - worth(side.other())
}
