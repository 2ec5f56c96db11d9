//! What an entry says to a reader: its generation, a sentence, and its kind.

use crate::format;
use crate::model::run::parameter_name;
use finches_runs::log::{Level, LogEntry};

/// What an entry is about, for its color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryKind {
    Problem,
    /// The run starts, ends, or has found a better network.
    Milestone,
    /// A parameter was changed.
    Change,
    /// Anything else that happened.
    Plain,
    /// Saving, and what is logged for the search for faults.
    Routine,
}

pub(super) fn kind(entry: &LogEntry) -> EntryKind {
    let message = entry.message.as_str();
    match entry.level {
        Level::ERROR | Level::WARN => EntryKind::Problem,
        Level::INFO if entry.module != "run" => EntryKind::Plain,
        Level::INFO if message.starts_with("changed ") => EntryKind::Change,
        Level::INFO => match message {
            "started" | "resumed" | "new best" | "done" => EntryKind::Milestone,
            _ if message.starts_with("target reached") => EntryKind::Milestone,
            "saved" => EntryKind::Routine,
            _ => EntryKind::Plain,
        },
        _ => EntryKind::Routine,
    }
}

/// The generation in which it happened, if the entry names one.
pub(super) fn generation(entry: &LogEntry) -> Option<u64> {
    let value = field(entry, "generation").or_else(|| field(entry, "from"))?;
    value.parse().ok()
}

/// Whether a run starts or resumes with the entry.
pub(super) fn is_start(entry: &LogEntry) -> bool {
    entry.module == "run" && matches!(&*entry.message, "started" | "resumed")
}

/// The objective of a new best network.
pub(super) fn best(entry: &LogEntry) -> Option<f64> {
    let is_best = entry.module == "run" && entry.message == "new best";
    is_best.then(|| field(entry, "objective")?.parse().ok())?
}

/// The time that saving took, in seconds.
pub(super) fn saving(entry: &LogEntry) -> Option<f64> {
    let is_saved = entry.module == "run" && entry.message == "saved";
    is_saved.then(|| seconds(field(entry, "took_ms")?))?
}

/// What happened, in one line.
pub(super) fn sentence(entry: &LogEntry) -> String {
    let special = match (entry.module.as_str(), entry.message.as_str()) {
        ("run", "started" | "resumed") => start(entry),
        ("run", "new best") => {
            best(entry).map(|best| format!("New best: {}", format::percent(best)))
        }
        ("run", "saved") => saving(entry).map(|took| format!("Saved in {}", duration(took))),
        ("run", state @ ("running" | "paused" | "done")) => Some(format!("Evolution is {state}")),
        ("run", "generations done") => generations(entry),
        ("run", message) => change(message).or_else(|| {
            let target = message.strip_prefix("target reached: ")?;
            Some(format!("Target reached: {}", format::condition(target)))
        }),
        _ => None,
    };
    special.unwrap_or_else(|| general(entry)).replace('\n', " ")
}

/// A field as a label and a readable value.
pub(super) fn labelled(name: &str, value: &str) -> (String, String) {
    let time = name.strip_suffix("_ms").zip(seconds(value));
    let (name, value) = time.map_or_else(
        || (name, value.to_owned()),
        |(name, seconds)| (name, duration(seconds)),
    );
    (name.replace('_', " "), value)
}

/// The name of a saved run begins with that of its preset, unless it was renamed.
fn start(entry: &LogEntry) -> Option<String> {
    let [preset, seed] = ["preset", "seed"].map(|name| field(entry, name));
    let (preset, seed) = (preset?, seed?);
    let verb = &entry.message;
    Some(match field(entry, "saved_as") {
        Some(name) if name.starts_with(preset) => format!("Run {verb}: {name}, seed {seed}"),
        Some("nothing") => format!("Run {verb}: {preset}, seed {seed}, not saved"),
        Some(name) => format!("Run {verb}: {preset}, seed {seed}, saved as {name}"),
        None => format!("Run {verb}: {preset}, seed {seed}"),
    })
}

/// A change of a parameter, with its name and values in words.
fn change(message: &str) -> Option<String> {
    let (key, values) = message.strip_prefix("changed ")?.split_once(" from ")?;
    let (from, to) = values.split_once(" to ")?;
    let [from, to] = [from, to].map(format::parameter);
    Some(format!(
        "Changed {} from {from} to {to}",
        parameter_name(key)
    ))
}

fn generations(entry: &LogEntry) -> Option<String> {
    let count: f64 = field(entry, "count")?.parse().ok()?;
    let parts = ["playing", "measuring", "breeding"].map(|part| {
        let took = seconds(field(entry, &format!("{part}_ms"))?)?;
        Some(format!("{part} {}", duration(took)))
    });
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let noun = if (count - 1.0).abs() < f64::EPSILON {
        "generation"
    } else {
        "generations"
    };
    let list = parts.join(", ");
    Some(format!("{} {noun} done: {list}", format::count(count)))
}

/// The message with its fields behind it.
fn general(entry: &LogEntry) -> String {
    let mut letters = entry.message.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    let mut text = first.unwrap_or_default() + letters.as_str();
    let shown = entry.fields.iter().filter(|(name, _)| name != "generation");
    for (index, (name, value)) in shown.enumerate() {
        let (name, value) = labelled(name, value);
        let mark = if index == 0 { ": " } else { ", " };
        text.extend([mark, &name, " ", &value]);
    }
    text
}

fn field<'e>(entry: &'e LogEntry, name: &str) -> Option<&'e str> {
    let mut fields = entry.fields.iter();
    fields.find_map(|(known, value)| (known == name).then_some(value.as_str()))
}

fn seconds(milliseconds: &str) -> Option<f64> {
    let value: f64 = milliseconds.parse().ok()?;
    Some(value / 1e3)
}

/// A time of at least a millisecond in three digits.
pub(super) fn duration(seconds: f64) -> String {
    if seconds < 0.001 {
        "under 1 ms".to_owned()
    } else {
        format::time(seconds)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[track_caller]
    fn check(level: Level, message: &str, fields: &[(&str, &str)], expected: (EntryKind, &str)) {
        let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        let entry = LogEntry {
            number: 0,
            elapsed: Duration::ZERO,
            unix_seconds: 0,
            level,
            module: "run".to_owned(),
            message: message.to_owned(),
            fields: fields.iter().map(owned).collect(),
        };
        assert_eq!((kind(&entry), sentence(&entry).as_str()), expected);
    }

    #[test]
    fn entries_are_sentences_with_readable_values() {
        let started = [
            ("preset", "nim-2x4"),
            ("seed", "7"),
            ("saved_as", "nothing"),
        ];
        check(
            Level::INFO,
            "started",
            &started,
            (
                EntryKind::Milestone,
                "Run started: nim-2x4, seed 7, not saved",
            ),
        );
        let best = [("generation", "8"), ("objective", "0.792")];
        check(
            Level::INFO,
            "new best",
            &best,
            (EntryKind::Milestone, "New best: 79%"),
        );
        let saved = [("generation", "8"), ("took_ms", "65.441")];
        check(
            Level::INFO,
            "saved",
            &saved,
            (EntryKind::Routine, "Saved in 65.4 ms"),
        );
        let quick = [("generation", "8"), ("took_ms", "0.2")];
        check(
            Level::INFO,
            "saved",
            &quick,
            (EntryKind::Routine, "Saved in under 1 ms"),
        );
        let done = [
            ("from", "8"),
            ("count", "1"),
            ("playing_ms", "1500"),
            ("breeding_ms", "2"),
        ];
        check(
            Level::DEBUG,
            "generations done",
            &done,
            (
                EntryKind::Routine,
                "1 generation done: playing 1.5 s, breeding 2 ms",
            ),
        );
        check(
            Level::INFO,
            "changed genome.add_edge from 0.35 to Some(1000.0)",
            &[("generation", "8")],
            (EntryKind::Change, "Changed add edge from 0.35 to 1,000"),
        );
        check(
            Level::INFO,
            "target reached: accuracy_states>=1",
            &[("generation", "8")],
            (
                EntryKind::Milestone,
                "Target reached: 100% right moves, all positions",
            ),
        );
        check(
            Level::WARN,
            "a file\nis missing",
            &[("found_in", "saves"), ("waited_ms", "20")],
            (
                EntryKind::Problem,
                "A file is missing: found in saves, waited 20 ms",
            ),
        );
        check(
            Level::INFO,
            "started",
            &[],
            (EntryKind::Milestone, "Started"),
        );
    }
}
