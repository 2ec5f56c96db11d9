//! What happened, the latest first.

use ratatui::buffer::Buffer;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::ui::app::watch::{Kind, Note, Watch};
use crate::ui::theme::Theme;
use crate::ui::widgets::fit::wrap;
use crate::ui::widgets::frame::Frame;
use crate::ui::widgets::text::{inset, put};
use crate::ui::words;

use super::charts::Place;

pub(super) fn view(watch: &Watch, place: Place<'_>, buf: &mut Buffer) {
    let theme = place.theme;
    let inner = inset(
        Frame::titled("Events").draw(place.focus, theme, place.area, buf),
        1,
    );
    let wide = inner.width >= 40;
    let head = |note: &Note| {
        let generation = format!("g{}", note.generation);
        if wide {
            format!("{:>7}  {generation:<7} ", words::clock(note.seconds))
        } else {
            format!("{generation:<6} ")
        }
    };
    let mut row = 0;
    for note in &watch.notes {
        let head = head(note);
        let room = (inner.width as usize).saturating_sub(head.len());
        let style = look(note.kind, theme);
        let text = plain(&note.words, theme);
        for (place, words) in wrap(&text, room).into_iter().enumerate() {
            let lead = if place == 0 {
                head.clone()
            } else {
                " ".repeat(head.len())
            };
            let line = Line::from(vec![
                Span::styled(lead, theme.dim),
                Span::styled(words, style),
            ]);
            put(buf, inner, row, line);
            row += 1;
        }
        if row >= inner.height {
            break;
        }
    }
}

fn plain(words: &str, theme: &Theme) -> String {
    if theme.ascii {
        words.replace('→', ">")
    } else {
        words.to_owned()
    }
}

fn look(kind: Kind, theme: &Theme) -> Style {
    match kind {
        Kind::Start | Kind::Saved => theme.text,
        Kind::Best | Kind::Done => theme.good,
        Kind::Turned => theme.key,
        Kind::NotSaved | Kind::Refused | Kind::Failed => theme.bad,
    }
}
