//! How the champion searches: as in its run, with another search size, or within a time limit.

use std::sync::Arc;
use std::time::Duration;

use crate::agents::AgentConfig;
use crate::agents::alpha_beta::AlphaBeta;
use crate::agents::monte_carlo::MonteCarlo;
use crate::games::GameConfig;
use crate::play::{self, Arena};
use crate::run::RunInfo;

use super::{PlayMessage, PlayScreen};

/// The greatest depth set by key; time limits allow more.
const MAX_DEPTH: u32 = 8;

/// A depth that no search completes in time.
const UNBOUNDED_DEPTH: u32 = 64;

/// The most simulations per move.
const MAX_SIMULATIONS: u32 = 1_000_000;

/// Time limits in seconds, in the order of the key; the next one is no limit.
const TIME_LIMITS: [u64; 3] = [1, 5, 20];

/// The search settings of the opponent.
pub(super) struct SearchSettings {
    game: GameConfig,
    /// The agent and arena of the run.
    run_agent: (AgentConfig, Arc<dyn Arena>),
    chosen_agent: AgentConfig,
    /// Seconds per move, instead of the size of the search.
    time_limit: Option<u64>,
    /// Arenas of other agents, built on demand.
    arenas: Vec<(AgentConfig, Arc<dyn Arena>)>,
}

impl SearchSettings {
    pub(super) fn new(facts: &RunInfo) -> Self {
        let agent = facts.preset.agent.clone();
        Self {
            game: facts.preset.game.clone(),
            chosen_agent: agent.clone(),
            run_agent: (agent, Arc::clone(&facts.arena)),
            time_limit: None,
            arenas: Vec::new(),
        }
    }

    /// Whether the agent searches, so that there is something to adjust.
    pub(super) fn is_adjustable(&self) -> bool {
        matches!(
            self.chosen_agent,
            AgentConfig::OnePly(_) | AgentConfig::AlphaBeta(_) | AgentConfig::MonteCarlo(_)
        )
    }

    /// The time limit, if any.
    pub(super) fn limit(&self) -> Option<Duration> {
        self.time_limit.map(Duration::from_secs)
    }

    /// The settings as text.
    pub(super) fn description(&self) -> String {
        if let Some(seconds) = self.time_limit {
            return format!("{seconds} s per move");
        }
        match &self.chosen_agent {
            AgentConfig::OnePly(_) | AgentConfig::AlphaBeta(AlphaBeta { depth: 1, .. }) => {
                "1 move ahead".to_owned()
            }
            AgentConfig::AlphaBeta(search) => format!("{} moves ahead", search.depth),
            AgentConfig::MonteCarlo(search) => format!("{} simulations", search.simulations),
            AgentConfig::Custom(agent) => agent.name().replace('_', " "),
            _ => "moves without search".to_owned(),
        }
    }

    /// The arena with the effective agent.
    pub(super) fn arena(&self) -> Arc<dyn Arena> {
        let now = self.effective_agent();
        let arenas = self.arenas.iter().find(|(agent, _)| *agent == now);
        Arc::clone(arenas.map_or(&self.run_agent.1, |(_, arena)| arena))
    }

    /// The agent with the time limit applied.
    fn effective_agent(&self) -> AgentConfig {
        match (&self.chosen_agent, self.time_limit) {
            (AgentConfig::OnePly(_), Some(_)) => alpha_beta(UNBOUNDED_DEPTH),
            (AgentConfig::AlphaBeta(search), Some(_)) => with_depth(search, UNBOUNDED_DEPTH),
            (AgentConfig::MonteCarlo(search), Some(_)) => with_simulations(search, MAX_SIMULATIONS),
            (now, _) => now.clone(),
        }
    }

    /// Enlarges the search by one step.
    pub(super) fn increase(&mut self) -> Result<(), String> {
        self.step(EffortStep::More)
    }

    /// Reduces the search by one step.
    pub(super) fn decrease(&mut self) -> Result<(), String> {
        self.step(EffortStep::Less)
    }

    /// Switches to the next time limit.
    pub(super) fn next_time_limit(&mut self) -> Result<(), String> {
        if !self.is_adjustable() {
            return Err(NO_SEARCH.to_owned());
        }
        let next = TIME_LIMITS
            .into_iter()
            .find(|&time_limit| Some(time_limit) > self.time_limit);
        self.change(|depth| depth.time_limit = next)
    }

    fn step(&mut self, step: EffortStep) -> Result<(), String> {
        let now = match &self.chosen_agent {
            AgentConfig::OnePly(_) => next_depth(1, step).map(alpha_beta),
            AgentConfig::AlphaBeta(search) => {
                next_depth(search.depth, step).map(|depth| with_depth(search, depth))
            }
            AgentConfig::MonteCarlo(search) => next_simulations(search.simulations, step)
                .map(|simulations| with_simulations(search, simulations)),
            _ => Err(NO_SEARCH.to_owned()),
        }?;
        self.change(|depth| (depth.chosen_agent, depth.time_limit) = (now, None))
    }

    /// Applies a change and builds its arena if needed.
    fn change(&mut self, change: impl FnOnce(&mut Self)) -> Result<(), String> {
        change(self);
        let now = self.effective_agent();
        let known = self.arenas.iter().any(|(agent, _)| *agent == now);
        if self.run_agent.0 != now && !known {
            let arena = play::build(&self.game, &now).map_err(|error| error.to_string())?;
            self.arenas.push((now, arena));
        }
        Ok(())
    }
}

const NO_SEARCH: &str = "This champion moves without search: it does not evaluate positions.";

#[derive(Clone, Copy, PartialEq, Eq)]
enum EffortStep {
    More,
    Less,
}

/// An alpha-beta search for an agent that looks one move ahead.
fn alpha_beta(depth: u32) -> AgentConfig {
    AgentConfig::AlphaBeta(AlphaBeta {
        depth,
        quiescence: depth > 1,
        ..AlphaBeta::default()
    })
}

/// The same search with another depth.
fn with_depth(search: &AlphaBeta, depth: u32) -> AgentConfig {
    AgentConfig::AlphaBeta(AlphaBeta {
        depth,
        ..search.clone()
    })
}

/// The same search with another number of simulations.
fn with_simulations(search: &MonteCarlo, simulations: u32) -> AgentConfig {
    AgentConfig::MonteCarlo(MonteCarlo {
        simulations,
        ..search.clone()
    })
}

fn next_depth(now: u32, step: EffortStep) -> Result<u32, String> {
    match step {
        EffortStep::More if now >= MAX_DEPTH => Err(format!(
            "{now} moves ahead is the most; set a time limit to search deeper."
        )),
        EffortStep::Less if now <= 1 => Err("One move ahead is the least.".to_owned()),
        EffortStep::More => Ok(now + 1),
        EffortStep::Less => Ok(now - 1),
    }
}

fn next_simulations(now: u32, step: EffortStep) -> Result<u32, String> {
    match step {
        EffortStep::More if now >= MAX_SIMULATIONS => {
            Err(format!("{now} simulations are the most."))
        }
        EffortStep::Less if now <= 1 => Err("One simulation is the least.".to_owned()),
        EffortStep::More => Ok((now * 2).min(MAX_SIMULATIONS)),
        EffortStep::Less => Ok(now / 2),
    }
}

impl PlayScreen {
    /// Changes the search settings and restarts the analysis.
    pub(super) fn change_search(&mut self, change: fn(&mut SearchSettings) -> Result<(), String>) {
        self.message = match change(&mut self.search_settings) {
            Ok(()) => {
                self.start_analysis();
                PlayMessage::Info(format!("Search: {}.", self.search_settings.description()))
            }
            Err(words) => PlayMessage::Error(words),
        };
    }
}
