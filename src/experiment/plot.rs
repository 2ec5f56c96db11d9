//! Curves as an SVG drawing. It knows nothing of runs.

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::curves::{Curve, Point};

/// What is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    pub title: &'a str,
    /// The axes with their units.
    pub across: &'a str,
    pub up: &'a str,
    pub curves: &'a [Curve],
}

/// Colors that people with any kind of color vision tell apart (Okabe & Ito 2008), its yellow left out, which is too light
/// for a line.
const COLORS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(0, 0, 0),
];

const SIZE: (u32, u32) = (960, 600);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// The median of each curve as a line and its middle half as a band, or why that can't be drawn.
pub fn svg(drawing: &Drawing<'_>) -> Result<String, String> {
    let points = drawing.curves.iter().flat_map(|curve| &curve.points);
    if points.count() == 0 {
        return Err("there are no figures to draw".to_owned());
    }
    let mut text = String::new();
    let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
    draw(&area, drawing).map_err(|error| error.to_string())?;
    drop(area);
    Ok(text)
}

type Drawn = Result<(), Box<dyn std::error::Error>>;

fn draw(area: &Area<'_>, drawing: &Drawing<'_>) -> Drawn {
    area.fill(&WHITE)?;
    let (across, up) = ranges(drawing.curves);
    let mut chart = ChartBuilder::on(area)
        .margin(16)
        .caption(drawing.title, ("sans-serif", 20))
        .x_label_area_size(48)
        .y_label_area_size(72)
        .build_cartesian_2d(across, up)?;
    chart
        .configure_mesh()
        .max_light_lines(0)
        .bold_line_style(RGBColor(220, 220, 220))
        .x_label_formatter(&|at| number(*at))
        .y_label_formatter(&|figure| number(*figure))
        .x_desc(drawing.across)
        .y_desc(drawing.up)
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 16))
        .draw()?;
    for (place, curve) in drawing.curves.iter().enumerate() {
        draw_curve(&mut chart, curve, place)?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .background_style(WHITE.mix(0.85))
        .border_style(RGBColor(160, 160, 160))
        .label_font(("sans-serif", 14))
        .draw()?;
    area.present()?;
    Ok(())
}

/// A number at an axis: no more digits than it has, millions and thousands by their letters.
fn number(value: f64) -> String {
    let rounded = |value: f64| (value * 1e6).round() / 1e6;
    match value.abs() {
        1e6.. => format!("{}M", rounded(value / 1e6)),
        1e4.. => format!("{}k", rounded(value / 1e3)),
        _ => rounded(value).to_string(),
    }
}

/// A color stands for one curve; where there are more curves than colors, the later ones have dashed lines.
fn draw_curve(chart: &mut Chart<'_, '_>, curve: &Curve, place: usize) -> Drawn {
    let color = COLORS[place % COLORS.len()];
    let upper = curve.points.iter().map(|one| (one.at, one.upper_quartile));
    let lower = curve.points.iter().map(|one| (one.at, one.lower_quartile));
    let band: Vec<(f64, f64)> = upper.chain(lower.rev()).collect();
    chart.draw_series([Polygon::new(band, color.mix(0.18))])?;
    let median = curve.points.iter().map(|one| (one.at, one.median));
    let style = color.stroke_width(2);
    let name = format!("{} (n {})", curve.preset, curve.runs);
    if place < COLORS.len() {
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

/// From the first to the last place, and from the lowest to the highest quartile with a little room.
fn ranges(curves: &[Curve]) -> (std::ops::Range<f64>, std::ops::Range<f64>) {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let low = |pick: fn(&Point) -> f64| points().map(pick).fold(f64::INFINITY, f64::min);
    let high = |pick: fn(&Point) -> f64| points().map(pick).fold(f64::NEG_INFINITY, f64::max);
    let (left, right) = (low(|one| one.at), high(|one| one.at));
    let (bottom, top) = (
        low(|one| one.lower_quartile),
        high(|one| one.upper_quartile),
    );
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

    fn curve(preset: &str, figures: &[f64]) -> Curve {
        let point = |(at, &figure): (usize, &f64)| Point {
            at: at as f64,
            lower_quartile: figure - 0.1,
            median: figure,
            upper_quartile: figure + 0.1,
        };
        Curve {
            preset: preset.to_owned(),
            runs: 3,
            points: figures.iter().enumerate().map(point).collect(),
        }
    }

    fn drawn(curves: &[Curve]) -> Result<String, String> {
        svg(&Drawing {
            title: "3 runs",
            across: "generation",
            up: "accuracy states (share)",
            curves,
        })
    }

    #[test]
    fn a_drawing_has_a_line_and_a_band_for_each_curve_a_legend_and_named_axes() {
        let curves = [curve("easy", &[0.5, 0.9, 1.0]), curve("hard", &[0.1, 0.2])];
        let text = drawn(&curves).expect("there is something to draw");
        for part in [
            "easy (n 3)",
            "hard (n 3)",
            "generation",
            "accuracy states (share)",
        ] {
            assert!(text.contains(part), "{part} is missing in {text}");
        }
        assert_eq!(text.matches("<polygon").count(), 2, "{text}");
        assert!(text.trim_end().ends_with("</svg>"));
    }

    #[test]
    fn curves_beyond_the_colors_are_dashed() {
        let curves = vec![curve("one", &[0.1, 0.9]); COLORS.len() + 1];
        let strokes = |count: usize| {
            let text = drawn(&curves[..count]).expect("there is something to draw");
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
        ] {
            assert_eq!(number(value), expected);
        }
    }

    #[test]
    fn nothing_and_a_single_point_are_no_trouble() {
        assert!(drawn(&[]).is_err());
        assert!(drawn(&[curve("short", &[0.5])]).is_ok());
    }
}
