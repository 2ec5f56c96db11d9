//! The keys in force: those of the table, or a user's own in their places. Which they are is settled before the dashboard
//! opens and holds to the end of the process, so that no screen has to carry them.

use std::sync::OnceLock;

use crossterm::event::KeyEvent;

use super::keymap::{Action, BINDINGS, Binding, Key, Scope};
use super::mouse::Wheel;

/// The keys in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keymap(Vec<Binding>);

impl Default for Keymap {
    fn default() -> Self {
        Self(BINDINGS.to_vec())
    }
}

/// Settled by the first who asks or [`adopt`]s.
static KEYMAP: OnceLock<Keymap> = OnceLock::new();

fn current() -> &'static Keymap {
    KEYMAP.get_or_init(Keymap::default)
}

/// Puts keys in force, which must come before any is looked up; later it changes nothing.
pub fn adopt(keymap: Keymap) {
    let _ = KEYMAP.set(keymap);
}

impl Keymap {
    /// Gives an action of a scope other keys, in the place of its first; those of the mouse stay.
    pub fn remap(&mut self, scope: Scope, action: Action, keys: &[Key]) {
        let is_it = |binding: &Binding| {
            binding.scope == scope && binding.action == action && binding.key.is_pressed()
        };
        let Some(place) = self.0.iter().position(is_it) else {
            return;
        };
        let model = self.0[place];
        let before = self.0.iter().filter(|binding| is_it(binding));
        if before.map(|binding| binding.key).eq(keys.iter().copied()) {
            return;
        }
        self.0.retain(|binding| !is_it(binding));
        let own = keys.iter().enumerate().map(|(number, &key)| Binding {
            key,
            // One hint is enough.
            hint: if number == 0 { model.hint } else { "" },
            ..model
        });
        self.0.splice(place..place, own);
    }

    /// What a key does in a scope: its own table first, then the global one. Overlays do not pass keys on.
    pub fn action(&self, scope: Scope, event: KeyEvent) -> Option<Action> {
        let within = |wanted: Scope| {
            let found = self
                .bindings(wanted)
                .find(|binding| binding.key.matches(event));
            found.map(|binding| binding.action)
        };
        let own = within(scope);
        match scope {
            Scope::Help | Scope::Quit | Scope::Experiment => own,
            _ => own.or_else(|| within(Scope::Global)),
        }
    }

    /// The keys of one scope, in the order of the table.
    pub fn bindings(&self, scope: Scope) -> impl Iterator<Item = &Binding> {
        self.0.iter().filter(move |binding| binding.scope == scope)
    }

    /// The first key of an action, as it is written on screen; nothing where it has none.
    pub fn label(&self, scope: Scope, action: Action) -> String {
        let mut found = self
            .bindings(scope)
            .filter(|binding| binding.action == action);
        let found = found.find(|binding| binding.key.is_pressed());
        found.map(|binding| binding.key.label()).unwrap_or_default()
    }
}

/// What a key does in a scope, by the keys in force.
pub fn action(scope: Scope, event: KeyEvent) -> Option<Action> {
    current().action(scope, event)
}

/// What the wheel does in a scope.
pub fn wheel(scope: Scope, wheel: Wheel) -> Option<Action> {
    let found = bindings(scope).find(|binding| binding.key == Key::Wheel(wheel));
    found.map(|binding| binding.action)
}

/// The keys of one scope, in the order of the table.
pub fn bindings(scope: Scope) -> impl Iterator<Item = &'static Binding> {
    current().bindings(scope)
}

/// The key of an action, for a sentence that names it.
pub fn label(scope: Scope, action: Action) -> String {
    let label = current().label(scope, action);
    if label.is_empty() {
        "(no key)".to_owned()
    } else {
        label
    }
}
