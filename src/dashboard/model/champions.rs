//! Champions by generation, from the current run and from disk. No drawing.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use crate::jobs::JobError;
use finches_engine::evolution::archive::Champion;
use finches_engine::genomes::AnyGenome;
use finches_engine::play::Arena;
use finches_engine::play::phenotype::Phenotype;
use finches_engine::preset::Preset;
use finches_engine::session::GenerationSnapshot;
use finches_runs::run::RunInfo;
use finches_runs::storage::game_judge::GameJudge;
use finches_runs::storage::saves::Saves;

/// Champions of the current run kept in memory.
const MAX_LIVE: usize = 32;

/// Older champions kept in memory if the run is not saved; beyond this every second one is dropped.
const MAX_EARLIER: usize = 128;

/// The most champions compared to find one that differs.
const MAX_COMPARED: usize = 16;

/// A genome to show on the Net screen.
#[derive(Clone, Debug, PartialEq)]
pub struct InspectedPlayer {
    pub champion: Arc<Champion>,
    /// Its index in the population; `None` for a champion.
    pub member: Option<usize>,
}

impl InspectedPlayer {
    pub fn champion(champion: Arc<Champion>) -> Self {
        let member = None;
        Self { champion, member }
    }

    /// A member of a generation, by its index.
    pub fn member(snapshot: &GenerationSnapshot, member: usize) -> Self {
        let champion = Champion {
            generation: snapshot.generation,
            fitness: snapshot.fitness.get(member).copied().unwrap_or(f64::NAN),
            genome: snapshot.members[member].clone(),
        };
        Self {
            champion: Arc::new(champion),
            member: Some(member),
        }
    }
}

/// The champions of a run.
#[derive(Clone)]
pub struct Champions {
    pub preset: Preset,
    pub arena: Arc<dyn Arena>,
    /// The saved run and its name.
    saves: Option<(Saves, String)>,
    /// The latest champions of the current run, in ascending order.
    live: VecDeque<Arc<Champion>>,
    /// Those before, thinned out; only if the run is not saved.
    earlier: Vec<Arc<Champion>>,
}

/// Which champion to fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChampionQuery {
    Newest,
    Exactly(u64),
    OlderThan(u64),
    NewerThan(u64),
}

impl ChampionQuery {
    /// What there is to say if there is no such champion of a run that has some.
    pub fn missing(self) -> Option<String> {
        match self {
            Self::Newest => None,
            Self::Exactly(generation) => Some(format!(
                "The champion of generation {generation} was not saved."
            )),
            Self::OlderThan(_) => Some("There is no older champion.".to_owned()),
            Self::NewerThan(_) => Some("There is no newer champion.".to_owned()),
        }
    }

    /// The matching generation among some in ascending order.
    fn select(self, known: &[u64]) -> Option<u64> {
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
    pub fn new(facts: &RunInfo, saves: Option<(Saves, String)>) -> Self {
        Self {
            preset: facts.preset.clone(),
            arena: Arc::clone(&facts.arena),
            saves,
            live: VecDeque::new(),
            earlier: Vec::new(),
        }
    }

    /// Adds the newest champion of the current run; ignores one that is not newer.
    pub fn add_champion(&mut self, champion: &Champion) {
        if self
            .live()
            .is_some_and(|newest| newest >= champion.generation)
        {
            return;
        }
        if self.live.len() == MAX_LIVE {
            let oldest = self.live.pop_front();
            self.keep_earlier(oldest);
        }
        self.live.push_back(Arc::new(champion.clone()));
    }

    /// Keeps a champion that is not on disk.
    fn keep_earlier(&mut self, champion: Option<Arc<Champion>>) {
        if self.saves.is_some() {
            return;
        }
        self.earlier.extend(champion);
        if self.earlier.len() > MAX_EARLIER {
            let mut place = 0;
            self.earlier.retain(|_| {
                place += 1;
                place % 2 == 1
            });
        }
    }

    /// Loads the population of a saved generation, without fitness. `None` if there is no match.
    pub fn saved_population(
        &self,
        query: ChampionQuery,
    ) -> Result<Option<GenerationSnapshot>, JobError> {
        let Some((saves, name)) = &self.saves else {
            return Ok(None);
        };
        let saved = saves.populations(name)?;
        let Some(generation) = query.select(&saved) else {
            return Ok(None);
        };
        let members = saves.population(name, generation)?;
        for (place, member) in (1..).zip(&members) {
            self.validate(member, || {
                format!("member {place} of generation {generation}")
            })?;
        }
        Ok(Some(GenerationSnapshot {
            generation,
            members,
            ..GenerationSnapshot::default()
        }))
    }

    /// The folder and file name stem for exports: the run's own folder, or the working directory if
    /// the run is not saved.
    pub fn export_target(&self) -> Result<(PathBuf, String), JobError> {
        Ok(match &self.saves {
            Some((saves, name)) => (saves.exports_folder(name)?, name.clone()),
            None => (PathBuf::from("."), self.preset.name.clone()),
        })
    }

    /// Up to `count` champions from the first to the newest, spread as evenly as the known
    /// generations allow.
    pub fn spread(&self, count: usize) -> Result<Vec<Arc<Champion>>, JobError> {
        let chosen = spread(&self.known_generations()?, count).into_iter();
        chosen.map(|generation| self.champion(generation)).collect()
    }

    /// The generation of the newest champion of the current run.
    pub fn live(&self) -> Option<u64> {
        self.live.back().map(|live| live.generation)
    }

    /// Fetches a champion; `None` if there is no match. Fails if a saved one cannot be used.
    pub fn fetch(&self, query: ChampionQuery) -> Result<Option<Arc<Champion>>, JobError> {
        let known = self.known_generations()?;
        let found = query.select(&known);
        found
            .map(|generation| self.champion(generation))
            .transpose()
    }

    /// The champion as a judge of games, or the newest one if there is no such champion.
    pub fn judge(&self, query: ChampionQuery) -> Result<GameJudge, JobError> {
        let champion = match self.fetch(query)? {
            Some(champion) => Some(champion),
            None => self.fetch(ChampionQuery::Newest)?,
        };
        let champion = champion.ok_or_else(|| {
            JobError::Failed("there is no saved champion to judge the game".to_owned())
        })?;
        let (preset, arena) = (&self.preset, &self.arena);
        let player = Phenotype::grown(&preset.genome, arena.io_spec(), &champion.genome);
        let name = format!("g{}", champion.generation);
        Ok(GameJudge::of_player(&preset.game, arena, player, name))
    }

    /// What judges games best: the oracle or, without one, the trained champion of the game or,
    /// without one, a champion of the run.
    pub fn strongest_judge(
        &self,
        saves: Option<&Saves>,
        query: ChampionQuery,
    ) -> Result<GameJudge, JobError> {
        GameJudge::strongest(&self.preset.game, saves).or_else(|_| self.judge(query))
    }

    /// The latest earlier champion with a different genome, else the oldest one compared.
    pub fn previous_distinct(
        &self,
        champion: &Champion,
    ) -> Result<Option<Arc<Champion>>, JobError> {
        let mut known = self.known_generations()?;
        known.retain(|&known| known < champion.generation);
        let mut oldest = None;
        for generation in known.into_iter().rev().take(MAX_COMPARED) {
            let tried = self.champion(generation)?;
            let differs = tried.genome != champion.genome;
            oldest = Some(tried);
            if differs {
                break;
            }
        }
        Ok(oldest)
    }

    /// The generations with a champion, in ascending order.
    fn known_generations(&self) -> Result<Vec<u64>, JobError> {
        let mut known = match &self.saves {
            Some((saves, name)) => saves.champions(name)?,
            None => Vec::new(),
        };
        let at_hand = self.earlier.iter().chain(&self.live);
        known.extend(at_hand.map(|champion| champion.generation));
        known.sort_unstable();
        known.dedup();
        Ok(known)
    }

    /// The champion of a known generation.
    fn champion(&self, generation: u64) -> Result<Arc<Champion>, JobError> {
        let mut at_hand = self.earlier.iter().chain(&self.live);
        let champion = match at_hand.find(|champion| champion.generation == generation) {
            Some(champion) => Arc::clone(champion),
            None => self.load(generation)?,
        };
        self.validate(&champion.genome, || {
            format!("the champion of generation {generation}")
        })?;
        Ok(champion)
    }

    /// Checks a genome from a file, which `name` names in the error.
    fn validate(&self, genome: &AnyGenome, name: impl Fn() -> String) -> Result<(), JobError> {
        let valid = self.preset.genome.validate(genome, self.arena.io_spec());
        valid.map_err(|error| JobError::Failed(format!("{} cannot play here: {error}", name())))
    }

    fn load(&self, generation: u64) -> Result<Arc<Champion>, JobError> {
        let (saves, name) = self
            .saves
            .as_ref()
            .expect("a generation not in memory is on disk");
        let champion = saves.champion(name, generation);
        Ok(champion.map(Arc::new)?)
    }
}

/// Up to `count` of the sorted generations, both ends included: those nearest to evenly spaced
/// ones.
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
