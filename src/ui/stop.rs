//! Stopping the process and going on, as the shell wants it, with the terminal whole in between.

use std::time::Instant;

use signal_hook::consts::SIGTSTP;
use signal_hook::low_level::emulate_default_handler;

use super::{Desk, Resized, Sight, UiError};

impl Desk {
    /// Gives the terminal back and stops the process, run and all, until the shell lets it go on.
    pub(super) fn suspend(&mut self) {
        self.guard.let_go();
        // A process that can't be stopped goes on.
        let _ = emulate_default_handler(SIGTSTP);
        self.go_on();
    }

    /// Goes on after a stop. A terminal that was closed lets its processes go on, too.
    pub(super) fn go_on(&mut self) {
        if self.sight == Sight::There && self.retake().is_err() {
            self.close();
        }
    }

    /// Takes the terminal again, whoever has had it meanwhile, and draws all of it.
    fn retake(&mut self) -> Result<(), UiError> {
        self.guard.take()?;
        let size = self.guard.terminal.size()?;
        self.model.resize(size.width, size.height);
        self.resized = Resized::Yes;
        // The time of the pause is nobody's.
        self.ticked = Instant::now();
        Ok(())
    }
}
