//! Analyzes recorded games: what each move was worth, by the oracle where it knows the position,
//! else by a player's search. Each position is judged alone, so that the figures do not depend on
//! the number of threads.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::agents::{Turn, Workspace};
use crate::games::{Game, NotationError, Side, play_text, transcript};
use crate::search::alpha_beta::WIN_VALUE;
use crate::text::percentage;

use super::ScoreKind;
use super::game_arena::GameArena;
use super::phenotype::Phenotype;
use super::pool::Pool;
use super::record::{self, GameRecord, Verdict};
use super::score_scale::ScoreScale;

/// What a mistake loses at least where only a player judges, as a share of a win.
pub const MISTAKE: f64 = 0.1;

/// How fast accuracy falls with the loss: a move that gives away a tenth of a win counts 66%, a
/// quarter 36%, a half 12%, and a whole win nothing.
const SEVERITY: f64 = 4.0;

/// What judges the moves of a game: the oracle, a player, or the player where the oracle does not
/// know the position.
#[derive(Clone, Copy, Default)]
pub struct MoveJudges<'a> {
    /// Whether the oracle is asked.
    pub uses_oracle: bool,
    /// The player, if any.
    pub player: Option<&'a Phenotype>,
}

/// What a move of a game was worth. Values are expected shares of a win to the side that moves,
/// from 0, lost, to 1, won.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveAnalysis {
    /// The side that moved.
    pub side: Side,
    /// The move.
    pub action: String,
    /// The verdict of the oracle; `Unknown` if it does not know the position or was not asked.
    pub verdict: Verdict,
    /// The value of the move; `None` if nothing is known about the position.
    pub value: Option<f64>,
    /// The moves that were judged with their values, the best first: by the oracle the best ones
    /// and the move made, by a player all.
    pub best: Vec<(String, f64)>,
    /// The value of the best move less that of the move.
    pub loss: Option<f64>,
}

/// What the moves of a game were worth.
#[derive(Clone, Debug, PartialEq)]
pub struct GameAnalysis {
    /// The moves in order. An illegal last move is left out.
    pub moves: Vec<MoveAnalysis>,
    /// How far the first player was ahead at the start and after each move, from 0, lost, to 1,
    /// won; of an unfinished game without the last position, and empty if the value of one is not
    /// known.
    pub shares: Vec<f64>,
    /// The number of the loser's move, from 1, that lost most for good, by these shares; `None`
    /// after a draw or an illegal move, in an unfinished game, and if no move for which the judge
    /// knows a better one lost as much as a mistake.
    pub turning_point: Option<usize>,
    /// The accuracy of the first and the second player: the mean over the player's moves of what
    /// they count, from 0 to 1, where not all moves were known to be equal; `None` without such a
    /// move.
    pub accuracies: [Option<f64>; 2],
}

impl MoveAnalysis {
    /// The verdict of the oracle, else one by what the move lost.
    pub fn mark(&self) -> Verdict {
        match (self.verdict, self.loss) {
            (Verdict::Unknown, Some(loss)) if loss >= MISTAKE => Verdict::Mistake,
            (Verdict::Unknown, Some(loss)) if loss > 0.0 => Verdict::Indifferent,
            (Verdict::Unknown, Some(_)) => Verdict::Good,
            (verdict, _) => verdict,
        }
    }

    /// The analysis as a comment: the oracle's verdict, or the value in percent, and the best move
    /// if it is another one.
    pub fn comment(&self) -> String {
        let percent = |value: f64| percentage(value, 0) + "%";
        let words = match (self.verdict, self.value) {
            (Verdict::Unknown, None) => return String::new(),
            (Verdict::Unknown, Some(value)) => percent(value),
            (verdict, _) => verdict.word().to_owned(),
        };
        match self.best.first().filter(|_| self.loss > Some(0.0)) {
            Some((best, value)) => format!("{words}, best {best} {}", percent(*value)),
            None => words,
        }
    }
}

impl GameAnalysis {
    /// A comment on each move.
    pub fn comments(&self) -> Vec<String> {
        let numbered = (1..).zip(&self.moves);
        let comment = |(number, it): (usize, &MoveAnalysis)| match self.turning_point {
            Some(turn) if turn == number => it.comment() + "; the turning point",
            _ => it.comment(),
        };
        numbered.map(comment).collect()
    }
}

/// A position of a game with what is known of its moves.
struct JudgedMove {
    side: Side,
    action: String,
    verdict: Verdict,
    /// Scores of moves, the best first; by the oracle of its best moves and of the move made.
    scores: Vec<(String, f32)>,
    /// Whether there was more than one legal move, and not all were known to be equal.
    is_choice: bool,
}

/// Analyzes a game. `go_on` is called after each position; once it says no, nothing is found out
/// about the positions that are left.
///
/// # Errors
///
/// The first position or move of the record that is invalid.
pub(super) fn analyze<G: Game>(
    arena: &GameArena<G>,
    pool: &Pool,
    judges: MoveJudges<'_>,
    record: &GameRecord,
    go_on: &(dyn Fn() -> bool + Sync),
) -> Result<GameAnalysis, NotationError> {
    let rules = transcript::unlimited(&arena.game);
    let mut state = rules.parse_position(&record.start)?;
    let mut positions = Vec::new();
    for ply in record.plies.iter().filter(|ply| !ply.action.is_empty()) {
        let before = state.clone();
        positions.push((before, play_text(&rules, &mut state, &ply.action)?));
    }
    let is_over = AtomicBool::new(false);
    let judge = |(): &mut (), index: usize| {
        let (state, action) = &positions[index];
        let asked = Some(judges).filter(|_| !is_over.load(Ordering::Relaxed));
        let judged = judge(arena, asked.unwrap_or_default(), state, *action);
        is_over.fetch_or(!go_on(), Ordering::Relaxed);
        judged
    };
    let judged = pool.map_with(positions.len(), || (), judge);
    let over = rules
        .outcome(&state)
        .map(|outcome| outcome.result_for(Side::First));
    let mut found = summary(&judged, &arena.info.scores, over.or(record.result));
    if positions.len() < record.plies.len() {
        // The illegal move decided it.
        found.turning_point = None;
    }
    Ok(found)
}

fn judge<G: Game>(
    arena: &GameArena<G>,
    judges: MoveJudges<'_>,
    state: &G::State,
    action: G::Move,
) -> JudgedMove {
    let game = &arena.game;
    let (mut scores, mut verdict) = (Vec::new(), Verdict::Unknown);
    if judges.uses_oracle {
        scores = by_oracle(arena, state, action);
        verdict = record::verdict(arena, state, Some(action));
    }
    if let (true, Some(player)) = (scores.is_empty(), judges.player) {
        scores = by_player(arena, player, state);
    }
    scores.sort_by(|a, b| b.1.total_cmp(&a.1));
    let is_choice = match verdict {
        Verdict::Unknown => scores.first().map(|it| it.1) != scores.last().map(|it| it.1),
        known => matches!(
            known,
            Verdict::Good | Verdict::WinsByLess | Verdict::Mistake
        ),
    };
    JudgedMove {
        side: game.to_move(state),
        action: game.move_text(action),
        verdict,
        scores: scores
            .into_iter()
            .map(|(action, score)| (game.move_text(action), score))
            .collect(),
        is_choice,
    }
}

/// The results of the oracle's best moves and of a move; empty if it does not know the position.
fn by_oracle<G: Game>(
    arena: &GameArena<G>,
    state: &G::State,
    action: G::Move,
) -> Vec<(G::Move, f32)> {
    let (game, mut best) = (&arena.game, Vec::new());
    let mut known = || {
        let oracle = arena.oracle.as_deref()?;
        oracle.evaluate(game, state, &mut best)?;
        let result = oracle.best_result(game, state)?;
        let score = |result: i8| f32::from(result) * WIN_VALUE;
        let mut scores: Vec<_> = best.iter().map(|&best| (best, score(result))).collect();
        if !best.contains(&action) {
            scores.push((action, score(record::result_of(arena, state, action)?)));
        }
        Some(scores)
    };
    known().unwrap_or_default()
}

/// The scores of all moves by a player's search.
fn by_player<G: Game>(
    arena: &GameArena<G>,
    player: &Phenotype,
    state: &G::State,
) -> Vec<(G::Move, f32)> {
    player.check(&arena.info.io_spec);
    let (game, mut moves) = (&arena.game, Vec::new());
    game.moves(state, &mut moves);
    // Nothing is left from other positions, whatever thread has judged them.
    let workspace = &mut Workspace::new(game);
    let mut turn = Turn::new(game, player.brain(), state, workspace);
    let scores = arena.agent.action_scores(&mut turn);
    let known = scores.into_iter().map(|score| {
        if score.is_nan() {
            f32::NEG_INFINITY
        } else {
            score
        }
    });
    moves.into_iter().zip(known).collect()
}

/// Puts the scores of a game on one scale.
fn summary(judged: &[JudgedMove], scores: &ScoreKind, result: Option<i8>) -> GameAnalysis {
    let best = judged.iter().filter_map(|it| it.scores.first());
    let best: Vec<f32> = best.map(|(_, score)| *score).collect();
    let scale = ScoreScale::of(&best, scores.range);
    let mut moves: Vec<MoveAnalysis> = judged.iter().map(|it| on_scale(it, scale)).collect();
    let shares = shares(&moves, scores.are_values, result).unwrap_or_default();
    moves.iter_mut().zip(&shares).for_each(level);
    GameAnalysis {
        turning_point: result.and_then(|result| turning_move(&moves, &shares, result)),
        accuracies: [Side::First, Side::Second].map(|side| accuracy(judged, &moves, side)),
        shares,
        moves,
    }
}

fn on_scale(judged: &JudgedMove, scale: ScoreScale) -> MoveAnalysis {
    let share = |score: f32| scale.share(score);
    let mut scores = judged.scores.iter();
    let own = scores.find(|(action, _)| *action == judged.action);
    let value = own.map(|(_, score)| share(*score));
    let best = judged.scores.first().map(|(_, score)| share(*score));
    let judged_moves = judged.scores.iter();
    MoveAnalysis {
        side: judged.side,
        action: judged.action.clone(),
        verdict: judged.verdict,
        value,
        best: judged_moves
            .map(|(action, score)| (action.clone(), share(*score)))
            .collect(),
        loss: best.zip(value).map(|(best, own)| (best - own).max(0.0)),
    }
}

/// Shifts the values of a position, so that the best move keeps how far the first player was ahead.
fn level((moves, &share): (&mut MoveAnalysis, &f64)) {
    let Some(&(_, best)) = moves.best.first() else {
        return;
    };
    let shift = share_of(moves.side, share) - best;
    let values = moves.best.iter_mut().map(|(_, value)| value);
    for value in values.chain(&mut moves.value).filter(|it| is_open(**it)) {
        *value = (*value + shift).clamp(0.01, 0.99);
    }
}

/// A side's share of a win, from that of the first player, or the other way round.
fn share_of(side: Side, share: f64) -> f64 {
    match side {
        Side::First => share,
        Side::Second => 1.0 - share,
    }
}

/// Whether a share says that a game is not decided.
fn is_open(share: f64) -> bool {
    share > 0.0 && share < 1.0
}

/// The number of the loser's move, from 1, that lost most for good: what the winner was ahead at
/// least from then on, less what it was ahead before. `None` if none that was not the best lost as
/// much as a mistake.
fn turning_move(moves: &[MoveAnalysis], shares: &[f64], result: i8) -> Option<usize> {
    let winner = match result {
        0 => return None,
        1.. => Side::First,
        _ => Side::Second,
    };
    let (mut least, mut most, mut turn) = (1.0_f64, MISTAKE, None);
    for (index, it) in moves.iter().enumerate().rev() {
        least = least.min(share_of(winner, *shares.get(index + 1)?));
        let lost = least - share_of(winner, shares[index]);
        let is_worse = it.loss.is_some_and(|loss| loss > 0.0);
        if it.side != winner && is_worse && lost >= most {
            (most, turn) = (lost, Some(index + 1));
        }
    }
    turn
}

/// How far the first player was ahead before each move, by the best moves, and at the end. Before
/// the game is decided, neighbors are averaged. `None` if something is not known.
fn shares(moves: &[MoveAnalysis], are_values: bool, result: Option<i8>) -> Option<Vec<f64>> {
    let share = |it: &MoveAnalysis| {
        let is_known = are_values || it.verdict != Verdict::Unknown;
        let (_, best) = it.best.first().filter(|_| is_known)?;
        Some(share_of(it.side, *best))
    };
    let mut shares: Vec<f64> = moves.iter().map(share).collect::<Option<_>>()?;
    let open = shares.iter().position(|share| !is_open(*share));
    smooth(&mut shares[..open.unwrap_or(moves.len())]);
    shares.extend(result.map(|result| f64::from(1 + result) / 2.0));
    Some(shares)
}

/// Averages each share with its neighbors, with the weights 1, 2 and 1, which cancels what
/// alternates from move to move: a player's values prefer the side that has moved.
fn smooth(shares: &mut [f64]) {
    let known = shares.to_vec();
    let last = known.len().saturating_sub(1);
    for (index, share) in shares.iter_mut().enumerate().filter(|_| last > 0) {
        let before = known[index.checked_sub(1).unwrap_or(1)];
        let after = known[if index < last { index + 1 } else { last - 1 }];
        *share = (before + 2.0 * *share + after) / 4.0;
    }
}

fn accuracy(judged: &[JudgedMove], moves: &[MoveAnalysis], side: Side) -> Option<f64> {
    let own = judged.iter().zip(moves);
    let own = own.filter(|(judged, _)| judged.side == side && judged.is_choice);
    let losses: Vec<f64> = own.filter_map(|(_, it)| it.loss).collect();
    let sum: f64 = losses.iter().map(|loss| kept(*loss)).sum();
    (!losses.is_empty()).then(|| sum / losses.len() as f64)
}

/// What a move that gives away a share of a win counts: from 1 for nothing to 0 for all of it.
fn kept(loss: f64) -> f64 {
    let least = (-SEVERITY).exp();
    ((-SEVERITY * loss).exp() - least) / (1.0 - least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::AgentConfig;
    use crate::games::GameConfig;
    use crate::games::transcript::GameFile;
    use crate::genomes::GenomeConfig;
    use crate::params::Params;
    use crate::play::build;
    use crate::rng::{Purpose, stream};

    const ORACLE: MoveJudges<'_> = MoveJudges {
        uses_oracle: true,
        player: None,
    };

    #[test]
    fn a_move_that_gives_away_a_won_game_counts_nothing() {
        let counts = [0.0, 0.1, 0.25, 0.5, 1.0].map(|loss| (100.0 * kept(loss)).round() as u32);
        assert_eq!(counts, [100, 66, 36, 12, 0]);
    }

    #[test]
    fn the_oracle_finds_the_turning_point_of_a_game() {
        let mut game = GameConfig::named("nim").expect("it is registered");
        game.set("heaps", "[4, 4]").expect("it is allowed");
        let agent = AgentConfig::named("one_ply").expect("it is registered");
        let arena = build(&game, &agent).expect("they go together");
        let file = GameFile::new(b"[Start \"3,3\"] 1:1 1:1 2:2 1:1 2:1");
        let record = arena.read_game(&file, &arena.list_games(&file)[0]);
        let pool = Pool::new(2).expect("two threads");
        let record = record.expect("it is legal");
        let told = arena
            .analyze(&pool, ORACLE, &record, &|| true)
            .expect("it is legal");
        let losses: Vec<f64> = told.moves.iter().filter_map(|it| it.loss).collect();
        let shown = format!("{losses:?} {:?} {:?}", told.turning_point, told.accuracies);
        assert_eq!((losses.len(), record.result), (5, Some(-1)), "{shown}");
        let lost = losses
            .iter()
            .rposition(|loss| *loss > 0.99)
            .map(|place| place + 1);
        assert_eq!(told.turning_point, lost, "{shown}");
        assert!(told.comments()[lost.expect("somebody erred") - 1].contains("turning point"));
        let (mut forfeited, mut illegal) = (record.clone(), record.plies[0].clone());
        illegal.action.clear();
        forfeited.plies.push(illegal);
        let told = arena.analyze(&pool, ORACLE, &forfeited, &|| true);
        assert_eq!(told.expect("it is legal").turning_point, None);
    }

    /// Moves of both sides in turn, with the values of the best ones.
    fn valued(values: &[f64]) -> Vec<MoveAnalysis> {
        let sides = [Side::First, Side::Second].into_iter().cycle();
        let valued = sides.zip(values).map(|(side, &value)| MoveAnalysis {
            side,
            action: "a".to_owned(),
            verdict: Verdict::Unknown,
            value: Some(value),
            best: vec![("a".to_owned(), value)],
            loss: Some(0.1),
        });
        valued.collect()
    }

    #[test]
    fn shares_are_those_of_the_first_player_and_end_with_the_result() {
        let check = |values: &[f64], result, expected: &[f64]| {
            let found = shares(&valued(values), true, result);
            assert_eq!(found.as_deref(), Some(expected), "{values:?}");
        };
        let alternating = [0.25, 0.25, 0.25, 0.25];
        check(&alternating, Some(-1), &[0.5, 0.5, 0.5, 0.5, 0.0]);
        check(&[0.5, 0.25], None, &[0.625, 0.625]);
        check(
            &[0.5, 0.5, 1.0, 1.0, 0.5],
            Some(0),
            &[0.5, 0.5, 1.0, 0.0, 0.5, 0.5],
        );
        check(&[0.25], Some(1), &[0.25, 1.0]);
        check(&[], None, &[]);
        assert_eq!(shares(&valued(&[0.5]), false, None), None, "no values");
    }

    #[test]
    fn it_turns_with_the_losers_move_that_loses_most_for_good() {
        let check = |shares: &[f64], result, expected| {
            let moves = valued(&shares[..shares.len().saturating_sub(1)]);
            let found = turning_move(&moves, shares, result);
            assert_eq!(found, expected, "{shares:?}");
        };
        check(&[0.0, 0.0, 1.0, 1.0], 1, Some(2));
        check(&[1.0, 1.0, 1.0], 1, None);
        // Half is crossed with the second move, but little is lost before the sixth.
        check(
            &[0.4, 0.49, 0.57, 0.5, 0.62, 0.6, 0.8, 0.8, 1.0],
            1,
            Some(6),
        );
        // What is won back is not lost for good, and the winner's own moves lose nothing.
        check(&[0.5, 0.5, 0.9, 0.5, 0.7, 1.0], 1, Some(4));
        check(&[0.5, 0.5, 0.55, 0.9, 1.0], 1, None);
        check(&[0.5, 0.2, 0.0], -1, Some(1));
        check(&[0.5, 0.9, 0.5], 0, None);
        check(&[0.9, 0.2], 1, None);
        check(&[], 1, None);
        // Nor does it turn where the loser had no better move.
        let mut moves = valued(&[0.5, 0.5, 0.5]);
        let won = [0.5, 0.5, 0.9, 1.0];
        assert_eq!(turning_move(&moves, &won, 1), Some(2));
        moves[1].loss = Some(0.0);
        assert_eq!(turning_move(&moves, &won, 1), None);
    }

    #[test]
    fn the_values_of_moves_agree_with_how_far_the_sides_were_ahead() {
        let mut moves = valued(&[0.25, 0.25]);
        moves[1].best.push(("b".to_owned(), 0.0));
        moves.iter_mut().zip(&[0.5, 0.6]).for_each(level);
        let values = [moves[0].value, moves[1].value].map(|it| it.map(|it| (100.0 * it).round()));
        assert_eq!(values, [Some(50.0), Some(40.0)]);
        assert!(moves[1].best[1].1 < 0.005, "a decided one stays");
    }

    #[test]
    fn moves_between_which_nothing_is_lost_have_no_accuracy() {
        let game = GameConfig::named("nim").expect("it is registered");
        let agent = AgentConfig::named("one_ply").expect("it is registered");
        let arena = build(&game, &agent).expect("they go together");
        let pool = Pool::new(1).expect("one");
        let accuracies = |text: &str| {
            let file = GameFile::new(text.as_bytes());
            let record = arena.read_game(&file, &arena.list_games(&file)[0]);
            let record = record.expect("it is legal");
            let told = arena.analyze(&pool, ORACLE, &record, &|| true);
            told.expect("it is legal").accuracies
        };
        // All moves lose, one of three wins, and the last one is forced.
        assert_eq!(accuracies("[Start \"2,2\"] 1:1 2:2 1:1"), [None, Some(1.0)]);
        assert_eq!(accuracies("[Start \"1,1\"] 1:1 2:1"), [None, None]);
    }

    #[test]
    fn a_search_gives_the_same_figures_on_any_number_of_threads() {
        let game = GameConfig::named("reversi").expect("it is registered");
        let mut agent = AgentConfig::named("alpha_beta").expect("it is registered");
        agent.set("depth", "3").expect("it is allowed");
        let arena = build(&game, &agent).expect("they go together");
        let genome = GenomeConfig::all().swap_remove(0);
        let mut rng = stream(1, Purpose::Sample, 0, 0);
        let member = genome.random(arena.io_spec(), &mut rng);
        let player = Phenotype::grown(&genome, arena.io_spec(), &member);
        let file = GameFile::new(b"f5d6c3d3c4f4f6f3e6e7 1-0");
        let record = arena
            .read_game(&file, &arena.list_games(&file)[0])
            .expect("it is legal");
        let analyze = |threads| {
            let pool = Pool::new(threads).expect("there are threads");
            let judges = MoveJudges {
                player: Some(&player),
                ..ORACLE
            };
            let told = arena.analyze(&pool, judges, &record, &|| true);
            told.expect("it is legal")
        };
        let once = analyze(1);
        assert_eq!(once, analyze(3));
        assert!(
            once.moves
                .iter()
                .all(|it| it.value.is_some() && it.loss >= Some(0.0))
        );
        assert!(
            once.accuracies
                .iter()
                .all(|it| it.is_some_and(|it| it > 0.0 && it <= 1.0))
        );
        let unknown = arena.analyze(&Pool::new(1).expect("one"), ORACLE, &record, &|| true);
        let unknown = unknown.expect("it is legal");
        assert_eq!(
            (unknown.accuracies, unknown.turning_point, unknown.shares),
            ([None, None], None, Vec::new())
        );
        assert_eq!(once.shares.len(), once.moves.len() + 1);
    }

    #[test]
    fn the_player_judges_alone_or_where_the_oracle_does_not_know_until_it_is_told_to_stop() {
        let game = GameConfig::named("nim").expect("it is registered");
        let agent = AgentConfig::named("one_ply").expect("it is registered");
        let arena = build(&game, &agent).expect("they go together");
        let genome = GenomeConfig::all().swap_remove(0);
        let mut rng = stream(1, Purpose::Sample, 0, 0);
        let member = genome.random(arena.io_spec(), &mut rng);
        let player = Phenotype::grown(&genome, arena.io_spec(), &member);
        let file = GameFile::new(b"1:1 2:1 1:1 2:1");
        let record = arena.read_game(&file, &arena.list_games(&file)[0]);
        let record = record.expect("it is legal");
        let pool = Pool::new(1).expect("one");
        let judges = |uses_oracle| MoveJudges {
            uses_oracle,
            player: Some(&player),
        };
        let told = |judges, go_on: &(dyn Fn() -> bool + Sync)| {
            let told = arena.analyze(&pool, judges, &record, go_on);
            told.expect("it is legal").moves
        };
        assert_eq!(told(judges(true), &|| true), told(ORACLE, &|| true));
        let alone = told(judges(false), &|| true);
        assert!(alone.iter().all(|it| it.verdict == Verdict::Unknown));
        assert!(alone.iter().all(|it| it.mark() != Verdict::Unknown));
        assert!(alone.iter().map(|it| it.best.len()).eq([6, 5, 4, 3]));
        let stopped = told(judges(false), &|| false);
        let known = stopped.iter().filter(|it| it.loss.is_some()).count();
        assert_eq!((known, stopped.len()), (1, 4));
    }
}
