//! Draws the side panes of a network: the selected node with its edges, the changes, and the
//! strongest edges.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};

use crate::format;
use crate::screens::net::pane;
use crate::screens::net::view_options::NetViewOptions;
use crate::theme::Theme;
use crate::widgets::bar::bar;
use crate::widgets::text::put_all;
use crate::widgets::truncate::wrapped;
use finches_engine::text::counted;

use super::{DrawnEdge, NetworkDrawing};

impl NetworkDrawing {
    pub(super) fn view_side(&self, options: &NetViewOptions<'_>, area: Rect, buf: &mut Buffer) {
        let changes = self.change_lines(options);
        let parts = [
            Constraint::Fill(1),
            Constraint::Length(changes.len() as u16 + 2),
            Constraint::Fill(1),
        ];
        let [node, changed, edges] = Layout::vertical(parts).areas(area);
        self.view_node(options, node, buf);
        let title = match options.compared_with {
            Some(before) => format!("Since g{before}"),
            None => "Size".to_owned(),
        };
        let inner = pane(title, changed, buf, options.theme);
        put_all(buf, inner, changes);
        self.view_edges(options, edges, buf);
    }

    /// Draws the selected node and its edges.
    fn view_node(&self, options: &NetViewOptions<'_>, area: Rect, buf: &mut Buffer) {
        let theme = options.theme;
        let Some(drawn) = self.nodes.get(options.cursor) else {
            pane("Node", area, buf, theme);
            return;
        };
        let inner = pane(format!("Node {}", drawn.name), area, buf, theme);
        let own = |drawn_edge: &&DrawnEdge| {
            [drawn_edge.edge.from, drawn_edge.edge.to].contains(&options.cursor)
        };
        let own: Vec<&DrawnEdge> = self.edges.iter().filter(own).collect();
        let ins = own
            .iter()
            .filter(|drawn_edge| drawn_edge.edge.to == options.cursor);
        let ins = ins.count();
        let outs = own.len() - ins;
        let hidden = self.layers.saturating_sub(2);
        let mut place = match drawn.node.layer {
            0 => "input".to_owned(),
            layer if layer > hidden => "output".to_owned(),
            layer => format!("layer {layer} of {hidden}"),
        };
        if !drawn.is_active {
            place += ", inactive";
        }
        if let Some(value) = options.activation(options.cursor) {
            place = format!("{place}, activation {}", format::signed(value, 3));
        }
        let mut own_edges = format!("{ins} in, {outs} out");
        if drawn.node.layer > 0 {
            own_edges = format!("bias {}, {own_edges}", format::signed(drawn.node.bias, 2));
        }
        let words = [place, own_edges];
        let lines = words
            .iter()
            .flat_map(|words| wrapped(words, inner.width.into(), theme.text));
        let mut lines: Vec<Line<'_>> = lines.collect();
        let room = usize::from(inner.height).saturating_sub(lines.len());
        lines.extend(self.edge_lines(own.into_iter(), room, inner.width, theme));
        put_all(buf, inner, lines);
    }

    fn view_edges(&self, options: &NetViewOptions<'_>, area: Rect, buf: &mut Buffer) {
        let theme = options.theme;
        let inner = pane("Strongest edges", area, buf, theme);
        let room = inner.height.into();
        let lines = self.edge_lines(self.edges.iter(), room, inner.width, theme);
        put_all(buf, inner, lines);
    }

    /// A line for each of the first `room` edges.
    fn edge_lines<'a>(
        &self,
        edges: impl Iterator<Item = &'a DrawnEdge>,
        room: usize,
        width: u16,
        theme: &Theme,
    ) -> Vec<Line<'static>> {
        let arrow = theme.sign("→", ">");
        let max_weight = self.max_weight();
        let bars = width.saturating_sub(24).min(24);
        let line = |drawn_edge: &DrawnEdge| {
            let [from, to] =
                [drawn_edge.edge.from, drawn_edge.edge.to].map(|end| &self.nodes[end].name);
            let weight = drawn_edge.edge.weight;
            let style = theme.diverging_text(f64::from(weight.signum()));
            let share = f64::from(weight.abs() / max_weight.max(f32::MIN_POSITIVE));
            Line::from(vec![
                Span::styled(
                    format!("{:<13}", format!("{from} {arrow} {to}")),
                    theme.text,
                ),
                Span::styled(format!("{:>7} ", format::signed(weight, 2)), style),
                Span::styled(
                    if drawn_edge.is_new {
                        new_sign(theme)
                    } else {
                        " "
                    },
                    theme.warning,
                ),
                Span::raw(" "),
                Span::styled(bar(share, bars, theme), style),
            ])
        };
        edges.take(room).map(line).collect()
    }

    /// The size of the network and its changes, as a table.
    fn change_lines(&self, options: &NetViewOptions<'_>) -> Vec<Line<'static>> {
        let theme = options.theme;
        let row = |words: &'static str, nodes: usize, edges: usize| {
            let numbers = format!("{nodes:>10}{edges:>7}");
            Line::from(vec![
                Span::styled(format!("{words:<6}"), theme.dim),
                Span::styled(numbers, theme.text),
            ])
        };
        let head = format!(
            "{:<10}{:>6}{:>7}",
            // As in the table of members: without the inputs and the outputs.
            counted(self.layers.saturating_sub(2), "layer"),
            "nodes",
            "edges"
        );
        let mut lines = vec![Line::styled(head, theme.dim)];
        if let Some(changes) = self.changes {
            let mut new = row("  new", changes.new_nodes, changes.new_edges);
            new.spans[0] = Span::styled(" new ", theme.dim);
            new.spans
                .insert(0, Span::styled(new_sign(theme), theme.warning));
            lines.push(new);
            let gone = (changes.removed_nodes, changes.removed_edges);
            lines.push(row("- gone", gone.0, gone.1));
        }
        lines.push(row("  all", self.nodes.len(), self.edges.len()));
        if let Some(changes) = self.changes {
            let weights = counted(changes.changed_weights, "weight");
            lines.push(Line::styled(format!("{weights} changed"), theme.dim));
        }
        lines
    }
}

pub(super) fn new_sign(theme: &Theme) -> &'static str {
    theme.sign("◆", "N")
}
