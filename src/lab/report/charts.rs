//! Charts beside curves: stacked bars, boxes and 2-D histograms.

use std::ops::Range;

use plotters::prelude::*;

use crate::experiment::plot::{Area, COLORS, Chart, DrawResult, LegendLine, axis_number};
use finches_engine::metrics::stats::spread::quantile;

use crate::words::number;

/// Stacked bars, one for each group.
#[derive(Clone, Debug)]
pub(super) struct BarChart {
    /// The heading.
    pub(super) title: String,
    /// The labels of the axes.
    pub(super) axes: [&'static str; 2],
    /// What the bars stand for.
    pub(super) groups: Vec<String>,
    /// The parts of each bar from below: their names, and a height for each group.
    pub(super) parts: Vec<(String, Vec<f64>)>,
}

/// Boxes from the lower to the upper quartile with the median, and whiskers to the lowest and the
/// highest value.
#[derive(Clone, Debug)]
pub(super) struct BoxChart {
    /// The heading.
    pub(super) title: String,
    /// The labels of the axes.
    pub(super) axes: [&'static str; 2],
    /// The values of each box, with its name.
    pub(super) boxes: Vec<(String, Vec<f64>)>,
}

/// How many values lie where, over two axes: the darker, the more.
#[derive(Clone, Debug)]
pub(super) struct HistogramChart {
    /// The heading.
    pub(super) title: String,
    /// The labels of the axes.
    pub(super) axes: [&'static str; 2],
    /// The values.
    pub(super) points: Vec<(f64, f64)>,
}

/// The grid of a histogram.
const BINS: [usize; 2] = [25, 20];

/// The room of a chart's labels and margins, in pixels.
const MARGIN: u32 = 16;
const X_LABELS: u32 = 44;
const Y_LABELS: u32 = 60;

/// The share of a group's room that its bar or box takes.
const BAR: f64 = 0.7;

/// Draws the axes of a chart of named groups, and the rectangles and lines over them.
fn draw_groups(
    area: &Area<'_>,
    (title, axes): (&str, [&'static str; 2]),
    (names, heights): (&[&str], Range<f64>),
    shapes: &[Shape],
) -> DrawResult {
    area.fill(&WHITE)?;
    let groups = 0.0..names.len() as f64;
    let mut chart = ChartBuilder::on(area)
        .margin(MARGIN)
        .caption(title, ("sans-serif", 16))
        .x_label_area_size(X_LABELS)
        .y_label_area_size(Y_LABELS)
        .build_cartesian_2d(groups, heights.clone())?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .max_light_lines(0)
        .bold_line_style(RGBColor(220, 220, 220))
        // The names of the groups are written by hand, in the middle of each.
        .x_labels(0)
        .y_label_formatter(&|value| axis_number(*value))
        .x_desc(axes[0])
        .y_desc(axes[1])
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 16))
        .draw()?;
    for &(from, to, color) in shapes {
        let line = PathElement::new([from, to], BLACK.stroke_width(2));
        match color.map(|color| color.mix(0.85).filled()) {
            Some(fill) => chart.draw_series([Rectangle::new([from, to], fill)])?,
            None => chart.draw_series([line])?,
        };
    }
    // Names are about half as wide as high, for each character; they get smaller if they must.
    let longest = names.iter().map(|name| name.chars().count()).max();
    let room = area.dim_in_pixel().0 - Y_LABELS - 2 * MARGIN;
    let most = 2 * room as usize / (names.len() * longest.unwrap_or(1)).max(1);
    let size = most.min(14) as i32;
    let style = ("sans-serif", size).into_font().color(&BLACK);
    for (group, name) in names.iter().enumerate() {
        let at = (group as f64 + 0.5, heights.start);
        let (x, y) = chart.backend_coord(&at);
        let (left, top) = area.get_base_pixel();
        let width = size * name.chars().count() as i32 / 2;
        area.draw_text(name, &style, (x - left - width / 2, y - top + 6))?;
    }
    Ok(())
}

/// A rectangle of a color or, without one, a black line: from and to in the units of the axes.
type Shape = ((f64, f64), (f64, f64), Option<RGBColor>);

/// The left and the right end of what stands in a group.
fn ends(group: usize) -> [f64; 2] {
    let middle = group as f64 + 0.5;
    [middle - BAR / 2.0, middle + BAR / 2.0]
}

impl Chart for BarChart {
    fn is_empty(&self) -> bool {
        self.groups.is_empty() || self.parts.is_empty()
    }

    fn draw(&self, area: &Area<'_>) -> DrawResult {
        let mut tops = vec![0.0; self.groups.len()];
        let mut shapes = Vec::new();
        for ((_, heights), color) in self.parts.iter().zip(COLORS) {
            for (group, (top, height)) in tops.iter_mut().zip(heights).enumerate() {
                let [left, right] = ends(group);
                let from = (left, *top);
                *top += height;
                let to = (right, *top);
                shapes.push((from, to, Some(color)));
            }
        }
        let highest = tops.iter().copied().fold(0.0, f64::max);
        let names: Vec<&str> = self.groups.iter().map(String::as_str).collect();
        let heights = 0.0..if highest > 0.0 { highest } else { 1.0 };
        draw_groups(area, (&self.title, self.axes), (&names, heights), &shapes)
    }

    fn legend(&self) -> Vec<LegendLine> {
        let parts = self.parts.iter().zip(COLORS);
        let lines = parts.map(|((name, _), color)| (name.clone(), color, false));
        lines.filter(|_| self.parts.len() > 1).collect()
    }
}

impl Chart for BoxChart {
    fn is_empty(&self) -> bool {
        self.boxes.iter().all(|(_, values)| values.is_empty())
    }

    fn draw(&self, area: &Area<'_>) -> DrawResult {
        let mut shapes = Vec::new();
        for (group, (_, values)) in self.boxes.iter().enumerate() {
            let Some([lowest, lower, median, upper, highest]) = five_numbers(values) else {
                continue;
            };
            let [left, right] = ends(group);
            let middle = f64::midpoint(left, right);
            shapes.extend([
                ((left, lower), (right, upper), Some(COLORS[6])),
                ((left, median), (right, median), None),
                ((middle, lowest), (middle, lower), None),
                ((middle, upper), (middle, highest), None),
            ]);
        }
        let all = || self.boxes.iter().flat_map(|(_, values)| values);
        let low = all().copied().fold(f64::INFINITY, f64::min);
        let high = all().copied().fold(f64::NEG_INFINITY, f64::max);
        let room = if high > low { (high - low) * 0.05 } else { 0.5 };
        let names: Vec<&str> = self.boxes.iter().map(|(name, _)| name.as_str()).collect();
        let heights = low - room..high + room;
        draw_groups(area, (&self.title, self.axes), (&names, heights), &shapes)
    }
}

/// The medians and quartiles of all boxes, for readers who do not see them.
pub(super) fn in_words(charts: &[BoxChart]) -> String {
    let told = charts.iter().flat_map(|chart| {
        let boxes = chart.boxes.iter();
        boxes.filter_map(|(name, values)| {
            let [_, lower, median, upper, _] = five_numbers(values)?;
            let [lower, median, upper] = [lower, median, upper].map(number);
            let title = &chart.title;
            Some(format!(
                "{title}, {name}: median {median}, quartiles {lower} and {upper}."
            ))
        })
    });
    told.collect::<Vec<String>>().join(" ")
}

/// The lowest value, the quartiles and the highest value; `None` without values.
pub(super) fn five_numbers(values: &[f64]) -> Option<[f64; 5]> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let is_known = !sorted.is_empty();
    is_known.then(|| [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| quantile(&sorted, share)))
}

impl Chart for HistogramChart {
    fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    fn draw(&self, area: &Area<'_>) -> DrawResult {
        area.fill(&WHITE)?;
        let [x_range, y_range] = self.ranges();
        let counts = self.counts();
        let most = counts.iter().flatten().copied().max().unwrap_or(0).max(1);
        let mut chart = ChartBuilder::on(area)
            .margin(MARGIN)
            .caption(&self.title, ("sans-serif", 16))
            .x_label_area_size(X_LABELS)
            .y_label_area_size(Y_LABELS)
            .build_cartesian_2d(x_range.0..x_range.1, y_range.0..y_range.1)?;
        chart
            .configure_mesh()
            .disable_mesh()
            .x_label_formatter(&|at| axis_number(*at))
            .y_label_formatter(&|value| axis_number(*value))
            .x_desc(self.axes[0])
            .y_desc(self.axes[1])
            .label_style(("sans-serif", 14))
            .axis_desc_style(("sans-serif", 16))
            .draw()?;
        let edge = |(low, high): (f64, f64), bins: usize, bin: usize| {
            low + (high - low) * bin as f64 / bins as f64
        };
        for (column, rows) in counts.iter().enumerate() {
            for (row, &count) in rows.iter().enumerate().filter(|(_, count)| **count > 0) {
                let corner = |across: usize, up: usize| {
                    let x = edge(x_range, BINS[0], column + across);
                    (x, edge(y_range, BINS[1], row + up))
                };
                let shade = COLORS[0].mix(0.15 + 0.85 * count as f64 / most as f64);
                let tile = Rectangle::new([corner(0, 0), corner(1, 1)], shade.filled());
                chart.draw_series([tile])?;
            }
        }
        Ok(())
    }
}

impl HistogramChart {
    /// The lowest and the highest value on each axis; they differ.
    fn ranges(&self) -> [(f64, f64); 2] {
        let range = |pick: fn(&(f64, f64)) -> f64| {
            let values = || self.points.iter().map(pick);
            let low = values().fold(f64::INFINITY, f64::min);
            let high = values().fold(f64::NEG_INFINITY, f64::max);
            (low, if high > low { high } else { low + 1.0 })
        };
        [range(|point| point.0), range(|point| point.1)]
    }

    /// The number of values in each bin, columns from the left, each from below.
    fn counts(&self) -> Vec<Vec<u32>> {
        let [x_range, y_range] = self.ranges();
        let bin = |(low, high): (f64, f64), bins: usize, value: f64| {
            (((value - low) / (high - low) * bins as f64) as usize).min(bins - 1)
        };
        let mut counts = vec![vec![0; BINS[1]]; BINS[0]];
        for &(x, y) in &self.points {
            counts[bin(x_range, BINS[0], x)][bin(y_range, BINS[1], y)] += 1;
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::plot::pictures;

    #[test]
    fn bars_are_stacked_and_named() {
        let chart = BarChart {
            title: "games".to_owned(),
            axes: ["opponent", "games"],
            groups: ["g0", "g9"].map(str::to_owned).to_vec(),
            parts: vec![
                ("won".to_owned(), vec![3.0, 1.0]),
                ("lost".to_owned(), vec![1.0, 3.0]),
            ],
        };
        let legend = chart.legend();
        assert_eq!([&legend[0].0, &legend[1].0], ["won", "lost"]);
        let text = pictures(&[chart]).expect("it has values").concat();
        for part in ["g0", "g9", "opponent"] {
            assert!(text.contains(part), "{part} is missing in {text}");
        }
        let bars = text.matches("<rect").count();
        assert_eq!(bars, 1 + 4, "the ground and four parts");
    }

    #[test]
    fn a_box_spans_the_quartiles() {
        let values: Vec<f64> = (0..=100).map(f64::from).collect();
        assert_eq!(five_numbers(&values), Some([0.0, 25.0, 50.0, 75.0, 100.0]));
        assert_eq!(five_numbers(&[]), None);
        let chart = BoxChart {
            title: "growth".to_owned(),
            axes: ["origin", "points"],
            boxes: vec![("elite".to_owned(), values), ("mutant".to_owned(), vec![])],
        };
        let text = pictures(&[chart]).expect("it has values").concat();
        assert_eq!(text.matches("<rect").count(), 2, "the ground and one box");
        assert!(text.contains("mutant"));
    }

    #[test]
    fn a_histogram_counts_every_value_once() {
        let points: Vec<(f64, f64)> = (0..500)
            .map(|at| (f64::from(at), f64::from(at % 7)))
            .collect();
        let histogram = HistogramChart {
            title: "moves".to_owned(),
            axes: ["generation", "moves"],
            points,
        };
        let counts = histogram.counts();
        assert_eq!(counts.iter().flatten().sum::<u32>(), 500);
        assert!(counts.iter().all(|column| column.iter().sum::<u32>() == 20));
        let tiles = counts.iter().flatten().filter(|count| **count > 0).count();
        let text = pictures(&[histogram]).expect("it has values").concat();
        assert_eq!(text.matches("<rect").count(), 1 + tiles);
    }
}
