//! The history of a column in one row.

use std::ops::RangeInclusive;

use crate::theme::Theme;
use finches_engine::metrics::history::Bucket;

/// The dots of a braille character from its bottom row to its top row, left and right, as offsets
/// from U+2800.
const DOTS: [[u32; 2]; 4] = [[0x40, 0x80], [0x04, 0x20], [0x02, 0x10], [0x01, 0x08]];
const ASCII: [char; 5] = ['_', '.', '-', '~', '^'];

/// The glyphs of a sparkline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SparklineGlyphs {
    /// A line of dots, which stays apart from that of the row above.
    Line,
    Ascii,
}

impl SparklineGlyphs {
    /// The glyphs of a theme.
    pub fn of(theme: &Theme) -> Self {
        theme.sign(Self::Line, Self::Ascii)
    }
}

/// The means of the buckets in at most `width` characters; one without a value has that of the one
/// before, so that columns of the same generations are as long as each other. `range` gives the
/// values of the lowest and the highest glyph; `None` uses the range of the means.
pub fn sparkline(
    buckets: &[Bucket],
    width: usize,
    range: Option<(f64, f64)>,
    glyphs: SparklineGlyphs,
) -> String {
    let mut latest = buckets.iter().find_map(Bucket::mean);
    let means = buckets.iter().filter_map(|bucket| {
        latest = bucket.mean().or(latest);
        latest
    });
    let values: Vec<f64> = means.collect();
    let across = if glyphs == SparklineGlyphs::Line {
        2
    } else {
        1
    };
    let values = shrunk(&values, width * across);
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (low, high) = range.unwrap_or((low, high));
    let level = |value: &f64, levels: usize| {
        let share = if high > low {
            ((value - low) / (high - low)).clamp(0.0, 1.0)
        } else {
            0.5
        };
        ((share * levels as f64) as usize).min(levels - 1)
    };
    if glyphs == SparklineGlyphs::Ascii {
        let glyph = |value| ASCII[level(value, ASCII.len())];
        return values.iter().map(glyph).collect();
    }
    line(
        values
            .iter()
            .map(|value| level(value, DOTS.len()))
            .collect(),
    )
}

/// A line through levels, two to a character. Levels that lie between two neighbors are drawn with
/// the later one.
fn line(levels: Vec<usize>) -> String {
    let mut before = levels.first().copied().unwrap_or(0);
    let mut dots = Vec::new();
    for level in levels {
        let between = match before {
            before if before + 1 < level => before + 1..=level,
            before if level + 1 < before => level..=before - 1,
            _ => level..=level,
        };
        dots.push(between);
        before = level;
    }
    let cell = |pair: &[RangeInclusive<usize>]| {
        let sides = pair.iter().enumerate();
        let bits = sides.flat_map(|(side, rows)| rows.clone().map(move |row| DOTS[row][side]));
        char::from_u32(0x2800 + bits.sum::<u32>()).unwrap_or(' ')
    };
    dots.chunks(2).map(cell).collect()
}

/// At most `width` values, each the mean of consecutive ones.
fn shrunk(values: &[f64], width: usize) -> Vec<f64> {
    if values.len() <= width || width == 0 {
        return values[..values.len().min(width)].to_vec();
    }
    let stretch = |place: usize| {
        let from = place * values.len() / width;
        let to = ((place + 1) * values.len() / width).max(from + 1);
        values[from..to].iter().sum::<f64>() / (to - from) as f64
    };
    (0..width).map(stretch).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_are_joined_to_a_line() {
        assert_eq!(line(vec![0, 0, 1, 1, 2, 2, 3, 3]), "⣀⠤⠒⠉");
        assert_eq!(line(vec![0, 3, 0]), "⡸⡆");
        assert_eq!(line(Vec::new()), "");
    }
}
