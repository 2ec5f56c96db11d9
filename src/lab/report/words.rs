//! How curves and presets are said.

use crate::experiment::collect::CollectedRuns;
use crate::experiment::curves::Curve;
use crate::experiment::plot::CurvePlot;
use crate::words::number;
use finches_engine::preset::Preset;
use finches_engine::text::counted;

use super::page::PageBlock;

/// The most points of a line in a chart, so that a page stays small.
const POINTS: usize = 120;

/// The curves of a column, below its name in words.
pub(super) type TitledCurves = (String, Vec<Curve>);

/// Charts of columns over the course of runs, and the last medians, for readers who do not see
/// them. These are of `it` if there is one, else of the columns.
pub(super) fn charts_and_ends<'a>(
    all: &'a [TitledCurves],
    x_label: &'a str,
    it: Option<&str>,
) -> (Vec<CurvePlot<'a>>, String) {
    let chart = |(title, curves): &'a TitledCurves| CurvePlot {
        title,
        x_label,
        y_label: "",
        is_share: false,
        source: "",
        curves,
        references: &[],
    };
    let ends = all
        .iter()
        .map(|(title, curves)| ends_in_words(curves, it.unwrap_or(title)));
    let ends: Vec<String> = ends.collect();
    (all.iter().map(chart).collect(), ends.join(" "))
}

/// The titles of charts, one after the other.
pub(super) fn titles(all: &[TitledCurves]) -> String {
    let titles: Vec<&str> = all.iter().map(|(title, _)| title.as_str()).collect();
    titles.join(", ")
}

fn ends_in_words(curves: &[Curve], title: &str) -> String {
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

/// How many runs are not finished; `None` if all are.
pub(super) fn unfinished(runs: &CollectedRuns<'_>) -> Option<String> {
    let missing = runs.missing.len();
    (missing > 0).then(|| format!("Not finished: {}.", counted(missing, "run")))
}

/// The name of a preset, and what it is.
fn introduction(preset: &Preset) -> String {
    format!("`{}`: {}.", preset.name, preset.about)
}

/// What a preset is, where it differs from its publication, and what it settles.
pub(super) fn preset_blocks(preset: &Preset) -> Vec<PageBlock> {
    let differs = preset
        .differs
        .iter()
        .map(|words| format!("Differs: {words}"));
    let settled = preset.settled.iter();
    let settled = settled.map(|words| format!("Left open, settled: {words}"));
    let points: Vec<String> = differs.chain(settled).collect();
    let mut blocks = vec![PageBlock::Text(introduction(preset))];
    if !points.is_empty() {
        blocks.push(PageBlock::List(points));
    }
    blocks
}

/// What the presets of a publication are, where they differ from it, and what they settle. A point
/// that several presets share stands once.
pub(super) fn presets_blocks(presets: &[Preset]) -> Vec<PageBlock> {
    let introductions = presets.iter().map(introduction);
    let mut blocks = vec![PageBlock::List(introductions.collect())];
    let differs = points(presets, |preset| &preset.differs);
    let settled = points(presets, |preset| &preset.settled);
    for (words, points) in [
        ("Where they differ from the publication:", differs),
        (
            "What the publication leaves open, and how it is settled here:",
            settled,
        ),
    ] {
        if !points.is_empty() {
            blocks.push(PageBlock::Text(words.to_owned()));
            blocks.push(PageBlock::List(points));
        }
    }
    blocks
}

/// Each point once, in the order in which they come, with the presets that have it.
fn points(presets: &[Preset], of: impl Fn(&Preset) -> &Vec<String>) -> Vec<String> {
    let mut known: Vec<&String> = Vec::new();
    for point in presets.iter().flat_map(&of) {
        if !known.contains(&point) {
            known.push(point);
        }
    }
    let point = |point: &String| {
        let (with, without): (Vec<&Preset>, Vec<&Preset>) = presets
            .iter()
            .partition(|preset| of(preset).contains(point));
        let names = |presets: &[&Preset]| {
            let names = presets.iter().map(|preset| format!("`{}`", preset.name));
            names.collect::<Vec<String>>().join(", ")
        };
        match without.len() {
            0 => format!("{point} All of them."),
            few if few < with.len() => format!("{point} All but {}.", names(&without)),
            _ => format!("{point} {}.", names(&with)),
        }
    };
    known.into_iter().map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use finches_runs::storage::presets;

    #[test]
    fn a_point_of_several_presets_stands_once_with_their_names() {
        let load = |name: &str, settled: &[&str]| {
            let mut preset = presets::load("nim-2x2").expect("it is included");
            name.clone_into(&mut preset.name);
            preset.settled = settled.iter().map(|&point| point.to_owned()).collect();
            preset
        };
        let presets = [
            load("a", &["One.", "Two."]),
            load("b", &["One.", "Three.", "Two."]),
            load("c", &["One."]),
        ];
        let told = points(&presets, |preset| &preset.settled);
        assert_eq!(
            told,
            ["One. All of them.", "Two. All but `c`.", "Three. `b`."]
        );
    }
}
