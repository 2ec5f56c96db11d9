//! What a terminal too small for a screen shows: that the run goes on, and how well.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::ui::app::Model;
use crate::ui::app::watch::Watch;
use crate::ui::keymap::{Action, Scope, label};
use crate::ui::screens::header;
use crate::ui::screens::run::layout::LEAST;
use crate::ui::theme::Theme;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::gauge::gauge;
use crate::ui::widgets::text::{inset, put};
use crate::ui::words;

pub fn view(model: &Model, area: Rect, buf: &mut Buffer) {
    let theme = &model.theme;
    let inner = if area.width >= 20 && area.height >= 6 {
        let frame = Frame::titled("finches").draw(Focus::Elsewhere, theme, area, buf);
        inset(frame, 1)
    } else {
        area
    };
    let size = format!(
        "Window is {}x{}; needs {}x{}.",
        area.width, area.height, LEAST.0, LEAST.1
    );
    let mut lines = Vec::new();
    if let Some(watch) = &model.watch {
        lines.extend(run(watch, inner.width, theme));
        lines.push(Line::default());
    }
    lines.push(Line::styled(size, theme.text));
    lines.push(Line::styled("Enlarge it, or:", theme.dim));
    lines.push(keys(model, theme));
    let top = inner.height.saturating_sub(lines.len() as u16) / 2;
    for (row, line) in lines.into_iter().enumerate() {
        put(buf, inner, row as u16 + top, line);
    }
}

fn run<'a>(watch: &Watch, width: u16, theme: &Theme) -> Vec<Line<'a>> {
    let style = theme.badge(header::look(watch.state, theme));
    let state = Line::from(vec![
        Span::styled(format!(" {} ", watch.state.word()), style),
        Span::styled(
            format!(" gen {}/{}", watch.generation, watch.preset.generations),
            theme.text,
        ),
    ]);
    let objective = |value: Option<f64>| value.map_or("-".to_owned(), words::percent);
    let figures = format!(
        "objective {}  best {}",
        objective(watch.objective_now()),
        objective(watch.best.map(|best| best.1))
    );
    let mut lines = vec![state, Line::styled(figures, theme.text)];
    if watch.not_saved.is_some() {
        lines.push(Line::styled("nothing is being saved", theme.bad));
    }
    if let Some(fault) = &watch.fault {
        lines.push(Line::styled(fault.clone(), theme.bad));
    }
    lines.push(gauge(watch.progress(), width.min(36), theme.focus, theme));
    lines
}

fn keys<'a>(model: &Model, theme: &Theme) -> Line<'a> {
    let run = [(Action::PauseResume, " pause  "), (Action::Save, " save  ")];
    let own = model.watch.is_some() && model.followed.is_none();
    let run = run.into_iter().filter(|_| own);
    let mut line = Line::default();
    for (action, words) in run.chain([(Action::Quit, " quit")]) {
        line.push_span(Span::styled(label(Scope::Global, action), theme.key));
        line.push_span(Span::styled(words, theme.dim));
    }
    line
}
