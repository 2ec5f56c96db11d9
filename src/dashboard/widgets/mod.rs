//! The widgets of the screens. They depend on the theme, but on no run and no screen.

pub mod bands;
pub mod bar;
pub mod board;
pub mod canvas;
pub mod crosshair;
pub mod dendrogram;
pub mod frame;
pub mod gauge;
pub mod heat_map;
pub mod histogram;
pub mod key_label;
pub mod legend;
pub mod list;
pub mod matrix;
pub mod plot;
pub mod series_marker;
pub mod sparkline;
pub mod table;
pub mod text;
pub mod text_input;
pub mod truncate;
pub mod x_axis;
pub mod y_axis;
