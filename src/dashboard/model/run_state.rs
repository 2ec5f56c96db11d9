//! The states of a run on screen.

/// The state of a run, as shown in the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    Starting,
    Running,
    /// Pausing after the current game.
    Pausing,
    Paused,
    /// Another process evolves it.
    Watching,
    /// Saving before the dashboard quits.
    Stopping,
    Done,
    Error,
}

impl RunState {
    pub fn word(self) -> &'static str {
        match self {
            Self::Starting => "STARTING",
            Self::Running => "RUNNING",
            Self::Pausing => "PAUSING",
            Self::Paused => "PAUSED",
            Self::Watching => "WATCHING",
            Self::Stopping => "STOPPING",
            Self::Done => "DONE",
            Self::Error => "ERROR",
        }
    }

    /// Whether quitting would interrupt the run.
    pub fn is_active(self) -> bool {
        !matches!(self, Self::Watching | Self::Done | Self::Error)
    }

    /// Whether the clock of the run ticks.
    pub fn is_running(self) -> bool {
        !matches!(self, Self::Paused | Self::Done | Self::Error)
    }
}
