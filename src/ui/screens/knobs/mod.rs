//! Screen 5: the settings of a run, turned while it goes on, or of a preset before it starts. Changes collect as pending
//! until they are applied together; `view` draws them.

use crossterm::event::{KeyEvent, KeyEventKind};

use crate::params::{Param, Problem};
use crate::preset::{Intervention, Preset};
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::mouse::Wheel;
use crate::ui::widgets::entry::{Entry, Typed};

use self::nudge::Nudge;
use self::past::Past;

mod nudge;
mod past;
mod side;
mod view;

/// What becomes of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KnobsAnswer {
    Handled,
    /// Not this screen's business.
    Pass(Action),
    /// Change these settings, by full key, in this order.
    Apply(Vec<(String, String)>),
    /// Nothing is pending and the user wants to leave.
    Leave,
}

/// The settings, what is pending, and what became of past changes.
pub struct KnobsScreen {
    /// The settings as they stand.
    now: Preset,
    /// The settings with all that is pending.
    next: Preset,
    live_run: bool,
    /// Settings on their way to the run, which takes them at the next generation.
    sent: Vec<(String, String)>,
    /// The place among the settings that can be turned.
    selected: usize,
    entry: Option<Entry>,
    message: Message,
    past: Past,
}

/// What a click falls on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// A setting, by its place in the list.
    Knob(usize),
    /// What makes the selected setting less or more.
    Less,
    More,
}

/// The line below the list.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Message {
    Plain(String),
    Good(String),
    Bad(String),
}

impl KnobsScreen {
    /// The settings of a run that goes on, or (`live_run` false) of a preset before it starts, all of which can be changed.
    pub fn new(preset: &Preset, live_run: bool) -> Self {
        Self {
            now: preset.clone(),
            next: preset.clone(),
            live_run,
            sent: Vec::new(),
            selected: 0,
            entry: None,
            message: Message::Plain(String::new()),
            past: Past::default(),
        }
    }

    /// The settings: of a run as they stand, of a preset with all that is pending.
    pub fn preset(&self) -> &Preset {
        if self.live_run { &self.now } else { &self.next }
    }

    /// Takes note that the run has turned a setting. Those of the past come first and in their order.
    pub fn turned(&mut self, intervention: &Intervention) {
        let key = &intervention.key;
        let is_sent = |sent: &(String, String)| sent.0 == *key;
        if let Some(place) = self.sent.iter().position(is_sent) {
            self.sent.remove(place);
        }
        let was_pending = value(&self.next, key) != value(&self.now, key);
        let fits = self.now.change(key, &intervention.to).is_ok();
        if fits && !was_pending {
            // What is pending was checked when it was entered; it stays.
            let _ = self.next.change(key, &intervention.to);
        }
        self.past.turned(intervention);
        self.message = Message::Good(format!(
            "Generation {}: {} is now {}.",
            intervention.generation,
            label_of(key),
            view::pretty(&intervention.to)
        ));
    }

    /// Takes note that the run has refused a setting; it answers in the order of what was sent.
    pub fn refused(&mut self, problem: &Problem) {
        if !self.sent.is_empty() {
            self.sent.remove(0);
        }
        self.message = Message::Bad(problem.to_string());
    }

    /// Takes note of the objective (0..=1) of a generation.
    pub fn objective(&mut self, generation: u64, value: f64) {
        self.past.objective(generation, value);
    }

    /// Takes a key.
    pub fn press(&mut self, key: KeyEvent) -> KnobsAnswer {
        if key.kind == KeyEventKind::Release {
            return KnobsAnswer::Handled;
        }
        if self.entry.is_some() {
            self.type_key(key);
            return KnobsAnswer::Handled;
        }
        keymap::action(Scope::Knobs, key).map_or(KnobsAnswer::Handled, |action| self.act(action))
    }

    /// Goes through the list, unless a value is being typed.
    pub fn wheel(&mut self, wheel: Wheel) {
        if let (None, Some(action)) = (&self.entry, keymap::wheel(Scope::Knobs, wheel)) {
            self.act(action);
        }
    }

    /// Selects, nudges, or on what is selected types, unless a value is being typed.
    pub fn click(&mut self, spot: Spot) {
        let action = match spot {
            _ if self.entry.is_some() => return,
            Spot::Knob(place) if place != self.selected => {
                self.selected = place;
                self.message = Message::Plain(String::new());
                return;
            }
            Spot::Knob(_) => Action::Enter,
            Spot::Less => Action::NudgeDown,
            Spot::More => Action::NudgeUp,
        };
        self.act(action);
    }

    fn act(&mut self, action: Action) -> KnobsAnswer {
        const PAGE: isize = 8;
        match action {
            Action::Up => self.select(-1),
            Action::Down => self.select(1),
            Action::PageUp => self.select(-PAGE),
            Action::PageDown => self.select(PAGE),
            Action::First => self.selected = 0,
            Action::Last => self.select(isize::MAX),
            Action::NudgeDown => self.nudge(Nudge::Down, 1.0),
            Action::NudgeUp => self.nudge(Nudge::Up, 1.0),
            Action::NudgeDownFar => self.nudge(Nudge::Down, 10.0),
            Action::NudgeUpFar => self.nudge(Nudge::Up, 10.0),
            Action::Enter => self.open_entry(),
            Action::Default => self.reset(),
            Action::AllDefaults => self.reset_all(),
            Action::Undo => self.undo(),
            Action::Apply => return self.apply(),
            Action::Discard | Action::Back => return self.discard(),
            other => return KnobsAnswer::Pass(other),
        }
        KnobsAnswer::Handled
    }

    /// The settings that can be turned here, with the values that would come next, headings kept together.
    fn knobs(&self) -> Vec<Param> {
        let params = self.next.params();
        let (told, turned): (Vec<&Param>, Vec<&Param>) =
            params.iter().partition(|param| view::is_description(param));
        let mut headings: Vec<String> = Vec::new();
        for heading in turned.into_iter().chain(told).map(view::heading) {
            if !headings.contains(&heading) {
                headings.push(heading);
            }
        }
        let mut knobs: Vec<Param> = params
            .iter()
            .filter(|param| param.live || !self.live_run)
            .cloned()
            .collect();
        let place = |param: &Param| {
            let heading = view::heading(param);
            headings.iter().position(|known| *known == heading)
        };
        knobs.sort_by_key(place);
        knobs
    }

    fn knob(&self) -> Option<Param> {
        self.knobs().into_iter().nth(self.selected)
    }

    /// The settings that differ from those in force, with the values they would get.
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
        let last = self.knobs().len().saturating_sub(1);
        self.selected = self.selected.saturating_add_signed(by).min(last);
        self.message = Message::Plain(String::new());
    }

    fn nudge(&mut self, direction: Nudge, times: f64) {
        let Some(knob) = self.knob() else { return };
        if let Some(text) = nudge::nudged(&knob, direction, times) {
            self.set(&knob.key, &text);
        } else {
            let enter = keymap::label(Scope::Knobs, Action::Enter);
            self.message = Message::Plain(format!("{enter} lets you type a value"));
        }
    }

    /// Makes a value pending, or says what is wrong with it.
    fn set(&mut self, key: &str, text: &str) {
        self.message = match self.next.change(key, text) {
            Ok(()) => self
                .next
                .problems()
                .into_iter()
                .next()
                .map_or(Message::Plain(String::new()), |problem| {
                    Message::Bad(problem.to_string())
                }),
            Err(problem) => Message::Bad(problem.to_string()),
        };
    }

    fn open_entry(&mut self) {
        if let Some(knob) = self.knob() {
            self.entry = Some(Entry::new(&view::pretty(&knob.value)));
            self.message = Message::Plain(String::new());
        }
    }

    fn type_key(&mut self, key: KeyEvent) {
        let knob = self.knob();
        let (Some(entry), Some(knob)) = (self.entry.as_mut(), knob) else {
            return;
        };
        match entry.press(key) {
            Typed::Editing => {}
            Typed::Left => {
                self.entry = None;
                self.message = Message::Plain(String::new());
            }
            Typed::Done(text) => match self.next.clone().change(&knob.key, &text) {
                Ok(()) => {
                    self.entry = None;
                    self.set(&knob.key, &text);
                }
                Err(problem) => self.message = Message::Bad(problem.to_string()),
            },
        }
    }

    fn reset(&mut self) {
        if let Some(knob) = self.knob() {
            self.set(&knob.key, &knob.default);
        }
    }

    fn reset_all(&mut self) {
        for knob in self
            .knobs()
            .iter()
            .filter(|knob| !view::is_description(knob))
        {
            self.set(&knob.key, &knob.default);
        }
    }

    /// Takes the pending change of the selected setting back.
    fn undo(&mut self) {
        if let Some(knob) = self.knob() {
            let value = value(&self.now, &knob.key).unwrap_or(knob.default);
            self.set(&knob.key, &value);
        }
    }

    fn discard(&mut self) -> KnobsAnswer {
        if self.pending().is_empty() {
            return KnobsAnswer::Leave;
        }
        self.next = self.now.clone();
        for (key, value) in self.sent.clone() {
            // It was checked before it was sent.
            let _ = self.next.change(&key, &value);
        }
        self.message = Message::Plain("What was pending is discarded.".to_owned());
        KnobsAnswer::Handled
    }

    fn apply(&mut self) -> KnobsAnswer {
        let pending = self.pending();
        if pending.is_empty() {
            self.message = Message::Plain("Nothing is pending.".to_owned());
            return KnobsAnswer::Handled;
        }
        let ordered = if self.live_run {
            self.in_order(pending)
        } else {
            let fault = self.next.problems().into_iter().next();
            fault.map_or(Ok(pending), Err)
        };
        match ordered {
            Ok(changes) => {
                if self.live_run {
                    self.sent.extend(changes.clone());
                    self.message =
                        Message::Plain("Sent: in force from the next generation.".to_owned());
                } else {
                    self.now = self.next.clone();
                    self.message = Message::Good("Taken over.".to_owned());
                }
                KnobsAnswer::Apply(changes)
            }
            Err(problem) => {
                self.message = Message::Bad(problem.to_string());
                KnobsAnswer::Handled
            }
        }
    }

    /// An order in which the run, which checks the whole after every single change, takes all of them.
    fn in_order(
        &self,
        mut waiting: Vec<(String, String)>,
    ) -> Result<Vec<(String, String)>, Problem> {
        let mut scratch = self.now.clone();
        for (key, value) in &self.sent {
            // It was checked before it was sent.
            let _ = scratch.change(key, value);
        }
        let mut ordered = Vec::new();
        while !waiting.is_empty() {
            let mut problem = None;
            let place = waiting.iter().position(|(key, value)| {
                let answer = scratch.turn(key, value);
                problem = problem.take().or(answer.clone().err());
                answer.is_ok()
            });
            match (place, problem) {
                (Some(place), _) => ordered.push(waiting.remove(place)),
                (None, Some(problem)) => return Err(problem),
                (None, None) => break,
            }
        }
        Ok(ordered)
    }
}

/// The value of a setting, in the notation of preset files.
fn value(preset: &Preset, key: &str) -> Option<String> {
    preset.param(key).map(|param| param.value)
}

/// The last word of a key, as words.
fn label_of(key: &str) -> String {
    key.rsplit('.').next().unwrap_or(key).replace('_', " ")
}

#[cfg(test)]
mod tests;
