//! What is chosen on the home screen.

use crate::ui::keymap::{self, Action, Scope};
use crate::ui::screens::home::Choice;
use crate::ui::screens::knobs::KnobsScreen;

use super::{Effect, Effects, Model, Screen, Tone};

impl Model {
    pub(super) fn act_home(&mut self, action: Action) -> Effects {
        let page = i32::from(self.size.1 / 2);
        match action {
            Action::Up => self.home.step(-1),
            Action::Down => self.home.step(1),
            Action::PageUp => self.home.step(-page),
            Action::PageDown => self.home.step(page),
            Action::First => self.home.step(i32::MIN / 2),
            Action::Last => self.home.step(i32::MAX / 2),
            Action::Filter => self.home.type_filter(),
            Action::Enter => return self.open(),
            Action::PlaySaved => return self.play_saved(),
            Action::EditPreset => self.edit_preset(),
            Action::Back if self.home.is_filtered() => self.home.clear_filter(),
            other => return self.act_anywhere(other),
        }
        Vec::new()
    }

    fn open(&mut self) -> Effects {
        let choice = self.home.choice();
        if let Choice::Champions(name) = choice {
            return vec![Effect::Play(name)];
        }
        let Some(effect) = self.opening(choice) else {
            return Vec::new();
        };
        if self.is_refused() {
            return Vec::new();
        }
        let unsaved = self.watch.as_ref().is_some_and(|watch| {
            watch.state.is_going_on()
                && (watch.facts.saved_as.is_none() || watch.not_saved.is_some())
        });
        if unsaved {
            let words = "the run that goes on is not being saved and would be lost; quit it first";
            self.notice = Some((Tone::Bad, words.to_owned()));
            return Vec::new();
        }
        vec![effect]
    }

    /// What opening a choice takes.
    fn opening(&mut self, choice: Choice) -> Option<Effect> {
        match choice {
            Choice::Nothing | Choice::Champions(_) => None,
            Choice::Preset(preset) => Some(Effect::Start(preset)),
            Choice::Run(name) => {
                let watched = self.watch.as_ref();
                if watched.is_some_and(|watch| watch.facts.saved_as.as_ref() == Some(&name)) {
                    self.screen = Screen::Run;
                    return None;
                }
                Some(Effect::Open(name))
            }
            Choice::Unreadable(reason) => {
                self.notice = Some((Tone::Bad, reason));
                None
            }
        }
    }

    fn play_saved(&mut self) -> Effects {
        match self.home.choice() {
            Choice::Run(name) | Choice::Champions(name) => vec![Effect::Play(name)],
            Choice::Unreadable(reason) => {
                self.notice = Some((Tone::Bad, reason));
                Vec::new()
            }
            Choice::Preset(_) | Choice::Nothing => {
                let [play, start] = [Action::PlaySaved, Action::Enter]
                    .map(|action| keymap::label(Scope::Home, action));
                self.say(&format!(
                    "{play} plays the champion of a saved run; {start} starts this preset"
                ));
                Vec::new()
            }
        }
    }

    fn edit_preset(&mut self) {
        if let Choice::Preset(preset) = self.home.choice() {
            self.knobs = Some(KnobsScreen::new(&preset, false));
            self.editing = Some(preset);
            self.screen = Screen::Knobs;
        } else {
            let edit = keymap::label(Scope::Home, Action::EditPreset);
            self.say(&format!(
                "{edit} changes the settings of a preset before it starts"
            ));
        }
    }
}
