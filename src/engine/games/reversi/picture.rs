//! The picture of a board, with lines between the squares if they fit.

use crate::games::board::{Board, BoardCell, BoardLegend, CellArea, CellRole, MaxSize, MoveTarget};
use crate::games::large_piece::{PieceShape, PieceSize};
use crate::games::{Rules, Side};

use super::bits::squares;
use super::{Reversi, ReversiMove, ReversiPosition, text};

/// The layout of a picture: columns first, then rows.
struct ReversiLayout {
    size: (u16, u16),
    /// The center of a1, and the distance from one square to the next.
    first: (u16, u16),
    pitch: (u16, u16),
    /// Where the disc counts start on the last row, and the distance from one to the next.
    counts: (u16, u16),
    /// Where the word for a pass ends on the last row.
    passing: u16,
    /// The target area of a square, and the area of its label.
    target: SquarePart,
    label: SquarePart,
    has_lines: bool,
    discs: PieceSize,
}

/// A part of a square: columns left of the center, rows above it, width and height.
struct SquarePart(u16, u16, u16, u16);

/// Layouts with lines, from the largest to the smallest.
const WITH_LINES: [ReversiLayout; 5] = [
    ReversiLayout {
        size: (99, 51),
        first: (8, 4),
        pitch: (12, 6),
        counts: (8, 10),
        passing: 97,
        target: SquarePart(5, 2, 11, 5),
        label: SquarePart(1, 0, 3, 1),
        has_lines: true,
        discs: PieceSize::NineByFive,
    },
    ReversiLayout {
        size: (91, 43),
        first: (8, 4),
        pitch: (11, 5),
        counts: (8, 10),
        passing: 89,
        target: SquarePart(5, 2, 10, 4),
        label: SquarePart(2, 0, 3, 1),
        has_lines: true,
        discs: PieceSize::EightByFour,
    },
    ReversiLayout {
        size: (67, 35),
        first: (6, 3),
        pitch: (8, 4),
        counts: (6, 8),
        passing: 65,
        target: SquarePart(3, 1, 7, 3),
        label: SquarePart(2, 0, 5, 1),
        has_lines: true,
        discs: PieceSize::FiveByThree,
    },
    ReversiLayout {
        size: (67, 27),
        first: (6, 3),
        pitch: (8, 3),
        counts: (6, 8),
        passing: 65,
        target: SquarePart(3, 1, 7, 2),
        label: SquarePart(2, 0, 5, 1),
        has_lines: true,
        discs: PieceSize::FiveByTwo,
    },
    ReversiLayout {
        size: (37, 19),
        first: (4, 2),
        pitch: (4, 2),
        counts: (4, 8),
        passing: 35,
        target: SquarePart(1, 0, 3, 1),
        label: SquarePart(1, 0, 3, 1),
        has_lines: true,
        discs: PieceSize::Single,
    },
];

const COMPACT: ReversiLayout = ReversiLayout {
    size: (19, 10),
    first: (3, 1),
    pitch: (2, 1),
    counts: (1, 5),
    passing: 18,
    target: SquarePart(1, 0, 2, 1),
    label: SquarePart(1, 0, 2, 1),
    has_lines: false,
    discs: PieceSize::Single,
};

impl ReversiLayout {
    fn for_room(room: MaxSize) -> &'static Self {
        let fits = |layout: &&Self| room.width >= layout.size.0 && room.height >= layout.size.1;
        WITH_LINES.iter().find(fits).unwrap_or(&COMPACT)
    }

    /// The center of a square.
    fn middle(&self, square: u8) -> (u16, u16) {
        let along = |first, pitch, line: u8| first + pitch * u16::from(line);
        (
            along(self.first.0, self.pitch.0, square % 8),
            along(self.first.1, self.pitch.1, square / 8),
        )
    }

    fn last_row(&self) -> u16 {
        self.size.1 - 1
    }

    /// The target area of a square.
    fn patch(&self, square: u8) -> CellArea {
        self.part(square, &self.target)
    }

    fn part(&self, square: u8, reach: &SquarePart) -> CellArea {
        let (x, y) = self.middle(square);
        let &SquarePart(left, up, width, height) = reach;
        CellArea {
            x: x - left,
            y: y - up,
            width,
            height,
        }
    }
}

fn patch(x: u16, y: u16, width: u16) -> CellArea {
    CellArea {
        x,
        y,
        width,
        height: 1,
    }
}

/// Draws the position, with the last move in brackets and the discs that it flipped highlighted.
pub(super) fn draw(
    game: &Reversi,
    state: &ReversiPosition,
    last: Option<(&ReversiPosition, ReversiMove)>,
    room: MaxSize,
) -> Board {
    let layout = ReversiLayout::for_room(room);
    let (width, height) = layout.size;
    let mut board = Board::new(width.min(room.width.max(1)), height.min(room.height.max(1)));
    if layout.has_lines {
        draw_lines(layout, &mut board);
    } else {
        draw_points(layout, &mut board);
    }
    draw_labels(layout, &mut board);
    let turned = last.map_or(0, |(before, action)| game.step(before, action).turned);
    draw_discs(layout, state, turned, &mut board);
    draw_counts(layout, state, &mut board);
    if let Some((_, action)) = last {
        draw_last(layout, action, &mut board);
    }
    draw_moves(layout, game, state, &mut board);
    board
}

/// The lines between the squares, with one character for each column of the pitch.
fn draw_lines(layout: &ReversiLayout, board: &mut Board) {
    let (wide, high) = layout.pitch;
    for row in 0..=8 * high {
        for column in 0..=8 * wide {
            let (glyph, plain) = match (column % wide == 0, row % high == 0) {
                (true, true) => (crossing(column / wide, row / high), '+'),
                (true, false) => ('│', '|'),
                (false, true) => ('─', '-'),
                (false, false) => continue,
            };
            board.put(
                column + 2,
                row + 1,
                BoardCell::new(glyph, plain, CellRole::Line),
            );
        }
    }
}

/// A dot in every square, so that empty squares are visible.
fn draw_points(layout: &ReversiLayout, board: &mut Board) {
    for square in 0..64 {
        let (x, y) = layout.middle(square);
        board.put(x, y, BoardCell::new('·', '.', CellRole::Line));
    }
}

/// The character where two lines cross, counted from 0 to 8.
fn crossing(column: u16, row: u16) -> char {
    let place = |line| match line {
        0 => 0,
        8 => 2,
        _ => 1,
    };
    [['┌', '┬', '┐'], ['├', '┼', '┤'], ['└', '┴', '┘']][place(row)][place(column)]
}

fn draw_labels(layout: &ReversiLayout, board: &mut Board) {
    for (line, (column, row)) in (0..).zip("abcdefgh".chars().zip('1'..)) {
        let (x, y) = layout.middle(line * 9);
        board.put(x, 0, BoardCell::new(column, column, CellRole::Frame));
        board.put(0, y, BoardCell::new(row, row, CellRole::Frame));
    }
}

fn draw_discs(layout: &ReversiLayout, state: &ReversiPosition, turned: u64, board: &mut Board) {
    for side in [Side::First, Side::Second] {
        for square in squares(state.discs(side)) {
            let (x, y) = layout.middle(square);
            let BoardCell { plain, .. } = disc(side);
            let is_turned = turned >> square & 1 == 1;
            let piece = (side, PieceShape::Disc);
            layout.discs.draw(piece, plain, (x, y), board);
            if is_turned {
                for x in layout.discs.middle_columns(x) {
                    board.put(x, y, turned_disc(side));
                }
            } else if layout.discs == PieceSize::Single {
                board.put(x, y, disc(side));
            }
        }
    }
}

fn disc(side: Side) -> BoardCell {
    match side {
        Side::First => BoardCell::new('●', 'x', CellRole::Owned(side)),
        Side::Second => BoardCell::new('○', 'o', CellRole::Owned(side)),
    }
}

/// In ASCII, flipped discs are upper case.
fn turned_disc(side: Side) -> BoardCell {
    let BoardCell { glyph, plain, .. } = disc(side);
    BoardCell::new(glyph, plain.to_ascii_uppercase(), CellRole::Taken(side))
}

fn draw_counts(layout: &ReversiLayout, state: &ReversiPosition, board: &mut Board) {
    let (mut x, pitch) = layout.counts;
    board.legend = Some(BoardLegend {
        row: layout.last_row(),
        pieces: [Side::First, Side::Second].map(disc),
    });
    for side in [Side::First, Side::Second] {
        let count = state.discs(side).count_ones();
        board.put(x, layout.last_row(), disc(side));
        board.write(
            x + 2,
            layout.last_row(),
            &count.to_string(),
            CellRole::Frame,
        );
        x += pitch;
    }
}

/// Brackets around the new disc, or a word on the last row.
fn draw_last(layout: &ReversiLayout, action: ReversiMove, board: &mut Board) {
    if action == ReversiMove::PASS {
        let word = "passed";
        board.write(layout.passing - 6, layout.last_row(), word, CellRole::Mark);
        return;
    }
    let (x, y) = layout.middle(action.0);
    let (left, right) = layout.discs.beside(x);
    for y in layout.discs.middle_rows(y) {
        board.put(left, y, BoardCell::new('[', '[', CellRole::Mark));
        board.put(right, y, BoardCell::new(']', ']', CellRole::Mark));
    }
}

/// A marker on every legal square. Pointing at it highlights the discs that it would flip. A pass
/// is a word below the board.
fn draw_moves(layout: &ReversiLayout, game: &Reversi, state: &ReversiPosition, board: &mut Board) {
    let mut actions = Vec::new();
    game.moves(state, &mut actions);
    for action in actions {
        let word = text::of_move(action);
        let at = if action == ReversiMove::PASS {
            let x = layout.passing - word.len() as u16;
            board.write(x, layout.last_row(), &word, CellRole::Accent);
            patch(x, layout.last_row(), word.len() as u16)
        } else {
            let (x, y) = layout.middle(action.0);
            let (glyph, plain) = if layout.has_lines {
                ('·', '.')
            } else {
                ('∘', '*')
            };
            board.put(x, y, BoardCell::new(glyph, plain, CellRole::Frame));
            layout.patch(action.0)
        };
        let turned = squares(game.step(state, action).turned);
        let covers = std::iter::once(at).chain(turned.map(|square| layout.patch(square)));
        board.targets.push(MoveTarget {
            path: Vec::new(),
            at,
            highlighted: covers.collect(),
            label_area: (action != ReversiMove::PASS).then(|| layout.part(action.0, &layout.label)),
            move_text: word,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameParams;
    use crate::games::reversi::ReversiConfig;
    use crate::games::{Notation, Picture};

    fn lines(board: &Board) -> Vec<String> {
        let line = |row: &[BoardCell]| row.iter().map(|cell| cell.glyph).collect::<String>();
        board
            .rows()
            .map(|row| line(row).trim_end().to_owned())
            .collect()
    }

    /// The picture after d3 from the start.
    fn drawn(width: u16, height: u16) -> Board {
        let game = ReversiConfig::default().build();
        let before = game.standard_start();
        let action = game.parse_move(&before, "d3").expect("it is legal");
        let mut state = before;
        game.play(&mut state, action);
        game.board(&state, Some((&before, action)), MaxSize { width, height })
    }

    #[test]
    fn in_little_space_there_are_no_lines() {
        let board = drawn(36, 19);
        assert_eq!((board.width, board.height), (19, 10));
        let expected = [
            "   a b c d e f g h",
            "1  · · · · · · · ·",
            "2  · · · · · · · ·",
            "3  · · ∘[●]∘ · · ·",
            "4  · · · ● ● · · ·",
            "5  · · ∘ ● ○ · · ·",
            "6  · · · · · · · ·",
            "7  · · · · · · · ·",
            "8  · · · · · · · ·",
            " ● 4  ○ 1",
        ];
        assert_eq!(lines(&board), expected);
    }

    #[test]
    fn with_enough_space_there_are_lines_between_the_squares() {
        let board = drawn(37, 19);
        let expected = [
            "    a   b   c   d   e   f   g   h",
            "  ┌───┬───┬───┬───┬───┬───┬───┬───┐",
            "1 │   │   │   │   │   │   │   │   │",
            "  ├───┼───┼───┼───┼───┼───┼───┼───┤",
            "2 │   │   │   │   │   │   │   │   │",
            "  ├───┼───┼───┼───┼───┼───┼───┼───┤",
            "3 │   │   │ · │[●]│ · │   │   │   │",
            "  ├───┼───┼───┼───┼───┼───┼───┼───┤",
            "4 │   │   │   │ ● │ ● │   │   │   │",
        ];
        let found = lines(&board);
        assert_eq!(found[..9], expected);
        assert_eq!(found[17], "  └───┴───┴───┴───┴───┴───┴───┴───┘");
        assert_eq!(found[18], "    ● 4     ○ 1");
    }

    #[test]
    fn pointing_at_a_square_highlights_it_and_the_flipped_discs() {
        let board = drawn(80, 24);
        assert_eq!((board.width, board.height), (37, 19));
        let target = board.targets.iter().find(|target| target.move_text == "c3");
        let target = target.expect("it is legal");
        assert_eq!(target.at, patch(11, 6, 3));
        assert_eq!(target.highlighted, [patch(11, 6, 3), patch(15, 8, 3)]);
    }

    #[test]
    fn a_pass_is_a_target_and_is_shown_afterwards() {
        let game = ReversiConfig::default().build();
        let text = format!("OX{} X", "-".repeat(62));
        let state = game.parse_position(&text).expect("it is a position");
        let mut after = state;
        game.play(&mut after, ReversiMove::PASS);
        for (width, height) in [(80, 24), (20, 10)] {
            let room = MaxSize { width, height };
            let board = game.board(&state, None, room);
            assert_eq!(board.targets.len(), 1);
            assert_eq!(board.targets[0].move_text, "pass");
            assert!(
                lines(&board)
                    .last()
                    .is_some_and(|line| line.ends_with(" pass"))
            );
            let board = game.board(&after, Some((&state, ReversiMove::PASS)), room);
            assert!(
                lines(&board)
                    .last()
                    .is_some_and(|line| line.ends_with(" passed"))
            );
        }
    }

    #[test]
    fn flipped_discs_differ_without_colors_too() {
        let board = drawn(80, 24);
        let at = |x: usize, y: usize| board.cells[y * 37 + x];
        assert_eq!(
            at(16, 8),
            BoardCell::new('●', 'X', CellRole::Taken(Side::First))
        );
        assert_eq!(
            at(16, 6),
            BoardCell::new('●', 'x', CellRole::Owned(Side::First))
        );
        assert_eq!(
            at(20, 10),
            BoardCell::new('○', 'o', CellRole::Owned(Side::Second))
        );
    }
}
