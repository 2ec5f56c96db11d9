//! The measures of success that the main chart shows, page by page: the objective first, what can be compared on one page.

use crate::metrics::{Column, is_versus};
use crate::ui::app::watch::Watch;

/// Measures that share a chart, the most important first.
pub(super) struct Page {
    pub(super) title: &'static str,
    pub(super) lines: Vec<Line>,
}

/// A measure: its column, and its name beside the others of its page.
pub(super) struct Line {
    pub(super) column: String,
    pub(super) label: String,
}

/// Whether the column of a name belongs to a page.
type Belongs = fn(&str) -> bool;

/// The titles of the pages, and which columns belong to them.
const PAGES: [(&str, Belongs); 7] = [
    ("Right moves, all positions", |name| {
        name == "accuracy_states"
    }),
    ("Right moves in its games", |name| name == "accuracy_games"),
    ("Points v outsiders", is_versus),
    ("Points v outsiders, mean of all", |name| {
        name.starts_with("pop_mean_")
    }),
    ("Points v outsiders, best of all", |name| {
        name.starts_with("pop_best_")
    }),
    ("Population's points v", |name| {
        ["progress", "baseline"].contains(&name)
    }),
    ("Wins v earlier champions", |name| name == "wins_vs_past"),
];

/// The pages of a run, the objective's first; one that has no figures yet waits for them.
pub(super) fn pages(watch: &Watch) -> Vec<Page> {
    let columns = watch.facts.columns.all();
    let objective = watch.objective().map(|place| columns[place].name.as_str());
    let page = |(title, belongs): (&'static str, Belongs)| {
        let mut lines: Vec<Line> = columns
            .iter()
            .filter(|column| belongs(&column.name))
            .map(line)
            .collect();
        // The hardest outsider is the last column and the first line.
        lines.reverse();
        Page { title, lines }
    };
    let is_objective = |page: &Page| {
        let mut lines = page.lines.iter();
        lines.any(|line| Some(line.column.as_str()) == objective)
    };
    let has_figures = |page: &Page| {
        let mut lines = page.lines.iter();
        lines.any(|line| watch.last(&line.column).is_some())
    };
    let mut pages: Vec<Page> = PAGES
        .into_iter()
        .map(page)
        .filter(|page| is_objective(page) || has_figures(page))
        .collect();
    pages.sort_by_key(|page| !is_objective(page));
    pages
}

fn line(column: &Column) -> Line {
    let label = match column.name.as_str() {
        "progress" => "its beginnings",
        "baseline" => "random networks",
        _ => column.label.rsplit("v ").next().unwrap_or(&column.label),
    };
    Line {
        column: column.name.clone(),
        label: label.to_owned(),
    }
}
