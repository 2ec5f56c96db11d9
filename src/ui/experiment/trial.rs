//! One run of an experiment as the dashboard knows it: what has become of it and the course of its figures.

use std::time::Duration;

use crate::metrics::history::{Bucket, History};
use crate::metrics::over::Over;
use crate::metrics::{Columns, Row};
use crate::preset::Preset;
use crate::storage::experiments::outcome::Outcome;
use crate::ui::widgets::across::Track;
use crate::ui::widgets::fan::{Fate, Strand};

/// Memory that the courses of all runs may take, in buckets, and the buckets a column has at least and at most.
const BUCKETS: usize = 1_500_000;
const LEAST_BUCKETS: usize = 4;
const MOST_BUCKETS: usize = 512;

/// A run.
#[derive(Clone, Debug)]
pub struct Trial {
    pub fate: Fate,
    /// Generations done.
    pub generations: u64,
    pub outcome: Option<Outcome>,
    pub course: Option<History>,
    /// When a worker took it up, and when it was last heard of.
    begun: Duration,
    heard: Duration,
}

impl Trial {
    /// A run that is still to be done.
    pub fn waiting() -> Self {
        Self {
            fate: Fate::Waiting,
            generations: 0,
            outcome: None,
            course: None,
            begun: Duration::ZERO,
            heard: Duration::ZERO,
        }
    }

    pub fn begin(&mut self, now: Duration) {
        (self.fate, self.begun, self.heard) = (Fate::Running, now, now);
    }

    /// Takes in further generations.
    pub fn advance(&mut self, rows: &[Row], empty: impl FnOnce() -> History, now: Duration) {
        let course = self.course.get_or_insert_with(empty);
        for row in rows {
            course.push(row);
            self.generations = row.generation() + 1;
        }
        self.heard = now;
    }

    pub fn finish(&mut self, outcome: Outcome, preset: &Preset) {
        self.generations = outcome.generations;
        self.fate = match (preset.until.trim().is_empty(), outcome.reached) {
            (true, _) => Fate::Done,
            (false, None) => Fate::Without,
            (false, Some(_)) => Fate::Solved,
        };
        self.outcome = Some(outcome);
    }

    pub fn is_finished(&self) -> bool {
        self.outcome.is_some()
    }

    /// Time it has been worked at.
    pub fn worked(&self) -> Duration {
        self.heard.saturating_sub(self.begun)
    }

    /// Its line in a column, once it has any figures, on an axis for which the columns are needed.
    pub fn strand(&self, column: usize, over: Over, columns: &Columns) -> Option<Strand<'_>> {
        let course = self.course.as_ref()?;
        Some(Strand {
            buckets: course.column(column),
            fate: self.fate,
            track: Track::of(over, course, columns),
        })
    }

    /// What a column held at a place on an axis, as exact as the course is fine; nothing where the run has not come as far.
    pub fn read(&self, column: usize, over: Over, columns: &Columns, place: f64) -> Option<f64> {
        let course = self.course.as_ref()?;
        let track = Track::of(over, course, columns);
        if place > track.place(track.end) {
            return None;
        }
        let generation = track.generation(place);
        let bucket = course.read(column, generation)?.bucket;
        // The end of a line is drawn as it is, not as a mean.
        if generation == track.end {
            Some(bucket.last)
        } else {
            bucket.mean()
        }
    }

    /// The course of a column, and the generations that a bucket stands for.
    pub fn buckets(&self, column: usize) -> Option<(&[Bucket], u64)> {
        let course = self.course.as_ref()?;
        Some((course.column(column), course.span()))
    }

    /// The latest figure of a column.
    pub fn latest(&self, column: usize) -> Option<f64> {
        self.course.as_ref()?.last(column)
    }

    /// Its best figure in a column and the generations since; as exact as the course is fine.
    pub fn best(&self, column: usize, aim: Aim) -> Option<(f64, u64)> {
        let (buckets, span) = self.buckets(column)?;
        let figure = |bucket: &Bucket| match aim {
            Aim::High => bucket.max,
            Aim::Low => bucket.min,
        };
        let mut best: Option<(f64, u64)> = None;
        for (place, bucket) in buckets.iter().enumerate() {
            let (figure, at) = (figure(bucket), place as u64 * span);
            let is_better = best.is_none_or(|(best, _)| match aim {
                Aim::High => figure > best,
                Aim::Low => figure < best,
            });
            if bucket.count > 0 && is_better {
                best = Some((figure, at));
            }
        }
        best.map(|(figure, at)| (figure, self.generations.saturating_sub(at + span)))
    }
}

/// Which figures of a column are good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    High,
    Low,
}

/// An empty course for a run of an experiment with so many, which bounds what they take all together.
pub fn course(columns: &Columns, runs: usize) -> History {
    let columns = columns.all().len();
    let fair = BUCKETS / (columns * runs).max(1);
    History::bounded(columns, fair.clamp(LEAST_BUCKETS, MOST_BUCKETS))
}

/// The course of a run that is on disk, from its file's column names and rows.
pub fn recall(columns: &Columns, runs: usize, names: &[String], rows: &[Row]) -> History {
    let places: Vec<Option<usize>> = columns
        .names()
        .map(|name| names.iter().position(|known| known == name))
        .collect();
    let mut course = course(columns, runs);
    for row in rows {
        let values = places.iter().map(|place| row.values()[(*place)?]);
        course.push(&Row::from_values(values.collect()));
    }
    course
}
