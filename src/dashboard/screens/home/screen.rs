//! The Home screen as a screen of the dashboard, and what its keys do.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::jobs::WantedAnswers;
use crate::keymap::{self, Action, Binding, Scope, keys};
use crate::model::context::Context;
use crate::model::run::RunModel;
use crate::mouse::Regions;
use crate::screen::{ClickTarget, Effect, Effects, KeyHints, Screen, ScreenEvent, Tab};
use finches_runs::run::message::RunEvent;
use finches_runs::storage::saves::SavedRunEntry;

use super::prompt::PromptKind;
use super::rows::HomeKey;
use super::{Home, HomeChoice, HomeItem, view};

const DELETE: Action = Action::Own("delete_run");
const RENAME: Action = Action::Own("rename_run");
const TAG: Action = Action::Own("tag_run");
const OPEN_FOLDER: Action = Action::Own("open_folder");

/// The keys of the screen.
pub(super) const SCOPE: Scope = Scope::of_screen(
    "home",
    keys![
        Code(KeyCode::Enter) => Enter, "start the preset, resume the run, or unfold the group", "start";
        Char('e') => EditPreset, "change parameters before the start", "edit";
        Char('p') => PlaySaved, "play against a saved run's champion", "play";
        Char('/') => Filter, "type to find presets and runs in all groups", "find";
        Char('r') => (RENAME), "rename a saved run", "rename";
        Char('#') => (TAG), "tag a saved run", "tag";
        Char('o') => (OPEN_FOLDER), "open the folder of a saved run", "folder";
        Char('F') => Fork, "fork a saved run: what does a change do?", "";
        Char('D') => (DELETE), "delete a saved run; asks first", "delete";
        Code(KeyCode::Right) => Right, "unfold the group", "";
        Code(KeyCode::Left) => Left, "fold the group", "";
        @list;
    ],
);

impl Home {
    /// Does what the selected row is for.
    fn open_choice(&mut self, asked: Option<&(Action, HomeKey)>, context: &mut Context) -> Effects {
        let (verb, name, effect) = match self.choice() {
            HomeChoice::Nothing => return Vec::new(),
            HomeChoice::Group(group) => {
                self.toggle(group);
                return Vec::new();
            }
            HomeChoice::Champions(name) => return vec![Effect::Play(name)],
            HomeChoice::Unreadable(reason) => {
                context.report_error(reason);
                return Vec::new();
            }
            HomeChoice::Run(name) if context.saved_name().as_ref() == Some(&name) => {
                return vec![Effect::Do(Action::GoRun)];
            }
            HomeChoice::Run(name) => ("Resume", name.clone(), Effect::Open(name)),
            HomeChoice::Preset(preset) => ("Start", preset.name.clone(), Effect::Start(preset)),
        };
        self.replace_run((Action::Enter, verb, &name), effect, asked, context)
    }

    /// Opens the selected run with the dialog in which it is forked. The dialog of the run that is open needs nothing else.
    fn fork_choice(&mut self, asked: Option<&(Action, HomeKey)>, context: &mut Context) -> Effects {
        match self.choice() {
            HomeChoice::Run(name) if context.saved_name().as_ref() != Some(&name) => {
                let effect = Effect::Fork(name.clone());
                self.replace_run((Action::Fork, "Fork", &name), effect, asked, context)
            }
            _ => vec![Effect::Do(Action::Fork)],
        }
    }

    /// Lets a run take the place of the current one: its key, a verb and its name. While that one is evolving, `asked` says
    /// whether that has been asked about.
    fn replace_run(
        &mut self,
        (action, verb, name): (Action, &str, &str),
        effect: Effect,
        asked: Option<&(Action, HomeKey)>,
        context: &mut Context,
    ) -> Effects {
        if context.refuse_followed() {
            return Vec::new();
        }
        let evolving = context.run.as_ref().filter(|run| run.state.is_active());
        let Some(run) = evolving else {
            return vec![effect];
        };
        if run.facts.saved_as.is_none() || run.not_saved.is_some() {
            context.report_error(
                "the current run is not being saved and would be lost; quit it first",
            );
            return Vec::new();
        }
        let question = format!(
            "{} is evolving (saved). {verb} {name} instead?",
            run.preset.name
        );
        self.confirm((action, &question), effect, asked, context)
    }

    /// The effect, if its question was asked before and its key is pressed again; else asks it.
    fn confirm(
        &mut self,
        (action, question): (Action, &str),
        effect: Effect,
        asked: Option<&(Action, HomeKey)>,
        context: &mut Context,
    ) -> Effects {
        let asks = self.selected_key().map(|key| (action, key));
        if asked == asks.as_ref() {
            return vec![effect];
        }
        self.asked = asks;
        let key = keymap::label(SCOPE, action);
        context.notify(&format!("{question} {key}: yes"));
        Vec::new()
    }

    /// Deletes the selected run. `asked` says whether that has been asked about.
    fn delete_choice(
        &mut self,
        asked: Option<&(Action, HomeKey)>,
        context: &mut Context,
    ) -> Effects {
        let (HomeChoice::Run(name) | HomeChoice::Champions(name)) = self.choice() else {
            return explain(DELETE, "deletes a saved run", context);
        };
        if context.saved_name().as_ref() == Some(&name) {
            context.report_error("this run is open here; open another one first");
            return Vec::new();
        }
        let question = format!("Delete {name} with its champions and games for good?");
        let effect = Effect::Delete(name);
        self.confirm((DELETE, &question), effect, asked, context)
    }

    /// Asks for a name or tags of the selected run.
    fn ask(&mut self, asks: PromptKind, action: Action, context: &mut Context) {
        let is_open = |(run, _): (&str, _)| context.saved_name().as_deref() == Some(run);
        if asks == PromptKind::Name && self.selected_run().is_some_and(is_open) {
            context.report_error("this run is open here; open another one first");
        } else if !self.ask_for(asks) {
            let does = match asks {
                PromptKind::Name => "renames a saved run",
                PromptKind::Tags => "tags a saved run",
            };
            explain(action, does, context);
        }
    }

    fn open_folder(&self, context: &mut Context) -> Effects {
        match self.selected_run() {
            Some((run, _)) => vec![Effect::OpenFolder(run.to_owned())],
            None => explain(OPEN_FOLDER, "opens the folder of a saved run", context),
        }
    }

    fn play_choice(&self, context: &mut Context) -> Effects {
        match self.choice() {
            HomeChoice::Run(name) | HomeChoice::Champions(name) => return vec![Effect::Play(name)],
            HomeChoice::Unreadable(reason) => context.report_error(reason),
            HomeChoice::Preset(_) | HomeChoice::Group(_) | HomeChoice::Nothing => {
                let start = keymap::label(SCOPE, Action::Enter);
                let does = format!("plays the champion of a saved run; {start} starts this preset");
                explain(Action::PlaySaved, &does, context);
            }
        }
        Vec::new()
    }

    fn edit_choice(&self, context: &mut Context) -> Effects {
        if let HomeChoice::Preset(preset) = self.choice() {
            return vec![Effect::EditPreset(preset)];
        }
        let does = "changes the parameters of a preset before it starts";
        explain(Action::EditPreset, does, context)
    }
}

impl Screen for Home {
    fn tab(&self) -> Tab {
        Tab {
            name: "Home",
            short: "Home",
            action: Action::GoHome,
            key: '0',
            purpose: "presets and saved runs",
            scope: SCOPE,
        }
    }

    fn open(&mut self, _: &mut Context) -> Result<Effects, String> {
        Ok(vec![Effect::Rescan])
    }

    fn press(&mut self, key: KeyEvent, context: &mut Context) -> Effects {
        self.timing.interrupt();
        if self.prompt.is_some() {
            return self.press_prompt(key);
        }
        if self.is_typing && key.code == KeyCode::Enter {
            self.is_typing = false;
            return self.act(Action::Enter, context);
        }
        if self.is_typing {
            self.type_key(key);
            return Vec::new();
        }
        let action = keymap::action(SCOPE, key);
        action.map_or_else(Vec::new, |action| self.act(action, context))
    }

    fn act(&mut self, action: Action, context: &mut Context) -> Effects {
        let asked = self.asked.take();
        let page = i32::from(context.size.1 / 2);
        match action {
            Action::Filter => self.start_filter(),
            Action::Right => self.unfold(),
            Action::Left => self.fold(),
            Action::Enter => return self.open_choice(asked.as_ref(), context),
            Action::Fork => return self.fork_choice(asked.as_ref(), context),
            DELETE => return self.delete_choice(asked.as_ref(), context),
            RENAME => self.ask(PromptKind::Name, action, context),
            TAG => self.ask(PromptKind::Tags, action, context),
            OPEN_FOLDER => return self.open_folder(context),
            Action::PlaySaved => return self.play_choice(context),
            Action::EditPreset => return self.edit_choice(context),
            Action::Back if self.is_filtered() => self.clear_filter(),
            other => match other.rows(page) {
                Some(rows) => self.step(rows),
                None => return vec![Effect::Do(other)],
            },
        }
        Vec::new()
    }

    fn leave(&mut self) {
        self.timing.stop();
        self.prompt = None;
    }

    fn receive_answers(&mut self, context: &mut Context) {
        self.take_answers(WantedAnswers::Arrived, &context.waker);
    }

    fn tick(&mut self, passed: Duration, context: &mut Context) -> bool {
        if is_idle(context) {
            let mut timing = std::mem::take(&mut self.timing);
            timing.tick(passed, self.presets_to_time(), &context.waker);
            self.timing = timing;
        }
        false
    }

    fn due(&self, context: &Context) -> Option<Duration> {
        is_idle(context).then(|| self.timing.due(self.presets_to_time()))?
    }

    fn is_working(&self) -> bool {
        self.timing.is_writing()
    }

    /// Selects an item, or opens it if it is selected already.
    fn click(&mut self, target: &ClickTarget, _: Position, context: &mut Context) -> Effects {
        match target {
            ClickTarget::Row(row) if self.select(*row) => self.act(Action::Enter, context),
            _ => Vec::new(),
        }
    }

    fn receive(&mut self, event: &ScreenEvent<'_>, context: &mut Context) {
        match event {
            ScreenEvent::SavedRunsListed(runs) => {
                self.set_saved_runs(runs.iter().map(item).collect());
                if let Some(saves) = &context.saves {
                    let runs = runs
                        .iter()
                        .filter_map(|run| Some((&*run.name, run.summary.as_ref().ok()?)));
                    self.trends.read(runs, saves, &context.waker);
                }
            }
            ScreenEvent::RunShown => {
                let run = context
                    .run
                    .as_ref()
                    .filter(|run| context.followed.is_none() && run.facts.generation == 0);
                let seconds = run.map_or(0.0, |run| run.speed.seconds);
                let preset = run.and_then(|run| self.unchanged_preset(run));
                let preset = preset.map(ToOwned::to_owned);
                self.timing.begin(preset.as_deref(), seconds);
            }
            ScreenEvent::Run(RunEvent::Rows(rows, speed)) => {
                self.timing.observe(rows, speed, &context.waker);
            }
            ScreenEvent::Run(RunEvent::Changed(_)) => self.timing.forget_run(),
            ScreenEvent::PresetChanged(preset) => self.replace_preset(preset),
            _ => {}
        }
    }

    fn hints(&self) -> KeyHints {
        if self.is_typing || self.prompt.is_some() {
            KeyHints::Typing
        } else {
            KeyHints::Own
        }
    }

    fn hint(&self, binding: &Binding, _: &Context) -> &'static str {
        let has_run = self.selected_run().is_some();
        match (binding.action, self.choice()) {
            (Action::Back, _) if self.prompt.is_some() => "cancel",
            (Action::Enter, _) if self.prompt.is_some() => "done",
            _ if self.prompt.is_some() => "",
            (Action::Back, _) if self.is_typing => "show all",
            (RENAME | TAG | OPEN_FOLDER | DELETE, _) if !has_run => "",
            (Action::EditPreset, _) if has_run => "",
            (Action::Enter, HomeChoice::Group(group)) if !self.is_open(&group) => "unfold",
            (Action::Enter, HomeChoice::Group(_)) => "fold",
            (Action::Enter, HomeChoice::Champions(_)) => "play",
            (Action::Enter, HomeChoice::Run(_)) => "open",
            (Action::Enter, _) => binding.hint,
            _ if self.is_typing => "",
            _ => binding.hint,
        }
    }

    fn view(&self, context: &Context, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
        view::view(self, context.run.as_ref(), &context.theme, area, buf).map(ClickTarget::Row)
    }
}

/// Says what the key of an action is for.
fn explain(action: Action, does: &str, context: &mut Context) -> Effects {
    let key = keymap::label(SCOPE, action);
    context.notify(&format!("{key} {does}"));
    Vec::new()
}

/// Whether nothing is evolving, so that a moment can be spent on measuring.
fn is_idle(context: &Context) -> bool {
    let is_active = |run: &RunModel| run.state.is_active();
    context.followed.is_none() && !context.run.as_ref().is_some_and(is_active)
}

fn item(listed: &SavedRunEntry) -> HomeItem {
    let name = listed.name.clone();
    match &listed.summary {
        Ok(summary) => HomeItem::Run {
            name,
            summary: Box::new(summary.clone()),
        },
        Err(error) => HomeItem::Unreadable {
            name,
            reason: error.to_string(),
        },
    }
}
