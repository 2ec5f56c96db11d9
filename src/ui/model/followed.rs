//! A run that another process evolves. It is shown, but cannot be changed from here.

use crate::ui::keymap::{self, Action, Scope};

use super::context::Context;

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
        let words = format!("{name} is read-only: another process evolves it; {quit} quits");
        self.notify(&words);
        true
    }
}
