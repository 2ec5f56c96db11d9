//! Job files for schedulers: what they say, and, where the schedulers are installed, that they do
//! the same as one process, although a third of the jobs is killed.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use crate::experiment::{self, finished};
use crate::power_cut::{Mounted, quiet};
use crate::processes;
use crate::program::{finches, folder, run};
use crate::skipped;
use crate::slurm::{Slurm, path_of, wait_until};

/// Two presets, eighteen runs of a few tenths of a second.
const WORDS: [&str; 7] = [
    "experiment",
    "nim-2x2",
    "simple-nim-1to8-direct",
    "--generations=1000",
    "--set=population=40",
    "--set=opponents=20",
    "--runs=9",
];
const SHARDS: u32 = 9;

/// The same with four runs.
const FEW: &str = "--runs=2";

/// A sweep of three rounds: nine combinations, then three, then one.
const HALVED: [&str; 9] = [
    "sweep",
    "nim-2x2",
    "--vary=add_node=0.01,0.05,0.2",
    "--vary=add_edge=0.01,0.05,0.2",
    "--generations=1000",
    "--runs=9",
    "--halving",
    "--confirm=0",
    "--seed=1",
];

/// The number of jobs that are killed.
const KILLED: usize = 3;

/// A name that shells, Python and schedulers could take for something else.
const NAME: &str = "it's a \"test\" of $1 {x} 100%";

/// The files of an experiment that must not depend on how it was run.
fn results(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = experiment::files(folder);
    found.retain(|(name, _)| {
        [
            "runs/",
            "/summary",
            "/sweep",
            "/runs.csv",
            "/best.ron",
            "/experiment.ron",
        ]
        .iter()
        .any(|part| name.starts_with(part))
    });
    found
}

/// The words of an experiment with this number of runs.
fn words_with(runs: &'static str) -> Vec<&'static str> {
    [&WORDS[..6], &[runs]].concat()
}

/// The results of one process.
fn of_one_process(words: &[&str]) -> Vec<(String, Vec<u8>)> {
    let folder = folder();
    let out = folder.path().join("out");
    let out_words = ["--out", out.to_str().expect("it is text")];
    let (_, said, code) = run(&out, &[words, &out_words].concat());
    assert_eq!(code, 0, "{said}");
    results(&out)
}

/// The results of all runs. Several tests need them.
fn usual() -> &'static [(String, Vec<u8>)] {
    static RESULTS: OnceLock<Vec<(String, Vec<u8>)>> = OnceLock::new();
    RESULTS.get_or_init(|| of_one_process(&WORDS))
}

/// The results of the few runs. Several tests need them.
fn few() -> &'static [(String, Vec<u8>)] {
    static RESULTS: OnceLock<Vec<(String, Vec<u8>)>> = OnceLock::new();
    RESULTS.get_or_init(|| of_one_process(&words_with(FEW)))
}

fn check_same(out: &Path, expected: &[(String, Vec<u8>)]) {
    let found = results(out);
    let names = |files: &[(String, Vec<u8>)]| -> Vec<String> {
        files.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&found), names(expected), "{}", logs(out));
    for ((name, bytes), (_, expected)) in found.iter().zip(expected) {
        assert!(bytes == expected, "{name} differs");
    }
}

/// What the jobs have printed.
fn logs(out: &Path) -> String {
    let entries = fs::read_dir(out.join("jobs"))
        .into_iter()
        .flatten()
        .flatten();
    let texts = entries.map(|entry| {
        let text = fs::read_to_string(entry.path()).unwrap_or_default();
        format!("{}:\n{text}\n", entry.path().display())
    });
    texts.collect()
}

/// Writes job files. Returns the command that submits them.
fn emit(scheduler: &str, out: &Path, words: &[&str]) -> String {
    let out_words = [
        "--emit",
        scheduler,
        "--out",
        out.to_str().expect("it is text"),
    ];
    let (printed, said, code) = run(out, &[words, &out_words].concat());
    assert_eq!(code, 0, "{said}");
    printed
}

fn emit_usual(scheduler: &str, out: &Path) -> String {
    emit_shards(scheduler, out, &WORDS)
}

fn emit_shards(scheduler: &str, out: &Path, words: &[&str]) -> String {
    let shards = format!("--shards={SHARDS}");
    emit(scheduler, out, &[words, &[shards.as_str()]].concat())
}

/// A shell that runs a command in a folder, with what it prints in the file `said` there.
fn shell(command: &str, at: &Path) -> Command {
    let mut shell = Command::new("bash");
    let said = fs::File::create(at.join("said")).expect("the folder is writable");
    let also = said.try_clone().expect("a file can be shared");
    shell.args(["-c", command]).current_dir(at);
    shell.stdin(Stdio::null()).stdout(said).stderr(also);
    shell
}

fn said(at: &Path) -> String {
    fs::read_to_string(at.join("said")).unwrap_or_default()
}

/// A shard to be killed.
#[derive(Debug)]
struct Victim {
    shard: String,
    /// When it is killed, after it was first seen.
    delay: Duration,
    seen: Option<Instant>,
}

impl Victim {
    /// Kills the shard if it is time; true if it was killed.
    fn kill_in_time(&mut self, out: &Path) -> bool {
        let Some(process) = process_of(out, &self.shard) else {
            return false;
        };
        let seen = *self.seen.get_or_insert_with(Instant::now);
        seen.elapsed() >= self.delay && quiet("kill", &["-KILL", &process])
    }
}

/// Runs `work` while a third of the shards in `out` is killed, each once, at a random moment.
fn with_kills(out: &Path, seed: u64, work: impl FnOnce()) {
    let mut rng = rand::rngs::SmallRng::seed_from_u64(seed);
    let mut shards: Vec<u32> = (1..=SHARDS).collect();
    shards.shuffle(&mut rng);
    let victims = shards[..KILLED].iter().map(|shard| Victim {
        shard: format!("{shard}/{SHARDS}"),
        delay: Duration::from_millis(rng.random_range(0..150)),
        seen: None,
    });
    let mut victims: Vec<Victim> = victims.collect();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !victims.is_empty() && !is_over.load(Ordering::Relaxed) {
                victims.retain_mut(|victim| !victim.kill_in_time(out));
                thread::sleep(Duration::from_millis(2));
            }
        });
        let ended = catch_unwind(AssertUnwindSafe(work));
        is_over.store(true, Ordering::Relaxed);
        ended.unwrap_or_else(|panic| resume_unwind(panic));
    });
    assert!(victims.is_empty(), "not killed: {victims:?}\n{}", logs(out));
}

/// The number of the process that does a shard.
fn process_of(out: &Path, shard: &str) -> Option<String> {
    let out = out.to_str().expect("it is text");
    let entries = fs::read_dir("/proc").ok()?.flatten();
    let mut processes = entries.filter_map(|entry| entry.file_name().into_string().ok());
    processes.find(|process| {
        let words = fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default();
        let words: Vec<&str> = words.split('\0').collect();
        words[0].ends_with("finches") && words.contains(&out) && words.contains(&shard)
    })
}

/// Whether a tool is missing. Where it is not Linux, all are.
fn is_missing(tool: &str, is_there: bool) -> bool {
    skipped::is_missing(tool, is_there && cfg!(target_os = "linux"))
}

#[test]
fn gnu_parallel_does_the_same_as_one_process_although_jobs_are_killed() {
    if is_missing("parallel", path_of("parallel").is_some()) {
        return;
    }
    let folder = folder();
    let out = folder.path().join(NAME);
    let command = emit_usual("parallel", &out);
    with_kills(&out, 1, || {
        let ended = shell(&command, folder.path()).status().expect("it starts");
        assert!(ended.success(), "{}{}", said(folder.path()), logs(&out));
    });
    check_same(&out, usual());
}

#[test]
fn islands_go_on_in_rounds_of_jobs_and_are_the_same_as_in_one_process() {
    if is_missing("parallel", path_of("parallel").is_some()) {
        return;
    }
    let words = [
        "islands",
        "nim-2x2",
        "--islands=6",
        "--every=10",
        "--topology=all",
        "--generations=45",
        "--set=population=40",
        "--set=opponents=20",
    ];
    let folder = folder();
    let out = folder.path().join(NAME);
    let command = emit("parallel", &out, &[&words[..], &["--shards=3"]].concat());
    let ended = shell(&command, folder.path()).status().expect("it starts");
    assert!(ended.success(), "{}{}", said(folder.path()), logs(&out));
    check_same(&out, &of_one_process(&words));
    let job = fs::read_to_string(out.join("job.parallel.sh")).expect("it was written");
    assert!(job.contains("in 5 rounds of 3 jobs"), "{job}");
}

#[test]
fn snakemake_does_the_same_as_one_process_although_jobs_are_killed() {
    if is_missing("snakemake", path_of("snakemake").is_some()) {
        return;
    }
    let folder = folder();
    let out = folder.path().join(NAME);
    let command = emit_usual("snakemake", &out);
    let run = || {
        let mut shell = shell(&command, folder.path());
        let ended = shell.env("XDG_CACHE_HOME", folder.path()).status();
        let ended = ended.expect("it starts");
        assert!(ended.success(), "{}{}", said(folder.path()), logs(&out));
    };
    with_kills(&out, 2, run);
    check_same(&out, usual());
    // Run again, it has nothing to do.
    run();
    assert!(
        said(folder.path()).contains("Nothing to be done"),
        "{}",
        said(folder.path())
    );
}

/// Starts a server with a worker, submits a job by a command and waits for it.
const HYPERQUEUE: &str = r#"
import os, subprocess, sys
from hyperqueue import LocalCluster
from hyperqueue.cluster import WorkerConfig
folder, command = sys.argv[1:]
with LocalCluster(folder, WorkerConfig(cores=2)) as cluster:
    if "OMPI_ALLOW_RUN_AS_ROOT" in os.environ:
        cluster.start_worker(WorkerConfig(cores=2))
    there = dict(os.environ, HQ_SERVER_DIR=cluster.cluster.server_dir)
    subprocess.run(["bash", "-c", command], env=there, check=True)
    failed = cluster.client().connection.wait_for_jobs([1], lambda jobs: None)
    sys.exit(1 if failed else 0)
"#;

#[test]
fn hyperqueue_does_the_same_as_one_process_although_jobs_are_killed() {
    if is_missing("hyperqueue", quiet("python3", &["-c", "import hyperqueue"])) {
        return;
    }
    let folder = folder();
    let out = folder.path().join(NAME);
    let command = emit_usual("hyperqueue", &out);
    fs::write(folder.path().join("start.py"), HYPERQUEUE).expect("the folder is writable");
    with_kills(&out, 3, || {
        let mut shell = shell(
            "python3 start.py \"$PWD/server\" \"$COMMAND\"",
            folder.path(),
        );
        let ended = shell.env("COMMAND", &command).status().expect("it starts");
        assert!(ended.success(), "{}{}", said(folder.path()), logs(&out));
    });
    check_same(&out, usual());
    assert_eq!(
        logs(&out)
            .matches("exit code 137; it is tried again")
            .count(),
        KILLED
    );
}

/// Each job has two processes, which share the games of its runs.
#[test]
fn jobs_of_several_processes_do_the_same_as_one_process() {
    if processes::is_missing() {
        return;
    }
    let few = [
        "experiment",
        "nim-2x2",
        "--generations=20",
        "--set=population=40",
        "--set=opponents=20",
        "--runs=2",
    ];
    let expected = of_one_process(&few);
    let words = [&few[..], &["--processes=2", "--shards=2"]].concat();
    let check = |scheduler: &str, run: &dyn Fn(&str, &Path)| {
        let folder = folder();
        let out = folder.path().join(NAME);
        run(&emit(scheduler, &out, &words), folder.path());
        check_same(&out, &expected);
        let shared = logs(&out).matches("finches: 2 processes\n").count();
        assert_eq!(shared, 2, "{scheduler}: {}", logs(&out));
    };
    let in_shell = |command: &str, at: &Path, variable: &str| {
        let mut shell = shell(command, at);
        let shell = shell.envs(processes::ENVIRONMENT).env("COMMAND", variable);
        let ended = shell.status().expect("it starts");
        assert!(ended.success(), "{}", said(at));
    };
    if path_of("parallel").is_some() {
        check("parallel", &|command, at| in_shell(command, at, ""));
    }
    if quiet("python3", &["-c", "import hyperqueue"]) {
        check("hyperqueue", &|command, at| {
            fs::write(at.join("start.py"), HYPERQUEUE).expect("the folder is writable");
            in_shell("python3 start.py \"$PWD/server\" \"$COMMAND\"", at, command);
        });
    }
    if let Some(cluster) = Slurm::start() {
        check("slurm", &|command, _| {
            let mut shell = cluster.command("bash");
            let shell = shell.args(["-c", command]).envs(processes::ENVIRONMENT);
            let submitted = shell.output().expect("it starts");
            let errors = String::from_utf8_lossy(&submitted.stderr);
            assert!(submitted.status.success(), "{errors}");
            cluster.wait_for_jobs();
        });
    }
}

#[test]
fn slurm_does_the_same_as_one_process_although_jobs_are_killed() {
    let cluster = Slurm::start();
    if is_missing("slurm", cluster.is_some()) {
        return;
    }
    let cluster = cluster.expect("it runs");
    let check = |words: &[&str], expected: &[(String, Vec<u8>)]| {
        let folder = folder();
        let out = folder.path().join(NAME);
        let command = emit_shards("slurm", &out, words);
        with_kills(&out, 4, || {
            let submitted = cluster.command("bash").args(["-c", &command]).output();
            let submitted = submitted.expect("it starts");
            let errors = String::from_utf8_lossy(&submitted.stderr);
            assert!(submitted.status.success(), "{errors}");
            cluster.wait_for_jobs();
        });
        check_same(&out, expected);
        let killed = "exit code 137; it is tried again";
        assert_eq!(logs(&out).matches(killed).count(), KILLED);
    };
    check(&WORDS, usual());
    check(&HALVED, &of_one_process(&HALVED));
}

/// Lines that a job file must have.
fn check_lines(path: &Path, expected: &[&str]) {
    let text = fs::read_to_string(path).expect("it is written");
    for line in expected {
        assert!(
            text.lines().any(|found| found.trim() == *line),
            "{line} in\n{text}"
        );
    }
    let ending = path.extension().and_then(|ending| ending.to_str());
    let path = path.to_str().expect("it is text");
    match ending {
        Some("sh") => assert!(quiet("bash", &["-n", path]), "{text}"),
        Some("py") if path_of("python3").is_some() => {
            let compile = "import sys; compile(open(sys.argv[1]).read(), 'job', 'exec')";
            assert!(quiet("python3", &["-c", compile, path]), "{text}");
        }
        _ => {}
    }
}

#[test]
fn job_files_have_the_shards_the_limits_and_the_summary() {
    let folder = folder();
    let out = folder.path().join("out");
    let words = [
        "experiment",
        "nim-2x2",
        "--runs=6",
        "--set",
        "population=200",
        "--json",
    ];
    let limits = [
        "--shards=3",
        "--job-threads=2",
        "--job-memory=2G",
        "--job-time=90m",
    ];
    let plotted = ["--column=mean_turns", "--plot=a b.svg", "--x=games"];
    let words = [&words[..], &limits, &plotted].concat();
    let check = |scheduler: &str, file: &str, expected: &[&str]| {
        let printed = emit(scheduler, &out, &words);
        assert!(printed.contains(file), "{printed}");
        check_lines(&out.join(file), expected);
    };
    let at = out.to_str().expect("it is text");
    check(
        "slurm",
        "job.slurm.sh",
        &[
            "common=(--parsable --chdir=\"$root\" --open-mode=append --requeue --mem=2048M \
                --time=90)",
            "for round in {1..1}; do",
            "shards=$(sbatch \"${common[@]}\" --job-name=finches --array=1-3 --cpus-per-task=2 \\",
            "--output=\"$logs/slurm-%a-of-3.log\" $after \"$@\" \"$root/job.sh\" shard)",
        ],
    );
    check(
        "hyperqueue",
        "job.hyperqueue.py",
        &[
            "resources=ResourceRequest(cpus=2, resources={\"mem\": 2048}, \
                min_time=timedelta(minutes=90)),",
            "for shard in range(1, 3 + 1)",
        ],
    );
    check(
        "snakemake",
        "Snakefile",
        &[
            "threads: 2",
            "LIMITS = dict(mem_mb=2048, runtime=90)",
            "retries: 4",
        ],
    );
    check(
        "parallel",
        "job.parallel.sh",
        &[
            "parallel --workdir . --jobs 50% --termseq TERM,30000,KILL,100 --retries 5 --memfree 2048M --timeout 5400 \"$@\" \\",
            "bash job.sh shard {} 1 ::: {1..3}",
        ],
    );
    let program = env!("CARGO_BIN_EXE_finches");
    let shard = format!(
        "{program} experiment --out {at} nim-2x2 --runs=6 --set population=200 --column=mean_turns \
            --shard \"$1/3\" --threads 2"
    );
    let merge = format!(
        "{program} experiment --merge {at} --column mean_turns --plot 'a b.svg' --over=games --json"
    );
    check_lines(&out.join("job.sh"), &[&shard, &merge]);
    assert!(finished(&out).is_empty(), "nothing was run");
}

#[test]
fn what_a_scheduler_could_not_run_is_refused_before_anything_is_written() {
    let folder = folder();
    let out = folder.path().join("out");
    let check = |words: &[&str], expected: &str| {
        let out_words = ["--out", out.to_str().expect("it is text")];
        let (printed, said, code) = run(&out, &[words, &out_words].concat());
        assert_eq!((printed.as_str(), code), ("", 2), "{words:?}: {said}");
        assert!(said.contains(expected), "{words:?}: {said}");
        assert!(!out.exists(), "{words:?}");
    };
    let experiment = ["experiment", "nim-2x2", "--runs=2"];
    let with = |more: &[&'static str]| [&experiment[..], more].concat();
    check(
        &with(&["--emit=pbs"]),
        "slurm, hyperqueue, snakemake, parallel",
    );
    let islands = [
        "islands",
        "simple-nim-8",
        "--islands=3",
        "--emit=slurm",
        "--processes=2",
    ];
    check(&islands, "islands take no --processes");
    check(
        &with(&["--emit=slurm", "--shard=1/2"]),
        "cannot be used with",
    );
    check(
        &with(&["--emit=slurm", "--threads=2"]),
        "cannot be used with",
    );
    check(
        &with(&["--emit=slurm", "--dashboard"]),
        "cannot be used with",
    );
    check(
        &with(&["--emit=slurm", "--shards=0"]),
        "0 is not from 1 to 1000",
    );
    check(
        &with(&["--emit=slurm", "--job-memory=4"]),
        "such as 500M or 4G",
    );
    check(
        &with(&["--emit=slurm", "--job-time=4"]),
        "such as 90m, 12h or 2d",
    );
    check(&with(&["--shards=2"]), "--emit");
    check(
        &with(&["--emit=slurm", "--set=add_nod=1"]),
        "did you mean `add_node`?",
    );
    check(
        &["experiment", "nim-2x5", "--runs=2", "--emit=slurm"],
        "did you mean `nim-2x",
    );
    check(
        &["sweep", "nim-2x2", "--vary=populatio=20,40", "--emit=slurm"],
        "did you mean `population`?",
    );
}

#[test]
fn a_sweep_has_job_files_too() {
    let folder = folder();
    let (whole, out) = (
        folder.path().join("whole"),
        folder.path().join("jobs of a sweep"),
    );
    let words = [
        "sweep",
        "nim-2x2",
        "--vary=population=20,40",
        "--set=opponents=5",
        "--runs=2",
        "--generations=5",
    ];
    let out_words = ["--out", whole.to_str().expect("it is text")];
    let (_, said, code) = run(&whole, &[&words[..], &out_words].concat());
    assert_eq!(code, 0, "{said}");
    emit("parallel", &out, &[&words[..], &["--shards=2"]].concat());
    for job in ["shard 1", "shard 2", "merge"] {
        let ended = shell(&format!("bash job.sh {job}"), &out).status();
        assert!(ended.expect("it starts").success(), "{}", logs(&out));
    }
    assert_eq!(results(&out), results(&whole));
}

#[test]
fn a_job_that_fails_is_tried_again_but_not_for_ever() {
    let folder = folder();
    let out = folder.path().join("out");
    emit("slurm", &out, &["experiment", "nim-2x2", "--runs=1"]);
    let code = |job: &str| {
        let ended = shell(&format!("bash job.sh {job}"), &out).status();
        ended.expect("it starts").code()
    };
    assert_eq!(code(""), Some(2));
    assert_eq!(code("shard"), Some(2), "Slurm has not given it a number");
    let runs = out.join("runs");
    fs::remove_dir_all(&runs).expect("it is there");
    fs::write(&runs, "a file").expect("the folder is writable");
    assert_eq!(code("shard 1 2"), Some(1));
    assert_eq!(
        logs(&out).matches("it is tried again").count(),
        1,
        "{}",
        logs(&out)
    );
    fs::remove_file(&runs).expect("it is there");
    assert_eq!(code("shard 1"), Some(0), "{}", logs(&out));
}

/// The command of a shard.
fn shard(out: &Path, runs: &'static str, shard: &str) -> Command {
    let out_words = ["--out", out.to_str().expect("it is text"), "--threads=1"];
    finches(
        out,
        &[&words_with(runs)[..], &out_words, &["--shard", shard]].concat(),
    )
}

#[test]
fn two_processes_with_the_same_shard_do_no_harm() {
    let folder = folder();
    let out = folder.path().join("out");
    // The lock of a process that was killed, or that runs on another machine: only its number is
    // left.
    fs::create_dir_all(&out).expect("the folder is writable");
    fs::write(out.join("lock-1-of-2"), "1").expect("the folder is writable");
    let first = shard(&out, FEW, "1/2").spawn().expect("it starts");
    wait_until("the first has a run", || !finished(&out).is_empty());
    let others = [shard(&out, FEW, "1/2"), shard(&out, FEW, "2/2")].map(|mut shard| shard.spawn());
    let [second, other] = others.map(|child| child.expect("it starts"));
    let first = first.wait_with_output().expect("it ends");
    let second = second.wait_with_output().expect("it ends");
    let other = other.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&second.stderr);
    for ended in [&first, &second, &other] {
        assert!(ended.status.success(), "{said}");
    }
    assert!(
        said.contains("shard 1/2 waits: ") && said.contains("another finches process"),
        "{said}"
    );
    assert!(!said.contains(" seed "), "it repeats no run: {said}");
    check_merged(&out);
}

/// Merges the shards of the few runs, and compares them with those of one process.
fn check_merged(out: &Path) {
    let (_, said, code) = run(
        out,
        &["experiment", "--merge", out.to_str().expect("it is text")],
    );
    assert_eq!(code, 0, "{said}");
    check_same(out, few());
}

#[test]
fn processes_that_do_not_see_the_lock_of_each_other_do_no_harm() {
    let folder = folder();
    let out = folder.path().join("out");
    // Their locks have different names.
    let children = ["1/1", "1/2", "2/2"].map(|part| shard(&out, FEW, part).spawn());
    for child in children {
        let ended = child
            .expect("it starts")
            .wait_with_output()
            .expect("it ends");
        assert!(
            ended.status.success(),
            "{}",
            String::from_utf8_lossy(&ended.stderr)
        );
    }
    check_merged(&out);
}

#[test]
fn a_full_folder_is_told_and_the_rest_is_done_when_there_is_room() {
    let folder = folder();
    let at = folder.path().join("small");
    let mounted = Mounted::by(&["-t", "tmpfs", "-o", "size=160k", "tmpfs"], &at);
    if is_missing("mount", mounted.is_some()) {
        return;
    }
    let out = at.join("out");
    let ended = shard(&out, FEW, "1/1").output().expect("it starts");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{said}");
    for part in ["out/runs/", "No space left", "free some space"] {
        assert!(said.contains(part), "{said}");
    }
    let at_text = at.to_str().expect("it is text");
    assert!(quiet("mount", &["-o", "remount,size=64m", at_text]));
    let ended = shard(&out, FEW, "1/1").output().expect("it starts");
    assert!(
        ended.status.success(),
        "{}",
        String::from_utf8_lossy(&ended.stderr)
    );
    check_same(&out, few());
}

#[test]
fn a_slow_folder_is_told() {
    let folder = folder();
    let (image, at) = (folder.path().join("image"), folder.path().join("slow"));
    let file = fs::File::create(&image).expect("the folder is writable");
    file.set_len(32 << 20).expect("a sparse file needs no room");
    let format = ["-q", image.to_str().expect("it is text")];
    let can_freeze = quiet("mkfs.ext4", &format) && path_of("fsfreeze").is_some();
    let mounted = can_freeze.then(|| Mounted::new(&image, &at)).flatten();
    if is_missing("mount", mounted.is_some()) {
        return;
    }
    let out = at.join("out");
    let child = shard(&out, WORDS[6], "1/2").spawn().expect("it starts");
    wait_until("it has begun", || !finished(&out).is_empty());
    let freeze = |how: &str| quiet("fsfreeze", &[how, at.to_str().expect("it is text")]);
    assert!(freeze("--freeze"));
    let frozen = Instant::now();
    while frozen.elapsed() < Duration::from_secs(6) {
        thread::sleep(Duration::from_millis(100));
    }
    assert!(freeze("--unfreeze"));
    let ended = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{said}");
    assert!(
        said.contains("slow/out: the folder is slow: the files of "),
        "{said}"
    );
}
