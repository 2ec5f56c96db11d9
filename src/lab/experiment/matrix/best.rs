//! Which scheme is the best in a game, and which are not clearly worse.

use serde::Serialize;

use finches_engine::metrics::stats::ranks::{holm, mann_whitney};

use super::results::CellResult;

/// The highest p-value, adjusted for the number of schemes, of a clear difference.
pub const CLEAR: f64 = 0.05;

/// The best scheme of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BestScheme {
    /// The name of the game.
    pub game: String,
    /// The scheme with the highest mean; of several, the first in the table.
    pub scheme: String,
    /// Its mean.
    pub mean: f64,
    /// The schemes that are not clearly worse by the two-sided Mann-Whitney U test of their runs
    /// (Holm within the game), the highest mean first.
    pub rivals: Vec<String>,
}

impl BestScheme {
    /// The best of the schemes of one game, ordered by rank; `None` if none has runs.
    pub(super) fn of(by_rank: &[&CellResult]) -> Option<Self> {
        let (best, others) = by_rank.split_first()?;
        let values = best.known_values();
        let tests = others.iter().filter_map(|other| {
            let test = mann_whitney(&values, &other.known_values())?;
            Some((other, test.p))
        });
        let tests: Vec<(&&CellResult, f64)> = tests.collect();
        let chances: Vec<f64> = tests.iter().map(|(_, p)| *p).collect();
        let adjusted = tests.iter().zip(holm(&chances));
        let rivals = adjusted.filter(|&(_, p)| p > CLEAR);
        Some(Self {
            game: best.game.clone(),
            scheme: best.scheme.clone(),
            mean: best.mean?,
            rivals: rivals.map(|((other, _), _)| other.scheme.clone()).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::results::tests::results;
    use super::*;
    use crate::experiment::summary::RunValue;

    #[test]
    fn a_rival_is_a_scheme_whose_runs_are_not_clearly_worse() {
        let places = [("near", 0.79), ("best", 0.8), ("far", 0.2)];
        let means = places.map(|(scheme, mean)| ("nim", scheme, Some(mean)));
        let mut found = results(&means);
        for cell in &mut found.cells {
            let mean = cell.mean.expect("it is given");
            let value = |seed: u64| RunValue {
                seed,
                generations: 20,
                value: Some(mean + seed as f64 / 100.0),
            };
            cell.values = (1..=10).map(value).collect();
        }
        let best = BestScheme::of(&found.by_rank("nim")).expect("there are runs");
        assert_eq!(
            (best.scheme.as_str(), best.rivals),
            ("best", vec!["near".to_owned()])
        );
    }

    #[test]
    fn a_game_without_runs_has_no_best_scheme() {
        let found = results(&[("nim", "a", None)]);
        assert_eq!(BestScheme::of(&found.by_rank("nim")), None);
    }
}
