//! Draws the moves of a game with what is thought of each, what the champion thinks of the position that is shown, and the
//! course of the game.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::arena::record::Ply;
use crate::arena::table::Thoughts;
use crate::ui::app::point::Target;
use crate::ui::keymap::{Action, Scope};
use crate::ui::mouse::Regions;
use crate::ui::screens::signs::{figure, marks, sign};
use crate::ui::theme::Theme;
use crate::ui::widgets::bar::bar;
use crate::ui::widgets::cap::cap;
use crate::ui::widgets::fit::fit;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::text::{below, inset, put};
use crate::ui::words;

use super::judgment::{Judge, Judgment};
use super::{GamesScreen, Shown};

/// The moves, and below them what the champion thinks of the position shown where there is room.
pub(super) fn view(
    screen: &GamesScreen,
    shown: &Shown,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) -> Regions<Target> {
    let thoughts = screen
        .opinions
        .get(screen.walk.ply)
        .and_then(Option::as_ref);
    let thoughts = thoughts.filter(|_| screen.judge() == Judge::Champion && area.height >= 24);
    let mut list = area;
    if let Some(thoughts) = thoughts {
        let wanted = thoughts.opinions.len() as u16 + 3;
        list.height -= wanted.min(area.height * 2 / 5);
        let opinions = Rect {
            y: list.bottom(),
            height: area.height - list.height,
            ..area
        };
        values(screen, shown, thoughts, theme, opinions, buf);
    }
    let frame = Frame {
        title: Line::from("Moves"),
        right: Line::styled(judge_words(screen), theme.dim),
        bottom_left: Line::from(vec![
            cap(Scope::Games, &[Action::OtherJudge], theme),
            Span::styled(" other judge", theme.dim),
        ]),
        ..Frame::default()
    };
    let inner = inset(frame.draw(Focus::Elsewhere, theme, list, buf), 1);
    rows(screen, shown, theme, inner, buf)
}

/// Who judges, in words.
fn judge_words(screen: &GamesScreen) -> String {
    match (screen.judge(), screen.judging) {
        (Judge::Oracle, _) => "judged by the oracle".to_owned(),
        (Judge::Champion, Some(generation)) => format!("judged by champion g{generation}"),
        (Judge::Champion, None) => "judged by the champion".to_owned(),
    }
}

fn rows(
    screen: &GamesScreen,
    shown: &Shown,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) -> Regions<Target> {
    let mut regions = Regions::default();
    let record = &shown.record;
    let room = usize::from(area.height);
    let current = screen.walk.ply;
    // The move to come is in sight as well.
    let first = (current + 1).saturating_sub(room.max(1));
    // Where there is little room, what is thought of a move comes before the end of a long capture.
    let most = if area.width < 36 { 8 } else { 14 };
    let longest = record.plies.iter().map(|ply| action(ply).chars().count());
    let wide = longest.max().unwrap_or(0).clamp(3, most);
    let names = record.names.iter().map(|name| name.chars().count());
    let name_wide = names.max().unwrap_or(0).min(10);
    for (row, (number, played)) in (0..).zip(record.plies.iter().enumerate().skip(first).take(room))
    {
        let line = Rect {
            height: 1,
            ..below(area, row)
        };
        let is_current = number + 1 == current;
        let cursor = match (is_current, theme.ascii) {
            (true, true) => ">",
            (true, false) => "›",
            (false, _) => " ",
        };
        let style = match number < current {
            _ if is_current => theme.accent,
            true => theme.text,
            false => theme.dim,
        };
        let name = fit(&record.names[played.side.index()], name_wide);
        let mut spans = vec![
            Span::styled(cursor, theme.accent),
            Span::styled(format!("{:>3} {name:<name_wide$} ", number + 1), theme.dim),
            Span::styled(format!("{:<wide$}  ", fit(action(played), wide)), style),
        ];
        spans.extend(screen.judged(number).map(|it| told(&it, theme)));
        put(buf, line, 0, Line::from(spans));
        regions.add(line, Target::Ply(number + 1));
    }
    regions
}

/// A move as it is written; an illegal one is not told.
pub(super) fn action(ply: &Ply) -> &str {
    match ply.action.as_str() {
        "" => "-",
        action => action,
    }
}

/// A judgment by sign and word.
pub(super) fn told(judgment: &Judgment, theme: &Theme) -> Span<'static> {
    let sign = sign(judgment.verdict, theme);
    let words = format!("{sign} {}", judgment.words);
    Span::styled(words, theme.verdict(judgment.verdict))
}

/// What the champion thinks of each move that could be made now, the one that was made marked.
fn values(
    screen: &GamesScreen,
    shown: &Shown,
    thoughts: &Thoughts,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let made = shown.record.plies.get(screen.walk.ply).map(action);
    let (_, mark, _) = marks(theme);
    let frame = Frame {
        title: Line::from("Its value of each move now"),
        bottom_left: Line::from(vec![
            Span::styled(mark, theme.series[0]),
            Span::styled(" the move that was made", theme.dim),
        ]),
        ..Frame::default()
    };
    let inner = inset(frame.draw(Focus::Elsewhere, theme, area, buf), 1);
    let finite = || {
        let values = thoughts.opinions.iter().map(|(_, value)| *value);
        values.filter(|value| value.is_finite())
    };
    let low = finite().fold(f32::INFINITY, f32::min);
    let high = finite().fold(f32::NEG_INFINITY, f32::max);
    let longest = thoughts
        .opinions
        .iter()
        .map(|(word, _)| word.chars().count());
    let wide = longest.max().unwrap_or(0).clamp(3, 14);
    let bars = inner.width.saturating_sub(wide as u16 + 14).min(32);
    let room = usize::from(inner.height);
    let place = thoughts
        .opinions
        .iter()
        .position(|(word, _)| Some(word.as_str()) == made);
    // The move that was made takes the last row where there is no room for all.
    let top = room.saturating_sub(usize::from(place.is_some_and(|place| place >= room)));
    let last = place
        .filter(|_| top < room)
        .and_then(|place| thoughts.opinions.get(place));
    for (row, (word, value)) in (0..).zip(thoughts.opinions.iter().take(top).chain(last)) {
        let share = if high > low {
            f64::from((value - low) / (high - low))
        } else {
            1.0
        };
        let is_made = Some(word.as_str()) == made;
        let style = if is_made {
            theme.series[0]
        } else {
            theme.border
        };
        let line = Line::from(vec![
            Span::styled(if is_made { mark } else { " " }, theme.series[0]),
            Span::styled(format!(" {:<wide$} ", fit(word, wide)), theme.text),
            Span::styled(
                format!("{:<1$}", bar(share, bars, theme), usize::from(bars)),
                style,
            ),
            Span::styled(format!(" {:>8}", figure(*value)), theme.dim),
        ]);
        put(buf, inner, row, line);
    }
}

const BARS: [&str; 5] = ["▁", "▂", "▄", "▆", "█"];
const PLAIN: [&str; 5] = ["_", ".", "-", "=", "#"];

/// What each move gave away, a bar a move, the present one marked; a click goes there.
pub(super) fn course(
    screen: &GamesScreen,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) -> Regions<Target> {
    let mut regions = Regions::default();
    let plies = screen.plies();
    let width = usize::from(area.width).min(plies);
    if area.height == 0 || width == 0 {
        return regions;
    }
    let glyphs = if theme.ascii { PLAIN } else { BARS };
    let mut given = 0;
    for column in 0..width {
        let (from, to) = (
            column * plies / width,
            ((column + 1) * plies / width).max(column * plies / width + 1),
        );
        let judged: Vec<Judgment> = (from..to).filter_map(|ply| screen.judged(ply)).collect();
        let worst = judged.iter().max_by(|a, b| a.loss.total_cmp(&b.loss));
        let is_here = (from..to).contains(&screen.walk.ply.wrapping_sub(1));
        let (glyph, style) = match worst {
            Some(worst) => {
                given += usize::from(worst.loss > 0.5);
                let height = (worst.loss * (glyphs.len() - 1) as f32).round() as usize;
                (
                    glyphs[height.min(glyphs.len() - 1)],
                    theme.verdict(worst.verdict),
                )
            }
            None => (" ", theme.dim),
        };
        let style = if is_here { theme.selection } else { style };
        let cell = Rect {
            x: area.x + column as u16,
            width: 1,
            height: 1,
            ..area
        };
        put(buf, cell, 0, Span::styled(glyph, style));
        regions.add(cell, Target::Ply(from + 1));
    }
    if area.height > 1 {
        let words = match given {
            0 if area.width < 43 => "what each move gave away".to_owned(),
            0 => "what each move gave away; click goes there".to_owned(),
            1 => "what each move gave away: 1 mistake".to_owned(),
            given => format!(
                "what each move gave away: {} mistakes",
                words::count(given as f64)
            ),
        };
        put(buf, area, 1, Span::styled(words, theme.dim));
    }
    regions
}
