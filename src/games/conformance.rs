//! What every game must keep to, checked on random games of every registered one in varied settings.

use rand::RngExt;

use crate::params::{Kind, Params};
use crate::rng::{Purpose, Stream, stream};

use super::board::Room;
use super::{Game, GameConfig, Playable, Side, with_game};

/// Settings worth trying besides the defaults and every choice of every setting.
const VARIED: [(&str, &[(&str, &str)]); 11] = [
    ("nim", &[("stacks", "[1]")]),
    ("nim", &[("stacks", "[12]"), ("mode", "simple")]),
    ("nim", &[("stacks", "[3, 5, 7]"), ("start", "full")]),
    ("nim", &[("stacks", "[1, 2, 1, 2, 1, 2, 1, 2]")]),
    ("nim", &[("stacks", "[1000, 3]")]),
    ("dots_and_boxes", &[("rows", "5"), ("columns", "5")]),
    ("dots_and_boxes", &[("rows", "1"), ("columns", "1")]),
    (
        "dots_and_boxes",
        &[("rows", "2"), ("columns", "1"), ("inputs", "score")],
    ),
    (
        "draughts",
        &[
            ("repetition", "2"),
            ("most_moves", "60"),
            ("inputs", "both"),
        ],
    ),
    ("draughts", &[("quiet_moves", "3"), ("difference", "true")]),
    (
        "draughts",
        &[
            ("captureless", "12"),
            ("inputs", "means"),
            ("king_weight", "1.3"),
            ("difference", "true"),
        ],
    ),
];

/// Every registered game in its default setting, with each choice of each of its settings, and in the varied settings.
pub(crate) fn games() -> Vec<GameConfig> {
    let mut games = GameConfig::all();
    for game in GameConfig::all() {
        let mut params = Vec::new();
        game.visit("", &mut params);
        for param in params {
            let Kind::Choice(names) = param.kind else {
                continue;
            };
            games.extend(
                names
                    .iter()
                    .map(|name| changed(&game, &[(&param.key, name)])),
            );
        }
    }
    for (name, settings) in VARIED {
        let game = GameConfig::named(name).expect("the settings are those of a registered game");
        games.push(changed(&game, settings));
    }
    games
}

fn changed(game: &GameConfig, settings: &[(&str, &str)]) -> GameConfig {
    let mut game = game.clone();
    for (key, value) in settings {
        game.set(key, value).expect("the settings are allowed");
    }
    assert_eq!(game.problems(), [], "{game:?}");
    game
}

/// Calls `check` with every position of a few random games that is not the last one, and its legal moves.
fn wander<G: Game>(game: &G, mut check: impl FnMut(&G::State, &[G::Move])) {
    for seed in 0..8 {
        let mut rng = stream(seed, Purpose::Sample, 0, 0);
        let mut state = game.start(&mut rng);
        let mut moves = legal_moves(game, &state);
        while let Some(action) = pick(&moves, &mut rng) {
            check(&state, &moves);
            game.play(&mut state, action);
            moves = legal_moves(game, &state);
        }
        assert!(game.outcome(&state).is_some(), "stuck in {state:?}");
    }
}

fn legal_moves<G: Game>(game: &G, state: &G::State) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves
}

fn pick<T: Copy>(items: &[T], rng: &mut Stream) -> Option<T> {
    (!items.is_empty()).then(|| items[rng.random_range(0..items.len())])
}

fn after<G: Game>(game: &G, state: &G::State, action: G::Move) -> G::State {
    let mut after = state.clone();
    game.play(&mut after, action);
    after
}

fn numbers<G: Game>(game: &G, state: &G::State, side: Side) -> Vec<f32> {
    let mut numbers = vec![f32::NAN; game.shape().numbers()];
    game.encode(state, side, &mut numbers);
    numbers
}

fn check_legal_moves<G: Game>(game: &G) {
    wander(game, |state, moves| {
        assert!(
            game.outcome(state).is_none(),
            "{state:?} is over but has moves"
        );
        assert!(
            moves.windows(2).all(|pair| pair[0] < pair[1]),
            "{state:?} lists {moves:?}"
        );
        assert_eq!(game.count_moves(state), moves.len(), "{state:?}");
    });
}

#[test]
fn moves_are_listed_in_ascending_order_once_each_and_only_until_the_game_is_over() {
    for config in games() {
        with_game!(&config, config => check_legal_moves(&config.build()));
    }
}

fn check_text<G: Game>(game: &G) {
    wander(game, |state, moves| {
        for &action in moves {
            let text = game.move_text(action);
            assert_eq!(game.parse_move(state, &text), Ok(action), "{text}");
        }
        assert!(game.parse_move(state, "?").is_err());
        let text = game.position_text(state);
        let read = game.parse_position(&text).expect("it was just written");
        assert_eq!(game.position_text(&read), text);
        assert_eq!(legal_moves(game, &read), moves, "{text}");
        let seen = |state| numbers(game, state, game.to_move(state));
        assert_eq!(seen(&read), seen(state), "{text}");
    });
    assert!(game.parse_position("?").is_err());
    assert!(!game.move_help().is_empty());
}

#[test]
fn moves_and_positions_read_back_from_their_text() {
    for config in games() {
        with_game!(&config, config => check_text(&config.build()));
    }
}

fn check_records<G: Game>(game: &G) {
    for seed in 0..8 {
        let mut rng = stream(seed, Purpose::Sample, 0, 0);
        let start = game.start(&mut rng);
        let (mut state, mut line) = (start.clone(), Vec::new());
        while let Some(action) = pick(&legal_moves(game, &state), &mut rng) {
            game.play(&mut state, action);
            line.push(action);
        }
        let text = game.record_text(&line);
        assert_eq!(game.parse_record(&start, &text), Ok(line), "{text}");
        let fault = game.parse_record(&start, "?").expect_err("it is no record");
        assert!(fault.starts_with("record[0]: `?`"), "{fault}");
    }
}

#[test]
fn a_game_reads_back_from_its_record() {
    for config in games() {
        with_game!(&config, config => check_records(&config.build()));
    }
}

fn check_numbers<G: Game>(game: &G) {
    wander(game, |state, moves| {
        let side = game.to_move(state);
        for side in [side, side.other()] {
            let before = numbers(game, state, side);
            assert!(before.iter().all(|number| number.is_finite()), "{before:?}");
            for &action in moves {
                let mut changes = Vec::new();
                game.changes(state, action, side, &mut changes);
                let mut told = before.clone();
                for (input, value) in changes {
                    told[input as usize] = value;
                }
                let seen = numbers(game, &after(game, state, action), side);
                assert_eq!(told, seen, "{action:?} in {state:?}");
            }
            check_successors(game, state, side, moves);
        }
    });
}

/// All moves at once, from buffers in which something is left, are what they are one by one.
fn check_successors<G: Game>(game: &G, state: &G::State, side: Side, moves: &[G::Move]) {
    let (mut listed, mut ends) = (moves.to_vec(), vec![9; 3]);
    let (mut all, mut one) = (vec![(7, 7.0); 5], Vec::new());
    game.successors(state, side, &mut listed, &mut all, &mut ends);
    assert_eq!((&*listed, ends.len()), (moves, moves.len()), "{state:?}");
    let mut from = 0;
    for (&action, &end) in moves.iter().zip(&ends) {
        one.clear();
        game.changes(state, action, side, &mut one);
        let told = &all[from..end as usize];
        assert_eq!(told, one, "{action:?} in {state:?}");
        from = end as usize;
    }
}

#[test]
fn the_changes_of_a_move_are_what_encoding_the_next_position_shows() {
    for config in games() {
        with_game!(&config, config => check_numbers(&config.build()));
    }
}

fn check_wishes<G: Game>(game: &G) {
    let components = game.shape().components;
    wander(game, |state, moves| {
        for &action in moves.iter().filter(|_| !components.is_empty()) {
            let mut wish = Vec::new();
            game.describe(action, &mut wish);
            assert_eq!(wish.len(), components.len());
            for (number, component) in wish.iter().zip(&components) {
                assert!(
                    (component.low..=component.high).contains(number),
                    "{}: {number}",
                    component.name
                );
            }
            assert_eq!(game.interpret(state, &wish), Some(action));
        }
        for extreme in [i32::MIN, -1, 0, i32::MAX] {
            let wish = vec![extreme; components.len()];
            let action = game.interpret(state, &wish);
            assert!(
                action.is_none_or(|action| moves.contains(&action)),
                "{wish:?} became {action:?} in {state:?}"
            );
        }
    });
}

#[test]
fn a_move_described_by_numbers_is_understood_and_a_wild_wish_is_never_an_illegal_move() {
    for config in games() {
        with_game!(&config, config => check_wishes(&config.build()));
    }
}

fn check_canonical<G: Game>(game: &G) {
    wander(game, |state, moves| {
        let canonical = game.canonical(state);
        let mover = game.to_move(&canonical);
        assert_eq!(
            game.canonical(&canonical),
            canonical,
            "it is its own canonical form"
        );
        assert_eq!(legal_moves(game, &canonical), moves, "{state:?}");
        assert_eq!(
            numbers(game, &canonical, mover),
            numbers(game, state, game.to_move(state))
        );
        for &action in moves {
            let (plain, other) = (after(game, state, action), after(game, &canonical, action));
            assert_eq!(game.canonical(&plain), game.canonical(&other));
            let result = |state: &G::State, side| Some(game.outcome(state)?.result_for(side));
            assert_eq!(
                result(&plain, game.to_move(state)),
                result(&other, mover),
                "{action:?} in {state:?} ends alike for the player who makes it"
            );
        }
    });
}

#[test]
fn the_canonical_form_offers_the_same_moves_numbers_and_prospects() {
    for config in games() {
        with_game!(&config, config => check_canonical(&config.build()));
    }
}

/// Each stage is a picture of its own on the board of the position that the move leads to.
fn check_stages<G: Game>(game: &G, state: &G::State, moves: &[G::Move]) {
    let room = Room {
        width: 40,
        height: 17,
    };
    for &action in moves {
        let mut before = game.board(&after(game, state, action), Some((state, action)), room);
        before.spots.clear();
        for stage in (0..game.stages(action)).rev() {
            let board = game.underway(state, action, stage, room);
            assert_eq!((board.width, board.height), (before.width, before.height));
            assert_ne!(board, before, "{state:?}: {action:?} after {stage} stages");
            before = board;
        }
    }
}

fn check_picture<G: Game>(game: &G) {
    let mut last = None;
    wander(game, |state, moves| {
        for (width, height) in [(1, 1), (10, 3), (40, 12), (80, 24), (200, 60)] {
            let next = after(game, state, moves[0]);
            let move_made = (state, moves[0]);
            for (state, last) in [(state, None), (&next, Some(move_made))] {
                let board = game.board(state, last, Room { width, height });
                assert!(board.width <= width && board.height <= height, "{state:?}");
                assert_eq!(
                    board.cells.len(),
                    usize::from(board.width) * usize::from(board.height)
                );
                for spot in &board.spots {
                    let parsed = game.parse_move(state, &spot.word);
                    assert!(parsed.is_ok(), "{state:?}: {parsed:?}");
                    let last = spot.way.last();
                    assert!(last.is_none_or(|stop| stop.at == spot.at));
                }
            }
        }
        last = Some(state.clone());
        check_stages(game, state, moves);
    });
    let state = last.expect("a game has a move");
    let room = Room {
        width: 200,
        height: 60,
    };
    let spots = game.board(&state, None, room).spots;
    assert!(
        !spots.is_empty(),
        "with room enough, moves can be pointed at"
    );
}

#[test]
fn a_picture_fits_its_room_and_its_spots_are_legal_moves() {
    for config in games() {
        with_game!(&config, config => check_picture(&config.build()));
    }
}

fn check_starts<G: Game>(game: &G) {
    let listed = game.starts();
    for index in 0..100 {
        let draw = || game.start(&mut stream(1, Purpose::Opening, 0, index));
        let start = draw();
        assert_eq!(start, draw(), "the same stream gives the same start");
        assert!(
            game.outcome(&start).is_none(),
            "{start:?} is over before it begins"
        );
        assert!(
            listed.is_empty() || listed.contains(&start),
            "{start:?} is not listed"
        );
    }
}

#[test]
fn games_begin_from_the_starts_they_list() {
    for config in games() {
        with_game!(&config, config => check_starts(&config.build()));
    }
}

#[test]
fn every_game_has_a_unique_name_and_says_what_it_is() {
    let mut names: Vec<&str> = GameConfig::all().iter().map(GameConfig::name).collect();
    assert_eq!(names, GameConfig::NAMES);
    names.dedup();
    assert_eq!(names.len(), GameConfig::NAMES.len());
    for game in GameConfig::all() {
        assert!(!game.about().is_empty());
        assert_eq!(GameConfig::named(game.name()), Some(game));
    }
}
