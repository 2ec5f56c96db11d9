//! The frames of a film as a recording for asciinema: a line about it, then what each frame
//! changes, as a terminal is told.

use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::Buffer;
use serde_json::json;

use super::Film;

impl Film {
    /// The film as a recording for asciinema, version 2.
    pub fn asciicast(&self, title: &str) -> String {
        let area = self.frames[0].area;
        let (width, height) = (area.width, area.height);
        let header = json!({"version": 2, "width": width, "height": height, "title": title});
        let mut lines = vec![header, json!([0.0, "o", "\x1b[?25l\x1b[2J"])];
        let mut before = &Buffer::empty(area);
        for (place, frame) in self.frames.iter().enumerate() {
            let mut bytes = Vec::new();
            // Writing to memory does not fail.
            let _ = CrosstermBackend::new(&mut bytes).draw(before.diff(frame).into_iter());
            let shown = String::from_utf8_lossy(&bytes);
            lines.push(json!([self.time(place), "o", shown]));
            before = frame;
        }
        lines.push(json!([self.seconds, "o", ""]));
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        lines.join("\n") + "\n"
    }
}
