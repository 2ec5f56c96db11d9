//! Grades a whole population: against the population of generation 0 (progress), and against random networks that are the same
//! for every run (baseline). Source: Porter & LeGrand, "Grading".

use std::sync::Arc;

use crate::agents::{AgentConfig, AgentError};
use crate::contest::Tally;
use crate::evolution::Population;
use crate::genomes::{AnyGenome, GenomeConfig, IoSpec};
use crate::play::matches::{Match, MatchConditions, MatchPlayer, Openings};
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

    /// Plays every member against every opponent, once from each side, or an even sample of these games if there are more than
    /// `games`.
    pub fn grade(
        &self,
        pool: &Pool,
        members: &[Arc<Phenotype>],
        opponents: GradingOpponents,
        games: u64,
    ) -> Tally {
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
        let match_players: Vec<MatchPlayer> = own
            .chain(
                others
                    .iter()
                    .map(|player| match_player(opponent_arena, player)),
            )
            .collect();
        let matches = sampled_matches(members.len(), others.len(), games);
        let conditions = MatchConditions {
            openings: self.openings,
            ..MatchConditions::new(SEED)
        };
        let played = self
            .arena
            .play_matches(pool, &match_players, &matches, &conditions);
        let played = played.expect("both arenas have the same game");
        // Members move first in every other game.
        round_robin::tally(&played)
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

/// At most `games` games, an even sample of the pairs of a member and an opponent. Each pair plays twice, first with the member moving first. The indices
/// of the opponents follow those of the members.
pub fn sampled_matches(members: usize, others: usize, games: u64) -> Vec<Match> {
    let all = (members * others) as u64;
    let pairs = (games / 2).clamp(1, all);
    let pair = |index: u64| {
        let pair = (u128::from(index) * u128::from(all) / u128::from(pairs)) as usize;
        (pair / others, members + pair % others)
    };
    let both = |index: u64| {
        let (member, other) = pair(index);
        [[member, other], [other, member]].map(|players| Match {
            players,
            opening: index as u32,
        })
    };
    (0..pairs).flat_map(both).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pairs_play_twice_if_there_are_enough_games_and_a_sample_is_even() {
        let all = sampled_matches(3, 4, 1000);
        assert_eq!(all.len(), 24);
        for member in 0..3 {
            for other in 3..7 {
                for players in [[member, other], [other, member]] {
                    assert_eq!(all.iter().filter(|game| game.players == players).count(), 1);
                }
            }
        }
        let some = sampled_matches(100, 2500, 1000);
        assert_eq!(some.len(), 1000);
        for member in 0..100 {
            let games = some
                .iter()
                .filter(|game| game.players.contains(&member))
                .count();
            assert_eq!(games, 10);
        }
    }
}
