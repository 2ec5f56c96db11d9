//! What the program tells of itself while it works: `tracing` events, kept in memory for whoever shows them, written to the log
//! of the run that goes on, and spoken where someone listens. It prints nothing itself.

use std::collections::VecDeque;
use std::fmt::{self, Write as _};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Metadata, Subscriber};
use tracing_subscriber::Registry;
use tracing_subscriber::filter::{ParseError, Targets};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

use crate::storage::run_log::RunLog;

pub use tracing::Level;

/// Something that was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its place among all that was told, from 0.
    pub number: u64,
    /// Time since the program began.
    pub since: Duration,
    /// Seconds since 1970.
    pub clock: u64,
    pub level: Level,
    /// The part of the program that told it, such as `run`.
    pub part: String,
    pub words: String,
    /// What belongs to it, by name.
    pub fields: Vec<(String, String)>,
}

impl Entry {
    /// The entry in one line.
    pub fn line(&self) -> String {
        let mut line = format!("{:<5} {}: {}", self.level.as_str(), self.part, self.words);
        for (name, value) in &self.fields {
            // Writing to a string can't fail.
            let _ = write!(line, " {name}={value}");
        }
        line.replace('\n', " ")
    }

    /// The date and time, in UTC.
    pub fn date(&self) -> String {
        let (days, second) = (self.clock / 86_400, self.clock % 86_400);
        let (year, month, day) = civil(days as i64);
        let (hour, minute) = (second / 3600, second / 60 % 60);
        format!(
            "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{:02}",
            second % 60
        )
    }
}

/// The date so many days after the first of 1970 (Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`).
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day = days.rem_euclid(146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let rest = day - (365 * year + year / 4 - year / 100);
    let shifted = (5 * rest + 2) / 153;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year + era * 400 + i64::from(month <= 2);
    (year, month, rest - (153 * shifted + 2) / 5 + 1)
}

/// Entries of one level that are kept; older ones go, so that what is told often does not drive out what matters.
const MOST: usize = 2000;

/// What is done with each entry besides keeping it.
type Speak = Box<dyn Fn(&Entry) + Send + Sync>;

/// Keeps what is told. Its clones are the same journal.
#[derive(Clone)]
pub struct Journal {
    book: Arc<Mutex<Book>>,
    began: Instant,
}

struct Book {
    count: u64,
    /// By level, from errors to traces, the oldest first.
    kept: [VecDeque<Entry>; 5],
    file: Option<RunLog>,
    /// What goes to the file of a run.
    written: Targets,
    speak: Option<Speak>,
}

impl fmt::Debug for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Journal").finish_non_exhaustive()
    }
}

impl Default for Journal {
    fn default() -> Self {
        Self::writing(Targets::new().with_default(LevelFilter::INFO))
    }
}

/// Reads what is to be told: a level, or levels by part such as `info,finches::run=trace`.
pub fn levels(text: &str) -> Result<Targets, String> {
    // A word alone would count as the name of a part.
    let words = text.split(',').map(str::trim);
    let mut alone = words.filter(|word| !word.contains('='));
    let fault = alone.find_map(|word| word.parse::<LevelFilter>().err());
    let read = match fault {
        Some(fault) => Err(fault.to_string()),
        None => text.parse().map_err(|error: ParseError| error.to_string()),
    };
    read.map_err(|fault| {
        format!(
            "`{text}`: {fault}; a level is error, warn, info, debug, trace or off, and parts have theirs as in info,finches::run=debug"
        )
    })
}

impl Journal {
    fn writing(written: Targets) -> Self {
        Self {
            book: Arc::new(Mutex::new(Book {
                count: 0,
                kept: Default::default(),
                file: None,
                written,
                speak: None,
            })),
            began: Instant::now(),
        }
    }

    /// Hears all that the program tells from now on; `wanted` is what goes to the files of runs, and no less than that is
    /// kept. There is one such journal in a program; later ones hear nothing.
    pub fn install(wanted: Option<Targets>, kept: LevelFilter) -> Self {
        let written = wanted.unwrap_or_else(|| Targets::new().with_default(LevelFilter::INFO));
        let heard = Targets::new().with_default(kept).with_targets(
            written
                .iter()
                .map(|(part, level)| (part.to_owned(), level.max(kept))),
        );
        let heard = match written.default_level() {
            Some(level) => heard.with_default(level.max(kept)),
            None => heard,
        };
        let journal = Self::writing(written);
        let layer = Hearing(journal.clone()).with_filter(heard);
        // A second journal would be one of a test.
        let _ = tracing::subscriber::set_global_default(Registry::default().with(layer));
        journal
    }

    /// Hands every further entry to `speak`, which must not tell anything itself.
    pub fn speak(&self, speak: impl Fn(&Entry) + Send + Sync + 'static) {
        self.book().speak = Some(Box::new(speak));
    }

    /// Writes the log into the folder of a run from now on, or into none.
    pub fn follow(&self, folder: Option<&Path>) {
        let file = folder.map(RunLog::open).transpose();
        let fault = file.as_ref().err().map(ToString::to_string);
        self.book().file = file.unwrap_or_default();
        if let Some(fault) = fault {
            tracing::warn!("the log of the run can't be written: {fault}");
        }
    }

    /// The entries told since that number, in their order.
    pub fn since(&self, number: u64) -> Vec<Entry> {
        let book = self.book();
        let fresh = |kept: &VecDeque<Entry>| {
            let from = kept.partition_point(|entry| entry.number < number);
            kept.range(from..).cloned().collect::<Vec<_>>()
        };
        let mut entries: Vec<Entry> = book.kept.iter().flat_map(fresh).collect();
        entries.sort_by_key(|entry| entry.number);
        entries
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        // What a panic left is whole: entries are put in at once.
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, told: Told, metadata: &Metadata<'_>) {
        let clock = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let target = metadata.target();
        let mut guard = self.book();
        let book = &mut *guard;
        let entry = Entry {
            number: book.count,
            since: self.began.elapsed(),
            clock: clock.map_or(0, |clock| clock.as_secs()),
            level: *metadata.level(),
            part: target
                .strip_prefix("finches::")
                .unwrap_or(target)
                .to_owned(),
            words: told.words,
            fields: told.fields,
        };
        book.count += 1;
        if book.written.would_enable(target, metadata.level()) {
            let line = format!("{} {}", entry.date(), entry.line());
            // A log that can't be written is given up; what matters is told by the run itself.
            if book
                .file
                .as_mut()
                .is_some_and(|file| file.line(&line).is_err())
            {
                book.file = None;
            }
        }
        if let Some(speak) = &book.speak {
            speak(&entry);
        }
        let kept = &mut book.kept[rank(entry.level)];
        if kept.len() == MOST {
            kept.pop_front();
        }
        kept.push_back(entry);
    }
}

/// 0 for errors to 4 for traces.
pub fn rank(level: Level) -> usize {
    [Level::ERROR, Level::WARN, Level::INFO, Level::DEBUG]
        .iter()
        .position(|known| *known == level)
        .unwrap_or(4)
}

/// Brings `tracing` events to the journal.
struct Hearing(Journal);

impl<S: Subscriber> Layer<S> for Hearing {
    fn on_event(&self, event: &Event<'_>, _context: Context<'_, S>) {
        let mut told = Told::default();
        event.record(&mut told);
        self.0.take(told, event.metadata());
    }
}

/// What an event says.
#[derive(Default)]
struct Told {
    words: String,
    fields: Vec<(String, String)>,
}

impl Visit for Told {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let value = format!("{value:?}");
        match field.name() {
            "message" => self.words = value,
            name => self.fields.push((name.to_owned(), value)),
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.record_debug(field, &format_args!("{value}"));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        let value = (value * 1e3).round() / 1e3;
        self.record_debug(field, &format_args!("{value}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A journal that hears what `tell` tells on this thread.
    fn hearing(tell: impl FnOnce(&Journal)) -> Journal {
        let journal = Journal::default();
        let layers = Registry::default().with(Hearing(journal.clone()));
        tracing::subscriber::with_default(layers, || tell(&journal));
        journal
    }

    #[test]
    fn what_is_told_often_does_not_drive_out_what_matters() {
        let journal = hearing(|_| {
            tracing::warn!(left = 3, "the disk is full");
            for number in 0..3 * MOST {
                tracing::debug!(number, "a generation");
            }
        });
        let entries = journal.since(0);
        assert_eq!(entries.len(), MOST + 1, "each level is bounded");
        assert_eq!(entries[0].words, "the disk is full");
        assert_eq!(entries[0].fields, [("left".to_owned(), "3".to_owned())]);
        assert_eq!(
            entries[0].line(),
            "WARN  journal::tests: the disk is full left=3"
        );
        assert_eq!(journal.since(3 * MOST as u64).len(), 1, "only what is new");
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (days, expected) in [
            (0, (1970, 1, 1)),
            (59, (1970, 3, 1)),
            (11_016, (2000, 2, 29)),
            (20_454, (2026, 1, 1)),
        ] {
            assert_eq!(civil(days), expected);
        }
    }

    #[test]
    fn levels_are_read_or_refused_with_what_would_do() {
        assert!(levels("debug").is_ok() && levels("info,finches::run=trace").is_ok());
        for text in ["loud", "finches=loud", "info,loud"] {
            let fault = levels(text).expect_err("there is no such level");
            assert!(
                fault.contains("loud") && fault.contains("a level is"),
                "{fault}"
            );
        }
    }
}
