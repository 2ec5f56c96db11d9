//! How a board looks: with lines between the squares where there is room for them, and without.

use crate::games::board::{Board, Cell, Patch, Room, Spot, Tone};
use crate::games::{Game, Side};

use super::bits::squares;
use super::{Place, Position, Reversi, text};

/// The measures of a picture: columns first, then rows.
struct Layout {
    size: (u16, u16),
    /// The middle of a1, and from one square to the next.
    first: (u16, u16),
    pitch: (u16, u16),
    /// Where the disc counts begin on the last row, and from one count to the next.
    counts: (u16, u16),
    /// Where a word on passing ends on the last row.
    passing: u16,
    /// What of a square can be pointed at, and where in it there is room for a word, both told from its middle.
    target: Reach,
    note: Reach,
    lines: Lines,
    discs: Discs,
}

/// A part of a square: how far it begins left of the middle and above it, its columns and rows.
struct Reach(u16, u16, u16, u16);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Lines {
    Drawn,
    None,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Discs {
    /// A character.
    Small,
    /// Five columns and three rows.
    Large,
}

const GRAND: Layout = Layout {
    size: (67, 35),
    first: (6, 3),
    pitch: (8, 4),
    counts: (6, 8),
    passing: 65,
    target: Reach(3, 1, 7, 3),
    note: Reach(2, 0, 5, 1),
    lines: Lines::Drawn,
    discs: Discs::Large,
};

const ROOMY: Layout = Layout {
    size: (37, 19),
    first: (4, 2),
    pitch: (4, 2),
    counts: (4, 8),
    passing: 35,
    target: Reach(1, 0, 3, 1),
    note: Reach(1, 0, 3, 1),
    lines: Lines::Drawn,
    discs: Discs::Small,
};

const COMPACT: Layout = Layout {
    size: (19, 10),
    first: (3, 1),
    pitch: (2, 1),
    counts: (1, 5),
    passing: 18,
    target: Reach(1, 0, 2, 1),
    note: Reach(1, 0, 2, 1),
    lines: Lines::None,
    discs: Discs::Small,
};

impl Layout {
    fn for_room(room: Room) -> Self {
        let fits = |layout: &Self| room.width >= layout.size.0 && room.height >= layout.size.1;
        [GRAND, ROOMY].into_iter().find(fits).unwrap_or(COMPACT)
    }

    /// The middle of a square.
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

    /// What of a square can be pointed at.
    fn patch(&self, square: u8) -> Patch {
        self.part(square, &self.target)
    }

    fn part(&self, square: u8, reach: &Reach) -> Patch {
        let (x, y) = self.middle(square);
        let &Reach(left, up, width, height) = reach;
        Patch {
            x: x - left,
            y: y - up,
            width,
            height,
        }
    }
}

fn patch(x: u16, y: u16, width: u16) -> Patch {
    Patch {
        x,
        y,
        width,
        height: 1,
    }
}

/// Draws the position, the last move in brackets and the discs that it turned in a look of their own.
pub(super) fn draw(
    game: &Reversi,
    state: &Position,
    last: Option<(&Position, Place)>,
    room: Room,
) -> Board {
    let layout = Layout::for_room(room);
    let (width, height) = layout.size;
    let mut board = Board::new(width.min(room.width.max(1)), height.min(room.height.max(1)));
    if layout.lines == Lines::Drawn {
        draw_lines(&layout, &mut board);
    } else {
        draw_points(&layout, &mut board);
    }
    draw_labels(&layout, &mut board);
    let turned = last.map_or(0, |(before, action)| game.step(before, action).turned);
    draw_discs(&layout, state, turned, &mut board);
    draw_counts(&layout, state, &mut board);
    if let Some((_, action)) = last {
        draw_last(&layout, action, &mut board);
    }
    draw_moves(&layout, game, state, &mut board);
    board
}

/// The lines between the squares, with one character for each column of the pitch.
fn draw_lines(layout: &Layout, board: &mut Board) {
    let (wide, high) = layout.pitch;
    for row in 0..=8 * high {
        for column in 0..=8 * wide {
            let (glyph, plain) = match (column % wide == 0, row % high == 0) {
                (true, true) => (crossing(column / wide, row / high), '+'),
                (true, false) => ('│', '|'),
                (false, true) => ('─', '-'),
                (false, false) => continue,
            };
            board.put(column + 2, row + 1, Cell::new(glyph, plain, Tone::Line));
        }
    }
}

/// A point in every square, without which an empty board has no squares to be seen.
fn draw_points(layout: &Layout, board: &mut Board) {
    for square in 0..64 {
        let (x, y) = layout.middle(square);
        board.put(x, y, Cell::new('·', '.', Tone::Line));
    }
}

/// Where two lines meet, counted from 0 to 8.
fn crossing(column: u16, row: u16) -> char {
    let place = |line| match line {
        0 => 0,
        8 => 2,
        _ => 1,
    };
    [['┌', '┬', '┐'], ['├', '┼', '┤'], ['└', '┴', '┘']][place(row)][place(column)]
}

fn draw_labels(layout: &Layout, board: &mut Board) {
    for (line, (column, row)) in (0..).zip("abcdefgh".chars().zip('1'..)) {
        let (x, y) = layout.middle(line * 9);
        board.put(x, 0, Cell::new(column, column, Tone::Frame));
        board.put(0, y, Cell::new(row, row, Tone::Frame));
    }
}

fn draw_discs(layout: &Layout, state: &Position, turned: u64, board: &mut Board) {
    for side in [Side::First, Side::Second] {
        for square in squares(state.discs(side)) {
            let (x, y) = layout.middle(square);
            if layout.discs == Discs::Large {
                draw_large(side, (x, y), board);
            }
            let is_turned = turned >> square & 1 == 1;
            match (layout.discs, is_turned) {
                (_, true) => board.put(x, y, turned_disc(side)),
                (Discs::Small, false) => board.put(x, y, disc(side)),
                (Discs::Large, false) => {}
            }
        }
    }
}

/// A disc around its middle, the second player's hollow.
fn draw_large(side: Side, (x, y): (u16, u16), board: &mut Board) {
    let (glyphs, plain) = match side {
        Side::First => ([" ▄▄▄ ", "█████", " ▀▀▀ "], [" xxx ", "xxxxx", " xxx "]),
        Side::Second => (["╭───╮", "│   │", "╰───╯"], [" ooo ", "o   o", " ooo "]),
    };
    for (row, (glyphs, plain)) in (y - 1..).zip(glyphs.into_iter().zip(plain)) {
        for (column, (glyph, plain)) in (x - 2..).zip(glyphs.chars().zip(plain.chars())) {
            board.put(column, row, Cell::new(glyph, plain, Tone::Owned(side)));
        }
    }
}

fn disc(side: Side) -> Cell {
    match side {
        Side::First => Cell::new('●', 'x', Tone::Owned(side)),
        Side::Second => Cell::new('○', 'o', Tone::Owned(side)),
    }
}

/// Without special characters, turned discs are upper case.
fn turned_disc(side: Side) -> Cell {
    let Cell { glyph, plain, .. } = disc(side);
    Cell::new(glyph, plain.to_ascii_uppercase(), Tone::Taken(side))
}

fn draw_counts(layout: &Layout, state: &Position, board: &mut Board) {
    let (mut x, pitch) = layout.counts;
    for side in [Side::First, Side::Second] {
        let count = state.discs(side).count_ones();
        board.put(x, layout.last_row(), disc(side));
        board.write(x + 2, layout.last_row(), &count.to_string(), Tone::Frame);
        x += pitch;
    }
}

/// Brackets around the new disc, or a word on the last row.
fn draw_last(layout: &Layout, action: Place, board: &mut Board) {
    if action == Place::PASS {
        let word = "passed";
        board.write(layout.passing - 6, layout.last_row(), word, Tone::Mark);
        return;
    }
    let (x, y) = layout.middle(action.0);
    let aside = match layout.discs {
        Discs::Small => 1,
        Discs::Large => 3,
    };
    board.put(x - aside, y, Cell::new('[', '[', Tone::Mark));
    board.put(x + aside, y, Cell::new(']', ']', Tone::Mark));
}

/// A sign on every square where a disc can be put; pointing at it covers the discs it would turn. A pass is a word below.
fn draw_moves(layout: &Layout, game: &Reversi, state: &Position, board: &mut Board) {
    let mut actions = Vec::new();
    game.moves(state, &mut actions);
    for action in actions {
        let word = text::of_move(action);
        let at = if action == Place::PASS {
            let x = layout.passing - word.len() as u16;
            board.write(x, layout.last_row(), &word, Tone::Accent);
            patch(x, layout.last_row(), word.len() as u16)
        } else {
            let (x, y) = layout.middle(action.0);
            let (glyph, plain) = match layout.lines {
                Lines::Drawn => ('·', '.'),
                Lines::None => ('∘', '*'),
            };
            board.put(x, y, Cell::new(glyph, plain, Tone::Frame));
            layout.patch(action.0)
        };
        let turned = squares(game.step(state, action).turned);
        let covers = std::iter::once(at).chain(turned.map(|square| layout.patch(square)));
        board.spots.push(Spot {
            way: Vec::new(),
            at,
            covers: covers.collect(),
            note: (action != Place::PASS).then(|| layout.part(action.0, &layout.note)),
            word,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Playable;
    use crate::games::reversi::ReversiConfig;

    fn lines(board: &Board) -> Vec<String> {
        let line = |row: &[Cell]| row.iter().map(|cell| cell.glyph).collect::<String>();
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
        game.board(&state, Some((&before, action)), Room { width, height })
    }

    #[test]
    fn a_small_room_gets_a_board_without_lines() {
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
    fn with_room_there_are_lines_between_the_squares() {
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
    fn pointing_at_a_square_covers_it_and_what_it_would_turn() {
        let board = drawn(80, 24);
        assert_eq!((board.width, board.height), (37, 19));
        let spot = board.spots.iter().find(|spot| spot.word == "c3");
        let spot = spot.expect("it is legal");
        assert_eq!(spot.at, patch(11, 6, 3));
        assert_eq!(spot.covers, [patch(11, 6, 3), patch(15, 8, 3)]);
    }

    #[test]
    fn a_pass_can_be_pointed_at_and_is_told_afterwards() {
        let game = ReversiConfig::default().build();
        let text = format!("OX{} X", "-".repeat(62));
        let state = game.parse_position(&text).expect("it is a position");
        let mut after = state;
        game.play(&mut after, Place::PASS);
        for (width, height) in [(80, 24), (20, 10)] {
            let room = Room { width, height };
            let board = game.board(&state, None, room);
            assert_eq!(board.spots.len(), 1);
            assert_eq!(board.spots[0].word, "pass");
            assert!(
                lines(&board)
                    .last()
                    .is_some_and(|line| line.ends_with(" pass"))
            );
            let board = game.board(&after, Some((&state, Place::PASS)), room);
            assert!(
                lines(&board)
                    .last()
                    .is_some_and(|line| line.ends_with(" passed"))
            );
        }
    }

    #[test]
    fn turned_discs_differ_without_colors_too() {
        let board = drawn(80, 24);
        let at = |x: usize, y: usize| board.cells[y * 37 + x];
        assert_eq!(at(16, 8), Cell::new('●', 'X', Tone::Taken(Side::First)));
        assert_eq!(at(16, 6), Cell::new('●', 'x', Tone::Owned(Side::First)));
        assert_eq!(at(20, 10), Cell::new('○', 'o', Tone::Owned(Side::Second)));
    }
}
