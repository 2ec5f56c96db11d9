//! Power cuts, simulated: a run writes to a file system in a file, which is copied at random
//! moments. A copy holds what had reached the disk. It needs the right to mount;
//! `FINCHES_POWER_CUTS` sets the number of cuts.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};

use crate::program::{figures, finches, folder, run, signal};
use crate::skipped::is_missing;

const NAME: &str = "nim-2x4-1";

/// Time between two checkpoints, and the time after which a checkpoint must be on the disk.
const CHECKPOINT: &str = "0.2";
const ON_DISK: Duration = Duration::from_secs(30);

/// A mounted file system, unmounted when dropped.
pub(crate) struct Mounted<'a>(&'a Path);

impl<'a> Mounted<'a> {
    /// Mounts an image; `None` if this user may not.
    pub(crate) fn new(image: &Path, at: &'a Path) -> Option<Self> {
        let image = image.to_str().expect("it is text");
        Self::by(&["-o", "loop", image], at)
    }

    /// Mounts what the words for `mount` say; `None` if this user may not.
    pub(crate) fn by(words: &[&str], at: &'a Path) -> Option<Self> {
        fs::create_dir_all(at).expect("the folder is writable");
        let at_text = at.to_str().expect("it is text");
        quiet("mount", &[words, &[at_text]].concat()).then_some(Self(at))
    }
}

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        quiet("umount", &["-l", self.0.to_str().expect("it is text")]);
    }
}

/// A running program, killed when dropped.
struct Live(Child);

impl Drop for Live {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Whether a command is there and succeeds.
pub(crate) fn quiet(program: &str, words: &[&str]) -> bool {
    let mut command = Command::new(program);
    let command = command.args(words).stdin(Stdio::null());
    let done = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    done.is_ok_and(|status| status.success())
}

fn cuts() -> u32 {
    let set = std::env::var("FINCHES_POWER_CUTS").ok();
    set.map_or(2, |text| text.parse().expect("it is a number"))
}

#[test]
#[cfg(target_os = "linux")]
fn a_run_resumes_after_a_power_cut_at_any_moment() {
    let place = folder();
    let path = |name: &str| place.path().join(name);
    let (image, copy) = (path("image"), path("copy"));
    let (at, copy_at) = (path("mounted"), path("copy-mounted"));
    let file = fs::File::create(&image).expect("the folder is writable");
    let size = (48 + u64::from(cuts())) << 20;
    file.set_len(size).expect("a sparse file needs no room");
    let format = ["-q", "-b", "4096", image.to_str().expect("it is text")];
    let mounted = quiet("mkfs.ext4", &format).then(|| Mounted::new(&image, &at));
    let mounted = mounted.flatten();
    if is_missing("mount", mounted.is_some()) {
        return;
    }
    let words = [
        &["run", "nim-2x4", "--seed", "1", "--headless"][..],
        &["--generations", "100000000", "--threads", "1"],
        &["--checkpoint-every", CHECKPOINT],
    ];
    let mut command = finches(&at, &words.concat());
    let live = Live(command.stdout(Stdio::null()).spawn().expect("it starts"));
    std::thread::sleep(Duration::from_secs(2));
    let mut rng = rand::rngs::SmallRng::seed_from_u64(cuts().into());
    let mut resumed = Vec::new();
    let mut latest: Vec<(Instant, usize)> = Vec::new();
    for cut in 0..cuts() {
        std::thread::sleep(Duration::from_millis(rng.random_range(0..400)));
        signal(&live.0, "STOP");
        fs::copy(&image, &copy).expect("there is room");
        let rows = |at: &Path| figures(at, NAME).len() - 1;
        latest.push((Instant::now(), rows(&at)));
        signal(&live.0, "CONT");
        let _copy = Mounted::new(&copy, &copy_at).expect("its journal is replayed");
        let (shown, said, code) = run(&copy_at, &["inspect", NAME]);
        assert_eq!(code, 0, "cut {cut}: {shown}{said}");
        let words = ["resume", NAME, "--headless", "--generations"];
        // What the checkpoint lacks is at most what was played in the last seconds.
        let old = latest
            .iter()
            .rev()
            .find(|(then, _)| then.elapsed() > ON_DISK);
        let least = old.map_or(1, |(_, rows)| *rows);
        let total = (rows(&copy_at) + 20).to_string();
        let (_, said, code) = run(&copy_at, &[&words[..], &[total.as_str()]].concat());
        assert_eq!(code, 0, "cut {cut}: {said}");
        assert!(!said.contains("damaged"), "cut {cut}: {said}");
        let begin = said_generation(&copy_at);
        assert!(begin >= least, "cut {cut}: back to {begin}, not {least}");
        let champions = fs::read_dir(copy_at.join(NAME).join("champions"));
        for champion in champions.expect("it is there").flatten() {
            let text = fs::read_to_string(champion.path()).expect("it is text");
            assert!(text.contains("// checksum "), "cut {cut}: {champion:?}");
        }
        resumed.push(figures(&copy_at, NAME));
    }
    drop(live);
    let whole = figures(&at, NAME);
    for (cut, rows) in resumed.iter().enumerate() {
        let compared = rows.len().min(whole.len());
        assert_eq!(rows[..compared], whole[..compared], "cut {cut}");
    }
}

/// The generation at which the run was resumed, by its log.
fn said_generation(saves: &Path) -> usize {
    let log = fs::read_to_string(saves.join(NAME).join("run.log")).expect("it has a log");
    let line = log.lines().rev().find(|line| line.contains("resumed"));
    let line = line.expect("it was resumed");
    let (_, generation) = line.split_once("generation=").expect("with its generation");
    let digits: String = generation
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    digits.parse().expect("it is a number")
}
