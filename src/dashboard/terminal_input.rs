//! Waits for what the terminal sends. On Unix a thread that waits takes no time at all: it is woken
//! by bytes, by a change of size, and when it is to end.

#[cfg(unix)]
pub(super) use self::unix::{InputStop, TerminalInput};

#[cfg(not(unix))]
pub(super) use self::elsewhere::{InputStop, TerminalInput};

#[cfg(unix)]
mod unix {
    use std::collections::VecDeque;
    use std::fs::File;
    use std::io::{self, ErrorKind, IsTerminal, Read};
    use std::os::fd::{AsFd, AsRawFd};
    use std::os::unix::net::UnixStream;

    use crossterm::event::Event;
    use crossterm::terminal;
    use filedescriptor::{POLLIN, poll, pollfd};
    use signal_hook::SigId;
    use signal_hook::consts::SIGWINCH;
    use signal_hook::low_level::{pipe, unregister};

    use crate::terminal_keys::{Parsed, given_up, parse, patience};

    /// Ends the wait for input when it is dropped.
    pub(crate) struct InputStop(#[expect(dead_code, reason = "it is only closed")] UnixStream);

    /// The terminal, and what it has sent.
    pub(crate) struct TerminalInput {
        terminal: File,
        /// Readable after a change of size.
        resized: UnixStream,
        handler: SigId,
        /// Readable when the wait is to end.
        stopped: UnixStream,
        /// The beginning of a sequence.
        unfinished: Vec<u8>,
        events: VecDeque<Event>,
    }

    impl TerminalInput {
        /// Opens the terminal of the process: standard input if it is one.
        pub(crate) fn open() -> io::Result<(Self, InputStop)> {
            let stdin = io::stdin();
            let terminal = if stdin.is_terminal() {
                File::from(stdin.as_fd().try_clone_to_owned()?)
            } else {
                File::open("/dev/tty")?
            };
            let (resized, signal) = UnixStream::pair()?;
            resized.set_nonblocking(true)?;
            let (stopped, stop) = UnixStream::pair()?;
            let input = Self {
                terminal,
                resized,
                handler: pipe::register(SIGWINCH, signal)?,
                stopped,
                unfinished: Vec::new(),
                events: VecDeque::new(),
            };
            Ok((input, InputStop(stop)))
        }

        /// Waits for the next event; `None` when the wait was ended.
        pub(crate) fn next(&mut self) -> io::Result<Option<Event>> {
            loop {
                if let Some(event) = self.events.pop_front() {
                    return Ok(Some(event));
                }
                if !self.wait()? {
                    return Ok(None);
                }
            }
        }

        /// Waits and reads once; false if the wait was ended.
        fn wait(&mut self) -> io::Result<bool> {
            let sources = [
                self.terminal.as_raw_fd(),
                self.resized.as_raw_fd(),
                self.stopped.as_raw_fd(),
            ];
            let mut sources = sources.map(|fd| pollfd {
                fd,
                events: POLLIN,
                revents: 0,
            });
            let is_whole = self.unfinished.is_empty();
            let wait = (!is_whole).then(|| patience(&self.unfinished));
            let found = match poll(&mut sources, wait) {
                Ok(found) => found,
                Err(filedescriptor::Error::Poll(error) | filedescriptor::Error::Io(error))
                    if error.kind() == ErrorKind::Interrupted =>
                {
                    return Ok(true);
                }
                Err(error) => return Err(io::Error::other(error)),
            };
            if found == 0 {
                self.events.extend(given_up(&self.unfinished));
                self.unfinished.clear();
            }
            let [terminal, resized, stopped] = sources.map(|source| source.revents != 0);
            if stopped {
                return Ok(false);
            }
            if resized {
                // One event stands for all changes so far.
                while self.resized.read(&mut [0; 64]).is_ok_and(|count| count > 0) {}
                let (width, height) = terminal::size()?;
                self.events.push_back(Event::Resize(width, height));
            }
            if terminal {
                self.read()?;
            }
            Ok(true)
        }

        /// Reads and parses what the terminal has sent.
        fn read(&mut self) -> io::Result<()> {
            let mut buffer = [0; 1024];
            let count = match self.terminal.read(&mut buffer) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(count) => count,
                Err(error)
                    if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) =>
                {
                    0
                }
                Err(error) => return Err(error),
            };
            self.unfinished.extend_from_slice(&buffer[..count]);
            let mut begin = 0;
            while begin < self.unfinished.len() {
                begin += match parse(&self.unfinished[begin..]) {
                    Parsed::Event(event, length) => {
                        self.events.push_back(event);
                        length
                    }
                    Parsed::Nothing(length) => length,
                    Parsed::Unfinished => break,
                };
            }
            self.unfinished.drain(..begin);
            Ok(())
        }
    }

    impl Drop for TerminalInput {
        fn drop(&mut self) {
            unregister(self.handler);
        }
    }
}

#[cfg(not(unix))]
mod elsewhere {
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    use crossterm::event::{self, Event};

    /// How long a wait lasts before it is checked whether it is to end.
    const INTERVAL: Duration = Duration::from_millis(50);

    /// Ends the wait for input when it is dropped.
    pub(crate) struct InputStop(Arc<AtomicBool>);

    impl Drop for InputStop {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    /// The terminal.
    pub(crate) struct TerminalInput(Arc<AtomicBool>);

    impl TerminalInput {
        /// Opens the terminal of the process.
        pub(crate) fn open() -> io::Result<(Self, InputStop)> {
            let stop = Arc::default();
            Ok((Self(Arc::clone(&stop)), InputStop(stop)))
        }

        /// Waits for the next event; `None` when the wait was ended.
        pub(crate) fn next(&mut self) -> io::Result<Option<Event>> {
            while !self.0.load(Ordering::Relaxed) {
                if event::poll(INTERVAL)? {
                    return event::read().map(Some);
                }
            }
            Ok(None)
        }
    }
}
