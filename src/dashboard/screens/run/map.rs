//! The population in its space: a hue for each family and the brighter, the fitter, with the
//! champion marked. Without colors, or where the families are not known, fitness alone.

use ratatui::buffer::Buffer;
use ratatui::text::{Line, Span};

use crate::model::run::RunModel;
use crate::screens::placeholder;
use crate::theme::ColorDepth;
use crate::widgets::frame::Frame;
use crate::widgets::heat_map::{HeatMap, HeatScale, RowOffset, mark_sign};
use crate::widgets::text::middle;
use finches_engine::evolution::{self, space::GridShape, space::SpaceLayout};

use super::charts::PaneContext;
use super::styles::{self, KnownStyles};

/// The contents of the map.
pub struct FitnessMap<'a> {
    /// The fitness of each member; empty before the first generation.
    pub fitness: &'a [f64],
    /// The place of each member on the circle of kinship; empty if unknown.
    pub kinship: &'a [f32],
    pub generation: Option<u64>,
    /// The marked member and the label of the mark.
    pub marked: Option<usize>,
    pub mark: &'a str,
}

pub(super) fn view(watch: &RunModel, context: PaneContext<'_>, buf: &mut Buffer) {
    if let Some(known) = watch.members.as_deref().and_then(KnownStyles::of) {
        let champion = evolution::champion_index(&known.snapshot().fitness);
        styles::draw(watch, known, (Some(champion), "best"), context, buf);
        return;
    }
    let snapshot = watch.snapshot.as_deref();
    let own = snapshot.map(|own| (own.champion.generation, &own.fitness[..], &[][..]));
    let members = watch.members.as_deref();
    let members = members.map(|it| (it.generation, &it.fitness[..], &it.kinship[..]));
    // The champion of a followed run comes without the fitness of the others.
    let known = members.filter(|known| !known.1.is_empty()).or(own);
    let (fitness, kinship) = known.map_or((&[][..], &[][..]), |known| (known.1, known.2));
    let shown = FitnessMap {
        fitness,
        kinship,
        generation: known.map(|known| known.0),
        marked: Some(evolution::champion_index(fitness)),
        mark: "best",
    };
    draw(watch, &shown, context, buf);
}

/// Draws the map. If the members do not fit, square groups of them are averaged.
pub fn draw(watch: &RunModel, shown: &FitnessMap<'_>, context: PaneContext<'_>, buf: &mut Buffer) {
    let theme = context.theme;
    let layout = watch.preset.evolution.layout();
    let Some(layout) = layout.filter(|_| !shown.fitness.is_empty()) else {
        let inner = Frame::titled("Population").pane(context.focus, theme, context.area, buf);
        placeholder::draw(Some(watch), theme, inner, buf);
        return;
    };
    // Sixteen colors have too few hues and shades to be told apart.
    let has_hues = theme.heat.is_some() && !theme.ascii && theme.spec.depth != ColorDepth::Named;
    let has_families = shown.kinship.len() == shown.fitness.len() && has_hues;
    let fitness: Vec<f32> = shown.fitness.iter().map(|&value| value as f32).collect();
    let kinship = if has_families { shown.kinship } else { &[] };
    let whole = heat(&fitness, &[], layout, shown.marked);
    let generation = shown.generation.unwrap_or_default();
    let frame = Frame {
        title: Line::from("Population"),
        right: Line::styled(format!("g{generation}"), theme.dim),
        bottom_left: if has_families {
            Line::styled("hue: family, bright: fitter", theme.dim)
        } else {
            whole.legend(theme)
        },
        bottom_right: Line::from(vec![
            mark_sign(theme),
            Span::styled(format!(" {}", shown.mark), theme.dim),
        ]),
        ..Frame::default()
    };
    let inner = frame.draw(context.focus, theme, context.area, buf);
    for size in 1..=layout.width {
        let (values, columns) = group_means(&fitness, layout.width, size);
        let hues = group_hues(kinship, layout.width, size);
        let grid = match size {
            1 => layout.grid,
            _ => GridShape::Square,
        };
        let layout = SpaceLayout {
            width: columns,
            grid,
        };
        let mut heat = heat(&values, &hues, layout, shown.marked.filter(|_| size == 1));
        heat.scale = whole.scale;
        if let Some(tile) = heat.largest_tile(inner.width, inner.height, theme) {
            let (width, height) = heat.size(tile);
            heat.draw(tile, theme, middle(inner, width, height), buf);
            return;
        }
    }
}

fn heat<'a>(
    values: &'a [f32],
    hues: &'a [f32],
    layout: SpaceLayout,
    marked: Option<usize>,
) -> HeatMap<'a> {
    let low = values.iter().copied().fold(f32::INFINITY, f32::min);
    let high = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    HeatMap {
        values,
        columns: layout.width,
        rows: match layout.grid {
            GridShape::Square => RowOffset::None,
            GridShape::Hexagonal => RowOffset::HalfTile,
        },
        scale: HeatScale::Range(low, high),
        hues,
        marked,
    }
}

/// The means of square groups of `size` by `size` members, and the number of groups per row.
fn group_means(values: &[f32], width: usize, size: usize) -> (Vec<f32>, usize) {
    let (columns, rows) = (width.div_ceil(size), values.len().div_ceil(width));
    let mean = |group: usize| {
        let (top, left) = (group / columns * size, group % columns * size);
        let members = (top..(top + size).min(rows)).flat_map(|row| {
            let cells = left..(left + size).min(width);
            cells.filter_map(move |column| values.get(row * width + column))
        });
        let (sum, count) = members.fold((0.0, 0.0_f32), |(sum, count), value| {
            (sum + value, count + 1.0)
        });
        sum / count.max(1.0)
    };
    let groups = columns * rows.div_ceil(size);
    ((0..groups).map(mean).collect(), columns)
}

/// The hue of the first member of each square group of `size` by `size` members.
fn group_hues(hues: &[f32], width: usize, size: usize) -> Vec<f32> {
    let rows = hues.chunks(width).step_by(size);
    rows.flat_map(|row| row.iter().copied().step_by(size))
        .collect()
}

/// Whether the population of a run has a spatial layout, or its members have places on a map of
/// styles.
pub fn has_map(watch: &RunModel) -> bool {
    watch.preset.evolution.layout().is_some() || styles::has_styles(watch)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_population_too_big_for_its_pane_is_shown_by_groups() {
        let values: Vec<f32> = (0..12).map(|value| value as f32).collect();
        assert_eq!(group_means(&values, 4, 1), (values.clone(), 4));
        assert_eq!(group_means(&values, 4, 2), (vec![2.5, 4.5, 8.5, 10.5], 2));
        assert_eq!(group_means(&values, 4, 4), (vec![5.5], 1));
        assert_eq!(group_hues(&values, 4, 2), [0.0, 2.0, 8.0, 10.0]);
        assert!(group_hues(&[], 4, 2).is_empty());
    }
}
