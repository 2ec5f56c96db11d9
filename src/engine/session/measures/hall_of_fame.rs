//! The hall of fame, and the strategies of the population against it.

use crate::evolution::hall_of_fame;
use crate::play::Arena;
use crate::preset::Preset;

use super::{ColumnPage, Goal, Measure};

/// The mistakes of the best member.
pub const WRONG_DECISIONS: Measure = Measure {
    name: "wrong_decisions",
    short: "mistakes",
    unit: "positions",
    help: "Won positions given away by the member with the fewest of them; 0 is an optimal \
        strategy.",
    page: ColumnPage::own(9, "won positions given away by the member with the fewest"),
    goal: Goal::Minimize,
    applies: |preset, arena| {
        let is_judged_otherwise = preset.measures.judged_positions > 0;
        has_hall(preset, arena) && arena.info().is_enumerated && !is_judged_otherwise
    },
    figure: |run| {
        let session = run.session;
        if session.state.population.hall_of_fame.is_empty() {
            return None;
        }
        let wrong = session.arena.wrong_decisions(&session.players)?;
        wrong.into_iter().min().map(f64::from)
    },
    ..Measure::PLAIN
};

/// The diversity of the hall of fame.
pub const DIVERSITY: Measure = Measure {
    name: "hall_diversity",
    unit: "share",
    help: "Share of distinct players in the hall of fame.",
    applies: has_hall,
    figure: |run| {
        let hall = &run.session.state.population.hall_of_fame;
        (!hall.is_empty()).then(|| hall_of_fame::diversity(hall))
    },
    ..Measure::PLAIN
};

fn has_hall(preset: &Preset, _arena: &dyn Arena) -> bool {
    preset.evolution.hall_of_fame.hall().is_some()
}
