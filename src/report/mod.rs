//! Reports: self-contained HTML pages of experiments, and of publications with their figures beside ours. The same runs give the
//! same bytes.

pub mod experiment_page;
pub mod measure;
pub mod page;
pub mod paper;
pub mod papers;
pub mod render;
mod tables;
pub mod verdict;
mod words;
