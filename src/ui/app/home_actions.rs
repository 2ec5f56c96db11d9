//! The actions of the Home screen.

use crate::ui::keymap::{self, Action, Scope};
use crate::ui::screens::home::HomeChoice;
use crate::ui::screens::parameters::ParametersScreen;

use super::{AppModel, Effect, Effects, Screen};

impl AppModel {
    pub(super) fn handle_home(&mut self, action: Action) -> Effects {
        let page = i32::from(self.context.size.1 / 2);
        match action {
            Action::Up => self.home.step(-1),
            Action::Down => self.home.step(1),
            Action::PageUp => self.home.step(-page),
            Action::PageDown => self.home.step(page),
            Action::First => self.home.step(i32::MIN / 2),
            Action::Last => self.home.step(i32::MAX / 2),
            Action::Filter => self.home.start_filter(),
            Action::Enter => return self.open(),
            Action::PlaySaved => return self.play_saved(),
            Action::EditPreset => self.edit_preset(),
            Action::Back if self.home.is_filtered() => self.home.clear_filter(),
            other => return self.handle_global(other),
        }
        Vec::new()
    }

    fn open(&mut self) -> Effects {
        let choice = self.home.choice();
        if let HomeChoice::Champions(name) = choice {
            return vec![Effect::Play(name)];
        }
        let Some(effect) = self.open_effect(choice) else {
            return Vec::new();
        };
        if self.context.refuse_followed() {
            return Vec::new();
        }
        let unsaved = self.context.run.as_ref().is_some_and(|run| {
            run.state.is_active() && (run.facts.saved_as.is_none() || run.not_saved.is_some())
        });
        if unsaved {
            let words = "the current run is not being saved and would be lost; quit it first";
            self.context.report_error(words.to_owned());
            return Vec::new();
        }
        vec![effect]
    }

    /// The effect of opening an item.
    fn open_effect(&mut self, choice: HomeChoice) -> Option<Effect> {
        match choice {
            HomeChoice::Nothing | HomeChoice::Champions(_) => None,
            HomeChoice::Preset(preset) => Some(Effect::Start(preset)),
            HomeChoice::Run(name) => {
                let watched = self.context.run.as_ref();
                if watched.is_some_and(|run| run.facts.saved_as.as_ref() == Some(&name)) {
                    self.screen = Screen::Run;
                    return None;
                }
                Some(Effect::Open(name))
            }
            HomeChoice::Unreadable(reason) => {
                self.context.report_error(reason);
                None
            }
        }
    }

    fn play_saved(&mut self) -> Effects {
        match self.home.choice() {
            HomeChoice::Run(name) | HomeChoice::Champions(name) => vec![Effect::Play(name)],
            HomeChoice::Unreadable(reason) => {
                self.context.report_error(reason);
                Vec::new()
            }
            HomeChoice::Preset(_) | HomeChoice::Nothing => {
                let [play, start] = [Action::PlaySaved, Action::Enter]
                    .map(|action| keymap::label(Scope::Home, action));
                self.context.notify(&format!(
                    "{play} plays the champion of a saved run; {start} starts this preset"
                ));
                Vec::new()
            }
        }
    }

    fn edit_preset(&mut self) {
        if let HomeChoice::Preset(preset) = self.home.choice() {
            self.parameters = Some(ParametersScreen::new(&preset, false));
            self.editing = Some(preset);
            self.screen = Screen::Parameters;
        } else {
            let edit = keymap::label(Scope::Home, Action::EditPreset);
            self.context.notify(&format!(
                "{edit} changes the parameters of a preset before it starts"
            ));
        }
    }
}
