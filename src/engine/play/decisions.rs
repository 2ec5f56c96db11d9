//! The decisions of a player in every position of a solved game. A decision is wrong exactly if
//! [`super::Judging::wrong_decisions`] counts it.

use crate::agents::Policy;
use crate::games::Game;
use crate::search::solver::SolvedGame;

use super::evaluation;
use super::game_arena::{GameArena, SmallGame};

/// The quality of a decision. Only the result counts, not how soon it is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecisionQuality {
    /// It keeps the value of the position, and some other move does not.
    Right,
    /// It leads to a worse result than the best move.
    Wrong,
    /// All moves lead to the same result.
    Indifferent,
}

/// A position and the player's move in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The position as text.
    pub position: String,
    /// The legal moves as text, in the game's order.
    pub moves: Vec<String>,
    /// For each legal move, whether it keeps the value of the position.
    pub keeps: Vec<bool>,
    /// The index of the player's move, the first one that leads to the same position; `None` if the
    /// move is illegal.
    pub chosen: Option<usize>,
    /// What it does to the value of the position.
    pub quality: DecisionQuality,
}

/// The decisions in all positions in which the game is not over.
pub(super) fn all<G: Game>(
    arena: &GameArena<G>,
    small: &SmallGame<G>,
    policy: &Policy,
) -> Vec<Decision> {
    let graph = &small.solved.graph;
    let positions = 0..graph.len() as u32;
    let positions = if arena.info.io_spec.choice_counts.is_empty() {
        positions.collect()
    } else {
        let index = |state: u32| arena.game.state_index(&graph.states[state as usize]);
        in_order(positions.map(|state| (index(state), state)).collect())
    };
    let positions = positions.into_iter();
    let open = positions.filter(|&state| graph.result(state).is_none());
    open.map(|state| decision(&arena.game, &small.solved, policy, state))
        .collect()
}

/// The positions in the order of their numbers.
fn in_order(mut numbered: Vec<(usize, u32)>) -> Vec<u32> {
    numbered.sort_unstable();
    numbered.into_iter().map(|(_, state)| state).collect()
}

fn decision<G: Game>(game: &G, solved: &SolvedGame<G>, policy: &Policy, state: u32) -> Decision {
    let graph = &solved.graph;
    let steps = graph.transitions(state);
    let keeps: Vec<bool> = steps
        .iter()
        .map(|step| evaluation::keeps(solved, state, Some(*step)))
        .collect();
    let step = policy.step(state);
    let judgment = if !evaluation::keeps(solved, state, step) {
        DecisionQuality::Wrong
    } else if keeps.iter().all(|&keeps| keeps) {
        DecisionQuality::Indifferent
    } else {
        DecisionQuality::Right
    };
    let moves = graph.moves(state).iter();
    Decision {
        position: game.position_text(&graph.states[state as usize]),
        moves: moves.map(|&action| game.move_text(action)).collect(),
        keeps,
        chosen: step.and_then(|step| steps.iter().position(|&other| other == step)),
        quality: judgment,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::agents::AgentConfig;
    use crate::agents::lookup::Lookup;
    use crate::games::GameConfig;
    use crate::games::bounded_nim::BoundedNimConfig;
    use crate::genomes::GenomeConfig;
    use crate::genomes::table::TableConfig;
    use crate::play::phenotype::Phenotype;
    use crate::play::{Arena, build};
    use crate::rng::{Purpose, stream};

    /// The decisions of a random lookup table, and the number of wrong ones by
    /// [`Judging::wrong_decisions`].
    fn graded(arena: &Arc<dyn Arena>, index: u64) -> (Vec<Decision>, u32) {
        let genome = GenomeConfig::Table(TableConfig::default());
        let mut rng = stream(3, Purpose::Initialization, 0, index);
        let table = genome.random(arena.io_spec(), &mut rng);
        let player = Arc::new(Phenotype::new(genome.grow(&table, arena.io_spec())));
        let decisions = arena.decisions(&player).expect("the game is solved");
        let wrong = arena.wrong_decisions(&[player]);
        (decisions, wrong.expect("the game is solved")[0])
    }

    fn check(stones: u16, most: u16) {
        let game = GameConfig::BoundedNim(BoundedNimConfig { stones, most });
        let arena = build(&game, &AgentConfig::Lookup(Lookup {})).expect("they go together");
        for index in 0..40 {
            let (decisions, wrong) = graded(&arena, index);
            let judged = decisions
                .iter()
                .filter(|decision| decision.quality == DecisionQuality::Wrong);
            assert_eq!(judged.count(), wrong as usize, "{stones} {most} {index}");
            for decision in &decisions {
                by_the_rule(most, decision);
            }
        }
    }

    /// Checks a decision by Hynek's rule: leave a multiple of `most + 1` stones, plus one.
    fn by_the_rule(most: u16, decision: &Decision) {
        let left: u16 = decision.position.parse().expect("a number of stones");
        let best = (left - 1) % (most + 1);
        let taken = decision.chosen.map(|index| index as u16 + 1);
        let expected = match (best, left) {
            (0, _) => DecisionQuality::Indifferent,
            // If only one stone may be taken, there is no choice.
            (_, _) if decision.moves.len() == 1 => DecisionQuality::Indifferent,
            (best, _) if taken == Some(best) => DecisionQuality::Right,
            _ => DecisionQuality::Wrong,
        };
        assert_eq!(decision.quality, expected, "{decision:?}");
    }

    #[test]
    fn as_many_decisions_are_judged_wrong_as_the_measure_counts() {
        for (stones, most) in [(11, 3), (21, 4), (31, 5), (31, 1), (2, 4), (1, 1)] {
            check(stones, most);
        }
    }

    #[test]
    fn positions_that_are_numbered_come_in_the_order_of_their_numbers() {
        let game = GameConfig::BoundedNim(BoundedNimConfig::default());
        let arena = build(&game, &AgentConfig::Lookup(Lookup {})).expect("they go together");
        let (decisions, _) = graded(&arena, 0);
        let positions: Vec<String> = decisions.into_iter().map(|found| found.position).collect();
        let expected: Vec<String> = (1..=21).map(|left| left.to_string()).collect();
        assert_eq!(positions, expected);
    }
}
