//! Terminal modes of the dashboard: raw mode, the alternate screen, a hidden cursor, and the mouse.
//! However the dashboard ends, the terminal is restored before anything is printed.

use std::io::{self, Stdout};
use std::mem::ManuallyDrop;
use std::panic::{self, PanicHookInfo};
use std::sync::Arc;
use std::thread;

use crossterm::cursor::{Hide, Show};
use crossterm::event::DisableMouseCapture;
use crossterm::execute;
use crossterm::style::Print;
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;

use finches_engine::text::one_line;

use super::named_colors::NamedColors;
use super::settings::TerminalSettings;

/// Enables clicks and the wheel in SGR encoding. crossterm's own command also enables movements.
/// They are not used here, and those still in transit when the dashboard closes would be typed into
/// the shell.
const ENABLE_MOUSE: &str = "\x1b[?1000h\x1b[?1006h";

type Hook = Arc<dyn Fn(&PanicHookInfo<'_>) + Send + Sync>;

/// Owns the terminal and restores it when dropped.
pub(super) struct TerminalGuard {
    /// Never dropped: after the terminal has closed, its destructor would print an error, and
    /// printing would panic.
    pub(super) terminal: ManuallyDrop<Terminal<CrosstermBackend<NamedColors<Stdout>>>>,
    previous_hook: Hook,
    wanted: TerminalSettings,
}

impl TerminalGuard {
    /// Takes the terminal. A panic of this thread restores it before the message is printed. A
    /// panic of another thread prints nothing over the screen; the worker reports it.
    pub(super) fn enter(wanted: TerminalSettings) -> io::Result<Self> {
        let before: Hook = Arc::from(panic::take_hook());
        let hook = Arc::clone(&before);
        let own = thread::current().id();
        panic::set_hook(Box::new(move |info| {
            tracing::error!(target: "finches::panic", "{info}");
            if thread::current().id() == own {
                restore();
                hook(info);
            }
        }));
        let backend = CrosstermBackend::new(NamedColors::new(io::stdout()));
        let terminal = take(wanted).and_then(|()| Terminal::new(backend));
        match terminal {
            Ok(terminal) => Ok(Self {
                terminal: ManuallyDrop::new(terminal),
                previous_hook: before,
                wanted,
            }),
            Err(error) => {
                restore();
                restore_hook(before);
                Err(error)
            }
        }
    }
}

impl TerminalGuard {
    /// Restores the terminal temporarily.
    pub(super) fn release(&mut self) {
        // The next frame hides the cursor again.
        let _ = self.terminal.show_cursor();
        restore();
    }

    /// Rings the bell, and shows a message as a notification of the desktop where the terminal has
    /// them (OSC 9).
    pub(super) fn ring(&self, message: &str) {
        if self.wanted.bell {
            let message = one_line(message);
            // A terminal that has closed is found when the next frame is drawn.
            let _ = execute!(
                io::stdout(),
                Print(format!("\x07\x1b]9;finches: {message}\x07"))
            );
        }
    }

    /// Takes the terminal back. Its modes may have changed in the meantime.
    pub(super) fn take(&self) -> io::Result<()> {
        let _ = disable_raw_mode();
        take(self.wanted)
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        restore();
        // While panicking the hook must stay in place; the message has been printed.
        if !thread::panicking() {
            restore_hook(Arc::clone(&self.previous_hook));
        }
    }
}

/// Puts a text into the clipboard where the terminal allows it (OSC 52).
pub(super) fn copy(text: &str) {
    // A terminal that has closed is found when the next frame is drawn.
    let _ = execute!(
        io::stdout(),
        Print(format!("\x1b]52;c;{}\x07", base64(text.as_bytes())))
    );
}

/// The Base64 encoding of RFC 4648, section 4.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for part in bytes.chunks(3) {
        let mut group = [0; 4];
        group[1..=part.len()].copy_from_slice(part);
        let number = u32::from_be_bytes(group);
        for place in 0..4 {
            let digit = DIGITS[(number >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= part.len() {
                digit.into()
            } else {
                '='
            });
        }
    }
    text
}

fn restore_hook(hook: Hook) {
    panic::set_hook(Box::new(move |info| hook(info)));
}

/// Sets the terminal modes of the dashboard.
fn take(wanted: TerminalSettings) -> io::Result<()> {
    enable_raw_mode()?;
    let asked = if wanted.mouse { ENABLE_MOUSE } else { "" };
    execute!(io::stdout(), EnterAlternateScreen, Hide, Print(asked))
}

/// Restores the terminal. Errors are ignored, since they cannot be shown.
fn restore() {
    let _ = disable_raw_mode();
    let _ = execute!(
        io::stdout(),
        DisableMouseCapture,
        LeaveAlternateScreen,
        Show
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        let check = |text: &str, expected: &str| assert_eq!(base64(text.as_bytes()), expected);
        check("", "");
        check("f", "Zg==");
        check("fo", "Zm8=");
        check("foo", "Zm9v");
        check("foobar", "Zm9vYmFy");
        check("/home/ä", "L2hvbWUvw6Q=");
    }
}
