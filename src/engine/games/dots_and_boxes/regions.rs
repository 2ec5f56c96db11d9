//! The regions into which the drawn edges divide a board: chains and loops of boxes with two sides,
//! and boxes that can be closed at once. Who must open the first long chain mostly decides a game
//! (Berlekamp 2000, "The Dots and Boxes Game").

use super::grid::BoxGrid;

/// The length from which a chain is long: the player who is given it can close all but two boxes
/// and hand the turn back.
const LONG: u32 = 3;

/// What a position is made of, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RegionCounts {
    /// The edges that can be drawn without giving a box its third side.
    pub(super) safe_edges: u32,
    /// The boxes that can be closed one after the other, and the regions in which they lie.
    pub(super) open_boxes: u32,
    pub(super) open_regions: u32,
    /// The pairs of boxes that one edge closes.
    pub(super) pairs: u32,
    /// The chains of one box, of two boxes, and longer ones, in which no box can be closed.
    pub(super) chains: [u32; LONG as usize],
    /// The boxes in long chains.
    pub(super) long_boxes: u32,
    /// The loops, in which no box can be closed, and their boxes.
    pub(super) loops: u32,
    pub(super) loop_boxes: u32,
}

/// Boxes with two or three sides that are neighbors without an edge between them.
#[derive(Clone, Copy, Debug, Default)]
struct Region {
    boxes: u32,
    /// Whether a box has three sides.
    is_open: bool,
    /// The edges that lead out of it.
    exits: u32,
}

impl RegionCounts {
    /// Counts the regions of a board.
    pub(super) fn of(grid: &BoxGrid, drawn: u64) -> Self {
        let mut counts = Self::default();
        let with_sides = |sides: [bool; 5]| {
            let boxes = 0..grid.boxes.len();
            let fit = boxes.filter(|&index| sides[grid.sides(index, drawn) as usize]);
            fit.fold(0, |set, index| set | 1_u64 << index)
        };
        let spacious = with_sides([true, true, false, false, false]);
        let mut narrow = with_sides([false, false, true, true, false]);
        let narrow_edges = edges_of(grid, narrow);
        counts.safe_edges =
            (grid.all() & !drawn & edges_of(grid, spacious) & !narrow_edges).count_ones();
        while narrow != 0 {
            let first = narrow.trailing_zeros() as usize;
            counts.add(Region::around(grid, drawn, first, &mut narrow));
        }
        counts
    }

    fn add(&mut self, region: Region) {
        if region.is_open {
            self.open_boxes += region.boxes;
            self.open_regions += 1;
            self.pairs += u32::from(region.boxes == 2 && region.exits == 0);
        } else if region.exits == 0 {
            self.loops += 1;
            self.loop_boxes += region.boxes;
        } else {
            self.chains[region.boxes.min(LONG) as usize - 1] += 1;
            if region.boxes >= LONG {
                self.long_boxes += region.boxes;
            }
        }
    }
}

impl Region {
    /// The region of a box, which is removed from `narrow`, the set of boxes that have two or three
    /// sides.
    fn around(grid: &BoxGrid, drawn: u64, first: usize, narrow: &mut u64) -> Self {
        let mut region = Self::default();
        let mut reached = 1_u64 << first;
        *narrow &= !reached;
        while reached != 0 {
            let index = reached.trailing_zeros() as usize;
            reached &= reached - 1;
            region.boxes += 1;
            region.is_open |= grid.sides(index, drawn) == 3;
            let mut free = grid.boxes[index] & !drawn;
            while free != 0 {
                let [one, other] = grid.beside(free.trailing_zeros() as u8);
                free &= free - 1;
                let next = usize::from(if usize::from(one) == index {
                    other
                } else {
                    one
                });
                if next == index || grid.sides(next, drawn) < 2 {
                    region.exits += 1;
                } else if *narrow >> next & 1 == 1 {
                    *narrow &= !(1 << next);
                    reached |= 1 << next;
                }
            }
        }
        region
    }
}

/// The edges of a set of boxes.
fn edges_of(grid: &BoxGrid, mut boxes: u64) -> u64 {
    let mut edges = 0;
    while boxes != 0 {
        edges |= grid.boxes[boxes.trailing_zeros() as usize];
        boxes &= boxes - 1;
    }
    edges
}

#[cfg(test)]
mod tests {
    use super::super::grid::EdgeLocation::{self, Horizontal, Vertical};
    use super::*;

    /// The counts of a board of 3×3 boxes on which all edges but these are drawn.
    fn without(free: &[EdgeLocation]) -> RegionCounts {
        let grid = BoxGrid::new(3, 3);
        let free = free.iter().fold(0, |set, &at| set | 1_u64 << grid.edge(at));
        RegionCounts::of(&grid, grid.all() & !free)
    }

    #[test]
    fn an_empty_board_has_only_safe_edges() {
        let grid = BoxGrid::new(3, 3);
        let expected = RegionCounts {
            safe_edges: 24,
            ..RegionCounts::default()
        };
        assert_eq!(RegionCounts::of(&grid, 0), expected);
    }

    #[test]
    fn a_chain_ends_at_the_border() {
        let row = [
            Vertical(0, 0),
            Vertical(0, 1),
            Vertical(0, 2),
            Vertical(0, 3),
        ];
        let long = RegionCounts {
            chains: [0, 0, 1],
            long_boxes: 3,
            ..RegionCounts::default()
        };
        assert_eq!(without(&row), long);
        let short = RegionCounts {
            open_boxes: 2,
            open_regions: 1,
            ..RegionCounts::default()
        };
        assert_eq!(
            without(&row[..2]),
            RegionCounts {
                open_boxes: 2,
                open_regions: 1,
                ..short
            }
        );
        assert_eq!(without(&row[1..2]), RegionCounts { pairs: 1, ..short });
        assert_eq!(
            without(&[Vertical(0, 0)]),
            RegionCounts {
                open_boxes: 1,
                ..short
            }
        );
        let one = RegionCounts {
            chains: [1, 0, 0],
            ..RegionCounts::default()
        };
        assert_eq!(without(&[Vertical(0, 0), Horizontal(0, 0)]), one);
    }

    #[test]
    fn a_loop_has_no_exit() {
        let around = [
            Vertical(0, 1),
            Vertical(1, 1),
            Horizontal(1, 0),
            Horizontal(1, 1),
        ];
        let expected = RegionCounts {
            loops: 1,
            loop_boxes: 4,
            ..RegionCounts::default()
        };
        assert_eq!(without(&around), expected);
        let broken = RegionCounts {
            open_boxes: 4,
            open_regions: 1,
            ..RegionCounts::default()
        };
        assert_eq!(without(&around[1..]), broken);
    }

    #[test]
    fn chains_end_at_boxes_with_fewer_sides_and_the_edges_between_those_are_safe() {
        // Three arms meet in the box in the middle of the upper row; a free edge on the border is
        // safe with it alone.
        let arms = [
            Vertical(0, 0),
            Vertical(0, 1),
            Vertical(0, 2),
            Vertical(0, 3),
            Horizontal(1, 1),
            Horizontal(2, 1),
            Horizontal(3, 1),
            Horizontal(0, 1),
        ];
        let expected = RegionCounts {
            safe_edges: 1,
            chains: [2, 1, 0],
            ..RegionCounts::default()
        };
        assert_eq!(without(&arms), expected);
    }
}
