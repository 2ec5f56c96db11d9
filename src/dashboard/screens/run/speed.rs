//! The speed of a run.

use crate::format;
use crate::model::run::RunModel;
use crate::theme::Theme;

/// The CPU time per fitness game: the time of all threads, without the share spent on measuring.
pub fn cpu_per_game(watch: &RunModel, theme: &Theme) -> String {
    let speed = &watch.speed;
    if speed.games_per_second <= 0.0 {
        return "-".to_owned();
    }
    let playing = watch.facts.threads as f64 * (1.0 - speed.measuring);
    let time = format::time(playing / speed.games_per_second);
    if theme.ascii {
        time.replace('µ', "u")
    } else {
        time
    }
}
