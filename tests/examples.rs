//! The examples, run as their readers run them.

use std::env;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Once;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

#[path = "../examples/connect_four.rs"]
mod connect_four;
#[path = "../examples/custom_game.rs"]
mod custom_game;
#[path = "../examples/custom_parts.rs"]
mod custom_parts;
#[path = "../examples/expression_trees.rs"]
mod expression_trees;
#[path = "it/genomes.rs"]
mod genomes;

use connect_four::{ConnectFour, ConnectFourConfig, Discs};
use custom_game::NoughtsAndCrosses;
use finches::Program;
use finches::games::board::MaxSize;
use finches::games::custom::CustomGameConfig;
use finches::games::rules::count_sequences;
use finches::games::{
    Encoding, GameConfig, GameParams, Heuristics, Notation, Picture, Rules, Side, StartKind,
    after_random_moves, conformance,
};
use finches::params::{Params, notation};
use finches::preset::Preset;
use finches::rng::{Purpose, stream};
use finches::search::solver::SolvedGame;
use finches::session::measures::Measure;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use rand::RngExt;

/// Registers the parts of all examples.
fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let program = custom_parts::program().game::<ConnectFourConfig>();
        let program = program.game::<NoughtsAndCrosses>();
        expression_trees::with_parts(program).register();
    });
}

/// The program of an example, built as its readers build it.
fn program_of(example: &str) -> PathBuf {
    static BUILT: Once = Once::new();
    BUILT.call_once(|| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
        let built = cargo.args(["build", "--quiet", "--offline", "--examples"]);
        assert!(built.status().expect("cargo runs").success());
    });
    let folder = Path::new(env!("CARGO_BIN_EXE_finches")).with_file_name("examples");
    folder
        .join(example)
        .with_extension(env::consts::EXE_EXTENSION)
}

/// Runs an example and returns what it prints.
fn run(example: &str, words: &[&str]) -> String {
    let mut program = Command::new(program_of(example));
    program.current_dir(env!("CARGO_MANIFEST_DIR"));
    let Output {
        status,
        stdout,
        stderr,
    } = program.args(words).output().expect("it runs");
    let said = String::from_utf8_lossy(&stderr);
    assert!(status.success(), "{example} {words:?}: {said}");
    String::from_utf8_lossy(&stdout).into_owned()
}

#[test]
fn a_run_without_a_screen_prints_every_generation() {
    let printed = run("evolve", &[]);
    let last = printed.lines().last().expect("it prints");
    assert!(last.starts_with("generation 19: Some("), "{printed}");
}

#[test]
fn two_champions_play_a_match() {
    let printed = run("match_two", &[]);
    let numbers: Vec<u32> = printed
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|word| word.parse().ok())
        .collect();
    assert_eq!(numbers[2..].iter().sum::<u32>(), 100, "{printed}");
}

#[test]
fn networks_that_grow_in_species_learn_exclusive_or_and_balance_two_poles() {
    let printed = run("neat_tasks", &["3"]);
    let solved = printed.matches(": 3 of 3 seeds solved").count();
    assert_eq!(solved, 2, "{printed}");
}

#[test]
fn a_game_in_one_file_is_correct() {
    let game = NoughtsAndCrosses::default();
    conformance::check(&game);
    let start = game.standard_start();
    let counts = [1, 2, 5].map(|plies| count_sequences(&game, &start, plies));
    assert_eq!(counts, [9, 72, 15_120]);
    let solved = SolvedGame::new(&game).expect("it is small");
    let number = solved.find(&game, &start).expect("it is the start");
    assert_eq!(solved.value_of(number).value, 0, "best play gives a draw");
    let state = game.parse_position("xx-oo---- x").expect("nine squares");
    let number = solved.find(&game, &state).expect("it is reachable");
    let best = solved
        .best_moves(number)
        .map(|square| game.move_text(square));
    assert_eq!(best.collect::<Vec<_>>(), ["c1"]);
}

#[test]
fn a_game_of_another_crate_behaves_alike_without_its_type() {
    let game = NoughtsAndCrosses::default();
    conformance::check(&CustomGameConfig::new(game, |game| game).build());
}

/// Connect Four on a board of this size.
fn connect_four(columns: u16, rows: u16) -> ConnectFourConfig {
    ConnectFourConfig { columns, rows }
}

#[test]
fn connect_four_is_correct_on_boards_of_any_size_with_its_type_and_without() {
    for (columns, rows) in [(7, 6), (4, 4), (8, 7)] {
        let config = connect_four(columns, rows);
        conformance::check(&config.build());
        conformance::check(&CustomGameConfig::new(config, |game| game).build());
    }
    let game = connect_four(7, 6).build();
    let start = game.standard_start();
    // The first that is not a power of 7: a column has six rows.
    let counts = [1, 2, 6, 7].map(|plies| count_sequences(&game, &start, plies));
    assert_eq!(counts, [7, 49, 117_649, 823_536]);
}

/// The result for the player to move, by trying all moves.
fn result_by_search(game: &ConnectFour, state: &Discs) -> i8 {
    let side = game.to_move(state);
    if let Some(outcome) = game.outcome(state) {
        return outcome.result_for(side);
    }
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let results = moves.into_iter().map(|column| {
        let mut after = *state;
        game.play(&mut after, column);
        -result_by_search(game, &after)
    });
    results.max().expect("the game is not over")
}

#[test]
fn the_oracle_of_connect_four_agrees_with_exhaustive_search() {
    let small = connect_four(4, 4).build();
    let oracle = small.oracle().expect("it has one");
    assert!(oracle.is_complete());
    let solved = SolvedGame::new(&small).expect("it is small");
    for (state, index) in solved.graph.states.iter().zip(0..) {
        let expected = Some(solved.value_of(index).value.signum());
        assert_eq!(oracle.best_result(&small, state), expected, "{state:?}");
    }
    let game = connect_four(7, 6).build();
    let oracle = game.oracle().expect("it has one");
    assert_eq!(oracle.best_result(&game, &game.standard_start()), None);
    let (mut known, mut best) = (0, Vec::new());
    for seed in 0..200 {
        let mut rng = stream(seed, Purpose::Sample, 0, 0);
        let mut state = game.standard_start();
        while game.outcome(&state).is_none() && game.moves_left(&state) > Some(8) {
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            let column = moves[rng.random_range(0..moves.len())];
            game.play(&mut state, column);
        }
        let expected = result_by_search(&game, &state);
        let value = oracle.evaluate(&game, &state, &mut best);
        assert_eq!(
            value,
            game.moves_left(&state)
                .filter(|&it| it <= 12)
                .map(|_| expected.into())
        );
        known += u32::from(value.is_some());
        for &column in &best {
            let mut after = state;
            game.play(&mut after, column);
            assert_eq!(-result_by_search(&game, &after), expected, "{state:?}");
        }
    }
    assert!(known > 20, "{known} games get so far");
}

/// What the engine asks for speed or for the screen: a game of another crate is asked too.
#[test]
fn all_that_a_game_of_another_crate_has_is_used() {
    let typed = connect_four(7, 6).build();
    let erased = CustomGameConfig::new(connect_four(7, 6), |game| game).build();
    let start = (typed.standard_start(), erased.standard_start());
    let (mut moves, mut signs) = (Vec::new(), Vec::new());
    let own = typed.successor_signs(&start.0, Side::First, &mut moves, &mut signs);
    let (mut erased_moves, mut erased_signs) = (Vec::new(), Vec::new());
    let found = erased.successor_signs(&start.1, Side::First, &mut erased_moves, &mut erased_signs);
    assert_eq!((found, &erased_signs), (own, &signs));
    assert_eq!(own, Some([0, 0]));
    let keys = |column: usize| {
        let key = typed.successor_key(&start.0, moves[column], Side::First);
        assert_eq!(
            erased.successor_key(&start.1, erased_moves[column], Side::First),
            key
        );
        key
    };
    assert_ne!(keys(2), keys(3));
    let key = typed.encoding_key(&start.0, Side::Second);
    assert_eq!(erased.encoding_key(&start.1, Side::Second), key);
    let mut rng = stream(1, Purpose::HeldOut, 0, 0);
    let opening = erased.start(StartKind::Opening, &mut rng);
    let mut rng = stream(1, Purpose::HeldOut, 0, 0);
    let expected = after_random_moves(&typed, 2, &mut rng);
    assert_eq!(
        erased.position_text(&opening),
        typed.position_text(&expected)
    );
    let room = MaxSize {
        width: 80,
        height: 24,
    };
    let turned = erased.turned().expect("it looks different from behind");
    assert_ne!(
        turned.board(&opening, None, room),
        erased.board(&opening, None, room)
    );
}

#[test]
fn connect_four_evolves_and_plays_with_its_heuristic() {
    register();
    let text = include_str!("../examples/connect_four.ron");
    let preset = Preset::parse(text, "connect_four", "connect_four.ron");
    assert_eq!(
        preset.expect("it is registered").game.name(),
        "connect_four"
    );
    let folder = tempfile::tempdir().expect("there is a folder for the run");
    let saves = folder.path().to_str().expect("its name is text");
    let words = "run examples/connect_four.ron --headless --json --generations 2 \
                 --set evolution.population=8 --set game.columns=4 --set game.rows=4 --saves";
    let words: Vec<&str> = words.split_whitespace().chain([saves]).collect();
    let printed = run("connect_four", &words);
    assert_eq!(printed.lines().count(), 2, "{printed}");
    assert!(printed.contains("accuracy_states"), "{printed}");
    let words = "arena lines-3 random --game connect_four --games 20 --json";
    let printed = run("connect_four", &words.split(' ').collect::<Vec<_>>());
    assert!(printed.contains("lines-3"), "{printed}");
}

#[test]
fn a_registered_game_stands_beside_the_built_in_ones() {
    register();
    assert_eq!(GameConfig::names().last(), Some(&"noughts_and_crosses"));
    let text = include_str!("../examples/noughts_and_crosses.ron");
    let preset = Preset::parse(text, "noughts", "noughts.ron").expect("the game is registered");
    assert_eq!(preset.game.name(), "noughts_and_crosses");
    let saved = notation().to_string(&preset).expect("it can be written");
    let read: Preset = notation().from_str(&saved).expect("it was just written");
    assert_eq!(read, preset);
    assert!(preset.game.clone().set("heaps", "[2]").is_err());
    let unknown = saved.replace("noughts_and_crosses", "noughts");
    let error = notation()
        .from_str::<Preset>(&unknown)
        .expect_err("there is no such game");
    let error = error.to_string();
    assert!(
        error.contains("did you mean `noughts_and_crosses`?"),
        "{error}"
    );
}

#[test]
fn the_command_line_knows_the_game() {
    let printed = run(
        "custom_game",
        &["rules", "noughts-and-crosses", "--perft", "5"],
    );
    assert_eq!(printed.trim(), r#"{"perft":[9,72,504,3024,15120]}"#);
    let words = "arena oracle random --game noughts_and_crosses --games 20 --json";
    let printed = run("custom_game", &words.split(' ').collect::<Vec<_>>());
    assert!(printed.contains(r#""players""#), "{printed}");
    let folder = tempfile::tempdir().expect("there is a folder for the run");
    let saves = folder.path().to_str().expect("its name is text");
    let run_words = "run examples/noughts_and_crosses.ron --headless --json --generations 3";
    let mut words: Vec<&str> = run_words.split(' ').collect();
    words.extend(["--saves", saves]);
    let printed = run("custom_game", &words);
    assert_eq!(printed.lines().count(), 3, "{printed}");
    assert!(printed.contains("accuracy_states"), "{printed}");
    let names = std::fs::read_dir(folder.path()).expect("the run is saved");
    let name = names
        .flatten()
        .next()
        .expect("the run is saved")
        .file_name();
    let name = name.to_str().expect("its name is text");
    let resumed = ["resume", name, "--headless", "--json", "--generations", "5"];
    let printed = run("custom_game", &[&resumed[..], &["--saves", saves]].concat());
    assert_eq!(printed.lines().count(), 2, "{printed}");
}

/// The rows of a run's metrics without the column that depends on the clock.
fn figures(saves: &str, run: &str) -> Vec<String> {
    let path = format!("{saves}/{run}/metrics.csv");
    let text = std::fs::read_to_string(path).expect("the run has metrics");
    let without_seconds = |line: &str| {
        let mut fields: Vec<&str> = line.split(',').collect();
        fields.remove(1);
        fields.join(",")
    };
    text.lines().map(without_seconds).collect()
}

/// Makes four generations of an example's run at once and in two parts on other threads, which give
/// the same rows of metrics.
fn whole_and_resumed(example: &str, settings: &str, [whole, parts]: [&str; 2]) -> Vec<String> {
    let name = format!("{example}-3");
    let words = format!(
        "run examples/{example}.ron --headless --json --seed 3 {settings} --set \
        evolution.population=10 --set held_out_games=2"
    );
    let go = |saves: &str, words: &str| {
        let words = words.split(' ').chain(["--saves", saves]);
        run(example, &words.collect::<Vec<_>>());
    };
    go(whole, &format!("{words} --generations 4 --threads 1"));
    go(parts, &format!("{words} --generations 2 --threads 2"));
    go(
        parts,
        &format!("resume {name} --headless --json --generations 4"),
    );
    let rows = figures(whole, &name);
    assert_eq!(rows.len(), 5, "{rows:?}");
    assert_eq!(figures(parts, &name), rows);
    rows
}

#[test]
fn expression_trees_evolve_with_their_own_operator_and_measure_and_are_drawn_and_exported() {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("there is a folder for the run"));
    let saves = [0, 1].map(|index| folders[index].path().to_str().expect("it is text"));
    let rows = whole_and_resumed("expression_trees", "--set rate=0.5", saves);
    assert!(rows[0].contains(",symbols"), "{rows:?}");
    let model = folders[0].path().join("model.onnx");
    let model_name = model.to_str().expect("its name is text");
    let name = "expression_trees-3";
    let words = [
        "inspect",
        name,
        "--generation",
        "0",
        "--dot",
        "--saves",
        saves[0],
    ];
    let drawn = run("expression_trees", &words);
    assert!(drawn.contains("-> n2"), "{drawn}");
    let words = ["export", name, "--onnx", model_name, "--saves", saves[0]];
    run("expression_trees", &words);
    assert!(model.metadata().expect("it is written").len() > 100);
}

#[test]
fn parts_in_one_file_are_at_home_everywhere() {
    let file = "examples/custom_parts.ron";
    let listed = run("custom_parts", &["presets", file]);
    for parameter in ["genome.step", "agent.epsilon", "selection.temperature"] {
        assert!(listed.contains(parameter), "{listed}");
    }
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("there is a folder for the run"));
    let saves = [0, 1].map(|index| folders[index].path().to_str().expect("it is text"));
    let rows = whole_and_resumed("custom_parts", "--set temperature=3", saves);
    assert!(rows[0].contains(",fitness_deviation,"), "{rows:?}");
    let whole = saves[0];
    let go = |saves: &str, words: &str| {
        let words = words.split(' ').chain(["--saves", saves]);
        run("custom_parts", &words.collect::<Vec<_>>())
    };
    let arena = "arena custom_parts-3 custom_parts-3@alpha-beta-2 --games 2 --json";
    let played = go(whole, arena);
    assert!(played.contains("custom_parts-3@alpha-beta-2"), "{played}");
    let shown = screen(
        "custom_parts",
        &[
            "resume",
            "custom_parts-3",
            "--generations",
            "9",
            "--saves",
            whole,
        ],
        &[("custom_parts", "5")],
        |text| text.contains("temperature"),
    );
    assert!(shown.contains("temperature"), "{shown}");
}

#[test]
#[should_panic(expected = "there are two parts of a kind called `boltzmann`")]
fn a_name_stands_for_one_part() {
    let _ = custom_parts::program().selection::<custom_parts::Boltzmann>();
}

#[test]
#[should_panic(expected = "there are two columns called `best_fitness`")]
fn a_name_stands_for_one_column() {
    let name = "best_fitness";
    let _ = Program::new().measure(Measure {
        name,
        ..custom_parts::FITNESS_DEVIATION
    });
}

/// Runs an example in a terminal, presses each key as soon as the text before it is on the screen,
/// and returns the first screen after that for which `is_done` holds, or the last one after a
/// minute.
fn screen(
    example: &str,
    words: &[&str],
    steps: &[(&str, &str)],
    is_done: impl Fn(&str) -> bool,
) -> String {
    let size = PtySize {
        rows: 40,
        cols: 120,
        ..PtySize::default()
    };
    let pair = native_pty_system()
        .openpty(size)
        .expect("there are terminals");
    let mut command = CommandBuilder::new(program_of(example));
    command.cwd(env!("CARGO_MANIFEST_DIR"));
    command.env("TERM", "xterm-256color");
    command.args(words);
    let mut child = pair.slave.spawn_command(command).expect("cargo runs");
    let mut keys = pair.master.take_writer().expect("it can be written to");
    let mut reader = pair.master.try_clone_reader().expect("it can be read");
    let (sender, output) = channel();
    thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(count @ 1..) = reader.read(&mut buffer) {
            if sender.send(buffer[..count].to_vec()).is_err() {
                break;
            }
        }
    });
    let cells = |count: u16| count.try_into().expect("it is not zero");
    let mut parser = vt100::Parser::new(cells(40), cells(120), 0);
    let mut steps = steps.iter().peekable();
    let end = Instant::now() + Duration::from_secs(60);
    while Instant::now() < end {
        if let Ok(bytes) = output.recv_timeout(Duration::from_millis(100)) {
            parser.process(&bytes);
        }
        let text = parser.screen().contents();
        if let Some((_, key)) = steps.next_if(|(awaited, _)| text.contains(awaited)) {
            keys.write_all(key.as_bytes()).expect("it takes keys");
        } else if steps.peek().is_none() && is_done(&text) {
            break;
        }
    }
    child.kill().expect("it can be ended");
    parser.screen().contents()
}

#[test]
fn the_dashboard_draws_the_game() {
    let folder = tempfile::tempdir().expect("there is a folder for the run");
    let saves = folder.path().to_str().expect("its name is text");
    let words = ["examples/noughts_and_crosses.ron", "--saves", saves];
    let is_board = |text: &str| text.matches('·').count() >= 9 && text.contains("three in a row");
    let text = screen(
        "custom_game",
        &words,
        &[("noughts_and_crosses", "4"), ("Play", "\r")],
        is_board,
    );
    assert!(is_board(&text), "{text}");
}
