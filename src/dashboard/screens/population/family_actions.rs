//! Opens the family tree, keeps it up to date, and has the champion's ancestors measured.

use std::sync::Arc;

use super::family::Family;
use super::strength::{self, Strengths};
use super::{PopulationPane, PopulationScreen, PopulationTask};

impl PopulationScreen {
    /// Whether the family tree is shown.
    pub(super) fn shows_family(&self) -> bool {
        matches!(self.pane, PopulationPane::Tree | PopulationPane::Line)
    }

    /// Shows the family tree, or the members again.
    pub(super) fn toggle_family(&mut self) {
        self.pane = if self.shows_family() {
            PopulationPane::Members
        } else {
            PopulationPane::Tree
        };
        self.show_family();
    }

    /// Brings the family tree up to date while it is shown. The selected ancestor stays selected.
    pub(super) fn show_family(&mut self) {
        let Some(newest) = self.newest.as_ref().filter(|_| self.shows_family()) else {
            return;
        };
        if self
            .family
            .as_ref()
            .is_some_and(|family| family.is_of(newest))
        {
            return;
        }
        let selected = self.family.as_ref().and_then(|family| {
            let step = family
                .line
                .get(self.line_cursor)
                .filter(|_| self.line_cursor > 0)?;
            Some(family.step_taxon(step).name)
        });
        let genome = &self.champions.preset.genome;
        self.family = Family::new(newest, genome, self.family.take());
        let Some(family) = &self.family else {
            return;
        };
        let place = selected.and_then(|name| {
            let mut steps = family.line.iter();
            steps.position(|step| family.step_taxon(step).name == name)
        });
        let last = family.line.len().saturating_sub(1);
        self.line_cursor = place.unwrap_or(self.line_cursor.min(last));
        self.tree_cursor = self.tree_cursor.min(family.tips.len().saturating_sub(1));
    }

    /// Measures the ancestors on the champion's line, or stops.
    pub(super) fn toggle_strengths(&mut self) {
        let Some(family) = &self.family else {
            return;
        };
        if self.jobs.is_running(&PopulationTask::Strengths) {
            self.jobs.cancel(&PopulationTask::Strengths);
            return;
        }
        let steps = family.line.iter().filter_map(|step| {
            let name = family.step_taxon(step).name;
            Some((name, Arc::clone(step.genome.as_ref()?)))
        });
        let steps: Vec<_> = steps.collect();
        let champions = self.champions.clone();
        self.strengths = Strengths::default();
        self.jobs.ask(PopulationTask::Strengths, move |job| {
            strength::measure(&champions, &steps, job)
        });
    }

    /// Why no player is selected.
    pub(super) fn nothing_selected(&self) -> &'static str {
        match (&self.family, self.pane) {
            (Some(_), PopulationPane::Line) => "the genome of this ancestor is no longer kept",
            _ => "no player is selected yet",
        }
    }
}
