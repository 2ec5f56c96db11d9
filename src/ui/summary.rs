//! What is printed once the screen has gone: about ten lines on what was done and how to go on.

use crate::journal::{Entry, Journal, Level};

use super::app::Model;
use super::app::watch::{State, Watch};
use super::words;

/// Troubles repeated at most; all of them are in the log of the run.
const MOST_TROUBLES: usize = 10;

/// The lines; none where no run was watched and nothing went wrong.
pub(super) fn lines(model: &Model, journal: &Journal) -> Vec<String> {
    let mut lines = model.watch.as_ref().map(of_run).unwrap_or_default();
    lines.extend(troubles(&journal.since(0)));
    lines
}

/// The latest warnings and errors, each once, but those of the run, which are told in words of their own.
fn troubles(entries: &[Entry]) -> Vec<String> {
    let is_trouble = |entry: &&Entry| entry.level <= Level::WARN && entry.part != "run";
    let mut lines: Vec<String> = Vec::new();
    for entry in entries.iter().rev().filter(is_trouble) {
        let line = entry.line();
        if !lines.contains(&line) && lines.len() < MOST_TROUBLES {
            lines.push(line);
        }
    }
    lines.reverse();
    lines
}

fn of_run(watch: &Watch) -> Vec<String> {
    let line = |label: &str, text: String| format!("{label:<12}{text}");
    let mut lines = vec![
        line("preset", watch.preset.name.clone()),
        line("seed", watch.facts.seed.to_string()),
        line(
            "generations",
            format!(
                "{} of {} in {}",
                words::count(watch.generation as f64),
                words::count(watch.preset.generations as f64),
                words::clock(watch.pace.seconds)
            ),
        ),
    ];
    if let (Some(now), Some((generation, best))) = (watch.objective_now(), watch.best) {
        lines.push(line(
            "objective",
            format!(
                "{}, at best {} in generation {generation}",
                words::percent(now),
                words::percent(best)
            ),
        ));
    }
    match watch.marks.len() {
        0 => {}
        1 => lines.push(line(
            "knobs",
            "turned once; the record replays it".to_owned(),
        )),
        times => lines.push(line(
            "knobs",
            format!("turned {times} times; the record replays it"),
        )),
    }
    if let Some(fault) = &watch.fault {
        lines.push(line("FAULT", fault.clone()));
    }
    lines.extend(kept(watch));
    lines
}

/// Where the run is, and how it goes on.
fn kept(watch: &Watch) -> Vec<String> {
    let line = |label: &str, text: String| format!("{label:<12}{text}");
    let mut lines = Vec::new();
    let Some(name) = &watch.facts.saved_as else {
        lines.push(line("saved", "no".to_owned()));
        if let Some(reason) = &watch.not_saved {
            lines.push(line("NOT SAVED", reason.clone()));
        }
        return lines;
    };
    if let Some(generation) = watch.saved {
        lines.push(line(
            "saved",
            format!("{name}, up to generation {generation}"),
        ));
    }
    if let Some(reason) = &watch.not_saved {
        lines.push(line("NOT SAVED", reason.clone()));
    }
    if watch.state == State::Watching {
        lines.push(line("watch", format!("finches watch {name}")));
    } else if watch.state != State::Done && watch.generation < watch.preset.generations {
        lines.push(line("go on", format!("finches resume {name}")));
    }
    lines.push(line("play", format!("finches play {name}")));
    lines
}
