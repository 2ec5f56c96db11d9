//! Playing a champion: moves, undo, hints, results.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::current::PlayOutcome;
use super::curve::GameCurve;
use super::latest_move::REPLY_PAUSE;
use super::*;
use crate::jobs::WantedAnswers;
use crate::model::animation::STAGE_TIME;
use crate::model::context::Context;
use crate::mouse::Regions;
use crate::screen::Screen;
use crate::screens::move_marks::verdict_words;
use crate::settings::PlaySetup;
use crate::theme::Theme;
use finches_engine::agents::AgentConfig;
use finches_engine::games::board::MaxSize;
use finches_engine::games::{GameConfig, Side};
use finches_engine::play;
use finches_engine::play::levels;
use finches_engine::play::pool::Pool;
use finches_engine::play::record::Verdict;
use finches_engine::play::score_scale;
use finches_engine::preset::Preset;
use finches_engine::search::{CancelToken, NeverCancel};
use finches_engine::session::Session;
use finches_runs::storage::game_judge::GameJudge;
use finches_runs::storage::{bundled_champions, presets};

/// A run of a few generations and its champion.
fn run(assignments: &[(&str, &str)]) -> (RunInfo, Champion) {
    let mut all = vec![("population", "10"), ("opponents", "2")];
    all.extend(assignments);
    let owned = |&(key, value): &(&str, &str)| (key.to_owned(), value.to_owned());
    let assignments: Vec<(String, String)> = all.iter().map(owned).collect();
    let preset = Preset::default()
        .with(&assignments)
        .expect("the test writes presets");
    let pool = Pool::new(1).expect("one thread");
    let mut session = Session::new(preset, 1, Vec::new(), pool).expect("the preset is sound");
    for _ in 0..3 {
        session.advance(&AtomicBool::new(false));
    }
    let champion = session.state().champion.clone().expect("it has played");
    let facts = RunInfo::of(&session, None);
    (facts, champion)
}

/// A game on heaps of 2 and 4 against a champion whose moves are always legal.
fn screen() -> PlayScreen {
    let (facts, champion) = run(&[("agent", "one_ply"), ("heaps", "[2, 4]"), ("start", "full")]);
    let mut screen = PlayScreen::new(&facts, None, Waker::default());
    screen.add_champion(&champion);
    screen
}

/// Presses keys: words are typed, names in brackets are keys without a letter.
fn press(screen: &mut PlayScreen, keys: &str) -> Option<Action> {
    let mut passed = None;
    for key in keys.split(' ') {
        let codes: Vec<KeyCode> = match key {
            "[enter]" => vec![KeyCode::Enter],
            "[esc]" => vec![KeyCode::Esc],
            "[up]" => vec![KeyCode::Up],
            "[down]" => vec![KeyCode::Down],
            "[left]" => vec![KeyCode::Left],
            "[right]" => vec![KeyCode::Right],
            word => word.chars().map(KeyCode::Char).collect(),
        };
        for code in codes {
            passed = screen.press(KeyEvent::new(code, KeyModifiers::NONE));
        }
    }
    passed
}

/// Waits for the analysis and lets the champion move.
fn answer(screen: &mut PlayScreen) -> bool {
    screen.take_answers(WantedAnswers::All);
    screen.latest_move.pause = Duration::ZERO;
    screen.tick()
}

fn words(screen: &PlayScreen) -> &str {
    match &screen.message {
        PlayMessage::Info(words) | PlayMessage::Success(words) | PlayMessage::Error(words) => words,
        PlayMessage::Question(_) => "a question",
    }
}

fn moves(screen: &PlayScreen) -> Vec<&str> {
    let history = screen.current.game.history();
    history.iter().map(|ply| &*ply.action).collect()
}

#[test]
fn the_move_under_the_cursor_is_made_and_then_the_champion_answers() {
    let mut screen = screen();
    press(&mut screen, "[up] [down] [right] [right] [right] [enter]");
    assert_eq!(moves(&screen), ["2:1"], "the answer waits for the screen");
    let told = "You played 2:1, a mistake: 2:2 was best.";
    assert_eq!(words(&screen), told);
    assert!(answer(&mut screen));
    assert_eq!(screen.current.game.history().len(), 2);
    assert!(!answer(&mut screen), "it is the human's turn");
}

#[test]
fn the_cursor_is_nowhere_until_an_arrow_places_it_in_the_center_or_where_it_was() {
    let mut screen = reversi();
    let pointed = |screen: &PlayScreen| screen.moves_at_cursor(&screen.board());
    assert_eq!(pointed(&screen), [""; 0]);
    press(&mut screen, "[enter]");
    assert_eq!(moves(&screen), [""; 0], "no move is made unseen");
    assert!(
        words(&screen).starts_with("Point at a move"),
        "{}",
        words(&screen)
    );
    press(&mut screen, "[left]");
    assert_eq!(
        pointed(&screen),
        ["d3"],
        "the first of those nearest to the center"
    );
    press(&mut screen, "[down] [down] [enter]");
    assert_eq!(moves(&screen).len(), 1);
    assert!(answer(&mut screen));
    assert_eq!(pointed(&screen), [""; 0], "no other move takes its place");
    press(&mut screen, "[up]");
    assert_eq!(pointed(&screen).len(), 1);
}

/// A game with a preset's rules against the champions of a saved run, if any.
fn with_rules(preset: &Preset, saved: Option<(Saves, String)>) -> PlayScreen {
    let facts = RunInfo::new(
        preset.clone(),
        1,
        preset.arena().expect("the preset is sound"),
    );
    PlayScreen::new(&facts, saved, Waker::default())
}

#[test]
fn the_user_can_win_the_first_game_against_every_champion_whose_game_is_solved() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let saves = Saves::at(folder.path().join("saves"));
    let games = ["nim", "bounded_nim", "dots_and_boxes"].into_iter();
    let mut presets: Vec<Preset> = games
        .map(|game| {
            let name = bundled_champions::add(&saves, game).expect("it is writable");
            let file = saves.run_file(&name.expect("it ships"));
            file.expect("it can be read").preset
        })
        .collect();
    presets.extend(presets::load("nim-2x10-value"));
    assert_eq!(presets.len(), 4);
    for preset in presets {
        let mut screen = with_rules(&preset, None);
        for game in 1..5 {
            let position = screen.current.game.position();
            if let Some(best) = position.best_result {
                assert_eq!(screen.current.human.result(best), 1, "{game}");
            } else {
                assert!(game > 1 || !preset.name.contains("nim"), "{}", preset.name);
            }
            press(&mut screen, "R");
        }
        press(&mut screen, "C");
        if screen.current.is_lost() {
            let end = "lost against perfect play; C changes sides.";
            assert!(words(&screen).ends_with(end), "{}", words(&screen));
            press(&mut screen, "C");
        }
        assert!(!screen.current.is_lost());
    }
}

#[test]
fn at_every_level_the_start_of_a_game_is_close() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let saves = Saves::at(folder.path().join("saves"));
    let name = bundled_champions::add(&saves, "reversi").expect("it is writable");
    let name = name.expect("it ships");
    let file = saves.run_file(&name).expect("it can be read");
    let mut screen = with_rules(&file.preset, Some((saves, name)));
    screen.take_answers(WantedAnswers::All);
    let scores = screen.analysis.evaluations.scores.clone();
    let lead = screen.analysis.lead.expect("it is known");
    for level in 1..=3 {
        press(&mut screen, "L");
        assert_eq!(screen.analysis.lead, Some(lead), "while it thinks, too");
        screen.take_answers(WantedAnswers::All);
        let analysis = &screen.analysis;
        assert_eq!(
            (&analysis.evaluations.scores, analysis.lead),
            (&scores, Some(lead))
        );
        let best = analysis.evaluations.scores.first();
        let (_, score) = best.expect("moves have scores");
        let share = analysis.share(*score);
        assert!((0.35..=0.65).contains(&share), "level {level}: {share}");
    }
}

#[test]
fn sides_alternate_where_neither_is_known_to_win() {
    let mut screen = reversi();
    let mut sides = Vec::new();
    for key in ["R", "R", "C", "R"] {
        sides.push(screen.current.human);
        press(&mut screen, key);
    }
    sides.push(screen.current.human);
    let expected = [
        Side::First,
        Side::Second,
        Side::First,
        Side::Second,
        Side::First,
    ];
    assert_eq!(sides, expected);
}

#[test]
fn in_nim_each_move_has_the_champions_score_and_the_oracles_verdict() {
    let mut screen = screen();
    screen.take_answers(WantedAnswers::All);
    press(&mut screen, "V V");
    let best = screen.current.game.position().best_moves.clone();
    let text = drawn(&screen);
    assert!(text.contains("Your moves: champion and oracle"), "{text}");
    assert!(text.contains("bar: oracle"), "{text}");
    let scores = screen.analysis.evaluations.scores.clone();
    let shares = scores
        .iter()
        .map(|(_, score)| screen.analysis.share(*score));
    let shares: Vec<f64> = shares.collect();
    assert!(shares.is_sorted_by(|one, other| one >= other), "{shares:?}");
    for ((word, _), share) in scores.iter().zip(&shares) {
        let verdict = if best.contains(word) { "wins" } else { "loses" };
        let score = score_scale::text(*share);
        let is_row = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            words.contains(&word.as_str()) && words.contains(&verdict) && words.contains(&&*score)
        };
        assert!(text.lines().any(is_row), "{word} {score} {verdict}: {text}");
    }
    assert_eq!(screen.analysis.lead.map(|lead| lead.share), Some(1.0));
}

#[test]
fn a_game_of_reversi_begins_even() {
    let mut screen = reversi();
    screen.take_answers(WantedAnswers::All);
    let lead = screen.analysis.lead.expect("it is known").share;
    assert!((0.3..0.7).contains(&lead), "{lead}");
    let usual = screen.analysis.usual.clone();
    assert!(usual.is_some());
    for _ in 0..10 {
        if !answer(&mut screen) {
            let first = screen.current.game.position().legal_moves[0].clone();
            press(&mut screen, &format!("t{first} [enter]"));
        }
    }
    assert_eq!(screen.analysis.usual, usual, "it is found once for a game");
}

/// The full selection of a move of one place.
fn whole(word: &str) -> PartialMove {
    PartialMove {
        move_text: word.to_owned(),
        count: 1,
    }
}

/// Clicks on a move of one place.
fn click(screen: &mut PlayScreen, word: &str) {
    let area = Rect::new(0, 2, 120, 37);
    let mut buf = Buffer::empty(Rect::new(0, 0, 120, 40));
    let moves = screen.view(area, &mut buf, &Theme::dark());
    let cells = buf.area.positions();
    let mut found = cells.filter_map(|cell| moves.target_at(cell));
    let selection = found.find(|found| found.move_text == word).cloned();
    screen.click(&selection.expect("the move can be clicked on"));
}

#[test]
fn a_click_makes_the_move_it_falls_on_and_leaves_what_was_being_typed() {
    let mut screen = screen();
    press(&mut screen, "1");
    click(&mut screen, "2:3");
    assert_eq!(
        (moves(&screen), words(&screen)),
        (vec!["2:3"], "You played 2:3, a mistake: 2:2 was best.")
    );
    assert!(screen.typed.is_none());
    let area = Rect::new(0, 0, 120, 37);
    let drawn = screen.view(area, &mut Buffer::empty(area), &Theme::dark());
    assert_eq!(drawn, Regions::default(), "it is not the human's turn");
    screen.click(&whole("1:1"));
    assert_eq!(words(&screen), "It is the champion's turn.");
    assert_eq!(screen.current.game.history().len(), 1);
}

#[test]
fn a_typed_move_is_made() {
    let mut screen = screen();
    press(&mut screen, "t2:3 [enter]");
    assert_eq!(moves(&screen), ["2:3"]);
    press(&mut screen, "U t1:1 [enter]");
    assert_eq!(moves(&screen), ["1:1"]);
    press(&mut screen, "U t1:2 [esc]");
    assert_eq!(moves(&screen), [""; 0]);
    assert_eq!(press(&mut screen, "[esc]"), Some(Action::Back));
}

#[test]
fn an_illegal_typed_move_is_explained_and_stays_to_be_mended() {
    let mut screen = screen();
    press(&mut screen, "t1:9 [enter]");
    assert!(
        words(&screen).starts_with("1:9 is not legal here; legal moves: 1:1"),
        "{}",
        words(&screen)
    );
    assert!(screen.typed.is_some());
    press(&mut screen, "x [enter]");
    assert!(
        words(&screen).contains("is not a move"),
        "{}",
        words(&screen)
    );
    assert_eq!(moves(&screen), [""; 0]);
}

#[test]
fn undo_takes_back_your_move_and_the_answer() {
    let mut screen = screen();
    press(&mut screen, "t2:1 [enter]");
    answer(&mut screen);
    let position = screen.current.game.position().text.clone();
    press(&mut screen, "U");
    assert_eq!(screen.current.game.position().text, "2,4");
    assert_ne!(position, "2,4");
    press(&mut screen, "U");
    assert_eq!(words(&screen), "You have no move to take back.");
}

/// Plays the first legal move until the game is over.
fn play_out(screen: &mut PlayScreen) {
    while screen.current.outcome.is_none() {
        if !answer(screen) {
            let first = screen.current.game.position().legal_moves[0].clone();
            press(screen, &format!("t{first} [enter]"));
        }
    }
}

#[test]
fn the_score_counts_each_game_once_and_forgets_one_taken_back() {
    let mut screen = screen();
    let goal = "The goal: the player who takes";
    assert!(drawn(&screen).contains(goal), "{}", drawn(&screen));
    let total = |screen: &PlayScreen| screen.score.wins + screen.score.losses;
    play_out(&mut screen);
    assert_eq!(total(&screen), 1);
    press(&mut screen, "t2:1 [enter] [esc]");
    assert!(words(&screen).starts_with("The game is over"));
    press(&mut screen, "U");
    assert_eq!((total(&screen), screen.current.outcome), (0, None));
    play_out(&mut screen);
    press(&mut screen, "R");
    play_out(&mut screen);
    assert_eq!((total(&screen), screen.current.number), (2, 2));
}

#[test]
fn what_is_said_of_a_whole_game_holds_at_every_move() {
    let mut screen = screen();
    let mut said = |outcome, shares: &[f64]| {
        screen.current.outcome = Some(outcome);
        screen.review.curve = Some(GameCurve {
            judge: String::new(),
            shares: shares.to_vec(),
            turn: None,
        });
        let words = curve_view::turn_line(&screen, 60, &Theme::monochrome());
        words.to_string()
    };
    let (lost, won) = (PlayOutcome::ChampionWins, PlayOutcome::HumanWins);
    let led = "The champion led from the start.";
    assert_eq!(said(lost, &[0.4, 0.3, 0.45, 0.0]), led);
    let none = "No single move decided the game.";
    assert_eq!(said(lost, &[0.35, 0.85, 0.4, 0.0]), none);
    let close = "It was close until the end.";
    assert_eq!(said(lost, &[0.5, 0.55, 0.45, 0.0]), close);
    assert_eq!(said(lost, &[0.49, 0.48, 0.49, 0.0]), close);
    assert_eq!(said(lost, &[0.5, 0.55, 0.8, 0.0]), none);
    assert_eq!(said(won, &[0.6, 0.7, 1.0]), "You led from the start.");
    assert_eq!(said(won, &[0.7, 0.3, 1.0]), none);
    let early = "The game ended early.";
    assert_eq!(said(PlayOutcome::IllegalChampionMove, &[0.7, 0.3]), early);
}

#[test]
fn the_users_pieces_are_at_the_bottom_after_the_board_was_turned_by_hand() {
    let mut screen = draughts("B:W11,18,30,K32:B8");
    let drawn = |screen: &PlayScreen| {
        screen.current.game.board(MaxSize {
            width: 60,
            height: 30,
        })
    };
    let first = drawn(&screen);
    press(&mut screen, "B");
    assert_ne!(drawn(&screen), first);
    let now = screen.current.human;
    screen.current.seat_human(now);
    assert_eq!(drawn(&screen), first);
}

#[test]
fn a_finished_game_has_a_curve_until_it_is_taken_back() {
    let mut screen = screen();
    play_out(&mut screen);
    assert_eq!(screen.review.curve, None, "it is judged in the background");
    screen.take_answers(WantedAnswers::All);
    let curve = screen.review.curve.as_ref().expect("the game is judged");
    assert_eq!(curve.judge, "the oracle");
    assert_eq!(curve.moves(), screen.current.game.history().len());
    press(&mut screen, "U");
    assert_eq!((&screen.review.curve, screen.review.judged), (&None, 0));
}

#[test]
fn where_there_is_no_oracle_the_champion_judges_the_game() {
    let (facts, champion) = run(&[("agent", "one_ply"), ("game", "reversi"), ("genome", "mlp")]);
    let mut screen = PlayScreen::new(&facts, None, Waker::default());
    screen.add_champion(&champion);
    play_out(&mut screen);
    screen.take_answers(WantedAnswers::All);
    let curve = screen.review.curve.as_ref().expect("the game is judged");
    assert_eq!(curve.judge, "champion g2");
    let moves = screen.current.game.history().len();
    assert_eq!((curve.moves(), screen.review.judged), (moves, moves));
}

#[test]
fn a_champion_that_wants_an_illegal_move_loses() {
    let (facts, champion) = run(&[("agent", "direct"), ("heaps", "[9, 9]"), ("start", "full")]);
    let mut screen = PlayScreen::new(&facts, None, Waker::default());
    screen.add_champion(&champion);
    screen.current.human = Side::Second;
    screen.take_answers(WantedAnswers::All);
    screen.analysis.evaluations.chosen = None;
    assert!(answer(&mut screen));
    assert_eq!(
        screen.current.outcome,
        Some(PlayOutcome::IllegalChampionMove)
    );
    assert_eq!(screen.score.wins, 1);
    assert_eq!(
        words(&screen),
        "You win: the champion chose an illegal move."
    );
    assert!(!answer(&mut screen));
}

#[test]
fn changed_sides_let_the_champion_begin() {
    let mut screen = screen();
    press(&mut screen, "C");
    assert!(answer(&mut screen));
    assert_eq!(screen.current.game.history()[0].side, Side::First);
    assert!(!screen.current.is_champions_turn());
}

#[test]
fn a_game_is_given_up_only_after_a_question() {
    for key in ["C", "R", "[", "]", "q"] {
        let mut screen = screen();
        press(&mut screen, "t2:1 [enter]");
        assert_eq!(press(&mut screen, key), None);
        assert!(matches!(screen.message, PlayMessage::Question(_)), "{key}");
        assert!(!answer(&mut screen), "the champion waits");
        assert_eq!(press(&mut screen, "x"), None);
        assert_eq!(words(&screen), "The game continues.");
        assert_eq!((moves(&screen), screen.current.number), (vec!["2:1"], 1));
        press(&mut screen, key);
        let passed = press(&mut screen, key);
        let (quits, starts) = (key == "q", ["C", "R"].contains(&key));
        assert_eq!(passed, quits.then_some(Action::Quit));
        assert_eq!(screen.current.number, 1 + u32::from(starts), "{key}");
    }
    let mut screen = screen();
    press(&mut screen, "t2:1 [enter]");
    screen.quit_is_final = false;
    assert_eq!(press(&mut screen, "q"), Some(Action::Quit));
    press(&mut screen, "U R");
    assert_eq!(screen.current.number, 2, "there is no game to give up");
}

#[test]
fn a_key_skips_the_pause_before_the_reply() {
    let mut screen = screen();
    press(&mut screen, "t2:1 [enter]");
    screen.take_answers(WantedAnswers::All);
    assert!(!screen.tick(), "it waits");
    press(&mut screen, "x");
    assert!(screen.tick());
}

#[test]
fn a_hint_names_a_best_move_until_the_position_changes() {
    let mut screen = screen();
    press(&mut screen, "H");
    let best = screen.current.game.position().best_moves[0].clone();
    assert_eq!(screen.analysis.hints, [&*best]);
    let hint = format!("{best} is best, as the oracle knows.");
    assert_eq!(words(&screen), hint);
    press(&mut screen, "[enter]");
    assert_eq!(screen.current.game.history()[0].verdict, Verdict::Good);
    assert_eq!(screen.analysis.hints, [""; 0]);
}

#[test]
fn where_the_oracle_knows_all_values_are_hidden_and_a_move_is_judged_after_it() {
    let mut screen = screen();
    screen.take_answers(WantedAnswers::All);
    assert!(drawn(&screen).contains("V shows them   H gives one move"));
    press(&mut screen, "V");
    assert!(!drawn(&screen).contains("V shows them"));
    press(&mut screen, "V V");
    let position = screen.current.game.position().clone();
    let (best, mut legal) = (&position.best_moves, position.legal_moves.iter());
    let wrong = legal.find(|text| !best.contains(text)).expect("one loses");
    press(&mut screen, &format!("t{wrong} [enter]"));
    let told = format!("You played {wrong}, a mistake: {} was best.", best[0]);
    assert_eq!(words(&screen), told);
    assert!(answer(&mut screen));
    let replied = format!("{told} The champion played ");
    assert!(words(&screen).starts_with(&replied), "{}", words(&screen));
    press(&mut screen, "R R");
    screen.take_answers(WantedAnswers::All);
    assert!(
        drawn(&screen).contains("V shows them"),
        "in the next game too"
    );
    let reversi = reversi();
    assert!(!drawn(&reversi).contains("V shows them"));
}

#[test]
fn a_zoomed_board_has_larger_squares_on_a_small_terminal() {
    let mut screen = reversi();
    screen.area = Rect::new(0, 0, 80, 21);
    assert_eq!((screen.board().width, screen.board().height), (35, 18));
    press(&mut screen, "Z");
    assert_eq!((screen.board().width, screen.board().height), (43, 18));
    assert!(drawn(&screen).contains("choose a move"));
}

#[test]
fn the_bar_beside_the_board_names_both_of_its_ends() {
    let mut screen = reversi();
    screen.take_answers(WantedAnswers::All);
    let text = drawn(&screen);
    let start = |line: &str| line.chars().take(12).collect::<String>();
    let row = |word| text.lines().position(|line| start(line).contains(word));
    assert!(row("champ ") < row("you "), "{text}");
    assert!(row("champ ").is_some(), "{text}");
}

#[test]
fn opinions_are_sorted_and_cover_every_legal_move() {
    let mut screen = screen();
    screen.take_answers(WantedAnswers::All);
    let scores = &screen.analysis.evaluations.scores;
    assert_eq!(
        scores.len(),
        screen.current.game.position().legal_moves.len()
    );
    assert!(scores.windows(2).all(|pair| pair[0].1 >= pair[1].1));
    let chosen = screen.analysis.evaluations.chosen.as_ref();
    let score = scores.iter().find(|(word, _)| Some(word) == chosen);
    let score = score.expect("it chooses a legal move").1;
    assert!(
        scores.iter().all(|other| score >= other.1),
        "it plays what it values most"
    );
}

#[test]
fn without_a_champion_the_board_waits() {
    let (facts, champion) = run(&[]);
    let mut screen = PlayScreen::new(&facts, None, Waker::default());
    press(&mut screen, "[enter]");
    assert_eq!(words(&screen), "There is no champion to play against yet.");
    assert!(!answer(&mut screen));
    screen.add_champion(&champion);
    assert!(screen.opponents.current.is_some());
}

#[test]
fn a_newer_champion_waits_for_the_next_game() {
    let mut screen = screen();
    press(&mut screen, "t2:1 [enter]");
    let square_notes = screen.opponents.champions.fetch(ChampionQuery::Newest);
    let champion = square_notes.expect("it fits").expect("there is a champion");
    let champion = Champion::clone(&champion);
    let newer = Champion {
        generation: champion.generation + 10,
        ..champion
    };
    let seated = |screen: &PlayScreen| {
        screen
            .opponents
            .current
            .as_ref()
            .map(|opponent| opponent.generation)
    };
    let before = seated(&screen);
    screen.add_champion(&newer);
    assert_eq!(seated(&screen), before);
    press(&mut screen, "RR");
    assert_eq!(seated(&screen), Some(newer.generation));
    press(&mut screen, "[");
    assert_eq!(seated(&screen), before, "the latest ones are in memory");
    press(&mut screen, "[");
    assert_eq!(words(&screen), "There is no older champion.");
}

#[test]
fn a_character_that_begins_a_move_starts_to_type_it_and_others_stay_keys() {
    let mut screen = reversi();
    press(&mut screen, "c4 [enter]");
    assert_eq!(moves(&screen), ["c4"]);
    assert_eq!(press(&mut screen, "?"), Some(Action::Help));
    assert!(screen.typed.is_none());
    press(&mut screen, "f5q7");
    let typed = screen.typed.as_ref().map(|typed| typed.input.text());
    assert_eq!(typed, Some("f5q7"), "in the entry every key is text");
    assert_eq!(press(&mut screen, "?"), Some(Action::Help), "but help is");
    // Digits open screens, so that a move that begins with one is typed after a key.
    let mut nim = self::screen();
    press(&mut nim, "2");
    assert!(nim.typed.is_none());
    press(&mut nim, "t2:1");
    assert!(nim.typed.is_some());
}

#[test]
fn what_is_not_the_games_business_is_passed_on() {
    let mut screen = screen();
    assert_eq!(press(&mut screen, "?"), Some(Action::Help));
    assert_eq!(press(&mut screen, "q"), Some(Action::Quit));
    assert_eq!(press(&mut screen, "U"), None);
}

#[test]
fn it_can_be_drawn_at_any_size() {
    let mut screen = screen();
    press(&mut screen, "t2:1 [enter]");
    answer(&mut screen);
    press(&mut screen, "H t1");
    for theme in [Theme::dark(), Theme::monochrome()] {
        for width in [0, 1, 2, 5, 20, 49, 50, 80, 99, 120, 200] {
            for height in [0, 1, 2, 5, 11, 12, 21, 37, 57] {
                let area = Rect::new(0, 0, width, height);
                screen.view(area, &mut Buffer::empty(area), &theme);
                screen.view(Rect::new(3, 2, 200, 60), &mut Buffer::empty(area), &theme);
            }
        }
    }
}

/// A game of Reversi against a champion of a few generations.
fn reversi() -> PlayScreen {
    let (facts, champion) = run(&[("game", "reversi"), ("genome", "mlp"), ("agent", "one_ply")]);
    let mut screen = PlayScreen::new(&facts, None, Waker::default());
    screen.add_champion(&champion);
    screen
}

#[test]
fn keys_are_taken_while_the_champion_thinks_and_its_stale_answer_is_dropped() {
    let mut screen = reversi();
    press(&mut screen, "+ + td3 [enter]");
    assert_eq!(moves(&screen), ["d3"]);
    assert!(screen.is_analyzing(), "it runs in the background");
    assert!(!screen.tick(), "it has not made up its mind");
    press(&mut screen, "U tc4 [enter]");
    assert_eq!(moves(&screen), ["c4"]);
    assert!(screen.is_analyzing(), "the answer to c4 is another");
    assert!(answer(&mut screen));
    assert_eq!(screen.current.game.history().len(), 2);
}

#[test]
fn the_search_depth_can_be_changed() {
    let mut screen = reversi();
    press(&mut screen, "-");
    assert!(
        words(&screen).contains("One move ahead"),
        "{}",
        words(&screen)
    );
    press(&mut screen, "+ +");
    assert_eq!(words(&screen), "Search: 3 moves ahead.");
    press(&mut screen, "+ + + + + +");
    assert!(words(&screen).contains("is the most"), "{}", words(&screen));
    press(&mut screen, "- - - - - - - -");
    assert_eq!(screen.analysis.search.description(), "1 move ahead");
    let (facts, champion) = run(&[("agent", "direct")]);
    let mut outright = PlayScreen::new(&facts, None, Waker::default());
    outright.add_champion(&champion);
    press(&mut outright, "+");
    assert!(words(&outright).contains("moves without search"));
}

#[test]
fn a_champion_plays_at_levels_or_as_it_evolved() {
    let mut screen = reversi();
    press(&mut screen, "L");
    let first = "Level 1, easiest: ";
    assert!(words(&screen).starts_with(first), "{}", words(&screen));
    assert_eq!(screen.analysis.search.description(), "level 1 easiest");
    press(&mut screen, "l");
    assert_eq!(words(&screen), "As the champion evolved: 1 move ahead.");
    press(&mut screen, "l");
    assert_eq!(screen.analysis.search.level(), Some(11));
    press(&mut screen, "+");
    assert!(words(&screen).contains("is the most"), "{}", words(&screen));
    press(&mut screen, "- T");
    assert_eq!(screen.analysis.search.description(), "1 s per move");
    press(&mut screen, "L L L");
    assert_eq!(screen.analysis.search.description(), "level 3 easy");
    screen.take_answers(WantedAnswers::All);
    assert!(screen.analysis.evaluations.chosen.is_some());
    let (facts, champion) = run(&[("agent", "direct")]);
    let mut outright = PlayScreen::new(&facts, None, Waker::default());
    outright.add_champion(&champion);
    press(&mut outright, "L");
    assert!(words(&outright).contains("moves without search"));
}

#[test]
fn the_level_of_the_first_game_can_be_set() {
    let mut screen = reversi();
    screen.set_up(PlaySetup {
        side: Some(Side::Second),
        generation: None,
        level: Some(2),
    });
    assert_eq!(screen.current.human, Side::Second);
    assert_eq!(screen.analysis.search.description(), "level 2 very easy");
}

#[test]
fn deeper_thoughts_are_those_of_the_search() {
    let mut screen = reversi();
    screen.take_answers(WantedAnswers::All);
    let shallow = screen.analysis.evaluations.clone();
    press(&mut screen, "+");
    screen.take_answers(WantedAnswers::All);
    assert_ne!(screen.analysis.evaluations, shallow);
    let agent = AgentConfig::AlphaBeta(levels::search(2));
    let arena = play::build(&GameConfig::named("reversi").expect("it ships"), &agent);
    let table = arena.expect("they go together").interactive_game(0);
    let player = &screen
        .opponents
        .current
        .as_ref()
        .expect("it sits there")
        .player;
    let evaluations = {
        let hurry: Arc<dyn CancelToken> = Arc::new(NeverCancel);
        table.evaluate_moves(player, &hurry)
    };
    assert_eq!(screen.analysis.evaluations.chosen, evaluations.chosen);
}

#[test]
fn a_search_ends_when_its_time_is_up_or_the_human_has_waited_enough() {
    let mut screen = reversi();
    press(&mut screen, "T");
    assert_eq!(words(&screen), "Search: 1 s per move.");
    let began = Instant::now();
    screen.take_answers(WantedAnswers::All);
    let took = began.elapsed();
    assert!(took >= Duration::from_millis(900), "{took:?}");
    assert!(took < Duration::from_secs(10), "{took:?}");
    assert_eq!(screen.analysis.evaluations.scores.len(), 4);
    press(&mut screen, "T T");
    assert_eq!(words(&screen), "Search: 20 s per move.");
    press(&mut screen, "A");
    screen.take_answers(WantedAnswers::All);
    assert!(began.elapsed() < Duration::from_secs(15));
    assert!(screen.analysis.evaluations.chosen.is_some());
    press(&mut screen, "T");
    assert_eq!(screen.analysis.search.description(), "1 move ahead");
}

#[test]
fn the_number_of_simulations_can_be_changed() {
    let (facts, champion) = run(&[
        ("game", "draughts(most_moves: 10)"),
        ("genome", "mlp"),
        ("agent", "monte_carlo(simulations: 40)"),
    ]);
    let mut screen = PlayScreen::new(&facts, None, Waker::default());
    screen.add_champion(&champion);
    press(&mut screen, "+");
    assert_eq!(words(&screen), "Search: 80 simulations.");
    press(&mut screen, "- -");
    assert_eq!(words(&screen), "Search: 20 simulations.");
    screen.take_answers(WantedAnswers::All);
    let shares: f32 = screen
        .analysis
        .evaluations
        .scores
        .iter()
        .map(|one| one.1)
        .sum();
    assert!((shares - 1.0).abs() < 1e-3, "{shares}");
}

#[test]
fn a_player_without_moves_passes_and_sees_a_message() {
    let mut screen = reversi();
    let board = format!("OX{} X", "-".repeat(62));
    screen
        .current
        .game
        .set_position(&board)
        .expect("it is a position");
    screen.position_changed();
    press(&mut screen, "[enter]");
    assert_eq!(moves(&screen), ["pass"]);
    assert!(screen.current.game.undo());
    click(&mut screen, "pass");
    assert_eq!(moves(&screen), ["pass"]);
    assert!(screen.current.game.undo());
    press(&mut screen, "tpass [enter]");
    assert_eq!(moves(&screen), ["pass"]);
    screen.current.human = Side::Second;
    screen
        .current
        .game
        .set_position(&board)
        .expect("it is a position");
    screen.position_changed();
    assert!(answer(&mut screen));
    assert!(
        words(&screen).ends_with("has no move and passes. Your turn."),
        "{}",
        words(&screen)
    );
}

#[test]
fn every_legal_move_has_its_value_on_a_board_with_room() {
    let mut screen = reversi();
    screen.take_answers(WantedAnswers::All);
    let theme = Theme::dark();
    assert_eq!(
        screen.notes(&screen.board(), &theme),
        [],
        "until it is asked for"
    );
    press(&mut screen, "V");
    for (width, height, notes) in [(43, 18, 4), (20, 10, 0)] {
        let board = screen.current.game.board(MaxSize { width, height });
        assert_eq!(screen.notes(&board, &theme).len(), notes);
    }
    press(&mut screen, "V");
    assert_eq!(screen.notes(&screen.board(), &theme), []);
}

#[test]
fn without_an_oracle_a_hint_is_the_champions_own_move() {
    let mut screen = reversi();
    screen.take_answers(WantedAnswers::All);
    press(&mut screen, "H");
    assert_eq!(screen.analysis.hints.len(), 1);
    assert!(words(&screen).starts_with("The champion would play "));
}

#[test]
fn a_hint_is_the_best_move_known_at_every_level_and_not_what_it_would_play() {
    let mut screen = reversi();
    press(&mut screen, "L");
    let mut slipped = 0;
    while screen.current.game.history().len() < 40 {
        screen.take_answers(WantedAnswers::All);
        press(&mut screen, "H");
        let evaluations = &screen.analysis.evaluations;
        let best = evaluations.scores[0].0.clone();
        slipped += u32::from(evaluations.chosen.as_ref() != Some(&best));
        assert_eq!(screen.analysis.hints, [&*best]);
        let words = format!("At its best the champion would play {best}.");
        assert_eq!(self::words(&screen), words);
        press(&mut screen, "[enter]");
        while answer(&mut screen) {}
    }
    assert!(slipped > 0, "the level plays worse moves");
    press(&mut screen, "l l");
    assert_eq!(screen.analysis.search.level(), Some(11));
    assert!(
        screen.analysis.search.plays_its_best(),
        "it searches further"
    );
}

#[test]
fn enter_takes_the_move_of_the_hint_whatever_its_places() {
    for mut screen in [screen(), reversi(), draughts("B:W11,18,30,K32:B8")] {
        screen.take_answers(WantedAnswers::All);
        press(&mut screen, "H");
        let hint = screen.analysis.hints.first().expect("there is one").clone();
        press(&mut screen, "[enter]");
        let made = &screen.current.game.history()[0];
        assert_eq!((made.side, &made.action), (screen.current.human, &hint));
    }
}

/// A game of draughts from a position, against a champion of a few generations.
fn draughts(position: &str) -> PlayScreen {
    let (facts, champion) = run(&[
        ("game", "draughts"),
        ("genome", "mlp"),
        ("agent", "one_ply"),
        ("most_moves", "60"),
    ]);
    let mut screen = PlayScreen::new(&facts, None, Waker::default());
    screen.add_champion(&champion);
    screen
        .current
        .game
        .set_position(position)
        .expect("it is a position");
    screen.position_changed();
    screen
}

/// The text of the screen, as it is drawn.
fn drawn(screen: &PlayScreen) -> String {
    let area = Rect::new(0, 0, 80, 21);
    let mut buf = Buffer::empty(area);
    screen.view(area, &mut buf, &Theme::monochrome());
    let rows = buf.content.chunks(80);
    rows.map(|row| {
        row.iter()
            .map(ratatui::buffer::Cell::symbol)
            .collect::<String>()
            + "\n"
    })
    .collect()
}

#[test]
fn a_capture_is_shown_jump_by_jump_before_the_champion_answers() {
    let mut screen = draughts("B:W11,18,30,K32:B8");
    assert_eq!(screen.due(), None);
    let before = drawn(&screen);
    press(&mut screen, "t8x22 [enter]");
    assert_eq!(moves(&screen), ["8x15x22"]);
    screen.take_answers(WantedAnswers::All);
    let mut pictures = vec![before];
    for left in [2, 1] {
        assert_eq!(
            (screen.latest_move.animation.stages_left(), screen.due()),
            (left, Some(STAGE_TIME))
        );
        assert!(!screen.tick(), "the champion waits for it to be seen");
        pictures.push(drawn(&screen));
        assert!(screen.advance_animation(STAGE_TIME));
    }
    assert_eq!(screen.due(), Some(REPLY_PAUSE));
    assert!(!screen.advance_animation(REPLY_PAUSE / 2));
    assert!(!screen.tick(), "the whole move is shown for a while");
    pictures.push(drawn(&screen));
    pictures.dedup();
    assert_eq!(pictures.len(), 4);
    assert!(screen.advance_animation(REPLY_PAUSE / 2));
    assert_eq!(screen.due(), None);
    assert!(screen.tick(), "now it answers");
}

#[test]
fn a_key_during_an_animation_ends_it_and_does_what_it_always_does() {
    let mut screen = draughts("B:W29:B4");
    press(&mut screen, "t4-8 [enter]");
    assert_eq!(screen.current.game.history().len(), 1);
    assert!(
        screen.latest_move.animation.is_finished(),
        "a step is shown at once"
    );
    // The champion has to take twice.
    screen
        .current
        .game
        .set_position("W:W22,29:B18,11,4,12")
        .expect("a position");
    screen.position_changed();
    assert!(answer(&mut screen));
    assert_eq!(
        (moves(&screen), screen.latest_move.animation.stages_left()),
        (vec!["22x15x8"], 2)
    );
    press(&mut screen, "[right]");
    assert!(screen.latest_move.animation.is_finished());
    press(&mut screen, "t4x11 [enter]");
    assert_eq!(
        (
            screen.current.game.history().len(),
            screen.latest_move.animation.stages_left()
        ),
        (2, 1)
    );
    press(&mut screen, "U");
    assert_eq!(
        (
            screen.current.game.history().len(),
            screen.latest_move.animation.stages_left()
        ),
        (1, 0)
    );
    press(&mut screen, "t4x11 [enter]");
    screen.click(&whole("4x11"));
    assert!(screen.latest_move.animation.is_finished());
    assert_eq!(words(&screen), "It is the champion's turn.");
}

/// Clicks on the middle of a square of the draughts board if it can be clicked.
fn click_square(screen: &mut PlayScreen, number: u16) {
    let area = Rect::new(0, 2, 120, 37);
    let mut buf = Buffer::empty(Rect::new(0, 0, 120, 40));
    let moves = screen.view(area, &mut buf, &Theme::dark());
    let rows: Vec<Vec<&str>> = buf
        .content
        .chunks(120)
        .map(|row| row.iter().map(ratatui::buffer::Cell::symbol).collect())
        .collect();
    let name = number.to_string();
    let is_there = |row: &[&str], x: usize| {
        row[x..x + name.len()].concat() == name
            && !row[x - 1].starts_with(|c: char| c.is_ascii_digit())
            && !row[x + name.len()].starts_with(|c: char| c.is_ascii_digit())
    };
    let found = (0..rows.len()).find_map(|y| {
        let x = (1..66).find(|&x| is_there(&rows[y], x))?;
        Some((x as u16, y as u16))
    });
    let place = found.expect("every dark square has its number");
    if let Some(selection) = moves.target_at(place.into()).cloned() {
        screen.click(&selection);
    }
}

/// Two captures lead to 22, each over two pieces, and a man can step.
const FORKED: &str = "B:W9,10,17,18,29:B6";

#[test]
fn a_capture_is_chosen_by_its_piece_and_then_square_by_square() {
    let mut screen = draughts(FORKED);
    press(&mut screen, "[right] [enter]");
    assert_eq!(moves(&screen), [""; 0], "the piece alone is no move");
    assert_eq!(
        screen.picker.selection,
        PartialMove {
            move_text: "6x13x22".to_owned(),
            count: 1
        }
    );
    let offered = |screen: &PlayScreen| {
        let targets = screen.picker.targets(&screen.board());
        targets.len()
    };
    assert_eq!(offered(&screen), 2, "22 alone does not identify the move");
    press(&mut screen, "[right] [right] [enter]");
    assert_eq!(moves(&screen), ["6x13x22"]);
    let mut screen = draughts(FORKED);
    press(&mut screen, "[right] [enter] [left] [enter]");
    assert_eq!(moves(&screen), ["6x15x22"]);
}

#[test]
fn a_click_on_a_piece_and_on_where_it_goes_makes_the_move() {
    let mut screen = draughts(FORKED);
    for (square, made) in [(6, 0), (22, 0), (15, 1)] {
        click_square(&mut screen, square);
        assert_eq!(screen.current.game.history().len(), made, "{square}");
    }
    assert_eq!(moves(&screen), ["6x15x22"]);
    // If one move leads there, its last square suffices.
    let mut screen = draughts("B:W11,18,30,K32:B8");
    click_square(&mut screen, 8);
    click_square(&mut screen, 22);
    assert_eq!(moves(&screen), ["8x15x22"]);
}

#[test]
fn a_capture_that_must_be_made_is_announced() {
    let screen = draughts(FORKED);
    assert!(drawn(&screen).contains("Your turn: you must capture"));
    let mut screen = draughts("B:W21-32:B1-12");
    assert!(!drawn(&screen).contains("capture"));
    let pieces = |screen: &PlayScreen| drawn(screen).contains("● you 12   ○ champion 12");
    assert!(pieces(&screen));
    screen.current.human = Side::Second;
    assert!(drawn(&screen).contains("○ you 12   ● champion 12"));
}

#[test]
fn the_users_men_are_at_the_bottom_whichever_they_are() {
    let mut screen = draughts("B:W21-32:B1-12");
    for _ in 0..3 {
        let text = drawn(&screen);
        let row = |sign| text.lines().position(|line| line.contains(sign));
        let [filled, ring] = ["▟██▙", "▟▀▀▙"].map(row);
        let is_first = screen.current.human == Side::First;
        assert_eq!(filled > ring, is_first, "{text}");
        press(&mut screen, "C");
    }
}

#[test]
fn a_draughts_board_can_be_turned() {
    let mut screen = draughts("B:W21-32:B1-12");
    let before = drawn(&screen);
    press(&mut screen, "[right]");
    let pointed = screen.moves_at_cursor(&screen.board());
    press(&mut screen, "B");
    assert_eq!(screen.moves_at_cursor(&screen.board()), pointed);
    let after = drawn(&screen);
    let row = |text: &str, sign| text.lines().position(|line| line.contains(sign));
    let [filled, ring] = ["▟██▙", "▟▀▀▙"];
    assert!(row(&before, ring) < row(&before, filled), "{before}");
    assert!(row(&after, filled) < row(&after, ring), "{after}");
    press(&mut screen, "t11-15 [enter]");
    assert_eq!(moves(&screen), ["11-15"]);
    let mut screen = reversi();
    press(&mut screen, "B");
    assert_eq!(words(&screen), "The board looks alike from all sides.");
}

#[test]
fn a_finished_game_shows_its_score_and_the_keys_for_what_comes_next() {
    let mut screen = reversi();
    screen
        .current
        .game
        .set_position(&format!("-OX{} X", "-".repeat(61)))
        .expect("it is a position");
    screen.position_changed();
    press(&mut screen, "a1 [enter]");
    assert!(
        words(&screen).starts_with("You win 3 : 0."),
        "{}",
        words(&screen)
    );
    let text = drawn(&screen);
    assert!(text.contains("● you 3   ○ champion 0"), "{text}");
    assert!(text.contains("R new  C side  U undo"), "{text}");
}

#[test]
fn another_piece_can_be_picked_instead_and_esc_lets_go() {
    let mut screen = draughts("B:W21-32:B1-12");
    click_square(&mut screen, 10);
    assert_eq!(screen.picker.selection.move_text, "10-14");
    click_square(&mut screen, 11);
    assert_eq!(screen.picker.selection.move_text, "11-15");
    assert_eq!(press(&mut screen, "[esc]"), None);
    assert_eq!(screen.picker.selection.count, 0);
    assert_eq!(press(&mut screen, "[esc]"), Some(Action::Back));
    click_square(&mut screen, 11);
    click_square(&mut screen, 16);
    assert_eq!(moves(&screen), ["11-16"]);
}

#[test]
fn the_way_around_the_board_can_be_chosen_and_typed_moves_need_no_piece() {
    let around = "B:W9,10,17,18,32:BK22";
    for (square, made) in [(13, "22x13x6x15x22"), (15, "22x15x6x13x22")] {
        let mut screen = draughts(around);
        click_square(&mut screen, 22);
        click_square(&mut screen, square);
        assert_eq!(moves(&screen), [made]);
    }
    let mut screen = draughts(FORKED);
    press(&mut screen, "[right] [enter] t6x22 [enter]");
    assert!(
        words(&screen).contains("6x13x22 or 6x15x22"),
        "{}",
        words(&screen)
    );
    press(&mut screen, "[esc] t6x15x22 [enter]");
    assert_eq!(moves(&screen), ["6x15x22"]);
}

#[test]
fn what_can_be_pointed_at_has_a_sign_without_color_too() {
    let mut screen = draughts("B:W21-32:B1-12");
    // Four men can step, and the one under the cursor to two squares.
    assert_eq!(drawn(&screen).matches('‹').count(), 4);
    press(&mut screen, "[right]");
    assert_eq!(drawn(&screen).matches('‹').count(), 4 + 2);
    press(&mut screen, "[enter]");
    assert_eq!(drawn(&screen).matches('‹').count(), 2);
}

#[test]
fn games_begin_with_full_heaps_or_from_a_position_that_is_typed() {
    let settings = [
        ("agent", "one_ply"),
        ("heaps", "[5, 6]"),
        ("start", "random"),
    ];
    let (facts, champion) = run(&settings);
    let mut screen = PlayScreen::new(&facts, None, Waker::default());
    screen.add_champion(&champion);
    assert_eq!(screen.current.game.position().text, "5,6");
    press(&mut screen, "P");
    assert!(screen.typed.is_some());
    press(&mut screen, "5,x [enter]");
    assert!(screen.typed.is_some(), "it is not a position");
    press(&mut screen, "[esc] P 0,0 [enter]");
    assert_eq!(words(&screen), "the game is over in this position");
    press(&mut screen, "[esc] P 2,3 [enter]");
    assert_eq!(screen.current.game.position().text, "2,3");
    press(&mut screen, "t1:1 [enter] P");
    assert_eq!(words(&screen), "a question");
    press(&mut screen, "x P P [esc] R R");
    assert_eq!(
        screen.current.game.position().text,
        "2,3",
        "new games begin there too"
    );
    press(&mut screen, "P");
    screen.press(KeyEvent::new(KeyCode::Backspace, KeyModifiers::NONE));
    press(&mut screen, "[enter]");
    let drawn: Vec<String> = (0..8)
        .map(|_| {
            press(&mut screen, "R");
            screen.current.game.position().text.clone()
        })
        .collect();
    assert!(drawn.windows(2).any(|pair| pair[0] != pair[1]), "{drawn:?}");
}

#[test]
fn the_end_of_a_game_names_the_move_that_decided_it() {
    let mut screen = screen();
    screen.take_answers(WantedAnswers::All);
    for text in ["2:3", "1:1", "1:1", "2:1"] {
        screen.current.game.play(text).expect("it is legal");
    }
    screen.position_changed();
    assert_eq!(screen.current.outcome, Some(PlayOutcome::HumanWins));
    assert_eq!(words(&screen), "You win.");
    screen.take_answers(WantedAnswers::All);
    let turn = screen.turning_point().map(|turn| turn.sentence());
    let end = "Move 2, the champion's 1:1, decided the game: 0 to 100.";
    assert_eq!(turn.as_deref(), Some(end));
    let game = screen.played_game().expect("moves were made");
    let judge = GameJudge::oracle(&game.champions.preset.game).expect("it knows Nim");
    let pool = Pool::new(1).expect("one thread");
    let found = judge.analyze(&pool, &game.record, &|| true);
    let found = found.expect("the game is legal");
    assert_eq!(found.turning_point, Some(2), "as on the Games screen");
}

#[test]
fn a_move_that_still_wins_is_told_as_in_the_list() {
    let mut screen = {
        let rules = "dots_and_boxes(rows: 2, columns: 3)";
        let (facts, champion) = run(&[("game", rules), ("genome", "mlp"), ("agent", "one_ply")]);
        let mut screen = PlayScreen::new(&facts, None, Waker::default());
        screen.add_champion(&champion);
        screen
    };
    let (mut mistakes, mut less) = (0, 0);
    while screen.current.outcome.is_none() {
        screen.take_answers(WantedAnswers::All);
        let position = screen.current.game.position().clone();
        if screen.current.is_champions_turn() {
            assert!(answer(&mut screen));
            continue;
        }
        let best = &position.best_moves;
        let other = position
            .legal_moves
            .iter()
            .find(|text| !best.contains(text));
        let text = other.unwrap_or(&position.legal_moves[0]).clone();
        press(&mut screen, &format!("t{text} [enter]"));
        let is_mistake = screen.current.verdict.contains("a mistake");
        let is_less = screen
            .current
            .verdict
            .contains("which still wins, but by less");
        mistakes += u32::from(is_mistake);
        less += u32::from(is_less);
        let moves = screen.current.game.history();
        let words = verdict_words(moves[moves.len() - 1].verdict);
        assert_eq!(is_mistake, words == "mistake", "{text}");
        assert_eq!(is_less, words == "wins by less", "{text}");
    }
    assert!(mistakes > 0 && less > 0, "{mistakes} and {less}");
}

#[test]
fn no_move_is_cut_in_the_list_at_any_size() {
    let mut screen = draughts("B:W9,10,17,18,32:BK22");
    press(&mut screen, "t22x15x6x13x22 [enter]");
    for _ in 0..4 {
        answer(&mut screen);
        if screen.current.outcome.is_none() && !screen.current.is_champions_turn() {
            let first = screen.current.game.position().legal_moves[0].clone();
            press(&mut screen, &format!("t{first} [enter]"));
        }
    }
    let moves: Vec<String> = moves(&screen).into_iter().map(str::to_owned).collect();
    for (width, height) in [(80, 21), (120, 37), (200, 57)] {
        let area = Rect::new(0, 0, width, height);
        let mut buf = Buffer::empty(area);
        screen.view(area, &mut buf, &Theme::dark());
        let rows = buf.content.chunks(width.into());
        let rows = rows.map(|row| row.iter().map(ratatui::buffer::Cell::symbol).collect());
        let text: Vec<String> = rows.collect();
        let named = |(place, text): (usize, &String)| format!("{:>2} {}", place + 1, text);
        let last = moves.iter().enumerate().map(named).next_back();
        let last = last.expect("moves were made");
        let (number, action) = last.trim().split_once(' ').expect("both are there");
        let is_whole = |row: &String| {
            let words: Vec<&str> = row.split_whitespace().collect();
            words
                .windows(3)
                .any(|three| three[0] == number && three[2] == action)
        };
        assert!(
            text.iter().any(is_whole),
            "{width}: {last}\n{}",
            text.join("\n")
        );
    }
}

#[test]
fn a_game_in_which_the_user_has_not_moved_is_left_without_a_question() {
    let mut screen = screen();
    press(&mut screen, "C");
    assert!(answer(&mut screen), "the champion moves first");
    press(&mut screen, "C");
    assert_eq!(screen.current.number, 3, "{}", words(&screen));
    press(&mut screen, "t1:1 [enter] C");
    assert_eq!(words(&screen), "a question");
}

#[test]
fn the_last_row_offers_no_moves_after_the_game() {
    let mut screen = screen();
    let context = Context::new(Theme::dark(), Waker::default(), SCOPE);
    let offered = |screen: &PlayScreen| {
        let hints = keymap::bindings(SCOPE).map(|binding| Screen::hint(screen, binding, &context));
        hints.collect::<Vec<_>>()
    };
    let before = offered(&screen);
    assert!(before.contains(&"move") && before.contains(&"hint"));
    for text in ["2:3", "1:1", "1:1", "2:1"] {
        screen.current.game.play(text).expect("it is legal");
    }
    screen.position_changed();
    let after = offered(&screen);
    assert!(!after.contains(&"move") && !after.contains(&"hint"));
    assert!(after.contains(&"new") && after.contains(&"undo"));
}
