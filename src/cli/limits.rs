//! Limits of numbers on the command line that no preset has.

use std::path::PathBuf;

use finches_engine::play::pool::max_threads;

/// Most games between two players on the command line. Their results are kept until the last is
/// played.
pub(super) const MAX_GAMES: u32 = 1_000_000;

/// The longest move sequences that are counted. Counting takes longer than anyone waits much
/// earlier.
pub(super) const MAX_PERFT: u64 = 100;

/// The longest time between checkpoints in seconds.
pub(super) const MAX_SECONDS: f64 = 1e9;

/// The shortest time for a move in seconds.
const MIN_MOVE_SECONDS: f64 = 0.01;

/// Reads a number of games between two players, of at most `most`. They play from each start
/// position twice, with the sides swapped, so an odd number is one more.
pub(super) fn games(text: &str, most: u32) -> Result<u32, String> {
    let read = text.parse().ok().filter(|games| (1..=most).contains(games));
    let games = read.ok_or_else(|| format!("must be a number from 1 to {most}"))?;
    Ok(games + games % 2)
}

/// Reads a number of threads. Many more threads than cores do nothing but wait for each other.
pub(super) fn threads(text: &str) -> Result<usize, String> {
    let most = max_threads();
    let wanted = text.parse().ok().filter(|wanted| *wanted <= most);
    wanted.ok_or_else(|| {
        format!(
            "must be a number from 1 to {most}, 8 for each core of this machine, or 0 for the \
            default"
        )
    })
}

/// Reads the path of a drawing.
pub(super) fn svg(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let is_svg = path.extension().is_some_and(|ending| ending == "svg");
    is_svg
        .then_some(path)
        .ok_or("a drawing ends with .svg".to_owned())
}

/// Reads the time for a move in seconds.
pub(super) fn move_seconds(text: &str) -> Result<f64, String> {
    let read = text.parse().ok();
    let read = read.filter(|seconds| (MIN_MOVE_SECONDS..=MAX_SECONDS).contains(seconds));
    read.ok_or_else(|| {
        format!("must be a number of seconds from {MIN_MOVE_SECONDS} to {MAX_SECONDS}")
    })
}

/// Reads a time in seconds.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    let read = text.parse().ok();
    let read = read.filter(|seconds| (0.0..=MAX_SECONDS).contains(seconds));
    read.ok_or_else(|| format!("must be a number of seconds from 0 to {MAX_SECONDS}"))
}
