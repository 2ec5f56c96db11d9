//! The map of styles: the fitness of the best player of each style as a heat map, which fills as
//! the run goes on. Cells without a player are dots. Where room is short, a mark is the best of
//! several cells.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::format;
use crate::model::run::RunModel;
use crate::mouse::Regions;
use crate::theme::Theme;
use crate::widgets::frame::Frame;
use crate::widgets::heat_map::{HeatMap, HeatScale, Tile, mark_sign};
use crate::widgets::text::{cut_below, middle, put_all, right_of};
use crate::widgets::truncate::{truncate, width};
use finches_engine::evolution::replacement::map_elites::EliteMap;
use finches_engine::play::features;
use finches_engine::session::GenerationSnapshot;

use super::charts::PaneContext;

/// The lines below the map that name its axes.
const AXES_HEIGHT: u16 = 2;

/// The map of a generation that has been played, with its members.
#[derive(Clone, Copy)]
pub struct KnownStyles<'a> {
    map: &'a EliteMap,
    snapshot: &'a GenerationSnapshot,
}

impl<'a> KnownStyles<'a> {
    /// `None` if the generation has no map or its fitness is unknown.
    pub fn of(snapshot: &'a GenerationSnapshot) -> Option<Self> {
        let map: &EliteMap = snapshot.memory.get()?;
        let count = snapshot.members.len();
        let is_whole =
            snapshot.fitness.len() == count && map.elites().flatten().all(|elite| elite < count);
        is_whole.then_some(Self { map, snapshot })
    }

    /// The generation.
    pub fn snapshot(self) -> &'a GenerationSnapshot {
        self.snapshot
    }

    /// The elites in the order of their cells, by their indices among the members.
    pub fn elites(self) -> impl Iterator<Item = usize> + 'a {
        self.map.elites().flatten()
    }

    fn fitness(self, elite: Option<usize>) -> Option<f64> {
        elite.map(|elite| self.snapshot.fitness[elite])
    }

    /// The place of a cell if `side` times `side` cells are one mark.
    fn place(self, cell: usize, side: usize) -> usize {
        let [_, columns] = self.map.size();
        cell / columns / side * columns.div_ceil(side) + cell % columns / side
    }

    /// The best elite of each mark.
    fn merged(self, side: usize) -> Vec<Option<usize>> {
        let [rows, columns] = self.map.size().map(|count| count.div_ceil(side));
        let mut marks = vec![None; rows * columns];
        for (cell, elite) in self.map.elites().enumerate() {
            let best = &mut marks[self.place(cell, side)];
            if self.fitness(elite) > self.fitness(*best) {
                *best = elite;
            }
        }
        marks
    }
}

/// Whether the replacement of a run makes a map of styles.
pub fn has_styles(watch: &RunModel) -> bool {
    !watch.preset.evolution.replacement.features().is_empty()
}

/// Draws the map with the cell of one member marked. Returns the areas of the elites.
pub fn draw(
    watch: &RunModel,
    styles: KnownStyles<'_>,
    (selected, mark): (Option<usize>, &str),
    context: PaneContext<'_>,
    buf: &mut Buffer,
) -> Regions<usize> {
    let (theme, area) = (context.theme, context.area);
    let size = styles.map.size();
    // Without colors, a mark is a whole row high.
    let halves = if theme.heat.is_none() || theme.ascii {
        1
    } else {
        2
    };
    let fits = |side: &usize| {
        let texts = 2 + AXES_HEIGHT + u16::from(*side > 1);
        let room = [
            halves * area.height.saturating_sub(texts),
            area.width.saturating_sub(2),
        ];
        (0..2).all(|axis| size[axis].div_ceil(*side) <= room[axis].into())
    };
    let side = (1..=size[0].max(size[1])).find(fits).unwrap_or(1);
    let (elites, columns) = (styles.merged(side), size[1].div_ceil(side));
    let fitness = |elite: &Option<usize>| styles.fitness(*elite).map_or(f32::NAN, |it| it as f32);
    let values: Vec<f32> = elites.iter().map(fitness).collect();
    let known = || values.iter().copied().filter(|value| !value.is_nan());
    let scale = HeatScale::Range(
        known().fold(f32::INFINITY, f32::min),
        known().fold(f32::NEG_INFINITY, f32::max),
    );
    let heat = HeatMap {
        marked: selected.and_then(|member| {
            let mut elites = styles.map.elites();
            let cell = elites.position(|elite| elite == Some(member))?;
            Some(styles.place(cell, side))
        }),
        ..HeatMap::new(&values, columns, scale)
    };
    let filled = format::whole(styles.elites().count() as u64);
    let cells = format::whole((size[0] * size[1]) as u64);
    let generation = styles.snapshot.generation;
    let mut scale_words = heat.legend(theme);
    scale_words
        .spans
        .insert(0, Span::styled("fitness ", theme.dim));
    let frame = Frame {
        title: Line::from("Styles"),
        right: Line::styled(
            format!("{filled} of {cells} cells, g{generation}"),
            theme.dim,
        ),
        bottom_left: scale_words,
        bottom_right: Line::from(vec![
            mark_sign(theme),
            Span::styled(format!(" {mark}"), theme.dim),
        ]),
        ..Frame::default()
    };
    let inner = frame.draw(context.focus, theme, area, buf);
    let mut lines = axis_lines(
        watch,
        styles.map,
        usize::from(inner.width).saturating_sub(2),
    );
    lines.extend((side > 1).then(|| format!("each mark: the best of {side}x{side} cells")));
    let (inner, axes) = cut_below(inner, lines.len() as u16);
    let lines = lines.into_iter();
    put_all(
        buf,
        right_of(axes, 1),
        lines.map(|line| Line::styled(line, theme.dim)),
    );
    let Some(tile) = heat.largest_tile(inner.width, inner.height, theme) else {
        return Regions::default();
    };
    let (width, height) = heat.size(tile);
    let place = middle(inner, width, height);
    heat.draw(tile, theme, place, buf);
    let mut regions = Regions::default();
    for (cell, elite) in elites.into_iter().enumerate() {
        let own = tile_area(cell, columns, tile, place);
        match elite {
            Some(elite) => regions.add(own, elite),
            None => dot(own, theme, buf),
        }
    }
    regions
}

/// The part of the map that a cell takes.
fn tile_area(cell: usize, columns: usize, tile: Tile, place: Rect) -> Rect {
    let (row, column) = ((cell / columns) as u16, (cell % columns) as u16);
    let area = Rect {
        x: place.x + column * tile.width,
        y: place.y + row * tile.halves / 2,
        width: tile.width,
        height: tile.halves.div_ceil(2),
    };
    area.intersection(place)
}

/// Marks a cell without a player, unless it shares its place with another.
fn dot(area: Rect, theme: &Theme, buf: &mut Buffer) {
    let area = middle(area, 1, 1);
    if let Some(cell) = buf.cell_mut((area.x, area.y))
        && cell.symbol() == " "
    {
        cell.set_char(if theme.ascii { '.' } else { '·' })
            .set_style(theme.dim);
    }
}

/// What lies along the rows and the columns. Of a line that is too long, the label is cut.
fn axis_lines(watch: &RunModel, map: &EliteMap, room: usize) -> Vec<String> {
    let features = watch.preset.evolution.replacement.features();
    let axes = features.iter().zip(map.ranges()).zip(["down", "right"]);
    let line = |((feature, range), way): ((&(&str, &str), [f64; 2]), &str)| {
        let known = features::named(feature.1);
        let label = known.as_ref().map_or(feature.1, |feature| feature.label);
        let is_share = known.is_ok_and(|feature| feature.range == Some([0.0, 1.0]));
        let [low, high] = range.map(if is_share {
            format::percent
        } else {
            format::short
        });
        let (way, range) = (format!("{way}: "), format!(", {low} to {high}"));
        let room = room.saturating_sub(width(&way) + width(&range));
        way + &truncate(label, room) + &range
    };
    axes.map(line).collect()
}
