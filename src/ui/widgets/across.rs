//! The horizontal axis of a chart: the generations, or the games that had been played by the end of each.

use crate::metrics::Columns;
use crate::metrics::history::{History, Rising};
use crate::metrics::over::Over;
use crate::ui::words;

/// Where a run's generations lie from left to right.
#[derive(Clone, Copy, Debug)]
pub enum Across<'a> {
    Generations,
    Games(Rising<'a>),
}

impl<'a> Across<'a> {
    /// The axis of a run; of generations where its games are not known.
    pub fn of(over: Over, history: &'a History, columns: &Columns) -> Self {
        match (over, columns.place(Over::Games.column())) {
            (Over::Games, Some(place)) => Self::Games(history.rising(place)),
            _ => Self::Generations,
        }
    }

    /// What it is of.
    pub fn over(&self) -> Over {
        match self {
            Self::Generations => Over::Generations,
            Self::Games(_) => Over::Games,
        }
    }

    /// Where a generation lies, in the unit of the axis.
    pub fn place(&self, generation: u64) -> f64 {
        match self {
            Self::Generations => generation as f64,
            Self::Games(games) => games.at(generation),
        }
    }
}

/// What is written at both ends of an axis.
pub fn ends(over: Over, first: f64, last: f64) -> (String, String) {
    match over {
        Over::Generations => (format!("gen {}", words::count(first)), words::count(last)),
        Over::Games => (
            format!("games {}", words::rounded(first)),
            words::rounded(last),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(over: Over, places: (f64, f64), expected: (&str, &str)) {
        let (first, last) = ends(over, places.0, places.1);
        assert_eq!((first.as_str(), last.as_str()), expected);
    }

    #[test]
    fn an_axis_says_what_it_is_of() {
        check(Over::Generations, (0.0, 1200.0), ("gen 0", "1,200"));
        check(Over::Games, (0.0, 1_200_000.0), ("games 0", "1.2M"));
        check(Over::Games, (1650.0, 500_000.0), ("games 1,650", "500k"));
    }
}
