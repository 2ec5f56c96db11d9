//! How an experiment goes on without a dashboard: a bar for each preset where standard error is a terminal, elsewhere a line for
//! each run.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::experiment::News;
use crate::preset::Preset;
use crate::storage::StorageError;
use crate::storage::experiments::manifest::{Cell, Manifest};
use crate::storage::experiments::outcome::Outcome;

use super::output;

/// The bars, and how many runs there are and are done.
pub(super) struct Progress<'a> {
    manifest: &'a Manifest,
    all: MultiProgress,
    bars: Vec<ProgressBar>,
    is_terminal: bool,
    to_do: AtomicU64,
    done: AtomicU64,
}

/// What is said of a run whose files can't be trusted.
pub(super) fn damaged(fault: &StorageError) -> String {
    format!("finches: {fault}; its files have been set aside as *.damaged, and it is run again")
}

impl<'a> Progress<'a> {
    pub(super) fn new(manifest: &'a Manifest) -> Self {
        let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(10));
        let names = manifest.presets.iter().map(|preset| preset.name.len());
        let width = names.max().unwrap_or(0);
        let template = format!("{{prefix:{width}}}  {{bar:30}} {{percent:>3}} %  {{msg}}  {{eta}}");
        let style = ProgressStyle::with_template(&template).expect("the template is sound");
        let bar = |preset: &Preset| {
            let bar = ProgressBar::new(0).with_style(style.clone());
            bar.set_prefix(preset.name.clone());
            all.add(bar)
        };
        Self {
            manifest,
            bars: manifest.presets.iter().map(bar).collect(),
            all,
            is_terminal: io::stderr().is_terminal(),
            to_do: AtomicU64::new(0),
            done: AtomicU64::new(0),
        }
    }

    pub(super) fn tell(&self, news: &News) {
        match news {
            News::Damaged(fault) => self.say(&damaged(fault)),
            News::ToDo(cells) => self.to_do(cells),
            News::Rows { cell, rows } => self.bars[cell.preset].inc(rows.len() as u64),
            News::Finished { cell, outcome } => self.finished(*cell, outcome),
            News::Kept { .. } | News::Begun(_) | News::Ended(_) => {}
        }
    }

    fn to_do(&self, cells: &[Cell]) {
        self.to_do.store(cells.len() as u64, Ordering::Relaxed);
        for (place, (bar, preset)) in self.bars.iter().zip(&self.manifest.presets).enumerate() {
            let runs = cells.iter().filter(|cell| cell.preset == place).count() as u64;
            bar.set_length(runs * preset.generations);
            bar.set_message(format!("{runs} runs"));
        }
    }

    fn finished(&self, cell: Cell, outcome: &Outcome) {
        let (preset, bar) = (&self.manifest.presets[cell.preset], &self.bars[cell.preset]);
        let generations = outcome.generations;
        bar.inc(preset.generations.saturating_sub(generations));
        let target = preset.until.trim();
        let end = match outcome.reached {
            Some(generation) => format!("{target} in generation {generation}"),
            None if target.is_empty() => format!("{generations} generations"),
            None => format!("{generations} generations without {target}"),
        };
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let all = self.to_do.load(Ordering::Relaxed);
        if self.is_terminal {
            bar.set_message(format!("seed {}: {end}", cell.seed));
        } else {
            let name = &preset.name;
            output::say(&format!("{done}/{all}  {name} seed {}: {end}", cell.seed));
        }
    }

    fn say(&self, words: &str) {
        if self.is_terminal {
            self.all.suspend(|| output::say(words));
        } else {
            output::say(words);
        }
    }

    pub(super) fn clear(&self) {
        for bar in &self.bars {
            bar.finish_and_clear();
        }
    }
}
