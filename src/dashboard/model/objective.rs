//! The objective as the screens show it: that of the run while it can move, else an easier
//! reference player. Breakpoints and stop conditions do not depend on it.

use finches_engine::metrics::history::{Bucket, History};
use finches_engine::metrics::stats::wilson;
use finches_engine::metrics::{Basis, Column, Columns, Row};
use finches_engine::play::reference_player::ReferencePlayer;
use finches_engine::session::measures::versus;

use super::run::RunModel;

/// Shares from which on a player is always beaten, and up to which it never is.
const ALWAYS: f64 = 0.99;
const NEVER: f64 = 0.02;

/// The margin by which a measure has to be away from both in order to be taken.
const MARGIN: f64 = 0.03;

/// The fewest measurements that say something.
const FEWEST: usize = 3;

/// The column to show, given the one shown now: the objective of the run or, while that is a share
/// of points that is constantly near 0 or 1, the score against the hardest reference player for
/// which it is not.
pub fn shown_objective(columns: &Columns, history: &History, now: Option<usize>) -> Option<usize> {
    let base = columns.objective()?;
    let all = columns.all();
    let now = now.unwrap_or(base);
    if all[base].basis != Basis::HeldOut {
        return Some(base);
    }
    let oracle = versus::CHAMPION.name_against(&ReferencePlayer::Oracle.name(&[]));
    let easier = (0..all.len()).rev().filter(|&place| {
        let column = &all[place];
        place != base && column.basis == Basis::HeldOut && column.name != oracle
    });
    let candidates: Vec<usize> = std::iter::once(base).chain(easier).collect();
    let order = candidates.iter().position(|&place| place == now)?;
    let moves = |place: &&usize| is_moving(history.column(**place));
    let next = if is_flat(history.column(now)) {
        candidates.iter().find(moves)
    } else {
        candidates[..order].iter().find(moves)
    };
    Some(next.copied().unwrap_or(now))
}

/// The later half of the measurements, at least [`FEWEST`].
fn recent(buckets: &[Bucket]) -> Option<Vec<f64>> {
    let values: Vec<f64> = buckets.iter().filter_map(Bucket::mean).collect();
    let count = (values.len() / 2).max(FEWEST);
    Some(values[values.len().checked_sub(count)?..].to_vec())
}

/// Whether a share was constantly near 0 or constantly near 1.
fn is_flat(buckets: &[Bucket]) -> bool {
    recent(buckets).is_some_and(|values| {
        values.iter().all(|&value| value >= ALWAYS) || values.iter().all(|&value| value <= NEVER)
    })
}

/// Whether a share was constantly well away from 0 and 1, so that it does not become flat at once.
fn is_moving(buckets: &[Bucket]) -> bool {
    let between = NEVER + MARGIN..=ALWAYS - MARGIN;
    recent(buckets).is_some_and(|values| values.iter().all(|value| between.contains(value)))
}

impl RunModel {
    /// The index of the column that measures success: agreement with the oracle, or else the score
    /// against the strongest reference player that is neither always beaten nor never.
    pub fn objective(&self) -> Option<usize> {
        self.objective.or_else(|| self.facts.columns.objective())
    }

    /// Chooses the objective anew after a row with a value of the run's own.
    pub(super) fn update_objective(&mut self, row: &Row) {
        let own = self.facts.columns.objective();
        if own.is_none_or(|place| row.values()[place].is_none()) {
            return;
        }
        let chosen = shown_objective(&self.facts.columns, &self.history, self.objective);
        if chosen != self.objective() {
            let history = &self.history;
            let buckets = chosen.map_or(&[][..], |place| history.column(place));
            let numbered = (history.start()..)
                .step_by(history.span() as usize)
                .zip(buckets);
            let filled = numbered.filter(|(_, bucket)| bucket.count > 0);
            let best = filled.map(|(generation, bucket)| (generation, bucket.max));
            self.best = best.reduce(|best, next| if next.1 > best.1 { next } else { best });
        }
        self.objective = chosen;
    }

    pub fn objective_now(&self) -> Option<f64> {
        self.history.last(self.objective()?)
    }

    /// The column of the objective.
    pub fn objective_column(&self) -> Option<&Column> {
        Some(&self.facts.columns.all()[self.objective()?])
    }

    /// If another column than the run's objective is shown: why the run's objective is not, such as
    /// `vs. level-1 is at 2%`.
    pub fn replaced_objective(&self) -> Option<String> {
        let base = self.facts.columns.objective()?;
        let value = self.history.last(base)?;
        let label = &self.facts.columns.all()[base].label;
        let value = crate::format::percent(value);
        (self.objective() != Some(base)).then(|| format!("{label} is at {value}"))
    }

    /// The 95% confidence interval of the current objective; `None` if it is exact or unknown.
    pub fn confidence_interval(&self) -> Option<(f64, f64)> {
        let games = self.sample(self.objective_column()?)?;
        Some(wilson(self.objective_now()?, games))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use finches_engine::session::measures::columns_named;

    const NAMES: [&str; 5] = ["generation", "vs_random", "vs_oracle", "vs_easy", "vs_hard"];

    /// The name of the column shown after each row of scores against the easy and the hard player.
    fn shown(scores: &[(f64, f64)]) -> Vec<&'static str> {
        let columns = columns_named(&NAMES.map(str::to_owned));
        let (mut history, mut now, mut shown) = (History::new(NAMES.len()), None, Vec::new());
        for (generation, &(easy, hard)) in scores.iter().enumerate() {
            let values = [generation as f64, 0.5, 0.0, easy, hard];
            history.push(&Row::from_values(values.map(Some).to_vec()));
            now = shown_objective(&columns, &history, now);
            shown.extend(now.map(|place| NAMES[place]));
        }
        shown
    }

    #[test]
    fn a_player_that_is_never_beaten_is_replaced_by_an_easier_one() {
        let shown = shown(&[(0.4, 0.01); 6]);
        assert_eq!(
            shown,
            [
                "vs_hard", "vs_hard", "vs_easy", "vs_easy", "vs_easy", "vs_easy"
            ]
        );
    }

    #[test]
    fn a_player_that_is_always_beaten_is_replaced_too() {
        assert_eq!(shown(&[(1.0, 1.0); 4]).last(), Some(&"vs_random"));
    }

    #[test]
    fn the_objective_comes_back_only_when_it_clearly_moves() {
        let mut scores = vec![(0.4, 0.0); 4];
        scores.extend([(0.4, 0.03); 8]);
        assert_eq!(shown(&scores).last(), Some(&"vs_easy"), "hardly above 0");
        scores.extend([(0.4, 0.2); 12]);
        assert_eq!(shown(&scores).last(), Some(&"vs_hard"));
    }

    #[test]
    fn agreement_with_the_oracle_stays_the_objective() {
        let columns =
            columns_named(&["generation", "accuracy_states", "vs_random"].map(str::to_owned));
        let mut history = History::new(3);
        for generation in 0..9 {
            let values = [f64::from(generation), 1.0, 0.5];
            history.push(&Row::from_values(values.map(Some).to_vec()));
        }
        assert_eq!(shown_objective(&columns, &history, None), Some(1));
    }
}
