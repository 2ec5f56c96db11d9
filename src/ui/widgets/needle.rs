//! Where values are read: a place on an axis that several runs share, and how it is moved. It knows neither the runs nor the
//! keys.

use crate::metrics::over::Over;

/// The place, in the unit of the axis, where values are read at all; what lies beyond the window means its end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Needle(Option<f64>);

impl Needle {
    /// Reads values at the end, or stops it.
    pub fn toggle(&mut self) {
        self.0 = match self.0 {
            Some(_) => None,
            None => Some(f64::INFINITY),
        };
    }

    /// Stops reading.
    pub fn lift(&mut self) {
        self.0 = None;
    }

    pub fn is_down(self) -> bool {
        self.0.is_some()
    }

    /// Goes to the end, for an axis that has become another.
    pub fn restart(&mut self) {
        self.0 = self.0.map(|_| f64::INFINITY);
    }

    /// The place read within a window.
    pub fn at(self, (first, last): (f64, f64)) -> Option<f64> {
        self.0.map(|place| place.clamp(first, last))
    }

    /// Moves through a window, from whose end it goes along with the runs.
    pub fn step(&mut self, way: Way, over: Over, (first, last): (f64, f64)) {
        let Some(now) = self.at((first, last)) else {
            return;
        };
        let step = whole(over, ((last - first) / STEPS as f64).max(1.0));
        let steps = ((last - first) / step).ceil() as u64;
        let place = ((now - first) / step).round() as u64;
        let then = first + way.from(place, steps, 1) as f64 * step;
        self.0 = Some(match way {
            Way::Last => f64::INFINITY,
            _ if then >= last => f64::INFINITY,
            _ => then,
        });
    }

    /// Goes to a share of the way from the left to the right edge of a window.
    pub fn put(&mut self, share: f64, over: Over, (first, last): (f64, f64)) {
        self.0 = Some(whole(over, first + (last - first) * share));
    }
}

/// A place on an axis where values can be read: generations are whole.
fn whole(over: Over, place: f64) -> f64 {
    match over {
        Over::Generations => place.round(),
        Over::Games | Over::Seconds => place,
    }
}

/// Which way and how far the cursor goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Back,
    On,
    FarBack,
    FarOn,
    First,
    Last,
}

impl Way {
    /// Steps, on or back, that are as many as there are at the ends.
    fn steps(self) -> i64 {
        match self {
            Self::Back => -1,
            Self::On => 1,
            Self::FarBack => -10,
            Self::FarOn => 10,
            Self::First => i64::MIN,
            Self::Last => i64::MAX,
        }
    }

    /// Where it leads on a line of so many places, the first being 0, in steps of so many.
    pub fn from(self, place: u64, last: u64, step: u64) -> u64 {
        let gone = i128::from(self.steps()) * i128::from(step);
        (i128::from(place) + gone).clamp(0, i128::from(last)) as u64
    }
}

/// Steps of the cursor from one edge of a window to the other, at most; a narrower window is read more finely.
pub const STEPS: u64 = 160;

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ways: &[Way], expected: f64) {
        let mut needle = Needle::default();
        needle.toggle();
        for &way in ways {
            needle.step(way, Over::Generations, (100.0, 420.0));
        }
        assert_eq!(needle.at((100.0, 420.0)), Some(expected), "{ways:?}");
    }

    #[test]
    fn a_needle_goes_by_whole_steps_and_stays_in_its_window() {
        check(&[], 420.0);
        check(&[Way::Back], 418.0);
        check(&[Way::Back, Way::On], 420.0);
        check(&[Way::FarBack, Way::FarBack, Way::On], 382.0);
        check(&[Way::First], 100.0);
        check(&[Way::First, Way::Back], 100.0);
        check(&[Way::First, Way::Last, Way::On], 420.0);
    }

    #[test]
    fn at_the_end_a_needle_goes_along_with_the_runs() {
        let mut needle = Needle::default();
        assert_eq!(needle.at((0.0, 9.0)), None);
        needle.toggle();
        needle.step(Way::Back, Over::Generations, (0.0, 9.0));
        assert_eq!(needle.at((0.0, 20.0)), Some(8.0));
        needle.step(Way::Last, Over::Generations, (0.0, 9.0));
        assert_eq!(needle.at((0.0, 20.0)), Some(20.0));
        needle.put(0.5, Over::Generations, (0.0, 9.0));
        assert_eq!(needle.at((0.0, 20.0)), Some(5.0));
    }
}
