//! What all screens share: the theme, the size of the terminal, the run and its sample game, and the saved runs.

use crate::storage::saves::Saves;
use crate::ui::theme::Theme;

use super::chart_options::ChartOptions;
use super::followed::FollowState;
use super::run::RunModel;
use super::sample_game::SampleGame;

/// The severity of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeLevel {
    Info,
    Error,
}

/// What all screens share.
pub struct Context {
    pub theme: Theme,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    pub run: Option<RunModel>,
    /// The followed run of another process, if any.
    pub followed: Option<FollowState>,
    /// The run as it was when the view was frozen.
    pub frozen: Option<Box<RunModel>>,
    pub charts: ChartOptions,
    pub sample: SampleGame,
    /// The message in the last line, until the next key.
    pub notice: Option<(NoticeLevel, String)>,
    /// The saved runs, for loading earlier champions.
    pub saves: Option<Saves>,
}

impl Context {
    pub fn new(theme: Theme) -> Self {
        Self {
            theme,
            size: (80, 24),
            run: None,
            followed: None,
            frozen: None,
            charts: ChartOptions::default(),
            sample: SampleGame::default(),
            notice: None,
            saves: None,
        }
    }

    /// The run as shown: the frozen copy if there is one.
    pub fn shown_run(&self) -> Option<&RunModel> {
        self.frozen.as_deref().or(self.run.as_ref())
    }

    pub fn notify(&mut self, words: &str) {
        self.notice = Some((NoticeLevel::Info, words.to_owned()));
    }

    pub fn report_error(&mut self, words: impl Into<String>) {
        self.notice = Some((NoticeLevel::Error, words.into()));
    }
}
