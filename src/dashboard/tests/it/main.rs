//! The screens as they are drawn, key by key, at the sizes that they are made for.

mod film;
mod fuzz;
mod pictures;
mod remapped;
mod screens;
mod screens_arena;
mod screens_charts;
mod screens_experiment;
mod screens_games;
mod screens_home;
mod screens_log;
mod screens_net;
mod screens_play;
mod screens_population;
mod screens_runs;
mod screens_runs_list;
mod screens_states;
mod screens_sweep;
mod screens_terminal;
mod screens_zoom;
mod support;
