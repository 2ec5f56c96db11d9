//! The results of a table as text: a table for each game, the ranks over all games, and what is
//! left out.

use crate::experiment::table::{TextTable, finished};
use crate::words::{FigureStyle, number, or_dash};
use finches_engine::text::{counted, p_value};

use super::best::BestScheme;
use super::omission;
use super::results::{CellResult, MatrixResults, SchemeResult};

/// The column headers of the table of the best schemes.
pub const BEST_HEADERS: &str = "game,the best,mean,not clearly worse";

/// What counts as clearly worse.
pub const BEST_RULE: &str = "A scheme is clearly worse than the best of a game if a two-sided \
    Mann-Whitney U test of their runs has an adjusted p of at most 0.05 (Holm, within the game).";

/// The results as text.
pub fn table(results: &MatrixResults) -> String {
    let games = results.games().into_iter().map(|game| {
        let (title, table) = (game_title(results, game), game_table(results, game));
        format!("{title}\n\n{}\n", table.text())
    });
    let games: String = games.collect();
    let (ranks, notes) = (overall(results).text(), notes(results).join("\n"));
    let text = format!("{games}ranks over all games\n\n{ranks}\n{notes}\n");
    if results.best.is_empty() {
        return text;
    }
    let best = best_rows(results).into_iter();
    let best = best.map(|[game, scheme, mean, rivals]| {
        format!("{game}: {scheme}, {mean}; not clearly worse: {rivals}\n")
    });
    let best: String = best.collect();
    format!("{text}\nwhich scheme for which game\n\n{BEST_RULE}\n{best}")
}

/// What is judged in a game, by how many games, and with which seeds.
pub fn game_title(results: &MatrixResults, game: &str) -> String {
    let column = results.of_game(game).next().map_or("", |cell| &cell.column);
    let last = results.first_seed + results.runs - 1;
    format!(
        "{game}: {column} of the last champion after {}, seeds {} to {last}",
        counted(results.budget, "game"),
        results.first_seed
    )
}

/// The schemes of a game by rank, a row each.
pub fn game_table(results: &MatrixResults, game: &str) -> TextTable {
    let head = "rank,scheme,n,mean,95% CI of mean,games,generations";
    let row = |cell: &CellResult| {
        let style = FigureStyle::of(&cell.column);
        let interval = cell.mean_low.zip(cell.mean_high);
        vec![
            rank(cell.rank),
            cell.scheme.clone(),
            finished(cell.n, results.runs),
            or_dash(cell.mean.map(|mean| style.text(mean))),
            or_dash(interval.map(|ends| style.ends(ends))),
            or_dash(cell.games.map(number)),
            cell.generations.to_string(),
        ]
    };
    TextTable {
        head: head.split(',').map(str::to_owned).collect(),
        rows: results.by_rank(game).into_iter().map(row).collect(),
        left: 1,
    }
}

/// A row for each game: its best scheme, and those that are not clearly worse.
pub fn best_rows(results: &MatrixResults) -> Vec<[String; 4]> {
    let row = |best: &BestScheme| {
        let rivals = match &best.rivals[..] {
            [] => "none".to_owned(),
            rivals => rivals.join(", "),
        };
        let mut cells = results.of_game(&best.game);
        let style = cells
            .next()
            .map_or(FigureStyle::NUMBER, |cell| FigureStyle::of(&cell.column));
        let (game, scheme) = (best.game.clone(), best.scheme.clone());
        [game, scheme, style.text(best.mean), rivals]
    };
    results.best.iter().map(row).collect()
}

/// The ranks over all games.
pub fn overall(results: &MatrixResults) -> TextTable {
    let games = results.games().into_iter().map(str::to_owned);
    let headers = ["mean rank", "scheme"].map(str::to_owned).into_iter();
    let row = |result: &SchemeResult| {
        let first = [or_dash(result.mean_rank.map(number)), result.scheme.clone()];
        let ranks = result.ranks.iter().map(|&one| rank(one));
        first.into_iter().chain(ranks).collect()
    };
    TextTable {
        head: headers.chain(games).collect(),
        rows: results.schemes.iter().map(row).collect(),
        left: 1,
    }
}

/// What the tables do not say by themselves, one sentence or line each.
pub fn notes(results: &MatrixResults) -> Vec<String> {
    let mut notes = vec![
        "Rank 1 is the highest mean in a game; mean ranks are among the schemes that have runs in \
        every game."
            .to_owned(),
    ];
    if let Some(test) = results.friedman {
        notes.push(format!(
            "Friedman test of {} schemes with {} games as blocks: chi-squared {}, p {}.",
            test.schemes,
            test.games,
            number(test.statistic),
            p_value(test.p)
        ));
    }
    notes.extend(results.omitted.iter().map(omission));
    notes
}

/// A rank: whole, or with a half for ties.
fn rank(rank: Option<f64>) -> String {
    or_dash(rank.map(|rank| rank.to_string()))
}

#[cfg(test)]
mod tests {
    use super::super::results::tests::example;
    use super::*;

    #[test]
    fn the_best_scheme_of_each_game_comes_first_and_what_is_missing_is_said() {
        let expected = "\
nim: vs_random of the last champion after 2,000 games, seeds 1 to 3

rank  scheme  n   mean  95% CI of mean  games  generations
   1  c       3  75.0%   65.0 to 85.0%  1,980           20
   2  b       3  50.0%   40.0 to 60.0%  1,980           20
 3.5  a       3  25.0%   15.0 to 35.0%  1,980           20
 3.5  d       3  25.0%   15.0 to 35.0%  1,980           20

draughts: vs_random of the last champion after 2,000 games, seeds 1 to 3

rank  scheme       n   mean  95% CI of mean  games  generations
   1  b            3  75.0%   65.0 to 85.0%  1,980           20
   2  a            3  50.0%   40.0 to 60.0%  1,980           20
   –  d       0 of 3      –               –      –           20

ranks over all games

mean rank  scheme  nim  draughts
        1  b         2         1
        2  a       3.5         2
        –  c         1         –
        –  d       3.5         –

Rank 1 is the highest mean in a game; mean ranks are among the schemes that have runs in every game.
Friedman test of 2 schemes with 2 games as blocks: chi-squared 2, p 0.1573.
draughts × c is left out: it is too large
";
        assert_eq!(table(&example()), expected);
    }
}
