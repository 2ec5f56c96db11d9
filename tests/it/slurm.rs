//! A cluster of Slurm with one node, for a test: its own folder, ports and key, and nothing left
//! when it is dropped.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::program::{folder, signal};

/// The daemons of Slurm and the one that signs its messages.
const PROGRAMS: [&str; 5] = ["munged", "slurmctld", "slurmd", "sbatch", "sinfo"];

/// A running cluster.
pub(crate) struct Slurm {
    /// The daemons, in the order of their start.
    daemons: Vec<Child>,
    folder: tempfile::TempDir,
}

impl Slurm {
    /// Starts a cluster; `None` where its programs are missing or this user is not root.
    pub(crate) fn start() -> Option<Self> {
        let is_there = PROGRAMS.iter().all(|program| path_of(program).is_some());
        let mut cluster = Self {
            daemons: Vec::new(),
            folder: is_there.then(folder)?,
        };
        if text_of(Command::new("id").arg("-u")) != "0" {
            return None;
        }
        let at = |name: &str| cluster.at(name);
        let option = |name: &str, file: &str| format!("--{name}={}", at(file).display());
        fs::write(at("key"), [7; 64]).expect("the folder is writable");
        assert!(
            Command::new("chmod")
                .arg("400")
                .arg(at("key"))
                .status()
                .is_ok_and(|it| it.success())
        );
        fs::write(at("slurm.conf"), cluster.configuration()).expect("the folder is writable");
        let munge = [
            "--foreground".to_owned(),
            "--force".to_owned(),
            option("socket", "socket"),
            option("key-file", "key"),
            option("pid-file", "munged.pid"),
            option("seed-file", "seed"),
        ];
        cluster.run("munged", &munge.each_ref().map(String::as_str));
        wait_until("munged listens", || cluster.at("socket").exists());
        cluster.run("slurmctld", &["-D"]);
        cluster.run("slurmd", &["-D"]);
        wait_until("the node is idle", || {
            text_of(cluster.command("sinfo").args(["--noheader", "--format=%T"])) == "idle"
        });
        Some(cluster)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn configuration(&self) -> String {
        let host = text_of(&mut Command::new("hostname"));
        let cpus = thread::available_parallelism().expect("it is known");
        let [control_port, node_port] = free_ports();
        let folder = self.folder.path().display();
        format!(
            "ClusterName=finches\n\
             SlurmctldHost={host}(127.0.0.1)\n\
             SlurmctldPort={control_port}\n\
             SlurmdPort={node_port}\n\
             AuthType=auth/munge\n\
             AuthInfo=socket={folder}/socket\n\
             CredType=cred/munge\n\
             SlurmUser=root\n\
             SlurmdUser=root\n\
             StateSaveLocation={folder}/state\n\
             SlurmdSpoolDir={folder}/spool\n\
             SlurmctldPidFile={folder}/slurmctld.pid\n\
             SlurmdPidFile={folder}/slurmd.pid\n\
             SlurmctldLogFile={folder}/slurmctld.log\n\
             SlurmdLogFile={folder}/slurmd.log\n\
             ProctrackType=proctrack/linuxproc\n\
             TaskPlugin=task/none\n\
             SelectType=select/cons_tres\n\
             SelectTypeParameters=CR_Core\n\
             SwitchType=switch/none\n\
             MpiDefault=none\n\
             ReturnToService=2\n\
             JobAcctGatherType=jobacct_gather/none\n\
             AccountingStorageType=accounting_storage/none\n\
             SchedulerParameters=sched_interval=1,batch_sched_delay=0,bf_interval=1\n\
             \
             NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN\n\
             PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n"
        )
    }

    /// A command that talks to this cluster.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(path_of(program).unwrap_or(program.into()));
        command.env("SLURM_CONF", self.at("slurm.conf"));
        command.stdin(Stdio::null());
        command
    }

    fn run(&mut self, program: &str, words: &[&str]) {
        for part in ["state", "spool"] {
            fs::create_dir_all(self.at(part)).expect("the folder is writable");
        }
        let log = fs::File::create(self.at(&format!("{program}.out")));
        let mut command = self.command(program);
        command.args(words).stdout(Stdio::null());
        command.stderr(log.expect("the folder is writable"));
        self.daemons.push(command.spawn().expect("it starts"));
    }

    /// Waits until no job is left.
    pub(crate) fn wait_for_jobs(&self) {
        wait_until("the jobs are done", || {
            let queue = self.command("squeue").arg("--noheader").output();
            queue.is_ok_and(|queue| queue.status.success() && queue.stdout.is_empty())
        });
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        if self.daemons.len() > 1 {
            // Jobs of a test that has failed end with the cluster.
            let _ = self.command("scancel").arg("--user=root").output();
        }
        while let Some(mut daemon) = self.daemons.pop() {
            if daemon.try_wait().is_ok_and(|ended| ended.is_none()) {
                signal(&daemon, "TERM");
            }
            let end = Instant::now() + Duration::from_secs(5);
            while daemon.try_wait().is_ok_and(|ended| ended.is_none()) && Instant::now() < end {
                thread::sleep(Duration::from_millis(20));
            }
            // It may have ended by itself.
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

/// Ports of this machine that are free now.
fn free_ports() -> [u16; 2] {
    let listeners = [0; 2].map(|port| TcpListener::bind(("127.0.0.1", port)).expect("one is free"));
    listeners.map(|listener| listener.local_addr().expect("it is bound").port())
}

/// Waits for something that takes a while, and fails if it does not happen.
pub(crate) fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(90);
    while !is_so() {
        assert!(Instant::now() < end, "not within 90 s: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// The path of a program, also of one for administrators.
pub(crate) fn path_of(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/sbin", "/usr/bin"].map(PathBuf::from));
    let mut paths = folders.map(|folder| folder.join(program));
    paths.find(|path| Path::is_file(path))
}

/// What a command prints, without the space at the ends; nothing if it fails.
fn text_of(command: &mut Command) -> String {
    let output = command.output();
    let printed = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    printed.unwrap_or_default().trim().to_owned()
}
