//! Match setup: the game that players of any kind play against each other, with its reference
//! players, and evolved players with the network, the board encoding and, unless a search is
//! specified, the agent of their run.

use std::sync::Arc;

use thiserror::Error;

use crate::agents::AgentConfig;
use crate::contest::GameResult;
use crate::games::{GameConfig, NotationError};
use crate::genomes::learning::LifetimeLearning;
use crate::genomes::{AnyGenome, GenomeConfig};
use crate::search::{CancelToken, NeverCancel};

use super::matches::{Match, MatchConditions, MatchPlayer};
use super::move_evaluations::MoveEvaluations;
use super::phenotype::Phenotype;
use super::pool::Pool;
use super::reference_player::ReferencePlayer;
use super::search_spec::SearchSpec;
use super::{Arena, build, build_with_lessons};

/// The reason why a player can't take part.
#[derive(Debug, Error)]
pub enum PlayerError {
    /// The request is invalid.
    #[error("{0}")]
    Usage(String),
    /// The request is valid but failed.
    #[error("{0}")]
    Failure(String),
}

impl PlayerError {
    /// The same error with the player's name in front.
    #[must_use]
    pub fn with_name(self, name: &str) -> Self {
        match self {
            Self::Usage(error) => Self::Usage(format!("{name}: {error}")),
            Self::Failure(error) => Self::Failure(format!("{name}: {error}")),
        }
    }
}

/// What the members of a run play with.
#[derive(Clone, Copy, Debug)]
pub struct PlayerConfig<'a> {
    /// The rules and the board encoding.
    pub game: &'a GameConfig,
    /// The kind of genome.
    pub genome: &'a GenomeConfig,
    /// How outputs become moves.
    pub agent: &'a AgentConfig,
    /// What they learn before they play, if they do.
    pub learning: Option<&'a LifetimeLearning>,
}

/// A champion that is ready to play.
#[derive(Clone)]
pub struct ChampionPlayer {
    /// The game with the board encoding of the run.
    pub game: GameConfig,
    /// How outputs become moves: the agent of the run, or the search that replaces it.
    pub agent: AgentConfig,
    /// The arena of this game and agent.
    pub arena: Arc<dyn Arena>,
    /// The network, with what is cached of it.
    pub player: Arc<Phenotype>,
}

impl ChampionPlayer {
    /// The player of a genome, in the run's game with some parameters changed.
    pub fn new(
        config: PlayerConfig<'_>,
        genome: &AnyGenome,
        parameters: &[(String, String)],
        search: Option<&SearchSpec>,
    ) -> Result<Self, PlayerError> {
        let game = config
            .game
            .with_parameters(parameters)
            .map_err(|error| PlayerError::Usage(error.to_string()))?;
        let agent = match search {
            Some(search) => search.agent_for(config)?,
            None => config.agent.clone(),
        };
        let arena = build_with_lessons(&game, &agent, config.learning);
        let arena = arena.map_err(|error| PlayerError::Failure(error.to_string()))?;
        let player = Phenotype::checked(config.genome, arena.io_spec(), genome);
        let player = player.map_err(|error| match parameters {
            [] => PlayerError::Failure(format!("can't play: {error}")),
            _ => PlayerError::Usage(format!(
                "can't play: {error}; choose a board that its network fits"
            )),
        })?;
        Ok(Self {
            game,
            agent,
            arena,
            player: Arc::new(player),
        })
    }

    /// The score of each legal move in a position, written as the game does, and the move that it
    /// chooses.
    ///
    /// # Errors
    ///
    /// What is wrong with the position.
    pub fn evaluate_moves(&self, position: &str) -> Result<MoveEvaluations, NotationError> {
        let mut game = Arc::clone(&self.arena).interactive_game(0);
        game.set_position(position)?;
        let never: Arc<dyn CancelToken> = Arc::new(NeverCancel);
        Ok(game.evaluate_moves(&self.player, &never))
    }

    /// The champion as a participant in matches.
    pub fn match_player(&self) -> MatchPlayer {
        Arc::clone(&self.arena).match_player(Arc::clone(&self.player))
    }
}

/// The game that players of any kind play against each other.
pub struct MatchSetup {
    /// The game without the encoding of a run.
    game: GameConfig,
    /// The parameters of the rules that are changed, for every player.
    parameters: Vec<(String, String)>,
    arena: Arc<dyn Arena>,
}

impl MatchSetup {
    /// A game with some parameters changed.
    pub fn new(game: &GameConfig, parameters: &[(String, String)]) -> Result<Self, PlayerError> {
        let game = game
            .with_parameters(parameters)
            .map_err(|error| PlayerError::Usage(error.to_string()))?
            .for_matches();
        Ok(Self {
            arena: arena_for(&game)?,
            game,
            parameters: parameters.to_vec(),
        })
    }

    /// The game without the encoding of a run.
    pub fn game(&self) -> &GameConfig {
        &self.game
    }

    /// The names of the game's reference players.
    pub fn reference_names(&self) -> Vec<String> {
        let heuristics = self.arena.info().heuristics;
        let all = ReferencePlayer::all(heuristics).into_iter();
        all.filter(|&reference| self.can_play(reference))
            .map(|reference| reference.name(heuristics))
            .collect()
    }

    fn can_play(&self, reference: ReferencePlayer) -> bool {
        self.arena.info().is_solved || !reference.needs_oracle()
    }

    /// The parameters of the rules that are changed.
    pub fn parameters(&self) -> &[(String, String)] {
        &self.parameters
    }

    /// The reference player of this name; `None` if the game has none.
    pub fn reference_named(&self, name: &str) -> Option<ReferencePlayer> {
        let found = ReferencePlayer::named(name, self.arena.info().heuristics);
        found.filter(|&found| self.can_play(found))
    }

    /// A reference player, with another search if one is specified.
    pub fn reference(
        &self,
        reference: ReferencePlayer,
        search: Option<&SearchSpec>,
    ) -> Result<MatchPlayer, PlayerError> {
        let deeper = match search {
            Some(search) => with_depth(reference, search)?,
            None => reference,
        };
        Ok(Arc::clone(&self.arena).reference_player(deeper))
    }

    /// The player of a genome. Errors begin with its name.
    pub fn evolved(
        &self,
        name: &str,
        config: PlayerConfig<'_>,
        genome: &AnyGenome,
        search: Option<&SearchSpec>,
    ) -> Result<MatchPlayer, PlayerError> {
        self.check_rules(name, config.game)?;
        let grown = ChampionPlayer::new(config, genome, &self.parameters, search);
        let champion = grown.map_err(|error| error.with_name(name))?;
        Ok(champion.match_player())
    }

    /// Checks that the players of a game play this one.
    pub fn check_rules(&self, name: &str, game: &GameConfig) -> Result<(), PlayerError> {
        // The parameters may not exist in another game; then the error is that the games differ.
        let own = game.with_parameters(&self.parameters);
        let own = own.unwrap_or_else(|_| game.clone()).for_matches();
        if own == self.game {
            return Ok(());
        }
        let [own, here] = if own.name() == self.game.name() {
            [self.game.differences(&own), own.differences(&self.game)].map(|rules| rules.join(" "))
        } else {
            [own.name(), self.game.name()].map(str::to_owned)
        };
        let message = format!("{name}: plays {own}, but this game is {here}");
        Err(PlayerError::Usage(message))
    }

    /// Plays matches in parallel; `None` if they were canceled before the last one was over, or an
    /// outside program failed too often in a row, see
    /// [`broken_player`](super::forfeits::broken_player).
    pub fn play_matches(
        &self,
        pool: &Pool,
        players: &[MatchPlayer],
        matches: &[Match],
        conditions: &MatchConditions<'_>,
    ) -> Option<Vec<GameResult>> {
        self.arena.play_matches(pool, players, matches, conditions)
    }
}

/// A heuristic reference player with another search depth.
fn with_depth(
    reference: ReferencePlayer,
    search: &SearchSpec,
) -> Result<ReferencePlayer, PlayerError> {
    let usage = |message: &str| PlayerError::Usage(message.to_owned());
    let ReferencePlayer::Heuristic { heuristic, .. } = reference else {
        return Err(usage(
            "this reference player has no heuristic to search with",
        ));
    };
    let depth = search.depth().ok_or_else(|| {
        usage(
            "a heuristic can only be searched by alpha-beta with a depth; write for example \
            alpha-beta-4",
        )
    })?;
    Ok(ReferencePlayer::Heuristic { heuristic, depth })
}

/// An arena of the game with the first agent that can play it, for what needs only the rules.
///
/// # Errors
///
/// No agent can play the game.
pub fn arena_for(game: &GameConfig) -> Result<Arc<dyn Arena>, PlayerError> {
    let mut agents = AgentConfig::all().into_iter();
    let built = agents.find_map(|agent| build(game, &agent).ok());
    built.ok_or_else(|| PlayerError::Failure(format!("no agent can play {}", game.name())))
}
