//! How numbers and curves are said.

use crate::experiment::curves::Curve;
use crate::metrics::stats::spread::Spread;
use crate::preset::Preset;

use super::page::PageBlock;

/// The most points of a line in a chart, so that a page stays small.
const POINTS: usize = 120;

/// A number in a table: whole numbers as they are, others with three significant digits.
pub(super) fn number(value: f64) -> String {
    match value.abs() {
        _ if value.fract() == 0.0 => value.to_string(),
        100.0.. => format!("{value:.0}"),
        10.0..100.0 => format!("{value:.1}"),
        1.0..10.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// The 95 % interval of a mean.
pub(super) fn interval(spread: &Spread) -> String {
    let (low, high) = spread.interval;
    format!("{} to {}", number(low), number(high))
}

/// A p-value.
pub(super) fn p_words(p: f64) -> String {
    if p < 1e-4 {
        "< 0.0001".to_owned()
    } else {
        format!("{p:.4}")
    }
}

/// The last medians of the curves of a column, for readers who do not see them.
pub(super) fn ends_in_words(curves: &[Curve], title: &str) -> String {
    let ends = curves.iter().filter_map(|curve| {
        let last = curve.points.last()?;
        let end = number(last.median);
        Some(format!("{}: {title} ends at {end}.", curve.preset))
    });
    ends.collect::<Vec<String>>().join(" ")
}

/// Keeps an even sample of a curve's points, with its first and its last.
pub(super) fn thin(curve: &mut Curve) {
    let last = curve.points.len().saturating_sub(1);
    if last >= POINTS {
        let kept = (0..POINTS).map(|index| curve.points[index * last / (POINTS - 1)]);
        curve.points = kept.collect();
    }
}

/// What a preset is, where it differs from its publication, and what it settles.
pub(super) fn preset_blocks(preset: &Preset) -> Vec<PageBlock> {
    let words = format!("`{}`: {}.", preset.name, preset.about);
    let differs = preset
        .differs
        .iter()
        .map(|words| format!("Differs: {words}"));
    let settled = preset.settled.iter();
    let settled = settled.map(|words| format!("Left open, settled: {words}"));
    let points: Vec<String> = differs.chain(settled).collect();
    let mut blocks = vec![PageBlock::Text(words)];
    if !points.is_empty() {
        blocks.push(PageBlock::List(points));
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, expected) in [
            (0.0, "0"),
            (13.0, "13"),
            (0.5432, "0.543"),
            (4.567, "4.57"),
            (13.34, "13.3"),
            (283.21, "283"),
            (-0.02, "-0.020"),
        ] {
            assert_eq!(number(value), expected);
        }
    }
}
