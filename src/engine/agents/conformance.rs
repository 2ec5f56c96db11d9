//! Tests that every agent must pass: each game it can play, brains of every genome, every position.

use crate::games::conformance::tests::games;
use crate::games::{Encoding, Game, GameConfig, GameParams, with_game};
use crate::genomes::{Brain, GenomeConfig, IoSpec};
use crate::input_spec::InputSpec;
use crate::rng::{Purpose, stream};
use crate::search::solver::StateGraph;

use super::{Agent, AgentConfig, AgentError, AgentFor, EncodedStates, Turn, Workspace, with_agent};

/// Some brains of random genomes and some of mutated ones, for every registered genome.
fn brains(io_spec: &IoSpec) -> Vec<Box<dyn Brain>> {
    let mut brains = Vec::new();
    for genome in GenomeConfig::all() {
        if !genome.io_problems(io_spec).is_empty() {
            continue;
        }
        for (seed, mutations) in [(1, 0), (2, 0), (3, 60), (4, 120)] {
            let mut rng = stream(seed, Purpose::Initialization, 0, 0);
            let mut member = genome.random(io_spec, &mut rng);
            for _ in 0..mutations {
                genome.mutate(&mut member, &mut rng);
            }
            brains.push(genome.grow(&member, io_spec));
        }
    }
    brains
}

/// Compares the choice, the scores and the policy of an agent; returns the number of positions
/// checked.
pub(super) fn check<G: Game>(game: &G, agent: &dyn AgentFor<G>, io_spec: &IoSpec) -> usize {
    // Searching games with thousands of moves would take minutes.
    const MOST_MOVES: usize = 2000;
    let Some(graph) = StateGraph::explore(game) else {
        return 0;
    };
    let moves = (0..graph.len() as u32).map(|state| graph.moves(state).len());
    if moves.sum::<usize>() > MOST_MOVES {
        return 0;
    }
    let encoded = EncodedStates::new(game, graph);
    let mut workspace = Workspace::new(game);
    let graph = &encoded.graph;
    let mut rng = stream(1, Purpose::Chance, 0, 0);
    for brain in brains(io_spec) {
        let brain = brain.as_ref();
        let policy = agent.policy(game, &encoded, brain, &mut workspace);
        assert_eq!(policy.next.len(), graph.len() + 1);
        for number in 0..graph.len() as u32 {
            if graph.result(number).is_some() {
                assert_eq!(
                    policy.next[number as usize], number,
                    "a final position is its own successor"
                );
                continue;
            }
            let state = &graph.states[number as usize];
            let workspace = &mut workspace;
            let mut turn = Turn::new(game, brain, state, workspace);
            let chosen = agent.choose(&mut turn, &mut rng);
            let step = chosen.map(|action| {
                let step = graph.transition(number, action);
                step.expect("an agent chooses legal moves or none")
            });
            let scores = agent.action_scores(&mut turn);
            if agent.is_deterministic() {
                assert_eq!(policy.step(number), step, "{state:?}");
            } else {
                // Random choices may differ, but both must be legal or both illegal.
                assert_eq!(policy.step(number).is_some(), step.is_some(), "{state:?}");
            }
            assert_eq!(
                scores.len(),
                graph.moves(number).len(),
                "one score per move"
            );
            assert!(scores.iter().all(|score| score.is_finite()), "{scores:?}");
        }
    }
    graph.len()
}

#[test]
fn a_policy_is_the_choice_in_every_position_and_every_legal_move_has_a_score() {
    for agent in AgentConfig::all() {
        let mut positions = 0;
        for game in games() {
            positions += with_game!(&game, game => with_agent!(&agent, agent => {
                let game = game.build();
                let io_spec = agent.io_spec(&game.shape());
                io_spec.map_or(0, |io_spec| check(&game, agent, &io_spec))
            }));
        }
        assert!(
            positions > 20,
            "{agent:?} plays some game that can be explored"
        );
    }
}

#[test]
fn an_agent_rejects_games_it_cannot_play_with_a_reason() {
    let shape = crate::games::GameShape {
        inputs: InputSpec::new(3),
        ..crate::games::GameShape::default()
    };
    let errors: Vec<AgentError> = AgentConfig::all()
        .iter()
        .filter_map(|agent| with_agent!(agent, agent => agent.io_spec(&shape)).err())
        .collect();
    assert!(!errors.is_empty(), "decoding needs numbers to decode");
    for error in errors {
        assert!(
            error.to_string().contains("try"),
            "{error} does not say what to do"
        );
    }
}

#[test]
fn every_agent_names_the_unit_of_its_scores() {
    for agent in AgentConfig::all() {
        let unit = with_agent!(&agent, agent => agent.score_unit());
        assert!(!unit.is_empty() && !agent.about().is_empty(), "{agent:?}");
    }
}
