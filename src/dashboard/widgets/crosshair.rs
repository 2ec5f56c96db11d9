//! The crosshair that reads values of charts: a position on an x-axis that several runs share. It
//! is independent of the runs.

use finches_engine::metrics::progress_unit::ProgressUnit;

/// The position in the unit of its window, or `None` if hidden. Positions beyond the window mean
/// its end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Crosshair(Option<f64>);

impl Crosshair {
    /// Shows the crosshair at the end, or hides it.
    pub fn toggle(&mut self) {
        self.0 = match self.0 {
            Some(_) => None,
            None => Some(f64::INFINITY),
        };
    }

    /// Hides the crosshair.
    pub fn hide(&mut self) {
        self.0 = None;
    }

    pub fn is_visible(self) -> bool {
        self.0.is_some()
    }

    /// Moves to the end, after a change of the axis.
    pub fn move_to_end(&mut self) {
        self.0 = self.0.map(|_| f64::INFINITY);
    }

    /// The position within a window.
    pub fn position(self, (first, last): (f64, f64)) -> Option<f64> {
        self.0.map(|place| place.clamp(first, last))
    }

    /// Moves within a window by steps of a length. At its end it follows the runs as they grow.
    pub fn step(&mut self, steps: i64, length: f64, (first, last): (f64, f64)) {
        let Some(now) = self.position((first, last)) else {
            return;
        };
        let most = ((last - first) / length).ceil() as u64;
        let before = ((now - first) / length).round() as u64;
        let after = before.saturating_add_signed(steps).min(most);
        self.move_to(first + after as f64 * length, last);
    }

    /// Moves to a position. At the last one it follows the runs.
    pub fn move_to(&mut self, place: f64, last: f64) {
        self.0 = Some(if place < last { place } else { f64::INFINITY });
    }

    /// Moves to a share of the width of a window, 0..=1.
    pub fn move_to_share(&mut self, share: f64, x_unit: ProgressUnit, (first, last): (f64, f64)) {
        self.move_to(whole(x_unit, first + (last - first) * share), last);
    }
}

/// The length of a step on an x-axis.
pub fn step_length(x_unit: ProgressUnit, (first, last): (f64, f64)) -> f64 {
    whole(x_unit, ((last - first) / STEPS as f64).max(1.0))
}

/// Rounds a position to whole generations; games and times stay as they are.
fn whole(x_unit: ProgressUnit, place: f64) -> f64 {
    match x_unit {
        ProgressUnit::Generations => place.round(),
        ProgressUnit::Games | ProgressUnit::Seconds => place,
    }
}

/// Most steps from one edge of a window to the other; a narrower window has finer steps.
pub const STEPS: u64 = 160;

#[cfg(test)]
mod tests {
    use super::*;

    fn check(moves: &[i64], expected: f64) {
        let mut crosshair = Crosshair::default();
        crosshair.toggle();
        for &steps in moves {
            let window = (100.0, 420.0);
            let length = step_length(ProgressUnit::Generations, window);
            crosshair.step(steps, length, window);
        }
        assert_eq!(
            crosshair.position((100.0, 420.0)),
            Some(expected),
            "{moves:?}"
        );
    }

    #[test]
    fn a_crosshair_moves_by_whole_steps_within_its_window() {
        check(&[], 420.0);
        check(&[-1], 418.0);
        check(&[-1, 1], 420.0);
        check(&[-10, -10, 1], 382.0);
        check(&[i64::MIN], 100.0);
        check(&[i64::MIN, -1], 100.0);
        check(&[i64::MIN, i64::MAX, 1], 420.0);
    }

    #[test]
    fn at_the_end_a_crosshair_follows_the_runs() {
        let mut crosshair = Crosshair::default();
        assert_eq!(crosshair.position((0.0, 9.0)), None);
        crosshair.toggle();
        crosshair.step(-1, 1.0, (0.0, 9.0));
        assert_eq!(crosshair.position((0.0, 20.0)), Some(8.0));
        crosshair.step(i64::MAX, 1.0, (0.0, 9.0));
        assert_eq!(crosshair.position((0.0, 20.0)), Some(20.0));
        crosshair.move_to_share(0.5, ProgressUnit::Generations, (0.0, 9.0));
        assert_eq!(crosshair.position((0.0, 20.0)), Some(5.0));
    }
}
