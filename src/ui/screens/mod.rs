//! The screens, and what lies over them.

mod champions;
mod first_layer;
pub mod header;
pub mod help;
pub mod home;
pub mod knobs;
pub mod net;
pub mod play;
pub mod quit;
pub mod run;
pub mod too_small;
