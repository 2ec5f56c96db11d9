//! The speed of a run and its totals so far.

use ratatui::buffer::Buffer;
use ratatui::text::{Line, Span};

use crate::format;
use crate::model::run::RunModel;
use crate::theme::Theme;
use crate::widgets::frame::Frame;
use crate::widgets::text::{put, put_right};
use finches_engine::session::measures::{Measure, progress};
use finches_engine::text::counted;

use super::charts::PaneContext;

/// The CPU time per fitness game: the time of all threads, without the share spent on measuring.
pub fn cpu_per_game(watch: &RunModel, theme: &Theme) -> String {
    let speed = &watch.speed;
    if speed.games_per_second <= 0.0 {
        return "-".to_owned();
    }
    let playing = watch.facts.threads as f64 * (1.0 - speed.measuring);
    let time = format::time(playing / speed.games_per_second);
    if theme.ascii {
        time.replace('µ', "u")
    } else {
        time
    }
}

pub(super) fn view(watch: &RunModel, context: PaneContext<'_>, buf: &mut Buffer) {
    let theme = context.theme;
    let frame = Frame {
        right: Line::styled(counted(watch.facts.threads, "thread"), theme.dim),
        ..Frame::titled("Speed")
    };
    let inner = frame.pane(context.focus, theme, context.area, buf);
    let speed = &watch.speed;
    let total = |measure: &Measure| watch.last(measure).map_or("-".to_owned(), format::count);
    let remaining = watch.remaining().map_or("-".to_owned(), format::span);
    let rows = [
        ("games per second", format::count(speed.games_per_second)),
        (
            "generations per second",
            format::short(speed.generations_per_second),
        ),
        ("CPU time per game", cpu_per_game(watch, theme)),
        ("time spent measuring", format::percent(speed.measuring)),
        ("games played", total(&progress::GAMES)),
        ("moves played", total(&progress::MOVES)),
        ("working time", format::clock(watch.timing.working())),
        ("remaining", remaining),
    ];
    for (row, (label, value)) in rows.into_iter().enumerate() {
        put(buf, inner, row as u16, Span::styled(label, theme.dim));
        put_right(buf, inner, row as u16, Span::styled(value, theme.text));
    }
}
