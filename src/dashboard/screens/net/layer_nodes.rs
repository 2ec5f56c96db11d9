//! The first layer of a dense network on the board: all its nodes, and the selected one in numbers.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::format;
use crate::model::zoom::Zoom;
use crate::screens::first_layer::{FirstLayerMaps, LayerMarks, Role, WeightMap};
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame, content};
use crate::widgets::heat_map::Tile;
use crate::widgets::text::{below, cut_below, cut_right, put, put_all};
use crate::widgets::truncate::truncate_line;
use finches_engine::genomes::{Topology, TupleFacts};

use super::view_options::NetViewOptions;
use super::{Direction, fact};

/// The nodes as drawn.
pub(super) struct LayerNodes {
    layer: FirstLayerMaps,
    topology: Topology,
    /// The mean absolute change of each picture since the compared network, over its squares.
    weight_changes: Vec<Option<f32>>,
}

/// The most squares listed at each end.
const NAMED_SQUARES: usize = 5;

/// The smallest tile of the selected node; fewer squares are listed to make room for it.
const LEGIBLE_TILE: Tile = Tile {
    width: 2,
    halves: 2,
};

/// The areas of all nodes and of the selected one.
fn panes(area: Rect, zoom: Zoom) -> (Rect, Rect) {
    let side = match area.width {
        _ if zoom.is_zoomed() => 0,
        ..100 => 34,
        100..160 => 38,
        _ => 70,
    };
    cut_right(area, side)
}

impl LayerNodes {
    pub(super) fn new(
        layer: FirstLayerMaps,
        topology: Topology,
        before: Option<&FirstLayerMaps>,
    ) -> Self {
        let weight_changes = |picture: &WeightMap| {
            let others = before?.maps.iter();
            let mut same = others.filter(|other| other.index == picture.index);
            Some(mean_difference(picture, same.next()?))
        };
        Self {
            weight_changes: layer.maps.iter().map(weight_changes).collect(),
            layer,
            topology,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.layer.maps.len()
    }

    /// The number of nodes, without the bypass.
    fn node_count(&self) -> usize {
        let pictures = self.layer.maps.iter();
        pictures.filter(|one| one.role == Role::Node).count()
    }

    /// The number of nodes in a row.
    pub(super) fn columns(&self, area: Rect, zoom: Zoom, theme: &Theme) -> usize {
        let (all, _) = panes(area, zoom);
        let plan = self.layer.layout(content(all), theme);
        plan.map_or(1, |plan| plan.columns)
    }

    /// The neighbor of a node among rows of `columns` nodes.
    pub(super) fn next(&self, from: usize, direction: Direction, columns: usize) -> usize {
        let to = match direction {
            Direction::Left => from.checked_sub(1),
            Direction::Right => Some(from + 1),
            Direction::Up => from.checked_sub(columns),
            Direction::Down => Some(from + columns),
        };
        to.filter(|&to| to < self.len()).unwrap_or(from)
    }

    pub(super) fn view(
        &self,
        options: &NetViewOptions<'_>,
        frame: Frame<'_>,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let theme = options.theme;
        let (all, one) = panes(area, options.zoom);
        let plan = self.layer.layout(content(all), theme);
        let frame = Frame {
            bottom_left: self.layer.legend(theme),
            bottom_right: Line::styled(self.layer.count(plan.as_ref()), theme.dim),
            ..frame
        };
        let inner = frame.pane(Focus::Here, theme, all, buf);
        if let Some(plan) = plan {
            let marks = LayerMarks {
                selected: Some(options.cursor),
                values: options.activations,
            };
            self.layer.draw(plan, marks, theme, inner, buf);
        } else {
            let words = "not enough room for the board";
            put(buf, inner, 0, Span::styled(words, theme.dim));
        }
        self.view_node(options, one, buf);
    }

    /// Draws the selected node.
    fn view_node(&self, options: &NetViewOptions<'_>, area: Rect, buf: &mut Buffer) {
        let theme = options.theme;
        let Some(picture) = self.layer.maps.get(options.cursor) else {
            Frame::titled("Node").draw(Focus::Elsewhere, theme, area, buf);
            return;
        };
        let title = match &picture.role {
            Role::Node => format!("Node {} of {}", picture.index + 1, self.node_count()),
            Role::Bypass => "Bypass".to_owned(),
            Role::Tuple(facts) => format!("Tuple {}", self.layer.squares_of(facts)),
            Role::Sum => "All tuples".to_owned(),
        };
        let frame = Frame {
            bottom_left: match picture.role {
                // Its scale is not that of the others.
                Role::Sum | Role::Bypass => self.layer.legend_of(picture, theme),
                Role::Node | Role::Tuple(_) => Line::default(),
            },
            ..Frame::titled(title)
        };
        let inner = frame.pane(Focus::Elsewhere, theme, area, buf);
        let mut lines = self.facts(picture, options);
        for line in &mut lines {
            truncate_line(line, inner.width.into(), theme.dim);
        }
        lines.push(Line::default());
        let mut rest = put_all(buf, inner, lines);
        let (_, legible) = picture.size(LEGIBLE_TILE);
        let count = rest.height.saturating_sub(legible + 3).into();
        let squares = self.squares(picture, NAMED_SQUARES.min(count), theme);
        let (room, _) = cut_below(rest, squares.len() as u16 + 2);
        if let Some((tile, height)) = picture.largest_tile(room, theme) {
            let names = Line::styled(self.layer.names(), theme.dim);
            put(buf, rest, 0, names);
            let at = below(rest, 1);
            picture.draw(tile, self.layer.scale_of(picture), theme, at, buf);
            rest = below(rest, height + 2);
        }
        put_all(buf, rest, squares);
    }

    fn facts(&self, picture: &WeightMap, options: &NetViewOptions<'_>) -> Vec<Line<'static>> {
        let theme = options.theme;
        let arrow = theme.sign("→", "-");
        let layers = self.topology.layers.iter().map(ToString::to_string);
        let shape = layers.collect::<Vec<_>>().join(arrow);
        let hidden_layers = self.topology.hidden_layers();
        let outgoing = match (&picture.role, picture.outgoing) {
            (Role::Bypass, _) => fact("output", "adds all inputs unchanged", theme),
            (Role::Sum, _) => fact("output", "the sum of all tuples", theme),
            (Role::Tuple(_), _) => fact("output", "adds its entries", theme),
            (Role::Node, Some(weight)) => {
                let place = format!(", {} of {}", ordinal(options.cursor), self.node_count());
                figure("output", format::signed(weight, 3), place, theme)
            }
            (Role::Node, None) if hidden_layers == 0 => fact("output", "is the output", theme),
            (Role::Node, None) if hidden_layers > 1 => fact("output", "through more layers", theme),
            (Role::Node, None) => {
                let outputs = self.topology.layers.last().copied().unwrap_or_default();
                fact("output", format!("feeds {outputs} outputs"), theme)
            }
        };
        let mut lines = vec![outgoing];
        match &picture.role {
            Role::Tuple(facts) => lines.extend(tuple_facts(facts, theme)),
            Role::Sum => lines.push(fact("net", format!("{} tuples", self.len() - 1), theme)),
            Role::Node | Role::Bypass => lines.push(fact("net", shape, theme)),
        }
        if let Some(value) = picture.value(options.activations) {
            let adds = picture.outgoing.map_or(String::new(), |weight| {
                format!(", adds {}", format::signed(value * weight, 3))
            });
            lines.push(figure("value", format::signed(value, 3), adds, theme));
        }
        if let Some(result) = options.activations.last() {
            let result = Span::styled(format::signed(*result, 3), theme.accent);
            lines.push(fact("result", result, theme));
        }
        let weight_change = self.weight_changes.get(options.cursor).copied().flatten();
        if let (Some(weight_change), Some(before)) = (weight_change, options.compared_with) {
            let words = format!("mean {weight_change:.2} since g{before}");
            lines.push(fact("change", words, theme));
        }
        lines
    }

    /// The `count` squares with the largest and the smallest weights.
    fn squares(&self, picture: &WeightMap, count: usize, theme: &Theme) -> Vec<Line<'static>> {
        let mut named: Vec<(String, f32)> = Vec::new();
        for (sheet, (_, numbers)) in self.layer.planes.iter().zip(&picture.planes) {
            let of_sheet = match self.layer.planes.len() {
                1 => String::new(),
                _ => format!(" {}", sheet.name.split(' ').next().unwrap_or_default()),
            };
            let squares = sheet.squares.iter().zip(numbers);
            let squares = squares.filter(|(square, number)| !square.is_empty() && !number.is_nan());
            named.extend(squares.map(|(square, &number)| (format!("{square}{of_sheet}"), number)));
        }
        named.sort_by(|a, b| b.1.total_cmp(&a.1));
        let raised = named.iter().filter(|(_, number)| *number > 0.0);
        let lowered = named.iter().rev().filter(|(_, number)| *number < 0.0);
        let cell =
            |(name, number): &(String, f32)| format!("{name:<7}{}", format::signed(*number, 2));
        let raised: Vec<String> = raised.map(cell).take(count).collect();
        let lowered: Vec<String> = lowered.map(cell).take(count).collect();
        let head = format!("{:<15}{}", "raised by", "lowered by");
        let mut lines = vec![Line::styled(head, theme.dim)];
        let none = String::new();
        for row in 0..raised.len().max(lowered.len()) {
            let [left, right] = [&raised, &lowered].map(|cells| cells.get(row).unwrap_or(&none));
            lines.push(Line::styled(format!("{left:<15}{right}"), theme.text));
        }
        lines
    }
}

/// The table of a tuple: its places, and its highest and its lowest entry with the values of the
/// squares.
fn tuple_facts(facts: &TupleFacts, theme: &Theme) -> Vec<Line<'static>> {
    let size = format!("{} places, {} entries", facts.places, facts.entries);
    let entry = |name, (values, entry): &(Vec<i8>, f32)| {
        let values: Vec<String> = values.iter().map(|value| format!("{value:+}")).collect();
        let values = values.join(" ").replace("+0", "0");
        let place = format!(" for {values}");
        figure(name, format::signed(*entry, 2), place, theme)
    };
    vec![
        fact("table", size, theme),
        entry("highest", &facts.highest),
        entry("lowest", &facts.lowest),
    ]
}

/// A line with a number and what it is about.
fn figure(name: &str, number: String, about: String, theme: &Theme) -> Line<'static> {
    let mut line = fact(name, Span::styled(number, theme.strong), theme);
    line.push_span(Span::styled(about, theme.dim));
    line
}

/// An ordinal number, counted from 1.
fn ordinal(place: usize) -> String {
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

/// The mean absolute difference of two pictures over their squares.
fn mean_difference(one: &WeightMap, other: &WeightMap) -> f32 {
    let numbers = |picture: &WeightMap| -> Vec<f32> {
        let sheets = picture.planes.iter();
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
        let ranks = [0, 1, 2, 3, 10, 11, 20, 111].map(ordinal);
        let expected = ["1st", "2nd", "3rd", "4th", "11th", "12th", "21st", "112th"];
        assert_eq!(ranks, expected);
    }
}
