//! The real program as a child process: its output, exit codes, signals.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// The program, with its saved runs in a folder of the test.
pub(crate) fn finches(saves: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_finches"));
    command.args(words).env("FINCHES_SAVES", saves);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Standard output, standard error and exit code of the program.
pub(crate) fn run(saves: &Path, words: &[&str]) -> (String, String, i32) {
    told(finches(saves, words).output().expect("the program starts"))
}

/// The same with text on standard input.
pub(crate) fn run_with_input(saves: &Path, words: &[&str], input: &str) -> (String, String, i32) {
    let mut child = finches(saves, words)
        .stdin(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin
        .write_all(input.as_bytes())
        .expect("the program reads");
    drop(stdin);
    told(child.wait_with_output().expect("the program ends"))
}

pub(crate) fn told(output: Output) -> (String, String, i32) {
    let text = |bytes| String::from_utf8(bytes).expect("the program prints text");
    let code = output.status.code().expect("the program ends by itself");
    (text(output.stdout), text(output.stderr), code)
}

/// Reads this number of rows of a running run.
pub(crate) fn read_rows(child: &mut Child, rows: usize) -> Vec<String> {
    let stdout = child.stdout.as_mut().expect("it is piped");
    let mut lines = BufReader::new(stdout.by_ref()).lines();
    (0..rows).map_while(|_| lines.next()?.ok()).collect()
}

/// Sends a signal by its name.
pub(crate) fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill")
        .args([&format!("-{name}"), &child.id().to_string()])
        .status();
    assert!(sent.expect("there is a kill command").success());
}

/// A temporary folder for a test.
pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("there is a folder for temporary files")
}

/// The metrics of a run without the column that depends on the clock.
pub(crate) fn figures(saves: &Path, run: &str) -> Vec<String> {
    let text =
        std::fs::read_to_string(saves.join(run).join("metrics.csv")).expect("the run has metrics");
    let without_seconds = |line: &str| {
        let mut fields: Vec<&str> = line.split(',').collect();
        fields.remove(1);
        fields.join(",")
    };
    text.lines().map(without_seconds).collect()
}
