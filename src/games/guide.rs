//! How to add a game, with noughts and crosses as the example. The example is compiled and run with the tests.
//!
//! # 1. The rules
//!
//! [`Rules`](super::Rules) is the only part that has to be written. A position includes the side to move. It is cloned for
//! every move that is searched, so it should be a few machine words: here two sets of nine bits. Moves are listed in ascending
//! order. Four methods describe positions and moves by squares and small numbers.
//!
//! ```
//! use finches::games::solver::SolvedGame;
//! use finches::games::{Encoding, Grid, Heuristics, Notation, Outcome, Picture, Rules, Side};
//! use finches::games::{conformance, rules::count_sequences};
//!
//! /// Three in a row on a board of nine squares.
//! #[derive(Clone, Debug)]
//! struct NoughtsAndCrosses;
//!
//! /// The squares of each player, one bit per square from the top left.
//! #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
//! struct Squares([u16; 2]);
//!
//! const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
//!
//! impl Squares {
//!     fn taken(self) -> u16 {
//!         self.0[0] | self.0[1]
//!     }
//!
//!     fn has_line(self, side: Side) -> bool {
//!         LINES.iter().any(|line| self.0[side.index()] & line == *line)
//!     }
//! }
//!
//! impl Rules for NoughtsAndCrosses {
//!     type State = Squares;
//!     /// The square to take, 0 to 8.
//!     type Move = u16;
//!
//!     fn goal(&self) -> &'static str {
//!         "the player with three in a row wins"
//!     }
//!
//!     fn standard_start(&self) -> Squares {
//!         Squares::default()
//!     }
//!
//!     /// The game has few enough positions to be solved, which gives it an oracle.
//!     fn all_starts(&self) -> Vec<Squares> {
//!         vec![self.standard_start()]
//!     }
//!
//!     fn to_move(&self, state: &Squares) -> Side {
//!         [Side::First, Side::Second][state.taken().count_ones() as usize % 2]
//!     }
//!
//!     fn moves(&self, state: &Squares, out: &mut Vec<u16>) {
//!         if self.outcome(state).is_none() {
//!             out.extend((0..9).filter(|square| state.taken() >> square & 1 == 0));
//!         }
//!     }
//!
//!     fn play(&self, state: &mut Squares, square: u16) {
//!         state.0[self.to_move(state).index()] |= 1 << square;
//!     }
//!
//!     fn outcome(&self, state: &Squares) -> Option<Outcome> {
//!         let winner = [Side::First, Side::Second].into_iter().find(|&side| state.has_line(side));
//!         let won = winner.map(Outcome::Win);
//!         won.or((state.taken() == 0o777).then_some(Outcome::Draw))
//!     }
//!
//!     fn grid(&self) -> Grid {
//!         Grid { columns: 3, rows: 3, squares_per_move: 1 }
//!     }
//!
//!     fn piece(&self, state: &Squares, square: u16, side: Side) -> i16 {
//!         let has = |side: Side| (state.0[side.index()] >> square & 1) as i16;
//!         has(side) - has(side.opponent())
//!     }
//!
//!     fn path(&self, square: u16) -> Vec<u16> {
//!         vec![square]
//!     }
//!
//!     fn set_up(&self, pieces: &[i16], to_move: Side) -> Option<Squares> {
//!         let squares_of = |piece: i16| {
//!             let bits = (0..9).filter(|&square| pieces[square] == piece);
//!             bits.fold(0, |bits, square| bits | 1 << square)
//!         };
//!         let state = Squares([squares_of(1), squares_of(-1)]);
//!         (self.to_move(&state) == to_move).then_some(state)
//!     }
//! }
//!
//! // How networks read the game, how it is written and drawn, and what is known about it: the defaults.
//! impl Encoding for NoughtsAndCrosses {}
//! impl Notation for NoughtsAndCrosses {}
//! impl Picture for NoughtsAndCrosses {}
//! impl Heuristics for NoughtsAndCrosses {}
//!
//! // Do the parts agree? Are the rules correct? Published counts of move sequences (perft) are the
//! // strictest check, and the solver finds the known value of this game.
//! let game = NoughtsAndCrosses;
//! conformance::check(&game);
//! let start = game.standard_start();
//! assert_eq!([1, 2, 5].map(|plies| count_sequences(&game, &start, plies)), [9, 72, 15_120]);
//! let solved = SolvedGame::new(&game).expect("it is small");
//! let number = solved.find(&game, &start).expect("it is a starting position");
//! assert_eq!(solved.value_of(number).value, 0, "best play gives a draw");
//!
//! let state = game.parse_position("xx-oo---- x").expect("nine squares");
//! let number = solved.find(&game, &state).expect("it is reachable");
//! let best: Vec<String> = solved.best_moves(number).map(|square| game.move_text(square)).collect();
//! assert_eq!(best, ["c1"]);
//! ```
//!
//! # 2. The other parts
//!
//! Each can be improved by itself. [`Encoding`](super::Encoding) gives a network one number per square by default; networks
//! evaluate all successors of a position at once and add up only the numbers that a move changes. [`Notation`](super::Notation)
//! and [`Picture`](super::Picture) replace the plain text and the plain board. Each of [`Heuristics`](super::Heuristics) becomes
//! a reference player and a column of the metrics. [`Rules::canonical`](super::Rules::canonical) merges equivalent positions,
//! [`Rules::points`](super::Rules::points) counts the score of a finished game, and methods with defaults, such as
//! [`Rules::count_moves`](super::Rules::count_moves) and [`Encoding::successors`](super::Encoding::successors), can be
//! overridden for speed. [`conformance::check`](super::conformance::check) shows whether the parts still agree.
//!
//! # 3. Parameters and a name
//!
//! Every parameter is declared once, with its default, range, unit and a sentence of help. It is then available in preset
//! files, on the command line and in the documentation. Noughts and crosses has none:
//!
//! ```text
//! params! {
//!     /// Three in a row on a board of nine squares.
//!     pub struct NoughtsAndCrossesConfig {}
//! }
//!
//! impl GameParams for NoughtsAndCrossesConfig {
//!     type Game = NoughtsAndCrosses;
//!
//!     fn build(&self) -> NoughtsAndCrosses {
//!         NoughtsAndCrosses
//!     }
//! }
//! ```
//!
//! [`bounded_nim`](super::bounded_nim) has two and is the next game to read. A game in `src/games` is registered by one line in
//! `src/games/mod.rs`; its comment is the description that menus and `finches rules` show:
//!
//! ```text
//! /// Noughts and crosses: the player with three squares in a row wins.
//! "noughts_and_crosses" => NoughtsAndCrosses(NoughtsAndCrossesConfig),
//! ```
//!
//! Then the game is available everywhere, and the conformance tests check it unasked. `finches rules noughts-and-crosses
//! --solve` answers questions about it, `--perft 9` counts, the reference players `random` and, since it can be solved,
//! `oracle` play it in `finches arena`.
//!
//! # 4. A preset
//!
//! A file in `presets` combines it with a genome, an agent and an evolution. Omitted parameters have their defaults:
//!
//! ```text
//! (
//!     about: "Growing networks play noughts and crosses.",
//!     game: noughts_and_crosses(),
//!     genome: graph(),
//!     agent: one_ply(),
//!     generations: 500,
//! )
//! ```
//!
//! `finches presets NAME` shows it with all parameters, `finches run FILE` runs it from anywhere. Its objective is
//! `accuracy_states`, the share of positions in which the champion plays a best move. For a game too large to solve, list
//! reference players to measure against.
