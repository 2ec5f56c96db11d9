//! The metrics: a row of values per generation and the table of their columns. How values are
//! measured is not its concern.

use std::fmt::Write as _;

use crate::text::{percent, short};

use self::history::Goal;

pub mod csv_text;
pub mod history;
pub mod lengths;
pub mod progress_unit;
pub mod stats;
pub mod stop_condition;

/// A column of the metrics: what it measures, and how screens, pages and the command line show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The name in files and on the command line.
    pub name: String,
    /// The name in words.
    pub label: String,
    /// The name in words beside other columns of its page.
    pub short: String,
    /// The unit, or `share` for a number in 0..=1.
    pub unit: &'static str,
    /// What the column measures, in a sentence or two.
    pub help: &'static str,
    /// The page of charts that has it; `None` if other panes show it, or if it only counts.
    pub page: Option<ColumnPage>,
    /// What its values rest on.
    pub basis: Basis,
    /// Whether high or low values are better.
    pub goal: Goal,
    /// How well the column suits as the objective of a run; 0 if not at all.
    pub objective_rank: u32,
}

/// A page of charts. Columns with the same page share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnPage {
    /// The title; empty if the page has one column, whose label it is.
    pub title: &'static str,
    /// What the values are; if empty, the help of the column says it.
    pub caption: &'static str,
    /// Its place among the pages, from 0.
    pub rank: u32,
}

impl ColumnPage {
    /// The page of a column that shares it with no other, after those that have a rank.
    pub const OWN: Self = Self {
        title: "",
        caption: "",
        rank: u32::MAX,
    };

    /// A page of one column, with a place of its own among the pages.
    pub const fn own(rank: u32, caption: &'static str) -> Option<Self> {
        Some(Self {
            caption,
            rank,
            ..Self::OWN
        })
    }

    /// A page that columns share.
    pub const fn shared(rank: u32, title: &'static str, caption: &'static str) -> Option<Self> {
        Some(Self {
            title,
            caption,
            rank,
        })
    }
}

/// What the share of a champion rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// It is not such a share.
    Unstated,
    /// All positions with more than one move: it is exact.
    Positions,
    /// Positions that can be won.
    WinnablePositions,
    /// The moves of its games.
    Moves,
    /// Games against earlier champions.
    Tournament,
    /// Held-out games against a reference player.
    HeldOut,
}

impl Column {
    /// A column of which only the name is known.
    pub fn unknown(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            label: name.replace('_', " "),
            short: name.replace('_', " "),
            unit: "",
            help: "",
            page: Some(ColumnPage::OWN),
            basis: Basis::Unstated,
            goal: Goal::Maximize,
            objective_rank: 0,
        }
    }

    /// Whether values lie in 0..=1 and are shown in percent.
    pub fn is_share(&self) -> bool {
        self.unit == "share"
    }

    /// A value of the column in words: a share in percent, others in about five characters.
    pub fn figure(&self, value: f64) -> String {
        if self.is_share() {
            percent(value)
        } else {
            short(value)
        }
    }
}

/// The columns of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns(Vec<Column>);

impl Columns {
    /// Columns in the order of files.
    pub fn new(columns: Vec<Column>) -> Self {
        Self(columns)
    }

    /// All columns in the order of files.
    pub fn all(&self) -> &[Column] {
        &self.0
    }

    /// The index of a column, given by its measure or its name.
    pub fn place(&self, wanted: &(impl PartialEq<str> + ?Sized)) -> Option<usize> {
        self.0.iter().position(|column| *wanted == *column.name)
    }

    /// The index of the objective: the column with the highest rank, the last of several.
    pub fn objective(&self) -> Option<usize> {
        let ranked = self.0.iter().enumerate();
        let ranked = ranked.filter(|(_, column)| column.objective_rank > 0);
        let highest = ranked.max_by_key(|(_, column)| column.objective_rank);
        highest.map(|(place, _)| place)
    }

    /// The objective itself.
    pub fn objective_column(&self) -> Option<&Column> {
        Some(&self.0[self.objective()?])
    }

    /// The names in the order of files.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.iter().map(|column| column.name.as_str())
    }
}

/// The generation with the highest objective so far and that objective; the first of several.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BestGeneration(pub Option<(u64, f64)>);

impl BestGeneration {
    /// Takes in the next row of a run. Returns whether it is the best so far.
    pub fn observe(&mut self, columns: &Columns, row: &Row) -> bool {
        let place = columns.objective();
        let value = place.and_then(|place| row.values().get(place).copied().flatten());
        let better = value.filter(|&value| self.0.is_none_or(|(_, best)| value > best));
        if let Some(value) = better {
            self.0 = Some((row.generation(), value));
        }
        better.is_some()
    }
}

/// The values of one generation in the order of the run's columns; `None` if not measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Row(Vec<Option<f64>>);

impl Row {
    /// A row without values.
    pub fn empty(columns: &Columns) -> Self {
        Self(vec![None; columns.all().len()])
    }

    /// A row read from a file.
    pub fn from_values(values: Vec<Option<f64>>) -> Self {
        Self(values)
    }

    /// Sets a value; ignored if the run does not have the column.
    pub fn set(&mut self, columns: &Columns, column: &(impl PartialEq<str> + ?Sized), value: f64) {
        if let Some(place) = columns.place(column) {
            self.0[place] = Some(value);
        }
    }

    /// A value; `None` if it was not measured, or if the run does not have the column.
    pub fn get(&self, columns: &Columns, column: &(impl PartialEq<str> + ?Sized)) -> Option<f64> {
        self.0[columns.place(column)?]
    }

    /// Replaces the values that a later row of the same run has.
    pub fn update(&mut self, later: &Self) {
        for (value, later) in self.0.iter_mut().zip(&later.0) {
            *value = later.or(*value);
        }
    }

    /// The values in the order of the columns.
    pub fn values(&self) -> &[Option<f64>] {
        &self.0
    }

    /// The generation, the first value of every row.
    pub fn generation(&self) -> u64 {
        self.0.first().copied().flatten().unwrap_or(0.0) as u64
    }

    /// A JSON object of the measured values.
    pub fn json(&self, columns: &Columns) -> String {
        let mut text = String::from("{");
        for (name, value) in columns.names().zip(&self.0) {
            if let Some(value) = value.filter(|value| value.is_finite()) {
                let comma = if text.len() > 1 { "," } else { "" };
                // Writing to a string can't fail.
                let _ = write!(text, "{comma}\"{name}\":{value}");
            }
        }
        text.push('}');
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_omits_values_that_were_not_measured() {
        let names = ["generation", "seconds", "best_fitness", "vs_level_1"];
        let columns = Columns::new(names.map(Column::unknown).to_vec());
        let mut row = Row::empty(&columns);
        row.set(&columns, "generation", 7.0);
        row.set(&columns, "vs_level_1", 0.25);
        row.set(&columns, "unknown", 3.0);
        assert_eq!(row.json(&columns), r#"{"generation":7,"vs_level_1":0.25}"#);
        let parsed: serde_json::Value =
            serde_json::from_str(&row.json(&columns)).expect("it is JSON");
        assert_eq!(parsed["generation"], 7);
    }
}
