//! The history of every column over a run of any length, in bounded memory: when the buckets are
//! full, neighbors are merged. Minimum, maximum and mean are kept, so that peaks stay visible.

use super::Row;

/// Default maximum number of buckets; above it neighbors are merged.
const CAPACITY: usize = 2048;

/// The values of one column over a range of generations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bucket {
    /// The lowest value.
    pub min: f64,
    /// The highest value.
    pub max: f64,
    sum: f64,
    /// Rows with a value.
    pub count: u32,
    /// The latest value.
    pub last: f64,
}

impl Bucket {
    const EMPTY: Self = Self {
        min: f64::INFINITY,
        max: f64::NEG_INFINITY,
        sum: 0.0,
        count: 0,
        last: f64::NAN,
    };

    /// The mean; `None` without values.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / f64::from(self.count))
    }

    fn add(&mut self, value: f64) {
        self.min = self.min.min(value);
        self.max = self.max.max(value);
        self.sum += value;
        self.count += 1;
        self.last = value;
    }

    /// Adds a later bucket.
    fn merge(&mut self, later: &Self) {
        if later.count > 0 {
            self.min = self.min.min(later.min);
            self.max = self.max.max(later.max);
            self.sum += later.sum;
            self.count += later.count;
            self.last = later.last;
        }
    }
}

/// Whether high or low values of a column are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// High values are better.
    Maximize,
    /// Low values are better.
    Minimize,
}

impl Goal {
    /// The best value of a bucket.
    pub fn best(self, bucket: &Bucket) -> f64 {
        match self {
            Self::Maximize => bucket.max,
            Self::Minimize => bucket.min,
        }
    }

    /// Whether a value is better than another.
    pub fn is_better(self, value: f64, than: f64) -> bool {
        match self {
            Self::Maximize => value > than,
            Self::Minimize => value < than,
        }
    }
}

/// A nondecreasing column, such as the games played, at any generation: exact at the start of each
/// bucket and at the end, linearly interpolated between.
#[derive(Clone, Copy, Debug)]
pub struct MonotoneColumn<'a> {
    buckets: &'a [Bucket],
    start: u64,
    span: u64,
    /// The generation of the last row.
    end: u64,
}

impl MonotoneColumn<'_> {
    /// The value at a generation: the first before there is one, the last after the end, 0 if there
    /// is none.
    pub fn at(&self, generation: u64) -> f64 {
        let place = (generation.saturating_sub(self.start) / self.span) as usize;
        let until = self.buckets.len().min(place + 1);
        let is_filled = |bucket: &Bucket| bucket.count > 0;
        let before = self.buckets[..until].iter().rposition(is_filled);
        let Some(before) = before else {
            let first = self.buckets.iter().find(|bucket| bucket.count > 0);
            return first.map_or(0.0, |bucket| bucket.min);
        };
        let knot = |place: usize| {
            (
                self.start + place as u64 * self.span,
                self.buckets[place].min,
            )
        };
        let after = self.buckets[before + 1..].iter().position(is_filled);
        let (from, low) = knot(before);
        let (to, high) = match after {
            Some(after) => knot(before + 1 + after),
            None => (self.end, self.buckets[before].last),
        };
        match generation {
            _ if generation <= from => low,
            _ if generation >= to => high,
            _ => low + (high - low) * (generation - from) as f64 / (to - from) as f64,
        }
    }
}

/// A bucket and its first and last generation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HistoryPoint {
    /// The generation of the first row in the bucket.
    pub first: u64,
    /// The generation of the last row in the bucket.
    pub last: u64,
    /// The values of these rows.
    pub bucket: Bucket,
}

/// The history of a run: the buckets of each column, each covering `span` generations.
#[derive(Clone, Debug)]
pub struct History {
    span: u64,
    /// Maximum number of buckets per column.
    capacity: usize,
    /// The generations of the first and the last row.
    start: u64,
    end: u64,
    rows: u64,
    columns: Vec<Vec<Bucket>>,
}

impl History {
    /// An empty history of `columns` columns.
    pub fn new(columns: usize) -> Self {
        Self::bounded(columns, CAPACITY)
    }

    /// An empty history with at most `capacity` buckets per column, at least two.
    pub fn bounded(columns: usize, capacity: usize) -> Self {
        Self {
            span: 1,
            capacity: capacity.max(2),
            start: 0,
            end: 0,
            rows: 0,
            columns: vec![Vec::new(); columns],
        }
    }

    /// Adds the row of a later generation; generations may be skipped.
    pub fn push(&mut self, row: &Row) {
        if self.rows == 0 {
            self.start = row.generation();
        }
        let bucket = ((row.generation().saturating_sub(self.start)) / self.span) as usize;
        if bucket >= self.capacity {
            self.merge_neighbors();
            return self.push(row);
        }
        for (column, value) in self.columns.iter_mut().zip(row.values()) {
            column.resize((bucket + 1).max(column.len()), Bucket::EMPTY);
            if let Some(value) = value {
                column[bucket].add(*value);
            }
        }
        self.rows += 1;
        self.end = row.generation();
    }

    fn merge_neighbors(&mut self) {
        self.span *= 2;
        for column in &mut self.columns {
            let merged = column.chunks(2).map(|pair| {
                let mut bucket = pair[0];
                pair.iter().skip(1).for_each(|later| bucket.merge(later));
                bucket
            });
            *column = merged.collect();
        }
    }

    /// Generations per bucket.
    pub fn span(&self) -> u64 {
        self.span
    }

    /// The generation of the first row.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// The generation of the last row.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Number of rows added.
    pub fn len(&self) -> u64 {
        self.rows
    }

    /// Whether no row has been added.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The buckets of a column, oldest first.
    pub fn column(&self, place: usize) -> &[Bucket] {
        self.columns.get(place).map_or(&[], Vec::as_slice)
    }

    /// A nondecreasing column, readable at any generation.
    pub fn rising(&self, place: usize) -> MonotoneColumn<'_> {
        MonotoneColumn {
            buckets: self.column(place),
            start: self.start,
            span: self.span,
            end: self.end,
        }
    }

    /// The latest value of a column.
    pub fn last(&self, place: usize) -> Option<f64> {
        let with_figure = self
            .column(place)
            .iter()
            .rev()
            .find(|bucket| bucket.count > 0);
        with_figure.map(|bucket| bucket.last)
    }

    /// The mean of a column over the rows that have a value.
    pub fn mean(&self, place: usize) -> Option<f64> {
        let mut all = Bucket::EMPTY;
        let buckets = self.column(place).iter();
        buckets.for_each(|bucket| all.merge(bucket));
        all.mean()
    }

    /// The bucket of a column at a generation; if it has no value, the latest earlier bucket that
    /// has one.
    pub fn read(&self, place: usize, generation: u64) -> Option<HistoryPoint> {
        let column = self.column(place);
        let bucket = (generation.saturating_sub(self.start) / self.span) as usize;
        let until = &column[..column.len().min(bucket + 1)];
        let found = until.iter().rposition(|bucket| bucket.count > 0)?;
        let (first, last) = self.bucket_range(self.start + found as u64 * self.span);
        Some(HistoryPoint {
            first,
            last,
            bucket: until[found],
        })
    }

    /// The first and the last generation of the bucket that contains this generation.
    pub fn bucket_range(&self, generation: u64) -> (u64, u64) {
        let generation = generation.clamp(self.start, self.end);
        let first = generation - (generation - self.start) % self.span;
        (first, (first + self.span - 1).min(self.end))
    }

    /// The best value of a column and the first generation of its bucket.
    pub fn best(&self, place: usize, goal: Goal) -> Option<(f64, u64)> {
        let mut best: Option<(f64, u64)> = None;
        for (number, bucket) in self.column(place).iter().enumerate() {
            let value = goal.best(bucket);
            if bucket.count > 0 && best.is_none_or(|(best, _)| goal.is_better(value, best)) {
                best = Some((value, self.start + number as u64 * self.span));
            }
        }
        best
    }

    /// The maximum of a column over the whole run.
    pub fn max(&self, place: usize) -> Option<f64> {
        let figures = self.column(place).iter().filter(|bucket| bucket.count > 0);
        figures.map(|bucket| bucket.max).reduce(f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(rows: u64) -> History {
        let mut history = History::new(3);
        for generation in 0..rows {
            let value = if generation == 777 {
                1e6
            } else {
                generation as f64
            };
            let rare = (generation % 10 == 0).then_some(0.5);
            history.push(&Row::from_values(vec![
                Some(generation as f64),
                Some(value),
                rare,
            ]));
        }
        history
    }

    #[test]
    fn memory_is_bounded_and_peaks_survive() {
        let history = filled(100_000);
        assert!(history.column(1).len() <= CAPACITY);
        assert_eq!(history.len(), 100_000);
        assert_eq!(history.max(1), Some(1e6));
        assert_eq!(history.last(1), Some(99_999.0));
        let counted: u32 = history.column(1).iter().map(|bucket| bucket.count).sum();
        assert_eq!(counted, 100_000, "no row is lost");
        assert_eq!(history.mean(0), Some(49_999.5));
        assert_eq!(history.mean(2), Some(0.5));
        assert_eq!(history.mean(3), None);
    }

    /// The games of a run of `rows` generations that plays more games from generation 600 on.
    fn games(rows: u64, capacity: usize) -> (History, impl Fn(u64) -> f64) {
        let played = |generation: u64| {
            let late = (generation + 1).saturating_sub(600);
            ((generation + 1) * 1650 + late * 8250) as f64
        };
        let mut history = History::bounded(2, capacity);
        for generation in 0..rows {
            let values = vec![Some(generation as f64), Some(played(generation))];
            history.push(&Row::from_values(values));
        }
        (history, played)
    }

    #[test]
    fn thinned_generations_keep_the_games_played_by_then() {
        for (rows, capacity) in [(1000, 2048), (1000, 64), (1003, 16), (1000, 2), (1, 2)] {
            let (history, played) = games(rows, capacity);
            let buckets = (0..rows).step_by(history.span() as usize);
            let exact: Vec<u64> = buckets.chain([rows - 1]).collect();
            let read = exact.iter().map(|&at| history.rising(1).at(at));
            let told: Vec<f64> = exact.iter().map(|&at| played(at)).collect();
            assert_eq!(read.collect::<Vec<f64>>(), told, "{rows} in {capacity}");
            let beyond = history.rising(1).at(rows + 99);
            assert_eq!(Some(&beyond), told.last());
        }
        let (history, played) = games(500, 16);
        let error = |at: u64| (history.rising(1).at(at) - played(at)).abs();
        assert!((0..500).all(|at| error(at) < 1e-6), "an even pace is exact");
    }

    #[test]
    fn games_are_read_across_generations_left_out() {
        let mut history = History::bounded(2, 8);
        let read = |history: &History| (0..8).map(|at| history.rising(1).at(at)).collect();
        let nothing: Vec<f64> = read(&history);
        assert_eq!(nothing, [0.0; 8]);
        for (generation, games) in [(2.0, 30.0), (5.0, 60.0), (6.0, 100.0)] {
            history.push(&Row::from_values(vec![Some(generation), Some(games)]));
        }
        let read: Vec<f64> = read(&history);
        assert_eq!(read, [30.0, 30.0, 30.0, 40.0, 50.0, 60.0, 100.0, 100.0]);
    }

    #[test]
    fn what_is_read_at_a_generation_is_what_was_measured_there() {
        let figure = |generation: u64| ((generation * 37) % 101) as f64;
        for (rows, capacity) in [(40, 64), (1000, 64), (1001, 16)] {
            let mut history = History::bounded(2, capacity);
            for generation in 0..rows {
                let values = vec![Some(generation as f64), Some(figure(generation))];
                history.push(&Row::from_values(values));
            }
            for generation in 0..rows {
                let read = history.read(1, generation).expect("every row has a figure");
                let within = read.first..=read.last;
                assert!(within.contains(&generation), "{generation} in {within:?}");
                let figures: Vec<f64> = within.map(figure).collect();
                let mean = figures.iter().sum::<f64>() / figures.len() as f64;
                let ends = figures
                    .iter()
                    .fold((f64::MAX, f64::MIN), |(low, high), &one| {
                        (low.min(one), high.max(one))
                    });
                assert_eq!((read.bucket.min, read.bucket.max), ends);
                assert_eq!(read.bucket.mean(), Some(mean));
                assert_eq!(Some(&read.bucket.last), figures.last());
            }
            assert_eq!(history.read(1, rows + 9), history.read(1, rows - 1));
        }
    }

    #[test]
    fn between_measurements_the_latest_is_read_with_its_generation() {
        let history = filled(38);
        let read = |generation| {
            history
                .read(2, generation)
                .map(|read| (read.first, read.last))
        };
        assert_eq!(read(30), Some((30, 30)));
        assert_eq!(read(37), Some((30, 30)));
        assert_eq!(read(9), Some((0, 0)));
        assert_eq!(History::new(2).read(1, 5), None);
    }

    #[test]
    fn a_column_with_gaps_keeps_its_latest_figure() {
        let history = filled(15);
        assert_eq!(history.last(2), Some(0.5));
        assert_eq!(history.column(2)[3].mean(), None);
        assert_eq!(history.column(2)[10].mean(), Some(0.5));
    }
}
