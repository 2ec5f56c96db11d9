//! Neural networks evolve to play board games while you watch, steer and play them.
//!
//! This is the library behind the program `finches`. It evolves networks without a screen, has them
//! play each other, and adds games of other crates to the program, its dashboard and its command
//! line. A run is a pure function of its preset and seed.
//!
//! # Evolve
//!
//! A [`Preset`](preset::Preset) says what a run is; omitted parts have defaults. A
//! [`Session`](session::Session) runs it, one generation after another (`examples/evolve.rs`):
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use finches::play::pool::Pool;
//! use finches::preset::Preset;
//! use finches::session::Session;
//! use finches::session::measures::fitness;
//!
//! let text = "(game: nim(heaps: [2, 3]), genome: graph(), agent: one_ply(), generations: 3)";
//! let preset = Preset::parse(text, "nim", "the crate page")?;
//! let mut session = Session::new(preset, 1, Vec::new(), Pool::new(1)?)?;
//! let halt = AtomicBool::new(false);
//! while !session.is_done() {
//!     let row = session.advance(&halt).expect("it is never halted");
//!     println!("{:?}", row.get(session.columns(), &fitness::BEST));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Have champions play
//!
//! A champion plays as a [`MatchPlayer`](play::matches::MatchPlayer) in an [`Arena`](play::Arena),
//! which knows the game and the agent (`examples/match_two.rs`):
//!
//! ```
//! use finches::contest::Tally;
//! use finches::play::matches::MatchConditions;
//! use finches::play::round_robin;
//! use finches::session::Session;
//!
//! /// The champions of two runs of the same preset play 100 games.
//! fn compare(sessions: [&Session; 2]) -> Option<Tally> {
//!     let players = sessions.map(|session| {
//!         let champion = session.champion_player().expect("a generation is done");
//!         champion.match_player()
//!     });
//!     let games: Vec<_> = round_robin::head_to_head([0, 1], 100).collect();
//!     let (arena, pool) = (sessions[0].arena(), sessions[0].pool());
//!     let results = arena.play_matches(pool, &players, &games, &MatchConditions::new(1))?;
//!     Some(round_robin::tally(&results))
//! }
//! ```
//!
//! # Add a game
//!
//! A game of another crate is its rules and a name. [`Program`] adds it to presets, saves,
//! experiments, the arena and the dashboard. [`guide`] shows all of `examples/custom_game.rs`,
//! which ends like this:
//!
//! ```no_run
//! # use finches::{games::{GameParams, Rules}, registry::CustomPart};
//! # fn main_with<NoughtsAndCrosses>() -> std::process::ExitCode
//! # where
//! #     NoughtsAndCrosses: CustomPart + GameParams<Game: Rules<Move: Into<u64> + TryFrom<u64>>>,
//! # {
//! finches::Program::new().game::<NoughtsAndCrosses>().main()
//! # }
//! ```
//!
//! # The flow in one breath
//!
//! A [`preset`] names a game, a genome, an agent and an evolution. A [`session`] runs it without
//! threads of its own. In each generation it takes pairings from the evolution, [plays](play) them,
//! hands back the results, measures the champion and reproduces the population. A [`run`] puts a
//! session on a worker thread: commands in, events out. The dashboard owns the terminal and a model
//! built from events alone. [`storage`] saves runs, and a resumed run equals an uninterrupted one.
//! The same session runs headless for scripts, and an [`experiment`] runs many at once, which
//! exchange champions if they are islands.
//!
//! # The rooms
//!
//! Five crates, each in a folder below `src`. A crate depends only on those above it, so Cargo
//! keeps the layers. This crate re-exports what other crates use.
//!
//! | crate | modules | what it must not know |
//! |---|---|---|
//! | `finches-engine` | [`games`] to [`session`] | clock, files, terminal |
//! | `finches-runs` | [`storage`], [`run`], [`launch`], [`log`] | many runs, the screen |
//! | `finches-lab` | [`experiment`], `report` | the screen |
//! | `finches-dashboard` | screens, widgets, keys, theme | the command line |
//! | `finches` | the command line, [`Program`] | |
//!
//! The engine compiles in one unit, for speed. The rest waits for people, and is compiled for size.
//! Inside the engine a module imports only from the rows above its own:
//!
//! | row | modules |
//! |---|---|
//! | 0 | [`rng`], [`params`](mod@params), [`projection`], [`board_geometry`], [`io_module`] |
//! | 0 | [`input_spec`], [`text`], [`simd`] |
//! | 1 | [`registry`]: lists of parts, those of other crates included |
//! | 2 | [`games`], [`genomes`], [`metrics`], [`contest`] (pairings and results) |
//! | 3 | [`search`]: alpha-beta, tree search, the exhaustive solver, cancellation |
//! | 4 | [`agents`]: how the outputs of a network become a move |
//! | 5 | [`play`] (games, matches, ratings), [`evolution`] (how populations follow one another) |
//! | 6 | [`preset`], [`outside`] (other programs as players) |
//! | 7 | [`session`]: the only place where play and evolution meet |
//!
//! The presets and champions inside the program are handed in by [`Program`], because the package
//! of a crate holds only the files below its own folder.
//!
//! A game never knows a network. A genome never knows a game: agents turn the shape of a game into
//! inputs and outputs. Evolution never knows a game, an agent or play. Only `play` and experiments
//! know rayon.
//!
//! `preset` stands above `session` because a session is made from a preset. It asks `play` only
//! whether a game and an agent fit together. Evolution works on genomes of any kind behind one
//! type, [`genomes::AnyGenome`], rather than on a generic type: producing an offspring is cheap
//! compared with its games, and sessions, checkpoints and champions need no type parameter.
//!
//! # How to add a part
//!
//! A new game, genome, agent, space, pairing, fitness or operator is one file, its `mod` line, and
//! one line in its registry ([`games::GameConfig`], [`genomes::GenomeConfig`],
//! [`agents::AgentConfig`], [`evolution::space::SpaceConfig`],
//! [`evolution::pairing::PairingConfig`], [`evolution::fitness::FitnessConfig`],
//! [`evolution::selection::SelectionConfig`], [`evolution::crossover::CrossoverConfig`],
//! [`evolution::mutation::MutationConfig`], [`evolution::replacement::ReplacementConfig`],
//! [`evolution::lifetime::LifetimeConfig`], [`evolution::pretraining::PretrainingConfig`]).
//! Presets, menus, the Parameters screen, the command line and the conformance tests then know it.
//! A game lists its own heuristics ([`games::heuristic::Heuristic`]), which become reference
//! players and columns of the metrics.
//!
//! A game is its rules ([`games::Rules`]); its encoding, notation, picture and heuristics have
//! defaults ([`guide`]).
//!
//! A part of another crate is added by [`Program`], and is then known as one of our own. It is one
//! more variant of its registry, a [`registry::CustomConfig`] without the part's type. Operators
//! implement the trait that ours implement. A game loses the types of its positions and moves, so
//! that the code that is generic over games is compiled for it once. A genome is named with its
//! value in saved runs; what not all genomes can do is one of their
//! [capabilities](genomes::capabilities), and operators and measures look inside those that they
//! know ([`genomes::AnyGenome::downcast`], `examples/expression_trees.rs`). An agent sees each
//! position as an [`agents::custom::DecisionNode`], without the type of the game.
//!
//! Selection, crossover, mutation and replacement combine freely: replacement says which members
//! survive and where the parents of the others are selected, crossover how often there are two of
//! them, mutation what happens to their offspring. Combinations that cannot work are refused with a
//! reason.
//!
//! An outside program plays by a protocol, which is one file in [`outside`] and one line in its
//! list.
//!
//! A new measure ([`session::measures::Measure`]) is a constant in the file of its family and a
//! line in the list of that module; its column, its help and its place in files and on screens
//! follow. Rows are read by it.
//!
//! A space is a part of its own because pairing and replacement must use the same neighborhoods.
//! The hall of fame belongs to the population: the rule that fills it does not depend on the
//! pairing that uses it.
//!
//! # What is stable
//!
//! Until 1.0, a minor version may change anything. A patch version keeps what programs of other
//! crates are built from: [`Program`], [`params!`](mod@params), [`preset`], [`session`], the traits
//! that parts implement, and the formats of presets and saved runs. Everything else is public so
//! that the rooms can use each other, and may change with any version; so may hidden items.
//!
//! # Invariants
//!
//! * **One seed, one result.** Every random number comes from [`rng::stream`], named by seed,
//!   purpose, generation and index. Parallel results are collected in order. Neither the number of
//!   threads nor a pause, save or resume changes a figure.
//! * **Small games are tabulated.** Where every position can be listed, each member's choice in
//!   each position is computed once ([`agents::Policy`]) by a player that unchanged offspring share
//!   ([`play::phenotype`]). A game is then a loop over integers.
//! * **The network of a genome depends on no live parameter**, so players may outlive a parameter
//!   change.
//! * **The same bits on every machine.** Wide instructions are chosen at run time ([`simd`]), but
//!   nothing is fused or reordered, and transcendental functions are our own
//!   ([`genomes::activation`]).
//! * **Memory does not grow with the length of a run.** Earlier champions ([`evolution::archive`])
//!   and the history on screen ([`metrics::history`]) are bounded; the full record is on disk.
//! * **A parameter is declared once** ([`params`](mod@params)). Its default, range, unit and help
//!   serve the preset file, the command line, the Parameters screen and the documentation.

#![warn(missing_docs)]

pub mod guide;

pub use finches_engine::{
    agents, board_geometry, choices, contest, evolution, games, genomes, input_spec, io_module,
    metrics, outside, params, play, preset, projection, registry, rng, search, session, simd, text,
};
pub use finches_lab::experiment;
pub use finches_runs::{launch, log, run, storage};

// Hidden: only tests and benches use these modules from outside.
#[cfg(feature = "dashboard")]
#[doc(hidden)]
pub use finches_dashboard as ui;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use finches_lab::report;

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;

mod program;
mod shipped;

pub use program::Program;
