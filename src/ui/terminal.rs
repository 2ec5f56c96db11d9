//! The terminal while the dashboard has it: raw mode, the alternate screen, no cursor, and the mouse. However the dashboard
//! ends, the terminal is whole again before anything is printed.

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

use super::TerminalUse;

/// Asks for clicks and the wheel, in SGR form. crossterm's own command asks for every movement too, which means nothing here,
/// and those still on their way when the dashboard is left would be typed into whatever comes next.
const TAKE_MOUSE: &str = "\x1b[?1000h\x1b[?1006h";

type Hook = Arc<dyn Fn(&PanicHookInfo<'_>) + Send + Sync>;

/// Holds the terminal; dropping it gives it back.
pub(super) struct Guard {
    /// Never dropped, since it would complain where the terminal has gone, and complaining there is a panic.
    pub(super) terminal: ManuallyDrop<Terminal<CrosstermBackend<Stdout>>>,
    before: Hook,
    wanted: TerminalUse,
}

impl Guard {
    /// Takes the terminal. A panic of this thread gives it back before its message is printed; that of another thread
    /// prints nothing over the living screen, since the worker tells of it.
    pub(super) fn enter(wanted: TerminalUse) -> io::Result<Self> {
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
        let terminal =
            take(wanted).and_then(|()| Terminal::new(CrosstermBackend::new(io::stdout())));
        match terminal {
            Ok(terminal) => Ok(Self {
                terminal: ManuallyDrop::new(terminal),
                before,
                wanted,
            }),
            Err(error) => {
                restore();
                reset(before);
                Err(error)
            }
        }
    }
}

impl Guard {
    /// Gives the terminal back for a while.
    pub(super) fn let_go(&mut self) {
        // What was hidden is no longer; a drawing hides it again.
        let _ = self.terminal.show_cursor();
        restore();
    }

    /// Takes it again; its modes may be anybody's by now, whether or not it was given back.
    pub(super) fn take(&self) -> io::Result<()> {
        let _ = disable_raw_mode();
        take(self.wanted)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        restore();
        // While panicking the hook must stay; the message has been printed.
        if !thread::panicking() {
            reset(Arc::clone(&self.before));
        }
    }
}

fn reset(hook: Hook) {
    panic::set_hook(Box::new(move |info| hook(info)));
}

/// Brings the terminal into the modes of the dashboard.
fn take(wanted: TerminalUse) -> io::Result<()> {
    enable_raw_mode()?;
    let asked = if wanted.mouse { TAKE_MOUSE } else { "" };
    execute!(io::stdout(), EnterAlternateScreen, Hide, Print(asked))
}

/// Gives the terminal back. There is nobody left to tell of a failure.
fn restore() {
    let _ = disable_raw_mode();
    let _ = execute!(
        io::stdout(),
        DisableMouseCapture,
        LeaveAlternateScreen,
        Show
    );
}
