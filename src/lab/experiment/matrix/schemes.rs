//! The schemes of the table: how a population is paired, judged and replaced, as in the
//! publications and beyond them. They are in `schemes.ron`.

use std::sync::LazyLock;

use serde::Deserialize;

/// A scheme of the table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scheme {
    /// The name on the command line and in the table.
    pub name: String,
    /// What it is, in a few words.
    pub about: String,
    /// The publication that it is from.
    pub source: String,
    /// Whether it evolves NEAT's growing network and not the dense network of the game, which is
    /// the same for all other schemes.
    #[serde(default)]
    pub grows: bool,
    /// The evolution, as in a preset.
    pub evolution: String,
}

/// All schemes in the order of the table.
pub static SCHEMES: LazyLock<Vec<Scheme>> =
    LazyLock::new(|| super::listed(include_str!("schemes.ron")));
