//! Draws the curve of a finished game: a chart in the pane of the scores, or a row below a board
//! that fills the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::theme::Theme;
use crate::widgets::canvas::{DotCanvas, DotGlyphs};
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::text::{columns_of, first_rows, put, put_right, right_of, row_of};
use crate::widgets::truncate;
use crate::widgets::y_axis::{AxisRange, AxisScale, ValueUnit, grid_lines, label_width};

use super::current::PlayOutcome;
use super::curve::GameCurve;
use super::{PlayScreen, PlayTask};

/// What the numbers stand for.
const LEGEND: &str = "100 you win, 50 even, 0 you lose";

/// The inner height from which a pane also has a legend.
const WITH_LEGEND: u16 = 10;

/// Draws the pane of a finished game.
pub(super) fn view(play: &PlayScreen, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let curve = play.review.curve.as_ref();
    let judge = curve.map_or("", |curve| &curve.judge);
    let room = usize::from(area.width).saturating_sub(20);
    let judge = match truncate::width(judge) + 7 {
        whole if whole <= room && !judge.is_empty() => format!("judge: {judge}"),
        _ => truncate::truncate(judge, room),
    };
    let frame = Frame {
        right: Line::styled(judge, theme.dim),
        ..Frame::titled("Your chances")
    };
    let inner = frame.pane(Focus::Elsewhere, theme, area, buf);
    let Some(curve) = &play.review.curve else {
        put(buf, inner, 0, Span::styled(judging(play), theme.dim));
        return;
    };
    if curve.is_flat() {
        put(buf, inner, 0, turn_line(play, inner.width.into(), theme));
        return;
    }
    if inner.height < 5 {
        view_row(play, inner, buf, theme);
        return;
    }
    let legend = u16::from(inner.height >= WITH_LEGEND);
    let below = 2 + legend;
    let height = (inner.height - below - 1) / 2 * 2 + 1;
    draw_chart(curve, height, theme, inner, buf);
    let width = usize::from(inner.width);
    put(buf, inner, height + 1, turn_line(play, width, theme));
    if legend > 0 {
        let words = Span::styled(LEGEND, theme.dim);
        put(buf, inner, height + 2, words);
    }
}

/// Draws the curve in one row, with the deciding move beside it if there is room.
pub(super) fn view_row(play: &PlayScreen, area: Rect, buf: &mut Buffer, theme: &Theme) {
    const NAME: &str = "your chances ";
    let Some(curve) = &play.review.curve else {
        put(buf, area, 0, Span::styled(judging(play), theme.dim));
        return;
    };
    put(buf, area, 0, Span::styled(NAME, theme.dim));
    let name = NAME.len() as u16;
    let words = turn_line(play, usize::from(area.width / 2), theme);
    let room = area.width.saturating_sub(name + words.width() as u16 + 2);
    let line = first_rows(columns_of(area, name, room), 1);
    draw_line(curve, theme, line, buf);
    put_right(buf, area, 0, words);
}

/// Why there is no curve.
fn judging(play: &PlayScreen) -> String {
    if play.jobs.is_running(&PlayTask::Judge) {
        let moves = play.current.game.history().len();
        format!("judging move {} of {moves}", play.review.judged.min(moves))
    } else {
        "The game is over.".to_owned()
    }
}

/// Which move decided the game, in at most `width` characters.
pub(super) fn turn_line(play: &PlayScreen, width: usize, theme: &Theme) -> Line<'static> {
    let sign = theme.sign("◆ ", "@ ");
    let curve = play.review.curve.as_ref();
    let was_always = |is_so: fn(f64) -> bool| curve.is_some_and(|curve| curve.was_always(is_so));
    let Some(turn) = play.turning_point() else {
        let words = match play.current.outcome {
            Some(PlayOutcome::Draw) | None => "No move decided the game.",
            Some(PlayOutcome::IllegalChampionMove) => "The game ended early.",
            Some(PlayOutcome::HumanWins) if curve.is_some_and(GameCurve::is_flat) => {
                "You never gave the lead away."
            }
            Some(_) if was_always(|share| (share - 0.5).abs() < 0.1) => {
                "It was close until the end."
            }
            Some(PlayOutcome::ChampionWins) if was_always(|share| share < 0.5) => {
                &format!("The {} led from the start.", play.opponents.kind())
            }
            Some(PlayOutcome::HumanWins) if was_always(|share| share > 0.5) => {
                "You led from the start."
            }
            Some(_) => "No single move decided the game.",
        };
        return Line::styled(truncate::truncate(words, width), theme.dim);
    };
    let forms = [
        turn.sentence(),
        format!("decided by move {}, {}", turn.number, turn.text),
        format!("move {}", turn.number),
    ];
    let room = width.saturating_sub(2);
    let fits = |form: &&String| truncate::width(form) <= room;
    let words = forms.iter().find(fits).unwrap_or(&forms[2]);
    Line::from(vec![
        Span::styled(sign, theme.warning),
        Span::styled(truncate::truncate(words, room), theme.text),
    ])
}

/// Draws the axes, the line and the deciding move, with `height` rows above the x-axis.
fn draw_chart(curve: &GameCurve, height: u16, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let ticks = [(0, "0"), (height / 2, "50"), (height - 1, "100")];
    let ticks = ticks.map(|(row, label)| (row, label.to_owned()));
    let labels = label_width(&ticks).min(area.width);
    grid_lines(&ticks, labels, theme, first_rows(area, height + 1), buf);
    let columns = right_of(area, labels);
    let body = first_rows(columns, height);
    draw_line(curve, theme, body, buf);
    let foot = row_of(columns, height);
    let (start, end) = ("start", format!("move {}", curve.moves()));
    put(buf, foot, 0, Span::styled(start, theme.dim));
    put_right(buf, foot, 0, Span::styled(end.clone(), theme.dim));
    let Some(turn) = curve.turn else { return };
    let label = turn.to_string();
    let middle = foot.x + column(curve, turn, body);
    let x = middle.saturating_sub(label.len() as u16 / 2);
    let (from, to) = (
        foot.x + start.len() as u16 + 1,
        foot.right().saturating_sub(end.len() as u16 + 1),
    );
    if x >= from && x + label.len() as u16 <= to {
        let at = right_of(foot, x - foot.x);
        put(buf, at, 0, Span::styled(label, theme.warning));
    }
}

/// Draws the line, and a sign at the deciding move.
fn draw_line(curve: &GameCurve, theme: &Theme, body: Rect, buf: &mut Buffer) {
    let body = body.intersection(buf.area);
    if body.is_empty() || curve.shares.is_empty() {
        return;
    }
    let mut canvas = DotCanvas::new(body.width, body.height);
    let right = canvas.dot_columns() - 1;
    let last = curve.moves().max(1);
    let axis = AxisRange::of(ValueUnit::Share, AxisScale::Linear, None, body.height);
    let dot = |number: usize| {
        let share = curve.shares[number];
        let height = match body.height {
            1 => (share * 3.0).round() as usize,
            rows => axis.dot(share, rows),
        };
        (number * right / last, height)
    };
    for number in 0..curve.moves() {
        canvas.stroke(dot(number), dot(number + 1), 0);
    }
    let glyphs = DotGlyphs::of(theme);
    canvas.draw(body, |_, _| theme.series[0], glyphs, buf);
    if let Some(turn) = curve.turn {
        let row = axis.row(curve.shares[turn], body.height);
        let at = columns_of(body, column(curve, turn, body), 1);
        let sign = theme.sign("◆", "@");
        let row = body.height - 1 - row;
        put(buf, at, row, Span::styled(sign, theme.warning));
    }
}

/// The column of a move within the chart.
fn column(curve: &GameCurve, number: usize, body: Rect) -> u16 {
    let right = usize::from(body.width) * 2 - 1;
    (number * right / curve.moves().max(1) / 2) as u16
}
