//! Text on standard output and standard error.

use std::io::{self, Write};

use super::CliError;

/// Prints text to standard output. A closed pipe ends the program silently.
pub(super) fn print(text: &str) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Prints a line to standard error.
pub(super) fn eprint_line(line: &str) {
    // Standard error may be closed.
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints why the program ends and returns its exit code.
pub(super) fn report_error(message: &str, code: u8) -> u8 {
    for line in message.lines() {
        eprint_line(&format!("finches: {line}"));
    }
    code
}

/// Whether standard input and output are a terminal that can show the dashboard.
#[cfg(feature = "dashboard")]
pub(super) fn has_terminal() -> bool {
    use std::io::IsTerminal;
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stdout().is_terminal() && io::stdin().is_terminal() && !dumb
}
