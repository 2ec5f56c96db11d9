//! Feeds mutated inputs to a reader, and keeps those that fail.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::Once;
use std::time::{Duration, Instant};

use crate::support::root;

use self::mutate::{Dice, mutate};

#[path = "mutate.rs"]
mod mutate;

/// A reader of some input.
pub(crate) struct Target {
    /// Also the name of its folder of inputs.
    pub(crate) name: &'static str,
    /// Valid inputs to start from.
    pub(crate) corpus: Vec<Vec<u8>>,
    /// What its format is made of.
    pub(crate) words: Vec<&'static str>,
    /// Reads an input. Inputs with a new result are mutated further, so results should be few:
    /// numbers and quoted text count as the same.
    pub(crate) read: fn(&[u8]) -> String,
}

/// How long a target is tested without `FINCHES_FUZZ`.
const SHORT: Duration = Duration::from_secs(1);

/// The longest that an input may take; the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(5);

/// Most inputs that are mutated further.
const POOL: usize = 4000;

thread_local! {
    /// The message of the last panic of a target on this thread; `None` outside of targets.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps the messages of targets' panics from the screen.
fn catch_messages() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let text = info.to_string();
            let caught = PANIC.with_borrow_mut(|message| {
                let is_ours = message.is_some();
                if is_ours {
                    *message = Some(text);
                }
                is_ours
            });
            if !caught {
                before(info);
            }
        }));
    });
}

/// The result of an input, or the message of its panic.
fn read(target: &Target, data: &[u8]) -> Result<String, String> {
    PANIC.set(Some(String::new()));
    let result = panic::catch_unwind(AssertUnwindSafe(|| (target.read)(data)));
    let message = PANIC.take().unwrap_or_default();
    result.map_err(|_| message)
}

/// What a result is about: its letters outside of quotes.
fn signature(result: &str) -> u64 {
    let mut hash = DefaultHasher::new();
    let mut quotes = 0;
    for letter in result.chars().take(400) {
        quotes += u32::from(letter == '`' || letter == '"');
        if quotes % 2 == 0 && letter.is_alphabetic() {
            letter.hash(&mut hash);
        }
    }
    hash.finish()
}

/// The inputs of a target that once failed.
fn corpus_folder(name: &str) -> PathBuf {
    root().join("tests/corpus").join(name)
}

fn failed_before(name: &str) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(corpus_folder(name)).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let bytes = paths.iter().filter_map(|path| fs::read(path).ok());
    bytes.collect()
}

/// Prints a line at once, also while the output of tests is kept back.
fn print(line: &str) {
    writeln!(io::stderr(), "{line}").expect("standard error is open");
}

/// A test of a target in progress.
struct Fuzzing<'a> {
    target: &'a Target,
    pool: Vec<Vec<u8>>,
    known: BTreeSet<u64>,
    /// Each kind of failure, with the file of its input.
    failures: Vec<String>,
    slowest: (Duration, PathBuf),
    /// Holds the input that is being read, so that it is known after an abort.
    current: Option<PathBuf>,
    inputs: u64,
}

impl Fuzzing<'_> {
    fn feed(&mut self, data: Vec<u8>) {
        if let Some(current) = &self.current {
            fs::write(current, &data).expect("there is room");
        }
        self.inputs += 1;
        let began = Instant::now();
        let mut result = read(self.target, &data);
        let mut taken = began.elapsed();
        if taken > PATIENCE {
            let again = Instant::now();
            result = read(self.target, &data);
            taken = taken.min(again.elapsed());
        }
        if taken > self.slowest.0 {
            self.slowest = (taken, self.slowest.1.clone());
            if self.current.is_some() {
                fs::write(&self.slowest.1, &data).expect("there is room");
            }
        }
        if taken > PATIENCE {
            self.fail("takes long", &data);
        }
        match result {
            Ok(result) if self.known.insert(signature(&result)) => self.keep(data),
            Ok(_) => {}
            Err(message) => self.fail(&message, &data),
        }
    }

    fn keep(&mut self, data: Vec<u8>) {
        if self.pool.len() < POOL {
            self.pool.push(data);
        }
    }

    /// Writes down an input that fails in a new way.
    fn fail(&mut self, message: &str, data: &[u8]) {
        let place = message.lines().next().unwrap_or_default();
        if self.failures.iter().any(|known| known.contains(place)) {
            return;
        }
        let folder = corpus_folder(self.target.name);
        let path = folder.join(format!("failed-{:016x}", signature(message)));
        fs::create_dir_all(&folder).expect("the folder is writable");
        fs::write(&path, data).expect("the folder is writable");
        let failure = format!("{}: {message}", path.display());
        print(&failure);
        self.failures.push(failure);
    }
}

/// Feeds a target its corpus, all inputs that failed before, and mutations of them.
#[track_caller]
pub(crate) fn check(target: &Target) {
    catch_messages();
    let number = |name| std::env::var(name).ok()?.parse::<u64>().ok();
    let (wanted, seed) = (number("FINCHES_FUZZ"), number("FINCHES_FUZZ_SEED"));
    let file = |what: &str| std::env::temp_dir().join(format!("fuzz-{}-{what}", target.name));
    let mut fuzzing = Fuzzing {
        target,
        pool: Vec::new(),
        known: BTreeSet::new(),
        failures: Vec::new(),
        slowest: (Duration::ZERO, file("slowest")),
        current: wanted.map(|_| file("current")),
        inputs: 0,
    };
    let began = Instant::now();
    for data in target
        .corpus
        .iter()
        .cloned()
        .chain(failed_before(target.name))
    {
        fuzzing.pool.push(data.clone());
        fuzzing.feed(data);
    }
    let mut dice = Dice::new(seed.unwrap_or(1));
    let mut told = Instant::now();
    let goes_on = |inputs| wanted.map_or(began.elapsed() < SHORT, |wanted| inputs < wanted);
    while goes_on(fuzzing.inputs) {
        let base = dice.one(&fuzzing.pool).cloned().unwrap_or_default();
        let data = mutate(&mut dice, &base, &fuzzing.pool, &target.words);
        fuzzing.feed(data);
        if told.elapsed() > Duration::from_secs(20) {
            told = Instant::now();
            fuzzing.tell(began);
        }
    }
    if wanted.is_some() {
        fuzzing.tell(began);
    }
    assert!(fuzzing.failures.is_empty(), "{:#?}", fuzzing.failures);
}

impl Fuzzing<'_> {
    fn tell(&self, began: Instant) {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        print(&format!(
            "{}: {} inputs in {} s, {} kinds of result, {} failures, slowest {:?} ({}), memory {}",
            self.target.name,
            self.inputs,
            began.elapsed().as_secs(),
            self.known.len(),
            self.failures.len(),
            self.slowest.0,
            self.slowest.1.display(),
            peak.unwrap_or("unknown").trim(),
        ));
    }
}
