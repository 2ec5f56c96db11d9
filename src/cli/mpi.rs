//! One run on the processes that `mpirun` or `srun` has started. Process 0 has the session and all
//! files; the others play some of its games, with genomes that it sends, and teach some of its new
//! members. It cuts this work into parts, large ones first, and keeps up to two in the queue of
//! each process, so that none waits for the next one. It does the shortest parts itself, to look
//! after the others between them.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use crossbeam_channel::{RecvTimeoutError, Sender, unbounded};
use indicatif::DecimalBytes;
use mpi::Threading;
use mpi::environment::Universe;
use mpi::point_to_point::MatchedReceiveVec;
use mpi::request::scope;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Root, Source};
use serde::{Deserialize, Serialize};

use finches_engine::genomes::AnyGenome;
use finches_engine::params::to_ron;
use finches_engine::play::phenotype::Phenotype;
use finches_engine::play::pool::{Pool, thread_count};
use finches_engine::preset::Preset;
use finches_engine::session::Session;
use finches_engine::session::team::{
    SharedWork, Team, TeamChange, TeamFigures, TeamPlayer, Teammate, WorkRequest, WorkResults,
};
use finches_engine::text::{percentage, time, whole};
use finches_runs::signals::{SIGHUP, SIGINT, SIGTERM, SIGUSR1, Signals};

use super::{CliError, output};

/// What tells each process how many there are: of Open MPI, MPICH and Slurm.
const SIZES: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"];

/// What a process that MPI has started has at least one of.
const MARKS: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"];

/// Names the seconds from which on work is shared, for [`LIMIT`].
const LIMIT_VARIABLE: &str = "FINCHES_MPI_SECONDS";

/// Games or lessons that take less than this on one process, in seconds, are not shared. With 0,
/// all are shared, even where that is slower.
const LIMIT: f64 = 0.01;

/// The longest and the shortest time of a part in seconds. A run that is halted waits for two parts
/// of every process.
const PART_SECONDS: Range<f64> = 0.0005..0.25;

/// The longest time that process 0 works before it looks after the others.
const OWN_SECONDS: f64 = 0.005;

/// The most games or lessons in a part.
const MOST_TASKS: usize = 1 << 16;

/// The parts in the queue of a process.
const QUEUE: usize = 2;

/// A message is sent in pieces of at most this size, because MPI counts bytes in 31 bits.
const PIECE_BYTES: usize = 1 << 30;

/// Lists of games or lessons until the slower way to do them is tried again, at first and at last.
const FIRST_WAIT: u32 = 16;
const LONGEST_WAIT: u32 = 1024;

/// The tags of the last piece of a message, of the pieces before, and of the size of a message that
/// goes to all processes, each of which hands it on to others.
const LAST: i32 = 0;
const MORE: i32 = 1;
const FOLLOWS: i32 = 2;

/// The least time between two figures of how the processes work.
const FIGURES_INTERVAL: Duration = Duration::from_secs(1);

/// The time between looks for a message: while there is work, and after a second without.
const PAUSES: [Duration; 2] = [Duration::from_micros(50), Duration::from_millis(1)];

/// The team of this process, if it is process 0 of several.
static TEAM: OnceLock<Arc<MpiTeam>> = OnceLock::new();

/// What process 0 sends.
#[derive(Serialize, Deserialize)]
enum TeamMessage<G> {
    /// The preset of a run at its start, in RON, its name and the seed of the run.
    Start(String, String, u64),
    /// The players of the next games.
    Players(Vec<TeamChange<G>>),
    /// A part of the work.
    Work(WorkRequest),
    /// No further work.
    End,
}

/// Evolves a run on process 0, while all others work for it. Without MPI, it is evolved on this
/// process alone.
pub(super) fn on_processes(
    threads: usize,
    evolve: impl FnOnce() -> Result<(), CliError>,
) -> Result<(), CliError> {
    if MARKS.iter().all(|name| std::env::var_os(name).is_none()) {
        tell_of_tasks();
        return evolve();
    }
    let failure = |text: &str| CliError::Failure(text.to_owned());
    let started = mpi::initialize_with_threading(Threading::Serialized);
    let (universe, threading) = started.ok_or_else(|| failure("MPI has been started twice"))?;
    let world = universe.world();
    if world.size() == 1 {
        let sizes = SIZES.iter().filter_map(|name| std::env::var(name).ok());
        if sizes
            .filter_map(|size| size.parse().ok())
            .any(|size: u32| size > 1)
        {
            let text = "several processes were started, but MPI does not find the others; use the \
                mpirun of the library that this program was built with, or srun --mpi=pmix";
            return Err(failure(text));
        }
        return evolve();
    }
    if threading < Threading::Serialized {
        return Err(failure(
            "this MPI library can't be used from several threads",
        ));
    }
    let local = world.split_shared(world.rank()).size() as usize;
    let threads = match threads {
        0 => (thread_count(0) / local).max(1),
        wanted => wanted,
    };
    if world.rank() > 0 {
        return serve(&universe, threads);
    }
    let limit = std::env::var(LIMIT_VARIABLE).ok();
    let limit = limit.map_or(Ok(LIMIT), |text| text.parse());
    let limit = limit.map_err(|_| {
        CliError::Usage(format!(
            "{LIMIT_VARIABLE}: must be a number of seconds, such as {LIMIT}"
        ))
    });
    output::eprint_line(&format!("finches: {} processes", world.size()));
    let team = TEAM.get_or_init(|| Arc::new(MpiTeam::new(world.size(), threads)));
    let done = limit.and_then(|limit| {
        team.state().limit = limit;
        evolve()
    });
    let mut state = team.state();
    state.end();
    output::eprint_line(&format!("finches: {}", state.counts.words()));
    done
}

/// The tasks of a step of Slurm that starts them without MPI do not know of each other. That may be
/// as wanted, so it is only said, once.
fn tell_of_tasks() {
    let number = |name| std::env::var(name).ok()?.parse::<u32>().ok();
    let (tasks, own) = (number("SLURM_STEP_NUM_TASKS"), number("SLURM_PROCID"));
    if let (Some(tasks @ 2..), Some(0)) = (tasks, own) {
        output::eprint_line(&format!(
            "finches: each of the {tasks} tasks works alone; to share one run, start them with \
            srun --mpi=pmix"
        ));
    }
}

/// The number of threads of this process: `wanted`, or for 0 its share of those of the machine.
pub(super) fn threads(wanted: usize) -> usize {
    TEAM.get().map_or(wanted, |team| team.threads)
}

/// The other processes, if there are any.
pub(super) fn team() -> Option<Arc<dyn Team>> {
    let team = TEAM.get()?;
    Some(Arc::clone(team) as Arc<dyn Team>)
}

const WRITABLE: &str = "a message can be written";

fn encoded(order: &TeamMessage<&AnyGenome>) -> Vec<u8> {
    match order {
        TeamMessage::Players(_) | TeamMessage::Work(WorkRequest::Lessons(_)) => with_names(order),
        _ => rmp_serde::to_vec(order).expect(WRITABLE),
    }
}

/// Genomes need the names of their fields.
fn with_names(message: &impl Serialize) -> Vec<u8> {
    rmp_serde::to_vec_named(message).expect(WRITABLE)
}

fn send(bytes: &[u8], to: i32) {
    let process = SimpleCommunicator::world();
    let process = process.process_at_rank(to);
    let mut pieces = bytes.chunks(PIECE_BYTES).peekable();
    while let Some(piece) = pieces.next() {
        let tag = if pieces.peek().is_some() { MORE } else { LAST };
        process.send_with_tag(piece, tag);
    }
}

/// Takes part in sending a message from this process, or from another one, to all.
fn broadcast(from: &impl Root, bytes: &mut [u8]) {
    for piece in bytes.chunks_mut(PIECE_BYTES) {
        from.broadcast_into(piece);
    }
}

/// The processes that work for process 0.
struct MpiTeam {
    /// The threads of this process.
    threads: usize,
    /// MPI is called by the thread that has it.
    state: Mutex<TeamState>,
}

struct TeamState {
    /// The parts that each process has been sent.
    queues: Vec<VecDeque<Range<usize>>>,
    /// The players that the processes have.
    players: Vec<Arc<Phenotype>>,
    /// How fast games and lessons are, by their kind.
    paces: BTreeMap<u64, SharingPace>,
    /// Those that take less than this in seconds are not shared.
    limit: f64,
    /// When figures were given last, and the time that all others have worked since.
    told: Instant,
    busy: Duration,
    counts: SharingCounts,
}

/// What sharing has taken, for its summary.
#[derive(Debug, Default)]
struct SharingCounts {
    /// Lists of games or lessons, and those of them that were shared.
    lists: u64,
    shared_lists: u64,
    /// The games and lessons of shared lists that process 0 had, and those that others had.
    tasks_here: u64,
    tasks_elsewhere: u64,
    /// What process 0 sent, with messages to all counted once, and what it received.
    bytes_sent: u64,
    bytes_received: u64,
    /// The time of shared lists, and those parts of it in which process 0 worked on them itself and
    /// in which it only waited. In the rest it sent and received.
    time: Duration,
    own_time: Duration,
    waited: Duration,
}

impl SharingCounts {
    fn words(&self) -> String {
        if self.shared_lists == 0 {
            return "nothing was shared: games and lessons take too little time".to_owned();
        }
        let lists = self.shared_lists as f64;
        let all = (self.tasks_here + self.tasks_elsewhere) as f64;
        let others = percentage(self.tasks_elsewhere as f64 / all, 0);
        let busy = self.own_time.as_secs_f64() / self.time.as_secs_f64();
        let messages = self.time.saturating_sub(self.own_time + self.waited);
        format!(
            "{} of {} lists of games or lessons were shared, and others had {others}% of them; \
            process 0 sent {} and received {} for each, which took it {}, and worked itself \
            {}% of that time",
            whole(self.shared_lists),
            whole(self.lists),
            DecimalBytes((self.bytes_sent as f64 / lists) as u64),
            DecimalBytes((self.bytes_received as f64 / lists) as u64),
            time(messages.as_secs_f64() / lists),
            percentage(busy, 0),
        )
    }
}

impl Team for MpiTeam {
    fn begin(&self, session: &Session) {
        let preset = session.initial_preset();
        let order = TeamMessage::Start(to_ron(preset), preset.name.clone(), session.seed());
        let mut state = self.state();
        state.send_to_all(encoded(&order));
        // Those of another run may take another time.
        state.players.clear();
        state.paces.clear();
    }

    fn work(&self, work: &mut dyn SharedWork) {
        let mut state = self.state();
        let (kind, count) = (work.kind(), work.count());
        let mut own = OwnTasks::default();
        let mut pace = state.paces.remove(&kind).unwrap_or_else(|| {
            // A few tasks say how long all take.
            own.work(work, 0..count.div_ceil(32));
            SharingPace::new(own.seconds_per_task())
        });
        let rest = own.tasks..count;
        let length = rest.len() as f64;
        let is_long = length * pace.alone >= state.limit;
        let is_shared = is_long && (state.limit == 0.0 || pace.chooses_sharing());
        let began = Instant::now();
        let (tasks_here, time_here) = (own.tasks, own.time);
        state.counts.lists += 1;
        if is_shared {
            let parts = Parts::new(rest, pace.alone, state.queues.len() + 1, self.threads);
            state.share(work, parts, &mut own);
            let counts = &mut state.counts;
            counts.shared_lists += 1;
            counts.tasks_here += (own.tasks - tasks_here) as u64;
            counts.time += began.elapsed();
            counts.own_time += own.time.saturating_sub(time_here);
        } else {
            own.work(work, rest);
        }
        if length > 0.0 && !work.is_halted() {
            pace.note(is_shared, began.elapsed().as_secs_f64() / length);
        }
        state.paces.insert(kind, pace);
    }

    fn figures(&self) -> Option<TeamFigures> {
        let mut state = self.state();
        let (passed, others) = (state.told.elapsed(), state.queues.len());
        if passed < FIGURES_INTERVAL {
            return None;
        }
        let working = state.busy.as_secs_f64() / (passed.as_secs_f64() * others as f64);
        (state.told, state.busy) = (Instant::now(), Duration::ZERO);
        Some(TeamFigures {
            processes: others as u32 + 1,
            // A part may have begun before.
            waiting: (1.0 - working).max(0.0),
        })
    }
}

/// How fast tasks of a kind are done, and so whether to share them. A clock is not to be trusted
/// on a busy machine, so the slower way is tried again at times.
struct SharingPace {
    /// Seconds per task on this process.
    alone: f64,
    /// Seconds per task on all processes, what is sent included.
    shared: Option<f64>,
    /// Lists of tasks until the slower way is tried.
    wait: u32,
    /// The last wait. It doubles up to [`LONGEST_WAIT`].
    last_wait: u32,
}

impl SharingPace {
    fn new(alone: f64) -> Self {
        Self {
            alone,
            shared: None,
            wait: FIRST_WAIT,
            last_wait: FIRST_WAIT,
        }
    }

    /// Whether to share tasks that take long enough.
    fn chooses_sharing(&mut self) -> bool {
        let Some(shared) = self.shared else {
            return true;
        };
        let is_faster = shared < self.alone;
        if self.wait > 0 {
            self.wait -= 1;
            return is_faster;
        }
        self.last_wait = (2 * self.last_wait).min(LONGEST_WAIT);
        self.wait = self.last_wait;
        !is_faster
    }

    /// Notes the seconds per task of a list. A single slow list says little, because other programs
    /// may have had the processor.
    fn note(&mut self, is_shared: bool, seconds: f64) {
        let bounded = |known: f64| seconds.min(known * 1.25);
        if is_shared {
            self.shared = Some(self.shared.map_or(seconds, bounded));
        } else {
            self.alone = bounded(self.alone);
        }
    }
}

impl MpiTeam {
    fn new(processes: i32, threads: usize) -> Self {
        let state = TeamState {
            queues: (1..processes).map(|_| VecDeque::new()).collect(),
            players: Vec::new(),
            paces: BTreeMap::new(),
            limit: LIMIT,
            told: Instant::now(),
            busy: Duration::ZERO,
            counts: SharingCounts::default(),
        };
        Self {
            threads,
            state: Mutex::new(state),
        }
    }

    /// A panic in a task leaves the state as it was between two messages.
    fn state(&self) -> MutexGuard<'_, TeamState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TeamState {
    /// Does work on all processes.
    fn share(&mut self, work: &mut dyn SharedWork, mut parts: Parts, own: &mut OwnTasks) {
        if let Some(players) = work.players() {
            self.send_players(&players);
        }
        loop {
            self.receive(&mut |part, results| work.place(part, results));
            let is_over = parts.rest.is_empty() || work.is_halted();
            if is_over && self.queues.iter().all(VecDeque::is_empty) {
                return;
            }
            if is_over {
                let began = Instant::now();
                sleep(PAUSES[0]);
                self.counts.waited += began.elapsed();
                continue;
            }
            for length in 0..QUEUE {
                for process in 0..self.queues.len() {
                    if self.queues[process].len() == length && !parts.rest.is_empty() {
                        let part = parts.next();
                        let order = TeamMessage::Work(work.request(part.clone()));
                        self.send(&encoded(&order), process);
                        self.queues[process].push_back(part);
                    }
                }
            }
            if !parts.rest.is_empty() {
                own.work(work, parts.next_own());
            }
        }
    }

    /// Takes all results that have come.
    fn receive(&mut self, place: &mut dyn FnMut(Range<usize>, WorkResults)) {
        let world = SimpleCommunicator::world();
        while let Some(found) = world.any_process().immediate_matched_probe() {
            let (bytes, status) = found.matched_receive_vec::<u8>();
            self.counts.bytes_received += bytes.len() as u64;
            let queue = &mut self.queues[status.source_rank() as usize - 1];
            let part = queue
                .pop_front()
                .expect("a process answers what it was asked");
            let reply = rmp_serde::from_slice(&bytes);
            let (busy, results): (Duration, _) = reply.expect("a reply has results");
            self.busy += busy;
            self.counts.tasks_elsewhere += part.len() as u64;
            place(part, results);
        }
    }

    /// Sends players to all processes that do not have them yet.
    fn send_players(&mut self, players: &[TeamPlayer<'_>]) {
        let known = self.players.iter().enumerate();
        let known: BTreeMap<*const Phenotype, usize> = known
            .map(|(index, player)| (Arc::as_ptr(player), index))
            .collect();
        let same = |(now, before): (&TeamPlayer<'_>, &Arc<Phenotype>)| Arc::ptr_eq(now.0, before);
        if players.len() == self.players.len() && players.iter().zip(&self.players).all(same) {
            return;
        }
        let changes = players.iter().map(|&(player, genome)| {
            let before = known.get(&Arc::as_ptr(player));
            before.map_or(TeamChange::New(genome), |&before| TeamChange::Kept(before))
        });
        let order = TeamMessage::Players(changes.collect());
        self.send_to_all(encoded(&order));
        self.players = players
            .iter()
            .map(|(player, _)| Arc::clone(player))
            .collect();
    }

    fn send_to_all(&mut self, mut bytes: Vec<u8>) {
        self.counts.bytes_sent += bytes.len() as u64;
        let world = SimpleCommunicator::world();
        let size = (bytes.len() as u64).to_le_bytes();
        for rank in 1..world.size() {
            world.process_at_rank(rank).send_with_tag(&size, FOLLOWS);
        }
        broadcast(&world.this_process(), &mut bytes);
    }

    /// Sends to the process with this queue.
    fn send(&mut self, bytes: &[u8], queue: usize) {
        self.counts.bytes_sent += bytes.len() as u64;
        send(bytes, queue as i32 + 1);
    }

    /// Ends the other processes, after what they have been asked.
    fn end(&mut self) {
        while !self.queues.iter().all(VecDeque::is_empty) {
            self.receive(&mut |_, _| {});
            sleep(PAUSES[0]);
        }
        self.send_to_all(encoded(&TeamMessage::End));
    }
}

/// The tasks that process 0 has done itself.
#[derive(Default)]
struct OwnTasks {
    tasks: usize,
    time: Duration,
}

impl OwnTasks {
    fn work(&mut self, work: &mut dyn SharedWork, part: Range<usize>) {
        let began = Instant::now();
        self.tasks += part.len();
        work.do_here(part);
        self.time += began.elapsed();
    }

    fn seconds_per_task(&self) -> f64 {
        self.time.as_secs_f64() / self.tasks.max(1) as f64
    }
}

/// Cuts work into parts, which get smaller towards the end, so that all processes end at once.
struct Parts {
    rest: Range<usize>,
    processes: usize,
    /// The fewest and the most tasks in a part.
    limits: [usize; 2],
    /// The same on process 0.
    own_limits: [usize; 2],
}

impl Parts {
    /// `rate` is the time of a task in seconds on one process, with `threads` threads.
    fn new(rest: Range<usize>, rate: f64, processes: usize, threads: usize) -> Self {
        // As many as in this time, but enough for all threads.
        let tasks = |seconds: f64| ((seconds / rate) as usize).clamp(threads, MOST_TASKS);
        Self {
            rest,
            processes,
            limits: [tasks(PART_SECONDS.start), tasks(PART_SECONDS.end)],
            own_limits: [threads, tasks(OWN_SECONDS)],
        }
    }

    fn next(&mut self) -> Range<usize> {
        self.cut(3, self.limits)
    }

    fn next_own(&mut self) -> Range<usize> {
        self.cut(4, self.own_limits)
    }

    /// Takes one of `share` parts for each process.
    fn cut(&mut self, share: usize, [fewest, most]: [usize; 2]) -> Range<usize> {
        let tasks = self.rest.len() / (share * self.processes);
        let tasks = tasks.clamp(fewest, most).min(self.rest.len());
        let start = self.rest.start;
        self.rest.start += tasks;
        start..self.rest.start
    }
}

/// Works for process 0 until it ends. Signals are for process 0, which ends this one after it has
/// saved.
fn serve(universe: &Universe, threads: usize) -> Result<(), CliError> {
    let _signals = Signals::new([SIGINT, SIGTERM, SIGHUP, SIGUSR1])?;
    let world = universe.world();
    let leader = world.process_at_rank(0);
    let (orders, ordered) = unbounded::<Vec<u8>>();
    let (replies, replied) = unbounded::<Vec<u8>>();
    let pool = Pool::new(threads)?;
    thread::Builder::new()
        .name("teammate".to_owned())
        .spawn(move || {
            let mut mate = None;
            for bytes in ordered {
                if let Some(reply) = obey(&mut mate, &bytes, &pool) {
                    drop(replies.send(reply));
                }
            }
        })?;
    let mut inbox = Inbox::new(orders);
    while !inbox.is_over {
        inbox.receive(&leader);
        let is_idle = inbox.latest.elapsed() > Duration::from_secs(1);
        match replied.recv_timeout(PAUSES[usize::from(is_idle)]) {
            // Process 0 may be sending at the same time, and waits until that is received.
            Ok(reply) => scope(|scope| {
                let mut sent = leader.immediate_send(scope, &reply[..]);
                while let Err(unsent) = sent.test() {
                    inbox.receive(&leader);
                    sleep(PAUSES[0]);
                    sent = unsent;
                }
            }),
            Err(RecvTimeoutError::Timeout) => {}
            // Its thread has panicked, with a message.
            Err(RecvTimeoutError::Disconnected) => world.abort(1),
        }
    }
    Ok(())
}

/// The messages of process 0.
struct Inbox {
    /// Takes all but the last.
    orders: Sender<Vec<u8>>,
    /// What has come of the next one.
    message: Vec<u8>,
    end: Vec<u8>,
    latest: Instant,
    is_over: bool,
}

impl Inbox {
    fn new(orders: Sender<Vec<u8>>) -> Self {
        Self {
            orders,
            message: Vec::new(),
            end: encoded(&TeamMessage::End),
            latest: Instant::now(),
            is_over: false,
        }
    }

    fn receive(&mut self, leader: &(impl Source + Root)) {
        while let Some(found) = leader.immediate_matched_probe() {
            let (mut piece, status) = found.matched_receive_vec::<u8>();
            self.latest = Instant::now();
            if status.tag() == FOLLOWS {
                let size = piece.try_into().map(u64::from_le_bytes);
                self.message = vec![0; size.expect("it is a number") as usize];
                broadcast(leader, &mut self.message);
            } else {
                self.message.append(&mut piece);
            }
            if status.tag() != MORE {
                self.is_over |= self.message == self.end;
                drop(self.orders.send(std::mem::take(&mut self.message)));
            }
        }
    }
}

/// Does what process 0 has ordered; the reply, if there is one.
fn obey(mate: &mut Option<Teammate>, order: &[u8], pool: &Pool) -> Option<Vec<u8>> {
    const STARTED: &str = "a run is started before its work";
    match rmp_serde::from_slice(order).expect("all processes have the same program") {
        TeamMessage::Start(preset, name, seed) => {
            let preset = Preset::parse(&preset, &name, &name);
            let started = preset.and_then(|preset| Teammate::new(preset, seed, pool.clone()));
            *mate = Some(started.expect("process 0 has the same preset"));
        }
        TeamMessage::Players(players) => {
            let set = mate.as_mut().expect(STARTED).set_players(&players);
            set.expect("the genomes are those of the preset");
        }
        TeamMessage::Work(request) => {
            let began = Instant::now();
            let results = mate.as_mut().expect(STARTED).work(request);
            let reply = (began.elapsed(), results);
            return Some(match &reply.1 {
                WorkResults::Genomes(_) => with_names(&reply),
                _ => rmp_serde::to_vec(&reply).expect(WRITABLE),
            });
        }
        TeamMessage::<AnyGenome>::End => {}
    }
    None
}
