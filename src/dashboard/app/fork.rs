//! The dialog in which the run is forked.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::format;
use crate::keymap::Action;
use crate::model::fork::{ForkPurpose, ForkRequest};
use crate::model::run::RunModel;
use crate::screen::{Requests, ScreenEvent, send};
use crate::theme::Theme;
use crate::widgets::frame::Frame;
use crate::widgets::text::{below, put, put_all, right_of};
use crate::widgets::text_input::{TextInput, TextInputResult};
use crate::widgets::truncate::{fit, wrapped};
use finches_engine::params::key_values;
use finches_lab::experiment::fork::{Fork, describe, forkable};
use finches_runs::run::message::RunCommand;
use finches_runs::storage::saves::RunFile;

use super::{AppModel, Overlay};

/// The seeds of a comparison, unless others are typed.
const SEEDS: u64 = 10;

/// The generations of a comparison that begins where the run is now.
const GENERATIONS: u64 = 100;

/// The most seeds of a comparison.
const MAX_SEEDS: u64 = 1000;

/// A line of the dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Generation,
    Change,
    Seeds,
    End,
}

impl Field {
    const ALL: [Self; 4] = [Self::Generation, Self::Change, Self::Seeds, Self::End];

    fn name(self) -> &'static str {
        match self {
            Self::Generation => "From generation",
            Self::Change => "Change",
            Self::Seeds => "Seeds",
            Self::End => "To generation",
        }
    }

    /// What an empty line means, or what to type.
    fn help(self, defaults: &ForkDefaults) -> String {
        match self {
            Self::Generation => "the first generation with the change".to_owned(),
            Self::Change if !defaults.now.is_empty() => defaults.now.clone(),
            Self::Change if defaults.change.is_empty() => {
                "left and right choose a parameter; or type one, such as add_node=0.4".to_owned()
            }
            Self::Change => format!("left and right choose one; empty: {}", defaults.change),
            Self::Seeds => "each runs with and without the change; 0: save a second run".to_owned(),
            Self::End => format!(
                "the last one compared; the run's own last is {}",
                defaults.last
            ),
        }
    }
}

/// What the run suggests.
#[derive(Debug, Default)]
struct ForkDefaults {
    /// The changes that the run made in the generation; empty for none.
    change: String,
    /// What the parameter that is typed is now.
    now: String,
    /// Whether the run goes on meanwhile.
    is_running: bool,
    /// The last generation of the run.
    last: u64,
}

/// A fork as it is typed.
#[derive(Debug, Default)]
pub(super) struct ForkDialog {
    inputs: [TextInput; Field::ALL.len()],
    current: usize,
    defaults: ForkDefaults,
    error: Option<String>,
}

impl AppModel {
    /// Opens the dialog with the latest change of the run.
    pub fn edit_fork(&mut self) {
        let Some(run) = &self.context.run else {
            self.context
                .notify("a fork continues a run with another parameter: start or choose a run");
            return;
        };
        self.fork = ForkDialog::of(run);
        self.overlay = Some(Overlay::Fork);
    }

    pub(super) fn press_in_fork(&mut self, key: KeyEvent) -> Requests {
        let count = Field::ALL.len();
        match key.code {
            KeyCode::Up | KeyCode::BackTab => self.fork.select(count - 1),
            KeyCode::Down | KeyCode::Tab => self.fork.select(1),
            _ => return self.type_in_fork(key),
        }
        Vec::new()
    }

    fn type_in_fork(&mut self, key: KeyEvent) -> Requests {
        let current = self.fork.current;
        let run = self.context.run.as_ref();
        let result = match run.and_then(|run| self.fork.chosen(run, key.code)) {
            Some(chosen) => {
                self.fork.inputs[current] = TextInput::new(&chosen);
                TextInputResult::Editing
            }
            None => self.fork.inputs[current].press(key),
        };
        match result {
            TextInputResult::Editing => {
                let text = self.fork.text(Field::Change);
                let is_whole = text.contains('=') && !text.trim_end().ends_with('=');
                self.fork.error = is_whole.then(|| self.fork_request().err()).flatten();
                if let Some(run) = &self.context.run {
                    self.fork.defaults = ForkDefaults::of(run, &self.fork);
                }
            }
            TextInputResult::Canceled => self.overlay = None,
            TextInputResult::Done(_) => return self.start_fork(),
        }
        Vec::new()
    }

    fn start_fork(&mut self) -> Requests {
        let request = match self.fork_request() {
            Ok(request) => request,
            Err(error) => {
                self.fork.error = Some(error);
                return Vec::new();
            }
        };
        self.overlay = None;
        let mut requests = self.open(Action::GoRuns);
        if request.purpose == ForkPurpose::SecondRun {
            // It begins with the rows of this run.
            requests.extend(send(RunCommand::Save, &mut self.context));
        }
        self.tell(&ScreenEvent::ForkRequested(&request));
        requests
    }

    /// The fork of the dialog, or what is wrong with it.
    fn fork_request(&self) -> Result<ForkRequest, String> {
        let run = self.context.run.as_ref().ok_or("there is no run")?;
        let dialog = &self.fork;
        let whole = |field: Field| {
            let text = dialog.text(field);
            let problem = || format!("{}: `{text}` is not a whole number", field.name());
            dialog.number(field).ok_or_else(problem)
        };
        let generation = whole(Field::Generation)?;
        if generation > run.generation {
            let done = format::whole(run.generation);
            return Err(format!(
                "From generation: the run has done {done} generations"
            ));
        }
        let seeds = whole(Field::Seeds)?;
        let changes = key_values(dialog.text(Field::Change));
        let mut changes = changes.map_err(|error| format!("Change: {error}"))?;
        for (key, _) in &mut changes {
            *key = key_of(key);
        }
        let definition = self.definition(run)?;
        let fork =
            Fork::new(definition, generation, &changes).map_err(|error| error.to_string())?;
        let purpose = match seeds {
            0 if run.facts.saved_as.is_none() => {
                return Err(
                    "a second run is saved beside the first, but this run is not saved".to_owned(),
                );
            }
            0 => ForkPurpose::SecondRun,
            seeds => {
                let end = whole(Field::End)?;
                if end < generation {
                    return Err(format!("To generation: choose {generation} or a later one"));
                }
                let manifest =
                    fork.manifest(&run.name(), end.saturating_add(1), seeds.min(MAX_SEEDS));
                let manifest = manifest.map_err(|error| error.to_string())?;
                ForkPurpose::Compare(Box::new(manifest))
            }
        };
        Ok(ForkRequest {
            fork,
            run: run.name(),
            threads: run.facts.threads.max(1),
            purpose,
        })
    }

    /// The run from its beginning, with all changes so far.
    fn definition(&self, run: &RunModel) -> Result<RunFile, String> {
        let saved = run.facts.saved_as.as_ref().zip(self.context.saves.as_ref());
        let preset = match saved {
            // A resumed run knows only the parameters with which it was resumed.
            Some((name, saves)) => {
                let file = saves.run_file(name).map_err(|error| error.to_string())?;
                file.preset
            }
            None => run.facts.preset.clone(),
        };
        Ok(RunFile {
            interventions: run.changes.clone(),
            ..RunFile::new(preset, run.facts.seed)
        })
    }
}

impl ForkDefaults {
    fn of(run: &RunModel, dialog: &ForkDialog) -> Self {
        let generation = dialog.number(Field::Generation);
        let own = forkable(&run.changes).filter(|change| Some(change.generation) == generation);
        let typed = dialog.text(Field::Change).split('=').next();
        let key = typed.and_then(|key| run.preset.full_key(&key_of(key)).ok());
        let param = key.and_then(|key| run.preset.param(&key));
        let now = param.map(|param| format!("now {}; type the new value", param.value));
        Self {
            now: now.unwrap_or_default(),
            change: describe(own),
            is_running: run.state.is_running(),
            last: run.preset.generations.saturating_sub(1),
        }
    }
}

/// The key of a parameter that may be named in words, as screens name it.
fn key_of(words: &str) -> String {
    words.trim().replace(' ', "_")
}

impl ForkDialog {
    fn of(run: &RunModel) -> Self {
        let latest = forkable(&run.changes).next_back();
        let latest = latest.map(|change| change.generation);
        // From the end of a solved run on there is nothing to learn.
        let now = run.solved().map_or(run.generation, |_| 0);
        let generation = latest.unwrap_or(now);
        let end = run.generation.max(generation + GENERATIONS) - 1;
        let number = |number: u64| TextInput::selected(&number.to_string());
        let mut dialog = Self {
            inputs: [
                number(generation),
                TextInput::default(),
                number(SEEDS),
                number(end),
            ],
            current: usize::from(latest.is_none()),
            ..Self::default()
        };
        dialog.defaults = ForkDefaults::of(run, &dialog);
        dialog
    }

    /// The line of changes with the next live parameter or the one before, or with the first that
    /// contains what is typed; `None` once a value is typed.
    fn chosen(&self, run: &RunModel, code: KeyCode) -> Option<String> {
        let is_next = match code {
            KeyCode::Right => true,
            KeyCode::Left => false,
            _ => return None,
        };
        let text = self.text(Field::Change);
        let (key, value) = text.split_once('=').unwrap_or((text, ""));
        if Field::ALL[self.current] != Field::Change || !value.is_empty() {
            return None;
        }
        let live = run.preset.params().into_iter().filter(|param| param.live);
        let keys: Vec<String> = live.map(|param| param.key).collect();
        let place = match keys.iter().position(|known| known == key) {
            Some(place) if is_next => place + 1,
            Some(place) => place + keys.len() - 1,
            None => keys.iter().position(|known| known.contains(key))?,
        };
        Some(format!("{}=", keys[place % keys.len()]))
    }

    fn select(&mut self, by: usize) {
        self.current = (self.current + by) % Field::ALL.len();
    }

    fn text(&self, field: Field) -> &str {
        self.inputs[field as usize].text()
    }

    fn number(&self, field: Field) -> Option<u64> {
        self.text(field).trim().replace(',', "").parse().ok()
    }

    pub(super) fn view(&self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        const NAMES: u16 = 18;
        let size = (76, Field::ALL.len() as u16 + 9);
        let frame = Frame::titled("Fork the run: what does a change do?");
        let inner = frame.dialog(size, theme, area, buf);
        let values = right_of(inner, NAMES);
        for (row, field) in (0..).zip(Field::ALL) {
            let input = &self.inputs[usize::from(row)];
            let is_current = usize::from(row) == self.current;
            let style = if is_current { theme.strong } else { theme.text };
            let value = match input.text() {
                _ if is_current => Line::from(input.spans(values.width.into(), theme)),
                "" => Line::styled(self.defaults.change.clone(), theme.dim),
                typed => Line::styled(typed.to_owned(), theme.text),
            };
            put(buf, inner, row, Span::styled(field.name(), style));
            put(buf, values, row, value);
        }
        let help = Field::ALL[self.current].help(&self.defaults);
        let help = Span::styled(fit(&help, inner.width.into()), theme.dim);
        put(buf, inner, Field::ALL.len() as u16, help);
        let (words, style) = match &self.error {
            Some(error) => (error.clone(), theme.bad),
            None => (self.explanation(), theme.text),
        };
        let rest = below(inner, Field::ALL.len() as u16 + 2);
        put_all(buf, rest, wrapped(&words, inner.width.into(), style));
    }

    /// What Enter does.
    fn explanation(&self) -> String {
        let Some(generation) = self.number(Field::Generation) else {
            return "Type the generation from which it begins.".to_owned();
        };
        let from = format::whole(generation);
        let changes_nothing =
            self.text(Field::Change).trim().is_empty() && self.defaults.change.is_empty();
        let meanwhile = [", while this run goes on", ""][usize::from(!self.defaults.is_running)];
        match self.number(Field::Seeds) {
            Some(0) => format!(
                "Enter saves a second run, equal to this one up to generation {from}; this run \
                stays. Up and down select a line, esc closes."
            ),
            _ if changes_nothing => format!(
                "The run changed nothing in generation {from}: choose what half of the runs change."
            ),
            seeds => format!(
                "Enter evolves {} runs from the population of generation {from}, half of them with \
                the change{meanwhile}. Runs shows both and their difference. They are saved under \
                experiments, in the folder where finches was started. Esc closes.",
                format::whole(2 * seeds.unwrap_or(SEEDS).min(MAX_SEEDS))
            ),
        }
    }
}
