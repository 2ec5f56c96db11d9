//! The picture of a board: squares of two tones, as large as the space allows. Discs fill their
//! squares, or are signs where a square is one row high.

use crate::games::board::{
    Board, BoardCell, BoardLegend, CellArea, CellRole, Ground, MaxSize, MoveTarget,
};
use crate::games::large_piece::{RoundPiece, mark, middle, square_size};
use crate::games::{Rules, Side};

use super::bits::squares;
use super::{Reversi, ReversiMove, ReversiPosition, text};

/// The layout of a picture: columns and rows of a square.
struct ReversiLayout {
    square: (u16, u16),
}

/// The corner of a1, and the columns and rows around the squares.
const FIRST: (u16, u16) = (2, 1);
const MARGINS: (u16, u16) = (3, 2);

/// The squares where there is no space for large ones.
const COMPACT: (u16, u16) = (2, 1);

/// The columns of the longest label of a square.
const LABEL: u16 = 5;

impl ReversiLayout {
    fn for_room(room: MaxSize) -> Self {
        Self {
            square: square_size((8, 8), MARGINS, room).unwrap_or(COMPACT),
        }
    }

    fn is_compact(&self) -> bool {
        self.square == COMPACT
    }

    fn size(&self) -> (u16, u16) {
        let (width, height) = self.square;
        (8 * width + MARGINS.0, 8 * height + MARGINS.1)
    }

    fn last_row(&self) -> u16 {
        self.size().1 - 1
    }

    /// The area of a square.
    fn patch(&self, square: u8) -> CellArea {
        let (width, height) = self.square;
        CellArea {
            x: FIRST.0 + width * u16::from(square % 8),
            y: FIRST.1 + height * u16::from(square / 8),
            width,
            height,
        }
    }

    /// The center of a square.
    fn middle(&self, square: u8) -> (u16, u16) {
        middle(self.patch(square))
    }

    /// The area of the label of a square.
    fn label_area(&self, square: u8) -> CellArea {
        let area = self.patch(square);
        let width = area.width.min(LABEL);
        patch(area.x + (area.width - width) / 2, middle(area).1, width)
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
    let layout = &ReversiLayout::for_room(room);
    let mut board = Board::within(layout.size(), room);
    draw_squares(layout, &mut board);
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

/// Squares of two tones. In ASCII, every square has a dot.
fn draw_squares(layout: &ReversiLayout, board: &mut Board) {
    for square in 0..64 {
        let ground = [Ground::Even, Ground::Odd][usize::from((square % 8 + square / 8) % 2)];
        board.lay(layout.patch(square), ground);
        let (x, y) = layout.middle(square);
        board.put(x, y, BoardCell::new(' ', '.', CellRole::Line));
    }
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
            let is_turned = turned >> square & 1 == 1;
            if layout.square.1 == 1 {
                let look = if is_turned { turned_disc } else { disc };
                board.put(x, y, look(side));
                continue;
            }
            let (piece, area) = (RoundPiece::of(side, disc(side).plain), layout.patch(square));
            piece.draw(area, board);
            if is_turned {
                let BoardCell { plain, tone, .. } = turned_disc(side);
                piece.write(BoardCell::new('•', plain, tone), area, board);
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
    let (mut x, pitch) = if layout.is_compact() { (1, 5) } else { (2, 8) };
    let row = layout.last_row();
    let points = [Side::First, Side::Second].map(|side| state.discs(side).count_ones() as u16);
    board.legend = Some(BoardLegend {
        row,
        pieces: [Side::First, Side::Second].map(disc),
        points,
        note: "",
    });
    for side in [Side::First, Side::Second] {
        board.put(x, row, disc(side));
        let count = points[side.index()].to_string();
        board.write(x + 2, row, &count, CellRole::Frame);
        x += pitch;
    }
}

/// A mark around the new disc, or a word on the last row.
fn draw_last(layout: &ReversiLayout, action: ReversiMove, board: &mut Board) {
    if action == ReversiMove::PASS {
        let word = "passed";
        let x = layout.size().0 - 1 - word.len() as u16;
        board.write(x, layout.last_row(), word, CellRole::Mark);
    } else if layout.is_compact() {
        let (x, y) = layout.middle(action.0);
        mark(patch(x - 1, y, 3), board);
    } else {
        mark(layout.patch(action.0), board);
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
            let x = layout.size().0 - 1 - word.len() as u16;
            board.write(x, layout.last_row(), &word, CellRole::Accent);
            patch(x, layout.last_row(), word.len() as u16)
        } else {
            let (x, y) = layout.middle(action.0);
            let glyph = if layout.is_compact() { '∘' } else { '•' };
            board.put(x, y, BoardCell::new(glyph, '*', CellRole::Frame));
            layout.patch(action.0)
        };
        let turned = squares(game.step(state, action).turned);
        let covers = std::iter::once(at).chain(turned.map(|square| layout.patch(square)));
        board.targets.push(MoveTarget {
            path: Vec::new(),
            at,
            highlighted: covers.collect(),
            label_area: (action != ReversiMove::PASS).then(|| layout.label_area(action.0)),
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
    fn in_little_space_squares_have_two_tones_too() {
        let board = drawn(26, 19);
        assert_eq!((board.width, board.height), (19, 10));
        let expected = [
            "   a b c d e f g h",
            "1",
            "2",
            "3      ∘[●]∘",
            "4        ● ●",
            "5      ∘ ● ○",
            "6",
            "7",
            "8",
            " ● 4  ○ 1",
        ];
        let first: Vec<&BoardCell> = board.rows().skip(1).flatten().take(6).collect();
        let grounds = [Ground::Even, Ground::Even, Ground::Odd, Ground::Odd];
        assert_eq!(
            first[2..]
                .iter()
                .map(|cell| cell.ground)
                .collect::<Vec<_>>(),
            grounds
        );
        assert_eq!(lines(&board), expected);
    }

    #[test]
    fn with_enough_space_squares_have_two_tones_and_discs_fill_them() {
        let board = drawn(43, 18);
        let expected = [
            "    a    b    c    d    e    f    g    h",
            "1",
            "",
            "2",
            "",
            "3             •  ┏███┓  •",
            "                 ┗▀▀▀┛",
            "4                ▗█•█▖▗███▖",
            "                  ▀▀▀  ▀▀▀",
        ];
        assert_eq!(lines(&board)[..9], expected);
        assert_eq!(lines(&board)[17], "  ● 4     ○ 1");
        let ground = |x: usize, y: usize| board.cells[y * 43 + x].ground;
        assert_eq!(
            [(2, 1), (7, 1), (2, 3), (1, 1)].map(|(x, y)| ground(x, y)),
            [Ground::Even, Ground::Odd, Ground::Odd, Ground::None]
        );
    }

    #[test]
    fn pointing_at_a_square_highlights_it_and_the_flipped_discs() {
        let board = drawn(80, 10);
        assert_eq!((board.width, board.height), (27, 10));
        let target = board.targets.iter().find(|target| target.move_text == "c3");
        let target = target.expect("it is legal");
        assert_eq!(target.at, patch(8, 3, 3));
        assert_eq!(target.highlighted, [patch(8, 3, 3), patch(11, 4, 3)]);
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
        let board = drawn(80, 10);
        let at = |x: usize, y: usize| board.cells[y * 27 + x];
        let (flipped, other, theirs) = (at(12, 4), at(15, 4), at(15, 5));
        assert_eq!((flipped.glyph, flipped.plain), ('●', 'X'));
        assert_eq!(flipped.tone, CellRole::Taken(Side::First));
        assert_eq!((other.glyph, other.plain), ('●', 'x'));
        assert_eq!((theirs.glyph, theirs.plain), ('○', 'o'));
        let large = drawn(43, 18);
        let flipped = large.cells[7 * 43 + 19];
        assert_eq!((flipped.glyph, flipped.plain), ('•', 'X'));
        assert_eq!(flipped.tone, CellRole::OnPiece(Side::First));
    }
}
