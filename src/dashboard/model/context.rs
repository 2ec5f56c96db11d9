//! What all screens share: the theme, the size of the terminal, the run and its sample game, and
//! the saved runs.

use std::time::Duration;

use ratatui::layout::Rect;

use crate::jobs::{Jobs, Waker};
use crate::keymap::Scope;
use crate::theme::Theme;
use finches_runs::log::LogBuffer;
use finches_runs::storage::saves::Saves;

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

/// A message in the last line, in place of the keys.
#[derive(Clone, Debug)]
pub struct Notice {
    pub level: NoticeLevel,
    pub words: String,
    /// How long it stays without a key; `None` for a question.
    left: Option<Duration>,
}

impl Notice {
    /// How long a message stays.
    const STAYS: Duration = Duration::from_secs(4);
}

/// What all screens share.
pub struct Context {
    pub theme: Theme,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// The area of the current screen when it last handled an event.
    pub area: Rect,
    pub run: Option<RunModel>,
    /// The followed run of another process, if any.
    pub followed: Option<FollowState>,
    /// The run as it was when the view was frozen.
    pub frozen: Option<Box<RunModel>>,
    pub charts: ChartOptions,
    pub sample: SampleGame,
    /// The message in the last line, until the next key or the end of its time.
    pub notice: Option<Notice>,
    /// A text for the clipboard, until the terminal has it.
    pub copied: Option<String>,
    /// The saved runs, for loading earlier champions.
    pub saves: Option<Saves>,
    pub log: Option<LogBuffer>,
    /// The keys of the current screen.
    pub scope: Scope,
    /// Makes films, which say where they are.
    pub films: Jobs<(), String>,
    /// Wakes the event loop when background work has a result.
    pub waker: Waker,
}

impl Context {
    pub fn new(theme: Theme, waker: Waker, scope: Scope) -> Self {
        Self {
            theme,
            size: (80, 24),
            area: Rect::default(),
            run: None,
            followed: None,
            frozen: None,
            charts: ChartOptions::default(),
            sample: SampleGame::default(),
            notice: None,
            copied: None,
            saves: None,
            log: None,
            scope,
            films: Jobs::new(waker.clone()),
            waker,
        }
    }

    /// The run as shown: the frozen copy if there is one.
    pub fn shown_run(&self) -> Option<&RunModel> {
        self.frozen.as_deref().or(self.run.as_ref())
    }

    /// The name under which the current run is saved.
    pub fn saved_name(&self) -> Option<String> {
        self.run.as_ref().and_then(|run| run.facts.saved_as.clone())
    }

    /// The saves and the name of the current run, if it is saved.
    pub fn saved_run(&self) -> Option<(Saves, String)> {
        self.saves.clone().zip(self.saved_name())
    }

    /// Shows the newest sample game, as after another screen was shown.
    pub fn catch_up_sample(&mut self) {
        let shown = self.frozen.as_deref().or(self.run.as_ref());
        self.sample
            .catch_up(shown.and_then(|run| run.snapshot.as_deref()));
    }

    /// Shows the next move of the sample game.
    pub fn step_sample_forward(&mut self) {
        let shown = self.frozen.as_deref().or(self.run.as_ref());
        self.sample.step_forward(shown);
    }

    pub fn notify(&mut self, words: &str) {
        self.show(NoticeLevel::Info, words.to_owned(), Some(Notice::STAYS));
    }

    pub fn report_error(&mut self, words: impl Into<String>) {
        self.show(NoticeLevel::Error, words.into(), Some(Notice::STAYS));
    }

    /// Asks something that the next key answers.
    pub fn ask(&mut self, words: String) {
        self.show(NoticeLevel::Info, words, None);
    }

    fn show(&mut self, level: NoticeLevel, words: String, left: Option<Duration>) {
        self.notice = Some(Notice { level, words, left });
    }

    /// Lets time pass for the message. Returns whether it has left.
    pub fn tick(&mut self, passed: Duration) -> bool {
        let left = self.notice.as_mut().and_then(|notice| notice.left.as_mut());
        let is_over = left.is_some_and(|left| {
            *left = left.saturating_sub(passed);
            left.is_zero()
        });
        if is_over {
            self.notice = None;
        }
        is_over
    }

    /// The time until the message leaves.
    pub fn time_to_change(&self) -> Option<Duration> {
        self.notice.as_ref()?.left
    }
}
