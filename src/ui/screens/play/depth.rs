//! How much the champion thinks before a move: as its run lets it, more or less than that, or as long as a human is willing to wait.

use std::sync::Arc;
use std::time::Duration;

use crate::agents::AgentConfig;
use crate::agents::alpha_beta::AlphaBeta;
use crate::agents::monte_carlo::MonteCarlo;
use crate::arena::{self, Arena};
use crate::games::GameConfig;
use crate::run::Facts;

/// The deepest search there is a key for; deeper ones are bounded by time.
const DEEPEST: u32 = 8;

/// A depth that no search comes to the end of in time.
const ENDLESS: u32 = 64;

/// Rounds at most, and how many of them fewer there are at the least.
const MOST_ROUNDS: u32 = 1_000_000;

/// Times to choose from, after as long as it takes.
const CLOCKS: [u64; 3] = [1, 5, 20];

/// The way a champion chooses moves.
pub(super) struct Depth {
    game: GameConfig,
    /// How the run lets it choose.
    own: (AgentConfig, Arc<dyn Arena>),
    now: AgentConfig,
    /// Seconds to think, instead of what `now` says.
    clock: Option<u64>,
    /// Arenas of other agents.
    made: Vec<(AgentConfig, Arc<dyn Arena>)>,
}

impl Depth {
    pub(super) fn new(facts: &Facts) -> Self {
        let agent = facts.preset.agent.clone();
        Self {
            game: facts.preset.game.clone(),
            now: agent.clone(),
            own: (agent, Arc::clone(&facts.arena)),
            clock: None,
            made: Vec::new(),
        }
    }

    /// Whether the champion can be told how much to think.
    pub(super) fn is_free(&self) -> bool {
        matches!(
            self.now,
            AgentConfig::OnePly(_) | AgentConfig::AlphaBeta(_) | AgentConfig::MonteCarlo(_)
        )
    }

    /// How long it may think at most.
    pub(super) fn limit(&self) -> Option<Duration> {
        self.clock.map(Duration::from_secs)
    }

    /// In words.
    pub(super) fn words(&self) -> String {
        if let Some(seconds) = self.clock {
            return format!("for {seconds} s");
        }
        match &self.now {
            AgentConfig::OnePly(_) | AgentConfig::AlphaBeta(AlphaBeta { depth: 1, .. }) => {
                "1 move ahead".to_owned()
            }
            AgentConfig::AlphaBeta(search) => format!("{} moves ahead", search.depth),
            AgentConfig::MonteCarlo(search) => format!("for {} rounds", search.rounds),
            AgentConfig::Direct(_)
            | AgentConfig::OneHot(_)
            | AgentConfig::Ranked(_)
            | AgentConfig::Lookup(_) => "names its move outright".to_owned(),
        }
    }

    /// The game as the champion plays it now.
    pub(super) fn arena(&self) -> Arc<dyn Arena> {
        let now = self.agent();
        let made = self.made.iter().find(|(agent, _)| *agent == now);
        Arc::clone(made.map_or(&self.own.1, |(_, arena)| arena))
    }

    /// The agent that thinks.
    fn agent(&self) -> AgentConfig {
        match (&self.now, self.clock) {
            (AgentConfig::OnePly(_), Some(_)) => deep(ENDLESS),
            (AgentConfig::AlphaBeta(search), Some(_)) => ahead(search, ENDLESS),
            (AgentConfig::MonteCarlo(search), Some(_)) => played(search, MOST_ROUNDS),
            (now, _) => now.clone(),
        }
    }

    /// Thinks a step more.
    pub(super) fn deepen(&mut self) -> Result<(), String> {
        self.step(Step::More)
    }

    /// Thinks a step less.
    pub(super) fn flatten(&mut self) -> Result<(), String> {
        self.step(Step::Less)
    }

    /// Goes on to the next time to choose from.
    pub(super) fn wind(&mut self) -> Result<(), String> {
        if !self.is_free() {
            return Err(NO_VALUES.to_owned());
        }
        let next = CLOCKS.into_iter().find(|&clock| Some(clock) > self.clock);
        self.change(|depth| depth.clock = next)
    }

    fn step(&mut self, step: Step) -> Result<(), String> {
        let now = match &self.now {
            AgentConfig::OnePly(_) => moves(1, step).map(deep),
            AgentConfig::AlphaBeta(search) => {
                moves(search.depth, step).map(|depth| ahead(search, depth))
            }
            AgentConfig::MonteCarlo(search) => {
                rounds(search.rounds, step).map(|rounds| played(search, rounds))
            }
            AgentConfig::Direct(_)
            | AgentConfig::OneHot(_)
            | AgentConfig::Ranked(_)
            | AgentConfig::Lookup(_) => Err(NO_VALUES.to_owned()),
        }?;
        self.change(|depth| (depth.now, depth.clock) = (now, None))
    }

    /// Makes the arena for what has changed.
    fn change(&mut self, change: impl FnOnce(&mut Self)) -> Result<(), String> {
        change(self);
        let now = self.agent();
        let known = self.made.iter().any(|(agent, _)| *agent == now);
        if self.own.0 != now && !known {
            let arena = arena::build(&self.game, &now)?;
            self.made.push((now, arena));
        }
        Ok(())
    }
}

const NO_VALUES: &str = "This champion names its move outright: it has no values to search by.";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    More,
    Less,
}

/// A search that many moves ahead for who looks one ahead.
fn deep(depth: u32) -> AgentConfig {
    AgentConfig::AlphaBeta(AlphaBeta {
        depth,
        quiescence: depth > 1,
        ..AlphaBeta::default()
    })
}

/// The same search so many moves ahead.
fn ahead(search: &AlphaBeta, depth: u32) -> AgentConfig {
    AgentConfig::AlphaBeta(AlphaBeta {
        depth,
        ..search.clone()
    })
}

/// The same search with so many rounds.
fn played(search: &MonteCarlo, rounds: u32) -> AgentConfig {
    AgentConfig::MonteCarlo(MonteCarlo {
        rounds,
        ..search.clone()
    })
}

fn moves(now: u32, step: Step) -> Result<u32, String> {
    match step {
        Step::More if now >= DEEPEST => Err(format!(
            "It looks {now} moves ahead; no further but by the clock."
        )),
        Step::Less if now <= 1 => Err("It looks one move ahead; there is no less.".to_owned()),
        Step::More => Ok(now + 1),
        Step::Less => Ok(now - 1),
    }
}

fn rounds(now: u32, step: Step) -> Result<u32, String> {
    match step {
        Step::More if now >= MOST_ROUNDS => Err(format!("It plays {now} rounds; no more.")),
        Step::Less if now <= 1 => Err("It plays one round; there is no less.".to_owned()),
        Step::More => Ok((now * 2).min(MOST_ROUNDS)),
        Step::Less => Ok(now / 2),
    }
}
