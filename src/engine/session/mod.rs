//! One run: draw pairings, play them in the arena, compute fitness, measure the champion, make the
//! next generation. A session is a pure function of preset, seed and interventions. It uses no
//! clock, file or screen.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use crate::contest::GameResult;
use crate::evolution::Population;
use crate::evolution::archive::Champion;
use crate::evolution::memory::Memory;
use crate::evolution::restart::Regress;
use crate::genomes::GenomeError;
use crate::genomes::training_set::TrainingSet;
use crate::metrics::lengths::GameLengths;
use crate::metrics::{Columns, Row};
use crate::params::ParamError;
use crate::play::match_setup::ChampionPlayer;
use crate::play::phenotype::Phenotype;
use crate::play::pool::{Pool, Slots};
use crate::play::record::GameRecord;
use crate::play::reference_player::ReferencePlayer;
use crate::play::{Arena, TrainingError};
use crate::preset::{GENERATIONS, Intervention, Preset, PresetError};

use self::progress::GenerationProgress;
use self::replay::ReplayedGames;
use self::round::GenerationGames;
use self::snapshot::kinship_of_founders;
use self::team::{Team, TeamFigures};

pub use self::migration::MigrantChoice;
pub use self::pretraining::Learner;
pub use self::resume::ResumeError;
pub use self::sample::LEARNER;
pub use self::snapshot::GenerationSnapshot;

pub mod breakpoint;
pub mod cost;
pub mod grading;
mod learning;
pub mod measures;
mod migration;
mod pretraining;
pub mod progress;
mod replay;
mod reproduction;
mod resume;
mod round;
mod sample;
mod snapshot;
pub mod structure;
pub mod team;

/// The number of earlier champions that the growth of a champion is measured against.
const RECENT_CHAMPIONS: usize = 5;

/// The total games and moves of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    /// Games played for fitness.
    pub games: u64,
    /// Moves in these games, illegal last ones included.
    pub moves: u64,
}

/// The state of a run between two generations. With the preset and the seed, it is all that is
/// needed to resume the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionState {
    /// The next generation.
    pub generation: u64,
    /// The genomes that play the next generation.
    pub population: Population,
    /// Games and moves so far.
    pub totals: Totals,
    /// The champion of the latest generation; `None` before the first.
    pub champion: Option<Champion>,
    /// The champion of the generation before the latest.
    pub previous: Option<Champion>,
    /// The champions of the latest generations, oldest first; empty unless growth is measured.
    #[serde(default)]
    pub recent: Vec<Champion>,
    /// The sum of the growth of all champions.
    #[serde(default)]
    pub growth_sum: f64,
    /// How long champions have been losing to their predecessors; new unless evolution restarts on
    /// that.
    #[serde(default, skip_serializing_if = "Regress::is_new")]
    pub regress: Regress,
    /// The latest generation that migrants have come in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub migrated: Option<u64>,
    /// What learns before the first generation, and has learned until that is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learner: Option<Learner>,
}

/// How the preset of a run changes.
struct PresetChanges {
    /// The preset at the start of the run.
    began: Preset,
    /// The recorded and the scheduled changes.
    interventions: Vec<Intervention>,
    /// The first generation whose changes are still to be made.
    due_from: u64,
    /// Whether the structure is no longer that of the beginning.
    is_restructured: bool,
}

/// A run, between two generations or within one.
pub struct Session {
    /// The preset with all interventions so far.
    preset: Preset,
    seed: u64,
    changes: PresetChanges,
    state: SessionState,
    arena: Arc<dyn Arena>,
    pool: Pool,
    /// Other processes that play for it.
    team: Option<Arc<dyn Team>>,
    columns: Columns,
    references: Vec<ReferencePlayer>,
    /// The reference players that members play against.
    opponents: Vec<ReferencePlayer>,
    /// The training sets, if members learn from a teacher.
    training_sets: Vec<TrainingSet>,
    /// The players of the members, in their order.
    players: Vec<Arc<Phenotype>>,
    /// The players of earlier generations.
    past: PastPlayers,
    /// The games of a generation that was halted.
    unfinished: Option<Box<GenerationGames>>,
    /// The memory of the last games' results, reused because allocation takes time.
    slots: Slots<GameResult>,
    /// The latest generation that this session has played.
    snapshot: Arc<GenerationSnapshot>,
    /// The lengths of its games.
    lengths: GameLengths,
    /// The growth of the latest champion that was measured.
    growth: f64,
    progress: Arc<GenerationProgress>,
}

/// Players of earlier generations.
#[derive(Default)]
struct PastPlayers {
    /// Those of the hall of fame, in its order.
    hall_of_fame: Vec<Arc<Phenotype>>,
    /// Those of the recent champions, in their order.
    recent: Vec<Arc<Phenotype>>,
    /// Those of archived champions, by generation.
    archived: BTreeMap<u64, Arc<Phenotype>>,
}

/// A generation whose games are over: see [`Session::measure`] and [`Session::reproduce`].
#[derive(Clone, Debug)]
pub struct FinishedGeneration {
    /// The fitness of each member.
    pub fitness: Vec<f64>,
    /// The fittest member.
    pub champion: Champion,
    /// The champion's index in the population.
    pub best: usize,
    /// The lengths of its games.
    pub lengths: GameLengths,
    /// The members' games, if an operator looks back at them.
    replayed: ReplayedGames,
    /// The neighbors of each member.
    neighborhoods: Vec<Vec<u32>>,
    /// What the replacement remembers after it.
    pub memory: Memory,
    /// The number of challengers, and of those that replaced a member.
    pub challenges: [u32; 2],
}

impl Session {
    /// Starts a run. `interventions` are changes of parameters that an earlier run recorded, those
    /// of the preset's schedule included.
    ///
    /// # Errors
    ///
    /// All problems of the preset.
    pub fn new(
        preset: Preset,
        seed: u64,
        interventions: Vec<Intervention>,
        pool: Pool,
    ) -> Result<Self, PresetError> {
        let origin = preset.name.clone();
        let refuse = |problems| PresetError {
            origin: origin.clone(),
            problems,
        };
        let problems = preset.problems();
        if !problems.is_empty() {
            return Err(refuse(problems));
        }
        let interventions = preset.with_scheduled(interventions);
        let arena = preset.arena().map_err(|error| {
            let key = match error {
                TrainingError::NoHeuristic => "evolution.lifetime.teacher",
                TrainingError::Agent(_) => "agent",
            };
            refuse(vec![ParamError::new(key, error.to_string())])
        })?;
        if let Some(problem) = missing_oracle(&preset, arena.as_ref()) {
            return Err(refuse(vec![problem]));
        }
        let state = SessionState {
            generation: 0,
            population: Population::random(
                &preset.evolution,
                &preset.genome,
                arena.io_spec(),
                seed,
            ),
            totals: Totals::default(),
            champion: None,
            previous: None,
            recent: Vec::new(),
            growth_sum: 0.0,
            regress: Regress::default(),
            migrated: None,
            learner: None,
        };
        let training_sets = training_sets(&preset, arena.as_ref(), seed).map_err(|error| {
            refuse(vec![ParamError::new(
                "evolution.mutation.teacher",
                error.to_string(),
            )])
        })?;
        let mut session = Self::with_state(preset, seed, interventions, state, arena, pool);
        session.training_sets = training_sets;
        let target = session.preset.stop_condition();
        let error = target.and_then(|until| until.check(&session.columns).err());
        match error {
            Some(error) => Err(refuse(vec![ParamError::new("until", error.to_string())])),
            None => Ok(session),
        }
    }

    fn with_state(
        preset: Preset,
        seed: u64,
        interventions: Vec<Intervention>,
        state: SessionState,
        arena: Arc<dyn Arena>,
        pool: Pool,
    ) -> Self {
        let references = measures::references(arena.as_ref());
        let opponents = opponents(&preset, arena.as_ref());
        let columns = measures::columns(&preset, arena.as_ref(), &references);
        let mut session = Self {
            changes: PresetChanges {
                began: preset.clone(),
                interventions,
                due_from: 0,
                is_restructured: false,
            },
            players: Vec::new(),
            past: PastPlayers::default(),
            preset,
            seed,
            state,
            arena,
            pool,
            team: None,
            columns,
            references,
            opponents,
            training_sets: Vec::new(),
            unfinished: None,
            slots: Slots::default(),
            snapshot: Arc::default(),
            lengths: GameLengths::default(),
            growth: 0.0,
            progress: Arc::default(),
        };
        session.grow_players();
        session.place_families();
        session
    }

    /// Grows the players of all genomes of its state that play in the next generation.
    fn grow_players(&mut self) {
        let (genome, io_spec) = (&self.preset.genome, self.arena.io_spec());
        let Population {
            members,
            hall_of_fame,
            ..
        } = &self.state.population;
        let hall = hall_of_fame.iter().map(|entry| &entry.genome);
        let recent = self.state.recent.iter().map(|champion| &champion.genome);
        self.players = grading::players(genome, io_spec, members);
        self.past.hall_of_fame = grading::players(genome, io_spec, hall);
        self.past.recent = grading::players(genome, io_spec, recent);
    }

    /// Gives members with places on a map their places on the circle of kinship, if they lack them.
    fn place_families(&mut self) {
        let population = &mut self.state.population;
        if self.preset.evolution.layout().is_some() && population.kinship.is_empty() {
            population.kinship = kinship_of_founders(population.members.len());
        }
    }

    /// The preset with all interventions so far.
    pub fn preset(&self) -> &Preset {
        &self.preset
    }

    /// The preset at the start of the run.
    pub fn initial_preset(&self) -> &Preset {
        &self.changes.began
    }

    /// Sets the generation at which the run stops. Results before it do not depend on it. Recorded
    /// changes of it no longer count. The error says which generations are possible.
    pub fn stop_at(&mut self, generations: u64) -> Result<(), ParamError> {
        self.preset.change(GENERATIONS, &generations.to_string())?;
        self.changes.began.generations = generations;
        let now = self.state.generation;
        let is_due = |change: &Intervention| change.key == GENERATIONS && change.generation >= now;
        self.changes.interventions.retain(|change| !is_due(change));
        Ok(())
    }

    /// The seed that, with the preset, determines the run.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The parameter changes so far, and those still to come by the schedule or in a replay.
    pub fn interventions(&self) -> &[Intervention] {
        &self.changes.interventions
    }

    /// Those of them that are in force.
    pub fn made_changes(&self) -> impl Iterator<Item = &Intervention> {
        let changes = self.changes.interventions.iter();
        changes.filter(|change| change.generation < self.changes.due_from)
    }

    /// What a checkpoint contains.
    pub fn state(&self) -> &SessionState {
        &self.state
    }

    /// The next generation.
    pub fn generation(&self) -> u64 {
        self.state.generation
    }

    /// The latest generation that this session has played, or what [`Session::restore_snapshot`]
    /// has found; else without members.
    pub fn snapshot(&self) -> &Arc<GenerationSnapshot> {
        &self.snapshot
    }

    /// The latest champion, ready to value positions and to play; `None` before the first
    /// generation.
    pub fn champion_player(&self) -> Option<ChampionPlayer> {
        sample::champion_player(self)
    }

    /// Sample games of the latest champion against the champion before it and a random earlier one,
    /// or against the random player if there are none. Before the first, of what learns from games.
    /// Each `index` gives different games.
    pub fn sample_games(&self, index: u64) -> Vec<GameRecord> {
        sample::games(self, index)
    }

    /// Learns from the next few games before the first generation, as [`Session::play`] does on and
    /// on. False if nothing is left to learn. After the last, all members are what has learned.
    pub fn teach(&mut self) -> bool {
        pretraining::teach(self)
    }

    /// The scores of what learns before the first generation against the reference players, in so
    /// many held-out games each, as a row whose generation is the number of games that it has
    /// learned from. `None` if nothing learns, or when the first generation is over.
    pub fn measure_learner(&self, games: u32) -> Option<Row> {
        pretraining::measure(self, games)
    }

    /// Why runs of this preset can't exchange champions, if they can't.
    pub fn migration_problem(preset: &Preset) -> Option<String> {
        migration::problem(preset)
    }

    /// Makes a new run one of `of` islands. `index` is below `of` and different in each: it keeps
    /// historical markings apart.
    pub fn settle(&mut self, index: u32, of: u32) {
        self.state.population.innovations.share(index, of);
    }

    /// Whether migrants can come before this generation plays: none have, and no game has been
    /// played.
    pub fn takes_migrant(&self) -> bool {
        self.state.migrated != Some(self.state.generation) && !self.is_within_generation()
    }

    /// `count` members of the latest generation that go to other islands, the champion alone or
    /// first if they are the fittest; fewer if there are fewer members. `None` before the first
    /// generation; a session that has been resumed since it only has the champion.
    pub fn emigrants(&self, count: usize, choice: MigrantChoice) -> Option<Vec<Champion>> {
        migration::emigrants(self, count, choice)
    }

    /// Puts members of other islands in the places of random members, of copies of the own champion
    /// last. They play in the next generation. Those beyond the size of the population are left
    /// out.
    ///
    /// # Errors
    ///
    /// If one does not fit the preset.
    pub fn immigrate(&mut self, migrants: &[Champion]) -> Result<(), GenomeError> {
        migration::immigrate(self, migrants)
    }

    /// Whether all generations of the preset are done.
    pub fn is_done(&self) -> bool {
        self.state.generation >= self.preset.generations
    }

    /// The columns of its metrics.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// The arena of its game and agent.
    pub fn arena(&self) -> &Arc<dyn Arena> {
        &self.arena
    }

    /// The threads that it plays on.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Replaces the thread pool. Results do not depend on it.
    pub fn set_pool(&mut self, pool: Pool) {
        self.pool = pool;
    }

    /// Has a team play some of the games, if the run has the structure of its beginning. Results do
    /// not depend on it.
    pub fn set_team(&mut self, team: Arc<dyn Team>) {
        if !self.changes.is_restructured {
            team.begin(self);
            self.team = Some(team);
        }
    }

    /// How its team has worked since this was asked last; `None` without one, and if that is less
    /// than a second ago.
    pub fn team_figures(&self) -> Option<TeamFigures> {
        self.team.as_ref()?.figures()
    }

    /// Changes a live parameter and records the change. Call it between generations: a generation
    /// in progress keeps what was already decided.
    pub fn change(&mut self, key: &str, text: &str) -> Result<Intervention, ParamError> {
        self.make_due_changes();
        let before = self.preset.clone();
        let key = self.preset.change_live(key, text)?;
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
        self.changes.interventions.push(intervention.clone());
        Ok(intervention)
    }

    /// Whether a generation was halted before its games were over, or before the first members have
    /// learned.
    pub fn is_within_generation(&self) -> bool {
        self.unfinished.is_some() || self.state.learner.is_some()
    }

    /// The progress within the current generation, for other threads.
    pub fn progress(&self) -> &Arc<GenerationProgress> {
        &self.progress
    }

    /// Plays, measures and completes a generation; `None` if `halt` was set before all games were
    /// played.
    pub fn advance(&mut self, halt: &AtomicBool) -> Option<Row> {
        let finished = self.play(halt)?;
        let row = self.measure(&finished);
        self.reproduce(finished);
        Some(row)
    }
}

/// An error if members are to meet the oracle of a game that has none.
fn missing_oracle(preset: &Preset, arena: &dyn Arena) -> Option<ParamError> {
    let mut names = preset.evolution.references().iter();
    let is_missing = names.any(|name| name == "oracle") && !arena.info().is_solved;
    let message = "this game is not solved, so it has no oracle; choose another reference player";
    is_missing.then(|| ParamError::new("evolution.pairing.opponent", message))
}

/// The reference players that members play against.
fn opponents(preset: &Preset, arena: &dyn Arena) -> Vec<ReferencePlayer> {
    let heuristics = arena.info().heuristics;
    let names = preset.evolution.references().iter();
    names
        .filter_map(|name| ReferencePlayer::named(name, heuristics))
        .collect()
}

/// The training sets of the preset's teacher; empty without a teacher.
fn training_sets(
    preset: &Preset,
    arena: &dyn Arena,
    seed: u64,
) -> Result<Vec<TrainingSet>, TrainingError> {
    let Some(supervision) = preset.evolution.supervision() else {
        return Ok(Vec::new());
    };
    let teacher = ReferencePlayer::named(&supervision.teacher, arena.info().heuristics);
    let teacher = teacher.expect("the preset is valid");
    (0..supervision.training_sets.into())
        .map(|set| arena.training_set(teacher, supervision.games, seed, set))
        .collect()
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
    fn the_champion_values_the_moves_of_a_position() {
        let mut session = session(1);
        assert!(session.champion_player().is_none());
        session.advance(&AtomicBool::new(false));
        let champion = session.champion_player().expect("a generation is done");
        let found = champion.evaluate_moves("2,1").expect("it is a position");
        let moves: Vec<&str> = found.scores.iter().map(|(text, _)| &**text).collect();
        assert_eq!(moves, ["1:1", "1:2", "2:1"]);
        assert!(champion.evaluate_moves("none").is_err());
    }

    #[test]
    fn a_halted_generation_continues_where_it_stopped() {
        let (mut whole, mut halted) = (session(1), session(2));
        let (go, stop) = (AtomicBool::new(false), AtomicBool::new(true));
        for _ in 0..5 {
            assert!(halted.play(&stop).is_none());
            assert!(halted.is_within_generation());
            assert_eq!(whole.advance(&go), halted.advance(&go));
        }
        assert_eq!(whole.state(), halted.state());
    }

    #[test]
    fn a_scheduled_change_is_as_one_made_by_hand_and_survives_a_resume() {
        let go = AtomicBool::new(false);
        let mut by_hand = session(1);
        let schedule = vec!["3: opponents=4".to_owned()];
        let preset = Preset {
            schedule,
            ..by_hand.initial_preset().clone()
        };
        let start = |preset: &Preset| {
            let pool = Pool::new(1).expect("there is a thread");
            Session::new(preset.clone(), 1, Vec::new(), pool).expect("it is sound")
        };
        let mut scheduled = start(&preset);
        for generation in 0..6 {
            if generation == 3 {
                by_hand.change("opponents", "4").expect("it is live");
            }
            if generation == 2 || generation == 4 {
                let pool = Pool::new(1).expect("there is a thread");
                let changes = scheduled.interventions().to_vec();
                let state = scheduled.state().clone();
                let resumed = Session::resume(preset.clone(), 1, changes, state, pool);
                scheduled = resumed.expect("it is sound");
            }
            assert_eq!(by_hand.advance(&go), scheduled.advance(&go));
        }
        assert_eq!(by_hand.state(), scheduled.state());
        assert_eq!(by_hand.interventions(), scheduled.interventions());
    }
}
