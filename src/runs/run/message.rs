//! Commands to a run's worker, and the events it sends.

use std::sync::Weak;

use finches_engine::evolution::archive::Champion;
use finches_engine::metrics::Row;
use finches_engine::metrics::lengths::GameLengths;
use finches_engine::metrics::stop_condition::StopCondition;
use finches_engine::params::ParamError;
use finches_engine::play::record::GameRecord;
use finches_engine::preset::Intervention;
use finches_engine::session::breakpoint::Breakpoint;
use finches_engine::session::team::TeamFigures;
use finches_engine::session::{GenerationSnapshot, Session};

use super::pace::Pace;

/// A command to the worker, handled between two generations unless stated otherwise.
#[derive(Clone, Debug, PartialEq)]
pub enum RunCommand {
    /// Pause at once, even within a generation, which is continued later.
    Pause,
    /// Continue after a pause.
    Resume,
    /// Run one generation while paused.
    Step,
    /// Go on after the condition that stops the run was met, to the last generation.
    GoOn,
    /// Change a live parameter before the next generation.
    Change {
        /// The path of the parameter, such as `evolution.pairing.opponents`.
        key: String,
        /// The new value, in RON.
        value: String,
    },
    /// Limit the generations per second.
    SetPace(Pace),
    /// Replace the breakpoints.
    SetBreakpoints(Vec<Breakpoint>),
    /// Write a checkpoint now.
    Save,
    /// Play new sample games.
    Resample,
}

/// What a run is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The first generation has not begun.
    Starting,
    /// Generations are played.
    Running,
    /// No generation is played until a command arrives.
    Paused,
    /// All generations are done.
    Done,
}

/// An event sent by the worker.
#[derive(Clone, Debug)]
pub enum RunEvent {
    /// What the run is doing has changed.
    Phase(Phase),
    /// The rows of one or more generations, and the current speed.
    Rows(Vec<Row>, Speed),
    /// The latest champion and its games. Only the newest matters.
    Snapshot(Box<Snapshot>),
    /// What learns before the first generation.
    Learned(Box<LearningReport>),
    /// The members of the snapshot's generation. The reference is weak: upgrade it before the next
    /// one is sent. Nothing is copied, and unread events keep no population alive.
    Members(Weak<GenerationSnapshot>),
    /// A parameter has been changed and recorded.
    Changed(Intervention),
    /// A parameter could not be changed.
    Rejected(ParamError),
    /// The run is on disk up to this generation.
    Saved {
        /// The next generation; all before it are on disk.
        generation: u64,
    },
    /// A breakpoint has paused the run in this generation, for this reason.
    BreakpointHit {
        /// The generation, which is complete.
        generation: u64,
        /// The breakpoints that are met, separated by commas.
        reason: String,
    },
    /// The condition that stops the run is met.
    TargetReached(StopCondition),
    /// Saving failed, for this reason. Evolution continues until too many rows wait for room on the
    /// disk.
    NotSaved(String),
    /// Files of the run were damaged when it was resumed: what was done about it.
    Repaired(String),
    /// The run has ended with a panic; the last checkpoint is intact.
    Failed(String),
}

/// How fast a run evolves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Speed {
    /// Over about the last second of work.
    pub generations_per_second: f64,
    /// Games for fitness, over the same time.
    pub games_per_second: f64,
    /// Share of the working time spent measuring, 0..=1.
    pub measuring: f64,
    /// Working time so far, without pauses, in seconds.
    pub seconds: f64,
    /// How the processes that evolve the run have worked lately; `None` if one evolves it alone, or
    /// for this process.
    pub team: Option<TeamFigures>,
    /// Over all the work since the run was started or resumed.
    pub mean: MeanSpeed,
}

/// Means over the working time since a run was started or resumed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeanSpeed {
    /// Generations.
    pub generations_per_second: f64,
    /// Games for fitness.
    pub games_per_second: f64,
    /// Share of the time spent measuring, 0..=1.
    pub measuring: f64,
}

/// The champion of a generation, for display.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The fittest member.
    pub champion: Champion,
    /// Nodes in each layer of its network, and its edges.
    pub layers: Vec<usize>,
    /// The number of weighted connections.
    pub edges: usize,
    /// The fitness of each member of its generation, by index; empty until a resumed run has played
    /// a generation.
    pub fitness: Vec<f64>,
    /// Lengths of the games of its generation; empty whenever `fitness` is.
    pub lengths: GameLengths,
    /// Its sample games: against the champion before it, and against a random earlier one.
    pub games: Vec<GameRecord>,
}

impl Snapshot {
    /// A champion and games of it, when nothing else is known of its generation.
    pub fn new(champion: Champion, games: Vec<GameRecord>) -> Self {
        let topology = champion.genome.topology();
        Self {
            champion,
            layers: topology.layers,
            edges: topology.edges,
            fitness: Vec::new(),
            lengths: GameLengths::default(),
            games,
        }
    }

    /// The latest champion of a session with its sample games of this number; `None` before the
    /// first generation.
    pub fn of(session: &Session, sample: u64) -> Option<Self> {
        let champion = session.state().champion.clone()?;
        Some(Self {
            fitness: session.fitness().to_vec(),
            lengths: session.lengths().clone(),
            ..Self::new(champion, session.sample_games(sample))
        })
    }
}

/// What learns from games before the first generation, for display.
#[derive(Clone, Debug)]
pub struct LearningReport {
    /// The learner in place of a champion, with a sample game.
    pub snapshot: Snapshot,
    /// Its scores against the reference players; the generation is the number of games that it has
    /// learned from.
    pub scores: Row,
}

impl LearningReport {
    /// Held-out games against each reference player.
    const GAMES: u32 = 100;

    /// What learns in a session; `None` if nothing does.
    pub fn of(session: &Session) -> Option<Self> {
        let learner = session.state().learner.as_ref()?;
        let champion = Champion {
            generation: 0,
            fitness: 0.0,
            genome: learner.genome.clone(),
        };
        Some(Self {
            snapshot: Snapshot::new(champion, session.sample_games(0)),
            scores: session.measure_learner(Self::GAMES)?,
        })
    }
}
