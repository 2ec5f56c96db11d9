//! The events of a run, latest first, with the running time and the generation of each.

use ratatui::buffer::Buffer;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::format;
use crate::model::run::RunModel;
use crate::model::run_event::{RunEventEntry, RunEventKind};
use crate::theme::{ELLIPSIS, Theme};
use crate::widgets::frame::Frame;
use crate::widgets::text::put;
use crate::widgets::truncate::{truncate, wrap};

use super::charts::PaneContext;

pub(super) fn view(watch: &RunModel, context: PaneContext<'_>, buf: &mut Buffer) {
    let theme = context.theme;
    let wide = context.area.width >= 42;
    let rule = if wide { time_rule(watch) } else { "" };
    let frame = Frame {
        right: Line::styled(rule, theme.dim),
        ..Frame::titled("Events")
    };
    let inner = frame.pane(context.focus, theme, context.area, buf);
    let head = |note: &RunEventEntry| {
        let generation = format!("g{}", format::whole(note.generation));
        if wide {
            let clock = note.seconds.map_or(String::new(), format::clock);
            format!("{clock:>7}  {generation:<7} ")
        } else {
            format!("{generation:<6} ")
        }
    };
    let mut row = 0;
    for note in &watch.events {
        let head = head(note);
        let room = (inner.width as usize).saturating_sub(head.len());
        let style = event_style(note.kind, theme);
        let lines = wrap(&note.words, room);
        let last = lines.len().saturating_sub(1);
        for (place, mut words) in lines.into_iter().enumerate() {
            if row + 1 == inner.height && place < last {
                words = truncate(&format!("{words} {ELLIPSIS}"), room);
            }
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

/// What the times count.
fn time_rule(watch: &RunModel) -> &'static str {
    if watch.is_followed() {
        "time watched"
    } else if watch.facts.generation == 0 {
        "time since the start, without pauses"
    } else {
        "time since resuming, without pauses"
    }
}

fn event_style(kind: RunEventKind, theme: &Theme) -> Style {
    match kind {
        RunEventKind::Start | RunEventKind::Saved => theme.text,
        RunEventKind::Best | RunEventKind::Done | RunEventKind::Judged => theme.good,
        RunEventKind::Ill => theme.warning,
        RunEventKind::ParameterChanged | RunEventKind::Breakpoint => theme.key,
        RunEventKind::NotSaved | RunEventKind::Refused | RunEventKind::Failed => theme.bad,
    }
}
