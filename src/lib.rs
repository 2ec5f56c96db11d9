//! Neural networks evolve to play board games while you watch, steer and play them.
//!
//! # The flow, in one breath
//!
//! A [`preset`] names a game, a genome, an agent and an evolution. A [`session`] runs it without threads of its own: it
//! *asks* the evolution for pairings, has the [`arena`] *play* them, *tells* the evolution what happened, *measures* the
//! champion and breeds. A [`run`] puts a session on a worker thread: commands in, events out. The [`ui`] owns the terminal and
//! a model built from events alone. [`storage`] keeps runs so that a run resumed is the run uninterrupted. The same session
//! runs without a screen for scripts, and many at once for an [`experiment`].
//!
//! # The map: who may know whom
//!
//! A module may import only from the rows above its own; modules of one row never import each other.
//!
//! | row | modules | what they are |
//! |---|---|---|
//! | 0 | [`rng`], [`params`], [`registry`], [`features`] | every random number, setting and list of parts; what inputs are sums of |
//! | 1 | [`games`], [`genomes`], [`metrics`], [`contest`] | rules; what is inherited; what is measured; who met whom |
//! | 2 | [`agents`] | how a brain's outputs become a move |
//! | 3 | [`arena`], [`evolution`] | where games are played; how a population follows from the one before |
//! | 4 | [`preset`] | everything that makes a run but its seed, checked as a whole |
//! | 5 | [`session`] | one run without threads: the only place where arena and evolution meet |
//! | 6 | [`storage`] | the only module that touches files |
//! | 7 | [`run`], [`experiment`], [`tournament`], [`journal`] | a session on a thread, with channels; many sessions at once, and what they come to; who meets whom by name, and what that comes to; what the program tells of itself |
//! | 8 | [`ui`] | the dashboard: the only module that knows the terminal libraries |
//! | 9 | [`cli`] | the command line |
//!
//! Never: a game knows a network; a genome knows a game (agents turn a game's shape into a genome's ports); an evolution knows
//! a game, an agent or the arena; anything but the arena knows rayon. A test reads the sources and fails on a breach.
//!
//! `preset` stands above `session`, not beside it, because a session is made from a preset, and asks `arena` only whether a
//! game and an agent go together. Evolution works on genomes of any kind behind one enum rather than on a generic genome: a
//! child costs a match, and sessions, checkpoints and champions need no type parameter.
//!
//! # How to add a part
//!
//! A new game, genome, agent, space, pairing, fitness or breeding scheme is one file and one line in its registry
//! ([`games::GameConfig`], [`genomes::GenomeConfig`], [`agents::AgentConfig`], [`evolution::space::SpaceConfig`],
//! [`evolution::pair::PairingConfig`], [`evolution::fitness::FitnessConfig`], [`evolution::breed::BreedingConfig`]). Presets,
//! menus, knobs, the command line and the conformance tests know it from there. A game names its own rules of thumb
//! ([`games::reference::Judge`]), which become reference players and columns of the metrics.
//!
//! Where members live is a part of its own, a space, because pairing and breeding must agree on who is whose neighbor. The hall
//! of fame belongs to the population for the same reason: whoever pairs with it, the rule that feeds it is the same.
//!
//! # Invariants
//!
//! * **One seed, one result.** Every random number comes from [`rng::stream`], named by seed, purpose, generation and index.
//!   Parallel results are collected in order, so neither the number of threads nor a pause, save or resume changes a figure.
//! * **Small games are walked, not thought through.** Where every position can be listed, each member's choice in each
//!   position is worked out once ([`agents::Policy`]), by a player that its unchanged children share ([`arena::player`]), and
//!   a game is a loop over integers.
//! * **What a genome grows into depends on no live setting**, so that players may outlive the turning of knobs.
//! * **The same bits on every machine.** Wide instructions are chosen at run time, but nothing is fused or reordered, and
//!   transcendental functions are our own ([`genomes::activation`]).
//! * **Nothing grows with the length of a run**: earlier champions ([`evolution::archive`]) and the history on screen
//!   ([`metrics::history`]) are bounded; the full record is on disk.
//! * **A setting is declared once** ([`params`]): its default, limits, unit and help serve the preset file, the command line,
//!   the knobs on screen and the documentation.

pub mod features;
pub mod params;
pub mod registry;
pub mod rng;

pub mod contest;
pub mod games;
pub mod genomes;
pub mod metrics;

pub mod agents;

pub mod arena;
pub mod evolution;

pub mod preset;

pub mod session;

pub mod storage;

pub mod experiment;
pub mod journal;
pub mod run;
pub mod tournament;

pub mod ui;

pub mod cli;
