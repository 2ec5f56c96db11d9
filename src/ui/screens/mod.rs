//! The screens, and what lies over them.

pub mod arena;
pub mod awaited;
mod champions;
pub mod compare;
mod first_layer;
pub mod games;
pub mod header;
pub mod help;
pub mod home;
pub mod knobs;
pub mod log;
pub mod net;
pub mod play;
pub mod population;
pub mod quit;
pub mod run;
mod signs;
pub mod too_small;
mod unplayed;
