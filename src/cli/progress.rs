//! The progress of an experiment without a dashboard: a bar per preset if standard error is a
//! terminal, else a line per run.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use finches_engine::text::counted;
use finches_lab::experiment::ExperimentEvent;
use finches_runs::storage::StorageError;
use finches_runs::storage::experiments::manifest::{Manifest, RunId};
use finches_runs::storage::experiments::outcome::RunOutcome;
use finches_runs::storage::experiments::part::RunPart;

use super::output;

/// Progress bars and counts of runs.
pub(super) struct RunBars<'a> {
    manifest: &'a Manifest,
    all: MultiProgress,
    bars: Vec<ProgressBar>,
    is_terminal: bool,
    scheduled: AtomicU64,
    done: AtomicU64,
}

/// The message about a run with damaged files.
pub(super) fn damaged_message(error: &StorageError) -> String {
    format!(
        "finches: {error}; damaged files were renamed to *.damaged, and what they held is done \
        again"
    )
}

impl<'a> RunBars<'a> {
    pub(super) fn new(manifest: &'a Manifest) -> Self {
        let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(10));
        // A sweep has far more presets than a terminal has lines.
        let names: Vec<&String> = match &manifest.sweep {
            Some(sweep) => vec![&sweep.base.name],
            None => manifest.presets.iter().map(|preset| &preset.name).collect(),
        };
        let widths = names.iter().map(|name| name.len());
        let width = widths.max().unwrap_or(0);
        let template = format!("{{prefix:{width}}}  {{bar:30}} {{percent:>3}}%  {{msg}}  {{eta}}");
        let style = ProgressStyle::with_template(&template).expect("the template is sound");
        let bar = |name: &String| {
            let bar = ProgressBar::new(0).with_style(style.clone());
            bar.set_prefix(name.clone());
            all.add(bar)
        };
        Self {
            manifest,
            bars: names.into_iter().map(bar).collect(),
            all,
            is_terminal: io::stderr().is_terminal(),
            scheduled: AtomicU64::new(0),
            done: AtomicU64::new(0),
        }
    }

    pub(super) fn handle(&self, event: &ExperimentEvent) {
        match event {
            ExperimentEvent::Damaged(error) => self.print(&damaged_message(error)),
            ExperimentEvent::Scheduled(ids, part) => self.set_scheduled(ids, *part),
            ExperimentEvent::Rows { id, rows } => self.bar(id.preset).inc(rows.len() as u64),
            ExperimentEvent::Waits {
                id,
                source,
                generation,
            } => {
                let [run, other] = [id, source].map(|id| self.manifest.run_name(*id));
                self.print(&format!(
                    "finches: {run} waits for members of {other} for generation {generation}"
                ));
            }
            ExperimentEvent::Continued {
                id, generations, ..
            } => {
                let done = generations.saturating_sub(self.manifest.first_generation());
                self.bar(id.preset).inc(done);
            }
            ExperimentEvent::Finished { id, part, outcome } => self.finished((*id, *part), outcome),
            ExperimentEvent::AlreadyDone { .. } | ExperimentEvent::Started(_) => {}
        }
    }

    /// The bar of a preset: of a sweep, the only one.
    fn bar(&self, preset: usize) -> &ProgressBar {
        &self.bars[preset.min(self.bars.len() - 1)]
    }

    /// Adds the runs of a whole experiment, or of a round of it.
    fn set_scheduled(&self, ids: &[RunId], part: RunPart) {
        self.scheduled
            .fetch_add(ids.len() as u64, Ordering::Relaxed);
        for (index, bar) in self.bars.iter().enumerate() {
            let is_own = |id: &&RunId| id.preset == index || self.bars.len() == 1;
            let runs = ids.iter().filter(is_own);
            let all = |id: &RunId| self.manifest.presets[id.preset].generations;
            let first = self.manifest.first_generation();
            let generations = |id: &RunId| part.generations(all(id)) - first;
            bar.set_message(counted(runs.clone().count(), "run"));
            bar.inc_length(runs.map(generations).sum());
        }
    }

    fn finished(&self, (id, part): (RunId, RunPart), outcome: &RunOutcome) {
        let (preset, bar) = (&self.manifest.presets[id.preset], self.bar(id.preset));
        let generations = outcome.generations;
        let all = part.generations(preset.generations);
        bar.inc(all.saturating_sub(generations));
        let target = preset.until.trim();
        let result = match outcome.reached {
            Some(generation) => format!("{target} in generation {generation}"),
            None if target.is_empty() => counted(generations, "generation"),
            None => format!("{} without {target}", counted(generations, "generation")),
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
