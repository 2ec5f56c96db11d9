//! Draws the inspected champion, or why there is none.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::keymap::Action;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::key_label::key_label;
use crate::widgets::text::{cut_below, put_all};
use crate::widgets::truncate::{truncate, wrapped};

use super::NetScreen;
use super::SCOPE;
use super::inspection::{GenomeView, Inspection};
use super::view_options::NetViewOptions;

/// The areas of the champion and of the message below it.
pub(super) fn parts(area: Rect) -> (Rect, Rect) {
    cut_below(area, 1)
}

impl NetScreen {
    /// Draws the screen into `area`.
    pub(super) fn draw(&self, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let (body, below) = parts(area.intersection(buf.area));
        match self.shown() {
            Some((inspection, cursor)) => self.view_found(inspection, cursor, body, buf, theme),
            None => view_nothing(NO_CHAMPION, Frame::titled("Net"), body, buf, theme),
        }
        self.view_message(below, buf, theme);
    }

    fn view_found(
        &self,
        inspection: &Inspection,
        cursor: usize,
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
    ) {
        let title = inspection.title();
        let frame = Frame {
            title: Line::from(truncate(&title, usize::from(area.width.saturating_sub(6)))),
            right: self.others(theme),
            ..Frame::default()
        };
        let options = NetViewOptions {
            theme,
            cursor,
            compared_with: inspection.compared_with,
            arena: &self.champions.arena,
            shows_all_edges: self.shows_all_edges,
            inactive: self.inactive,
            zoom: self.zoom,
            activations: self.activity.activations(),
        };
        match &inspection.genome_view {
            GenomeView::Strategy(strategy) => strategy.view(&options, frame, area, buf),
            GenomeView::LayerNodes(nodes) => nodes.view(&options, frame, area, buf),
            GenomeView::Graph(drawing) => drawing.view(&options, frame, area, buf),
            GenomeView::TableUnits(units) => units.view(&options, frame, area, buf),
            GenomeView::Nothing => view_nothing(NOT_DRAWABLE, frame, area, buf, theme),
        }
    }

    /// The keys for other champions, and the newest generation if it is not shown.
    fn others(&self, theme: &Theme) -> Line<'static> {
        let newest = self.newer_generation();
        let newest = newest.map_or_else(String::new, |live| format!("newest g{live}   "));
        let keys = [Action::OlderChampion, Action::NewerChampion];
        Line::from(vec![
            Span::styled(newest, theme.dim),
            key_label(SCOPE, &keys, theme),
            Span::styled(" champion", theme.dim),
        ])
    }

    fn view_message(&self, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let width = usize::from(area.width).saturating_sub(2);
        let (words, style) = if self.message.is_empty() {
            (&self.activity.description(), theme.dim)
        } else {
            (&self.message, theme.accent)
        };
        let words = format!(" {}", truncate(words, width));
        Line::styled(words, style).render(area, buf);
    }
}

const NO_CHAMPION: &str = "No champion yet. It is shown here after the first generation.";

const NOT_DRAWABLE: &str = "Networks of this kind cannot be drawn.";

/// Draws a side pane and returns its content area.
pub(super) fn pane<'a>(
    title: impl Into<Line<'a>>,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) -> Rect {
    Frame::titled(title).pane(Focus::Elsewhere, theme, area, buf)
}

/// A line of a side pane: a name, and what there is to say about it.
pub(super) fn fact<'a>(name: &str, about: impl Into<Span<'a>>, theme: &Theme) -> Line<'a> {
    let name = Span::styled(format!("{name:<8}"), theme.dim);
    let about = about.into();
    let style = theme.text.patch(about.style);
    Line::from(vec![name, about.style(style)])
}

/// Draws a pane with text only.
fn view_nothing(words: &str, frame: Frame<'_>, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let inner = frame.pane(Focus::Here, theme, area, buf);
    put_all(buf, inner, wrapped(words, inner.width.into(), theme.dim));
}
