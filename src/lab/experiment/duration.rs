//! How long a run takes, by its first generations.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use finches_engine::play::pool::Pool;
use finches_engine::preset::Preset;
use finches_engine::session::Session;

use super::ExperimentError;

/// The time that a run takes on one thread, in seconds, if it goes on as it begins. The first
/// generation, in which more is measured than in others, is timed on its own, then as many as fit
/// into a time, one at least. Networks that grow get slower later. Once `halt` is set, it ends
/// early, and the figure means nothing.
pub fn run_seconds(
    preset: &Preset,
    within: Duration,
    halt: &AtomicBool,
) -> Result<f64, ExperimentError> {
    let mut session = Session::new(preset.clone(), 1, Vec::new(), Pool::new(1)?)?;
    let began = Instant::now();
    session.advance(halt);
    let first = began.elapsed().as_secs_f64();
    if session.is_done() {
        return Ok(first);
    }
    let began = Instant::now();
    while !session.is_done() && began.elapsed() < within && session.advance(halt).is_some() {}
    let done = session.generation().saturating_sub(1);
    let left = preset.generations.saturating_sub(1);
    Ok(first + left as f64 * began.elapsed().as_secs_f64() / done.max(1) as f64)
}
