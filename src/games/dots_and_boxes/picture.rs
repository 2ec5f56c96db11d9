//! How a board looks: dots, drawn edges, the owners' initials in closed boxes, and in the others how long the chain is that they
//! belong to.

use crate::games::Side;
use crate::games::board::{Board, Cell, Patch, Room, Spot, Tone};

use super::grid::{Grid, Place, members};
use super::{Edge, Lines};

/// From one dot to the next, columns first, and whether rows and columns are numbered.
struct Layout {
    pitch: (u16, u16),
    numbered: bool,
}

/// From the largest to the smallest.
const LAYOUTS: [Layout; 6] = [
    layout(12, 6, true),
    layout(8, 4, true),
    layout(6, 3, true),
    layout(4, 2, true),
    layout(4, 2, false),
    layout(2, 2, false),
];

const fn layout(across: u16, down: u16, numbered: bool) -> Layout {
    Layout {
        pitch: (across, down),
        numbered,
    }
}

impl Layout {
    fn for_room(grid: &Grid, room: Room) -> &'static Self {
        let fits = |layout: &&Self| {
            let (width, height) = layout.size(grid);
            width <= room.width && height <= room.height
        };
        let [.., smallest] = &LAYOUTS;
        LAYOUTS.iter().find(fits).unwrap_or(smallest)
    }

    /// Columns to the left of the dots, and rows above them.
    fn margin(&self) -> (u16, u16) {
        if self.numbered { (4, 2) } else { (1, 0) }
    }

    fn size(&self, grid: &Grid) -> (u16, u16) {
        let (across, down) = self.dot(grid.rows, grid.columns);
        // A column to the right for the edges that lie there, and a row below for the boxes of both.
        (across + 2, down + 2)
    }

    /// Where a dot is.
    fn dot(&self, row: u8, column: u8) -> (u16, u16) {
        let (left, above) = self.margin();
        let (across, down) = self.pitch;
        (
            left + across * u16::from(column),
            above + down * u16::from(row),
        )
    }

    /// The middle of a box.
    fn middle(&self, row: u8, column: u8) -> (u16, u16) {
        let (x, y) = self.dot(row, column);
        (x + self.pitch.0 / 2, y + self.pitch.1 / 2)
    }

    /// Where an edge is drawn.
    fn edge(&self, place: Place) -> Patch {
        let (across, down) = self.pitch;
        match place {
            Place::Horizontal(row, column) => {
                let (x, y) = self.dot(row, column);
                patch(x + 1, y, across - 1, 1)
            }
            Place::Vertical(row, column) => {
                let (x, y) = self.dot(row, column);
                patch(x, y + 1, 1, down - 1)
            }
        }
    }

    /// Where to point to draw an edge: a line of one column is hard to hit.
    fn target(&self, place: Place) -> Patch {
        let edge = self.edge(place);
        match place {
            Place::Vertical(..) if self.pitch.0 > 2 => patch(edge.x - 1, edge.y, 3, edge.height),
            _ => edge,
        }
    }

    /// Where there is room for a word on an edge.
    fn note(&self, place: Place) -> Option<Patch> {
        let width = if self.pitch.0 < 8 { 3 } else { 5 };
        let edge = self.edge(place);
        let (x, y) = (edge.x + edge.width / 2, edge.y + edge.height / 2);
        (self.pitch.0 > 2).then(|| patch(x.saturating_sub(width / 2), y, width, 1))
    }
}

fn patch(x: u16, y: u16, width: u16, height: u16) -> Patch {
    Patch {
        x,
        y,
        width,
        height,
    }
}

/// Draws the position, the last edge marked and the boxes that it closed in a look of their own.
pub(super) fn draw(grid: &Grid, state: &Lines, last: Option<(&Lines, Edge)>, room: Room) -> Board {
    let layout = Layout::for_room(grid, room);
    let (width, height) = layout.size(grid);
    let mut board = Board::new(width.min(room.width.max(1)), height.min(room.height.max(1)));
    if layout.numbered {
        draw_numbers(grid, layout, &mut board);
    }
    for edge in members(state.drawn) {
        let is_last = last.is_some_and(|(_, Edge(last))| last == edge);
        let tone = if is_last { Tone::Mark } else { Tone::Piece };
        draw_edge(layout, grid.place(edge), tone, &mut board);
    }
    for row in 0..=grid.rows {
        for column in 0..=grid.columns {
            let (x, y) = layout.dot(row, column);
            board.put(x, y, Cell::new('●', '+', Tone::Frame));
        }
    }
    draw_boxes(
        grid,
        layout,
        state,
        last.map(|(before, _)| before),
        &mut board,
    );
    draw_counts(layout, state, &mut board);
    for edge in members(grid.all() & !state.drawn) {
        let place = grid.place(edge);
        board.spots.push(Spot {
            way: Vec::new(),
            at: layout.target(place),
            covers: vec![layout.edge(place)],
            word: super::text::edge(place),
            note: layout.note(place),
        });
    }
    board
}

/// The rows and columns of horizontal and vertical edges, as they are typed.
fn draw_numbers(grid: &Grid, layout: &Layout, board: &mut Board) {
    board.write(2, 0, "h", Tone::Frame);
    board.write(2, 1, "v", Tone::Frame);
    for column in 0..=grid.columns {
        let (dot, _) = layout.dot(0, column);
        board.write(dot, 1, &column.to_string(), Tone::Frame);
        if column < grid.columns {
            let (middle, _) = layout.middle(0, column);
            board.write(middle, 0, &column.to_string(), Tone::Frame);
        }
    }
    for row in 0..=grid.rows {
        let (_, y) = layout.dot(row, 0);
        board.write(0, y, &format!("h{row}"), Tone::Frame);
        if row < grid.rows {
            let (_, y) = layout.middle(row, 0);
            board.write(0, y, &format!("v{row}"), Tone::Frame);
        }
    }
}

fn draw_edge(layout: &Layout, place: Place, tone: Tone, board: &mut Board) {
    let at = layout.edge(place);
    let (glyph, plain) = match place {
        Place::Horizontal(..) => ('━', '-'),
        Place::Vertical(..) => ('┃', '|'),
    };
    for y in at.y..at.y + at.height {
        for x in at.x..at.x + at.width {
            board.put(x, y, Cell::new(glyph, plain, tone));
        }
    }
}

/// The initial of a player.
fn initial(side: Side) -> char {
    match side {
        Side::First => 'F',
        Side::Second => 'S',
    }
}

fn draw_boxes(
    grid: &Grid,
    layout: &Layout,
    state: &Lines,
    before: Option<&Lines>,
    board: &mut Board,
) {
    let chains = chains(grid, state.drawn);
    for (index, chain) in chains.into_iter().enumerate() {
        let (row, column) = (index as u8 / grid.columns, index as u8 % grid.columns);
        let (x, y) = layout.middle(row, column);
        let owner = [Side::First, Side::Second]
            .into_iter()
            .find(|side| state.owned[side.index()] >> index & 1 == 1);
        if let Some(side) = owner {
            let is_new = before.is_some_and(|before| before.owned[side.index()] >> index & 1 == 0);
            let tone = if is_new {
                Tone::Taken(side)
            } else {
                Tone::Owned(side)
            };
            board.put(x, y, Cell::new(initial(side), initial(side), tone));
        } else if grid.sides(index, state.drawn) == 3 {
            board.write(x, y, &chain.to_string(), Tone::Accent);
        } else if chain > 1 {
            board.write(x, y, &chain.to_string(), Tone::Frame);
        }
    }
}

/// How many boxes the chain of each box has: boxes with two or three sides drawn hang together where they share an undrawn edge.
/// 0 for boxes in none.
fn chains(grid: &Grid, drawn: u64) -> Vec<usize> {
    let hangs = |index: usize| matches!(grid.sides(index, drawn), 2 | 3);
    let mut chains = vec![0; grid.boxes.len()];
    for start in 0..grid.boxes.len() {
        if chains[start] > 0 || !hangs(start) {
            continue;
        }
        let mut chain = vec![start];
        let mut at = 0;
        while at < chain.len() {
            for edge in members(grid.boxes[chain[at]] & !drawn) {
                for next in grid.beside(edge).map(usize::from) {
                    if hangs(next) && !chain.contains(&next) {
                        chain.push(next);
                    }
                }
            }
            at += 1;
        }
        for &index in &chain {
            chains[index] = chain.len();
        }
    }
    chains
}

/// How many boxes each player has, below the board.
fn draw_counts(layout: &Layout, state: &Lines, board: &mut Board) {
    let (left, _) = layout.margin();
    let row = board.height.saturating_sub(1);
    let mut x = left;
    for side in [Side::First, Side::Second] {
        let boxes = state.owned[side.index()].count_ones().to_string();
        board.put(
            x,
            row,
            Cell::new(initial(side), initial(side), Tone::Owned(side)),
        );
        board.write(x + 1, row, &boxes, Tone::Frame);
        x += 4;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Game, Playable};

    use super::super::DotsAndBoxesConfig;

    fn drawn(moves: &str, width: u16, height: u16) -> String {
        let game = DotsAndBoxesConfig::default().build();
        let mut state = game.standard_start();
        let mut last = None;
        for word in moves.split_whitespace() {
            let action = game.parse_move(&state, word).expect("it is legal");
            last = Some((state, action));
            game.play(&mut state, action);
        }
        let last = last.as_ref().map(|(before, action)| (before, *action));
        let board = game.board(&state, last, Room { width, height });
        let rows = board.rows().map(|row| {
            let text: String = row.iter().map(|cell| cell.plain).collect();
            text.trim_end().to_owned()
        });
        rows.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn closed_boxes_have_initials_and_chains_their_lengths() {
        let picture = drawn("h00 h10 v00 v01 h01 h11 h02 h12", 40, 11);
        let expected = "  h   0   1   2
  v 0   1   2   3
h0  +---+---+---+
v0  | S | 2   2
h1  +---+---+---+
v1
h2  +   +   +   +
v2
h3  +   +   +   +
    F0  S1";
        assert_eq!(picture, expected);
    }

    #[test]
    fn a_small_room_gets_a_small_board() {
        let picture = drawn("h00 h10 v00", 9, 9);
        let expected = " +-+ + +\n |1\n +-+ + +\n\n + + + +\n\n + + + +\n F0  S0";
        assert_eq!(picture, expected);
    }

    #[test]
    fn every_undrawn_edge_can_be_pointed_at_in_a_place_of_its_own() {
        let game = DotsAndBoxesConfig::default().build();
        for (width, height) in [(9, 9), (18, 9), (20, 11), (30, 14), (40, 20), (60, 30)] {
            let board = game.board(&game.standard_start(), None, Room { width, height });
            assert_eq!(board.spots.len(), 24);
            assert!(board.width <= width && board.height <= height);
            for (index, spot) in board.spots.iter().enumerate() {
                assert!(spot.at.x + spot.at.width <= board.width);
                for other in &board.spots[..index] {
                    let apart = spot.at.x + spot.at.width <= other.at.x
                        || other.at.x + other.at.width <= spot.at.x
                        || spot.at.y + spot.at.height <= other.at.y
                        || other.at.y + other.at.height <= spot.at.y;
                    assert!(apart, "{} {} in {width}x{height}", spot.word, other.word);
                }
            }
        }
    }
}
