//! Judges the health of the shown run from time to time, in the background and only while the games
//! are quick: a round robin whose games nobody sees. No drawing.

use std::time::{Duration, Instant};

use crate::model::health::RunHealth;

/// The first generation at which a run is judged. Later it is judged whenever it has twice as many.
const FIRST: u64 = 50;

/// The longest that a check takes. A run whose games take longer is judged only when the user wants
/// to.
pub(super) const LIMIT: Duration = Duration::from_secs(3);

/// How many times as long as a check took there is none, so that evolution keeps its processors.
const REST: u32 = 20;

/// When the run is judged, its latest verdict, and whether the Run screen has to be told of it.
#[derive(Default)]
pub(super) struct HealthChecks {
    /// The generation at which the next check is due; `None` once a check took too long.
    due: Option<u64>,
    began: Option<Instant>,
    rests_until: Option<Instant>,
    /// The only source of what is said of the health, on all screens.
    pub(super) latest: Option<RunHealth>,
    is_news: bool,
}

impl HealthChecks {
    pub(super) fn new() -> Self {
        Self {
            due: Some(FIRST),
            ..Self::default()
        }
    }

    /// Whether a check should begin now, with the champion of `generation`. If so, it counts as
    /// begun.
    pub(super) fn begins(&mut self, generation: u64, now: Instant) -> bool {
        let is_due = self.due.is_some_and(|due| generation >= due);
        let rests = self.rests_until.is_some_and(|until| now < until);
        if !is_due || rests || self.began.is_some() {
            return false;
        }
        self.due = Some(generation.saturating_mul(2));
        self.began = Some(now);
        true
    }

    /// Takes in the end of a check; `is_whole` is false if it was stopped before its end.
    pub(super) fn end(&mut self, is_whole: bool, now: Instant) {
        let Some(began) = self.began.take() else {
            return;
        };
        let took = now.saturating_duration_since(began);
        self.rests_until = now.checked_add(took * REST);
        if !is_whole && took >= LIMIT {
            self.due = None;
        }
    }

    pub(super) fn set_latest(&mut self, health: RunHealth) {
        (self.latest, self.is_news) = (Some(health), true);
    }

    /// The verdict since the last call.
    pub(super) fn take_news(&mut self) -> Option<RunHealth> {
        let is_news = std::mem::take(&mut self.is_news);
        self.latest.clone().filter(|_| is_news)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_rare_and_stop_where_games_take_long() {
        let start = Instant::now();
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        let mut checks = HealthChecks::new();
        assert!(!checks.begins(FIRST - 1, at(0)), "too early");
        assert!(checks.begins(FIRST, at(0)));
        assert!(!checks.begins(10 * FIRST, at(0)), "one at a time");
        checks.end(true, at(1));
        assert!(
            !checks.begins(2 * FIRST - 1, at(100)),
            "not twice as many generations"
        );
        assert!(!checks.begins(2 * FIRST, at(20)), "a twentieth of the time");
        assert!(checks.begins(2 * FIRST, at(21)));
        checks.end(false, at(22));
        assert!(checks.begins(1000, at(1000)), "stopped by the user");
        checks.end(false, at(1000) + LIMIT);
        assert!(!checks.begins(u64::MAX, at(100_000)), "too slow");
    }
}
