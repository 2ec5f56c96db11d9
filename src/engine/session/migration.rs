//! Exchange of champions between runs of one preset, the islands of a larger population (Cohoon,
//! Hegde, Martin & Richards 1987).

use std::sync::Arc;

use rand::RngExt;

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

/// Puts the champion of another island in the place of a random member that is no copy of the own
/// champion. It plays in the next generation. Fails if it does not fit the preset.
pub(super) fn immigrate(session: &mut Session, migrant: &Champion) -> Result<(), GenomeError> {
    let (genome, io_spec) = (&session.preset.genome, session.arena.io_spec());
    genome.validate(&migrant.genome, io_spec)?;
    let generation = session.state.generation;
    let own = session.state.champion.as_ref().map(|own| &own.genome);
    let population = &mut session.state.population;
    let members = population.members.iter().enumerate();
    let others = members.filter(|(_, member)| Some(*member) != own);
    let mut places: Vec<usize> = others.map(|(place, _)| place).collect();
    if places.is_empty() {
        places = (0..population.members.len()).collect();
    }
    let mut rng = stream(session.seed, Purpose::Migration, generation, 0);
    let place = places[rng.random_range(0..places.len())];
    population.members[place] = migrant.genome.clone();
    if let Some(origin) = population.origins.get_mut(place) {
        *origin = Origin::Migrant;
    }
    if let Some(kept) = population.kept_fitness.get_mut(place) {
        *kept = None;
    }
    Arc::make_mut(&mut population.phylogeny).immigrate(place, generation);
    session.players[place] = Arc::new(Phenotype::grown(genome, io_spec, &migrant.genome));
    session.state.migrated = Some(generation);
    Ok(())
}

#[cfg(test)]
mod tests {
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
            here.immigrate(&migrant).expect("it fits");
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
        assert!(here.immigrate(&stranger).is_err());
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
