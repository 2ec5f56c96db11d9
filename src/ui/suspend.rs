//! Suspends and resumes the process on behalf of the shell, and restores the terminal in between.

use std::time::Instant;

use signal_hook::consts::SIGTSTP;
use signal_hook::low_level::emulate_default_handler;

use super::{Dashboard, UiError};

impl Dashboard {
    /// Releases the terminal and stops the process, including the run, until the shell resumes it.
    pub(super) fn suspend(&mut self) {
        self.guard.release();
        // A process that cannot be stopped continues.
        let _ = emulate_default_handler(SIGTSTP);
        self.resume();
    }

    /// Resumes after a stop. A terminal that closes also resumes its processes.
    pub(super) fn resume(&mut self) {
        if self.has_terminal && self.retake_terminal().is_err() {
            self.close();
        }
    }

    /// Takes the terminal back and redraws all of it.
    fn retake_terminal(&mut self) -> Result<(), UiError> {
        self.guard.take()?;
        let size = self.guard.terminal.size()?;
        self.model.resize(size.width, size.height);
        self.was_resized = true;
        // The time while suspended does not count.
        self.last_tick = Instant::now();
        Ok(())
    }
}
