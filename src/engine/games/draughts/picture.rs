//! The picture of a board: dark squares with their numbers if there is space, and light ones.

use crate::games::board::{
    Board, BoardCell, BoardLegend, CellArea, CellRole, Ground, MaxSize, MoveTarget, Waypoint,
};
use crate::games::large_piece::{RoundPiece, mark, middle, square_size};
use crate::games::{Rules, Side};

use super::pieces::Pieces;
use super::turn::{DARK, DraughtsMove, bits, number};
use super::{Draughts, DraughtsPosition, text};

/// The layout of a picture.
#[derive(Clone, Copy)]
struct DraughtsLayout {
    /// Columns and rows of a square.
    square: (u16, u16),
    /// Whether the first player sits at the bottom.
    is_turned: bool,
}

/// The squares where there is no space for large ones.
const COMPACT: (u16, u16) = (2, 1);

/// The columns left and right of a board whose rows are numbered there.
const MARGINS: (u16, u16) = (3, 1);

/// The rows of a square from which on every dark square is numbered, not only the first of a row.
const NUMBERED: u16 = 3;

impl DraughtsLayout {
    fn of(game: &Draughts, room: MaxSize) -> Self {
        let large = square_size((8, 8), (0, 1), room).filter(|&(_, height)| height >= NUMBERED);
        let small = || square_size((8, 8), (MARGINS.0 + MARGINS.1, 1), room);
        let square = large.or_else(small).unwrap_or(COMPACT);
        Self {
            square,
            is_turned: game.is_turned,
        }
    }

    fn is_compact(self) -> bool {
        self.square == COMPACT
    }

    fn has_numbers(self) -> bool {
        self.square.1 >= NUMBERED
    }

    /// The columns left and right of the board.
    fn margins(self) -> (u16, u16) {
        if self.has_numbers() { (0, 0) } else { MARGINS }
    }

    /// The size of the board and a row below it.
    fn size(self) -> (u16, u16) {
        let (left, right) = self.margins();
        (left + 8 * self.square.0 + right, 8 * self.square.1 + 1)
    }

    /// The area of a square.
    fn patch(self, bit: u8) -> CellArea {
        let (width, height) = self.square;
        let bit = if self.is_turned { 63 - bit } else { bit };
        CellArea {
            x: self.margins().0 + width * u16::from(bit % 8),
            y: height * u16::from(bit / 8),
            width,
            height,
        }
    }

    /// The center of a square.
    fn middle(self, bit: u8) -> (u16, u16) {
        middle(self.patch(bit))
    }

    /// Right of the center, where the marker of a selectable piece is drawn.
    fn beside(self, bit: u8) -> (u16, u16) {
        let (x, y) = self.middle(bit);
        (
            x + self.square.0.div_ceil(2) - u16::from(!self.is_compact()),
            y,
        )
    }

    /// The area for a label on a free square, left of the marker unless it needs all three columns.
    fn label_area(self, bit: u8) -> CellArea {
        const MOST: u16 = 5;
        let CellArea { x, .. } = self.patch(bit);
        let (marker, y) = self.beside(bit);
        let right = if self.square.0 == 3 { x + 3 } else { marker };
        let width = (right - x).min(MOST);
        CellArea {
            x: right - width,
            y,
            width,
            height: 1,
        }
    }
}

/// Draws the position and the last move: the piece is marked, with dots on the squares it passed
/// and crosses for captured pieces.
pub(super) fn draw(
    game: &Draughts,
    state: &DraughtsPosition,
    last: Option<(&DraughtsPosition, DraughtsMove)>,
    room: MaxSize,
) -> Board {
    let layout = DraughtsLayout::of(game, room);
    let mut board = draw_pieces(layout, &state.pieces, room);
    if let Some((_, turn)) = last {
        draw_last(layout, &state.pieces, turn, &mut board);
    }
    draw_moves(layout, game, state, &mut board);
    board
}

/// Draws a capture after `jumps` of its jumps.
pub(super) fn draw_frame(
    game: &Draughts,
    before: &DraughtsPosition,
    turn: DraughtsMove,
    jumps: usize,
    room: MaxSize,
) -> Board {
    let layout = DraughtsLayout::of(game, room);
    if jumps == 0 {
        let mut board = draw_pieces(layout, &before.pieces, room);
        draw_mark(layout, turn.from(), &mut board);
        return board;
    }
    let partial = turn.prefix(jumps);
    let pieces = before.pieces_after(partial);
    let mut board = draw_pieces(layout, &pieces, room);
    draw_last(layout, &pieces, partial, &mut board);
    board
}

/// Draws the board, the pieces and their counts.
fn draw_pieces(layout: DraughtsLayout, pieces: &Pieces, room: MaxSize) -> Board {
    let mut board = Board::within(layout.size(), room);
    for bit in bits(!DARK) {
        board.lay(layout.patch(bit), Ground::Light);
    }
    for bit in bits(DARK) {
        board.lay(layout.patch(bit), Ground::Dark);
        let (x, y) = layout.middle(bit);
        match piece(pieces, bit) {
            Some((side, rank)) if layout.square.1 == 1 => board.put(x, y, small(side, rank)),
            Some((side, rank)) => draw_piece((side, rank), layout.patch(bit), &mut board),
            None => board.put(x, y, BoardCell::new(' ', '.', CellRole::Frame)),
        }
    }
    draw_numbers(layout, &mut board);
    draw_counts(layout, pieces, &mut board);
    board
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rank {
    Man,
    King,
}

/// The piece on a square, if any.
fn piece(pieces: &Pieces, bit: u8) -> Option<(Side, Rank)> {
    let owns = |side: &Side| pieces.of[side.index()] >> bit & 1 == 1;
    let side = [Side::First, Side::Second].into_iter().find(owns)?;
    let is_king = pieces.kings >> bit & 1 == 1;
    Some((side, if is_king { Rank::King } else { Rank::Man }))
}

/// Kings differ from men in shape; in ASCII they are upper case.
fn small(side: Side, rank: Rank) -> BoardCell {
    let (glyph, plain) = match (side, rank) {
        (Side::First, Rank::Man) => ('●', 'x'),
        (Side::First, Rank::King) => ('◆', 'X'),
        (Side::Second, Rank::Man) => ('○', 'o'),
        (Side::Second, Rank::King) => ('◇', 'O'),
    };
    BoardCell::new(glyph, plain, CellRole::Owned(side))
}

/// A piece that fills its square; kings have a letter.
fn draw_piece((side, rank): (Side, Rank), square: CellArea, board: &mut Board) {
    let BoardCell { plain, tone, .. } = small(side, rank);
    let piece = RoundPiece::of(side, plain);
    piece.draw(square, board);
    if rank == Rank::King {
        piece.write(BoardCell::new('K', 'K', tone), square, board);
    }
}

fn draw_numbers(layout: DraughtsLayout, board: &mut Board) {
    for bit in bits(DARK) {
        let CellArea { x, y, .. } = layout.patch(bit);
        let number = number(bit);
        if layout.has_numbers() {
            board.write(x, y, &number.to_string(), CellRole::Frame);
        } else if number % 4 == u8::from(!layout.is_turned) {
            let row = layout.middle(bit).1;
            board.write(0, row, &format!("{number:>2}"), CellRole::Frame);
        }
    }
}

fn draw_last(layout: DraughtsLayout, pieces: &Pieces, turn: DraughtsMove, board: &mut Board) {
    let (to, taken) = turn.trace();
    let is_free = |&bit: &u8| piece(pieces, bit).is_none();
    for bit in turn.visits().filter(is_free) {
        let (x, y) = layout.middle(bit);
        board.put(x, y, BoardCell::new('·', '.', CellRole::Mark));
    }
    for bit in bits(taken) {
        let (x, y) = layout.middle(bit);
        board.put(x, y, BoardCell::new('×', '*', CellRole::Gone));
    }
    for bit in bits(to) {
        draw_mark(layout, bit, board);
    }
}

/// Marks the piece that moves.
fn draw_mark(layout: DraughtsLayout, bit: u8, board: &mut Board) {
    let mut square = layout.patch(bit);
    if layout.is_compact() {
        square.width += 1;
    }
    mark(square, board);
    if layout.has_numbers() {
        // A corner over one digit would leave a wrong number.
        board.write(square.x, square.y, &number(bit).to_string(), CellRole::Mark);
    }
}

/// The number of men and kings of both players below the board, which also serves as a legend.
fn draw_counts(layout: DraughtsLayout, pieces: &Pieces, board: &mut Board) {
    let (x, y) = (layout.margins().0, layout.size().1 - 1);
    board.legend = Some(BoardLegend {
        row: y,
        pieces: [Side::First, Side::Second].map(|side| small(side, Rank::Man)),
        points: pieces.of.map(|pieces| pieces.count_ones() as u16),
        note: "",
    });
    let kinds = [
        (0, Side::First, Rank::Man),
        (4, Side::First, Rank::King),
        (9, Side::Second, Rank::Man),
        (13, Side::Second, Rank::King),
    ];
    for (offset, side, rank) in kinds {
        let held = match rank {
            Rank::Man => pieces.men(side),
            Rank::King => pieces.kings(side),
        };
        board.put(x + offset, y, small(side, rank));
        let count = held.count_ones().to_string();
        board.write(x + offset + 1, y, &count, CellRole::Frame);
    }
}

/// Adds a target for every move, with its squares as the path. Pointing highlights the passed
/// squares and captured pieces.
fn draw_moves(
    layout: DraughtsLayout,
    game: &Draughts,
    state: &DraughtsPosition,
    board: &mut Board,
) {
    let mut turns = Vec::new();
    game.moves(state, &mut turns);
    let stop = |bit: u8| Waypoint {
        at: layout.patch(bit),
        marker: layout.beside(bit),
    };
    for turn in turns {
        let (to, taken) = turn.trace();
        let bit = to.trailing_zeros() as u8;
        let covers = turn.visits().chain(bits(taken));
        board.targets.push(MoveTarget {
            at: layout.patch(bit),
            path: turn.visits().map(stop).collect(),
            highlighted: covers.map(|bit| layout.patch(bit)).collect(),
            move_text: text::of_turn(turn),
            label_area: piece(&state.pieces, bit)
                .is_none()
                .then(|| layout.label_area(bit)),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameParams;
    use crate::games::draughts::DraughtsConfig;
    use crate::games::{Notation, Picture};

    fn lines(board: &Board, look: fn(&BoardCell) -> char) -> Vec<String> {
        let line = |row: &[BoardCell]| row.iter().map(look).collect::<String>();
        board
            .rows()
            .map(|row| line(row).trim_end().to_owned())
            .collect()
    }

    fn drawn(start: &str, line: &str, (width, height): (u16, u16)) -> Board {
        let game = DraughtsConfig::default().build();
        let mut state = game.parse_position(start).expect("it is a position");
        let mut last = None;
        for word in line.split_whitespace() {
            let turn = game.parse_move(&state, word).expect("it is legal");
            last = Some((state, turn));
            game.play(&mut state, turn);
        }
        let last = last.as_ref().map(|(before, turn)| (before, *turn));
        game.board(&state, last, MaxSize { width, height })
    }

    const START: &str = "B:W21-32:B1-12";

    #[test]
    fn the_last_move_shows_where_it_came_from_and_what_it_took() {
        let board = drawn(START, "11-15 22-18 15x22", (27, 16));
        assert_eq!((board.width, board.height), (20, 9));
        let expected = [
            " 1    x   x   x   x",
            " 5  x   x   x   x",
            " 9    x   x   .   x",
            "13  .   .   .   .",
            "17    .   *   .   .",
            "21  o  [x]  o   o",
            "25    o   o   o   o",
            "29  o   o   o   o",
            "   x12 X0   o11 O0",
        ];
        assert_eq!(lines(&board, |cell| cell.plain), expected);
    }

    /// Checks the relevant rows of a capture's animation frame on the smallest board.
    fn check_frame(stage: usize, expected: [&str; 4]) {
        let game = DraughtsConfig::default().build();
        let before = game.parse_position("W:W22:B18,11,4").expect("a position");
        let turn = game.parse_move(&before, "22x15x8").expect("it is legal");
        assert_eq!(game.animation_frame_count(turn), 2);
        let board = game.animation_frame(
            &before,
            turn,
            stage,
            MaxSize {
                width: 20,
                height: 9,
            },
        );
        assert!(board.targets.is_empty());
        let lines = lines(&board, |cell| cell.plain);
        let row = |index: usize| lines[index][4..].trim_end().to_owned();
        assert_eq!([1, 2, 4, 5].map(row), expected, "after {stage} jumps");
    }

    #[test]
    fn an_animation_frame_shows_the_piece_on_its_current_square() {
        check_frame(
            0,
            [
                ".   .   .   .",
                "  .   .   x   .",
                "  .   x   .   .",
                ".  [o]  .   .",
            ],
        );
        check_frame(
            1,
            [
                ".   .   .   .",
                "  .   .   x   .",
                "  .   *   .   .",
                ".   .   .   .",
            ],
        );
    }

    #[test]
    fn with_enough_space_every_dark_square_has_its_number() {
        let board = drawn(START, "11-15 22-18 15x22", (56, 25));
        let found = lines(&board, BoardCell::shaded);
        let expected = [
            "21▄▄▄▖ ░░░░░░░22▄▄▄▖┓░░░░░░░23▄▄▄▖ ░░░░░░░24▄▄▄▖ ░░░░░░░",
            " █▌ ▐█ ░░░░░░░ █████ ░░░░░░░ █▌ ▐█ ░░░░░░░ █▌ ▐█ ░░░░░░░",
        ];
        assert_eq!(found[15..17], expected);
        let small = drawn(START, "11-15 22-18 15x22", (39, 9));
        let row = lines(&small, |cell| cell.plain)[5].clone();
        assert_eq!(row, "21  o    [x]    o     o");
        let marks = |tone| board.cells.iter().filter(move |cell| cell.tone == tone);
        let glyphs: String = marks(CellRole::Mark).map(|cell| cell.glyph).collect();
        assert_eq!(glyphs, "·22┓┗┛");
        assert_eq!(marks(CellRole::Gone).count(), 1);
    }

    #[test]
    fn men_and_kings_of_both_players_can_be_told_apart_without_color() {
        let cells = [Side::First, Side::Second]
            .map(|side| [Rank::Man, Rank::King].map(|rank| small(side, rank)))
            .concat();
        for (index, cell) in cells.iter().enumerate() {
            for other in &cells[..index] {
                assert!(cell.glyph != other.glyph && cell.plain != other.plain);
            }
        }
        for room in [(72, 33), (48, 17), (32, 9), (20, 9)] {
            let board = drawn("B:W22,K3:B10,K30", "", room);
            for wanted in cells.iter().map(|cell| cell.plain) {
                let rows = &board.cells[..board.cells.len() - board.width as usize];
                assert!(rows.iter().any(|cell| cell.plain == wanted), "{wanted}");
            }
        }
    }

    fn is_apart(one: CellArea, other: CellArea) -> bool {
        one.x + one.width <= other.x
            || other.x + other.width <= one.x
            || one.y + one.height <= other.y
            || other.y + other.height <= one.y
    }

    #[test]
    fn every_move_has_a_unique_path_and_an_area_for_a_label() {
        // Four kings can reach 14; another king has two paths around the board.
        for start in [START, "B:W21:BK9,K10,K17,K18", "B:W9,10,17,18:BK22"] {
            for room in [(72, 33), (48, 17), (32, 9), (20, 9)] {
                let board = drawn(start, "", room);
                for (index, target) in board.targets.iter().enumerate() {
                    let last = target.path.last().expect("it has a way");
                    assert_eq!((last.at, target.path.len() > 1), (target.at, true));
                    let others = &board.targets[..index];
                    assert!(others.iter().all(|other| other.path != target.path));
                    let Some(note) = target.label_area else {
                        continue;
                    };
                    assert!(note.width > 0 && !is_apart(note, target.at));
                    for x in note.x..note.x + note.width {
                        let cell = board.cells[usize::from(note.y * board.width + x)];
                        assert!(
                            !cell.plain.is_ascii_digit(),
                            "{} in {room:?}",
                            target.move_text
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn pointing_at_a_capture_highlights_its_path_and_captured_pieces() {
        let board = drawn("W:W22:B18,11,4", "", (40, 17));
        let target = &board.targets[0];
        assert_eq!(
            (board.targets.len(), target.move_text.as_str()),
            (1, "22x15x8")
        );
        let room = MaxSize {
            width: 40,
            height: 17,
        };
        let layout = DraughtsLayout::of(&DraughtsConfig::default().build(), room);
        let squares =
            [22, 15, 8, 11, 18].map(|number| layout.patch(super::super::turn::bit(number)));
        assert_eq!(target.highlighted, squares);
        assert_eq!(target.at, squares[2]);
        let way: Vec<CellArea> = target.path.iter().map(|stop| stop.at).collect();
        assert_eq!(way, squares[..3]);
    }
}
