//! Halted games: no further move is made, and their results are discarded.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use finches::agents::AgentConfig;
use finches::games::GameConfig;
use finches::games::nim::{NimConfig, NimGrading, NimMode, NimStart};
use finches::play::build;
use finches::play::matches::{Match, MatchConditions, MatchPlayer};
use finches::play::phenotype::Phenotype;

use crate::support::{Plain, pool, preset_with, session};

/// A player that takes one at a time from a heap of 100 plays itself, and halts the games at
/// evaluation number `halting`. Returns the number of evaluations and of finished games.
fn play(halting: Option<u32>) -> (u32, Option<usize>) {
    let game = GameConfig::Nim(NimConfig {
        heaps: vec![100],
        start: NimStart::Full,
        mode: NimMode::All,
        grading: NimGrading::Strict,
        ..NimConfig::default()
    });
    let agent = AgentConfig::named("direct").expect("it is registered");
    let arena = build(&game, &agent).expect("the agent can play the game");
    let (thoughts, halt) = (
        Arc::new(AtomicU32::new(0)),
        Arc::new(AtomicBool::new(false)),
    );
    let (counted, halted) = (Arc::clone(&thoughts), Arc::clone(&halt));
    let brain = Plain(move |_: &[f32]| {
        let thought = counted.fetch_add(1, Ordering::Relaxed) + 1;
        if halting == Some(thought) {
            halted.store(true, Ordering::Relaxed);
        }
        vec![0.0, 1.0]
    });
    let player = Arc::new(Phenotype::new(Box::new(brain)));
    let contenders: [MatchPlayer; 2] =
        [(), ()].map(|()| Arc::clone(&arena).match_player(Arc::clone(&player)));
    let meetings = [0, 1].map(|opening| Match {
        players: [0, 1],
        opening,
    });
    let conditions = MatchConditions {
        cancel: halt.as_ref(),
        ..MatchConditions::new(1)
    };
    let played = arena.play_matches(&pool(1), &contenders, &meetings, &conditions);
    let ended = played.map(|played| played.len());
    (thoughts.load(Ordering::Relaxed), ended)
}

#[test]
fn a_halt_within_a_generation_keeps_the_count_of_its_games() {
    let preset = preset_with("thien-1ply", &["simulations=2"]);
    let (mut session, halt) = (session(&preset, 1, 2), AtomicBool::new(false));
    let progress = Arc::clone(session.progress());
    let finished = std::thread::scope(|scope| {
        scope.spawn(|| {
            while progress.read().done == 0 {
                std::thread::yield_now();
            }
            halt.store(true, Ordering::Relaxed);
        });
        session.play(&halt)
    });
    let halted = progress.read();
    assert!(finished.is_none() && halted.done > 0 && halted.done < halted.expected);
    halt.store(false, Ordering::Relaxed);
    session.play(&halt).expect("nothing halts it");
    let played = progress.read();
    assert_eq!(played.expected, halted.expected);
    assert_eq!(played.done, played.expected);
}

#[test]
fn a_halted_game_ends_before_its_next_move_without_a_result() {
    assert_eq!(play(None), (200, Some(2)));
    assert_eq!(play(Some(3)), (3, None));
    // The first game was over, but the second was not.
    assert_eq!(play(Some(150)), (150, None));
}
