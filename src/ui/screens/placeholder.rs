//! The text of panes that show one generation, before a generation has finished.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::ui::model::run::{RunModel, RunState};
use crate::ui::theme::Theme;
use crate::ui::widgets::text::put_all;
use crate::ui::widgets::truncate::wrap;

pub(super) fn draw(watch: Option<&RunModel>, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let words = watch.map_or(FIRST, words);
    let lines = wrap(words, area.width.into()).into_iter();
    put_all(buf, area, lines.map(|line| Line::styled(line, theme.dim)));
}

const FIRST: &str = "Waiting for the first generation.";

/// The text for a run's state. A resumed run has only the offspring of its last generation, which have not played yet.
fn words(watch: &RunModel) -> &'static str {
    match watch.state {
        RunState::Done => {
            "All generations are done. This is shown while a run is evolving: to go on, raise the number of generations on the Parameters screen."
        }
        RunState::Error if watch.generation > 0 => {
            "The run has failed. This is shown only while a run is evolving."
        }
        RunState::Error => "The run failed before the first generation finished.",
        _ if watch.generation > 0 => "Waiting for the next generation.",
        _ => FIRST,
    }
}
