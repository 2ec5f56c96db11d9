//! The status of a run of an experiment, and how it is shown.

use ratatui::style::Style;

use crate::theme::Theme;
use crate::widgets::plot::LineTip;

/// The status of a run of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrialStatus {
    Waiting,
    /// Ended; there was no target.
    Done,
    /// Ended without meeting its target.
    Unsolved,
    /// Met its target.
    Solved,
    Running,
}

impl TrialStatus {
    /// All statuses, in display order.
    pub const ALL: [Self; 5] = [
        Self::Solved,
        Self::Unsolved,
        Self::Done,
        Self::Running,
        Self::Waiting,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Done => "done",
            Self::Unsolved => "unsolved",
            Self::Solved => "solved",
            Self::Running => "running",
        }
    }

    pub fn glyph(self, theme: &Theme) -> &'static str {
        match (self, theme.ascii) {
            (Self::Waiting, false) => "·",
            (Self::Waiting, true) => ".",
            (Self::Done, false) => "■",
            (Self::Done, true) => "D",
            (Self::Unsolved, false) => "✗",
            (Self::Unsolved, true) => "X",
            (Self::Solved, false) => "✓",
            (Self::Solved, true) => "S",
            (Self::Running, false) => "●",
            (Self::Running, true) => "@",
        }
    }

    pub fn style(self, theme: &Theme) -> Style {
        match self {
            Self::Waiting => theme.dim,
            Self::Done => theme.text,
            Self::Unsolved => theme.bad,
            Self::Solved => theme.good,
            Self::Running => theme.accent,
        }
    }

    /// The end of its line. If two lines meet, that of a running run is shown.
    pub fn tip(self, theme: &Theme) -> LineTip {
        LineTip {
            symbol: self.glyph(theme),
            style: self.style(theme),
            rank: match self {
                Self::Running => 0,
                Self::Waiting | Self::Done | Self::Solved => 1,
                Self::Unsolved => 2,
            },
        }
    }
}
