//! The branches of a fork: evolved in the background, and shown as two curves with their
//! difference.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::format;
use crate::jobs::{Job, JobError};
use crate::model::fork::{ForkPurpose, ForkRequest};
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::text::put_all;
use crate::widgets::truncate::wrapped;
use finches_engine::metrics::stats::paired::MeanDifference;
use finches_engine::metrics::{Column, Columns, Row};
use finches_engine::text::counted;
use finches_lab::experiment::fork::{Branch, ForkComparison, ForkRows};
use finches_runs::storage::run_filter::FactNames;
use finches_runs::storage::saves::Saves;
use finches_runs::storage::states;
use finches_runs::storage::views::RunGrouping;

use super::entry::{RunEnd, RunEntry, RunKind};
use super::list::RunList;
use super::stage::RunStage;
use super::work::RunsAnswer;

/// The interval between reports of a job.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// How long a second run waits until the rows of the first are on disk.
const ROWS_TIMEOUT: Duration = Duration::from_secs(10);

/// A row of a branch, with the index of its seed.
type BranchRow = (Branch, usize, Row);

/// What has happened since the last report.
pub(super) enum ForkUpdate {
    /// The run has been evolved again up to this generation.
    Approached(u64),
    Rows(Vec<BranchRow>),
    Done,
}

/// A comparison of the branches.
pub(super) struct ForkView {
    run: String,
    description: String,
    generation: u64,
    end: u64,
    seeds: Vec<u64>,
    kinds: [RunKind; 2],
    /// The generation reached on the way to the fork.
    approached: u64,
    rows: ForkRows,
    done: u64,
    is_done: bool,
}

/// Works out a fork and reports its progress.
pub(super) fn work_out(
    request: &ForkRequest,
    saves: Option<&Saves>,
    job: &Job<RunsAnswer>,
) -> Result<RunsAnswer, JobError> {
    let fork = &request.fork;
    let known = saves.and_then(|saves| states::before(saves, &request.run, fork.generation()));
    let reported = Cell::new(Instant::now());
    let on_generation = |generation| {
        if reported.get().elapsed() >= REPORT_INTERVAL {
            reported.set(Instant::now());
            job.report(RunsAnswer::Fork(ForkUpdate::Approached(generation)));
        }
    };
    let halt = job.token.flag();
    let state = fork.state(known, request.threads, halt, &on_generation)?;
    let canceled = || JobError::Failed("the fork was canceled".to_owned());
    let state = state.ok_or_else(canceled)?;
    Ok(match (&request.purpose, saves) {
        (ForkPurpose::Compare { end, seeds }, _) => {
            let batch = Mutex::new((Vec::new(), Instant::now()));
            let flush = |rows: &mut Vec<BranchRow>| {
                let rows = ForkUpdate::Rows(std::mem::take(rows));
                job.report(RunsAnswer::Fork(rows));
            };
            let on_row = |branch, repeat, row: &Row| {
                let mut batch = batch.lock().unwrap_or_else(PoisonError::into_inner);
                batch.0.push((branch, repeat, row.clone()));
                if batch.1.elapsed() >= REPORT_INTERVAL {
                    batch.1 = Instant::now();
                    flush(&mut batch.0);
                }
            };
            ForkComparison {
                fork,
                state: &state,
                end: *end,
                seeds,
                threads: request.threads,
                halt,
                on_row: &on_row,
            }
            .run()?;
            let (mut rest, _) = batch.into_inner().unwrap_or_else(PoisonError::into_inner);
            flush(&mut rest);
            RunsAnswer::Fork(ForkUpdate::Done)
        }
        (ForkPurpose::SecondRun, Some(saves)) => {
            let rows = rows_before(saves, &request.run, fork.generation())?;
            RunsAnswer::SecondRun(fork.save(saves, &request.run, state, &rows)?)
        }
        (ForkPurpose::SecondRun, None) => {
            return Err(JobError::Failed("runs are not saved".to_owned()));
        }
    })
}

/// The rows of a run, once those of all generations before `generation` are on disk.
fn rows_before(saves: &Saves, run: &str, generation: u64) -> Result<Vec<Row>, JobError> {
    let began = Instant::now();
    loop {
        let (_, rows) = saves.metrics(run)?;
        let next = rows.last().map_or(0, |row| row.generation() + 1);
        if next >= generation {
            return Ok(rows);
        }
        if began.elapsed() >= ROWS_TIMEOUT {
            let words = format!("{run}: generation {next} is not on disk yet; save the run first");
            return Err(JobError::Failed(words));
        }
        thread::sleep(REPORT_INTERVAL);
    }
}

impl ForkView {
    /// A comparison without rows; `None` if the request is for a second run.
    pub(super) fn of(request: &ForkRequest, columns: &Columns) -> Option<Self> {
        let ForkPurpose::Compare { end, seeds } = &request.purpose else {
            return None;
        };
        let fork = &request.fork;
        Some(Self {
            run: request.run.clone(),
            description: fork.description(),
            generation: fork.generation(),
            end: *end,
            seeds: seeds.clone(),
            kinds: Branch::ALL.map(|branch| RunKind::new(fork.preset(branch), columns)),
            approached: 0,
            rows: ForkRows::new(columns.clone(), seeds.len()),
            done: 0,
            is_done: false,
        })
    }

    /// The list of its runs, by branch.
    pub(super) fn list(&self) -> RunList {
        let runs = self.seeds.len() * Branch::ALL.len();
        let entry = |branch: Branch, seed: u64| {
            let name = format!("{} {seed}", branch.name());
            let mut entry = RunEntry::waiting(name, branch.name(), seed, self.end);
            entry.history = Some(Ok(self.kinds[branch as usize].empty(runs)));
            entry
        };
        let all = Branch::ALL.into_iter();
        let entries = all.flat_map(|branch| self.seeds.iter().map(move |&seed| (branch, seed)));
        let entries = entries.map(|(branch, seed)| entry(branch, seed));
        RunList::of(
            entries.collect(),
            FactNames::default(),
            RunGrouping::ByPreset,
        )
    }

    pub(super) fn take(&mut self, update: ForkUpdate, list: &mut RunList) {
        match update {
            ForkUpdate::Approached(generation) => self.approached = generation,
            ForkUpdate::Rows(rows) => {
                self.approached = self.generation;
                self.done += rows.len() as u64;
                for (branch, repeat, row) in rows {
                    let place = branch as usize * self.seeds.len() + repeat;
                    if let Some(entry) = list.entry_mut(place) {
                        self.advance(entry, &row);
                    }
                    self.rows.push(branch, repeat, row);
                }
            }
            ForkUpdate::Done => self.is_done = true,
        }
    }

    /// Adds a row to a run.
    fn advance(&self, entry: &mut RunEntry, row: &Row) {
        let Some(Ok(run)) = &mut entry.history else {
            return;
        };
        run.history.push(row);
        entry.update_objective();
        entry.generation = row.generation() + 1;
        entry.status = if entry.generation < self.end {
            RunStage::Running
        } else {
            RunStage::Done
        };
        entry.end = Some(RunEnd {
            generations: entry.generation,
            reached: None,
        });
    }

    /// Draws what is compared, the progress, and the difference in a column.
    pub(super) fn view(
        &self,
        column: Option<&Column>,
        theme: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let inner = Frame::titled("Fork").pane(Focus::Elsewhere, theme, area, buf);
        let (first, last) = (self.generation, self.end - 1);
        let (first, last) = (format::whole(first), format::whole(last));
        let seeds = counted(self.seeds.len() as u64, "seed");
        let mut parts = vec![
            (self.run.clone(), theme.strong),
            (self.description.clone(), theme.accent),
            (
                format!("generations {first} to {last}, {seeds}"),
                theme.text,
            ),
        ];
        if !self.is_done {
            parts.push((self.progress(), theme.dim));
        }
        parts.push((String::new(), theme.dim));
        let difference = column.and_then(|column| {
            let index = self.rows.columns.place(&column.name)?;
            Some((column, self.rows.difference(index)?))
        });
        if let Some((column, difference)) = difference {
            let at_end = format!("generation {}", format::whole(difference.generation));
            let title = "With minus without, and 95 % interval";
            parts.push((title.to_owned(), theme.strong));
            for (at, one) in [
                (at_end, &difference.at_end),
                ("mean since the fork".to_owned(), &difference.on_average),
            ] {
                let style = if one.is_clear() {
                    theme.good
                } else {
                    theme.text
                };
                parts.push((at, theme.dim));
                parts.push((format!("  {}", difference_words(column, one)), style));
            }
            parts.push((String::new(), theme.dim));
            let verdict = verdict(&difference.on_average, self.is_done);
            parts.push((verdict.to_owned(), theme.text));
        }
        let lines = parts.into_iter().flat_map(|(words, style)| match &*words {
            "" => vec![Line::default()],
            _ => wrapped(&words, inner.width.into(), style),
        });
        put_all(buf, inner, lines);
    }

    fn progress(&self) -> String {
        if self.approached < self.generation {
            let share = self.approached as f64 / self.generation as f64;
            return format!("{} of the way to the fork", format::percent(share));
        }
        let runs = (self.seeds.len() * Branch::ALL.len()) as u64;
        let all = (self.end - self.generation) * runs;
        let share = self.done as f64 / all as f64;
        format!("{} of both branches", format::percent(share))
    }
}

/// A difference with its interval, of shares in points.
fn difference_words(column: &Column, difference: &MeanDifference) -> String {
    let (factor, decimals, unit) = if column.is_share() {
        (100.0, 1, " points")
    } else {
        (1.0, 2, "")
    };
    let signed = |value: f64| format::signed((value * factor) as f32, decimals);
    let mean = format!("{}{unit}", signed(difference.mean));
    match difference.interval {
        Some((low, high)) => format!("{mean} ({} to {})", signed(low), signed(high)),
        None => mean,
    }
}

/// What a difference says.
fn verdict(difference: &MeanDifference, is_done: bool) -> &'static str {
    match difference.interval {
        _ if !is_done => "The branches are still evolving.",
        None => "One seed is one case; more seeds give an interval.",
        Some(_) if difference.mean == 0.0 => "The branches are equal.",
        Some(_) if difference.is_clear() => {
            "The interval of the mean excludes 0: the change makes a difference."
        }
        Some(_) => {
            "The interval of the mean includes 0: these seeds show no difference. More make it \
            narrower."
        }
    }
}
