//! One file or folder per screen: each takes keys, changes its own model, and draws it.

pub mod knobs;
pub mod play;
