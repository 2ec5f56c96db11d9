//! How far a run is: generations, time, games and moves.

use crate::metrics::progress_unit::ProgressUnit;

use super::Measure;

/// The generation.
pub const GENERATION: Measure = Measure {
    name: "generation",
    help: "The generation, from 0.",
    page: None,
    figure: |run| Some(run.session.state.generation as f64),
    ..Measure::PLAIN
};

/// The working time, written by the run, because a session has no clock.
pub const SECONDS: Measure = Measure {
    name: "seconds",
    unit: "s",
    help: "Time the run has worked so far, without pauses.",
    page: None,
    ..Measure::PLAIN
};

/// The games so far.
pub const GAMES: Measure = Measure {
    name: "games",
    unit: "games",
    help: "Games played for fitness since the start of the run.",
    page: None,
    figure: |run| Some((run.session.state.totals.games + run.finished.lengths.games()) as f64),
    ..Measure::PLAIN
};

/// The moves so far.
pub const MOVES: Measure = Measure {
    name: "moves",
    unit: "moves",
    help: "Moves made in those games.",
    page: None,
    figure: |run| Some((run.session.state.totals.moves + run.finished.lengths.moves()) as f64),
    ..Measure::PLAIN
};

/// The mean length of the generation's games.
pub const MEAN_TURNS: Measure = Measure {
    name: "mean_turns",
    short: "mean moves",
    unit: "moves",
    help: "Mean length of the generation's games.",
    page: None,
    figure: |run| Some(run.finished.lengths.mean().unwrap_or_default()),
    ..Measure::PLAIN
};

impl ProgressUnit {
    /// The name of its column.
    pub const fn column(self) -> &'static str {
        match self {
            Self::Generations => GENERATION.name,
            Self::Games => GAMES.name,
            Self::Seconds => SECONDS.name,
        }
    }
}
