//! A fork beside its runs: what is compared, the progress, and what the change does to a column.
//! Its branches are an experiment.

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tempfile::TempDir;

use crate::format;
use crate::jobs::{Job, JobError};
use crate::model::fork::ForkRequest;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::text::put_all;
use crate::widgets::truncate::wrapped;
use finches_engine::metrics::history::{Goal, History};
use finches_engine::metrics::stats::paired::MeanDifference;
use finches_engine::metrics::{Column, Row};
use finches_engine::preset::Intervention;
use finches_engine::session::SessionState;
use finches_engine::session::measures::fitness;
use finches_engine::text::counted;
use finches_lab::experiment::fork::describe;
use finches_lab::experiment::fork::results::{ForkDifference, change_words, interval_words};
use finches_runs::storage::StorageError;
use finches_runs::storage::experiments::ExperimentFolder;
use finches_runs::storage::experiments::fork::ForkDefinition;
use finches_runs::storage::experiments::manifest::Manifest;
use finches_runs::storage::saves::Saves;
use finches_runs::storage::states;

use super::experiment::{Experiment, ExperimentState};
use super::list::RunList;
use super::parameters::last_word;
use super::work::RunsAnswer;

/// The interval between reports of a job.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// How long a second run waits until the rows of the first are on disk.
const ROWS_TIMEOUT: Duration = Duration::from_secs(10);

/// The most forks of a run at a generation that have folders of their own without being asked for.
const MOST_FOLDERS: u32 = 1000;

/// What the list calls an experiment: a fork by its change, others by their folders.
pub(super) fn title(folder: &Path, manifest: &Manifest) -> String {
    let Some(fork) = &manifest.fork else {
        let last = folder.file_name().unwrap_or(folder.as_os_str());
        return format!("{}/", last.display());
    };
    let change = |change: &Intervention| format!("{} {}", last_word(&change.key), change.to);
    let changes: Vec<String> = fork.changes.iter().map(change).collect();
    format!("{} g{} {}", fork.run, fork.generation, changes.join(", "))
}

/// Makes the folder of the branches, with the state in which they begin. Without a folder of saved
/// runs it is a temporary one. Returns false if the job was canceled before.
pub(super) fn begin(
    (request, manifest): (&ForkRequest, &Manifest),
    saves: Option<&Saves>,
    job: &Job<RunsAnswer>,
) -> Result<Option<Arc<ExperimentFolder>>, JobError> {
    let temporary = match saves {
        Some(_) => None,
        None => Some(tempfile::tempdir()?),
    };
    let folder = Arc::new(free_folder(request, manifest, temporary.as_ref())?);
    job.report(RunsAnswer::Folder(Arc::clone(&folder), temporary));
    let (fork, threads) = (&request.fork, request.threads);
    let known = || known_state(request, saves);
    let on_generation = approach(job);
    let is_kept = fork.keep_state(&folder, known, (threads, job.token.flag()), &on_generation)?;
    Ok(is_kept.then_some(folder))
}

/// The usual folder of a fork or, if that has another fork of the run, one with a number.
fn free_folder(
    request: &ForkRequest,
    manifest: &Manifest,
    temporary: Option<&TempDir>,
) -> Result<ExperimentFolder, StorageError> {
    let mut root = request.fork.folder(&request.run);
    if let Some(temporary) = temporary {
        root = temporary.path().join(root);
    }
    let begin = |root| ExperimentFolder::begin(root, manifest.clone(), "");
    let mut begun = begin(root.clone());
    for number in 2..MOST_FOLDERS {
        if !matches!(begun, Err(StorageError::Unusable { .. })) {
            break;
        }
        begun = begin(format!("{}-{number}", root.display()).into());
    }
    begun
}

/// Evolves the run to the fork and saves a second run from there. Returns its name.
pub(super) fn second_run(
    request: &ForkRequest,
    saves: Option<&Saves>,
    job: &Job<RunsAnswer>,
) -> Result<String, JobError> {
    let failed = |words: &str| JobError::Failed(words.to_owned());
    let saves = saves.ok_or_else(|| failed("runs are not saved"))?;
    let (fork, known) = (&request.fork, known_state(request, Some(saves)));
    let state = fork.state(known, request.threads, job.token.flag(), &|_| {})?;
    let state = state.ok_or_else(|| failed("the fork was canceled"))?;
    let rows = rows_before(saves, &request.run, fork.generation())?;
    Ok(fork.save(saves, &request.run, state, &rows)?)
}

fn known_state(request: &ForkRequest, saves: Option<&Saves>) -> Option<SessionState> {
    states::before(saves?, &request.run, request.fork.generation())
}

/// Reports the generations on the way to a fork, not too often.
fn approach(job: &Job<RunsAnswer>) -> impl Fn(u64) {
    let reported = Cell::new(Instant::now());
    move |generation| {
        if reported.get().elapsed() >= REPORT_INTERVAL {
            reported.set(Instant::now());
            job.report(RunsAnswer::Approached(generation));
        }
    }
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

/// Draws what is compared, the progress, and the difference in a column.
pub(super) fn view(
    (experiment, fork): (&Experiment, &ForkDefinition),
    list: &RunList,
    column: Option<&Column>,
    theme: &Theme,
    (area, buf): (Rect, &mut Buffer),
) {
    let inner = Frame::titled("Fork").pane(Focus::Elsewhere, theme, area, buf);
    let manifest = &experiment.setup.manifest;
    let last = manifest.presets[0].generations - 1;
    let seeds = counted(manifest.runs, "seed");
    let range = [fork.generation, last].map(|at| format!("g{}", format::whole(at)));
    let range = range.join(" to ");
    let mut parts = vec![
        (fork.run.clone(), theme.strong),
        (describe(&fork.changes), theme.accent),
        (format!("{range}, {seeds}"), theme.text),
    ];
    let approached = experiment.approached;
    if let Some(at) = approached.filter(|_| experiment.trials.is_empty()) {
        let share = format::percent(at as f64 / fork.generation.max(1) as f64);
        parts.push((format!("{share} of the way to the fork"), theme.dim));
    }
    if let ExperimentState::Failed(error) = &experiment.state {
        parts.push((error.clone(), theme.bad));
    }
    let pairs = pairs(experiment, list);
    let place = |column: &Column| experiment.setup.columns[0].place(&column.name);
    let difference = column.and_then(|column| ForkDifference::of(&pairs, place(column)?));
    let difference = column.zip(difference);
    if let Some((column, difference)) = difference {
        // The conclusion comes first: the figures may not fit.
        let verdict = verdict(column, &difference, (pairs.len() as u64, manifest.runs));
        parts.push((verdict, theme.strong));
        let title = "With the change minus without, 95% interval";
        parts.push((title.to_owned(), theme.strong));
        for (at, one) in [
            ("at the end", &difference.at_end),
            ("on average", &difference.on_average),
        ] {
            let style = match is_better(column, one.mean) {
                _ if !one.is_clear() => theme.text,
                Some(true) => theme.good,
                Some(false) => theme.bad,
                None => theme.strong,
            };
            let change = change_words(column, one.mean) + &in_parentheses(column, one);
            parts.push((format!("{at}: {change}"), style));
        }
    }
    let lines = parts.into_iter();
    let lines = lines.flat_map(|(words, style)| wrapped(&words, inner.width.into(), style));
    put_all(buf, inner, lines);
}

/// Whether a change of a column is one for the better; `None` if it only counts or describes.
pub(super) fn is_better(column: &Column, change: f64) -> Option<bool> {
    let is_judged = column.goal == Goal::Minimize || column.objective_rank > 0;
    let is_judged = is_judged || column.name == fitness::BEST.name;
    is_judged.then(|| column.goal.is_better(change, 0.0))
}

/// The pairs of finished runs with the same seed, without and with the change.
pub(super) fn pairs<'a>(experiment: &Experiment, list: &'a RunList) -> Vec<[&'a History; 2]> {
    let runs = experiment.setup.manifest.runs as usize;
    let history = |place: usize| {
        let entry = list.entries().get(place)?;
        let finished = entry.status.is_finished().then(|| entry.loaded())?;
        finished.map(|loaded| &loaded.history)
    };
    let pair = |seed: usize| Some([history(seed)?, history(runs + seed)?]);
    (0..runs).filter_map(pair).collect()
}

/// The interval of a difference in parentheses; empty without one.
pub(super) fn in_parentheses(column: &Column, difference: &MeanDifference) -> String {
    let words = interval_words(column, difference);
    words.map_or_else(String::new, |words| format!(" ({words})"))
}

/// What a difference in a column says over so many of all pairs.
fn verdict(column: &Column, difference: &ForkDifference, (pairs, all): (u64, u64)) -> String {
    let (end, average) = (&difference.at_end, &difference.on_average);
    let ends_level = end.interval == Some((0.0, 0.0));
    let [at_end, on_average] = [end, average].map(|one| match is_better(column, one.mean) {
        Some(true) => "better",
        Some(false) => "worse",
        None => "different",
    });
    let clear = match (end.is_clear(), average.is_clear()) {
        _ if pairs < all => return format!("{pairs} of {all} pairs are done."),
        (true, true) if at_end == on_average => format!("{at_end} at the end and on average"),
        (true, true) => format!("{at_end} at the end, clearly {on_average} on average"),
        (true, false) => format!("{at_end} at the end"),
        (false, true) if ends_level => format!("{on_average} on average, equal at the end"),
        (false, true) => format!("{on_average} on average"),
        (false, false) => String::new(),
    };
    let words = match average.interval {
        _ if !clear.is_empty() => return format!("With the change: clearly {clear}."),
        None => "One seed is one case; more seeds give an interval.",
        Some(_) if average.mean == 0.0 && ends_level => "The branches are equal.",
        Some(_) if ends_level => {
            "Both end equal in every pair, and no difference on the way is clear."
        }
        Some(_) => "No clear difference yet; more seeds narrow the interval.",
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use finches_lab::experiment::summary::column_of;

    #[test]
    fn a_change_is_one_for_the_better_by_the_goal_of_its_column() {
        let check = |name: &str, change, expected| {
            assert_eq!(is_better(&column_of(name), change), expected, "{name}");
        };
        check("accuracy_states", -0.002, Some(false));
        check("accuracy_states", 0.002, Some(true));
        check("wrong_decisions", -1.32, Some(true));
        check("games", -3e6, None);
    }

    #[test]
    fn the_verdict_says_what_both_intervals_leave_out() {
        const NONE: &[f64] = &[-0.1, 0.1, 0.05];
        const MORE: &[f64] = &[0.10, 0.11, 0.12];
        const LESS: &[f64] = &[-0.10, -0.11, -0.12];
        const ZERO: &[f64] = &[0.0; 3];
        let said = |name: &str, at_end: &[f64], on_average: &[f64], all| {
            let of = |values| MeanDifference::of(values).expect("there are values");
            let (at_end, on_average) = (of(at_end), of(on_average));
            let difference = ForkDifference { at_end, on_average };
            verdict(
                &column_of(name),
                &difference,
                (difference.at_end.pairs as u64, all),
            )
        };
        let check = |at_end: &[f64], on_average: &[f64], expected: &str| {
            let words = said("accuracy_states", at_end, on_average, at_end.len() as u64);
            assert_eq!(words, expected);
        };
        check(
            MORE,
            MORE,
            "With the change: clearly better at the end and on average.",
        );
        let both = "With the change: clearly worse at the end, clearly better on average.";
        check(LESS, MORE, both);
        check(MORE, NONE, "With the change: clearly better at the end.");
        check(NONE, LESS, "With the change: clearly worse on average.");
        check(
            ZERO,
            LESS,
            "With the change: clearly worse on average, equal at the end.",
        );
        check(ZERO, ZERO, "The branches are equal.");
        let unclear = "Both end equal in every pair, and no difference on the way is clear.";
        check(ZERO, NONE, unclear);
        check(
            NONE,
            NONE,
            "No clear difference yet; more seeds narrow the interval.",
        );
        check(
            &[0.1],
            &[0.1],
            "One seed is one case; more seeds give an interval.",
        );
        let fewer = said("wrong_decisions", LESS, LESS, 3);
        assert_eq!(
            fewer,
            "With the change: clearly better at the end and on average."
        );
        let games = said("games", MORE, MORE, 3);
        assert_eq!(
            games,
            "With the change: clearly different at the end and on average."
        );
        assert_eq!(
            said("accuracy_states", MORE, MORE, 10),
            "3 of 10 pairs are done."
        );
    }
}
