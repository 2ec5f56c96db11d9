//! The measures in the main chart, grouped into pages of comparable ones. The objective's page comes first.

use crate::metrics::Column;
use crate::session::measures::is_versus;
use crate::ui::model::run::RunModel;

/// Measures that share a chart, most important first.
pub(super) struct MeasurePage {
    pub(super) title: String,
    /// What the values are.
    pub(super) caption: &'static str,
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
const PAGES: [(&str, ColumnFilter, &str); 7] = [
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
];

/// The pages of a run, the objective's first. Other pages appear once they have a value.
pub(super) fn pages(watch: &RunModel) -> Vec<MeasurePage> {
    let columns = watch.facts.columns.all();
    let objective = watch.objective().map(|place| columns[place].name.as_str());
    let page = |(title, belongs, caption): (&'static str, ColumnFilter, &'static str)| {
        let own = columns.iter().filter(|column| belongs(&column.name));
        let title = match (title, own.clone().next()) {
            ("", Some(column)) => column.label.clone(),
            _ => title.to_owned(),
        };
        let mut lines: Vec<MeasureLine> = own.map(line).collect();
        // The strongest reference player is the last column and the first line.
        lines.reverse();
        // The objective comes before it.
        lines.sort_by_key(|line| Some(line.column.as_str()) != objective);
        MeasurePage {
            title,
            caption,
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
    let mut pages: Vec<MeasurePage> = PAGES
        .into_iter()
        .map(page)
        .filter(|page| is_objective(page) || has_figures(page))
        .collect();
    pages.sort_by_key(|page| !is_objective(page));
    pages
}

fn line(column: &Column) -> MeasureLine {
    let label = match column.name.as_str() {
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
