//! The processes of outside programs. Each is killed and waited for when its owner is done with it,
//! and all of them before this program ends.

use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The folder of games in the Filesystem Hierarchy Standard, which is not always on the path.
const GAMES_FOLDER: &str = "/usr/games";

/// How long a process that closed its output may take to end.
const ENDING_TIME: Duration = Duration::from_millis(500);

/// How often it is checked whether a process has ended.
const ENDING_POLL: Duration = Duration::from_millis(5);

type SharedChild = Arc<Mutex<Child>>;

/// All processes that run; `None` once this program ends, after which no other is started.
static RUNNING: Mutex<Option<Vec<SharedChild>>> = Mutex::new(Some(Vec::new()));

/// A running program.
pub(super) struct Process(SharedChild);

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
        let shared = Arc::new(Mutex::new(child));
        running.push(Arc::clone(&shared));
        Ok((Self(shared), ends))
    }

    /// How it ended, if it does so within a moment, as a clause.
    pub(super) fn ending(&self) -> String {
        let mut polls = ENDING_TIME.as_millis() / ENDING_POLL.as_millis();
        loop {
            match lock(&self.0).try_wait() {
                Ok(Some(status)) => return format!("it ended ({status})"),
                Ok(None) if polls > 0 => {}
                _ => return "it closed its output".to_owned(),
            }
            polls -= 1;
            thread::sleep(ENDING_POLL);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        kill(&self.0);
        if let Some(running) = lock(&RUNNING).as_mut() {
            running.retain(|other| !Arc::ptr_eq(other, &self.0));
        }
    }
}

/// Kills all outside programs. No other can be started afterwards: to be called before this program
/// ends.
pub fn end_all() {
    let running = lock(&RUNNING).take();
    running.iter().flatten().for_each(kill);
}

/// Kills a process and waits for it, so that it does not remain as a zombie.
fn kill(child: &SharedChild) {
    let mut child = lock(child);
    // It may have ended by itself.
    let _ = child.kill();
    let _ = child.wait();
}

fn spawn(words: &[String]) -> io::Result<Child> {
    let (program, arguments) = words.split_first().expect("a command is not empty");
    let start = |program: &str| {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
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
