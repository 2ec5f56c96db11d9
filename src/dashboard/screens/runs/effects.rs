//! What each parameter in which runs differ does: the share of the variance that it explains, and
//! the mean of each of its values with its interval, all on one axis.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::theme::Theme;
use crate::widgets::frame::Frame;
use crate::widgets::truncate::{fit, pad_left, wrapped};
use finches_engine::metrics::csv_text::csv_field;
use finches_lab::experiment::sweep::effects::{FactorEffect, LevelEffect};
use finches_lab::experiment::sweep::results::SweepResults;
use finches_lab::experiment::table::bound_sign;

use super::parameters::in_words;
use super::sweep::{SweepView, interval};
use super::{RunsScreen, groups, view};

/// What the intervals are.
const NOTES: &str = "Intervals here are of the spread of all combinations together; those in the \
    table are of each alone.";

/// The most rows of notes below the intervals.
const MOST_NOTES: usize = 4;

/// The widths of the texts beside an interval: the value, the mean, the ends.
const TEXTS: (usize, usize, usize) = (16, 7, 18);

pub(super) fn draw(screen: &RunsScreen, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let sweep = screen.sweep();
    let about = match sweep.as_ref() {
        None => "Effects".to_owned(),
        Some(sweep) => match &sweep.results.effects_measure {
            None => format!("What each parameter does: {}", sweep.measure()),
            Some(measure) => format!("Effects on {}", groups::measure_words(measure)),
        },
    };
    let own = sweep.as_ref().map(|it| it.results);
    let own = own.filter(|it| it.effects_measure.is_none());
    let best = own.map(|it| if it.is_lowest_best { "low" } else { "high" });
    let best = best.map_or(String::new(), |best| format!("; {best} is good"));
    let frame = Frame {
        bottom_right: Line::styled(format!("mean, 95% interval{best}"), theme.dim),
        ..Frame::titled(about)
    };
    view::draw_lines(screen, frame, theme, (area, buf), |width| {
        lines(sweep.as_ref(), theme, width)
    });
}

/// The number of lines.
pub(super) fn length(sweep: &SweepView<'_>) -> usize {
    let levels = sweep.results.effects.iter().map(|it| it.levels.len() + 2);
    levels.sum::<usize>() + MOST_NOTES + 2
}

/// The effects for other programs.
pub(super) fn records(results: &SweepResults) -> Vec<Vec<String>> {
    let head = "parameter,value,mean,mean_low,mean_high,is_lower_bound,share_of_variance,p";
    let mut records = vec![head.split(',').map(str::to_owned).collect()];
    for effect in &results.effects {
        for level in &effect.levels {
            let (low, high) = level.interval.unzip();
            let is_bound = results.is_effect_bound(&[(effect.index, &level.value)]);
            let mut record = vec![effect.parameter.clone(), level.value.clone()];
            record.extend([Some(level.mean), low, high].map(csv_field));
            record.push(is_bound.to_string());
            record.extend([effect.share, effect.p].map(csv_field));
            records.push(record);
        }
    }
    records
}

fn lines<'a>(sweep: Option<&SweepView<'_>>, theme: &Theme, width: usize) -> Vec<Line<'a>> {
    let Some(sweep) = sweep else {
        let words = "These runs differ in no parameter, or none has finished.";
        return vec![Line::styled(words, theme.dim)];
    };
    if sweep.results.effects.is_empty() {
        return vec![Line::styled("too few finished runs to tell", theme.dim)];
    }
    let effects = sweep.results.effects.iter().flat_map(|effect| {
        let levels = effect.levels.iter();
        let levels = levels.map(|level| level_line((sweep, theme), (effect, level), width));
        let lines = std::iter::once(title(effect, theme)).chain(levels);
        lines.chain([Line::default()]).collect::<Vec<_>>()
    });
    let (least, most) = sweep.axis();
    let zero = if least < 0.0 && most > 0.0 {
        format!("{} is 0. ", theme.sign("│", "|"))
    } else {
        String::new()
    };
    let [least, most] = [least, most].map(|end| sweep.effect_figure(end));
    let (before, right) = (TEXTS.0 + 2, room(width).saturating_sub(least.len()));
    let axis = format!("{:before$}{least}{}", "", pad_left(&most, right));
    let notes = wrapped(&format!("{zero}{NOTES}"), width, theme.dim).into_iter();
    let axis = [Line::styled(axis, theme.dim), Line::default()];
    let notes = axis.into_iter().chain(notes.take(MOST_NOTES));
    effects.chain(notes).collect()
}

fn title<'a>(effect: &FactorEffect, theme: &Theme) -> Line<'a> {
    Line::from(vec![
        Span::styled(in_words(&effect.parameter), theme.strong),
        Span::styled(format!(" {}", effect.words()), theme.dim),
    ])
}

/// A mean within its interval on an axis of `room` columns, with a line at 0.
fn whisker(
    mean: f64,
    (low, high): (f64, f64),
    (least, most): (f64, f64),
    room: usize,
    theme: &Theme,
) -> String {
    let scale = room.saturating_sub(1) as f64 / (most - least).max(f64::MIN_POSITIVE);
    let column = |value: f64| ((value - least) * scale).round() as isize;
    let [zero, mean, low, high] = [0.0, mean, low, high].map(column);
    let sign = |place| match place {
        _ if place == mean => theme.sign("●", "*"),
        _ if place == low => theme.sign("├", "["),
        _ if place == high => theme.sign("┤", "]"),
        _ if (low..high).contains(&place) => theme.sign("─", "-"),
        _ if place == zero => theme.sign("│", "|"),
        _ => " ",
    };
    (0..room as isize).map(sign).collect()
}

/// The columns of the axis.
fn room(width: usize) -> usize {
    let (name, mean, ends) = TEXTS;
    width.saturating_sub(name + mean + ends + 4)
}

/// A value, its mean and interval as drawn, then in figures.
fn level_line<'a>(
    (sweep, theme): (&SweepView<'_>, &Theme),
    (effect, level): (&FactorEffect, &LevelEffect),
    width: usize,
) -> Line<'a> {
    let (name, mean, _) = TEXTS;
    let (low, high) = interval(level);
    let drawn = whisker(level.mean, (low, high), sweep.axis(), room(width), theme);
    let levels = [(effect.index, &*level.value)];
    let sign = bound_sign(sweep.results.is_effect_bound(&levels));
    let figure = |value| sweep.effect_figure(value);
    let interval = level.interval.map_or("-".to_owned(), |_| {
        format!("{sign}{} to {}", figure(low), figure(high))
    });
    Line::from(vec![
        Span::styled(format!("  {} ", fit(&level.value, name - 1)), theme.text),
        Span::styled(drawn, theme.series[0]),
        Span::styled(
            pad_left(&format!("{sign}{}", figure(level.mean)), mean),
            theme.strong,
        ),
        Span::styled(format!("  {interval}"), theme.dim),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_lie_on_one_axis_with_a_line_at_zero() {
        let check = |mean, interval, expected: &str| {
            let drawn = whisker(mean, interval, (-1.0, 4.0), 11, &Theme::dark());
            assert_eq!(drawn, expected);
        };
        check(3.0, (2.0, 4.0), "  │   ├─●─┤");
        check(0.5, (-1.0, 2.0), "├──●──┤    ");
        check(2.0, (2.0, 2.0), "  │   ●    ");
    }
}
