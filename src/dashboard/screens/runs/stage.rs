//! How far a run is, and how that is shown.

use ratatui::style::Style;

use crate::theme::Theme;
use finches_runs::storage::saves::RunSummary;

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunStage {
    #[default]
    Waiting,
    Running,
    /// Saved before its end.
    Stopped,
    /// Ended; there was no target.
    Done,
    /// Ended without meeting its target.
    Unsolved,
    /// Met its target.
    Solved,
    /// Its files can't be read.
    Damaged,
}

impl RunStage {
    /// All statuses, in display order.
    pub const ALL: [Self; 7] = [
        Self::Solved,
        Self::Unsolved,
        Self::Done,
        Self::Running,
        Self::Stopped,
        Self::Waiting,
        Self::Damaged,
    ];

    /// The status of a saved run.
    pub fn of_saved(summary: &RunSummary) -> Self {
        if summary.is_open {
            Self::Running
        } else if summary.target.is_some() {
            Self::Solved
        } else if summary.is_done() {
            Self::Done
        } else {
            Self::Stopped
        }
    }

    pub fn is_finished(self) -> bool {
        matches!(self, Self::Done | Self::Unsolved | Self::Solved)
    }

    pub fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Stopped => "stopped",
            Self::Done => "done",
            Self::Unsolved => "unsolved",
            Self::Solved => "solved",
            Self::Damaged => "damaged",
        }
    }

    /// A sign that is none of those of lines; blank where there is nothing to say.
    pub fn glyph(self, theme: &Theme) -> &'static str {
        match self {
            Self::Waiting => theme.sign("·", "."),
            Self::Running => theme.sign("▸", ">"),
            Self::Stopped | Self::Done => " ",
            Self::Unsolved => theme.sign("✗", "X"),
            Self::Solved => theme.sign("✓", "S"),
            Self::Damaged => "!",
        }
    }

    pub fn style(self, theme: &Theme) -> Style {
        match self {
            Self::Waiting | Self::Stopped => theme.dim,
            Self::Done => theme.text,
            Self::Unsolved | Self::Damaged => theme.bad,
            Self::Solved => theme.good,
            Self::Running => theme.accent,
        }
    }
}
