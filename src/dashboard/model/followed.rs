//! A run that another process evolves. It is shown, but cannot be changed from here.

use crate::keymap::{self, Action, Scope};

use super::context::Context;
use super::run::{RunModel, RunState};

/// The followed run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FollowState {
    pub name: String,
    /// Why the run cannot be shown.
    pub missing: Option<String>,
}

impl Context {
    /// Whether the run is only followed and cannot be changed from here; if so, shows a notice.
    pub fn refuse_followed(&mut self) -> bool {
        let Some(followed) = &self.followed else {
            return false;
        };
        let (name, quit) = (&followed.name, keymap::label(Scope::GLOBAL, Action::Quit));
        let is_done = |run: &RunModel| run.state == RunState::Done;
        let reason = if self.run.as_ref().is_some_and(is_done) {
            "it is only watched here, and has ended"
        } else {
            "another process evolves it"
        };
        let words = format!("{name} is read-only: {reason}; {quit} quits");
        self.notify(&words);
        true
    }
}
