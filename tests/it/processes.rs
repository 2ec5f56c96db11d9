//! One run on several processes of MPI: the same bytes as on one, whatever ends it in between.
//! The games and lessons are shared however short they are.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::program::{figures, finches, folder, read_rows, signal, told};
use crate::skipped;
use crate::slurm::{Slurm, path_of};
use crate::terminal::{Terminal, wait_for};

/// Members that all meet each other, by an agent that draws random numbers, and held-out games.
const COEVOLUTION: &[&str] = &[
    "run",
    "thien-1ply-league",
    "--generations=4",
    "--set=simulations=20",
    "--set=held_out_games=4",
];

/// Populations that are graded and play held-out games.
const GRADED: &[&str] = &[
    "run",
    "reversi-vanilla",
    "--generations=4",
    "--set=population=40",
    "--set=measures.keep_every=2",
    "--set=grading_games=400",
    "--set=population_games=2",
];

/// Games by lookup, of which many are played in a moment.
const NIM: &[&str] = &[
    "run",
    "nim-2x4-value",
    "--generations=4",
    "--set=population=100",
];

/// Members that learn before they play, and whose offspring inherit it.
const LAMARCK: &[&str] = &[
    "run",
    "weaver-lamarck",
    "--generations=4",
    "--set=population=40",
    "--set=held_out_games=20",
];

/// The same without inheritance.
const BALDWIN: &[&str] = &[
    "run",
    "weaver-baldwin",
    "--generations=4",
    "--set=population=40",
    "--set=held_out_games=20",
];

/// The environment of processes that share all games and lessons, on fewer cores and as any user.
pub(crate) const ENVIRONMENT: [(&str, &str); 4] = [
    ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
    ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
    ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
    ("FINCHES_MPI_SECONDS", "0"),
];

/// Whether tests of several processes can't run.
pub(crate) fn is_missing() -> bool {
    let is_there = cfg!(feature = "mpi") && path_of("mpirun").is_some();
    skipped::is_missing("mpi", is_there)
}

/// The program on some processes, or without MPI on one.
fn on(processes: usize, saves: &Path, words: &[&str]) -> Command {
    let alone = finches(saves, words);
    if processes == 1 {
        return alone;
    }
    let mut command = Command::new("mpirun");
    command
        .args(["--bind-to", "none", "-n"])
        .arg(processes.to_string())
        .arg(alone.get_program())
        .args(words)
        .envs(ENVIRONMENT)
        .env("FINCHES_SAVES", saves)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn run_on(processes: usize, saves: &Path, words: &[&str]) {
    let output = on(processes, saves, words).output();
    let (_, said, code) = told(output.expect("it starts"));
    assert_eq!(code, 0, "{said}");
    let line = format!("finches: {processes} processes");
    assert_eq!(
        said.lines().any(|said| said == line),
        processes > 1,
        "{said}"
    );
    let is_told = said.contains(" lists of games or lessons were shared, and others had ");
    assert_eq!(is_told, processes > 1, "{said}");
}

/// All that a run leaves and that must not depend on where it was played: its rows, its champions
/// and its state.
fn left(saves: &Path) -> Vec<(String, String)> {
    let run = the_run(saves);
    let folder = saves.join(&run);
    let read = |path: &Path| fs::read_to_string(path).expect("it is a text");
    let champions = fs::read_dir(folder.join("champions")).expect("it has champions");
    let champions = champions.map(|file| file.expect("it is a file").path());
    let named = |path: &Path| {
        path.file_name()
            .expect("it has a name")
            .to_string_lossy()
            .into()
    };
    let mut left: Vec<(String, String)> =
        champions.map(|path| (named(&path), read(&path))).collect();
    left.sort();
    let checkpoint = read(&folder.join("checkpoint.ron"));
    let (_, state) = checkpoint.split_once("state: (").expect("it has a state");
    let (state, _) = state.rsplit_once("// checksum").expect("it has a checksum");
    left.push(("state".to_owned(), state.to_owned()));
    left.push(("rows".to_owned(), figures(saves, &run).join("\n")));
    left
}

/// The name of the only run.
fn the_run(saves: &Path) -> String {
    let mut runs = fs::read_dir(saves).expect("it is a folder").flatten();
    let run = runs.find(|entry| entry.path().join("run.ron").exists());
    let run = run.expect("a run is saved");
    run.file_name().into_string().expect("its name is text")
}

fn check_same(saves: &Path, expected: &[(String, String)], how: &str) {
    let found = left(saves);
    assert_eq!(found.len(), expected.len(), "{how}");
    for ((name, text), (same, expected)) in found.iter().zip(expected) {
        assert!(name == same && text == expected, "{name} differs: {how}");
    }
}

fn seeded<'a>(words: &[&'a str]) -> Vec<&'a str> {
    [words, &["--seed=5", "--json"]].concat()
}

/// What one process leaves.
fn of_one_process(words: &[&str]) -> Vec<(String, String)> {
    let saves = folder();
    run_on(1, saves.path(), &seeded(words));
    left(saves.path())
}

#[test]
fn a_run_is_the_same_on_any_number_of_processes_and_threads() {
    if is_missing() {
        return;
    }
    for words in [COEVOLUTION, GRADED, NIM, LAMARCK, BALDWIN] {
        let expected = of_one_process(words);
        for (processes, threads) in [(1, 2), (2, 1), (2, 2), (3, 1), (3, 2)] {
            let saves = folder();
            let threads = format!("--threads={threads}");
            let words = [&seeded(words)[..], &[&threads]].concat();
            run_on(processes, saves.path(), &words);
            check_same(saves.path(), &expected, &format!("{processes} {words:?}"));
        }
    }
}

#[test]
fn a_run_is_resumed_on_another_number_of_processes() {
    if is_missing() {
        return;
    }
    for words in [COEVOLUTION, GRADED] {
        let expected = of_one_process(words);
        let saves = folder();
        let begun = [&seeded(words)[..], &["--break=generation:1"]].concat();
        run_on(3, saves.path(), &begun);
        run_on(
            2,
            saves.path(),
            &["resume", &the_run(saves.path()), "--json"],
        );
        check_same(saves.path(), &expected, &format!("{words:?}"));
    }
}

#[test]
fn a_process_that_is_lost_ends_the_job_and_the_run_is_resumed() {
    check_ended(|job, saves| {
        let lost = playing_process(saves).expect("a process plays");
        let killed = Command::new("kill").args(["-KILL", &lost]).status();
        assert!(killed.expect("there is a kill command").success());
        let ended = job.wait().expect("the job ends");
        assert!(!ended.success());
    });
}

#[test]
fn a_job_that_is_asked_to_end_saves_first() {
    check_ended(|job, saves| {
        signal(job, "TERM");
        let ended = job.wait().expect("the job ends");
        assert!(!ended.success());
        // Each of its rows is counted by the checkpoint.
        let run = the_run(saves);
        let checkpoint = fs::read_to_string(saves.join(&run).join("checkpoint.ron"));
        let checkpoint = checkpoint.expect("it is saved");
        let generation = format!("\n        generation: {},", figures(saves, &run).len() - 1);
        assert!(checkpoint.contains(&generation), "{generation}");
    });
}

#[test]
fn a_watcher_sees_how_the_processes_work() {
    if is_missing() {
        return;
    }
    let saves = folder();
    let words = [&seeded(&NIM[..2])[..], &["--generations=10000"]].concat();
    let job = on(3, saves.path(), &words).stdout(Stdio::null()).spawn();
    let mut job = job.expect("it starts");
    let run = "nim-2x4-value-5";
    wait_for("figures", || {
        let figures = saves.path().join(run).join("processes.ron");
        figures.exists().then_some(())
    });
    let mut terminal = Terminal::open(saves.path(), &["watch", run], &[]);
    terminal.expect("3 processes");
    terminal.expect("% waiting");
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
    let watcher = finches(saves.path(), &["watch", run, "--plain"]).spawn();
    let mut watcher = watcher.expect("it starts");
    let said = read_rows(&mut watcher, 1).join("\n");
    assert!(said.contains(" 3 processes play "), "{said}");
    assert!(said.contains("% of the time."), "{said}");
    for child in [&mut watcher, &mut job] {
        signal(child, "TERM");
        child.wait().expect("it ends");
    }
}

#[test]
fn the_tasks_of_slurm_share_a_run_if_they_find_each_other() {
    if is_missing() {
        return;
    }
    let cluster = Slurm::start().filter(|cluster| {
        let plugins = cluster.command("srun").arg("--mpi=list").output();
        let (found, said, _) = told(plugins.expect("it starts"));
        (found + &said).contains("pmix")
    });
    if skipped::is_missing("slurm", cluster.is_some()) {
        return;
    }
    let cluster = cluster.expect("it has started");
    let expected = of_one_process(LAMARCK);
    for (plugin, line) in [
        ("--mpi=pmix", "finches: 2 processes"),
        ("--mpi=none", "finches: each of the 2 tasks works alone; "),
    ] {
        let saves = folder();
        let mut command = cluster.command("srun");
        command.args([plugin, "--ntasks=2", "--overcommit"]);
        command.arg(env!("CARGO_BIN_EXE_finches"));
        command.args(seeded(LAMARCK)).envs(ENVIRONMENT);
        command.env("FINCHES_SAVES", saves.path());
        let (_, said, code) = told(command.output().expect("it starts"));
        assert_eq!(code, 0, "{said}");
        assert_eq!(said.matches(line).count(), 1, "{said}");
        check_same(saves.path(), &expected, plugin);
    }
}

/// Ends a long run on three processes in some way, and resumes it.
fn check_ended(end: impl FnOnce(&mut Child, &Path)) {
    if is_missing() {
        return;
    }
    let saves = folder();
    // Long generations: it ends before there are so many champions that some are removed, of which
    // a run that is saved more often keeps more files.
    let endless = [
        "--generations=100000",
        "--checkpoint-every=0.1",
        "--set=population=1000",
    ];
    let words = [&seeded(&NIM[..2])[..], &endless].concat();
    let mut job = on(3, saves.path(), &words).spawn().expect("it starts");
    assert_eq!(read_rows(&mut job, 20).len(), 20);
    end(&mut job, saves.path());
    let run = the_run(saves.path());
    let rows = figures(saves.path(), &run).len();
    let generations = format!("--generations={}", rows + 5);
    run_on(1, saves.path(), &["resume", &run, "--json", &generations]);
    let whole: Vec<&str> = words
        .iter()
        .copied()
        .filter(|word| *word != endless[0])
        .collect();
    let whole = [&whole[..], &[&generations]].concat();
    let other = folder();
    run_on(1, other.path(), &whole);
    check_same(saves.path(), &left(other.path()), "ended and resumed");
}

/// The number of a process that plays for another one.
fn playing_process(saves: &Path) -> Option<String> {
    let saves = format!("FINCHES_SAVES={}", saves.to_str()?);
    let entries = fs::read_dir("/proc").ok()?.flatten();
    let mut processes = entries.filter_map(|entry| entry.file_name().into_string().ok());
    processes.find(|process| {
        let words = fs::read_to_string(format!("/proc/{process}/environ")).unwrap_or_default();
        let has = |wanted: &str| words.split('\0').any(|word| word == wanted);
        has(&saves) && has("OMPI_COMM_WORLD_RANK=1")
    })
}
