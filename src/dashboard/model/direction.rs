//! The directions in which a cursor moves between places of a picture.

use crate::keymap::Action;

/// A direction on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Left,
    Right,
    Up,
    Down,
}

impl Direction {
    /// The direction of an action, if it has one.
    pub fn of(action: Action) -> Option<Self> {
        match action {
            Action::Left => Some(Self::Left),
            Action::Right => Some(Self::Right),
            Action::Up => Some(Self::Up),
            Action::Down => Some(Self::Down),
            _ => None,
        }
    }
}
