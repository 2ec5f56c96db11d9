//! Reads keys, the mouse and signals, and sends them to the event loop. Signals have a channel of
//! their own, so that they need not wait for keys.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use finches_runs::signals::{Handle, SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGUSR1, Signals};

use super::mouse::MouseInput;
use super::terminal_input::{InputStop, TerminalInput};
use super::theme::choice::TerminalReply;

/// An input from outside the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Input {
    Key(KeyEvent),
    Mouse(MouseInput),
    Resize(u16, u16),
    /// The terminal has closed.
    Closed,
}

/// Whether a key is Ctrl-C, which acts like SIGINT.
fn is_interrupt(key: KeyEvent) -> bool {
    key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL)
}

/// How long the end of the threads is waited for.
const LONGEST_END: Duration = Duration::from_millis(200);

/// The thread that catches signals. It must be started before anything changes the modes of the
/// terminal, which a signal would leave changed.
pub(super) struct SignalListener {
    pub(super) signals: Receiver<i32>,
    sender: Sender<i32>,
    handle: Handle,
    thread: JoinHandle<()>,
    /// Whether a request to end is carried out at once, because nothing else can.
    is_loading: Arc<AtomicBool>,
}

impl SignalListener {
    pub(super) fn start() -> std::io::Result<Self> {
        let (sender, signals) = unbounded();
        let mut caught = Signals::new([SIGTERM, SIGINT, SIGHUP, SIGTSTP, SIGCONT, SIGUSR1])?;
        let (handle, out) = (caught.handle(), sender.clone());
        let is_loading = Arc::new(AtomicBool::new(false));
        let ends_at_once = Arc::clone(&is_loading);
        let thread = thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || {
                for signal in caught.forever() {
                    if is_request_to_end(signal) && ends_at_once.load(Ordering::Relaxed) {
                        process::exit(128 + signal);
                    }
                    if out.send(signal).is_err() {
                        return;
                    }
                }
            })?;
        Ok(Self {
            signals,
            sender,
            handle,
            thread,
            is_loading,
        })
    }

    /// From now on, until the dashboard opens, a request to end is carried out at once: files are
    /// read, and the modes of the terminal are unchanged. Returns the signal that has already
    /// arrived.
    pub(super) fn begin_loading(&self) -> Option<i32> {
        self.is_loading.store(true, Ordering::Relaxed);
        self.signals
            .try_iter()
            .find(|&signal| is_request_to_end(signal))
    }
}

fn is_request_to_end(signal: i32) -> bool {
    ![SIGTSTP, SIGCONT, SIGUSR1].contains(&signal)
}

/// The two threads that read input. Dropping it ends them if possible, so that later keys go to the
/// shell.
pub(super) struct Listeners {
    pub(super) input: Receiver<Input>,
    stop: Option<InputStop>,
    signals: Handle,
    threads: [JoinHandle<()>; 2],
}

impl Listeners {
    /// Starts to read keys and the mouse. Ctrl-C is sent as a signal.
    pub(super) fn start(listener: SignalListener, answer: TerminalReply) -> std::io::Result<Self> {
        listener.is_loading.store(false, Ordering::Relaxed);
        let (keys, input) = unbounded();
        let (terminal, stop) = TerminalInput::open()?;
        let mut reader = InputReader {
            terminal,
            keys,
            signals: listener.sender,
        };
        let reader = thread::Builder::new()
            .name("keys".to_owned())
            .spawn(move || reader.read(answer))?;
        Ok(Self {
            input,
            stop: Some(stop),
            signals: listener.handle,
            threads: [reader, listener.thread],
        })
    }
}

impl Drop for Listeners {
    fn drop(&mut self) {
        drop(self.stop.take());
        self.signals.close();
        // A reader whose terminal has closed may be blocked; it ends with the process.
        let asked = Instant::now();
        let caught = |thread: &JoinHandle<()>| !thread.is_finished();
        while self.threads.iter().any(caught) && asked.elapsed() < LONGEST_END {
            thread::sleep(LONGEST_END / 40);
        }
    }
}

/// Sends what it reads from the terminal.
struct InputReader {
    terminal: TerminalInput,
    keys: Sender<Input>,
    signals: Sender<i32>,
}

impl InputReader {
    /// Reads terminal events until it is stopped or the terminal has closed.
    fn read(&mut self, answer: TerminalReply) {
        let mut late = LateReply::new(answer);
        loop {
            let input = match self.terminal.next() {
                Ok(Some(event)) => match to_input(&event) {
                    Some(Input::Key(key)) if late.consumes(key) => continue,
                    Some(input) => input,
                    None => continue,
                },
                Ok(None) => return,
                Err(_) => Input::Closed,
            };
            if !self.send(input) || input == Input::Closed {
                return;
            }
        }
    }

    /// Passes an input on; returns whether it could be sent.
    fn send(&self, input: Input) -> bool {
        match input {
            Input::Key(key) if is_interrupt(key) => self.signals.send(SIGINT).is_ok(),
            input => self.keys.send(input).is_ok(),
        }
    }
}

/// Converts a terminal event; `None` for events that the program ignores.
fn to_input(event: &Event) -> Option<Input> {
    match *event {
        // Some terminals also report key releases.
        Event::Key(key) => (key.kind != KeyEventKind::Release).then_some(Input::Key(key)),
        Event::Resize(width, height) => Some(Input::Resize(width, height)),
        Event::Mouse(event) => MouseInput::from_event(event).map(Input::Mouse),
        _ => None,
    }
}

/// Whether a key is Ctrl-Z, which acts like SIGTSTP.
pub(super) fn is_suspend(key: KeyEvent) -> bool {
    key.code == KeyCode::Char('z') && key.modifiers.contains(KeyModifiers::CONTROL)
}

/// Filters out a late reply to the query for the terminal's colors. Such a reply,
/// `ESC ] 11 ; rgb : ...` and a bell, would otherwise be read as keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LateReply {
    /// Number of replies that may still arrive, for text and background.
    Waiting(u8),
    /// Inside a reply, with this many more to come.
    Inside(u8),
}

impl LateReply {
    fn new(answer: TerminalReply) -> Self {
        match answer {
            TerminalReply::None => Self::Waiting(0),
            TerminalReply::Late => Self::Waiting(2),
        }
    }

    /// Whether a key is part of a reply.
    fn consumes(&mut self, key: KeyEvent) -> bool {
        let alt = key.modifiers == KeyModifiers::ALT;
        let (next, takes) = match (*self, key.code) {
            (Self::Waiting(more @ 1..), KeyCode::Char(']')) if alt => {
                (Self::Inside(more - 1), true)
            }
            // It ends with a bell (Ctrl-G) or a string terminator (Alt-\).
            (Self::Inside(more), KeyCode::Char('\\')) if alt => (Self::Waiting(more), true),
            (Self::Inside(more), KeyCode::Char('g')) if key.modifiers == KeyModifiers::CONTROL => {
                (Self::Waiting(more), true)
            }
            (Self::Inside(more), KeyCode::Char(letter))
                if letter.is_ascii_hexdigit() || ";:/rgba".contains(letter) =>
            {
                (Self::Inside(more), true)
            }
            (Self::Waiting(more) | Self::Inside(more), _) => (Self::Waiting(more), false),
        };
        *self = next;
        takes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys of a sequence that are not part of a reply.
    fn left(answer: TerminalReply, sent: &str) -> String {
        let mut late = LateReply::new(answer);
        let mut held = KeyModifiers::NONE;
        let mut left = String::new();
        for letter in sent.chars() {
            let key = match letter {
                '\x1b' => {
                    held = KeyModifiers::ALT;
                    continue;
                }
                '\x07' => KeyEvent::new(KeyCode::Char('g'), KeyModifiers::CONTROL),
                letter => KeyEvent::new(KeyCode::Char(letter), held),
            };
            held = KeyModifiers::NONE;
            if !late.consumes(key) {
                left.push(letter);
            }
        }
        left
    }

    #[test]
    fn a_late_reply_is_not_read_as_keys() {
        let colors = "\x1b]10;rgb:dede/e2e2/ffff\x07q\x1b]11;rgb:0000/0000/0000\x1b\\s";
        assert_eq!(left(TerminalReply::Late, colors), "qs");
        assert_eq!(left(TerminalReply::Late, "e1\x1b]n1e"), "e1n1e");
        assert_eq!(left(TerminalReply::None, "\x1b]11"), "]11");
    }

    #[test]
    fn key_releases_are_ignored() {
        let key = |kind| {
            let key = KeyEvent::new_with_kind(KeyCode::Char('q'), KeyModifiers::NONE, kind);
            to_input(&Event::Key(key))
        };
        assert_eq!(key(KeyEventKind::Release), None);
        for kind in [KeyEventKind::Press, KeyEventKind::Repeat] {
            assert!(matches!(key(kind), Some(Input::Key(_))), "{kind:?}");
        }
        assert_eq!(to_input(&Event::FocusGained), None);
    }
}
