//! The card shown in terminals too small for a screen: the state and progress of the run or of the
//! screen's own work.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{AppModel, footer, header};
use crate::format::{self, whole};
use crate::keymap::{Action, GlobalAction};
use crate::model::run::RunModel;
use crate::screen::MIN_SIZE;
use crate::screens::placeholder;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::gauge::gauge;
use crate::widgets::text::{below, inset, put_all};

pub(super) fn view(model: &AppModel, area: Rect, buf: &mut Buffer) {
    let (context, theme) = (&model.context, &model.context.theme);
    let inner = if area.width >= 20 && area.height >= 6 {
        let frame = Frame::titled("finches").draw(Focus::Elsewhere, theme, area, buf);
        inset(frame, 1)
    } else {
        area
    };
    let size = format!(
        "Window is {}x{}; needs {}x{}.",
        area.width, area.height, MIN_SIZE.0, MIN_SIZE.1
    );
    let width = inner.width.min(36);
    let of_run = || context.run.as_ref().map(|watch| run(watch, width, theme));
    let mut lines = Vec::new();
    if let Some(summary) = model.shown().summary(context, width).or_else(of_run) {
        lines.extend(summary);
        lines.push(Line::default());
    }
    lines.push(Line::styled(size, theme.text));
    lines.push(Line::styled("Enlarge it, or:", theme.dim));
    lines.push(keys(model));
    let top = inner.height.saturating_sub(lines.len() as u16) / 2;
    put_all(buf, below(inner, top), lines);
}

fn run(watch: &RunModel, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let style = theme.badge(header::state_style(watch.state, theme));
    let word = format!(" {} ", watch.word(watch.state));
    let done = whole(watch.generation);
    let all = format!(" {done}/{} gen", whole(watch.preset.generations));
    let fits = word.len() + all.len() <= usize::from(width);
    let done = if fits { all } else { format!(" {done}") };
    let state = Line::from(vec![
        Span::styled(word, style),
        Span::styled(done, theme.text),
    ]);
    let objective = |value: Option<f64>| value.map_or("-".to_owned(), format::percent);
    let figures = format!(
        "objective {}  best {}",
        objective(watch.objective_now()),
        objective(watch.best.map(|best| best.1))
    );
    let mut lines = vec![state, Line::styled(figures, theme.text)];
    if watch.saving.error.is_some() {
        lines.push(Line::styled("saving fails", theme.bad));
    }
    if let Some(fault) = &watch.end.error {
        lines.push(Line::styled(fault.clone(), theme.bad));
    }
    lines.push(gauge(watch.progress(), width, theme.focus, theme));
    if let Some(words) = placeholder::progress(watch) {
        lines.push(Line::styled(words, theme.dim));
    }
    lines
}

/// The keys that pause, save and quit.
fn keys(model: &AppModel) -> Line<'static> {
    let context = &model.context;
    let is_own = context.run.is_some() && context.followed.is_none();
    let mut line = Line::default();
    for binding in footer::outer_bindings(model) {
        let is_shown = match GlobalAction::of(binding.action) {
            Some(GlobalAction::PauseResume | GlobalAction::Save) => is_own,
            _ => binding.action == Action::Quit,
        };
        if is_shown && !binding.hint.is_empty() {
            line.spans.extend(footer::hint(binding, model));
        }
    }
    line
}
