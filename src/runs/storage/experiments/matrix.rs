//! What the presets of an experiment stand for if it is a table of games and schemes.

use serde::{Deserialize, Serialize};

/// A table of games and schemes: the place of each preset in it, and what is not in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatrixDefinition {
    /// The number of games that each run may play.
    pub budget: u64,
    /// The place of each preset, in the order of the presets.
    pub cells: Vec<MatrixCell>,
    /// Games and schemes that do not fit together.
    pub omitted: Vec<OmittedCell>,
}

/// A game and a scheme.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatrixCell {
    /// The name of the game.
    pub game: String,
    /// The name of the scheme.
    pub scheme: String,
    /// The column that judges the champion of the last generation.
    pub column: String,
}

/// A game and a scheme that do not fit together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OmittedCell {
    /// The name of the game.
    pub game: String,
    /// The name of the scheme.
    pub scheme: String,
    /// Why.
    pub reason: String,
}
