//! The course of runs on a ladder as a plot.

use finches_engine::play::ladder::ANCHOR;
use finches_engine::session::measures::progress;
use finches_lab::experiment::curves::{Curve, CurvePoint};
use finches_lab::experiment::plot::{CurvePlot, svg};

use super::{CliError, LadderReport};

/// The rating of each champion over its generation, with its 95% interval as a band, as SVG.
pub(super) fn plot(report: &LadderReport<'_>) -> Result<String, CliError> {
    let mut curves: Vec<Curve> = Vec::new();
    for point in &report.course {
        let (low, high) = report.results.ratings.interval(point.player);
        let place = CurvePoint {
            at: point.generation as f64,
            lower_quartile: low,
            median: report.results.ratings.elo[point.player],
            upper_quartile: high,
        };
        match curves.iter_mut().find(|curve| curve.preset == point.run) {
            Some(curve) => curve.points.push(place),
            None => curves.push(Curve {
                preset: point.run.clone(),
                runs: 1,
                points: vec![place],
            }),
        }
    }
    let game = report.game.name().replace('_', " ");
    // A curve alone has no legend.
    let title = match &curves[..] {
        [curve] => format!("{} on the ladder of {game}", curve.preset),
        _ => format!("The ladder of {game}"),
    };
    let curve_plot = CurvePlot {
        title: &title,
        x_label: progress::GENERATION.name,
        y_label: &format!("Elo, {ANCHOR} = 0, with 95% intervals"),
        curves: &curves,
        ..CurvePlot::default()
    };
    svg(&curve_plot).map_err(CliError::failure)
}
