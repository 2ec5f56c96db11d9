//! The horizontal axis of a chart: the generations, or the games that had been played or the time that had been worked by the
//! end of each.

use crate::metrics::Columns;
use crate::metrics::history::{History, Rising};
use crate::metrics::over::Over;
use crate::ui::words;

/// What a run's generations are laid along from left to right.
#[derive(Clone, Copy, Debug)]
pub enum Across<'a> {
    Generations,
    /// A column that grows with the generations: games or seconds.
    Grown(Rising<'a>),
}

impl<'a> Across<'a> {
    /// The axis of a run; of generations where its games or its time are not known.
    pub fn of(over: Over, history: &'a History, columns: &Columns) -> Self {
        match (over, columns.place(over.column())) {
            (Over::Games | Over::Seconds, Some(place)) => Self::Grown(history.rising(place)),
            _ => Self::Generations,
        }
    }

    /// Where a generation lies, in the unit of the axis.
    pub fn place(&self, generation: u64) -> f64 {
        match self {
            Self::Generations => generation as f64,
            Self::Grown(column) => column.at(generation),
        }
    }
}

/// A run along an axis: which generations its buckets stand for, and where these lie.
#[derive(Clone, Copy, Debug)]
pub struct Track<'a> {
    pub across: Across<'a>,
    /// The generation of the first bucket, and how many each stands for.
    pub start: u64,
    pub span: u64,
    /// The last generation.
    pub end: u64,
}

impl<'a> Track<'a> {
    pub fn of(over: Over, history: &'a History, columns: &Columns) -> Self {
        Self {
            across: Across::of(over, history, columns),
            start: history.start(),
            span: history.span(),
            end: history.end(),
        }
    }

    pub fn place(&self, generation: u64) -> f64 {
        self.across.place(generation)
    }

    /// The last generation that lies at a place or before it; the first where all lie behind it.
    pub fn generation(&self, place: f64) -> u64 {
        if let Across::Generations = self.across {
            return (place.max(0.0) as u64).clamp(self.start, self.end.max(self.start));
        }
        let (mut low, mut high) = (self.start, self.end.max(self.start));
        while low < high {
            let middle = high - (high - low) / 2;
            if self.place(middle) <= place {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        low
    }
}

/// Where a place lies between the edges of a window, 0..=1.
pub fn share(window: (f64, f64), place: f64) -> f64 {
    let length = window.1 - window.0;
    if length > 0.0 {
        ((place - window.0) / length).clamp(0.0, 1.0)
    } else {
        0.0
    }
}

/// What is written at both ends of an axis.
pub fn ends(over: Over, first: f64, last: f64) -> (String, String) {
    let name = match over {
        Over::Generations => "gen",
        Over::Games => "games",
        Over::Seconds => "time",
    };
    (format!("{name} {}", label(over, first)), label(over, last))
}

/// A place on an axis as it is written.
pub fn label(over: Over, place: f64) -> String {
    match over {
        Over::Generations => words::count(place),
        Over::Games => words::rounded(place),
        Over::Seconds => words::clock(place),
    }
}

/// What an axis is of, in words.
pub fn name(over: Over) -> &'static str {
    match over {
        Over::Generations => "generations",
        Over::Games => "games played",
        Over::Seconds => "time worked",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Row;

    fn check(over: Over, places: (f64, f64), expected: (&str, &str)) {
        let (first, last) = ends(over, places.0, places.1);
        assert_eq!((first.as_str(), last.as_str()), expected);
    }

    #[test]
    fn an_axis_says_what_it_is_of() {
        check(Over::Generations, (0.0, 1200.0), ("gen 0", "1,200"));
        check(Over::Games, (0.0, 1_200_000.0), ("games 0", "1.2M"));
        check(Over::Games, (1650.0, 500_000.0), ("games 1,650", "500k"));
        check(Over::Seconds, (0.0, 3941.0), ("time 00:00", "1:05:41"));
    }

    #[test]
    fn a_place_leads_back_to_its_generation() {
        let mut history = History::bounded(2, 16);
        for generation in 0..500_u32 {
            let seconds = f64::from(generation * generation) / 7.0;
            let values = [f64::from(generation), seconds];
            history.push(&Row::from_values(values.map(Some).to_vec()));
        }
        for across in [Across::Generations, Across::Grown(history.rising(1))] {
            let track = Track {
                across,
                start: history.start(),
                span: history.span(),
                end: history.end(),
            };
            for generation in 0..500 {
                assert_eq!(track.generation(track.place(generation)), generation);
            }
            assert_eq!(track.generation(-1.0), 0);
            assert_eq!(track.generation(f64::INFINITY), 499);
        }
    }
}
