//! One run without threads of its own: ask the evolution for pairings, play them in the arena, tell it what happened,
//! measure the champion, breed. A pure function of preset, seed and interventions; it knows no clock, file or screen.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::arena::pool::Pool;
use crate::arena::record::Record;
use crate::arena::{self, Arena, Guest, Schedule, Tournament};
use crate::contest::{Pairing, Played};
use crate::evolution::archive::Champion;
use crate::evolution::breed::Stock;
use crate::evolution::{self, Population};
use crate::games::reference::Reference;
use crate::genomes::Brain;
use crate::metrics::{Columns, Row, versus_column};
use crate::params::Problem;
use crate::preset::{BadPreset, Intervention, Preset};
use crate::rng::{Purpose, stream};

/// What a run has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    pub games: u64,
    pub moves: u64,
}

/// All that a run needs, besides its preset and seed, to go on between two generations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The generation that comes next.
    pub generation: u64,
    pub population: Population,
    pub totals: Totals,
    /// The champion of the latest generation, once there is one.
    pub champion: Option<Champion>,
    /// The champion of the generation before.
    pub previous: Option<Champion>,
}

/// A run between, or within, two generations.
pub struct Session {
    /// As it was when the run began.
    began: Preset,
    /// As it stands, with what has been turned since.
    preset: Preset,
    seed: u64,
    interventions: Vec<Intervention>,
    state: State,
    arena: Arc<dyn Arena>,
    pool: Pool,
    columns: Columns,
    references: Vec<Reference>,
    /// Brains of the archive, grown once.
    famers: Vec<(u64, Box<dyn Brain>)>,
    /// A generation that was halted while it was played.
    unfinished: Option<Round>,
}

/// A generation while it is played.
struct Round {
    pairings: Vec<Pairing>,
    played: Vec<Option<Played>>,
}

/// A generation that has been played but not yet left behind: see [`Session::measure`] and [`Session::breed`].
#[derive(Clone, Debug)]
pub struct Finished {
    fitness: Vec<f64>,
    champion: Champion,
    games: u64,
    moves: u64,
}

/// Columns that only a solved game has.
const NEEDS_ORACLE: [&str; 2] = ["accuracy_games", "accuracy_states"];

/// Columns that nothing here measures yet.
const UNMEASURED: [&str; 2] = ["species", "diversity"];

impl Session {
    /// A run at its beginning. `interventions` are settings to be turned on the way, as an earlier run recorded them.
    pub fn new(
        preset: Preset,
        seed: u64,
        interventions: Vec<Intervention>,
        pool: Pool,
    ) -> Result<Self, BadPreset> {
        let origin = preset.name.clone();
        let refuse = |problems| BadPreset { origin, problems };
        let problems = preset.problems();
        if !problems.is_empty() {
            return Err(refuse(problems));
        }
        let arena = arena::build(&preset.game, &preset.agent)
            .map_err(|fault| refuse(vec![Problem::new("agent", fault)]))?;
        let size = preset.evolution.population as usize;
        let state = State {
            generation: 0,
            population: Population::random(size, &preset.genome, arena.ports(), seed),
            totals: Totals::default(),
            champion: None,
            previous: None,
        };
        Ok(Self::with_state(
            preset,
            seed,
            interventions,
            state,
            arena,
            pool,
        ))
    }

    /// A run that goes on where it was saved. `preset` is as it was when the run began. The state must fit the preset.
    pub fn resume(
        preset: Preset,
        seed: u64,
        interventions: Vec<Intervention>,
        state: State,
        pool: Pool,
    ) -> Result<Self, String> {
        let mut session =
            Self::new(preset, seed, interventions, pool).map_err(|error| error.to_string())?;
        session.check(&state)?;
        session.state = state;
        let past: Vec<Intervention> = session.interventions.clone();
        for intervention in past
            .iter()
            .filter(|past| past.generation <= session.state.generation)
        {
            session
                .preset
                .change(&intervention.key, &intervention.to)
                .map_err(|problem| problem.to_string())?;
        }
        Ok(session)
    }

    fn with_state(
        preset: Preset,
        seed: u64,
        interventions: Vec<Intervention>,
        state: State,
        arena: Arc<dyn Arena>,
        pool: Pool,
    ) -> Self {
        let references: Vec<Reference> = Reference::ALL
            .into_iter()
            .filter(|reference| arena.is_solved() || !reference.needs_solution())
            .collect();
        let names: Vec<&str> = references
            .iter()
            .map(|reference| reference.name())
            .collect();
        let measured = |name: &str| {
            !UNMEASURED.contains(&name) && (arena.is_solved() || !NEEDS_ORACLE.contains(&name))
        };
        let columns = Columns::new(measured, &names);
        Self {
            began: preset.clone(),
            preset,
            seed,
            interventions,
            state,
            arena,
            pool,
            columns,
            references,
            famers: Vec::new(),
            unfinished: None,
        }
    }

    /// Whether a state read from a file can be that of this run.
    fn check(&self, state: &State) -> Result<(), String> {
        let (found, wanted) = (
            state.population.members.len(),
            self.preset.evolution.population as usize,
        );
        if found != wanted {
            return Err(format!(
                "the population has {found} members, the preset says {wanted}"
            ));
        }
        let archived = state
            .population
            .archive
            .kept()
            .iter()
            .map(|kept| &kept.genome);
        let champion = state
            .champion
            .iter()
            .chain(&state.previous)
            .map(|champion| &champion.genome);
        let mut genomes = state
            .population
            .members
            .iter()
            .chain(archived)
            .chain(champion);
        let fault = genomes.find_map(|genome| self.preset.genome.fault(genome, self.arena.ports()));
        fault.map_or(Ok(()), |fault| {
            Err(format!("a genome is unusable: {fault}"))
        })
    }

    /// The preset as it stands, with the settings turned so far.
    pub fn preset(&self) -> &Preset {
        &self.preset
    }

    /// The preset as it was when the run began.
    pub fn began(&self) -> &Preset {
        &self.began
    }

    /// Moves the generation at which the run stops; results up to there do not depend on it.
    pub fn stop_at(&mut self, generations: u64) {
        self.began.generations = generations;
        self.preset.generations = generations;
    }

    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Settings turned so far, or to be turned in a replay.
    pub fn interventions(&self) -> &[Intervention] {
        &self.interventions
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    /// The next generation.
    pub fn generation(&self) -> u64 {
        self.state.generation
    }

    /// Whether all generations the preset asks for are done.
    pub fn is_done(&self) -> bool {
        self.state.generation >= self.preset.generations
    }

    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    pub fn arena(&self) -> &Arc<dyn Arena> {
        &self.arena
    }

    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Turns a live setting from the next generation on and records it. A generation being played keeps its old settings
    /// for what is already decided, so turn between generations.
    pub fn turn(&mut self, key: &str, text: &str) -> Result<Intervention, Problem> {
        let before = self.preset.clone();
        let key = self.preset.turn(key, text)?;
        let value = |preset: &Preset| {
            preset
                .param(&key)
                .map(|param| param.value)
                .unwrap_or_default()
        };
        let intervention = Intervention {
            generation: self.state.generation,
            from: value(&before),
            to: value(&self.preset),
            key: key.clone(),
        };
        self.interventions.push(intervention.clone());
        Ok(intervention)
    }

    /// Whether a generation was halted while it was played.
    pub fn is_within_generation(&self) -> bool {
        self.unfinished.is_some()
    }

    /// Plays the games of the generation; `None` where `halt` was set before all were played: call again to go on.
    pub fn play(&mut self, halt: &AtomicBool) -> Option<Finished> {
        let mut round = match self.unfinished.take() {
            Some(round) => round,
            None => self.begin(),
        };
        let (genome, members) = (&self.preset.genome, &self.state.population.members);
        let schedule = Schedule {
            seed: self.seed,
            generation: self.state.generation,
            pairings: &round.pairings,
            members: members.len(),
            grow: &|member| genome.grow(&members[member]),
            famers: &[],
            halt,
        };
        if !self.arena.play(&self.pool, &schedule, &mut round.played) {
            self.unfinished = Some(round);
            return None;
        }
        Some(self.finish(&round))
    }

    /// Applies what a replay turns now and draws the pairings.
    fn begin(&mut self) -> Round {
        let generation = self.state.generation;
        let due: Vec<Intervention> = self
            .interventions
            .iter()
            .filter(|due| due.generation == generation)
            .cloned()
            .collect();
        for intervention in due {
            // Recorded by a run of this preset, so that it can't be refused.
            let _ = self.preset.change(&intervention.key, &intervention.to);
        }
        let pairings = self
            .state
            .population
            .ask(&self.preset.evolution, self.seed, generation);
        let played = vec![None; pairings.len()];
        Round { pairings, played }
    }

    fn finish(&self, round: &Round) -> Finished {
        let played: Vec<Played> = round.played.iter().copied().flatten().collect();
        let population = &self.state.population;
        let fitness = population.tell(&self.preset.evolution, &round.pairings, &played);
        let best = evolution::champion(&fitness);
        Finished {
            champion: Champion {
                generation: self.state.generation,
                fitness: fitness[best],
                genome: population.members[best].clone(),
            },
            games: played.len() as u64,
            moves: played.iter().map(|game| u64::from(game.plies)).sum(),
            fitness,
        }
    }

    /// Measures a generation: its row, without `seconds`.
    pub fn measure(&mut self, finished: &Finished) -> Row {
        let generation = self.state.generation;
        let columns = &self.columns;
        let mut row = Row::empty(columns);
        let mut set = |name: &str, value: f64| row.set(columns, name, value);
        set("generation", generation as f64);
        set("games", (self.state.totals.games + finished.games) as f64);
        set("moves", (self.state.totals.moves + finished.moves) as f64);
        set("best_fitness", finished.champion.fitness);
        set(
            "mean_fitness",
            finished.fitness.iter().sum::<f64>() / finished.fitness.len() as f64,
        );
        set(
            "mean_turns",
            finished.moves as f64 / finished.games.max(1) as f64,
        );
        let size = self.population_size();
        set("hidden_layers", size.0);
        set("hidden_nodes_per_layer", size.1);
        let topology = finished.champion.genome.topology();
        set("champion_nodes", topology.nodes() as f64);
        set("champion_edges", topology.edges as f64);
        let brain = self.preset.genome.grow(&finished.champion.genome);
        if let Some(accuracy) = self.arena.accuracy(brain.as_ref()) {
            set("accuracy_states", accuracy);
        }
        if self.preset.grades(generation) {
            let games = self.preset.measures.held_out_games;
            for &reference in &self.references {
                set(
                    &versus_column(reference.name()),
                    self.arena.versus(brain.as_ref(), reference, games),
                );
            }
        }
        let tournament = self.tournament(brain.as_ref());
        let share = |part: u32, whole: u32| f64::from(part) / f64::from(whole);
        if tournament.games > 0 {
            row.set(
                &self.columns,
                "wins_vs_past",
                share(tournament.wins, tournament.games),
            );
        }
        if tournament.moves > 0 {
            row.set(
                &self.columns,
                "accuracy_games",
                share(tournament.good_moves, tournament.moves),
            );
        }
        row
    }

    /// The champion against earlier champions; in the first generation, which has none, against itself.
    fn tournament(&mut self, champion: &dyn Brain) -> Tournament {
        let archive = &self.state.population.archive;
        let opponents = self.preset.measures.tournament_games.div_ceil(2) as usize;
        let chosen = archive.spread(opponents);
        let genome = &self.preset.genome;
        self.famers.retain(|(generation, _)| {
            archive
                .kept()
                .binary_search_by_key(generation, |kept| kept.generation)
                .is_ok()
        });
        for &place in &chosen {
            let kept = &archive.kept()[place];
            if let Err(slot) = self
                .famers
                .binary_search_by_key(&kept.generation, |famer| famer.0)
            {
                self.famers
                    .insert(slot, (kept.generation, genome.grow(&kept.genome)));
            }
        }
        let grown = |place: &usize| {
            let generation = archive.kept()[*place].generation;
            let slot = self
                .famers
                .binary_search_by_key(&generation, |famer| famer.0)
                .expect("it was grown above");
            self.famers[slot].1.as_ref()
        };
        let mut brains: Vec<&dyn Brain> = chosen.iter().map(grown).collect();
        if brains.is_empty() && opponents > 0 {
            brains.push(champion);
        }
        self.arena
            .tournament(champion, &brains, self.seed, self.state.generation)
    }

    /// Mean hidden layers, and mean nodes per hidden layer, over the population; a member without hidden layers counts as 0.
    fn population_size(&self) -> (f64, f64) {
        let members = &self.state.population.members;
        let (mut layers, mut nodes) = (0.0, 0.0);
        for member in members {
            let topology = member.topology();
            let hidden = topology.hidden_layers() as f64;
            layers += hidden;
            nodes += if hidden > 0.0 {
                topology.hidden_nodes() as f64 / hidden
            } else {
                0.0
            };
        }
        (layers / members.len() as f64, nodes / members.len() as f64)
    }

    /// Leaves a generation behind: keeps its champion and breeds the next one.
    pub fn breed(&mut self, finished: Finished) {
        let generation = self.state.generation;
        let stock = Stock {
            members: &self.state.population.members,
            fitness: &finished.fitness,
            archive: &self.state.population.archive,
            genome: &self.preset.genome,
            ports: self.arena.ports(),
        };
        let seed = self.seed;
        let members = evolution::with_litter(&self.preset.evolution, &stock, |litter| {
            self.pool.map_with(
                stock.members.len(),
                || (),
                |(), place| {
                    litter.child(
                        place,
                        &mut stream(seed, Purpose::Breeding, generation, place as u64),
                    )
                },
            )
        });
        self.state.population.members = members;
        self.state.population.archive.add(finished.champion.clone());
        self.state.previous = self.state.champion.replace(finished.champion);
        self.state.totals.games += finished.games;
        self.state.totals.moves += finished.moves;
        self.state.generation += 1;
    }

    /// A whole generation; `None` where `halt` was set before all games were played.
    pub fn advance(&mut self, halt: &AtomicBool) -> Option<Row> {
        let finished = self.play(halt)?;
        let row = self.measure(&finished);
        self.breed(finished);
        Some(row)
    }

    /// Sample games of the latest champion: against the champion before it and a random earlier one, or against the random
    /// player where there are none. `index` picks other games of the same kind.
    pub fn sample_games(&self, index: u64) -> Vec<Record> {
        let Some(champion) = &self.state.champion else {
            return Vec::new();
        };
        let generation = champion.generation;
        let brain = self.preset.genome.grow(&champion.genome);
        let own = format!("g{generation}");
        let earlier: Vec<&Champion> = self
            .state
            .population
            .archive
            .kept()
            .iter()
            .filter(|kept| kept.generation < generation)
            .collect();
        let mut rng = stream(self.seed, Purpose::Sample, generation, u64::MAX - index);
        let random = (!earlier.is_empty()).then(|| earlier[rng.random_range(0..earlier.len())]);
        let previous = self
            .state
            .previous
            .iter()
            .map(|champion| (champion.generation, &champion.genome));
        let opponents = previous.chain(random.map(|kept| (kept.generation, &kept.genome)));
        let mut games = Vec::new();
        for (place, (age, genome)) in opponents.enumerate() {
            let other = self.preset.genome.grow(genome);
            let names = [own.clone(), format!("g{age}")];
            let guests = [Guest::Brain(brain.as_ref()), Guest::Brain(other.as_ref())];
            games.push(self.sample(guests, names, generation, index * 2 + place as u64));
        }
        if games.is_empty() {
            let names = [own, Reference::Random.name().to_owned()];
            games.push(self.sample(
                [
                    Guest::Brain(brain.as_ref()),
                    Guest::Reference(Reference::Random),
                ],
                names,
                generation,
                index,
            ));
        }
        games
    }

    /// One sample game; the sides alternate from game to game.
    fn sample(
        &self,
        mut guests: [Guest<'_>; 2],
        mut names: [String; 2],
        generation: u64,
        index: u64,
    ) -> Record {
        if index % 2 == 1 {
            guests.swap(0, 1);
            names.swap(0, 1);
        }
        self.arena
            .record(guests, names, self.seed, generation, index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(threads: usize) -> Session {
        let preset = Preset::default().with(&[
            ("population".to_owned(), "20".to_owned()),
            ("opponents".to_owned(), "10".to_owned()),
        ]);
        let pool = Pool::new(threads).expect("there are threads");
        Session::new(preset.expect("it is sound"), 1, Vec::new(), pool).expect("it is sound")
    }

    #[test]
    fn a_halted_generation_goes_on_where_it_stopped() {
        let (mut whole, mut halted) = (session(1), session(2));
        let (go, stop) = (AtomicBool::new(false), AtomicBool::new(true));
        for _ in 0..5 {
            assert!(halted.play(&stop).is_none());
            assert!(halted.is_within_generation());
            assert_eq!(whole.advance(&go), halted.advance(&go));
        }
        assert_eq!(whole.state(), halted.state());
    }
}
