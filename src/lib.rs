//! finches.
pub mod agents;
pub mod arena;
pub mod contest;
pub mod evolution;
pub mod games;
pub mod genomes;
pub mod metrics;
pub mod params;
pub mod preset;
pub mod registry;
pub mod rng;
pub mod run;
pub mod session;
pub mod storage;
pub mod ui;
