//! Keys, the mouse and signals, brought to the event loop over a channel.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::iterator::{Handle, Signals};

use super::mouse::Mouse;
use super::theme::choice::Answer;

/// What comes from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Input {
    Key(KeyEvent),
    Mouse(Mouse),
    Resize(u16, u16),
    Signal(i32),
    /// The terminal has gone.
    Closed,
}

/// Whether a key asks the program to end as a signal does.
pub(super) fn is_interrupt(key: KeyEvent) -> bool {
    key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL)
}

/// How long the reader waits before it looks whether it is still wanted.
const PATIENCE: Duration = Duration::from_millis(50);

/// Two threads that listen. Dropping it ends them where they can be ended, so that keys go to whoever comes next.
pub(super) struct Listeners {
    pub(super) input: Receiver<Input>,
    done: Arc<AtomicBool>,
    signals: Handle,
    threads: Vec<JoinHandle<()>>,
}

impl Listeners {
    pub(super) fn start(answer: Answer) -> std::io::Result<Self> {
        let (out, input) = unbounded();
        let done = Arc::new(AtomicBool::new(false));
        let mut signals = Signals::new([SIGTERM, SIGINT, SIGHUP, SIGTSTP, SIGCONT])?;
        let handle = signals.handle();
        let (keys, stop) = (out.clone(), Arc::clone(&done));
        let reader = thread::Builder::new()
            .name("keys".to_owned())
            .spawn(move || read(&keys, &stop, answer))?;
        let listener = thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || {
                for signal in signals.forever() {
                    if out.send(Input::Signal(signal)).is_err() {
                        return;
                    }
                }
            })?;
        Ok(Self {
            input,
            done,
            signals: handle,
            threads: vec![reader, listener],
        })
    }
}

impl Drop for Listeners {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        self.signals.close();
        // A reader whose terminal has gone may be caught in its reading; it is left to the end of the process.
        let asked = Instant::now();
        let caught = |thread: &JoinHandle<()>| !thread.is_finished();
        while self.threads.iter().any(caught) && asked.elapsed() < PATIENCE * 4 {
            thread::sleep(PATIENCE / 10);
        }
    }
}

/// Reads the terminal until told to stop.
fn read(out: &Sender<Input>, stop: &AtomicBool, answer: Answer) {
    let mut late = Late::new(answer);
    while !stop.load(Ordering::Relaxed) {
        let input = match event::poll(PATIENCE) {
            Ok(false) => continue,
            Ok(true) => match event::read() {
                Ok(event) => match meaning(&event) {
                    Some(Input::Key(key)) if late.takes(key) => continue,
                    Some(input) => input,
                    None => continue,
                },
                Err(_) => Input::Closed,
            },
            Err(_) => Input::Closed,
        };
        if out.send(input).is_err() || input == Input::Closed {
            return;
        }
    }
}

/// What an event of the terminal means, if anything.
fn meaning(event: &Event) -> Option<Input> {
    match *event {
        // Some terminals also tell when a key is let go.
        Event::Key(key) => (key.kind != KeyEventKind::Release).then_some(Input::Key(key)),
        Event::Resize(width, height) => Some(Input::Resize(width, height)),
        Event::Mouse(event) => Mouse::of(event).map(Input::Mouse),
        _ => None,
    }
}

/// Whether a key asks the program to stop for a while as a signal does.
pub(super) fn is_suspend(key: KeyEvent) -> bool {
    key.code == KeyCode::Char('z') && key.modifiers.contains(KeyModifiers::CONTROL)
}

/// The answer to the question for the colors, where it comes so late that nobody waits for it any more: `ESC ] 11 ; rgb : ...`
/// and a bell, which would be taken for keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Late {
    /// Answers that may come: for the text and for the ground.
    Awaited(u8),
    /// The midst of one, with as many more to come.
    Within(u8),
}

impl Late {
    fn new(answer: Answer) -> Self {
        match answer {
            Answer::None => Self::Awaited(0),
            Answer::Late => Self::Awaited(2),
        }
    }

    /// Whether a key is a part of an answer.
    fn takes(&mut self, key: KeyEvent) -> bool {
        let alt = key.modifiers == KeyModifiers::ALT;
        let (next, takes) = match (*self, key.code) {
            (Self::Awaited(more @ 1..), KeyCode::Char(']')) if alt => {
                (Self::Within(more - 1), true)
            }
            // A bell ends it, which is Ctrl-G, or a string terminator, which is Alt-\.
            (Self::Within(more), KeyCode::Char('\\')) if alt => (Self::Awaited(more), true),
            (Self::Within(more), KeyCode::Char('g')) if key.modifiers == KeyModifiers::CONTROL => {
                (Self::Awaited(more), true)
            }
            (Self::Within(more), KeyCode::Char(letter))
                if letter.is_ascii_hexdigit() || ";:/rgba".contains(letter) =>
            {
                (Self::Within(more), true)
            }
            (Self::Awaited(more) | Self::Within(more), _) => (Self::Awaited(more), false),
        };
        *self = next;
        takes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys that a terminal seems to send, as far as they are not of an answer.
    fn left(answer: Answer, sent: &str) -> String {
        let mut late = Late::new(answer);
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
            if !late.takes(key) {
                left.push(letter);
            }
        }
        left
    }

    #[test]
    fn an_answer_that_comes_late_is_not_typed() {
        let colors = "\x1b]10;rgb:dede/e2e2/ffff\x07q\x1b]11;rgb:0000/0000/0000\x1b\\s";
        assert_eq!(left(Answer::Late, colors), "qs");
        assert_eq!(left(Answer::Late, "e1\x1b]n1e"), "e1n1e");
        assert_eq!(left(Answer::None, "\x1b]11"), "]11");
    }

    #[test]
    fn a_key_that_is_let_go_means_nothing() {
        let key = |kind| {
            let key = KeyEvent::new_with_kind(KeyCode::Char('q'), KeyModifiers::NONE, kind);
            meaning(&Event::Key(key))
        };
        assert_eq!(key(KeyEventKind::Release), None);
        for kind in [KeyEventKind::Press, KeyEventKind::Repeat] {
            assert!(matches!(key(kind), Some(Input::Key(_))), "{kind:?}");
        }
        assert_eq!(meaning(&Event::FocusGained), None);
    }
}
