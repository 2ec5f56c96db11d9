//! Properties of every game, checked on random games. The tests check every registered game with
//! varied parameters; a game of another crate is checked by [`check`].

use std::collections::HashMap;

use rand::RngExt;

use crate::io_module::IoModule;
use crate::rng::{Purpose, Stream, stream};

use super::board::MaxSize;
use super::transcript::read_record;
use super::{Game, Side, StartKind};

/// Checks that the parts of a game agree with each other. Panics where they do not.
pub fn check<G: Game>(game: &G) {
    check_legal_moves(game);
    check_text(game);
    check_records(game);
    check_numbers(game);
    check_keys(game);
    check_components(game);
    check_modules(game);
    check_board(game);
    check_canonical(game);
    check_picture(game);
    check_starts(game);
    check_moves_left(game);
}

/// Calls `check` with every position of a few random games except the last, and its legal moves.
fn wander<G: Game>(game: &G, mut check: impl FnMut(&G::State, &[G::Move])) {
    for seed in 0..8 {
        let mut rng = stream(seed, Purpose::Sample, 0, 0);
        let mut state = game.start(StartKind::Game, &mut rng);
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
    let shape = game.shape();
    let mut numbers = vec![f32::NAN; shape.inputs.raw_count()];
    game.encode(state, side, &mut numbers);
    if let Some(largest) = shape.inputs.whole {
        let is_within = |number: &f32| number.fract() == 0.0 && number.abs() <= largest.into();
        assert!(numbers.iter().all(is_within), "{numbers:?} in {state:?}");
    }
    if !shape.inputs.levels.is_empty() {
        assert_eq!(shape.inputs.levels.len(), numbers.len());
        let mut levels = numbers.iter().zip(shape.inputs.levels.iter());
        let is_level = |(number, &levels): (&f32, &u16)| {
            number.fract() == 0.0 && (0.0..f32::from(levels)).contains(number)
        };
        assert!(levels.all(is_level), "{numbers:?} in {state:?}");
    }
    if let Some(board) = &shape.inputs.board {
        let levels = 0..i16::from(board.levels);
        let is_level = |number: &f32| {
            number.fract() == 0.0 && levels.contains(&(*number as i16 - i16::from(board.lowest)))
        };
        assert!(numbers.iter().all(is_level), "{numbers:?} in {state:?}");
    }
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

fn check_text<G: Game>(game: &G) {
    wander(game, |state, moves| {
        for &action in moves {
            let text = game.move_text(action);
            assert_eq!(game.parse_move(state, &text), Ok(action), "{text}");
            let first = text.chars().next().expect("a move is not empty");
            assert!(game.begins_move(state, first), "{text}");
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

fn check_records<G: Game>(game: &G) {
    for seed in 0..8 {
        let mut rng = stream(seed, Purpose::Sample, 0, 0);
        let start = game.start(StartKind::Game, &mut rng);
        let (mut state, mut line) = (start.clone(), Vec::new());
        while let Some(action) = pick(&legal_moves(game, &state), &mut rng) {
            game.play(&mut state, action);
            line.push(action);
        }
        let text = game.record_text(&line);
        let read = read_record(game, Some(&start), &text);
        assert_eq!(read, Ok((start.clone(), line)), "{text}");
        let error = read_record(game, Some(&start), "?");
        let error = error.expect_err("it is not a record").to_string();
        assert!(error.starts_with("record[0]: `?`"), "{error}");
    }
}

fn check_numbers<G: Game>(game: &G) {
    wander(game, |state, moves| {
        let side = game.to_move(state);
        for side in [side, side.opponent()] {
            let before = numbers(game, state, side);
            assert!(before.iter().all(|number| number.is_finite()), "{before:?}");
            for &action in moves {
                let mut changes = Vec::new();
                game.changes(state, action, side, &mut changes);
                let mut changed = before.clone();
                for (input, value) in changes {
                    changed[input as usize] = value;
                }
                let expected = numbers(game, &after(game, state, action), side);
                assert_eq!(changed, expected, "{action:?} in {state:?}");
            }
            check_successors(game, state, side, moves);
        }
    });
}

/// Checks that positions with the same key are encoded alike, and that a move leads to the key it
/// promises.
fn check_keys<G: Game>(game: &G) {
    let mut known = HashMap::new();
    wander(game, |state, moves| {
        for side in [Side::First, Side::Second] {
            let key = game.encoding_key(state, side);
            let seen = numbers(game, state, side);
            assert_eq!(*known.entry(key).or_insert(seen.clone()), seen, "{state:?}");
            for &action in moves {
                let expected = game.encoding_key(&after(game, state, action), side);
                let promised = game.successor_key(state, action, side);
                assert_eq!(promised, expected, "{action:?} in {state:?}");
            }
        }
    });
}

/// Checks that `successors`, with used buffers, agrees with `moves` and `changes`.
fn check_successors<G: Game>(game: &G, state: &G::State, side: Side, moves: &[G::Move]) {
    let (mut listed, mut ends) = (moves.to_vec(), vec![9; 3]);
    let (mut all, mut one) = (vec![(7, 7.0); 5], Vec::new());
    game.successors(state, side, &mut listed, &mut all, &mut ends);
    assert_eq!((&*listed, ends.len()), (moves, moves.len()), "{state:?}");
    let mut from = 0;
    for (&action, &end) in moves.iter().zip(&ends) {
        one.clear();
        game.changes(state, action, side, &mut one);
        let listed = &all[from..end as usize];
        assert_eq!(listed, one, "{action:?} in {state:?}");
        from = end as usize;
    }
    check_successor_signs(game, state, side, moves);
}

/// Checks that `successor_signs`, with used buffers, agrees with `moves` and `encode`, if the game
/// has it.
fn check_successor_signs<G: Game>(game: &G, state: &G::State, side: Side, moves: &[G::Move]) {
    let (mut listed, mut all) = (moves.to_vec(), vec![[5, 2]; 3]);
    let Some(own) = game.successor_signs(state, side, &mut listed, &mut all) else {
        return;
    };
    assert_eq!((&*listed, all.len()), (moves, moves.len()), "{state:?}");
    assert_eq!(
        unpacked(own),
        padded(numbers(game, state, side)),
        "{state:?}"
    );
    for (&action, &signs) in moves.iter().zip(&all) {
        let expected = padded(numbers(game, &after(game, state, action), side));
        assert_eq!(unpacked(signs), expected, "{action:?} in {state:?}");
    }
}

/// The numbers that two sets of bits stand for.
fn unpacked([plus, minus]: [u64; 2]) -> Vec<f32> {
    let bit = |set: u64, index: u32| (set >> index & 1) as f32;
    (0..u64::BITS)
        .map(|index| bit(plus, index) - bit(minus, index))
        .collect()
}

/// With zeros up to the number of bits.
fn padded(mut numbers: Vec<f32>) -> Vec<f32> {
    assert!(numbers.len() <= u64::BITS as usize);
    numbers.resize(u64::BITS as usize, 0.0);
    numbers
}

fn check_components<G: Game>(game: &G) {
    let components = game.shape().components;
    wander(game, |state, moves| {
        for &action in moves.iter().filter(|_| !components.is_empty()) {
            let mut numbers = Vec::new();
            game.encode_move(action, &mut numbers);
            assert_eq!(numbers.len(), components.len());
            for (number, component) in numbers.iter().zip(&components) {
                assert!(
                    (component.low..=component.high).contains(number),
                    "{}: {number}",
                    component.name
                );
            }
            assert_eq!(game.decode_move(state, &numbers), Some(action));
        }
        for extreme in [i32::MIN, -1, 0, i32::MAX] {
            let numbers = vec![extreme; components.len()];
            let action = game.decode_move(state, &numbers);
            assert!(
                action.is_none_or(|action| moves.contains(&action)),
                "{numbers:?} became {action:?} in {state:?}"
            );
        }
    });
}

/// Checks that there are never more moves left than the game says.
fn check_moves_left<G: Game>(game: &G) {
    wander(game, |state, moves| {
        let Some(left) = game.moves_left(state) else {
            return;
        };
        for &action in moves {
            let after = game.moves_left(&after(game, state, action));
            let most = left.checked_sub(u16::from(!game.is_pass(action)));
            assert!(after <= most, "{left}, then {after:?} in {state:?}");
        }
    });
}

/// Checks that the parts of the board are alike, that their numbers are in the encoding, and that
/// each move is in one of them.
fn check_modules<G: Game>(game: &G) {
    let shape = game.shape();
    let Some(first) = shape.modules.first() else {
        return;
    };
    let [moves] = &shape.components[..] else {
        panic!("a move is {} numbers", shape.components.len());
    };
    let mut reached = vec![false; moves.span()];
    for module in &*shape.modules {
        let sizes = |module: &IoModule| {
            let around = module.surroundings.len();
            (module.inputs.len(), around, module.outputs.len())
        };
        assert_eq!(sizes(module), sizes(first), "{module:?}");
        let around = module.surroundings.iter().flatten();
        let mut inputs: Vec<u32> = module.inputs.iter().chain(around).copied().collect();
        inputs.sort_unstable();
        assert!(
            inputs.windows(2).all(|pair| pair[0] < pair[1]),
            "{module:?}"
        );
        let largest = inputs.last().map_or(0, |&input| input as usize);
        assert!(largest < shape.inputs.raw_count(), "{module:?}");
        for &output in &module.outputs {
            reached[output as usize] = true;
        }
    }
    assert!(reached.iter().all(|&reached| reached), "{reached:?}");
}

/// Checks that each number of the encoding lies on one square of the board, and that symmetries
/// only exchange squares.
fn check_board<G: Game>(game: &G) {
    let shape = game.shape();
    let Some(board) = &shape.inputs.board else {
        return;
    };
    let all: Vec<u32> = (0..shape.inputs.raw_count() as u32).collect();
    let sorted = |mut inputs: Vec<u32>| {
        inputs.sort_unstable();
        inputs
    };
    assert_eq!(
        sorted(board.inputs.iter().flatten().copied().collect()),
        all
    );
    assert_eq!(
        board.symmetries.first(),
        Some(&all),
        "the identity is first"
    );
    for symmetry in &board.symmetries {
        assert_eq!(sorted(symmetry.clone()), all);
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

/// Checks that the frames of a move differ and have the size of the final picture.
fn check_frames<G: Game>(game: &G, state: &G::State, moves: &[G::Move]) {
    let room = MaxSize {
        width: 40,
        height: 17,
    };
    for &action in moves {
        let mut before = game.board(&after(game, state, action), Some((state, action)), room);
        before.targets.clear();
        for frame in (0..game.animation_frame_count(action)).rev() {
            let board = game.animation_frame(state, action, frame, room);
            assert_eq!((board.width, board.height), (before.width, before.height));
            assert_ne!(board, before, "{state:?}: {action:?}, frame {frame}");
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
                let board = game.board(state, last, MaxSize { width, height });
                assert!(board.width <= width && board.height <= height, "{state:?}");
                assert_eq!(
                    board.cells.len(),
                    usize::from(board.width) * usize::from(board.height)
                );
                for target in &board.targets {
                    let parsed = game.parse_move(state, &target.move_text);
                    assert!(parsed.is_ok(), "{state:?}: {parsed:?}");
                    let last = target.path.last();
                    assert!(last.is_none_or(|stop| stop.at == target.at));
                }
            }
        }
        last = Some(state.clone());
        check_frames(game, state, moves);
    });
    let state = last.expect("a game has a move");
    let room = MaxSize {
        width: 200,
        height: 60,
    };
    let targets = game.board(&state, None, room).targets;
    assert!(!targets.is_empty(), "with enough space, moves have targets");
}

fn check_starts<G: Game>(game: &G) {
    let listed = game.all_starts();
    for index in 0..100 {
        let draw = || game.start(StartKind::Game, &mut stream(1, Purpose::Opening, 0, index));
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

#[cfg(test)]
pub(crate) mod tests {
    use super::super::{GameConfig, GameParams, with_game};
    use super::*;
    use crate::params::{ParamKind, Params};

    /// Parameters to test besides the defaults and every choice of every parameter.
    const VARIED: [(&str, &[(&str, &str)]); 11] = [
        ("nim", &[("heaps", "[1]")]),
        ("nim", &[("heaps", "[12]"), ("mode", "simple")]),
        ("nim", &[("heaps", "[3, 5, 7]"), ("start", "full")]),
        ("nim", &[("heaps", "[1, 2, 1, 2, 1, 2, 1, 2]")]),
        ("nim", &[("heaps", "[1000, 3]")]),
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

    /// Every registered game with default parameters, with each choice of each parameter, and with
    /// the varied parameters.
    pub(crate) fn games() -> Vec<GameConfig> {
        let mut games = GameConfig::all();
        for game in GameConfig::all() {
            let mut params = Vec::new();
            game.visit("", &mut params);
            for param in params {
                let ParamKind::Choice(names) = param.kind else {
                    continue;
                };
                games.extend(
                    names
                        .iter()
                        .map(|name| changed(&game, &[(&param.key, name)])),
                );
            }
        }
        for (name, assignments) in VARIED {
            let game = GameConfig::named(name).expect("the game is registered");
            games.push(changed(&game, assignments));
        }
        games
    }

    fn changed(game: &GameConfig, assignments: &[(&str, &str)]) -> GameConfig {
        let mut game = game.clone();
        for (key, value) in assignments {
            game.set(key, value).expect("the parameters are valid");
        }
        assert_eq!(game.problems(), [], "{game:?}");
        game
    }

    #[test]
    fn moves_are_listed_in_ascending_order_once_each_and_only_until_the_game_is_over() {
        for config in games() {
            with_game!(&config, config => check_legal_moves(&config.build()));
        }
    }

    #[test]
    fn moves_and_positions_read_back_from_their_text() {
        for config in games() {
            with_game!(&config, config => check_text(&config.build()));
        }
    }

    #[test]
    fn a_game_reads_back_from_its_record() {
        for config in games() {
            with_game!(&config, config => check_records(&config.build()));
        }
    }

    #[test]
    fn positions_with_the_same_key_are_encoded_alike() {
        for config in games() {
            with_game!(&config, config => check_keys(&config.build()));
        }
    }

    #[test]
    fn the_changes_of_a_move_agree_with_the_next_encoding() {
        for config in games() {
            with_game!(&config, config => check_numbers(&config.build()));
        }
    }

    #[test]
    fn encoded_moves_decode_and_arbitrary_components_never_give_an_illegal_move() {
        for config in games() {
            with_game!(&config, config => check_components(&config.build()));
        }
    }

    #[test]
    fn parts_that_are_alike_have_equally_many_numbers_and_together_all_moves() {
        for config in games() {
            with_game!(&config, config => check_modules(&config.build()));
        }
    }

    #[test]
    fn the_canonical_form_has_the_same_moves_encoding_and_results() {
        for config in games() {
            with_game!(&config, config => check_canonical(&config.build()));
        }
    }

    #[test]
    fn a_picture_fits_its_space_and_its_targets_are_legal_moves() {
        for config in games() {
            with_game!(&config, config => check_picture(&config.build()));
        }
    }

    #[test]
    fn games_start_from_listed_positions() {
        for config in games() {
            with_game!(&config, config => check_starts(&config.build()));
        }
    }

    #[test]
    fn every_game_has_a_unique_name_and_a_description() {
        let mut names: Vec<&str> = GameConfig::all().iter().map(GameConfig::name).collect();
        assert_eq!(names, GameConfig::NAMES);
        names.dedup();
        assert_eq!(names.len(), GameConfig::NAMES.len());
        for game in GameConfig::all() {
            assert!(!game.about().is_empty());
            assert_eq!(GameConfig::named(game.name()), Some(game));
        }
    }
}
