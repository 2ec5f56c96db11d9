//! New members learn before they play. A team teaches some of them.

use std::ops::Range;
use std::sync::Arc;

use crate::genomes::AnyGenome;
use crate::genomes::learning::Inheritance;
use crate::play::phenotype::Phenotype;

use super::Session;
use super::pretraining::taught_by_games;
use super::team::{SharedWork, TeamPlayer, WorkRequest, WorkResults};

/// Teaches the new members of a generation what is inherited of their learning: lessons, or what
/// their own games teach them.
pub(super) fn teach_newborns(session: &Session, born: Vec<&mut AnyGenome>, generation: u64) {
    let genomes: Vec<&AnyGenome> = born.iter().map(|genome| &**genome).collect();
    let inheritance = session.arena.io_spec().inheritance();
    let taught = if let Some(learning) = session.preset.evolution.lifetime.self_play() {
        session.pool.map_with(
            genomes.len(),
            || (),
            |(), index| taught_by_games(session, learning, genomes[index], (generation, index)),
        )
    } else if inheritance == Some(Inheritance::Lamarckian) {
        taught(session, &genomes)
    } else {
        return;
    };
    for (genome, taught) in born.into_iter().zip(taught) {
        *genome = taught;
    }
}

/// The players of new members, which learn now if their lessons are not inherited.
pub(super) fn players(session: &Session, genomes: &[&AnyGenome]) -> Vec<Arc<Phenotype>> {
    let (config, io_spec) = (&session.preset.genome, session.arena.io_spec());
    let learns = io_spec.inheritance() == Some(Inheritance::Baldwinian);
    let learned = learns.then(|| taught(session, genomes));
    let player = |(): &mut (), index: usize| {
        let genome = (learned.as_ref()).map_or(genomes[index], |learned| &learned[index]);
        Arc::new(Phenotype::grown_unlearned(config, io_spec, genome))
    };
    session.pool.map_with(genomes.len(), || (), player)
}

/// Genomes after their lessons.
fn taught(session: &Session, genomes: &[&AnyGenome]) -> Vec<AnyGenome> {
    let Some(team) = session.team.as_deref() else {
        return taught_here(session, genomes);
    };
    let mut lessons = SharedLessons {
        session,
        genomes,
        taught: vec![None; genomes.len()],
    };
    team.work(&mut lessons);
    let taught = lessons.taught.into_iter();
    taught
        .map(|genome| genome.expect("the session waits for all of them"))
        .collect()
}

/// The same, on the threads of this process.
pub(super) fn taught_here(session: &Session, genomes: &[&AnyGenome]) -> Vec<AnyGenome> {
    let (config, io_spec) = (&session.preset.genome, session.arena.io_spec());
    let teach = |(): &mut (), index: usize| config.taught(genomes[index], io_spec);
    session.pool.map_with(genomes.len(), || (), teach)
}

/// The lessons of new members, one task for each.
struct SharedLessons<'a> {
    session: &'a Session,
    genomes: &'a [&'a AnyGenome],
    taught: Vec<Option<AnyGenome>>,
}

impl SharedWork for SharedLessons<'_> {
    fn kind(&self) -> u64 {
        u64::MAX
    }

    fn count(&self) -> usize {
        self.genomes.len()
    }

    fn players(&self) -> Option<Vec<TeamPlayer<'_>>> {
        None
    }

    fn request(&self, part: Range<usize>) -> WorkRequest {
        let genomes = self.genomes[part].iter();
        WorkRequest::Lessons(genomes.copied().cloned().collect())
    }

    fn place(&mut self, part: Range<usize>, results: WorkResults) {
        let WorkResults::Genomes(taught) = results else {
            unreachable!("a teammate answers what it was asked");
        };
        for (place, genome) in self.taught[part].iter_mut().zip(taught) {
            *place = Some(genome);
        }
    }

    fn do_here(&mut self, part: Range<usize>) {
        let taught = taught_here(self.session, &self.genomes[part.clone()]);
        self.place(part, WorkResults::Genomes(taught));
    }
}
