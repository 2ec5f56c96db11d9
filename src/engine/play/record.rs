//! Recorded games, to be shown and saved: the moves as text, with the oracle's verdict on each.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::games::board::{Board, MaxSize};
use crate::games::transcript::{self, FileGame, GameFile};
use crate::games::{Game, NotationError, Side, StartKind, encoded};
use crate::rng::{Purpose, Stream, stream};

use super::Arena;
use super::game_analysis::{self, GameAnalysis, MoveJudges};
use super::game_arena::GameArena;
use super::game_loop;
use super::player::{PlayerBuffers, PlayerRef};
use super::pool::Pool;
use super::record_text::{self, GameRecordError};

/// The oracle's verdict on a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// One of the best moves.
    Good,
    /// Not one of the best moves: the position is not lost, and the move does not win.
    Mistake,
    /// Not one of the best moves, but one that wins, too.
    WinsByLess,
    /// One of the best moves, in a position in which every move loses against best play.
    BestOfLost,
    /// Not one of the best moves, in a position in which every move loses against best play.
    LostAnyway,
    /// The only legal move.
    Forced,
    /// One of several legal moves, which are all equally good.
    Indifferent,
    /// One of several legal moves, which all win against best play and are equally good.
    AllWin,
    /// One of several legal moves, which all lose against best play and are equally good.
    AllLose,
    /// An illegal move, which loses the game.
    Illegal,
    /// The oracle does not know the position.
    Unknown,
}

impl Verdict {
    /// Whether every move loses against best play and there were several.
    pub fn is_lost(self) -> bool {
        matches!(self, Self::BestOfLost | Self::LostAnyway | Self::AllLose)
    }

    /// The word in files and on screens; empty if unknown.
    pub fn word(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Mistake => "mistake",
            Self::WinsByLess => "wins by less",
            Self::BestOfLost => "best there was",
            Self::LostAnyway => "lost anyway",
            Self::Forced => "forced",
            Self::Indifferent => "all equal",
            Self::AllWin => "all win",
            Self::AllLose => "all lose",
            Self::Illegal => "illegal",
            Self::Unknown => "",
        }
    }
}

/// One move of a recorded game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ply {
    /// The player that moved.
    pub side: Side,
    /// The position before the move.
    pub position: String,
    /// The move; empty if it was illegal.
    pub action: String,
    /// How good the move was.
    pub verdict: Verdict,
}

/// A recorded game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The names of the first and the second player.
    pub names: [String; 2],
    /// The starting position as text.
    pub start: String,
    /// The moves, in order.
    pub plies: Vec<Ply>,
    /// 1, 0 or −1 for the first player; `None` if the game is unfinished.
    pub result: Option<i8>,
}

impl GameRecord {
    /// The name of the player who has won, if one has.
    pub fn winner(&self) -> Option<&str> {
        let result = self.result.filter(|&result| result != 0)?;
        Some(&self.names[usize::from(result < 0)])
    }

    /// The result in words.
    pub fn result_words(&self) -> String {
        result_words(&self.names, self.result)
    }
}

/// A result in words, given the names of the players.
pub fn result_words(names: &[String; 2], result: Option<i8>) -> String {
    match result {
        None => UNFINISHED.to_owned(),
        Some(0) => "draw".to_owned(),
        Some(result) => format!("{} wins", names[usize::from(result < 0)]),
    }
}

/// The result in words of a game without one.
pub(super) const UNFINISHED: &str = "unfinished";

/// The format of saved games: a title, then one line per move with the position before it, then the
/// result.
impl fmt::Display for GameRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} v {}", self.names[0], self.names[1])?;
        for (number, ply) in self.plies.iter().enumerate() {
            let action = if ply.action.is_empty() {
                "-"
            } else {
                &ply.action
            };
            let line = format!(
                "{:>4}. {:<16} {:<10} {}",
                number + 1,
                ply.position,
                action,
                ply.verdict.word()
            );
            writeln!(f, "{}", line.trim_end())?;
        }
        writeln!(f, "      {}", self.result_words())
    }
}

/// Records games, and reads, writes and draws the records.
pub trait GameRecords: Send + Sync {
    /// Plays one game and records it with the oracle's verdict on each move.
    fn play_record(
        &self,
        players: [PlayerRef<'_>; 2],
        names: [String; 2],
        seed: u64,
        generation: u64,
        index: u64,
    ) -> GameRecord;

    /// The board at a moment of a recorded game, with the last move marked.
    fn record_board(&self, record: &GameRecord, moment: RecordMoment, room: MaxSize) -> Board;

    /// The number of animation stages of move number `ply` of a recorded game, from 1; 0 if it is
    /// not animated.
    fn stages(&self, record: &GameRecord, ply: usize) -> usize;

    /// Reads recorded games in the format of run folders.
    fn read_records(&self, text: &str) -> Result<Vec<GameRecord>, GameRecordError>;

    /// A recorded game in the standard notation of the game, with tags such as those of
    /// [`GameConfig::transcript_tags`](crate::games::GameConfig::transcript_tags).
    ///
    /// # Errors
    ///
    /// The first position or move of the record that is invalid.
    fn transcript(
        &self,
        record: &GameRecord,
        tags: &[(String, String)],
    ) -> Result<String, NotationError>;

    /// Lists the games of a file in any usual format. Those that can't be read are among them.
    fn list_games(&self, file: &GameFile) -> Vec<FileGame>;

    /// Reads a listed game of a file, and adds the oracle's verdict on each move.
    ///
    /// # Errors
    ///
    /// The reason why the game can't be read.
    fn read_game(&self, file: &GameFile, listed: &FileGame) -> Result<GameRecord, NotationError>;

    /// Analyzes a recorded game. `go_on` is called after each position; once it says no, nothing is
    /// found out about the positions that are left. The figures do not depend on the pool.
    ///
    /// # Errors
    ///
    /// The first position or move of the record that is invalid.
    fn analyze(
        &self,
        pool: &Pool,
        judges: MoveJudges<'_>,
        record: &GameRecord,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<GameAnalysis, NotationError>;

    /// The side to move in a position, and the position encoded from its point of view. `None` if
    /// brains take the numbers of positions, or if the text is no position.
    fn encoded_position(&self, position: &str) -> Option<(Side, Vec<f32>)>;
}

impl<G: Game> GameRecords for GameArena<G> {
    fn play_record(
        &self,
        players: [PlayerRef<'_>; 2],
        names: [String; 2],
        seed: u64,
        generation: u64,
        index: u64,
    ) -> GameRecord {
        for player in players {
            player.check(self.io_spec());
        }
        play(
            self,
            players,
            names,
            &mut stream(seed, Purpose::Sample, generation, index),
        )
    }

    fn record_board(&self, record: &GameRecord, moment: RecordMoment, room: MaxSize) -> Board {
        board_at(&transcript::unlimited(&self.game), record, moment, room)
    }

    fn stages(&self, record: &GameRecord, ply: usize) -> usize {
        stages(&self.game, record, ply)
    }

    fn read_records(&self, text: &str) -> Result<Vec<GameRecord>, GameRecordError> {
        record_text::read(self, text)
    }

    fn transcript(
        &self,
        record: &GameRecord,
        tags: &[(String, String)],
    ) -> Result<String, NotationError> {
        record_text::transcript(&transcript::unlimited(&self.game), record, tags)
    }

    fn list_games(&self, file: &GameFile) -> Vec<FileGame> {
        transcript::list(&transcript::unlimited(&self.game), file)
    }

    fn read_game(&self, file: &GameFile, listed: &FileGame) -> Result<GameRecord, NotationError> {
        let rules = transcript::unlimited(&self.game);
        let read = transcript::read(&rules, file, listed)?;
        Ok(record_text::from_transcript(self, &rules, read))
    }

    fn analyze(
        &self,
        pool: &Pool,
        judges: MoveJudges<'_>,
        record: &GameRecord,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<GameAnalysis, NotationError> {
        game_analysis::analyze(self, pool, judges, record, go_on)
    }

    fn encoded_position(&self, position: &str) -> Option<(Side, Vec<f32>)> {
        if !self.info.io_spec.choice_counts.is_empty() {
            return None;
        }
        let state = self.game.parse_position(position).ok()?;
        let side = self.game.to_move(&state);
        let spec = &self.info.io_spec.inputs;
        Some((side, encoded(&self.game, spec, &state, side)))
    }
}

/// Plays a game and records it.
fn play<G: Game>(
    arena: &GameArena<G>,
    players: [PlayerRef<'_>; 2],
    names: [String; 2],
    rng: &mut Stream,
) -> GameRecord {
    let game = &arena.game;
    let start = game.start(StartKind::Game, rng);
    let mut buffers = PlayerBuffers::new(game);
    let mut plies = Vec::new();
    let played = game_loop::play_game(game, start.clone(), |state| {
        let side = game.to_move(state);
        let action = arena.choose_move(players[side.index()], state, &mut buffers, rng);
        plies.push(Ply {
            side,
            position: game.position_text(state),
            action: action
                .map(|action| game.move_text(action))
                .unwrap_or_default(),
            verdict: verdict(arena, state, action),
        });
        action
    });
    GameRecord {
        names,
        start: game.position_text(&start),
        plies,
        result: Some(played.result),
    }
}

/// The oracle's verdict on a move; `None` is an illegal move.
pub(super) fn verdict<G: Game>(
    arena: &GameArena<G>,
    state: &G::State,
    action: Option<G::Move>,
) -> Verdict {
    let Some(action) = action else {
        return Verdict::Illegal;
    };
    let (game, mut best) = (&arena.game, Vec::new());
    let Some(oracle) = &arena.oracle else {
        return Verdict::Unknown;
    };
    if oracle.evaluate(game, state, &mut best).is_none() {
        return Verdict::Unknown;
    }
    let moves = game.count_moves(state);
    if moves == 1 {
        return Verdict::Forced;
    }
    let result = oracle.best_result(game, state);
    match (best.len() == moves, result, best.contains(&action)) {
        (true, Some(1), _) => Verdict::AllWin,
        (true, Some(-1), _) => Verdict::AllLose,
        (true, ..) => Verdict::Indifferent,
        (false, Some(-1), true) => Verdict::BestOfLost,
        (false, Some(-1), false) => Verdict::LostAnyway,
        (false, _, true) => Verdict::Good,
        (false, Some(1), false) if result_of(arena, state, action) == Some(1) => {
            Verdict::WinsByLess
        }
        (false, _, false) => Verdict::Mistake,
    }
}

/// The result for its side of a move and best play after it; `None` if the oracle does not know it.
pub(super) fn result_of<G: Game>(
    arena: &GameArena<G>,
    state: &G::State,
    action: G::Move,
) -> Option<i8> {
    let (game, mover) = (&arena.game, arena.game.to_move(state));
    let mut after = state.clone();
    game.play(&mut after, action);
    if let Some(outcome) = game.outcome(&after) {
        return Some(outcome.result_for(mover));
    }
    let result = arena.oracle.as_deref()?.best_result(game, &after)?;
    Some(if game.to_move(&after) == mover {
        result
    } else {
        -result
    })
}

/// A moment of a recorded game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordMoment {
    /// The number of moves made; the last one may be in animation.
    pub ply: usize,
    /// The animation stages that the last move has left.
    pub stages_left: usize,
}

/// Draws a position, or the last move in animation if it has stages left.
pub(super) fn draw<G: Game>(
    game: &G,
    state: &G::State,
    last: Option<(&G::State, G::Move)>,
    left: usize,
    room: MaxSize,
) -> Board {
    if let Some((before, action)) = last {
        let stages = game.animation_frame_count(action);
        let left = left.min(stages);
        if left > 0 {
            return game.animation_frame(before, action, stages - left, room);
        }
    }
    game.board(state, last, room)
}

/// The number of animation stages of move number `ply`, from 1; 0 if the record does not have a
/// valid one.
fn stages<G: Game>(game: &G, record: &GameRecord, ply: usize) -> usize {
    let last = ply.checked_sub(1).and_then(|last| record.plies.get(last));
    let stages = |ply: &Ply| {
        let state = game.parse_position(&ply.position).ok()?;
        let action = game.parse_move(&state, &ply.action).ok()?;
        Some(game.animation_frame_count(action))
    };
    last.and_then(stages).unwrap_or(0)
}

/// Draws a moment of a game. Moves after an invalid one are left out.
fn board_at<G: Game>(game: &G, record: &GameRecord, moment: RecordMoment, room: MaxSize) -> Board {
    let Ok(mut state) = game.parse_position(&record.start) else {
        return Board::new(0, 0);
    };
    let mut last = None;
    let mut left = moment.stages_left;
    for ply in record.plies.iter().take(moment.ply) {
        let Ok(action) = game.parse_move(&state, &ply.action) else {
            left = 0;
            break;
        };
        let before = state.clone();
        game.play(&mut state, action);
        last = Some((before, action));
    }
    let last = last.as_ref().map(|(before, action)| (before, *action));
    draw(game, &state, last, left, room)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::agents::AgentConfig;
    use crate::games::GameConfig;
    use crate::params::Params;
    use crate::play::build;

    #[track_caller]
    fn check(game: &str, position: &str, action: &str, expected: Verdict) {
        let mut game = GameConfig::named(game).expect("it is registered");
        if game.name() == "nim" {
            game.set("heaps", "[4, 4]").expect("it is allowed");
        }
        let agent = AgentConfig::named("one_ply").expect("it is registered");
        let arena = build(&game, &agent).expect("it plays any game");
        let mut table = Arc::clone(&arena).interactive_game(1);
        table.set_position(position).expect("it is a position");
        table.play(action).expect("it is legal");
        assert_eq!(table.history()[0].verdict, expected, "{position} {action}");
    }

    #[test]
    fn in_a_lost_position_no_move_is_a_mistake() {
        check("nim", "2,4", "2:2", Verdict::Good);
        check("nim", "2,4", "1:1", Verdict::Mistake);
        check("nim", "3,3", "1:1", Verdict::BestOfLost);
        check("nim", "3,3", "1:2", Verdict::LostAnyway);
        check("nim", "2,2", "1:2", Verdict::AllLose);
        check("nim", "1,1", "1:1", Verdict::AllWin);
        check("nim", "1,0", "1:1", Verdict::Forced);
        // The side that completes a box moves again.
        let boxes = "3x3:h00,h01,h02,h10,h11,h12,h20,h21,h22,h30,h32,v00,v01,v02,v03,v10,v11,v12,\
            v22,v23 +6";
        check("dots_and_boxes", boxes, "v21", Verdict::WinsByLess);
        check(
            "dots_and_boxes",
            "3x3:h00,h01,h10",
            "h20",
            Verdict::WinsByLess,
        );
        let open = "3x3:h00,h01,h02,h10,h11,h20,h30";
        check("dots_and_boxes", open, "v11", Verdict::Mistake);
    }
}
