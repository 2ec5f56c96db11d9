//! The opponent: the champion or another member of a generation, with its network, or a program in
//! its place; and which one is next.

use std::sync::Arc;

use crate::model::champions::{ChampionQuery, Champions, InspectedPlayer};
use crate::widgets::truncate::{truncate, width};
use finches_engine::games::GameConfig;
use finches_engine::play::phenotype::Phenotype;
use finches_runs::run::RunInfo;
use finches_runs::storage::bundled_champions;
use finches_runs::storage::saves::Saves;

use super::program::PlayProgram;

/// The opponent of this game and of the next, and where they come from.
pub(super) struct Opponents {
    pub(super) champions: Champions,
    /// `None` before there is a champion.
    pub(super) current: Option<OpponentPlayer>,
    /// The opponent of the next game, if it was chosen during this one.
    pub(super) next: Option<OpponentPlayer>,
    /// Whether the next game is against the newest champion; false once an older one was chosen.
    pub(super) follows_newest: bool,
    /// The outside program that makes the opponent's moves, if there is one.
    pub(super) program: Option<PlayProgram>,
    pub(super) run_name: String,
}

impl Opponents {
    pub(super) fn new(facts: &RunInfo, saves: Option<(Saves, String)>) -> Self {
        let saved = saves.as_ref().map(|(_, name)| name.clone());
        let run_name = saved
            .or_else(|| facts.saved_as.clone())
            .unwrap_or_else(|| facts.preset.name.clone());
        Self {
            champions: Champions::new(facts, saves),
            current: None,
            next: None,
            follows_newest: true,
            program: None,
            run_name,
        }
    }

    /// Fetches a champion. `None` if there is none yet; an error says why there is none.
    pub(super) fn fetch(&mut self, query: ChampionQuery) -> Result<Option<OpponentPlayer>, String> {
        let found = self.champions.fetch(query);
        if let Some(champion) = found.map_err(|error| error.to_string())? {
            let player = InspectedPlayer::champion(champion);
            let opponent = OpponentPlayer::of(&self.champions, &player);
            self.follows_newest = query == ChampionQuery::Newest
                || self.champions.live() == Some(opponent.generation);
            return Ok(Some(opponent));
        }
        let is_newer = matches!(query, ChampionQuery::NewerThan(_));
        self.follows_newest = self.follows_newest || is_newer;
        query.missing().map_or(Ok(None), Err)
    }

    /// The generation of the current opponent.
    pub(super) fn generation(&self) -> Option<u64> {
        self.current.as_ref().map(|opponent| opponent.generation)
    }

    /// Whether every move of the game wins or loses and beginners can't tell which.
    pub(super) fn plays_nim(&self) -> bool {
        matches!(
            self.champions.preset.game,
            GameConfig::Nim(_) | GameConfig::BoundedNim(_)
        )
    }

    /// What the opponent is called.
    pub(super) fn kind(&self) -> &'static str {
        match (&self.program, &self.current) {
            (Some(_), _) => "program",
            (None, Some(_)) => "champion",
            (None, None) => "opponent",
        }
    }

    /// The same in five characters.
    pub(super) fn short_kind(&self) -> &'static str {
        match self.program {
            Some(_) => "prog.",
            None => "champ",
        }
    }

    /// The players and the run, in at most `room` characters.
    pub(super) fn title(&self, room: usize) -> String {
        let run = match &*self.run_name {
            "" => String::new(),
            name => format!(" of {name}"),
        };
        let whole = match (&self.program, &self.current) {
            (Some(program), _) => format!("You vs. {}", program.name),
            (None, None) => format!("You vs. the champion{run}"),
            (None, Some(opponent)) => {
                let names = [opponent.name(), opponent.label(), opponent.short_name()];
                let forms = names.map(|name| format!("You vs. {name}{run}"));
                let fits = forms.iter().find(|form| width(form) <= room);
                fits.unwrap_or(&forms[2]).clone()
            }
        };
        truncate(&whole, room)
    }

    /// The points that a level of this run's champion gets, as far as that was measured.
    pub(super) fn measured(&self, level: Option<u8>) -> Option<String> {
        let below = level?.checked_sub(1)?;
        let points = bundled_champions::level_points(&self.run_name)?.get(usize::from(below))?;
        Some(match below {
            0 => format!("{points}% vs. random"),
            below => format!("{points}% vs. level {below}"),
        })
    }
}

/// A champion or another member of a generation, ready to play.
pub(super) struct OpponentPlayer {
    pub(super) generation: u64,
    /// Its index in the population; `None` for a champion.
    member: Option<usize>,
    pub(super) player: Arc<Phenotype>,
}

impl OpponentPlayer {
    /// A player of the run.
    pub(super) fn of(champions: &Champions, player: &InspectedPlayer) -> Self {
        let genome = &player.champion.genome;
        let io_spec = champions.arena.io_spec();
        Self {
            generation: player.champion.generation,
            member: player.member,
            player: Arc::new(Phenotype::grown(&champions.preset.genome, io_spec, genome)),
        }
    }

    /// The player's name within a sentence.
    pub(super) fn name(&self) -> String {
        let generation = self.generation;
        match self.member {
            None => format!("the champion of generation {generation}"),
            Some(member) => format!("member {} of generation {generation}", member + 1),
        }
    }

    /// The player's name in a title.
    fn label(&self) -> String {
        match self.member {
            None => format!("champion {}", self.short_name()),
            Some(_) => self.short_name(),
        }
    }

    /// The player's name in a few characters.
    pub(super) fn short_name(&self) -> String {
        let generation = self.generation;
        match self.member {
            None => format!("g{generation}"),
            Some(member) => format!("g{generation} m{}", member + 1),
        }
    }
}
