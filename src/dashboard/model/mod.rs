//! The state that screens read: the run, the sample game, the champions. It knows no screen.

pub mod animation;
pub mod champions;
pub mod chart_options;
pub mod context;
pub mod direction;
pub mod followed;
pub mod fork;
pub mod health;
pub mod objective;
pub mod playback;
pub mod played_game;
pub mod run;
pub mod run_event;
mod run_state;
pub mod sample_game;
pub mod timing;
pub mod zoom;
