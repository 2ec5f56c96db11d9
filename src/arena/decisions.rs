//! What a player does in every position of a solved game, each decision judged: it is wrong where
//! [`super::Arena::wrong_decisions`] counts it.

use crate::agents::{Agent, Policy};
use crate::games::Game;
use crate::games::solver::Solved;

use super::{Hall, Small, grade};

/// What a decision is worth. How fast a game is won or lost does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgment {
    /// It keeps what the position is worth, which another move would give away.
    Right,
    /// It gives away what the position is worth.
    Wrong,
    /// Every move is as good as any other.
    Free,
}

/// A position, and what the player does in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The position as text.
    pub position: String,
    /// The legal moves as text, in their order.
    pub moves: Vec<String>,
    /// For each of them, whether it keeps what the position is worth.
    pub keeps: Vec<bool>,
    /// The place of the player's move among them, the first of those that lead where it goes; `None` is an illegal one.
    pub chosen: Option<usize>,
    pub judgment: Judgment,
}

/// The decisions in every position that is no end of the game.
pub(super) fn all<G: Game, A: Agent>(
    hall: &Hall<G, A>,
    small: &Small<G>,
    policy: &Policy,
) -> Vec<Decision> {
    let graph = &small.solved.graph;
    let mut positions: Vec<u32> = (0..graph.len() as u32).collect();
    if !hall.ports.choices.is_empty() {
        positions.sort_by_key(|&state| hall.game.number(&graph.states[state as usize]));
    }
    let positions = positions.into_iter();
    let open = positions.filter(|&state| graph.end(state).is_none());
    open.map(|state| decision(&hall.game, &small.solved, policy, state))
        .collect()
}

fn decision<G: Game>(game: &G, solved: &Solved<G>, policy: &Policy, state: u32) -> Decision {
    let graph = &solved.graph;
    let steps = graph.steps(state);
    let keeps: Vec<bool> = steps
        .iter()
        .map(|step| grade::keeps(solved, state, Some(*step)))
        .collect();
    let step = policy.step(state);
    let judgment = if !grade::keeps(solved, state, step) {
        Judgment::Wrong
    } else if keeps.iter().all(|&keeps| keeps) {
        Judgment::Free
    } else {
        Judgment::Right
    };
    let moves = graph.moves(state).iter();
    Decision {
        position: game.position_text(&graph.states[state as usize]),
        moves: moves.map(|&action| game.move_text(action)).collect(),
        keeps,
        chosen: step.and_then(|step| steps.iter().position(|&other| other == step)),
        judgment,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::agents::AgentConfig;
    use crate::agents::lookup::Lookup;
    use crate::arena::player::Player;
    use crate::arena::{Arena, build};
    use crate::games::GameConfig;
    use crate::games::bounded_nim::BoundedNimConfig;
    use crate::genomes::GenomeConfig;
    use crate::genomes::table::TableConfig;
    use crate::rng::{Purpose, stream};

    /// The decisions of a random table, and how many of them the measure calls wrong.
    fn graded(arena: &Arc<dyn Arena>, index: u64) -> (Vec<Decision>, u32) {
        let genome = GenomeConfig::Table(TableConfig::default());
        let mut rng = stream(3, Purpose::Genesis, 0, index);
        let table = genome.random(arena.ports(), &mut rng);
        let player = Arc::new(Player::new(genome.grow(&table, arena.ports())));
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
                .filter(|decision| decision.judgment == Judgment::Wrong);
            assert_eq!(judged.count(), wrong as usize, "{stones} {most} {index}");
            for decision in &decisions {
                by_the_rule(most, decision);
            }
        }
    }

    /// Judges a decision by Hynek's rule: leave one stone more than a multiple of the most and one.
    fn by_the_rule(most: u16, decision: &Decision) {
        let left: u16 = decision.position.parse().expect("a number of stones");
        let best = (left - 1) % (most + 1);
        let taken = decision.chosen.map(|place| place as u16 + 1);
        let expected = match (best, left) {
            (0, _) => Judgment::Free,
            // Of two stones, where no more than one may be taken, one is taken.
            (_, _) if decision.moves.len() == 1 => Judgment::Free,
            (best, _) if taken == Some(best) => Judgment::Right,
            _ => Judgment::Wrong,
        };
        assert_eq!(decision.judgment, expected, "{decision:?}");
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
