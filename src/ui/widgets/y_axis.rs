//! The y-axis of a chart: its range, its labels, and the grid lines.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::ui::format;
use crate::ui::theme::Theme;
use crate::ui::widgets::text::{put, put_right};

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

/// The range of the y-axis, in values or their logarithms.
#[derive(Clone, Copy, Debug)]
pub struct AxisRange {
    low: f64,
    high: f64,
    scale: AxisScale,
}

/// The smallest value on a logarithmic axis of shares.
const MIN_SHARE: f64 = 0.01;

/// How far a logarithmic axis extends below its highest value, as a factor: at most, and if values include zero.
const MAX_DEPTH: f64 = 1e-6;
const ZERO_DEPTH: f64 = 1e-3;

impl AxisRange {
    /// A range with round ends for the values between `ends`.
    pub fn of(unit: ValueUnit, scale: AxisScale, ends: Option<(f64, f64)>) -> Self {
        if unit == ValueUnit::Share {
            let (low, high) = match scale {
                AxisScale::Linear => (0.0, 1.0),
                AxisScale::Logarithmic => (MIN_SHARE.log10(), 0.0),
            };
            return Self { low, high, scale };
        }
        let (low, high) = ends.unwrap_or((0.0, 1.0));
        match scale {
            AxisScale::Logarithmic if high > 0.0 => {
                let depth = if low > 0.0 { MAX_DEPTH } else { ZERO_DEPTH };
                let low = low.max(high * depth).log10().floor();
                let high = high.log10().ceil().max(low + 1.0);
                Self { low, high, scale }
            }
            _ => {
                let step = step(high - low.min(0.0).max(low - (high - low)));
                let low = if low >= 0.0 && low < (high - low) {
                    0.0
                } else {
                    (low / step).floor() * step
                };
                let high = ((high / step).ceil() * step).max(low + step);
                Self {
                    low,
                    high,
                    scale: AxisScale::Linear,
                }
            }
        }
    }

    fn transform(self, value: f64) -> f64 {
        match self.scale {
            AxisScale::Linear => value,
            AxisScale::Logarithmic => value.max(1e-9).log10(),
        }
    }

    /// The position of a value, 0..=1 from the bottom.
    pub fn share(self, value: f64) -> f64 {
        ((self.transform(value) - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// The value at a position, 0..=1 from the bottom.
    fn value(self, share: f64) -> f64 {
        let value = self.low + share * (self.high - self.low);
        match self.scale {
            AxisScale::Linear => value,
            AxisScale::Logarithmic => 10f64.powf(value),
        }
    }

    /// Rows with a grid line, counted from the bottom, with their labels.
    pub fn ticks(self, unit: ValueUnit, height: u16) -> Vec<(u16, String)> {
        let top = f64::from(height - 1);
        let parts: u16 = if height >= 9 { 4 } else { 2 };
        let label = |value: f64| match unit {
            ValueUnit::Share => format::percent(value),
            ValueUnit::Number if value > 0.0 && value < 0.01 => format!("{value:.0e}"),
            ValueUnit::Number => format::short(value),
        };
        let tick = |part: u16| {
            let share = f64::from(part) / f64::from(parts);
            ((share * top).round() as u16, label(self.value(share)))
        };
        let mut ticks: Vec<(u16, String)> = (0..=parts).map(tick).collect();
        ticks.dedup_by(|a, b| a.1 == b.1);
        ticks
    }
}

/// The width of the labels, with a space after them.
pub fn label_width(ticks: &[(u16, String)]) -> u16 {
    let labels = ticks.iter().map(|(_, label)| label.len());
    labels.max().unwrap_or(0) as u16 + 1
}

/// A round step for a range: 1, 2 or 5 times a power of ten, about a fifth of it.
fn step(range: f64) -> f64 {
    let rough = if range > 0.0 && range.is_finite() {
        range / 4.0
    } else {
        1.0
    };
    let power = 10f64.powf(rough.log10().floor());
    let times = rough / power;
    let round = match times {
        _ if times <= 1.0 => 1.0,
        _ if times <= 2.0 => 2.0,
        _ if times <= 5.0 => 5.0,
        _ => 10.0,
    };
    round * power
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
    let dots = if theme.ascii { "." } else { "┈" };
    let width = area.width.saturating_sub(label_width) as usize;
    for (row, label) in ticks {
        let row = bottom - row.min(&bottom);
        let labels = Rect {
            width: label_width.saturating_sub(1),
            ..area
        };
        put_right(buf, labels, row, Span::styled(label.clone(), theme.dim));
        let lines = Rect {
            x: area.x + label_width,
            width: width as u16,
            ..area
        };
        put(
            buf,
            lines,
            row,
            Span::styled(dots.repeat(width), theme.guide),
        );
    }
}

/// Draws the vertical line of the crosshair.
pub fn crosshair_line(column: u16, theme: &Theme, body: Rect, buf: &mut Buffer) {
    let at = Rect {
        x: column,
        width: 1,
        ..body
    };
    let glyph = if theme.ascii { "|" } else { "│" };
    for row in 0..body.height {
        put(buf, at, row, Span::styled(glyph, theme.accent));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The labels of a logarithmic axis from top to bottom.
    fn labels(ends: (f64, f64)) -> Vec<String> {
        let range = AxisRange::of(ValueUnit::Number, AxisScale::Logarithmic, Some(ends));
        let ticks = range.ticks(ValueUnit::Number, 5).into_iter().rev();
        ticks.map(|(_, label)| label).collect()
    }

    #[test]
    fn a_logarithmic_axis_never_ends_at_zero() {
        assert_eq!(labels((0.0, 80.0)), ["100", "1", "0.01"]);
        assert_eq!(labels((0.0, 0.8)), ["1", "0.01", "1e-4"]);
        assert_eq!(labels((1e-5, 1e-3)), ["1e-3", "1e-4", "1e-5"]);
        assert_eq!(labels((2.0, 900.0)), ["1000", "31.6", "1"]);
    }
}
