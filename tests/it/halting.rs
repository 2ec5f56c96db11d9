//! Games that are broken off: no further move is made, and nothing is counted of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use finches::agents::AgentConfig;
use finches::arena::build;
use finches::arena::meet::{Conditions, Contender, Meeting};
use finches::arena::player::Player;
use finches::games::GameConfig;
use finches::games::nim::{Grading, Mode, NimConfig, Start};

use crate::support::{Plain, pool};

/// Lets a player that takes one at a time from a heap of a hundred play itself, until its thought of that number halts the
/// game, if any does; its thoughts, and how many games came to an end.
fn play(halting: Option<u32>) -> (u32, Option<usize>) {
    let game = GameConfig::Nim(NimConfig {
        stacks: vec![100],
        start: Start::Full,
        mode: Mode::All,
        grading: Grading::Strict,
    });
    let agent = AgentConfig::named("direct").expect("there is such an agent");
    let arena = build(&game, &agent).expect("they go together");
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
    let player = Arc::new(Player::new(Box::new(brain)));
    let contenders: [Contender; 2] =
        [(), ()].map(|()| Arc::clone(&arena).contender(Arc::clone(&player)));
    let meetings = [0, 1].map(|opening| Meeting {
        seats: [0, 1],
        opening,
    });
    let conditions = Conditions {
        seed: 1,
        key: 0,
        first: 0,
        noise: 0.0,
        halt: Some(&halt),
    };
    let played = arena.meet(&pool(1), &contenders, &meetings, &conditions);
    let ended = played.map(|played| played.len());
    (thoughts.load(Ordering::Relaxed), ended)
}

#[test]
fn a_game_that_is_halted_ends_before_its_next_move_and_comes_to_nothing() {
    assert_eq!(play(None), (200, Some(2)));
    assert_eq!(play(Some(3)), (3, None));
    // The first game was over; of both, the second is not.
    assert_eq!(play(Some(150)), (150, None));
}
