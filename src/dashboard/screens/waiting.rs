//! The card shown until the run of another process appears.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::keymap::{self, Action, Scope};
use crate::model::context::Context;
use crate::widgets::frame::Frame;
use crate::widgets::text::{below, inset, put_all};
use crate::widgets::truncate::wrapped;

pub fn view(context: &Context, area: Rect, buf: &mut Buffer) {
    const WIDTH: u16 = 64;
    let Some(followed) = &context.followed else {
        return;
    };
    let theme = &context.theme;
    let reason = match &followed.missing {
        Some(words) => format!("Waiting: {words}."),
        None => "Reading its folder.".to_owned(),
    };
    let quit = keymap::label(Scope::GLOBAL, Action::Quit);
    let advice = format!(
        "Checking every second; the run is shown as soon as it appears. Nothing is written \
        meanwhile. {quit}: quit."
    );
    let width = WIDTH.min(area.width);
    let inside = usize::from(width.saturating_sub(6));
    let lines = [
        wrapped(&reason, inside, theme.text),
        vec![Line::default()],
        wrapped(&advice, inside, theme.dim),
    ]
    .concat();
    let size = (width, lines.len() as u16 + 4);
    let frame = Frame::titled(format!("Waiting for {}", followed.name));
    let inner = frame.dialog(size, theme, area, buf);
    put_all(buf, below(inset(inner, 1), 1), lines);
}
