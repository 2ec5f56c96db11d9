//! The text of panes that show one generation, before a generation has finished.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::format;
use crate::keymap::{self, GlobalAction, Scope};
use crate::model::run::{RunModel, RunState};
use crate::theme::Theme;
use crate::widgets::text::put_all;
use crate::widgets::truncate::wrapped;
use finches_engine::session::progress::{GenerationPhase, PhaseProgress};

pub(super) fn draw(watch: Option<&RunModel>, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let words = watch.map_or(FIRST.to_owned(), words);
    put_all(buf, area, wrapped(&words, area.width.into(), theme.dim));
}

const FIRST: &str = "Waiting for the first generation.";

/// The text for a run's state.
fn words(watch: &RunModel) -> String {
    let words = match watch.state {
        RunState::Done if watch.can_go_on() => {
            let faster = keymap::label(Scope::GLOBAL, GlobalAction::Faster.action());
            return format!("The run is done. This is shown while it evolves; {faster} goes on.");
        }
        RunState::Done => "The run is done. This is shown only while a run is evolving.",
        RunState::Error if watch.generation > 0 => {
            "The run has failed. This is shown only while a run is evolving."
        }
        RunState::Error => "The run failed before the first generation finished.",
        _ if watch.generation > 0 => "Waiting for the next generation.",
        _ => FIRST,
    };
    words.to_owned()
}

/// What is done within a generation, in a long and a short form.
pub(crate) fn phase_words(phase: PhaseProgress) -> [String; 2] {
    let steps = match phase.expected {
        0 => String::new(),
        all => format!("{}/{}", format::whole(phase.done), format::whole(all)),
    };
    match phase.phase {
        GenerationPhase::Playing => [format!("{steps} games"), steps],
        GenerationPhase::Challenging => [format!("{steps} games of challengers"), steps],
        GenerationPhase::Measuring => [format!("measuring {steps}"), steps],
        GenerationPhase::Learning => [format!("learning, {steps} games"), steps],
        GenerationPhase::Reproducing => ["making offspring".to_owned(), String::new()],
    }
}

/// The progress of a long generation, with the time left for the games of the first, or of the
/// learning before it.
pub(crate) fn progress(watch: &RunModel) -> Option<String> {
    let phase = watch.timing.within_generation()?;
    let name = match watch.generation {
        0 => "first generation".to_owned(),
        generation => format!("generation {}", format::whole(generation)),
    };
    let [words, _] = phase_words(phase);
    match phase.phase {
        GenerationPhase::Playing => {}
        GenerationPhase::Learning => {
            let left = time_left(watch.timing.learning_remaining());
            return Some(format!("{words}{left}"));
        }
        _ => return Some(format!("{name}: {words}")),
    }
    let (done, all) = (format::whole(phase.done), format::whole(phase.expected));
    let left = watch.timing.first_generation_remaining();
    let left = left.filter(|_| watch.history.is_empty());
    let left = time_left(left);
    Some(format!("{name}: {done} of {all} games{left}"))
}

/// A clause for the seconds left, if they are known.
fn time_left(seconds: Option<f64>) -> String {
    let words = |seconds| format!(", about {} left", format::span(seconds));
    seconds.map_or_else(String::new, words)
}
