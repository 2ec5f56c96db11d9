//! The tests of the program as a whole.

mod arena;
mod breakpoints;
mod bundles;
mod cli;
mod conformance;
mod damage;
mod determinism;
mod endings;
mod engine;
mod experiment;
mod family_tree;
mod forks;
mod fuzz;
mod genomes;
mod golden;
mod halting;
mod hand_built;
mod hostile;
mod idle;
mod lifetime;
mod operators;
mod oracles;
mod pictures;
mod playthroughs;
mod power_cut;
mod presets;
mod product_units;
mod program;
mod readme;
mod remapped;
mod reproduce;
mod runs;
mod saves;
mod screens;
mod screens_arena;
mod screens_charts;
mod screens_compare;
mod screens_experiment;
mod screens_games;
mod screens_home;
mod screens_log;
mod screens_net;
mod screens_play;
mod screens_population;
mod screens_states;
mod screens_terminal;
mod screens_zoom;
mod simd;
mod solved;
mod support;
mod terminal;
mod tidy;
mod watching;

/// Registers the parts of other crates. Here there are none.
fn register() {}
