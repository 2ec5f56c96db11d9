//! What each parameter of a sweep does: the share of the variance that it explains, and the mean of
//! each of its values.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::theme::Theme;
use crate::widgets::bar::bar;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::text::{inset, put};
use crate::widgets::truncate::{fit, truncate};
use finches_engine::text::{p_value, percentage};
use finches_lab::experiment::sweep::effects::{FactorEffect, LevelEffect};

use super::sweep::SweepView;

/// The widths of the texts beside a bar: the value, the mean, its interval.
const TEXTS: (usize, usize, usize) = (16, 7, 18);

pub(super) fn view(sweep: &SweepView<'_>, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let about = match &sweep.results.effects_measure {
        None => "What each parameter does".to_owned(),
        Some(measure) => format!("Effects on {measure}"),
    };
    let room = usize::from(area.width).saturating_sub(6);
    let frame = Frame::titled(truncate(&about, room));
    let inner = inset(frame.draw(Focus::Elsewhere, theme, area, buf), 1);
    if sweep.results.effects.is_empty() {
        let words = "too few finished runs to tell";
        put(buf, inner, 0, Span::styled(words, theme.dim));
        return;
    }
    let mut row = 0;
    for effect in &sweep.results.effects {
        let needed = effect.levels.len() as u16 + 1;
        if row > 0 && row + needed > inner.height {
            let words = "more with more room; all are in the printed results";
            put(
                buf,
                inner,
                row.min(inner.height.saturating_sub(1)),
                Span::styled(words, theme.dim),
            );
            return;
        }
        put(buf, inner, row, title(effect, theme, inner.width.into()));
        for (index, level) in effect.levels.iter().enumerate() {
            put(
                buf,
                inner,
                row + 1 + index as u16,
                line((sweep, theme), level, inner.width),
            );
        }
        row += needed + 1;
    }
}

fn title<'a>(effect: &FactorEffect, theme: &Theme, room: usize) -> Line<'a> {
    let words = format!(
        " explains {} % of the variance, p {}",
        percentage(effect.share, 0),
        p_value(effect.p)
    );
    let name = truncate(&effect.parameter, room.saturating_sub(8));
    let left = room.saturating_sub(name.chars().count());
    Line::from(vec![
        Span::styled(name, theme.strong),
        Span::styled(truncate(&words, left), theme.dim),
    ])
}

/// A value, a bar as long as its mean is good, the mean, and its interval if there is room.
fn line<'a>((sweep, theme): (&SweepView<'_>, &Theme), level: &LevelEffect, width: u16) -> Line<'a> {
    let (name, mean, interval) = TEXTS;
    let has_interval = usize::from(width) > name + mean + interval + 12;
    let texts = name + mean + 4 + if has_interval { interval } else { 0 };
    let room = usize::from(width).saturating_sub(texts);
    let bar = bar(sweep.level_goodness(level.mean), room as u16, theme);
    let mut line = Line::from(vec![
        Span::styled(format!("  {} ", fit(&level.value, name - 1)), theme.text),
        Span::styled(format!("{bar:<room$}"), theme.series[0]),
        Span::styled(format!("{:>mean$}", sweep.figure(level.mean)), theme.strong),
    ]);
    if has_interval {
        let words = format!(
            "  {} to {}",
            sweep.figure(level.low),
            sweep.figure(level.high)
        );
        line.push_span(Span::styled(words, theme.dim));
    }
    line
}
