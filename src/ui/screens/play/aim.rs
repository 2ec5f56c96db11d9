//! Moving the cursor from place to place of a board.

use crate::games::board::Patch;

/// Where the cursor is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heading {
    Left,
    Right,
    Up,
    Down,
}

/// The nearest place in a direction, or the same one where there is none. Left and right prefer the row, up and down the
/// next row that has places.
pub(super) fn next(places: &[Patch], from: usize, heading: Heading) -> usize {
    let Some(here) = places.get(from) else {
        return 0;
    };
    let (x, y) = here.middle();
    let candidates = places.iter().enumerate().filter_map(|(index, place)| {
        let (to_x, to_y) = place.middle();
        let (right, down) = (to_x - x, 2 * (to_y - y));
        let (along, aside) = match heading {
            Heading::Left => (-right, down.abs()),
            Heading::Right => (right, down.abs()),
            Heading::Up => (-down, right.abs()),
            Heading::Down => (down, right.abs()),
        };
        let sideways = matches!(heading, Heading::Left | Heading::Right);
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

/// Which of the places is nearest to another.
pub(super) fn nearest(places: impl Iterator<Item = Patch>, place: Patch) -> usize {
    let (x, y) = place.middle();
    let distance = |place: &Patch| {
        let (to_x, to_y) = place.middle();
        (to_x - x).abs() + 2 * (to_y - y).abs()
    };
    let nearest = places.enumerate().min_by_key(|(_, place)| distance(place));
    nearest.map_or(0, |(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(x: u16, y: u16) -> Patch {
        Patch {
            x,
            y,
            width: 2,
            height: 1,
        }
    }

    fn check(from: usize, heading: Heading, expected: usize) {
        // Two rows of matches, the lower one longer.
        let places = [(0, 0), (2, 0), (0, 3), (2, 3), (4, 3), (6, 3)].map(|(x, y)| place(x, y));
        assert_eq!(next(&places, from, heading), expected, "{from} {heading:?}");
    }

    #[test]
    fn the_cursor_goes_to_the_nearest_place_in_its_direction() {
        check(0, Heading::Right, 1);
        check(1, Heading::Left, 0);
        check(0, Heading::Left, 0);
        check(1, Heading::Right, 1);
        check(1, Heading::Down, 3);
        check(5, Heading::Up, 1);
        check(2, Heading::Up, 0);
        check(2, Heading::Down, 2);
        check(99, Heading::Down, 0);
    }
}
