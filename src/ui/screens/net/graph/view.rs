//! Draws a network: edges as dotted lines, broken if the weight is negative, with nodes on top.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::ui::format;
use crate::ui::keymap::{self, Action};
use crate::ui::screens::net::SCOPE;
use crate::ui::screens::net::view_options::{EdgeFilter, NetViewOptions};
use crate::ui::theme::Theme;
use crate::ui::widgets::canvas::{DotCanvas, DotGlyphs, Strength};
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::text::{inset, put};
use crate::ui::widgets::truncate::{truncate, width};

use super::layout::{NAME_MARGIN, node_positions};
use super::{DrawnEdge, NetworkDrawing};

/// Cells of the pane per edge drawn by default, and the least number of edges.
const CELLS_PER_EDGE: u32 = 75;
const MIN_EDGES: usize = 24;

/// Levels of strength, each with one canvas line per sign.
const STEPS: u8 = 3;

/// ASCII marks: strong, medium and weak, each positive and negative.
const ASCII_MARKERS: [char; 6] = ['#', '=', '+', '-', '+', '-'];

impl NetworkDrawing {
    pub(in crate::ui::screens::net) fn view(
        &self,
        options: &NetViewOptions<'_>,
        mut frame: Frame<'_>,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let theme = options.theme;
        let side = match area.width {
            _ if options.zoom.is_zoomed() => 0,
            ..100 => 27,
            100..160 => 38,
            _ => 60,
        };
        let parts = [Constraint::Fill(1), Constraint::Length(side)];
        let [net, side] = Layout::horizontal(parts).areas(area);
        let shown = self.shown_edges(options, net);
        let all = self.edges.len();
        let own = self
            .incident_edges(options)
            .filter(|&(rank, _)| rank >= shown)
            .count();
        let key = keymap::label(SCOPE, Action::ShowAllEdges);
        let words = match (net.width, own) {
            _ if shown == all => format!("{all} edges"),
            (..70, _) => format!("{} of {all} strongest", shown + own),
            (_, 0) => format!("{shown} of {all} strongest edges; {key}: all"),
            _ => format!(
                "{shown} of {all} strongest edges (+{own} of the selected node); {key}: all"
            ),
        };
        frame.bottom_left = if options.activations.is_empty() {
            legend(theme)
        } else {
            activation_legend(theme)
        };
        frame.bottom_right = Line::styled(words, theme.dim);
        let inner = inset(frame.draw(Focus::Here, theme, net, buf), 1);
        self.draw(options, shown, inner, buf);
        self.view_side(options, side, buf);
    }

    /// The number of edges drawn.
    fn shown_edges(&self, options: &NetViewOptions<'_>, area: Rect) -> usize {
        let legible = (area.area() / CELLS_PER_EDGE) as usize;
        match options.edge_filter {
            EdgeFilter::All => self.edges.len(),
            EdgeFilter::Strongest => self.edges.len().min(legible.max(MIN_EDGES)),
        }
    }

    /// The strongest edges of the selected node, each with its rank among all edges.
    fn incident_edges(
        &self,
        options: &NetViewOptions<'_>,
    ) -> impl Iterator<Item = (usize, &DrawnEdge)> {
        let cursor = options.cursor;
        let touches = move |drawn_edge: &DrawnEdge| {
            [drawn_edge.edge.from, drawn_edge.edge.to].contains(&cursor)
        };
        let own = self.edges.iter().enumerate();
        let max_weight = match options.edge_filter {
            EdgeFilter::All => usize::MAX,
            EdgeFilter::Strongest => MIN_EDGES,
        };
        own.filter(move |(_, drawn_edge)| touches(drawn_edge))
            .take(max_weight)
    }

    fn draw(&self, options: &NetViewOptions<'_>, shown: usize, area: Rect, buf: &mut Buffer) {
        let theme = options.theme;
        let counts: Vec<usize> = self.layers.iter().map(Vec::len).collect();
        let mut at = vec![Position::default(); self.nodes.len()];
        let placed = node_positions(&counts, area.width, area.height);
        if placed.is_empty() {
            return;
        }
        for (layer, places) in self.layers.iter().zip(placed) {
            for (&index, place) in layer.iter().zip(places) {
                at[index] = place;
            }
        }
        self.draw_edges(options, shown, &at, area, buf);
        for (index, place) in at.iter().enumerate() {
            self.draw_node(options, index, *place, area, buf);
        }
        if self.edges.is_empty() {
            put(buf, area, 0, Span::styled("no edges", theme.dim));
        }
    }

    fn draw_edges(
        &self,
        options: &NetViewOptions<'_>,
        shown: usize,
        at: &[Position],
        area: Rect,
        buf: &mut Buffer,
    ) {
        let theme = options.theme;
        let mut canvas = DotCanvas::new(area.width, area.height);
        let max_weight = self.max_weight();
        for drawn_edge in self.edges[..shown].iter().rev() {
            let (from, to) = (at[drawn_edge.edge.from], at[drawn_edge.edge.to]);
            stroke(&mut canvas, [from, to], line_index(drawn_edge, max_weight));
        }
        // The edges of the selected node are drawn on top, even those that the filter leaves out.
        let mut own = DotCanvas::new(area.width, area.height);
        for (_, drawn_edge) in self.incident_edges(options) {
            let (from, to) = (at[drawn_edge.edge.from], at[drawn_edge.edge.to]);
            stroke(&mut own, [from, to], line_index(drawn_edge, max_weight));
        }
        let plain = if theme.ascii {
            DotGlyphs::Custom(ASCII_MARKERS)
        } else {
            DotGlyphs::Braille
        };
        canvas.draw(area, |line, _| line_style(line, theme), plain, buf);
        own.draw(area, |line, _| line_style(line % 2, theme), plain, buf);
    }

    fn draw_node(
        &self,
        options: &NetViewOptions<'_>,
        index: usize,
        place: Position,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let theme = options.theme;
        let drawn = &self.nodes[index];
        let layer = drawn.node.layer;
        let value = options.activation(index);
        let sign = match (drawn.is_new, value, theme.ascii) {
            (_, Some(value), _) => activation_sign(value, theme),
            (true, None, false) => "✚",
            (true, None, true) => "N",
            (false, None, false) => "●",
            (false, None, true) => "O",
        };
        let style = match (index == options.cursor, value, drawn.is_new) {
            (true, ..) => theme.selection,
            (false, Some(value), _) => activation_style(value, theme),
            (false, None, true) => theme.warning,
            (false, None, false) => theme.strong,
        };
        let (x, y) = (area.x + place.x, area.y + place.y);
        let mut write = |x: u16, words: &str, style: Style| {
            let room = area.right().saturating_sub(x);
            buf.set_stringn(x, y, words, room.into(), style);
        };
        write(x, sign, style);
        let name = value.map_or_else(|| drawn.name.clone(), signed);
        let name = truncate(&name, usize::from(NAME_MARGIN) - 1);
        let wide = width(&name) as u16;
        let name_style = if index == options.cursor {
            theme.accent
        } else {
            theme.dim
        };
        let has_margin = area.width > 3 * NAME_MARGIN;
        let gap = area.width / self.layers.len().max(1) as u16;
        let is_output = layer + 1 == self.layers.len();
        let at = match (has_margin, layer) {
            (false, _) => None,
            (true, 0) => Some(x - wide - 1),
            (true, _) if is_output => Some(x + 2),
            (true, _) => Some(x + 1),
        };
        let is_named = if layer == 0 || is_output {
            self.is_named(layer, index, options, area.height)
        } else {
            index == options.cursor || gap >= NAME_MARGIN + 2
        };
        if let Some(at) = at.filter(|_| is_named) {
            write(at, &name, name_style);
        }
    }

    /// Whether an input or output has room for its name.
    fn is_named(
        &self,
        layer: usize,
        index: usize,
        options: &NetViewOptions<'_>,
        height: u16,
    ) -> bool {
        let own = &self.layers[layer];
        own.len() <= height.into()
            || index == options.cursor
            || (!own.contains(&options.cursor)
                && own
                    .iter()
                    .position(|&other| other == index)
                    .is_some_and(|place| {
                        place.is_multiple_of(own.len().div_ceil(height.max(1).into()))
                    }))
    }
}

/// The canvas line of an edge, the strongest first; odd lines are negative.
fn line_index(drawn_edge: &DrawnEdge, max_weight: f32) -> u8 {
    let share = if max_weight > 0.0 {
        drawn_edge.edge.weight.abs() / max_weight
    } else {
        0.0
    };
    let step = match share {
        0.66.. => 0,
        0.33.. => 1,
        _ => 2,
    };
    2 * step + u8::from(drawn_edge.edge.weight < 0.0)
}

/// Draws a dotted line between two cells: double if strong, with gaps if negative.
fn stroke(canvas: &mut DotCanvas, [from, to]: [Position; 2], line: u8) {
    let up = canvas.dot_rows();
    let dots = |at: Position| {
        let y = up.saturating_sub(1 + usize::from(at.y) * 4 + 2);
        (f64::from(at.x) * 2.0 + 0.5, y as f64)
    };
    let (from, to) = (dots(from), dots(to));
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let steps = dx.abs().max(dy.abs()).max(1.0) as usize;
    let is_negative = line % 2 == 1;
    for step in 0..=steps {
        if is_negative && step % 6 >= 3 {
            continue;
        }
        let share = step as f64 / steps as f64;
        let x = (from.0 + dx * share).max(0.0) as usize;
        let y = (from.1 + dy * share).round().max(0.0) as usize;
        canvas.dot(x, y, line, Strength::Strong);
        if line < 2 {
            canvas.dot(x, y + 1, line, Strength::Strong);
        }
    }
}

/// The style of a line: color by sign, brightness by strength.
fn line_style(line: u8, theme: &Theme) -> Style {
    let strength = 1.0 - f64::from(line / 2) / f64::from(STEPS);
    theme.diverging_text(if line % 2 == 1 { -strength } else { strength })
}

/// The legend of the edges.
fn legend<'a>(theme: &Theme) -> Line<'a> {
    let (plus, minus, new) = if theme.ascii {
        ("++#", "--=", "N")
    } else {
        ("⠒⠒⠶", "⠂⠐⠂", "✚")
    };
    Line::from(vec![
        Span::styled(plus, line_style(0, theme)),
        Span::styled(" pos ", theme.dim),
        Span::styled(minus, line_style(1, theme)),
        Span::styled(" neg ", theme.dim),
        Span::styled(new, theme.warning),
        Span::styled(" new", theme.dim),
    ])
}

/// An activation in at most the width of a name.
fn signed(value: f32) -> String {
    match value.abs() {
        ..99.95 => format::signed(value, 1),
        ..9999.5 => format::signed(value, 0),
        _ => format!("{value:+.0e}"),
    }
}

/// The symbol of a node by the sign of its activation.
fn activation_sign(value: f32, theme: &Theme) -> &'static str {
    match (value, theme.ascii) {
        (0.05.., false) => "●",
        (0.05.., true) => "O",
        (-0.05..0.05, false) => "·",
        (-0.05..0.05, true) => ".",
        (_, false) => "○",
        (_, true) => "o",
    }
}

/// Brightness by the activation, saturated from 1 on.
fn activation_style(value: f32, theme: &Theme) -> Style {
    match value.abs() {
        ..0.05 => theme.dim,
        size => theme.diverging_text(f64::from(size.clamp(0.4, 1.0).copysign(value))),
    }
}

/// The legend of the activations.
fn activation_legend<'a>(theme: &Theme) -> Line<'a> {
    Line::from(vec![
        Span::styled(activation_sign(1.0, theme), activation_style(1.0, theme)),
        Span::styled(" + ", theme.dim),
        Span::styled(activation_sign(-1.0, theme), activation_style(-1.0, theme)),
        Span::styled(" - ", theme.dim),
        Span::styled(activation_sign(0.0, theme), theme.dim),
        Span::styled(" 0  activation", theme.dim),
    ])
}
