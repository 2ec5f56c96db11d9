//! The tables of units that look up a factor for each input as a map of signs, and which binary
//! digits they follow, in words.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::format;
use crate::model::zoom::Zoom;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::text::{cut_below, put, put_all, right_of};
use crate::widgets::truncate::{truncate, wrapped};
use finches_engine::genomes::unit_tables::{DigitMatch, TableUnit, matching};

use super::Direction;
use super::view_options::NetViewOptions;

/// The units as drawn, the one with the largest weight first.
pub(super) struct TableUnits {
    units: Vec<UnitRow>,
    /// The levels of each table.
    levels: Vec<usize>,
}

/// A unit: its weight, its tables, and the digits that each of them follows.
struct UnitRow {
    weight: f32,
    tables: Vec<Vec<f32>>,
    digits: Vec<Option<DigitMatch>>,
    /// Whether the network before had no unit with these tables.
    is_new: bool,
}

/// A column of the map.
struct MapColumn {
    table: usize,
    level: usize,
    x: u16,
    width: u16,
}

impl MapColumn {
    /// The level, as far as there is room for it.
    fn name(&self) -> String {
        match self.width {
            1 => (self.level % 10).to_string(),
            // Two numbers of two digits would touch.
            2 if self.level > 9 && !self.level.is_multiple_of(2) => String::new(),
            width => format!("{:^width$}", self.level, width = usize::from(width)),
        }
    }
}

/// The columns of a unit's weight.
const LABEL: u16 = 13;

/// The columns of the words behind the tables, where there is room.
const WORDS: u16 = 26;

/// The rows of the pane below.
const BELOW: u16 = 8;

/// From which correlation on a table is said to follow its digits.
const CLEAR: f64 = 0.9;

impl TableUnits {
    pub(super) fn new(units: Vec<TableUnit>, before: Option<&[TableUnit]>) -> Self {
        let units = units.into_iter().map(|TableUnit { weight, tables }| {
            let mut known = before.into_iter().flatten();
            UnitRow {
                weight,
                digits: tables.iter().map(|table| matching(table)).collect(),
                is_new: before.is_some() && !known.any(|other| other.tables == tables),
                tables,
            }
        });
        let mut units: Vec<UnitRow> = units.collect();
        units.sort_by(|one, other| other.weight.abs().total_cmp(&one.weight.abs()));
        let levels = units
            .first()
            .map(|unit| unit.tables.iter().map(Vec::len).collect());
        Self {
            units,
            levels: levels.unwrap_or_default(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.units.len()
    }

    pub(super) fn next(&self, from: usize, direction: Direction) -> usize {
        let to = match direction {
            Direction::Up | Direction::Left => from.saturating_sub(1),
            Direction::Down | Direction::Right => from + 1,
        };
        to.min(self.len().saturating_sub(1))
    }

    pub(super) fn view(
        &self,
        options: &NetViewOptions<'_>,
        mut frame: Frame<'_>,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let theme = options.theme;
        let below = match options.zoom {
            Zoom::In => 0,
            Zoom::Out => BELOW.min(area.height / 2),
        };
        // The frame and the line of levels are around the units.
        let wanted = |tall: u16| self.len() as u16 * tall + 3;
        let room = area.height - below;
        let tall = if wanted(2) <= room { 2 } else { 1 };
        let high = wanted(tall).min(room);
        let (map, words) = cut_below(area, area.height - high);
        let rows = usize::from(high.saturating_sub(3) / tall);
        let first = (options.cursor.saturating_sub(rows / 2)).min(self.len().saturating_sub(rows));
        if rows < self.len() {
            let shown = format!("{} to {} of {} units", first + 1, first + rows, self.len());
            frame.bottom_right = Line::styled(shown, theme.dim);
        }
        frame.bottom_left = legend(theme);
        let inner = frame.pane(Focus::Here, theme, map, buf);
        let shown = first..(first + rows).min(self.len());
        self.draw_map(shown, tall, options, inner, buf);
        if words.height > 2 {
            self.view_words(options, words, buf);
        }
    }

    /// Draws a row of `tall` lines for each of these units below the levels.
    fn draw_map(
        &self,
        shown: Range<usize>,
        tall: u16,
        options: &NetViewOptions<'_>,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let theme = options.theme;
        let levels: usize = self.levels.iter().sum();
        let gaps = self.levels.len().saturating_sub(1);
        let room = area.width.saturating_sub(LABEL);
        let fits = |width: u16, words: u16| {
            levels * usize::from(width) + gaps + usize::from(words) <= room.into()
        };
        let wide = [4, 3, 2].into_iter().find(|&width| fits(width, WORDS));
        let width = wide.or_else(|| [2, 1].into_iter().find(|&width| fits(width, 0)));
        let columns: Vec<MapColumn> = self.columns(width.unwrap_or(1), room).collect();
        let end = columns.last().map_or(0, |column| column.x + column.width);
        put(buf, area, 0, Span::styled("weight  size", theme.dim));
        for column in &columns {
            let at = right_of(area, LABEL + column.x);
            put(buf, at, 0, Span::styled(column.name(), theme.dim));
        }
        for (row, place) in (0..).zip(shown) {
            let row = 1 + row * tall;
            let unit = &self.units[place];
            let is_selected = place == options.cursor;
            let look = if is_selected {
                theme.selection
            } else {
                theme.text
            };
            let weight = format!("{:>6}", format::signed(unit.weight, 2));
            put(buf, area, row, Span::styled(weight, look));
            for column in &columns {
                let factor = unit.tables[column.table][column.level];
                for line in 0..tall {
                    let sign = if line == 0 { sign(factor, theme) } else { " " };
                    let at = right_of(area, LABEL + column.x);
                    put(buf, at, row + line, tile(factor, sign, column.width, theme));
                }
            }
            let words = right_of(area, LABEL + end + 2);
            let is_clear = unit.is_clear();
            let style = if is_clear { theme.accent } else { theme.dim };
            let name = truncate(&unit.name(), words.width.into());
            put(buf, words, row, Span::styled(name, style));
        }
    }

    /// The columns of the map that fit, with a gap between two tables.
    fn columns(&self, width: u16, room: u16) -> impl Iterator<Item = MapColumn> + '_ {
        let tables = self.levels.iter().enumerate();
        let places =
            tables.flat_map(|(table, &levels)| (0..levels).map(move |level| (table, level)));
        places
            .enumerate()
            .map_while(move |(number, (table, level))| {
                let x = number * usize::from(width) + table;
                let fits = x + usize::from(width) <= usize::from(room);
                fits.then_some(MapColumn {
                    table,
                    level,
                    x: x as u16,
                    width,
                })
            })
    }

    /// Explains the selected unit and what all have found.
    fn view_words(&self, options: &NetViewOptions<'_>, area: Rect, buf: &mut Buffer) {
        let theme = options.theme;
        let Some(unit) = self.units.get(options.cursor) else {
            return;
        };
        let title = format!("Unit {} of {}", options.cursor + 1, self.len());
        let inner = Frame::titled(title).pane(Focus::Elsewhere, theme, area, buf);
        let age = match options.compared_with {
            Some(generation) if unit.is_new => format!(" It is new since generation {generation}."),
            _ => String::new(),
        };
        let room = inner.width.into();
        let own = format!("{}{age}", unit.explanation());
        let rest = put_all(buf, inner, wrapped(&own, room, theme.text));
        put_all(buf, rest, wrapped(&self.summary(), room, theme.dim));
    }

    /// Which digits the units follow; empty if heaps have tables of their own.
    fn summary(&self) -> String {
        if self.levels.len() > 1 {
            return String::new();
        }
        let clear = self
            .units
            .iter()
            .filter(|unit| unit.is_clear() && unit.weight > 0.0);
        let mut found: Vec<u32> = clear
            .filter_map(|unit| Some(unit.digits[0]?.mask))
            .collect();
        found.sort_unstable();
        found.dedup();
        if found.is_empty() {
            return "No unit follows a binary digit yet.".to_owned();
        }
        let names: Vec<String> = found.iter().map(|&mask| digit_names(mask)).collect();
        format!(
            "Found so far: {}. In normal play of Nim a position is lost exactly if every binary \
            digit is in an even number of its heaps.",
            names.join(", ")
        )
    }
}

impl UnitRow {
    /// The digits that all tables follow, with the weakest correlation.
    fn shared_digits(&self) -> Option<DigitMatch> {
        let strength = |found: &DigitMatch| found.correlation.abs();
        let known = self.digits.iter().flatten().copied();
        known.min_by(|one, other| strength(one).total_cmp(&strength(other)))
    }

    fn is_clear(&self) -> bool {
        self.digits.len() == 1
            && self
                .shared_digits()
                .is_some_and(|found| found.correlation.abs() >= CLEAR)
    }

    /// What the unit is, in a few words.
    fn name(&self) -> String {
        match self.shared_digits() {
            _ if self.digits.len() > 1 => String::new(),
            Some(found) => {
                let is_clear = found.correlation.abs() >= CLEAR;
                let lead = if is_clear { "" } else { "most like " };
                let names = digit_names(found.mask);
                format!("{lead}{names}, r {:.2}", found.correlation)
            }
            None => "always the same".to_owned(),
        }
    }

    /// What the unit is, in sentences.
    fn explanation(&self) -> String {
        let weight = format::signed(self.weight, 2);
        if self.digits.len() > 1 {
            return format!("Weight {weight}. Each heap has a table of its own.");
        }
        match self.shared_digits() {
            None => format!("Weight {weight}. All factors are the same."),
            Some(found) if found.correlation.abs() < CLEAR => format!(
                "Weight {weight}. The signs are most like those of {} (correlation {:.2}), but not \
                clearly.",
                digit_names(found.mask),
                found.correlation
            ),
            Some(found) => format!(
                "Weight {weight}. The signs are those of {} (correlation {:.2}): the product over \
                all heaps is positive if an even number of heaps have {}.",
                digit_names(found.mask),
                found.correlation,
                if found.mask.is_power_of_two() {
                    "it"
                } else {
                    "an odd number of them"
                },
            ),
        }
    }
}

/// The digits of a mask in words.
fn digit_names(mask: u32) -> String {
    let digits: Vec<String> = (0..u32::BITS)
        .filter(|bit| mask >> bit & 1 == 1)
        .map(|bit| (1_u64 << bit).to_string())
        .collect();
    match digits.len() {
        1 => format!("digit {}", digits[0]),
        _ => format!("digits {}", digits.join("+")),
    }
}

/// The sign of a factor.
fn sign(factor: f32, theme: &Theme) -> &'static str {
    match factor {
        _ if factor.abs() < 0.05 => theme.sign("·", "."),
        _ if factor > 0.0 => "+",
        _ => theme.sign("−", "-"),
    }
}

/// A sign on the color of a factor.
fn tile(factor: f32, sign: &str, width: u16, theme: &Theme) -> Span<'static> {
    let text = format!("{sign:^width$}", width = usize::from(width));
    let share = f64::from(factor.clamp(-1.0, 1.0));
    let style = theme.diverging_background(share);
    Span::styled(text, style.unwrap_or_else(|| theme.diverging_text(share)))
}

/// What the signs mean.
fn legend(theme: &Theme) -> Line<'static> {
    let minus = theme.sign("−", "-");
    Line::styled(format!("+ {minus} factor of a heap by its size"), theme.dim)
}
