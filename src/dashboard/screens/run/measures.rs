//! The measures in the main chart, grouped into pages of comparable ones. The objective's page
//! comes first.

use crate::model::run::RunModel;
use finches_engine::metrics::{Column, ColumnPage};
use finches_engine::session::measures::network_size;

use super::charts::has_fixed_size;

/// Measures that share a chart, most important first.
pub(super) struct MeasurePage<'a> {
    page: ColumnPage,
    pub(super) lines: Vec<&'a Column>,
}

impl MeasurePage<'_> {
    pub(super) fn title(&self) -> &str {
        match self.page.title {
            "" => &self.lines[0].label,
            title => title,
        }
    }

    /// What the values are.
    pub(super) fn caption(&self) -> String {
        if !self.page.caption.is_empty() {
            return self.page.caption.to_owned();
        }
        let help = self.lines[0].help;
        let clause = help.split(['.', ';']).next().unwrap_or_default();
        let mut letters = clause.chars();
        let initial = letters.next().map(|letter| letter.to_ascii_lowercase());
        initial.into_iter().chain(letters).collect()
    }
}

/// The pages of a run, the objective's first. Other pages appear once they have a value.
pub(super) fn pages(watch: &RunModel) -> Vec<MeasurePage<'_>> {
    let objective = watch.objective_column();
    let columns = watch.facts.columns.all().iter();
    let mut pages: Vec<MeasurePage<'_>> = Vec::new();
    for column in columns.filter(|column| moves(watch, column)) {
        let Some(page) = column.page else { continue };
        let mut known = pages.iter_mut();
        match known.find(|other| other.page == page && !page.title.is_empty()) {
            Some(shared) => shared.lines.push(column),
            None => pages.push(MeasurePage {
                page,
                lines: vec![column],
            }),
        }
    }
    for page in &mut pages {
        // The strongest reference player is the last column and the first line.
        page.lines.reverse();
        // The objective comes before it.
        page.lines.sort_by_key(|line| Some(*line) != objective);
    }
    let is_objective = |page: &MeasurePage<'_>| Some(page.lines[0]) == objective;
    let has_figures = |page: &MeasurePage<'_>| {
        let mut lines = page.lines.iter();
        lines.any(|line| watch.last(&line.name).is_some())
    };
    pages.retain(|page| is_objective(page) || has_figures(page));
    pages.sort_by_key(|page| (!is_objective(page), page.page.rank));
    pages
}

/// Whether a column can have different values: the size of some networks can not.
fn moves(watch: &RunModel, column: &Column) -> bool {
    column.page != network_size::HIDDEN_NODES.page || !has_fixed_size(watch)
}
