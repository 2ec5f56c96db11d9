//! The page of a table of games and schemes: ranks over all games, a table for each game, the
//! schemes, and their presets.

use crate::experiment::ExperimentError;
use crate::experiment::collect::CollectedRuns;
use crate::experiment::matrix::games::{GAMES, MatrixGame};
use crate::experiment::matrix::results::MatrixResults;
use crate::experiment::matrix::schemes::SCHEMES;
use crate::experiment::matrix::table::{
    BEST_HEADERS, BEST_RULE, best_rows, game_table, game_title, notes, overall,
};
use crate::experiment::table::TextTable;
use finches_engine::preset::Preset;
use finches_engine::text::counted;
use finches_runs::storage::experiments::matrix::MatrixDefinition;

use super::page::{Cell, Page, PageBlock, Section, Table};
use super::words::{preset_file, unfinished};

/// The page of a table.
pub(super) fn page(
    runs: &CollectedRuns<'_>,
    definition: &MatrixDefinition,
) -> Result<Page, ExperimentError> {
    let results = MatrixResults::of(runs, definition)?;
    let mut lead = vec![format!(
        "Each scheme evolved players of each game with up to {} a run, {} each. The champions of \
        the last generation are judged in the same way. Intervals are 95% bootstrap intervals of \
        the mean.",
        counted(results.budget, "game"),
        counted(results.runs, "run")
    )];
    lead.extend(unfinished(runs));
    let mut sections = vec![best_section(&results), overall_section(&results)];
    let games = results.games().into_iter();
    sections.extend(games.map(|game| game_section(&results, game)));
    sections.push(schemes_section(&results));
    sections.push(games_section(&results));
    sections.push(files_section(runs));
    Ok(Page {
        title: "Games and schemes".to_owned(),
        lead,
        sections,
    })
}

/// Which scheme for which game.
fn best_section(results: &MatrixResults) -> Section {
    let rows = best_rows(results).into_iter().map(|row| {
        let cell = |(column, text): (usize, String)| match column {
            2 => Cell::figure(text),
            _ => Cell::words(text.replace('_', " ")),
        };
        row.into_iter().enumerate().map(cell).collect()
    });
    let table = Table::new(BEST_RULE, BEST_HEADERS, rows.collect());
    Section::of_table("Which scheme for which game", table)
}

fn overall_section(results: &MatrixResults) -> Section {
    let caption = "The rank of each scheme in each game, by mean rank";
    let table = ranked(caption, overall(results));
    let mut section = Section::of_table("Ranks over all games", table);
    section.blocks.push(PageBlock::List(notes(results)));
    section
}

fn game_section(results: &MatrixResults, game: &str) -> Section {
    let table = ranked(&game_title(results, game), game_table(results, game));
    Section::of_table(game.replace('_', " "), table)
}

/// A table of ranks, whose second column has names.
fn ranked(caption: &str, table: TextTable) -> Table {
    Table::of_text(caption, table, |column| column == 1)
}

/// What the schemes of the table are, and where they are from.
fn schemes_section(results: &MatrixResults) -> Section {
    let is_there = |name: &str| results.schemes.iter().any(|scheme| scheme.scheme == name);
    let schemes = SCHEMES.iter().filter(|scheme| is_there(&scheme.name));
    let row = |texts: [&str; 3]| texts.map(Cell::words).to_vec();
    let rows = schemes.map(|scheme| row([&scheme.name, &scheme.about, &scheme.source]));
    let caption = "All schemes of a game evolve the same networks, except for NEAT";
    let table = Table::new(caption, "scheme,what it is,source", rows.collect());
    Section::of_table("Schemes", table)
}

/// What evolves in each game, and who judges it.
fn games_section(results: &MatrixResults) -> Section {
    let is_there = |name: &str| results.games().contains(&name);
    let games = GAMES.iter().filter(|game| is_there(&game.name));
    let code = |text: &str| Cell::words(format!("`{text}`"));
    let row = |game: &MatrixGame| {
        vec![
            Cell::words(game.name.replace('_', " ")),
            code(&game.game),
            code(&game.dense),
            code(&game.growing),
            code(&game.column()),
        ]
    };
    let caption = "Networks value the position after each move. No scheme evolves against the \
        player that judges its champions";
    let head = "game,settings,dense network,NEAT's network,judged by";
    let table = Table::new(caption, head, games.map(row).collect());
    Section::of_table("Games and networks", table)
}

/// The preset of each place, folded.
fn files_section(runs: &CollectedRuns<'_>) -> Section {
    let presets = runs.manifest.presets.iter();
    let file = |preset: &Preset| preset_file(format!("{} in full", preset.name), preset);
    Section {
        heading: "Presets".to_owned(),
        blocks: presets.map(file).collect(),
    }
}
