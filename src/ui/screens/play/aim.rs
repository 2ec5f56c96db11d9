//! Moving the cursor from spot to spot of a board.

use crate::games::board::{Patch, Spot};

/// Where the cursor is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heading {
    Left,
    Right,
    Up,
    Down,
}

/// The nearest spot in a direction, or the same one where there is none. Left and right prefer the row, up and down the
/// next row that has spots.
pub(super) fn next(spots: &[Spot], from: usize, heading: Heading) -> usize {
    let Some(here) = spots.get(from) else {
        return 0;
    };
    let (x, y) = here.at.middle();
    let candidates = spots.iter().enumerate().filter_map(|(index, spot)| {
        let (to_x, to_y) = spot.at.middle();
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

/// The spot nearest to a place.
pub(super) fn nearest(spots: &[Spot], place: Patch) -> usize {
    let (x, y) = place.middle();
    let distance = |spot: &Spot| {
        let (to_x, to_y) = spot.at.middle();
        (to_x - x).abs() + 2 * (to_y - y).abs()
    };
    let nearest = spots
        .iter()
        .enumerate()
        .min_by_key(|(_, spot)| distance(spot));
    nearest.map_or(0, |(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(x: u16, y: u16) -> Spot {
        let at = Patch {
            x,
            y,
            width: 2,
            height: 1,
        };
        Spot {
            at,
            covers: vec![at],
            note: None,
            word: format!("{x}:{y}"),
        }
    }

    fn check(from: usize, heading: Heading, expected: usize) {
        // Two rows of matches, the lower one longer.
        let spots: Vec<Spot> = [(0, 0), (2, 0), (0, 3), (2, 3), (4, 3), (6, 3)]
            .map(|(x, y)| spot(x, y))
            .into();
        assert_eq!(next(&spots, from, heading), expected, "{from} {heading:?}");
    }

    #[test]
    fn the_cursor_goes_to_the_nearest_spot_in_its_direction() {
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
