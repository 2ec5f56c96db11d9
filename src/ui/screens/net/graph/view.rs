//! Draws a network: links as lines of dots, broken where the weight is negative, nodes over them.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::ui::screens::net::sight::{Amount, Sight};
use crate::ui::theme::Theme;
use crate::ui::widgets::canvas::{Canvas, Plain, Strength};
use crate::ui::widgets::fit::fit;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::text::{inset, put};
use crate::ui::words;

use super::layout::{NAMES, places};
use super::{Drawing, Wire};

/// Links from which on no more are drawn unasked, by the cells there are.
const CELLS_PER_LINK: u32 = 75;
const FEWEST: usize = 24;

/// Steps of strength, each with a line of the canvas for either sign.
const STEPS: u8 = 3;

/// What lines are drawn with in ASCII: strong, middling and weak, each positive and negative.
const MARKS: [char; 6] = ['#', '=', '+', '-', '+', '-'];

impl Drawing {
    pub(in crate::ui::screens::net) fn view(
        &self,
        sight: &Sight<'_>,
        mut frame: Frame<'_>,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let theme = sight.theme;
        let side = match area.width {
            _ if sight.zoom.is_in() => 0,
            ..100 => 27,
            100..160 => 38,
            _ => 60,
        };
        let parts = [Constraint::Fill(1), Constraint::Length(side)];
        let [net, side] = Layout::horizontal(parts).areas(area);
        let shown = self.shown(sight, net);
        let all = self.links.len();
        let own = self.own(sight).filter(|&(rank, _)| rank >= shown).count();
        let words = match (net.width, own) {
            _ if shown == all => format!("{all} links"),
            (..70, _) => format!("strongest {} of {all}, w all", shown + own),
            (_, 0) => format!("strongest {shown} of {all} links drawn, w draws all"),
            _ => format!("strongest {shown} of {all} links and {own} of its own, w draws all"),
        };
        frame.bottom_left = if sight.values.is_empty() {
            legend(theme)
        } else {
            values_legend(theme)
        };
        frame.bottom_right = Line::styled(words, theme.dim);
        let inner = inset(frame.draw(Focus::Here, theme, net, buf), 1);
        self.draw(sight, shown, inner, buf);
        self.view_side(sight, side, buf);
    }

    /// How many links are drawn.
    fn shown(&self, sight: &Sight<'_>, area: Rect) -> usize {
        let legible = (area.area() / CELLS_PER_LINK) as usize;
        match sight.amount {
            Amount::All => self.links.len(),
            Amount::Strongest => self.links.len().min(legible.max(FEWEST)),
        }
    }

    /// The strongest links of the node pointed at, each with its rank among all.
    fn own(&self, sight: &Sight<'_>) -> impl Iterator<Item = (usize, &Wire)> {
        let cursor = sight.cursor;
        let touches = move |wire: &Wire| [wire.link.from, wire.link.to].contains(&cursor);
        let own = self.links.iter().enumerate();
        let most = match sight.amount {
            Amount::All => usize::MAX,
            Amount::Strongest => FEWEST,
        };
        own.filter(move |(_, wire)| touches(wire)).take(most)
    }

    fn draw(&self, sight: &Sight<'_>, shown: usize, area: Rect, buf: &mut Buffer) {
        let theme = sight.theme;
        let counts: Vec<usize> = self.layers.iter().map(Vec::len).collect();
        let mut at = vec![Position::default(); self.nodes.len()];
        let placed = places(&counts, area.width, area.height);
        if placed.is_empty() {
            return;
        }
        for (layer, places) in self.layers.iter().zip(placed) {
            for (&index, place) in layer.iter().zip(places) {
                at[index] = place;
            }
        }
        self.draw_links(sight, shown, &at, area, buf);
        for (index, place) in at.iter().enumerate() {
            self.draw_node(sight, index, *place, area, buf);
        }
        if self.links.is_empty() {
            put(buf, area, 0, Span::styled("no links", theme.dim));
        }
    }

    fn draw_links(
        &self,
        sight: &Sight<'_>,
        shown: usize,
        at: &[Position],
        area: Rect,
        buf: &mut Buffer,
    ) {
        let theme = sight.theme;
        let mut canvas = Canvas::new(area.width, area.height);
        let most = self.most();
        for wire in self.links[..shown].iter().rev() {
            let (from, to) = (at[wire.link.from], at[wire.link.to]);
            stroke(&mut canvas, [from, to], line_of(wire, most));
        }
        // The links of the node pointed at are drawn over the others, and those that would be left out as well.
        let mut own = Canvas::new(area.width, area.height);
        for (_, wire) in self.own(sight) {
            let (from, to) = (at[wire.link.from], at[wire.link.to]);
            stroke(&mut own, [from, to], line_of(wire, most));
        }
        let plain = if theme.ascii {
            Plain::Marks(MARKS)
        } else {
            Plain::Braille
        };
        canvas.draw(area, |line, _| look(line, theme), plain, buf);
        own.draw(area, |line, _| look(line % 2, theme), plain, buf);
    }

    fn draw_node(
        &self,
        sight: &Sight<'_>,
        index: usize,
        place: Position,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let theme = sight.theme;
        let drawn = &self.nodes[index];
        let layer = drawn.node.layer;
        let value = sight.value(index);
        let sign = match (drawn.is_new, value, theme.ascii) {
            (_, Some(value), _) => value_sign(value, theme),
            (true, None, false) => "✚",
            (true, None, true) => "N",
            (false, None, false) => "●",
            (false, None, true) => "O",
        };
        let style = match (index == sight.cursor, value, drawn.is_new) {
            (true, ..) => theme.selection,
            (false, Some(value), _) => value_look(value, theme),
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
        let name = fit(&name, usize::from(NAMES) - 1);
        let wide = name.chars().count() as u16;
        let name_style = if index == sight.cursor {
            theme.accent
        } else {
            theme.dim
        };
        let has_margin = area.width > 3 * NAMES;
        let gap = area.width / self.layers.len().max(1) as u16;
        let is_output = layer + 1 == self.layers.len();
        let at = match (has_margin, layer) {
            (false, _) => None,
            (true, 0) => Some(x - wide - 1),
            (true, _) if is_output => Some(x + 2),
            (true, _) => Some(x + 1),
        };
        let is_named = if layer == 0 || is_output {
            self.is_named(layer, index, sight, area.height)
        } else {
            index == sight.cursor || gap >= NAMES + 2
        };
        if let Some(at) = at.filter(|_| is_named) {
            write(at, &name, name_style);
        }
    }

    /// Whether a node at the edge has a line for its name.
    fn is_named(&self, layer: usize, index: usize, sight: &Sight<'_>, height: u16) -> bool {
        let own = &self.layers[layer];
        own.len() <= height.into()
            || index == sight.cursor
            || (!own.contains(&sight.cursor)
                && own
                    .iter()
                    .position(|&other| other == index)
                    .is_some_and(|place| {
                        place.is_multiple_of(own.len().div_ceil(height.max(1).into()))
                    }))
    }
}

/// The line of the canvas for a link, first the strongest; odd ones are negative.
fn line_of(wire: &Wire, most: f32) -> u8 {
    let share = if most > 0.0 {
        wire.link.weight.abs() / most
    } else {
        0.0
    };
    let step = match share {
        0.66.. => 0,
        0.33.. => 1,
        _ => 2,
    };
    2 * step + u8::from(wire.link.weight < 0.0)
}

/// Joins two cells by dots: twice where the link is strong, with gaps where it is negative.
fn stroke(canvas: &mut Canvas, [from, to]: [Position; 2], line: u8) {
    let up = canvas.up();
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

/// The look of a line: its color by the sign, the brighter the stronger.
fn look(line: u8, theme: &Theme) -> Style {
    let strength = 1.0 - f64::from(line / 2) / f64::from(STEPS);
    theme.ink(if line % 2 == 1 { -strength } else { strength })
}

/// What the lines and signs mean.
fn legend<'a>(theme: &Theme) -> Line<'a> {
    let (plus, minus, new) = if theme.ascii {
        ("++#", "--=", "N")
    } else {
        ("⠒⠒⠶", "⠂⠐⠂", "✚")
    };
    Line::from(vec![
        Span::styled(plus, look(0, theme)),
        Span::styled(" + ", theme.dim),
        Span::styled(minus, look(1, theme)),
        Span::styled(" - ", theme.dim),
        Span::styled(new, theme.warning),
        Span::styled(" new", theme.dim),
    ])
}

/// What a node gives, in a width that a name has.
fn signed(value: f32) -> String {
    match value.abs() {
        ..99.95 => words::signed(value, 1),
        ..9999.5 => words::signed(value, 0),
        _ => format!("{value:+.0e}"),
    }
}

/// A node by the sign of what it gives.
fn value_sign(value: f32, theme: &Theme) -> &'static str {
    match (value, theme.ascii) {
        (0.05.., false) => "●",
        (0.05.., true) => "O",
        (-0.05..0.05, false) => "·",
        (-0.05..0.05, true) => ".",
        (_, false) => "○",
        (_, true) => "o",
    }
}

/// The brighter the more a node gives; from 1 on it is as bright as it gets.
fn value_look(value: f32, theme: &Theme) -> Style {
    match value.abs() {
        ..0.05 => theme.dim,
        size => theme.ink(f64::from(size.clamp(0.4, 1.0).copysign(value))),
    }
}

/// What the nodes' signs mean where their values are shown.
fn values_legend<'a>(theme: &Theme) -> Line<'a> {
    Line::from(vec![
        Span::styled(value_sign(1.0, theme), value_look(1.0, theme)),
        Span::styled(" + ", theme.dim),
        Span::styled(value_sign(-1.0, theme), value_look(-1.0, theme)),
        Span::styled(" - ", theme.dim),
        Span::styled(value_sign(0.0, theme), theme.dim),
        Span::styled(" 0  what nodes give", theme.dim),
    ])
}
