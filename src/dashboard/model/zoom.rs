//! Whether a pane fills the screen.

use crate::keymap::Action;

/// Whether a pane fills the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Zoom {
    In,
    #[default]
    Out,
}

impl Zoom {
    pub fn is_zoomed(self) -> bool {
        self == Self::In
    }

    pub fn toggle(&mut self) {
        *self = match self {
            Self::In => Self::Out,
            Self::Out => Self::In,
        };
    }

    /// Handles the actions `Zoom` and `Back`; returns whether it used the action.
    pub fn handle(&mut self, action: Action) -> bool {
        match action {
            Action::Zoom => self.toggle(),
            Action::Back if self.is_zoomed() => *self = Self::Out,
            _ => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn back_zooms_out_first() {
        let mut zoom = Zoom::Out;
        assert!(!zoom.handle(Action::Back), "not zoomed");
        assert!(zoom.handle(Action::Zoom));
        assert!(zoom.is_zoomed());
        assert!(!zoom.handle(Action::Up));
        assert!(zoom.handle(Action::Back));
        assert_eq!(zoom, Zoom::Out);
    }
}
