//! How fast a run goes, and what it has done so far.

use ratatui::buffer::Buffer;
use ratatui::text::{Line, Span};

use crate::ui::app::watch::Watch;
use crate::ui::theme::Theme;
use crate::ui::widgets::frame::Frame;
use crate::ui::widgets::text::{inset, put, put_right};
use crate::ui::words;

use super::charts::Place;

/// Processor time of a game played for fitness: all threads' time, what goes into measuring left out.
pub fn game_time(watch: &Watch, theme: &Theme) -> String {
    let pace = &watch.pace;
    if pace.games_per_second <= 0.0 {
        return "-".to_owned();
    }
    let playing = watch.facts.threads as f64 * (1.0 - pace.measuring);
    let time = words::time(playing / pace.games_per_second);
    if theme.ascii {
        time.replace('µ', "u")
    } else {
        time
    }
}

pub(super) fn view(watch: &Watch, place: Place<'_>, buf: &mut Buffer) {
    let theme = place.theme;
    let threads = match watch.facts.threads {
        1 => "1 thread".to_owned(),
        threads => format!("{threads} threads"),
    };
    let frame = Frame {
        title: Line::from("Speed"),
        right: Line::styled(threads, theme.dim),
        ..Frame::default()
    };
    let inner = inset(frame.draw(place.focus, theme, place.area, buf), 1);
    let pace = &watch.pace;
    let total = |name: &str| watch.last(name).map_or("-".to_owned(), words::count);
    let remaining = watch.remaining().map_or("-".to_owned(), words::span);
    let rows = [
        ("games a second", words::count(pace.games_per_second)),
        (
            "generations a second",
            words::short(pace.generations_per_second),
        ),
        ("a game, on one thread", game_time(watch, theme)),
        ("spent on measuring", words::percent(pace.measuring)),
        ("games played", total("games")),
        ("moves made", total("moves")),
        ("worked", words::clock(pace.seconds)),
        ("to go, about", remaining),
    ];
    for (row, (label, value)) in rows.into_iter().enumerate() {
        put(buf, inner, row as u16, Span::styled(label, theme.dim));
        put_right(buf, inner, row as u16, Span::styled(value, theme.text));
    }
}
