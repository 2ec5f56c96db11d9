//! Inputs that nobody wrote: what files, lines and keys can say, mutated from valid ones, must not
//! panic, hang, or take memory without end. Each target is a function of bytes. Inputs that once
//! failed are in `tests/corpus/TARGET`.
//!
//! `FINCHES_FUZZ=1000000 cargo test --locked --test it fuzz:: -- --nocapture` runs that number of
//! inputs of each target instead of those of a second. `FINCHES_FUZZ_SEED` makes them other ones.

mod games;
mod presets;
mod saves;
mod target;
