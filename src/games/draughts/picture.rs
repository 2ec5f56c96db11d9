//! How a board looks: dark squares numbered where there is room for it, light ones shaded, so that pieces stand out.

use crate::games::board::{Board, Cell, Patch, Room, Spot, Stop, Tone};
use crate::games::{Game, Side};

use super::pieces::Pieces;
use super::turn::{DARK, Turn, bits, number};
use super::{Draughts, Position, text};

/// The measures of a picture: columns first, then rows.
struct Layout {
    /// Columns left of the board and right of it.
    margins: (u16, u16),
    /// A square.
    square: (u16, u16),
    /// Where in a square the middle of a piece is, and how far from it the brackets around the last one moved.
    middle: (u16, u16),
    aside: u16,
    numbers: Numbers,
    men: Men,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    /// On every dark square.
    Squares,
    /// That of the first dark square of each row, beside it.
    Rows,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Men {
    /// A character.
    Small,
    /// Five columns and three rows.
    Large,
}

/// Columns that the number of a square takes.
const DIGITS: u16 = 2;

/// From the largest to the smallest.
const LAYOUTS: [Layout; 4] = [
    Layout {
        margins: (0, 0),
        square: (8, 4),
        middle: (4, 2),
        aside: 3,
        numbers: Numbers::Squares,
        men: Men::Large,
    },
    Layout {
        margins: (0, 0),
        square: (5, 2),
        middle: (2, 1),
        aside: 1,
        numbers: Numbers::Squares,
        men: Men::Small,
    },
    Layout {
        margins: (0, 0),
        square: (4, 1),
        middle: (2, 0),
        aside: 1,
        numbers: Numbers::Squares,
        men: Men::Small,
    },
    Layout {
        margins: (3, 1),
        square: (2, 1),
        middle: (1, 0),
        aside: 1,
        numbers: Numbers::Rows,
        men: Men::Small,
    },
];

impl Layout {
    fn for_room(room: Room) -> &'static Self {
        let fits = |layout: &&Self| {
            let (width, height) = layout.size();
            room.width >= width && room.height >= height
        };
        let [.., smallest] = &LAYOUTS;
        LAYOUTS.iter().find(fits).unwrap_or(smallest)
    }

    /// The board and a row below it.
    fn size(&self) -> (u16, u16) {
        let (left, right) = self.margins;
        (left + 8 * self.square.0 + right, 8 * self.square.1 + 1)
    }

    /// All of a square.
    fn patch(&self, bit: u8) -> Patch {
        let (width, height) = self.square;
        Patch {
            x: self.margins.0 + width * u16::from(bit % 8),
            y: height * u16::from(bit / 8),
            width,
            height,
        }
    }

    /// The middle of a piece.
    fn middle(&self, bit: u8) -> (u16, u16) {
        let Patch { x, y, .. } = self.patch(bit);
        (x + self.middle.0, y + self.middle.1)
    }

    /// Beside the middle, where one of the brackets around a piece is or a sign that it can be pointed at.
    fn beside(&self, bit: u8) -> (u16, u16) {
        let (x, y) = self.middle(bit);
        (x + self.aside, y)
    }

    /// Where there is room for a word on a free square: beside its number, else left of the sign.
    fn note(&self, bit: u8) -> Patch {
        const MOST: u16 = 5;
        let Patch { x, y, width, .. } = self.patch(bit);
        let row = self.middle(bit).1;
        let is_numbered = self.numbers == Numbers::Squares && row == y;
        let (left, right) = if is_numbered {
            (x + DIGITS, x + width)
        } else {
            (x, self.beside(bit).0)
        };
        let width = (right - left).min(MOST);
        Patch {
            x: right - width,
            y: row,
            width,
            height: 1,
        }
    }
}

/// Draws the position and the last move: the piece in brackets, points on the squares it came over, crosses for what it took.
pub(super) fn draw(
    game: &Draughts,
    state: &Position,
    last: Option<(&Position, Turn)>,
    room: Room,
) -> Board {
    let layout = Layout::for_room(room);
    let mut board = draw_pieces(layout, &state.pieces, room);
    if let Some((_, turn)) = last {
        draw_last(layout, &state.pieces, turn, &mut board);
    }
    draw_moves(layout, game, state, &mut board);
    board
}

/// Draws a capture after so many of its jumps: where the piece has come to, and what it has taken so far.
pub(super) fn draw_underway(before: &Position, turn: Turn, jumps: usize, room: Room) -> Board {
    let layout = Layout::for_room(room);
    if jumps == 0 {
        let mut board = draw_pieces(layout, &before.pieces, room);
        draw_brackets(layout, turn.from(), &mut board);
        return board;
    }
    let begun = turn.begun(jumps);
    let pieces = before.pieces_after(begun);
    let mut board = draw_pieces(layout, &pieces, room);
    draw_last(layout, &pieces, begun, &mut board);
    board
}

/// The board, the pieces on it, and how many there are.
fn draw_pieces(layout: &Layout, pieces: &Pieces, room: Room) -> Board {
    let (width, height) = layout.size();
    let mut board = Board::new(width.min(room.width.max(1)), height.min(room.height.max(1)));
    for bit in bits(!DARK) {
        shade(layout.patch(bit), &mut board);
    }
    draw_numbers(layout, &mut board);
    for bit in bits(DARK) {
        let middle = layout.middle(bit);
        match (piece(pieces, bit), layout.men) {
            (Some((side, rank)), Men::Small) => board.put(middle.0, middle.1, small(side, rank)),
            (Some((side, rank)), Men::Large) => draw_large(side, rank, middle, &mut board),
            (None, _) if layout.numbers == Numbers::Rows => {
                board.put(middle.0, middle.1, Cell::new(' ', '.', Tone::Frame));
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

/// Whose piece is on a square, if there is one.
fn piece(pieces: &Pieces, bit: u8) -> Option<(Side, Rank)> {
    let owns = |side: &Side| pieces.of[side.index()] >> bit & 1 == 1;
    let side = [Side::First, Side::Second].into_iter().find(owns)?;
    let is_king = pieces.kings >> bit & 1 == 1;
    Some((side, if is_king { Rank::King } else { Rank::Man }))
}

/// Kings differ from men in shape, and by being in upper case.
fn small(side: Side, rank: Rank) -> Cell {
    let (glyph, plain) = match (side, rank) {
        (Side::First, Rank::Man) => ('●', 'x'),
        (Side::First, Rank::King) => ('◆', 'X'),
        (Side::Second, Rank::Man) => ('○', 'o'),
        (Side::Second, Rank::King) => ('◇', 'O'),
    };
    Cell::new(glyph, plain, Tone::Owned(side))
}

/// A man or a crown around its middle, the second player's hollow.
fn draw_large(side: Side, rank: Rank, (x, y): (u16, u16), board: &mut Board) {
    let (glyphs, plain) = match (side, rank) {
        (Side::First, Rank::Man) => ([" ▄▄▄ ", "█████", " ▀▀▀ "], [" xxx ", "xxxxx", " xxx "]),
        (Side::First, Rank::King) => (["▄ ▄ ▄", "█████", "▀▀▀▀▀"], ["X X X", "XXXXX", "XXXXX"]),
        (Side::Second, Rank::Man) => (["╭───╮", "│   │", "╰───╯"], [" ooo ", "o   o", " ooo "]),
        (Side::Second, Rank::King) => (["╷ ╷ ╷", "│╰┴╯│", "╰───╯"], ["O O O", "O   O", "OOOOO"]),
    };
    for (row, (glyphs, plain)) in (y - 1..).zip(glyphs.into_iter().zip(plain)) {
        for (column, (glyph, plain)) in (x - 2..).zip(glyphs.chars().zip(plain.chars())) {
            board.put(column, row, Cell::new(glyph, plain, Tone::Owned(side)));
        }
    }
}

fn shade(patch: Patch, board: &mut Board) {
    for y in patch.y..patch.y + patch.height {
        for x in patch.x..patch.x + patch.width {
            board.put(x, y, Cell::new('░', ' ', Tone::Line));
        }
    }
}

fn draw_numbers(layout: &Layout, board: &mut Board) {
    for bit in bits(DARK) {
        let Patch { x, y, .. } = layout.patch(bit);
        let number = number(bit);
        match layout.numbers {
            Numbers::Squares => board.write(x, y, &number.to_string(), Tone::Frame),
            Numbers::Rows if number % 4 == 1 => {
                board.write(0, y, &format!("{number:>2}"), Tone::Frame);
            }
            Numbers::Rows => {}
        }
    }
}

fn draw_last(layout: &Layout, pieces: &Pieces, turn: Turn, board: &mut Board) {
    let (to, taken) = turn.trace();
    let is_free = |&bit: &u8| piece(pieces, bit).is_none();
    for bit in turn.visits().filter(is_free) {
        let (x, y) = layout.middle(bit);
        board.put(x, y, Cell::new('·', '.', Tone::Mark));
    }
    for bit in bits(taken) {
        let (x, y) = layout.middle(bit);
        board.put(x, y, Cell::new('×', '*', Tone::Gone));
    }
    for bit in bits(to) {
        draw_brackets(layout, bit, board);
    }
}

/// Marks the piece that moves.
fn draw_brackets(layout: &Layout, bit: u8, board: &mut Board) {
    let (x, y) = layout.middle(bit);
    let square = layout.patch(bit);
    if layout.numbers == Numbers::Squares && square.y == y {
        // Half a number would be another one.
        board.write(square.x, y, "  ", Tone::Blank);
    }
    board.put(x - layout.aside, y, Cell::new('[', '[', Tone::Mark));
    board.put(x + layout.aside, y, Cell::new(']', ']', Tone::Mark));
}

/// Men and kings of both players below the board, which tells what they look like too.
fn draw_counts(layout: &Layout, pieces: &Pieces, board: &mut Board) {
    let (x, y) = (layout.margins.0, layout.size().1 - 1);
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
        board.write(x + offset + 1, y, &count, Tone::Frame);
    }
}

/// Every move can be pointed at from square to square. Pointing covers those that the piece comes over and what it takes.
fn draw_moves(layout: &Layout, game: &Draughts, state: &Position, board: &mut Board) {
    let mut turns = Vec::new();
    game.moves(state, &mut turns);
    let stop = |bit: u8| Stop {
        at: layout.patch(bit),
        sign: layout.beside(bit),
    };
    for turn in turns {
        let (to, taken) = turn.trace();
        let bit = to.trailing_zeros() as u8;
        let covers = turn.visits().chain(bits(taken));
        board.spots.push(Spot {
            at: layout.patch(bit),
            way: turn.visits().map(stop).collect(),
            covers: covers.map(|bit| layout.patch(bit)).collect(),
            word: text::of_turn(turn),
            note: piece(&state.pieces, bit)
                .is_none()
                .then(|| layout.note(bit)),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Playable;
    use crate::games::draughts::DraughtsConfig;

    fn lines(board: &Board, look: fn(&Cell) -> char) -> Vec<String> {
        let line = |row: &[Cell]| row.iter().map(look).collect::<String>();
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
        game.board(&state, last, Room { width, height })
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

    /// The rows of a capture under way in the smallest board, those of the counts and of empty squares left out.
    fn check_underway(stage: usize, expected: [&str; 4]) {
        let game = DraughtsConfig::default().build();
        let before = game.parse_position("W:W22:B18,11,4").expect("a position");
        let turn = game.parse_move(&before, "22x15x8").expect("it is legal");
        assert_eq!(game.stages(turn), 2);
        let board = game.underway(
            &before,
            turn,
            stage,
            Room {
                width: 20,
                height: 9,
            },
        );
        assert!(board.spots.is_empty());
        let lines = lines(&board, |cell| cell.plain);
        let row = |index: usize| lines[index][4..].trim_end().to_owned();
        assert_eq!([1, 2, 4, 5].map(row), expected, "after {stage} jumps");
    }

    #[test]
    fn a_capture_under_way_shows_the_piece_where_it_has_come_to() {
        check_underway(
            0,
            [
                ".   .   .   .",
                "  .   .   x   .",
                "  .   x   .   .",
                ".  [o]  .   .",
            ],
        );
        check_underway(
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
    fn with_room_every_dark_square_has_its_number() {
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
        let glyphs: String = marks(Tone::Mark).map(|cell| cell.glyph).collect();
        assert_eq!(glyphs, "·[]");
        assert_eq!(marks(Tone::Gone).count(), 1);
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

    fn is_apart(one: Patch, other: Patch) -> bool {
        one.x + one.width <= other.x
            || other.x + other.width <= one.x
            || one.y + one.height <= other.y
            || other.y + other.height <= one.y
    }

    #[test]
    fn every_move_has_a_way_of_its_own_and_room_for_a_word_beside_number_and_sign() {
        // Four kings can come to 14; another two ways lead around the board.
        for start in [START, "B:W21:BK9,K10,K17,K18", "B:W9,10,17,18:BK22"] {
            for room in [(64, 33), (40, 17), (32, 9), (20, 9)] {
                let board = drawn(start, "", room);
                for (index, spot) in board.spots.iter().enumerate() {
                    let last = spot.way.last().expect("it has a way");
                    assert_eq!((last.at, spot.way.len() > 1), (spot.at, true));
                    let others = &board.spots[..index];
                    assert!(others.iter().all(|other| other.way != spot.way));
                    let Some(note) = spot.note else { continue };
                    assert!(note.width > 0 && !is_apart(note, spot.at));
                    for x in note.x..note.x + note.width {
                        let cell = board.cells[usize::from(note.y * board.width + x)];
                        assert!(!cell.plain.is_ascii_digit(), "{} in {room:?}", spot.word);
                    }
                }
            }
        }
    }

    #[test]
    fn pointing_at_a_capture_covers_its_way_and_what_it_takes() {
        let board = drawn("W:W22:B18,11,4", "", (40, 17));
        let spot = &board.spots[0];
        assert_eq!((board.spots.len(), spot.word.as_str()), (1, "22x15x8"));
        let layout = Layout::for_room(Room {
            width: 40,
            height: 17,
        });
        let squares =
            [22, 15, 8, 11, 18].map(|number| layout.patch(super::super::turn::bit(number)));
        assert_eq!(spot.covers, squares);
        assert_eq!(spot.at, squares[2]);
        let way: Vec<Patch> = spot.way.iter().map(|stop| stop.at).collect();
        assert_eq!(way, squares[..3]);
    }
}
