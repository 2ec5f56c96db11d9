//! A condition on a column at which a run stops: `accuracy_states>=0.99`.

use std::fmt;

use thiserror::Error;

use crate::params::suggest;

use super::{Columns, Row};

/// Why a text is not a condition on a column of a run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StopConditionError {
    /// The text has another form.
    #[error(
        "`{0}` is not a condition; write COLUMN>=NUMBER or COLUMN<=NUMBER, such as \
        accuracy_states>=0.99"
    )]
    Form(String),
    /// The run has no such column.
    #[error("this run has no column `{column}`; {advice}")]
    Column {
        /// The name of the column.
        column: String,
        /// The names that are like it, or all.
        advice: String,
    },
}

/// A comparison of a column with a number.
#[derive(Clone, Debug, PartialEq)]
pub struct StopCondition {
    column: String,
    comparison: Bound,
    bound: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    AtLeast,
    AtMost,
}

impl StopCondition {
    /// Reads `COLUMN>=NUMBER` or `COLUMN<=NUMBER`.
    pub fn parse(text: &str) -> Result<Self, StopConditionError> {
        let problem = || StopConditionError::Form(text.to_owned());
        let at_least = text.split_once(">=").map(|parts| (parts, Bound::AtLeast));
        let at_most = || text.split_once("<=").map(|parts| (parts, Bound::AtMost));
        let ((column, bound), comparison) = at_least.or_else(at_most).ok_or_else(problem)?;
        let bound = bound
            .trim()
            .parse()
            .ok()
            .filter(|bound: &f64| bound.is_finite());
        let bound = bound.ok_or_else(problem)?;
        Ok(Self {
            column: column.trim().to_owned(),
            comparison,
            bound,
        })
    }

    /// The name of the column.
    pub fn column(&self) -> &str {
        &self.column
    }

    /// The number that the column is compared with.
    pub fn bound(&self) -> f64 {
        self.bound
    }

    /// Whether low values meet it.
    pub fn is_lowest_best(&self) -> bool {
        self.comparison == Bound::AtMost
    }

    /// Returns an error with a suggestion if the run does not have the column.
    pub fn check(&self, columns: &Columns) -> Result<(), StopConditionError> {
        let names: Vec<&str> = columns.names().collect();
        if names.contains(&self.column.as_str()) {
            return Ok(());
        }
        Err(StopConditionError::Column {
            column: self.column.clone(),
            advice: suggest(&self.column, &names),
        })
    }

    /// Whether a row meets the condition; a row without the value does not.
    pub fn is_met(&self, columns: &Columns, row: &Row) -> bool {
        row.get(columns, &self.column)
            .is_some_and(|value| match self.comparison {
                Bound::AtLeast => value >= self.bound,
                Bound::AtMost => value <= self.bound,
            })
    }
}

impl fmt::Display for StopCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.comparison {
            Bound::AtLeast => ">=",
            Bound::AtMost => "<=",
        };
        write!(f, "{}{sign}{}", self.column, self.bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Column;

    fn check(text: &str, value: Option<f64>, expected: bool) {
        let columns = Columns::new(["generation", "mean_turns"].map(Column::unknown).to_vec());
        let until = StopCondition::parse(text).expect("it is a condition");
        until.check(&columns).expect("the column exists");
        let row = Row::from_values(vec![Some(0.0), value]);
        assert_eq!(until.is_met(&columns, &row), expected, "{text} {value:?}");
    }

    #[test]
    fn a_condition_is_met_at_its_bound_and_never_without_a_value() {
        check("mean_turns>=2.5", Some(2.5), true);
        check("mean_turns >= 2.5", Some(2.4), false);
        check("mean_turns<=2.5", Some(2.5), true);
        check("mean_turns<=2.5", Some(2.6), false);
        check("mean_turns<=2.5", None, false);
    }

    #[test]
    fn invalid_conditions_and_unknown_columns_are_rejected() {
        for text in [
            "mean_turns",
            "mean_turns>2",
            "mean_turns>=many",
            "mean_turns>=NaN",
            "mean_turns>=inf",
            "mean_turns<=1e400",
            "",
        ] {
            assert!(StopCondition::parse(text).is_err(), "{text}");
        }
        let columns = Columns::new(["generation", "vs_random"].map(Column::unknown).to_vec());
        let problem = StopCondition::parse("vs_randm>=1")
            .expect("it is a condition")
            .check(&columns)
            .expect_err("there is none")
            .to_string();
        assert!(problem.contains("did you mean `vs_random`?"), "{problem}");
    }
}
