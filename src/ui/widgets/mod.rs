//! The parts that screens are built of. They know the theme, but no run and no screen.

pub mod across;
pub mod axis;
pub mod bar;
pub mod board;
pub mod canvas;
pub mod cap;
pub mod entry;
pub mod fan;
pub mod fit;
pub mod frame;
pub mod gauge;
pub mod heat;
pub mod histogram;
pub mod legend;
pub mod needle;
pub mod plot;
pub mod sign;
pub mod spark;
pub mod text;
