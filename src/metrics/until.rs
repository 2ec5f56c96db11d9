//! A condition on a column at which a run stops: `accuracy_states>=0.99`.

use crate::params::suggest;

use super::{Columns, Row};

/// A column, a comparison and a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Until {
    column: String,
    comparison: Comparison,
    bound: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    AtLeast,
    AtMost,
}

impl Until {
    /// Reads `COLUMN>=NUMBER` or `COLUMN<=NUMBER`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let fault = || {
            format!(
                "`{text}` is not a condition; write COLUMN>=NUMBER or COLUMN<=NUMBER, such as accuracy_states>=0.99"
            )
        };
        let at_least = text
            .split_once(">=")
            .map(|parts| (parts, Comparison::AtLeast));
        let at_most = || {
            text.split_once("<=")
                .map(|parts| (parts, Comparison::AtMost))
        };
        let ((column, bound), comparison) = at_least.or_else(at_most).ok_or_else(fault)?;
        let bound: f64 = bound.trim().parse().map_err(|_| fault())?;
        Ok(Self {
            column: column.trim().to_owned(),
            comparison,
            bound,
        })
    }

    /// The column that it is about.
    pub fn column(&self) -> &str {
        &self.column
    }

    /// Whether the run has the column; an error names those it has.
    pub fn check(&self, columns: &Columns) -> Result<(), String> {
        let names: Vec<&str> = columns.names().collect();
        let known = names.contains(&self.column.as_str());
        let fault = || {
            format!(
                "this run has no column `{}`; {}",
                self.column,
                suggest(&self.column, &names)
            )
        };
        known.then_some(()).ok_or_else(fault)
    }

    /// Whether a row fulfills the condition; a row without the figure does not.
    pub fn is_met(&self, columns: &Columns, row: &Row) -> bool {
        row.get(columns, &self.column)
            .is_some_and(|value| match self.comparison {
                Comparison::AtLeast => value >= self.bound,
                Comparison::AtMost => value <= self.bound,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, value: Option<f64>, expected: bool) {
        let columns = Columns::new(|name| ["generation", "mean_turns"].contains(&name), &[]);
        let until = Until::parse(text).expect("it is a condition");
        until.check(&columns).expect("the column exists");
        let row = Row::from_values(vec![Some(0.0), value]);
        assert_eq!(until.is_met(&columns, &row), expected, "{text} {value:?}");
    }

    #[test]
    fn a_condition_is_met_at_its_bound_and_never_without_a_figure() {
        check("mean_turns>=2.5", Some(2.5), true);
        check("mean_turns >= 2.5", Some(2.4), false);
        check("mean_turns<=2.5", Some(2.5), true);
        check("mean_turns<=2.5", Some(2.6), false);
        check("mean_turns<=2.5", None, false);
    }

    #[test]
    fn what_is_no_condition_or_no_column_is_refused() {
        for text in ["mean_turns", "mean_turns>2", "mean_turns>=many", ""] {
            assert!(Until::parse(text).is_err(), "{text}");
        }
        let columns = Columns::new(
            |name| ["generation", "vs_random"].contains(&name),
            &["random".to_owned()],
        );
        let fault = Until::parse("vs_randm>=1")
            .expect("it is a condition")
            .check(&columns)
            .expect_err("there is none");
        assert!(fault.contains("did you mean `vs_random`?"), "{fault}");
    }
}
