//! Whether a pane fills the screen.

use crate::ui::keymap::Action;

/// Whether a pane fills the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zoom {
    In,
    Out,
}

impl Zoom {
    pub fn is_in(self) -> bool {
        self == Self::In
    }

    pub fn turn(&mut self) {
        *self = match self {
            Self::In => Self::Out,
            Self::Out => Self::In,
        };
    }

    /// Does what an action asks of the zoom, which is given up on the way back; whether it was any of its business.
    pub fn takes(&mut self, action: Action) -> bool {
        match action {
            Action::Zoom => self.turn(),
            Action::Back if self.is_in() => *self = Self::Out,
            _ => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_back_gives_the_zoom_up_before_it_leaves() {
        let mut zoom = Zoom::Out;
        assert!(!zoom.takes(Action::Back), "nothing to give up");
        assert!(zoom.takes(Action::Zoom));
        assert!(zoom.is_in());
        assert!(!zoom.takes(Action::Up));
        assert!(zoom.takes(Action::Back));
        assert_eq!(zoom, Zoom::Out);
    }
}
