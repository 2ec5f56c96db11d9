//! Lines to and from a program, within limits of time and length. Threads of their own write to it
//! and read what it prints, so that a program that hangs cannot stop a game.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStderr, ChildStdin};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::text::one_line;

use super::process::{PipeEnds, Process};
use super::protocol::EngineFailure;

/// The longest line, in bytes. The rest of a longer one is a line of its own.
const MAX_LINE: u64 = 1 << 16;

/// Lines that wait to be read. A program that prints more has to wait; one that leaves more unread
/// fails.
const MAX_WAITING_LINES: usize = 256;

/// The longest answer, in bytes.
const MAX_ANSWER: usize = 1 << 16;

/// How often it is checked whether a program that says nothing has ended.
const ENDED_POLL: Duration = Duration::from_millis(50);

/// Characters of the last line in an error.
const SHOWN: usize = 200;

/// The pauses before the standard error of a program that ended is looked at again, and how many
/// there are at most. A child of it may keep the pipe open.
const COMPLAINT_POLL: Duration = Duration::from_millis(10);
const COMPLAINT_POLLS: usize = 100;

/// A program with its pipes.
pub(super) struct Pipe {
    process: Process,
    /// What is to be sent, and what it has printed.
    requests: SyncSender<String>,
    lines: Receiver<String>,
    /// The last line on its standard error.
    complaint: Arc<Mutex<Option<String>>>,
    /// Reads its standard error.
    complaint_reader: JoinHandle<()>,
    /// The last line on its standard output.
    last: Option<String>,
    /// The bytes of its answer so far.
    answered: usize,
    /// The time for an answer.
    limit: Duration,
    deadline: Instant,
}

impl Pipe {
    /// Starts a program.
    pub(super) fn start(words: &[String], limit: Duration) -> Result<Self, EngineFailure> {
        let cannot = |error: io::Error| EngineFailure::Failed(format!("can't start it ({error})"));
        let (process, ends) = Process::start(words).map_err(cannot)?;
        let PipeEnds {
            stdin,
            stdout,
            stderr,
        } = ends;
        let (sender, lines) = sync_channel(MAX_WAITING_LINES);
        let complaint = Arc::default();
        in_background(move || pass_on(stdout, &sender)).map_err(cannot)?;
        let (requests, unsent) = sync_channel(MAX_WAITING_LINES);
        in_background(move || write_all(stdin, &unsent)).map_err(cannot)?;
        let kept = Arc::clone(&complaint);
        let complaint_reader = in_background(move || keep_last(stderr, &kept)).map_err(cannot)?;
        Ok(Self {
            process,
            requests,
            lines,
            complaint,
            complaint_reader,
            last: None,
            answered: 0,
            limit,
            deadline: Instant::now() + limit,
        })
    }

    /// Restarts the clock: the answers from now on must come within the limits together.
    pub(super) fn restart_clock(&mut self) {
        self.deadline = Instant::now() + self.limit;
        self.answered = 0;
    }

    /// Sends a line.
    pub(super) fn send(&mut self, line: &str) -> Result<(), EngineFailure> {
        let sent = self.requests.try_send(format!("{line}\n"));
        sent.map_err(|error| match error {
            TrySendError::Full(_) => EngineFailure::failed("it does not read what it is sent"),
            TrySendError::Disconnected(_) => self.ended(),
        })
    }

    /// The failure of a program that closed its pipes. What it printed last on its standard error
    /// is read first.
    fn ended(&self) -> EngineFailure {
        let ending = self.process.ending();
        for _ in 0..COMPLAINT_POLLS {
            if self.complaint_reader.is_finished() {
                break;
            }
            thread::sleep(COMPLAINT_POLL);
        }
        EngineFailure::Failed(ending)
    }

    /// The next line that it prints, without its line break.
    pub(super) fn line(&mut self) -> Result<String, EngineFailure> {
        let line = self.next_line()?;
        self.answered += line.len() + 1;
        if !line.trim().is_empty() {
            self.last = Some(line.clone());
        }
        if self.answered > MAX_ANSWER {
            let most = MAX_ANSWER >> 10;
            let reason = format!("it printed more than {most} kB instead of an answer");
            return Err(EngineFailure::Failed(reason));
        }
        Ok(line)
    }

    fn next_line(&self) -> Result<String, EngineFailure> {
        loop {
            // A child of it may keep the pipe open.
            let has_ended = self.process.has_ended();
            let left = self.deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(ENDED_POLL)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Timeout) if !has_ended && !left.is_zero() => {}
                Err(RecvTimeoutError::Timeout) if !has_ended => {
                    let limit = self.limit.as_secs_f64();
                    return Err(EngineFailure::Failed(format!("no answer within {limit} s")));
                }
                Err(_) => return Err(self.ended()),
            }
        }
    }

    /// A failure with what the program printed last.
    pub(super) fn explained(&self, failure: EngineFailure) -> EngineFailure {
        let EngineFailure::Failed(reason) = failure else {
            return failure;
        };
        let said = self.last.as_deref().map_or_else(
            || "it said nothing".to_owned(),
            |line| format!("it said last `{}`", shown(line)),
        );
        let complaint = self.complaint.lock();
        let complaint = complaint.unwrap_or_else(PoisonError::into_inner);
        let complained = complaint.as_deref().map_or_else(String::new, |line| {
            format!(", and `{}` on standard error", shown(line))
        });
        EngineFailure::Failed(format!("{reason}; {said}{complained}"))
    }
}

/// A line of a program in an error message.
fn shown(line: &str) -> String {
    let line: String = line.trim().chars().take(SHOWN).collect();
    one_line(&line)
}

/// Runs the work on a thread, which ends when the program closes its pipe.
fn in_background(work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    let thread = thread::Builder::new().name("outside".to_owned());
    thread.spawn(work)
}

/// Writes all lines until the program or the sender is gone.
fn write_all(mut stdin: ChildStdin, lines: &Receiver<String>) {
    while let Ok(line) = lines.recv() {
        let written = stdin.write_all(line.as_bytes());
        if written.and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Passes on each line until the program or the reader is gone.
fn pass_on(stdout: impl Read, lines: &SyncSender<String>) {
    let mut stdout = BufReader::new(stdout);
    while let Some(line) = next_line(&mut stdout) {
        if lines.send(line).is_err() {
            return;
        }
    }
}

/// Keeps the last line that is not empty.
fn keep_last(stderr: ChildStderr, last: &Mutex<Option<String>>) {
    let mut stderr = BufReader::new(stderr);
    while let Some(line) = next_line(&mut stderr) {
        if !line.trim().is_empty() {
            *last.lock().unwrap_or_else(PoisonError::into_inner) = Some(line);
        }
    }
}

fn next_line(input: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    let read = input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line);
    if !matches!(read, Ok(1..)) {
        return None;
    }
    let text = String::from_utf8_lossy(&line);
    Some(text.trim_end_matches(['\n', '\r']).to_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_does_not_read_is_not_waited_for() {
        let words = ["sleep", "300"].map(str::to_owned);
        let limit = Duration::from_secs(100);
        let mut pipe = Pipe::start(&words, limit).expect("there is such a program");
        let line = "x".repeat(1000);
        let sent: Result<(), EngineFailure> = (0..1000).try_for_each(|_| pipe.send(&line));
        let failure = sent.expect_err("it can't all be kept");
        assert_eq!(failure.to_string(), "it does not read what it is sent");
    }
}
