//! Snapshots of a generation that has been played: the fitness and the lineage of each member.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::evolution::breeding::{Origin, Parents};
use crate::evolution::memory::Memory;
use crate::evolution::phylogeny::{Descent, Phylogeny};
use crate::genomes::AnyGenome;
use crate::preset::MAX_GENERATIONS;

use super::SessionState;

/// The members of a generation after their games. Each list is in the order of the members, or
/// empty if a resumed run lacks it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenerationSnapshot {
    /// The generation that has been played.
    pub generation: u64,
    /// The genomes.
    pub members: Vec<AnyGenome>,
    /// The fitness of each member; empty if they have not played or it was not saved.
    pub fitness: Vec<f64>,
    /// How each member was made.
    pub origins: Vec<Origin>,
    /// The generation in which each genome entered the population and since which it has been
    /// unchanged.
    pub born: Vec<Option<u64>>,
    /// As in [`Population`](crate::evolution::Population::kinship).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinship: Vec<f32>,
    /// What the replacement remembers after the generation. It is saved with the state of the run.
    #[serde(skip)]
    pub memory: Memory,
    /// The ancestors of its members. It is saved with the state of the run.
    #[serde(skip)]
    pub phylogeny: Arc<Phylogeny>,
}

impl GenerationSnapshot {
    /// What no generation can be, if anything: a clause for an error message.
    pub fn problem(&self) -> Option<String> {
        let count = self.members.len();
        let lists = [
            ("fitness", self.fitness.len()),
            ("origins", self.origins.len()),
            ("born", self.born.len()),
            ("kinship", self.kinship.len()),
        ];
        let wrong = lists
            .iter()
            .find(|(_, length)| ![0, count].contains(length));
        let wrong = wrong.map(|(name, length)| {
            format!("{name}: must be as many as the members ({count}), are {length}")
        });
        let late = self.generation > MAX_GENERATIONS;
        let late = late.then(|| {
            let generation = self.generation;
            format!("generation: must be at most {MAX_GENERATIONS}, is {generation}")
        });
        wrong.or(late)
    }

    /// The members that play the next generation of a saved run.
    pub fn unplayed(state: &SessionState) -> Self {
        Self {
            generation: state.generation,
            members: state.population.members.clone(),
            origins: state.population.origins.clone(),
            kinship: state.population.kinship.clone(),
            ..Self::default()
        }
    }
}

/// How far a member is at most from its first parent on the circle of kinship. Families of some
/// tens of generations are told apart.
const MOST_DRIFT: f32 = 0.02;

/// The places of offspring on the circle of kinship, from those of their parents; see
/// [`Population::kinship`](crate::evolution::Population::kinship). Empty if parents have none.
pub(super) fn kinship_of_offspring(
    parents: &[f32],
    generation: u64,
    offspring: &[Descent],
) -> Vec<f32> {
    let place_of = |(place, descent): (usize, &Descent)| match descent.parents {
        Parents::One(parent) | Parents::Two([parent, _]) => {
            let drift = match descent.copy_of {
                Some(_) => 0.0,
                None => drift(generation, place),
            };
            (parents[parent] + drift).rem_euclid(1.0)
        }
        Parents::None | Parents::Champion(_) => even_place(place, offspring.len()),
    };
    let shown = if parents.is_empty() { &[] } else { offspring };
    shown.iter().enumerate().map(place_of).collect()
}

/// The places of founders on the circle of kinship, at even distances.
pub(super) fn kinship_of_founders(count: usize) -> Vec<f32> {
    (0..count).map(|place| even_place(place, count)).collect()
}

/// The place of a member without a parent on the circle of kinship.
fn even_place(place: usize, members: usize) -> f32 {
    place as f32 / members as f32
}

/// The step of a newborn member on the circle of kinship. No random number is drawn for it: what is
/// shown must not change what evolves.
fn drift(generation: u64, place: usize) -> f32 {
    // Numbers of low discrepancy in each direction (the golden ratio and its square).
    let mixed = (generation as f64 * 0.618_033_988_749_895 + place as f64 * 0.381_966_011_250_105)
        * 1_000.003;
    (mixed.fract() as f32 * 2.0 - 1.0) * MOST_DRIFT
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::evolution::breeding::Operator;
    use crate::evolution::champion_index;
    use crate::evolution::crossover::CrossoverConfig;
    use crate::evolution::crossover::mate::MateCrossover;
    use crate::evolution::replacement::ReplacementConfig;
    use crate::evolution::replacement::neighborhood::Neighborhood;
    use crate::evolution::space::SpaceConfig;
    use crate::evolution::space::torus::Torus;
    use crate::play::pool::Pool;
    use crate::preset::Preset;
    use crate::session::Session;

    fn session(preset: Preset) -> Session {
        let pool = Pool::new(1).expect("there is a thread");
        Session::new(preset, 1, Vec::new(), pool).expect("it is sound")
    }

    fn small() -> Preset {
        let parameters = [("population", "20"), ("opponents", "10")];
        let parameters = parameters.map(|(key, value)| (key.to_owned(), value.to_owned()));
        Preset::default().with(&parameters).expect("it is sound")
    }

    #[test]
    fn an_unchanged_copy_is_where_its_parent_is_and_others_are_near_it() {
        let founders = kinship_of_founders(20);
        let descent = |copy_of, parents| Descent {
            copy_of,
            parents,
            operator: Operator::Copy,
        };
        let offspring = [
            descent(Some(2), Parents::One(2)),
            descent(None, Parents::One(2)),
            descent(Some(0), Parents::Two([0, 1])),
        ];
        let second = kinship_of_offspring(&founders, 1, &offspring);
        assert_eq!(second[0].to_bits(), founders[2].to_bits());
        assert_eq!(second[2].to_bits(), founders[0].to_bits());
        let apart = (second[1] - founders[2]).abs();
        assert!(apart > 0.0 && apart <= MOST_DRIFT, "{apart}");
        assert!(kinship_of_offspring(&[], 1, &offspring).is_empty());
    }

    #[test]
    fn a_snapshot_has_the_members_that_the_fitness_belongs_to() {
        let mut session = session(small());
        assert!(session.snapshot().members.is_empty());
        for generation in 0..6 {
            let members = session.state().population.members.clone();
            session.advance(&AtomicBool::new(false));
            let snapshot = session.snapshot();
            assert_eq!(
                (snapshot.generation, &snapshot.members),
                (generation, &members)
            );
            let best = &snapshot.members[champion_index(&snapshot.fitness)];
            let champion = session.state().champion.as_ref();
            assert_eq!(Some(best), champion.map(|champion| &champion.genome));
            assert_eq!(snapshot.origins.len(), members.len());
            let is_old = snapshot.born.iter().any(|&born| born < Some(generation));
            assert_eq!(is_old, generation > 0, "elites stay");
        }
    }

    #[test]
    fn a_resumed_session_shows_the_saved_snapshot_and_evolves_as_without_it() {
        let halt = AtomicBool::new(false);
        let mut first = session(small());
        first.advance(&halt);
        first.advance(&halt);
        let resumed = || {
            let pool = Pool::new(1).expect("there is a thread");
            let state = first.state().clone();
            Session::resume(small(), 1, Vec::new(), state, pool).expect("it is the same run")
        };
        let saved = GenerationSnapshot::clone(first.snapshot());
        let (mut plain, mut shown) = (resumed(), resumed());
        shown.restore_snapshot(Some(saved.clone()));
        assert_eq!(**shown.snapshot(), saved);
        assert_eq!(shown.fitness(), saved.fitness);
        let older = GenerationSnapshot {
            generation: 0,
            ..saved
        };
        for unfit in [Some(older), None] {
            let mut without = resumed();
            without.restore_snapshot(unfit);
            let snapshot = without.snapshot();
            assert_eq!((snapshot.generation, snapshot.fitness.len()), (2, 0));
            assert_eq!(snapshot.members, first.state().population.members);
        }
        assert_eq!(plain.advance(&halt), shown.advance(&halt));
        assert_eq!(plain.state(), shown.state());
        assert_eq!(plain.snapshot(), shown.snapshot());
        let mut fresh = session(small());
        fresh.restore_snapshot(None);
        assert!(fresh.snapshot().members.is_empty(), "nothing was saved");
    }

    #[test]
    fn a_resumed_session_knows_ages_origins_and_kinship() {
        let halt = AtomicBool::new(false);
        let mut preset = small();
        preset.evolution.space = SpaceConfig::Torus(Torus { width: 5 });
        for preset in [small(), preset] {
            let mut whole = session(preset.clone());
            for _ in 0..4 {
                whole.advance(&halt);
            }
            let pool = Pool::new(1).expect("there is a thread");
            let state = whole.state().clone();
            let resumed = Session::resume(preset.clone(), 1, Vec::new(), state, pool);
            let mut resumed = resumed.expect("it is the same run");
            whole.advance(&halt);
            resumed.advance(&halt);
            assert_eq!(resumed.snapshot(), whole.snapshot());
            assert!(whole.snapshot().born.iter().all(Option::is_some));
            assert_eq!(whole.snapshot().origins.len(), 20);
        }
    }

    #[test]
    fn families_spread_over_a_torus_on_which_each_cell_is_a_parent_of_its_offspring() {
        let mut preset = small();
        preset.evolution.space = SpaceConfig::Torus(Torus { width: 5 });
        preset.evolution.replacement = ReplacementConfig::Neighborhood(Neighborhood::default());
        preset.evolution.crossover = CrossoverConfig::Mate(MateCrossover {
            rate: 1.0,
            mutate_crossovers: true,
        });
        let mut session = session(preset);
        for _ in 0..80 {
            session.advance(&AtomicBool::new(false));
        }
        let phylogeny = &session.snapshot().phylogeny;
        let founder = |&taxon: &u32| phylogeny.line(taxon).last();
        let mut founders: Vec<_> = phylogeny.played().iter().map(founder).collect();
        founders.sort_unstable();
        founders.dedup();
        assert!(founders.len() < 10, "{founders:?} of 20 have descendants");
    }

    #[test]
    fn what_an_old_state_lacks_is_unknown_for_one_generation() {
        let halt = AtomicBool::new(false);
        let mut first = session(small());
        first.advance(&halt);
        let mut state = first.state().clone();
        (state.population.origins, state.population.phylogeny) = Default::default();
        let pool = Pool::new(1).expect("there is a thread");
        let resumed = Session::resume(small(), 1, Vec::new(), state, pool);
        let mut resumed = resumed.expect("it is the same run");
        assert!(resumed.snapshot().members.is_empty());
        resumed.advance(&halt);
        let snapshot = resumed.snapshot();
        assert_eq!((snapshot.origins.len(), snapshot.born[0]), (0, None));
        resumed.advance(&halt);
        assert_eq!(resumed.snapshot().origins.len(), 20);
    }
}
