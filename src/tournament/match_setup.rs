//! Match setup: reference players, and champions with the network, the board encoding and, unless a search is specified, the agent
//! of their run.

use std::sync::Arc;

use crate::agents::AgentConfig;
use crate::arena::matches::{Match, MatchConditions, MatchPlayer};
use crate::arena::player::Player;
use crate::arena::pool::Pool;
use crate::arena::reference_player::ReferencePlayer;
use crate::arena::{self, Arena};
use crate::contest::GameResult;
use crate::games::GameConfig;
use crate::genomes::AnyGenome;
use crate::preset::Preset;
use crate::storage::saves::Saves;

use super::PlayerError;
use super::player_name::{NamedPlayer, PlayerName};
use super::search_spec::SearchSpec;

/// A champion that is ready to play.
#[derive(Clone)]
pub struct ChampionPlayer {
    /// The game with the board encoding of the run.
    pub game: GameConfig,
    pub agent: AgentConfig,
    /// The arena of this game and agent.
    pub arena: Arc<dyn Arena>,
    pub player: Arc<Player>,
    pub generation: Option<u64>,
}

impl ChampionPlayer {
    /// The player of a genome, in the preset's game with some parameters changed.
    pub fn from_genome(
        preset: &Preset,
        genome: &AnyGenome,
        parameters: &[(String, String)],
        search: Option<&SearchSpec>,
    ) -> Result<Self, PlayerError> {
        let game = preset
            .game
            .with_parameters(parameters)
            .map_err(PlayerError::Usage)?;
        let agent = match search {
            Some(search) => search.agent_for(preset).map_err(PlayerError::Usage)?,
            None => preset.agent.clone(),
        };
        let arena = arena::build(&game, &agent).map_err(PlayerError::Failure)?;
        if let Some(error) = preset.genome.validation_error(genome, arena.ports()) {
            return Err(PlayerError::Failure(format!("can't play: {error}")));
        }
        let player = Player::grown(&preset.genome, arena.ports(), genome);
        Ok(Self {
            game,
            agent,
            arena,
            player: Arc::new(player),
            generation: None,
        })
    }

    /// The champion of a saved run, by its name.
    pub fn from_saved_run(
        name: &PlayerName,
        parameters: &[(String, String)],
        saves: &Saves,
    ) -> Result<Self, PlayerError> {
        let NamedPlayer::Champion { run, generation } = &name.player else {
            return Err(unknown_player(&name.text, saves));
        };
        let file = saves.run_file(run)?;
        let generation = match *generation {
            Some(generation) => generation,
            None => saves.champions(run)?.last().copied().ok_or_else(|| {
                let message = "has no champion yet; let it finish a generation";
                PlayerError::Failure(format!("{run}: {message}"))
            })?,
        };
        let search = parse_search(name)?;
        let genome = saves.champion(run, generation)?.genome;
        let grown = Self::from_genome(&file.preset, &genome, parameters, search.as_ref());
        let grown = grown.map_err(|refusal| refusal.with_name(&name.text))?;
        Ok(Self {
            generation: Some(generation),
            ..grown
        })
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
    saves: Saves,
}

impl MatchSetup {
    /// A game with some parameters changed.
    pub fn new(
        game: &GameConfig,
        parameters: &[(String, String)],
        saves: Saves,
    ) -> Result<Self, PlayerError> {
        let game = game
            .with_parameters(parameters)
            .map_err(PlayerError::Usage)?
            .for_matches();
        Ok(Self {
            arena: arena_for(&game)?,
            game,
            parameters: parameters.to_vec(),
            saves,
        })
    }

    /// The names of the game's reference players.
    pub fn reference_names(&self) -> Vec<String> {
        let heuristics = self.arena.heuristics();
        let all = ReferencePlayer::all(heuristics).into_iter();
        all.filter(|&reference| self.can_play(reference))
            .map(|reference| reference.name(heuristics))
            .collect()
    }

    fn can_play(&self, reference: ReferencePlayer) -> bool {
        self.arena.is_solved() || !reference.needs_oracle()
    }

    /// The player that a name refers to.
    pub fn player(&self, name: &PlayerName) -> Result<MatchPlayer, PlayerError> {
        match &name.player {
            NamedPlayer::Reference(player) => self.reference(name, player),
            NamedPlayer::Champion { run, .. } => {
                self.check_rules(&name.text, &self.saves.run_file(run)?.preset)?;
                let champion = ChampionPlayer::from_saved_run(name, &self.parameters, &self.saves)?;
                Ok(champion.match_player())
            }
        }
    }

    /// The player of a genome.
    pub fn player_from_genome(
        &self,
        name: &str,
        preset: &Preset,
        genome: &AnyGenome,
        search: Option<&SearchSpec>,
    ) -> Result<MatchPlayer, PlayerError> {
        self.check_rules(name, preset)?;
        let grown = ChampionPlayer::from_genome(preset, genome, &self.parameters, search);
        let champion = grown.map_err(|refusal| refusal.with_name(name))?;
        Ok(champion.match_player())
    }

    /// Checks that the players of a preset play this game.
    fn check_rules(&self, name: &str, preset: &Preset) -> Result<(), PlayerError> {
        // The parameters may not exist in another game; then the error is that the games differ.
        let own = preset.game.with_parameters(&self.parameters);
        let own = own.unwrap_or_else(|_| preset.game.clone()).for_matches();
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

    fn reference(&self, name: &PlayerName, player: &str) -> Result<MatchPlayer, PlayerError> {
        let heuristics = self.arena.heuristics();
        let found =
            ReferencePlayer::named(player, heuristics).filter(|&found| self.can_play(found));
        let found = found.ok_or_else(|| {
            PlayerError::Usage(format!(
                "{}; choose a reference player ({}) or a champion (RUN or RUN:GENERATION)",
                unknown_player(player, &self.saves),
                self.reference_names().join(", ")
            ))
        })?;
        let deeper = match parse_search(name)? {
            Some(search) => with_depth(found, &search)
                .map_err(|error| PlayerError::Usage(format!("{}: {error}", name.text)))?,
            None => found,
        };
        Ok(Arc::clone(&self.arena).reference_player(deeper))
    }

    /// Plays matches in parallel; `None` if they were halted before the last one was over.
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
fn with_depth(reference: ReferencePlayer, search: &SearchSpec) -> Result<ReferencePlayer, String> {
    let ReferencePlayer::Heuristic { heuristic, .. } = reference else {
        return Err("this reference player has no heuristic to search with".to_owned());
    };
    let depth = search.depth().ok_or(
        "a heuristic can only be searched by alpha-beta with a depth; write for example alpha-beta-4",
    )?;
    Ok(ReferencePlayer::Heuristic { heuristic, depth })
}

fn parse_search(name: &PlayerName) -> Result<Option<SearchSpec>, PlayerError> {
    let search = name.search.as_deref().map(SearchSpec::parse).transpose();
    search.map_err(|error| PlayerError::Usage(format!("{}: {error}", name.text)))
}

/// The error for a name of no player.
pub fn unknown_player(name: &str, saves: &Saves) -> PlayerError {
    let root = saves.root().display();
    PlayerError::Usage(format!(
        "{name}: there is no reference player and no saved run of that name in {root}"
    ))
}

/// An arena of the game with the first agent that can play it. Reference players do not use the agent.
fn arena_for(game: &GameConfig) -> Result<Arc<dyn Arena>, PlayerError> {
    let mut agents = AgentConfig::all().into_iter();
    let built = agents.find_map(|agent| arena::build(game, &agent).ok());
    built.ok_or_else(|| PlayerError::Failure(format!("no agent can play {}", game.name())))
}
