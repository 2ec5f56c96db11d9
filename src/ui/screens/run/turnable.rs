//! The settings that can be turned while a run goes on, as they stand.

use ratatui::buffer::Buffer;
use ratatui::text::{Line, Span};

use crate::params::Param;
use crate::ui::app::watch::Watch;
use crate::ui::keymap::{Action, Scope};
use crate::ui::widgets::cap::cap;
use crate::ui::widgets::fit::fit;
use crate::ui::widgets::frame::Frame;
use crate::ui::widgets::text::{inset, put, put_right};

use super::charts::Place;

pub(super) fn view(watch: &Watch, place: Place<'_>, buf: &mut Buffer) {
    let theme = place.theme;
    let turned = watch.marks.len();
    let frame = Frame {
        title: Line::from("Knobs"),
        right: match turned {
            0 => Line::default(),
            1 => Line::styled("turned once", theme.dim),
            times => Line::styled(format!("turned {times} times"), theme.dim),
        },
        bottom_right: Line::from(vec![
            cap(Scope::Global, &[Action::GoKnobs], theme),
            Span::styled(" to turn", theme.dim),
        ]),
        ..Frame::default()
    };
    let inner = inset(frame.draw(place.focus, theme, place.area, buf), 1);
    let live = live(watch);
    let room = inner.height as usize;
    for (row, (param, changed)) in live.iter().take(room).enumerate() {
        let style = if *changed { theme.accent } else { theme.text };
        let room = usize::from(inner.width).saturating_sub(8);
        let label = theme.plain(fit(&param.label(), room));
        put(buf, inner, row as u16, Span::styled(label, theme.dim));
        put_right(
            buf,
            inner,
            row as u16,
            Span::styled(param.value.clone(), style),
        );
    }
}

/// Live settings, those that differ from what the run began with first.
fn live(watch: &Watch) -> Vec<(Param, bool)> {
    let began = watch.facts.preset.params();
    let differs = |param: &Param| {
        let before = began.iter().find(|before| before.key == param.key);
        before.is_some_and(|before| before.value != param.value)
    };
    let live = watch.preset.params().into_iter().filter(|param| param.live);
    let mut live: Vec<(Param, bool)> = live
        .map(|param| {
            let differs = differs(&param);
            (param, differs)
        })
        .collect();
    live.sort_by_key(|(_, differs)| !differs);
    live
}
