//! The measures in the main chart, grouped into pages of comparable ones. The objective's page comes first.

use crate::model::run::RunModel;
use finches_engine::metrics::Column;
use finches_engine::session::measures::{is_judged, is_versus};

use super::charts::has_fixed_size;

/// Measures that share a chart, most important first.
pub(super) struct MeasurePage {
    pub(super) title: String,
    /// What the values are.
    pub(super) caption: String,
    pub(super) lines: Vec<MeasureLine>,
}

/// A measure: its column and its short label within the page.
pub(super) struct MeasureLine {
    pub(super) column: String,
    pub(super) label: String,
    /// The name of the column in words.
    pub(super) name: String,
}

/// Whether the column with this name belongs to a page.
type ColumnFilter = fn(&str) -> bool;

/// The titles of the pages, their columns, and what the values are. An empty title stands for the label of the only column.
const PAGES: [(&str, ColumnFilter, &str); 12] = [
    (
        "",
        is_judged,
        "share of the positions that can be won in which the champion's move wins",
    ),
    (
        "",
        |name| name == "accuracy_states",
        "share of positions in which the champion moves right",
    ),
    (
        "",
        |name| name == "accuracy_games",
        "share of right moves in the champion's games",
    ),
    (
        "score against reference players",
        is_versus,
        "the champion's share of points in games it has not trained on",
    ),
    (
        "population mean against reference players",
        |name| name.starts_with("pop_mean_"),
        "mean share of points over the population",
    ),
    (
        "population best against reference players",
        |name| name.starts_with("pop_best_"),
        "highest share of points in the population",
    ),
    (
        "score of the population against",
        |name| ["progress", "baseline"].contains(&name),
        "share of points of the whole population",
    ),
    (
        "",
        |name| name == "wins_vs_past",
        "share of games won against champions of the whole run",
    ),
    (
        "",
        |name| name == "growth",
        "mean result against the champions of the five generations before",
    ),
    (
        "",
        |name| name == "wrong_decisions",
        "won positions given away by the member with the fewest",
    ),
    (
        "fitness by origin",
        |name| name.starts_with("fitness_"),
        "mean fitness of survivors, offspring and mutants",
    ),
    (
        "size of the population's networks",
        |name| ["hidden_layers", "hidden_nodes_per_layer"].contains(&name),
        "hidden layers, and nodes in one of them",
    ),
];

/// The columns of other panes, and those that only count.
const ELSEWHERE: [&str; 9] = [
    "generation",
    "games",
    "moves",
    "seconds",
    "best_fitness",
    "mean_fitness",
    "mean_turns",
    "champion_nodes",
    "champion_edges",
];

/// The pages of a run, the objective's first. Other pages appear once they have a value. A column that has no page here, such as
/// one of a measure from outside, has a page of its own.
pub(super) fn pages(watch: &RunModel) -> Vec<MeasurePage> {
    let columns = watch.facts.columns.all();
    let objective = watch.objective().map(|place| columns[place].name.as_str());
    let page = |title: &str, own: &[&Column], caption: &str| {
        let title = match (title, own.first()) {
            ("", Some(column)) => column.label.clone(),
            _ => title.to_owned(),
        };
        let mut lines: Vec<MeasureLine> = own.iter().copied().map(line).collect();
        // The strongest reference player is the last column and the first line.
        lines.reverse();
        // The objective comes before it.
        lines.sort_by_key(|line| Some(line.column.as_str()) != objective);
        MeasurePage {
            title,
            caption: caption.to_owned(),
            lines,
        }
    };
    let is_objective = |page: &MeasurePage| {
        let mut lines = page.lines.iter();
        lines.any(|line| Some(line.column.as_str()) == objective)
    };
    let has_figures = |page: &MeasurePage| {
        let mut lines = page.lines.iter();
        lines.any(|line| watch.last(&line.column).is_some())
    };
    let is_of_page = |name: &str| PAGES.iter().any(|(_, belongs, _)| belongs(name));
    let grouped = PAGES.iter().map(|(title, belongs, caption)| {
        let own = columns.iter().filter(|column| belongs(&column.name));
        let own: Vec<&Column> = own.filter(|column| moves(watch, column)).collect();
        page(title, &own, caption)
    });
    let others = columns
        .iter()
        .filter(|column| !is_of_page(&column.name) && !ELSEWHERE.contains(&column.name.as_str()));
    let others = others.map(|column| {
        let clause = column.help.split(['.', ';']).next().unwrap_or_default();
        let mut letters = clause.chars();
        let initial = letters.next().map(|letter| letter.to_ascii_lowercase());
        let caption: String = initial.into_iter().chain(letters).collect();
        page("", &[column], &caption)
    });
    let pages = grouped.chain(others);
    let mut pages: Vec<MeasurePage> = pages
        .filter(|page| is_objective(page) || has_figures(page))
        .collect();
    pages.sort_by_key(|page| !is_objective(page));
    pages
}

/// Whether a column can have different values: the size of some networks can not.
fn moves(watch: &RunModel, column: &Column) -> bool {
    let sizes = ["hidden_layers", "hidden_nodes_per_layer"];
    !(sizes.contains(&column.name.as_str()) && has_fixed_size(watch))
}

fn line(column: &Column) -> MeasureLine {
    let label = match column.name.as_str() {
        "hidden_layers" => "layers",
        "hidden_nodes_per_layer" => "nodes per layer",
        "fitness_elites" => "survivors",
        "fitness_crosses" => "crossover",
        "fitness_mutants" => "mutants",
        "progress" => "first generation",
        "baseline" => "random networks",
        _ => column.label.rsplit("v ").next().unwrap_or(&column.label),
    };
    MeasureLine {
        column: column.name.clone(),
        label: label.to_owned(),
        name: column.label.clone(),
    }
}
