//! The y-axis of a chart: its range, its labels, and the grid lines.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::format;
use crate::theme::Theme;
use crate::widgets::text::{columns_of, put, put_right, right_of};

/// The unit of the y-axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueUnit {
    /// 0..=1, in percent, with the whole range shown.
    Share,
    Number,
}

/// The scale of the y-axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisScale {
    Linear,
    Logarithmic,
}

/// The range of the y-axis, in values or their logarithms, cut into equal parts by grid lines at
/// round values.
#[derive(Clone, Copy, Debug)]
pub struct AxisRange {
    low: f64,
    /// The length of a part.
    step: f64,
    parts: u16,
    scale: AxisScale,
}

/// The smallest value on a logarithmic axis of shares.
const MIN_SHARE: f64 = 0.01;

/// How far a logarithmic axis extends below its highest value, as a factor: at most, and if values
/// include zero.
const MAX_DEPTH: f64 = 1e-6;
const ZERO_DEPTH: f64 = 1e-3;

/// The height of a plot, at most `height`, whose rows allow grid lines that are evenly spaced.
pub fn even_height(height: u16) -> u16 {
    let top = height.saturating_sub(1);
    let allowed = if top < 7 {
        0
    } else {
        1 + u16::from(top > 13) + u16::from(top > 18)
    };
    let tops = (top.saturating_sub(allowed)..=top).rev();
    let divides = |&top: &u16| top % 4 == 0 || top % 5 == 0;
    tops.filter(|top| *top >= 8)
        .find(divides)
        .unwrap_or(top - top % 2 * u16::from(top > 3))
        + 1
}

impl AxisRange {
    /// A range for the values between `ends`, on as many rows as [`even_height`] has returned.
    pub fn of(unit: ValueUnit, scale: AxisScale, ends: Option<(f64, f64)>, height: u16) -> Self {
        let top = height.saturating_sub(1);
        let fits = |parts: &u16| top.is_multiple_of(*parts) && (top / parts >= 2 || *parts == 1);
        let (low, high) = ends.unwrap_or((0.0, 1.0));
        let candidates: Vec<Self> = match (unit, scale) {
            (ValueUnit::Share, AxisScale::Linear) => {
                let parts = [4, 5, 2, 1].into_iter().find(fits).unwrap_or(1);
                return Self {
                    low: 0.0,
                    step: 1.0 / f64::from(parts),
                    parts,
                    scale,
                };
            }
            (ValueUnit::Share, _) => (1..=2)
                .filter(fits)
                .map(|parts| decades(MIN_SHARE, 1.0, parts))
                .collect(),
            (_, AxisScale::Logarithmic) if high > 0.0 => {
                let depth = if low > 0.0 { MAX_DEPTH } else { ZERO_DEPTH };
                let low = low.max(high * depth);
                (1..=5)
                    .filter(fits)
                    .map(|parts| decades(low, high, parts))
                    .collect()
            }
            _ => (1..=5)
                .filter(fits)
                .map(|parts| rounded(low, high, parts))
                .collect(),
        };
        // A single part only if nothing else fits; then the shortest axis, and among these the most
        // parts.
        let length = |range: &Self| (range.step * f64::from(range.parts) * 1e6).round();
        let order = |a: &&Self, b: &&Self| {
            let key = |range: &Self| (range.parts == 1, length(range));
            let (one, other) = (key(a), key(b));
            (one.0.cmp(&other.0))
                .then(one.1.total_cmp(&other.1))
                .then(b.parts.cmp(&a.parts))
        };
        candidates
            .iter()
            .min_by(order)
            .copied()
            .unwrap_or_else(|| rounded(low, high, 1))
    }

    fn transform(self, value: f64) -> f64 {
        match self.scale {
            AxisScale::Linear => value,
            AxisScale::Logarithmic => value.max(1e-9).log10(),
        }
    }

    /// The dot of a value of a plot of `height` rows, from the bottom. A value at a grid line lies
    /// in the middle of its row.
    pub fn dot(self, value: f64, height: u16) -> usize {
        let steps = f64::from(height.saturating_sub(1)) * 4.0;
        (self.share(value) * steps).round() as usize + 2
    }

    /// The row of a value, from the bottom.
    pub fn row(self, value: f64, height: u16) -> u16 {
        (self.dot(value, height) / 4) as u16
    }

    /// The position of a value, 0..=1 from the bottom.
    fn share(self, value: f64) -> f64 {
        let length = self.step * f64::from(self.parts);
        ((self.transform(value) - self.low) / length).clamp(0.0, 1.0)
    }

    /// Whether a value lies within the range.
    pub fn contains(self, value: f64) -> bool {
        let length = self.step * f64::from(self.parts);
        let share = (self.transform(value) - self.low) / length;
        (-1e-9..=1.0 + 1e-9).contains(&share)
    }

    /// Rows with a grid line, counted from the bottom, with their labels.
    pub fn ticks(self, unit: ValueUnit, height: u16) -> Vec<(u16, String)> {
        let apart = height.saturating_sub(1) / self.parts;
        let tick = |part: u16| {
            let value = self.low + self.step * f64::from(part);
            let label = match (unit, self.scale) {
                (ValueUnit::Share, AxisScale::Linear) => format::percent(value),
                (ValueUnit::Share, _) => format::percent(10f64.powf(value)),
                (_, AxisScale::Linear) => linear_label(value, self.step),
                (_, AxisScale::Logarithmic) => logarithmic_label(10f64.powf(value)),
            };
            (part * apart, label)
        };
        (0..=self.parts).map(tick).collect()
    }
}

/// A linear range of `parts` round steps that covers the values, from zero if they are near it.
fn rounded(low: f64, high: f64, parts: u16) -> AxisRange {
    let low = if low >= 0.0 && (low < high - low || high <= low) {
        0.0
    } else {
        low
    };
    let length = if high > low {
        high - low
    } else {
        low.abs().max(1.0)
    };
    let power = 10f64.powf((length / f64::from(parts)).log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0, 20.0].map(|times| times * power);
    let round = |step: &f64| (*step - 2.5).abs() > 1e-9;
    let start = |step: f64| (low / step + 1e-9).floor() * step;
    let covers = |step: &f64| start(*step) + step * f64::from(parts) >= high - step * 1e-9;
    // Values on both sides of zero fit into no single round step.
    let coarse = 10.0 * power;
    let both = (high / coarse).ceil() * coarse - start(coarse);
    let step = steps.into_iter().filter(round).find(covers);
    let (low, step) = step.map_or((start(coarse), both), |step| (start(step), step));
    AxisRange {
        low,
        step,
        parts,
        scale: AxisScale::Linear,
    }
}

/// A logarithmic range of `parts` steps, each of whole powers of ten, that covers the values.
fn decades(low: f64, high: f64, parts: u16) -> AxisRange {
    let (low, high) = (low.log10().floor(), high.log10().ceil());
    let step = ((high - low) / f64::from(parts)).ceil().max(1.0);
    AxisRange {
        low: high - step * f64::from(parts),
        step,
        parts,
        scale: AxisScale::Logarithmic,
    }
}

/// A value with the decimals that the step needs.
fn linear_label(value: f64, step: f64) -> String {
    let value = if value.abs() < step * 1e-6 {
        0.0
    } else {
        value
    };
    let decimals = (0..6).find(|&decimals| {
        let scaled = step * 10f64.powi(decimals);
        (scaled - scaled.round()).abs() < 1e-6
    });
    match decimals {
        Some(0) => format::rounded(value),
        Some(decimals @ 1..=4) => format!("{value:.*}", decimals as usize),
        _ => format!("{value:.1e}"),
    }
}

fn logarithmic_label(value: f64) -> String {
    if value < 0.0099 {
        format!("{value:.0e}")
    } else if value < 1.0 {
        format!("{}", (value * 1e6).round() / 1e6)
    } else {
        format::rounded(value)
    }
}

/// The width of the labels, with a space after them.
pub fn label_width(ticks: &[(u16, String)]) -> u16 {
    let labels = ticks.iter().map(|(_, label)| label.len());
    labels.max().unwrap_or(0) as u16 + 1
}

/// Draws the labels at the left and the grid lines.
pub fn grid_lines(
    ticks: &[(u16, String)],
    label_width: u16,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let bottom = area.height - 2;
    let dots = theme.sign("┈", ".");
    let width = area.width.saturating_sub(label_width) as usize;
    for (row, label) in ticks {
        let row = bottom - row.min(&bottom);
        let labels = columns_of(area, 0, label_width.saturating_sub(1));
        put_right(buf, labels, row, Span::styled(label.clone(), theme.dim));
        let line = Span::styled(dots.repeat(width), theme.guide);
        put(buf, right_of(area, label_width), row, line);
    }
}

/// Draws a line from the top to the bottom of a plot, of one sign.
pub fn upright_line(column: u16, glyph: &Span<'_>, body: Rect, buf: &mut Buffer) {
    let at = columns_of(body, column - body.x, 1);
    for row in 0..body.height {
        put(buf, at, row, glyph.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The labels of an axis from top to bottom.
    fn labels(scale: AxisScale, ends: (f64, f64), height: u16) -> Vec<String> {
        let height = even_height(height);
        let range = AxisRange::of(ValueUnit::Number, scale, Some(ends), height);
        let ticks = range.ticks(ValueUnit::Number, height).into_iter().rev();
        ticks.map(|(_, label)| label).collect()
    }

    #[test]
    fn a_logarithmic_axis_has_powers_of_ten_and_never_ends_at_zero() {
        let labels = |ends| labels(AxisScale::Logarithmic, ends, 5);
        assert_eq!(labels((0.0, 80.0)), ["100", "1", "0.01"]);
        assert_eq!(labels((0.0, 0.8)), ["1", "0.01", "1e-4"]);
        assert_eq!(labels((1e-5, 1e-3)), ["1e-3", "1e-4", "1e-5"]);
        assert_eq!(labels((2.0, 900.0)), ["1,000", "10", "0.1"]);
    }

    #[test]
    fn the_values_of_a_linear_axis_are_round() {
        let labels = |ends, height| labels(AxisScale::Linear, ends, height);
        assert_eq!(labels((0.0, 89.7), 9), ["100", "75", "50", "25", "0"]);
        assert_eq!(labels((0.0, 140.0), 8), ["150", "100", "50", "0"]);
        assert_eq!(labels((3.5, 4.5), 8), ["4.5", "4.0", "3.5"]);
        assert_eq!(
            labels((0.0, 40_000.0), 9),
            ["40k", "30k", "20k", "10k", "0"]
        );
        assert_eq!(labels((100.0, 100.0), 5), ["100", "50", "0"]);
    }

    #[test]
    fn a_value_at_a_grid_line_lies_in_the_middle_of_its_row() {
        for height in (2..60).map(even_height) {
            for (unit, ends) in [
                (ValueUnit::Share, (0.0, 1.0)),
                (ValueUnit::Number, (0.0, 89.7)),
                (ValueUnit::Number, (-3.0, 77.0)),
            ] {
                let range = AxisRange::of(unit, AxisScale::Linear, Some(ends), height);
                for (part, (row, label)) in range.ticks(unit, height).into_iter().enumerate() {
                    let value = range.low + range.step * part as f64;
                    let dot = range.dot(value, height);
                    assert_eq!(dot, usize::from(row) * 4 + 2, "{label} of {height} rows");
                    assert_eq!(range.row(value, height), row);
                }
            }
        }
    }

    #[test]
    fn grid_lines_are_evenly_spaced_and_cover_all_values() {
        for height in 1..60 {
            let even = even_height(height);
            assert!(even <= height && height - even <= 3, "{height}: {even}");
            for scale in [AxisScale::Linear, AxisScale::Logarithmic] {
                for unit in [ValueUnit::Share, ValueUnit::Number] {
                    for ends in [(0.0, 1.0), (0.2, 0.3), (-3.0, 77.0), (1e5, 3e5), (5.0, 5.0)] {
                        let range = AxisRange::of(unit, scale, Some(ends), even);
                        let ticks = range.ticks(unit, even);
                        let rows: Vec<u16> = ticks.iter().map(|tick| tick.0).collect();
                        let apart = |pair: &[u16]| pair[1] - pair[0];
                        assert!(rows.windows(2).all(|pair| apart(pair) == apart(&rows)));
                        assert_eq!(rows.last(), Some(&(even - 1)), "{height}");
                        let top = range.low + range.step * f64::from(range.parts);
                        let covered =
                            unit == ValueUnit::Share || top >= range.transform(ends.1) - 1e-9;
                        assert!(covered, "{ends:?} {height}: {range:?}");
                    }
                }
            }
        }
    }
}
