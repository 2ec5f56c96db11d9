//! What each parameter in which runs differ does: the share of the variance that it explains, and
//! the mean of each of its values.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::theme::Theme;
use crate::widgets::bar::bar;
use crate::widgets::frame::Frame;
use crate::widgets::truncate::{fit, pad, pad_left, width, wrapped};
use finches_lab::experiment::sweep::effects::{FactorEffect, LevelEffect};

use super::parameters::in_words;
use super::sweep::SweepView;
use super::{RunsScreen, groups, view};

/// What the bars and the intervals are.
const NOTES: &str = "Bars begin at 0. The intervals are by the spread within all combinations \
    together, so they differ from those of the table, which are by that of each alone.";

/// The most rows of notes below the bars.
const MOST_NOTES: usize = 4;

/// The widths of the texts beside a bar: the value, the mean, its interval.
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
    let frame = Frame {
        bottom_right: Line::styled("mean, 95% interval", theme.dim),
        ..Frame::titled(about)
    };
    view::draw_lines(screen, frame, theme, (area, buf), |width| {
        lines(sweep.as_ref(), theme, width)
    });
}

/// The number of lines.
pub(super) fn length(sweep: &SweepView<'_>) -> usize {
    let levels = sweep.results.effects.iter().map(|it| it.levels.len() + 2);
    levels.sum::<usize>() + MOST_NOTES
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
        let levels = levels.map(|level| level_line((sweep, theme), level, width));
        let lines = std::iter::once(title(effect, theme)).chain(levels);
        lines.chain([Line::default()]).collect::<Vec<_>>()
    });
    let notes = wrapped(NOTES, width, theme.dim).into_iter();
    effects.chain(notes.take(MOST_NOTES)).collect()
}

fn title<'a>(effect: &FactorEffect, theme: &Theme) -> Line<'a> {
    Line::from(vec![
        Span::styled(in_words(&effect.parameter), theme.strong),
        Span::styled(format!(" {}", effect.words()), theme.dim),
    ])
}

/// A bar from 0 to a value between two ends, with a line at 0.
fn signed_bar(value: f64, (low, high): (f64, f64), room: usize, theme: &Theme) -> String {
    let all = (high - low).max(f64::MIN_POSITIVE);
    let room = room.saturating_sub(1);
    let left = (room as f64 * -low / all).round() as usize;
    // Whole cells below 0, because blocks grow to the right.
    let below = width(&bar(value / low, left as u16, theme));
    let below = theme.sign("█", "#").repeat(below);
    let above = bar(value / high, (room - left) as u16, theme);
    format!("{}{}{above}", pad_left(&below, left), theme.sign("▏", "|"))
}

/// A value, a bar from 0 to its mean, the mean, and its interval.
fn level_line<'a>(
    (sweep, theme): (&SweepView<'_>, &Theme),
    level: &LevelEffect,
    width: usize,
) -> Line<'a> {
    let (name, mean, interval) = TEXTS;
    let room = width.saturating_sub(name + mean + interval + 4);
    let bar = signed_bar(level.mean, sweep.level_ends(), room, theme);
    let (middle, ends) = sweep.level_figures(level);
    Line::from(vec![
        Span::styled(format!("  {} ", fit(&level.value, name - 1)), theme.text),
        Span::styled(pad(&bar, room), theme.series[0]),
        Span::styled(format!("{middle:>mean$}"), theme.strong),
        Span::styled(format!("  {ends}"), theme.dim),
    ])
}
