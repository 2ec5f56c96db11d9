//! Text on standard output and standard error. What a terminal would act on is escaped, since names
//! and descriptions may come from files of others.

use std::io::{self, IsTerminal, Write};

use finches_engine::text::{escape, escape_json};

use super::CliError;

/// Prints text for readers to standard output. A closed pipe ends the program silently.
pub(super) fn print(text: &str) -> Result<(), CliError> {
    write(&escape(text))
}

/// Prints JSON to standard output.
pub(super) fn print_json(text: &str) -> Result<(), CliError> {
    write(&escape_json(text))
}

/// Prints text for other programs to standard output, unchanged unless it is shown by a terminal.
pub(super) fn print_data(text: &str) -> Result<(), CliError> {
    if io::stdout().is_terminal() {
        print(text)
    } else {
        write(text)
    }
}

fn write(text: &str) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Prints a line to standard error.
pub(super) fn eprint_line(line: &str) {
    // Standard error may be closed.
    let _ = writeln!(io::stderr(), "{}", escape(line));
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
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stdout().is_terminal() && io::stdin().is_terminal() && !dumb
}
