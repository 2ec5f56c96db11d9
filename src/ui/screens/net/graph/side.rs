//! Draws what stands beside a network: the node pointed at with its links, what has changed, and the strongest links.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use crate::ui::screens::net::sight::Sight;
use crate::ui::theme::Theme;
use crate::ui::widgets::bar::bar;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::text::inset;
use crate::ui::words;

use super::{Drawing, Wire};

impl Drawing {
    pub(super) fn view_side(&self, sight: &Sight<'_>, area: Rect, buf: &mut Buffer) {
        let changes = self.change_lines(sight, area.width);
        let parts = [
            Constraint::Fill(1),
            Constraint::Length(changes.len() as u16 + 2),
            Constraint::Fill(1),
        ];
        let [node, changed, links] = Layout::vertical(parts).areas(area);
        self.view_node(sight, node, buf);
        let title = match sight.before {
            Some(before) => format!("Since g{before}"),
            None => "Size".to_owned(),
        };
        let inner = pane(title, changed, buf, sight.theme);
        Paragraph::new(changes).render(inner, buf);
        self.view_links(sight, links, buf);
    }

    /// The node pointed at, with its links.
    fn view_node(&self, sight: &Sight<'_>, area: Rect, buf: &mut Buffer) {
        let theme = sight.theme;
        let Some(drawn) = self.nodes.get(sight.cursor) else {
            pane("Node".to_owned(), area, buf, theme);
            return;
        };
        let inner = pane(format!("Node {}", drawn.name), area, buf, theme);
        let own = |wire: &&Wire| [wire.link.from, wire.link.to].contains(&sight.cursor);
        let own: Vec<&Wire> = self.links.iter().filter(own).collect();
        let ins = own.iter().filter(|wire| wire.link.to == sight.cursor);
        let ins = ins.count();
        let mut words = format!("layer {} of {}", drawn.node.layer, self.layers.len() - 1);
        if drawn.node.layer > 0 {
            words = format!("{words}, bias {}", words::signed(drawn.node.bias, 2));
        }
        if let Some(value) = sight.value(sight.cursor) {
            words = format!("gives {}; {words}", words::signed(value, 3));
        }
        let outs = own.len() - ins;
        let mut lines = vec![
            Line::styled(words, theme.text),
            Line::styled(format!("{ins} in, {outs} out"), theme.dim),
        ];
        let room = usize::from(inner.height).saturating_sub(lines.len());
        lines.extend(self.link_lines(own.into_iter(), room, inner.width, theme));
        Paragraph::new(lines).render(inner, buf);
    }

    fn view_links(&self, sight: &Sight<'_>, area: Rect, buf: &mut Buffer) {
        let theme = sight.theme;
        let inner = pane("Strongest links".to_owned(), area, buf, theme);
        let room = inner.height.into();
        let lines = self.link_lines(self.links.iter(), room, inner.width, theme);
        Paragraph::new(lines).render(inner, buf);
    }

    /// A line for each of the first links.
    fn link_lines<'a>(
        &self,
        links: impl Iterator<Item = &'a Wire>,
        room: usize,
        width: u16,
        theme: &Theme,
    ) -> Vec<Line<'static>> {
        let arrow = if theme.ascii { ">" } else { "→" };
        let most = self.most();
        let bars = width.saturating_sub(24).min(24);
        let line = |wire: &Wire| {
            let [from, to] = [wire.link.from, wire.link.to].map(|end| &self.nodes[end].name);
            let weight = wire.link.weight;
            let style = theme.ink(f64::from(weight.signum()));
            let share = f64::from(weight.abs() / most.max(f32::MIN_POSITIVE));
            Line::from(vec![
                Span::styled(
                    format!("{:<13}", format!("{from} {arrow} {to}")),
                    theme.text,
                ),
                Span::styled(format!("{:>7} ", words::signed(weight, 2)), style),
                Span::styled(
                    if wire.is_new { new_sign(theme) } else { " " },
                    theme.warning,
                ),
                Span::raw(" "),
                Span::styled(bar(share, bars, theme), style),
            ])
        };
        links.take(room).map(line).collect()
    }

    /// How large the network is, and what has changed in it.
    fn change_lines(&self, sight: &Sight<'_>, width: u16) -> Vec<Line<'static>> {
        let theme = sight.theme;
        let layers = self.layers.len();
        let mut size = counts(self.nodes.len(), self.links.len());
        if width >= 36 {
            size = format!("{size}, {layers} layers");
        }
        let mut lines = Vec::new();
        if let Some(changes) = self.changes {
            let new = new_sign(theme);
            lines.push(Line::from(vec![
                Span::styled(format!("{new} "), theme.warning),
                Span::styled(counts(changes.new_nodes, changes.new_links), theme.text),
                Span::styled(" new", theme.dim),
            ]));
            let gone = counts(changes.gone_nodes, changes.gone_links);
            lines.push(Line::from(vec![
                Span::styled(format!("- {gone}"), theme.text),
                Span::styled(" gone", theme.dim),
            ]));
            let moved = format!("  {} weights", changes.moved);
            lines.push(Line::from(vec![
                Span::styled(moved, theme.text),
                Span::styled(" moved", theme.dim),
            ]));
        }
        lines.push(Line::styled(size, theme.dim));
        lines
    }
}

fn counts(nodes: usize, links: usize) -> String {
    let many = |count: usize| if count == 1 { "" } else { "s" };
    format!("{nodes} node{}, {links} link{}", many(nodes), many(links))
}

fn new_sign(theme: &Theme) -> &'static str {
    if theme.ascii { "N" } else { "✚" }
}

fn pane(title: String, area: Rect, buf: &mut Buffer, theme: &Theme) -> Rect {
    inset(
        Frame::titled(title).draw(Focus::Elsewhere, theme, area, buf),
        1,
    )
}
