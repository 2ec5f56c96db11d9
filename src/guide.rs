//! How to add a game, with noughts and crosses as the example. The example is compiled and run with
//! the tests.
//!
//! # 1. The rules
//!
//! [`Rules`](crate::games::Rules) is the only part that has to be written. A position includes the
//! side to move. It is cloned for every move that is searched, so it should be a few machine words:
//! here two sets of nine bits. Moves are listed in ascending order.
//! [`Squares`](crate::games::Squares)
//! describes positions and moves by squares and small numbers.
//!
//! The game may be part of another crate, as here in `examples/custom_game.rs`. `Program` adds it
//! to the program: presets, saves, experiments, `finches rules`, the arena and the dashboard then
//! know it by its name.
//!
#![doc = concat!("```no_run\n", include_str!("../examples/custom_game.rs"), "```")]
//!
//! # 2. The other parts
//!
//! Each can be improved by itself. [`Encoding`](crate::games::Encoding) gives a network one number
//! per square by default; networks evaluate all successors of a position at once and add up only
//! the numbers that a move changes. [`Notation`](crate::games::Notation) and
//! [`Picture`](crate::games::Picture) replace the plain text and the plain board. Each of
//! [`Heuristics`](crate::games::Heuristics) becomes a reference player and a column of the metrics.
//! [`Rules::canonical`](crate::games::Rules::canonical) merges equivalent positions,
//! [`Rules::points`](crate::games::Rules::points) counts the score of a finished game, and methods
//! with defaults, such as [`Rules::count_moves`](crate::games::Rules::count_moves) and
//! [`Encoding::successors`](crate::games::Encoding::successors), can be overridden for speed.
//! [`conformance::check`](crate::games::conformance::check) shows whether the parts still agree.
//!
//! # 3. Parameters and a name
//!
//! Every parameter is declared once in [`params!`](crate::params::params), with its default, range,
//! unit and a sentence of help. It is then available in preset files, on the command line and in
//! the documentation. Noughts and crosses has none; [`bounded_nim`](crate::games::bounded_nim) has
//! two and is the next game to read.
//!
//! The moves of a game of another crate convert to and from `u64`, in their order, and its
//! positions are boxed, which makes it slower than a game of this crate. A game in
//! `src/engine/games` needs no `CustomPart` but one line in `src/engine/games/mod.rs`; its comment
//! is the description:
//!
//! ```text
//! /// Noughts and crosses: the player with three squares in a row wins.
//! "noughts_and_crosses" => NoughtsAndCrosses(NoughtsAndCrossesConfig),
//! ```
//!
//! The conformance tests then check it unasked. `finches rules noughts-and-crosses --solve` answers
//! questions about a game, `--perft 9` counts, the reference players `random` and, if it can be
//! solved, `oracle` play it in `finches arena`.
//!
//! # 4. A preset
//!
//! A preset combines it with a genome, an agent and an evolution. Omitted parameters have their
//! defaults:
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
//! `finches presets NAME` shows it with all parameters, `finches run FILE` runs it from anywhere.
//! Its objective is `accuracy_states`, the share of positions in which the champion plays a best
//! move. For a game too large to solve, list reference players to measure against.
