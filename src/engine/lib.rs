//! The engine of finches: rules of board games, networks that play them, and their evolution. A run
//! is a pure function of its preset and seed. Nothing here knows a clock, a file or a terminal;
//! threads are started only by [`play::pool`], and other programs only by [`outside`].
//!
//! Other crates use the engine through `finches`, which re-exports it.
//!
//! # The module map
//!
//! A module imports only from the rows above its own. Modules of one row never import each other.
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
//! A game never knows a network. A genome never knows a game: agents turn the shape of a game into
//! inputs and outputs. Evolution never knows a game, an agent or play. `preset` stands above
//! `session` because a session is made from a preset; it asks `play` only whether a game and an
//! agent fit together.

#![warn(missing_docs)]

pub mod board_geometry;
pub mod input_spec;
pub mod io_module;
pub mod params;
pub mod projection;
pub mod rng;
pub mod simd;
pub mod text;

pub mod registry;

pub mod contest;
pub mod games;
pub mod genomes;
pub mod metrics;

pub mod search;

pub mod agents;

pub mod evolution;
pub mod play;

pub mod outside;
pub mod preset;

pub mod session;
