//! How the charts are looked at: which measure, how many generations, which axis. It draws nothing.

use crate::metrics::over::Over;
use crate::ui::app::watch::Watch;
use crate::ui::widgets::plot::Scale;
use crate::ui::words;

/// How the charts are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Charts {
    /// Which measure the main chart shows, counted round.
    pub metric: usize,
    /// The last generations shown, or all.
    pub window: Option<u64>,
    /// What the charts go over.
    pub over: Over,
    logarithmic: Logarithmic,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Logarithmic {
    Yes,
    #[default]
    No,
}

/// The windows there are, in generations.
const WINDOWS: [u64; 8] = [30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000];

impl Charts {
    pub fn scale(&self) -> Scale {
        match self.logarithmic {
            Logarithmic::Yes => Scale::Logarithmic,
            Logarithmic::No => Scale::Linear,
        }
    }

    pub fn toggle_scale(&mut self) {
        self.logarithmic = match self.logarithmic {
            Logarithmic::Yes => Logarithmic::No,
            Logarithmic::No => Logarithmic::Yes,
        };
    }

    pub fn widen(&mut self) {
        let wider = |window: u64| WINDOWS.into_iter().find(|&wider| wider > window);
        self.window = self.window.and_then(wider);
    }

    /// The next narrower window of a run that has done so many generations.
    pub fn narrow(&mut self, generations: u64) {
        let now = self.window.unwrap_or(generations);
        let narrower = WINDOWS.into_iter().rev().find(|&narrower| narrower < now);
        self.window = narrower.or(Some(WINDOWS[0]));
    }

    /// The generations shown, both included.
    pub(super) fn shown(&self, watch: &Watch) -> (u64, u64) {
        let last = watch.generation.saturating_sub(1);
        let start = watch.history.start();
        let first = self
            .window
            .map_or(start, |window| (last + 1).saturating_sub(window).max(start));
        (first, last.max(first))
    }

    pub(super) fn words(&self) -> String {
        let window = self.window.map_or("all generations".to_owned(), |window| {
            format!("last {}", words::count(window as f64))
        });
        let over = match self.over {
            Over::Generations => "",
            Over::Games => " · by games",
        };
        let scale = match self.scale() {
            Scale::Linear => "",
            Scale::Logarithmic => " · log",
        };
        format!("{window}{over}{scale}")
    }
}
