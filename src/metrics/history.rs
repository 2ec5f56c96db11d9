//! The course of every column over a run of any length, in bounded memory: when the buckets are full, neighbors are
//! merged. Smallest, largest and mean survive, so that peaks stay visible.

use super::Row;

/// Most buckets kept unless told otherwise; beyond it neighbors are merged.
const CAPACITY: usize = 2048;

/// Figures of one column over a stretch of generations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bucket {
    pub min: f64,
    pub max: f64,
    sum: f64,
    /// Rows that had a figure.
    pub count: u32,
    /// The latest figure.
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

    /// The mean, or `None` where there is no figure.
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

    /// Takes in a later stretch.
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

/// The history of a run: for each column the same number of buckets, each standing for `span` generations.
#[derive(Clone, Debug)]
pub struct History {
    span: u64,
    /// Most buckets kept of a column.
    capacity: usize,
    /// The generation of the first row.
    start: u64,
    rows: u64,
    columns: Vec<Vec<Bucket>>,
}

impl History {
    /// An empty history of so many columns.
    pub fn new(columns: usize) -> Self {
        Self::bounded(columns, CAPACITY)
    }

    /// An empty history that keeps at most so many buckets of each column, at least two.
    pub fn bounded(columns: usize, capacity: usize) -> Self {
        Self {
            span: 1,
            capacity: capacity.max(2),
            start: 0,
            rows: 0,
            columns: vec![Vec::new(); columns],
        }
    }

    /// Adds the row of a later generation; generations may be left out.
    pub fn push(&mut self, row: &Row) {
        if self.rows == 0 {
            self.start = row.generation();
        }
        let bucket = ((row.generation().saturating_sub(self.start)) / self.span) as usize;
        if bucket >= self.capacity {
            self.thin();
            return self.push(row);
        }
        for (column, value) in self.columns.iter_mut().zip(row.values()) {
            column.resize((bucket + 1).max(column.len()), Bucket::EMPTY);
            if let Some(value) = value {
                column[bucket].add(*value);
            }
        }
        self.rows += 1;
    }

    fn thin(&mut self) {
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

    /// Generations a bucket stands for.
    pub fn span(&self) -> u64 {
        self.span
    }

    /// The generation of the first row.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Rows taken in so far.
    pub fn len(&self) -> u64 {
        self.rows
    }

    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The buckets of a column, oldest first.
    pub fn column(&self, place: usize) -> &[Bucket] {
        self.columns.get(place).map_or(&[], Vec::as_slice)
    }

    /// The latest figure of a column.
    pub fn last(&self, place: usize) -> Option<f64> {
        let with_figure = self
            .column(place)
            .iter()
            .rev()
            .find(|bucket| bucket.count > 0);
        with_figure.map(|bucket| bucket.last)
    }

    /// The largest figure of a column over the whole run.
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
    }

    #[test]
    fn a_column_with_gaps_keeps_its_latest_figure() {
        let history = filled(15);
        assert_eq!(history.last(2), Some(0.5));
        assert_eq!(history.column(2)[3].mean(), None);
        assert_eq!(history.column(2)[10].mean(), Some(0.5));
    }
}
