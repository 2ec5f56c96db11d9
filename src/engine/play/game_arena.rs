//! The arena of one game: its rules, an agent and, where they can be had, all positions and an
//! oracle. The parts of its work are in modules of their own.

use std::sync::Arc;

use crate::agents::{AgentFor, EncodedStates, Policy, Turn, Workspace};
use crate::contest::GameResult;
use crate::games::oracle::Oracle;
use crate::games::{Game, Side, StartKind, encoded};
use crate::genomes::IoSpec;
use crate::genomes::learning::LifetimeLearning;
use crate::rng::{Purpose, Stream, stream};
use crate::search::solver::SolvedGame;

use super::evaluation::GradedWalk;
use super::interactive::InteractiveGame;
use super::judged::JudgedPositions;
use super::matches::{self, Match, MatchConditions, MatchPlayer};
use super::phenotype::Phenotype;
use super::player::{ArenaReference, EvolvedPlayer, PlayerBuffers, PlayerRef};
use super::pool::{Pool, Slots};
use super::reference_player::ReferencePlayer;
use super::{
    Arena, ArenaInfo, Schedule, ScoreKind, TournamentResult, TrainingError, evaluation, training,
};

/// The arena of one game and one agent.
pub(super) struct GameArena<G: Game> {
    pub(super) game: G,
    pub(super) agent: Box<dyn AgentFor<G>>,
    pub(super) info: ArenaInfo,
    /// All positions, if they are few enough to enumerate.
    pub(super) small: Option<SmallGame<G>>,
    /// Knows the best moves, if the game is solved.
    pub(super) oracle: Option<Arc<dyn Oracle<G>>>,
    /// The positions in which players are judged.
    pub(super) judged: JudgedPositions<G>,
}

/// A game of few positions: all positions encoded and solved.
pub(super) struct SmallGame<G: Game> {
    pub(super) encoded: EncodedStates<G>,
    pub(super) solved: Arc<SolvedGame<G>>,
}

impl<G: Game> GameArena<G> {
    /// The arena whose players have the lessons of `learning`, if it is given. `title` is the game
    /// in words.
    pub(super) fn open(
        game: G,
        agent: Box<dyn AgentFor<G>>,
        learning: Option<&LifetimeLearning>,
        title: &str,
    ) -> Result<Arc<dyn Arena>, TrainingError> {
        let io_spec = IoSpec {
            game: format!("{title} by {}", agent.policy_head().label()).into(),
            ..agent.io_spec(&game.shape())?
        };
        let small = SolvedGame::new(&game).map(|solved| SmallGame {
            encoded: EncodedStates::new(&game, solved.graph.clone()),
            solved: Arc::new(solved),
        });
        let listed = small.as_ref();
        let listed = listed.map(|small| Arc::clone(&small.solved) as Arc<dyn Oracle<G>>);
        let oracle = game.oracle().or(listed);
        let info = ArenaInfo {
            io_spec,
            is_solved: oracle.as_ref().is_some_and(|oracle| oracle.is_complete()),
            is_enumerated: small.is_some(),
            heuristics: game.heuristics(),
            input_planes: game.input_planes(),
            usual_start: usual_start(&game),
            goal: game.goal(),
            move_help: game.move_help(),
            transcript_extension: game.transcript_format().extension,
            scores: ScoreKind {
                unit: agent.score_unit(),
                range: agent.score_range(),
                are_values: agent.scores_are_values(),
            },
        };
        let mut arena = Self {
            game,
            agent,
            info,
            small,
            oracle,
            judged: JudgedPositions::default(),
        };
        if let Some(learning) = learning {
            let lessons = training::lessons(&arena, learning)?;
            arena.info.io_spec.lessons = Some(Arc::new(lessons));
        }
        Ok(Arc::new(arena))
    }
}

impl<G: Game> GameArena<G> {
    /// Start position number `index` of the games that are shown.
    pub(super) fn numbered_start(&self, seed: u64, index: u64) -> G::State {
        self.game.start(
            StartKind::Game,
            &mut stream(seed, Purpose::Sample, 0, index),
        )
    }

    /// The start position of all games with this opening.
    pub(super) fn opening(
        &self,
        purpose: Purpose,
        seed: u64,
        generation: u64,
        opening: u32,
    ) -> G::State {
        let mut rng = stream(seed, purpose, generation, opening.into());
        let kind = match purpose {
            Purpose::Opening => StartKind::Training { generation },
            _ => StartKind::Game,
        };
        self.game.start(kind, &mut rng)
    }

    /// The move of a player; `None` if it chose an illegal one.
    pub(super) fn choose_move(
        &self,
        player: PlayerRef<'_>,
        state: &G::State,
        buffers: &mut PlayerBuffers<G>,
        rng: &mut Stream,
    ) -> Option<G::Move> {
        let (game, workspace) = (&self.game, &mut buffers.workspace);
        match player {
            PlayerRef::Evolved(player) => {
                let brain = player.brain();
                let mut turn = Turn::new(game, brain, state, workspace);
                self.agent.choose(&mut turn, rng)
            }
            PlayerRef::Reference(reference) => {
                let (oracle, buffers) = (self.oracle.as_deref(), &mut buffers.reference);
                Some(reference.choose(game, oracle, state, buffers, rng))
            }
        }
    }

    /// The inputs of the network of `side` in a position, with weighted inputs summed.
    pub(super) fn inputs(&self, state: &G::State, side: Side) -> Vec<f32> {
        let spec = &self.info.io_spec.inputs;
        spec.project(encoded(&self.game, spec, state, side))
    }

    /// The player's policy: its move in every position.
    pub(super) fn policy<'a>(
        &self,
        small: &SmallGame<G>,
        player: &'a Phenotype,
        workspace: &mut Workspace<G>,
    ) -> &'a Policy {
        player.check(self.io_spec());
        player.policy(|brain| {
            self.agent
                .policy(&self.game, &small.encoded, brain, workspace)
        })
    }
}

/// The position with everything in place, if the game also begins with other ones.
fn usual_start<G: Game>(game: &G) -> Option<String> {
    /// The drawn starts that are compared with the usual one.
    const DRAWS: u64 = 32;
    let usual = game.standard_start();
    let drawn = |index| game.start(StartKind::Game, &mut stream(0, Purpose::Sample, 0, index));
    let has_others = (0..DRAWS).any(|index| drawn(index) != usual);
    has_others.then(|| game.position_text(&usual))
}

impl<G: Game> Arena for GameArena<G> {
    fn info(&self) -> &ArenaInfo {
        &self.info
    }

    fn play(&self, pool: &Pool, schedule: &Schedule<'_>, played: &mut Slots<GameResult>) {
        let players = schedule.members.iter().chain(schedule.hall_of_fame);
        players.for_each(|player| player.check(self.io_spec()));
        self.play_all(pool, schedule, played);
    }

    fn tournament(
        &self,
        champion: &Phenotype,
        opponents: &[&Phenotype],
        seed: u64,
        generation: u64,
    ) -> TournamentResult {
        let mut total = TournamentResult::default();
        let mut workspace = Workspace::new(&self.game);
        for (index, opponent) in opponents.iter().enumerate() {
            let start = self.opening(Purpose::Tournament, seed, generation, index as u32);
            for side in [Side::First, Side::Second] {
                let mut players = [champion, *opponent];
                if side == Side::Second {
                    players.reverse();
                }
                let listed = self
                    .small
                    .as_ref()
                    .filter(|_| self.agent.is_deterministic());
                total += if let Some(small) = listed {
                    let policies = players.map(|player| self.policy(small, player, &mut workspace));
                    let start = small.solved.find(&self.game, &start);
                    let start = start.expect("every start is in the graph");
                    GradedWalk::new(&small.solved, policies, start).of_champion(side)
                } else {
                    let brains = players.map(|player| {
                        player.check(self.io_spec());
                        player.brain()
                    });
                    let game = 2 * index as u64 + side.index() as u64;
                    let mut rng = stream(seed, Purpose::Tournament, generation, u64::MAX - game);
                    evaluation::tournament_game(
                        self,
                        brains,
                        side,
                        &start,
                        &mut workspace,
                        &mut rng,
                    )
                };
            }
        }
        total
    }

    fn match_player(self: Arc<Self>, player: Arc<Phenotype>) -> MatchPlayer {
        player.check(self.io_spec());
        MatchPlayer::new(EvolvedPlayer {
            arena: self,
            phenotype: player,
        })
    }

    fn reference_player(self: Arc<Self>, reference: ReferencePlayer) -> MatchPlayer {
        MatchPlayer::new(ArenaReference {
            arena: self,
            reference,
        })
    }

    fn play_matches(
        &self,
        pool: &Pool,
        players: &[MatchPlayer],
        matches: &[Match],
        conditions: &MatchConditions<'_>,
    ) -> Option<Vec<GameResult>> {
        matches::play(self, pool, players, matches, conditions)
    }

    fn interactive_game(self: Arc<Self>, seed: u64) -> InteractiveGame {
        InteractiveGame::new(self, seed)
    }
}
