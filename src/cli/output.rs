//! Words on standard output and standard error.

use std::io::{self, IsTerminal, Write};

use super::Stop;

/// Prints text; a closed pipe ends the program quietly.
pub(super) fn print(text: &str) -> Result<(), Stop> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Prints words for a human that are not the output.
pub(super) fn say(words: &str) {
    // Where standard error is closed, nobody wants the words.
    let _ = writeln!(io::stderr(), "{words}");
}

/// Says why the program ends and returns its exit code.
pub(super) fn complain(message: &str, code: u8) -> u8 {
    for line in message.lines() {
        say(&format!("finches: {line}"));
    }
    code
}

/// Whether there is a terminal to draw on and read keys from.
pub(super) fn has_terminal() -> bool {
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stdout().is_terminal() && io::stdin().is_terminal() && !dumb
}
