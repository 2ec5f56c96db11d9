//! Exchange of members between runs of one preset, the islands of a larger population (Cohoon,
//! Hegde, Martin & Richards 1987).

use std::sync::Arc;

use rand::RngExt;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use crate::evolution::archive::Champion;
use crate::evolution::breeding::Origin;
use crate::genomes::GenomeError;
use crate::play::phenotype::Phenotype;
use crate::preset::Preset;
use crate::rng::{Purpose, stream};

use super::Session;

/// Why runs of this preset can't exchange champions, if they can't.
pub(super) fn problem(preset: &Preset) -> Option<String> {
    let replacement = &preset.evolution.replacement;
    replacement.traits().refuses_migrants.then(|| {
        format!(
            "{}: replacement `{}` draws all members from one distribution, to which the champion \
            of another island does not belong; try replacement: generational(elites: 20)",
            preset.name,
            replacement.name()
        )
    })
}

/// Which members of the latest generation an island sends to others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MigrantChoice {
    /// The champion and the fittest members that differ from it (Tanese 1989).
    #[default]
    Fittest,
    /// Members drawn at random (Cohoon, Hegde, Martin & Richards 1987).
    Random,
}

impl MigrantChoice {
    /// The name of the choice.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fittest => "fittest",
            Self::Random => "random",
        }
    }
}

/// `count` members of the latest generation that go to other islands; fewer if there are fewer
/// members. `None` before the first generation, and where it takes more than the champion, which is
/// all that a checkpoint has of the generation.
pub(super) fn emigrants(
    session: &Session,
    count: usize,
    choice: MigrantChoice,
) -> Option<Vec<Champion>> {
    let champion = session.state.champion.clone()?;
    if (count, choice) == (1, MigrantChoice::Fittest) {
        return Some(vec![champion]);
    }
    let (latest, seed, generation) = (&session.snapshot, session.seed, session.state.generation);
    if latest.fitness.is_empty() || latest.generation + 1 != generation {
        return None;
    }
    let mut order: Vec<usize> = (0..latest.members.len()).collect();
    let mut first = None;
    match choice {
        MigrantChoice::Fittest => {
            order.retain(|&member| latest.members[member] != champion.genome);
            order.sort_by(|&one, &other| latest.fitness[other].total_cmp(&latest.fitness[one]));
            first = Some(champion);
        }
        // The first stream is that of the places of arrivals.
        MigrantChoice::Random => {
            order.shuffle(&mut stream(seed, Purpose::Migration, generation, 1));
        }
    }
    let others = order.into_iter().map(|member| Champion {
        generation: latest.generation,
        fitness: latest.fitness[member],
        genome: latest.members[member].clone(),
    });
    Some(first.into_iter().chain(others).take(count).collect())
}

/// Puts members of other islands in the places of random members, of copies of the own champion
/// last. They play in the next generation. Fails if one does not fit the preset.
pub(super) fn immigrate(session: &mut Session, migrants: &[Champion]) -> Result<(), GenomeError> {
    let (genome, io_spec) = (&session.preset.genome, session.arena.io_spec());
    for migrant in migrants {
        genome.validate(&migrant.genome, io_spec)?;
    }
    let generation = session.state.generation;
    let own = session.state.champion.as_ref().map(|own| &own.genome);
    let population = &mut session.state.population;
    let members = &population.members;
    let (mut copies, mut others): (Vec<usize>, Vec<usize>) =
        (0..members.len()).partition(|&place| Some(&members[place]) == own);
    let mut rng = stream(session.seed, Purpose::Migration, generation, 0);
    for migrant in migrants.iter().take(members.len()) {
        let places = if others.is_empty() {
            &mut copies
        } else {
            &mut others
        };
        let place = places.swap_remove(rng.random_range(0..places.len()));
        population.members[place] = migrant.genome.clone();
        if let Some(origin) = population.origins.get_mut(place) {
            *origin = Origin::Migrant;
        }
        if let Some(kept) = population.kept_fitness.get_mut(place) {
            *kept = None;
        }
        Arc::make_mut(&mut population.phylogeny).immigrate(place, generation);
        session.players[place] = Arc::new(Phenotype::grown(genome, io_spec, &migrant.genome));
    }
    session.state.migrated = Some(generation);
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::slice;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::evolution::breeding::Operator;
    use crate::genomes::{GenomeConfig, IoSpec};
    use crate::play::pool::Pool;

    const NIM_2X2: &str = include_str!("../../../presets/nim-2x2.ron");

    fn session(text: &str, seed: u64) -> Session {
        let few = [("population", "30"), ("opponents", "10")]
            .map(|(key, value)| (key.to_owned(), value.to_owned()));
        let preset = Preset::parse(text, "test", "test").expect("it is valid");
        let preset = preset.with(&few);
        let pool = Pool::new(1).expect("there is a thread");
        Session::new(preset.expect("it is valid"), seed, Vec::new(), pool).expect("it is valid")
    }

    fn advance(session: &mut Session, generations: u64) {
        for _ in 0..generations {
            session.advance(&AtomicBool::new(false)).expect("a row");
        }
    }

    #[test]
    fn a_migrant_takes_the_place_of_one_member_but_never_of_the_champion() {
        let (mut here, mut there) = (session(NIM_2X2, 1), session(NIM_2X2, 2));
        advance(&mut there, 3);
        let migrant = there.state().champion.clone().expect("it has played");
        for _ in 0..20 {
            advance(&mut here, 1);
            let before = here.state().population.members.clone();
            let own = here.state().champion.clone().expect("it has played");
            let copies = |members: &[_]| members.iter().filter(|&one| *one == own.genome).count();
            let kept = copies(&before);
            assert!(here.takes_migrant());
            here.immigrate(slice::from_ref(&migrant)).expect("it fits");
            assert!(!here.takes_migrant());
            let after = &here.state().population.members;
            assert_eq!(copies(after), kept);
            let changed: Vec<usize> = (0..after.len())
                .filter(|&at| after[at] != before[at])
                .collect();
            assert!(changed.len() <= 1, "{changed:?}");
            advance(&mut here, 1);
            let snapshot = here.snapshot();
            let migrants = snapshot
                .origins
                .iter()
                .filter(|&&origin| origin == Origin::Migrant);
            assert_eq!(migrants.count(), 1);
            let taxa = here.state().population.phylogeny.taxa();
            let mut names: Vec<_> = taxa.iter().map(|taxon| taxon.name).collect();
            let count = names.len();
            names.sort_unstable_by_key(|name| (name.born, name.place, name.is_challenger));
            names.dedup();
            assert_eq!(names.len(), count, "each taxon has a name of its own");
        }
        let taxa = here.state().population.phylogeny.taxa();
        assert!(
            taxa.iter()
                .any(|taxon| taxon.operator == Operator::Migration)
        );
    }

    #[test]
    fn a_genome_of_another_shape_does_not_fit_and_a_distribution_takes_no_migrants() {
        let mut rng = stream(1, Purpose::Initialization, 0, 0);
        let stranger = Champion {
            generation: 0,
            fitness: 0.0,
            genome: GenomeConfig::all()[0].random(&IoSpec::new(1, 7), &mut rng),
        };
        let mut here = session(NIM_2X2, 1);
        assert!(here.immigrate(&[stranger]).is_err());
        assert_eq!(here.state().migrated, None);
        assert_eq!(Session::migration_problem(here.preset()), None);
        let text = include_str!("../../../presets/nim-2x4-cma.ron");
        let drawn = Preset::parse(text, "test", "test").expect("it is valid");
        let problem = Session::migration_problem(&drawn).expect("it is refused");
        assert!(
            problem.contains("`cma_es` draws all members from one distribution"),
            "{problem}"
        );
    }
}
