//! The hall of fame: players of earlier generations that members are evaluated against, so that a
//! population does not lose the ability to beat them (Rosin & Belew 1997; Hynek, "Genetic Algorithm
//! Implementation"). Where the replacement has an archive, a random sample of it enters in place of
//! the fittest.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::genomes::{AnyGenome, GenomeConfig, IoSpec};
use crate::params::{choices, params};
use crate::registry::registry;
use crate::rng::{Purpose, Stream, stream};

choices! {
    /// Which members enter the hall of fame after a generation, and which entries they replace.
    pub enum Admission {
        /// The fittest members not yet in the hall replace the oldest entries.
        New = "new",
        /// The fittest members, duplicates included, replace the oldest entries.
        Elites = "elites",
        /// The fittest member, if not yet in the hall, replaces the oldest entry.
        Best = "best",
        /// The fittest members not yet in the hall replace random entries.
        RandomSlot = "random_slot",
    }
}

params! {
    /// No hall of fame.
    pub struct NoHallOfFame {}
}

params! {
    /// A hall of fame.
    pub struct HallOfFame {
        /// Number of players in the hall of fame; they are random at the start.
        fixed size: u32 = 150, in 1.0..=100000.0, "players";
        /// Which members enter the hall of fame after a generation, and which entries they replace.
        live admission: Admission = Admission::New;
        /// Maximum number of members that enter after a generation.
        live max_admitted: u32 = 20, in 1.0..=100000.0, "members";
    }
}

registry! {
    /// A hall of fame and its parameters.
    pub enum HallOfFameConfig {
        /// No hall of fame.
        "none" => None(NoHallOfFame),
        /// Players of earlier generations, replaced by a rule.
        "hall" => Hall(HallOfFame),
    }
}

impl HallOfFameConfig {
    /// The parameters of the hall of fame, if there is one.
    pub fn hall(&self) -> Option<&HallOfFame> {
        match self {
            Self::None(_) => None,
            Self::Hall(hall) => Some(hall),
        }
    }

    /// Number of players in the hall of fame.
    pub fn size(&self) -> usize {
        self.hall().map_or(0, |hall| hall.size as usize)
    }
}

/// A player in the hall of fame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HallOfFameEntry {
    /// What the player plays with.
    pub genome: AnyGenome,
    /// The generation after which it entered; `None` for the random players of the start.
    pub generation: Option<u64>,
}

/// A member that replaces an entry of the hall of fame, both by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HallReplacement {
    /// The entry to replace.
    pub place: usize,
    /// The member that enters.
    pub member: usize,
}

/// A hall of fame of random players; empty if there is none.
pub fn random(
    config: &HallOfFameConfig,
    genome: &GenomeConfig,
    io_spec: &IoSpec,
    seed: u64,
) -> Vec<HallOfFameEntry> {
    // Their streams are separate from those of the population.
    let entry = |index: usize| {
        let mut rng = stream(seed, Purpose::Initialization, u64::MAX, index as u64);
        let mut player = genome.random(io_spec, &mut rng);
        genome.teach_newborn(&mut player, io_spec);
        HallOfFameEntry {
            genome: player,
            generation: None,
        }
    };
    (0..config.size()).map(entry).collect()
}

/// The replacements after a generation; `ranked` holds the indices of the members, the fittest
/// first.
pub fn replacements(
    config: &HallOfFame,
    hall: &[HallOfFameEntry],
    members: &[AnyGenome],
    ranked: &[usize],
    rng: &mut Stream,
) -> Vec<HallReplacement> {
    let most = match config.admission {
        Admission::Best => 1,
        _ => (config.max_admitted as usize).min(hall.len()),
    };
    let mut admitted: Vec<usize> = Vec::new();
    for &member in ranked.iter().take(most) {
        let held = hall.iter().any(|entry| entry.genome == members[member]);
        let twin = admitted
            .iter()
            .any(|&other| members[other] == members[member]);
        if config.admission == Admission::Elites || !(held || twin) {
            admitted.push(member);
        }
    }
    let mut places: Vec<usize> = (0..hall.len()).collect();
    if config.admission == Admission::RandomSlot {
        for from in 0..admitted.len().min(places.len()) {
            places.swap(from, rng.random_range(from..hall.len()));
        }
    } else {
        places.sort_by_key(|&place| hall[place].generation);
    }
    let changes = places.into_iter().zip(admitted);
    changes
        .map(|(place, member)| HallReplacement { place, member })
        .collect()
}

/// The share of distinct genomes among the entries.
pub fn diversity(hall: &[HallOfFameEntry]) -> f64 {
    let first = |place: usize| {
        let twins = hall[..place].iter();
        !twins
            .clone()
            .any(|other| other.genome == hall[place].genome)
    };
    let distinct = (0..hall.len()).filter(|&place| first(place)).count();
    distinct as f64 / hall.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn genome(index: u64) -> AnyGenome {
        let config = GenomeConfig::named("mlp").expect("it is registered");
        config.random(
            &IoSpec::new(1, 1),
            &mut stream(1, Purpose::Initialization, 0, index),
        )
    }

    /// Replacements in a hall of six, four of them from the start: slots and members.
    fn admitted(admission: Admission, max_admitted: u32) -> Vec<(usize, usize)> {
        let ages = [None, None, Some(3), None, Some(2), None];
        let entry = |(place, since): (usize, Option<u64>)| HallOfFameEntry {
            genome: genome(place as u64),
            generation: since,
        };
        let hall: Vec<HallOfFameEntry> = ages.into_iter().enumerate().map(entry).collect();
        // The fittest is in the hall already, the next two are equal.
        let members = [genome(10), genome(2), genome(11), genome(11)];
        let config = HallOfFame {
            size: 6,
            admission,
            max_admitted,
        };
        let mut rng = stream(1, Purpose::Reproduction, 0, 0);
        let changes = replacements(&config, &hall, &members, &[1, 2, 3, 0], &mut rng);
        changes
            .iter()
            .map(|change| (change.place, change.member))
            .collect()
    }

    #[test]
    fn each_admission_rule_replaces_the_right_entries() {
        assert_eq!(admitted(Admission::New, 4), [(0, 2), (1, 0)]);
        assert_eq!(admitted(Admission::New, 2), [(0, 2)]);
        assert_eq!(admitted(Admission::Elites, 3), [(0, 1), (1, 2), (3, 3)]);
        assert_eq!(admitted(Admission::Best, 4), []);
        let random_slot = admitted(Admission::RandomSlot, 4);
        let admitted: Vec<usize> = random_slot.iter().map(|change| change.1).collect();
        assert_eq!(admitted, [2, 0]);
        assert_ne!(random_slot[0].0, random_slot[1].0);
    }

    #[test]
    fn a_hall_of_twins_is_not_diverse() {
        let hall = |indices: &[u64]| -> Vec<HallOfFameEntry> {
            let entry = |&index: &u64| HallOfFameEntry {
                genome: genome(index),
                generation: None,
            };
            indices.iter().map(entry).collect()
        };
        assert_eq!(diversity(&hall(&[1, 2, 3, 4])).to_bits(), 1.0_f64.to_bits());
        assert_eq!(diversity(&hall(&[1, 1, 1, 2])).to_bits(), 0.5_f64.to_bits());
    }
}
