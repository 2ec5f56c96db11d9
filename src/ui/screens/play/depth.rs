//! How far ahead the champion looks: as its run lets it, or by search in its place.

use std::sync::Arc;

use crate::agents::AgentConfig;
use crate::agents::alpha_beta::AlphaBeta;
use crate::arena::{self, Arena};
use crate::games::GameConfig;
use crate::run::Facts;

/// The deepest search there is a key for.
const DEEPEST: u32 = 6;

/// The way a champion chooses moves.
pub(super) struct Depth {
    game: GameConfig,
    /// How the run lets it choose, and how many moves that looks ahead; `None` where the network names its moves.
    own: (Arc<dyn Arena>, Option<u32>),
    now: Option<u32>,
    /// Arenas by how far ahead their agents look.
    made: Vec<(u32, Arc<dyn Arena>)>,
}

impl Depth {
    pub(super) fn new(facts: &Facts) -> Self {
        let own = match &facts.preset.agent {
            AgentConfig::OnePly(_) => Some(1),
            AgentConfig::AlphaBeta(agent) => Some(agent.depth),
            AgentConfig::Direct(_)
            | AgentConfig::OneHot(_)
            | AgentConfig::MonteCarlo(_)
            | AgentConfig::Ranked(_)
            | AgentConfig::Lookup(_) => None,
        };
        Self {
            game: facts.preset.game.clone(),
            own: (Arc::clone(&facts.arena), own),
            now: own,
            made: Vec::new(),
        }
    }

    /// Moves ahead; `None` where the network names its moves and there is nothing to search.
    pub(super) fn moves(&self) -> Option<u32> {
        self.now
    }

    /// In words.
    pub(super) fn words(&self) -> String {
        match self.now {
            None => "names its move outright".to_owned(),
            Some(1) => "1 move ahead".to_owned(),
            Some(moves) => format!("{moves} moves ahead"),
        }
    }

    /// The game as the champion plays it now.
    pub(super) fn arena(&self) -> Arc<dyn Arena> {
        let made = self.made.iter().find(|(moves, _)| Some(*moves) == self.now);
        Arc::clone(made.map_or(&self.own.0, |(_, arena)| arena))
    }

    /// Looks a move further ahead.
    pub(super) fn deepen(&mut self) -> Result<(), String> {
        let moves = self.searchable()?;
        if moves >= DEEPEST {
            return Err(format!("It looks {moves} moves ahead; no further."));
        }
        self.look(moves + 1)
    }

    /// Looks a move less far ahead.
    pub(super) fn flatten(&mut self) -> Result<(), String> {
        let moves = self.searchable()?;
        if moves <= 1 {
            return Err("It looks one move ahead; there is no less.".to_owned());
        }
        self.look(moves - 1)
    }

    fn searchable(&self) -> Result<u32, String> {
        self.now.ok_or_else(|| {
            "This champion names its move outright: it has no values to search by.".to_owned()
        })
    }

    fn look(&mut self, moves: u32) -> Result<(), String> {
        let known = self.made.iter().any(|(made, _)| *made == moves);
        if self.own.1 != Some(moves) && !known {
            let agent = AgentConfig::AlphaBeta(AlphaBeta { depth: moves });
            self.made.push((moves, arena::build(&self.game, &agent)?));
        }
        self.now = Some(moves);
        Ok(())
    }
}
