//! Handles keys and their actions.

use crossterm::event::KeyEvent;

use crate::run::message::RunCommand;
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::model::chart_options::ChartCursor;
use crate::ui::screens::parameters::ParametersOutcome;
use crate::ui::screens::run;
use crate::ui::screens::run::layout::{self, RunPane};
use crate::ui::widgets::crosshair::CursorStep;

use super::{AppModel, Effect, Effects, ExitMode, ExportFile, Overlay, Screen};
use crate::ui::model::run::RunState;

impl AppModel {
    /// Handles a key.
    pub fn press(&mut self, key: KeyEvent) -> Effects {
        match self.overlay {
            Some(Overlay::Help) => {
                if keymap::action(Scope::Help, key).is_some() {
                    self.overlay = None;
                }
                Vec::new()
            }
            Some(Overlay::Quit) => self.quit_dialog(key),
            None => {
                self.context.notice = None;
                self.press_screen(key)
            }
        }
    }

    fn press_screen(&mut self, key: KeyEvent) -> Effects {
        match self.screen {
            Screen::Home if self.home.is_typing() => {
                self.home.type_key(key);
                Vec::new()
            }
            Screen::Home => self.handle_action(keymap::action(Scope::Home, key)),
            Screen::Run => self.handle_action(keymap::action(Scope::Run, key)),
            Screen::Net => {
                let passed = self.net.as_mut().and_then(|net| net.press(key));
                let effects = match passed {
                    Some(step @ (Action::PreviousMove | Action::NextMove)) => self.handle_run(step),
                    passed => self.handle_action(passed),
                };
                self.refresh_views();
                effects
            }
            Screen::Play => {
                let passed = self.play.as_mut().and_then(|play| play.press(key));
                self.handle_action(passed)
            }
            Screen::Parameters => self.press_parameters(key),
            Screen::Population => {
                let passed = self.population.as_mut().and_then(|it| it.press(key));
                match passed {
                    Some(Action::Enter) => self.open_selected(),
                    passed => return self.handle_action(passed),
                }
                Vec::new()
            }
            Screen::Log => {
                let passed = self.log.press(key);
                self.handle_action(passed)
            }
            Screen::Games => {
                let passed = self.games.as_mut().and_then(|games| games.press(key));
                self.handle_action(passed)
            }
            Screen::Compare => {
                let passed = self.compare.press(key, self.context.run.as_ref());
                self.handle_action(passed)
            }
            Screen::Arena => self.handle_action(keymap::action(Scope::Arena, key)),
        }
    }

    fn press_parameters(&mut self, key: KeyEvent) -> Effects {
        let Some(parameters) = &mut self.parameters else {
            self.screen = Screen::Run;
            return Vec::new();
        };
        match parameters.press(key) {
            ParametersOutcome::Handled => Vec::new(),
            ParametersOutcome::Pass(action) => self.handle_action(Some(action)),
            ParametersOutcome::Leave => self.handle_action(Some(Action::Back)),
            ParametersOutcome::Apply(settings) => self.apply_parameters(settings),
        }
    }

    /// Sends parameter changes to the run, or applies them to the preset being edited.
    fn apply_parameters(&mut self, settings: Vec<(String, String)>) -> Effects {
        let Some(preset) = self.editing.take() else {
            if self.context.refuse_followed() {
                return Vec::new();
            }
            let turns = settings
                .into_iter()
                .map(|(key, value)| Effect::Send(RunCommand::Change { key, value }));
            return turns.collect();
        };
        match preset.with(&settings) {
            Ok(changed) => {
                self.home.replace_preset(&changed);
                self.screen = Screen::Home;
                let start = keymap::label(Scope::Home, Action::Enter);
                self.context
                    .notify(&format!("parameters changed; {start} starts"));
            }
            Err(error) => {
                self.context
                    .report_error(error.to_string().replace('\n', "; "));
                self.editing = Some(preset);
            }
        }
        Vec::new()
    }

    pub(super) fn handle_action(&mut self, action: Option<Action>) -> Effects {
        let Some(action) = action else {
            return Vec::new();
        };
        match self.screen {
            Screen::Home => self.handle_home(action),
            Screen::Run => self.handle_run(action),
            Screen::Arena => match self.arena.handle_action(action, self.context.run.as_ref()) {
                Some(passed) => self.handle_global(passed),
                None => Vec::new(),
            },
            _ => self.handle_global(action),
        }
    }

    pub(super) fn handle_global(&mut self, action: Action) -> Effects {
        match action {
            Action::PauseResume => return self.pause_or_resume(),
            Action::Step => return self.step(),
            Action::Save => return self.save(),
            Action::Quit => return self.quit(),
            Action::Freeze => self.freeze(),
            Action::NextTheme => self.change_theme(),
            Action::Help => self.overlay = Some(Overlay::Help),
            Action::GoRun => self.go_run(),
            Action::GoNet => self.go_net(),
            Action::GoPlay => self.go_play(),
            Action::GoParameters => self.go_parameters(),
            Action::GoPopulation => self.go_population(),
            Action::GoLog => self.switch_to(Screen::Log),
            Action::GoGames => self.go_games(),
            Action::GoCompare => self.go_compare(),
            Action::GoArena => self.go_arena(),
            Action::GoHome => return self.go_home(),
            Action::Export => return self.export(),
            Action::Back => self.back(),
            _ => {}
        }
        Vec::new()
    }

    fn handle_run(&mut self, action: Action) -> Effects {
        match action {
            Action::NextMetric => self.context.charts.metric += 1,
            Action::WindowWider => self.context.charts.widen(),
            Action::WindowNarrower => {
                let generations = self.context.shown_run().map_or(0, |run| run.generation);
                self.context.charts.narrow(generations);
            }
            Action::NextXAxis => self.context.charts.x_unit = self.context.charts.x_unit.next(),
            Action::ToggleLogScale => self.context.charts.toggle_scale(),
            Action::NewSample => {
                self.context.sample.request_new();
                return self.send_command(RunCommand::Resample);
            }
            Action::NextGame => {
                let shown = self.context.frozen.as_deref().or(self.context.run.as_ref());
                self.context
                    .sample
                    .next_game(shown.and_then(|run| run.snapshot.as_deref()));
            }
            Action::PreviousMove => self.context.sample.step_back(),
            Action::NextMove => {
                let shown = self.context.frozen.as_deref().or(self.context.run.as_ref());
                self.context.sample.step_forward(shown);
            }
            Action::Autoplay => self.context.sample.toggle_autoplay(),
            Action::NextPane => self.next_pane(),
            Action::Zoom => self.run_screen.zoom.toggle(),
            Action::ReadValues => self.toggle_reading(),
            Action::Left => self.step_reading(CursorStep::Back),
            Action::Right => self.step_reading(CursorStep::Forward),
            Action::FarLeft => self.step_reading(CursorStep::FarBack),
            Action::FarRight => self.step_reading(CursorStep::FarForward),
            Action::First => self.step_reading(CursorStep::First),
            Action::Last => self.step_reading(CursorStep::Last),
            other => return self.handle_global(other),
        }
        Vec::new()
    }

    /// Shows or hides the crosshair in the charts.
    fn toggle_reading(&mut self) {
        if self.run_screen.zoom.is_zoomed() && !self.focused().is_chart() {
            let next = keymap::label(Scope::Run, Action::NextPane);
            self.context.notify(&format!(
                "this pane has no chart: {next} goes to the next pane"
            ));
            return;
        }
        self.context.charts.toggle_cursor();
        if self.context.charts.cursor != ChartCursor::Off {
            let key = |action| keymap::label(Scope::Run, action);
            self.context.notify(&format!(
                "crosshair: {} {} one step, {} {} ten steps, {} {} first and last; {} closes it",
                key(Action::Left),
                key(Action::Right),
                key(Action::FarLeft),
                key(Action::FarRight),
                key(Action::First),
                key(Action::Last),
                keymap::label(Scope::Global, Action::Back)
            ));
        }
    }

    fn step_reading(&mut self, way: CursorStep) {
        if let Some(run) = self.context.frozen.as_deref().or(self.context.run.as_ref()) {
            self.context.charts.step_cursor(way, run);
        }
    }

    /// Exports what the screen shows to a file.
    fn export(&mut self) -> Effects {
        let made = match (self.screen, &self.games) {
            (Screen::Log, _) => Ok(ExportFile {
                run: self
                    .context
                    .run
                    .as_ref()
                    .and_then(|run| run.facts.saved_as.clone()),
                stem: "log".to_owned(),
                ending: "txt",
                text: self.log.text(),
            }),
            (Screen::Games, Some(games)) => games.export(),
            _ => return Vec::new(),
        };
        match made {
            Ok(export) => vec![Effect::Export(export)],
            Err(fault) => {
                self.context.report_error(fault);
                Vec::new()
            }
        }
    }

    fn panes(&self) -> Vec<RunPane> {
        let cast = self
            .context
            .shown_run()
            .map(run::substitutes)
            .unwrap_or_default();
        layout::visible_panes(self.context.size.0, self.context.size.1, cast)
    }

    /// The focused pane of the Run screen.
    pub(super) fn focused(&self) -> RunPane {
        run::focused_pane(self.run_screen.pane, self.panes().into_iter())
    }

    fn next_pane(&mut self) {
        let panes = self.panes();
        let here = panes.iter().position(|pane| *pane == self.run_screen.pane);
        let next = here.map_or(0, |here| (here + 1) % panes.len().max(1));
        if let Some(pane) = panes.get(next) {
            self.run_screen.pane = *pane;
        }
    }

    /// Sends a command to the run, if there is one that can handle it.
    fn send_command(&mut self, command: RunCommand) -> Effects {
        if self.context.refuse_followed() {
            return Vec::new();
        }
        match &self.context.run {
            Some(run) if run.state != RunState::Error => vec![Effect::Send(command)],
            _ => Vec::new(),
        }
    }

    fn pause_or_resume(&mut self) -> Effects {
        if self.context.refuse_followed() {
            return Vec::new();
        }
        let Some(run) = &mut self.context.run else {
            return Vec::new();
        };
        match run.state {
            RunState::Starting | RunState::Running => {
                run.state = RunState::Pausing;
                self.send_command(RunCommand::Pause)
            }
            RunState::Pausing | RunState::Paused => {
                run.state = RunState::Running;
                self.send_command(RunCommand::Resume)
            }
            RunState::Done => {
                let words =
                    "all generations are done; raise `generations` on the Parameters screen";
                self.context.notify(words);
                Vec::new()
            }
            RunState::Watching | RunState::Stopping | RunState::Error => Vec::new(),
        }
    }

    fn step(&mut self) -> Effects {
        if self.context.refuse_followed() {
            return Vec::new();
        }
        match self.context.run.as_ref().map(|run| run.state) {
            Some(RunState::Paused) => self.send_command(RunCommand::Step),
            Some(RunState::Starting | RunState::Running | RunState::Pausing) => {
                let pause = keymap::label(Scope::Global, Action::PauseResume);
                self.context
                    .notify(&format!("pause the run with {pause} before a single step"));
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn save(&mut self) -> Effects {
        if self.context.refuse_followed() {
            return Vec::new();
        }
        let Some(run) = &self.context.run else {
            return Vec::new();
        };
        if run.facts.saved_as.is_none() {
            let words = "this run is not saved: it was started with saving turned off";
            self.context.report_error(words.to_owned());
            return Vec::new();
        }
        self.send_command(RunCommand::Save)
    }

    fn freeze(&mut self) {
        self.context.frozen = match self.context.frozen.take() {
            Some(_) => None,
            None => self.context.run.clone().map(Box::new),
        };
        self.refresh_views();
    }

    fn change_theme(&mut self) {
        self.context.theme = self.context.theme.next();
        let scheme = self.context.theme.spec.scheme;
        self.context.notify(&format!("theme: {}", scheme.word()));
    }

    fn quit(&mut self) -> Effects {
        match &self.context.run {
            Some(run) if run.state.is_active() => {
                self.overlay = Some(Overlay::Quit);
                Vec::new()
            }
            _ => vec![Effect::Leave(ExitMode::SaveFirst)],
        }
    }

    fn quit_dialog(&mut self, key: KeyEvent) -> Effects {
        let leave = match keymap::action(Scope::Quit, key) {
            Some(Action::SaveAndQuit) => {
                self.begin_stopping();
                ExitMode::SaveFirst
            }
            Some(Action::QuitNow) => ExitMode::Immediately,
            Some(Action::HandOver) => ExitMode::HandOver,
            Some(Action::Back) => {
                self.overlay = None;
                return Vec::new();
            }
            _ => return Vec::new(),
        };
        vec![Effect::Leave(leave)]
    }
}
