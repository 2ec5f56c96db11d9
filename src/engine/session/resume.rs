//! Resumes a saved run, after checks that its state fits its preset.

use std::sync::Arc;

use thiserror::Error;

use crate::genomes::GenomeError;
use crate::params::ParamError;
use crate::play::pool::Pool;
use crate::preset::{Intervention, MAX_GENERATIONS, Preset, PresetError};

use super::structure::is_structural;
use super::{GenerationSnapshot, Session, SessionState, structure};

/// Why a saved run can't be resumed.
#[derive(Debug, Error)]
pub enum ResumeError {
    /// The preset itself is invalid.
    #[error(transparent)]
    Preset(#[from] PresetError),
    /// A saved intervention that the preset does not allow.
    #[error(transparent)]
    Intervention(#[from] ParamError),
    /// The population has another size.
    #[error("the population has {found} members, but the preset has {wanted}")]
    Population {
        /// The size of the saved population.
        found: usize,
        /// The population of the preset.
        wanted: usize,
    },
    /// The hall of fame has another size.
    #[error("the hall of fame has {found} players, but the preset has {wanted}")]
    HallOfFame {
        /// The number of saved entries.
        found: usize,
        /// The size of the preset's hall of fame.
        wanted: usize,
    },
    /// No run can be in this state.
    #[error("{0}")]
    Impossible(String),
    /// A genome does not fit the game, the agent or the kind of genome.
    #[error("a genome does not fit the preset: {0}")]
    Genome(#[from] GenomeError),
}

impl Session {
    /// Resumes a saved run. `preset` is the preset at the start of the run; the error says why the
    /// state does not fit it.
    pub fn resume(
        preset: Preset,
        seed: u64,
        interventions: Vec<Intervention>,
        state: SessionState,
        pool: Pool,
    ) -> Result<Self, ResumeError> {
        check_sizes(&preset, &interventions, &state)?;
        let now = state.generation;
        let before = changed_before(now.saturating_sub(1), &preset, &interventions)?;
        let before = before.evolution.population as usize;
        if let Some(problem) = problem(&state, before) {
            return Err(ResumeError::Impossible(problem));
        }
        let changed = changed_before(now.saturating_add(1), &preset, &interventions)?;
        changed_before(u64::MAX, &preset, &interventions)?;
        let mut session = Self::new(preset, seed, interventions, pool)?;
        session.check(&state, before)?;
        session.state = state;
        session.grow_players();
        session.place_families();
        session.preset = changed;
        session.changes.due_from = now.saturating_add(1);
        let mut made = session.changes.interventions.iter();
        let is_made = |change: &Intervention| change.generation <= now;
        if made.any(|change| is_made(change) && is_structural(&session.preset, &change.key)) {
            structure::rebuild(&mut session);
        }
        Ok(session)
    }

    /// Sets the snapshot of a resumed session, which has played no generation yet, to the one saved
    /// with its state. If that is missing or of another generation, the members that play next take
    /// its place, without fitness. Evolution does not use it.
    pub fn restore_snapshot(&mut self, saved: Option<GenerationSnapshot>) {
        if self.state.generation == 0 || !self.snapshot.members.is_empty() {
            return;
        }
        let (genome, io_spec) = (&self.preset.genome, self.arena.io_spec());
        let fits = |saved: &GenerationSnapshot| {
            let mut members = saved.members.iter();
            saved.problem().is_none()
                && saved.generation + 1 == self.state.generation
                && members.all(|member| genome.validate(member, io_spec).is_ok())
        };
        let population = &self.state.population;
        let snapshot = saved.filter(fits).map(|saved| GenerationSnapshot {
            memory: population.memory.clone(),
            phylogeny: Arc::clone(&population.phylogeny),
            ..saved
        });
        let snapshot = snapshot.unwrap_or_else(|| GenerationSnapshot::unplayed(&self.state));
        self.snapshot = Arc::new(snapshot);
    }

    /// Checks that a state from a file fits this run, which had so many members in the generation
    /// before.
    fn check(&self, state: &SessionState, before: usize) -> Result<(), ResumeError> {
        let archived = state
            .population
            .archive
            .champions()
            .iter()
            .map(|kept| &kept.genome);
        let champion = state
            .champion
            .iter()
            .chain(&state.previous)
            .chain(&state.recent)
            .chain(&state.regress.before)
            .map(|champion| &champion.genome);
        let learner = state.learner.iter().map(|learner| &learner.genome);
        let mut genomes = state
            .population
            .members
            .iter()
            .chain(learner)
            .chain(archived)
            .chain(state.population.phylogeny.genomes())
            .chain(
                state
                    .population
                    .hall_of_fame
                    .iter()
                    .map(|entry| &entry.genome),
            )
            .chain(champion);
        let (config, io_spec) = (&self.preset.genome, self.arena.io_spec());
        genomes.try_for_each(|genome| config.validate(genome, io_spec))?;
        let (replacement, population) = (&self.preset.evolution.replacement, &state.population);
        let memory = &population.memory;
        if memory.is_empty() {
            return Ok(());
        }
        let error = replacement.memory_error(memory, before, config, io_spec);
        error.map_or(Ok(()), |error| Err(ResumeError::Impossible(error)))
    }
}

/// Most games or moves of a run: up to here all whole numbers are exact in the metrics.
const MOST_COUNTED: u64 = 1 << 53;

/// What no state of a run with so many members in the generation before can be, if anything.
fn problem(state: &SessionState, before: usize) -> Option<String> {
    let (now, population) = (state.generation, &state.population);
    if now > MAX_GENERATIONS {
        return Some(format!(
            "generation: must be at most {MAX_GENERATIONS}, is {now}"
        ));
    }
    if let Some(problem) = population.archive.problem() {
        return Some(format!("population.archive: {problem}"));
    }
    if let Some(problem) = population
        .phylogeny
        .problem(population.members.len(), before)
    {
        return Some(format!("population.phylogeny: {problem}"));
    }
    let own = state.champion.iter().chain(&state.previous);
    let all = own
        .chain(&state.recent)
        .chain(&state.regress.before)
        .chain(population.archive.champions());
    let of_hall = population.hall_of_fame.iter();
    let of_hall = of_hall.filter_map(|entry| entry.generation);
    let mut generations = all.map(|champion| champion.generation).chain(of_hall);
    if let Some(later) = generations.find(|&generation| generation >= now) {
        return Some(format!(
            "a champion is of generation {later}, but the run is in generation {now}"
        ));
    }
    for (name, count) in [("games", state.totals.games), ("moves", state.totals.moves)] {
        if count > MOST_COUNTED {
            return Some(format!(
                "totals.{name}: must be at most {MOST_COUNTED}, is {count}"
            ));
        }
    }
    let members = population.members.len();
    let lists = [
        ("origins", population.origins.len()),
        ("kinship", population.kinship.len()),
        ("kept_fitness", population.kept_fitness.len()),
    ];
    let wrong = lists
        .iter()
        .find(|(_, length)| ![0, members].contains(length));
    let wrong = wrong.map(|(name, length)| {
        format!("population.{name}: must be as many as the members ({members}), are {length}")
    });
    let mut kept = population.kept_fitness.iter().flatten();
    wrong.or_else(|| {
        let bad = kept.find(|fitness| !fitness.is_finite())?;
        Some(format!("population.kept_fitness: must be finite, is {bad}"))
    })
}

/// The preset with the changes of the generations before this one, in their order: the recorded
/// ones and those of the schedule, of which one is left out if it does not fit.
fn changed_before(
    generation: u64,
    preset: &Preset,
    recorded: &[Intervention],
) -> Result<Preset, ParamError> {
    let scheduled = preset.scheduled().unwrap_or_default();
    let mut changes = preset.with_scheduled(recorded.to_vec());
    changes.sort_by_key(|change| change.generation);
    let mut changed = preset.clone();
    for change in changes
        .iter()
        .filter(|change| change.generation < generation)
    {
        let result = structure::change_in_fork(&mut changed, &change.key, &change.to);
        if !scheduled.contains(change) {
            result?;
        }
    }
    Ok(changed)
}

/// Checks that a state from a file has as many players as the preset with its changes.
fn check_sizes(
    preset: &Preset,
    recorded: &[Intervention],
    state: &SessionState,
) -> Result<(), ResumeError> {
    let found = state.population.members.len();
    // Members are bred with the changes until the generation before them.
    let bred = changed_before(state.generation, preset, recorded)?;
    let wanted = bred.evolution.population as usize;
    if found != wanted {
        return Err(ResumeError::Population { found, wanted });
    }
    let (found, wanted) = (
        state.population.hall_of_fame.len(),
        preset.evolution.hall_of_fame.size(),
    );
    if found != wanted {
        return Err(ResumeError::HallOfFame { found, wanted });
    }
    Ok(())
}
