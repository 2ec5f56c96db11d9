//! How the champion searches: as in its run, at a level, with another search size, or within a time
//! limit.

use std::sync::Arc;
use std::time::Duration;

use finches_engine::agents::AgentConfig;
use finches_engine::agents::alpha_beta::AlphaBeta;
use finches_engine::agents::monte_carlo::MonteCarlo;
use finches_engine::games::GameConfig;
use finches_engine::play::levels::{self, Level, UNBOUNDED_DEPTH};
use finches_engine::play::{self, Arena};
use finches_runs::run::RunInfo;

/// The greatest depth set by key; time limits allow more.
const MAX_DEPTH: u32 = 8;

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
    /// The number of the level of the chosen agent.
    level: Option<u8>,
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
            level: None,
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

    /// Whether the champion plays as in its run.
    pub(super) fn is_as_evolved(&self) -> bool {
        self.effective_agent() == self.run_agent.0
    }

    /// The time limit, if any.
    pub(super) fn limit(&self) -> Option<Duration> {
        self.time_limit.map(Duration::from_secs)
    }

    /// The settings in at most 14 characters, if that is possible.
    pub(super) fn short_description(&self) -> String {
        match (self.level, self.time_limit) {
            (Some(number), None) => format!("level {number} of {}", Level::highest(&self.game)),
            _ => self.description(),
        }
    }

    /// The settings as text.
    pub(super) fn description(&self) -> String {
        if let Some(seconds) = self.time_limit {
            return format!("{seconds} s per move");
        }
        if let Some((number, level)) = self.numbered_level() {
            return format!("level {number} {}", level.name);
        }
        search_words(&self.chosen_agent)
    }

    /// The number of the level, unless the champion plays as it evolved or as the user wants.
    pub(super) fn level(&self) -> Option<u8> {
        self.level
    }

    fn numbered_level(&self) -> Option<(u8, &'static Level)> {
        Some((self.level?, Level::numbered(self.level?)?))
    }

    /// The level in a sentence, with what was measured of it.
    pub(super) fn level_text(&self, measured: Option<String>) -> String {
        let Some((number, level)) = self.numbered_level() else {
            return format!("As the champion evolved: {}.", self.description());
        };
        let measured = measured.map_or_else(String::new, |words| format!(", {words}"));
        let about = level.about(&self.game);
        format!("Level {number}, {}: {about}{measured}", level.name)
    }

    /// Switches to the next level; after the last one the champion plays as it evolved.
    pub(super) fn next_level(&mut self) -> Result<(), String> {
        let next = self.level.unwrap_or(0) + 1;
        self.set_level((next <= Level::highest(&self.game)).then_some(next))
    }

    /// Switches to the level before; before the first one the champion plays as it evolved.
    pub(super) fn previous_level(&mut self) -> Result<(), String> {
        let above = self.level.unwrap_or(Level::highest(&self.game) + 1);
        self.set_level((above > 1).then(|| above - 1))
    }

    /// Sets the level; without one the champion plays as it evolved.
    pub(super) fn set_level(&mut self, number: Option<u8>) -> Result<(), String> {
        if !self.is_adjustable() {
            return Err(NO_SEARCH.to_owned());
        }
        let number = number.map(|number| number.min(Level::highest(&self.game)));
        let level = number.and_then(Level::numbered);
        let agent = match level {
            Some(level) => level.agent(&self.game),
            None => self.run_agent.0.clone(),
        };
        self.change(|search| {
            (search.chosen_agent, search.level, search.time_limit) = (agent, number, None);
        })
    }

    /// The arena with the effective agent.
    pub(super) fn arena(&self) -> Arc<dyn Arena> {
        let now = self.effective_agent();
        let arenas = self.arenas.iter().find(|(agent, _)| *agent == now);
        Arc::clone(arenas.map_or(&self.run_agent.1, |(_, arena)| arena))
    }

    /// The agent whose values are shown. A level changes only what the champion plays: its values
    /// are those of the champion as it evolved.
    pub(super) fn valuing_agent(&self) -> AgentConfig {
        match self.level {
            Some(_) => self.run_agent.0.clone(),
            None => self.effective_agent(),
        }
    }

    /// The arena of the champion as it evolved, if that is what values are those of and not what
    /// plays.
    pub(super) fn valuing_arena(&self) -> Option<Arc<dyn Arena>> {
        self.level.map(|_| Arc::clone(&self.run_agent.1))
    }

    /// Whether the champion plays the best move that it knows: as it evolved, and at levels at
    /// which it never slips and searches further.
    pub(super) fn plays_its_best(&self) -> bool {
        let usual = match &self.run_agent.0 {
            AgentConfig::OnePly(_) => 1,
            AgentConfig::AlphaBeta(search) => search.depth,
            _ => u32::MAX,
        };
        let is_stronger = |search: &AlphaBeta| search.slips == 0.0 && search.depth > usual;
        match &self.chosen_agent {
            AgentConfig::AlphaBeta(search) => self.level.is_none() || is_stronger(search),
            _ => true,
        }
    }

    /// An arena whose agent is quick and whose values are like those that are shown: values at even
    /// depths differ from those at odd ones, since a search prefers the side that moves last.
    /// `None` if there is none.
    pub(super) fn quick_arena(&self) -> Option<Arc<dyn Arena>> {
        match self.valuing_agent() {
            AgentConfig::MonteCarlo(_) => None,
            AgentConfig::AlphaBeta(search) => {
                let quick = AlphaBeta {
                    depth: 2 - search.depth % 2,
                    endgame: 0,
                    slips: 0.0,
                    ..search
                };
                play::build(&self.game, &AgentConfig::AlphaBeta(quick)).ok()
            }
            _ => Some(self.valuing_arena().unwrap_or_else(|| self.arena())),
        }
    }

    /// The agent with the time limit applied.
    fn effective_agent(&self) -> AgentConfig {
        match (&self.chosen_agent, self.time_limit) {
            (AgentConfig::OnePly(_), Some(_)) => {
                AgentConfig::AlphaBeta(levels::search(UNBOUNDED_DEPTH))
            }
            (AgentConfig::AlphaBeta(search), Some(_)) => with_depth(search, UNBOUNDED_DEPTH),
            (AgentConfig::MonteCarlo(search), Some(_)) => with_simulations(search, MAX_SIMULATIONS),
            (now, _) => now.clone(),
        }
    }

    /// Enlarges the search by one step.
    pub(super) fn increase(&mut self) -> Result<(), String> {
        self.step(deeper, doubled)
    }

    /// Reduces the search by one step.
    pub(super) fn decrease(&mut self) -> Result<(), String> {
        self.step(shallower, halved)
    }

    /// Switches to the next time limit.
    pub(super) fn next_time_limit(&mut self) -> Result<(), String> {
        if !self.is_adjustable() {
            return Err(NO_SEARCH.to_owned());
        }
        let next = TIME_LIMITS
            .into_iter()
            .find(|&time_limit| Some(time_limit) > self.time_limit);
        self.change(|search| search.time_limit = next)
    }

    /// Changes the size of the search with one of two functions: of the depth, or of the number of
    /// simulations.
    fn step(&mut self, depth: NextSize, simulations: NextSize) -> Result<(), String> {
        let now = match &self.chosen_agent {
            AgentConfig::OnePly(_) => AgentConfig::AlphaBeta(levels::search(depth(1)?)),
            AgentConfig::AlphaBeta(search) => with_depth(search, depth(search.depth)?),
            AgentConfig::MonteCarlo(search) => {
                with_simulations(search, simulations(search.simulations)?)
            }
            _ => return Err(NO_SEARCH.to_owned()),
        };
        self.change(|search| {
            (search.chosen_agent, search.level, search.time_limit) = (now, None, None);
        })
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

/// The next size of a search, or why there is none.
type NextSize = fn(u32) -> Result<u32, String>;

const NO_SEARCH: &str = "This champion moves without search: it does not evaluate positions.";

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

fn deeper(depth: u32) -> Result<u32, String> {
    if depth >= MAX_DEPTH {
        return Err(format!(
            "{depth} moves ahead is the most; set a time limit to search deeper."
        ));
    }
    Ok(depth + 1)
}

fn shallower(depth: u32) -> Result<u32, String> {
    if depth <= 1 {
        return Err("One move ahead is the least.".to_owned());
    }
    Ok(depth - 1)
}

fn doubled(simulations: u32) -> Result<u32, String> {
    if simulations >= MAX_SIMULATIONS {
        return Err(format!("{simulations} simulations are the most."));
    }
    Ok((simulations * 2).min(MAX_SIMULATIONS))
}

fn halved(simulations: u32) -> Result<u32, String> {
    if simulations <= 1 {
        return Err("One simulation is the least.".to_owned());
    }
    Ok(simulations / 2)
}

/// How far an agent searches.
pub(in crate::screens) fn search_words(agent: &AgentConfig) -> String {
    match agent {
        AgentConfig::OnePly(_) | AgentConfig::AlphaBeta(AlphaBeta { depth: 1, .. }) => {
            "1 move ahead".to_owned()
        }
        AgentConfig::AlphaBeta(search) => format!("{} moves ahead", search.depth),
        AgentConfig::MonteCarlo(search) => format!("{} simulations", search.simulations),
        AgentConfig::Custom(agent) => agent.name().replace('_', " "),
        _ => "moves without search".to_owned(),
    }
}
