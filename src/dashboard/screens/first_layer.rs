//! A champion's first layer on the board: the weights of each node as a heat map, labeled with the
//! node's weight to the output.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::format;
use crate::theme::Theme;
use crate::widgets::heat_map::{HeatMap, HeatScale, TILES, Tile};
use crate::widgets::text::{below, put, right_of};
use crate::widgets::truncate::{self, truncate, width};
use finches_engine::games::input_plane::InputPlane;
use finches_engine::genomes::{
    AnyGenome, FirstLayerKind, FirstLayerNode, GenomeConfig, IoSpec, TupleFacts,
};
use finches_engine::text::counted;

/// The weights of one node, laid out on the board.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WeightMap {
    /// The node's index in the layer.
    pub(super) index: usize,
    /// The weight from the node to the output. `None` if the node is an output, there are several
    /// outputs, or there are layers between.
    pub(super) outgoing: Option<f32>,
    /// For each input plane, the number of columns and the weight of each square; NaN for squares
    /// without input.
    pub(super) planes: Vec<(usize, Vec<f32>)>,
    pub(super) role: Role,
    /// The number of inputs of the network; nodes are numbered after them.
    inputs: usize,
}

/// The source of a weight map.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Role {
    Node,
    /// The direct contribution of each square to the outputs.
    Bypass,
    Tuple(TupleFacts),
    /// All tuples together.
    Sum,
}

/// Highlights of some of the maps.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LayerMarks<'a> {
    pub(super) selected: Option<usize>,
    /// The activation of each node of the network, inputs first, shown as labels; empty to show
    /// weights.
    pub(super) values: &'a [f32],
}

/// The first-layer nodes of a champion, largest absolute output weight first.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FirstLayerMaps {
    pub(super) maps: Vec<WeightMap>,
    /// The input planes of the board.
    pub(super) planes: Vec<InputPlane>,
    /// The largest absolute weight of all maps.
    max: f32,
}

/// The layout of the maps: tile size, columns, rows, and lines per label.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayerLayout {
    tile: Tile,
    pub(super) columns: usize,
    pub(super) rows: usize,
    labels: u16,
    /// The fewest columns between maps. Without colors, one would not part them.
    gap: u16,
}

impl FirstLayerMaps {
    /// `None` if the genome has no first layer or the game has no input planes.
    pub(super) fn of(
        config: &GenomeConfig,
        genome: &AnyGenome,
        io_spec: &IoSpec,
        planes: &[InputPlane],
    ) -> Option<Self> {
        let known = config.capabilities().first_layer?;
        let nodes = known.first_layer(genome, io_spec);
        if nodes.is_empty() || planes.is_empty() {
            return None;
        }
        // The sum of all tuples comes before them and is no node of its own.
        let before = nodes
            .iter()
            .filter(|node| node.kind == FirstLayerKind::Sum)
            .count();
        let map = |(position, node): (usize, &FirstLayerNode)| WeightMap {
            index: position.saturating_sub(before),
            outgoing: node.outgoing,
            planes: planes
                .iter()
                .map(|plane| (plane.columns, on(plane, &node.weights)))
                .collect(),
            role: match &node.kind {
                FirstLayerKind::Node => Role::Node,
                FirstLayerKind::Tuple(facts) => Role::Tuple(facts.clone()),
                FirstLayerKind::Sum => Role::Sum,
            },
            inputs: node.weights.len(),
        };
        let mut maps: Vec<WeightMap> = nodes.iter().enumerate().map(map).collect();
        maps.sort_by(|a, b| b.importance().total_cmp(&a.importance()));
        Some(Self {
            max: maps
                .iter()
                .filter(|map| map.role != Role::Sum)
                .fold(0.0, |max, map| map.max().max(max)),
            maps,
            planes: planes.to_vec(),
        })
    }

    /// Adds a map of the bypass, by which the outputs add up all inputs directly.
    #[must_use]
    pub(super) fn with_bypass(mut self, inputs: usize) -> Self {
        let ones = vec![1.0; inputs];
        let planes = self.planes.iter();
        self.maps.push(WeightMap {
            index: self.maps.len(),
            outgoing: Some(1.0),
            planes: planes
                .map(|plane| (plane.columns, on(plane, &ones)))
                .collect(),
            role: Role::Bypass,
            inputs,
        });
        self
    }

    /// The names of the input planes.
    pub(super) fn names(&self) -> String {
        let names: Vec<&str> = self.planes.iter().map(|plane| plane.name).collect();
        names.join(" | ")
    }

    /// The color scale, shared by all nodes.
    pub(super) fn scale(&self) -> HeatScale {
        HeatScale::Around(self.max)
    }

    /// The color scale of a map. The bypass has its own, since its weights do not evolve, and so
    /// has the sum of all tuples.
    pub(super) fn scale_of(&self, map: &WeightMap) -> HeatScale {
        match map.role {
            Role::Node | Role::Tuple(_) => self.scale(),
            Role::Bypass | Role::Sum => HeatScale::Around(map.max()),
        }
    }

    /// The name of the square with an input; empty if there is none.
    fn square(&self, input: u32) -> &str {
        let planes = self.planes.iter();
        let mut squares = planes.flat_map(|plane| plane.cells.iter().zip(&plane.squares));
        let found = squares.find(|(feeds, _)| feeds.iter().any(|&(fed, _)| fed == input));
        found.map_or("", |(_, name)| name)
    }

    /// The squares of a tuple in one of its places.
    pub(super) fn squares_of(&self, facts: &TupleFacts) -> String {
        let names = facts.inputs.iter().map(|&input| self.square(input));
        names.collect::<Vec<_>>().join(" ")
    }

    /// The legend of the shared colors.
    pub(super) fn legend<'a>(&self, theme: &Theme) -> Line<'a> {
        HeatMap::new(&[], 1, self.scale()).legend(theme)
    }

    /// The legend of the colors of a map.
    pub(super) fn legend_of<'a>(&self, map: &WeightMap, theme: &Theme) -> Line<'a> {
        HeatMap::new(&[], 1, self.scale_of(map)).legend(theme)
    }

    /// What the maps are of.
    pub(super) fn kind(&self) -> &'static str {
        match self.maps[0].role {
            Role::Sum | Role::Tuple(_) => "Tables",
            Role::Node | Role::Bypass => "First layer",
        }
    }

    /// The number of maps shown, in words.
    pub(super) fn count(&self, layout: Option<&LayerLayout>) -> String {
        let count = |is_one: fn(&Role) -> bool| {
            let roles = self.maps.iter().map(|map| &map.role);
            roles.filter(|role| is_one(role)).count()
        };
        let nodes = count(|role| *role == Role::Node);
        let tuples = count(|role| matches!(role, Role::Tuple(_)));
        let all = self.maps.len();
        match layout.map_or(0, |layout| all.min(layout.columns * layout.rows)) {
            shown if shown < all && tuples > 0 => {
                format!("all and {} of {tuples} tuples", shown.saturating_sub(1))
            }
            shown if shown < all => format!("{shown} of {all} nodes"),
            _ if tuples > 0 => format!("{tuples} tuples and their sum"),
            _ if all > nodes => format!("{nodes} nodes and the bypass"),
            _ => counted(all, "node"),
        }
    }

    /// The layout with the largest tile that shows all maps or, if none does, the layout that shows
    /// the most.
    pub(super) fn layout(&self, room: Rect, theme: &Theme) -> Option<LayerLayout> {
        // The maps matter more than their labels.
        [1, 0]
            .into_iter()
            .find_map(|labels| self.layout_with_labels(labels, room, theme))
    }

    /// The best layout with `labels` lines per label.
    fn layout_with_labels(&self, labels: u16, room: Rect, theme: &Theme) -> Option<LayerLayout> {
        let maps = &self.maps;
        let first = maps.first()?;
        let gap = if is_plain(theme) { 2 } else { 1 };
        let layouts = board_tiles(theme).filter_map(|tile| {
            let (width, height) = first.size(tile);
            let max_columns = usize::from((room.width + gap) / (width + gap)).min(maps.len());
            let down = usize::from(room.height / (height + labels));
            let rows = maps.len().div_ceil(max_columns.max(1)).min(down).max(1);
            let columns = max_columns.min(maps.len().div_ceil(rows));
            (max_columns * down > 0).then_some(LayerLayout {
                tile,
                columns,
                rows,
                labels,
                gap,
            })
        });
        let seen = |layout: &LayerLayout| (layout.columns * layout.rows).min(maps.len());
        layouts.reduce(|best, layout| {
            if seen(&layout) > seen(&best) {
                layout
            } else {
                best
            }
        })
    }

    /// Draws the maps that the layout has room for, scrolled to the selected one.
    pub(super) fn draw(
        &self,
        layout: LayerLayout,
        marks: LayerMarks<'_>,
        theme: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let selected = marks.selected;
        let row = selected.unwrap_or(0) / layout.columns;
        let first = row.saturating_sub(layout.rows - 1) * layout.columns;
        let shown = self.maps.iter().enumerate().skip(first);
        let high = self.maps.first().map_or(0, |one| one.size(layout.tile).1) + layout.labels;
        // With a selection the maps fill the screen: spare lines go between the rows.
        let air = match selected {
            Some(_) => area.height.saturating_sub(layout.rows as u16 * high) / layout.rows as u16,
            None => 0,
        };
        for (index, map) in shown.take(layout.columns * layout.rows) {
            let (width, height) = map.size(layout.tile);
            let position = index - first;
            let (row, column) = (position / layout.columns, position % layout.columns);
            let wide = usize::from(width + layout.gap);
            let slack = usize::from(area.width + layout.gap) - layout.columns * wide;
            // Spare columns go between the maps.
            let extra = (slack / layout.columns).min(4);
            let indent = (slack - extra * (layout.columns - 1)) / 2;
            let at = Rect {
                x: area.x + (indent + column * (wide + extra)) as u16,
                y: area.y + row as u16 * (height + layout.labels + air.min(3)),
                width,
                height: height + layout.labels,
            };
            let at = at.intersection(area);
            let (mark, look) = match selected {
                Some(selected) if selected == index => (theme.sign("› ", "> "), theme.selection),
                _ => ("", theme.dim),
            };
            let room = usize::from(at.width).saturating_sub(truncate::width(mark));
            let label = format!("{mark}{}", self.label(map, marks.values, room, theme));
            let label = truncate(&label, at.width.into());
            if layout.labels > 0 {
                put(buf, at, 0, Span::styled(label, look));
            }
            let at = below(at, layout.labels);
            map.draw(layout.tile, self.scale_of(map), theme, at, buf);
        }
    }

    /// A label of at most `room` characters: the activation, or else the weight to the output or
    /// the name.
    fn label(&self, map: &WeightMap, values: &[f32], room: usize, theme: &Theme) -> String {
        let with_number = |sign: &str, number: f32| {
            let exact = format!("{sign} {}", format::signed(number, 1));
            if width(&exact) <= room {
                exact
            } else {
                format!("{sign} {}", format::signed(number, 0))
            }
        };
        if let Some(value) = map.value(values) {
            return with_number("=", value);
        }
        let arrow = theme.sign("→", ">");
        match (&map.role, map.outgoing) {
            (Role::Bypass, _) => "bypass".to_owned(),
            (Role::Sum, _) => "all".to_owned(),
            (Role::Tuple(facts), _) => self.squares_of(facts),
            (Role::Node, Some(weight)) => with_number(arrow, weight),
            (Role::Node, None) => format!("#{}", map.index + 1),
        }
    }
}

impl WeightMap {
    /// What the maps are sorted by, the largest first.
    fn importance(&self) -> f32 {
        match self.role {
            Role::Sum => f32::INFINITY,
            Role::Tuple(_) => self.max(),
            Role::Node | Role::Bypass => self.outgoing.map_or(0.0, f32::abs),
        }
    }

    /// The largest absolute weight.
    fn max(&self) -> f32 {
        let numbers = self.planes.iter().flat_map(|(_, numbers)| numbers);
        numbers.fold(0.0, |max, number| number.abs().max(max))
    }

    /// The activation of the node or the tuple, if `values` are shown; that of all tuples is the
    /// output.
    pub(super) fn value(&self, values: &[f32]) -> Option<f32> {
        match self.role {
            Role::Node | Role::Tuple(_) => values.get(self.inputs + self.index).copied(),
            Role::Sum => values.last().copied(),
            Role::Bypass => None,
        }
    }

    /// Width and height in cells, without the label.
    pub(super) fn size(&self, tile: Tile) -> (u16, u16) {
        let (mut width, mut height) = (0, 0);
        for (columns, weights) in &self.planes {
            let rows = weights.len() / columns;
            width += *columns as u16 * tile.width + 1;
            height = height.max((rows as u16 * tile.halves).div_ceil(2));
        }
        (width.saturating_sub(1), height)
    }

    /// The largest tile that fits `room`, and the height it needs.
    pub(super) fn largest_tile(&self, room: Rect, theme: &Theme) -> Option<(Tile, u16)> {
        board_tiles(theme).find_map(|tile| {
            let (width, height) = self.size(tile);
            (width <= room.width && height <= room.height).then_some((tile, height))
        })
    }

    pub(super) fn draw(
        &self,
        tile: Tile,
        scale: HeatScale,
        theme: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let mut left = 0;
        for (columns, weights) in &self.planes {
            let heat = HeatMap::new(weights, *columns, scale);
            heat.draw(tile, theme, right_of(area, left), buf);
            left += *columns as u16 * tile.width + 1;
        }
    }
}

/// Whether squares are drawn as characters and not as colors.
fn is_plain(theme: &Theme) -> bool {
    theme.diverging.is_none() || theme.ascii
}

/// The tiles that squares of a board are drawn with, the largest first. With colors they are about
/// as wide as high; without, a tile takes whole rows.
fn board_tiles(theme: &Theme) -> impl Iterator<Item = Tile> {
    let plain = is_plain(theme);
    TILES.into_iter().filter(move |tile| {
        if plain {
            tile.halves.is_multiple_of(2)
        } else {
            tile.width < 2 * tile.halves && tile.halves < 2 * tile.width
        }
    })
}

/// The weight of each square of an input plane; NaN for squares without input.
fn on(plane: &InputPlane, weights: &[f32]) -> Vec<f32> {
    let gain = |feeds: &Vec<(u32, f32)>| {
        let parts = feeds.iter();
        let parts = parts.map(|&(input, factor)| weights[input as usize] * factor);
        parts.reduce(|sum, part| sum + part).unwrap_or(f32::NAN)
    };
    plane.cells.iter().map(gain).collect()
}
