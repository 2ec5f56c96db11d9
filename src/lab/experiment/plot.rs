//! Draws curves and other charts as SVG. It does not know about runs.

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use thiserror::Error;

use super::curves::{Curve, CurvePoint};

/// A plot of curves.
#[derive(Clone, Copy, Debug, Default)]
pub struct CurvePlot<'a> {
    /// The heading.
    pub title: &'a str,
    /// The label of the x-axis, with its unit.
    pub x_label: &'a str,
    /// The label of the y-axis, with its unit.
    pub y_label: &'a str,
    /// Whether the values are shares, which are written in percent.
    pub is_share: bool,
    /// Where the curves are from: presets, seeds, program. May be empty.
    pub source: &'a str,
    /// One line with its band each.
    pub curves: &'a [Curve],
    /// What the values can be compared with: published ones, targets.
    pub references: &'a [Reference],
    /// Places on the x-axis to compare with.
    pub times: &'a [Reference],
}

/// A range that is drawn as a band, from one value to another, with its name; a dashed line if they
/// are the same.
pub type Reference = (String, [f64; 2]);

/// What has a color, the color, and whether the line is dashed.
pub type LegendLine = (String, RGBColor, bool);

/// A chart that is drawn into a part of a picture.
pub trait Chart {
    /// Whether it has no values.
    fn is_empty(&self) -> bool;

    /// Draws the chart without its legend.
    fn draw(&self, area: &Area<'_>) -> DrawResult;

    /// What its colors mean; empty if there is nothing to tell apart.
    fn legend(&self) -> Vec<LegendLine> {
        Vec::new()
    }
}

/// A part of a picture.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Whether the drawing library could draw.
pub type DrawResult = Result<(), Box<dyn std::error::Error>>;

/// Colors that people with color vision deficiency can distinguish (Okabe & Ito 2008), without
/// yellow, which is too light for a line; in the order of the lines on screen.
pub const COLORS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(0, 0, 0),
    RGBColor(213, 94, 0),
    RGBColor(86, 180, 233),
];

/// The size of a picture alone, and of one of several: on a narrow screen its words can be read.
const SIZE: (u32, u32) = (960, 600);
const SMALL_SIZE: (u32, u32) = (420, 290);

type SvgChart<'a, 'b> =
    ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Why curves can't be plotted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlotError {
    /// No curve has a point.
    #[error("there are no values to plot")]
    Empty,
    /// The drawing library has failed, for this reason.
    #[error("can't draw the plot: {0}")]
    Drawing(String),
}

/// Draws the median of each curve as a line and the range between its quartiles as a band, the
/// lighter the more there are. A share is drawn from 0, as on screen.
pub fn svg(plot: &CurvePlot<'_>) -> Result<String, PlotError> {
    if plot.is_empty() {
        return Err(PlotError::Empty);
    }
    picture(SIZE, |area| draw(area, plot, true))
}

/// Draws each chart that has values in a picture of its own, without a legend.
pub fn pictures<C: Chart>(charts: &[C]) -> Result<Vec<String>, PlotError> {
    let charts = charts.iter().filter(|chart| !chart.is_empty());
    charts
        .map(|chart| picture(SMALL_SIZE, |area| chart.draw(area)))
        .collect()
}

fn picture(
    size: (u32, u32),
    draw: impl FnOnce(&Area<'_>) -> DrawResult,
) -> Result<String, PlotError> {
    let mut text = String::new();
    let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
    let drawn = draw(&area).and_then(|()| Ok(area.present()?));
    drawn.map_err(|error| PlotError::Drawing(error.to_string()))?;
    drop(area);
    Ok(text)
}

impl Chart for CurvePlot<'_> {
    fn is_empty(&self) -> bool {
        self.curves.iter().all(|curve| curve.points.is_empty())
    }

    fn draw(&self, area: &Area<'_>) -> DrawResult {
        draw(area, self, false)
    }

    fn legend(&self) -> Vec<LegendLine> {
        if matches!(self.curves, [curve] if curve.runs == 1) {
            return Vec::new();
        }
        let line = |(index, curve): (usize, &Curve)| {
            let color = COLORS[index % COLORS.len()];
            (name(curve), color, index >= COLORS.len())
        };
        self.curves.iter().enumerate().map(line).collect()
    }
}

fn draw(area: &Area<'_>, plot: &CurvePlot<'_>, has_legend: bool) -> DrawResult {
    area.fill(&WHITE)?;
    let (x_range, mut y_range) = ranges(plot);
    if has_legend && plot.is_share {
        y_range.start = y_range.start.min(0.0);
    }
    let band = 0.36 / plot.curves.len().max(2) as f64;
    let (left, right) = (x_range.start, x_range.end);
    let (bottom, top) = (y_range.start, y_range.end);
    let factor = if plot.is_share { 100.0 } else { 1.0 };
    let unit = if plot.is_share { "%" } else { "" };
    let mut chart = ChartBuilder::on(area)
        .margin(16)
        .margin_bottom(if plot.source.is_empty() { 16 } else { 36 })
        .caption(plot.title, ("sans-serif", 16))
        .x_label_area_size(44)
        .y_label_area_size(if plot.y_label.is_empty() { 52 } else { 72 })
        .build_cartesian_2d(x_range, y_range)?;
    chart
        .configure_mesh()
        .max_light_lines(0)
        .bold_line_style(RGBColor(220, 220, 220))
        .x_label_formatter(&|at| axis_number(*at))
        .y_label_formatter(&|value| axis_number(value * factor) + unit)
        .x_desc(plot.x_label)
        .y_desc(plot.y_label)
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 16))
        .draw()?;
    let at = (16, area.dim_in_pixel().1 as i32 - 24);
    area.draw_text(plot.source, &("sans-serif", 12).into_text_style(area), at)?;
    for (index, curve) in plot.curves.iter().enumerate() {
        draw_curve(&mut chart, curve, (index, band))?;
    }
    for reference in plot.references {
        draw_reference(&mut chart, reference, (left, right))?;
    }
    let middle = f64::midpoint(bottom, top);
    // Each in a row of its own, between the corners that the legend may take.
    for (row, (name, [time, _])) in (0..).zip(plot.times) {
        let gray = RGBColor(90, 90, 90);
        let ends = [(*time, bottom), (*time, top)];
        chart.draw_series(DashedLineSeries::new(ends, 4, 4, gray.stroke_width(1)))?;
        // At the side with more room.
        let side = if 2.0 * time > left + right {
            HPos::Right
        } else {
            HPos::Left
        };
        let style = ("sans-serif", 13).into_font().color(&gray);
        let style = style.pos(Pos::new(side, VPos::Center));
        let text = Text::new(format!(" {name} "), (0, 18 * row), style);
        chart.draw_series([EmptyElement::at((*time, middle)) + text])?;
    }
    if !has_legend || plot.legend().is_empty() {
        return Ok(());
    }
    chart
        .configure_series_labels()
        .position(free_corner(plot, (bottom, top)))
        .background_style(WHITE.mix(0.85))
        .border_style(RGBColor(160, 160, 160))
        .label_font(("sans-serif", 14))
        .draw()?;
    Ok(())
}

/// The corner at the right that the ends of the curves leave free.
fn free_corner(plot: &CurvePlot<'_>, (bottom, top): (f64, f64)) -> SeriesLabelPosition {
    let ends = plot.curves.iter().filter_map(|curve| curve.points.last());
    let (sum, count) = ends.fold((0.0, 0.0), |(sum, n), end| (sum + end.median, n + 1.0));
    if 2.0 * sum < (bottom + top) * count {
        SeriesLabelPosition::UpperRight
    } else {
        SeriesLabelPosition::LowerRight
    }
}

/// A number on an axis: without trailing zeros, with M for millions and k for thousands.
pub fn axis_number(value: f64) -> String {
    let rounded = |value: f64| (value * 1e6).round() / 1e6;
    match value.abs() {
        1e6.. => format!("{}M", rounded(value / 1e6)),
        1e4.. => format!("{}k", rounded(value / 1e3)),
        // A sum with zero has no negative zero.
        _ => (rounded(value) + 0.0).to_string(),
    }
}

/// The name of a curve, with the number of runs if there are several.
fn name(curve: &Curve) -> String {
    match curve.runs {
        1 => curve.preset.clone(),
        runs => format!("{} (n {runs})", curve.preset),
    }
}

/// A band with a dashed line at each end, or one such line, and the name above it.
fn draw_reference(
    chart: &mut SvgChart<'_, '_>,
    (name, [low, high]): &Reference,
    (left, right): (f64, f64),
) -> DrawResult {
    let (low, high) = (*low, *high);
    let gray = RGBColor(90, 90, 90);
    let band = Rectangle::new([(left, low), (right, high)], gray.mix(0.12).filled());
    chart.draw_series([band])?;
    for value in [low, high] {
        let ends = [(left, value), (right, value)];
        chart.draw_series(DashedLineSeries::new(ends, 4, 4, gray.stroke_width(1)))?;
    }
    let style = ("sans-serif", 13).into_font().color(&gray);
    let width = 7 * name.chars().count() as i32;
    let ground = Rectangle::new([(1, -15), (width, -2)], WHITE.mix(0.7).filled());
    let text = Text::new(name.clone(), (2, -15), style);
    chart.draw_series([EmptyElement::at((left, high)) + ground + text])?;
    Ok(())
}

/// Each curve has its own color. If there are more curves than colors, the later ones have dashed
/// lines.
fn draw_curve(
    chart: &mut SvgChart<'_, '_>,
    curve: &Curve,
    (index, band): (usize, f64),
) -> DrawResult {
    let color = COLORS[index % COLORS.len()];
    if curve.runs > 1 {
        let upper = curve.points.iter().map(|one| (one.at, one.upper_quartile));
        let lower = curve.points.iter().map(|one| (one.at, one.lower_quartile));
        let range: Vec<(f64, f64)> = upper.chain(lower.rev()).collect();
        chart.draw_series([Polygon::new(range, color.mix(band))])?;
    }
    let median = curve.points.iter().map(|one| (one.at, one.median));
    let style = color.stroke_width(2);
    let name = name(curve);
    if index < COLORS.len() {
        chart
            .draw_series(LineSeries::new(median, style))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style));
    } else {
        let points: Vec<(f64, f64)> = median.collect();
        let dashes = DashedLineSeries::new(points, 8, 4, style);
        chart
            .draw_series(dashes)?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 7, y)], style));
    }
    Ok(())
}

/// The ranges of the axes. The y-axis has a margin of 5% around the quartiles and the references.
fn ranges(plot: &CurvePlot<'_>) -> (std::ops::Range<f64>, std::ops::Range<f64>) {
    let points = || plot.curves.iter().flat_map(|curve| &curve.points);
    let low = |pick: fn(&CurvePoint) -> f64| points().map(pick).fold(f64::INFINITY, f64::min);
    let high = |pick: fn(&CurvePoint) -> f64| points().map(pick).fold(f64::NEG_INFINITY, f64::max);
    let times = plot.times.iter().map(|(_, range)| range[1]);
    let (left, right) = (low(|one| one.at), times.fold(high(|one| one.at), f64::max));
    let (least, most) = (
        low(|one| one.lower_quartile),
        high(|one| one.upper_quartile),
    );
    let references = plot.references.iter().flat_map(|(_, range)| *range);
    let (bottom, top) = references.fold((least, most), |(bottom, top), value| {
        (value.min(bottom), value.max(top))
    });
    let room = if top > bottom {
        (top - bottom) * 0.05
    } else {
        0.5
    };
    let right = if right > left { right } else { left + 1.0 };
    (left..right, bottom - room..top + room)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(preset: &str, values: &[f64]) -> Curve {
        let point = |(at, &value): (usize, &f64)| CurvePoint {
            at: at as f64,
            lower_quartile: value - 0.1,
            median: value,
            upper_quartile: value + 0.1,
        };
        Curve {
            preset: preset.to_owned(),
            runs: 3,
            points: values.iter().enumerate().map(point).collect(),
        }
    }

    fn svg_of(curves: &[Curve]) -> Result<String, PlotError> {
        svg(&CurvePlot {
            title: "3 runs",
            x_label: "generation",
            y_label: "accuracy states (share)",
            is_share: true,
            source: "nim, seeds 1 to 3",
            curves,
            references: &[
                ("the paper 150%".to_owned(), [1.5; 2]),
                ("far 200 to 300%".to_owned(), [2.0, 3.0]),
            ],
            times: &[
                ("the paper g7".to_owned(), [7.0; 2]),
                ("hard: the paper g6".to_owned(), [6.0; 2]),
            ],
        })
    }

    #[test]
    fn a_plot_has_a_line_and_a_band_for_each_curve_a_legend_and_axis_labels() {
        let curves = [curve("easy", &[0.5, 0.9, 1.0]), curve("hard", &[0.1, 0.2])];
        let text = svg_of(&curves).expect("there are values to plot");
        for part in [
            "easy (n 3)",
            "hard (n 3)",
            "generation",
            "accuracy states (share)",
            "150%",
            "nim, seeds 1 to 3",
        ] {
            assert!(text.contains(part), "{part} is missing in {text}");
        }
        let row = |name: &str| -> i32 {
            let before = text.split(name).next().unwrap_or_default();
            let row = before
                .rsplit(" y=\"")
                .next()
                .and_then(|it| it.split('"').next());
            row.and_then(|row| row.parse().ok()).expect("it has a row")
        };
        assert_eq!(row("hard: the paper g6") - row(" the paper g7"), 18);
        let named = ["the paper 150%", "far 200 to 300%", "the paper g7"];
        for (part, count) in named.map(|part| (part, 1)) {
            assert_eq!(text.matches(part).count(), count, "{text}");
        }
        assert_eq!(text.matches("<polygon").count(), 2, "{text}");
        assert!(text.trim_end().ends_with("</svg>"));
    }

    #[test]
    fn charts_that_have_values_have_a_picture_each_and_a_legend_outside() {
        let curves = [curve("easy", &[0.5, 0.9])];
        let plot = |(title, curves)| CurvePlot {
            title,
            x_label: "generation",
            y_label: "",
            is_share: false,
            source: "",
            curves,
            ..CurvePlot::default()
        };
        let plots = [("one", &curves[..]), ("none", &[]), ("three", &curves)].map(plot);
        let texts = pictures(&plots).expect("they can be drawn");
        assert_eq!(texts.len(), 2);
        for (text, title) in texts.iter().zip(["one", "three"]) {
            assert!(text.contains(title) && !text.contains("easy"), "{text}");
            assert_eq!(text.matches("<svg").count(), 1);
            assert!(text.trim_end().ends_with("</svg>"));
            assert_eq!(text.matches("<polygon").count(), 1);
        }
        assert_eq!(plots[0].legend()[0].0, "easy (n 3)");
    }

    #[test]
    fn curves_beyond_the_colors_are_dashed() {
        let curves = vec![curve("one", &[0.1, 0.9]); COLORS.len() + 1];
        let strokes = |count: usize| {
            let text = svg_of(&curves[..count]).expect("there are values to plot");
            text.matches("<polyline").count()
        };
        let plain = strokes(2) - strokes(1);
        let dashed = strokes(COLORS.len() + 1) - strokes(COLORS.len());
        assert!(dashed > plain + 3, "{dashed} strokes instead of {plain}");
    }

    #[test]
    fn axes_have_short_numbers() {
        for (value, expected) in [
            (0.1 + 0.2, "0.3"),
            (7.0, "7"),
            (9500.0, "9500"),
            (25_000.0, "25k"),
            (-1_500_000.0, "-1.5M"),
            (-0.0, "0"),
            (-1e-17, "0"),
        ] {
            assert_eq!(axis_number(value), expected);
        }
    }

    #[test]
    fn an_empty_plot_fails_and_a_single_point_does_not() {
        assert_eq!(svg_of(&[]), Err(PlotError::Empty));
        assert!(svg_of(&[curve("short", &[0.5])]).is_ok());
    }
}
