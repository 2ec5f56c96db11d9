//! The hall of fame: players of earlier generations that members can be measured against, so that a population does not
//! forget what it could once beat (Rosin & Belew 1997; Hynek, "Genetic Algorithm Implementation").

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::genomes::{AnyGenome, GenomeConfig, Ports};
use crate::params::{choices, params};
use crate::registry::registry;
use crate::rng::{Purpose, Stream, stream};

choices! {
    /// Who comes into the hall after a generation, and for whom.
    pub enum Feed {
        /// The fittest members that the hall does not hold yet, for those that have been there longest.
        Newcomers = "newcomers",
        /// The fittest members, held already or not, for those that have been there longest.
        Elites = "elites",
        /// The one fittest member, if the hall does not hold it yet, for the one that has been there longest.
        Best = "best",
        /// The fittest members that the hall does not hold yet, for any.
        Anyone = "anyone",
    }
}

params! {
    /// No hall of fame.
    pub struct Nobody {}
}

params! {
    /// A hall of fame.
    pub struct Hall {
        /// How many players the hall holds, random ones at the start.
        fixed size: u32 = 150, in 1.0..=100000.0, "players";
        /// Who comes into the hall after a generation, and for whom.
        live feed: Feed = Feed::Newcomers;
        /// How many of the fittest members may come in after a generation.
        live entrants: u32 = 20, in 1.0..=100000.0, "members";
    }
}

registry! {
    ($)
    /// Whether there is a hall of fame, and its settings.
    pub enum FameConfig, with_fame {
        /// There is none.
        "nobody" => Nobody(Nobody),
        /// Players of earlier generations are kept and fed by a rule.
        "hall" => Hall(Hall),
    }
}

impl FameConfig {
    /// The settings of the hall, if there is one.
    pub fn hall(&self) -> Option<&Hall> {
        match self {
            Self::Nobody(_) => None,
            Self::Hall(hall) => Some(hall),
        }
    }

    /// How many players the hall holds.
    pub fn size(&self) -> usize {
        self.hall().map_or(0, |hall| hall.size as usize)
    }
}

/// A player of the hall.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Famer {
    pub genome: AnyGenome,
    /// The generation it came in; those of the start, which came before any, have none.
    pub since: Option<u64>,
}

/// A change of the hall: who goes, by place, and which member comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    pub place: usize,
    pub member: usize,
}

/// A hall of random players, empty where there is none.
pub fn random(config: &FameConfig, genome: &GenomeConfig, ports: &Ports, seed: u64) -> Vec<Famer> {
    // Their streams lie apart from those of the population.
    let famer = |index: usize| Famer {
        genome: genome.random(
            ports,
            &mut stream(seed, Purpose::Genesis, u64::MAX, index as u64),
        ),
        since: None,
    };
    (0..config.size()).map(famer).collect()
}

/// What changes in the hall after a generation; `ranked` are the places of the members, the fittest first.
pub fn changes(
    config: &Hall,
    hall: &[Famer],
    members: &[AnyGenome],
    ranked: &[usize],
    rng: &mut Stream,
) -> Vec<Change> {
    let most = match config.feed {
        Feed::Best => 1,
        _ => (config.entrants as usize).min(hall.len()),
    };
    let mut comers: Vec<usize> = Vec::new();
    for &member in ranked.iter().take(most) {
        let held = hall.iter().any(|famer| famer.genome == members[member]);
        let twin = comers
            .iter()
            .any(|&other| members[other] == members[member]);
        if config.feed == Feed::Elites || !(held || twin) {
            comers.push(member);
        }
    }
    let mut places: Vec<usize> = (0..hall.len()).collect();
    if config.feed == Feed::Anyone {
        for from in 0..comers.len().min(places.len()) {
            places.swap(from, rng.random_range(from..hall.len()));
        }
    } else {
        places.sort_by_key(|&place| hall[place].since);
    }
    let changes = places.into_iter().zip(comers);
    changes
        .map(|(place, member)| Change { place, member })
        .collect()
}

/// The share of the hall's players that are like no other in it.
pub fn diversity(hall: &[Famer]) -> f64 {
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
            &Ports::new(1, 1),
            &mut stream(1, Purpose::Genesis, 0, index),
        )
    }

    /// Which members come into a hall of six, four of them older than any generation, for whom.
    fn fed(feed: Feed, entrants: u32) -> Vec<(usize, usize)> {
        let ages = [None, None, Some(3), None, Some(2), None];
        let famer = |(place, since): (usize, Option<u64>)| Famer {
            genome: genome(place as u64),
            since,
        };
        let hall: Vec<Famer> = ages.into_iter().enumerate().map(famer).collect();
        // The fittest is held already, the next two are twins.
        let members = [genome(10), genome(2), genome(11), genome(11)];
        let config = Hall {
            size: 6,
            feed,
            entrants,
        };
        let mut rng = stream(1, Purpose::Breeding, 0, 0);
        let changes = changes(&config, &hall, &members, &[1, 2, 3, 0], &mut rng);
        changes
            .iter()
            .map(|change| (change.place, change.member))
            .collect()
    }

    #[test]
    fn who_comes_in_and_who_goes_is_as_the_rule_says() {
        assert_eq!(fed(Feed::Newcomers, 4), [(0, 2), (1, 0)]);
        assert_eq!(fed(Feed::Newcomers, 2), [(0, 2)]);
        assert_eq!(fed(Feed::Elites, 3), [(0, 1), (1, 2), (3, 3)]);
        assert_eq!(fed(Feed::Best, 4), []);
        let anyone = fed(Feed::Anyone, 4);
        let comers: Vec<usize> = anyone.iter().map(|change| change.1).collect();
        assert_eq!(comers, [2, 0]);
        assert_ne!(anyone[0].0, anyone[1].0);
    }

    #[test]
    fn a_hall_of_twins_is_not_diverse() {
        let hall = |indices: &[u64]| -> Vec<Famer> {
            let famer = |&index: &u64| Famer {
                genome: genome(index),
                since: None,
            };
            indices.iter().map(famer).collect()
        };
        assert_eq!(diversity(&hall(&[1, 2, 3, 4])).to_bits(), 1.0_f64.to_bits());
        assert_eq!(diversity(&hall(&[1, 1, 1, 2])).to_bits(), 0.5_f64.to_bits());
    }
}
