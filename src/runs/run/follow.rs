//! Follows a run that another process writes, or that has ended, by reading its files once per
//! second. Nothing is written and no lock is taken, so the process that evolves the run does not
//! notice.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use thiserror::Error;

use crate::storage::StorageError;
use crate::storage::follow::{MetricsFollower, MetricsUpdate};
use crate::storage::members::MembersFollower;
use crate::storage::run_facts::changed_preset;
use crate::storage::run_writer;
use crate::storage::saves::{RunFile, Saves};
use finches_engine::evolution::archive::Champion;
use finches_engine::metrics::{Columns, Row};
use finches_engine::play::phenotype::Phenotype;
use finches_engine::play::record::GameRecord;
use finches_engine::play::reference_player::ReferencePlayer;
use finches_engine::play::{Arena, PlayerRef, TrainingError};
use finches_engine::preset::{Intervention, Preset};
use finches_engine::session::GenerationSnapshot;
use finches_engine::session::measures::{Measure, columns_named, progress};
use finches_engine::session::team::TeamFigures;

use super::RunInfo;
use super::message::{Phase, RunEvent, Snapshot, Speed};
use super::recording::Recording;

/// Interval between two reads of the files.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Number of reads over which the pace is measured.
const PACE_SAMPLES: usize = 5;

/// What a read of the files has found.
#[derive(Debug)]
pub enum FollowEvent {
    /// The run can't be read, for this reason.
    Missing(String),
    /// The whole run: when it is first read, and whenever its past has changed.
    Run(Box<FollowedRun>),
    /// Something new in the run.
    Event(RunEvent),
}

/// Why a run can't be followed.
#[derive(Debug, Error)]
pub enum FollowError {
    /// A file can't be read.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The preset has no arena.
    #[error(transparent)]
    Agent(#[from] TrainingError),
    /// It was there before.
    #[error("run {run} has disappeared from {}", root.display())]
    Disappeared {
        /// Its name or folder.
        run: String,
        /// The folder of saved runs.
        root: PathBuf,
    },
    /// It has not been saved.
    #[error("there is no run {run} in {} yet", root.display())]
    NotYet {
        /// Its name or folder.
        run: String,
        /// The folder of saved runs.
        root: PathBuf,
    },
    /// Another version has written its metrics.
    #[error("{0}: its metrics have columns unknown to this version of finches; update finches")]
    UnknownColumns(String),
}

/// A followed run with all its rows so far.
#[derive(Debug)]
pub struct FollowedRun {
    /// What is known about the run from its files.
    pub info: RunInfo,
    /// One row per generation, oldest first.
    pub rows: Vec<Row>,
    /// How fast the run evolves, by its recent rows.
    pub pace: Speed,
}

/// Follows a run on its own thread until dropped.
#[derive(Debug)]
pub struct RunFollower {
    events: Receiver<FollowEvent>,
    _stop: Sender<()>,
}

impl RunFollower {
    /// Follows a run, given its name or folder, which need not exist yet.
    pub fn start(saves: Saves, name: String) -> std::io::Result<Self> {
        let (sender, events) = bounded(64);
        let (stop, stopped) = bounded(0);
        let mut follower = FollowerThread {
            saves,
            name,
            sender,
            known: None,
            missing: None,
        };
        thread::Builder::new()
            .name("follower".to_owned())
            .spawn(move || {
                while follower.poll()
                    && stopped.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout)
                {
                }
            })?;
        Ok(Self {
            events,
            _stop: stop,
        })
    }

    /// What is found, in order. The channel is bounded: an unread follower waits.
    pub fn events(&self) -> &Receiver<FollowEvent> {
        &self.events
    }
}

impl Recording {
    /// Reads a saved run. Games that are not on disk are played again.
    ///
    /// # Errors
    ///
    /// The file that can't be read, and why.
    pub fn read(saves: &Saves, name: &str) -> Result<Self, FollowError> {
        let file = saves.run_file(name)?;
        let mut known = KnownRun::new(saves, name, file.clone())?;
        let (columns, rows) = saves.metrics(name)?;
        let FollowedRun { info, rows, .. } = known.load(name, &file, &columns, rows)?;
        let (mut snapshots, mut before) = (Vec::new(), None);
        for generation in saves.champions(name)? {
            let champion = saves.champion(name, generation)?;
            let mut snapshot = known.snapshot(champion.clone(), before.as_ref());
            let saved = saves.games_of_generation(name, generation, known.arena.as_ref());
            snapshot.games = saved.unwrap_or(snapshot.games);
            snapshots.push(snapshot);
            before = Some(champion);
        }
        let info = RunInfo {
            preset: file.preset,
            interventions: file.interventions,
            threads: 1,
            generation: 0,
            ..info
        };
        Ok(Self {
            info,
            rows,
            snapshots,
        })
    }
}

struct FollowerThread {
    saves: Saves,
    name: String,
    sender: Sender<FollowEvent>,
    known: Option<KnownRun>,
    /// The last reason reported for a missing run.
    missing: Option<String>,
}

/// What has been reported about the run.
struct KnownRun {
    file: RunFile,
    /// With the changes that are in force.
    preset: Preset,
    /// The changes still to come.
    upcoming: Vec<Intervention>,
    arena: Arc<dyn Arena>,
    columns: Columns,
    metrics: MetricsFollower,
    /// Working time, generations and games at the latest reads.
    pace_samples: VecDeque<(f64, u64, f64)>,
    team: Option<TeamFigures>,
    champion: Option<u64>,
    members: MembersFollower,
    /// Kept alive for the listener until newer ones are on disk.
    reported_members: Arc<GenerationSnapshot>,
    completion: Completion,
}

impl FollowerThread {
    /// Reads the files and sends what is new; false if the listener is gone.
    fn poll(&mut self) -> bool {
        let events = match self.read_events() {
            Ok(events) => {
                self.missing = None;
                events
            }
            Err(error) => {
                let reason = error.to_string();
                self.known = None;
                let known = self.missing.replace(reason.clone());
                let is_new = known.as_ref() != Some(&reason);
                Vec::from_iter(is_new.then_some(FollowEvent::Missing(reason)))
            }
        };
        let mut sent = events.into_iter().map(|event| self.sender.send(event));
        sent.all(|sent| sent.is_ok())
    }

    /// The new events, or the reason why the run can't be read.
    fn read_events(&mut self) -> Result<Vec<FollowEvent>, FollowError> {
        let (saves, name) = (&self.saves, &self.name);
        if saves.find(name).is_none() {
            let (run, root) = (name.clone(), saves.root().to_owned());
            return Err(match self.known {
                Some(_) => FollowError::Disappeared { run, root },
                None => FollowError::NotYet { run, root },
            });
        }
        let file = saves.run_file(name)?;
        let known = match self.known.take() {
            Some(known) if known.is_continued_by(&file) => self.known.insert(known),
            _ => self.known.insert(KnownRun::new(saves, name, file.clone())?),
        };
        known.team = run_writer::processes(saves, name);
        let mut events = Vec::new();
        match known.metrics.poll()? {
            MetricsUpdate::Replaced { columns, rows } => {
                let run = known.load(name, &file, &columns, rows)?;
                events.push(FollowEvent::Run(Box::new(run)));
            }
            MetricsUpdate::Appended(rows) => {
                events.extend(known.new_changes(&file, &rows));
                events.extend(known.append(rows));
            }
        }
        events.extend(known.champion(saves, name));
        events.extend(known.new_members());
        events.extend(known.report_finished());
        Ok(events)
    }
}

impl KnownRun {
    fn new(saves: &Saves, name: &str, file: RunFile) -> Result<Self, FollowError> {
        let metrics = saves.follow_metrics(name)?;
        Ok(Self {
            arena: changed_preset(&file.preset, &file.interventions).arena()?,
            preset: file.preset.clone(),
            upcoming: Vec::new(),
            columns: Columns::default(),
            metrics,
            pace_samples: VecDeque::new(),
            team: None,
            champion: None,
            members: MembersFollower::new(saves, name)?,
            reported_members: Arc::default(),
            completion: Completion::Running,
            file,
        })
    }

    /// Whether a run file belongs to the same run, with at most more parameters changed.
    fn is_continued_by(&self, file: &RunFile) -> bool {
        let (known, now) = (&self.file, file);
        known.seed == now.seed
            && known.preset == now.preset
            && now.interventions.starts_with(&known.interventions)
    }

    /// Starts over with all rows of the run.
    fn load(
        &mut self,
        name: &str,
        file: &RunFile,
        columns: &[String],
        rows: Vec<Row>,
    ) -> Result<FollowedRun, FollowError> {
        self.columns = columns_named(columns);
        if !self.columns.names().eq(columns.iter().map(String::as_str)) {
            return Err(FollowError::UnknownColumns(name.to_owned()));
        }
        self.file = file.clone();
        self.pace_samples.clear();
        self.champion = None;
        self.completion = Completion::Running;
        self.preset = file.preset.clone();
        self.upcoming.clone_from(&file.interventions);
        let generation = rows.last().map_or(0, |row| row.generation() + 1);
        let interventions = self.make_changes(generation);
        let recent = rows.len().saturating_sub(rows.len() / 20 + 2);
        for row in rows[recent..].first().into_iter().chain(rows.last()) {
            self.add_pace_sample(row);
        }
        let info = RunInfo {
            preset: self.preset.clone(),
            seed: file.seed,
            columns: self.columns.clone(),
            interventions,
            arena: Arc::clone(&self.arena),
            // Unknown: the run belongs to another process.
            threads: 0,
            saved_as: Some(name.to_owned()),
            generation,
            rows_every: file.rows_every,
        };
        let pace = self.pace();
        self.update_completion(&rows);
        Ok(FollowedRun { info, rows, pace })
    }

    fn append(&mut self, rows: Vec<Row>) -> Option<FollowEvent> {
        self.add_pace_sample(rows.last()?);
        self.update_completion(&rows);
        Some(FollowEvent::Event(RunEvent::Rows(rows, self.pace())))
    }

    /// Records how far the run has come.
    fn add_pace_sample(&mut self, row: &Row) {
        let figure = |measure: &Measure| row.get(&self.columns, measure).unwrap_or(0.0);
        let generations = row.generation() + 1;
        let sample = (
            figure(&progress::SECONDS),
            generations,
            figure(&progress::GAMES),
        );
        self.pace_samples.push_back(sample);
        if self.pace_samples.len() > PACE_SAMPLES {
            self.pace_samples.pop_front();
        }
    }

    fn pace(&self) -> Speed {
        let (Some(first), Some(last)) = (self.pace_samples.front(), self.pace_samples.back())
        else {
            return Speed::default();
        };
        let passed = last.0 - first.0;
        let rate = |amount: f64| if passed > 0.0 { amount / passed } else { 0.0 };
        Speed {
            generations_per_second: rate(last.1.saturating_sub(first.1) as f64),
            games_per_second: rate(last.2 - first.2),
            seconds: last.0,
            team: self.team,
            ..Speed::default()
        }
    }

    /// Parameter changes since the last read.
    fn new_changes(&mut self, file: &RunFile, rows: &[Row]) -> Vec<FollowEvent> {
        let new = &file.interventions[self.file.interventions.len()..];
        self.upcoming.extend_from_slice(new);
        self.file = file.clone();
        let known = self.pace_samples.back().map_or(0, |sample| sample.1);
        let generation = rows.last().map_or(known, |row| row.generation() + 1);
        let made = self.make_changes(generation).into_iter();
        made.map(|change| FollowEvent::Event(RunEvent::Changed(change)))
            .collect()
    }

    /// Makes the changes up to a generation and returns them.
    fn make_changes(&mut self, generation: u64) -> Vec<Intervention> {
        let upcoming = std::mem::take(&mut self.upcoming).into_iter();
        let (mut made, later): (Vec<_>, Vec<_>) =
            upcoming.partition(|change| change.generation <= generation);
        made.sort_by_key(|change| change.generation);
        self.upcoming = later;
        self.preset = changed_preset(&self.preset, &made);
        made
    }

    /// The latest saved champion, if it is new. Champions are written with checkpoints.
    fn champion(&mut self, saves: &Saves, name: &str) -> Vec<FollowEvent> {
        let saved = saves.champions(name).unwrap_or_default();
        let latest = saved.last().copied();
        if latest == self.champion {
            return Vec::new();
        }
        // A champion that can't be read now is tried again at the next read.
        let Some(Ok(champion)) = latest.map(|latest| saves.champion(name, latest)) else {
            return Vec::new();
        };
        let before = saved.iter().rev().nth(1);
        let before = before.and_then(|&before| saves.champion(name, before).ok());
        self.champion = latest;
        let generation = champion.generation + 1;
        let snapshot = self.snapshot(champion, before.as_ref());
        vec![
            FollowEvent::Event(RunEvent::Saved { generation }),
            FollowEvent::Event(RunEvent::Snapshot(Box::new(snapshot))),
        ]
    }

    /// The latest members on disk, if they are new.
    fn new_members(&mut self) -> Option<FollowEvent> {
        self.reported_members = Arc::new(self.members.poll()?);
        let members = Arc::downgrade(&self.reported_members);
        Some(FollowEvent::Event(RunEvent::Members(members)))
    }

    fn snapshot(&self, champion: Champion, before: Option<&Champion>) -> Snapshot {
        let games = vec![self.game(&champion, before)];
        Snapshot::new(champion, games)
    }

    /// A game of a champion against the one saved before it, or against the random player.
    fn game(&self, champion: &Champion, before: Option<&Champion>) -> GameRecord {
        let grow = |champion: &Champion| {
            Phenotype::grown(&self.preset.genome, self.arena.io_spec(), &champion.genome)
        };
        let (own, other) = (grow(champion), before.map(grow));
        let opponent = match &other {
            Some(other) => PlayerRef::Evolved(other),
            None => PlayerRef::Reference(ReferencePlayer::Random),
        };
        let name = before.map_or_else(
            || ReferencePlayer::Random.name(self.arena.info().heuristics),
            |before| format!("g{}", before.generation),
        );
        let names = [format!("g{}", champion.generation), name];
        let players = [PlayerRef::Evolved(&own), opponent];
        self.arena
            .play_record(players, names, self.file.seed, champion.generation, 0)
    }

    /// Records whether the run has ended.
    fn update_completion(&mut self, rows: &[Row]) {
        let Some(last) = rows.last() else { return };
        let target = self.preset.stop_condition();
        let met = target.is_some_and(|target| target.is_met(&self.columns, last));
        let is_done = met || last.generation() + 1 >= self.preset.generations;
        self.completion = match (is_done, self.completion) {
            (false, _) => Completion::Running,
            (true, Completion::Reported) => Completion::Reported,
            (true, _) => Completion::Finished,
        };
    }

    fn report_finished(&mut self) -> Option<FollowEvent> {
        let is_new = self.completion == Completion::Finished;
        is_new.then(|| {
            self.completion = Completion::Reported;
            FollowEvent::Event(RunEvent::Phase(Phase::Done))
        })
    }
}

/// Whether the run has ended, and whether that has been reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Completion {
    Running,
    Finished,
    Reported,
}
