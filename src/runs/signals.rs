//! Signals of the operating system. Where there are no Unix signals, an interrupt and a request to
//! end are all there is.

use std::time::{Duration, Instant};

#[cfg(unix)]
pub use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
#[cfg(unix)]
pub use signal_hook::iterator::Signals;
#[cfg(unix)]
pub use signal_hook::{
    consts::{SIGCONT, SIGTSTP, SIGUSR1},
    iterator::Handle,
};

#[cfg(not(unix))]
pub use elsewhere::{Handle, SIGCONT, SIGTSTP, SIGUSR1};
#[cfg(not(unix))]
pub use elsewhere::{SIGHUP, SIGINT, SIGTERM, Signals};

/// How long signals are one request. Those that end a program often come in a row: GNU timeout
/// signals the process and its group, GNU parallel signals three times, a session that ends sends
/// SIGHUP and SIGTERM, and an impatient hand presses Ctrl-C twice.
const ONE_REQUEST: Duration = Duration::from_secs(2);

/// What a signal that ends the program means after those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndRequest {
    /// To save and end.
    First,
    /// Nothing more than the first.
    Repeated,
    /// To end without saving.
    GiveUp,
}

/// The requests to end of a program.
#[derive(Clone, Copy, Debug, Default)]
pub struct EndRequests(Option<Instant>);

impl EndRequests {
    /// What a signal means that arrives at `now`. Only an interrupt gives up, a while after the
    /// first request.
    pub fn take(&mut self, signal: i32, now: Instant) -> EndRequest {
        match self.0 {
            None => {
                self.0 = Some(now);
                EndRequest::First
            }
            Some(first) if signal == SIGINT && now - first >= ONE_REQUEST => EndRequest::GiveUp,
            Some(_) => EndRequest::Repeated,
        }
    }
}

/// Lets a write beyond the limit on the size of files fail, where it would end the process.
pub fn survive_file_size_limit() {
    // Without it, such a write ends the process, and the run can be resumed.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

/// Stops the process until the shell resumes it. Does nothing where no shell can.
pub fn stop_process() {
    // A process that cannot be stopped continues.
    #[cfg(unix)]
    let _ = signal_hook::low_level::emulate_default_handler(SIGTSTP);
}

/// The same interface over the flags that a handler may set there.
#[cfg(not(unix))]
mod elsewhere {
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::Duration;

    pub use signal_hook::consts::{SIGINT, SIGTERM};

    /// The number that a Unix system gives it; it never arrives.
    pub const SIGHUP: i32 = 1;
    /// The number that Linux gives it; it never arrives.
    pub const SIGCONT: i32 = 18;
    /// The number that Linux gives it; it never arrives.
    pub const SIGTSTP: i32 = 20;
    /// The number that Linux gives it; it never arrives.
    pub const SIGUSR1: i32 = 10;

    /// How long a signal may wait to be noticed.
    const POLL_INTERVAL: Duration = Duration::from_millis(50);

    /// The signals that have arrived.
    pub struct Signals {
        flags: Vec<(i32, Arc<AtomicBool>)>,
        handle: Handle,
    }

    /// Ends the wait for signals.
    #[derive(Clone)]
    pub struct Handle(Arc<AtomicBool>);

    impl Handle {
        /// Ends [`Signals::forever`].
        pub fn close(&self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    impl Signals {
        /// Catches those of the signals that the system knows.
        pub fn new(signals: impl IntoIterator<Item = i32>) -> io::Result<Self> {
            let known = |signal: &i32| [SIGINT, SIGTERM].contains(signal);
            let flags = signals.into_iter().filter(known).map(|signal| {
                let flag = Arc::new(AtomicBool::new(false));
                signal_hook::flag::register(signal, Arc::clone(&flag))?;
                Ok((signal, flag))
            });
            Ok(Self {
                flags: flags.collect::<io::Result<_>>()?,
                handle: Handle(Arc::default()),
            })
        }

        /// Ends the iteration of these signals from another thread.
        pub fn handle(&self) -> Handle {
            self.handle.clone()
        }

        /// Waits for each signal in turn, until the handle is closed.
        pub fn forever(&mut self) -> impl Iterator<Item = i32> {
            std::iter::from_fn(|| {
                while !self.handle.0.load(Ordering::Relaxed) {
                    let mut flags = self.flags.iter();
                    let arrived = flags.find(|(_, flag)| flag.swap(false, Ordering::Relaxed));
                    if let Some((signal, _)) = arrived {
                        return Some(*signal);
                    }
                    thread::sleep(POLL_INTERVAL);
                }
                None
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What signals mean that arrive after so many milliseconds.
    fn check(signals: &[(i32, u64)], expected: &[EndRequest]) {
        let (mut requests, began) = (EndRequests::default(), Instant::now());
        let found = signals
            .iter()
            .map(|&(signal, after)| requests.take(signal, began + Duration::from_millis(after)));
        assert_eq!(found.collect::<Vec<_>>(), expected, "{signals:?}");
    }

    #[test]
    fn only_a_late_interrupt_gives_up() {
        use EndRequest::{First, GiveUp, Repeated};
        check(&[(SIGINT, 0), (SIGINT, 1)], &[First, Repeated]);
        check(&[(SIGINT, 0), (SIGINT, 1999)], &[First, Repeated]);
        check(&[(SIGINT, 0), (SIGINT, 2000)], &[First, GiveUp]);
        check(
            &[
                (SIGTERM, 0),
                (SIGTERM, 150),
                (SIGTERM, 9000),
                (SIGINT, 9001),
            ],
            &[First, Repeated, Repeated, GiveUp],
        );
        check(&[(SIGHUP, 0), (SIGTERM, 3000)], &[First, Repeated]);
    }
}
