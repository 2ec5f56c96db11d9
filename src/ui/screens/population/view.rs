//! Lays the screen out: the members with what is known of them all, the champions' matrix, or both where there is room.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};

use crate::ui::app::Model;
use crate::ui::app::point::Target;
use crate::ui::app::watch::Watch;
use crate::ui::mouse::Regions;
use crate::ui::screens::run::charts::{self, Place};
use crate::ui::screens::run::layout::Pane;
use crate::ui::screens::run::map;
use crate::ui::theme::Theme;
use crate::ui::widgets::frame::Focus;
use crate::ui::zoom::Zoom;

use super::roll::{Column, Member};
use super::{Page, PopulationScreen, Spot, panes};

/// Columns and lines from which on everything is seen at once.
const ROOMY: (u16, u16) = (180, 40);

/// Columns of the matrix beside the members.
const CROSS: u16 = 92;

impl PopulationScreen {
    pub fn view(&self, model: &Model, body: Rect, buf: &mut Buffer) -> Regions<Target> {
        let theme = &model.theme;
        let is_roomy = body.width >= ROOMY.0 && body.height >= ROOMY.1;
        let regions = if is_roomy && !self.zoom.is_in() {
            let parts = [Constraint::Fill(1), Constraint::Length(CROSS)];
            let [members, champions] = Layout::horizontal(parts).areas(body);
            let mut regions = self.view_members(model, members, buf);
            regions.extend(self.view_cross(self.focus(Page::Champions), theme, champions, buf));
            regions
        } else {
            match self.page {
                Page::Members => self.view_members(model, body, buf),
                Page::Champions => self.view_cross(Focus::Here, theme, body, buf),
            }
        };
        regions.map(Target::Population)
    }

    fn focus(&self, page: Page) -> Focus {
        if self.page == page {
            Focus::Here
        } else {
            Focus::Elsewhere
        }
    }

    fn view_members(&self, model: &Model, area: Rect, buf: &mut Buffer) -> Regions<Spot> {
        let theme = &model.theme;
        if self.zoom.is_in() {
            return self.view_table(model.shown(), Focus::Here, theme, area, buf);
        }
        let side = (area.width * 3 / 7).clamp(32, 64);
        let parts = [Constraint::Fill(1), Constraint::Length(side)];
        let [table, side] = Layout::horizontal(parts).areas(area);
        let regions = self.view_table(model.shown(), self.focus(Page::Members), theme, table, buf);
        self.view_side(model, side, buf);
        regions
    }

    /// The panes beside the table: as many as fit.
    fn view_side(&self, model: &Model, area: Rect, buf: &mut Buffer) {
        let theme = &model.theme;
        let Some(roll) = &self.roll else {
            if let Some(watch) = model.shown() {
                self.view_growth(model, watch, area, buf);
            }
            return;
        };
        let high = if area.height < 30 { 7 } else { 11 };
        let parts = [
            Constraint::Length(high),
            Constraint::Length(panes::origins_height(roll)),
            Constraint::Fill(1),
        ];
        let [fitness, origins, rest] = Layout::vertical(parts).areas(area);
        panes::fitness(roll, self.member(), theme, fitness, buf);
        panes::origins(roll, theme, origins, buf);
        let Some(watch) = model.shown() else { return };
        if !map::has_map(watch) || !self.follows {
            self.view_growth(model, watch, rest, buf);
        } else if rest.height < 30 {
            self.view_map(watch, theme, rest, buf);
        } else {
            let parts = [Constraint::Fill(1), Constraint::Length(12)];
            let [map, growth] = Layout::vertical(parts).areas(rest);
            self.view_map(watch, theme, map, buf);
            self.view_growth(model, watch, growth, buf);
        }
    }

    fn view_map(&self, watch: &Watch, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let fitness = self.roll.as_ref().map(|roll| &roll.census.fitness[..]);
        let shown = map::Shown {
            fitness: fitness.unwrap_or_default(),
            generation: self.roll.as_ref().map(|roll| roll.census.generation),
            marked: self.member().map(|member| member.place),
            mark: "selected",
        };
        map::draw(watch, &shown, Focus::Elsewhere, theme, area, buf);
    }

    /// How sizes, or where they stay fitness, came about.
    fn view_growth(&self, model: &Model, watch: &Watch, area: Rect, buf: &mut Buffer) {
        let sizes = [Column::Layers, Column::Hidden, Column::Edges];
        let columns = self.roll.as_ref().map(|roll| &roll.columns);
        let has_sizes = columns.is_some_and(|told| told.iter().any(|one| sizes.contains(one)));
        let place = |pane| Place {
            theme: &model.theme,
            charts: model.charts,
            pane,
            zoom: Zoom::Out,
            focus: Focus::Elsewhere,
            area,
        };
        if has_sizes {
            charts::size(watch, place(Pane::Size), buf);
        } else {
            charts::fitness(watch, place(Pane::Fitness), buf);
        }
    }

    /// The selected member.
    fn member(&self) -> Option<&Member> {
        self.roll.as_ref()?.members().get(self.cursor)
    }
}
