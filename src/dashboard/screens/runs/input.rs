//! The line in which the filter of the list or the name of a view is typed. The filter acts while
//! it is typed.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::model::context::Context;
use crate::model::zoom::Zoom;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::text::put;
use crate::widgets::text_input::{TextInput, TextInputResult};
use crate::widgets::truncate::wrap;

use super::RunsScreen;
use super::list::ListFilter;

/// The rows of the line and of what is said about it.
pub(super) const INPUT_ROWS: u16 = 3;

/// What a filter may look like.
const FILTER_EXAMPLES: &str =
    "population>=100 and accuracy_states>0.9, game=nim or tag=best (# on Home), a part of a name";

/// A text that is being typed.
pub(super) struct RunsInput {
    asks: Question,
    input: TextInput,
    /// Why the text can't be used.
    error: Option<String>,
}

enum Question {
    /// A filter, in place of this one.
    Filter(ListFilter),
    ViewName,
}

impl RunsScreen {
    /// Starts to type a filter. The present one is replaced or edited.
    pub(super) fn start_filter(&mut self) {
        if !self.list().is_listed() {
            "reading the saved runs".clone_into(&mut self.message);
            return;
        }
        self.show_list();
        let before = self.list().filter().clone();
        self.input = Some(RunsInput {
            input: TextInput::selected(before.text()),
            asks: Question::Filter(before),
            error: None,
        });
    }

    /// Asks for the name of a view to save.
    pub(super) fn ask_for_view_name(&mut self, suggested: &str) {
        self.input = Some(RunsInput {
            input: TextInput::selected(suggested),
            asks: Question::ViewName,
            error: None,
        });
    }

    /// Shows the list of runs in place of the views or a zoomed chart.
    pub(super) fn show_list(&mut self) {
        self.options.zoom = Zoom::Out;
        self.menu.close();
    }

    /// Handles a key of the line.
    pub(super) fn press_in_input(&mut self, key: KeyEvent) {
        let Some(mut input) = self.input.take() else {
            return;
        };
        let is_filter = matches!(input.asks, Question::Filter(_));
        match (key.code, input.input.press(key)) {
            (KeyCode::Up, _) if is_filter => self.list_mut().step(-1),
            (KeyCode::Down, _) if is_filter => self.list_mut().step(1),
            (_, TextInputResult::Editing) => self.try_input(&mut input),
            (_, TextInputResult::Canceled) => return self.cancel(&input),
            (_, TextInputResult::Done(_)) if is_filter && input.error.is_none() => return,
            (_, TextInputResult::Done(_)) if is_filter => {}
            (_, TextInputResult::Done(name)) if name.is_empty() => {
                input.error = Some("a view needs a name".to_owned());
            }
            (_, TextInputResult::Done(name)) => return self.save_view(name),
        }
        self.input = Some(input);
    }

    /// Applies what has been typed so far. With a mistake in it, the filter is that from before.
    fn try_input(&mut self, input: &mut RunsInput) {
        input.error = None;
        if let Question::Filter(before) = &input.asks
            && let Err(error) = self.list_mut().set_filter(input.input.text())
        {
            self.list_mut().replace_filter(before.clone());
            input.error = Some(error.to_string());
        }
    }

    /// Stops typing and leaves everything as it was before.
    pub(super) fn cancel_input(&mut self) {
        if let Some(input) = self.input.take() {
            self.cancel(&input);
        }
    }

    fn cancel(&mut self, input: &RunsInput) {
        if let Question::Filter(before) = &input.asks {
            self.list_mut().replace_filter(before.clone());
        }
    }

    /// Draws the line with what is wrong with it or what it does.
    pub(super) fn draw_input(
        &self,
        input: &RunsInput,
        context: &Context,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let theme = &context.theme;
        let title = match input.asks {
            Question::Filter(_) => "Filter the runs",
            Question::ViewName => "Save this view as",
        };
        let inner = Frame::titled(title).draw(Focus::Here, theme, area, buf);
        let room = usize::from(inner.width.saturating_sub(2));
        let mut line = Line::from(" ");
        line.spans.extend(input.input.spans(room, theme));
        put(buf, inner, 0, line);
        let (words, style) = self.about_input(input, theme);
        for (row, words) in wrap(&words, room).iter().enumerate() {
            let words = Span::styled(format!(" {words}"), style);
            put(buf, inner, row as u16 + 1, words);
        }
    }

    fn about_input(&self, input: &RunsInput, theme: &Theme) -> (String, Style) {
        let text = input.input.text().trim();
        if let Some(error) = &input.error {
            return (error.clone(), theme.bad);
        }
        let words = match input.asks {
            Question::Filter(_) if text.is_empty() => FILTER_EXAMPLES.to_owned(),
            Question::Filter(_) => {
                let (left, all) = self.list().counts();
                format!("{left} of {all} runs")
            }
            Question::ViewName if self.menu.has(text) => {
                format!("replaces the view {text}")
            }
            Question::ViewName => {
                "view, filter, grouping, column, axes, selected and pinned runs".to_owned()
            }
        };
        (words, theme.dim)
    }
}
