//! How to add a game, walked through for noughts and crosses. There is no code here but that of the example, which is compiled
//! and run with the tests.
//!
//! A game is one file in `src/games` and one line in the registry ([`GameConfig`](super::GameConfig)). The file has three parts:
//! settings, positions and moves, and the [`Game`](super::Game) itself.
//!
//! # 1. Settings
//!
//! Every number that a preset may choose is declared once, with its default, limits, unit and a sentence of help; from there
//! it is in preset files, on the command line and in the documentation. Noughts and crosses has none:
//!
//! ```text
//! params! {
//!     /// Three in a row on a board of nine squares.
//!     pub struct NoughtsAndCrossesConfig {}
//! }
//!
//! impl Playable for NoughtsAndCrossesConfig {
//!     type Game = NoughtsAndCrosses;
//!
//!     fn build(&self) -> NoughtsAndCrosses {
//!         NoughtsAndCrosses
//!     }
//! }
//! ```
//!
//! [`bounded_nim`](super::bounded_nim) has two, and is the next game to read.
//!
//! # 2. The game
//!
//! A position knows whose turn it is. It is cloned for every move that is looked at, so that it should be a few machine words:
//! here two sets of nine bits. Moves are listed in ascending order, and describe themselves as whole numbers, so that a network
//! can name one. [`Game::encode`](super::Game::encode) shows a position to a network, [`Game::changes`](super::Game::changes)
//! says which of these numbers a move would change: networks are asked about all successors of a position at once, and add up
//! only the differences.
//!
//! ```
//! use finches::games::board::{Board, Cell, Patch, Room, Spot, Tone};
//! use finches::games::{Component, Game, Outcome, Shape, Side, legal};
//! use finches::rng::Stream;
//!
//! /// The rules, which have nothing to choose.
//! #[derive(Clone, Copy, Debug)]
//! struct NoughtsAndCrosses;
//!
//! /// The squares of each player, a bit for each of the nine, from the top left.
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
//!
//!     fn owner(self, square: u8) -> Option<Side> {
//!         let sides = [Side::First, Side::Second].into_iter();
//!         sides.into_iter().find(|side| self.0[side.index()] >> square & 1 == 1)
//!     }
//! }
//!
//! impl Game for NoughtsAndCrosses {
//!     type State = Squares;
//!     /// The square to take, 0 to 8.
//!     type Move = u8;
//!
//!     fn shape(&self) -> Shape {
//!         let square = Component { name: "square", low: 0, high: 8 };
//!         Shape { inputs: 9, features: None, components: vec![square], choices: Vec::new() }
//!     }
//!
//!     fn start(&self, _rng: &mut Stream) -> Squares {
//!         self.standard_start()
//!     }
//!
//!     fn standard_start(&self) -> Squares {
//!         Squares::default()
//!     }
//!
//!     /// Few enough positions to solve the game: this makes it have an oracle.
//!     fn starts(&self) -> Vec<Squares> {
//!         vec![self.standard_start()]
//!     }
//!
//!     fn to_move(&self, state: &Squares) -> Side {
//!         if state.taken().count_ones() % 2 == 0 { Side::First } else { Side::Second }
//!     }
//!
//!     fn moves(&self, state: &Squares, out: &mut Vec<u8>) {
//!         if self.outcome(state).is_none() {
//!             out.extend((0..9).filter(|square| state.taken() >> square & 1 == 0));
//!         }
//!     }
//!
//!     fn play(&self, state: &mut Squares, action: u8) {
//!         state.0[self.to_move(state).index()] |= 1 << action;
//!     }
//!
//!     fn outcome(&self, state: &Squares) -> Option<Outcome> {
//!         let mut sides = [Side::First, Side::Second].into_iter();
//!         let won = sides.find(|&side| state.has_line(side)).map(Outcome::Win);
//!         won.or((state.taken() == 0o777).then_some(Outcome::Draw))
//!     }
//!
//!     /// 1 for an own square, -1 for one of the other player's, 0 for an empty one.
//!     fn encode(&self, state: &Squares, side: Side, out: &mut [f32]) {
//!         for (square, number) in (0..).zip(out) {
//!             *number = match state.owner(square) {
//!                 Some(owner) if owner == side => 1.0,
//!                 Some(_) => -1.0,
//!                 None => 0.0,
//!             };
//!         }
//!     }
//!
//!     fn changes(&self, state: &Squares, action: u8, side: Side, out: &mut Vec<(u32, f32)>) {
//!         let own = self.to_move(state) == side;
//!         out.push((action.into(), if own { 1.0 } else { -1.0 }));
//!     }
//!
//!     fn interpret(&self, state: &Squares, wish: &[i32]) -> Option<u8> {
//!         let &[square] = wish else { return None };
//!         let wanted = u8::try_from(square).ok()?;
//!         legal(self, state, wanted).ok()
//!     }
//!
//!     fn describe(&self, action: u8, out: &mut Vec<i32>) {
//!         out.push(action.into());
//!     }
//!
//!     /// A picture free of colors and terminals, and the spots at which a player can point.
//!     fn board(&self, state: &Squares, last: Option<(&Squares, u8)>, _room: Room) -> Board {
//!         let mut board = Board::new(5, 3);
//!         for square in 0..9 {
//!             let (x, y) = (u16::from(square % 3) * 2, u16::from(square / 3));
//!             let is_last = last.is_some_and(|(_, action)| action == square);
//!             let Some(owner) = state.owner(square) else {
//!                 board.put(x, y, Cell::new('·', '.', Tone::Line));
//!                 let at = Patch { x, y, width: 1, height: 1 };
//!                 let word = self.move_text(square);
//!                 board.spots.push(Spot { at, way: Vec::new(), covers: vec![at], word, note: None });
//!                 continue;
//!             };
//!             let tone = if is_last { Tone::Taken(owner) } else { Tone::Owned(owner) };
//!             let (glyph, plain) = [('✕', 'x'), ('○', 'o')][owner.index()];
//!             board.put(x, y, Cell::new(glyph, plain, tone));
//!         }
//!         board
//!     }
//!
//!     /// A column and a row, as on a chess board: `a1` to `c3`.
//!     fn move_text(&self, action: u8) -> String {
//!         format!("{}{}", char::from(b'a' + action % 3), action / 3 + 1)
//!     }
//!
//!     fn parse_move(&self, state: &Squares, text: &str) -> Result<u8, String> {
//!         let square = (0..9).find(|&square| self.move_text(square) == text.trim());
//!         let square = square.ok_or_else(|| format!("`{text}` is not a square; write a1 to c3"))?;
//!         legal(self, state, square)
//!     }
//!
//!     /// The nine squares from the top left, such as `x--oo-x--`.
//!     fn position_text(&self, state: &Squares) -> String {
//!         let sign = |square| state.owner(square).map_or('-', |owner| ['x', 'o'][owner.index()]);
//!         (0..9).map(sign).collect()
//!     }
//!
//!     fn parse_position(&self, text: &str) -> Result<Squares, String> {
//!         let mut state = Squares::default();
//!         for (square, sign) in text.trim().chars().enumerate() {
//!             match (sign, square) {
//!                 ('x', 0..9) => state.0[0] |= 1 << square,
//!                 ('o', 0..9) => state.0[1] |= 1 << square,
//!                 ('-', 0..9) => {}
//!                 _ => return Err(format!("`{text}` is not nine of x, o and -, from square {square} on")),
//!             }
//!         }
//!         Ok(state)
//!     }
//!
//!     fn move_help(&self) -> &'static str {
//!         "b2 takes the middle"
//!     }
//!
//!     fn goal(&self) -> &'static str {
//!         "whoever has three in a row wins"
//!     }
//! }
//!
//! // 3. Is it right? Published counts of the sequences of moves are the sharpest check there is,
//! // and the solver that serves as the oracle finds what everyone knows of this game.
//! use finches::games::rules::sequences;
//! use finches::games::solver::Solved;
//!
//! let game = NoughtsAndCrosses;
//! let start = game.standard_start();
//! assert_eq!([1, 2, 5].map(|plies| sequences(&game, &start, plies)), [9, 72, 15_120]);
//! let solved = Solved::new(&game).expect("it is small");
//! let number = solved.find(&game, &start).expect("it is where games begin");
//! assert_eq!(solved.worth(number).value, 0, "with best play it is a draw");
//!
//! let state = game.parse_position("xx-oo----").expect("nine squares");
//! let mut best: Vec<String> = Vec::new();
//! let number = solved.find(&game, &state).expect("it can be reached");
//! best.extend(solved.best_moves(number).map(|action| game.move_text(action)));
//! assert_eq!(best, ["c1"]);
//! ```
//!
//! # 3. The registry
//!
//! One line in `src/games/mod.rs`; its comment is the description that menus and `finches rules` show:
//!
//! ```text
//! /// Noughts and crosses: whoever has three of nine squares in a row wins.
//! "noughts_and_crosses" => NoughtsAndCrosses(NoughtsAndCrossesConfig),
//! ```
//!
//! From there everything knows the game. The conformance tests play it at random and check that what it says of itself holds
//! together: every text reads back, every change is what the encoding says, every spot of the picture is a legal move at every
//! size. `finches rules noughts-and-crosses --solve` answers questions about it, `--perft 9` counts, the reference players
//! `random` and, since it can be solved, `perfect` sit down to it in `finches arena`.
//!
//! # 4. A preset
//!
//! A file in `presets` puts it together with a genome, an agent and an evolution; what it leaves out has its default:
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
//! `finches presets NAME` shows it with everything that can be set, `finches run FILE` runs it from anywhere. Its objective is
//! `accuracy_states`, the share of positions in which the champion moves as the solver would; for a game too large to solve name
//! reference players to be measured against.
//!
//! A rule of thumb ([`Game::judges`](super::Game::judges)) becomes a reference player and a column of the metrics.
//! [`Game::canonical`](super::Game::canonical) lets positions share what is known of them, [`Game::points`](super::Game::points)
//! counts by how much a game is won, and [`Game::successors`](super::Game::successors) is where a game on bitboards can be fast.
