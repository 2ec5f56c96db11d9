//! How to add a game, with noughts and crosses as the example. The example is compiled and run with the tests.
//!
//! A game is one file in `src/games` and one line in the registry ([`GameConfig`](super::GameConfig)). The file has three parts:
//! parameters, positions and moves, and the [`Game`](super::Game) itself.
//!
//! # 1. Parameters
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
//! [`bounded_nim`](super::bounded_nim) has two and is the next game to read.
//!
//! # 2. The game
//!
//! A position includes the side to move. It is cloned for every move that is searched, so it should be a few machine words:
//! here two sets of nine bits. Moves are listed in ascending order and have a form as integers, so that a network can output
//! one. [`Game::encode`](super::Game::encode) encodes a position for a network, [`Game::changes`](super::Game::changes)
//! lists the numbers that a move changes: networks evaluate all successors of a position at once and only add up the
//! differences.
//!
//! ```
//! use finches::games::board::{Board, BoardCell, CellArea, CellRole, MaxSize, MoveTarget};
//! use finches::games::{Game, GameShape, MoveComponent, Outcome, Side, check_legal};
//! use finches::rng::Stream;
//!
//! /// The rules, without parameters.
//! #[derive(Clone, Copy, Debug)]
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
//!     fn shape(&self) -> GameShape {
//!         let square = MoveComponent { name: "square", low: 0, high: 8 };
//!         GameShape { inputs: 9, projection: None, components: vec![square], legal_move_counts: Vec::new() }
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
//!     /// The game has few enough positions to be solved, which gives it an oracle.
//!     fn all_starts(&self) -> Vec<Squares> {
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
//!     /// 1 for an own square, -1 for one of the opponent, 0 for an empty one.
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
//!     fn decode_move(&self, state: &Squares, components: &[i32]) -> Option<u8> {
//!         let &[square] = components else { return None };
//!         let wanted = u8::try_from(square).ok()?;
//!         check_legal(self, state, wanted).ok()
//!     }
//!
//!     fn encode_move(&self, action: u8, out: &mut Vec<i32>) {
//!         out.push(action.into());
//!     }
//!
//!     /// A picture independent of colors and terminals, and the targets that a player can point at.
//!     fn board(&self, state: &Squares, last: Option<(&Squares, u8)>, _room: MaxSize) -> Board {
//!         let mut board = Board::new(5, 3);
//!         for square in 0..9 {
//!             let (x, y) = (u16::from(square % 3) * 2, u16::from(square / 3));
//!             let is_last = last.is_some_and(|(_, action)| action == square);
//!             let Some(owner) = state.owner(square) else {
//!                 board.put(x, y, BoardCell::new('·', '.', CellRole::Line));
//!                 let at = CellArea { x, y, width: 1, height: 1 };
//!                 board.targets.push(MoveTarget {
//!                     at,
//!                     path: Vec::new(),
//!                     highlighted: vec![at],
//!                     move_text: self.move_text(square),
//!                     label_area: None,
//!                 });
//!                 continue;
//!             };
//!             let tone = if is_last { CellRole::Taken(owner) } else { CellRole::Owned(owner) };
//!             let (glyph, plain) = [('✕', 'x'), ('○', 'o')][owner.index()];
//!             board.put(x, y, BoardCell::new(glyph, plain, tone));
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
//!         check_legal(self, state, square)
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
//!         "the player with three in a row wins"
//!     }
//! }
//!
//! // Is it correct? Published counts of move sequences (perft) are the strictest check,
//! // and the solver finds the known value of this game.
//! use finches::games::rules::count_sequences;
//! use finches::search::solver::SolvedGame;
//!
//! let game = NoughtsAndCrosses;
//! let start = game.standard_start();
//! assert_eq!([1, 2, 5].map(|plies| count_sequences(&game, &start, plies)), [9, 72, 15_120]);
//! let solved = SolvedGame::new(&game).expect("it is small");
//! let number = solved.find(&game, &start).expect("it is a starting position");
//! assert_eq!(solved.value_of(number).value, 0, "best play gives a draw");
//!
//! let state = game.parse_position("xx-oo----").expect("nine squares");
//! let mut best: Vec<String> = Vec::new();
//! let number = solved.find(&game, &state).expect("it is reachable");
//! best.extend(solved.best_moves(number).map(|action| game.move_text(action)));
//! assert_eq!(best, ["c1"]);
//! ```
//!
//! # 3. The registry
//!
//! One line in `src/games/mod.rs`; its comment is the description that menus and `finches rules` show:
//!
//! ```text
//! /// Noughts and crosses: the player with three squares in a row wins.
//! "noughts_and_crosses" => NoughtsAndCrosses(NoughtsAndCrossesConfig),
//! ```
//!
//! Then the game is available everywhere. The conformance tests play random games and check consistency: every text parses
//! back, every change agrees with the encoding, every target of the picture is a legal move at every size. `finches rules noughts-and-crosses --solve` answers questions about it, `--perft 9` counts, the reference players
//! `random` and, since it can be solved, `oracle` play it in `finches arena`.
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
//! `accuracy_states`, the share of positions in which the champion plays a best move. For a game too large to solve, list reference players to
//! measure against.
//!
//! A heuristic ([`Game::heuristics`](super::Game::heuristics)) becomes a reference player and a column of the metrics.
//! [`Game::canonical`](super::Game::canonical) merges equivalent positions, [`Game::points`](super::Game::points)
//! counts the score of a finished game, and [`Game::successors`](super::Game::successors) can be overridden for speed.
