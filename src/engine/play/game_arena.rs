//! The arena of one game: its rules, an agent and, where they can be had, all positions and an oracle. The parts of its work are
//! in modules of their own.

use std::sync::Arc;

use crate::agents::{AgentFor, EncodedStates, Policy, Workspace};
use crate::contest::GameResult;
use crate::games::board::{Board, MaxSize};
use crate::games::heuristic::Heuristic;
use crate::games::input_plane::InputPlane;
use crate::games::oracle::Oracle;
use crate::games::{Game, NotationError, Side};
use crate::genomes::IoSpec;
use crate::genomes::learning::LifetimeLearning;
use crate::genomes::replay::ReplayBuffer;
use crate::genomes::training_set::TrainingSet;
use crate::rng::{Purpose, Stream, stream};
use crate::search::solver::SolvedGame;

use super::decisions::{self, Decision};
use super::interactive::{self, InteractiveGame};
use super::judged::JudgedPositions;
use super::matches::{self, Match, MatchConditions, MatchPlayer};
use super::phenotype::Phenotype;
use super::player::{ArenaReference, EvolvedPlayer, PlayerBuffers, PlayerRef};
use super::pool::{Pool, Slots};
use super::record::{self, GameRecord, RecordMoment};
use super::record_text::{self, GameRecordError};
use super::reference_player::ReferencePlayer;
use super::{Arena, Schedule, TournamentResult, TrainingError, evaluation, training};

/// The arena of one game and one agent.
pub(super) struct GameArena<G: Game> {
    pub(super) game: G,
    pub(super) agent: Box<dyn AgentFor<G>>,
    pub(super) io_spec: IoSpec,
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
    /// The arena whose players have the lessons of `learning`, if it is given.
    pub(super) fn open(
        game: G,
        agent: Box<dyn AgentFor<G>>,
        learning: Option<&LifetimeLearning>,
    ) -> Result<Arc<dyn Arena>, TrainingError> {
        let io_spec = agent.io_spec(&game.shape())?;
        let small = SolvedGame::new(&game).map(|solved| SmallGame {
            encoded: EncodedStates::new(&game, solved.graph.clone()),
            solved: Arc::new(solved),
        });
        let listed = small.as_ref();
        let listed = listed.map(|small| Arc::clone(&small.solved) as Arc<dyn Oracle<G>>);
        let oracle = game.oracle().or(listed);
        let mut arena = Self {
            game,
            agent,
            io_spec,
            small,
            oracle,
            judged: JudgedPositions::default(),
        };
        if let Some(learning) = learning {
            let lessons = training::lessons(&arena, learning)?;
            arena.io_spec.lessons = Some(Arc::new(lessons));
        }
        Ok(Arc::new(arena))
    }
}

impl<G: Game> GameArena<G> {
    /// The start position of all games with this opening.
    pub(super) fn opening(
        &self,
        purpose: Purpose,
        seed: u64,
        generation: u64,
        opening: u32,
    ) -> G::State {
        let mut rng = stream(seed, purpose, generation, opening.into());
        if purpose == Purpose::Opening {
            self.game.training_start(generation, &mut rng)
        } else {
            self.game.start(&mut rng)
        }
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
            PlayerRef::Brain(brain) => self.agent.choose(game, brain, state, workspace, rng),
            PlayerRef::Reference(reference) => {
                let (oracle, buffers) = (self.oracle.as_deref(), &mut buffers.reference);
                Some(reference.choose(game, oracle, state, buffers, rng))
            }
        }
    }

    /// The inputs of the network of `side` in a position, with weighted inputs summed.
    pub(super) fn inputs(&self, state: &G::State, side: Side) -> Vec<f32> {
        let mut numbers = vec![0.0; self.io_spec.raw_input_count()];
        self.game.encode(state, side, &mut numbers);
        self.io_spec.project(numbers)
    }

    /// The player's policy: its move in every position.
    pub(super) fn policy<'a>(
        &self,
        small: &SmallGame<G>,
        player: &'a Phenotype,
        workspace: &mut Workspace<G>,
    ) -> &'a Policy {
        player.policy(|brain| {
            self.agent
                .policy(&self.game, &small.encoded, brain, workspace)
        })
    }
}

impl<G: Game> Arena for GameArena<G> {
    fn io_spec(&self) -> &IoSpec {
        &self.io_spec
    }

    fn is_solved(&self) -> bool {
        self.oracle
            .as_ref()
            .is_some_and(|oracle| oracle.is_complete())
    }

    fn is_enumerated(&self) -> bool {
        self.small.is_some()
    }

    fn play(&self, pool: &Pool, schedule: &Schedule<'_>, played: &mut Slots<GameResult>) {
        self.play_all(pool, schedule, played);
    }

    fn replay_buffer(&self, schedule: &Schedule<'_>, game: usize, side: Side) -> ReplayBuffer {
        self.replay(schedule, game, side)
    }

    fn accuracy(&self, player: &Phenotype) -> Option<f64> {
        let small = self.small.as_ref()?;
        let policy = self.policy(small, player, &mut Workspace::new(&self.game));
        Some(evaluation::accuracy(&small.solved, policy))
    }

    fn chance_accuracy(&self) -> Option<f64> {
        let small = self.small.as_ref()?;
        Some(evaluation::chance_accuracy(&small.solved))
    }

    fn share_won(&self, pool: &Pool, player: PlayerRef<'_>, most: u32) -> Option<f64> {
        self.share_won(pool, player, most)
    }

    fn judges_all(&self, most: u32) -> bool {
        self.game.judges_all(most as usize)
    }

    fn judged_count(&self, most: u32) -> usize {
        self.judged_count(most)
    }

    fn judged_baselines(&self, most: u32) -> Vec<(String, f64)> {
        self.judged_baselines(most)
    }

    fn wrong_decisions(&self, players: &[Arc<Phenotype>]) -> Option<Vec<u32>> {
        let small = self.small.as_ref()?;
        let mut workspace = Workspace::new(&self.game);
        let wrong = |player: &Arc<Phenotype>| {
            evaluation::wrong_decisions(&small.solved, self.policy(small, player, &mut workspace))
        };
        Some(players.iter().map(wrong).collect())
    }

    fn decisions(&self, player: &Phenotype) -> Option<Vec<Decision>> {
        let small = self.small.as_ref()?;
        let policy = self.policy(small, player, &mut Workspace::new(&self.game));
        Some(decisions::all(self, small, policy))
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
                    evaluation::tournament_walk(&self.game, &small.solved, policies, side, &start)
                } else {
                    let brains = players.map(Phenotype::brain);
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

    fn heuristics(&self) -> &'static [Heuristic] {
        self.game.heuristics()
    }

    fn training_set(
        &self,
        teacher: ReferencePlayer,
        games: u32,
        seed: u64,
        set: u64,
    ) -> Result<TrainingSet, TrainingError> {
        training::collect(self, teacher, games, seed, set)
    }

    fn match_player(self: Arc<Self>, player: Arc<Phenotype>) -> MatchPlayer {
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

    fn play_record(
        &self,
        players: [PlayerRef<'_>; 2],
        names: [String; 2],
        seed: u64,
        generation: u64,
        index: u64,
    ) -> GameRecord {
        record::play(
            self,
            players,
            names,
            &mut stream(seed, Purpose::Sample, generation, index),
        )
    }

    fn record_board(&self, record: &GameRecord, moment: RecordMoment, room: MaxSize) -> Board {
        record::board_at(&self.game, record, moment, room)
    }

    fn stages(&self, record: &GameRecord, ply: usize) -> usize {
        record::stages(&self.game, record, ply)
    }

    fn read_records(&self, text: &str) -> Result<Vec<GameRecord>, GameRecordError> {
        record_text::read(self, text)
    }

    fn transcript(&self, record: &GameRecord, event: &str) -> Result<String, NotationError> {
        record_text::transcript(&self.game, record, event)
    }

    fn read_transcript(&self, text: &str) -> Result<Vec<GameRecord>, NotationError> {
        record_text::transcripts(self, text)
    }

    fn transcript_extension(&self) -> &'static str {
        self.game.transcript_format().extension
    }

    fn input_planes(&self) -> Vec<InputPlane> {
        self.game.input_planes()
    }

    fn encoded_position(&self, position: &str) -> Option<(Side, Vec<f32>)> {
        if !self.io_spec.choice_counts.is_empty() {
            return None;
        }
        let state = self.game.parse_position(position).ok()?;
        let side = self.game.to_move(&state);
        let mut numbers = vec![0.0; self.io_spec.raw_input_count()];
        self.game.encode(&state, side, &mut numbers);
        Some((side, numbers))
    }

    fn interactive_game(self: Arc<Self>, seed: u64) -> Box<dyn InteractiveGame> {
        Box::new(interactive::ArenaGame::new(self, seed))
    }
}
