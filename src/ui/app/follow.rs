//! A run that another process evolves: it is seen, and nothing of it can be changed from here.

use crate::run::follow::{Found, Seen};
use crate::ui::keymap::{self, Action, Scope};

use super::watch::Watch;
use super::{Model, Screen};

/// The run that is followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    pub name: String,
    /// Why there is nothing to be seen of it.
    pub missing: Option<String>,
}

impl Model {
    /// Turns to a run of another process, of which nothing has been seen yet.
    pub fn follow(&mut self, name: &str) {
        self.followed = Some(Followed {
            name: name.to_owned(),
            missing: None,
        });
        self.screen = Screen::Run;
    }

    /// Takes in what is seen of the run.
    pub fn see(&mut self, seen: Seen) {
        let Some(followed) = &mut self.followed else {
            return;
        };
        followed.missing = match &seen {
            Seen::Missing(words) => Some(words.clone()),
            Seen::Run(_) | Seen::News(_) => None,
        };
        match seen {
            Seen::Missing(_) => {}
            Seen::News(event) => self.apply(event),
            Seen::Run(found) => self.find(&found),
        }
    }

    /// Shows a run from its past on; where it is shown already, only its past has changed.
    fn find(&mut self, found: &Found) {
        let screen = self.screen;
        let is_same = |watch: &Watch| watch.facts.seed == found.facts.seed;
        let watch = Watch::follow(found.facts.clone(), &found.rows, found.pace);
        match &mut self.watch {
            Some(before) if is_same(before) => before.begin_again(watch),
            _ => {
                self.watch(watch);
                self.screen = screen;
            }
        }
    }

    /// Whether the run can't be changed from here, which is said.
    pub(super) fn is_refused(&mut self) -> bool {
        let Some(followed) = &self.followed else {
            return false;
        };
        let (name, quit) = (&followed.name, keymap::label(Scope::Global, Action::Quit));
        let words = format!(
            "{name} is only watched: another process evolves it, and nothing is changed from here; {quit} leaves"
        );
        self.say(&words);
        true
    }
}
