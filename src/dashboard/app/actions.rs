//! The actions that work on every screen.

use crate::keymap::{self, Action, GlobalAction, Scope};
use crate::model::run::{RunModel, RunState};
use crate::screen::{ExitMode, Request, Requests, send};
use finches_runs::run::message::RunCommand;
use finches_runs::run::pace::Pace;

use super::{AppModel, Overlay};

/// Generations that are added to a run that is done.
pub(super) const EXTENSION: u64 = 500;

impl AppModel {
    /// Handles an action that the current screen has passed on.
    pub fn act(&mut self, action: Action) -> Requests {
        match action {
            Action::Fork => self.edit_fork(),
            Action::Quit => return self.quit(),
            Action::NextTheme => self.change_theme(),
            Action::Help => self.overlay = Some(Overlay::Help),
            Action::Back => self.back(),
            other => {
                return match GlobalAction::of(other) {
                    Some(action) => self.act_globally(action),
                    None => self.open(other),
                };
            }
        }
        Vec::new()
    }

    fn act_globally(&mut self, action: GlobalAction) -> Requests {
        match action {
            GlobalAction::PauseResume => return self.pause_or_resume(),
            GlobalAction::Step => return self.step(),
            GlobalAction::Save => return self.save(),
            GlobalAction::Breakpoints => self.edit_breakpoints(),
            GlobalAction::Faster if self.can_go_on() => return self.go_on(),
            GlobalAction::Faster => return self.change_pace(Pace::faster),
            GlobalAction::Slower => return self.change_pace(Pace::slower),
            GlobalAction::Freeze => self.freeze(),
        }
        Vec::new()
    }

    /// Goes back to where the shown player was chosen, to the run or, without one, to the Home
    /// screen. Never quits.
    fn back(&mut self) {
        if let Some(from) = self.inspected_from.take() {
            self.switch_to(from);
        } else if self.context.run.is_none() {
            self.switch_to(Action::GoHome);
        } else if self.tab().action != Action::GoRun {
            self.switch_to(Action::GoRun);
        }
    }

    fn pause_or_resume(&mut self) -> Requests {
        if self.context.refuse_followed() {
            return Vec::new();
        }
        let Some(run) = &mut self.context.run else {
            return Vec::new();
        };
        match run.state {
            RunState::Starting | RunState::Running => {
                run.state = RunState::Pausing;
                send(RunCommand::Pause, &mut self.context)
            }
            RunState::Pausing | RunState::Paused => {
                run.state = RunState::Running;
                send(RunCommand::Resume, &mut self.context)
            }
            RunState::Done => {
                let words = format!("the run is done: {}", run.end());
                self.context.notify(&words);
                Vec::new()
            }
            RunState::Watching | RunState::Stopping | RunState::Error => Vec::new(),
        }
    }

    fn step(&mut self) -> Requests {
        if self.context.refuse_followed() {
            return Vec::new();
        }
        match self.context.run.as_ref().map(|run| run.state) {
            Some(RunState::Paused) => send(RunCommand::Step, &mut self.context),
            Some(RunState::Starting | RunState::Running | RunState::Pausing) => {
                let pause = keymap::label(Scope::GLOBAL, GlobalAction::PauseResume.action());
                self.context
                    .notify(&format!("pause the run with {pause} before a single step"));
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn can_go_on(&self) -> bool {
        let run = self.context.run.as_ref();
        run.is_some_and(RunModel::can_go_on)
    }

    /// Lets a run go on that has met its target, or adds generations to one that has done all of
    /// its own.
    fn go_on(&mut self) -> Requests {
        let Some(run) = &mut self.context.run else {
            return Vec::new();
        };
        if run.end.target.take().is_some() && run.generation < run.preset.generations {
            run.state = RunState::Running;
            return send(RunCommand::GoOn, &mut self.context);
        }
        let value = (run.preset.generations + EXTENSION).to_string();
        self.context
            .notify(&format!("{EXTENSION} more generations"));
        let key = "generations".to_owned();
        send(RunCommand::Change { key, value }, &mut self.context)
    }

    fn save(&mut self) -> Requests {
        if self.context.refuse_followed() {
            return Vec::new();
        }
        let Some(run) = &self.context.run else {
            return Vec::new();
        };
        if run.facts.saved_as.is_none() {
            let words = "this run is not saved: it was started with saving turned off";
            self.context.report_error(words);
            return Vec::new();
        }
        send(RunCommand::Save, &mut self.context)
    }

    /// Makes evolution faster or slower.
    fn change_pace(&mut self, change: impl FnOnce(Pace) -> Pace) -> Requests {
        if self.context.refuse_followed() {
            return Vec::new();
        }
        let Some(run) = &mut self.context.run else {
            return Vec::new();
        };
        run.pace = change(run.pace);
        let pace = run.pace;
        self.context.notify(&format!("pace: {pace}"));
        send(RunCommand::SetPace(pace), &mut self.context)
    }

    fn freeze(&mut self) {
        self.context.frozen = match self.context.frozen.take() {
            Some(_) => None,
            None => self.context.run.clone().map(Box::new),
        };
        self.refresh();
    }

    fn change_theme(&mut self) {
        self.context.theme = self.context.theme.next();
        let scheme = self.context.theme.spec.scheme;
        self.context.notify(&format!("theme: {}", scheme.word()));
    }

    fn quit(&mut self) -> Requests {
        match &self.context.run {
            Some(run) if run.state.is_active() => {
                self.overlay = Some(Overlay::Quit);
                Vec::new()
            }
            _ => vec![Request::Leave(ExitMode::SaveFirst)],
        }
    }
}
