//! Connect Four in one file, with all that a game of this crate can have: parameters, its own
//! encoding with symmetries, its own notation and picture, a heuristic and an oracle.
//!
//! ```text
//! cargo run --release --example connect_four -- examples/connect_four.ron
//! cargo run --release --example connect_four -- arena lines-3 random --game connect_four
//! ```

use std::collections::HashMap;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use finches::Program;
use finches::board_geometry::BoardGeometry;
use finches::games::board::{Board, BoardCell, CellArea, CellRole, MaxSize, MoveTarget};
use finches::games::heuristic::Heuristic;
use finches::games::oracle::Oracle;
use finches::games::{
    Encoding, GameParams, GameShape, Grid, Heuristics, MoveComponent, Notation, Outcome, Picture,
    Rules, Side, Squares, StartKind, after_random_moves,
};
use finches::input_spec::InputSpec;
use finches::params::params;
use finches::registry::CustomPart;
use finches::rng::Stream;

params! {
    /// Four in a row on an upright board, in whose columns discs fall.
    pub(crate) struct ConnectFourConfig {
        /// Columns of the board.
        fixed columns: u16 = 7, in 4.0..=8.0, "squares";
        /// Rows of the board.
        fixed rows: u16 = 6, in 4.0..=7.0, "squares";
    }
}

impl CustomPart for ConnectFourConfig {
    const NAME: &'static str = "connect_four";
    const ABOUT: &'static str = "Connect Four: discs fall in columns; four in a row win.";
}

impl GameParams for ConnectFourConfig {
    type Game = ConnectFour;

    fn build(&self) -> ConnectFour {
        ConnectFour {
            columns: self.columns,
            rows: self.rows,
            lines: lines(self.columns.into(), self.rows.into()).into(),
            is_mirrored: false,
        }
    }
}

/// All lines of four squares, one bit per square.
fn lines(columns: i32, rows: i32) -> Vec<u64> {
    let mut lines = Vec::new();
    for (right, down) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
        for (column, row) in (0..rows).flat_map(|row| (0..columns).map(move |it| (it, row))) {
            let squares = [0, 1, 2, 3].map(|step| (column + step * right, row + step * down));
            if squares
                .iter()
                .all(|(x, y)| (0..columns).contains(x) && *y < rows)
            {
                lines.push(
                    squares
                        .iter()
                        .fold(0, |line, (x, y)| line | 1 << (y * columns + x)),
                );
            }
        }
    }
    lines
}

/// The rules for one size of the board.
#[derive(Clone, Debug)]
pub(crate) struct ConnectFour {
    columns: u16,
    rows: u16,
    lines: Arc<[u64]>,
    /// Whether it is drawn as the second player sees it from behind.
    is_mirrored: bool,
}

/// The discs of each player, one bit per square, row by row from the top left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Discs([u64; 2]);

impl Discs {
    fn taken(self) -> u64 {
        self.0[0] | self.0[1]
    }

    fn of(self, side: Side) -> u64 {
        self.0[side.index()]
    }

    fn to_move(self) -> Side {
        [Side::First, Side::Second][self.taken().count_ones() as usize % 2]
    }

    /// 1 for a disc of `side`, −1 for one of the opponent, 0 for an empty square.
    fn owner(self, square: u16, side: Side) -> i16 {
        let has = |side| (self.of(side) >> square & 1) as i16;
        has(side) - has(side.opponent())
    }
}

impl ConnectFour {
    /// The number of squares.
    fn size(&self) -> u16 {
        self.columns * self.rows
    }

    /// The number of discs in a column.
    fn height(&self, state: Discs, column: u16) -> u16 {
        let squares = (0..self.rows).map(|row| row * self.columns + column);
        squares
            .filter(|square| state.taken() >> square & 1 == 1)
            .count() as u16
    }

    /// The square onto which a disc falls.
    fn landing(&self, state: Discs, column: u16) -> u16 {
        (self.rows - 1 - self.height(state, column)) * self.columns + column
    }

    fn has_line(&self, discs: u64) -> bool {
        self.lines.iter().any(|line| discs & line == *line)
    }

    /// The columns with an empty square.
    fn open(&self, state: Discs) -> u64 {
        !state.taken() & ((1 << self.columns) - 1)
    }

    /// The lowest bit of a column in a key.
    fn key_shift(&self, column: u16) -> u16 {
        column * (self.rows + 1)
    }

    /// A number for each encoding: for each column the discs of `side` from the bottom, with a one
    /// on top.
    fn key(&self, state: Discs, side: Side) -> u64 {
        let column_key = |column: u16| {
            let height = self.height(state, column);
            let squares = (0..height).map(|up| (up, (self.rows - 1 - up) * self.columns + column));
            let own = squares.map(|(up, square)| (state.of(side) >> square & 1) << up);
            (1 << height | own.sum::<u64>()) << self.key_shift(column)
        };
        (0..self.columns).map(column_key).sum()
    }

    fn is_small(&self) -> bool {
        self.size() <= 16
    }
}

/// Spreads keys over all bits. Different keys stay different, since the factor is odd.
fn spread(key: u64) -> u64 {
    key.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Rules for ConnectFour {
    type State = Discs;
    /// The column.
    type Move = u16;

    fn goal(&self) -> &'static str {
        "the player with four in a row wins"
    }

    fn standard_start(&self) -> Discs {
        Discs::default()
    }

    fn to_move(&self, state: &Discs) -> Side {
        state.to_move()
    }

    fn moves(&self, state: &Discs, out: &mut Vec<u16>) {
        if self.outcome(state).is_none() {
            out.extend((0..self.columns).filter(|column| self.open(*state) >> column & 1 == 1));
        }
    }

    fn play(&self, state: &mut Discs, column: u16) {
        state.0[state.to_move().index()] |= 1 << self.landing(*state, column);
    }

    fn outcome(&self, state: &Discs) -> Option<Outcome> {
        let last = state.to_move().opponent();
        if self.has_line(state.of(last)) {
            return Some(Outcome::Win(last));
        }
        (self.open(*state) == 0).then_some(Outcome::Draw)
    }

    fn squares(&self) -> Option<&dyn Squares<Self>> {
        Some(self)
    }

    /// Openings have two random moves.
    fn start(&self, kind: StartKind, rng: &mut Stream) -> Discs {
        match kind {
            StartKind::Opening => after_random_moves(self, 2, rng),
            _ => self.standard_start(),
        }
    }

    fn count_moves(&self, state: &Discs) -> usize {
        match self.outcome(state) {
            Some(_) => 0,
            None => self.open(*state).count_ones() as usize,
        }
    }
}

impl Squares<Self> for ConnectFour {
    fn grid(&self) -> Grid {
        Grid {
            columns: self.columns,
            rows: self.rows,
            squares_per_move: 1,
        }
    }

    fn piece(&self, state: &Discs, square: u16, side: Side) -> i16 {
        state.owner(square, side)
    }

    /// The number of the column, which is that of its uppermost square.
    fn path(&self, column: u16) -> Vec<u16> {
        vec![column]
    }

    fn path_from(&self, before: &Discs, column: u16) -> Vec<u16> {
        vec![self.landing(*before, column)]
    }

    fn set_up(&self, pieces: &[i16], to_move: Side) -> Option<Discs> {
        let discs_of = |piece: i16| {
            let squares = (0..self.size()).filter(|&square| pieces[usize::from(square)] == piece);
            squares.fold(0, |discs, square| discs | 1 << square)
        };
        let state = Discs([discs_of(1), discs_of(-1)]);
        let below = state.taken() << self.columns & ((1 << self.size()) - 1);
        let [first, second] = state.0.map(u64::count_ones);
        let is_possible = state.taken().count_ones() as usize
            == pieces.iter().filter(|&&piece| piece != 0).count()
            && below & !state.taken() == 0
            && (first == second || first == second + 1)
            && !self.has_line(state.of(state.to_move()));
        (is_possible && state.to_move() == to_move).then_some(state)
    }
}

impl Encoding for ConnectFour {
    /// A number for each square, which stays where it is when the players change sides. The board
    /// looks alike in a mirror.
    fn shape(&self) -> GameShape {
        let (columns, squares) = (u32::from(self.columns), 0..u32::from(self.size()));
        let mirror = |square: u32| square / columns * columns + columns - 1 - square % columns;
        GameShape {
            inputs: InputSpec {
                whole: Some(1),
                board: Some(Arc::new(BoardGeometry {
                    columns: self.columns.into(),
                    inputs: squares.clone().map(Some).collect(),
                    lowest: -1,
                    levels: 3,
                    symmetries: vec![
                        squares.clone().collect(),
                        squares.clone().map(mirror).collect(),
                    ],
                    opposite: squares.clone().collect(),
                })),
                ..InputSpec::new(squares.len())
            },
            components: vec![MoveComponent {
                name: "column",
                low: 0,
                high: i32::from(self.columns) - 1,
            }],
            ..GameShape::default()
        }
    }

    fn changes(&self, state: &Discs, column: u16, side: Side, out: &mut Vec<(u32, f32)>) {
        let value = if state.to_move() == side { 1.0 } else { -1.0 };
        out.push((self.landing(*state, column).into(), value));
    }

    fn successor_signs(
        &self,
        state: &Discs,
        side: Side,
        moves: &mut Vec<u16>,
        signs: &mut Vec<[u64; 2]>,
    ) -> Option<[u64; 2]> {
        let seen = |state: &Discs| [state.of(side), state.of(side.opponent())];
        moves.clear();
        self.moves(state, moves);
        signs.clear();
        signs.extend(moves.iter().map(|&column| {
            let mut after = *state;
            self.play(&mut after, column);
            seen(&after)
        }));
        Some(seen(state))
    }

    fn encoding_key(&self, state: &Discs, side: Side) -> u64 {
        spread(self.key(*state, side))
    }

    /// The one on top of the column moves up, and leaves a one behind for a disc of `side`.
    fn successor_key(&self, state: &Discs, column: u16, side: Side) -> u64 {
        let up = self.height(*state, column) + u16::from(state.to_move() == side);
        spread(self.key(*state, side) + (1 << (self.key_shift(column) + up)))
    }
}

impl Notation for ConnectFour {
    fn move_text(&self, column: u16) -> String {
        char::from(b'a' + column as u8).to_string()
    }

    fn move_help(&self) -> &'static str {
        "d is column d"
    }
}

/// The columns and rows from one square to the next, the largest first.
const PITCHES: [(u16, u16); 4] = [(8, 4), (6, 3), (4, 2), (2, 1)];

impl Picture for ConnectFour {
    fn board(&self, state: &Discs, last: Option<(&Discs, u16)>, room: MaxSize) -> Board {
        let extent = |(across, down): (u16, u16)| (self.columns * across, self.rows * down + 1);
        let fits = |pitch: &&(u16, u16)| {
            let (width, height) = extent(**pitch);
            width <= room.width && height <= room.height
        };
        let pitch = *PITCHES.iter().find(fits).unwrap_or(&(2, 1));
        let (width, height) = extent(pitch);
        let mut board = Board::new(width.min(room.width), height.min(room.height));
        let x = |column: u16| {
            let seen = if self.is_mirrored {
                self.columns - 1 - column
            } else {
                column
            };
            seen * pitch.0
        };
        let marked = last.map(|(before, column)| self.landing(*before, column));
        for square in 0..self.size() {
            let (column, row) = (square % self.columns, square / self.columns);
            let cell = disc(state.owner(square, Side::First), marked == Some(square));
            for (right, down) in (0..pitch.1).flat_map(|y| (0..pitch.0 - 1).map(move |x| (x, y))) {
                if pitch.1 == 1 && right > 0 || pitch.1 > 1 && down == pitch.1 - 1 {
                    continue;
                }
                board.put(x(column) + right, row * pitch.1 + down, cell);
            }
        }
        for column in 0..self.columns {
            let middle = x(column) + (pitch.0 - 1) / 2;
            board.write(middle, height - 1, &self.move_text(column), CellRole::Frame);
        }
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        let area = |column: u16, y: u16, height: u16| CellArea {
            x: x(column),
            y,
            width: pitch.0 - 1,
            height,
        };
        let targets = moves.into_iter().map(|column| MoveTarget {
            at: area(column, 0, height),
            path: Vec::new(),
            highlighted: vec![area(
                column,
                self.landing(*state, column) / self.columns * pitch.1,
                pitch.1,
            )],
            move_text: self.move_text(column),
            label_area: None,
        });
        let targets = targets.filter(|_| width <= room.width && height <= room.height);
        board.targets = targets.collect();
        board
    }

    /// The second player sits behind the board.
    fn turned(&self) -> Option<Self> {
        Some(Self {
            is_mirrored: !self.is_mirrored,
            ..self.clone()
        })
    }
}

/// A part of a disc of the first player (1) or the second (−1), or of an empty square.
fn disc(owner: i16, is_marked: bool) -> BoardCell {
    let (side, glyph, plain) = match owner {
        0 => return BoardCell::new('·', '.', CellRole::Line),
        1 => (Side::First, '●', 'x'),
        _ => (Side::Second, '○', 'o'),
    };
    let role = if is_marked {
        CellRole::Taken(side)
    } else {
        CellRole::Owned(side)
    };
    BoardCell::new(glyph, plain, role)
}

const HEURISTICS: [Heuristic; 1] = [Heuristic {
    name: "lines",
    about: "counts the lines that are still open, those with more discs for more",
    depths: &[1, 3],
    random_move_share: Some(0.1),
}];

impl Heuristics for ConnectFour {
    /// A small board has few enough positions to be solved.
    fn all_starts(&self) -> Vec<Discs> {
        let starts = [self.standard_start()].into_iter();
        starts.filter(|_| self.is_small()).collect()
    }

    fn heuristics(&self) -> &'static [Heuristic] {
        &HEURISTICS
    }

    fn evaluate(&self, _heuristic: usize, state: &Discs, side: Side) -> f32 {
        let worth = |own: u64, other: u64| -> f32 {
            let open = self.lines.iter().filter(|&line| other & line == 0);
            open.map(|line| [0.0, 1.0, 4.0, 16.0, 1000.0][(own & line).count_ones() as usize])
                .sum()
        };
        let (own, other) = (state.of(side), state.of(side.opponent()));
        worth(own, other) - worth(other, own)
    }

    fn moves_left(&self, state: &Discs) -> Option<u16> {
        Some(self.size() - state.taken().count_ones() as u16)
    }

    fn oracle(&self) -> Option<Arc<dyn Oracle<Self>>> {
        Some(Arc::new(Endgames {
            is_complete: self.is_small(),
            known: Mutex::default(),
        }))
    }
}

/// Knows the results of all positions of a small board, and of a larger one those with few empty
/// squares.
struct Endgames {
    is_complete: bool,
    /// The result for the player to move, of positions that have been solved.
    known: Mutex<HashMap<Discs, i8>>,
}

/// The empty squares with which a position of a larger board is solved.
const MOST_EMPTY: u16 = 12;

/// The number of solved positions from which on they are forgotten.
const MOST_KNOWN: usize = 1 << 20;

/// The result for the player to move under best play.
fn solve(game: &ConnectFour, state: Discs, known: &mut HashMap<Discs, i8>) -> i8 {
    if let Some(outcome) = game.outcome(&state) {
        return outcome.result_for(state.to_move());
    }
    if let Some(&result) = known.get(&state) {
        return result;
    }
    let mut moves = Vec::new();
    game.moves(&state, &mut moves);
    let mut best = -1;
    for column in moves {
        best = best.max(-solve(game, after(game, state, column), known));
        if best == 1 {
            break;
        }
    }
    known.insert(state, best);
    best
}

fn after(game: &ConnectFour, mut state: Discs, column: u16) -> Discs {
    game.play(&mut state, column);
    state
}

impl Oracle<ConnectFour> for Endgames {
    fn is_complete(&self) -> bool {
        self.is_complete
    }

    fn evaluate(&self, game: &ConnectFour, state: &Discs, best: &mut Vec<u16>) -> Option<i32> {
        best.clear();
        let result = self.best_result(game, state)?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        game.moves(state, best);
        best.retain(|&column| -solve(game, after(game, *state, column), &mut known) == result);
        Some(result.into())
    }

    fn best_result(&self, game: &ConnectFour, state: &Discs) -> Option<i8> {
        if !self.is_complete && game.moves_left(state) > Some(MOST_EMPTY) {
            return None;
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() > MOST_KNOWN {
            known.clear();
        }
        Some(solve(game, *state, &mut known))
    }
}

#[allow(dead_code, reason = "a test includes this file")]
fn main() -> ExitCode {
    Program::new().game::<ConnectFourConfig>().main()
}
