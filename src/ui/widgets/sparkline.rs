//! The history of a column in one row.

use crate::metrics::history::Bucket;
use crate::ui::theme::Theme;

const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const ASCII: [char; 5] = ['_', '.', '-', '~', '^'];

/// The glyphs of a sparkline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SparklineGlyphs {
    Blocks,
    Ascii,
}

impl SparklineGlyphs {
    /// The glyphs of a theme.
    pub fn of(theme: &Theme) -> Self {
        if theme.ascii {
            Self::Ascii
        } else {
            Self::Blocks
        }
    }
}

/// The means of the buckets in at most `width` characters. `range` gives the values of the lowest and the highest glyph;
/// `None` uses the range of the means.
pub fn sparkline(
    buckets: &[Bucket],
    width: usize,
    range: Option<(f64, f64)>,
    glyphs: SparklineGlyphs,
) -> String {
    let values: Vec<f64> = buckets.iter().filter_map(Bucket::mean).collect();
    let values = shrunk(&values, width);
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (low, high) = range.unwrap_or((low, high));
    let set: &[char] = match glyphs {
        SparklineGlyphs::Blocks => &BARS,
        SparklineGlyphs::Ascii => &ASCII,
    };
    let glyph = |value: &f64| {
        let share = if high > low {
            ((value - low) / (high - low)).clamp(0.0, 1.0)
        } else {
            0.5
        };
        set[((share * set.len() as f64) as usize).min(set.len() - 1)]
    };
    values.iter().map(glyph).collect()
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
