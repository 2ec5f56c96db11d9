//! The tests of the program as a whole.

mod arena;
mod breakpoints;
mod bundles;
mod cli;
mod clusters;
mod conformance;
mod damage;
mod determinism;
mod endings;
mod engine;
mod experiment;
mod family_tree;
mod forks;
mod fuzz;
mod game_files;
mod genomes;
mod golden;
mod halting;
mod hand_built;
mod health;
mod hostile;
mod idle;
mod islands;
mod ladder;
mod lifetime;
mod notebook;
mod onnx;
mod open_spiel;
mod operators;
mod oracles;
mod outside;
mod parts;
mod plain;
mod playthroughs;
mod power_cut;
mod presets;
mod product_units;
mod program;
mod python;
mod readme;
mod reproduce;
mod runs;
mod saves;
mod simd;
mod skipped;
mod slurm;
mod solved;
mod support;
mod sweep;
mod tensorboard;
mod terminal;
mod tidy;
mod watching;

/// Registers the parts of other crates. Here there are none.
fn register() {}
