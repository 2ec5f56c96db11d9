//! The dashboard: owns the terminal and a model built from a run's events alone. Nothing else draws or reads keys.

pub mod keymap;
pub mod screens;
pub mod theme;
pub mod widgets;
