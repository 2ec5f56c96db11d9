//! What each parameter in which runs differ does: the share of the variance that it explains, and
//! the mean of each of its values.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::theme::Theme;
use crate::widgets::bar::bar;
use crate::widgets::frame::Frame;
use crate::widgets::truncate::fit;
use finches_engine::text::{p_value, percentage};
use finches_lab::experiment::sweep::effects::{FactorEffect, LevelEffect};

use super::parameters::in_words;
use super::sweep::SweepView;
use super::{RunsScreen, groups, view};

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
    let has_interval = has_interval(usize::from(area.width).saturating_sub(4));
    let frame = Frame {
        bottom_right: Line::styled(
            match (has_interval, screen.is_sweep()) {
                (true, true) => "mean, 95% interval",
                (true, false) => "mean, 95% interval · runs not drawn by a sweep",
                (false, _) => "mean",
            },
            theme.dim,
        ),
        ..Frame::titled(about)
    };
    view::draw_lines(screen, frame, theme, (area, buf), |width| {
        lines(sweep.as_ref(), theme, width)
    });
}

/// The number of lines.
pub(super) fn length(sweep: &SweepView<'_>) -> usize {
    let effects = sweep.results.effects.iter();
    effects.map(|effect| effect.levels.len() + 2).sum::<usize>()
}

fn lines<'a>(sweep: Option<&SweepView<'_>>, theme: &Theme, width: usize) -> Vec<Line<'a>> {
    let Some(sweep) = sweep else {
        let words = "These runs differ in no parameter.";
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
    effects.collect()
}

fn title<'a>(effect: &FactorEffect, theme: &Theme) -> Line<'a> {
    let words = format!(
        " explains {}% of the variance, p {}",
        percentage(effect.share, 0),
        p_value(effect.p)
    );
    Line::from(vec![
        Span::styled(in_words(&effect.parameter), theme.strong),
        Span::styled(words, theme.dim),
    ])
}

fn has_interval(width: usize) -> bool {
    let (name, mean, interval) = TEXTS;
    width > name + mean + interval + 12
}

/// A value, a bar as long as its mean is good, the mean, and its interval if there is room.
fn level_line<'a>(
    (sweep, theme): (&SweepView<'_>, &Theme),
    level: &LevelEffect,
    width: usize,
) -> Line<'a> {
    let (name, mean, interval) = TEXTS;
    let has_interval = has_interval(width);
    let texts = name + mean + 4 + if has_interval { interval } else { 0 };
    let room = width.saturating_sub(texts);
    let bar = bar(sweep.level_goodness(level.mean), room as u16, theme);
    let [middle, low, high] = sweep.level_figures(level);
    let mut line = Line::from(vec![
        Span::styled(format!("  {} ", fit(&level.value, name - 1)), theme.text),
        Span::styled(format!("{bar:<room$}"), theme.series[0]),
        Span::styled(format!("{middle:>mean$}"), theme.strong),
    ]);
    if has_interval {
        line.push_span(Span::styled(format!("  {low} to {high}"), theme.dim));
    }
    line
}
