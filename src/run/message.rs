//! What goes between a run's worker and whoever watches it.

use std::sync::Weak;

use crate::arena::record::Record;
use crate::evolution::archive::Champion;
use crate::metrics::Row;
use crate::metrics::lengths::Lengths;
use crate::params::Problem;
use crate::preset::Intervention;
use crate::session::Census;

/// An order to a running worker, carried out between two generations unless it says otherwise.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Stop evolving until told to go on; a generation being played is held at once and continued later.
    Pause,
    Resume,
    /// One generation while paused.
    Step,
    /// Turn a live setting at the next generation boundary.
    Turn {
        key: String,
        value: String,
    },
    /// Write a checkpoint now.
    Save,
    /// Play other sample games.
    Resample,
}

/// What a run is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Starting,
    Running,
    Paused,
    /// All generations are done.
    Done,
}

/// What a worker tells.
#[derive(Clone, Debug)]
pub enum Event {
    Phase(Phase),
    /// The rows of one or more generations, and the pace at which they came.
    Rows(Vec<Row>, Pace),
    /// The latest champion and its games. Only the newest matters.
    Snapshot(Box<Snapshot>),
    /// The members of the generation of the snapshot, to be taken hold of before the next ones are told. Nothing is copied,
    /// and news that nobody reads keep no population alive.
    Members(Weak<Census>),
    /// A setting has been turned and recorded.
    Turned(Intervention),
    /// A setting could not be turned.
    Refused(Problem),
    /// The run is on disk up to this generation.
    Saved {
        generation: u64,
    },
    /// Nothing is being saved, and why. Evolution goes on.
    NotSaved(String),
    /// The run has ended in a fault; the last checkpoint is safe.
    Failed(String),
}

/// How fast a run goes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    /// Generations a second over the last while.
    pub generations_per_second: f64,
    pub games_per_second: f64,
    /// Share of the working time that goes into measuring, 0..=1.
    pub measuring: f64,
    /// Time the run has worked so far, pauses left out.
    pub seconds: f64,
}

/// The champion of a generation, to be shown.
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub champion: Champion,
    /// Nodes in each layer of its network, and its edges.
    pub layers: Vec<usize>,
    pub edges: usize,
    /// The fitness of each member of its generation by place; empty where a resumed run has not played one yet.
    pub fitness: Vec<f64>,
    /// How long the games of its generation were; empty where its fitness is.
    pub lengths: Lengths,
    /// Its sample games: against the champion before it, and against a random earlier one.
    pub games: Vec<Record>,
}
