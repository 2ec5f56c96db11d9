//! The dialog in which the breakpoints of the run are set.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::keymap::{self, GlobalAction, Scope};
use crate::screen::{Requests, send};
use crate::theme::Theme;
use crate::widgets::frame::Frame;
use crate::widgets::text::{below, put, put_all};
use crate::widgets::text_input::{TextInput, TextInputResult};
use crate::widgets::truncate::{shortened, wrap, wrapped};
use finches_engine::metrics::Columns;
use finches_engine::session::breakpoint::{Breakpoint, BreakpointError};
use finches_runs::run::message::RunCommand;

use super::{AppModel, Overlay};

/// The forms of breakpoints and what they mean.
const FORMS: [(&str, &str); 6] = [
    ("best", "the objective is better than ever"),
    ("plateau:100", "no better objective for 100 generations"),
    (
        "beats:random",
        "more than half of the points against a reference player",
    ),
    (
        "mistake",
        "the champion makes a move that the oracle would not",
    ),
    ("generation:500", "this generation is reached"),
    ("mean_turns>=8", "a column is at least 8, or <= at most"),
];

/// The breakpoints as they are typed.
#[derive(Debug, Default)]
pub(super) struct BreakpointDialog {
    input: TextInput,
    error: Option<BreakpointError>,
    /// The names of the columns that may have bounds.
    columns: String,
}

impl AppModel {
    /// Opens the dialog with the breakpoints of the run.
    pub(super) fn edit_breakpoints(&mut self) {
        if self.context.refuse_followed() {
            return;
        }
        let Some(run) = &self.context.run else {
            self.context
                .notify("breakpoints pause a run: start one first");
            return;
        };
        self.breakpoints = BreakpointDialog {
            input: TextInput::new(&run.breakpoints.texts.join(", ")),
            error: None,
            columns: run.facts.columns.names().collect::<Vec<_>>().join(", "),
        };
        self.overlay = Some(Overlay::Breakpoints);
    }

    pub(super) fn press_in_breakpoints(&mut self, key: KeyEvent) -> Requests {
        match self.breakpoints.input.press(key) {
            TextInputResult::Editing => self.breakpoints.error = None,
            TextInputResult::Canceled => self.overlay = None,
            TextInputResult::Done(text) => return self.set_breakpoints(&text),
        }
        Vec::new()
    }

    fn set_breakpoints(&mut self, text: &str) -> Requests {
        let Some(run) = &mut self.context.run else {
            return Vec::new();
        };
        match parse(text, &run.facts.columns) {
            Ok(breakpoints) => {
                run.breakpoints.texts = breakpoints.iter().map(ToString::to_string).collect();
                let words = match run.breakpoints.texts.join(", ") {
                    none if none.is_empty() => "no breakpoints".to_owned(),
                    some => format!("the run pauses at: {some}"),
                };
                self.context.notify(&words);
                self.overlay = None;
                send(RunCommand::SetBreakpoints(breakpoints), &mut self.context)
            }
            Err(error) => {
                self.breakpoints.error = Some(error);
                Vec::new()
            }
        }
    }
}

fn parse(text: &str, columns: &Columns) -> Result<Vec<Breakpoint>, BreakpointError> {
    let breakpoints = Breakpoint::parse_all(text)?;
    for breakpoint in &breakpoints {
        breakpoint.check(columns)?;
    }
    Ok(breakpoints)
}

/// Why the run is paused, and how it goes on.
pub(super) fn reason(generation: u64, hit: &str) -> String {
    let key = |action: GlobalAction| keymap::label(Scope::GLOBAL, action.action());
    format!(
        "Paused after generation {generation}: {hit}. {}: resume, {}: breakpoints.",
        key(GlobalAction::PauseResume),
        key(GlobalAction::Breakpoints)
    )
}

impl BreakpointDialog {
    pub(super) fn view(&self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        const FIRST_FORM: u16 = 2;
        const COLUMN_ROWS: u16 = 3;
        let size = (76, FORMS.len() as u16 + 8 + COLUMN_ROWS);
        let inner = Frame::titled("Pause the run at").dialog(size, theme, area, buf);
        let label = Span::styled("Pause at  ", theme.key);
        let room = usize::from(inner.width).saturating_sub(label.width());
        let typed = self.input.spans(room, theme).into_iter();
        let line: Line<'_> = [label].into_iter().chain(typed).collect();
        put(buf, inner, 0, line);
        for (row, (form, meaning)) in (FIRST_FORM..).zip(FORMS) {
            let form = Span::styled(format!("{form:<16}"), theme.strong);
            let line = Line::from(vec![form, Span::styled(meaning, theme.dim)]);
            put(buf, inner, row, line);
        }
        let (words, style) = match &self.error {
            Some(error) => (error.to_string(), theme.bad),
            None => (
                "Several are separated by commas. Enter sets them, esc closes.".to_owned(),
                theme.text,
            ),
        };
        let rest = below(inner, FIRST_FORM + FORMS.len() as u16 + 1);
        let width = inner.width.into();
        let rest = below(put_all(buf, rest, wrapped(&words, width, style)), 1);
        let columns = wrap(&format!("columns: {}", self.columns), width);
        let columns = shortened(columns, rest.height.into(), width).into_iter();
        put_all(buf, rest, columns.map(|line| Line::styled(line, theme.dim)));
    }
}
