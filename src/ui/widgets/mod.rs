//! Pieces that screens are put together from. They know no screen.

pub mod bar;
pub mod board;
pub mod entry;
pub mod pane;
