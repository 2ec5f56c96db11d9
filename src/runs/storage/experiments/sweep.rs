//! What the presets of an experiment stand for if it is a sweep: combinations of values of some
//! parameters.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::storage::{StorageError, files};
use finches_engine::params::from_ron;
use finches_engine::preset::Preset;

use super::ExperimentFolder;
use super::manifest::Manifest;

/// The largest file that describes a sweep, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// A sweep: the varied parameters, the values of each combination, and what is compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SweepDefinition {
    /// The preset without the values that are varied.
    pub base: Preset,
    /// Whether it can be run, so that the best combination is compared with it.
    pub has_unchanged: bool,
    /// The full keys of the varied parameters.
    pub keys: Vec<String>,
    /// The values of each combination in the order of the keys, one combination for each preset.
    pub combinations: Vec<Vec<String>>,
    /// How the combinations were chosen.
    pub design: SweepDesign,
    /// The column that is compared if there is no target; `None` is the objective.
    pub column: Option<String>,
    /// Whether low values of the column are good.
    pub lowest: bool,
    /// Successive halving: of each round, one in so many combinations goes on.
    pub halving: Option<u64>,
    /// What the combinations get more of from round to round.
    #[serde(default, skip_serializing_if = "HalvingResource::is_runs")]
    pub resource: HalvingResource,
    /// Whether the combinations are divided into brackets whose first rounds differ in length.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hyperband: bool,
    /// Runs with fresh seeds that confirm the best combination.
    pub confirm: u64,
}

impl SweepDefinition {
    /// A grid whose combinations all run to their end and are compared by the objective, with the
    /// base beside them.
    pub fn grid(base: Preset, keys: Vec<String>, combinations: Vec<Vec<String>>) -> Self {
        Self {
            base,
            has_unchanged: true,
            keys,
            combinations,
            design: SweepDesign::Grid,
            column: None,
            lowest: false,
            halving: None,
            resource: HalvingResource::Runs,
            hyperband: false,
            confirm: 0,
        }
    }
}

/// What the combinations of a sweep with successive halving get more of from round to round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HalvingResource {
    /// Runs with other seeds, each to its end.
    #[default]
    Runs,
    /// Generations of all its runs, which go on where they stopped.
    Generations,
}

/// How the combinations of a sweep are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SweepDesign {
    /// Every combination of the values.
    #[default]
    Grid,
    /// So many combinations, each value drawn on its own.
    Random(usize),
    /// So many combinations of a Latin hypercube: each range is cut into as many parts, and each
    /// part is used once.
    LatinHypercube(usize),
}

/// The file of a sweep: what can also be said on the command line.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename = "")]
pub struct SweepFile {
    /// The name of a preset, or a .ron file.
    pub preset: String,
    /// What is varied: `KEY=VALUE,VALUE` or `KEY=LOW..HIGH`.
    pub vary: Vec<String>,
    /// Changes of all combinations, as `KEY=VALUE`.
    #[serde(default)]
    pub set: Vec<String>,
    /// How the combinations are chosen.
    #[serde(default)]
    pub design: SweepDesign,
    /// Runs of each combination.
    #[serde(default = "default_runs")]
    pub runs: u64,
    /// The seed of the sweep.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// The column that is compared if there is no target.
    #[serde(default)]
    pub column: Option<String>,
    /// Whether low values of the column are good.
    #[serde(default)]
    pub lowest: bool,
    /// Successive halving.
    #[serde(default)]
    pub halving: Option<u64>,
    /// What the combinations get more of from round to round.
    #[serde(default)]
    pub resource: HalvingResource,
    /// Whether the combinations are divided into brackets.
    #[serde(default)]
    pub hyperband: bool,
    /// Runs with fresh seeds for the best; as many as `runs` if it is left out.
    #[serde(default)]
    pub confirm: Option<u64>,
    /// Whether invalid combinations are left out.
    #[serde(default)]
    pub skip_invalid: bool,
}

/// The folder of the runs with fresh seeds of the best combination, within that of the sweep.
fn confirmation_root(root: &Path) -> PathBuf {
    root.join("confirmation")
}

/// Begins the runs with fresh seeds of the best combination of the sweep in a folder, or continues
/// them.
pub fn begin_confirmation(
    root: &Path,
    manifest: Manifest,
) -> Result<ExperimentFolder, StorageError> {
    let folder = confirmation_root(root);
    files::create_own_folder(&folder)?;
    ExperimentFolder::begin(folder, manifest, "")
}

/// The runs with fresh seeds of the best combination, if there are any.
pub fn confirmation(root: &Path) -> Result<Vec<ExperimentFolder>, StorageError> {
    let root = confirmation_root(root);
    if root.is_dir() {
        ExperimentFolder::open(&[root])
    } else {
        Ok(Vec::new())
    }
}

/// Runs of each combination unless given.
pub fn default_runs() -> u64 {
    10
}

/// The seed of a sweep unless given.
pub fn default_seed() -> u64 {
    1
}

impl HalvingResource {
    /// Whether it is the one that is not written to files.
    #[allow(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde passes a reference"
    )]
    fn is_runs(&self) -> bool {
        *self == Self::Runs
    }
}

impl SweepFile {
    /// Reads the file of a sweep.
    pub fn read(path: &Path) -> Result<Self, StorageError> {
        const ADVICE: &str = "see `finches sweep --help` for an example";
        let bytes = files::read(path, MAX_FILE_BYTES)?;
        let text = String::from_utf8(bytes);
        let text = text.map_err(|_| StorageError::unusable(path, "is not a text", ADVICE))?;
        from_ron(&text).map_err(|error| StorageError::unusable(path, error.to_string(), ADVICE))
    }
}

impl SweepDefinition {
    /// The last words of the keys, or the whole keys if two parameters have the same last word.
    pub fn names(&self) -> Vec<&str> {
        let last = |key: &'_ str| {
            key.rsplit('.')
                .next()
                .map_or(0, |word| key.len() - word.len())
        };
        let short: Vec<&str> = self.keys.iter().map(|key| &key[last(key)..]).collect();
        let is_unique = |name: &&str| short.iter().filter(|other| *other == name).count() == 1;
        let keys = self.keys.iter().zip(&short);
        keys.map(|(key, name)| if is_unique(name) { name } else { key.as_str() })
            .collect()
    }

    /// Whether only the best combinations are run to their last generation.
    pub fn halves_generations(&self) -> bool {
        self.halving.is_some() && self.resource == HalvingResource::Generations
    }

    /// Whether low values are good: of a column if that is said, and of the generations to a target
    /// always.
    pub fn is_lowest_best(&self) -> bool {
        self.lowest || self.base.stop_condition().is_some()
    }

    /// The same sweep without descriptions.
    pub(super) fn without_descriptions(&self) -> Self {
        Self {
            base: self.base.without_descriptions(),
            ..self.clone()
        }
    }
}
