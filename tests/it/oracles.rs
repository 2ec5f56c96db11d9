//! Tests of measures against independent results: the solver against plain search, measures of
//! players against players of known quality.

use std::sync::Arc;

use finches::agents::AgentConfig;
use finches::games::nim::{Nim, NimConfig, NimGrading, NimMode, NimStart};
use finches::games::{Encoding, Game, GameConfig, GameParams, Notation, Rules};
use finches::genomes::Brain;
use finches::params::Params;
use finches::play::phenotype::Phenotype;
use finches::play::pool::Pool;
use finches::play::record::{GameRecord, Verdict};
use finches::play::reference_player::ReferencePlayer;
use finches::play::{Arena, PlayerRef, build, held_out::point_shares};
use finches::search::solver::{SolvedGame, SolvedValue};

use crate::support::Plain;

fn nim(heaps: &[u16]) -> NimConfig {
    NimConfig {
        heaps: heaps.to_vec(),
        start: NimStart::Random,
        mode: NimMode::All,
        grading: NimGrading::Strict,
        ..NimConfig::default()
    }
}

/// The agents that encode a Nim position and choose by the network alone.
fn seeing() -> Vec<&'static str> {
    let nim = GameConfig::Nim(nim(&[4, 4]));
    let agents = AgentConfig::all().into_iter();
    let fitting =
        agents.filter(|agent| build(&nim, agent).is_ok() && agent.name() != "monte_carlo");
    fitting.map(|agent| agent.name()).collect()
}

fn arena(config: &NimConfig, agent: &str) -> Arc<dyn Arena> {
    let mut agent = AgentConfig::named(agent).expect("it is registered");
    // A brain with oracle values needs no search, and with search it would lose early.
    if agent.name() == "alpha_beta" {
        agent.set("depth", "1").expect("it is allowed");
    }
    build(&GameConfig::Nim(config.clone()), &agent).expect("they go together")
}

/// The value of a position by exhaustive search, without a table, an order or a canonical form.
fn search<G: Game>(game: &G, state: &G::State) -> (i8, u16) {
    let mover = game.to_move(state);
    if let Some(outcome) = game.outcome(state) {
        return (outcome.result_for(mover), 0);
    }
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let after = |&action: &G::Move| {
        let mut next = state.clone();
        game.play(&mut next, action);
        let (value, length) = search(game, &next);
        let turned = if game.to_move(&next) == mover {
            value
        } else {
            -value
        };
        (turned, length + 1)
    };
    let results: Vec<(i8, u16)> = moves.iter().map(after).collect();
    let value = results.iter().map(|result| result.0).max();
    let value = value.expect("a game that is not over has a move");
    let lengths = results.iter().filter(|result| result.0 == value);
    let lengths = lengths.map(|result| result.1);
    let length = if value > 0 {
        lengths.min()
    } else {
        lengths.max()
    };
    (value, length.expect("one of the moves has the best value"))
}

fn check_solver(config: &NimConfig) {
    let game = config.build();
    let solved = SolvedGame::new(&game).expect("it is small");
    for (number, state) in solved.graph.states.iter().enumerate() {
        let number = number as u32;
        let (value, length) = search(&game, state);
        let text = game.position_text(state);
        assert_eq!(
            solved.value_of(number),
            SolvedValue {
                value,
                distance_to_end: length
            },
            "{text}"
        );
        let mut best = Vec::new();
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        for &action in &moves {
            let mut next = *state;
            game.play(&mut next, action);
            let (there, after) = search(&game, &next);
            let keeps = -there == value && (value > 0 || after + 1 == length);
            best.extend(keeps.then_some(action));
        }
        assert_eq!(
            solved.best_moves(number).collect::<Vec<_>>(),
            best,
            "{text}"
        );
        assert_eq!(
            solved.is_decision(number),
            best.len() < moves.len(),
            "{text}"
        );
    }
}

#[test]
fn the_solver_agrees_with_plain_search_in_every_position() {
    for heaps in [
        &[1][..],
        &[9],
        &[2, 2],
        &[4, 4],
        &[5, 3],
        &[3, 2, 2],
        &[2, 2, 2, 2],
    ] {
        for (start, mode) in [
            (NimStart::Random, NimMode::All),
            (NimStart::Full, NimMode::All),
            (NimStart::Random, NimMode::Simple),
        ] {
            check_solver(&NimConfig {
                start,
                mode,
                ..nim(heaps)
            });
        }
    }
}

/// The heaps a brain sees.
fn seen(game: &Nim, inputs: &[f32]) -> <Nim as Rules>::State {
    let sizes: Vec<String> = inputs.iter().map(|size| format!("{size}")).collect();
    let position = game.parse_position(&sizes.join(","));
    position.expect("a brain sees heap sizes")
}

/// A brain that makes an agent play the first best move in every position.
fn optimal_brain(config: &NimConfig, agent: &str) -> Box<dyn Brain> {
    let game = config.build();
    let solved = SolvedGame::new(&game).expect("it is small");
    let shape = game.shape();
    let valued = ["one_ply", "alpha_beta"].contains(&agent);
    let one_hot = agent == "one_hot";
    Box::new(Plain(move |inputs: &[f32]| {
        let state = seen(&game, inputs);
        let number = solved.find(&game, &state).expect("it can be reached");
        let solution = solved.value_of(number);
        if valued {
            // The negated value for the opponent; among lost positions the longest loss.
            return vec![f32::from(solution.value) * -1000.0 + f32::from(solution.distance_to_end)];
        }
        let best = solved.best_moves(number).next();
        let wanted = best.map_or(vec![0, 1], |action| {
            let mut components = Vec::new();
            game.encode_move(action, &mut components);
            components
        });
        if !one_hot {
            return wanted.iter().map(|&number| number as f32 + 0.5).collect();
        }
        let pairs = shape.components.iter().zip(wanted);
        pairs
            .flat_map(|(component, wanted)| {
                (component.low..=component.high).map(move |value| f32::from(value == wanted))
            })
            .collect()
    }))
}

#[test]
fn an_optimal_player_has_full_accuracy_with_every_agent() {
    for agent in seeing() {
        for heaps in [&[8][..], &[2, 2], &[4, 4], &[3, 2, 4]] {
            for grading in [NimGrading::Strict, NimGrading::Safe] {
                let config = NimConfig {
                    grading,
                    ..nim(heaps)
                };
                let arena = arena(&config, agent);
                let accuracy = arena.accuracy(&Phenotype::new(optimal_brain(&config, agent)));
                assert_eq!(accuracy, Some(1.0), "{agent} {heaps:?}");
            }
        }
    }
}

fn check_accuracy(brain: impl Fn(&[f32]) -> Vec<f32> + Send + Sync + 'static, expected: f64) {
    let arena = arena(&nim(&[2, 2]), "direct");
    assert_eq!(
        arena.accuracy(&Phenotype::new(Box::new(Plain(brain)))),
        Some(expected)
    );
}

/// Two heaps of up to 2: in 2,0 and 0,2 the only good move takes one; in 2,1 and 1,2 it takes both
/// of the larger heap. In 1,0, 0,1 there is one move, in 1,1 every move wins, in 2,2 every move
/// loses in three.
#[test]
fn the_smallest_game_of_two_heaps_has_four_choices() {
    let first = |inputs: &[f32]| if inputs[0] > 0.0 { 0.0 } else { 1.0 };
    check_accuracy(move |inputs| vec![first(inputs), 1.0], 2.0 / 4.0);
    check_accuracy(
        move |inputs| vec![first(inputs), inputs[0].max(1.0)],
        2.0 / 4.0,
    );
    let larger = |inputs: &[f32]| f32::from(inputs[1] > inputs[0]);
    check_accuracy(move |inputs| vec![larger(inputs), 2.0], 2.0 / 4.0);
    let both = |inputs: &[f32]| {
        if inputs[0] > 0.0 && inputs[1] > 0.0 {
            2.0
        } else {
            1.0
        }
    };
    check_accuracy(move |inputs| vec![larger(inputs), both(inputs)], 1.0);
    check_accuracy(|_| vec![0.0, 3.0], 0.0);
    check_accuracy(|_| vec![f32::NAN, f32::INFINITY], 0.0);
}

#[test]
fn a_game_too_large_to_solve_has_no_accuracy() {
    let player = Phenotype::new(Box::new(Plain(|_: &[f32]| vec![0.0, 1.0])));
    let reversi = GameConfig::named("reversi").expect("it is registered");
    let agent = AgentConfig::named("one_ply").expect("it is registered");
    let unsolved = build(&reversi, &agent).expect("they go together");
    assert!(!unsolved.info().is_solved);
    assert_eq!(unsolved.accuracy(&player), None);
    // Nim has a closed form, but its positions are not listed.
    let arena = arena(&nim(&[1000, 1000, 1000]), "direct");
    assert!(arena.info().is_solved);
    assert_eq!(arena.accuracy(&player), None);
}

/// The player's share of points against a reference player.
fn share(
    arena: &Arc<dyn Arena>,
    player: &Arc<Phenotype>,
    reference: ReferencePlayer,
    games: u32,
) -> f64 {
    let pool = Pool::new(2).expect("there are threads");
    point_shares(arena, &pool, std::slice::from_ref(player), reference, games)[0]
}

#[test]
fn equal_players_share_the_points_and_illegal_moves_score_none() {
    for agent in seeing() {
        let config = nim(&[4, 4]);
        let arena = arena(&config, agent);
        let player = Arc::new(Phenotype::new(optimal_brain(&config, agent)));
        let versus = |reference| share(&arena, &player, reference, 400);
        // The same position is played from both sides, and one of the two is won.
        assert_eq!(versus(ReferencePlayer::Oracle).to_bits(), 0.5_f64.to_bits());
        let share = versus(ReferencePlayer::Random);
        assert!(
            (0.7..1.0).contains(&share),
            "{agent} gets {share} against chance"
        );
    }
    let arena = arena(&nim(&[4, 4]), "direct");
    let cheat = Arc::new(Phenotype::new(Box::new(Plain(|_: &[f32]| vec![0.0, 9.0]))));
    for reference in ReferencePlayer::all(&[]) {
        let share = share(&arena, &cheat, reference, 100);
        // It never gets to move only where the other side has to take the last match at once.
        assert!(share < 0.1, "{share} against {reference:?}");
    }
}

#[test]
fn the_share_of_points_is_a_share_and_the_same_each_time() {
    let arena = arena(&nim(&[3, 4]), "one_ply");
    for factor in -5..=5_i8 {
        let brain = Plain(move |inputs: &[f32]| {
            let odd = (inputs[0] * 3.0 + inputs[1]).sin();
            vec![odd * f32::from(factor)]
        });
        let player = Arc::new(Phenotype::new(Box::new(brain)));
        for reference in ReferencePlayer::all(&[]) {
            for games in [1, 7, 200] {
                let once = share(&arena, &player, reference, games);
                assert!((0.0..=1.0).contains(&once), "{once}");
                let again = share(&arena, &player, reference, games);
                assert_eq!(once.to_bits(), again.to_bits());
            }
        }
    }
}

fn record(arena: &dyn Arena, guests: [PlayerRef<'_>; 2], index: u64) -> GameRecord {
    let names = ["a".to_owned(), "b".to_owned()];
    arena.play_record(guests, names, 1, 0, index)
}

#[test]
fn oracle_players_make_no_mistakes_and_the_right_side_wins() {
    use Verdict::{AllLose, AllWin, Forced, Indifferent};
    let config = nim(&[5, 4, 3]);
    let arena = arena(&config, "direct");
    let game = config.build();
    let solved = SolvedGame::new(&game).expect("it is small");
    let oracle = PlayerRef::Reference(ReferencePlayer::Oracle);
    let mut good = 0;
    for index in 0..50 {
        let record = record(arena.as_ref(), [oracle, oracle], index);
        for ply in &record.plies {
            let is_choice = matches!(ply.verdict, Verdict::Good | Verdict::BestOfLost);
            let fits = matches!(ply.verdict, Forced | Indifferent | AllWin | AllLose);
            assert!(is_choice || fits, "{record}");
            good += usize::from(is_choice);
        }
        let start = game.parse_position(&record.start).expect("it was written");
        let number = solved.find(&game, &start).expect("it can be reached");
        let solution = solved.value_of(number);
        assert_eq!(record.result, Some(solution.value), "{record}");
    }
    assert!(good > 50, "there was something to get right");
}

#[test]
fn a_recorded_game_names_mistakes_and_illegal_moves() {
    let config = NimConfig {
        start: NimStart::Full,
        ..nim(&[4])
    };
    let arena = arena(&config, "direct");
    let oracle = PlayerRef::Reference(ReferencePlayer::Oracle);
    let taking = |sticks: f32| Phenotype::new(Box::new(Plain(move |_: &[f32]| vec![0.0, sticks])));
    let one = taking(1.0);
    let text = record(arena.as_ref(), [PlayerRef::Evolved(&one), oracle], 0).to_string();
    insta::assert_snapshot!(text, @r"
    a v b
       1. 4                1:1        mistake
       2. 3                1:2        good
       3. 1                1:1        forced
          b wins
    ");
    let four = taking(4.0);
    let text = record(arena.as_ref(), [oracle, PlayerRef::Evolved(&four)], 0).to_string();
    insta::assert_snapshot!(text, @r"
    a v b
       1. 4                1:3        good
       2. 1                -          illegal
          a wins
    ");
}
