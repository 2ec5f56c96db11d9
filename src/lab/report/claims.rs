//! What a publication says of its figures, as data that a page compares with ours.

use serde::de::{Deserialize, Deserializer, Error};

use super::measure::RunFigure;
use super::source::{Many, Name, Names, Prose};
use super::verdict::Published;

/// A published figure of presets.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The presets, a row each.
    pub presets: Names,
    /// What is measured of their runs, a row each.
    pub figure: Many<RunFigure>,
    /// What is published.
    #[serde(default, deserialize_with = "possible")]
    pub published: Published,
    /// The same in words.
    #[serde(default)]
    pub said: Prose,
}

/// The statement that presets are higher than others.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// The presets that are said to be higher, each than each of the others.
    pub higher: Names,
    /// The others.
    pub lower: Names,
    /// What is measured of their runs.
    pub figure: RunFigure,
    /// The statement in words.
    pub said: Prose,
}

/// A stated ratio of the means of two presets.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatioClaim {
    /// The first preset.
    pub of: Names,
    /// The second.
    pub to: Names,
    /// What is measured of their runs.
    pub figure: RunFigure,
    /// The published ratio of the first to the second.
    #[serde(deserialize_with = "possible")]
    pub published: Published,
    /// The statement in words.
    pub said: Prose,
}

/// The statement that the means of presets, or the runs of one, lie close together.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RangeClaim {
    /// The presets.
    pub presets: Names,
    /// The number of runs that the publication has of them. Without it, the means are compared.
    #[serde(default)]
    pub runs: Option<usize>,
    /// What is measured of their runs.
    pub figure: RunFigure,
    /// The largest difference that agrees, at least 0.
    #[serde(deserialize_with = "distance")]
    pub within: f64,
    /// The statement in words.
    pub said: Prose,
}

/// The statement that a preset is among the highest of several in each generation.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RankClaim {
    /// The preset, or several, each of which is said to be.
    pub presets: Names,
    /// Those that it is compared with.
    pub others: Names,
    /// What they are ranked by, from the highest.
    pub column: Name,
    /// The last rank that agrees.
    pub within: usize,
    /// The statement in words.
    pub said: Prose,
}

/// The statement that the last populations of presets beat those of others.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchClaim {
    /// The presets that are said to be stronger, each than each of the others.
    pub stronger: Names,
    /// The others.
    pub weaker: Names,
    /// The statement in words.
    pub said: Prose,
}

impl Claim {
    /// Its presets, each with each of its figures.
    pub(super) fn rows(&self) -> impl Iterator<Item = (&Name, &RunFigure)> {
        let presets = self.presets.iter();
        presets.flat_map(|preset| self.figure.iter().map(move |figure| (preset, figure)))
    }
}

impl Order {
    /// Each preset that is said to be higher with each of the others.
    pub(super) fn pairs(&self) -> impl Iterator<Item = [&Name; 2]> {
        pairs(&self.higher, &self.lower)
    }
}

impl RatioClaim {
    /// The presets of each ratio.
    pub(super) fn pairs(&self) -> impl Iterator<Item = [&Name; 2]> {
        pairs(&self.of, &self.to)
    }
}

/// Each of some names with each of others.
pub(super) fn pairs<'a>(
    first: &'a [Name],
    second: &'a [Name],
) -> impl Iterator<Item = [&'a Name; 2]> {
    first
        .iter()
        .flat_map(move |one| second.iter().map(move |other| [one, other]))
}

/// A published figure that a figure of ours can agree with.
fn possible<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Published, D::Error> {
    let published = Published::deserialize(deserializer)?;
    let problem = match published {
        Published::MeanOf(_, _, 0) | Published::ShareOf(_, 0) => {
            "the last number is that of the runs behind it, at least 1".to_owned()
        }
        Published::ShareOf(share, _) if !(0.0..=1.0).contains(&share) => {
            format!("share_of({share}, …): a share is from 0 to 1, such as 0.661 for 66.1%")
        }
        Published::Exactly(_, half) | Published::MeanOf(_, half, _) if half <= 0.0 => format!(
            "exactly(…, {half}): the second number is the half of the last digit that is printed, \
            such as 0.05 for 13.3"
        ),
        Published::Between(low, high) if low > high => {
            format!(
                "between({low}, {high}): the lower end comes first; write between({high}, {low})"
            )
        }
        _ => return Ok(published),
    };
    Err(D::Error::custom(problem))
}

/// A difference, which is not negative.
fn distance<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let distance = f64::deserialize(deserializer)?;
    if distance < 0.0 {
        let problem = format!("within: must be at least 0, is {distance}");
        return Err(D::Error::custom(problem));
    }
    Ok(distance)
}
