//! Draws the screen: the list at the left, at the right a view with the keys of all views above it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::keymap;
use crate::model::context::Context;
use crate::mouse::Regions;
use crate::widgets::key_label::key_label;
use crate::widgets::text::{below, cut_below, first_rows, put, right_of, row_of};
use crate::widgets::truncate::truncate;
use finches_runs::storage::views::RunGrouping;

use super::input::INPUT_ROWS;
use super::screen::RunsAction;
use super::sweep::SweepView;
use super::{RunsScreen, RunsTarget, RunsView, effects, header, list_view, map};

/// The narrowest screen that has a list beside a table or a map.
const LEAST_WIDTH: u16 = 110;

/// The rows of what is said of a fork, below the list.
const FORK_ROWS: u16 = 18;

impl RunsView {
    pub(super) const ALL: [Self; 5] = [
        Self::Curves,
        Self::Table,
        Self::Map,
        Self::Effects,
        Self::Differences,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Curves => "curves",
            Self::Table => "table",
            Self::Map => "map",
            Self::Effects => "effects",
            Self::Differences => "differences",
        }
    }
}

impl RunsScreen {
    /// The sweep that is shown.
    pub(super) fn sweep(&self) -> Option<SweepView<'_>> {
        Some(SweepView {
            results: self.experiment()?.sweep.as_ref()?,
            chosen: self.options.pair,
        })
    }

    /// The sweep, if the list has its combinations by rank.
    pub(super) fn ranked_sweep(&self) -> Option<SweepView<'_>> {
        let list = self.list();
        let has_ranks = list.has_groups() && *list.grouping() == RunGrouping::ByPreset;
        self.sweep().filter(|_| has_ranks)
    }

    /// Why a view has nothing to say about the runs, if so.
    pub(super) fn refusal(&self, view: RunsView) -> Option<String> {
        let sweep = self.sweep();
        match view {
            RunsView::Curves | RunsView::Table => None,
            RunsView::Map if sweep.as_ref().is_some_and(|sweep| sweep.pair().is_none()) => {
                Some("a map needs two parameters; this sweep varies one".to_owned())
            }
            RunsView::Map | RunsView::Effects if sweep.is_none() => Some(format!(
                "{} of parameters are seen in a sweep: finches sweep",
                view.name()
            )),
            RunsView::Map | RunsView::Effects => None,
            RunsView::Differences if self.figures.lines.len() > 1 => None,
            RunsView::Differences => Some(format!(
                "select two runs with {} to see what differs",
                keymap::label(self.scope(), RunsAction::Select.action())
            )),
        }
    }

    /// The view that suits the shown set at first.
    pub(super) fn usual_view(&self) -> RunsView {
        let manifest = self
            .experiment()
            .map(|experiment| &experiment.setup.manifest);
        match manifest {
            Some(manifest) if manifest.sweep.is_some() || manifest.matrix.is_some() => {
                RunsView::Table
            }
            _ => RunsView::Curves,
        }
    }

    /// Draws the screen and returns the click targets.
    pub(super) fn draw(
        &self,
        context: &Context,
        area: Rect,
        buf: &mut Buffer,
    ) -> Regions<RunsTarget> {
        let theme = &context.theme;
        let mut body = area;
        if let Some(experiment) = self.experiment().filter(|_| self.is_alone()) {
            header::top(experiment, theme, row_of(area, 0), buf);
            header::progress_line(experiment, theme, row_of(area, 1), buf);
            let (above, last) = cut_below(below(area, 2), 1);
            let (words, style) = self.status(theme);
            let words = truncate(
                &theme.to_drawable(words),
                area.width.saturating_sub(2).into(),
            );
            put(buf, last, 0, Span::styled(format!(" {words}"), style));
            body = above;
        }
        if let Some(input) = &self.input {
            let (above, foot) = cut_below(body, INPUT_ROWS + 2);
            self.draw_input(input, context, foot, buf);
            body = above;
        }
        let is_broad = matches!(self.view, RunsView::Curves | RunsView::Differences);
        let has_list =
            !self.options.zoom.is_zoomed() || self.menu.is_open() || self.input.is_some();
        if !has_list || (!is_broad && body.width < LEAST_WIDTH && !self.menu.is_open()) {
            return self.draw_view(context, body, buf);
        }
        let wide = (body.width * 3 / 10).clamp(24, 52).min(body.width);
        let mut left = Rect {
            width: wide,
            ..body
        };
        if let Some(fork) = self.fork() {
            let rows = FORK_ROWS.min(left.height * 2 / 3);
            let (above, foot) = cut_below(left, rows);
            fork.view(self.figures.column.as_ref(), theme, foot, buf);
            left = above;
        }
        let mut regions = if self.menu.is_open() {
            self.draw_menu(theme, left, buf)
        } else {
            list_view::view(self, context, left, buf)
        };
        regions.extend(self.draw_view(context, right_of(body, wide), buf));
        regions
    }

    /// Draws the keys of the views and the view.
    fn draw_view(&self, context: &Context, area: Rect, buf: &mut Buffer) -> Regions<RunsTarget> {
        let (theme, live) = (&context.theme, context.run.as_ref());
        put(buf, first_rows(area, 1), 0, self.view_keys(context));
        let area = below(area, 1);
        match (self.view, self.sweep()) {
            (RunsView::Table, _) => self.draw_table(theme, area, buf),
            (RunsView::Map, Some(sweep)) => {
                map::view(&sweep, theme, area, buf);
                Regions::default()
            }
            (RunsView::Effects, Some(sweep)) => {
                effects::view(&sweep, theme, area, buf);
                Regions::default()
            }
            (RunsView::Differences, _) => self.draw_differences(live, theme, area, buf),
            _ => self.draw_curves(live, theme, area, buf),
        }
    }

    /// A message, or the views with their keys; those that say nothing about these runs are dim.
    fn view_keys<'a>(&self, context: &Context) -> Line<'a> {
        let theme = &context.theme;
        if !self.message.is_empty() && !self.is_alone() {
            let message = theme.to_drawable(format!(" {}", self.message));
            return Line::styled(message, theme.warning);
        }
        let mut line = Line::from(" ");
        for view in RunsView::ALL {
            let key = key_label(self.scope(), &[RunsAction::of_view(view).action()], theme);
            let (key, style) = match self.refusal(view) {
                _ if view == self.view => (key, theme.focus),
                None => (key, theme.text),
                Some(_) => (key.style(theme.faint), theme.faint),
            };
            line.push_span(key);
            line.push_span(Span::styled(format!(" {}  ", view.name()), style));
        }
        line
    }
}
