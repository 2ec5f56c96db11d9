//! The current values of the parameters that can be changed during a run.

use ratatui::buffer::Buffer;
use ratatui::text::{Line, Span};

use crate::format;
use crate::keymap::{Action, Scope};
use crate::model::run::RunModel;
use crate::widgets::frame::Frame;
use crate::widgets::key_label::key_hints;
use crate::widgets::text::{put, put_right};
use crate::widgets::truncate::truncate;
use finches_engine::params::Param;
use finches_engine::text::counted;

use super::charts::PaneContext;

pub(super) fn view(watch: &RunModel, context: PaneContext<'_>, buf: &mut Buffer) {
    let theme = context.theme;
    let changes = watch.changes.len();
    let frame = Frame {
        right: match changes {
            0 => Line::default(),
            changes => Line::styled(counted(changes, "change"), theme.dim),
        },
        bottom_right: key_hints(
            Scope::GLOBAL,
            &[(&[Action::GoParameters], " change")],
            theme,
        ),
        ..Frame::titled("Parameters")
    };
    let inner = frame.pane(context.focus, theme, context.area, buf);
    let live = live_parameters(watch);
    let room = inner.height as usize;
    for (row, (param, changed)) in live.iter().take(room).enumerate() {
        let style = if *changed { theme.accent } else { theme.text };
        let room = usize::from(inner.width).saturating_sub(8);
        let label = truncate(&param.label(), room);
        put(buf, inner, row as u16, Span::styled(label, theme.dim));
        let value = Span::styled(format::parameter(&param.value), style);
        put_right(buf, inner, row as u16, value);
    }
}

/// The live parameters; those that differ from their starting value come first.
fn live_parameters(watch: &RunModel) -> Vec<(Param, bool)> {
    let initial = watch.initial_preset().params();
    let differs = |param: &Param| {
        let before = initial.iter().find(|before| before.key == param.key);
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
