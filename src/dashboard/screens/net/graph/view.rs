//! Draws a network: numbered guides for its layers, edges as dotted lines, and nodes on top.

use std::collections::BTreeSet;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::format;
use crate::keymap;
use crate::screens::net::view_options::{InactiveParts, NetViewOptions};
use crate::screens::net::{NetAction, SCOPE};
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame, content};
use crate::widgets::text::{below, columns_of, cut_right, put, put_right};
use crate::widgets::truncate::{truncate, width};
use finches_engine::genomes::network_layout::NetworkLayout;
use finches_engine::text::counted;

use super::lines::legend;
use super::paths::{Light, Paths};
use super::side::new_sign;
use super::viewport::{NAME_MARGIN, Viewport};
use super::{DrawnEdge, NetworkDrawing};

/// Cells of the pane per edge drawn by default, and the least number of edges.
const CELLS_PER_EDGE: usize = 20;
const MIN_EDGES: usize = 24;

/// The width of the pane from which on its texts are complete.
pub(super) const WIDE: u16 = 70;

/// The edges that are drawn.
struct ShownEdges<'a> {
    edges: Vec<&'a DrawnEdge>,
    /// The number of edges without the filter.
    all: usize,
}

/// What a network is drawn with.
struct NetworkPicture<'a> {
    options: &'a NetViewOptions<'a>,
    layout: &'a NetworkLayout,
    viewport: Viewport,
    paths: Paths,
    /// The area of the nodes and edges, below the numbers of the layers.
    area: Rect,
}

impl NetworkDrawing {
    pub(in crate::screens::net) fn view(
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
        let (net, side) = cut_right(area, side);
        let layout = self.layout(options.inactive);
        let room = below(content(net), 1);
        let around = layout.nodes.get(options.cursor).copied().flatten();
        let around = around.map(|point| point.column).or(Some(0));
        let viewport = Viewport::new(layout, around, room.width, room.height);
        let shown = self.shown_edges(options, &viewport, net);
        frame
            .title
            .push_span(Span::raw(self.hidden_words(options, net.width)));
        frame.bottom_left = self.legend(options, net.width);
        let layers = seen_layers(layout, &viewport, net.width);
        let words = [layers, shown.words(net.width)].concat();
        frame.bottom_right = Line::styled(words, theme.dim);
        let inner = frame.pane(Focus::Here, theme, net, buf);
        let picture = NetworkPicture {
            options,
            layout,
            viewport,
            paths: Paths::new(self, &shown.edges, options.cursor),
            area: below(inner, 1),
        };
        picture.draw_guides(inner, buf);
        self.draw_picture(&picture, &shown.edges, buf);
        self.view_side(options, side, buf);
    }

    /// Draws all layers in an area, without a selected node.
    pub(in crate::screens) fn draw(
        &self,
        options: &NetViewOptions<'_>,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let layout = self.layout(options.inactive);
        let viewport = Viewport::new(layout, None, area.width, area.height);
        let shown = self.shown_edges(options, &viewport, area);
        let picture = NetworkPicture {
            options,
            layout,
            viewport,
            paths: Paths::new(self, &shown.edges, options.cursor),
            area,
        };
        self.draw_picture(&picture, &shown.edges, buf);
    }

    /// Draws edges and nodes.
    fn draw_picture(&self, picture: &NetworkPicture<'_>, edges: &[&DrawnEdge], buf: &mut Buffer) {
        let theme = picture.options.theme;
        let target = (theme, picture.area, &mut *buf);
        let (viewport, paths) = (&picture.viewport, &picture.paths);
        self.draw_lines(edges, picture.layout, viewport, paths, target);
        self.draw_nodes(picture, buf);
        if self.edges.is_empty() {
            put(buf, picture.area, 0, Span::styled("no edges", theme.dim));
        }
    }

    /// How many parts are not drawn because they are inactive.
    fn hidden_words(&self, options: &NetViewOptions<'_>, width: u16) -> String {
        let key = keymap::label(SCOPE, NetAction::ShowInactive.action());
        let (nodes, edges) = self.inactive();
        match (options.inactive, nodes + edges) {
            (_, 0) => String::new(),
            (InactiveParts::Shown, _) => format!(", inactive shown ({key})"),
            (InactiveParts::Hidden, _) if width >= WIDE => {
                let (nodes, edges) = (counted(nodes, "node"), counted(edges, "edge"));
                format!(", {nodes} and {edges} inactive, hidden ({key})")
            }
            (InactiveParts::Hidden, parts) => format!(", {parts} hidden ({key})"),
        }
    }

    /// The strongest edges between layers that are seen, as many as are legible, and the strongest
    /// of the selected node. Lines from layers that are not seen could not be followed.
    fn shown_edges(
        &self,
        options: &NetViewOptions<'_>,
        viewport: &Viewport,
        area: Rect,
    ) -> ShownEdges<'_> {
        let is_candidate =
            |edge: &&DrawnEdge| options.inactive == InactiveParts::Shown || edge.is_active;
        let candidates: Vec<&DrawnEdge> = self.edges.iter().filter(is_candidate).collect();
        let all = candidates.len();
        if options.shows_all_edges {
            return ShownEdges {
                edges: candidates,
                all,
            };
        }
        let layout = self.layout(options.inactive);
        let is_node_seen = |node: usize| {
            let point = layout.nodes[node];
            point.is_some_and(|point| viewport.columns.contains(&point.column))
        };
        let is_seen =
            |edge: &&DrawnEdge| is_node_seen(edge.edge.from) && is_node_seen(edge.edge.to);
        let touches = |edge: &&DrawnEdge| [edge.edge.from, edge.edge.to].contains(&options.cursor);
        let legible = (area.area() as usize / CELLS_PER_EDGE).max(MIN_EDGES);
        let (seen, unseen): (Vec<_>, Vec<_>) = candidates.into_iter().partition(is_seen);
        let (shown, rest) = seen.split_at(legible.min(seen.len()));
        let own = rest.iter().chain(&unseen).copied().filter(touches);
        ShownEdges {
            edges: shown.iter().copied().chain(own.take(MIN_EDGES)).collect(),
            all,
        }
    }

    pub(in crate::screens) fn legend(
        &self,
        options: &NetViewOptions<'_>,
        width: u16,
    ) -> Line<'static> {
        let theme = options.theme;
        if !options.activations.is_empty() {
            return activation_legend(theme);
        }
        let mut spans = legend(width, theme);
        let has_new_edge = self.edges.iter().any(|drawn| drawn.is_new);
        if has_new_edge || self.nodes.iter().any(|drawn| drawn.is_new) {
            spans.push(Span::raw("  "));
            spans.push(Span::styled(new_sign(theme), theme.warning));
            spans.push(Span::styled(" new", theme.dim));
        }
        Line::from(spans)
    }

    fn draw_nodes(&self, picture: &NetworkPicture<'_>, buf: &mut Buffer) {
        let cursor = picture.options.cursor;
        let mut places: Vec<(usize, Position)> = Vec::new();
        for (node, point) in picture.layout.nodes.iter().enumerate() {
            let place = point.and_then(|point| picture.viewport.cell(point));
            places.extend(place.map(|place| (node, place)));
        }
        // If nodes share a cell, the selected one is seen and named.
        places.sort_by_key(|&(node, _)| node != cursor);
        let mut named = BTreeSet::new();
        for &(node, place) in &places {
            if named.insert((place.x, place.y)) {
                self.draw_name(picture, node, place, buf);
            }
        }
        for &(node, place) in places.iter().rev() {
            let (sign, style) = self.node_sign(picture, node);
            let (x, y) = (picture.area.x + place.x, picture.area.y + place.y);
            let room = picture.area.right().saturating_sub(x);
            if y < picture.area.bottom() {
                buf.set_stringn(x, y, sign, room.into(), style);
            }
        }
    }

    /// The symbol of a node and its style.
    fn node_sign(&self, picture: &NetworkPicture<'_>, node: usize) -> (&'static str, Style) {
        let (drawn, options) = (&self.nodes[node], picture.options);
        let theme = options.theme;
        let value = options.activation(node);
        let sign = match value {
            Some(value) => activation_sign(value, theme),
            None if !drawn.is_active => theme.sign("◌", "o"),
            None if drawn.is_new => new_sign(theme),
            None => theme.sign("●", "O"),
        };
        let style = match (picture.paths.node(node), value, drawn.is_new) {
            _ if node == options.cursor => theme.selection,
            (_, Some(value), _) => activation_style(value, theme),
            _ if !drawn.is_active => theme.dim,
            (_, None, true) => theme.warning,
            (Light::Dim, None, false) => theme.dim,
            (_, None, false) => theme.strong,
        };
        (sign, style)
    }

    /// Writes a node's name or activation beside it, if there is room: before inputs, after all
    /// others.
    fn draw_name(
        &self,
        picture: &NetworkPicture<'_>,
        node: usize,
        place: Position,
        buf: &mut Buffer,
    ) {
        let (drawn, options) = (&self.nodes[node], picture.options);
        let theme = options.theme;
        let (is_input, is_output) = (drawn.node.layer == 0, drawn.node.layer + 1 == self.layers);
        let light = picture.paths.node(node);
        let has_room = if is_input || is_output {
            picture.viewport.margin > 0
        } else {
            node == options.cursor
                || picture.viewport.pitch >= f64::from(NAME_MARGIN + 2)
                || (light == Light::Bright && picture.viewport.pitch >= 4.0)
        };
        if !has_room || place.y >= picture.area.height {
            return;
        }
        let value = options.activation(node);
        let name = value.map_or_else(|| drawn.name.clone(), signed);
        let name = truncate(&name, usize::from(NAME_MARGIN) - 1);
        let style = match light {
            _ if node == options.cursor => theme.accent,
            Light::Bright | Light::New => theme.text,
            Light::Lit | Light::Dim => theme.dim,
        };
        let x = match (is_input, is_output) {
            (true, _) => place.x.saturating_sub(width(&name) as u16 + 1),
            (_, true) => place.x + 2,
            (false, false) => place.x + 1,
        };
        let (x, y) = (picture.area.x + x, picture.area.y + place.y);
        let room = picture.area.right().saturating_sub(x);
        buf.set_stringn(x, y, name, room.into(), style);
    }
}

impl ShownEdges<'_> {
    fn words(&self, width: u16) -> String {
        let (shown, all) = (self.edges.len(), self.all);
        match width {
            _ if shown == all => counted(all, "edge"),
            ..WIDE => format!("{shown}/{all} edges"),
            _ => {
                let key = keymap::label(SCOPE, NetAction::ShowAllEdges.action());
                format!("{shown} of {all} edges; {key}: all")
            }
        }
    }
}

impl NetworkPicture<'_> {
    /// Numbers the layers that are seen and draws a thin line down each.
    fn draw_guides(&self, inner: Rect, buf: &mut Buffer) {
        let theme = self.options.theme;
        let guide = theme.sign("┊", ":");
        let own = self.layout.nodes.get(self.options.cursor).copied();
        let own = own.flatten().map(|point| point.column);
        let mut free = inner.x;
        if self.viewport.columns.start == 0 && self.viewport.x(0) >= Some(NAME_MARGIN) {
            put(buf, inner, 0, Span::styled("layer", theme.dim));
            free += NAME_MARGIN;
        }
        for column in self.viewport.columns.clone() {
            let Some(place) = self.viewport.x(column) else {
                continue;
            };
            let x = inner.x + place;
            let line = columns_of(self.area, place, 1);
            for y in 0..line.height {
                put(buf, line, y, Span::styled(guide, theme.guide));
            }
            let (number, is_own) = (self.layout.layers[column].to_string(), own == Some(column));
            let style = if is_own { theme.accent } else { theme.dim };
            let end = x + number.len() as u16;
            if x >= free && end <= inner.right() {
                buf.set_string(x, inner.y, &number, style);
                free = end + 1;
            }
        }
        self.draw_more(inner, buf);
    }

    /// Marks the sides on which there are more layers.
    fn draw_more(&self, inner: Rect, buf: &mut Buffer) {
        let theme = self.options.theme;
        let [left, right] = theme.sign(["‹", "›"], ["<", ">"]);
        if self.viewport.columns.start > 0 {
            put(buf, inner, 0, Span::styled(left, theme.key));
        }
        if self.viewport.columns.end < self.layout.layers.len() {
            put_right(buf, inner, 0, Span::styled(right, theme.key));
        }
    }
}

/// The layers that are seen, if not all are.
fn seen_layers(layout: &NetworkLayout, viewport: &Viewport, width: u16) -> String {
    let seen = &layout.layers[viewport.columns.start.min(layout.layers.len())..];
    let seen = &seen[..viewport.columns.len().min(seen.len())];
    match (seen, layout.layers.last()) {
        ([first, .., last], Some(top)) if seen.len() < layout.layers.len() => {
            let of = if width < WIDE { "/" } else { " of " };
            format!("layers {first}-{last}{of}{top}, ")
        }
        _ => String::new(),
    }
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
    match value {
        0.05.. => theme.sign("●", "O"),
        -0.05..0.05 => theme.sign("·", "."),
        _ => theme.sign("○", "o"),
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
        Span::styled(" positive ", theme.dim),
        Span::styled(activation_sign(-1.0, theme), activation_style(-1.0, theme)),
        Span::styled(" negative ", theme.dim),
        Span::styled(activation_sign(0.0, theme), theme.dim),
        Span::styled(" near 0", theme.dim),
    ])
}
