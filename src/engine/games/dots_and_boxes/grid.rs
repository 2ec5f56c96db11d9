//! The geometry of a board: its edges, and the boxes next to each edge.

/// The maximal number of edges, each of which is a bit.
pub(super) const MAX_EDGES: u16 = 64;

/// The edges and boxes of a board.
///
/// Edges are numbered row by row: first the horizontal ones from the top, then the vertical ones.
#[derive(Clone, Debug)]
pub(super) struct BoxGrid {
    pub(super) rows: u8,
    pub(super) columns: u8,
    /// The edges of each box as a set of bits, row by row.
    pub(super) boxes: Vec<u64>,
    /// The one or two boxes next to each edge. A border edge has the same box twice.
    beside: Vec<[u8; 2]>,
}

/// The location of an edge: its row and column among the horizontal or vertical edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EdgeLocation {
    Horizontal(u8, u8),
    Vertical(u8, u8),
}

impl BoxGrid {
    /// The number of edges of a board.
    pub(super) fn count_edges(rows: u16, columns: u16) -> u16 {
        (rows + 1) * columns + rows * (columns + 1)
    }

    /// A board of at most [`MAX_EDGES`] edges.
    pub(super) fn new(rows: u8, columns: u8) -> Self {
        let mut grid = Self {
            rows,
            columns,
            boxes: Vec::new(),
            beside: Vec::new(),
        };
        for row in 0..rows {
            for column in 0..columns {
                let bits = grid.sides_of(row, column).map(|edge| 1_u64 << edge);
                grid.boxes
                    .push(bits.into_iter().fold(0, |set, bit| set | bit));
            }
        }
        grid.beside = (0..grid.edges())
            .map(|edge| grid.find_beside(edge))
            .collect();
        grid
    }

    fn find_beside(&self, edge: u8) -> [u8; 2] {
        let has = |&(_, sides): &(usize, &u64)| sides >> edge & 1 == 1;
        let mut beside = self.boxes.iter().enumerate().filter(has);
        let first = beside.next().map_or(0, |(index, _)| index as u8);
        [first, beside.next().map_or(first, |(index, _)| index as u8)]
    }

    pub(super) fn edges(&self) -> u8 {
        Self::count_edges(self.rows.into(), self.columns.into()) as u8
    }

    /// The set of all edges.
    pub(super) fn all(&self) -> u64 {
        u64::MAX >> (64 - u32::from(self.edges()))
    }

    /// The sides of a box: above, below, left and right.
    pub(super) fn sides_of(&self, row: u8, column: u8) -> [u8; 4] {
        let sides = [
            EdgeLocation::Horizontal(row, column),
            EdgeLocation::Horizontal(row + 1, column),
            EdgeLocation::Vertical(row, column),
            EdgeLocation::Vertical(row, column + 1),
        ];
        sides.map(|location| self.edge(location))
    }

    /// The sides of the boxes above, below, left and right of a box, except those that are its own;
    /// `None` off the board.
    pub(super) fn sides_around(&self, row: u8, column: u8) -> [Option<u8>; 12] {
        // The neighbors, and the places of their three sides among the four.
        let neighbors = [
            (-1, 0, [0, 2, 3]),
            (1, 0, [1, 2, 3]),
            (0, -1, [0, 1, 2]),
            (0, 1, [0, 1, 3]),
        ];
        let sides = neighbors.map(|(down, right, places)| {
            let at = row
                .checked_add_signed(down)
                .zip(column.checked_add_signed(right));
            let at = at.filter(|&(row, column)| row < self.rows && column < self.columns);
            places.map(|place| at.map(|(row, column)| self.sides_of(row, column)[place]))
        });
        let mut around = [None; 12];
        around.copy_from_slice(sides.as_flattened());
        around
    }

    /// The number of the edge at a location.
    pub(super) fn edge(&self, location: EdgeLocation) -> u8 {
        match location {
            EdgeLocation::Horizontal(row, column) => row * self.columns + column,
            EdgeLocation::Vertical(row, column) => {
                (self.rows + 1) * self.columns + row * (self.columns + 1) + column
            }
        }
    }

    /// The location of an edge.
    pub(super) fn location(&self, edge: u8) -> EdgeLocation {
        let horizontal = (self.rows + 1) * self.columns;
        match edge.checked_sub(horizontal) {
            None => EdgeLocation::Horizontal(edge / self.columns, edge % self.columns),
            Some(edge) => {
                EdgeLocation::Vertical(edge / (self.columns + 1), edge % (self.columns + 1))
            }
        }
    }

    /// The boxes that `edge` closes if it is the last drawn edge of `drawn`.
    pub(super) fn closed_by(&self, edge: u8, drawn: u64) -> u64 {
        let [one, other] = self.beside[edge as usize];
        let closed = |index: u8| {
            let sides = self.boxes[index as usize];
            u64::from(sides & !drawn == 0) << index
        };
        closed(one) | closed(other)
    }

    /// The one or two boxes next to an edge. A border edge has the same box twice.
    pub(super) fn beside(&self, edge: u8) -> [u8; 2] {
        self.beside[edge as usize]
    }

    /// The number of boxes that one player can close in a row.
    pub(super) fn closable(&self, mut drawn: u64) -> usize {
        let mut closed = 0;
        let last_side = |drawn: u64| {
            let missing = self.boxes.iter().map(|&sides| sides & !drawn);
            missing.into_iter().find(|sides| sides.is_power_of_two())
        };
        while let Some(side) = last_side(drawn) {
            drawn |= side;
            closed += self
                .closed_by(side.trailing_zeros() as u8, drawn)
                .count_ones() as usize;
        }
        closed
    }

    /// The number of drawn sides of a box.
    pub(super) fn sides(&self, index: usize, drawn: u64) -> u32 {
        (self.boxes[index] & drawn).count_ones()
    }
}

/// The members of a bit set, in ascending order.
pub(super) fn members(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let lowest = set.trailing_zeros() as u8;
        (set != 0).then(|| {
            set &= set - 1;
            lowest
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sides_around_a_box_are_those_of_its_neighbors() {
        let grid = BoxGrid::new(3, 3);
        for row in 0..3 {
            for column in 0..3 {
                let own = grid.sides_of(row, column);
                let around = grid.sides_around(row, column);
                let neighbors = own.map(|edge| grid.beside(edge));
                let neighbors = neighbors
                    .iter()
                    .flatten()
                    .filter(|&&index| index != row * 3 + column);
                let expected = neighbors.fold(0, |set, &index| set | grid.boxes[index as usize]);
                let own = own.iter().fold(0, |set, edge| set | 1 << edge);
                let found = around.iter().flatten().fold(0, |set, edge| set | 1 << edge);
                assert_eq!(found, expected & !own, "{row} {column}");
                let shown = around.iter().flatten().count();
                assert_eq!(shown as u32, found.count_ones(), "{row} {column}");
            }
        }
        // Above, below, left and right, each from above, below, left to right.
        let of_middle = grid
            .sides_around(1, 1)
            .map(|edge| edge.map(|edge| grid.location(edge)));
        assert_eq!(of_middle[0], Some(EdgeLocation::Horizontal(0, 1)));
        assert_eq!(of_middle[5], Some(EdgeLocation::Vertical(2, 2)));
        assert_eq!(of_middle[8], Some(EdgeLocation::Vertical(1, 0)));
        assert_eq!(of_middle[11], Some(EdgeLocation::Vertical(1, 3)));
        assert_eq!(grid.sides_around(0, 0)[..3], [None; 3]);
    }

    #[test]
    fn every_edge_has_a_location_and_every_box_four_edges() {
        for (rows, columns) in [(1, 1), (1, 5), (3, 3), (4, 2), (5, 5)] {
            let grid = BoxGrid::new(rows, columns);
            for edge in 0..grid.edges() {
                assert_eq!(grid.edge(grid.location(edge)), edge, "{rows}x{columns}");
            }
            assert_eq!(grid.all().count_ones(), u32::from(grid.edges()));
            for (index, sides) in grid.boxes.iter().enumerate() {
                assert_eq!(sides.count_ones(), 4);
                for edge in members(*sides) {
                    assert!(grid.beside(edge).contains(&(index as u8)));
                }
            }
        }
    }
}
