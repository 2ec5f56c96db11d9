//! The summary printed after the dashboard closes: about ten lines on the run and how to resume it.

use finches_engine::text::one_line;
use finches_runs::log::{Level, LogBuffer, LogEntry};
use finches_runs::storage::saves::Saves;

use super::app::AppModel;
use super::format;
use super::model::run::{RunModel, RunState};

/// Most warnings repeated in the summary. The log of the run has all of them.
const MAX_WARNINGS: usize = 10;

/// The lines; empty without a run and without warnings.
pub(super) fn lines(model: &AppModel, journal: &LogBuffer) -> Vec<String> {
    let context = &model.context;
    let saves = context.saves.as_ref().map(Saves::option);
    let saves = saves.unwrap_or_default();
    let lines = context.run.as_ref().map(|run| run_lines(run, &saves));
    let mut lines = lines.unwrap_or_default();
    lines.extend(warnings(&journal.entries_since(0)));
    lines.iter().map(|line| one_line(line)).collect()
}

/// The latest distinct warnings and errors. Those of the run itself are reported separately.
fn warnings(entries: &[LogEntry]) -> Vec<String> {
    let is_trouble = |entry: &&LogEntry| entry.level <= Level::WARN && entry.module != "run";
    let mut lines: Vec<String> = Vec::new();
    for entry in entries.iter().rev().filter(is_trouble) {
        let line = entry.line();
        if !lines.contains(&line) && lines.len() < MAX_WARNINGS {
            lines.push(line);
        }
    }
    lines.reverse();
    lines
}

/// What a run has done. `saves` names its folder to a command.
fn run_lines(run: &RunModel, saves: &str) -> Vec<String> {
    let line = |label: &str, text: String| format!("{label:<12}{text}");
    let mut lines = vec![
        line("preset", run.preset.name.clone()),
        line("seed", run.facts.seed.to_string()),
        line(
            "generations",
            format!(
                "{} of {}, {} of work",
                format::count(run.generation as f64),
                format::count(run.preset.generations as f64),
                format::clock(run.timing.working())
            ),
        ),
    ];
    if let Some(generation) = run.solved() {
        lines.push(line(
            "solved",
            format!("at generation {}", format::whole(generation)),
        ));
    }
    if let (Some(now), Some((generation, best))) = (run.objective_now(), run.best) {
        lines.push(line(
            "objective",
            format!(
                "{}, best {} in generation {generation}",
                format::percent(now),
                format::percent(best)
            ),
        ));
    }
    match run.changes.len() {
        0 => {}
        1 => lines.push(line(
            "parameters",
            "changed once; recorded with the run".to_owned(),
        )),
        times => lines.push(line(
            "parameters",
            format!("changed {times} times; recorded with the run"),
        )),
    }
    if let Some(fault) = &run.end.error {
        lines.push(line("ERROR", fault.clone()));
    }
    lines.extend(save_lines(run, saves));
    lines
}

/// Where the run is saved, and the commands to continue with it.
fn save_lines(run: &RunModel, saves: &str) -> Vec<String> {
    let line = |label: &str, text: String| format!("{label:<12}{text}");
    let command = |verb: &str, name: &str| line(verb, format!("finches {verb} {name}{saves}"));
    let mut lines = Vec::new();
    let Some(name) = &run.facts.saved_as else {
        lines.push(line("saved", "no".to_owned()));
        if let Some(reason) = &run.saving.error {
            lines.push(line("NOT SAVED", reason.clone()));
        }
        return lines;
    };
    if let Some(generation) = run.saving.generation {
        lines.push(line(
            "saved",
            format!("{name}, up to generation {generation}"),
        ));
    }
    if let Some(reason) = &run.saving.error {
        lines.push(line("NOT SAVED", reason.clone()));
    }
    if run.is_followed() {
        lines.push(command("watch", name));
    } else if run.state != RunState::Done && run.generation < run.preset.generations {
        lines.push(command("resume", name));
    }
    lines.push(command("play", name));
    lines
}
