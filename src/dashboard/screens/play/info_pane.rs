//! Draws the game's information: score, opponent, search settings, and the goal of the game.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::keymap::Action;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::key_label::key_label;
use crate::widgets::text::put_all;
use crate::widgets::truncate::{truncate_line, wrap};
use finches_engine::contest::Tally;
use finches_engine::games::Side;

use super::opponent::{OpponentPlayer, Opponents};
use super::search_settings::SearchSettings;
use super::{PlayScreen, SCOPE};

/// Keys that change the opponent, and keys that change its search.
const CHAMPION_KEYS: [Action; 2] = [Action::OlderChampion, Action::NewerChampion];
const SEARCH_KEYS: [Action; 2] = [Action::SearchDeeper, Action::SearchShallower];

/// The width of a pane with room for a few more words.
const WIDE: u16 = 46;

/// The rows of a pane with a line for each fact.
const WITH_LINES: u16 = 6;

/// Draws the pane.
pub(super) fn view(play: &PlayScreen, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let opponents = &play.opponents;
    let search = &play.analysis.search;
    if area.height < WITH_LINES {
        let title = opponents.title(area.width.saturating_sub(6).into());
        let inner = Frame::titled(title).pane(Focus::Elsewhere, theme, area, buf);
        put_all(buf, inner, short_lines(play, inner.width.into(), theme));
        return;
    }
    let inner = Frame::titled("Game").pane(Focus::Elsewhere, theme, area, buf);
    let fact = |name: &'static str, spans: Vec<Span<'static>>| {
        let mut line = vec![Span::styled(format!("{name:<10}"), theme.dim)];
        line.extend(spans);
        Line::from(line)
    };
    let plain = |text: String| vec![Span::styled(text, theme.text)];
    let first = match play.current.human {
        Side::First => "you move first".to_owned(),
        Side::Second => format!("{} moves first", opponents.kind()),
    };
    let mut lines = vec![
        fact("score", score(play.score, opponents.short_kind(), theme)),
        fact("game", plain(format!("{}, {first}", play.current.number))),
        fact("champion", opponent_spans(opponents, theme)),
        fact("search", search_spans(search, inner.width, theme)),
    ];
    let program = opponents.program.as_ref();
    let program = program.map(|program| fact("program", plain(program.name.clone())));
    let measured = opponents.measured(search.level());
    let measured = measured.map(|words| fact("measured", plain(words)));
    lines.extend(program.or(measured));
    let goal = play.current.game.info().goal;
    let goal = wrap(goal, usize::from(inner.width).saturating_sub(10));
    let names = std::iter::once("goal").chain(std::iter::repeat(""));
    let row = |(name, words)| fact(name, plain(words));
    let goal: Vec<Line<'_>> = names.zip(goal).map(row).collect();
    let room = usize::from(inner.height);
    if lines.len() + goal.len() <= room {
        lines.extend(goal);
    }
    put_all(buf, inner, lines);
}

/// What changes from game to game, in two lines.
fn short_lines(play: &PlayScreen, width: usize, theme: &Theme) -> [Line<'static>; 2] {
    let opponents = &play.opponents;
    let name = opponents.current.as_ref();
    let name = name.map_or_else(String::new, OpponentPlayer::short_name);
    let mut player = Line::from(vec![
        Span::styled(name + " ", theme.strong),
        key_label(SCOPE, &CHAMPION_KEYS, theme),
        Span::raw(" "),
    ]);
    player.extend(search_spans(&play.analysis.search, 0, theme));
    let mut score = Line::from(score(play.score, opponents.short_kind(), theme));
    score.push_span(Span::styled(
        format!("game {}", play.current.number),
        theme.dim,
    ));
    truncate_line(&mut player, width, theme.dim);
    truncate_line(&mut score, width, theme.dim);
    [player, score]
}

fn opponent_spans(opponents: &Opponents, theme: &Theme) -> Vec<Span<'static>> {
    let Some(opponent) = &opponents.current else {
        return vec![Span::styled("none yet", theme.dim)];
    };
    let generation = Span::styled(opponent.short_name(), theme.strong);
    let newer = opponents
        .champions
        .live()
        .filter(|&live| live > opponent.generation)
        .map(|live| Span::styled(format!(" newest g{live}"), theme.dim));
    let others = key_label(SCOPE, &CHAMPION_KEYS, theme);
    match newer {
        // The narrowest pane has no room for more.
        Some(newer) => vec![generation, newer, Span::raw(" "), others],
        None => vec![
            generation,
            Span::raw("   "),
            others,
            Span::styled(" change", theme.dim),
        ],
    }
}

fn search_spans(settings: &SearchSettings, width: u16, theme: &Theme) -> Vec<Span<'static>> {
    let search = match width {
        ..WIDE => settings.short_description(),
        _ if settings.is_as_evolved() => settings.description() + ", as evolved",
        _ => settings.description(),
    };
    let mut spans = vec![Span::styled(search, theme.text)];
    if settings.is_adjustable() {
        spans.push(Span::raw(" "));
        spans.push(key_label(SCOPE, &SEARCH_KEYS, theme));
    }
    spans
}

fn score(score: Tally, other: &'static str, theme: &Theme) -> Vec<Span<'static>> {
    let part = |name: &'static str, count: u64| {
        [
            Span::styled(format!("{name} "), theme.text),
            Span::styled(format!("{count}  "), theme.strong),
        ]
    };
    let mut parts = [part("you", score.wins), part(other, score.losses)].concat();
    if score.draws > 0 {
        parts.extend(part("draws", score.draws));
    }
    parts
}
