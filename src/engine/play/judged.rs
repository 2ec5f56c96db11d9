//! The positions of a game that can be won, and the share of them in which a player's move wins.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::agents::Workspace;
use crate::contest::GameResult;
use crate::games::{Game, oracle::Oracle};
use crate::rng::{Purpose, Stream, stream};

use super::decisions::{self, Decision};
use super::evaluation::{self, GradedWalk};
use super::game_arena::GameArena;
use super::phenotype::Phenotype;
use super::player::{PlayerBuffers, PlayerRef};
use super::pool::Pool;
use super::reference_player::ReferencePlayer;
use super::schedule::place;
use super::{Arena, Schedule};

/// The seed of the positions and of the players' chance.
const SEED: u64 = 0x6a75_6467_6564;

/// Positions that are judged at once by one thread.
const PART: usize = 256;

/// The positions of an arena in which players are judged, once they have been found, by their
/// largest number.
pub(super) struct JudgedPositions<G: Game>(Mutex<BTreeMap<u32, Positions<G>>>);

/// Positions in which the player to move can win.
type Positions<G> = Arc<[<G as crate::games::Rules>::State]>;

impl<G: Game> Default for JudgedPositions<G> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

/// How good the moves of players are, by the oracle.
pub trait Judging: Send + Sync {
    /// The share of positions with a choice in which the player's move is among the best, from 0 to
    /// 1; `None` if the positions of the game are not enumerated.
    fn accuracy(&self, player: &Phenotype) -> Option<f64>;

    /// The same share for a player that moves at random.
    fn chance_accuracy(&self) -> Option<f64>;

    /// The share of the positions that can be won in which a player's move wins: of all positions
    /// of the game if there are at most `most`, otherwise of so many random ones, always the same.
    /// `None` if no oracle knows them.
    fn share_won(&self, pool: &Pool, player: PlayerRef<'_>, most: u32) -> Option<f64>;

    /// Whether [`Judging::share_won`] takes all positions of the game rather than a sample.
    fn judges_all(&self, most: u32) -> bool;

    /// The number of positions that [`Judging::share_won`] takes; 0 if no oracle knows them.
    fn judged_count(&self, most: u32) -> usize;

    /// What [`Judging::share_won`] can be compared with, by name: a random move on average, the one
    /// move that wins most often, and each heuristic one move ahead. Empty if no oracle knows the
    /// positions.
    fn judged_baselines(&self, most: u32) -> Vec<(String, f64)>;

    /// The number of positions in which each player's move leads to a worse result than the best
    /// move. `None` if the positions of the game are not enumerated.
    fn wrong_decisions(&self, players: &[Arc<Phenotype>]) -> Option<Vec<u32>>;

    /// The player's decisions in all positions in which the game is not over, with their quality as
    /// in [`Judging::wrong_decisions`]. Numbered positions come in the order of their numbers.
    /// `None` if the positions of the game are not enumerated.
    fn decisions(&self, player: &Phenotype) -> Option<Vec<Decision>>;

    /// The games of a schedule, in which the points of each player are the grade of its moves: the
    /// share of them that are among the best, in parts of `FULL_GRADE`; 0 without a move. The
    /// positions of the game are enumerated, and members choose without chance.
    fn graded_games(
        &self,
        pool: &Pool,
        schedule: &Schedule<'_>,
        played: &[GameResult],
    ) -> Vec<GameResult>;
}

impl<G: Game> Judging for GameArena<G> {
    fn graded_games(
        &self,
        pool: &Pool,
        schedule: &Schedule<'_>,
        played: &[GameResult],
    ) -> Vec<GameResult> {
        let small = self.small.as_ref().expect("its positions are enumerated");
        let policies = self.policies(small, pool, schedule);
        let grade = |last: &mut Option<(u32, u32)>, game: usize| {
            let pairing = &schedule.pairings[game];
            let start = self.start(&small.encoded.graph, schedule, pairing.opening, last);
            let seats = [pairing.first(), pairing.second()];
            let players = seats.map(|seat| policies[place(seat, schedule)]);
            GameResult {
                points: GradedWalk::new(&small.solved, players, start).grades(),
                ..played[game]
            }
        };
        pool.map_with(played.len(), || None, grade)
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
        player.check(self.io_spec());
        let (positions, oracle) = self.winnable(most)?;
        let parts: Vec<_> = positions.chunks(PART).collect();
        let count = |buffers: &mut PlayerBuffers<G>, part: usize| {
            let mut rng = stream(SEED, Purpose::Chance, 0, part as u64);
            let won = parts[part].iter();
            let won =
                won.filter(|state| self.player_wins(oracle, player, state, buffers, &mut rng));
            won.count()
        };
        let won = pool.map_with(parts.len(), || PlayerBuffers::new(&self.game), count);
        share(won.iter().sum::<usize>() as f64, positions.len())
    }

    fn judges_all(&self, most: u32) -> bool {
        self.game.judges_all(most as usize)
    }

    fn judged_count(&self, most: u32) -> usize {
        self.winnable(most)
            .map_or(0, |(positions, _)| positions.len())
    }

    fn judged_baselines(&self, most: u32) -> Vec<(String, f64)> {
        let Some((positions, oracle)) = self.winnable(most) else {
            return Vec::new();
        };
        let (mut moves, mut chance, mut winning) = (Vec::new(), 0.0, BTreeMap::new());
        for state in positions.iter() {
            moves.clear();
            self.game.moves(state, &mut moves);
            let count = moves.len() as f64;
            moves.retain(|&action| self.wins(oracle, state, action));
            chance += moves.len() as f64 / count;
            for &action in &moves {
                *winning.entry(action).or_insert(0_u32) += 1;
            }
        }
        let constant = winning.values().max().copied().unwrap_or(0);
        let mut shares = vec![
            ("random moves".to_owned(), chance),
            ("the best constant move".to_owned(), constant.into()),
        ];
        let heuristics = self.game.heuristics();
        for (index, heuristic) in heuristics.iter().enumerate() {
            let Some(&depth) = heuristic.depths.first() else {
                continue;
            };
            let reference = ReferencePlayer::Heuristic {
                heuristic: index as u8,
                depth,
            };
            let mut buffers = PlayerBuffers::new(&self.game);
            let mut rng = stream(SEED, Purpose::Chance, 1, index as u64);
            let player = PlayerRef::Reference(reference);
            let won = positions.iter();
            let won =
                won.filter(|state| self.player_wins(oracle, player, state, &mut buffers, &mut rng));
            shares.push((reference.name(heuristics), won.count() as f64));
        }
        for (_, share) in &mut shares {
            *share /= positions.len().max(1) as f64;
        }
        shares
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
}

impl<G: Game> GameArena<G> {
    /// The positions that can be won, of all or of `most` random ones. `None` if there is no oracle
    /// that knows them.
    fn winnable(&self, most: u32) -> Option<(Positions<G>, &dyn Oracle<G>)> {
        let oracle = self
            .oracle
            .as_deref()
            .filter(|oracle| oracle.is_complete())?;
        // A panic in another thread can't have left a part of them.
        let mut known = self.judged.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(positions) = known.get(&most) {
            return Some((Arc::clone(positions), oracle));
        }
        let mut rng = stream(SEED, Purpose::Opening, 0, 0);
        let mut all = self.game.judged_positions(most as usize, &mut rng);
        if let Some(small) = self.small.as_ref().filter(|_| all.is_empty()) {
            all.clone_from(&small.solved.graph.states);
        }
        all.retain(|state| {
            self.game.outcome(state).is_none() && oracle.best_result(&self.game, state) == Some(1)
        });
        let positions: Positions<G> = all.into();
        known.insert(most, Arc::clone(&positions));
        Some((positions, oracle))
    }

    /// Whether a player's move wins a position.
    fn player_wins(
        &self,
        oracle: &dyn Oracle<G>,
        player: PlayerRef<'_>,
        state: &G::State,
        buffers: &mut PlayerBuffers<G>,
        rng: &mut Stream,
    ) -> bool {
        buffers.workspace.clear();
        let action = self.choose_move(player, state, buffers, rng);
        action.is_some_and(|action| self.wins(oracle, state, action))
    }

    /// Whether a move leaves the opponent a lost position, or wins at once.
    fn wins(&self, oracle: &dyn Oracle<G>, state: &G::State, action: G::Move) -> bool {
        let mover = self.game.to_move(state);
        let mut after = state.clone();
        self.game.play(&mut after, action);
        if let Some(outcome) = self.game.outcome(&after) {
            return outcome.result_for(mover) > 0;
        }
        let result = oracle.best_result(&self.game, &after);
        let sign = if self.game.to_move(&after) == mover {
            1
        } else {
            -1
        };
        result.is_some_and(|result| sign * result > 0)
    }
}

/// A part of a whole; `None` if that is empty.
fn share(part: f64, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::AgentConfig;
    use crate::games::GameConfig;
    use crate::games::nim::{LastMatch, NimConfig};
    use crate::play::build;

    fn nim(heaps: &[u16], last: LastMatch) -> Arc<dyn Arena> {
        let game = GameConfig::Nim(NimConfig {
            heaps: heaps.to_vec(),
            last,
            ..NimConfig::default()
        });
        let agent = AgentConfig::named("one_ply").expect("it is registered");
        build(&game, &agent).expect("they go together")
    }

    fn check(heaps: &[u16], most: u32, expected: f64, of_rule: f64) {
        let arena = nim(heaps, LastMatch::Wins);
        let pool = Pool::new(2).expect("two threads");
        let baselines = arena.judged_baselines(most);
        let names: Vec<&str> = baselines.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["random moves", "the best constant move", "level"]);
        let random = baselines[0].1;
        assert!((random - expected).abs() < 0.003, "{heaps:?}: {random}");
        let constant = baselines[1].1;
        assert!(
            constant > 0.0 && constant < of_rule,
            "{heaps:?}: {constant}"
        );
        let player = PlayerRef::Reference(ReferencePlayer::Random);
        let played = arena.share_won(&pool, player, most).expect("it is solved");
        assert!((played - expected).abs() < 0.02, "{heaps:?}: {played}");
        let rule = baselines[2].1;
        assert!((rule - of_rule).abs() < 0.01, "{heaps:?}: {rule}");
        let oracle = PlayerRef::Reference(ReferencePlayer::Oracle);
        assert_eq!(arena.share_won(&pool, oracle, most), Some(1.0));
    }

    /// The shares of the random mover are known for the games of Zhou & Riis (2022). The rule of
    /// thumb would win 26.3% of the first if it lost wherever two heaps are the largest; the
    /// player draws one of the moves that leave two largest heaps.
    #[test]
    fn chance_and_the_rule_of_thumb_win_as_many_positions_as_is_known_and_the_oracle_all() {
        check(&[1, 3, 5, 7, 9], 10_000, 0.134, 0.350);
        check(&[1, 3, 5, 7, 9, 11], 50_000, 0.099, 0.233);
        check(&[1, 3, 5, 7, 9, 11, 13], 20_000, 0.077, 0.168);
    }

    #[test]
    fn positions_that_are_listed_are_judged_in_misere_play_too() {
        let arena = nim(&[3, 4, 5, 4], LastMatch::Loses);
        let pool = Pool::new(1).expect("one thread");
        let oracle = PlayerRef::Reference(ReferencePlayer::Oracle);
        assert_eq!(arena.share_won(&pool, oracle, 1000), Some(1.0));
    }
}
