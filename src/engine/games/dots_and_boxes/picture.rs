//! The picture of a board: dots, drawn edges, the owners' initials in closed boxes, and chain
//! lengths in open boxes.

use crate::games::Side;
use crate::games::board::{
    Board, BoardCell, BoardLegend, CellArea, CellRole, Ground, MaxSize, MoveTarget,
};

use super::grid::{BoxGrid, EdgeLocation, members};
use super::{BoxesPosition, EdgeMove};

/// The distance from one dot to the next, columns first, and whether rows and columns are numbered.
struct BoxesLayout {
    pitch: (u16, u16),
    numbered: bool,
}

/// The rows from one dot to the next at most.
const TALLEST: u16 = 14;

const fn layout(down: u16, numbered: bool) -> BoxesLayout {
    BoxesLayout {
        pitch: (2 * down, down),
        numbered,
    }
}

impl BoxesLayout {
    /// The largest layout that fits, else the smallest.
    fn for_room(grid: &BoxGrid, room: MaxSize) -> Self {
        let fits = |layout: &Self| {
            let (width, height) = layout.size(grid);
            width <= room.width && height <= room.height
        };
        let numbered = (2..=TALLEST).rev().map(|down| layout(down, true));
        let mut all = numbered.chain([layout(2, false)]);
        all.find(fits).unwrap_or(Self {
            pitch: (2, 2),
            numbered: false,
        })
    }

    /// The number of columns left of the dots, and of rows above them.
    fn margin(&self) -> (u16, u16) {
        if self.numbered { (4, 2) } else { (1, 0) }
    }

    fn size(&self, grid: &BoxGrid) -> (u16, u16) {
        let (across, down) = self.dot(grid.rows, grid.columns);
        // One column to the right for the edges there, and a row below for the scores.
        (across + 2, down + 2)
    }

    /// The position of a dot.
    fn dot(&self, row: u8, column: u8) -> (u16, u16) {
        let (left, above) = self.margin();
        let (across, down) = self.pitch;
        (
            left + across * u16::from(column),
            above + down * u16::from(row),
        )
    }

    /// The center of a box.
    fn middle(&self, row: u8, column: u8) -> (u16, u16) {
        let (x, y) = self.dot(row, column);
        (x + self.pitch.0 / 2, y + self.pitch.1 / 2)
    }

    /// The area of an edge.
    fn edge(&self, location: EdgeLocation) -> CellArea {
        let (across, down) = self.pitch;
        match location {
            EdgeLocation::Horizontal(row, column) => {
                let (x, y) = self.dot(row, column);
                patch(x + 1, y, across - 1, 1)
            }
            EdgeLocation::Vertical(row, column) => {
                let (x, y) = self.dot(row, column);
                patch(x, y + 1, 1, down - 1)
            }
        }
    }

    /// The target area of an edge, wider than a vertical line, which is hard to hit.
    fn target(&self, location: EdgeLocation) -> CellArea {
        let edge = self.edge(location);
        match location {
            EdgeLocation::Vertical(..) if self.pitch.0 > 2 => {
                patch(edge.x - 1, edge.y, 3, edge.height)
            }
            _ => edge,
        }
    }

    /// The area for a label on an edge.
    fn label_area(&self, location: EdgeLocation) -> Option<CellArea> {
        let width = if self.pitch.0 < 8 { 3 } else { 5 };
        let edge = self.edge(location);
        let (x, y) = (edge.x + edge.width / 2, edge.y + edge.height / 2);
        (self.pitch.0 > 2).then(|| patch(x.saturating_sub(width / 2), y, width, 1))
    }
}

fn patch(x: u16, y: u16, width: u16, height: u16) -> CellArea {
    CellArea {
        x,
        y,
        width,
        height,
    }
}

/// Draws the position, with the last edge and the boxes that it closed highlighted.
pub(super) fn draw(
    grid: &BoxGrid,
    state: &BoxesPosition,
    last: Option<(&BoxesPosition, EdgeMove)>,
    room: MaxSize,
) -> Board {
    let layout = &BoxesLayout::for_room(grid, room);
    let mut board = Board::within(layout.size(grid), room);
    if layout.numbered {
        lay_boxes(grid, layout, &mut board);
        draw_numbers(grid, layout, &mut board);
    }
    for edge in members(state.drawn) {
        let is_last = last.is_some_and(|(_, EdgeMove(last))| last == edge);
        let tone = if is_last {
            CellRole::Mark
        } else {
            CellRole::Piece
        };
        draw_edge(layout, grid.location(edge), tone, &mut board);
    }
    for row in 0..=grid.rows {
        for column in 0..=grid.columns {
            let (x, y) = layout.dot(row, column);
            board.put(x, y, BoardCell::new('●', '+', CellRole::Frame));
        }
    }
    let before = last.map(|(before, _)| before);
    draw_boxes(grid, layout, state, before, &mut board);
    draw_counts(grid, layout, state, &mut board);
    for edge in members(grid.all() & !state.drawn) {
        let location = grid.location(edge);
        board.targets.push(MoveTarget {
            path: Vec::new(),
            at: layout.target(location),
            highlighted: vec![layout.edge(location)],
            move_text: super::text::edge(location),
            label_area: layout.label_area(location),
        });
    }
    board
}

/// Lays the boxes, with the lines around them, in two tones.
fn lay_boxes(grid: &BoxGrid, layout: &BoxesLayout, board: &mut Board) {
    for row in 0..grid.rows {
        for column in 0..grid.columns {
            let (x, y) = layout.dot(row, column);
            let (across, down) = layout.pitch;
            let ground = [Ground::Even, Ground::Odd][usize::from((row + column) % 2)];
            board.lay(patch(x, y, across + 1, down + 1), ground);
        }
    }
}

/// The row and column numbers of edges, as they are typed.
fn draw_numbers(grid: &BoxGrid, layout: &BoxesLayout, board: &mut Board) {
    board.write(2, 0, "h", CellRole::Frame);
    board.write(2, 1, "v", CellRole::Frame);
    for column in 0..=grid.columns {
        let (dot, _) = layout.dot(0, column);
        board.write(dot, 1, &column.to_string(), CellRole::Frame);
        if column < grid.columns {
            let (middle, _) = layout.middle(0, column);
            board.write(middle, 0, &column.to_string(), CellRole::Frame);
        }
    }
    for row in 0..=grid.rows {
        let (_, y) = layout.dot(row, 0);
        board.write(0, y, &format!("h{row}"), CellRole::Frame);
        if row < grid.rows {
            let (_, y) = layout.middle(row, 0);
            board.write(0, y, &format!("v{row}"), CellRole::Frame);
        }
    }
}

fn draw_edge(layout: &BoxesLayout, location: EdgeLocation, tone: CellRole, board: &mut Board) {
    let at = layout.edge(location);
    let (glyph, plain) = match location {
        EdgeLocation::Horizontal(..) => ('━', '-'),
        EdgeLocation::Vertical(..) => ('┃', '|'),
    };
    for y in at.y..at.y + at.height {
        for x in at.x..at.x + at.width {
            board.put(x, y, BoardCell::new(glyph, plain, tone));
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
    grid: &BoxGrid,
    layout: &BoxesLayout,
    state: &BoxesPosition,
    before: Option<&BoxesPosition>,
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
                CellRole::Taken(side)
            } else {
                CellRole::Owned(side)
            };
            let is_filled = fill_box(layout, (row, column), side, board);
            let tone = match side {
                Side::First if is_filled => CellRole::OnPiece(side),
                _ => tone,
            };
            board.put(x, y, BoardCell::new(initial(side), initial(side), tone));
        } else if grid.sides(index, state.drawn) == 3 {
            board.write(x, y, &chain.to_string(), CellRole::Accent);
        } else if chain > 1 {
            board.write(x, y, &chain.to_string(), CellRole::Frame);
        }
    }
}

/// Fills a large closed box around its initial. Returns whether it is large.
fn fill_box(layout: &BoxesLayout, (row, column): (u8, u8), side: Side, board: &mut Board) -> bool {
    let (across, down) = layout.pitch;
    if down < 3 {
        return false;
    }
    let (left, top) = layout.dot(row, column);
    let glyph = ['█', '▒'][side.index()];
    for at in top + 1..top + down {
        for along in left + 2..=left + across - 2 {
            board.put(along, at, BoardCell::new(glyph, ' ', CellRole::Owned(side)));
        }
    }
    true
}

/// The length of each box's chain: boxes with two or three sides that are connected by undrawn
/// edges. 0 for other boxes.
fn chains(grid: &BoxGrid, drawn: u64) -> Vec<usize> {
    let is_in_chain = |index: usize| matches!(grid.sides(index, drawn), 2 | 3);
    let mut chains = vec![0; grid.boxes.len()];
    for start in 0..grid.boxes.len() {
        if chains[start] > 0 || !is_in_chain(start) {
            continue;
        }
        let mut chain = vec![start];
        let mut at = 0;
        while at < chain.len() {
            for edge in members(grid.boxes[chain[at]] & !drawn) {
                for next in grid.beside(edge).map(usize::from) {
                    if is_in_chain(next) && !chain.contains(&next) {
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

/// The number of boxes of each player, below the board.
fn draw_counts(grid: &BoxGrid, layout: &BoxesLayout, state: &BoxesPosition, board: &mut Board) {
    let has_chains = chains(grid, state.drawn).iter().any(|&length| length > 0);
    let row = board.height.saturating_sub(1);
    let sign = |side| BoardCell::new(initial(side), initial(side), CellRole::Owned(side));
    let points = state.owned.map(|boxes| boxes.count_ones() as u16);
    board.legend = Some(BoardLegend {
        row,
        pieces: [Side::First, Side::Second].map(sign),
        points,
        note: if has_chains { "n: chain of n" } else { "" },
    });
    let (mut x, _) = layout.margin();
    for side in [Side::First, Side::Second] {
        board.put(x, row, sign(side));
        let count = points[side.index()].to_string();
        board.write(x + 1, row, &count, CellRole::Frame);
        x += 4;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{GameParams, Notation, Picture, Rules};

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
        let board = game.board(&state, last, MaxSize { width, height });
        let rows = board.rows().map(|row| {
            let text: String = row.iter().map(|cell| cell.plain).collect();
            text.trim_end().to_owned()
        });
        rows.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_lengths_of_chains_are_explained_once_there_are_some() {
        let game = DotsAndBoxesConfig::default().build();
        let mut state = game.standard_start();
        let room = MaxSize {
            width: 40,
            height: 11,
        };
        for (word, note) in [("h00", ""), ("v00", "n: chain of n")] {
            let action = game.parse_move(&state, word).expect("it is legal");
            game.play(&mut state, action);
            let legend = game.board(&state, None, room).legend;
            assert_eq!(legend.map(|legend| legend.note), Some(note), "{word}");
        }
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
    fn in_little_space_the_board_is_small() {
        let picture = drawn("h00 h10 v00", 9, 9);
        let expected = " +-+ + +\n |1\n +-+ + +\n\n + + + +\n\n + + + +\n F0  S0";
        assert_eq!(picture, expected);
    }

    #[test]
    fn every_undrawn_edge_has_a_target_of_its_own() {
        let game = DotsAndBoxesConfig::default().build();
        for (width, height) in [(9, 9), (18, 9), (20, 11), (30, 14), (40, 20), (60, 30)] {
            let board = game.board(&game.standard_start(), None, MaxSize { width, height });
            assert_eq!(board.targets.len(), 24);
            assert!(board.width <= width && board.height <= height);
            for (index, target) in board.targets.iter().enumerate() {
                assert!(target.at.x + target.at.width <= board.width);
                for other in &board.targets[..index] {
                    let apart = target.at.x + target.at.width <= other.at.x
                        || other.at.x + other.at.width <= target.at.x
                        || target.at.y + target.at.height <= other.at.y
                        || other.at.y + other.at.height <= target.at.y;
                    assert!(
                        apart,
                        "{} {} in {width}x{height}",
                        target.move_text, other.move_text
                    );
                }
            }
        }
    }
}
