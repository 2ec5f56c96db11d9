//! The active keymap: the default keys, or the user's own in their place. It is set once and stays
//! fixed for the process, so that screens need not pass it around.

use std::sync::OnceLock;

use crossterm::event::KeyEvent;

use crate::mouse::Wheel;

use super::{Action, Binding, Key, Scope, layout};

/// The bindings of all scopes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keymap(Vec<(Scope, Vec<Binding>)>);

/// Set by [`install`].
static KEYMAP: OnceLock<Keymap> = OnceLock::new();

/// Activates a keymap, unless one is active.
pub fn install(keymap: impl FnOnce() -> Keymap) {
    KEYMAP.get_or_init(keymap);
}

impl Keymap {
    /// The default keys of scopes. `tabs` are global keys that open screens.
    pub fn new(scopes: impl IntoIterator<Item = Scope>, tabs: &[Binding]) -> Self {
        let bindings = |scope: Scope| {
            let mut bindings = scope.keys.to_vec();
            if scope == Scope::GLOBAL {
                let click = bindings
                    .iter()
                    .position(|binding| binding.key == Key::Click);
                let place = click.unwrap_or(bindings.len());
                bindings.splice(place..place, tabs.iter().copied());
            }
            (scope, bindings)
        };
        Self(scopes.into_iter().map(bindings).collect())
    }

    pub fn scopes(&self) -> impl Iterator<Item = Scope> {
        self.0.iter().map(|(scope, _)| *scope)
    }

    /// The bindings of a scope, in the order of the hints.
    pub fn bindings(&self, scope: Scope) -> &[Binding] {
        let found = self.0.iter().find(|(known, _)| *known == scope);
        found.map_or(scope.keys, |(_, bindings)| bindings)
    }

    /// Replaces the keys of an action in a scope, at the position of its first key. Mouse bindings
    /// stay.
    pub fn remap(&mut self, scope: Scope, action: Action, keys: &[Key]) {
        let is_it = |binding: &Binding| binding.action == action && binding.key.is_pressed();
        let Some((_, bindings)) = self.0.iter_mut().find(|(known, _)| *known == scope) else {
            return;
        };
        let Some(place) = bindings.iter().position(is_it) else {
            return;
        };
        let model = bindings[place];
        let before = bindings.iter().filter(|binding| is_it(binding));
        if before.map(|binding| binding.key).eq(keys.iter().copied()) {
            return;
        }
        bindings.retain(|binding| !is_it(binding));
        let own = keys.iter().enumerate().map(|(number, &key)| Binding {
            key,
            // Only the first key carries the hint.
            hint: if number == 0 { model.hint } else { "" },
            ..model
        });
        bindings.splice(place..place, own);
    }
}

/// The action of a key in a scope: the scope's own, or else the global one. A Cyrillic letter that
/// is bound to nothing is the key of a Latin letter.
pub fn action(scope: Scope, event: KeyEvent) -> Option<Action> {
    let by_position = || action_of(scope, layout::by_position(event)?);
    action_of(scope, event).or_else(by_position)
}

fn action_of(scope: Scope, event: KeyEvent) -> Option<Action> {
    let within = |scope| bindings(scope).find(|binding| binding.key.matches(event));
    let global = || within(Scope::GLOBAL).filter(|_| scope.has_globals);
    let found = within(scope).or_else(global);
    found.map(|binding| binding.action)
}

/// The action of the mouse wheel in a scope.
pub fn wheel(scope: Scope, wheel: Wheel) -> Option<Action> {
    let found = bindings(scope).find(|binding| binding.key == Key::Wheel(wheel));
    found.map(|binding| binding.action)
}

/// The bindings of a scope, in the order of the hints.
pub fn bindings(scope: Scope) -> impl Iterator<Item = &'static Binding> {
    let keymap = KEYMAP.get();
    keymap
        .map_or(scope.keys, |keymap| keymap.bindings(scope))
        .iter()
}

/// Whether the key of a global binding does something else on a screen.
pub fn overrides(scope: Scope, global: &Binding) -> bool {
    let mut own = bindings(scope);
    let is_pressed = global.key.is_pressed();
    scope != Scope::GLOBAL && is_pressed && own.any(|binding| binding.key == global.key)
}

/// The scope of a screen by its name, for screens that name the keys of another.
pub fn named(name: &'static str) -> Scope {
    let mut known = KEYMAP.get().into_iter().flat_map(Keymap::scopes);
    let found = known.find(|scope| scope.name == name);
    found.unwrap_or(Scope::of_screen(name, &[]))
}

/// The label of an action's first key, for use in a sentence.
pub fn label(scope: Scope, action: Action) -> String {
    let mut keys = bindings(scope).filter(|binding| binding.key.is_pressed());
    let found = keys.find(|binding| binding.action == action);
    found.map_or_else(|| "(no key)".to_owned(), |binding| binding.key.label())
}
