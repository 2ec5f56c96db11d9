//! How recorded games look, are stepped through, judged, written and read again, whatever the game.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use finches_dashboard::app::{AppModel, view};
use finches_dashboard::jobs::WantedAnswers;
use finches_dashboard::keymap::Action;
use finches_dashboard::model::run::RunModel;
use finches_dashboard::mouse::{MouseInput, Wheel};
use finches_dashboard::screen::{Request, ScreenEvent};
use finches_dashboard::screens::games::GamesScreen;
use finches_dashboard::screens::home::Home;
use finches_dashboard::screens::play::PlayScreen;
use finches_dashboard::theme::Theme;
use finches_engine::agents::AgentConfig;
use finches_engine::games::GameConfig;
use finches_engine::games::transcript::GameFile;
use finches_engine::metrics::lengths::GameLengths;
use finches_engine::play::record::{GameRecord, Verdict};
use finches_engine::play::reference_player::ReferencePlayer;
use finches_engine::play::{self, Arena, PlayerRef};
use finches_engine::session::Session;
use finches_runs::run::RunInfo;
use finches_runs::run::message::{Phase, RunEvent, Snapshot};
use finches_runs::storage::practice::{PracticeFile, today};
use finches_runs::storage::saves::Saves;
use finches_runs::storage::{exported_files, games};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::support::{advance, check, check_sizes, preset, preset_with, session, text};

/// Every game with an agent that can play it.
fn arenas() -> Vec<(String, Arc<dyn Arena>)> {
    let games = GameConfig::all().into_iter();
    let opened = games.map(|game| {
        let mut agents = AgentConfig::all().into_iter();
        let arena = agents.find_map(|agent| play::build(&game, &agent).ok());
        (
            game.name().to_owned(),
            arena.expect("some agent can play it"),
        )
    });
    opened.collect()
}

/// Games of the random player against itself.
fn random_games(arena: &dyn Arena, count: u64) -> Vec<GameRecord> {
    let guests = || [PlayerRef::Reference(ReferencePlayer::Random); 2];
    let names = || ["g7".to_owned(), "random".to_owned()];
    (0..count)
        .map(|index| arena.play_record(guests(), names(), 3, 0, index))
        .collect()
}

#[test]
fn every_game_is_read_back_as_it_was_kept() {
    for (name, arena) in arenas() {
        let games = random_games(arena.as_ref(), 6);
        let texts: Vec<String> = games.iter().map(ToString::to_string).collect();
        let read = arena.read_records(&texts.join("\n"));
        assert_eq!(read.as_ref(), Ok(&games), "{name}");
        let cut = &texts[0][..texts[0].trim_end().rfind('\n').expect("it has lines")];
        let fault = arena.read_records(cut).expect_err("its result is missing");
        assert!(
            fault.message.contains("ends without a result"),
            "{name}: {fault}"
        );
        assert_eq!(fault.line, games[0].plies.len() + 1, "{name}");
        let doubled = texts[0].replacen("   2. ", "   3. ", 1);
        let fault = arena.read_records(&doubled).expect_err("a move is missing");
        assert_eq!(fault.line, 3, "{name}: {fault}");
    }
}

#[test]
fn every_game_is_exported_as_a_transcript_and_opened_again() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, arena) in arenas() {
        for game in random_games(arena.as_ref(), 6) {
            let text = arena.transcript(&game, &[]);
            let text = text.unwrap_or_else(|fault| panic!("{name}: {fault}"));
            let ending = format!(".{}", arena.info().transcript_extension);
            let paths = exported_files::export(folder.path(), &name, &[(ending.as_str(), text)]);
            let paths = paths.expect("the folder is writable");
            let file = games::open(&paths[0]).expect("it was written");
            assert_eq!(
                read_all(arena.as_ref(), &file),
                [game],
                "{}",
                paths[0].display()
            );
        }
    }
}

/// All games of a file, which can be read.
fn read_all(arena: &dyn Arena, file: &GameFile) -> Vec<GameRecord> {
    let listed = arena.list_games(file);
    let read = listed.iter().map(|game| arena.read_game(file, game));
    read.map(|game| game.unwrap_or_else(|fault| panic!("{fault}")))
        .collect()
}

fn facts(session: &Session, saved_as: Option<String>) -> RunInfo {
    RunInfo {
        threads: 2,
        generation: 0,
        ..RunInfo::of(session, saved_as)
    }
}

/// The games screen of a run after `generations` generations.
fn running(session: &mut Session, generations: usize) -> AppModel {
    let mut model = AppModel::new(Theme::dark(), Home::new(Vec::new(), String::new()));
    model.show_run(RunModel::new(facts(session, None), 0.0));
    model.apply(RunEvent::Phase(Phase::Running));
    advance(session, generations);
    tell(&mut model, session);
    press(&mut model, "7");
    model
}

fn tell(model: &mut AppModel, session: &Session) {
    let champion = session
        .state()
        .champion
        .clone()
        .expect("a generation is done");
    let topology = champion.genome.topology();
    model.apply(RunEvent::Snapshot(Box::new(Snapshot {
        champion,
        layers: topology.layers,
        edges: topology.edges,
        fitness: Vec::new(),
        lengths: GameLengths::default(),
        games: session.sample_games(0),
    })));
    settle(model);
}

fn settle(model: &mut AppModel) {
    if let Some(games) = model.screen_mut::<GamesScreen>() {
        games.take_answers(WantedAnswers::All);
    }
}

/// Presses keys, a letter each; `<>^_` are arrows, `{}` home and end, `!` enter and `~` esc.
fn press(model: &mut AppModel, keys: &str) -> Vec<Request> {
    let mut effects = Vec::new();
    for key in keys.chars() {
        let code = match key {
            '<' => KeyCode::Left,
            '>' => KeyCode::Right,
            '^' => KeyCode::Up,
            '_' => KeyCode::Down,
            '{' => KeyCode::Home,
            '}' => KeyCode::End,
            '!' => KeyCode::Enter,
            '~' => KeyCode::Esc,
            letter => KeyCode::Char(letter),
        };
        effects.extend(model.press(KeyEvent::new(code, KeyModifiers::NONE)));
        settle(model);
    }
    effects
}

#[test]
fn a_game_is_shown_with_the_oracles_judgment_of_each_move() {
    let mut model = running(&mut session(&preset("nim-2x4"), 1, 2), 2);
    press(&mut model, ">>");
    check!("games_oracle", &mut model);
    model.apply(RunEvent::Phase(Phase::Paused));
    press(&mut model, "v");
    check!("games_champion_of_nim", &mut model);
}

#[test]
fn without_an_oracle_the_champion_judges() {
    let small = ["population=16", "width=4"];
    let mut model = running(
        &mut session(&preset_with("reversi-vanilla", &small), 1, 2),
        1,
    );
    press(&mut model, ">>>>");
    check!("games_champion", &mut model);
    let drawn = text(&model, (200, 60));
    assert!(drawn.contains("judge: champion g0"), "{drawn}");
    assert!(drawn.contains("Value of each move"), "{drawn}");
    assert!(
        drawn.contains("accuracy: random "),
        "the judge has none: {drawn}"
    );
    let value = |row: &str| row.split("e3 ").nth(1).map(|rest| rest.contains("64%"));
    let both = drawn.lines().filter(|row| value(row) == Some(true)).count();
    assert_eq!(both, 2, "a move has one value: {drawn}");
    press(&mut model, "v");
    assert!(text(&model, (120, 40)).contains("only champion g0 can judge this game"));
}

#[test]
fn before_the_first_game_the_screen_says_so() {
    let session = session(&preset("nim-2x4"), 1, 1);
    let mut model = AppModel::new(Theme::dark(), Home::new(Vec::new(), String::new()));
    model.show_run(RunModel::new(facts(&session, None), 0.0));
    press(&mut model, "7");
    model.apply(RunEvent::Failed("generation 0: a bug".to_owned()));
    check!("games_failed", &mut model);
    assert_eq!(press(&mut model, "e"), [], "there is nothing to export");
    assert!(text(&model, (80, 24)).contains("there is no game to export"));
}

#[test]
fn a_game_is_stepped_through_and_plays_automatically() {
    let mut model = running(&mut session(&preset("nim-2x4"), 1, 2), 2);
    let count = random_length(&model);
    let at = |model: &AppModel, ply: usize| {
        let drawn = text(model, (120, 40));
        let wanted = match ply {
            0 => format!("start position; {count} moves follow"),
            ply => format!("{ply}/{count} "),
        };
        assert!(drawn.contains(&wanted), "{wanted}\n{drawn}");
    };
    at(&model, 0);
    press(&mut model, ".");
    at(&model, 1);
    press(&mut model, "}");
    at(&model, count);
    press(&mut model, ".");
    at(&model, count);
    press(&mut model, ",<");
    at(&model, count - 2);
    press(&mut model, "{");
    at(&model, 0);
    assert_eq!(
        model.time_to_change(),
        None,
        "it is stepped through by hand"
    );
    press(&mut model, "a");
    for ply in 1..=count {
        while !text(&model, (120, 40)).contains(&format!("{ply}/{count} ")) {
            let due = model.time_to_change().expect("it plays automatically");
            model.tick(due);
        }
    }
    let due = model
        .time_to_change()
        .expect("the end is shown for a while");
    model.tick(due);
    assert_eq!(model.time_to_change(), None, "and then it stays");
}

/// The length of the game that is shown.
fn random_length(model: &AppModel) -> usize {
    let drawn = text(model, (120, 40));
    let (before, _) = drawn
        .split_once(" moves follow")
        .expect("it is at its start");
    let number = before.rsplit(' ').next().expect("there is a number");
    number.parse().expect("it is a number")
}

/// Draws a frame and clicks on the first cell of some text.
fn click(model: &mut AppModel, words: &str) {
    let (width, height) = model.context.size;
    let drawn = text(model, (width, height));
    let found = drawn.lines().enumerate().find_map(|(row, line)| {
        let before = &line[..line.find(words)?];
        Some(Position::new(before.chars().count() as u16, row as u16))
    });
    let area = Rect::new(0, 0, width, height);
    model.regions = view(model, area, &mut Buffer::empty(area));
    model.point(MouseInput::Click(found.expect("the words are on screen")));
    settle(model);
}

#[test]
fn the_mouse_chooses_games_and_moves() {
    let mut model = running(&mut session(&preset("nim-2x4"), 1, 2), 2);
    model.resize(120, 40);
    click(&mut model, "  2 g");
    assert!(text(&model, (120, 40)).contains(" 2/"), "the second move");
    model.point(MouseInput::Wheel(Wheel::Down));
    settle(&mut model);
    let second = text(&model, (120, 40));
    assert!(
        second.contains("start position; "),
        "another game: {second}"
    );
    press(&mut model, "/nothing!");
    assert!(text(&model, (120, 40)).contains("No matches"));
    press(&mut model, "~");
    assert_eq!(text(&model, (120, 40)), second);
}

/// A run saved after each of some generations, and its games screen.
fn saved(folder: &tempfile::TempDir) -> (AppModel, String) {
    let saves = Saves::at(folder.path().to_owned());
    let mut session = session(&preset("nim-2x4"), 1, 2);
    let mut keeper = saves.create(&session).expect("it can be written");
    for _ in 0..3 {
        advance(&mut session, 1);
        let games = session.sample_games(0);
        keeper.add_games(session.generation() - 1, &games);
        keeper
            .checkpoint(&session, 0.0, &games)
            .expect("it can be written");
    }
    let name = keeper.name();
    let mut model = AppModel::new(Theme::dark(), Home::new(Vec::new(), String::new()));
    model.context.saves = Some(saves);
    model.show_run(RunModel::new(facts(&session, Some(name.clone())), 0.0));
    (model, name)
}

#[test]
fn a_damaged_file_of_games_is_refused_by_name_and_the_others_are_listed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut model, name) = saved(&folder);
    let path = folder.path().join(&name).join("games").join("1.txt");
    let whole = fs::read_to_string(&path).expect("it was written");
    fs::write(&path, whole.replacen("   1. ", "   1. x", 1)).expect("it can be written");
    press(&mut model, "7");
    let drawn = text(&model, (200, 60));
    assert!(
        drawn.contains(" g2 vs. ") && drawn.contains("g0 vs. "),
        "{drawn}"
    );
    while !text(&model, (200, 60)).contains("1.txt: line 2: ") {
        let before = text(&model, (200, 60));
        press(&mut model, "_");
        assert_ne!(text(&model, (200, 60)), before, "the end of the list");
    }
    let drawn = text(&model, (200, 60)).replace(&*folder.path().to_string_lossy(), "saves");
    assert!(drawn.contains("is not a position"), "{drawn}");
    let games = fs::read_to_string(&path).expect("it is there");
    assert!(games.contains("   1. x"), "the file is unchanged");
}

#[test]
fn a_run_opened_only_for_playing_shows_its_games_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let (model, name) = saved(&folder);
    let watch = model.context.run.expect("it is watched");
    let mut model = AppModel::new(Theme::dark(), Home::new(Vec::new(), String::new()));
    let saves = Saves::at(folder.path().to_owned());
    model.show_champions(&watch.facts, Some(&(saves, name)));
    model.act(Action::GoGames);
    settle(&mut model);
    assert_eq!(model.tab().action, Action::GoGames);
    let drawn = text(&model, (120, 40));
    assert!(drawn.contains(" g2 vs. "), "{drawn}");
}

#[test]
fn a_game_that_has_begun_goes_on_when_its_champion_is_opened_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let (model, name) = saved(&folder);
    let watch = model.context.run.expect("it is watched");
    let mut model = AppModel::new(Theme::dark(), Home::new(Vec::new(), String::new()));
    let saves = Some((Saves::at(folder.path().to_owned()), name));
    model.show_champions(&watch.facts, saves.as_ref());
    press(&mut model, "Ct1:1!");
    settle(&mut model);
    let begun = text(&model, (120, 40));
    assert!(begun.contains(" you   1:1"), "{begun}");
    model.act(Action::GoHome);
    model.show_champions(&watch.facts, saves.as_ref());
    let again = text(&model, (120, 40));
    assert!(again.contains(" you   1:1"), "{again}");
}

#[test]
fn games_are_exported_and_opened_from_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut session = session(&preset("nim-2x4"), 1, 2);
    let mut model = running(&mut session, 2);
    let effects = press(&mut model, "e");
    let [Request::Export(export)] = &effects[..] else {
        panic!("{effects:?}");
    };
    assert!(export.text.contains("[Start \""), "{}", export.text);
    let parts = [(".txt", &export.text)];
    let paths = exported_files::export(folder.path(), &export.stem, &parts);
    let path = paths.expect("it can be written")[0].display().to_string();
    press(&mut model, &format!("O{path}!"));
    let drawn = text(&model, (120, 40));
    assert!(drawn.contains("opened 1 game from"), "{drawn}");
    press(&mut model, "Onowhere!");
    assert!(
        text(&model, (120, 40)).contains("nowhere: "),
        "it is refused by name"
    );
}

/// A dashboard on some saves with the champion of a short run.
fn with_champion(saves: &Saves) -> AppModel {
    let session = &mut session(&preset_with("nim-2x4", &["agent=one_ply"]), 1, 2);
    advance(session, 1);
    let mut model = AppModel::new(Theme::dark(), Home::new(Vec::new(), String::new()));
    model.context.saves = Some(saves.clone());
    model.show_run(RunModel::new(facts(session, None), 0.0));
    tell(&mut model, session);
    model.resize(120, 40);
    model
}

#[test]
fn games_of_play_are_kept_and_listed_from_the_next_start_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let saves = Saves::at(folder.path().to_owned());
    let mut model = with_champion(&saves);
    press(&mut model, "4");
    let settle_play = |model: &mut AppModel| {
        let play = model.screen_mut::<PlayScreen>().expect("there is a board");
        play.take_answers(WantedAnswers::All);
        play.advance_animation(Duration::from_secs(9));
        play.tick();
        play.take_answers(WantedAnswers::All);
    };
    // Moves until a game has ended, or this one has four moves.
    let play = |model: &mut AppModel, is_whole: bool| {
        for _ in 0..200 {
            settle_play(model);
            let screen = model.screen::<PlayScreen>().expect("there is a board");
            let (position, made) = (screen.game().position(), screen.game().history().len());
            match position.result {
                Some(_) if is_whole => return,
                Some(_) => drop(press(model, "R")),
                None if !is_whole && made >= 4 => return,
                None => {
                    let keys = format!("t{}!", position.legal_moves[0]);
                    press(model, &keys);
                }
            }
        }
    };
    play(&mut model, true);
    assert!(text_of(&model).contains("Kept in "), "{}", text_of(&model));
    press(&mut model, "7");
    assert!(text_of(&model).contains("vs. you") || text_of(&model).contains("you vs."));
    let exported = press(&mut model, "e");
    assert!(matches!(&exported[..], [Request::Export(it)] if it.stem.contains("you")));
    press(&mut model, "4R");
    play(&mut model, false);
    drop(model);
    let path = games::own_games(&saves, "nim");
    assert_eq!(path, folder.path().join("games").join("nim.txt"));
    let file = games::open(&path).expect("it can be read");
    let (_, arena) = arenas().swap_remove(0);
    let listed = arena.list_games(&file);
    assert!(
        listed.iter().all(|game| game.problem.is_none()),
        "{listed:?}"
    );
    let (last, others) = listed.split_last().expect("games are kept");
    assert_eq!((last.result, others[0].result.is_some()), (None, true));
    let mut model = with_champion(&saves);
    press(&mut model, "7");
    let drawn = text_of(&model);
    assert_eq!(drawn.matches("┃ you ").count(), listed.len(), "{drawn}");
    assert!(drawn.contains("unfinished"), "the latest is shown: {drawn}");
}

#[test]
fn mistakes_in_a_game_are_practiced_until_nothing_is_due() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut model = with_file(&folder);
    press(&mut model, "W");
    check_sizes!("practice_asked", &mut model);
    assert!(text_of(&model).contains("Practice: position 1 of 2"));
    // A move that is none, then the same mistake again.
    press(&mut model, "t2:9!");
    assert!(
        text_of(&model).contains("2:9 is not"),
        "{}",
        text_of(&model)
    );
    press(&mut model, "~t1:1!");
    check_sizes!("practice_wrong", &mut model);
    let drawn = text_of(&model);
    assert!(
        drawn.contains("No: 1:1 (0% for you). The reply 2:2 shows why."),
        "{drawn}"
    );
    assert!(!drawn.contains("Best is"), "one may try again: {drawn}");
    press(&mut model, "H");
    let drawn = text_of(&model);
    assert!(
        drawn.contains("Best is 2:1 (100% for you). In Ann vs. Bob,"),
        "{drawn}"
    );
    press(&mut model, "!t1:1!");
    assert!(
        text_of(&model).contains("Right: 1:1 (100% for you)."),
        "{}",
        text_of(&model)
    );
    check!("practice_right", &mut model);
    press(&mut model, "!");
    assert!(text_of(&model).contains("the next position comes in 1 day"));
    press(&mut model, "W");
    assert!(
        text_of(&model).contains("the next position comes in 1 day"),
        "it is known"
    );
    assert!(!text_of(&model).contains("Practice: "));
}

#[test]
fn a_position_can_be_tried_again_and_only_the_first_answer_counts() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut model = with_file(&folder);
    press(&mut model, "Wt1:1!!");
    let drawn = text_of(&model);
    assert!(drawn.contains("position 1 of 2"), "{drawn}");
    assert!(drawn.contains("Find a better move."), "{drawn}");
    press(&mut model, "t2:1!");
    let drawn = text_of(&model);
    assert!(drawn.contains("Right: 2:1 (100% for you)."), "{drawn}");
    press(&mut model, "!");
    assert!(text_of(&model).contains("position 2 of 2"));
    let file = PracticeFile::open(folder.path().join("practice.json")).expect("it is written");
    let days = |days: u64| file.due(today() + days).len();
    assert_eq!(
        [days(0), days(1), days(2)],
        [1, 2, 2],
        "it was wrong at first"
    );
}

#[test]
fn where_nothing_of_a_game_is_due_the_positions_of_others_are_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let other = "[{\"game\": \"bounded_nim\", \"parameters\": [], \"position\": \"7\", \
        \"played\": \"1\", \"loss\": 1.0, \"source\": \"x\", \"right\": 0, \"due\": 0}]";
    fs::write(folder.path().join("practice.json"), other).expect("the folder is writable");
    let mut model = with_file(&folder);
    press(&mut model, "Wt1:1!H!t1:1!!W");
    let drawn = text_of(&model);
    let expected = "nothing to practice in this game; 1 position of other games to practice";
    assert!(drawn.contains(expected), "{drawn}");
}

#[test]
fn a_position_is_answered_with_the_cursor_and_esc_ends_practice() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut model = with_file(&folder);
    press(&mut model, "W!");
    assert!(
        text_of(&model).contains("Point at a move"),
        "{}",
        text_of(&model)
    );
    press(&mut model, "_!");
    let drawn = text_of(&model);
    assert!(
        drawn.contains("Right: ") || drawn.contains("No: "),
        "{drawn}"
    );
    press(&mut model, "~");
    let drawn = text_of(&model);
    assert!(!drawn.contains("Practice: "), "{drawn}");
    assert!(drawn.contains("more positions are waiting"), "{drawn}");
}

/// A dashboard with a folder of saved runs, and a file with a game of two heaps of four in it, in
/// which Bob errs first.
fn with_file(folder: &tempfile::TempDir) -> AppModel {
    let path = folder.path().join("club.txt");
    let game = "[First \"Ann\"]\n[Second \"Bob\"]\n[Start \"4,4\"]\n1. 1:1 2:2 2. 1:2 2:2\n";
    fs::write(&path, game).expect("the folder is writable");
    let session = session(&preset("nim-2x4"), 1, 2);
    let mut model = AppModel::new(Theme::dark(), Home::new(Vec::new(), String::new()));
    model.context.saves = Some(Saves::at(folder.path().to_owned()));
    model.show_run(RunModel::new(facts(&session, None), 0.0));
    model.resize(120, 40);
    press(&mut model, "7");
    model.tell(&ScreenEvent::GamesToOpen(&[path]));
    settle(&mut model);
    model
}

/// A dashboard without a run, on saves with this game of Nim of the user's.
fn with_own_game(folder: &tempfile::TempDir, text: &str) -> AppModel {
    let saves = Saves::at(folder.path().to_owned());
    games::keep(&saves, "nim", text).expect("the folder is writable");
    let mut model = AppModel::new(Theme::dark(), Home::new(Vec::new(), String::new()));
    model.context.saves = Some(saves);
    model.resize(120, 40);
    model
}

#[test]
fn after_a_restart_the_users_games_are_shown_and_practiced_without_a_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = "[Event \"e\"]\n[First \"you\"]\n[Second \"g9\"]\n\
        [Rules \"heaps=[4, 4]\"]\n[Start \"4,4\"]\n1. 1:1 2:2 2. 1:2 2:2\n";
    let mut model = with_own_game(&folder, game);
    press(&mut model, "7");
    assert_eq!(model.tab().action, Action::GoGames);
    let drawn = text_of(&model);
    assert!(drawn.contains("you vs. g9"), "{drawn}");
    assert!(drawn.contains("loss per move: 2 mistakes"), "{drawn}");
    press(&mut model, "W");
    let drawn = text_of(&model);
    assert!(drawn.contains("Practice: position 1 of 1"), "{drawn}");
}

#[test]
fn a_game_is_judged_by_its_own_rules_whatever_those_of_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = GameConfig::named("nim").expect("it is registered");
    let rules = rules.with_parameters(&[
        ("heaps".to_owned(), "[8, 8]".to_owned()),
        ("last".to_owned(), "wins".to_owned()),
    ]);
    let tags = rules.expect("they are allowed").transcript_tags("e");
    let tags = tags
        .iter()
        .map(|(tag, text)| format!("[{tag} \"{text}\"]\n"));
    let tags = tags.collect::<Vec<_>>().concat();
    let game = "[First \"you\"]\n[Second \"g9\"]\n[Start \"1,2\"]\n1. 2:1 1:1 2. 2:1\n";
    let mut model = with_own_game(&folder, &(tags + game));
    let session = session(&preset("nim-2x4"), 1, 2);
    model.show_run(RunModel::new(facts(&session, None), 0.0));
    press(&mut model, "7");
    // In the game of the run, the first move loses, and so does the player of the last one.
    let drawn = text_of(&model);
    assert!(drawn.contains("you win"), "{drawn}");
    assert!(drawn.contains("good"), "{drawn}");
    assert!(!drawn.contains('\u{2717}'), "no move is a mistake: {drawn}");
    let path = folder.path().join("reversi.txt");
    fs::write(&path, "[Black \"Ann\"]\n1. f5 d6 2. c3\n").expect("it can be written");
    press(&mut model, &format!("O{}!", path.display()));
    let drawn = text_of(&model);
    assert!(drawn.contains("opened 1 game from"), "{drawn}");
    assert!(drawn.contains("judge: champion-reversi"), "{drawn}");
}

#[test]
fn the_analysis_says_what_the_command_line_writes() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut model = with_file(&folder);
    press(&mut model, "..");
    check!("games_of_a_file", &mut model);
    let drawn = text(&model, (120, 40));
    for words in [
        "judge: the oracle",
        "mistake; best 2:1",
        "accuracy: Ann 0%, Bob 50%",
        "loss per move: 2 mistakes",
    ] {
        assert!(drawn.contains(words), "{words}\n{drawn}");
    }
}

#[test]
fn a_game_that_cannot_be_read_is_listed_with_the_reason_beside_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("two games.txt");
    let text = "[First \"Ann\"]\n1. 1:1 2:1\n\n[First \"Bob\"]\n1. 9:9 1:1\n";
    fs::write(&path, text).expect("it can be written");
    let mut model = running(&mut session(&preset("nim-2x4"), 1, 2), 2);
    press(&mut model, &format!("O'{}'!", path.display()));
    let drawn = text_of(&model);
    for words in [
        "opened 1 game from",
        "1 can't be read",
        "Ann vs. second",
        "unfinished",
        "Bob vs. second: ",
    ] {
        assert!(drawn.contains(words), "{words}\n{drawn}");
    }
    press(&mut model, "_");
    assert!(
        text_of(&model).contains("line 5, move 1: 9:9 is not legal"),
        "{}",
        text_of(&model)
    );
    press(&mut model, &format!("O{}!", folder.path().display()));
    assert!(text_of(&model).contains("is a folder; name a file of games in it"));
}

fn text_of(model: &AppModel) -> String {
    text(model, (200, 60))
}

#[test]
fn an_illegal_move_is_kept_and_left_out_of_the_transcript() {
    let (_, arena) = arenas().swap_remove(0);
    let mut game = random_games(arena.as_ref(), 1).swap_remove(0);
    game.plies.truncate(2);
    let last = &mut game.plies[1];
    last.action.clear();
    last.verdict = Verdict::Illegal;
    game.result = Some(if last.side.index() == 0 { -1 } else { 1 });
    assert_eq!(
        arena.read_records(&game.to_string()),
        Ok(vec![game.clone()])
    );
    let text = arena.transcript(&game, &[]).expect("it is sound");
    let read = read_all(arena.as_ref(), &GameFile::new(text.as_bytes()));
    assert_eq!((read[0].plies.len(), read[0].result), (1, game.result));
}
