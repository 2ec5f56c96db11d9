//! Grades a whole population: against the population of generation 0 (progress), and against random
//! networks that are the same for every run (baseline). Source: Porter & LeGrand, "Results".

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::agents::{AgentConfig, AgentError};
use crate::contest::Tally;
use crate::evolution::Population;
use crate::genomes::{AnyGenome, GenomeConfig, IoSpec};
use crate::play::matches::{Match, MatchConditions, MatchList, Openings};
use crate::play::phenotype::Phenotype;
use crate::play::pool::Pool;
use crate::play::round_robin;
use crate::play::{self, Arena};
use crate::preset::Preset;
use crate::rng::{Purpose, stream};

/// The number of random networks of the baseline: a torus of 50 by 50.
const BASELINE_NETWORKS: usize = 2500;

/// The seed of the random networks and of the games.
const SEED: u64 = 0x6261_7365_6c69_6e65;

/// The opponents of a population that is graded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GradingOpponents {
    /// The population of generation 0.
    InitialPopulation,
    /// Random networks, the same for every run.
    RandomNetworks,
}

/// The opponents of a run's populations.
pub struct PopulationGrading {
    openings: Openings,
    arena: Arc<dyn Arena>,
    initial_population: Vec<Arc<Phenotype>>,
    baseline_arena: Arc<dyn Arena>,
    random_networks: Vec<Arc<Phenotype>>,
}

impl PopulationGrading {
    /// Makes the opponents. Fails if random networks can't play the game.
    pub fn new(preset: &Preset, seed: u64, arena: &Arc<dyn Arena>) -> Result<Self, AgentError> {
        let genome = &preset.genome;
        let initial_population =
            Population::random(&preset.evolution, genome, arena.io_spec(), seed).members;
        let fresh = GenomeConfig::named("mlp").expect("dense networks are registered");
        let one_ply = AgentConfig::named("one_ply").expect("one-ply choice is registered");
        let baseline_arena = play::build(&preset.game.for_matches(), &one_ply)?;
        let random_network = |index: usize| {
            let mut rng = stream(SEED, Purpose::Initialization, 0, index as u64);
            fresh.random(baseline_arena.io_spec(), &mut rng)
        };
        let random_networks: Vec<AnyGenome> = (0..BASELINE_NETWORKS).map(random_network).collect();
        Ok(Self {
            openings: preset.measures.openings,
            arena: Arc::clone(arena),
            initial_population: players(genome, arena.io_spec(), &initial_population),
            random_networks: players(&fresh, baseline_arena.io_spec(), &random_networks),
            baseline_arena,
        })
    }

    /// Every member against every opponent, once from each side, or a sample of these games if
    /// there are more than `games`. The points are those of the members, which move first in every
    /// other game.
    pub fn match_list(
        &self,
        members: &[Arc<Phenotype>],
        opponents: GradingOpponents,
        games: u64,
    ) -> MatchList {
        let (opponent_arena, others) = match opponents {
            GradingOpponents::InitialPopulation => (&self.arena, &self.initial_population),
            GradingOpponents::RandomNetworks => (&self.baseline_arena, &self.random_networks),
        };
        let match_player = |opponent_arena: &Arc<dyn Arena>, player: &Arc<Phenotype>| {
            Arc::clone(opponent_arena).match_player(Arc::clone(player))
        };
        let own = members
            .iter()
            .map(|player| match_player(&self.arena, player));
        let opposing = others
            .iter()
            .map(|player| match_player(opponent_arena, player));
        MatchList {
            arena: Arc::clone(&self.arena),
            players: own.chain(opposing).collect(),
            matches: sampled_matches(members.len(), others.len(), games),
            conditions: MatchConditions {
                openings: self.openings,
                ..MatchConditions::new(SEED)
            },
        }
    }

    /// Plays the games of [`PopulationGrading::match_list`].
    pub fn grade(
        &self,
        pool: &Pool,
        members: &[Arc<Phenotype>],
        opponents: GradingOpponents,
        games: u64,
    ) -> Tally {
        let list = self.match_list(members, opponents, games);
        round_robin::tally(&list.play_all(pool))
    }
}

/// Makes the players of some genomes.
pub fn players<'a>(
    config: &GenomeConfig,
    io_spec: &IoSpec,
    genomes: impl IntoIterator<Item = &'a AnyGenome>,
) -> Vec<Arc<Phenotype>> {
    let player = |genome| Arc::new(Phenotype::grown(config, io_spec, genome));
    genomes.into_iter().map(player).collect()
}

/// At most `games` games between different pairs of a member and an opponent, in which all members
/// play as often as each other, and so do all opponents, but for one pair. Each pair plays twice,
/// first with the member moving first. The indices of the opponents follow those of the members.
pub fn sampled_matches(members: usize, others: usize, games: u64) -> Vec<Match> {
    let all = members * others;
    let pairs = usize::try_from(games / 2).map_or(all, |pairs| pairs.clamp(1, all));
    // Members and opponents take turns. After as many pairs as their least common multiple the same
    // ones would meet again, so members move on by one.
    let round = all / greatest_common_divisor(members, others);
    let both = |index: usize| {
        let member = (index + index / round) % members;
        let other = members + index % others;
        [[member, other], [other, member]].map(|players| Match {
            players,
            opening: index as u32,
        })
    };
    (0..pairs).flat_map(both).collect()
}

fn greatest_common_divisor(one: usize, other: usize) -> usize {
    if other == 0 {
        one
    } else {
        greatest_common_divisor(other, one % other)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::ops::Range;

    use super::*;

    /// How often each of the players with these indices plays.
    fn counts(matches: &[Match], players: Range<usize>) -> Vec<usize> {
        let count = |player| {
            let own = matches.iter();
            own.filter(|game| game.players.contains(&player)).count()
        };
        players.map(count).collect()
    }

    #[test]
    fn all_pairs_play_twice_if_there_are_enough_games() {
        for (members, others) in [(3, 4), (4, 3), (4, 6), (6, 6), (1, 5), (5, 1)] {
            let all = sampled_matches(members, others, 1000);
            assert_eq!(all.len(), 2 * members * others);
            for member in 0..members {
                for other in members..members + others {
                    for players in [[member, other], [other, member]] {
                        let same = all.iter().filter(|game| game.players == players);
                        assert_eq!(same.count(), 1, "{players:?} of {members} and {others}");
                    }
                }
            }
        }
    }

    #[test]
    fn all_members_and_all_opponents_have_a_part_in_a_sample() {
        for (members, others, games, [each, each_other]) in [
            (100, 2500, 10_000, [100, 4]),
            (100, 100, 2000, [20, 20]),
            (20, 12, 120, [6, 10]),
        ] {
            let some = sampled_matches(members, others, games);
            assert_eq!(some.len() as u64, games);
            let pairs: HashSet<[usize; 2]> = some.iter().map(|game| game.players).collect();
            assert_eq!(pairs.len(), some.len(), "no two games are the same");
            assert_eq!(counts(&some, 0..members), vec![each; members]);
            let rivals = members..members + others;
            assert_eq!(counts(&some, rivals), vec![each_other; others]);
        }
        // Too few games for all: nobody plays more than one pair.
        let few = sampled_matches(100, 2500, 20);
        assert!(counts(&few, 0..2600).into_iter().all(|count| count <= 2));
    }
}
