//! Times until something happens, of which some ended before it did: censored times.

/// How long something was watched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WatchedTime {
    /// The time of the event, or of the end without it.
    pub at: f64,
    /// Whether the event happened.
    pub is_event: bool,
}

/// The share without an event from each time of an event on (Kaplan & Meier 1958), as pairs of time
/// and share.
pub fn kaplan_meier(times: &[WatchedTime]) -> Vec<(f64, f64)> {
    let mut left = 1.0;
    let step = |at: f64| {
        let (events, watched) = counts(times, at);
        left *= 1.0 - events / watched;
        (at, left)
    };
    event_times(times).into_iter().map(step).collect()
}

/// The two-sided p-value of the log-rank test of two samples (Mantel 1966; Peto & Peto 1972), by
/// the normal approximation. `None` if a sample is empty.
pub fn log_rank(first: &[WatchedTime], second: &[WatchedTime]) -> Option<f64> {
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let (mut surplus, mut variance) = (0.0, 0.0);
    for at in event_times(&[first, second].concat()) {
        let (own_events, own) = counts(first, at);
        let (other_events, other) = counts(second, at);
        let (events, all) = (own_events + other_events, own + other);
        surplus += own_events - events * own / all;
        if all > 1.0 {
            variance += events * own * other * (all - events) / (all * all * (all - 1.0));
        }
    }
    if variance <= 0.0 {
        return Some(1.0);
    }
    Some(libm::erfc(surplus.abs() / (2.0 * variance).sqrt()))
}

/// The times of events in ascending order, each once.
fn event_times(times: &[WatchedTime]) -> Vec<f64> {
    let events = times.iter().filter(|time| time.is_event);
    let mut all: Vec<f64> = events.map(|time| time.at).collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

/// How many events there are at a time, and how many are still watched then.
fn counts(times: &[WatchedTime], at: f64) -> (f64, f64) {
    let watched = times.iter().filter(|time| time.at >= at);
    let events = watched
        .clone()
        .filter(|time| time.is_event && time.at <= at);
    (events.count() as f64, watched.count() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(events: &[f64], censored: &[f64]) -> Vec<WatchedTime> {
        let time = |is_event| move |&at: &f64| WatchedTime { at, is_event };
        let events = events.iter().map(time(true));
        events.chain(censored.iter().map(time(false))).collect()
    }

    /// Weeks of remission of leukemia with 6-mercaptopurine and with a placebo (Freireich et al.
    /// 1963), the example of most textbooks.
    fn remissions() -> [Vec<WatchedTime>; 2] {
        let treated = [6.0, 6.0, 6.0, 7.0, 10.0, 13.0, 16.0, 22.0, 23.0];
        let censored = [
            6.0, 9.0, 10.0, 11.0, 17.0, 19.0, 20.0, 25.0, 32.0, 32.0, 34.0, 35.0,
        ];
        let placebo = [
            1.0, 1.0, 2.0, 2.0, 3.0, 4.0, 4.0, 5.0, 5.0, 8.0, 8.0, 8.0, 8.0, 11.0, 11.0, 12.0,
            12.0, 15.0, 17.0, 22.0, 23.0,
        ];
        [times(&treated, &censored), times(&placebo, &[])]
    }

    #[test]
    fn the_estimate_is_the_textbook_one() {
        let [treated, _] = remissions();
        let found = kaplan_meier(&treated);
        let expected = [
            (6.0, 0.8571),
            (7.0, 0.8067),
            (10.0, 0.7529),
            (13.0, 0.6902),
            (16.0, 0.6275),
            (22.0, 0.5378),
            (23.0, 0.4482),
        ];
        assert_eq!(found.len(), expected.len());
        for ((at, share), (other, known)) in found.into_iter().zip(expected) {
            assert!(
                at.total_cmp(&other).is_eq() && (share - known).abs() < 1e-4,
                "{at} {share}"
            );
        }
        assert_eq!(kaplan_meier(&times(&[], &[5.0])), []);
    }

    #[test]
    fn the_log_rank_test_gives_the_textbook_values() {
        let [treated, placebo] = remissions();
        // R: survdiff, chi-squared 16.79 with 1 degree of freedom.
        let p = log_rank(&treated, &placebo).expect("there are times");
        assert!((p - 4.17e-5).abs() < 1e-7, "{p}");
        assert_eq!(log_rank(&placebo, &placebo), Some(1.0));
        assert_eq!(
            log_rank(&times(&[], &[5.0]), &times(&[], &[5.0])),
            Some(1.0)
        );
        assert_eq!(log_rank(&placebo, &[]), None);
    }
}
