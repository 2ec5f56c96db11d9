//! Draws the moves of a game with their judgments, the values of the moves in the current position,
//! and the loss per move.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::format;
use crate::mouse::Regions;
use crate::screen::ClickTarget;
use crate::screens::move_marks::{marks, verdict_span};
use crate::theme::Theme;
use crate::widgets::bar::bar;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::key_label::key_hints;
use crate::widgets::list::ScrollList;
use crate::widgets::text::{columns_of, cut_below, put, row_of};
use crate::widgets::truncate::{fit, pad, truncate, widest};
use finches_engine::play::game_analysis::MoveAnalysis;
use finches_engine::play::record::{Ply, Verdict};
use finches_engine::text::percent;

use super::PlyTarget;
use super::analysis::{Evaluator, MoveJudgment};
use super::screen::{GamesAction, SCOPE};
use super::{GamesScreen, ShownGame};

/// Draws the moves and, if there is room, the values of all moves in the current position.
pub(super) fn view(
    screen: &GamesScreen,
    shown: &ShownGame,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) -> Regions<ClickTarget> {
    let found = screen.analysis.found.as_ref();
    let next = found.and_then(|found| found.moves.get(screen.playback.ply));
    let mut list = area;
    // The oracle names only the best moves.
    if let Some(next) = next.filter(|it| it.verdict == Verdict::Unknown && area.height >= 24) {
        let wanted = next.best.len() as u16 + 3;
        let (above, below) = cut_below(area, wanted.min(area.height * 2 / 5));
        values(shown, next, theme, below, buf);
        list = above;
    }
    let is_value = |it: &MoveAnalysis| it.verdict == Verdict::Unknown && it.value.is_some();
    let has_values = found.is_some_and(|found| found.moves.iter().any(is_value));
    let may_change = screen.evaluator == Evaluator::Champion || screen.has_other_judge();
    let change: (&[_], _) = (&[GamesAction::NextAnalysis.action()], " change judge");
    let frame = Frame {
        right: Line::styled(judge_text(screen, shown, area.width), theme.dim),
        bottom_left: key_hints(SCOPE, &[change][usize::from(!may_change)..], theme),
        bottom_right: Line::styled(
            if has_values {
                format!("% for {}", truncate(shown.viewer(), 12))
            } else {
                String::new()
            },
            theme.dim,
        ),
        ..Frame::titled("Moves")
    };
    let inner = frame.pane(Focus::Elsewhere, theme, list, buf);
    rows(screen, shown, theme, (list, inner), buf)
}

/// Who judges, or how far the analysis is.
fn judge_text(screen: &GamesScreen, shown: &ShownGame, width: u16) -> String {
    let analysis = &screen.analysis;
    match (&analysis.judge, &analysis.found) {
        (Some(judge), Some(_)) => {
            let judge = format!("judge: {}", judge.short_name());
            truncate(&judge, usize::from(width).saturating_sub(14))
        }
        (Some(_), None) => format!("analyzing {}/{}", analysis.judged, shown.record.plies.len()),
        (None, _) => String::new(),
    }
}

fn rows(
    screen: &GamesScreen,
    shown: &ShownGame,
    theme: &Theme,
    (frame, area): (Rect, Rect),
    buf: &mut Buffer,
) -> Regions<ClickTarget> {
    let record = &shown.record;
    let current = screen.playback.ply;
    // If room is short, judgments come before the end of a long capture.
    let (most, longest) = match area.width {
        ..36 => (8, 10),
        36..50 => (14, 10),
        _ => (14, 20),
    };
    let wide = widest(record.plies.iter().map(action)).clamp(3, most);
    let name_wide = widest(record.names.iter().map(String::as_str)).min(longest);
    let list = ScrollList::new(record.plies.len(), current.saturating_sub(1));
    list.draw(theme, area, buf, |number| {
        let played = &record.plies[number];
        let is_current = number + 1 == current;
        let (mark, _, _) = marks(theme);
        let cursor = if is_current { mark } else { " " };
        let style = match number < current {
            _ if is_current => theme.accent,
            true => theme.text,
            false => theme.dim,
        };
        let name = fit(&record.names[played.side.index()], name_wide);
        let mut spans = vec![
            Span::styled(cursor, theme.accent),
            Span::styled(format!("{:>3} {name} ", number + 1), theme.dim),
            Span::styled(fit(action(played), wide) + "  ", style),
        ];
        let judged = screen.judgment(number);
        spans.extend(judged.map(|it| verdict_span(it.verdict, &it.words, theme)));
        Line::from(spans)
    });
    list.scrollbar(theme, area.height, frame, buf);
    list.regions(area, |number| ClickTarget::own(PlyTarget(number + 1)))
}

/// A move as text; illegal ones have none.
pub(super) fn action(ply: &Ply) -> &str {
    match ply.action.as_str() {
        "" => "-",
        action => action,
    }
}

/// Draws the value of each legal move and marks the move played.
fn values(shown: &ShownGame, analysis: &MoveAnalysis, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let mover = truncate(&shown.record.names[analysis.side.index()], 12);
    let made = &analysis.action;
    let (_, mark, _) = marks(theme);
    let frame = Frame {
        bottom_left: Line::from(vec![
            Span::styled(mark, theme.series[0]),
            Span::styled(" move played", theme.dim),
        ]),
        ..Frame::titled(format!("Value of each move for {mover}"))
    };
    let inner = frame.pane(Focus::Elsewhere, theme, area, buf);
    let words = analysis.best.iter().map(|(word, _)| word.as_str());
    let wide = widest(words).clamp(3, 14);
    let bars = inner.width.saturating_sub(wide as u16 + 14).min(32);
    let room = usize::from(inner.height);
    let place = analysis.best.iter().position(|(word, _)| word == made);
    // If room is short, the move played takes the last row.
    let top = room.saturating_sub(usize::from(place.is_some_and(|place| place >= room)));
    let last = place
        .filter(|_| top < room)
        .and_then(|place| analysis.best.get(place));
    for (row, (word, value)) in (0..).zip(analysis.best.iter().take(top).chain(last)) {
        let is_made = word == made;
        let style = if is_made {
            theme.series[0]
        } else {
            theme.border
        };
        let line = Line::from(vec![
            Span::styled(if is_made { mark } else { " " }, theme.series[0]),
            Span::styled(format!(" {} ", fit(word, wide)), theme.text),
            Span::styled(pad(&bar(*value, bars, theme), bars.into()), style),
            Span::styled(format!(" {:>8}", percent(*value)), theme.dim),
        ]);
        put(buf, inner, row, line);
    }
}

const BARS: [&str; 5] = ["▁", "▂", "▄", "▆", "█"];
const PLAIN: [&str; 5] = ["_", ".", "-", "=", "#"];

/// Draws the loss of each move as a bar; a click goes to the move.
pub(super) fn loss_chart(
    screen: &GamesScreen,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) -> Regions<ClickTarget> {
    let mut regions = Regions::default();
    let plies = screen.plies();
    let width = usize::from(area.width).min(plies);
    if area.height == 0 || width == 0 {
        return regions;
    }
    let glyphs = theme.sign(BARS, PLAIN);
    for column in 0..width {
        let from = column * plies / width;
        let to = ((column + 1) * plies / width).max(from + 1);
        let judged = (from..to).filter_map(|ply| screen.judgment(ply));
        let worst = judged.max_by(|a, b| a.loss.total_cmp(&b.loss));
        let is_here = (from..to).contains(&screen.playback.ply.wrapping_sub(1));
        let (glyph, style) = match worst {
            Some(worst) => {
                let most = glyphs.len() - 1;
                let height = (worst.loss * most as f64).round() as usize;
                let style = theme.verdict_style(worst.verdict);
                (glyphs[height.min(most)], style)
            }
            None => (" ", theme.dim),
        };
        let style = if is_here { theme.selection } else { style };
        let cell = row_of(columns_of(area, column as u16, 1), 0);
        put(buf, cell, 0, Span::styled(glyph, style));
        regions.add(cell, ClickTarget::own(PlyTarget(from + 1)));
    }
    if area.height > 1 {
        let is_mistake =
            |it: &MoveJudgment| matches!(it.verdict, Verdict::Mistake | Verdict::Illegal);
        let judged = (0..plies).filter_map(|ply| screen.judgment(ply));
        let words = match judged.filter(is_mistake).count() {
            0 if area.width < 43 => "loss per move".to_owned(),
            0 => "loss per move; click to go there".to_owned(),
            1 => "loss per move: 1 mistake".to_owned(),
            given => format!("loss per move: {} mistakes", format::count(given as f64)),
        };
        put(buf, area, 1, Span::styled(words, theme.dim));
    }
    regions
}
