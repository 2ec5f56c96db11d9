//! What a champion's first layer makes of the board: each unit's weights as a heat map on the board, beside it the weight by
//! which the unit counts for the output.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::games::sheet::Sheet;
use crate::genomes::{AnyGenome, Unit};
use crate::ui::theme::Theme;
use crate::ui::widgets::fit::fit;
use crate::ui::widgets::heat::{Heat, Rows, Scale, TILES, Tile};
use crate::ui::widgets::text::put;
use crate::ui::words;

/// A unit as it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Picture {
    /// Its place in the layer.
    pub(super) place: usize,
    /// The weight by which it counts for the output; `None` where it is an output, there are several, or layers lie between.
    pub(super) outgoing: Option<f32>,
    /// Squares in a row and what its sum gains by each square, for each sheet; not a number where there is no input.
    pub(super) sheets: Vec<(usize, Vec<f32>)>,
    pub(super) role: Role,
    /// Inputs of the network, after which its units are counted.
    inputs: usize,
}

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Unit,
    /// What the outputs gain by each square besides what units give them.
    Bypass,
}

/// What is special about some of the pictures.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Marks<'a> {
    pub(super) selected: Option<usize>,
    /// What each node of the network gives, inputs first, instead of its weights; none where those are looked at.
    pub(super) values: &'a [f32],
}

/// The units of a champion, those that count most first.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FirstLayer {
    pub(super) pictures: Vec<Picture>,
    /// What the board is seen by.
    pub(super) sheets: Vec<Sheet>,
    /// The largest of all numbers.
    most: f32,
}

/// How the pictures are laid out: the tile, pictures in a row, rows, and lines of each for its label.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    tile: Tile,
    pub(super) across: usize,
    pub(super) down: usize,
    labels: u16,
}

impl FirstLayer {
    /// None where there is no first layer, or no board to lay it on.
    pub(super) fn of(genome: &AnyGenome, sheets: &[Sheet]) -> Option<Self> {
        let units = genome.first_layer();
        if units.is_empty() || sheets.is_empty() {
            return None;
        }
        let picture = |(place, unit): (usize, &Unit)| Picture {
            place,
            outgoing: unit.outgoing,
            sheets: sheets
                .iter()
                .map(|sheet| (sheet.columns, on(sheet, &unit.weights)))
                .collect(),
            role: Role::Unit,
            inputs: unit.weights.len(),
        };
        let mut pictures: Vec<Picture> = units.iter().enumerate().map(picture).collect();
        let weight = |picture: &Picture| picture.outgoing.map_or(0.0, f32::abs);
        pictures.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
        Some(Self {
            most: pictures.iter().fold(0.0, |most, one| one.most().max(most)),
            pictures,
            sheets: sheets.to_vec(),
        })
    }

    /// The same where the outputs also add up all inputs as they are.
    #[must_use]
    pub(super) fn with_bypass(mut self, inputs: usize) -> Self {
        let ones = vec![1.0; inputs];
        let sheets = self.sheets.iter();
        self.pictures.push(Picture {
            place: self.pictures.len(),
            outgoing: Some(1.0),
            sheets: sheets
                .map(|sheet| (sheet.columns, on(sheet, &ones)))
                .collect(),
            role: Role::Bypass,
            inputs,
        });
        self
    }

    /// What the board is seen by, in words.
    pub(super) fn names(&self) -> String {
        let names: Vec<&str> = self.sheets.iter().map(|sheet| sheet.name).collect();
        names.join(" | ")
    }

    /// How numbers become colors, the same in all pictures.
    pub(super) fn scale(&self) -> Scale {
        Scale::Around(self.most)
    }

    /// The bypass has a scale of its own, since its numbers are none that evolve.
    pub(super) fn scale_of(&self, picture: &Picture) -> Scale {
        match picture.role {
            Role::Unit => self.scale(),
            Role::Bypass => Scale::Around(picture.most()),
        }
    }

    /// What the colors stand for.
    pub(super) fn legend<'a>(&self, theme: &Theme) -> Line<'a> {
        let sample = Heat {
            values: &[],
            columns: 1,
            rows: Rows::InLine,
            scale: self.scale(),
            marked: None,
        };
        sample.legend(theme)
    }

    /// How many of the pictures are shown.
    pub(super) fn count(&self, plan: Option<&Plan>) -> String {
        let units = self.pictures.iter();
        let units = units.filter(|one| one.role == Role::Unit).count();
        let all = self.pictures.len();
        match plan.map_or(0, |plan| all.min(plan.across * plan.down)) {
            shown if shown < all => format!("{shown} of {all} units"),
            _ if all > units => format!("{units} units and the bypass"),
            _ if all == 1 => "1 unit".to_owned(),
            _ => format!("{all} units"),
        }
    }

    /// The biggest tile with which all pictures are seen, else the one with which most are.
    pub(super) fn plan(&self, room: Rect, theme: &Theme) -> Option<Plan> {
        // Where there is no room for labels, the pictures are worth more.
        [1, 0]
            .into_iter()
            .find_map(|labels| self.labeled(labels, room, theme))
    }

    /// The same with so many lines for each label.
    fn labeled(&self, labels: u16, room: Rect, theme: &Theme) -> Option<Plan> {
        let pictures = &self.pictures;
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

    /// Draws as many pictures as the plan has, from a row on that has the selected one.
    pub(super) fn draw(
        &self,
        plan: Plan,
        marks: Marks<'_>,
        theme: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let selected = marks.selected;
        let row = selected.unwrap_or(0) / plan.across;
        let first = row.saturating_sub(plan.down - 1) * plan.across;
        let shown = self.pictures.iter().enumerate().skip(first);
        let high = self.pictures.first().map_or(0, |one| one.size(plan.tile).1) + plan.labels;
        // Where one is chosen there is a screen to fill: what is left over goes between the rows.
        let air = match selected {
            Some(_) => area.height.saturating_sub(plan.down as u16 * high) / plan.down as u16,
            None => 0,
        };
        for (index, picture) in shown.take(plan.across * plan.down) {
            let (width, height) = picture.size(plan.tile);
            let place = index - first;
            let (row, column) = (place / plan.across, place % plan.across);
            let slack = usize::from(area.width) + 1 - plan.across * (usize::from(width) + 1);
            // What is left over goes between the pictures, a little at a time.
            let gap = (slack / plan.across).min(4) + 1;
            let indent = (slack - (gap - 1) * (plan.across - 1)) / 2;
            let at = Rect {
                x: area.x + (indent + column * (usize::from(width) + gap)) as u16,
                y: area.y + row as u16 * (height + plan.labels + air.min(3)),
                width,
                height: height + plan.labels,
            };
            let at = at.intersection(area);
            let (mark, look) = match selected {
                Some(selected) if selected == index && theme.ascii => ("> ", theme.selection),
                Some(selected) if selected == index => ("› ", theme.selection),
                _ => ("", theme.dim),
            };
            let room = usize::from(at.width).saturating_sub(mark.chars().count());
            let label = format!("{mark}{}", picture.label(marks.values, room, theme));
            let label = fit(&label, at.width.into());
            if plan.labels > 0 {
                put(buf, at, 0, Span::styled(label, look));
            }
            let at = Rect {
                y: at.y + plan.labels,
                height: at.height.saturating_sub(plan.labels),
                ..at
            };
            picture.draw(plan.tile, self.scale_of(picture), theme, at, buf);
        }
    }
}

impl Picture {
    /// The largest of its numbers.
    fn most(&self) -> f32 {
        let numbers = self.sheets.iter().flat_map(|(_, numbers)| numbers);
        numbers.fold(0.0, |most, number| number.abs().max(most))
    }

    /// The number of its node in the drawing of the network; none where it has none.
    fn node(&self) -> Option<usize> {
        (self.role == Role::Unit).then(|| self.inputs + self.place)
    }

    /// What its unit gives, where that is looked at.
    pub(super) fn value(&self, values: &[f32]) -> Option<f32> {
        values.get(self.node()?).copied()
    }

    /// What it is called in so many characters: what its unit gives, or how much that counts.
    fn label(&self, values: &[f32], room: usize, theme: &Theme) -> String {
        if self.role == Role::Bypass {
            return "bypass".to_owned();
        }
        let told = |sign: &str, number: f32| {
            let exact = format!("{sign} {}", words::signed(number, 1));
            if exact.chars().count() <= room {
                exact
            } else {
                format!("{sign} {}", words::signed(number, 0))
            }
        };
        if let Some(value) = self.value(values) {
            return told("=", value);
        }
        let arrow = if theme.ascii { ">" } else { "→" };
        self.outgoing.map_or_else(
            || format!("#{}", self.place + 1),
            |weight| told(arrow, weight),
        )
    }

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

    /// The biggest tile for a room, and the lines it takes.
    pub(super) fn fit(&self, room: Rect, theme: &Theme) -> Option<(Tile, u16)> {
        let plain = theme.poles.is_none() || theme.ascii;
        let tiles = TILES.into_iter();
        let mut fitting = tiles.filter(|tile| !plain || tile.halves.is_multiple_of(2));
        fitting.find_map(|tile| {
            let (width, height) = self.size(tile);
            (width <= room.width && height <= room.height).then_some((tile, height))
        })
    }

    pub(super) fn draw(
        &self,
        tile: Tile,
        scale: Scale,
        theme: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) {
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
                width: area.width.saturating_sub(left),
                ..area
            };
            heat.draw(tile, theme, at, buf);
            left += *columns as u16 * tile.width + 1;
        }
    }
}

/// What a sum gains by each square of a sheet; not a number where a square is no input.
fn on(sheet: &Sheet, weights: &[f32]) -> Vec<f32> {
    let gain = |feeds: &Vec<(u32, f32)>| {
        let parts = feeds.iter();
        let parts = parts.map(|&(input, factor)| weights[input as usize] * factor);
        parts.reduce(|sum, part| sum + part).unwrap_or(f32::NAN)
    };
    sheet.cells.iter().map(gain).collect()
}
