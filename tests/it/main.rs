//! The tests of the program as a whole.

mod conformance;
mod determinism;
mod oracles;
mod playthroughs;
mod presets;
mod solved;
mod support;
mod tidy;
