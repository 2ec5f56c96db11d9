//! What `mpi.rs` does where the program is built without MPI: a run has one process.

use std::sync::Arc;

use finches_engine::session::team::Team;

use super::CliError;

pub(super) fn on_processes(
    _threads: usize,
    evolve: impl FnOnce() -> Result<(), CliError>,
) -> Result<(), CliError> {
    evolve()
}

pub(super) fn threads(wanted: usize) -> usize {
    wanted
}

pub(super) fn team() -> Option<Arc<dyn Team>> {
    None
}
