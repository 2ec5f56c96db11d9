//! Breakpoints: what makes a run pause, so that its viewer can look. They depend on the rows of a
//! run alone, so a resumed or repeated run pauses at the same generations.

use std::fmt;

use thiserror::Error;

use crate::metrics::stop_condition::{StopCondition, StopConditionError};
use crate::metrics::{BestGeneration, Columns, Row};

use super::measures::{accuracy, progress, versus};

/// What a breakpoint waits for.
#[derive(Clone, Debug, PartialEq)]
pub enum Breakpoint {
    /// A column reaches a bound.
    Bound(StopCondition),
    /// The objective is better than in all generations before.
    NewBest,
    /// The champion scores more than half of the points against a reference player, given by its
    /// name.
    Beats(String),
    /// The objective has not improved for this number of generations.
    Plateau(u64),
    /// The champion makes a move that is not one of the oracle's best in its games, after a
    /// generation without one.
    Mistake,
}

/// Why a text is no breakpoint, or why a run can't have it.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BreakpointError {
    /// The text has another form.
    #[error(
        "`{0}` is not a breakpoint; write best, mistake, plateau:100, beats:random, \
        generation:500, or a bound of a column such as accuracy_states>=0.9"
    )]
    Form(String),
    /// The run has no column that the breakpoint needs.
    #[error(transparent)]
    Column(#[from] StopConditionError),
    /// The run has no objective.
    #[error("this run has no objective, which `{0}` needs")]
    Objective(Breakpoint),
}

impl Breakpoint {
    /// Reads `best`, `mistake`, `plateau:N`, `beats:PLAYER`, `generation:N`, `COLUMN>=X` or
    /// `COLUMN<=X`.
    ///
    /// # Errors
    ///
    /// A message that quotes the text and lists the forms.
    pub fn parse(text: &str) -> Result<Self, BreakpointError> {
        let number = |text: &str| text.parse::<u64>().ok().filter(|&number| number > 0);
        let text = text.trim();
        let parsed = match text.split_once(':') {
            None if text == "best" => Some(Self::NewBest),
            None if text == "mistake" => Some(Self::Mistake),
            None => StopCondition::parse(text).ok().map(Self::Bound),
            Some(("beats", player)) if !player.is_empty() => {
                Some(Self::Beats(player.replace('_', "-")))
            }
            Some(("plateau", generations)) => number(generations).map(Self::Plateau),
            Some(("generation", wanted)) => number(wanted).and_then(|wanted| {
                let bound = format!("{}>={wanted}", progress::GENERATION.name);
                let bound = StopCondition::parse(&bound);
                bound.ok().map(Self::Bound)
            }),
            Some(_) => None,
        };
        parsed.ok_or_else(|| BreakpointError::Form(text.to_owned()))
    }

    /// Reads breakpoints separated by commas or spaces.
    ///
    /// # Errors
    ///
    /// The message of the first one that is none.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, BreakpointError> {
        let words = text.split([',', ' ']).filter(|word| !word.is_empty());
        words.map(Self::parse).collect()
    }

    /// Returns an error if the run has no column that the breakpoint needs.
    pub fn check(&self, columns: &Columns) -> Result<(), BreakpointError> {
        let needs = |name: &str| StopCondition::parse(&format!("{name}>=0"))?.check(columns);
        match self {
            Self::Bound(bound) => Ok(bound.check(columns)?),
            Self::Beats(player) => Ok(needs(&versus::CHAMPION.name_against(player))?),
            Self::Mistake => Ok(needs(accuracy::IN_GAMES.name)?),
            Self::NewBest | Self::Plateau(_) if columns.objective().is_none() => {
                Err(BreakpointError::Objective(self.clone()))
            }
            Self::NewBest | Self::Plateau(_) => Ok(()),
        }
    }
}

impl fmt::Display for Breakpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bound(bound) => bound.fmt(f),
            Self::NewBest => f.write_str("best"),
            Self::Beats(player) => write!(f, "beats:{player}"),
            Self::Plateau(generations) => write!(f, "plateau:{generations}"),
            Self::Mistake => f.write_str("mistake"),
        }
    }
}

/// Watches the rows of a run for its breakpoints.
#[derive(Clone, Debug, Default)]
pub struct BreakpointWatch {
    breakpoints: Vec<WatchedBreakpoint>,
    best: BestGeneration,
    /// The last known value of each column.
    last: Option<Row>,
}

#[derive(Clone, Debug)]
struct WatchedBreakpoint {
    breakpoint: Breakpoint,
    /// Whether it was met when last known. A run pauses only where that changes.
    is_met: bool,
}

impl BreakpointWatch {
    /// Replaces the breakpoints. Those that are met already make no pause until they are met again.
    pub fn set(&mut self, breakpoints: Vec<Breakpoint>, columns: &Columns) {
        let watched = |breakpoint: Breakpoint| {
            let last = self.last.as_ref();
            let is_met = last.and_then(|row| self.is_met(&breakpoint, columns, row));
            // A first mistake follows a generation without one.
            let before = breakpoint == Breakpoint::Mistake;
            WatchedBreakpoint {
                is_met: is_met.unwrap_or(before),
                breakpoint,
            }
        };
        self.breakpoints = breakpoints.into_iter().map(watched).collect();
    }

    /// The best generation of all observed ones.
    pub fn best(&self) -> BestGeneration {
        self.best
    }

    /// The breakpoints, in the form in which they are read.
    pub fn texts(&self) -> Vec<String> {
        let texts = self.breakpoints.iter();
        texts
            .map(|watched| watched.breakpoint.to_string())
            .collect()
    }

    /// Takes in the next row of the run. Returns the reason to pause if a breakpoint is met now
    /// that was not met before.
    pub fn observe(&mut self, columns: &Columns, row: &Row) -> Option<String> {
        let is_first = self.best.0.is_none();
        let is_best = self.best.observe(columns, row) && !is_first;
        let mut breakpoints = std::mem::take(&mut self.breakpoints);
        let mut reasons = Vec::new();
        for watched in &mut breakpoints {
            let met = self.is_met(&watched.breakpoint, columns, row);
            let began = met == Some(true) && !watched.is_met;
            watched.is_met = met.unwrap_or(watched.is_met);
            if began || (is_best && watched.breakpoint == Breakpoint::NewBest) {
                reasons.push(watched.breakpoint.to_string());
            }
        }
        self.breakpoints = breakpoints;
        let known = self.last.get_or_insert_with(|| row.clone());
        known.update(row);
        (!reasons.is_empty()).then(|| reasons.join(", "))
    }

    /// Whether the state that a breakpoint waits for holds after a row; `None` if the row does not
    /// tell.
    fn is_met(&self, breakpoint: &Breakpoint, columns: &Columns, row: &Row) -> Option<bool> {
        let value = |name: &str| row.get(columns, name);
        match breakpoint {
            Breakpoint::Bound(bound) => value(bound.column()).map(|_| bound.is_met(columns, row)),
            // An event, not a state.
            Breakpoint::NewBest => None,
            Breakpoint::Beats(player) => {
                value(&versus::CHAMPION.name_against(player)).map(|share| share > 0.5)
            }
            Breakpoint::Plateau(length) => {
                let (since, _) = self.best.0?;
                Some(row.generation().saturating_sub(since) >= *length)
            }
            Breakpoint::Mistake => value(accuracy::IN_GAMES.name).map(|share| share < 1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Column;

    /// The generations at which a breakpoint makes a pause, for the values of a column from
    /// generation 0 on.
    fn check(breakpoint: &str, column: &str, values: &[f64], expected: &[u64]) {
        let mut columns = ["generation", column].map(Column::unknown);
        columns[1].objective_rank = 2;
        let columns = Columns::new(columns.to_vec());
        let breakpoints = Breakpoint::parse_all(breakpoint).expect("they are breakpoints");
        assert!(breakpoints.iter().all(|one| one.check(&columns).is_ok()));
        let mut watch = BreakpointWatch::default();
        watch.set(breakpoints, &columns);
        assert_eq!(watch.texts().join(", "), breakpoint);
        let rows = values.iter().enumerate();
        let row = |(index, &value): (usize, &f64)| {
            Row::from_values(vec![Some(index as f64), Some(value)])
        };
        let hits = rows
            .map(row)
            .filter(|row| watch.observe(&columns, row).is_some());
        let hits: Vec<u64> = hits.map(|row| row.generation()).collect();
        assert_eq!(hits, expected, "{breakpoint} over {values:?}");
    }

    #[test]
    fn a_breakpoint_pauses_where_its_condition_begins_to_hold() {
        let rising = [0.1, 0.4, 0.6, 0.6, 0.3, 0.7];
        check("accuracy_states>=0.5", "accuracy_states", &rising, &[2, 5]);
        check("accuracy_states<=0.4", "accuracy_states", &rising, &[0, 4]);
        check("best", "accuracy_states", &rising, &[1, 2, 5]);
        check("plateau:2", "accuracy_states", &rising, &[4]);
        check("beats:level-1", "vs_level_1", &rising, &[2, 5]);
        check("generation>=3", "accuracy_states", &rising, &[3]);
        check("best, plateau:1", "accuracy_states", &rising, &[1, 2, 3, 5]);
        check(
            "mistake",
            "accuracy_games",
            &[0.9, 1.0, 1.0, 0.8, 0.9],
            &[3],
        );
    }

    #[test]
    fn a_breakpoint_that_is_met_when_it_is_set_waits_until_it_is_met_again() {
        let columns = Columns::new(["generation", "games"].map(Column::unknown).to_vec());
        let row =
            |generation: f64, games: f64| Row::from_values(vec![Some(generation), Some(games)]);
        let mut watch = BreakpointWatch::default();
        assert_eq!(watch.observe(&columns, &row(0.0, 9.0)), None);
        watch.set(
            vec![Breakpoint::parse("games>=5").expect("it is a breakpoint")],
            &columns,
        );
        assert_eq!(watch.observe(&columns, &row(1.0, 9.0)), None);
        assert_eq!(watch.observe(&columns, &row(2.0, 1.0)), None);
        let reason = watch.observe(&columns, &row(3.0, 7.0));
        assert_eq!(reason.as_deref(), Some("games>=5"));
    }

    #[test]
    fn errors_quote_the_text_and_name_what_is_missing() {
        for text in ["", "bst", "plateau:0", "plateau:x", "beats:", "games>5"] {
            let error = Breakpoint::parse(text).expect_err("it is none").to_string();
            assert!(
                error.starts_with(&format!("`{text}` is not a breakpoint")),
                "{error}"
            );
        }
        let columns = Columns::new(vec![Column::unknown("generation")]);
        let check = |text: &str| Breakpoint::parse(text).expect("it is one").check(&columns);
        assert!(check("generation:5").is_ok());
        for text in ["best", "plateau:5", "mistake", "beats:random", "games>=1"] {
            assert!(check(text).is_err(), "{text}");
        }
    }
}
