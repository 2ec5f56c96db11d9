//! The progress of an experiment without a dashboard: a bar per preset if standard error is a terminal, else a line per run.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::experiment::ExperimentEvent;
use crate::preset::Preset;
use crate::storage::StorageError;
use crate::storage::experiments::manifest::{Manifest, RunId};
use crate::storage::experiments::outcome::RunOutcome;

use super::output;

/// Progress bars and counts of runs.
pub(super) struct ExperimentProgress<'a> {
    manifest: &'a Manifest,
    all: MultiProgress,
    bars: Vec<ProgressBar>,
    is_terminal: bool,
    scheduled: AtomicU64,
    done: AtomicU64,
}

/// The message about a run with damaged files.
pub(super) fn damaged_message(error: &StorageError) -> String {
    format!("finches: {error}; its files were renamed to *.damaged, and the run is repeated")
}

impl<'a> ExperimentProgress<'a> {
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
            scheduled: AtomicU64::new(0),
            done: AtomicU64::new(0),
        }
    }

    pub(super) fn handle(&self, event: &ExperimentEvent) {
        match event {
            ExperimentEvent::Damaged(error) => self.print(&damaged_message(error)),
            ExperimentEvent::Scheduled(ids) => self.set_scheduled(ids),
            ExperimentEvent::Rows { id, rows } => self.bars[id.preset].inc(rows.len() as u64),
            ExperimentEvent::Finished { id, outcome } => self.finished(*id, outcome),
            ExperimentEvent::AlreadyDone { .. } | ExperimentEvent::Started(_) => {}
        }
    }

    fn set_scheduled(&self, ids: &[RunId]) {
        self.scheduled.store(ids.len() as u64, Ordering::Relaxed);
        for (index, (bar, preset)) in self.bars.iter().zip(&self.manifest.presets).enumerate() {
            let runs = ids.iter().filter(|id| id.preset == index).count() as u64;
            bar.set_length(runs * preset.generations);
            bar.set_message(format!("{runs} runs"));
        }
    }

    fn finished(&self, id: RunId, outcome: &RunOutcome) {
        let (preset, bar) = (&self.manifest.presets[id.preset], &self.bars[id.preset]);
        let generations = outcome.generations;
        bar.inc(preset.generations.saturating_sub(generations));
        let target = preset.until.trim();
        let result = match outcome.reached {
            Some(generation) => format!("{target} in generation {generation}"),
            None if target.is_empty() => format!("{generations} generations"),
            None => format!("{generations} generations without {target}"),
        };
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let total = self.scheduled.load(Ordering::Relaxed);
        if self.is_terminal {
            bar.set_message(format!("seed {}: {result}", id.seed));
        } else {
            let name = &preset.name;
            output::eprint_line(&format!(
                "{done}/{total}  {name} seed {}: {result}",
                id.seed
            ));
        }
    }

    fn print(&self, line: &str) {
        if self.is_terminal {
            self.all.suspend(|| output::eprint_line(line));
        } else {
            output::eprint_line(line);
        }
    }

    pub(super) fn clear(&self) {
        for bar in &self.bars {
            bar.finish_and_clear();
        }
    }
}
