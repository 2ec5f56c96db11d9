//! The population where it lives: the fitness of every member as a heat map, the champion marked.

use ratatui::buffer::Buffer;
use ratatui::text::{Line, Span};

use crate::evolution::{self, space::Grid, space::Layout};
use crate::ui::app::watch::Watch;
use crate::ui::widgets::frame::Frame;
use crate::ui::widgets::heat::{Heat, Rows, Scale};
use crate::ui::widgets::text::{inset, middle, put};

use super::charts::Place;

pub(super) fn view(watch: &Watch, place: Place<'_>, buf: &mut Buffer) {
    let theme = place.theme;
    let snapshot = watch.snapshot.as_deref();
    let shown = snapshot.filter(|snapshot| !snapshot.fitness.is_empty());
    let (Some(snapshot), Some(layout)) = (shown, watch.preset.evolution.layout()) else {
        let inner = Frame::titled("Population").draw(place.focus, theme, place.area, buf);
        let words = "the first generation comes here";
        put(buf, inset(inner, 1), 0, Span::styled(words, theme.dim));
        return;
    };
    let best = evolution::champion(&snapshot.fitness);
    let fitness: Vec<f32> = snapshot.fitness.iter().map(|&value| value as f32).collect();
    let whole = heat(&fitness, layout, Some(best));
    let mark = if theme.ascii || theme.heat.is_none() {
        Span::styled(" ", theme.selection)
    } else {
        Span::raw("◆")
    };
    let frame = Frame {
        title: Line::from("Population"),
        right: Line::styled(
            format!("fitness g{}", snapshot.champion.generation),
            theme.dim,
        ),
        bottom_left: whole.legend(theme),
        bottom_right: Line::from(vec![mark, Span::styled(" best", theme.dim)]),
    };
    let inner = frame.draw(place.focus, theme, place.area, buf);
    for size in 1..=layout.width {
        let (values, columns) = pooled(&fitness, layout.width, size);
        let grid = match size {
            1 => layout.grid,
            _ => Grid::Square,
        };
        let layout = Layout {
            width: columns,
            grid,
        };
        let mut heat = heat(&values, layout, (size == 1).then_some(best));
        heat.scale = whole.scale;
        if let Some(tile) = heat.fit(inner.width, inner.height, theme) {
            let (width, height) = heat.size(tile);
            heat.draw(tile, theme, middle(inner, width, height), buf);
            return;
        }
    }
}

fn heat(values: &[f32], layout: Layout, marked: Option<usize>) -> Heat<'_> {
    let low = values.iter().copied().fold(f32::INFINITY, f32::min);
    let high = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    Heat {
        values,
        columns: layout.width,
        rows: match layout.grid {
            Grid::Square => Rows::InLine,
            Grid::Hexagonal => Rows::Shifted,
        },
        scale: Scale::Range(low, high),
        marked,
    }
}

/// The means of square groups of `size` by `size` members, and how many groups are in a row.
fn pooled(values: &[f32], width: usize, size: usize) -> (Vec<f32>, usize) {
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

/// Whether a run's population lives somewhere.
pub(super) fn has_map(watch: &Watch) -> bool {
    watch.preset.evolution.layout().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_population_too_big_for_its_pane_is_shown_by_groups() {
        let values: Vec<f32> = (0..12).map(|value| value as f32).collect();
        assert_eq!(pooled(&values, 4, 1), (values.clone(), 4));
        assert_eq!(pooled(&values, 4, 2), (vec![2.5, 4.5, 8.5, 10.5], 2));
        assert_eq!(pooled(&values, 4, 4), (vec![5.5], 1));
    }
}
