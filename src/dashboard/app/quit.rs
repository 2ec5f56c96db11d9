//! The dialog before quitting during a run.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::format;
use crate::keymap::{QuitAction, Scope, bindings};
use crate::model::run::{RunModel, RunState};
use crate::theme::Theme;
use crate::widgets::frame::Frame;
use crate::widgets::text::{below, put, put_all};
use finches_engine::text::counted;

pub(super) fn view(watch: &RunModel, theme: &Theme, area: Rect, buf: &mut Buffer) {
    // While it is paused and saved, there is nothing to end first.
    let is_saved = watch.state == RunState::Paused && unsaved(watch) == Some(0);
    let choices: Vec<Line<'_>> = bindings(Scope::QUIT)
        .filter(|binding| {
            !is_saved || QuitAction::of(binding.action) != Some(QuitAction::SaveAndQuit)
        })
        .map(|binding| {
            let words = match QuitAction::of(binding.action) {
                Some(QuitAction::QuitNow) => loss_text(watch),
                Some(QuitAction::SaveAndQuit) if watch.facts.saved_as.is_none() => {
                    "quit after this game; nothing is saved".to_owned()
                }
                Some(QuitAction::SaveAndQuit) => format!(
                    "end generation {}, save everything and quit",
                    format::whole(watch.generation)
                ),
                _ => binding.help.to_owned(),
            };
            Line::from(vec![
                Span::styled(format!("{:>4}", binding.key.label()), theme.key),
                Span::styled(format!("  {words}"), theme.text),
            ])
        })
        .collect();
    let size = (58, choices.len() as u16 + 6);
    let inner = Frame::titled("Stop this run?").dialog(size, theme, area, buf);
    let done = format!(
        " {} of {} generations done, {} of work.",
        format::count(watch.generation as f64),
        format::count(watch.preset.generations as f64),
        format::clock(watch.timing.working())
    );
    put(buf, inner, 0, Span::styled(done, theme.text));
    put(buf, inner, 1, saved(watch, theme));
    put_all(buf, below(inner, 3), choices);
}

fn saved<'a>(watch: &RunModel, theme: &Theme) -> Line<'a> {
    if watch.saving.error.is_some() {
        return Line::styled(" Saving currently fails.", theme.bad);
    }
    match (&watch.facts.saved_as, watch.saving.generation) {
        (Some(name), Some(generation)) => Line::styled(
            format!(" Saved: {} as {name}.", counted(generation, "generation")),
            theme.dim,
        ),
        (Some(_), None) => Line::styled(" Not saved yet.", theme.warning),
        (None, _) => Line::styled(" This run is not being saved.", theme.warning),
    }
}

fn loss_text(watch: &RunModel) -> String {
    match unsaved(watch) {
        Some(0) => "quit now, nothing is lost".to_owned(),
        Some(lost) => format!("quit now, lose {}", counted(lost, "generation")),
        None => "quit now, lose the run".to_owned(),
    }
}

/// The generations that are not saved yet; `None` if none of the run is.
fn unsaved(watch: &RunModel) -> Option<u64> {
    let saved = watch
        .saving
        .generation
        .filter(|_| watch.facts.saved_as.is_some());
    Some(watch.generation.saturating_sub(saved?))
}
