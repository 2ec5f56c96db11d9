//! Noughts and crosses in one file, at home in the dashboard:
//!
//! ```text
//! cargo run --release --example custom_game -- examples/noughts_and_crosses.ron
//! cargo run --release --example custom_game -- arena oracle random --game noughts_and_crosses
//! cargo run --release --example custom_game -- rules noughts-and-crosses --perft 9
//! ```

use std::process::ExitCode;

use finches::Program;
use finches::games::{
    Encoding, GameParams, Grid, Heuristics, Notation, Outcome, Picture, Rules, Side, Squares,
};
use finches::params::params;
use finches::registry::CustomPart;

params! {
    /// Three in a row on a board of nine squares. The game has no parameters.
    pub(crate) struct NoughtsAndCrosses {}
}

impl CustomPart for NoughtsAndCrosses {
    const NAME: &'static str = "noughts_and_crosses";
    const ABOUT: &'static str = "Noughts and crosses: the player with three in a row wins.";
}

impl GameParams for NoughtsAndCrosses {
    type Game = Self;

    fn build(&self) -> Self {
        self.clone()
    }
}

/// The squares of each player, one bit per square from the top left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Marks([u16; 2]);

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Marks {
    fn taken(self) -> u16 {
        self.0[0] | self.0[1]
    }

    fn has_line(self, side: Side) -> bool {
        let own = self.0[side.index()];
        LINES.iter().any(|line| own & line == *line)
    }
}

impl Rules for NoughtsAndCrosses {
    type State = Marks;
    /// The square to take, 0 to 8.
    type Move = u16;

    fn goal(&self) -> &'static str {
        "the player with three in a row wins"
    }

    fn standard_start(&self) -> Marks {
        Marks::default()
    }

    fn to_move(&self, state: &Marks) -> Side {
        [Side::First, Side::Second][state.taken().count_ones() as usize % 2]
    }

    fn moves(&self, state: &Marks, out: &mut Vec<u16>) {
        if self.outcome(state).is_none() {
            out.extend((0..9).filter(|square| state.taken() >> square & 1 == 0));
        }
    }

    fn play(&self, state: &mut Marks, square: u16) {
        state.0[self.to_move(state).index()] |= 1 << square;
    }

    fn outcome(&self, state: &Marks) -> Option<Outcome> {
        let mut sides = [Side::First, Side::Second].into_iter();
        let won = sides.find(|&side| state.has_line(side)).map(Outcome::Win);
        won.or((state.taken() == 0o777).then_some(Outcome::Draw))
    }

    fn squares(&self) -> Option<&dyn Squares<Self>> {
        Some(self)
    }
}

impl Squares<Self> for NoughtsAndCrosses {
    fn grid(&self) -> Grid {
        Grid {
            columns: 3,
            rows: 3,
            squares_per_move: 1,
        }
    }

    fn piece(&self, state: &Marks, square: u16, side: Side) -> i16 {
        let has = |side: Side| (state.0[side.index()] >> square & 1) as i16;
        has(side) - has(side.opponent())
    }

    fn path(&self, square: u16) -> Vec<u16> {
        vec![square]
    }

    fn set_up(&self, pieces: &[i16], to_move: Side) -> Option<Marks> {
        let squares_of = |piece: i16| {
            let squares = (0..9).filter(|&square| pieces[square] == piece);
            squares.fold(0, |bits, square| bits | 1 << square)
        };
        let state = Marks([squares_of(1), squares_of(-1)]);
        (self.to_move(&state) == to_move).then_some(state)
    }
}

// How networks read the game, and how it is written and drawn: the defaults.
impl Encoding for NoughtsAndCrosses {}
impl Notation for NoughtsAndCrosses {}
impl Picture for NoughtsAndCrosses {}

impl Heuristics for NoughtsAndCrosses {
    /// The game has few enough positions to be solved, which gives it an oracle.
    fn all_starts(&self) -> Vec<Marks> {
        vec![self.standard_start()]
    }
}

#[allow(dead_code, reason = "a test includes this file")]
fn main() -> ExitCode {
    Program::new().game::<NoughtsAndCrosses>().main()
}
