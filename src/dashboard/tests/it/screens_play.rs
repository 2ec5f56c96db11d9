//! How the play and knobs screens look at the sizes they are made for.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use finches_dashboard::app::AppModel;
use finches_dashboard::jobs::{Waker, WantedAnswers};
use finches_dashboard::keymap::{self, Action};
use finches_dashboard::model::run::{RunModel, RunState};
use finches_dashboard::screens::parameters::{ParameterOwner, ParametersScreen};
use finches_dashboard::screens::play::PlayScreen;
use finches_dashboard::theme::Theme;
use finches_engine::evolution::archive::Champion;
use finches_engine::games::GameConfig;
#[cfg(unix)]
use finches_engine::outside::OutsideSpec;
use finches_engine::play::pool::Pool;
use finches_engine::play::record::GameRecord;
use finches_engine::preset::{Intervention, Preset};
use finches_engine::session::Session;
use finches_runs::run::RunInfo;
use finches_runs::run::message::{Phase, RunEvent};
use finches_runs::storage::saves::Saves;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::screens::{running, text};
use crate::screens_net::{tell_games, watching};
use crate::support::check_frames;

/// The room a screen has below the header and above the keys, for terminals of the three sizes.
const SIZES: [(u16, u16); 3] = [(80, 21), (120, 37), (200, 57)];

fn session() -> Session {
    let settings = [
        ("population", "12"),
        ("opponents", "3"),
        ("agent", "one_ply"),
        ("heaps", "[3, 5, 7]"),
        ("start", "full"),
    ];
    let settings = settings.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let preset = Preset {
        name: "three-heaps".to_owned(),
        ..Preset::default()
    };
    let preset = preset.with(&settings).expect("the preset is sound");
    let pool = Pool::new(1).expect("one thread");
    Session::new(preset, 7, Vec::new(), pool).expect("the preset is sound")
}

fn facts(session: &Session) -> RunInfo {
    RunInfo::of(session, None)
}

fn advance(session: &mut Session, generations: u64) -> Champion {
    for _ in 0..generations {
        session.advance(&AtomicBool::new(false));
    }
    let champion = session.state().champion.clone();
    champion.expect("a generation has been played")
}

fn keys(words: &str) -> impl Iterator<Item = KeyEvent> {
    words.split(' ').map(|word| {
        let code = match word {
            "enter" => KeyCode::Enter,
            "esc" => KeyCode::Esc,
            "down" => KeyCode::Down,
            "right" => KeyCode::Right,
            letter => KeyCode::Char(letter.chars().next().unwrap_or(' ')),
        };
        KeyEvent::new(code, KeyModifiers::NONE)
    })
}

/// The text of what `view` draws.
fn drawn<T>(
    size: (u16, u16),
    theme: &Theme,
    view: impl Fn(Rect, &mut Buffer, &Theme) -> T,
) -> String {
    // As a whole program does; views name the keys of other screens.
    keymap::install(finches_dashboard::screens::keymap);
    let area = Rect::new(0, 0, size.0, size.1);
    let mut buf = Buffer::empty(area);
    view(area, &mut buf, theme);
    theme.paint(area, &mut buf);
    let rows = buf.content.chunks(size.0.into());
    let lines = rows.map(|row| {
        let line: String = row.iter().map(ratatui::buffer::Cell::symbol).collect();
        line.trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn playing() -> PlayScreen {
    let mut session = session();
    let champion = advance(&mut session, 5);
    let mut screen = PlayScreen::new(&facts(&session), None, Waker::default());
    screen.add_champion(&champion);
    for key in keys("down right enter") {
        screen.press(key);
    }
    screen.take_answers(WantedAnswers::All);
    screen.advance_animation(Duration::from_secs(1));
    screen.tick();
    screen.take_answers(WantedAnswers::All);
    for key in keys("H down") {
        screen.press(key);
    }
    screen
}

#[test]
fn a_game_against_the_champion_looks_right_at_every_size() {
    let screen = playing();
    for size in SIZES {
        let text = drawn(size, &Theme::dark(), |area, buf, theme| {
            screen.view(area, buf, theme)
        });
        insta::assert_snapshot!(format!("play_{}x{}", size.0, size.1), text);
    }
}

#[test]
fn a_game_can_be_drawn_with_ascii_alone() {
    let theme = Theme {
        ascii: true,
        ..Theme::dark()
    };
    let screen = playing();
    let text = drawn(SIZES[0], &theme, |area, buf, theme| {
        screen.view(area, buf, theme)
    });
    assert!(text.is_ascii(), "{text}");
}

/// Plays the first legal moves until the game is over.
fn play_out(screen: &mut PlayScreen) {
    while screen.game().position().result.is_none() {
        screen.take_answers(WantedAnswers::All);
        screen.advance_animation(Duration::from_secs(9));
        screen.advance_animation(Duration::from_secs(9));
        if screen.tick() {
            continue;
        }
        let legal = screen.game().position().legal_moves.clone();
        let typed = format!("t{}", legal[0]);
        let typed = typed.chars().map(KeyCode::Char);
        for code in typed.chain([KeyCode::Enter]) {
            screen.press(KeyEvent::new(code, KeyModifiers::NONE));
        }
    }
    screen.take_answers(WantedAnswers::All);
}

#[test]
fn a_finished_game_shows_the_curve_of_both_sides_chances() {
    let mut screen = reversi();
    play_out(&mut screen);
    let text = drawn(SIZES[0], &Theme::dark(), |area, buf, theme| {
        screen.view(area, buf, theme)
    });
    insta::assert_snapshot!("play_finished_80x21", text);
    let theme = Theme {
        ascii: true,
        ..Theme::dark()
    };
    screen.press(KeyEvent::new(KeyCode::Char('Z'), KeyModifiers::NONE));
    let zoomed = drawn(SIZES[0], &theme, |area, buf, theme| {
        screen.view(area, buf, theme)
    });
    assert!(zoomed.is_ascii(), "{zoomed}");
}

#[cfg(unix)]
#[test]
fn an_outside_program_plays_in_place_of_the_champion_until_it_fails() {
    let mut session = session();
    let champion = advance(&mut session, 2);
    let mut screen = PlayScreen::new(&facts(&session), None, Waker::default());
    screen.add_champion(&champion);
    let replies =
        "read -r line; echo '{\"move\": \"3:1\"}'; read -r line; echo '{\"move\": \"9:9\"}'; cat";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program.sh");
    std::fs::write(&path, replies).expect("the folder is writable");
    let name = format!("lines:sh '{}'", path.display());
    let spec = OutsideSpec::parse(&name).expect("it names a protocol");
    screen.set_program(&spec.expect("it is valid"), Duration::from_secs(20));
    let shown = |screen: &PlayScreen| {
        drawn(SIZES[2], &Theme::dark(), |area, buf, theme| {
            screen.view(area, buf, theme)
        })
    };
    let text = shown(&screen);
    assert!(text.contains(&format!("You vs. {name}")), "{text}");
    play_out(&mut screen);
    let text = shown(&screen);
    let reason = "You win: the program failed, it played the illegal move 9:9.";
    assert!(text.contains(reason), "{text}");
    let moves: Vec<&str> = screen
        .game()
        .history()
        .iter()
        .map(|ply| &*ply.action)
        .collect();
    assert_eq!(moves[1], "3:1");
}

#[test]
fn before_the_first_champion_the_screen_says_so() {
    let screen = PlayScreen::new(&facts(&session()), None, Waker::default());
    let text = drawn(SIZES[0], &Theme::dark(), |area, buf, theme| {
        screen.view(area, buf, theme)
    });
    assert!(text.contains("No champion yet"), "{text}");
}

#[test]
fn saved_champions_of_any_generation_can_be_opponents() {
    let folder = tempfile::tempdir().expect("a folder");
    let saves = Saves::at(folder.path().to_owned());
    let mut session = session();
    let mut keeper = saves.create(&session).expect("it can be written");
    advance(&mut session, 4);
    keeper
        .checkpoint(&session, 0.0, &[])
        .expect("it can be written");
    let kept = saves.champions(&keeper.name()).expect("it can be read");
    let mut screen = PlayScreen::new(
        &facts(&session),
        Some((saves, keeper.name())),
        Waker::default(),
    );
    let shown = |screen: &PlayScreen, generation: u64| {
        let text = drawn(SIZES[0], &Theme::dark(), |area, buf, theme| {
            screen.view(area, buf, theme)
        });
        let wanted = format!("You vs. g{generation} of ");
        assert!(text.contains(&wanted), "{text}");
    };
    for &generation in kept.iter().rev() {
        shown(&screen, generation);
        screen.press(KeyEvent::new(KeyCode::Char('['), KeyModifiers::NONE));
    }
    shown(&screen, kept[0]);
}

/// The parameters of a run with two changes in one generation, and the run.
fn changed_parameters() -> (ParametersScreen, RunModel) {
    let mut model = running();
    model.apply(RunEvent::Changed(Intervention {
        generation: 60,
        key: "evolution.replacement.elites".to_owned(),
        from: "0".to_owned(),
        to: "5".to_owned(),
    }));
    let run = model.context.run.expect("it is shown");
    let owner = ParameterOwner::Run;
    let mut screen = ParametersScreen::new(run.initial_preset(), &run.preset, owner);
    for key in keys("right right down") {
        screen.press(key);
    }
    (screen, run)
}

#[test]
fn the_parameters_look_right_at_every_size() {
    let (screen, run) = changed_parameters();
    for size in SIZES {
        let text = drawn(size, &Theme::dark(), |area, buf, theme| {
            screen.view(Some(&run), area, buf, theme)
        });
        check_frames(&text);
        assert!(text.contains("Parameters"), "{text}");
        if size == SIZES[1] {
            insta::assert_snapshot!("parameters_120x37", text);
        }
    }
}

#[test]
fn the_parameters_can_be_drawn_with_ascii_alone() {
    let theme = Theme {
        ascii: true,
        ..Theme::dark()
    };
    let (screen, run) = changed_parameters();
    let text = drawn(SIZES[1], &theme, |area, buf, theme| {
        screen.view(Some(&run), area, buf, theme)
    });
    assert!(text.is_ascii(), "{text}");
}

#[test]
fn a_preset_is_edited_before_it_starts() {
    let session = session();
    let preset = session.preset();
    // The dashboard declares the keys of all screens, one of which is named.
    drop(running());
    let mut screen = ParametersScreen::new(preset.clone(), preset, ParameterOwner::Preset);
    for key in keys("down enter") {
        screen.press(key);
    }
    let text = drawn(SIZES[1], &Theme::dark(), |area, buf, theme| {
        screen.view(None, area, buf, theme)
    });
    insta::assert_snapshot!("parameters_of_a_preset", text);
}

/// A game of Reversi two plies old against a champion of a few generations.
fn reversi() -> PlayScreen {
    let settings = [
        ("population", "12"),
        ("opponents", "3"),
        ("game", "reversi"),
        ("genome", "mlp"),
        ("agent", "one_ply"),
    ];
    let settings = settings.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let preset = Preset {
        name: "board".to_owned(),
        ..Preset::default()
    };
    let preset = preset.with(&settings).expect("the preset is sound");
    let pool = Pool::new(1).expect("one thread");
    let mut session = Session::new(preset, 7, Vec::new(), pool).expect("the preset is sound");
    let champion = advance(&mut session, 3);
    let mut screen = PlayScreen::new(&facts(&session), None, Waker::default());
    screen.add_champion(&champion);
    for key in keys("down enter") {
        screen.press(key);
    }
    screen.take_answers(WantedAnswers::All);
    screen.advance_animation(Duration::from_secs(1));
    screen.tick();
    screen.take_answers(WantedAnswers::All);
    for key in keys("right H V") {
        screen.press(key);
    }
    screen
}

#[test]
fn the_champions_values_stand_on_the_board_where_they_fit() {
    let screen = reversi();
    for size in SIZES {
        let text = drawn(size, &Theme::dark(), |area, buf, theme| {
            screen.view(area, buf, theme)
        });
        check_frames(&text);
        if size != SIZES[2] {
            insta::assert_snapshot!(format!("play_reversi_{}x{}", size.0, size.1), text);
        }
    }
    let theme = Theme {
        ascii: true,
        ..Theme::dark()
    };
    let text = drawn(SIZES[1], &theme, |area, buf, theme| {
        screen.view(area, buf, theme)
    });
    assert!(text.is_ascii(), "{text}");
}

/// A game of draughts against a champion of its first generation, a piece picked.
fn draughts() -> PlayScreen {
    let settings = [
        ("population", "6"),
        ("opponents", "2"),
        ("game", "draughts"),
        ("most_moves", "40"),
        ("genome", "mlp"),
        ("agent", "one_ply"),
    ];
    let settings = settings.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let preset = Preset::default()
        .with(&settings)
        .expect("the preset is sound");
    let pool = Pool::new(1).expect("one thread");
    let mut session = Session::new(preset, 7, Vec::new(), pool).expect("the preset is sound");
    let champion = advance(&mut session, 1);
    let mut screen = PlayScreen::new(&facts(&session), None, Waker::default());
    screen.add_champion(&champion);
    screen.take_answers(WantedAnswers::All);
    for key in keys("right enter") {
        screen.press(key);
    }
    screen
}

#[test]
fn the_squares_of_a_picked_piece_have_signs_at_every_size() {
    let screen = draughts();
    for size in SIZES {
        let text = drawn(size, &Theme::dark(), |area, buf, theme| {
            screen.view(area, buf, theme)
        });
        if size == SIZES[1] {
            insta::assert_snapshot!("play_draughts", text);
        }
    }
    let theme = Theme {
        ascii: true,
        ..Theme::dark()
    };
    let text = drawn(SIZES[1], &theme, |area, buf, theme| {
        screen.view(area, buf, theme)
    });
    assert!(text.is_ascii(), "{text}");
}

/// The Play screen of a running evolution of a game.
fn playing_live(game: &str) -> AppModel {
    let game = match game {
        "draughts" => "draughts(most_moves: 60)",
        other => other,
    };
    let settings = [
        ("game", game),
        ("population", "6"),
        ("opponents", "2"),
        ("genome", "mlp"),
        ("agent", "one_ply"),
    ];
    let settings = settings.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let preset = Preset::default().with(&settings);
    let preset = preset.expect("the preset is sound");
    let pool = Pool::new(1).expect("one thread");
    let session = Session::new(preset, 7, Vec::new(), pool).expect("the preset is sound");
    let champion = Champion {
        generation: 3,
        fitness: 1.0,
        genome: session.state().population.members[0].clone(),
    };
    let mut model = watching(&session, None);
    tell_games(&mut model, champion, Vec::new());
    model.press(KeyEvent::new(KeyCode::Char('4'), KeyModifiers::NONE));
    model
}

/// Types a move and enter. No key does anything else.
fn type_move(model: &mut AppModel, text: &str) {
    for code in format!("t{text}")
        .chars()
        .map(KeyCode::Char)
        .chain([KeyCode::Enter])
    {
        let effects = model.press(KeyEvent::new(code, KeyModifiers::NONE));
        assert_eq!(effects, [], "{text}");
        assert_eq!(model.tab().action, Action::GoPlay, "{text}");
        assert!(model.overlay.is_none(), "{text}");
        assert!(model.context.frozen.is_none(), "{text}");
        let state = model.context.run.as_ref().map(|run| run.state);
        assert_eq!(state, Some(RunState::Running), "{text}");
    }
}

#[test]
fn every_move_of_every_game_can_be_typed_and_does_nothing_else() {
    let games = GameConfig::all();
    for (game, seed) in games.iter().flat_map(|game| [(game, 1), (game, 5)]) {
        let mut model = playing_live(game.name());
        let mut made: Vec<String> = Vec::new();
        for ply in 0.. {
            let play = model.screen_mut::<PlayScreen>().expect("there is a board");
            play.take_answers(WantedAnswers::All);
            play.advance_animation(Duration::from_secs(9));
            play.advance_animation(Duration::from_secs(9));
            if play.tick() {
                continue;
            }
            let legal = play.game().position().legal_moves.clone();
            let Some(text) = legal.get(ply * seed % legal.len().max(1)).cloned() else {
                break;
            };
            type_move(&mut model, &text);
            let play = model.screen_mut::<PlayScreen>().expect("there is a board");
            let history = play.game().history();
            assert_eq!(history.last().map(|last| &last.action), Some(&text));
            assert!(history.len() > made.len(), "the game goes on");
            made = history.iter().map(|ply| ply.action.clone()).collect();
        }
        assert!(!made.is_empty(), "{}", game.name());
        let play = model.screen_mut::<PlayScreen>().expect("there is a board");
        play.take_answers(WantedAnswers::All);
        let text = drawn(SIZES[1], &Theme::dark(), |area, buf, theme| {
            play.view(area, buf, theme)
        });
        let has_curve = text.contains("Your chances ") && text.contains(" judge: ");
        assert!(has_curve, "{}: {text}", game.name());
    }
}

#[test]
fn back_on_run_after_play_the_sample_game_is_that_of_the_newest_champion() {
    let mut session = session();
    let mut model = watching(&session, None);
    let mut champion = advance(&mut session, 1);
    let games = session.sample_games(1);
    champion.generation = 3;
    tell_games(&mut model, champion.clone(), games.clone());
    let shown = |model: &AppModel| {
        let held = model.context.sample.current.as_ref();
        held.map(|held| held.generation)
    };
    assert_eq!(shown(&model), Some(3));
    model.press(KeyEvent::new(KeyCode::Char('4'), KeyModifiers::NONE));
    champion.generation = 8;
    tell_games(&mut model, champion, games);
    assert_eq!(model.tab().action, Action::GoPlay);
    model.switch_to(Action::GoRun);
    assert_eq!(shown(&model), Some(8));
}

#[test]
fn a_run_that_ends_shows_a_game_that_its_champion_wins() {
    let mut session = session();
    let mut model = watching(&session, None);
    let mut champion = advance(&mut session, 1);
    let games = session.sample_games(1);
    tell_games(&mut model, champion.clone(), games.clone());
    champion.generation = 8;
    let game = |winner: &str, result| GameRecord {
        names: [winner.to_owned(), "other".to_owned()],
        result: Some(result),
        ..games[0].clone()
    };
    let games = vec![game("g8", -1), game("g8", 1)];
    tell_games(&mut model, champion, games);
    let shown = |model: &AppModel| {
        let held = model.context.sample.current.as_ref();
        held.and_then(|held| held.record.winner().map(str::to_owned))
    };
    assert_ne!(shown(&model).as_deref(), Some("g8"));
    model.apply(RunEvent::Phase(Phase::Done));
    assert_eq!(shown(&model).as_deref(), Some("g8"));
}

#[test]
fn digits_open_screens_unless_a_move_is_typed() {
    for (keys, opened) in [("7", Action::GoGames), ("t7", Action::GoPlay)] {
        for name in ["reversi", "draughts"] {
            let mut model = playing_live(name);
            for key in keys.chars() {
                model.press(KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE));
            }
            assert_eq!(model.tab().action, opened, "{name}");
        }
    }
}

#[test]
fn while_a_move_is_typed_the_last_row_has_the_keys_that_end_it() {
    let mut model = playing_live("nim");
    let last_row = |model: &AppModel| {
        let drawn = text(model, 80, 24);
        drawn.lines().last().unwrap_or_default().to_owned()
    };
    let key = |code| KeyEvent::new(code, KeyModifiers::NONE);
    assert!(last_row(&model).contains("H hint"));
    model.press(key(KeyCode::Char('t')));
    let row = last_row(&model);
    assert!(row.contains("enter play it"), "{row}");
    assert!(row.contains("esc cancel"), "{row}");
    assert!(row.contains("? help"), "{row}");
    assert!(!row.contains("hint") && !row.contains("quit"), "{row}");
    model.press(key(KeyCode::Esc));
    assert!(last_row(&model).contains("H hint"));
}
