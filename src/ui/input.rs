//! Keys, the mouse and signals, brought to the event loop over a channel.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};

use super::mouse::Mouse;

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
    pub(super) fn start() -> std::io::Result<Self> {
        let (out, input) = unbounded();
        let done = Arc::new(AtomicBool::new(false));
        let mut signals = Signals::new([SIGTERM, SIGINT, SIGHUP])?;
        let handle = signals.handle();
        let (keys, stop) = (out.clone(), Arc::clone(&done));
        let reader = thread::Builder::new()
            .name("keys".to_owned())
            .spawn(move || read(&keys, &stop))?;
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
fn read(out: &Sender<Input>, stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        let input = match event::poll(PATIENCE) {
            Ok(false) => continue,
            Ok(true) => match event::read() {
                // Some terminals also tell when a key is let go.
                Ok(Event::Key(key)) if key.kind != KeyEventKind::Release => Input::Key(key),
                Ok(Event::Resize(width, height)) => Input::Resize(width, height),
                Ok(Event::Mouse(event)) => match Mouse::of(event) {
                    Some(mouse) => Input::Mouse(mouse),
                    None => continue,
                },
                Ok(_) => continue,
                Err(_) => Input::Closed,
            },
            Err(_) => Input::Closed,
        };
        if out.send(input).is_err() || input == Input::Closed {
            return;
        }
    }
}
