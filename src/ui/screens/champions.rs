//! Where champions come from: the latest ones of the run that goes on, and those that are saved. It draws nothing, and does
//! not know what becomes of them.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::arena::Arena;
use crate::evolution::archive::Champion;
use crate::preset::Preset;
use crate::run::Facts;
use crate::storage::saves::Saves;

/// Champions of the run that goes on that are kept at hand; of a run that is saved, more are on disk.
const AT_HAND: usize = 32;

/// Champions looked at to find one that differs.
const MOST_TRIED: usize = 16;

/// All champions there are.
#[derive(Clone)]
pub(super) struct Champions {
    pub(super) preset: Preset,
    pub(super) arena: Arc<dyn Arena>,
    /// The saved run, by its name.
    saves: Option<(Saves, String)>,
    /// The latest of the run that goes on, in ascending order.
    live: VecDeque<Arc<Champion>>,
}

/// Which champion is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Newest,
    Exactly(u64),
    OlderThan(u64),
    NewerThan(u64),
}

impl Champions {
    pub(super) fn new(facts: &Facts, saves: Option<(Saves, String)>) -> Self {
        Self {
            preset: facts.preset.clone(),
            arena: Arc::clone(&facts.arena),
            saves,
            live: VecDeque::new(),
        }
    }

    /// Takes note of the newest champion of the run that goes on.
    pub(super) fn latest(&mut self, champion: &Champion) {
        if self
            .live()
            .is_some_and(|newest| newest >= champion.generation)
        {
            return;
        }
        if self.live.len() == AT_HAND {
            self.live.pop_front();
        }
        self.live.push_back(Arc::new(champion.clone()));
    }

    /// The generation of the newest champion of the run that goes on.
    pub(super) fn live(&self) -> Option<u64> {
        self.live.back().map(|live| live.generation)
    }

    /// Fetches a champion; `None` where there is none of that kind, and in words what keeps a saved one from being used.
    pub(super) fn fetch(&self, wanted: Wanted) -> Result<Option<Arc<Champion>>, String> {
        let known = self.known()?;
        let found = match wanted {
            Wanted::Newest => known.last(),
            Wanted::Exactly(wanted) => known.iter().find(|&&known| known == wanted),
            Wanted::OlderThan(bound) => known.iter().rfind(|&&known| known < bound),
            Wanted::NewerThan(bound) => known.iter().find(|&&known| known > bound),
        };
        found.map(|&generation| self.read(generation)).transpose()
    }

    /// The champion before another one that differs from it; where there is none, the oldest of those looked at.
    pub(super) fn before(&self, champion: &Champion) -> Result<Option<Arc<Champion>>, String> {
        let mut known = self.known()?;
        known.retain(|&known| known < champion.generation);
        let mut oldest = None;
        for generation in known.into_iter().rev().take(MOST_TRIED) {
            let tried = self.read(generation)?;
            let differs = tried.genome != champion.genome;
            oldest = Some(tried);
            if differs {
                break;
            }
        }
        Ok(oldest)
    }

    /// The generations whose champions can be had, in ascending order.
    fn known(&self) -> Result<Vec<u64>, String> {
        let mut known = match &self.saves {
            Some((saves, name)) => saves.champions(name).map_err(|error| error.to_string())?,
            None => Vec::new(),
        };
        known.extend(self.live.iter().map(|live| live.generation));
        known.sort_unstable();
        known.dedup();
        Ok(known)
    }

    /// A champion that is known.
    fn read(&self, generation: u64) -> Result<Arc<Champion>, String> {
        let mut live = self.live.iter();
        let champion = match live.find(|live| live.generation == generation) {
            Some(champion) => Arc::clone(champion),
            None => self.load(generation)?,
        };
        let genome = &self.preset.genome;
        match genome.fault(&champion.genome, self.arena.ports()) {
            Some(fault) => Err(format!(
                "the champion of generation {generation} can't play here: {fault}"
            )),
            None => Ok(champion),
        }
    }

    fn load(&self, generation: u64) -> Result<Arc<Champion>, String> {
        let (saves, name) = self
            .saves
            .as_ref()
            .expect("a generation that is not at hand was listed by the saves");
        let champion = saves.champion(name, generation);
        champion.map(Arc::new).map_err(|error| error.to_string())
    }
}
