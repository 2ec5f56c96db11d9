//! Networks whose weights are given: they play as the strategy that they were built for, in every
//! position.

use std::collections::BTreeSet;
use std::sync::Arc;

use rand::RngExt;

use finches::games::dots_and_boxes::{DotsAndBoxes, DotsAndBoxesConfig};
use finches::games::{Encoding, GameParams, Heuristics, Rules, StartKind};
use finches::genomes::{AnyGenome, Brain, InputBatch, Scratch};
use finches::params::notation;
use finches::play::match_setup::ChampionPlayer;
use finches::rng::{Purpose, stream};

use crate::support::{preset, preset_with, session};

/// The heuristic of a level of Weaver & Bossomaier (1996).
const LEVELS: [&str; 2] = ["level-1", "level-2"];

/// The moves of the highest values, by their places in a list.
fn highest(values: &[f32]) -> BTreeSet<usize> {
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let places = values.iter().enumerate();
    let places = places.filter(|&(_, &value)| value >= most);
    places.map(|(place, _)| place).collect()
}

/// Calls `check` in every position of random games with the moves that a level chooses among, those
/// that the network values most, and the number of all moves. Returns the number of positions.
fn compare(
    game: &DotsAndBoxes,
    brain: &dyn Brain,
    level: &str,
    mut check: impl FnMut(&BTreeSet<usize>, &BTreeSet<usize>, usize),
) -> usize {
    let level = LEVELS.iter().position(|name| *name == level);
    let level = level.expect("there are two levels");
    let (mut inputs, mut outputs) = (vec![0.0; game.shape().inputs.count], Vec::new());
    let mut positions = 0;
    for index in 0..100 {
        let mut rng = stream(index, Purpose::Sample, 0, 0);
        let mut state = game.start(StartKind::Game, &mut rng);
        while game.outcome(&state).is_none() {
            let (mut moves, mut numbers) = (Vec::new(), Vec::new());
            game.moves(&state, &mut moves);
            let side = game.to_move(&state);
            let gain = |&action| {
                let mut after = state;
                game.play(&mut after, action);
                game.evaluate(level, &after, side)
            };
            let gains: Vec<f32> = moves.iter().map(gain).collect();
            game.encode(&state, side, &mut inputs);
            let batch = InputBatch::single(&inputs);
            brain.forward(batch, &mut Scratch::default(), &mut outputs);
            for &action in &moves {
                game.encode_move(action, &mut numbers);
            }
            let values: Vec<f32> = numbers.iter().map(|&edge| outputs[edge as usize]).collect();
            check(&highest(&gains), &highest(&values), moves.len());
            positions += 1;
            let chosen = rng.random_range(0..moves.len());
            game.play(&mut state, moves[chosen]);
        }
    }
    positions
}

/// The brain of every member of a preset, of which all are the same at first.
fn brain(name: &str) -> Box<dyn Brain> {
    let session = session(&preset(name), 1, 1);
    let members = &session.state().population.members;
    assert!(members.iter().all(|member| member == &members[0]), "{name}");
    let io_spec = session.arena().io_spec();
    session.preset().genome.grow(&members[0], io_spec)
}

#[test]
fn the_hand_built_network_closes_a_box_wherever_level_1_does() {
    let (game, mut closing) = (DotsAndBoxesConfig::default().build(), 0);
    let brain = brain("weaver-hand-built");
    compare(&game, &*brain, "level-1", |wanted, preferred, moves| {
        closing += usize::from(wanted.len() < moves);
        // Its bits can't say 0, so it prefers one of several boxes.
        assert!(preferred.is_subset(wanted), "{preferred:?} {wanted:?}");
    });
    assert!(closing > 200, "{closing}");
}

#[test]
fn the_network_with_a_layer_more_prefers_exactly_the_edges_that_level_2_chooses_among() {
    let game = DotsAndBoxesConfig::default().build();
    let brain = brain("weaver-hand-built-level-2");
    let (mut chosen, mut all) = (0, 0);
    let positions = compare(&game, &*brain, "level-2", |wanted, preferred, moves| {
        assert_eq!(preferred, wanted);
        chosen += usize::from(wanted.len() < moves);
        all += usize::from(wanted.len() == moves);
    });
    assert_eq!(positions, 2400);
    assert!(chosen > 1000 && all > 200, "{chosen} {all}");
}

/// A module for one box: it counts the sides beyond the first and beyond the second, and a side
/// that it lacks is worth eight times the second count minus the first.
const BOX: &str = "modules(surroundings: false, module: (layers: [4, 2, 4], biases: true, genes: [\
    -1, 1, 1, 1, 1, -2, 1, 1, 1, 1, \
    0, -1, 8, 0, -1, 8, 0, -1, 8, 0, -1, 8]))";

#[test]
fn a_module_for_one_box_plays_on_boards_of_every_size() {
    let preset = preset_with("weaver-modules", &["module.hidden=[2]", "activation=relu"]);
    let genome: AnyGenome = notation().from_str(BOX).expect("it is a genome");
    for (rows, columns) in [(1, 1), (3, 3), (4, 2), (5, 5)] {
        let parameters = [("rows", rows), ("columns", columns)]
            .map(|(key, value)| (key.to_owned(), value.to_string()));
        let config = preset.player_config();
        let champion = ChampionPlayer::new(config, &genome, &parameters, None);
        let champion = champion.unwrap_or_else(|error| panic!("{rows}x{columns}: {error}"));
        let game = DotsAndBoxesConfig {
            rows,
            columns,
            ..DotsAndBoxesConfig::default()
        };
        let player = Arc::clone(&champion.player);
        compare(
            &game.build(),
            player.brain(),
            "level-2",
            |wanted, preferred, _| {
                assert!(preferred.is_subset(wanted), "{preferred:?} {wanted:?}");
            },
        );
    }
    let dense = preset_with("weaver-modules", &["genome=mlp()"]);
    let io_spec = finches::play::io_spec(&dense.game, &dense.agent).expect("they fit");
    let genome = dense
        .genome
        .random(&io_spec, &mut stream(1, Purpose::Initialization, 0, 0));
    let larger = [("rows".to_owned(), "5".to_owned())];
    let refused = ChampionPlayer::new(dense.player_config(), &genome, &larger, None);
    let error = refused.err().expect("its inputs are those of its board");
    assert!(
        error.to_string().contains("38 and 38 are needed"),
        "{error}"
    );
}
