//! How long a run will take, by its first generations.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::play::pool::Pool;
use crate::preset::Preset;
use crate::session::Session;

use super::ExperimentError;

/// The time that a run takes on one thread, in seconds, if it goes on as it begins. The first generation, in which more is measured
/// than in others, is timed on its own, then as many as fit into a time, one at least. Networks that grow get slower later.
pub fn run_seconds(preset: &Preset, within: Duration) -> Result<f64, ExperimentError> {
    let mut session = Session::new(preset.clone(), 1, Vec::new(), Pool::new(1)?)?;
    let never = AtomicBool::new(false);
    let began = Instant::now();
    session.advance(&never);
    let first = began.elapsed().as_secs_f64();
    if session.is_done() {
        return Ok(first);
    }
    let began = Instant::now();
    while !session.is_done() && began.elapsed() < within {
        session.advance(&never);
    }
    let done = session.generation() - 1;
    let left = preset.generations.saturating_sub(1);
    Ok(first + left as f64 * began.elapsed().as_secs_f64() / done.max(1) as f64)
}
