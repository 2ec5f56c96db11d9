//! Mouse input, and the clickable regions of the last frame.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

/// A mouse event that the program uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MouseInput {
    /// The left button was pressed on a cell.
    Click(Position),
    Wheel(Wheel),
}

/// The direction of the mouse wheel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wheel {
    Up,
    Down,
}

impl MouseInput {
    /// Converts an event; `None` for movements, releases and other buttons.
    pub fn from_event(event: MouseEvent) -> Option<Self> {
        match event.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                Some(Self::Click(Position::new(event.column, event.row)))
            }
            MouseEventKind::ScrollUp => Some(Self::Wheel(Wheel::Up)),
            MouseEventKind::ScrollDown => Some(Self::Wheel(Wheel::Down)),
            _ => None,
        }
    }
}

/// Areas of a frame and their click targets. Drawing returns them, so that they match the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regions<T>(Vec<(Rect, T)>);

impl<T> Default for Regions<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Regions<T> {
    pub fn add(&mut self, area: Rect, target: T) {
        self.0.push((area, target));
    }

    /// The target at a cell; of overlapping areas, that of the one drawn last.
    pub fn target_at(&self, cell: Position) -> Option<&T> {
        let mut latest_first = self.0.iter().rev();
        let found = latest_first.find(|(area, _)| area.contains(cell));
        found.map(|(_, target)| target)
    }

    /// The same areas with converted targets.
    #[must_use]
    pub fn map<U>(self, target: impl Fn(T) -> U) -> Regions<U> {
        let areas = self.0.into_iter();
        Regions(areas.map(|(area, old)| (area, target(old))).collect())
    }

    /// Adds areas that were drawn later.
    pub fn extend(&mut self, later: Self) {
        self.0.extend(later.0);
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyModifiers;

    use super::*;

    #[test]
    fn a_click_hits_the_area_drawn_last() {
        let mut regions = Regions::default();
        regions.add(Rect::new(2, 1, 4, 2), "below");
        let mut later = Regions::default();
        later.add(Rect::new(4, 2, 9, 1), "above");
        later.add(Rect::new(0, 0, 9, 0), "nothing");
        regions.extend(later);
        let hit = |x, y| regions.target_at(Position::new(x, y)).copied();
        assert_eq!(hit(2, 1), Some("below"));
        assert_eq!(hit(5, 2), Some("above"));
        assert_eq!(hit(12, 2), Some("above"));
        for (x, y) in [(1, 1), (6, 1), (13, 2), (4, 3), (0, 0)] {
            assert_eq!(hit(x, y), None, "{x}, {y}");
        }
        let lengths = regions.map(str::len);
        assert_eq!(lengths.target_at(Position::new(3, 1)), Some(&5));
    }

    #[test]
    fn only_the_left_button_and_the_wheel_are_used() {
        let of = |kind| {
            MouseInput::from_event(MouseEvent {
                kind,
                column: 7,
                row: 3,
                modifiers: KeyModifiers::NONE,
            })
        };
        let click = MouseInput::Click(Position::new(7, 3));
        assert_eq!(of(MouseEventKind::Down(MouseButton::Left)), Some(click));
        assert_eq!(
            of(MouseEventKind::ScrollUp),
            Some(MouseInput::Wheel(Wheel::Up))
        );
        for kind in [
            MouseEventKind::Moved,
            MouseEventKind::Up(MouseButton::Left),
            MouseEventKind::Drag(MouseButton::Left),
            MouseEventKind::Down(MouseButton::Right),
        ] {
            assert_eq!(of(kind), None, "{kind:?}");
        }
    }
}
