//! Positions to practice: those of games in which a move lost much. What was answered wrongly comes
//! again on the next day, what was right after more and more days, as in the boxes of Leitner
//! (1972).

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use finches_engine::games::{GameConfig, NotationError};
use finches_engine::play::game_analysis::{GameAnalysis, MISTAKE};
use finches_engine::play::pool::Pool;
use finches_engine::play::record::GameRecord;
use finches_engine::text::{counted, percent};

use super::StorageError;
use super::experiments::{known_text, write_text};
use super::game_judge::GameJudge;
use super::saves::Saves;

/// What a right move may lose, as a share of a win.
const RIGHT: f64 = 0.02;

const SECONDS_OF_DAY: u64 = 24 * 60 * 60;

/// The most times that the days until a position comes again double: to 64 days.
const MOST_DOUBLINGS: u32 = 6;

/// A position in which a mistake was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PracticePosition {
    /// The name of the game.
    pub game: String,
    /// The parameters of its rules that are not the usual ones.
    pub parameters: Vec<(String, String)>,
    /// The position before the move.
    pub position: String,
    /// The move that lost.
    pub played: String,
    /// How much of a win it lost.
    pub loss: f64,
    /// Where it comes from.
    pub source: String,
    /// How often in a row it has been answered rightly.
    right: u32,
    /// When it is asked next, in days since 1970.
    due: u64,
}

/// What an answer is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct PracticeAnswer {
    /// Whether the move is right.
    pub is_right: bool,
    /// The reply that shows why it is wrong.
    pub reply: Option<String>,
    /// What there is to say of the move.
    pub words: String,
    /// The best move, if this was not right, and what was played in the game.
    pub solution: String,
}

impl PracticePosition {
    /// Whether it is a position of this game with these rules.
    pub fn is_of(&self, game: &GameConfig) -> bool {
        self.game == game.name() && self.parameters == game.rule_parameters()
    }

    /// Says what a move in it is worth.
    ///
    /// # Errors
    ///
    /// The position is invalid, or the move is not legal.
    pub fn grade(
        &self,
        action: &str,
        judge: &GameJudge,
        pool: &Pool,
    ) -> Result<PracticeAnswer, NotationError> {
        let mut game = Arc::clone(&judge.arena).interactive_game(0);
        game.set_position(&self.position)?;
        game.play(action)?;
        // The answer to a move is the best of those behind it.
        if let Some(next) = game.position().legal_moves.first().cloned() {
            game.play(&next)?;
        }
        let record = game.record(["first", "second"].map(str::to_owned));
        let record = record.expect("a move has been made");
        let moves = judge.analyze(pool, &record, &|| true)?.moves;
        let made = &moves[0];
        let worth = |action: &str, value: Option<f64>| match value {
            Some(value) => format!("{action} ({} for you)", percent(value)),
            None => action.to_owned(),
        };
        let told = worth(&made.action, made.value);
        let is_right = made.loss.is_none_or(|loss| loss <= RIGHT);
        let best = made.best.first().filter(|_| !is_right);
        let best = best.map(|(best, value)| format!("Best is {}. ", worth(best, Some(*value))));
        let reply = moves.get(1).and_then(|reply| reply.best.first());
        let reply = reply.filter(|_| !is_right).map(|(reply, _)| reply.clone());
        let words = match &reply {
            _ if is_right => format!("Right: {told}."),
            Some(reply) => format!("No: {told}. The reply {reply} shows why."),
            None => format!("No: {told}."),
        };
        Ok(PracticeAnswer {
            is_right,
            reply,
            words,
            solution: best.unwrap_or_default() + &self.past(),
        })
    }

    /// What was played in the game.
    fn past(&self) -> String {
        let (source, played) = (&self.source, &self.played);
        let lost = percent(self.loss);
        format!("In {source}, {played} was played, which lost {lost}.")
    }
}

/// The mistakes in an analyzed game by the players that are wanted.
pub fn mistakes(
    judge: &GameJudge,
    record: &GameRecord,
    analysis: &GameAnalysis,
    source: &str,
    is_wanted: impl Fn(&str) -> bool,
) -> Vec<PracticePosition> {
    let (game, parameters) = (judge.game.name(), judge.game.rule_parameters());
    let moves = (1..).zip(record.plies.iter().zip(&analysis.moves));
    let mistakes = moves.filter_map(|(number, (before, it))| {
        let loss = it.loss.filter(|&loss| loss >= MISTAKE)?;
        is_wanted(&record.names[it.side.index()]).then(|| PracticePosition {
            game: game.to_owned(),
            parameters: parameters.clone(),
            position: before.position.clone(),
            played: it.action.clone(),
            loss,
            source: format!("{source}, move {number}"),
            right: 0,
            due: 0,
        })
    });
    mistakes.collect()
}

/// The positions of a user, in a file.
pub struct PracticeFile {
    path: PathBuf,
    positions: Vec<PracticePosition>,
}

impl PracticeFile {
    /// The file of the user of these saves.
    ///
    /// # Errors
    ///
    /// As of [`PracticeFile::open`].
    pub fn of(saves: &Saves) -> Result<Self, StorageError> {
        Self::open(saves.root().join("practice.json"))
    }

    /// Opens a file, which need not exist.
    ///
    /// # Errors
    ///
    /// It can't be read, or has something else in it.
    pub fn open(path: PathBuf) -> Result<Self, StorageError> {
        const ADVICE: &str = "name another with --positions";
        let text = known_text(&path)?;
        let positions = if text.is_empty() {
            Vec::new()
        } else {
            serde_json::from_str(&text).map_err(|error| {
                let what = format!("is no file of positions to practice: {error}");
                StorageError::unusable(&path, what, ADVICE)
            })?
        };
        Ok(Self { path, positions })
    }

    fn write(&self) -> Result<(), StorageError> {
        let text = serde_json::to_string_pretty(&self.positions);
        let text = text.expect("text and numbers fit JSON");
        write_text(&self.path, &(text + "\n"))
    }

    /// Adds positions that are not in it, and returns how many.
    ///
    /// # Errors
    ///
    /// It can't be written.
    pub fn add(&mut self, found: Vec<PracticePosition>) -> Result<usize, StorageError> {
        let before = self.positions.len();
        for new in found {
            if self.place(&new).is_none() {
                self.positions.push(new);
            }
        }
        self.write()?;
        Ok(self.positions.len() - before)
    }

    /// Where the same position is.
    fn place(&self, wanted: &PracticePosition) -> Option<usize> {
        let key = |it: &PracticePosition| {
            let it = it.clone();
            (it.position, it.game, it.parameters)
        };
        let wanted = key(wanted);
        self.positions.iter().position(|one| key(one) == wanted)
    }

    /// What is to be asked today, the costliest first.
    pub fn due(&self, today: u64) -> Vec<PracticePosition> {
        let due = self.positions.iter().filter(|one| one.due <= today);
        let mut due: Vec<PracticePosition> = due.cloned().collect();
        due.sort_by(|one, other| other.loss.total_cmp(&one.loss));
        due
    }

    /// Sets when a position comes again after an answer.
    ///
    /// # Errors
    ///
    /// It can't be written.
    pub fn answer(
        &mut self,
        asked: &PracticePosition,
        is_right: bool,
        today: u64,
    ) -> Result<(), StorageError> {
        if let Some(place) = self.place(asked) {
            let one = &mut self.positions[place];
            one.right = if is_right { one.right + 1 } else { 0 };
            one.due = today + (1 << one.right.min(MOST_DOUBLINGS));
        }
        self.write()
    }

    /// What comes next, after some answers.
    pub fn summary(&self, (right, asked): (u64, u64), today: u64) -> String {
        let next = self.positions.iter().map(|one| one.due).min();
        let next = match next.map(|day| day.saturating_sub(today)) {
            None => "there are no positions yet: play games, or open files of games".to_owned(),
            Some(0) => "more positions are waiting".to_owned(),
            Some(days) => format!("the next position comes in {}", counted(days, "day")),
        };
        match asked {
            0 => next,
            asked => format!("{right} of {} right; {next}", counted(asked, "answer")),
        }
    }
}

/// Today in days since 1970.
pub fn today() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap_or_default().as_secs() / SECONDS_OF_DAY
}
