//! A bar beside the board: how far the user is ahead, from below, and the opponent, from above.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Line;
use ratatui::widgets::Widget;

use crate::theme::Theme;
use crate::widgets::board;
use crate::widgets::histogram::BLOCKS;
use crate::widgets::text::right_of;
use finches_engine::games::board::Board;

use super::PlayScreen;
use super::analysis::ShownValues;
use super::current::PlayOutcome;
use finches_engine::play::score_scale;

/// The columns of the bar, with its figure and a gap.
const COLUMNS: u16 = 6;

/// The rows from which both ends of the bar have a label.
const LABELED: u16 = 6;

/// The columns from which a board has a bar beside it.
const LEAST: u16 = 34;

/// The area of the board beside the bar, if there is a bar.
pub(super) fn beside(play: &PlayScreen, area: Rect) -> Rect {
    let is_known = play.current.game.info().scores.are_values || play.analysis.winning.is_some();
    let is_hidden = play.analysis.shown == ShownValues::Nowhere;
    if !is_known || is_hidden || area.width < LEAST {
        return area;
    }
    right_of(area, COLUMNS)
}

/// Draws the bar left of a board that is drawn in the area beside it.
pub(super) fn view(play: &PlayScreen, board: &Board, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let places = beside(play, area);
    let Some((share, text)) = lead(play).filter(|_| places != area) else {
        return;
    };
    let board = board::place(board.whole(), board, places);
    let height = board.height.saturating_sub(1);
    let labels = u16::from(height >= LABELED);
    let rows = labels..height - labels;
    let [you, other] =
        [play.current.human, play.current.human.opponent()].map(|side| theme.side_style(side));
    let filled = (share * 8.0 * rows.len() as f64).round() as usize;
    for row in rows {
        let eighths = filled.saturating_sub(8 * usize::from(row - labels)).min(8);
        let (glyph, style) = match (theme.squares(), other.fg) {
            (Some(_), Some(color)) if !theme.ascii => (BLOCKS[eighths], you.bg(color)),
            _ if eighths >= 4 => (theme.sign("█", "#"), you),
            _ => (theme.sign("░", "."), other),
        };
        for x in board.x - COLUMNS + 1..board.x - COLUMNS + 4 {
            let y = board.y + height - 1 - row;
            buf[(x, y)].set_symbol(glyph).set_style(style);
        }
    }
    let mut write = |y: u16, text: &str, style| {
        let area = Rect::new(board.x - COLUMNS, y, COLUMNS - 1, 1);
        Line::styled(text, style).centered().render(area, buf);
    };
    if labels > 0 {
        write(board.y, play.opponents.short_kind(), other);
        write(board.y + height - 1, "you", you);
    }
    let style = you.add_modifier(Modifier::BOLD);
    write(board.y + height, &text, style);
}

/// Who says how far the user is ahead, as long as that is not the result; empty without a bar.
pub(super) fn judge(play: &PlayScreen, area: Rect) -> &'static str {
    let has_bar = beside(play, area) != area && play.analysis.lead.is_some();
    match play.analysis.lead {
        _ if !has_bar || play.current.outcome.is_some() => "",
        Some(lead) if lead.is_known => "bar: oracle",
        _ => "bar: champion",
    }
}

/// How far the user is ahead, and its text: the result of a finished game, else the latest value.
fn lead(play: &PlayScreen) -> Option<(f64, String)> {
    let (share, text) = match play.current.outcome {
        None => {
            // It is said of the user, below which it is written.
            let word = |share| match share {
                0.0 => "lose".to_owned(),
                1.0 => "win".to_owned(),
                _ => score_scale::text(share),
            };
            return play
                .analysis
                .lead
                .map(|lead| (lead.share, word(lead.share)));
        }
        Some(PlayOutcome::ChampionWins) => (0.0, "lost"),
        Some(PlayOutcome::Draw) => (0.5, "drawn"),
        Some(PlayOutcome::HumanWins | PlayOutcome::IllegalChampionMove) => (1.0, "won"),
    };
    Some((share, text.to_owned()))
}
