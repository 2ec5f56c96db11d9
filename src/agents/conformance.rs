//! What every agent must keep to in every game it can play, checked for brains of every kind in every position.

use crate::games::conformance::games;
use crate::games::solver::StateGraph;
use crate::games::{Game, GameConfig, Playable, with_game};
use crate::genomes::{Brain, GenomeConfig, Ports};
use crate::rng::{Purpose, stream};

use super::{Agent, AgentConfig, Desk, Outlook, with_agent};

/// A few young and a few grown brains of every registered genome.
fn brains(ports: &Ports) -> Vec<Box<dyn Brain>> {
    let mut brains = Vec::new();
    for genome in GenomeConfig::all() {
        if !genome.misfits(ports).is_empty() {
            continue;
        }
        for (seed, mutations) in [(1, 0), (2, 0), (3, 60), (4, 120)] {
            let mut rng = stream(seed, Purpose::Genesis, 0, 0);
            let mut member = genome.random(ports, &mut rng);
            for _ in 0..mutations {
                genome.mutate(&mut member, None, &mut rng);
            }
            brains.push(genome.grow(&member, ports));
        }
    }
    brains
}

/// Compares every way an agent has to say what it does; returns how many positions were looked at.
fn check<G: Game, A: Agent>(game: &G, agent: &A, ports: &Ports) -> usize {
    // A search looks at every pair of moves, so that games of thousands of moves would take minutes.
    const MOST_MOVES: usize = 2000;
    let Some(graph) = StateGraph::explore(game) else {
        return 0;
    };
    let moves = (0..graph.len() as u32).map(|state| graph.moves(state).len());
    if moves.sum::<usize>() > MOST_MOVES {
        return 0;
    }
    let outlook = Outlook::new(game, graph);
    let mut desk = Desk::new(game);
    let graph = &outlook.graph;
    let mut rng = stream(1, Purpose::Chance, 0, 0);
    for brain in brains(ports) {
        let brain = brain.as_ref();
        let policy = agent.policy(game, &outlook, brain, &mut desk);
        assert_eq!(policy.next.len(), graph.len() + 1);
        for number in 0..graph.len() as u32 {
            if graph.end(number).is_some() {
                assert_eq!(policy.next[number as usize], number, "an end stands still");
                continue;
            }
            let state = &graph.states[number as usize];
            let chosen = agent.choose(game, brain, state, &mut desk, &mut rng);
            let step = chosen.map(|action| {
                let step = graph.step(number, action);
                step.expect("an agent chooses legal moves or none")
            });
            let opinions = agent.opinions(game, brain, state, &mut desk);
            if agent.is_certain() {
                assert_eq!(policy.step(number), step, "{state:?}");
            } else {
                // What is left to chance may come out otherwise, but somehow.
                assert_eq!(policy.step(number).is_some(), step.is_some(), "{state:?}");
            }
            assert_eq!(
                opinions.len(),
                graph.moves(number).len(),
                "one opinion per move"
            );
            assert!(
                opinions.iter().all(|opinion| opinion.is_finite()),
                "{opinions:?}"
            );
        }
    }
    graph.len()
}

#[test]
fn a_policy_is_the_choice_in_every_position_and_every_legal_move_has_an_opinion() {
    for agent in AgentConfig::all() {
        let mut positions = 0;
        for game in games() {
            positions += with_game!(&game, game => with_agent!(&agent, agent => {
                let game = game.build();
                let ports = agent.ports(&game.shape());
                ports.map_or(0, |ports| check(&game, agent, &ports))
            }));
        }
        assert!(
            positions > 20,
            "{agent:?} plays some game that can be looked through"
        );
    }
}

#[test]
fn what_an_agent_cannot_play_it_refuses_with_a_reason() {
    let shape = crate::games::Shape {
        inputs: 3,
        features: None,
        components: Vec::new(),
        choices: Vec::new(),
    };
    let refusals: Vec<String> = AgentConfig::all()
        .iter()
        .filter_map(|agent| with_agent!(agent, agent => agent.ports(&shape)).err())
        .collect();
    assert!(!refusals.is_empty(), "decoding needs numbers to decode");
    for refusal in refusals {
        assert!(
            refusal.contains("try"),
            "{refusal} does not say what would do"
        );
    }
}

#[test]
fn every_agent_says_what_its_opinions_are() {
    for agent in AgentConfig::all() {
        let unit = with_agent!(&agent, agent => agent.opinion_unit());
        assert!(!unit.is_empty() && !agent.about().is_empty(), "{agent:?}");
    }
}
