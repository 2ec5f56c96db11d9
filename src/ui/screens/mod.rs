//! The screens and the overlays.

pub mod arena;
pub mod compare;
mod first_layer;
pub mod games;
pub mod header;
pub mod help;
pub mod home;
pub mod log;
mod move_marks;
pub mod net;
pub mod parameters;
mod placeholder;
pub mod play;
pub mod population;
pub mod quit;
pub mod run;
pub mod too_small;
pub mod waiting;
