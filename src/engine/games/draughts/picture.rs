//! The picture of a board: dark squares numbered if there is space, light ones shaded, so that
//! pieces stand out.

use crate::games::board::{
    Board, BoardCell, BoardLegend, CellArea, CellRole, MaxSize, MoveTarget, Waypoint,
};
use crate::games::large_piece::{PieceShape, PieceSize};
use crate::games::{Rules, Side};

use super::pieces::Pieces;
use super::turn::{DARK, DraughtsMove, bits, number};
use super::{Draughts, DraughtsPosition, text};

/// The layout of a picture: columns first, then rows.
#[derive(Clone, Copy)]
struct DraughtsLayout {
    /// The number of columns left and right of the board.
    margins: (u16, u16),
    /// The size of a square.
    square: (u16, u16),
    /// The center of a piece within its square.
    middle: (u16, u16),
    numbers: NumberPlacement,
    men: PieceSize,
    /// Whether the first player sits at the bottom.
    is_turned: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum NumberPlacement {
    /// On every dark square.
    Squares,
    /// Only the first dark square of each row, left of the board.
    Rows,
}

/// The number of columns of a square's number.
const DIGITS: u16 = 2;

/// From the largest to the smallest.
const LAYOUTS: [DraughtsLayout; 7] = [
    numbered((12, 6), (6, 3), PieceSize::NineByFive),
    numbered((10, 5), (5, 3), PieceSize::EightByFour),
    numbered((8, 4), (4, 2), PieceSize::FiveByThree),
    numbered((8, 3), (4, 2), PieceSize::FiveByTwo),
    numbered((5, 2), (2, 1), PieceSize::Single),
    numbered((4, 1), (2, 0), PieceSize::Single),
    DraughtsLayout {
        margins: (3, 1),
        numbers: NumberPlacement::Rows,
        ..numbered((2, 1), (1, 0), PieceSize::Single)
    },
];

/// A layout with a number on every dark square.
const fn numbered(square: (u16, u16), middle: (u16, u16), men: PieceSize) -> DraughtsLayout {
    DraughtsLayout {
        margins: (0, 0),
        square,
        middle,
        numbers: NumberPlacement::Squares,
        men,
        is_turned: false,
    }
}

impl DraughtsLayout {
    fn of(game: &Draughts, room: MaxSize) -> Self {
        let fits = |layout: &&Self| {
            let (width, height) = layout.size();
            room.width >= width && room.height >= height
        };
        let [.., smallest] = &LAYOUTS;
        Self {
            is_turned: game.is_turned,
            ..*LAYOUTS.iter().find(fits).unwrap_or(smallest)
        }
    }

    /// The size of the board and a row below it.
    fn size(&self) -> (u16, u16) {
        let (left, right) = self.margins;
        (left + 8 * self.square.0 + right, 8 * self.square.1 + 1)
    }

    /// The area of a square.
    fn patch(&self, bit: u8) -> CellArea {
        let (width, height) = self.square;
        let bit = if self.is_turned { 63 - bit } else { bit };
        CellArea {
            x: self.margins.0 + width * u16::from(bit % 8),
            y: height * u16::from(bit / 8),
            width,
            height,
        }
    }

    /// The center of a piece.
    fn middle(&self, bit: u8) -> (u16, u16) {
        let CellArea { x, y, .. } = self.patch(bit);
        (x + self.middle.0, y + self.middle.1)
    }

    /// Right of the center, where a bracket or the marker of a selectable piece is drawn.
    fn beside(&self, bit: u8) -> (u16, u16) {
        let (x, y) = self.middle(bit);
        (self.men.beside(x).1, y)
    }

    /// The area for a label on a free square: right of its number, else left of the marker.
    fn label_area(&self, bit: u8) -> CellArea {
        const MOST: u16 = 5;
        let CellArea { x, y, width, .. } = self.patch(bit);
        let row = self.middle(bit).1;
        let is_numbered = self.numbers == NumberPlacement::Squares && row == y;
        let (left, right) = if is_numbered {
            (x + DIGITS, x + width)
        } else {
            (x, self.beside(bit).0)
        };
        let width = (right - left).min(MOST);
        CellArea {
            x: right - width,
            y: row,
            width,
            height: 1,
        }
    }
}

/// Draws the position and the last move: the piece in brackets, dots on the squares it passed,
/// crosses for captured pieces.
pub(super) fn draw(
    game: &Draughts,
    state: &DraughtsPosition,
    last: Option<(&DraughtsPosition, DraughtsMove)>,
    room: MaxSize,
) -> Board {
    let layout = &DraughtsLayout::of(game, room);
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
    let layout = &DraughtsLayout::of(game, room);
    if jumps == 0 {
        let mut board = draw_pieces(layout, &before.pieces, room);
        draw_brackets(layout, turn.from(), &mut board);
        return board;
    }
    let partial = turn.prefix(jumps);
    let pieces = before.pieces_after(partial);
    let mut board = draw_pieces(layout, &pieces, room);
    draw_last(layout, &pieces, partial, &mut board);
    board
}

/// Draws the board, the pieces and their counts.
fn draw_pieces(layout: &DraughtsLayout, pieces: &Pieces, room: MaxSize) -> Board {
    let (width, height) = layout.size();
    let mut board = Board::new(width.min(room.width.max(1)), height.min(room.height.max(1)));
    for bit in bits(!DARK) {
        shade(layout.patch(bit), &mut board);
    }
    draw_numbers(layout, &mut board);
    for bit in bits(DARK) {
        let middle = layout.middle(bit);
        match (piece(pieces, bit), layout.men) {
            (Some((side, rank)), PieceSize::Single) => {
                board.put(middle.0, middle.1, small(side, rank));
            }
            (Some((side, rank)), size) => {
                let shape = match rank {
                    Rank::Man => PieceShape::Disc,
                    Rank::King => PieceShape::Crown,
                };
                let BoardCell { plain, .. } = small(side, rank);
                size.draw((side, shape), plain, middle, &mut board);
            }
            (None, _) if layout.numbers == NumberPlacement::Rows => {
                board.put(
                    middle.0,
                    middle.1,
                    BoardCell::new(' ', '.', CellRole::Frame),
                );
            }
            (None, _) => {}
        }
    }
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

fn shade(patch: CellArea, board: &mut Board) {
    for y in patch.y..patch.y + patch.height {
        for x in patch.x..patch.x + patch.width {
            board.put(x, y, BoardCell::new('░', ' ', CellRole::Line));
        }
    }
}

fn draw_numbers(layout: &DraughtsLayout, board: &mut Board) {
    for bit in bits(DARK) {
        let CellArea { x, y, .. } = layout.patch(bit);
        let number = number(bit);
        match layout.numbers {
            NumberPlacement::Squares => board.write(x, y, &number.to_string(), CellRole::Frame),
            NumberPlacement::Rows if number % 4 == u8::from(!layout.is_turned) => {
                board.write(0, y, &format!("{number:>2}"), CellRole::Frame);
            }
            NumberPlacement::Rows => {}
        }
    }
}

fn draw_last(layout: &DraughtsLayout, pieces: &Pieces, turn: DraughtsMove, board: &mut Board) {
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
        draw_brackets(layout, bit, board);
    }
}

/// Marks the piece that moves.
fn draw_brackets(layout: &DraughtsLayout, bit: u8, board: &mut Board) {
    let (x, y) = layout.middle(bit);
    let square = layout.patch(bit);
    if layout.numbers == NumberPlacement::Squares && square.y == y {
        // A bracket over one digit would leave a wrong number.
        board.write(square.x, y, "  ", CellRole::Blank);
    }
    let (left, right) = layout.men.beside(x);
    for y in layout.men.middle_rows(y) {
        board.put(left, y, BoardCell::new('[', '[', CellRole::Mark));
        board.put(right, y, BoardCell::new(']', ']', CellRole::Mark));
    }
}

/// The number of men and kings of both players below the board, which also serves as a legend.
fn draw_counts(layout: &DraughtsLayout, pieces: &Pieces, board: &mut Board) {
    let (x, y) = (layout.margins.0, layout.size().1 - 1);
    board.legend = Some(BoardLegend {
        row: y,
        pieces: [Side::First, Side::Second].map(|side| small(side, Rank::Man)),
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
    layout: &DraughtsLayout,
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
        let board = drawn(START, "11-15 22-18 15x22", (31, 16));
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
        let board = drawn(START, "11-15 22-18 15x22", (40, 17));
        let found = lines(&board, |cell| cell.glyph);
        let expected = [
            "21   ░░░░░22   ░░░░░23   ░░░░░24   ░░░░░",
            "  ○  ░░░░░ [●] ░░░░░  ○  ░░░░░  ○  ░░░░░",
        ];
        assert_eq!(found[10..12], expected);
        let row = |index: usize, board: &Board| lines(board, |cell| cell.plain)[index].clone();
        let small = drawn(START, "11-15 22-18 15x22", (39, 17));
        assert_eq!(row(4, &small), "    17      18*     19      20");
        assert_eq!(row(5, &small), "21o      [x]    23o     24o");
        let marks = |tone| board.cells.iter().filter(move |cell| cell.tone == tone);
        let glyphs: String = marks(CellRole::Mark).map(|cell| cell.glyph).collect();
        assert_eq!(glyphs, "·[]");
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
        for room in [(64, 33), (40, 17), (32, 9), (20, 9)] {
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
            for room in [(64, 33), (40, 17), (32, 9), (20, 9)] {
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
