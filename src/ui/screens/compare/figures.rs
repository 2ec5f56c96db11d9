//! The compared runs in figures: what is read at the cursor, the latest, the best, the mean of the last generations, and when a
//! bound was reached first.

use crate::metrics::Column;
use crate::metrics::history::{Bucket, History};
use crate::ui::screens::run::reading::{ends, stretch};
use crate::ui::theme::Theme;
use crate::ui::widgets::legend::{Entry, Legend};
use crate::ui::widgets::sign::{line_style, sign};
use crate::ui::words;

use super::course::Runner;
use super::look::Look;

/// Generations at the end whose mean is told where no window says how many.
const LAST: u64 = 100;

/// Which figures of a column are good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aim {
    High,
    Low,
}

impl Aim {
    fn of(column: &str) -> Self {
        match column {
            "wrong_decisions" => Self::Low,
            _ => Self::High,
        }
    }

    fn best(self, bucket: &Bucket) -> f64 {
        match self {
            Self::High => bucket.max,
            Self::Low => bucket.min,
        }
    }

    fn is_better(self, figure: f64, than: f64) -> bool {
        match self {
            Self::High => figure > than,
            Self::Low => figure < than,
        }
    }
}

/// The table below the chart, a row for each run.
pub(super) fn legend(
    runs: &[Runner<'_>],
    column: &Column,
    look: &Look,
    cursor: Option<f64>,
    theme: &Theme,
) -> Legend {
    let aim = Aim::of(&column.name);
    let bound = bound(runs, column, aim, look);
    let last = look.charts.window.unwrap_or(LAST);
    let mut headings = vec!["seed".to_owned()];
    if cursor.is_some() {
        headings.extend(["read", "of gen", "from–to"].map(str::to_owned));
    }
    let sign_of_bound = match aim {
        Aim::High => ">=",
        Aim::Low => "<=",
    };
    headings.extend([
        "last".to_owned(),
        "best".to_owned(),
        format!("{sign_of_bound} {}", words::figure(column, bound)),
        format!("mean of {}", words::rounded(last as f64)),
    ]);
    let entries = runs.iter().enumerate().map(|(number, run)| {
        let mut figures = vec![run.seed.clone()];
        if let Some(cursor) = cursor {
            figures.extend(read(run, column, look, cursor));
        }
        figures.extend(course(run, column, aim, bound, last));
        Entry {
            sign: sign(number, theme),
            style: line_style(number, theme),
            name: run.name.clone(),
            figures: figures
                .into_iter()
                .map(|words| theme.plain(words))
                .collect(),
        }
    });
    Legend {
        entries: entries.collect(),
        headings: headings
            .into_iter()
            .map(|words| theme.plain(words))
            .collect(),
    }
}

/// What a run's column holds where the cursor is: the figure, its generations, and between what it lies.
fn read(run: &Runner<'_>, column: &Column, look: &Look, cursor: f64) -> [String; 3] {
    let none = || "-".to_owned();
    let track = run.track(look.charts.over);
    let (begin, end) = (track.place(track.start), track.place(track.end));
    if cursor > end {
        return ["ended".to_owned(), words::count(track.end as f64), none()];
    }
    let found = run.columns.place(&column.name).filter(|_| cursor >= begin);
    let found = found.and_then(|place| run.history.read(place, track.generation(cursor)));
    let Some(found) = found else {
        return [none(), none(), none()];
    };
    let mean = found.bucket.mean().unwrap_or(found.bucket.last);
    [
        words::figure(column, mean),
        stretch(found.first, found.last),
        ends(column, &found).unwrap_or_else(none),
    ]
}

/// The latest figure, the best with its generation, when the bound was reached, and the mean of the last generations.
fn course(run: &Runner<'_>, column: &Column, aim: Aim, bound: f64, last: u64) -> [String; 4] {
    let none = || "-".to_owned();
    let Some(place) = run.columns.place(&column.name) else {
        return [none(), none(), none(), none()];
    };
    let history = &*run.history;
    let figure = |value: f64| words::figure(column, value);
    let best = best(history, place, aim);
    let best = best.map(|(value, generation)| format!("{} g{generation}", figure(value)));
    let reached = reached(history, place, aim, bound);
    let reached = reached.map(|(first, last)| format!("g{}", stretch(first, last)));
    [
        history.last(place).map_or_else(none, figure),
        best.unwrap_or_else(none),
        reached.unwrap_or_else(|| "not yet".to_owned()),
        mean(history, place, last).map_or_else(none, figure),
    ]
}

/// The figure to be reached: a share of the highest possible or reached, from below or, where little is good, from above.
fn bound(runs: &[Runner<'_>], column: &Column, aim: Aim, look: &Look) -> f64 {
    let highest = runs.iter().filter_map(|run| {
        let place = run.columns.place(&column.name)?;
        run.history.max(place)
    });
    let highest = if column.is_share() {
        1.0
    } else {
        highest.fold(0.0, f64::max)
    };
    match aim {
        Aim::High => highest * look.bound(),
        Aim::Low => highest * (1.0 - look.bound()),
    }
}

/// The best figure and the generation at which its bucket begins.
fn best(history: &History, place: usize, aim: Aim) -> Option<(f64, u64)> {
    let mut best: Option<(f64, u64)> = None;
    for (number, bucket) in history.column(place).iter().enumerate() {
        let figure = aim.best(bucket);
        if bucket.count > 0 && best.is_none_or(|(best, _)| aim.is_better(figure, best)) {
            best = Some((figure, history.start() + number as u64 * history.span()));
        }
    }
    best
}

/// The generations in which a bound was first reached: as narrow as the buckets tell.
fn reached(history: &History, place: usize, aim: Aim, bound: f64) -> Option<(u64, u64)> {
    let reaches = |bucket: &Bucket| bucket.count > 0 && !aim.is_better(bound, aim.best(bucket));
    let number = history.column(place).iter().position(reaches)? as u64;
    Some(history.stretch(history.start() + number * history.span()))
}

/// The mean of the last generations, by whole buckets.
fn mean(history: &History, place: usize, last: u64) -> Option<f64> {
    let buckets = history.column(place);
    let count = last.div_ceil(history.span()) as usize;
    let (mut sum, mut rows) = (0.0, 0.0);
    for bucket in &buckets[buckets.len().saturating_sub(count)..] {
        if let Some(mean) = bucket.mean() {
            sum += mean * f64::from(bucket.count);
            rows += f64::from(bucket.count);
        }
    }
    (rows > 0.0).then(|| sum / rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Row;

    /// Figures that rise by a hundredth a generation, in buckets that stand for several.
    fn rising(generations: u32, capacity: usize) -> History {
        let mut history = History::bounded(2, capacity);
        for generation in 0..generations {
            let at = f64::from(generation);
            history.push(&Row::from_values(vec![Some(at), Some(at / 100.0)]));
        }
        history
    }

    #[test]
    fn a_bound_is_reached_in_the_generations_of_the_first_bucket_that_reaches_it() {
        let fine = rising(100, 128);
        assert_eq!(reached(&fine, 1, Aim::High, 0.5), Some((50, 50)));
        assert_eq!(reached(&fine, 1, Aim::High, 1.0), None);
        assert_eq!(reached(&fine, 1, Aim::Low, 0.5), Some((0, 0)));
        let coarse = rising(100, 32);
        assert_eq!(coarse.span(), 4);
        assert_eq!(reached(&coarse, 1, Aim::High, 0.5), Some((48, 51)));
    }

    #[test]
    fn best_and_mean_are_those_of_the_run() {
        let history = rising(100, 128);
        assert_eq!(best(&history, 1, Aim::High), Some((0.99, 99)));
        assert_eq!(best(&history, 1, Aim::Low), Some((0.0, 0)));
        let last_ten = mean(&history, 1, 10).expect("there are figures");
        assert!((last_ten - 0.945).abs() < 1e-9, "{last_ten}");
        assert_eq!(mean(&History::new(2), 1, 10), None);
    }
}
