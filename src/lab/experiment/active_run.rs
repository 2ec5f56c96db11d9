//! A run of an experiment in progress: from its start, from a part of it that is done, or from its
//! checkpoint.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use finches_engine::evolution::archive::Champion;
use finches_engine::metrics::Row;
use finches_engine::metrics::stop_condition::StopCondition;
use finches_engine::play::pool::Pool;
use finches_engine::session::team::Team;
use finches_engine::session::{MigrantChoice, ResumeError, Session, SessionState};
use finches_runs::storage::StorageError;
use finches_runs::storage::experiments::ExperimentFolder;
use finches_runs::storage::experiments::checkpoint::{ResumableRun, RunCheckpoint};
use finches_runs::storage::experiments::fork;
use finches_runs::storage::experiments::islands::IslandsDefinition;
use finches_runs::storage::experiments::manifest::RunId;
use finches_runs::storage::experiments::outcome::RunOutcome;
use finches_runs::storage::experiments::outcome_writer::ExperimentRunWriter;
use finches_runs::storage::experiments::part::RunPart;
use finches_runs::storage::experiments::players::KeptPlayers;
use finches_runs::storage::experiments::times::keep_time;

use super::worker_pool::WorkerSlot;
use super::{ExperimentError, RunLeg, TIME_SLICE};

/// The shortest time between two checkpoints of a run; the first comes after a tenth of it, since
/// `finches watch` knows no more of a run that another process does.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(10);

/// The time between two checkpoints is at least this many times the time that it takes to write
/// one, which grows with the rows.
const CHECKPOINT_PAUSE: u32 = 50;

/// The column names and rows of the checkpoint from which a run continues.
type EarlierRows = (Vec<String>, Vec<Row>);

/// A run in progress.
pub(super) struct ActiveRun<'a> {
    folder: &'a ExperimentFolder,
    id: RunId,
    /// The part that is done at the end.
    part: RunPart,
    session: Session,
    /// The number of generations to be done.
    until: u64,
    /// The condition that ends the run before.
    target: Option<StopCondition>,
    writer: ExperimentRunWriter<'a>,
    /// The generation in which the target was met.
    reached: Option<u64>,
    /// The time that its generations took.
    worked: Duration,
    /// The players that are kept, if any.
    players: Option<KeptPlayers>,
    /// The generations in which members have been sent since the last checkpoint, and how many.
    sent: Vec<(u64, usize)>,
    /// Whether it ends since another island has met the target.
    ended_together: bool,
    /// The number of generations at the latest checkpoint.
    checkpoint_generation: u64,
    /// When the next checkpoint is due.
    checkpoint_due: Instant,
}

impl<'a> ActiveRun<'a> {
    /// Starts a run, or continues it from its checkpoint or from a finished part. Then it also
    /// returns the earlier column names and rows. A checkpoint that can't be used is renamed, and
    /// `on_damage` is called with the reason.
    pub(super) fn start(
        folder: &'a ExperimentFolder,
        (id, leg): (RunId, RunLeg),
        pool: Pool,
        on_damage: &dyn Fn(StorageError),
    ) -> Result<(Self, Option<EarlierRows>), ExperimentError> {
        let (session, kept) = match resume(folder, (id, leg), &pool, on_damage)? {
            Some((session, run)) => (session, Some(run)),
            None => (first_session(folder, id, pool)?, None),
        };
        let (columns, generation) = (session.columns(), session.generation());
        let (mut worked, mut players) = (Duration::ZERO, KeptPlayers::default());
        let manifest = folder.manifest();
        let (writer, earlier) = if let Some(run) = kept {
            let checkpoint = run.checkpoint;
            // The time of its beginning counts, too.
            worked = Duration::try_from_secs_f64(checkpoint.seconds).unwrap_or_default();
            players = checkpoint.players.unwrap_or_default();
            let so_far = (columns, generation, checkpoint.written);
            let writer = folder.continued_writer(id, leg.to, so_far)?;
            (writer, Some((run.names, run.rows)))
        } else {
            let writer = folder.writer(id, leg.to, (columns, generation))?;
            let names = columns.names().map(str::to_owned);
            // The generations before the fork are done.
            let fork = manifest.fork.as_ref();
            (writer, fork.map(|_| (names.collect(), Vec::new())))
        };
        let preset = &manifest.presets[id.preset];
        let run = Self {
            folder,
            id,
            part: leg.to,
            until: leg.to.generations(preset.generations),
            target: preset.stop_condition(),
            checkpoint_generation: generation,
            checkpoint_due: Instant::now() + CHECKPOINT_INTERVAL / 10,
            session,
            writer,
            reached: None,
            worked,
            players: manifest.keeps_players.then_some(players),
            sent: Vec::new(),
            ended_together: false,
        };
        Ok((run, earlier))
    }

    pub(super) fn set_team(&mut self, team: Arc<dyn Team>) {
        self.session.set_team(team);
    }

    /// The number of generations that are done.
    pub(super) fn generations(&self) -> u64 {
        self.session.generation()
    }

    /// Writes how it ended, the time that it took and, if it can continue, its state.
    pub(super) fn finish(mut self) -> Result<(RunPart, RunOutcome), ExperimentError> {
        let (folder, id, part) = (self.folder, self.id, self.part);
        if let Some(players) = &mut self.players {
            players.add_champions(self.session.state());
        }
        if part != RunPart::WHOLE && self.reached.is_none() {
            folder.keep_state(id, part, self.session.state())?;
        }
        self.sync_sent()?;
        if let Some(islands) = &folder.manifest().islands {
            // Where all end together nobody takes them in.
            let last = if self.ended_together {
                self.session.emigrants(1, MigrantChoice::Fittest)
            } else {
                self.emigrants(islands)
            };
            folder.send_last(id, &last.unwrap_or_default())?;
        }
        keep_time(folder, id, self.worked)?;
        let finished = self.writer.finish(self.reached, self.players.as_ref())?;
        folder.remove_checkpoint(id, part);
        Ok(finished)
    }

    /// Writes a checkpoint if one is due. If it can't be written, the run continues, and the reason
    /// is logged.
    pub(super) fn write_checkpoint_if_due(&mut self) {
        if Instant::now() < self.checkpoint_due || self.is_done() {
            return;
        }
        if let Err(error) = self.write_checkpoint() {
            tracing::warn!(target: "finches::experiment", "no checkpoint: {error}");
            self.checkpoint_due = Instant::now() + CHECKPOINT_INTERVAL;
        }
    }

    /// Writes a checkpoint, unless the latest one is of the same generation.
    pub(super) fn write_checkpoint(&mut self) -> Result<(), StorageError> {
        if self.checkpoint_generation == self.session.generation() {
            return Ok(());
        }
        self.sync_sent()?;
        let began = Instant::now();
        let checkpoint = RunCheckpoint {
            seconds: self.worked.as_secs_f64(),
            written: self.writer.written()?,
            players: self.players.clone(),
            state: self.session.state().clone(),
        };
        self.folder
            .write_checkpoint((self.id, self.part), checkpoint)?;
        self.checkpoint_generation = self.session.generation();
        let pause = began.elapsed() * CHECKPOINT_PAUSE;
        self.checkpoint_due = Instant::now() + pause.max(CHECKPOINT_INTERVAL);
        Ok(())
    }

    pub(super) fn set_pool(&mut self, pool: Pool) {
        self.session.set_pool(pool);
    }

    pub(super) fn is_done(&self) -> bool {
        let is_over = self.session.generation() >= self.until;
        is_over || self.reached.is_some() || self.ended_together
    }

    /// Whether it is an island that exchanges members before it goes on.
    pub(super) fn is_exchange_due(&self) -> bool {
        let is_exchange = self
            .folder
            .manifest()
            .is_exchange(self.session.generation());
        is_exchange && self.session.takes_migrant() && !self.is_done()
    }

    fn emigrants(&self, islands: &IslandsDefinition) -> Option<Vec<Champion>> {
        let count = islands.migrants as usize;
        self.session.emigrants(count, islands.choice)
    }

    /// Sends members to other islands if an exchange is due and it has not yet. It is called before
    /// a checkpoint of the generation is written, which may lack them.
    pub(super) fn send_if_due(&mut self) -> Result<(), ExperimentError> {
        let (folder, id, generation) = (self.folder, self.id, self.session.generation());
        let Some(islands) = &folder.manifest().islands else {
            return Ok(());
        };
        if !self.is_exchange_due() || self.sent.iter().any(|sent| sent.0 == generation) {
            return Ok(());
        }
        if let Some(emigrants) = self.emigrants(islands) {
            folder.send(id, generation, &emigrants)?;
            self.sent.push((generation, emigrants.len()));
        } else if !folder.has_sent(id, generation) {
            let (root, name) = (folder.root().display(), folder.manifest().run_name(id));
            return Err(ExperimentError::Failed(format!(
                "{root}/migrants: the members that {name} sent for generation {generation} are \
                missing; delete its files in runs, and it is done again and sends them"
            )));
        }
        Ok(())
    }

    /// Takes in the members of other islands, or ends if one has met the target and all end
    /// together. Returns the island that has not sent its members yet, if there is one.
    pub(super) fn receive(&mut self) -> Result<Option<RunId>, ExperimentError> {
        let (manifest, generation) = (self.folder.manifest(), self.session.generation());
        let Some(islands) = &manifest.islands else {
            return Ok(None);
        };
        let (folder, sources) = (self.folder, manifest.sources(self.id));
        let mut awaited = sources.clone();
        if islands.ends_together {
            awaited = manifest.run_ids();
            awaited.retain(|id| *id != self.id);
        }
        for &other in &awaited {
            if !folder.has_arrived(other, generation)? {
                return Ok(Some(other));
            }
        }
        if islands.ends_together {
            // Once all have arrived, it is certain which of them had met the target before.
            let ends = awaited.into_iter().map(|other| folder.end_of(other));
            let ends: Vec<Option<u64>> = ends.collect::<Result<_, _>>()?;
            self.ended_together = ends.into_iter().flatten().any(|end| end <= generation);
            if self.ended_together {
                return Ok(None);
            }
        }
        let most = islands.migrants as usize;
        let arrived = sources.into_iter();
        let arrived = arrived.map(|source| folder.arrivals(source, generation, most));
        let arrived = arrived.collect::<Result<Vec<_>, _>>()?.concat();
        let settled = self.session.immigrate(&arrived);
        settled.map_err(|error| {
            ExperimentError::Failed(format!(
                "{}: a member that another island sent for generation {generation} does not fit: \
                {error}; delete migrants/*.{generation}.ron and the folder runs, and all are done \
                again",
                folder.root().display()
            ))
        })?;
        Ok(None)
    }

    /// Waits until the members that it has sent are on the disk.
    fn sync_sent(&mut self) -> Result<(), StorageError> {
        let (folder, id) = (self.folder, self.id);
        let mut sent = self.sent.drain(..);
        sent.try_for_each(|(generation, migrants)| folder.sync_sent(id, generation, migrants))
    }

    /// Runs generations for one time slice. Returns their rows, or `None` if halted.
    pub(super) fn run_slice(
        &mut self,
        halt: &AtomicBool,
        slot: &WorkerSlot<'_>,
    ) -> Result<Option<Vec<Row>>, StorageError> {
        let (began, mut rows) = (Instant::now(), Vec::new());
        while !self.is_done() {
            let Some(row) = self.advance(halt)? else {
                return Ok(None);
            };
            rows.push(row);
            if began.elapsed() >= TIME_SLICE || slot.is_outdated() || self.is_exchange_due() {
                break;
            }
        }
        Ok(Some(rows))
    }

    /// Runs one generation. Returns its row, or `None` if halted.
    fn advance(&mut self, halt: &AtomicBool) -> Result<Option<Row>, StorageError> {
        let began = Instant::now();
        if let Some(players) = &mut self.players {
            players.add_population(&self.session);
        }
        let row = self.session.advance(halt);
        if let Some(row) = &row {
            self.writer.write_row(row)?;
            let target = self.target.as_ref();
            if target.is_some_and(|target| target.is_met(self.session.columns(), row)) {
                self.reached = Some(row.generation());
            }
        }
        self.worked += began.elapsed();
        Ok(row)
    }
}

/// The session of a run at its start.
fn first_session(
    folder: &ExperimentFolder,
    id: RunId,
    pool: Pool,
) -> Result<Session, ExperimentError> {
    let manifest = folder.manifest();
    if manifest.fork.is_none() {
        let preset = manifest.preset_of(id);
        let mut session = Session::new(preset, id.seed, Vec::new(), pool)?;
        if manifest.islands.is_some() {
            session.settle(manifest.place_of_island(id) as u32, manifest.runs as u32);
        }
        return Ok(session);
    }
    let refuse = |what: String| {
        let root = folder.root().display();
        ExperimentError::Usage(format!("{root}: {what}"))
    };
    let missing = "has no state.ron; the command that made the fork makes it again";
    let state = fork::state(folder)?.ok_or_else(|| refuse(missing.to_owned()))?;
    let misfit = |error| refuse(format!("state.ron does not fit the run: {error}"));
    session_in(folder, id, state, pool).map_err(misfit)
}

/// The session of a run in a state.
fn session_in(
    folder: &ExperimentFolder,
    id: RunId,
    state: SessionState,
    pool: Pool,
) -> Result<Session, ResumeError> {
    let manifest = folder.manifest();
    let (preset, interventions) = match &manifest.fork {
        Some(fork) => (fork.preset.clone(), fork.interventions(id.preset)),
        None => (manifest.preset_of(id), Vec::new()),
    };
    Session::resume(preset, id.seed, interventions, state, pool)
}

/// The session with which a run continues, and what was kept of the run: from its checkpoint or,
/// without one that can be used, from the part that is done. `None` if there is nothing from which
/// it can continue. A checkpoint that can't be used is renamed; one that can't be read now is an
/// error, since it may be sound.
fn resume(
    folder: &ExperimentFolder,
    (id, leg): (RunId, RunLeg),
    pool: &Pool,
    on_damage: &dyn Fn(StorageError),
) -> Result<Option<(Session, ResumableRun)>, StorageError> {
    let with_session = |run: ResumableRun| {
        let state = run.checkpoint.state.clone();
        let session = session_in(folder, id, state, pool.clone())?;
        Ok::<_, ResumeError>((session, run))
    };
    let misfit = |error: ResumeError| {
        let what = format!("does not fit its run: {error}");
        folder.unusable_checkpoint(id, leg.to, what)
    };
    let checkpoint = folder.checkpoint(id, leg.to).and_then(|found| {
        let resumed = found.map(|run| with_session(run).map_err(misfit));
        resumed.transpose()
    });
    match checkpoint {
        Ok(None) => {}
        Ok(found) => return Ok(found),
        Err(error @ StorageError::Io { .. }) => return Err(error),
        Err(error) => {
            folder.move_damaged_checkpoint(id, leg.to)?;
            on_damage(error);
        }
    }
    let part = leg.from.and_then(|part| folder.partial_run(id, part));
    let tell = |error: &ResumeError| {
        let name = folder.manifest().run_name(id);
        tracing::warn!(target: "finches::experiment", "{name} starts again, since its first part \
            does not fit: {error}");
    };
    Ok(part.and_then(|run| with_session(run).inspect_err(tell).ok()))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::path::Path;

    use super::*;
    use finches_engine::preset::Preset;
    use finches_runs::storage::experiments::manifest::Manifest;
    use finches_runs::storage::experiments::{RunStatus, write_text};
    use finches_runs::storage::presets;

    /// One preset of which every fifth row and populations are kept, and one that meets a target.
    fn manifest() -> Manifest {
        let preset = |name: &str, generations, changes: &[(&str, &str)]| {
            let changes = changes.iter();
            let changes = changes.map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
            let preset = presets::load(name).expect("it is included");
            let preset = preset.with(&changes.collect::<Vec<_>>());
            Preset {
                generations,
                ..preset.expect("it is valid")
            }
        };
        let torus = [
            ("population", "16"),
            ("width", "4"),
            ("every", "2"),
            ("keep_every", "4"),
            ("grading_games", "20"),
            ("held_out_games", "2"),
            ("population_games", "2"),
        ];
        let heaps = [
            ("population", "40"),
            ("opponents", "20"),
            ("until", "generation>=23"),
        ];
        let presets = vec![
            preset("reversi-single", 14, &torus),
            preset("nim-2x2", 40, &heaps),
        ];
        let manifest = Manifest::new(presets, 1, 1).expect("the names differ");
        manifest.with_players(true).with_rows(5)
    }

    fn folder(root: &Path) -> ExperimentFolder {
        ExperimentFolder::begin(root.to_owned(), manifest(), "").expect("it is the same experiment")
    }

    /// A run of a folder, started again or continued. Nothing of it is damaged.
    fn start(
        folder: &ExperimentFolder,
        (id, leg): (RunId, RunLeg),
    ) -> (ActiveRun<'_>, Option<EarlierRows>) {
        let pool = Pool::new(1).expect("there is a thread");
        let sound = |error: StorageError| panic!("{error}");
        ActiveRun::start(folder, (id, leg), pool, &sound).expect("it starts")
    }

    /// Does all runs. After so many generations each is stopped within a generation and continues.
    fn run_all(root: &Path, at_once: usize) {
        let (go, stop) = (AtomicBool::new(false), AtomicBool::new(true));
        let folder = folder(root);
        for id in folder.manifest().run_ids() {
            let start = || start(&folder, (id, RunLeg::WHOLE));
            let (mut run, mut done) = (start().0, 0);
            while !run.is_done() {
                run.advance(&go).expect("writable").expect("not halted");
                done += 1;
                if done % at_once == 0 && !run.is_done() {
                    assert!(run.advance(&stop).expect("writable").is_none());
                    run.write_checkpoint().expect("writable");
                    drop(run);
                    let earlier;
                    (run, earlier) = start();
                    let rows = earlier.expect("it continues").1;
                    assert_eq!(rows.len(), done.div_ceil(5), "every fifth row is written");
                    assert_eq!(run.session.generation(), done as u64);
                    assert!(run.worked > Duration::ZERO);
                }
            }
            run.finish().expect("writable");
        }
    }

    #[test]
    fn runs_that_are_stopped_again_and_again_end_with_the_same_files() {
        let roots = [(); 2].map(|()| tempfile::tempdir().expect("temporary folders can be made"));
        let [whole, stopped] = roots.each_ref().map(tempfile::TempDir::path);
        run_all(whole, usize::MAX);
        run_all(stopped, 3);
        let [whole, stopped] = [whole, stopped].map(folder);
        for id in manifest().run_ids() {
            // An outcome has the checksums of the other files.
            let outcomes = [&whole, &stopped].map(|folder| folder.status(id, RunPart::WHOLE));
            let [RunStatus::Finished(whole), RunStatus::Finished(stopped)] = outcomes else {
                panic!("both are finished: {outcomes:?}");
            };
            assert_eq!(whole, stopped);
            assert!(whole.players_checksum.is_some());
        }
        let id = manifest().run_ids()[0];
        let checkpoint = stopped.checkpoint(id, RunPart::WHOLE);
        assert_eq!(checkpoint.expect("it was removed"), None);
    }

    /// Does some generations of a run.
    fn advance(run: &mut ActiveRun<'_>, generations: usize) {
        let go = AtomicBool::new(false);
        for _ in 0..generations {
            run.advance(&go).expect("writable").expect("not halted");
        }
    }

    /// A folder for one run of 12 generations.
    fn one_run(root: &Path) -> (ExperimentFolder, RunId) {
        let preset = presets::load("nim-2x4").expect("it is included");
        let preset = preset.with(&[("generations".to_owned(), "12".to_owned())]);
        let preset = preset.expect("it is valid");
        let manifest = Manifest::new(vec![preset], 1, 1).expect("there is one name");
        let folder = ExperimentFolder::begin(root.to_owned(), manifest, "");
        let folder = folder.expect("the folder is new");
        let id = folder.manifest().run_ids()[0];
        (folder, id)
    }

    /// The first third of a run, and the rest of it.
    fn thirds() -> (RunLeg, RunLeg) {
        let third = RunPart::one_in(3);
        let leg = |from, to| RunLeg { from, to };
        (leg(None, third), leg(Some(third), RunPart::WHOLE))
    }

    #[test]
    fn a_run_continues_from_a_part_and_from_a_checkpoint_after_it() {
        let roots = [(); 2].map(|()| tempfile::tempdir().expect("temporary folders can be made"));
        let [(folder, id), (alone, _)] = roots.each_ref().map(|root| one_run(root.path()));
        let (first, second) = thirds();
        let mut done = 0;
        for leg in [first, second] {
            let (mut run, earlier) = start(&folder, (id, leg));
            assert_eq!(earlier.map_or(0, |(_, rows)| rows.len()), done);
            advance(&mut run, 2);
            run.write_checkpoint().expect("writable");
            // What it does after its checkpoint is done again.
            advance(&mut run, 1);
            drop(run);
            let (mut run, earlier) = start(&folder, (id, leg));
            assert_eq!(earlier.expect("it continues").1.len(), done + 2);
            let rest = leg.to.generations(12) as usize - done - 2;
            advance(&mut run, rest);
            assert!(run.is_done());
            run.finish().expect("writable");
            done += 2 + rest;
        }
        let (mut run, _) = start(&alone, (id, RunLeg::WHOLE));
        advance(&mut run, 12);
        run.finish().expect("writable");
        let outcomes = [&folder, &alone].map(|folder| folder.status(id, RunPart::WHOLE));
        let [RunStatus::Finished(parts), RunStatus::Finished(whole)] = outcomes else {
            panic!("both are finished: {outcomes:?}");
        };
        assert_eq!(parts, whole);
    }

    #[test]
    fn a_run_whose_checkpoint_does_not_fit_starts_again_and_says_so() {
        let root = tempfile::tempdir().expect("temporary folders can be made");
        let folder = folder(root.path());
        let id = folder.manifest().run_ids()[1];
        let (mut run, _) = start(&folder, (id, RunLeg::WHOLE));
        advance(&mut run, 2);
        run.write_checkpoint().expect("writable");
        drop(run);
        let kept = folder.checkpoint(id, RunPart::WHOLE).expect("it is sound");
        let mut checkpoint = kept.expect("it is there").checkpoint;
        checkpoint.state.population.members.pop();
        let written = folder.write_checkpoint((id, RunPart::WHOLE), checkpoint);
        written.expect("writable");
        let told = RefCell::new(Vec::new());
        let pool = Pool::new(1).expect("there is a thread");
        let on_damage = |error: StorageError| told.borrow_mut().push(error.to_string());
        let (run, earlier) =
            ActiveRun::start(&folder, (id, RunLeg::WHOLE), pool, &on_damage).expect("it starts");
        assert_eq!(run.generations(), 0);
        assert!(earlier.is_none());
        let told = told.into_inner();
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].contains("checkpoint.ron: does not fit"), "{told:?}");
        let checkpoint = folder.checkpoint(id, RunPart::WHOLE);
        assert_eq!(checkpoint.expect("it was renamed"), None);
    }

    #[test]
    fn a_run_whose_checkpoint_is_damaged_continues_from_its_first_part() {
        let root = tempfile::tempdir().expect("temporary folders can be made");
        let (folder, id) = one_run(root.path());
        let (first, second) = thirds();
        let (mut run, _) = start(&folder, (id, first));
        advance(&mut run, 4);
        run.finish().expect("writable");
        let (mut run, _) = start(&folder, (id, second));
        advance(&mut run, 2);
        run.write_checkpoint().expect("writable");
        drop(run);
        let name = format!("{}.checkpoint.ron", folder.manifest().run_name(id));
        write_text(&root.path().join("runs").join(name), "damaged").expect("writable");
        let told = RefCell::new(Vec::new());
        let pool = Pool::new(1).expect("there is a thread");
        let on_damage = |error: StorageError| told.borrow_mut().push(error.to_string());
        let (mut run, earlier) =
            ActiveRun::start(&folder, (id, second), pool, &on_damage).expect("it starts");
        assert_eq!(told.into_inner().len(), 1);
        assert_eq!(run.generations(), 4);
        assert_eq!(earlier.expect("it continues").1.len(), 4);
        advance(&mut run, 8);
        assert!(run.is_done());
        run.finish().expect("writable");
    }

    #[test]
    fn a_run_continues_if_a_checkpoint_cannot_be_written() {
        let root = tempfile::tempdir().expect("temporary folders can be made");
        let folder = folder(root.path());
        let id = folder.manifest().run_ids()[1];
        let (mut run, _) = start(&folder, (id, RunLeg::WHOLE));
        advance(&mut run, 2);
        // A folder in its place can't be replaced by a file.
        let name = format!("{}.checkpoint.ron", folder.manifest().run_name(id));
        let in_its_place = root.path().join("runs").join(name).join("more");
        write_text(&in_its_place, "").expect("writable");
        assert!(run.write_checkpoint().is_err());
        run.checkpoint_due = Instant::now();
        run.write_checkpoint_if_due();
        assert!(run.checkpoint_due > Instant::now());
        advance(&mut run, 1);
        assert_eq!(run.generations(), 3);
    }
}
