//! The question before a run that takes much memory or disk.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::keymap::{Binding, Scope, bindings};
use crate::theme::Theme;
use crate::widgets::frame::Frame;
use crate::widgets::text::{put, put_all};
use crate::widgets::truncate::wrap;

pub(super) fn view(words: &str, theme: &Theme, area: Rect, buf: &mut Buffer) {
    const WIDTH: u16 = 58;
    let words = wrap(words, usize::from(WIDTH) - 6);
    let choices: Vec<&Binding> = bindings(Scope::COST).collect();
    let choices: Vec<&[&Binding]> = choices
        .chunk_by(|one, next| one.action == next.action)
        .collect();
    let height = words.len() + choices.len() + 3;
    let frame = Frame::titled("Start this run?");
    let inner = frame.dialog((WIDTH, height as u16), theme, area, buf);
    let words = words.iter();
    let words = words.map(|line| Line::styled(format!(" {line}"), theme.warning));
    let rest = put_all(buf, inner, words);
    for (row, choice) in (1..).zip(choices) {
        let keys = choice.iter().map(|binding| binding.key.label());
        let keys = keys.collect::<Vec<_>>().join(" ");
        let keys = Span::styled(format!("{keys:>6}"), theme.key);
        let help = Span::styled(format!("  {}", choice[0].help), theme.text);
        put(buf, rest, row, vec![keys, help]);
    }
}
