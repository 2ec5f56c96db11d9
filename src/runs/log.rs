//! The log: `tracing` events are kept in memory for the Log screen, written to the log file of the
//! current run, and passed to a hook. This module prints nothing itself.

use std::collections::VecDeque;
use std::fmt::{self, Write as _};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use thiserror::Error;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Metadata, Subscriber};
use tracing_subscriber::Registry;
use tracing_subscriber::filter::{ParseError, Targets};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

use crate::storage::run_log::RunLogFile;
use finches_engine::text::one_line;

pub use tracing::Level;

/// An entry of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// Its number, counted from 0 over the whole program.
    pub number: u64,
    /// Time since the program started.
    pub elapsed: Duration,
    /// Seconds since 1970-01-01, UTC.
    pub unix_seconds: u64,
    /// How severe it is.
    pub level: Level,
    /// The module that logged it, such as `run`.
    pub module: String,
    /// What happened.
    pub message: String,
    /// Names and values.
    pub fields: Vec<(String, String)>,
}

impl LogEntry {
    /// The entry as one line of text.
    pub fn line(&self) -> String {
        let mut line = format!(
            "{:<5} {}: {}",
            self.level.as_str(),
            self.module,
            self.message
        );
        for (name, value) in &self.fields {
            // Writing to a string can't fail.
            let _ = write!(line, " {name}={value}");
        }
        one_line(&line)
    }

    /// The date and time, in UTC.
    pub fn date(&self) -> String {
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(self.unix_seconds);
        let text = humantime::format_rfc3339_seconds(time).to_string();
        text.replace('T', " ").replace('Z', "")
    }
}

/// Entries kept per level. Each level has its own limit, so that frequent entries do not push out
/// important ones.
const MAX_ENTRIES_PER_LEVEL: usize = 2000;

/// Called with each new entry.
type EntryHook = Box<dyn Fn(&LogEntry) + Send + Sync>;

/// Keeps the log entries. Clones share the same buffer.
#[derive(Clone)]
pub struct LogBuffer {
    state: Arc<Mutex<LogState>>,
    began: Instant,
}

struct LogState {
    count: u64,
    /// By level, from errors to traces; the oldest entry first.
    kept: [VecDeque<LogEntry>; 5],
    file: Option<RunLogFile>,
    /// What is written to the log file of a run.
    to_file: Targets,
    hook: Option<EntryHook>,
}

impl fmt::Debug for LogBuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LogBuffer").finish_non_exhaustive()
    }
}

impl Default for LogBuffer {
    fn default() -> Self {
        Self::with_file_levels(Targets::new().with_default(LevelFilter::INFO))
    }
}

/// A text that is neither a level nor a list of levels by module.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{text}`: {problem}; a level is error, warn, info, debug, trace or off; for levels by module \
    write info,finches::run=debug"
)]
pub struct LevelsError {
    text: String,
    problem: String,
}

/// The module of a record, without its crate where that is one of ours.
fn module_of(target: &str) -> &str {
    let parts = target.split_once("::");
    parts.map_or(target, |(name, module)| {
        if name.starts_with("finches") {
            module
        } else {
            target
        }
    })
}

/// Parses a level, or levels by module, such as `info,finches::run=trace`.
pub fn parse_levels(text: &str) -> Result<Targets, LevelsError> {
    // `Targets` would read a single word that is not a level as the name of a module.
    let words = text.split(',').map(str::trim);
    let mut alone = words.filter(|word| !word.contains('='));
    let bad_level = alone.find_map(|word| word.parse::<LevelFilter>().err());
    let read = match bad_level {
        Some(error) => Err(error.to_string()),
        None => text.parse().map_err(|error: ParseError| error.to_string()),
    };
    read.map_err(|problem| LevelsError {
        text: text.to_owned(),
        problem,
    })
}

impl LogBuffer {
    fn with_file_levels(to_file: Targets) -> Self {
        Self {
            state: Arc::new(Mutex::new(LogState {
                count: 0,
                kept: Default::default(),
                file: None,
                to_file,
                hook: None,
            })),
            began: Instant::now(),
        }
    }

    /// Installs a buffer that collects all log events from now on. `wanted` is what is written to
    /// the log files of runs; at least that is kept in memory, and everything up to level `kept`.
    /// Only the first buffer of a process is installed; later ones stay empty.
    pub fn install(wanted: Option<Targets>, kept: LevelFilter) -> Self {
        let to_file = wanted.unwrap_or_else(|| Targets::new().with_default(LevelFilter::INFO));
        let enabled = Targets::new().with_default(kept).with_targets(
            to_file
                .iter()
                .map(|(module, level)| (module.to_owned(), level.max(kept))),
        );
        let enabled = match to_file.default_level() {
            Some(level) => enabled.with_default(level.max(kept)),
            None => enabled,
        };
        let buffer = Self::with_file_levels(to_file);
        let layer = LogLayer(buffer.clone()).with_filter(enabled);
        // This fails only in tests, where a buffer is installed already.
        let _ = tracing::subscriber::set_global_default(Registry::default().with(layer));
        buffer
    }

    /// Calls `hook` for every new entry. The hook must not log anything itself.
    pub fn on_entry(&self, hook: impl Fn(&LogEntry) + Send + Sync + 'static) {
        self.state().hook = Some(Box::new(hook));
    }

    /// Writes the log to the folder of a run from now on, or to no file if `None`.
    pub fn write_to_folder(&self, folder: Option<&Path>) {
        let file = folder.map(RunLogFile::open).transpose();
        let error = file.as_ref().err().map(ToString::to_string);
        self.state().file = file.unwrap_or_default();
        if let Some(error) = error {
            tracing::warn!("can't write the log file of the run: {error}");
        }
    }

    /// The kept entries from `number` on, in order.
    pub fn entries_since(&self, number: u64) -> Vec<LogEntry> {
        let state = self.state();
        let new = |kept: &VecDeque<LogEntry>| {
            let from = kept.partition_point(|entry| entry.number < number);
            kept.range(from..).cloned().collect::<Vec<_>>()
        };
        let mut entries: Vec<LogEntry> = state.kept.iter().flat_map(new).collect();
        entries.sort_by_key(|entry| entry.number);
        entries
    }

    fn state(&self) -> MutexGuard<'_, LogState> {
        // Each entry is added in one step, so the state is valid even after a panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn record(&self, fields: EventFields, metadata: &Metadata<'_>) {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let target = metadata.target();
        let mut guard = self.state();
        let state = &mut *guard;
        let entry = LogEntry {
            number: state.count,
            elapsed: self.began.elapsed(),
            unix_seconds: now.map_or(0, |now| now.as_secs()),
            level: *metadata.level(),
            module: module_of(target).to_owned(),
            message: fields.message,
            fields: fields.fields,
        };
        state.count += 1;
        if state.to_file.would_enable(target, metadata.level()) {
            let line = format!("{} {}", entry.date(), entry.line());
            // A log file that can't be written is given up. The run reports its own save errors.
            if state
                .file
                .as_mut()
                .is_some_and(|file| file.write_line(&line).is_err())
            {
                state.file = None;
            }
        }
        if let Some(hook) = &state.hook {
            hook(&entry);
        }
        let kept = &mut state.kept[level_index(entry.level)];
        if kept.len() == MAX_ENTRIES_PER_LEVEL {
            kept.pop_front();
        }
        kept.push_back(entry);
    }
}

/// 0 for errors to 4 for traces.
pub fn level_index(level: Level) -> usize {
    [Level::ERROR, Level::WARN, Level::INFO, Level::DEBUG]
        .iter()
        .position(|known| *known == level)
        .unwrap_or(4)
}

/// Passes `tracing` events to the buffer.
struct LogLayer(LogBuffer);

impl<S: Subscriber> Layer<S> for LogLayer {
    fn on_event(&self, event: &Event<'_>, _context: Context<'_, S>) {
        let mut fields = EventFields::default();
        event.record(&mut fields);
        self.0.record(fields, event.metadata());
    }
}

/// The message and fields of an event.
#[derive(Default)]
struct EventFields {
    message: String,
    fields: Vec<(String, String)>,
}

impl Visit for EventFields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let value = format!("{value:?}");
        match field.name() {
            "message" => self.message = value,
            name => self.fields.push((name.to_owned(), value)),
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.record_debug(field, &format_args!("{value}"));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        // A share is rounded once more where it is shown in percent.
        let digits = if value.abs() < 1.0 { 1e6 } else { 1e3 };
        let value = (value * digits).round() / digits;
        self.record_debug(field, &format_args!("{value}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A buffer with the events that `write` logs on this thread.
    fn captured(write: impl FnOnce(&LogBuffer)) -> LogBuffer {
        let buffer = LogBuffer::default();
        let layers = Registry::default().with(LogLayer(buffer.clone()));
        tracing::subscriber::with_default(layers, || write(&buffer));
        buffer
    }

    #[test]
    fn frequent_entries_do_not_push_out_important_ones() {
        let buffer = captured(|_| {
            tracing::warn!(left = 3, "the disk is full");
            for number in 0..3 * MAX_ENTRIES_PER_LEVEL {
                tracing::debug!(number, "a generation");
            }
        });
        let entries = buffer.entries_since(0);
        assert_eq!(
            entries.len(),
            MAX_ENTRIES_PER_LEVEL + 1,
            "each level is bounded"
        );
        assert_eq!(entries[0].message, "the disk is full");
        assert_eq!(entries[0].fields, [("left".to_owned(), "3".to_owned())]);
        assert_eq!(
            entries[0].line(),
            "WARN  log::tests: the disk is full left=3"
        );
        assert_eq!(
            buffer.entries_since(3 * MAX_ENTRIES_PER_LEVEL as u64).len(),
            1,
            "only what is new"
        );
    }

    #[test]
    fn an_entry_is_one_line_that_no_terminal_acts_on() {
        let buffer = captured(|_| tracing::info!(preset = "x\r; touch y\n\u{1b}[2J", "resumed"));
        let line = buffer.entries_since(0)[0].line();
        assert_eq!(
            line,
            "INFO  log::tests: resumed preset=x ; touch y \\u{1b}[2J"
        );
    }

    #[test]
    fn levels_are_parsed_or_rejected_with_advice() {
        assert!(parse_levels("debug").is_ok() && parse_levels("info,finches::run=trace").is_ok());
        for text in ["loud", "finches=loud", "info,loud"] {
            let error = parse_levels(text)
                .expect_err("there is no such level")
                .to_string();
            assert!(
                error.contains("loud") && error.contains("a level is"),
                "{error}"
            );
        }
    }
}
