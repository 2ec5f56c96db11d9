//! The real program in a real terminal: what it leaves behind, however it ends, and that its run
//! can be resumed.

use std::fs;
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use crate::experiment::{WORDS, files, finished};
use crate::program::{folder, run};

/// How long something may take that normally takes a moment; the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(20);

/// The program in a terminal of its own, and a picture of its screen.
pub(crate) struct Terminal {
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    pub(crate) screen: vt100::Parser,
    /// Everything the program has written.
    written: Vec<u8>,
    /// The terminal's modes before the program came.
    modes: String,
}

fn size(rows: u16, cols: u16) -> PtySize {
    PtySize {
        rows,
        cols,
        pixel_width: 0,
        pixel_height: 0,
    }
}

fn cells(count: u16) -> NonZero<u16> {
    NonZero::new(count).expect("a terminal has rows and columns")
}

impl Terminal {
    pub(crate) fn open(saves: &Path, words: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_finches"));
        command.args(words);
        Self::start(command, saves, environment)
    }

    /// Opens a terminal for any command.
    pub(crate) fn start(
        mut command: CommandBuilder,
        saves: &Path,
        environment: &[(&str, &str)],
    ) -> Self {
        let pair = native_pty_system()
            .openpty(size(40, 120))
            .expect("there are terminals");
        let modes = modes(pair.master.as_ref());
        command.env("FINCHES_SAVES", saves);
        command.env("TERM", "xterm-256color");
        command.env("LC_ALL", "C.UTF-8");
        // What the user has set is not to change what is tested.
        command.env("XDG_CONFIG_HOME", saves);
        for name in [
            "NO_COLOR",
            "COLORTERM",
            "SSH_CONNECTION",
            "FINCHES_THEME",
            "FINCHES_KEYS",
            "RUST_BACKTRACE",
        ] {
            command.env_remove(name);
        }
        for (name, value) in environment {
            command.env(name, value);
        }
        let child = pair
            .slave
            .spawn_command(command)
            .expect("the program starts");
        let mut reader = pair
            .master
            .try_clone_reader()
            .expect("the terminal can be read");
        let keys = pair
            .master
            .take_writer()
            .expect("the terminal can be written to");
        let (tell, output) = channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                if tell.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self {
            master: pair.master,
            child,
            keys,
            output,
            screen: vt100::Parser::new(cells(40), cells(120), 0),
            written: Vec::new(),
            modes,
        }
    }

    /// Everything the program has written so far, as text.
    pub(crate) fn written(&self) -> String {
        String::from_utf8_lossy(&self.written).into_owned()
    }

    /// Whether the terminal's modes are what they were before the program came.
    pub(crate) fn is_as_before(&self) -> bool {
        modes(self.master.as_ref()) == self.modes
    }

    pub(crate) fn process(&self) -> u32 {
        self.child.process_id().expect("the program runs")
    }

    /// Closes the terminal as a line that drops does, and waits for the program to end.
    pub(crate) fn hang_up(self) -> u32 {
        let Self {
            master,
            mut child,
            keys,
            output,
            ..
        } = self;
        // The thread that reads ends with the next output, and with it the last hold on the
        // terminal.
        drop((output, keys, master));
        wait_for("the program's end", || {
            let status = child.try_wait().expect("the program can be waited for");
            status.map(|status| status.exit_code())
        })
    }

    /// Reads until the screen shows the words.
    pub(crate) fn expect(&mut self, words: &str) {
        self.until(words, |terminal| {
            terminal.screen.screen().contents().contains(words)
        });
    }

    pub(crate) fn until(&mut self, what: &str, done: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !done(self) {
            let left = deadline.saturating_duration_since(Instant::now());
            // A program that never stops writing is not waited for any longer than a silent one.
            let output = if left.is_zero() {
                Err(RecvTimeoutError::Timeout)
            } else {
                self.output.recv_timeout(left)
            };
            match output {
                Ok(bytes) => {
                    self.screen.process(&bytes);
                    self.written.extend(bytes);
                }
                Err(error) => panic!(
                    "`{what}` did not come ({error}); the screen shows\n{}",
                    self.screen.screen().contents()
                ),
            }
        }
    }

    /// Reads until nothing has come for some time.
    pub(crate) fn take_in(&mut self, quiet: Duration) {
        while let Ok(bytes) = self.output.recv_timeout(quiet) {
            self.screen.process(&bytes);
            self.written.extend(bytes);
        }
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.keys
            .write_all(keys.as_bytes())
            .expect("the terminal takes keys");
        self.keys.flush().expect("the terminal takes keys");
    }

    /// Clicks on a cell, counted from 0, as a terminal reports it.
    pub(crate) fn click(&mut self, (column, row): (usize, usize)) {
        let (x, y) = (column + 1, row + 1);
        self.press(&format!("\x1b[<0;{x};{y}M\x1b[<0;{x};{y}m"));
    }

    /// The column and row at which words begin, in the first row that has them.
    pub(crate) fn find(&self, words: &str) -> (usize, usize) {
        let contents = self.screen.screen().contents();
        let mut rows = contents.lines().enumerate();
        let found = rows.find_map(|(row, line)| {
            let before = &line[..line.find(words)?];
            Some((before.chars().count(), row))
        });
        found.expect("the words are on screen")
    }

    pub(crate) fn resize(&mut self, rows: u16, cols: u16) {
        self.master
            .resize(size(rows, cols))
            .expect("the terminal can be resized");
        self.screen.screen_mut().set_size(cells(rows), cells(cols));
    }

    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.process_id().expect("the program runs");
        let sent = Command::new("kill")
            .args([&format!("-{name}"), &id.to_string()])
            .status();
        assert!(sent.expect("there is a kill command").success());
    }

    /// Waits for the program to end, which must not take for ever either.
    pub(crate) fn wait(&mut self) -> u32 {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self
                .child
                .try_wait()
                .expect("the program can be waited for")
            {
                return status.exit_code();
            }
            while let Ok(bytes) = self.output.try_recv() {
                self.screen.process(&bytes);
                self.written.extend(bytes);
            }
            assert!(
                Instant::now() < deadline,
                "the program does not end; the screen shows\n{}",
                self.screen.screen().contents()
            );
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for the end, takes in all that was written, and checks that the terminal is as it was.
    pub(crate) fn end(self) -> (u32, String) {
        let (code, contents, _) = self.end_and_written();
        (code, contents)
    }

    /// The same, with everything that was written.
    pub(crate) fn end_and_written(mut self) -> (u32, String, String) {
        let code = self.wait();
        let (before, modes) = (self.modes.clone(), modes(self.master.as_ref()));
        // The other side has closed, so that reading comes to an end.
        drop(self.keys);
        drop(self.master);
        while let Ok(bytes) = self.output.recv_timeout(PATIENCE) {
            self.screen.process(&bytes);
            self.written.extend(bytes);
        }
        let screen = self.screen.screen();
        assert!(!screen.alternate_screen(), "the alternate screen is left");
        assert!(!screen.hide_cursor(), "the cursor is shown again");
        assert_eq!(
            screen.mouse_protocol_mode(),
            vt100::MouseProtocolMode::None,
            "the mouse is let go"
        );
        assert_eq!(modes, before, "the modes are what they were");
        let written = String::from_utf8_lossy(&self.written).into_owned();
        (code, screen.contents(), written)
    }
}

/// The modes of the terminal: whether lines are edited and echoed, and all else.
fn modes(master: &(dyn MasterPty + Send)) -> String {
    let termios = master.get_termios().expect("the terminal has modes");
    format!("{termios:?}")
}

/// Looks again and again until there is an answer.
pub(crate) fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "{what} did not come");
        thread::sleep(Duration::from_millis(5));
    }
}

pub(crate) const RUN: [&str; 5] = ["run", "nim-2x4", "--seed", "1", "--generations"];

pub(crate) fn open_run(saves: &Path) -> Terminal {
    let words: Vec<&str> = RUN.into_iter().chain(["100000000"]).collect();
    let mut terminal = Terminal::open(saves, &words, &[]);
    terminal.expect("RUNNING");
    terminal
}

/// Checks that the run resumes where it stopped.
/// The generation with which the saved run goes on.
pub(crate) fn saved_generation(saves: &Path) -> u64 {
    let (words, ..) = run(saves, &["inspect", "nim-2x4-1"]);
    words
        .split_once("generation ")
        .and_then(|(_, rest)| rest.split_once(' '))
        .and_then(|(number, _)| number.parse().ok())
        .expect("the run tells where it stands")
}

pub(crate) fn check_resumes(saves: &Path) {
    let next = (saved_generation(saves) + 3).to_string();
    let (rows, said, code) = run(saves, &["resume", "nim-2x4-1", "--generations", &next]);
    assert_eq!((rows.lines().count(), code), (3, 0), "{said}");
}

#[test]
fn a_preset_is_chosen_watched_paused_steered_played_and_left() {
    let folder = folder();
    let mut terminal = Terminal::open(folder.path(), &[], &[]);
    terminal.expect("Start here");
    terminal.press("/2x4-value\r");
    // Once there is a game to be seen there is a champion to be played.
    terminal.expect("auto");
    terminal.press(" ");
    terminal.expect("PAUSED");
    terminal.press("5");
    terminal.expect("Why change this?");
    // An Esc and a key that come at once are a key with Alt, so that what an Esc does is waited
    // for.
    terminal.press("\x1b");
    terminal.expect("Objective");
    terminal.press("4");
    terminal.expect("Your turn");
    // The champion's own first move may have left no match in the first heap.
    terminal.press("C");
    terminal.expect("you move first");
    terminal.press("t1:1\r");
    terminal.expect("you   1:1");
    terminal.press("\x1b");
    terminal.expect("Objective");
    terminal.press("?");
    terminal.expect("pause or resume evolution");
    terminal.press("?");
    terminal.press("q");
    terminal.expect("Stop this run?");
    terminal.press("s");
    let (code, words) = terminal.end();
    assert_eq!(code, 0);
    assert!(
        words.contains("resume"),
        "the summary says how to go on: {words}"
    );
}

#[test]
fn games_of_a_file_are_opened_on_screen_and_analyzed() {
    let folder = folder();
    let path = folder.path().join("club.txt");
    // From two equal heaps, the second player has to keep them equal.
    let game = "[First \"Ann\"]\n[Second \"Bob\"]\n1. 1:1 2:2 2. 1:1 2:1\n";
    fs::write(&path, game).expect("the folder is writable");
    let path = path.display().to_string();
    let words = ["games", &path, "--game=nim", "--dashboard"];
    let mut terminal = Terminal::open(folder.path(), &words, &[]);
    terminal.expect("opened 1 game from");
    terminal.expect("judge: the oracle");
    terminal.expect("loss per move: ");
    terminal.press("q");
    let (code, words) = terminal.end();
    assert_eq!(code, 0, "{words}");
}

#[test]
fn a_long_generation_shows_its_games_and_the_time() {
    let folder = folder();
    let words = ["run", "thien-6ply", "--no-save", "--set=simulations=200"];
    let mut terminal = Terminal::open(folder.path(), &words, &[]);
    terminal.until("games are counted and the clock runs", |terminal| {
        let screen = terminal.screen.screen().contents();
        let header = screen.lines().next().unwrap_or_default();
        let has_games = header.contains("/75 games") && !header.contains(" 0/75 games");
        has_games && !header.contains("00:00")
    });
    terminal.press("q");
    terminal.expect("Stop this run?");
    terminal.press("d");
    let (code, words) = terminal.end();
    assert_eq!(code, 0, "{words}");
}

#[test]
fn what_learns_before_the_first_generation_is_watched_and_goes_on_after_a_stop() {
    let folder = folder();
    let words = ["run", "dots-record-5x5", "--seed", "1"];
    let mut terminal = Terminal::open(folder.path(), &words, &[]);
    for words in ["learning, ", "vs. level-1", "learner"] {
        terminal.expect(words);
    }
    for (screen, words) in [("2", "Waiting"), ("3", "Waiting"), ("1", "Objective")] {
        terminal.press(screen);
        terminal.expect(words);
    }
    terminal.press("q");
    terminal.expect("Stop this run?");
    terminal.press("s");
    assert_eq!(terminal.end().0, 0);
    let run = folder.path().join("dots-record-5x5-1");
    let saved = fs::read_to_string(run.join("checkpoint.ron")).expect("it was saved");
    assert!(saved.contains("learner:"));
    let words = ["resume", "dots-record-5x5-1"];
    let mut terminal = Terminal::open(folder.path(), &words, &[]);
    terminal.expect("vs. level-1");
    terminal.press("q");
    terminal.expect("Stop this run?");
    terminal.press("s");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn a_run_that_takes_much_is_started_only_after_a_question() {
    let folder = folder();
    let words = [
        "reversi-vanilla",
        "--seed=1",
        "--generations=1000000",
        "--set=keep_every=1",
    ];
    let mut terminal = Terminal::open(folder.path(), &words, &[]);
    terminal.expect("Start this run?");
    terminal.expect("GB of disk");
    terminal.resize(14, 50);
    terminal.expect("start it all the same");
    terminal.resize(40, 120);
    terminal.press("n");
    terminal.expect("Start here");
    assert_eq!(fs::read_dir(folder.path()).map_or(0, Iterator::count), 0);
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
    let mut terminal = Terminal::open(folder.path(), &words, &[]);
    terminal.expect("Start this run?");
    terminal.press("y");
    terminal.expect("RUNNING");
    terminal.press("\u{3}");
    assert_eq!(terminal.end().0, 130);
}

#[test]
fn a_click_on_a_square_makes_the_move() {
    let folder = folder();
    let words = ["run", "reversi-vanilla", "--no-save", "--generations=2"];
    let mut terminal = Terminal::open(folder.path(), &words, &[]);
    terminal.expect("DONE");
    let tab = terminal.find("4 Play");
    terminal.click(tab);
    terminal.expect("Your turn");
    terminal.expect("choose a move");
    let ((column, _), (_, row)) = (terminal.find("d      e"), terminal.find(" 3  "));
    terminal.click((column, row));
    terminal.expect("you   d3");
    terminal.expect(" 2 champ ");
    terminal.press("q");
    terminal.expect("Give up this game and quit?");
    terminal.press("q");
    let (code, _, written) = terminal.end_and_written();
    assert_eq!(code, 0);
    assert!(written.contains("\x1b[?1000h"), "clicks are asked for");
    let let_go = written.rfind("\x1b[?1000l").expect("the mouse is let go");
    let left = written.rfind("\x1b[?1049l").expect("the screen is left");
    assert!(let_go < left);
}

#[test]
fn without_the_mouse_the_terminal_keeps_it() {
    let folder = folder();
    let words = [
        "run",
        "nim-2x4",
        "--no-save",
        "--generations=2",
        "--no-mouse",
    ];
    let mut terminal = Terminal::open(folder.path(), &words, &[]);
    terminal.expect("DONE");
    terminal.press("q");
    let (code, _, written) = terminal.end_and_written();
    assert_eq!(code, 0);
    for mode in ["\x1b[?1000h", "\x1b[?1002h", "\x1b[?1003h"] {
        assert!(!written.contains(mode), "the mouse was taken");
    }
}

#[test]
fn signals_save_the_run_and_leave_the_terminal_as_it_was() {
    for (name, code) in [("TERM", 143), ("INT", 130), ("HUP", 129)] {
        let folder = folder();
        let terminal = open_run(folder.path());
        terminal.signal(name);
        assert_eq!(terminal.end().0, code, "{name}");
        check_resumes(folder.path());
    }
}

#[test]
fn ctrl_c_saves_and_leaves() {
    let folder = folder();
    let mut terminal = open_run(folder.path());
    terminal.press("\x03");
    assert_eq!(terminal.end().0, 130);
    check_resumes(folder.path());
}

#[test]
fn a_panic_in_a_game_leaves_the_screen_alive() {
    let folder = folder();
    let words: Vec<&str> = RUN
        .into_iter()
        .chain(["1000", "--panic-at", "20", "--checkpoint-every", "0.001"])
        .collect();
    let mut terminal = Terminal::open(folder.path(), &words, &[]);
    terminal.expect("ERROR");
    terminal.expect("injected panic in a game");
    terminal.press("?");
    terminal.expect("Keys: Run");
    terminal.press("?q");
    assert_eq!(terminal.end().0, 1);
    check_resumes(folder.path());
}

#[test]
fn any_size_is_survived() {
    let folder = folder();
    let mut terminal = open_run(folder.path());
    for (rows, cols) in [(1, 1), (24, 80), (12, 44), (60, 200), (2, 300), (40, 120)] {
        terminal.resize(rows, cols);
    }
    terminal.expect("Objective");
    terminal.resize(12, 44);
    terminal.expect("needs 60x18");
    terminal.press("q");
    terminal.resize(40, 120);
    terminal.expect("quit");
    terminal.press("d");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn no_color_means_no_color() {
    let folder = folder();
    let words: Vec<&str> = RUN.into_iter().chain(["100000000"]).collect();
    let mut terminal = Terminal::open(folder.path(), &words, &[("NO_COLOR", "1")]);
    terminal.expect("Objective");
    let colored = [
        "\x1b[38;5;",
        "\x1b[38;2;",
        "\x1b[48;5;",
        "\x1b[48;2;",
        "\x1b[31m",
    ];
    let text = String::from_utf8_lossy(&terminal.written).into_owned();
    assert!(
        !colored.iter().any(|code| text.contains(code)),
        "a color was set"
    );
    terminal.press("qd");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn a_dumb_terminal_gets_rows_instead_of_a_screen() {
    let folder = folder();
    let words: Vec<&str> = RUN.into_iter().chain(["5", "--json"]).collect();
    let terminal = Terminal::open(folder.path(), &words, &[("TERM", "dumb")]);
    let (code, words) = terminal.end();
    assert_eq!(code, 0);
    assert!(words.contains("\"generation\":4"), "{words}");
}

#[test]
fn an_experiment_that_is_watched_leaves_what_it_leaves_unwatched() {
    let folder = folder();
    let (plain, watched) = (folder.path().join("plain"), folder.path().join("watched"));
    let words = |out: &Path| {
        let out = out.to_str().expect("it is text").to_owned();
        let words = WORDS.map(ToOwned::to_owned).into_iter();
        words
            .chain(["--out".to_owned(), out])
            .collect::<Vec<String>>()
    };
    let plainly = words(&plain);
    let plainly: Vec<&str> = plainly.iter().map(String::as_str).collect();
    let (printed, said, code) = run(folder.path(), &plainly);
    assert_eq!(code, 0, "{said}");
    // The second time all runs have been done before.
    for _ in 0..2 {
        let mut words = words(&watched);
        words.push("--dashboard".to_owned());
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut terminal = Terminal::open(folder.path(), &words, &[]);
        terminal.expect(" DONE ");
        terminal.expect("6/6 runs");
        terminal.resize(12, 44);
        terminal.expect("needs 60x18");
        terminal.resize(40, 120);
        terminal.press("t");
        terminal.expect("95% CI");
        terminal.press("\x1bzm?");
        terminal.expect("the keys of this screen");
        terminal.press("qq");
        let (code, left) = terminal.end();
        assert_eq!(code, 0, "{left}");
        let table = printed.lines().filter(|line| line.contains('['));
        for line in table {
            assert!(left.contains(line), "{line} is not in\n{left}");
        }
        assert_eq!(files(&watched), files(&plain));
    }
}

#[test]
fn an_experiment_that_is_watched_can_be_stopped_and_keeps_its_runs() {
    for (way, code) in [("q", 130), ("\x03", 130), ("TERM", 143), ("HUP", 129)] {
        let folder = folder();
        let out = folder.path().join("out");
        let words = [
            "experiment",
            "nim-2x2",
            "--runs=10000",
            "--generations=60",
            "--until=mean_turns<=-1",
            "--set=population=40",
            "--set=opponents=20",
            "--threads=1",
            "--dashboard",
            "--out",
            out.to_str().expect("it is text"),
        ];
        let mut terminal = Terminal::open(folder.path(), &words, &[("NO_COLOR", "1")]);
        terminal.expect("RUNNING");
        terminal.expect("/10,000 runs");
        terminal.until("a finished run", |_| !finished(&out).is_empty());
        if way.len() == 1 {
            terminal.press(way);
        } else {
            terminal.signal(way);
        }
        let written = String::from_utf8_lossy(&terminal.written).into_owned();
        let colored = ["\x1b[38;2;", "\x1b[48;2;"];
        assert!(!colored.iter().any(|code| written.contains(code)));
        let (ended, left) = terminal.end();
        assert_eq!(ended, code, "{way}: {left}");
        assert!(left.contains("the same command continues"), "{left}");
        assert!(!finished(&out).is_empty(), "{way}");
    }
}

#[test]
fn without_a_terminal_an_experiment_tells_of_its_runs_in_lines() {
    let folder = folder();
    let out = folder.path().join("out");
    let out = ["--dashboard", "--out", out.to_str().expect("it is text")];
    let (printed, said, code) = run(folder.path(), &[&WORDS[..], &out].concat());
    assert_eq!(code, 0, "{said}");
    assert!(printed.contains("95% CI of mean"), "{printed}");
    assert_eq!(said.matches(" seed ").count(), 6, "{said}");
}
