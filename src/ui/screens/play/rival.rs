//! Who sits opposite: the champion of one generation with its grown brain, found among the live one and the saved ones.

use std::sync::Arc;

use crate::arena::Arena;
use crate::evolution::archive::Champion;
use crate::genomes::{Brain, Topology};
use crate::preset::Preset;
use crate::run::Facts;
use crate::storage::saves::Saves;

/// A champion ready to play.
pub(super) struct Rival {
    pub(super) generation: u64,
    pub(super) brain: Arc<dyn Brain>,
    pub(super) topology: Topology,
}

impl Rival {
    /// The champion as a subject of a sentence, in its middle.
    pub(super) fn name(&self) -> String {
        format!("the champion of generation {}", self.generation)
    }

    /// The same at the beginning.
    pub(super) fn title(&self) -> String {
        format!("The champion of generation {}", self.generation)
    }
}

/// Where champions come from.
pub(super) struct Bench {
    preset: Preset,
    arena: Arc<dyn Arena>,
    /// The saved run, by its name.
    saves: Option<(Saves, String)>,
    /// The newest champion of the run that goes on.
    pub(super) live: Option<Champion>,
}

/// Which champion is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Newest,
    Exactly(u64),
    OlderThan(u64),
    NewerThan(u64),
}

impl Bench {
    pub(super) fn new(facts: &Facts, saves: Option<(Saves, String)>) -> Self {
        Self {
            preset: facts.preset.clone(),
            arena: Arc::clone(&facts.arena),
            saves,
            live: None,
        }
    }

    /// Takes note of the newest champion of the run that goes on.
    pub(super) fn latest(&mut self, champion: &Champion) {
        self.live = Some(champion.clone());
    }

    /// The generation of the newest champion of the run that goes on.
    pub(super) fn live(&self) -> Option<u64> {
        self.live.as_ref().map(|live| live.generation)
    }

    /// Fetches a champion; `None` where there is none of that kind, and in words what keeps a saved one from playing.
    pub(super) fn fetch(&self, wanted: Wanted) -> Result<Option<Rival>, String> {
        let mut known = self.saved()?;
        known.extend(self.live());
        let found = match wanted {
            Wanted::Newest => known.iter().max(),
            Wanted::Exactly(wanted) => known.iter().find(|&&known| known == wanted),
            Wanted::OlderThan(bound) => known.iter().filter(|&&known| known < bound).max(),
            Wanted::NewerThan(bound) => known.iter().filter(|&&known| known > bound).min(),
        };
        found.map(|&generation| self.seat(generation)).transpose()
    }

    fn saved(&self) -> Result<Vec<u64>, String> {
        let Some((saves, name)) = &self.saves else {
            return Ok(Vec::new());
        };
        saves.champions(name).map_err(|error| error.to_string())
    }

    fn seat(&self, generation: u64) -> Result<Rival, String> {
        let live = self
            .live
            .as_ref()
            .filter(|live| live.generation == generation);
        if let Some(champion) = live {
            return self.grow(champion);
        }
        let (saves, name) = self
            .saves
            .as_ref()
            .expect("a generation that is not the live one was listed by the saves");
        let champion = saves
            .champion(name, generation)
            .map_err(|error| error.to_string())?;
        self.grow(&champion)
    }

    fn grow(&self, champion: &Champion) -> Result<Rival, String> {
        let genome = &self.preset.genome;
        if let Some(fault) = genome.fault(&champion.genome, self.arena.ports()) {
            let generation = champion.generation;
            return Err(format!(
                "the champion of generation {generation} can't play here: {fault}"
            ));
        }
        Ok(Rival {
            generation: champion.generation,
            brain: Arc::from(genome.grow(&champion.genome)),
            topology: champion.genome.topology(),
        })
    }
}
