//! Screen 5: the parameters of a running evolution, or of a preset before it starts. Changes are
//! pending until they are applied together.

use crossterm::event::{KeyEvent, KeyEventKind};

use crate::format;
use crate::keymap::{self, Action};
use crate::model::run::parameter_name;
use crate::mouse::Wheel;
use crate::widgets::text_input::{TextInput, TextInputResult};
use finches_engine::params::{Param, ParamError};
use finches_engine::preset::{Intervention, Preset};

use self::nudge::Nudge;
use self::screen::{ParameterAction, SCOPE};
mod nudge;
mod screen;
mod side;
mod view;
mod words;

pub use self::screen::ParameterEditor;

/// The result of a key press.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParametersOutcome {
    Handled,
    /// An action that is not this screen's.
    Pass(Action),
    /// Apply these changes (full key, value) in this order.
    Apply(Vec<(String, String)>),
    /// Leave the screen; nothing is pending.
    Leave,
}

/// What the parameters belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterOwner {
    /// A run: its live parameters can be changed.
    Run,
    /// A run of another process: nothing can be changed.
    FollowedRun,
    /// A preset: all its parameters can be changed.
    Preset,
}

/// The parameters and the pending changes.
pub struct ParametersScreen {
    /// The parameters before any change.
    initial: Preset,
    /// The parameters in force.
    now: Preset,
    /// The parameters with all pending changes.
    next: Preset,
    owner: ParameterOwner,
    /// Changes sent to the run, which applies them at the next generation.
    sent: Vec<(String, String)>,
    /// The index among the parameters that can be changed.
    selected: usize,
    entry: Option<TextInput>,
    /// Whether the text typed is a part of a name to find, not a value.
    is_finding: bool,
    message: StatusMessage,
}

/// A click target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterTarget {
    /// A parameter, by its index in the list.
    Row(usize),
    /// The controls that decrease or increase the selected parameter.
    Decrease,
    Increase,
}

/// The line below the list.
#[derive(Clone, Debug, PartialEq, Eq)]
enum StatusMessage {
    Plain(String),
    Good(String),
    Bad(String),
}

impl ParametersScreen {
    /// The parameters in force, and those before any change.
    pub fn new(initial: Preset, now: &Preset, owner: ParameterOwner) -> Self {
        Self {
            initial,
            now: now.clone(),
            next: now.clone(),
            owner,
            sent: Vec::new(),
            selected: 0,
            entry: None,
            is_finding: false,
            message: StatusMessage::Plain(String::new()),
        }
    }

    /// The parameters: those in force in a run, or those of a preset with all pending changes.
    pub fn preset(&self) -> &Preset {
        if self.is_preset() {
            &self.next
        } else {
            &self.now
        }
    }

    fn is_preset(&self) -> bool {
        self.owner == ParameterOwner::Preset
    }

    /// Records that the run has changed a parameter. Changes must be recorded first and in order.
    pub fn record_change(&mut self, intervention: &Intervention) {
        let key = &intervention.key;
        let is_sent = |sent: &(String, String)| sent.0 == *key;
        if let Some(index) = self.sent.iter().position(is_sent) {
            self.sent.remove(index);
        }
        let was_pending = value(&self.next, key) != value(&self.now, key);
        let fits = self.now.change(key, &intervention.to).is_ok();
        if fits && !was_pending {
            // The pending value was checked when it was entered, so it is kept.
            let _ = self.next.change(key, &intervention.to);
        }
        let generation = format::count(intervention.generation as f64);
        let start = format!("Generation {generation}: ");
        let (label, value) = (parameter_name(key), format::parameter(&intervention.to));
        let earlier = match &self.message {
            StatusMessage::Good(words) => words.strip_prefix(&start),
            _ => None,
        };
        let earlier = earlier.and_then(|words| words.strip_suffix('.'));
        let earlier = earlier.map_or(String::new(), |words| format!("{words}, "));
        self.message = StatusMessage::Good(format!("{start}{earlier}{label} is now {value}."));
    }

    /// Records that the run has rejected a change. The run answers in the order in which changes
    /// were sent.
    pub fn report_rejection(&mut self, problem: &ParamError) {
        if !self.sent.is_empty() {
            self.sent.remove(0);
        }
        self.message = StatusMessage::Bad(problem.to_string());
    }

    /// Handles a key.
    pub fn press(&mut self, key: KeyEvent) -> ParametersOutcome {
        if key.kind == KeyEventKind::Release {
            return ParametersOutcome::Handled;
        }
        if self.entry.is_some() {
            self.type_key(key);
            return ParametersOutcome::Handled;
        }
        keymap::action(SCOPE, key).map_or(ParametersOutcome::Handled, |action| self.act(action))
    }

    /// Moves through the list, unless a value is being typed.
    pub fn wheel(&mut self, wheel: Wheel) {
        if let (None, Some(action)) = (&self.entry, keymap::wheel(SCOPE, wheel)) {
            self.act(action);
        }
    }

    /// Selects a parameter, nudges it, or starts typing if it is already selected. Ignored while a
    /// value is being typed.
    pub fn click(&mut self, spot: ParameterTarget) {
        let action = match spot {
            _ if self.entry.is_some() => return,
            ParameterTarget::Row(index) if index != self.selected => {
                self.selected = index;
                self.message = StatusMessage::Plain(String::new());
                return;
            }
            ParameterTarget::Row(_) => Action::Enter,
            ParameterTarget::Decrease => ParameterAction::Decrease.action(),
            ParameterTarget::Increase => ParameterAction::Increase.action(),
        };
        self.act(action);
    }

    fn act(&mut self, action: Action) -> ParametersOutcome {
        const PAGE: i32 = 8;
        match (ParameterAction::of(action), action.rows(PAGE)) {
            (_, Some(rows)) => self.select(rows as isize),
            (Some(ParameterAction::Discard), _) => return self.discard(),
            (None, _) if action == Action::Back => return self.discard(),
            (None, _) if action == Action::Filter => {
                self.entry = Some(TextInput::new(""));
                self.is_finding = true;
            }
            (None, _) if action != Action::Enter => return ParametersOutcome::Pass(action),
            (own, _) => return self.edit(own),
        }
        ParametersOutcome::Handled
    }

    /// Edits the selected parameter: by typing a value, or by an action.
    fn edit(&mut self, action: Option<ParameterAction>) -> ParametersOutcome {
        if self.owner == ParameterOwner::FollowedRun {
            let words = "Read-only: another process evolves this run.";
            self.message = StatusMessage::Plain(words.to_owned());
            return ParametersOutcome::Handled;
        }
        match action {
            None => self.open_entry(),
            Some(ParameterAction::Decrease) => self.nudge(Nudge::Down, 1.0),
            Some(ParameterAction::Increase) => self.nudge(Nudge::Up, 1.0),
            Some(ParameterAction::DecreaseFar) => self.nudge(Nudge::Down, 10.0),
            Some(ParameterAction::IncreaseFar) => self.nudge(Nudge::Up, 10.0),
            Some(ParameterAction::ResetParameter) => self.reset(),
            Some(ParameterAction::ResetAll) => self.reset_all(),
            Some(ParameterAction::Undo) => self.undo(),
            Some(ParameterAction::Apply) => return self.apply(),
            Some(ParameterAction::Discard) => return self.discard(),
        }
        ParametersOutcome::Handled
    }

    /// The parameters that can be changed here with their pending values, ordered by heading:
    /// mutation weights first, descriptions last.
    fn editable(&self) -> Vec<Param> {
        let params = self.next.params();
        let rank = |param: &&Param| {
            u8::from(!words::is_mutation_weight(param)) + u8::from(words::is_description(param))
        };
        let mut ranked: Vec<&Param> = params.iter().collect();
        ranked.sort_by_key(rank);
        let mut headings: Vec<String> = Vec::new();
        for heading in ranked.into_iter().map(words::heading) {
            if !headings.contains(&heading) {
                headings.push(heading);
            }
        }
        let mut params: Vec<Param> = params
            .iter()
            .filter(|param| param.live || self.is_preset())
            .cloned()
            .collect();
        let index = |param: &Param| {
            let heading = words::heading(param);
            headings.iter().position(|known| *known == heading)
        };
        params.sort_by_key(index);
        params
    }

    fn selected_param(&self) -> Option<Param> {
        self.editable().into_iter().nth(self.selected)
    }

    /// The parameters that differ from those in force, with their pending values.
    fn pending(&self) -> Vec<(String, String)> {
        let now = self.now.params();
        let next = self.next.params();
        let changed = |param: &&Param| {
            let before = now.iter().find(|before| before.key == param.key);
            before.is_none_or(|before| before.value != param.value)
        };
        let pair = |param: &Param| (param.key.clone(), param.value.clone());
        next.iter()
            .filter(changed)
            .map(pair)
            .filter(|pair| !self.sent.contains(pair))
            .collect()
    }

    fn select(&mut self, by: isize) {
        let last = self.editable().len().saturating_sub(1);
        self.selected = self.selected.saturating_add_signed(by).min(last);
        self.message = StatusMessage::Plain(String::new());
    }

    fn nudge(&mut self, direction: Nudge, times: f64) {
        let Some(param) = self.selected_param() else {
            return;
        };
        if let Some(text) = nudge::nudged(&param, direction, times) {
            self.set(&param.key, &text);
        } else {
            let enter = keymap::label(SCOPE, Action::Enter);
            self.message = StatusMessage::Plain(format!("{enter}: type a value"));
        }
    }

    /// Makes a value pending or reports what is wrong with it.
    fn set(&mut self, key: &str, text: &str) {
        self.message = match self.next.change(key, text) {
            Ok(()) => self
                .next
                .problems()
                .into_iter()
                .next()
                .map_or(StatusMessage::Plain(String::new()), |problem| {
                    StatusMessage::Bad(problem.to_string())
                }),
            Err(problem) => StatusMessage::Bad(problem.to_string()),
        };
    }

    fn open_entry(&mut self) {
        if let Some(param) = self.selected_param() {
            self.entry = Some(TextInput::selected(&format::parameter(&param.value)));
            self.is_finding = false;
            self.message = StatusMessage::Plain(String::new());
        }
    }

    fn type_key(&mut self, key: KeyEvent) {
        let param = self.selected_param();
        let (Some(entry), Some(param)) = (self.entry.as_mut(), param) else {
            return;
        };
        match entry.press(key) {
            TextInputResult::Editing if self.is_finding => {
                let text = entry.text().to_lowercase();
                self.find(&text);
            }
            TextInputResult::Done(_) if self.is_finding => self.entry = None,
            TextInputResult::Editing => {}
            TextInputResult::Canceled => {
                self.entry = None;
                self.message = StatusMessage::Plain(String::new());
            }
            TextInputResult::Done(text) => {
                let text = words::typed_value(&param.kind, &text);
                match self.next.clone().change(&param.key, &text) {
                    Ok(()) => {
                        self.entry = None;
                        self.set(&param.key, &text);
                    }
                    Err(problem) => self.message = StatusMessage::Bad(problem.to_string()),
                }
            }
        }
    }

    /// Selects the first parameter whose name or key contains a text.
    fn find(&mut self, text: &str) {
        let is_it = |param: &Param| {
            let names = [param.label(), param.key.clone()];
            names.iter().any(|name| name.to_lowercase().contains(text))
        };
        match self.editable().iter().position(is_it) {
            Some(place) => self.select(place as isize - self.selected as isize),
            None => self.message = StatusMessage::Bad(format!("No name contains {text:?}.")),
        }
    }

    fn reset(&mut self) {
        if let Some(param) = self.selected_param() {
            self.set(&param.key, &self.initial_value(&param));
        }
    }

    fn reset_all(&mut self) {
        let params = self.editable().into_iter();
        for param in params.filter(|param| !words::is_description(param)) {
            self.set(&param.key, &self.initial_value(&param));
        }
    }

    /// The value before any change.
    fn initial_value(&self, param: &Param) -> String {
        value(&self.initial, &param.key).unwrap_or_else(|| param.default.clone())
    }

    /// Discards the pending change of the selected parameter.
    fn undo(&mut self) {
        if let Some(param) = self.selected_param() {
            let value = value(&self.now, &param.key).unwrap_or(param.default);
            self.set(&param.key, &value);
        }
    }

    fn discard(&mut self) -> ParametersOutcome {
        if self.pending().is_empty() {
            return ParametersOutcome::Leave;
        }
        self.next = self.now.clone();
        for (key, value) in self.sent.clone() {
            // The value was checked before it was sent.
            let _ = self.next.change(&key, &value);
        }
        self.message = StatusMessage::Plain("Pending changes discarded.".to_owned());
        ParametersOutcome::Handled
    }

    fn apply(&mut self) -> ParametersOutcome {
        let pending = self.pending();
        if pending.is_empty() && self.is_preset() {
            return ParametersOutcome::Leave;
        }
        if pending.is_empty() {
            self.message = StatusMessage::Plain("No pending changes.".to_owned());
            return ParametersOutcome::Handled;
        }
        let ordered = if self.is_preset() {
            let fault = self.next.problems().into_iter().next();
            fault.map_or(Ok(pending), Err)
        } else {
            self.valid_order(pending)
        };
        match ordered {
            Ok(changes) => {
                if self.is_preset() {
                    self.now = self.next.clone();
                    self.message = StatusMessage::Good("Applied.".to_owned());
                } else {
                    self.sent.extend(changes.clone());
                    let words = "Sent. It takes effect in the next generation.";
                    self.message = StatusMessage::Plain(words.to_owned());
                }
                ParametersOutcome::Apply(changes)
            }
            Err(problem) => {
                self.message = StatusMessage::Bad(problem.to_string());
                ParametersOutcome::Handled
            }
        }
    }

    /// An order in which the run accepts all changes. The run validates the whole preset after each
    /// single change.
    fn valid_order(
        &self,
        mut waiting: Vec<(String, String)>,
    ) -> Result<Vec<(String, String)>, ParamError> {
        let mut scratch = self.now.clone();
        for (key, value) in &self.sent {
            // The value was checked before it was sent.
            let _ = scratch.change(key, value);
        }
        let mut ordered = Vec::new();
        while !waiting.is_empty() {
            let mut problem = None;
            let index = waiting.iter().position(|(key, value)| {
                let answer = scratch.change_live(key, value);
                problem = problem.take().or(answer.clone().err());
                answer.is_ok()
            });
            match (index, problem) {
                (Some(index), _) => ordered.push(waiting.remove(index)),
                (None, Some(problem)) => return Err(problem),
                (None, None) => break,
            }
        }
        Ok(ordered)
    }
}

/// The value of a parameter, in the notation of preset files.
fn value(preset: &Preset, key: &str) -> Option<String> {
    preset.param(key).map(|param| param.value)
}

/// Whether an action edits a parameter or applies changes.
fn is_edit(action: Action) -> bool {
    let own = ParameterAction::of(action);
    action == Action::Enter || own.is_some_and(|own| own != ParameterAction::Discard)
}

/// The share of a mutation weight in the sum of all.
fn share(param: &Param, total: f64) -> f64 {
    let weight = param.value.parse::<f64>().unwrap_or(0.0);
    if total > 0.0 { weight / total } else { 0.0 }
}

#[cfg(test)]
mod tests;
