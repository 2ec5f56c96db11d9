//! The Parameters screen as a screen of the dashboard: it changes a run, or edits a preset before a
//! run.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::keymap::{self, Action, Binding, Scope, keys, own_actions};
use crate::model::context::Context;
use crate::mouse::Regions;
use crate::screen::{
    ClickTarget, Effect, Effects, KeyHints, Request, Screen, ScreenEvent, ScreenInput, ScreenState,
    Tab, start_first,
};
use finches_engine::preset::Preset;
use finches_runs::run::message::{RunCommand, RunEvent};

use super::{ParameterOwner, ParameterTarget, ParametersOutcome, ParametersScreen, is_edit};

own_actions! {
    /// What only the Parameters screen does.
    pub(super) enum ParameterAction {
        Decrease = "decrease",
        Increase = "increase",
        DecreaseFar = "decrease_far",
        IncreaseFar = "increase_far",
        ResetParameter = "reset_parameter",
        ResetAll = "reset_all",
        Undo = "undo",
        Apply = "apply",
        Discard = "discard",
    }
}

/// The keys of the screen.
pub(super) const SCOPE: Scope = Scope::of_screen(
    "parameters",
    keys![
        Code(KeyCode::Left) => (ParameterAction::Decrease), "decrease a little", "adjust";
        Code(KeyCode::Right) => (ParameterAction::Increase), "increase a little", "";
        Shift(KeyCode::Left) => (ParameterAction::DecreaseFar), "decrease ten times as much", "";
        Shift(KeyCode::Right) => (ParameterAction::IncreaseFar), "increase ten times as much", "";
        Code(KeyCode::Enter) => Enter, "type a value", "type";
        Char('/') => Filter, "find a parameter by its name", "find";
        Char('a') => (ParameterAction::Apply), "apply pending changes at the next \
            generation", "apply";
        Char('d') => (ParameterAction::ResetParameter), "go back to the value of the \
            preset", "reset";
        Char('D') => (ParameterAction::ResetAll), "go back to all values of the preset", "";
        Char('u') => (ParameterAction::Undo), "discard the pending change of this \
            parameter", "discard";
        Code(KeyCode::Esc) => (ParameterAction::Discard), "discard pending changes, then go \
            back", "";
        @list;
    ],
);

/// The parameters being changed, if any.
#[derive(Default)]
pub struct ParameterEditor {
    parameters: Option<ParametersScreen>,
    /// The preset whose parameters are edited; `None` if they are those of the run.
    preset: Option<Box<Preset>>,
}

impl ParameterEditor {
    /// Sends parameter changes to the run, or applies them to the preset being edited.
    fn apply(&mut self, assignments: Vec<(String, String)>, context: &mut Context) -> Effects {
        let Some(preset) = &self.preset else {
            if context.refuse_followed() {
                return Vec::new();
            }
            let changes = assignments
                .into_iter()
                .map(|(key, value)| Effect::Ask(Request::Send(RunCommand::Change { key, value })));
            return changes.collect();
        };
        match preset.with(&assignments) {
            Ok(changed) => {
                let start = keymap::label(keymap::named("home"), Action::Enter);
                context.notify(&format!("parameters changed; {start} starts"));
                vec![
                    Effect::PresetChanged(Box::new(changed)),
                    Effect::Do(Action::GoHome),
                ]
            }
            Err(error) => {
                context.report_error(error.to_string().replace('\n', "; "));
                Vec::new()
            }
        }
    }

    /// Drops the changes of a preset.
    fn drop_preset(&mut self) {
        if self.preset.take().is_some() {
            self.parameters = None;
        }
    }

    fn receive_run_event(&mut self, event: &RunEvent) {
        let (Some(parameters), None) = (&mut self.parameters, &self.preset) else {
            return;
        };
        match event {
            RunEvent::Changed(intervention) => parameters.record_change(intervention),
            RunEvent::Rejected(problem) => parameters.report_rejection(problem),
            _ => {}
        }
    }
}

impl Screen for ParameterEditor {
    fn tab(&self) -> Tab {
        Tab {
            name: "Parameters",
            short: "Params",
            action: Action::GoParameters,
            key: '5',
            purpose: "change parameters",
            scope: SCOPE,
        }
    }

    fn state(&self, context: &Context) -> ScreenState {
        ScreenState {
            can_open: context.run.is_some() || self.preset.is_some(),
            hints: match self.preset {
                Some(_) => KeyHints::Own,
                None => KeyHints::OwnThenOne,
            },
            ..ScreenState::default()
        }
    }

    fn open(&mut self, context: &mut Context) -> Result<Effects, String> {
        let Some(run) = &context.run else {
            return Err(start_first("edit_preset", "a preset"));
        };
        self.drop_preset();
        let owner = match context.followed {
            Some(_) => ParameterOwner::FollowedRun,
            None => ParameterOwner::Run,
        };
        self.parameters
            .get_or_insert_with(|| ParametersScreen::new(run.initial_preset(), &run.preset, owner));
        Ok(Vec::new())
    }

    fn press(&mut self, input: ScreenInput, context: &mut Context) -> Effects {
        let (parameters, key) = match (&mut self.parameters, input) {
            (Some(parameters), ScreenInput::Key(key)) => (parameters, key),
            (Some(parameters), ScreenInput::Wheel(wheel)) => {
                parameters.wheel(wheel);
                return Vec::new();
            }
            (None, ScreenInput::Key(_)) => return vec![Effect::Do(Action::Back)],
            (None, ScreenInput::Wheel(_)) => return Vec::new(),
        };
        match parameters.press(key) {
            ParametersOutcome::Handled => Vec::new(),
            ParametersOutcome::Pass(action) => vec![Effect::Do(action)],
            ParametersOutcome::Leave if self.preset.is_some() => vec![Effect::Do(Action::GoHome)],
            ParametersOutcome::Leave => vec![Effect::Do(Action::Back)],
            ParametersOutcome::Apply(assignments) => self.apply(assignments, context),
        }
    }

    fn click(&mut self, target: &ClickTarget, _: Position, _: &mut Context) -> Effects {
        let target = target.as_own::<ParameterTarget>();
        if let (Some(parameters), Some(target)) = (&mut self.parameters, target) {
            parameters.click(*target);
        }
        Vec::new()
    }

    fn receive(&mut self, event: &ScreenEvent<'_>, _: &mut Context) {
        match event {
            ScreenEvent::RunShown => *self = Self::default(),
            ScreenEvent::Left => self.drop_preset(),
            ScreenEvent::PresetOpened(preset) => {
                self.parameters = Some(ParametersScreen::new(
                    (*preset).clone(),
                    preset,
                    ParameterOwner::Preset,
                ));
                self.preset = Some(Box::new((*preset).clone()));
            }
            ScreenEvent::Run(event) => self.receive_run_event(event),
            _ => {}
        }
    }

    fn hint(&self, binding: &Binding, context: &Context) -> &'static str {
        match context.followed {
            Some(_) if is_edit(binding.action) => "",
            _ => binding.hint,
        }
    }

    fn view(&self, context: &Context, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
        let parameters = self.parameters.as_ref();
        let run = context.run.as_ref();
        let regions = parameters.map(|it| it.view(run, area, buf, &context.theme));
        regions.unwrap_or_default().map(ClickTarget::own)
    }
}
