//! Moves the cursor between places on a board.

use crate::model::direction::Direction;
use finches_engine::games::board::CellArea;

/// The nearest place in a direction, or the same place if there is none. Left and right prefer the
/// same row, up and down the next row with places.
pub(super) fn next(places: &[CellArea], from: usize, direction: Direction) -> usize {
    let Some(here) = places.get(from) else {
        return 0;
    };
    let (x, y) = here.doubled_center();
    let candidates = places.iter().enumerate().filter_map(|(index, place)| {
        let (to_x, to_y) = place.doubled_center();
        let (right, down) = (to_x - x, 2 * (to_y - y));
        let (along, aside) = match direction {
            Direction::Left => (-right, down.abs()),
            Direction::Right => (right, down.abs()),
            Direction::Up => (-down, right.abs()),
            Direction::Down => (down, right.abs()),
        };
        let sideways = matches!(direction, Direction::Left | Direction::Right);
        let cost = if sideways {
            (aside, along)
        } else {
            (along, aside)
        };
        let within = !sideways || aside <= along;
        (along > 0 && within).then_some((cost, index))
    });
    candidates.min().map_or(from, |(_, index)| index)
}

/// The index of the place nearest to another.
pub(super) fn nearest(places: impl Iterator<Item = CellArea>, place: CellArea) -> usize {
    let (x, y) = place.doubled_center();
    let distance = |place: &CellArea| {
        let (to_x, to_y) = place.doubled_center();
        (to_x - x).abs() + 2 * (to_y - y).abs()
    };
    let nearest = places.enumerate().min_by_key(|(_, place)| distance(place));
    nearest.map_or(0, |(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(x: u16, y: u16) -> CellArea {
        CellArea {
            x,
            y,
            width: 2,
            height: 1,
        }
    }

    fn check(from: usize, direction: Direction, expected: usize) {
        // Two rows, the lower one longer.
        let places = [(0, 0), (2, 0), (0, 3), (2, 3), (4, 3), (6, 3)].map(|(x, y)| place(x, y));
        assert_eq!(
            next(&places, from, direction),
            expected,
            "{from} {direction:?}"
        );
    }

    #[test]
    fn the_cursor_goes_to_the_nearest_place_in_its_direction() {
        check(0, Direction::Right, 1);
        check(1, Direction::Left, 0);
        check(0, Direction::Left, 0);
        check(1, Direction::Right, 1);
        check(1, Direction::Down, 3);
        check(5, Direction::Up, 1);
        check(2, Direction::Up, 0);
        check(2, Direction::Down, 2);
        check(99, Direction::Down, 0);
    }
}
