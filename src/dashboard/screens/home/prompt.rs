//! The line in which a saved run gets a new name or its tags.

use crossterm::event::KeyEvent;
use ratatui::text::{Line, Span};

use crate::screen::{Effect, Effects, Request};
use crate::theme::Theme;
use crate::widgets::text_input::{TextInput, TextInputResult};

use super::Home;
use super::rows::HomeKey;

/// A text that is asked for.
pub(super) struct Prompt {
    asks: PromptKind,
    /// The run that it is about.
    run: String,
    input: TextInput,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PromptKind {
    Name,
    Tags,
}

impl Prompt {
    /// The prompt with what has been typed, in at most `room` cells.
    pub(super) fn line(&self, room: usize, theme: &Theme) -> Line<'static> {
        let words = match self.asks {
            PromptKind::Name => "New name: ",
            PromptKind::Tags => "Tags, separated by spaces: ",
        };
        let mut line = Line::styled(words, theme.accent);
        let room = room.saturating_sub(line.width());
        line.spans.extend(self.input.spans(room, theme));
        line.push_span(Span::raw(" "));
        line
    }
}

impl Home {
    /// Asks for the name or the tags of the selected run. Returns whether one is selected.
    pub(super) fn ask_for(&mut self, asks: PromptKind) -> bool {
        let Some((run, tags)) = self.selected_run() else {
            return false;
        };
        let input = match asks {
            PromptKind::Name => TextInput::selected(run),
            PromptKind::Tags => TextInput::new(&(tags.join(" ") + " ")),
        };
        self.prompt = Some(Prompt {
            asks,
            run: run.to_owned(),
            input,
        });
        true
    }

    /// Handles a key of the prompt.
    pub(super) fn press_prompt(&mut self, key: KeyEvent) -> Effects {
        let Some(mut prompt) = self.prompt.take() else {
            return Vec::new();
        };
        match prompt.input.press(key) {
            TextInputResult::Editing => self.prompt = Some(prompt),
            TextInputResult::Canceled => {}
            TextInputResult::Done(text) => return self.finish_prompt(prompt, text),
        }
        Vec::new()
    }

    fn finish_prompt(&mut self, prompt: Prompt, text: String) -> Effects {
        let run = prompt.run;
        match prompt.asks {
            PromptKind::Name if text == run => Vec::new(),
            PromptKind::Name => {
                self.selected = Some(HomeKey::Run(text.clone()));
                vec![Effect::Ask(Request::Rename { run, name: text })]
            }
            PromptKind::Tags => {
                let tag = |word: &str| word.trim_start_matches('#').to_owned();
                let mut tags: Vec<String> = text.split_whitespace().map(tag).collect();
                tags.retain(|tag| !tag.is_empty());
                vec![Effect::Ask(Request::Tag { run, tags })]
            }
        }
    }
}
