//! The pace of a run on screen: how many generations per second are done at most. It changes no
//! figure and is not recorded.

use std::fmt;
use std::time::Duration;

use thiserror::Error;

/// The paces to choose from, in generations per second. Full speed is above the last.
const STEPS: [u32; 9] = [1, 2, 5, 10, 25, 50, 100, 250, 500];

/// The generations per second at most; by default there is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pace(Option<u32>);

impl Pace {
    /// As many generations as the machine can do.
    pub const FULL: Self = Self(None);

    /// The pace nearest to a number of generations per second.
    pub fn nearest(generations_per_second: f64) -> Self {
        let distance = |step: &u32| (f64::from(*step) - generations_per_second).abs();
        let nearest = STEPS.into_iter();
        Self(nearest.min_by(|one, other| distance(one).total_cmp(&distance(other))))
    }

    /// The generations per second; `None` at full speed.
    pub fn limit(self) -> Option<u32> {
        self.0
    }

    /// The time from the start of one generation to the start of the next; `None` at full speed.
    pub fn interval(self) -> Option<Duration> {
        self.0.map(|limit| Duration::from_secs(1) / limit)
    }

    /// The next faster pace.
    #[must_use]
    pub fn faster(self) -> Self {
        let faster = |own| STEPS.into_iter().find(|&step| step > own);
        Self(self.0.and_then(faster))
    }

    /// The next slower pace.
    #[must_use]
    pub fn slower(self) -> Self {
        let own = self.0.unwrap_or(u32::MAX);
        let slower = STEPS.into_iter().rfind(|&step| step < own);
        Self(slower.or(self.0))
    }

    /// Reads one of the paces: a number of generations per second, or `full`.
    ///
    /// # Errors
    ///
    /// Any other text.
    pub fn parse(text: &str) -> Result<Self, PaceError> {
        let known = |number: &u32| STEPS.contains(number);
        match text.parse::<u32>().ok().filter(known) {
            Some(number) => Ok(Self(Some(number))),
            None if text == "full" => Ok(Self::FULL),
            None => Err(PaceError),
        }
    }
}

/// A text that is no pace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there are {} and full", STEPS.map(|step| step.to_string()).join(", "))]
pub struct PaceError;

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(limit) => write!(f, "{limit} gen/s"),
            None => f.write_str("full speed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paces_go_from_one_generation_a_second_to_full_speed_and_back() {
        let mut paces = vec![Pace::FULL];
        while let Some(&last) = paces.last().filter(|last| last.slower() != **last) {
            assert_eq!(last.slower().faster(), last);
            paces.push(last.slower());
        }
        assert_eq!(paces.len(), STEPS.len() + 1);
        assert_eq!(paces[STEPS.len()].interval(), Some(Duration::from_secs(1)));
        assert_eq!(Pace::FULL.faster(), Pace::FULL);
    }

    #[test]
    fn a_pace_is_read_by_its_number() {
        assert_eq!(Pace::parse("10"), Ok(Pace(Some(10))));
        assert_eq!(Pace::parse("full"), Ok(Pace::FULL));
        let error = Pace::parse("7").expect_err("there is no such pace");
        let error = error.to_string();
        assert!(error.starts_with("there are 1, 2, 5"), "{error}");
        assert_eq!(Pace::nearest(12.0), Pace(Some(10)));
        assert_eq!(Pace::nearest(0.1).to_string(), "1 gen/s");
    }
}
