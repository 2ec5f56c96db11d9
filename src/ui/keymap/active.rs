//! The active keymap: the default table, or the user's own keys in its place. It is set before the dashboard opens and stays
//! fixed for the process, so that screens need not pass it around.

use std::sync::OnceLock;

use crossterm::event::KeyEvent;

use crate::ui::mouse::Wheel;

use super::{Action, BINDINGS, Binding, Key, Scope};

/// A complete set of key bindings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keymap(Vec<Binding>);

impl Default for Keymap {
    fn default() -> Self {
        Self(BINDINGS.to_vec())
    }
}

/// Set by [`install`], or to the default on first use.
static KEYMAP: OnceLock<Keymap> = OnceLock::new();

fn current() -> &'static Keymap {
    KEYMAP.get_or_init(Keymap::default)
}

/// Activates a keymap. It must be called before any lookup; later calls have no effect.
pub fn install(keymap: Keymap) {
    let _ = KEYMAP.set(keymap);
}

impl Keymap {
    /// Replaces the keys of an action in a scope, at the position of its first key. Mouse bindings stay.
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
            // Only the first key carries the hint.
            hint: if number == 0 { model.hint } else { "" },
            ..model
        });
        self.0.splice(place..place, own);
    }

    /// The action of a key in a scope, from the scope's own keys first, then from the global ones.
    pub fn action(&self, scope: Scope, event: KeyEvent) -> Option<Action> {
        let within = |wanted: Scope| {
            let found = self
                .bindings(wanted)
                .find(|binding| binding.key.matches(event));
            found.map(|binding| binding.action)
        };
        let global = || scope.has_globals().then(|| within(Scope::Global)).flatten();
        within(scope).or_else(global)
    }

    /// The bindings of a scope, in table order.
    pub fn bindings(&self, scope: Scope) -> impl Iterator<Item = &Binding> {
        self.0.iter().filter(move |binding| binding.scope == scope)
    }

    /// The label of an action's first key; empty if it has none.
    pub fn label(&self, scope: Scope, action: Action) -> String {
        let mut found = self
            .bindings(scope)
            .filter(|binding| binding.action == action);
        let found = found.find(|binding| binding.key.is_pressed());
        found.map(|binding| binding.key.label()).unwrap_or_default()
    }
}

/// The action of a key in a scope, by the active keymap.
pub fn action(scope: Scope, event: KeyEvent) -> Option<Action> {
    current().action(scope, event)
}

/// The action of the mouse wheel in a scope.
pub fn wheel(scope: Scope, wheel: Wheel) -> Option<Action> {
    let found = bindings(scope).find(|binding| binding.key == Key::Wheel(wheel));
    found.map(|binding| binding.action)
}

/// The bindings of a scope, in table order.
pub fn bindings(scope: Scope) -> impl Iterator<Item = &'static Binding> {
    current().bindings(scope)
}

/// The label of an action's key, for use in a sentence.
pub fn label(scope: Scope, action: Action) -> String {
    let label = current().label(scope, action);
    if label.is_empty() {
        "(no key)".to_owned()
    } else {
        label
    }
}
