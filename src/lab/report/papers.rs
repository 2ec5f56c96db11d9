//! The publications that can be made again: those shipped inside the program, and files.

use std::path::Path;

use finches_engine::preset::PresetError;
use finches_runs::storage::{presets, shipped};

use super::paper::Paper;

/// The words of the publications on the command line, in their order.
pub fn names() -> Vec<&'static str> {
    shipped::papers()
        .into_iter()
        .map(|(name, _)| name)
        .collect()
}

/// All publications.
///
/// # Panics
///
/// If a shipped one can't be read, which a test excludes.
pub fn all() -> Vec<Paper> {
    let read = |(name, text): (&str, &str)| {
        let origin = format!("presets/papers/{name}.ron");
        Paper::parse(text, name, Path::new(&origin)).expect("it is included")
    };
    shipped::papers().into_iter().map(read).collect()
}

/// The publication in a file. Fails with all that is wrong with it.
pub fn open(path: &Path) -> Result<Paper, PresetError> {
    let (name, text) = presets::read_file(path)?;
    let paper = Paper::parse(&text, &name, path)?;
    let problems = paper.problems(&text);
    if problems.is_empty() {
        return Ok(paper);
    }
    Err(PresetError {
        origin: path.display().to_string(),
        problems,
    })
}
