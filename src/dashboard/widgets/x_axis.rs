//! The x-axis of a chart: generations, or the games played or the time elapsed by the end of each
//! generation.

use crate::format;
use finches_engine::metrics::Columns;
use finches_engine::metrics::history::{History, MonotoneColumn};
use finches_engine::metrics::progress_unit::ProgressUnit;

/// Maps the generations of a run to positions on the x-axis.
#[derive(Clone, Copy, Debug)]
pub enum AxisMapping<'a> {
    Generations,
    /// By a column that grows with the generations: games or seconds.
    Cumulative(MonotoneColumn<'a>),
}

impl<'a> AxisMapping<'a> {
    /// The mapping for a run; by generations if its games or its time are unknown.
    pub fn of(x_unit: ProgressUnit, history: &'a History, columns: &Columns) -> Self {
        match (x_unit, columns.place(x_unit.column())) {
            (ProgressUnit::Games | ProgressUnit::Seconds, Some(place)) => {
                Self::Cumulative(history.rising(place))
            }
            _ => Self::Generations,
        }
    }

    /// The position of a generation, in the unit of the axis.
    pub fn place(&self, generation: u64) -> f64 {
        match self {
            Self::Generations => generation as f64,
            Self::Cumulative(column) => column.at(generation),
        }
    }
}

/// The x-axis of a run: the generations of its buckets, and their positions.
#[derive(Clone, Copy, Debug)]
pub struct RunAxis<'a> {
    pub axis: AxisMapping<'a>,
    /// The generation of the first bucket, and the generations per bucket.
    pub start: u64,
    pub span: u64,
    /// The last generation.
    pub end: u64,
}

impl<'a> RunAxis<'a> {
    pub fn of(x_unit: ProgressUnit, history: &'a History, columns: &Columns) -> Self {
        Self {
            axis: AxisMapping::of(x_unit, history, columns),
            ..Self::generations(history)
        }
    }

    /// The axis of generations.
    pub fn generations(history: &History) -> Self {
        Self {
            axis: AxisMapping::Generations,
            start: history.start(),
            span: history.span(),
            end: history.end(),
        }
    }

    pub fn place(&self, generation: u64) -> f64 {
        self.axis.place(generation)
    }

    /// The last generation at or before a position, or the first generation if there is none.
    pub fn generation(&self, place: f64) -> u64 {
        if let AxisMapping::Generations = self.axis {
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

/// Where a position lies in a window, 0..=1.
pub fn share(window: (f64, f64), place: f64) -> f64 {
    let length = window.1 - window.0;
    if length > 0.0 {
        ((place - window.0) / length).clamp(0.0, 1.0)
    } else {
        0.0
    }
}

/// The labels at both ends of an axis.
pub fn end_labels(x_unit: ProgressUnit, first: f64, last: f64) -> (String, String) {
    let name = match x_unit {
        ProgressUnit::Generations => "gen",
        ProgressUnit::Games => "games",
        ProgressUnit::Seconds => "time",
    };
    (
        format!("{name} {}", label(x_unit, first)),
        label(x_unit, last),
    )
}

/// The label of a position.
pub fn label(x_unit: ProgressUnit, place: f64) -> String {
    match x_unit {
        ProgressUnit::Generations => format::count(place),
        ProgressUnit::Games => format::rounded(place),
        ProgressUnit::Seconds => format::clock(place),
    }
}

/// The name of an axis.
pub fn name(x_unit: ProgressUnit) -> &'static str {
    match x_unit {
        ProgressUnit::Generations => "generations",
        ProgressUnit::Games => "games played",
        ProgressUnit::Seconds => "working time",
    }
}

/// Where a chart is read, in words.
pub fn reading(x_unit: ProgressUnit, place: f64) -> String {
    let label = label(x_unit, place);
    match x_unit {
        ProgressUnit::Generations => format!("at generation {label}"),
        ProgressUnit::Games => format!("after {label} games"),
        ProgressUnit::Seconds => format!("after {label}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use finches_engine::metrics::Row;

    fn check(x_unit: ProgressUnit, places: (f64, f64), expected: (&str, &str)) {
        let (first, last) = end_labels(x_unit, places.0, places.1);
        assert_eq!((first.as_str(), last.as_str()), expected);
    }

    #[test]
    fn an_axis_is_labeled_with_its_unit() {
        check(ProgressUnit::Generations, (0.0, 1200.0), ("gen 0", "1,200"));
        check(ProgressUnit::Games, (0.0, 1_200_000.0), ("games 0", "1.2M"));
        check(
            ProgressUnit::Games,
            (1650.0, 500_000.0),
            ("games 1,650", "500k"),
        );
        check(
            ProgressUnit::Seconds,
            (0.0, 3941.0),
            ("time 00:00", "1:05:41"),
        );
    }

    #[test]
    fn a_position_maps_back_to_its_generation() {
        let mut history = History::bounded(2, 16);
        for generation in 0..500_u32 {
            let seconds = f64::from(generation * generation) / 7.0;
            let values = [f64::from(generation), seconds];
            history.push(&Row::from_values(values.map(Some).to_vec()));
        }
        for axis in [
            AxisMapping::Generations,
            AxisMapping::Cumulative(history.rising(1)),
        ] {
            let track = RunAxis {
                axis,
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
