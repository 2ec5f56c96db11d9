//! The sample game, replayed move by move with the oracle's verdicts.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::keymap::Action;
use crate::model::run::RunModel;
use crate::model::sample_game::{HeldGame, SampleGame};
use crate::screens::move_marks::{self, short_verdict_span};
use crate::screens::placeholder;
use crate::screens::sides;
use crate::theme::Theme;
use crate::widgets::board;
use crate::widgets::frame::Frame;
use crate::widgets::gauge::gauge;
use crate::widgets::key_label::key_hints;
use crate::widgets::list::{ListRow, ScrollList};
use crate::widgets::text::{below, cut_below, first_rows, put};
use crate::widgets::truncate::{truncate, truncate_line};
use finches_engine::games::Side;
use finches_engine::games::board::{Board, MaxSize};
use finches_engine::play::record::{GameRecord, RecordMoment};

use super::charts::PaneContext;
use super::screen::{RunAction, SCOPE};

pub fn view(watch: &RunModel, sample: &SampleGame, context: PaneContext<'_>, buf: &mut Buffer) {
    let theme = context.theme;
    let Some(held) = &sample.current else {
        let inner = Frame::titled("Sample game").pane(context.focus, theme, context.area, buf);
        placeholder::draw(Some(watch), theme, inner, buf);
        return;
    };
    let state = if sample.is_autoplay() {
        theme.sign("▶ auto", "auto")
    } else {
        "manual"
    };
    let frame = Frame {
        title: Line::from("Sample game"),
        right: Line::styled(format!("g{}", held.generation), theme.dim),
        bottom_left: Line::styled(state, theme.dim),
        bottom_right: key_hints(SCOPE, &KEYS, theme),
        ..Frame::default()
    };
    let inner = frame.pane(context.focus, theme, context.area, buf);
    draw_game(watch, held, sample.moment(), theme, inner, buf);
}

/// The keys of the sample game.
const KEYS: [(&[Action], &str); 2] = [
    (&[Action::PreviousMove, Action::NextMove], " step "),
    (&[RunAction::NextGame.action()], " next"),
];

/// Lines below the board: the move, the outcome, and the progress bar.
const LINES: u16 = 3;

fn draw_game(
    watch: &RunModel,
    held: &HeldGame,
    moment: RecordMoment,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let (record, ply) = (&held.record, moment.ply);
    let latest = latest_move(record, ply, area.width, theme);
    if area.height < 4 {
        put_whole(buf, area, 0, latest, theme);
        return;
    }
    let (picture, lines) = picture(watch, record, moment, area);
    let top = u16::from(lines > LINES);
    if top > 0 {
        put_whole(buf, area, 0, players(record, theme), theme);
    }
    let lines = lines - top;
    let (room, foot) = cut_below(below(area, top), lines);
    // A tall pane has room for the list of moves below the board.
    let listed = room.height.saturating_sub(picture.height + 3);
    let height = if listed >= 3 {
        picture.height + 2
    } else {
        room.height
    };
    let (boards, moves) = (first_rows(room, height), below(room, height));
    board::draw_plain(&picture, theme, boards, buf);
    let [first, second] = &record.names;
    let players = [(Side::First, &**first), (Side::Second, &**second)];
    sides::view(players, &picture, boards, buf, theme);
    move_list(record, ply, theme, moves, buf);
    put_whole(buf, foot, 0, latest, theme);
    put_whole(buf, foot, 1, outcome(record, moment, theme), theme);
    let share = ply as f64 / record.plies.len().max(1) as f64;
    let bar = gauge(share, foot.width, theme.series[1], theme);
    put(buf, foot, 2, bar);
}

/// Draws a line, cut with an ellipsis if it does not fit.
fn put_whole(buf: &mut Buffer, area: Rect, row: u16, mut line: Line<'_>, theme: &Theme) {
    truncate_line(&mut line, area.width.into(), theme.dim);
    put(buf, area, row, line);
}

/// The board and the number of lines left for text: one for the players and [`LINES`] below, or
/// fewer if the board needs them.
fn picture(
    watch: &RunModel,
    record: &GameRecord,
    moment: RecordMoment,
    area: Rect,
) -> (Board, u16) {
    let draw = |width: u16, height: u16| {
        let room = MaxSize {
            width,
            height: height.max(1),
        };
        watch.facts.arena.record_board(record, moment, room)
    };
    let modest = draw(area.width, area.height.saturating_sub(LINES + 2));
    // A larger board is worth the progress bar.
    let is_larger =
        |board: &Board| board.width > modest.width && board.height + LINES <= area.height + 1;
    for height in [area.height, area.height.saturating_sub(LINES)] {
        let larger = draw(area.width, height);
        if is_larger(&larger) {
            let lines = (area.height - larger.height).min(LINES + 1);
            return (larger, lines);
        }
    }
    if modest.is_cut {
        let whole = draw(modest.width, area.height);
        let lines = (area.height - whole.height).min(LINES + 1);
        return (whole, lines);
    }
    (modest, (LINES + 1).min(area.height - 1))
}

fn players<'a>(record: &GameRecord, theme: &Theme) -> Line<'a> {
    Line::from(vec![
        Span::styled(record.names[0].clone(), theme.strong),
        Span::styled(" vs. ", theme.dim),
        Span::styled(record.names[1].clone(), theme.strong),
    ])
}

/// The latest move and the oracle's verdict, in words if they fit.
fn latest_move(record: &GameRecord, ply: usize, room: u16, theme: &Theme) -> Line<'static> {
    let Some(mut spans) = move_marks::latest_move(record, ply, theme) else {
        let words = format!("start; {} moves follow", record.plies.len());
        return Line::styled(words, theme.dim);
    };
    let taken: usize = spans.iter().map(Span::width).sum();
    let verdict = record.plies[ply - 1].verdict;
    let left = usize::from(room).saturating_sub(taken);
    spans.push(short_verdict_span(verdict, left, theme));
    Line::from(spans)
}

fn outcome<'a>(record: &GameRecord, moment: RecordMoment, theme: &Theme) -> Line<'a> {
    if moment.ply < record.plies.len() || moment.stages_left > 0 {
        return Line::default();
    }
    Line::styled(record.result_words(), theme.accent)
}

/// The move list, scrolled so that the latest move is visible.
fn move_list(record: &GameRecord, ply: usize, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let list = ScrollList::new(record.plies.len(), ply.saturating_sub(1));
    list.draw(theme, area, buf, |number| {
        let played = &record.plies[number];
        let (style, note) = if number < ply {
            let told = short_verdict_span(played.verdict, usize::MAX, theme);
            (theme.text, told.into())
        } else {
            (theme.dim, Line::default())
        };
        let cursor = if number + 1 == ply { ">" } else { " " };
        let action = if played.action.is_empty() {
            "-"
        } else {
            &played.action
        };
        let name = truncate(&record.names[played.side.index()], 12);
        let text = Line::from(vec![
            Span::styled(cursor, theme.accent),
            Span::styled(format!("{:>3}  {name:<12} ", number + 1), theme.dim),
            Span::styled(format!("{action:<8}"), style),
        ]);
        ListRow { text, note }
    });
}
