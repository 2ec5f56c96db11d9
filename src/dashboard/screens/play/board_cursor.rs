//! Moves the cursor between places on a board.

use finches_engine::games::board::CellArea;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoardDirection {
    Left,
    Right,
    Up,
    Down,
}

/// The nearest place in a direction, or the same place if there is none. Left and right prefer the same row, up and down the
/// next row with places.
pub(super) fn next(places: &[CellArea], from: usize, direction: BoardDirection) -> usize {
    let Some(here) = places.get(from) else {
        return 0;
    };
    let (x, y) = here.doubled_center();
    let candidates = places.iter().enumerate().filter_map(|(index, place)| {
        let (to_x, to_y) = place.doubled_center();
        let (right, down) = (to_x - x, 2 * (to_y - y));
        let (along, aside) = match direction {
            BoardDirection::Left => (-right, down.abs()),
            BoardDirection::Right => (right, down.abs()),
            BoardDirection::Up => (-down, right.abs()),
            BoardDirection::Down => (down, right.abs()),
        };
        let sideways = matches!(direction, BoardDirection::Left | BoardDirection::Right);
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

    fn check(from: usize, direction: BoardDirection, expected: usize) {
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
        check(0, BoardDirection::Right, 1);
        check(1, BoardDirection::Left, 0);
        check(0, BoardDirection::Left, 0);
        check(1, BoardDirection::Right, 1);
        check(1, BoardDirection::Down, 3);
        check(5, BoardDirection::Up, 1);
        check(2, BoardDirection::Up, 0);
        check(2, BoardDirection::Down, 2);
        check(99, BoardDirection::Down, 0);
    }
}
