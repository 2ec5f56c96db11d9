//! The first layer of a dense network on the board: all units, and the one pointed at in figures.

use std::cell::Cell;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use crate::genomes::Topology;
use crate::ui::screens::first_layer::{FirstLayer, Marks, Picture, Role};
use crate::ui::theme::Theme;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::text::{below, inset, put};
use crate::ui::words;

use super::Heading;
use super::sight::Sight;

/// The units as they are shown.
pub(super) struct Units {
    layer: FirstLayer,
    topology: Topology,
    /// How much each picture differs from that of the same unit before: the mean over its squares.
    moved: Vec<Option<f32>>,
    /// Pictures in a row when they were last drawn.
    across: Cell<usize>,
}

/// Squares named at each end.
const NAMED: usize = 5;

impl Units {
    pub(super) fn new(layer: FirstLayer, topology: Topology, before: Option<&FirstLayer>) -> Self {
        let moved = |picture: &Picture| {
            let others = before?.pictures.iter();
            let mut same = others.filter(|other| other.place == picture.place);
            Some(distance(picture, same.next()?))
        };
        Self {
            moved: layer.pictures.iter().map(moved).collect(),
            layer,
            topology,
            across: Cell::new(1),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.layer.pictures.len()
    }

    /// Units without the bypass.
    fn units(&self) -> usize {
        let pictures = self.layer.pictures.iter();
        pictures.filter(|one| one.role == Role::Unit).count()
    }

    /// The unit next to another one as they were last drawn.
    pub(super) fn next(&self, from: usize, heading: Heading) -> usize {
        let across = self.across.get();
        let to = match heading {
            Heading::Left => from.checked_sub(1),
            Heading::Right => Some(from + 1),
            Heading::Up => from.checked_sub(across),
            Heading::Down => Some(from + across),
        };
        to.filter(|&to| to < self.len()).unwrap_or(from)
    }

    pub(super) fn view(&self, sight: &Sight<'_>, frame: Frame<'_>, area: Rect, buf: &mut Buffer) {
        let theme = sight.theme;
        let side = match area.width {
            _ if sight.zoom.is_in() => 0,
            ..100 => 34,
            100..160 => 38,
            _ => 70,
        };
        let parts = [Constraint::Fill(1), Constraint::Length(side)];
        let [all, one] = Layout::horizontal(parts).areas(area);
        let inside = Rect {
            width: all.width.saturating_sub(4),
            height: all.height.saturating_sub(2),
            ..all
        };
        let plan = self.layer.plan(inside, theme);
        let frame = Frame {
            bottom_left: self.layer.legend(theme),
            bottom_right: Line::styled(self.layer.count(plan.as_ref()), theme.dim),
            ..frame
        };
        let inner = inset(frame.draw(Focus::Here, theme, all, buf), 1);
        if let Some(plan) = plan {
            self.across.set(plan.across);
            let marks = Marks {
                selected: Some(sight.cursor),
                values: sight.values,
            };
            self.layer.draw(plan, marks, theme, inner, buf);
        } else {
            let words = "too little room for the board";
            put(buf, inner, 0, Span::styled(words, theme.dim));
        }
        self.view_one(sight, one, buf);
    }

    /// The unit pointed at.
    fn view_one(&self, sight: &Sight<'_>, area: Rect, buf: &mut Buffer) {
        let theme = sight.theme;
        let Some(picture) = self.layer.pictures.get(sight.cursor) else {
            Frame::titled("Unit").draw(Focus::Elsewhere, theme, area, buf);
            return;
        };
        let title = match picture.role {
            Role::Unit => format!("Unit {} of {}", picture.place + 1, self.units()),
            Role::Bypass => "Bypass".to_owned(),
        };
        let inner = inset(
            Frame::titled(title).draw(Focus::Elsewhere, theme, area, buf),
            1,
        );
        let mut lines = self.facts(picture, sight);
        lines.push(Line::default());
        let facts = lines.len() as u16;
        Paragraph::new(lines).render(inner, buf);
        let mut rest = below(inner, facts);
        let squares = self.squares(picture, theme);
        let room = Rect {
            height: rest.height.saturating_sub(squares.len() as u16 + 2),
            ..rest
        };
        if let Some((tile, height)) = picture.fit(room, theme) {
            let names = Line::styled(self.layer.names(), theme.dim);
            put(buf, rest, 0, names);
            let at = below(rest, 1);
            picture.draw(tile, self.layer.scale_of(picture), theme, at, buf);
            rest = below(rest, height + 2);
        }
        Paragraph::new(squares).render(rest, buf);
    }

    fn facts(&self, picture: &Picture, sight: &Sight<'_>) -> Vec<Line<'static>> {
        let theme = sight.theme;
        let arrow = if theme.ascii { "-" } else { "→" };
        let layers = self.topology.layers.iter().map(ToString::to_string);
        let shape = layers.collect::<Vec<_>>().join(arrow);
        let outgoing = match picture.outgoing {
            _ if picture.role == Role::Bypass => {
                vec![Span::styled("adds all inputs as they are", theme.text)]
            }
            Some(weight) => vec![
                Span::styled(words::signed(weight, 3), theme.strong),
                Span::styled(
                    format!(", {} of {}", rank(sight.cursor), self.units()),
                    theme.dim,
                ),
            ],
            None if self.topology.hidden_layers() == 0 => {
                vec![Span::styled("is the output", theme.text)]
            }
            None if self.topology.hidden_layers() > 1 => {
                vec![Span::styled("through more layers", theme.text)]
            }
            None => {
                let outputs = self.topology.layers.last().copied().unwrap_or_default();
                vec![Span::styled(format!("counts for {outputs}"), theme.text)]
            }
        };
        let mut lines = vec![
            fact("output", outgoing, theme),
            fact("net", vec![Span::styled(shape, theme.text)], theme),
        ];
        if let Some(value) = picture.value(sight.values) {
            let own = Span::styled(words::signed(value, 3), theme.strong);
            let adds = picture.outgoing.map_or(String::new(), |weight| {
                format!(", adds {}", words::signed(value * weight, 3))
            });
            lines.push(fact(
                "gives",
                vec![own, Span::styled(adds, theme.dim)],
                theme,
            ));
        }
        if let Some(result) = sight.values.last() {
            let result = Span::styled(words::signed(*result, 3), theme.accent);
            lines.push(fact("result", vec![result], theme));
        }
        let moved = self.moved.get(sight.cursor).copied().flatten();
        if let (Some(moved), Some(before)) = (moved, sight.before) {
            let words = format!("{moved:.2} each since g{before}");
            lines.push(fact("moved", vec![Span::styled(words, theme.text)], theme));
        }
        lines
    }

    /// The squares by which its sum gains most, and those by which it loses most.
    fn squares(&self, picture: &Picture, theme: &Theme) -> Vec<Line<'static>> {
        let mut named: Vec<(String, f32)> = Vec::new();
        for (sheet, (_, numbers)) in self.layer.sheets.iter().zip(&picture.sheets) {
            let of_sheet = match self.layer.sheets.len() {
                1 => String::new(),
                _ => format!(" {}", sheet.name.split(' ').next().unwrap_or_default()),
            };
            let squares = sheet.squares.iter().zip(numbers);
            let squares = squares.filter(|(square, number)| !square.is_empty() && !number.is_nan());
            named.extend(squares.map(|(square, &number)| (format!("{square}{of_sheet}"), number)));
        }
        named.sort_by(|a, b| b.1.total_cmp(&a.1));
        let count = NAMED.min(named.len() / 2);
        let head = format!("{:<15}{}", "raised by", "lowered by");
        let mut lines = vec![Line::styled(head, theme.dim)];
        for row in 0..count {
            let (raised, lowered) = (&named[row], &named[named.len() - 1 - row]);
            let cell =
                |(name, number): &(String, f32)| format!("{name:<7}{}", words::signed(*number, 2));
            lines.push(Line::styled(
                format!("{:<15}{}", cell(raised), cell(lowered)),
                theme.text,
            ));
        }
        lines
    }
}

fn fact(name: &'static str, spans: Vec<Span<'static>>, theme: &Theme) -> Line<'static> {
    let name = Span::styled(format!("{name:<8}"), theme.dim);
    Line::from([vec![name], spans].concat())
}

/// A place counted from the first.
fn rank(place: usize) -> String {
    let ending = match (place + 1) % 100 {
        11..=13 => "th",
        number => match number % 10 {
            1 => "st",
            2 => "nd",
            3 => "rd",
            _ => "th",
        },
    };
    format!("{}{ending}", place + 1)
}

/// The mean difference of two pictures over their squares.
fn distance(one: &Picture, other: &Picture) -> f32 {
    let numbers = |picture: &Picture| -> Vec<f32> {
        let sheets = picture.sheets.iter();
        sheets.flat_map(|(_, numbers)| numbers.clone()).collect()
    };
    let (one, other) = (numbers(one), numbers(other));
    let pairs = one.iter().zip(&other).map(|(a, b)| (a - b).abs());
    let known: Vec<f32> = pairs.filter(|difference| !difference.is_nan()).collect();
    known.iter().sum::<f32>() / known.len().max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_written_as_people_read_them() {
        let ranks = [0, 1, 2, 3, 10, 11, 20, 111].map(rank);
        let expected = ["1st", "2nd", "3rd", "4th", "11th", "12th", "21st", "112th"];
        assert_eq!(ranks, expected);
    }
}
