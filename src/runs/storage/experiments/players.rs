//! Players of a run of an experiment, kept so that its report can show them and let them play.

use serde::{Deserialize, Serialize};

use finches_engine::evolution::archive::Champion;
use finches_engine::genomes::AnyGenome;
use finches_engine::metrics::stats::spread::even_sample;
use finches_engine::session::{Session, SessionState};

/// The players of a finished run: the content of `runs/PRESET-SEED.ron`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptPlayers {
    /// Champions spread evenly over the run, oldest first; the last is that of its last generation.
    pub champions: Vec<Champion>,
    /// The last two populations that the preset keeps (`keep_every`), the earlier one first.
    pub populations: Vec<KeptPopulation>,
}

/// A whole population.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptPopulation {
    /// The generation that these members played.
    pub generation: u64,
    /// The genomes.
    pub members: Vec<AnyGenome>,
}

/// The most champions that are kept of a run.
const CHAMPIONS: usize = 17;

/// The most populations that are kept of a run.
const POPULATIONS: usize = 2;

impl KeptPlayers {
    /// Keeps the population that plays the session's next generation, if its preset keeps that one.
    pub fn add_population(&mut self, session: &Session) {
        let generation = session.generation();
        // A generation that was halted is played again.
        let is_known = self
            .populations
            .last()
            .is_some_and(|kept| kept.generation == generation);
        if session.preset().saves_population(generation) && !is_known {
            if self.populations.len() == POPULATIONS {
                self.populations.remove(0);
            }
            self.populations.push(KeptPopulation {
                generation,
                members: session.state().population.members.clone(),
            });
        }
    }

    /// Keeps champions of a run that has ended.
    pub fn add_champions(&mut self, state: &SessionState) {
        let Some(last) = &state.champion else {
            return;
        };
        let archived = state.population.archive.champions().iter();
        let earlier: Vec<&Champion> = archived
            .filter(|champion| champion.generation < last.generation)
            .collect();
        let spread = even_sample(&earlier, CHAMPIONS - 1).into_iter().copied();
        self.champions = spread.chain([last]).cloned().collect();
    }

    /// All genomes.
    pub(super) fn genomes(&self) -> impl Iterator<Item = &AnyGenome> {
        let champions = self.champions.iter().map(|champion| &champion.genome);
        let members = self.populations.iter().flat_map(|kept| &kept.members);
        champions.chain(members)
    }
}
