//! The Home screen as a screen of the dashboard, and what its keys do.

use std::time::Duration;

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::keymap::{self, Action, Binding, Scope, keys, own_actions};
use crate::model::context::Context;
use crate::model::run::RunModel;
use crate::mouse::Regions;
use crate::screen::{
    ClickTarget, Effect, Effects, KeyHints, Request, Screen, ScreenEvent, ScreenInput, ScreenState,
    Tab,
};
use finches_runs::run::message::RunEvent;
use finches_runs::storage::bundled_champions;
use finches_runs::storage::saves::SavedRunEntry;

use super::prompt::PromptKind;
use super::rows::HomeKey;
use super::{Home, HomeChoice, HomeItem, view};

own_actions! {
    /// What only the Home screen does.
    pub(super) enum HomeAction {
        EditPreset = "edit_preset",
        PlaySaved = "play_saved",
        Rename = "rename_run",
        Tag = "tag_run",
        OpenFolder = "open_folder",
        Delete = "delete_run",
    }
}

/// The keys of the screen.
pub(super) const SCOPE: Scope = Scope::of_screen(
    "home",
    keys![
        Code(KeyCode::Enter) => Enter, "start the preset, resume the run, or unfold the \
            group", "start";
        Char('e') => (HomeAction::EditPreset), "change parameters before the start", "edit";
        Char('p') => (HomeAction::PlaySaved), "play the champion of a run or of a game", "play";
        Char('/') => Filter, "type to find presets and runs in all groups", "find";
        Char('r') => (HomeAction::Rename), "rename a saved run", "rename";
        Char('#') => (HomeAction::Tag), "tag a saved run", "tag";
        Char('O') => (HomeAction::OpenFolder), "open the folder of a saved run", "folder";
        Char('F') => Fork, "fork a saved run: what does a change do?", "";
        Char('D') => (HomeAction::Delete), "delete a saved run; asks first", "delete";
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
            HomeChoice::More(group) => {
                self.list_all(group);
                return Vec::new();
            }
            HomeChoice::Champions(name) => return vec![Effect::Ask(Request::Play(name))],
            HomeChoice::Unreadable(reason) => {
                context.report_error(reason);
                return Vec::new();
            }
            HomeChoice::Run(name) if context.saved_name().as_ref() == Some(&name) => {
                return vec![Effect::Do(Action::GoRun)];
            }
            HomeChoice::Run(name) => ("Resume", name.clone(), Effect::Ask(Request::Open(name))),
            HomeChoice::Preset(preset) => (
                "Start",
                preset.name.clone(),
                Effect::Ask(Request::Start(preset)),
            ),
        };
        self.replace_run((Action::Enter, verb, &name), effect, asked, context)
    }

    /// Opens the selected run with the dialog in which it is forked. The dialog of the run that is
    /// open needs nothing else.
    fn fork_choice(&mut self, asked: Option<&(Action, HomeKey)>, context: &mut Context) -> Effects {
        match self.choice() {
            HomeChoice::Run(name) if context.saved_name().as_ref() != Some(&name) => {
                let effect = Effect::Ask(Request::Fork(name.clone()));
                self.replace_run((Action::Fork, "Fork", &name), effect, asked, context)
            }
            _ => vec![Effect::Do(Action::Fork)],
        }
    }

    /// Lets a run take the place of the current one: its key, a verb and its name. While that one
    /// is evolving, `asked` says whether that has been asked about.
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
        if run.facts.saved_as.is_none() || run.saving.error.is_some() {
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
        context.ask(format!("{question} {key}: yes"));
        Vec::new()
    }

    /// Deletes the selected run. `asked` says whether that has been asked about.
    fn delete_choice(
        &mut self,
        asked: Option<&(Action, HomeKey)>,
        context: &mut Context,
    ) -> Effects {
        let (HomeChoice::Run(name) | HomeChoice::Champions(name)) = self.choice() else {
            return explain(HomeAction::Delete.action(), "deletes a saved run", context);
        };
        if context.saved_name().as_ref() == Some(&name) {
            context.report_error("this run is open here; open another one first");
            return Vec::new();
        }
        let question = format!("Delete {name} with its champions and games for good?");
        let effect = Effect::Ask(Request::Delete(name));
        self.confirm(
            (HomeAction::Delete.action(), &question),
            effect,
            asked,
            context,
        )
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
            Some((run, _)) => vec![Effect::Ask(Request::OpenFolder(run.to_owned()))],
            None => explain(
                HomeAction::OpenFolder.action(),
                "opens the folder of a saved run",
                context,
            ),
        }
    }

    fn act_on_run(
        &mut self,
        action: HomeAction,
        asked: Option<&(Action, HomeKey)>,
        context: &mut Context,
    ) -> Effects {
        match action {
            HomeAction::Delete => return self.delete_choice(asked, context),
            HomeAction::Rename => self.ask(PromptKind::Name, action.action(), context),
            HomeAction::Tag => self.ask(PromptKind::Tags, action.action(), context),
            HomeAction::OpenFolder => return self.open_folder(context),
            HomeAction::PlaySaved => return self.play_choice(context),
            HomeAction::EditPreset => return self.edit_choice(context),
        }
        Vec::new()
    }

    fn play_choice(&self, context: &mut Context) -> Effects {
        match (self.playable(), self.choice()) {
            (Some(name), _) => return vec![Effect::Ask(Request::Play(name))],
            (None, HomeChoice::Unreadable(reason)) => context.report_error(reason),
            (None, _) => {
                let start = keymap::label(SCOPE, Action::Enter);
                let does = format!("plays the champion of a saved run; {start} starts this preset");
                explain(HomeAction::PlaySaved.action(), &does, context);
            }
        }
        Vec::new()
    }

    /// The run whose champion is played: the selected one, or for a preset that of its game which
    /// comes with the program.
    fn playable(&self) -> Option<String> {
        match self.choice() {
            HomeChoice::Run(name) | HomeChoice::Champions(name) => Some(name),
            HomeChoice::Preset(preset) => self.champions_of(preset.game.name()),
            _ => None,
        }
    }

    fn edit_choice(&self, context: &mut Context) -> Effects {
        if let HomeChoice::Preset(preset) = self.choice() {
            return vec![Effect::EditPreset(preset)];
        }
        let does = "changes the parameters of a preset before it starts";
        explain(HomeAction::EditPreset.action(), does, context)
    }

    fn act_on(&mut self, action: Action, context: &mut Context) -> Effects {
        let asked = self.asked.take();
        let page = i32::from(context.size.1 / 2);
        match action {
            Action::Filter => self.start_filter(),
            Action::Right => self.unfold(),
            Action::Left => self.fold(),
            Action::Enter => return self.open_choice(asked.as_ref(), context),
            Action::Fork => return self.fork_choice(asked.as_ref(), context),
            Action::Back if self.is_filtered() => self.clear_filter(),
            other => match (HomeAction::of(other), other.rows(page)) {
                (Some(own), _) => return self.act_on_run(own, asked.as_ref(), context),
                (None, Some(rows)) => self.step(rows),
                (None, None) => return vec![Effect::Do(other)],
            },
        }
        Vec::new()
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
        Ok(vec![Effect::Ask(Request::Rescan)])
    }

    fn press(&mut self, input: ScreenInput, context: &mut Context) -> Effects {
        let ScreenInput::Key(key) = input else {
            let action = input.action(SCOPE);
            return action.map_or_else(Vec::new, |action| self.act(action, context));
        };
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
            self.read_trends(context);
            return Vec::new();
        }
        let action = keymap::action(SCOPE, key);
        action.map_or_else(Vec::new, |action| self.act(action, context))
    }

    fn act(&mut self, action: Action, context: &mut Context) -> Effects {
        let effects = self.act_on(action, context);
        self.read_trends(context);
        effects
    }

    fn tick(&mut self, passed: Duration, context: &mut Context) -> bool {
        if is_idle(context) {
            let mut timing = std::mem::take(&mut self.timing);
            timing.tick(passed, self.presets_to_time(), &context.waker);
            self.timing = timing;
        }
        false
    }

    fn state(&self, context: &Context) -> ScreenState {
        ScreenState {
            hints: if self.is_typing || self.prompt.is_some() {
                KeyHints::Typing
            } else {
                KeyHints::Own
            },
            is_working: self.timing.is_writing(),
            due: is_idle(context)
                .then(|| self.timing.due(self.presets_to_time()))
                .flatten(),
            ..ScreenState::default()
        }
    }

    /// Selects an item, or opens it if it is selected already.
    fn click(&mut self, target: &ClickTarget, _: Position, context: &mut Context) -> Effects {
        match target {
            ClickTarget::Row(row) if self.select(*row) => self.act(Action::Enter, context),
            _ => Vec::new(),
        }
    }

    fn receive(&mut self, event: &ScreenEvent<'_>, context: &mut Context) {
        self.height = view::list_rows(context.area);
        match event {
            ScreenEvent::SavedRunsListed(runs) => {
                if self.included.is_empty() && context.saves.is_some() {
                    self.included = bundled_champions::listed().iter().map(item).collect();
                }
                let is_missing = |it: &&HomeItem| runs.iter().all(|run| run.name != it.name());
                let missing = self.included.iter().filter(is_missing).cloned();
                self.set_saved_runs(runs.iter().map(item).chain(missing).collect());
                self.read_trends(context);
            }
            ScreenEvent::RunShown => {
                let run = context
                    .run
                    .as_ref()
                    .filter(|run| context.followed.is_none() && run.facts.generation == 0);
                let preset = run.and_then(|run| self.unchanged_preset(run)).cloned();
                self.timing.begin(preset.as_ref());
            }
            ScreenEvent::Run(RunEvent::Rows(rows, speed)) => {
                self.timing.observe(rows, speed, &context.waker);
            }
            ScreenEvent::Run(RunEvent::Changed(_)) => self.timing.forget_run(),
            ScreenEvent::PresetChanged(preset) => self.replace_preset(preset),
            ScreenEvent::Answered(wanted) => self.take_answers(*wanted, &context.waker),
            ScreenEvent::Left => {
                self.timing.stop();
                self.prompt = None;
            }
            _ => {}
        }
    }

    fn hint(&self, binding: &Binding, _: &Context) -> &'static str {
        let has_run = self.selected_run().is_some();
        let is_refused = |action| match HomeAction::of(action) {
            None => false,
            Some(HomeAction::PlaySaved) => self.playable().is_none(),
            Some(HomeAction::EditPreset) => has_run,
            Some(_) => !has_run,
        };
        match (binding.action, self.choice()) {
            (Action::Back, _) if self.prompt.is_some() => "cancel",
            (Action::Enter, _) if self.prompt.is_some() => "done",
            _ if self.prompt.is_some() => "",
            (Action::Back, _) if self.is_typing => "show all",
            (action, _) if is_refused(action) => "",
            (Action::Enter, HomeChoice::Group(group)) if !self.is_open(&group) => "unfold",
            (Action::Enter, HomeChoice::Group(_)) => "fold",
            (Action::Enter, HomeChoice::More(_)) => "show all",
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
