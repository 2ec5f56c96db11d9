//! How curves and presets are said.

use crate::experiment::collect::CollectedRuns;
use crate::experiment::curves::{Curve, CurvePoint};
use crate::experiment::plot::{CurvePlot, PlotError, Reference};
use crate::experiment::summary::{column_of, objective_column};
use crate::words::{FigureStyle, number};
use finches_engine::params::to_ron_lines;
use finches_engine::preset::Preset;
use finches_engine::text::counted;

use super::page::{Figure, PageBlock};

/// The stretches of a curve of which the lowest and the highest point are kept, so that a page
/// stays small and no spike is lost. A chart alone has more room on a page than one of many.
pub(super) const STRETCHES: usize = 60;
pub(super) const MANY_STRETCHES: usize = 200;
/// The most stretches of a curve on the page of a publication. It is made of the last value of each
/// alone, so that a table of these values makes the same curve.
pub(super) const CHART_STRETCHES: u64 = 100;

/// The curves of a column.
pub(super) struct TitledCurves {
    /// The heading of their chart.
    pub(super) title: String,
    pub(super) column: String,
    pub(super) curves: Vec<Curve>,
    /// What they can be compared with.
    pub(super) references: Vec<Reference>,
}

impl TitledCurves {
    /// The curves of a column of presets, with what is published of it and what they aim at.
    pub(super) fn new(column: &str, curves: Vec<Curve>, presets: &[Preset]) -> Self {
        let mut references = Vec::new();
        for preset in presets {
            let stop = preset.stop_condition();
            let target = stop.as_ref().map(|stop| (stop.column(), stop.bound()));
            for (what, known) in [("published", preset.reported_value()), ("target", target)] {
                if let Some((_, value)) = known.filter(|(name, _)| *name == column) {
                    let name = format!("{what} {}", FigureStyle::of(column).text(value));
                    references.push((name, [value; 2]));
                }
            }
        }
        references.dedup();
        Self {
            title: column.replace('_', " "),
            column: column.to_owned(),
            curves,
            references,
        }
    }
}

/// Charts of columns over the course of runs, below a caption with their titles. The last medians
/// are told to readers who do not see them: of `it` if there is one, else of the columns.
pub(super) fn figure<'a>(
    all: &'a [TitledCurves],
    x_label: &'a str,
    it: Option<&str>,
    caption: impl FnOnce(String) -> String,
) -> Result<Figure, PlotError> {
    let chart = |one: &'a TitledCurves| CurvePlot {
        title: &one.title,
        x_label,
        is_share: column_of(&one.column).is_share(),
        curves: &one.curves,
        references: &one.references,
        ..CurvePlot::default()
    };
    let charts: Vec<CurvePlot<'_>> = all.iter().map(chart).collect();
    let ends = all.iter().map(|one| {
        let names = one.references.iter().map(|(name, _)| format!(" {name}."));
        ends_in_words(&one.curves, it.unwrap_or(&one.title)) + &names.collect::<String>()
    });
    let ends: Vec<String> = ends.collect();
    Figure::of_charts(&charts, caption(titles(all)), &ends.join(" "))
}

/// Puts charts that have something to be compared with first, and the objective of a preset.
pub(super) fn target_first(all: &mut [TitledCurves], preset: &Preset) {
    let objective = objective_column(preset).unwrap_or_default();
    all.sort_by_key(|one| (one.references.is_empty(), one.column != objective));
}

/// The titles of charts, one after the other.
pub(super) fn titles(all: &[TitledCurves]) -> String {
    let titles: Vec<&str> = all.iter().map(|one| one.title.as_str()).collect();
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

/// Keeps the lowest and the highest point of each of so many equal stretches of the x-axis, and
/// the first and the last point.
pub(super) fn thin(points: &mut Vec<CurvePoint>, stretches: usize) {
    let [first, .., last] = points[..] else {
        return;
    };
    if points.len() <= 2 * stretches {
        return;
    }
    let length = (last.at - first.at) / stretches as f64;
    let stretch = |point: &CurvePoint| ((point.at - first.at) / length) as u64;
    let median = |one: &&CurvePoint, other: &&CurvePoint| one.median.total_cmp(&other.median);
    let mut kept = vec![first, last];
    for part in points.chunk_by(|one, other| stretch(one) == stretch(other)) {
        kept.extend(part.iter().min_by(median));
        kept.extend(part.iter().max_by(median));
    }
    kept.sort_by(|one, other| one.at.total_cmp(&other.at));
    kept.dedup_by_key(|point| point.at.to_bits());
    *points = kept;
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

/// The file of a preset, folded.
pub(super) fn preset_file(title: String, preset: &Preset) -> PageBlock {
    PageBlock::Code {
        title,
        text: to_ron_lines(preset),
        is_folded: true,
    }
}

/// What the presets of a publication are, where they differ from it, and what they settle: `plain`
/// are those that are no variants, which say nothing of their own. A point that several presets
/// share stands once.
pub(super) fn presets_blocks(presets: &[Preset], plain: &[&Preset]) -> Vec<PageBlock> {
    let introductions = presets.iter().map(introduction);
    let mut blocks = vec![PageBlock::List(introductions.collect())];
    if plain.len() < presets.len() {
        let words = "A variant, which is a preset with settings, has the points of that preset, \
            but for what its settings change.";
        blocks.push(PageBlock::Text(words.to_owned()));
    }
    let differs = points(plain, |preset| &preset.differs);
    let settled = points(plain, |preset| &preset.settled);
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
fn points(presets: &[&Preset], of: impl Fn(&Preset) -> &Vec<String>) -> Vec<String> {
    let mut known: Vec<&String> = Vec::new();
    for point in presets.iter().flat_map(|preset| of(preset)) {
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
    fn a_thinned_curve_keeps_its_ends_and_every_spike() {
        let value = |at: u32| f64::from(u8::from(at == 777) + u8::from(at > 50_000 && at < 50_002));
        let points = (0..100_000).map(|at| CurvePoint::single(f64::from(at), value(at)));
        let mut points: Vec<CurvePoint> = points.collect();
        thin(&mut points, 60);
        assert!((60..=122).contains(&points.len()), "{}", points.len());
        assert!(points.is_sorted_by(|one, other| one.at < other.at));
        let ends = [points.first(), points.last()].map(|end| end.expect("it has points").at);
        assert_eq!(
            ends.map(f64::to_bits),
            [0.0_f64, 99_999.0].map(f64::to_bits)
        );
        let spikes = points.iter().filter(|point| point.median > 0.5);
        assert_eq!(
            spikes.map(|point| point.at).collect::<Vec<f64>>(),
            [777.0, 50_001.0]
        );
        let mut few = points.clone();
        few.truncate(100);
        let same = few.clone();
        thin(&mut few, 60);
        assert_eq!(few, same);
    }

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
        let all: Vec<&Preset> = presets.iter().collect();
        let told = points(&all, |preset| &preset.settled);
        assert_eq!(
            told,
            ["One. All of them.", "Two. All but `c`.", "Three. `b`."]
        );
        let blocks = presets_blocks(&presets, &all);
        let says_variants = |block: &PageBlock| match block {
            PageBlock::Text(text) => text.starts_with("A variant"),
            _ => false,
        };
        assert!(!blocks.iter().any(says_variants));
        let blocks = presets_blocks(&presets, &all[..2]);
        assert!(blocks.iter().any(says_variants), "one is a variant");
        let mut lists = blocks.into_iter().filter_map(|block| match block {
            PageBlock::List(points) => Some(points),
            _ => None,
        });
        let settled = lists.next_back().expect("it has lists");
        assert_eq!(settled[1], "Two. All of them.", "a variant says nothing");
    }
}
