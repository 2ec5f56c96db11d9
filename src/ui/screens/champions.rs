//! Where champions come from: the latest ones of the run that goes on, and those that are saved. It draws nothing, and does
//! not know what becomes of them.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use crate::arena::Arena;
use crate::evolution::archive::Champion;
use crate::preset::Preset;
use crate::run::Facts;
use crate::session::Census;
use crate::storage::saves::Saves;

/// Champions of the run that goes on that are kept at hand; of a run that is saved, more are on disk.
const AT_HAND: usize = 32;

/// Older champions of a run that is saved nowhere that are kept besides; beyond it every second one goes.
const EARLIER: usize = 128;

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
    /// Those before, thinned out, where they are not on disk.
    earlier: Vec<Arc<Champion>>,
}

/// Which champion is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Newest,
    Exactly(u64),
    OlderThan(u64),
    NewerThan(u64),
}

impl Wanted {
    /// That among some generations in ascending order.
    fn among(self, known: &[u64]) -> Option<u64> {
        let found = match self {
            Self::Newest => known.last(),
            Self::Exactly(wanted) => known.iter().find(|&&known| known == wanted),
            Self::OlderThan(bound) => known.iter().rfind(|&&known| known < bound),
            Self::NewerThan(bound) => known.iter().find(|&&known| known > bound),
        };
        found.copied()
    }
}

impl Champions {
    pub(super) fn new(facts: &Facts, saves: Option<(Saves, String)>) -> Self {
        Self {
            preset: facts.preset.clone(),
            arena: Arc::clone(&facts.arena),
            saves,
            live: VecDeque::new(),
            earlier: Vec::new(),
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
            let oldest = self.live.pop_front();
            self.remember(oldest);
        }
        self.live.push_back(Arc::new(champion.clone()));
    }

    /// Keeps a champion that is nowhere else.
    fn remember(&mut self, champion: Option<Arc<Champion>>) {
        if self.saves.is_some() {
            return;
        }
        self.earlier.extend(champion);
        if self.earlier.len() > EARLIER {
            let mut place = 0;
            self.earlier.retain(|_| {
                place += 1;
                place % 2 == 1
            });
        }
    }

    /// The members of a generation whose population was kept with the run, without what they came to; `None` where there is
    /// none of that kind.
    pub(super) fn population(&self, wanted: Wanted) -> Result<Option<Census>, String> {
        let Some((saves, name)) = &self.saves else {
            return Ok(None);
        };
        let kept = saves.populations(name).map_err(|error| error.to_string())?;
        let Some(generation) = wanted.among(&kept) else {
            return Ok(None);
        };
        let members = saves.population(name, generation);
        let members = members.map_err(|error| error.to_string())?;
        let faults = members.iter().enumerate().filter_map(|(place, member)| {
            let fault = self.preset.genome.fault(member, self.arena.ports())?;
            Some((place + 1, fault))
        });
        if let Some((member, fault)) = faults.take(1).next() {
            let what = format!("member {member} of generation {generation} can't play here");
            return Err(format!("{what}: {fault}"));
        }
        Ok(Some(Census {
            generation,
            members,
            ..Census::default()
        }))
    }

    /// Where files made of a champion go, and how their names begin: beside the folder of a run that is saved, else where the
    /// program was started.
    pub(super) fn export_place(&self) -> (PathBuf, String) {
        match &self.saves {
            Some((saves, name)) => (saves.root().to_owned(), name.clone()),
            None => (PathBuf::from("."), self.preset.name.clone()),
        }
    }

    /// So many champions from the first to the newest, their generations as evenly spread as those that are kept allow; all
    /// of them where there are fewer.
    pub(super) fn spread(&self, count: usize) -> Result<Vec<Arc<Champion>>, String> {
        let chosen = spread(&self.known()?, count).into_iter();
        chosen.map(|generation| self.read(generation)).collect()
    }

    /// The generation of the newest champion of the run that goes on.
    pub(super) fn live(&self) -> Option<u64> {
        self.live.back().map(|live| live.generation)
    }

    /// Fetches a champion; `None` where there is none of that kind, and in words what keeps a saved one from being used.
    pub(super) fn fetch(&self, wanted: Wanted) -> Result<Option<Arc<Champion>>, String> {
        let known = self.known()?;
        let found = wanted.among(&known);
        found.map(|generation| self.read(generation)).transpose()
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
        let at_hand = self.earlier.iter().chain(&self.live);
        known.extend(at_hand.map(|champion| champion.generation));
        known.sort_unstable();
        known.dedup();
        Ok(known)
    }

    /// A champion that is known.
    fn read(&self, generation: u64) -> Result<Arc<Champion>, String> {
        let mut at_hand = self.earlier.iter().chain(&self.live);
        let champion = match at_hand.find(|champion| champion.generation == generation) {
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

/// So many of some generations in ascending order, both ends among them: those next to evenly spread ones.
fn spread(known: &[u64], count: usize) -> Vec<u64> {
    let (Some(&first), Some(&last)) = (known.first(), known.last()) else {
        return Vec::new();
    };
    if known.len() <= count {
        return known.to_vec();
    }
    let steps = count.saturating_sub(1).max(1) as u64;
    let wanted = (0..count as u64).map(|step| first + (last - first) * step / steps);
    let next = |wanted: u64| known.iter().min_by_key(|known| known.abs_diff(wanted));
    let mut chosen: Vec<u64> = wanted.filter_map(next).copied().collect();
    chosen.dedup();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn champions_are_spread_over_the_generations_that_are_kept() {
        let even: Vec<u64> = (0..=100).collect();
        assert_eq!(spread(&even, 5), [0, 25, 50, 75, 100]);
        assert_eq!(spread(&[0, 1, 2, 3, 90, 100], 3), [0, 90, 100]);
        assert_eq!(spread(&[4, 9], 12), [4, 9]);
        assert_eq!(spread(&[0, 1, 2, 3, 1000], 4), [0, 3, 1000]);
        assert_eq!(spread(&[], 4), [0; 0]);
    }
}
