//! Lessons from the games of a reference player: what it would gain by each move.

use crate::agents::{Agent, Desk};
use crate::games::Game;
use crate::games::reference::{Notes, Reference};
use crate::genomes::lessons::{Lesson, Lessons};
use crate::rng::{Purpose, stream};

use super::{Hall, bout};

/// Plays games of the teacher, which moves first in every other one, against the random player. Each position in which the teacher
/// is to move and some move gains something makes a lesson.
pub(super) fn collect<G: Game, A: Agent>(
    hall: &Hall<G, A>,
    teacher: Reference,
    games: u32,
    seed: u64,
    set: u64,
) -> Result<Lessons, String> {
    let Reference::Judge { judge, .. } = teacher else {
        return Err(
            "teaches nothing, because it goes by no rule of thumb; give a reference player that does"
                .to_owned(),
        );
    };
    let game = &hall.game;
    let (mut lessons, mut notes, mut desk) =
        (Lessons::default(), Notes::default(), Desk::new(game));
    let (mut moves, mut gains, mut fault) = (Vec::new(), Vec::new(), None);
    for index in 0..games {
        let mut rng = stream(seed, Purpose::Lessons, set, index.into());
        let start = game.start(&mut rng);
        let side = [game.to_move(&start), game.to_move(&start).other()][index as usize % 2];
        bout::follow(game, start, |state| {
            if game.to_move(state) != side {
                let random = Reference::Random;
                return Some(random.choose(game, None, state, &mut notes, &mut rng));
            }
            moves.clear();
            game.moves(state, &mut moves);
            let now = game.appraise(judge.into(), state, side);
            gains.clear();
            gains.extend(moves.iter().map(|&action| {
                let mut after = state.clone();
                game.play(&mut after, action);
                game.appraise(judge.into(), &after, side) - now
            }));
            if gains.iter().any(|&gain| gain > 0.0) {
                match hall.agent.targets(game, state, &moves, &gains, &mut desk) {
                    Ok(targets) => {
                        let inputs = hall.inputs(state, side);
                        lessons.push(Lesson { inputs, targets });
                    }
                    Err(why) => fault = Some(why),
                }
            }
            Some(teacher.choose(game, hall.oracle.as_deref(), state, &mut notes, &mut rng))
        });
    }
    fault.map_or(Ok(lessons), Err)
}
