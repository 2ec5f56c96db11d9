//! Games of a player against itself, as examples of what its values should have been.

use std::ops::Range;

use rand::RngExt;

use crate::agents::{Turn, Workspace};
use crate::games::{Game, Side, StartKind, encoded};
use crate::genomes::temporal_differences::{PlayedPosition, TemporalDifferences};
use crate::genomes::training_set::{TrainingExample, TrainingSet};
use crate::genomes::{InputBatch, Scratch};
use crate::rng::{Purpose, stream};

use super::game_arena::GameArena;
use super::phenotype::Phenotype;
use super::pool::Pool;
use super::{Arena, game_loop};

/// The games of a player against itself.
pub struct SelfPlay<'a> {
    /// How it learns from them.
    pub learning: &'a TemporalDifferences,
    /// With the number of a game, it determines all random numbers.
    pub seed: u64,
    /// The numbers of the games.
    pub games: Range<u64>,
    /// What an output of the player says of the result, which is from −1 to 1.
    pub value: &'a (dyn Fn(f32) -> f32 + Sync),
}

/// A position after a move, as the network of the side that moved sees it.
struct SeenPosition {
    side: Side,
    inputs: Vec<f32>,
    /// Whether the move was random, in a game in which what follows random moves does not count.
    is_chance: bool,
}

impl<G: Game> GameArena<G> {
    /// As [`LearningData::self_play`](super::LearningData::self_play).
    pub(super) fn examples_of_self_play(
        &self,
        pool: &Pool,
        player: &Phenotype,
        games: &SelfPlay<'_>,
    ) -> TrainingSet {
        player.check(self.io_spec());
        let count = (games.games.end - games.games.start) as usize;
        let tool = || (Workspace::new(&self.game), Scratch::default());
        let played = pool.map_with(count, tool, |(workspace, scratch), at| {
            workspace.clear();
            let game = games.games.start + at as u64;
            let (seen, result) = self.seen(player, games, game, workspace);
            self.examples(player, games, seen, result, scratch)
        });
        let mut all = TrainingSet::default();
        played
            .into_iter()
            .flatten()
            .for_each(|example| all.push(example));
        all
    }

    /// The positions of a game, and its result to the first player.
    fn seen(
        &self,
        player: &Phenotype,
        games: &SelfPlay<'_>,
        number: u64,
        workspace: &mut Workspace<G>,
    ) -> (Vec<SeenPosition>, i8) {
        let game = &self.game;
        let is_on_policy = games.learning.is_on_policy(number);
        let mut rng = stream(games.seed, Purpose::SelfPlay, 0, number);
        let start = game.start(StartKind::Opening, &mut rng);
        let (mut seen, mut moves) = (Vec::new(), Vec::new());
        let played = game_loop::play_game(game, start, |state| {
            let is_random = rng.random_bool(games.learning.random_moves);
            let action = if is_random {
                moves.clear();
                game.moves(state, &mut moves);
                moves[rng.random_range(0..moves.len())]
            } else {
                let mut turn = Turn::new(game, player.brain(), state, workspace);
                self.agent.choose(&mut turn, &mut rng)?
            };
            let side = game.to_move(state);
            let mut after = state.clone();
            game.play(&mut after, action);
            seen.push(SeenPosition {
                side,
                inputs: encoded(game, &self.io_spec().inputs, &after, side),
                is_chance: is_random && !is_on_policy,
            });
            Some(action)
        });
        (seen, played.result)
    }

    /// What is learned from a game, given its positions and its result to the first player.
    fn examples(
        &self,
        player: &Phenotype,
        games: &SelfPlay<'_>,
        seen: Vec<SeenPosition>,
        result: i8,
        scratch: &mut Scratch,
    ) -> Vec<TrainingExample> {
        let mut outputs = Vec::new();
        let position = |at: usize| {
            let SeenPosition { side, inputs, .. } = &seen[at];
            let next = seen.get(at + 1);
            player
                .brain()
                .forward(InputBatch::single(inputs), scratch, &mut outputs);
            PlayedPosition {
                value: (games.value)(outputs[0]),
                result: f32::from(if *side == Side::First {
                    result
                } else {
                    -result
                }),
                moves_again: next.is_some_and(|next| next.side == *side),
                ends_in_chance: next.is_some_and(|next| next.is_chance),
            }
        };
        let positions: Vec<PlayedPosition> = (0..seen.len()).map(position).collect();
        let targets = games.learning.targets(&positions);
        let examples = seen.into_iter().zip(targets);
        let example = |(seen, target): (SeenPosition, Option<f32>)| {
            let inputs = self.io_spec().inputs.project(seen.inputs);
            target.map(|target| TrainingExample {
                inputs,
                targets: vec![Some(target)],
            })
        };
        examples.filter_map(example).collect()
    }
}
