//! How far a run is: generations, time, games and moves.

use super::{Measure, always};

pub(super) const GENERATION: Measure = Measure {
    name: "generation",
    unit: "",
    help: "The generation, from 0.",
    applies: always,
    figure: |run| Some(run.session.state.generation as f64),
};

/// Written by the run, because a session has no clock.
pub(super) const SECONDS: Measure = Measure {
    name: "seconds",
    unit: "s",
    help: "Time the run has worked so far, without pauses.",
    applies: always,
    figure: |_| None,
};

pub(super) const GAMES: Measure = Measure {
    name: "games",
    unit: "games",
    help: "Games played for fitness since the start of the run.",
    applies: always,
    figure: |run| Some((run.session.state.totals.games + run.finished.lengths.games()) as f64),
};

pub(super) const MOVES: Measure = Measure {
    name: "moves",
    unit: "moves",
    help: "Moves made in those games.",
    applies: always,
    figure: |run| Some((run.session.state.totals.moves + run.finished.lengths.moves()) as f64),
};

pub(super) const MEAN_TURNS: Measure = Measure {
    name: "mean_turns",
    unit: "moves",
    help: "Mean length of the generation's games.",
    applies: always,
    figure: |run| Some(run.finished.lengths.mean().unwrap_or_default()),
};
