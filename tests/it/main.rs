//! The tests of the program as a whole.

mod arena;
mod cli;
mod conformance;
mod determinism;
mod engine;
mod experiment;
mod oracles;
mod pictures;
mod playthroughs;
mod presets;
mod program;
mod runs;
mod saves;
mod screens;
mod screens_arena;
mod screens_experiment;
mod screens_net;
mod screens_play;
mod solved;
mod support;
mod terminal;
mod tidy;
