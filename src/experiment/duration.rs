//! How long a run will take, by its first generations.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::play::pool::Pool;
use crate::preset::Preset;
use crate::session::Session;

use super::ExperimentError;

/// The speed of a run on one thread, in generations per second: of as many generations as fit into a time, one at least. Networks
/// that grow get slower later.
pub fn generations_per_second(preset: &Preset, within: Duration) -> Result<f64, ExperimentError> {
    let mut session = Session::new(preset.clone(), 1, Vec::new(), Pool::new(1)?)?;
    let never = AtomicBool::new(false);
    let began = Instant::now();
    while !session.is_done() {
        session.advance(&never);
        if began.elapsed() >= within {
            break;
        }
    }
    Ok(session.generation() as f64 / began.elapsed().as_secs_f64().max(1e-9))
}
