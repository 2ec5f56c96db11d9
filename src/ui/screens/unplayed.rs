//! What a pane says that tells of one generation, before any has been played in sight.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::ui::app::watch::{State, Watch};
use crate::ui::theme::Theme;
use crate::ui::widgets::fit::wrap;
use crate::ui::widgets::text::put_all;

pub(super) fn draw(watch: Option<&Watch>, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let words = watch.map_or(FIRST, words);
    let lines = wrap(words, area.width.into()).into_iter();
    put_all(buf, area, lines.map(|line| Line::styled(line, theme.dim)));
}

const FIRST: &str = "The first generation comes here when it has been played.";

/// A run that is resumed has no more than the children of its last generation, whose games are still to come.
fn words(watch: &Watch) -> &'static str {
    match watch.state {
        State::Done => {
            "All generations are done. This is told of generations that are played while you watch: raise `generations` on the knobs screen for more."
        }
        State::Error if watch.generation > 0 => {
            "This is told of generations that are played while you watch, and the run has failed."
        }
        State::Error => "The run has failed before a generation was played.",
        _ if watch.generation > 0 => "The next generation comes here when it has been played.",
        _ => FIRST,
    }
}
