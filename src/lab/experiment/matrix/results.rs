//! The results of a table: the strength of the final champions in each place, the ranks of the
//! schemes in each game, and over all games. They depend only on the finished runs.

use serde::Serialize;

use crate::experiment::ExperimentError;
use crate::experiment::collect::{CollectedRuns, FinishedRun};
use crate::experiment::summary::{PresetSummary, RunValue};
use crate::words::{csv_cell, csv_file, json_file};
use finches_engine::metrics::stats::friedman::{friedman, ranks};
use finches_engine::session::measures::progress;
use finches_runs::storage::experiments::manifest::Manifest;
use finches_runs::storage::experiments::matrix::{MatrixCell, MatrixDefinition, OmittedCell};

use super::best::BestScheme;

/// The results of a table: the content of `matrix.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatrixResults {
    /// The number of games that each run may play.
    pub budget: u64,
    /// The seed of the first run in each place.
    pub first_seed: u64,
    /// Requested runs in each place.
    pub runs: u64,
    /// Ordered by game and scheme.
    pub cells: Vec<CellResult>,
    /// The best scheme of each game that has runs.
    pub best: Vec<BestScheme>,
    /// The schemes over all games, by their mean ranks; those that lack a game come last.
    pub schemes: Vec<SchemeResult>,
    /// The test of whether schemes differ; null with fewer than two games or schemes that have runs
    /// in every game.
    pub friedman: Option<SchemeTest>,
    /// Games and schemes that do not fit together.
    pub omitted: Vec<OmittedCell>,
}

/// The runs of a scheme in a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellResult {
    /// The name of the game.
    pub game: String,
    /// The name of the scheme.
    pub scheme: String,
    /// The column that judges the champion of the last generation.
    pub column: String,
    /// Finished runs.
    pub n: usize,
    /// Generations of a run.
    pub generations: u64,
    /// Games of a run, the mean over the runs; null without runs.
    pub games: Option<f64>,
    /// The mean over the runs, and its 95% interval by the percentile bootstrap; null without
    /// runs.
    pub mean: Option<f64>,
    /// The lower end of the interval.
    pub mean_low: Option<f64>,
    /// The upper end of the interval.
    pub mean_high: Option<f64>,
    /// The rank of the mean among the schemes of the game, 1 for the highest; ties share the mean
    /// of their ranks.
    pub rank: Option<f64>,
    /// In the order of the seeds.
    pub values: Vec<RunValue>,
}

/// A scheme over all games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SchemeResult {
    /// The name of the scheme.
    pub scheme: String,
    /// Its rank in each game, in the order of the games.
    pub ranks: Vec<Option<f64>>,
    /// Its mean rank among the schemes that have runs in every game; null if it is not one of them.
    pub mean_rank: Option<f64>,
}

/// The Friedman test with the games as blocks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SchemeTest {
    /// The schemes that have runs in every game.
    pub schemes: usize,
    /// The games.
    pub games: usize,
    /// The test statistic.
    pub statistic: f64,
    /// By the chi-squared distribution.
    pub p: f64,
}

const HEADER: &str =
    "game,scheme,column,n,generations,games,mean,mean_low,mean_high,rank,mean_rank";

impl MatrixResults {
    /// The results of finished runs.
    pub fn of(
        runs: &CollectedRuns<'_>,
        definition: &MatrixDefinition,
    ) -> Result<Self, ExperimentError> {
        let places = definition.cells.iter().enumerate();
        let cells = places.map(|(index, cell)| cell_result(runs, index, cell));
        let cells = cells.collect::<Result<_, _>>()?;
        Ok(Self::ranked(runs.manifest, definition, cells))
    }

    /// The results of the places whose summaries are known, without the numbers of games.
    pub fn of_summaries(
        manifest: &Manifest,
        definition: &MatrixDefinition,
        summaries: &[PresetSummary],
    ) -> Self {
        let places = definition.cells.iter().zip(&manifest.presets);
        let cells = places.map(|(cell, preset)| {
            let mut known = summaries.iter();
            let summary = known.find(|summary| summary.preset == preset.name);
            CellResult::new(cell, preset.generations, None, summary.cloned())
        });
        Self::ranked(manifest, definition, cells.collect())
    }

    fn ranked(manifest: &Manifest, definition: &MatrixDefinition, cells: Vec<CellResult>) -> Self {
        let mut results = Self {
            budget: definition.budget,
            first_seed: manifest.first_seed,
            runs: manifest.runs,
            cells,
            best: Vec::new(),
            schemes: Vec::new(),
            friedman: None,
            omitted: definition.omitted.clone(),
        };
        results.rank_in_games();
        results.rank_over_games();
        let games = results.games().into_iter();
        results.best = games
            .filter_map(|game| BestScheme::of(&results.by_rank(game)))
            .collect();
        results
    }

    /// The games in the order of the table.
    pub fn games(&self) -> Vec<&str> {
        let cells = self.cells.iter();
        let mut games: Vec<&str> = cells.map(|cell| cell.game.as_str()).collect();
        games.dedup();
        games
    }

    /// The schemes in the order of the table.
    fn scheme_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for cell in &self.cells {
            if !names.contains(&cell.scheme.as_str()) {
                names.push(&cell.scheme);
            }
        }
        names
    }

    /// The place of a game and a scheme.
    fn cell(&self, game: &str, scheme: &str) -> Option<&CellResult> {
        let mut cells = self.cells.iter();
        cells.find(|cell| cell.game == game && cell.scheme == scheme)
    }

    /// The places of a game.
    pub fn of_game<'a>(&'a self, game: &'a str) -> impl Iterator<Item = &'a CellResult> {
        self.cells.iter().filter(move |cell| cell.game == game)
    }

    /// The places of a game, the highest mean first; those without runs come last.
    pub fn by_rank<'a>(&'a self, game: &'a str) -> Vec<&'a CellResult> {
        let mut cells: Vec<&CellResult> = self.of_game(game).collect();
        cells.sort_by(|one, other| order(one.rank).total_cmp(&order(other.rank)));
        cells
    }

    fn rank_in_games(&mut self) {
        let in_games = self.cells.chunk_by_mut(|one, other| one.game == other.game);
        for cells in in_games {
            let means: Vec<f64> = cells.iter().filter_map(CellResult::ranked_mean).collect();
            let ranked = cells.iter_mut().filter(|cell| cell.mean.is_some());
            for (cell, rank) in ranked.zip(ranks(&means)) {
                cell.rank = Some(rank);
            }
        }
    }

    fn rank_over_games(&mut self) {
        let schemes = self.scheme_names();
        let means: Vec<Option<Vec<f64>>> =
            schemes.iter().map(|scheme| self.means(scheme)).collect();
        let whole: Vec<&Vec<f64>> = means.iter().flatten().collect();
        let block = |game: usize| whole.iter().map(|means| means[game]).collect();
        let blocks: Vec<Vec<f64>> = (0..self.games().len()).map(block).collect();
        let mut mean_ranks = mean_ranks(&blocks, whole.len()).into_iter();
        let result = |(scheme, means): (&&str, &Option<Vec<f64>>)| {
            let mean_rank = means.as_ref().and_then(|_| mean_ranks.next());
            self.scheme_result(scheme, mean_rank)
        };
        let mut results: Vec<SchemeResult> = schemes.iter().zip(&means).map(result).collect();
        results.sort_by(|one, other| order(one.mean_rank).total_cmp(&order(other.mean_rank)));
        let test = friedman(&blocks).map(|test| SchemeTest {
            schemes: whole.len(),
            games: blocks.len(),
            statistic: test.statistic,
            p: test.p,
        });
        (self.schemes, self.friedman) = (results, test);
    }

    /// The means of a scheme in all games; `None` if one is missing.
    fn means(&self, scheme: &str) -> Option<Vec<f64>> {
        let games = self.games().into_iter();
        games
            .map(|game| self.cell(game, scheme)?.ranked_mean())
            .collect()
    }

    fn scheme_result(&self, scheme: &str, mean_rank: Option<f64>) -> SchemeResult {
        let games = self.games().into_iter();
        SchemeResult {
            scheme: scheme.to_owned(),
            ranks: games.map(|game| self.cell(game, scheme)?.rank).collect(),
            mean_rank,
        }
    }

    /// The text of `matrix.json`.
    pub fn json(&self) -> String {
        json_file(self)
    }

    /// The text of `matrix.csv`: one line for each place.
    pub fn csv(&self) -> String {
        let lines = self.cells.iter().map(|cell| self.fields(cell));
        csv_file(HEADER.split(','), lines)
    }

    fn fields(&self, cell: &CellResult) -> Vec<String> {
        let mut schemes = self.schemes.iter();
        let of_scheme = schemes.find(|result| result.scheme == cell.scheme);
        let mut fields = vec![
            cell.game.clone(),
            cell.scheme.clone(),
            cell.column.clone(),
            cell.n.to_string(),
            cell.generations.to_string(),
        ];
        let mean_rank = of_scheme.and_then(|result| result.mean_rank);
        let figures = [
            cell.games,
            cell.mean,
            cell.mean_low,
            cell.mean_high,
            cell.rank,
            mean_rank,
        ];
        fields.extend(figures.map(csv_cell));
        fields
    }
}

impl CellResult {
    /// A place without its rank. Without a summary it has no runs.
    fn new(
        cell: &MatrixCell,
        generations: u64,
        games: Option<f64>,
        summary: Option<PresetSummary>,
    ) -> Self {
        let all = summary.as_ref().and_then(|summary| summary.all);
        Self {
            game: cell.game.clone(),
            scheme: cell.scheme.clone(),
            column: cell.column.clone(),
            n: summary.as_ref().map_or(0, |summary| summary.n),
            generations,
            games,
            mean: all.map(|all| all.mean),
            mean_low: all.and_then(|all| all.mean_low),
            mean_high: all.and_then(|all| all.mean_high),
            rank: None,
            values: summary.map_or_else(Vec::new, |summary| summary.values),
        }
    }

    /// The values of the runs that have one.
    pub(super) fn known_values(&self) -> Vec<f64> {
        self.values.iter().filter_map(|run| run.value).collect()
    }

    /// The mean as it is ranked: means of the same shares, added up in another order, may differ in
    /// their last bits.
    fn ranked_mean(&self) -> Option<f64> {
        const STEPS: f64 = 1e9;
        self.mean.map(|mean| (mean * STEPS).round() / STEPS)
    }
}

/// What ranks are ordered by: those that are missing come last.
fn order(rank: Option<f64>) -> f64 {
    rank.unwrap_or(f64::INFINITY)
}

/// The mean rank of each scheme over the games.
fn mean_ranks(blocks: &[Vec<f64>], schemes: usize) -> Vec<f64> {
    let mut sums = vec![0.0; schemes];
    for block in blocks {
        for (sum, rank) in sums.iter_mut().zip(ranks(block)) {
            *sum += rank;
        }
    }
    let games = blocks.len() as f64;
    sums.into_iter().map(|sum| sum / games).collect()
}

fn cell_result(
    runs: &CollectedRuns<'_>,
    index: usize,
    cell: &MatrixCell,
) -> Result<CellResult, ExperimentError> {
    let preset = &runs.manifest.presets[index];
    let own: Vec<&FinishedRun<'_>> = runs.of_preset(index).collect();
    let finished: Vec<_> = own.iter().map(|run| (run.id, &run.outcome)).collect();
    let summary = PresetSummary::of((index, preset), &finished, Some(&cell.column))?;
    let games = own
        .iter()
        .filter_map(|run| run.outcome.latest.get(progress::GAMES.name));
    let games: Vec<f64> = games.copied().collect();
    let games = (!games.is_empty()).then(|| games.iter().sum::<f64>() / games.len() as f64);
    let generations = preset.generations;
    Ok(CellResult::new(cell, generations, games, Some(summary)))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Results with these means: a game and a scheme each.
    pub(in crate::experiment::matrix) fn results(
        means: &[(&str, &str, Option<f64>)],
    ) -> MatrixResults {
        let cell = |&(game, scheme, mean): &(&str, &str, Option<f64>)| CellResult {
            game: game.to_owned(),
            scheme: scheme.to_owned(),
            column: "vs_random".to_owned(),
            n: if mean.is_some() { 3 } else { 0 },
            generations: 20,
            games: mean.map(|_| 1980.0),
            mean,
            mean_low: mean.map(|mean| mean - 0.1),
            mean_high: mean.map(|mean| mean + 0.1),
            rank: None,
            values: Vec::new(),
        };
        let mut results = MatrixResults {
            budget: 2000,
            first_seed: 1,
            runs: 3,
            cells: means.iter().map(cell).collect(),
            best: Vec::new(),
            schemes: Vec::new(),
            friedman: None,
            omitted: vec![OmittedCell {
                game: "draughts".to_owned(),
                scheme: "c".to_owned(),
                reason: "it is too large".to_owned(),
            }],
        };
        results.rank_in_games();
        results.rank_over_games();
        results
    }

    /// Four schemes in two games. The third does not fit one of them, and the fourth has no runs
    /// there.
    pub(in crate::experiment::matrix) fn example() -> MatrixResults {
        results(&[
            ("nim", "a", Some(0.25)),
            ("nim", "b", Some(0.5)),
            ("nim", "c", Some(0.75)),
            ("nim", "d", Some(0.25)),
            ("draughts", "a", Some(0.5)),
            ("draughts", "b", Some(0.75)),
            ("draughts", "d", None),
        ])
    }

    #[test]
    fn schemes_are_ranked_in_each_game_and_over_all_games_if_they_have_runs_in_each() {
        let results = example();
        let ranks: Vec<Option<f64>> = results.cells.iter().map(|cell| cell.rank).collect();
        let expected = [3.5, 2.0, 1.0, 3.5, 2.0, 1.0].map(Some);
        assert_eq!((&ranks[..6], ranks[6]), (&expected[..], None));
        let schemes: Vec<_> = results
            .schemes
            .iter()
            .map(|result| (result.scheme.as_str(), result.mean_rank))
            .collect();
        assert_eq!(
            schemes,
            [("b", Some(1.0)), ("a", Some(2.0)), ("c", None), ("d", None)]
        );
        assert_eq!(results.schemes[2].ranks, [Some(1.0), None]);
        let test = results.friedman.expect("two schemes are in both games");
        assert_eq!((test.schemes, test.games, test.statistic), (2, 2, 2.0));
    }

    #[test]
    fn means_that_differ_in_their_last_bits_are_tied() {
        let results = results(&[("nim", "a", Some(0.1 + 0.2)), ("nim", "b", Some(0.3))]);
        let ranks = results.cells.iter().map(|cell| cell.rank);
        assert_eq!(ranks.collect::<Vec<_>>(), [Some(1.5); 2]);
    }

    #[test]
    fn a_line_of_the_file_has_a_field_for_each_column() {
        let csv = example().csv();
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines.len(), 8);
        assert_eq!(lines[2], "nim,b,vs_random,3,20,1980,0.5,0.4,0.6,2,1");
        assert_eq!(lines[7], "draughts,d,vs_random,0,20,,,,,,");
    }
}
