//! The question before a run that takes much memory or disk.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;
use ratatui::widgets::{Clear, Widget};

use crate::keymap::{Binding, Scope, bindings};
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::text::{inset, middle, put};
use crate::widgets::truncate::wrap;

pub(super) fn view(words: &str, theme: &Theme, area: Rect, buf: &mut Buffer) {
    const WIDTH: u16 = 58;
    let words = wrap(words, usize::from(WIDTH) - 6);
    let choices: Vec<&Binding> = bindings(Scope::COST).collect();
    let choices: Vec<&[&Binding]> = choices
        .chunk_by(|one, next| one.action == next.action)
        .collect();
    let height = words.len() + choices.len() + 3;
    let area = middle(area, WIDTH, height as u16).intersection(buf.area);
    Clear.render(area, buf);
    let inner = inset(
        Frame::titled("Start this run?").draw(Focus::Here, theme, area, buf),
        1,
    );
    let count = words.len() as u16;
    for (row, line) in (0..).zip(words) {
        put(
            buf,
            inner,
            row,
            Span::styled(format!(" {line}"), theme.warning),
        );
    }
    for (row, choice) in (count + 1..).zip(choices) {
        let keys = choice.iter().map(|binding| binding.key.label());
        let keys = keys.collect::<Vec<_>>().join(" ");
        let keys = Span::styled(format!("{keys:>6}"), theme.key);
        let help = Span::styled(format!("  {}", choice[0].help), theme.text);
        put(buf, inner, row, vec![keys, help]);
    }
}
