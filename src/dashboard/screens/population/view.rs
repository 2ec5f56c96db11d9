//! Lays out the screen: the members with their statistics, the match matrix, or both if there is
//! room.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};

use crate::model::context::Context;
use crate::model::run::RunModel;
use crate::mouse::Regions;
use crate::screen::ClickTarget;
use crate::screens::run;
use crate::screens::run::charts::{self, PaneContext};
use crate::screens::run::layout::RunPane;
use crate::screens::run::map;
use crate::widgets::frame::Focus;
use crate::widgets::text::{cut_below, cut_right};

use super::member_table::{Member, MemberColumn};
use super::member_table_view;
use super::{
    PopulationPane, PopulationScreen, PopulationTarget, member_details, statistics, styles,
};

/// Columns and lines from which on all panes are drawn.
const WIDE: (u16, u16) = (180, 40);

/// Columns of the matrix beside the members.
const MATRIX_WIDTH: u16 = 92;

/// Whether all panes are drawn.
fn is_roomy(body: Rect) -> bool {
    body.width >= WIDE.0 && body.height >= WIDE.1
}

impl PopulationScreen {
    pub(super) fn draw(
        &self,
        context: &Context,
        body: Rect,
        buf: &mut Buffer,
    ) -> Regions<ClickTarget> {
        let theme = &context.theme;
        let regions = if is_roomy(body) && !self.zoom.is_zoomed() && !self.shows_family() {
            let (members, column) = cut_right(body, MATRIX_WIDTH);
            let champions = self.view_details(context, column, buf);
            let mut regions = self.view_members_and_species(context, members, buf);
            regions.extend(self.view_match_matrix(
                self.focus(PopulationPane::Champions),
                theme,
                champions,
                buf,
            ));
            regions
        } else {
            match self.pane {
                PopulationPane::Members => self.view_members(context, body, buf),
                PopulationPane::Species => self.view_species(context, Focus::Here, body, buf),
                PopulationPane::Styles => styles::view(self, context, Focus::Here, body, buf),
                PopulationPane::Champions => self.view_match_matrix(Focus::Here, theme, body, buf),
                PopulationPane::Tree | PopulationPane::Line => self.view_family(context, body, buf),
            }
        };
        regions.map(ClickTarget::own)
    }

    /// Draws the members, and below them the species or the map of styles if the run has them.
    fn view_members_and_species(
        &self,
        context: &Context,
        area: Rect,
        buf: &mut Buffer,
    ) -> Regions<PopulationTarget> {
        let (has_species, has_styles) = (self.has_species(), self.has_styles());
        if !has_species && !has_styles {
            return self.view_members(context, area, buf);
        }
        let parts = [Constraint::Fill(1), Constraint::Fill(1)];
        let [members, below] = Layout::vertical(parts).areas(area);
        let mut regions = self.view_members(context, members, buf);
        regions.extend(if has_species {
            let focus = self.focus(PopulationPane::Species);
            self.view_species(context, focus, below, buf)
        } else {
            styles::view(
                self,
                context,
                self.focus(PopulationPane::Styles),
                below,
                buf,
            )
        });
        regions
    }

    /// Draws the selected member where the champions need no room, and returns the area of the
    /// champions.
    fn view_details(&self, context: &Context, column: Rect, buf: &mut Buffer) -> Rect {
        let (Some(members), Some(member)) = (&self.member_table, self.selected_member()) else {
            return column;
        };
        let Some(watch) = context.shown_run() else {
            return column;
        };
        let least = member_details::LEAST_HEIGHT;
        let champions = self.champions_height(column);
        if column.height < champions + least {
            return column;
        }
        let (champions, details) = cut_below(column, column.height - champions);
        let target = (details, buf);
        member_details::draw(members, member, watch, &context.theme, target);
        champions
    }

    pub(super) fn focus(&self, page: PopulationPane) -> Focus {
        Focus::from(self.pane == page)
    }

    fn view_members(
        &self,
        context: &Context,
        area: Rect,
        buf: &mut Buffer,
    ) -> Regions<PopulationTarget> {
        let theme = &context.theme;
        if self.zoom.is_zoomed() {
            let shown = (self, context.shown_run());
            return member_table_view::view(shown, Focus::Here, theme, area, buf);
        }
        let side = (area.width * 3 / 7).clamp(32, 64);
        let (table, side) = cut_right(area, side);
        let regions = member_table_view::view(
            (self, context.shown_run()),
            self.focus(PopulationPane::Members),
            theme,
            table,
            buf,
        );
        self.view_side(context, side, buf);
        regions
    }

    /// Draws the panes beside the table, as many as fit.
    fn view_side(&self, context: &Context, area: Rect, buf: &mut Buffer) {
        let theme = &context.theme;
        let Some(member_table) = &self.member_table else {
            if let Some(watch) = context.shown_run() {
                self.view_growth(context, watch, area, buf);
            }
            return;
        };
        let high = if member_table.snapshot.fitness.is_empty() {
            4
        } else if area.height < 30 {
            7
        } else {
            11
        };
        let origins = statistics::origins_height(member_table);
        // Below this height a chart is empty.
        let has_rest = area.height >= high + origins + 6;
        let parts = [
            [Constraint::Fill(1), Constraint::Length(high)][usize::from(has_rest)],
            Constraint::Length(origins),
            [Constraint::Length(0), Constraint::Fill(1)][usize::from(has_rest)],
        ];
        let [fitness, origins, rest] = Layout::vertical(parts).areas(area);
        let missing = member_table.missing_fitness(context.shown_run());
        let selected = self.selected_member();
        statistics::fitness(member_table, (selected, missing), theme, fitness, buf);
        if origins.height > 0 {
            statistics::origins(member_table, theme, origins, buf);
        }
        let Some(watch) = context.shown_run().filter(|_| has_rest) else {
            return;
        };
        let has_fitness = !member_table.snapshot.fitness.is_empty();
        // If there is room, the map of styles is below the members.
        let has_map = map::has_map(watch) && !(self.has_styles() && is_roomy(context.area));
        if !has_map || !self.follows_newest || !has_fitness {
            self.view_growth(context, watch, rest, buf);
        } else if rest.height < 30 {
            self.view_map(context, watch, rest, buf);
        } else {
            let (map, growth) = cut_below(rest, 12);
            self.view_map(context, watch, map, buf);
            self.view_growth(context, watch, growth, buf);
        }
    }

    fn view_map(&self, context: &Context, watch: &RunModel, area: Rect, buf: &mut Buffer) {
        let place = PaneContext::beside(context, RunPane::Map, area);
        if let Some(known) = styles::known(self) {
            let selected = self.selected_member().map(|member| member.index);
            run::styles::draw(watch, known, (selected, "selected"), place, buf);
            return;
        }
        let snapshot = self.member_table.as_ref().map(|table| &table.snapshot);
        let shown = map::FitnessMap {
            fitness: snapshot.map_or(&[], |snapshot| &snapshot.fitness),
            kinship: snapshot.map_or(&[], |snapshot| &snapshot.kinship),
            generation: snapshot.map(|snapshot| snapshot.generation),
            marked: self.selected_member().map(|member| member.index),
            mark: "selected",
        };
        map::draw(watch, &shown, place, buf);
    }

    /// Draws the history of network sizes, or of fitness if sizes are fixed.
    fn view_growth(&self, context: &Context, watch: &RunModel, area: Rect, buf: &mut Buffer) {
        let sizes = [
            MemberColumn::Layers,
            MemberColumn::Hidden,
            MemberColumn::Edges,
        ];
        let columns = self
            .member_table
            .as_ref()
            .map(|member_table| &member_table.columns);
        let has_sizes = columns.is_some_and(|known| known.iter().any(|one| sizes.contains(one)));
        let place = |pane| {
            let mut place = PaneContext::beside(context, pane, area);
            let last = watch.generation.saturating_sub(1);
            let listed = self.member_table.as_ref();
            let listed = listed.map(|listed| listed.snapshot.generation);
            // The chart is read where the list is.
            if let Some(listed) = listed.filter(|listed| *listed < last) {
                place.charts.crosshair.move_to(listed as f64, last as f64);
            }
            place
        };
        if has_sizes {
            charts::size(watch, place(RunPane::Size), buf);
        } else {
            charts::fitness(watch, place(RunPane::Fitness), buf);
        }
    }

    fn selected_member(&self) -> Option<&Member> {
        self.member_table
            .as_ref()?
            .members()
            .get(self.cursor(PopulationPane::Members))
    }
}
