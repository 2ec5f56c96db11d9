//! What the champion's first layer makes of the board: each unit's weights as a heat map on the board, beside it the weight
//! by which the unit counts for the output.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::games::sheet::Sheet;
use crate::genomes::Unit;
use crate::ui::app::watch::Watch;
use crate::ui::theme::Theme;
use crate::ui::widgets::frame::Frame;
use crate::ui::widgets::heat::{Heat, Rows, Scale, TILES, Tile};
use crate::ui::widgets::text::{inset, put};
use crate::ui::words;

use super::charts::Place;

/// A unit as it is drawn: its weights on each sheet.
struct Picture {
    label: String,
    sheets: Vec<(usize, Vec<f32>)>,
}

/// How the pictures are laid out: the tile, pictures in a row, rows, and lines of each for its label.
struct Plan {
    tile: Tile,
    across: usize,
    down: usize,
    labels: u16,
}

pub(super) fn view(watch: &Watch, place: Place<'_>, buf: &mut Buffer) {
    let theme = place.theme;
    let (pictures, names) = pictures(watch, theme);
    let most = pictures
        .iter()
        .flat_map(|picture| picture.sheets.iter().flat_map(|(_, weights)| weights))
        .fold(0.0_f32, |most, weight| most.max(weight.abs()));
    let scale = Scale::Around(most);
    let inside = Rect {
        width: place.area.width.saturating_sub(4),
        height: place.area.height.saturating_sub(2),
        ..place.area
    };
    let plan = plan(&pictures, inside, theme);
    let shown = plan
        .as_ref()
        .map_or(0, |plan| pictures.len().min(plan.across * plan.down));
    let count = match (shown, pictures.len()) {
        (shown, all) if shown < all => format!("{shown} of {all} units"),
        (_, 1) => "1 unit".to_owned(),
        (_, all) => format!("{all} units"),
    };
    let sample = Heat {
        values: &[],
        columns: 1,
        rows: Rows::InLine,
        scale,
        marked: None,
    };
    let frame = Frame {
        title: Line::from("First layer on the board"),
        right: Line::styled(names, theme.dim),
        bottom_left: sample.legend(theme),
        bottom_right: Line::styled(count, theme.dim),
    };
    let inner = inset(frame.draw(place.focus, theme, place.area, buf), 1);
    let Some(plan) = plan else {
        let words = "too little room: z fills the screen";
        put(buf, inner, 0, Span::styled(words, theme.dim));
        return;
    };
    for (index, picture) in pictures.iter().enumerate().take(shown) {
        let (width, height) = picture.size(plan.tile);
        let (row, column) = (index / plan.across, index % plan.across);
        let slack = usize::from(inner.width) + 1 - plan.across * (usize::from(width) + 1);
        // What is left over goes between the pictures, a little at a time.
        let gap = (slack / plan.across).min(4) + 1;
        let indent = (slack - (gap - 1) * (plan.across - 1)) / 2;
        let area = Rect {
            x: inner.x + (indent + column * (usize::from(width) + gap)) as u16,
            y: inner.y + row as u16 * (height + plan.labels),
            width,
            height: height + plan.labels,
        };
        picture.draw(&plan, scale, theme, area.intersection(inner), buf);
    }
}

/// The biggest tile with which all pictures are seen, else the one with which most are.
fn plan(pictures: &[Picture], room: Rect, theme: &Theme) -> Option<Plan> {
    // Where there is no room for labels, the pictures are worth more.
    [1, 0]
        .into_iter()
        .find_map(|labels| labeled(pictures, labels, room, theme))
}

/// The same with so many lines for each label.
fn labeled(pictures: &[Picture], labels: u16, room: Rect, theme: &Theme) -> Option<Plan> {
    let first = pictures.first()?;
    let plans = TILES.into_iter().filter_map(|tile| {
        let plain = theme.poles.is_none() || theme.ascii;
        if plain && tile.halves % 2 == 1 {
            return None;
        }
        let (width, height) = first.size(tile);
        let most = usize::from((room.width + 1) / (width + 1)).min(pictures.len());
        let down = usize::from(room.height / (height + labels));
        let rows = pictures.len().div_ceil(most.max(1)).min(down).max(1);
        let across = most.min(pictures.len().div_ceil(rows));
        (most * down > 0).then_some(Plan {
            tile,
            across,
            down: rows,
            labels,
        })
    });
    let seen = |plan: &Plan| (plan.across * plan.down).min(pictures.len());
    plans.reduce(|best, plan| {
        if seen(&plan) > seen(&best) {
            plan
        } else {
            best
        }
    })
}

impl Picture {
    /// Columns and lines without the label.
    fn size(&self, tile: Tile) -> (u16, u16) {
        let (mut width, mut height) = (0, 0);
        for (columns, weights) in &self.sheets {
            let rows = weights.len() / columns;
            width += *columns as u16 * tile.width + 1;
            height = height.max((rows as u16 * tile.halves).div_ceil(2));
        }
        (width.saturating_sub(1), height)
    }

    fn draw(&self, plan: &Plan, scale: Scale, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let label = words::cut(&self.label, area.width.into());
        if plan.labels > 0 {
            put(buf, area, 0, Span::styled(label, theme.dim));
        }
        let mut left = 0;
        for (columns, weights) in &self.sheets {
            let heat = Heat {
                values: weights,
                columns: *columns,
                rows: Rows::InLine,
                scale,
                marked: None,
            };
            let at = Rect {
                x: area.x + left,
                y: area.y + plan.labels,
                width: area.width.saturating_sub(left),
                height: area.height.saturating_sub(plan.labels),
            };
            heat.draw(plan.tile, theme, at, buf);
            left += *columns as u16 * plan.tile.width + 1;
        }
    }
}

/// The champion's units, those that count most first, and the names of the sheets.
fn pictures(watch: &Watch, theme: &Theme) -> (Vec<Picture>, String) {
    let sheets = watch.facts.arena.sheets();
    let names: Vec<&str> = sheets.iter().map(|sheet| sheet.name).collect();
    let Some(snapshot) = &watch.snapshot else {
        return (Vec::new(), String::new());
    };
    let mut units = snapshot.champion.genome.first_layer();
    let weight = |unit: &Unit| unit.outgoing.map_or(0.0, f32::abs);
    units.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    let arrow = if theme.ascii { ">" } else { "→" };
    let picture = |unit: &Unit| Picture {
        label: unit.outgoing.map_or("weights".to_owned(), |weight| {
            format!("{arrow} {weight:+.1}")
        }),
        sheets: sheets
            .iter()
            .map(|sheet| (sheet.columns, on(sheet, unit)))
            .collect(),
    };
    (units.iter().map(picture).collect(), names.join(" | "))
}

/// What a unit's sum gains by each square of a sheet.
fn on(sheet: &Sheet, unit: &Unit) -> Vec<f32> {
    let gain = |feeds: &Vec<(u32, f32)>| {
        let parts = feeds.iter();
        parts
            .map(|&(input, factor)| unit.weights[input as usize] * factor)
            .sum()
    };
    sheet.cells.iter().map(gain).collect()
}

/// Whether there is a first layer, and a board to lay it on.
pub(super) fn has_weights(watch: &Watch) -> bool {
    let champion = watch.snapshot.as_ref().map(|snapshot| &snapshot.champion);
    champion.is_some_and(|champion| !champion.genome.first_layer().is_empty())
        && !watch.facts.arena.sheets().is_empty()
}
