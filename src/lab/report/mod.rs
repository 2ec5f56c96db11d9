//! Reports: self-contained HTML pages of runs and experiments, and of publications with their
//! figures beside ours. The same runs give the same bytes.

mod champion;
mod charts;
mod check;
pub mod claims;
mod commands;
mod contests;
mod distributions;
pub mod experiment_page;
pub mod fixed_players;
mod judged;
mod matrix_page;
pub mod measure;
pub mod page;
pub mod paper;
pub mod papers;
mod ranks;
pub mod render;
pub mod results;
pub mod run_page;
pub mod source;
pub mod strategies;
pub mod sweep_page;
mod tables;
pub mod verdict;
mod words;
