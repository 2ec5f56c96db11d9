//! One run without threads of its own: ask the evolution for pairings, play them in the arena, tell it what happened,
//! measure the champion, breed. A pure function of preset, seed and interventions; it knows no clock, file or screen.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use crate::arena::player::Player;
use crate::arena::pool::{Pool, Slots};
use crate::arena::{self, Arena};
use crate::contest::Played;
use crate::evolution::Population;
use crate::evolution::archive::Champion;
use crate::evolution::breed::ranking;
use crate::evolution::fame::{self, Famer};
use crate::games::reference::Reference;
use crate::genomes::lessons::Lessons;
use crate::genomes::{GenomeConfig, Ports};
use crate::metrics::lengths::Lengths;
use crate::metrics::{Columns, Row};
use crate::params::Problem;
use crate::preset::{BadPreset, Intervention, Preset};
use crate::rng::{Purpose, stream};

use self::census::Descent;
use self::round::Round;

pub use self::census::Census;

mod breeding;
mod census;
pub mod grading;
mod measure;
mod memories;
mod round;
mod sample;

/// How many champions before a new one its growth is measured by.
const RECENT: usize = 5;

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
    /// The champions of the latest generations, oldest first, where growth is measured.
    #[serde(default)]
    pub recent: Vec<Champion>,
    /// The growth of all champions so far.
    #[serde(default)]
    pub growth_sum: f64,
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
    /// The reference players that members meet.
    opponents: Vec<Reference>,
    /// What members are taught from, where they are.
    lessons: Vec<Lessons>,
    /// What the members do, in their order.
    players: Vec<Arc<Player>>,
    /// What the hall of fame does, in its order.
    hall: Vec<Arc<Player>>,
    /// What the champions of the archive do, by generation.
    famers: Vec<(u64, Arc<Player>)>,
    /// A generation that was halted while it was played.
    unfinished: Option<Round>,
    /// Where the results of the last round were: new memory for every round costs time.
    slots: Slots<Played>,
    /// What is known of the members besides their genomes.
    descent: Descent,
    /// The latest generation played here.
    census: Arc<Census>,
    /// How long its games were.
    lengths: Lengths,
    /// The growth of the generation that was measured last.
    growth: f64,
}

/// A generation that has been played but not yet left behind: see [`Session::measure`] and [`Session::breed`].
#[derive(Clone, Debug)]
pub struct Finished {
    fitness: Vec<f64>,
    champion: Champion,
    /// The champion's place in the population.
    best: usize,
    lengths: Lengths,
    /// How many genomes challenged a member, and how many of them took its place.
    challenges: [u32; 2],
}

impl Session {
    /// A run at its beginning. `interventions` are settings to be turned on the way, as an earlier run recorded them.
    pub fn new(
        preset: Preset,
        seed: u64,
        interventions: Vec<Intervention>,
        pool: Pool,
    ) -> Result<Self, BadPreset> {
        let origin = preset.name.clone();
        let refuse = |problems| BadPreset {
            origin: origin.clone(),
            problems,
        };
        let problems = preset.problems();
        if !problems.is_empty() {
            return Err(refuse(problems));
        }
        let arena = arena::build(&preset.game, &preset.agent)
            .map_err(|fault| refuse(vec![Problem::new("agent", fault)]))?;
        let opponents = preset.evolution.references();
        if opponents.iter().any(|name| name == "perfect") && !arena.is_solved() {
            let message = "nobody plays this game perfectly, because it is not solved; give another reference player";
            let problem = Problem::new("evolution.pairing.opponent", message);
            return Err(refuse(vec![problem]));
        }
        let state = State {
            generation: 0,
            population: Population::random(&preset.evolution, &preset.genome, arena.ports(), seed),
            totals: Totals::default(),
            champion: None,
            previous: None,
            recent: Vec::new(),
            growth_sum: 0.0,
        };
        let lessons = lessons(&preset, arena.as_ref(), seed)
            .map_err(|fault| refuse(vec![Problem::new("evolution.breeding.teacher", fault)]))?;
        let mut session = Self::with_state(preset, seed, interventions, state, arena, pool);
        session.lessons = lessons;
        let target = session.preset.target();
        let fault = target.and_then(|until| until.check(&session.columns).err());
        match fault {
            Some(fault) => Err(refuse(vec![Problem::new("until", fault)])),
            None => Ok(session),
        }
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
        session.players = grading::players(
            &session.preset.genome,
            session.arena.ports(),
            &state.population.members,
        );
        session.hall = hall(
            &session.preset.genome,
            session.arena.ports(),
            &state.population,
        );
        session.descent = Descent::founders(&state);
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
        let references = measure::references(arena.as_ref());
        let judges = arena.judges();
        let names: Vec<String> = references
            .iter()
            .map(|reference| reference.name(judges))
            .collect();
        let opponents = preset.evolution.references().iter();
        let opponents = opponents
            .filter_map(|name| Reference::named(name, judges))
            .collect();
        let measured = |name: &str| measure::is_measured(name, &preset, arena.as_ref());
        let columns = Columns::new(measured, &names);
        Self {
            began: preset.clone(),
            players: grading::players(&preset.genome, arena.ports(), &state.population.members),
            hall: hall(&preset.genome, arena.ports(), &state.population),
            descent: Descent::founders(&state),
            preset,
            seed,
            interventions,
            state,
            arena,
            pool,
            columns,
            references,
            opponents,
            lessons: Vec::new(),
            famers: Vec::new(),
            unfinished: None,
            slots: Slots::default(),
            census: Arc::default(),
            lengths: Lengths::default(),
            growth: 0.0,
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
        let (found, wanted) = (
            state.population.hall.len(),
            self.preset.evolution.fame.size(),
        );
        if found != wanted {
            return Err(format!(
                "the hall of fame has {found} players, the preset says {wanted}"
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
            .chain(&state.recent)
            .map(|champion| &champion.genome);
        let mut genomes = state
            .population
            .members
            .iter()
            .chain(archived)
            .chain(state.population.hall.iter().map(|famer| &famer.genome))
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

    /// Goes on with another pool, which changes no figure.
    pub fn play_on(&mut self, pool: Pool) {
        self.pool = pool;
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

    /// Lets members of the generation into the hall of fame.
    fn feed(&mut self, fitness: &[f64]) {
        let Some(config) = self.preset.evolution.fame.hall() else {
            return;
        };
        let population = &mut self.state.population;
        let generation = self.state.generation;
        let mut rng = stream(self.seed, Purpose::Fame, generation, 0);
        let (hall, members) = (&population.hall, &population.members);
        let changes = fame::changes(config, hall, members, &ranking(fitness), &mut rng);
        for change in changes {
            population.hall[change.place] = Famer {
                genome: population.members[change.member].clone(),
                since: Some(generation),
            };
            self.hall[change.place] = Arc::clone(&self.players[change.member]);
        }
    }

    /// A whole generation; `None` where `halt` was set before all games were played.
    pub fn advance(&mut self, halt: &AtomicBool) -> Option<Row> {
        let finished = self.play(halt)?;
        let row = self.measure(&finished);
        self.breed(finished);
        Some(row)
    }
}

/// What members are taught from, set by set; empty where nobody is taught.
fn lessons(preset: &Preset, arena: &dyn Arena, seed: u64) -> Result<Vec<Lessons>, String> {
    let Some(teaching) = preset.evolution.teaching() else {
        return Ok(Vec::new());
    };
    let teacher = Reference::named(&teaching.teacher, arena.judges());
    let teacher = teacher.expect("the preset's parts go together");
    (0..teaching.sets.into())
        .map(|set| arena.lessons(teacher, teaching.games, seed, set))
        .collect()
}

/// The players of the hall of fame.
fn hall(genome: &GenomeConfig, ports: &Ports, population: &Population) -> Vec<Arc<Player>> {
    let genomes = population.hall.iter().map(|famer| &famer.genome);
    grading::players(genome, ports, genomes)
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
