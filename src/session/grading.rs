//! Gradings of a whole population: its progress against the population of generation 0, and a baseline that is the same for
//! every run, fresh networks of one kind (Porter & LeGrand, "Grading").

use std::sync::Arc;

use crate::agents::AgentConfig;
use crate::arena::league;
use crate::arena::meet::{Conditions, Contender, Meeting};
use crate::arena::player::Player;
use crate::arena::pool::Pool;
use crate::arena::{self, Arena};
use crate::evolution::Population;
use crate::genomes::{AnyGenome, GenomeConfig, Ports};
use crate::preset::Preset;
use crate::rng::{Purpose, stream};

/// How many fresh networks make the baseline: a torus of 50 by 50.
const STRANGERS: usize = 2500;

/// The seed of the fresh networks and of the gradings.
const SEED: u64 = 0x6261_7365_6c69_6e65;

/// Whom a population is graded against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponents {
    /// The population of generation 0.
    Beginners,
    /// Fresh networks, the same for every run.
    Strangers,
}

/// What a grading found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Graded {
    /// Share of points, wins and half the draws.
    pub share: f64,
    pub games: u64,
}

/// The opponents of one run's populations.
pub struct Grading {
    arena: Arc<dyn Arena>,
    beginners: Vec<Arc<Player>>,
    plain: Arc<dyn Arena>,
    strangers: Vec<Arc<Player>>,
}

impl Grading {
    /// Makes the opponents. Fails where random networks can't play the game.
    pub fn new(preset: &Preset, seed: u64, arena: &Arc<dyn Arena>) -> Result<Self, String> {
        let genome = &preset.genome;
        let beginners = Population::random(&preset.evolution, genome, arena.ports(), seed).members;
        let fresh = GenomeConfig::named("mlp").expect("dense networks are registered");
        let one_ply = AgentConfig::named("one_ply").expect("one-ply choice is registered");
        let plain = arena::build(&preset.game.plain(), &one_ply)?;
        let stranger = |index: usize| {
            let mut rng = stream(SEED, Purpose::Genesis, 0, index as u64);
            fresh.random(plain.ports(), &mut rng)
        };
        let strangers: Vec<AnyGenome> = (0..STRANGERS).map(stranger).collect();
        Ok(Self {
            arena: Arc::clone(arena),
            beginners: players(genome, arena.ports(), &beginners),
            strangers: players(&fresh, plain.ports(), &strangers),
            plain,
        })
    }

    /// Plays members against opponents: everyone against everyone, once on each side, or where that is more than `games`
    /// an even sample of it.
    pub fn grade(
        &self,
        pool: &Pool,
        members: &[Arc<Player>],
        opponents: Opponents,
        games: u64,
    ) -> Graded {
        let (home, others) = match opponents {
            Opponents::Beginners => (&self.arena, &self.beginners),
            Opponents::Strangers => (&self.plain, &self.strangers),
        };
        let seat = |home: &Arc<dyn Arena>, player: &Arc<Player>| {
            Arc::clone(home).contender(Arc::clone(player))
        };
        let own = members.iter().map(|player| seat(&self.arena, player));
        let contenders: Vec<Contender> = own
            .chain(others.iter().map(|player| seat(home, player)))
            .collect();
        let meetings = meetings(members.len(), others.len(), games);
        let conditions = Conditions {
            seed: SEED,
            key: 0,
            first: 0,
            noise: 0.0,
            halt: None,
        };
        let played = self.arena.meet(pool, &contenders, &meetings, &conditions);
        let played = played.expect("both arenas have the same game");
        // Members move first in every other game, whoever it is they meet.
        let tally = league::tally([0, 1], &played);
        Graded {
            share: tally.share(),
            games: tally.games(),
        }
    }
}

/// The players of some genomes.
pub fn players<'a>(
    config: &GenomeConfig,
    ports: &Ports,
    genomes: impl IntoIterator<Item = &'a AnyGenome>,
) -> Vec<Arc<Player>> {
    let player = |genome| Arc::new(Player::grown(config, ports, genome));
    genomes.into_iter().map(player).collect()
}

/// Pairs of members and others spread evenly over all such pairs, each meeting twice, first with the member moving first;
/// others come after the members.
fn meetings(members: usize, others: usize, games: u64) -> Vec<Meeting> {
    let all = (members * others) as u64;
    let pairs = (games / 2).clamp(1, all);
    let pair = |index: u64| {
        let pair = (u128::from(index) * u128::from(all) / u128::from(pairs)) as usize;
        (pair / others, members + pair % others)
    };
    let both = |index: u64| {
        let (member, other) = pair(index);
        [[member, other], [other, member]].map(|seats| Meeting {
            seats,
            opening: index as u32,
        })
    };
    (0..pairs).flat_map(both).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pairs_meet_twice_where_there_are_games_enough_and_a_sample_is_even() {
        let all = meetings(3, 4, 1000);
        assert_eq!(all.len(), 24);
        for member in 0..3 {
            for other in 3..7 {
                for seats in [[member, other], [other, member]] {
                    assert_eq!(all.iter().filter(|game| game.seats == seats).count(), 1);
                }
            }
        }
        let some = meetings(100, 2500, 1000);
        assert_eq!(some.len(), 1000);
        for member in 0..100 {
            let games = some
                .iter()
                .filter(|game| game.seats.contains(&member))
                .count();
            assert_eq!(games, 10);
        }
    }
}
