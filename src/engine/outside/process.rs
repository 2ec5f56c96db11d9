//! The processes of outside programs. Each is killed when its owner is done with it, with all that
//! it has started, and all of them before this program ends.

use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The folder of games in the Filesystem Hierarchy Standard, which is not always on the path.
const GAMES_FOLDER: &str = "/usr/games";

/// How long a process that closed its output may take to end.
const ENDING_TIME: Duration = Duration::from_millis(500);

/// How often it is checked whether a process has ended.
const ENDING_POLL: Duration = Duration::from_millis(5);

/// A process and what it has started, its group.
struct Group {
    child: Child,
    /// Whether the group has been killed. Its number may then belong to others.
    is_killed: bool,
}

impl Group {
    /// How the process ended. What it has left behind is killed, so that its pipes close.
    fn ended(&mut self) -> Option<ExitStatus> {
        let status = self.child.try_wait().ok()?;
        if status.is_some() {
            self.kill_all();
        }
        status
    }

    /// Kills the group and waits for the process, so that it does not remain as a zombie.
    fn kill(&mut self) {
        self.kill_all();
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    fn kill_all(&mut self) {
        if !std::mem::replace(&mut self.is_killed, true) {
            kill_group(&self.child);
        }
    }
}

#[cfg(unix)]
fn kill_group(leader: &Child) {
    use rustix::process::{Pid, Signal, kill_process_group};

    let group = i32::try_from(leader.id()).ok().and_then(Pid::from_raw);
    // It may be empty.
    let _ = group.map(|group| kill_process_group(group, Signal::KILL));
}

/// Elsewhere there are no groups of processes.
#[cfg(not(unix))]
fn kill_group(_leader: &Child) {}

type SharedGroup = Arc<Mutex<Group>>;

/// All processes that run; `None` once this program ends, after which no other is started.
static RUNNING: Mutex<Option<Vec<SharedGroup>>> = Mutex::new(Some(Vec::new()));

/// A running program.
pub(super) struct Process(SharedGroup);

/// The ends of its pipes.
pub(super) struct PipeEnds {
    pub stdin: ChildStdin,
    pub stdout: ChildStdout,
    pub stderr: ChildStderr,
}

impl Process {
    /// Starts a program, looked for on the path and in `/usr/games`. `words` are the program and
    /// its arguments.
    pub(super) fn start(words: &[String]) -> io::Result<(Self, PipeEnds)> {
        let mut running = lock(&RUNNING);
        let ending = || io::Error::other("this program is about to end");
        let running = running.as_mut().ok_or_else(ending)?;
        let mut child = spawn(words)?;
        let piped = "its standard streams are piped";
        let ends = PipeEnds {
            stdin: child.stdin.take().expect(piped),
            stdout: child.stdout.take().expect(piped),
            stderr: child.stderr.take().expect(piped),
        };
        let shared = Arc::new(Mutex::new(Group {
            child,
            is_killed: false,
        }));
        running.push(Arc::clone(&shared));
        Ok((Self(shared), ends))
    }

    /// Whether it has ended.
    pub(super) fn has_ended(&self) -> bool {
        lock(&self.0).ended().is_some()
    }

    /// How it ended, if it does so within a moment, as a clause.
    pub(super) fn ending(&self) -> String {
        let mut polls = ENDING_TIME.as_millis() / ENDING_POLL.as_millis();
        loop {
            if let Some(status) = lock(&self.0).ended() {
                return format!("it ended ({status})");
            }
            if polls == 0 {
                return "it closed its output".to_owned();
            }
            polls -= 1;
            thread::sleep(ENDING_POLL);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        lock(&self.0).kill();
        if let Some(running) = lock(&RUNNING).as_mut() {
            running.retain(|other| !Arc::ptr_eq(other, &self.0));
        }
    }
}

/// Kills all outside programs. No other can be started afterwards: to be called before this program
/// ends.
pub fn end_all() {
    let running = lock(&RUNNING).take();
    running.iter().flatten().for_each(|it| lock(it).kill());
}

fn spawn(words: &[String]) -> io::Result<Child> {
    let (program, arguments) = words.split_first().expect("a command is not empty");
    let start = |program: &str| {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.spawn()
    };
    match start(program) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && !program.contains('/') => {
            start(&format!("{GAMES_FOLDER}/{program}")).map_err(|_| error)
        }
        result => result,
    }
}

/// The lists and children remain valid if a thread panics.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
