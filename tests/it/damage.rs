//! Files that a power cut, a full disk or another person has damaged: what can be saved is, the
//! rest is refused by name, and nothing outside a run's folder is touched.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::program::{figures, finches, folder, run, told};

const RUN: [&str; 5] = ["run", "nim-2x4", "--seed", "1", "--headless"];

/// Evolves 60 generations of a small run and returns its folder.
fn evolve(saves: &Path) -> PathBuf {
    let small = [
        "--generations",
        "60",
        "--set",
        "population=20",
        "--set",
        "opponents=8",
    ];
    let (_, said, code) = run(saves, &[&RUN[..], &small].concat());
    assert_eq!(code, 0, "{said}");
    saves.join("nim-2x4-1")
}

fn resume(saves: &Path, generations: &str) -> (String, String, i32) {
    run(
        saves,
        &[
            "resume",
            "nim-2x4-1",
            "--headless",
            "--generations",
            generations,
        ],
    )
}

/// Changes a file and makes its checksum right again.
fn bend(path: &Path, change: impl Fn(&str) -> String) {
    let text = fs::read_to_string(path).expect("it is there");
    let (body, _) = text.rsplit_once("// checksum ").expect("it has a checksum");
    let changed = change(body);
    assert_ne!(changed, body, "the change changes nothing");
    let sum = crc32fast::hash(changed.as_bytes());
    let text = format!("{changed}// checksum {sum:08x}\n");
    fs::write(path, text).expect("the folder is writable");
}

#[test]
fn a_run_goes_on_after_a_power_cut_that_left_zeros_and_empty_files() {
    let (whole, cut) = (folder(), folder());
    evolve(whole.path());
    let run_folder = evolve(cut.path());
    resume(whole.path(), "90");
    let metrics = run_folder.join("metrics.csv");
    let mut text = fs::read_to_string(&metrics).expect("it is there");
    text.push_str(&"\0".repeat(5000));
    fs::write(&metrics, text).expect("the folder is writable");
    for file in ["champions/59.ron", "games/59.txt", "members.ron"] {
        fs::write(run_folder.join(file), "").expect("the folder is writable");
    }
    fs::write(run_folder.join(".run.ron.unfinished-xyz"), "half").expect("it is writable");
    let (shown, said, code) = run(cut.path(), &["inspect", "nim-2x4-1", "--generation", "50"]);
    assert_eq!(code, 0, "{said}");
    assert!(shown.contains("generation 60 of 60"), "{shown}");
    let (_, said, code) = resume(cut.path(), "90");
    assert_eq!(code, 0, "{said}");
    let name = "nim-2x4-1";
    assert_eq!(figures(cut.path(), name), figures(whole.path(), name));
    let champion = fs::read_to_string(run_folder.join("champions/59.ron")).expect("it is there");
    assert!(champion.contains("// checksum "), "it is written again");
    assert!(!run_folder.join(".run.ron.unfinished-xyz").exists());
}

#[test]
fn champions_that_a_killed_process_has_not_written_are_written_by_the_next() {
    let (whole, killed) = (folder(), folder());
    let champions = |at: &Path| {
        let mut files = fs::read_dir(at.join("champions"))
            .expect("it is there")
            .flatten();
        let read =
            |file: fs::DirEntry| (file.file_name(), fs::read(file.path()).expect("it is read"));
        files.by_ref().map(read).collect::<BTreeMap<_, _>>()
    };
    let [whole_run, killed_run] = [&whole, &killed].map(|folder| evolve(folder.path()));
    for generation in [57, 58, 59] {
        let path = killed_run.join(format!("champions/{generation}.ron"));
        fs::remove_file(path).expect("it was written");
    }
    // By then the archive has dropped every second champion.
    for folder in [&whole, &killed] {
        let (_, said, code) = resume(folder.path(), "140");
        assert_eq!(code, 0, "{said}");
    }
    assert_eq!(champions(&killed_run), champions(&whole_run));
}

#[test]
fn damaged_rows_are_cut_off_and_told_and_a_copy_is_kept() {
    let saves = folder();
    let run_folder = evolve(saves.path());
    let metrics = run_folder.join("metrics.csv");
    let intact = fs::read(&metrics).expect("it is there");
    let mut bytes = intact.clone();
    let place = bytes.len() - 10;
    bytes[place] ^= 1;
    fs::write(&metrics, &bytes).expect("the folder is writable");
    let (_, said, code) = resume(saves.path(), "70");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("metrics.csv was damaged"), "{said}");
    let copy = fs::read(run_folder.join("metrics.damaged-1.csv")).expect("it is kept");
    assert_eq!(copy, bytes);
    let rows = figures(saves.path(), "nim-2x4-1");
    assert!(rows[0].starts_with("generation,"), "{}", rows[0]);
    assert!(rows[rows.len() - 1].starts_with("69,"));
    // A file that has lost its end is cut to its last whole line.
    let text = fs::read(&metrics).expect("it is there");
    fs::write(&metrics, &text[..text.len() - 5]).expect("the folder is writable");
    let (_, said, code) = resume(saves.path(), "80");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("metrics.csv was damaged"), "{said}");
    let rows = figures(saves.path(), "nim-2x4-1");
    assert!(rows[rows.len() - 1].starts_with("79,"));
    // A file that has lost even its first line gets it back.
    fs::write(&metrics, &text[..20]).expect("the folder is writable");
    let (_, said, code) = resume(saves.path(), "90");
    assert_eq!(code, 0, "{said}");
    let again = figures(saves.path(), "nim-2x4-1");
    assert_eq!(again[0], rows[0]);
    assert!(again[1].starts_with("80,"), "{}", again[1]);
}

#[test]
#[cfg(unix)]
fn a_run_with_links_in_its_folder_is_not_continued() {
    use std::os::unix::fs::symlink;
    for file in [
        "metrics.csv",
        "lock",
        "champions",
        "games",
        "checkpoint.ron",
    ] {
        let (saves, outside) = (folder(), folder());
        let run_folder = evolve(saves.path());
        let victim = outside.path().join("victim");
        let inside = run_folder.join(file);
        fs::rename(&inside, &victim).expect("it is there");
        symlink(&victim, &inside).expect("links can be made");
        let content = |path: &Path| match fs::read(path) {
            Ok(bytes) => bytes,
            Err(_) => format!("{} files", fs::read_dir(path).expect("a folder").count()).into(),
        };
        let before = content(&victim);
        let (_, said, code) = resume(saves.path(), "70");
        assert_eq!(code, 1, "{file}: {said}");
        assert!(said.contains(file), "{file}: {said}");
        assert_eq!(content(&victim), before, "{file}");
    }
    let (saves, outside) = (folder(), folder());
    let run_folder = evolve(saves.path());
    let victim = outside.path().join("profile");
    fs::write(&victim, "mine").expect("the folder is writable");
    fs::remove_file(run_folder.join("run.log")).expect("it is there");
    symlink(&victim, run_folder.join("run.log")).expect("links can be made");
    let (_, said, code) = resume(saves.path(), "70");
    assert_eq!(code, 0, "{said}");
    assert_eq!(fs::read_to_string(&victim).expect("it is text"), "mine");
}

/// All files and folders below a folder.
#[cfg(unix)]
fn everything_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("it can be read");
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            found.extend(everything_in(&path));
        }
        found.push(path);
    }
    found.sort();
    found
}

/// Does the commands in a new folder, puts a link to a file or a folder of the user in the place of
/// each file and folder in turn, and does the last command again.
#[cfg(unix)]
fn check_links(commands: &[&[&str]]) {
    use std::os::unix::fs::symlink;
    let do_all = |folder: &Path, commands: &[&[&str]]| {
        let mut said = String::new();
        for words in commands {
            let mut program = finches(folder, words);
            let output = program.current_dir(folder).output();
            said = told(output.expect("the program starts")).1;
        }
        said
    };
    let template = folder();
    let said = do_all(template.path(), commands);
    let parts = everything_in(template.path());
    assert!(parts.len() > 5, "{commands:?}: {said}");
    // The user names what is at the top.
    let is_named = |part: &&PathBuf| part.parent() == Some(template.path());
    for part in parts.iter().filter(|part| !is_named(part)) {
        let (place, outside) = (folder(), folder());
        do_all(place.path(), commands);
        let name = part.strip_prefix(template.path()).expect("it is in there");
        let victim = outside.path().join("victim");
        let inside = place.path().join(name);
        if part.is_dir() {
            fs::remove_dir_all(&inside).expect("it is there");
            fs::create_dir(&victim).expect("it is writable");
            fs::write(victim.join(".run.ron.unfinished-1"), "mine").expect("it is writable");
        } else {
            fs::remove_file(&inside).expect("it is there");
            fs::write(&victim, "mine").expect("it is writable");
        }
        symlink(&victim, &inside).expect("links can be made");
        do_all(place.path(), &commands[commands.len() - 1..]);
        let kept = if part.is_dir() {
            let names = fs::read_dir(&victim).expect("it is there").flatten();
            let names: Vec<_> = names.map(|entry| entry.file_name()).collect();
            names == [".run.ron.unfinished-1"]
        } else {
            fs::read(&victim).expect("it is there") == b"mine"
        };
        assert!(kept, "{commands:?}: through {}", name.display());
    }
}

#[test]
#[cfg(unix)]
fn nothing_is_written_through_a_link_in_the_folder_of_a_run() {
    let small = ["--set=population=20", "--set=opponents=5"];
    let start = [
        "run",
        "nim-2x4",
        "--seed=1",
        "--set=keep_every=2",
        "--saves=saves",
    ];
    let first = [&start[..], &small, &["--generations=4"]].concat();
    let resume = ["resume", "nim-2x4-1", "--saves=saves", "--generations=8"];
    let report = ["report", "nim-2x4-1", "--saves=saves"];
    check_links(&[&first, &resume]);
    check_links(&[&first, &report]);
}

#[test]
#[cfg(unix)]
fn nothing_is_written_through_a_link_in_the_folder_of_many_runs() {
    let small = ["--set=population=20", "--set=opponents=5"];
    let few = ["--generations=4", "--out=many", "--seed=1"];
    let experiment = [&["experiment", "nim-2x4", "--runs=2"][..], &small, &few].concat();
    let vary = ["sweep", "nim-2x4", "--vary=add_node=0.1,0.3", "--runs=2"];
    let sweep = [&vary[..], &small, &few].concat();
    let islands = ["islands", "nim-2x4", "--islands=2", "--every=2"];
    let islands = [&islands[..], &small, &few].concat();
    for command in [experiment, sweep, islands] {
        check_links(&[&command]);
    }
}

#[test]
#[cfg(unix)]
fn pipes_and_endless_files_among_the_saves_stop_nothing() {
    use std::os::unix::fs::symlink;
    use std::process::Command;
    let saves = folder();
    let run_folder = evolve(saves.path());
    for name in ["pipe", "endless"] {
        fs::create_dir(saves.path().join(name)).expect("the folder is writable");
    }
    let pipe = |path: PathBuf| {
        let made = Command::new("mkfifo").arg(path).status();
        assert!(made.expect("there is mkfifo").success());
    };
    pipe(saves.path().join("pipe/run.ron"));
    symlink("/dev/zero", saves.path().join("endless/run.ron")).expect("links can be made");
    let (_, said, code) = run(saves.path(), &["inspect", "nosuch"]);
    assert!(code != 0 && said.contains("nim-2x4-1"), "{said}");
    fs::remove_file(run_folder.join("lock")).expect("it is there");
    pipe(run_folder.join("lock"));
    let (_, said, code) = resume(saves.path(), "70");
    assert!(code == 1 && said.contains("not an ordinary file"), "{said}");
    let metrics = run_folder.join("metrics.csv");
    fs::remove_file(&metrics).expect("it is there");
    pipe(metrics);
    let (_, said, code) = run(saves.path(), &["inspect", "nim-2x4-1"]);
    assert!(code == 1 && said.contains("not an ordinary file"), "{said}");
}

#[test]
fn a_champion_that_does_not_fit_its_run_is_refused_everywhere() {
    let saves = folder();
    let small = ["--generations", "1"];
    let words = ["run", "reversi-vanilla", "--seed", "1", "--headless"];
    let (_, said, code) = run(saves.path(), &[&words[..], &small].concat());
    assert_eq!(code, 0, "{said}");
    let champion = saves.path().join("reversi-vanilla-1/champions/0.ron");
    let original = fs::read_to_string(&champion).expect("it is there");
    let bent = [
        ("layers: [64, ", "layers: [64, 4000000000, "),
        ("layers: [64, ", "layers: [3, "),
        ("genes: [", "genes: [1.5, "),
    ];
    for (from, to) in bent {
        bend(&champion, |text| text.replacen(from, to, 1));
        for words in [
            &["inspect", "reversi-vanilla-1", "--dot"][..],
            &["arena", "random", "reversi-vanilla-1", "--games", "2"],
            &["export", "reversi-vanilla-1", "--bundle", "given-away"],
        ] {
            let (_, said, code) = run(saves.path(), words);
            assert!((1..=2).contains(&code), "{words:?}: {code}: {said}");
        }
        let (_, said, _) = run(saves.path(), &["inspect", "reversi-vanilla-1"]);
        assert!(
            said.contains("0.ron") && said.contains("does not fit its run"),
            "{to}: {said}"
        );
        fs::write(&champion, &original).expect("the folder is writable");
    }
}

#[test]
fn a_bent_description_of_a_run_is_refused_before_it_costs_anything() {
    let saves = folder();
    let run_folder = evolve(saves.path());
    let file = run_folder.join("run.ron");
    let original = fs::read_to_string(&file).expect("it is there");
    let check = |from: &str, to: &str, reason: &str| {
        bend(&file, |text| text.replacen(from, to, 1));
        let (_, said, code) = resume(saves.path(), "70");
        assert!(code == 1 && said.contains(reason), "{to}: {code}: {said}");
        assert!(!said.contains("panic"), "{said}");
        fs::write(&file, &original).expect("the folder is writable");
    };
    check(
        "population: 20",
        "population: 100000",
        "the population has 20 members, but the preset has 100000",
    );
    let change = |key: &str, to: &str| {
        format!("interventions: [(generation: 5, key: \"{key}\", from: \"1\", to: \"{to}\")]")
    };
    for (key, value, reason) in [
        ("until", "1", "can't be changed during a run"),
        (
            "evolution.population",
            "16",
            "the population has 20 members, but the preset has 16",
        ),
        ("evolution.population", "7", "half the population (3), is 8"),
        ("generations", "9999999999", "must be from 1 to"),
        ("nosuch", "1", "nosuch"),
    ] {
        check("interventions: []", &change(key, value), reason);
    }
}

#[test]
fn an_impossible_state_of_a_run_is_refused_with_its_reason() {
    let saves = folder();
    let run_folder = evolve(saves.path());
    let check = |file: &str, words: &[&str], (from, to): (&str, &str), reason: &str| {
        let path = run_folder.join(file);
        let original = fs::read_to_string(&path).expect("it is there");
        bend(&path, |text| text.replacen(from, to, 1));
        let (_, said, code) = run(saves.path(), words);
        assert!(code == 1 && said.contains(reason), "{to}: {code}: {said}");
        fs::write(&path, &original).expect("the folder is writable");
    };
    let again = ["resume", "nim-2x4-1", "--headless", "--generations", "70"];
    for (from, to, reason) in [
        (
            "stride: 1",
            "stride: 0",
            "the stride must be a power of two",
        ),
        (
            "generation: 60",
            "generation: 18446744073709551615",
            "generation: must be at most 1000000000",
        ),
        (
            "generation: 60",
            "generation: 3",
            "a champion is of generation",
        ),
        (
            "games: ",
            "games: 99999999999",
            "totals.games: must be at most",
        ),
    ] {
        check("checkpoint.ron", &again, (from, to), reason);
    }
    let arena = ["arena", "random", "nim-2x4-1:5", "--games", "2"];
    let other = ("generation: 5", "generation: 18446744073709551615");
    check(
        "champions/5.ron",
        &arena,
        other,
        "holds the champion of generation",
    );
    let metrics = run_folder.join("metrics.csv");
    let text = fs::read_to_string(&metrics).expect("it is there");
    let changed = text.replacen("\n59,", "\n1e300,", 1);
    assert_ne!(changed, text);
    fs::write(&metrics, changed).expect("the folder is writable");
    let (rows, said, code) = run(saves.path(), &["export", "nim-2x4-1", "--json"]);
    assert_eq!((rows.lines().count(), code), (59, 0), "{said}");
    assert!(said.contains("line 61 has no generation"), "{said}");
}

#[test]
fn a_damaged_row_costs_the_rows_from_there_on_and_is_named() {
    let saves = folder();
    let run_folder = evolve(saves.path());
    let metrics = run_folder.join("metrics.csv");
    let checkpoint = run_folder.join("checkpoint.ron");
    let state = fs::read(&checkpoint).expect("it is there");
    let text = fs::read_to_string(&metrics).expect("it is there");
    let lines: Vec<&str> = text.lines().collect();
    // The line of generation 30.
    let (before, line) = (lines[..31].join("\n") + "\n", lines[31]);
    let check = |damaged: &[u8], what: &str| {
        let after = lines[32..].join("\n") + "\n";
        let bytes = [before.as_bytes(), damaged, after.as_bytes()].concat();
        fs::write(&metrics, &bytes).expect("the folder is writable");
        fs::write(&checkpoint, &state).expect("the folder is writable");
        let named = format!("metrics.csv: line 32 {what}");
        for words in [&["export", "nim-2x4-1"][..], &["report", "nim-2x4-1"]] {
            let (printed, said, code) = run(saves.path(), words);
            assert_eq!(code, 0, "{said}");
            assert!(said.contains(&named), "{said}");
            assert!(words[0] == "report" || printed == before, "{printed}");
        }
        let (_, said, code) = resume(saves.path(), "70");
        assert_eq!(code, 0, "{said}");
        assert!(
            said.contains("the rows from line 32 on, are left out"),
            "{said}"
        );
        let text = fs::read_to_string(&metrics).expect("it is text again");
        assert!(text.starts_with(&before), "{what}");
        let generations = text.lines().skip(31).map(|line| line.split(',').next());
        let made: Vec<String> = (60..70).map(|generation| generation.to_string()).collect();
        assert!(
            generations.flatten().eq(made.iter().map(String::as_str)),
            "{text}"
        );
    };
    // The end of the line is missing, and with it the next line begins.
    let half = &line.as_bytes()[..line.len() / 2];
    let fields = |text: &[u8]| text.split(|&byte| byte == b',').count();
    let joined = fields(half) + fields(line.as_bytes()) - 1;
    let wanted = format!("does not have {} fields, but ", fields(line.as_bytes()));
    check(half, &format!("{wanted}{joined}"));
    check(b"30,1,2\n", &format!("{wanted}3"));
    check(&[&[0; 200][..], b"\n"].concat(), "has zero bytes");
    check(
        &[b"\xff\xfe", line.as_bytes(), b"\n"].concat(),
        "is not text",
    );
}

#[test]
#[cfg(unix)]
fn a_run_that_could_not_be_saved_says_so_and_fails() {
    use std::process::{Command, Stdio};
    let saves = folder();
    let program = env!("CARGO_BIN_EXE_finches");
    let script = format!(
        "ulimit -f 64; exec {program} run nim-2x4 --seed 1 --headless --generations 2000 --set \
            population=20 --set opponents=8"
    );
    let mut shell = Command::new("bash");
    shell
        .args(["-c", &script])
        .env("FINCHES_SAVES", saves.path());
    shell.stdin(Stdio::null());
    let (_, said, code) = told(shell.output().expect("there is a shell"));
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("NOT SAVED from generation"), "{said}");
    assert!(!said.contains("continue with"), "{said}");
    let (_, said, code) = resume(saves.path(), "2000");
    assert_eq!(code, 0, "without the limit it goes on: {said}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_standard_output_fails_and_a_closed_one_does_not() {
    let saves = folder();
    let mut command = finches(saves.path(), &[&RUN[..], &["--json"]].concat());
    let full = fs::File::options().write(true).open("/dev/full");
    command.stdout(full.expect("there is such a device"));
    let (_, said, code) = told(command.output().expect("the program starts"));
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("can't be written to standard output"),
        "{said}"
    );
    let script = format!(
        "{} run nim-2x4 --no-save --json",
        env!("CARGO_BIN_EXE_finches")
    );
    let script = format!("set -o pipefail; {script} | head -n 1");
    let shell = std::process::Command::new("bash")
        .args(["-c", &script])
        .output();
    let (_, said, code) = told(shell.expect("there is a shell"));
    assert_eq!(code, 0, "{said}");
}

#[test]
fn a_run_that_can_not_be_locked_is_not_continued() {
    let saves = folder();
    evolve(saves.path());
    let lock = saves.path().join("nim-2x4-1/lock");
    fs::remove_file(&lock).expect("it is there");
    fs::create_dir(&lock).expect("the folder is writable");
    let (_, said, code) = resume(saves.path(), "100");
    assert!(code == 1 && said.contains("lock"), "{said}");
}

#[test]
fn a_run_that_takes_much_memory_or_disk_is_not_started_unasked() {
    let saves = folder();
    let large = [
        "--set",
        "population=100000",
        "--set",
        "hall_of_fame.size=100000",
    ];
    for (words, reason) in [
        (
            &[&["run", "hynek-11", "--no-save"][..], &large].concat(),
            "GB of memory",
        ),
        (
            &[
                "run",
                "reversi-vanilla",
                "--generations",
                "1000000",
                "--set",
                "keep_every=1",
            ]
            .to_vec(),
            "GB of disk; add --yes",
        ),
        (
            &[&["experiment", "hynek-11", "--runs", "1"][..], &large].concat(),
            "GB of memory",
        ),
    ] {
        let (_, said, code) = run(saves.path(), words);
        assert!(code == 2 && said.contains(reason), "{words:?}: {said}");
    }
    assert_eq!(fs::read_dir(saves.path()).map_or(0, Iterator::count), 0);
}
