//! The frames of a film as a recording for asciinema: a line about it, then what each frame changes,
//! as a terminal is told.

use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::{Buffer, Cell};
use serde_json::json;

use super::Film;

/// Hides the cursor and clears the screen.
const START: &str = "\x1b[?25l\x1b[2J";

pub(super) fn asciicast(film: &Film, title: &str) -> String {
    let area = film.frames[0].area;
    let header = json!({
        "version": 2, "width": area.width, "height": area.height, "title": title,
    });
    let mut lines = vec![header.to_string()];
    let mut before = Buffer::empty(area);
    for (place, frame) in film.frames.iter().enumerate() {
        let mut changed = ansi(before.diff(frame).into_iter());
        if place == 0 {
            changed.insert_str(0, START);
        }
        if !changed.is_empty() {
            lines.push(json!([film.time(place), "o", changed]).to_string());
        }
        before = frame.clone();
    }
    lines.push(json!([film.seconds, "o", ""]).to_string());
    lines.join("\n") + "\n"
}

/// What tells a terminal to show cells; empty without any.
fn ansi<'a>(cells: impl Iterator<Item = (u16, u16, &'a Cell)>) -> String {
    let mut cells = cells.peekable();
    if cells.peek().is_none() {
        return String::new();
    }
    let mut bytes = Vec::new();
    // Writing to memory does not fail.
    let _ = CrosstermBackend::new(&mut bytes).draw(cells);
    String::from_utf8_lossy(&bytes).into_owned()
}
