//! The known games and the filtered list of them. No file access, no drawing.

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use crate::model::played_game::YOU;
use finches_engine::games::transcript::FileGame;
use finches_engine::play::record::{GameRecord, Verdict, result_words};
use finches_runs::storage::game_rules::OpenedGame;

/// Generations of the current run whose games stay in memory.
const MAX_LIVE: usize = 16;

/// A reference to a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GameRef {
    /// Opened from a file.
    Opened(usize),
    /// Of the file of the user's own games.
    Played(usize),
    /// From the current run.
    Live { generation: u64, index: usize },
    /// From the saved run.
    Saved { generation: u64, index: usize },
    /// A file that cannot be read.
    Unreadable { generation: u64 },
}

/// What the list shows of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GameSummary {
    pub(super) names: [String; 2],
    pub(super) result: String,
    pub(super) plies: usize,
    /// The number of mistakes according to the oracle; `None` without an oracle.
    pub(super) mistakes: Option<usize>,
}

impl GameSummary {
    pub(super) fn of(record: &GameRecord) -> Self {
        let is = |verdict| move |ply: &&finches_engine::play::record::Ply| ply.verdict == verdict;
        let plies = record.plies.iter();
        let is_judged = plies.clone().filter(is(Verdict::Unknown)).count() < record.plies.len();
        Self {
            names: record.names.clone(),
            result: result_text(&record.names, record.result),
            plies: record.plies.len(),
            mistakes: is_judged.then(|| plies.filter(is(Verdict::Mistake)).count()),
        }
    }

    fn text(&self) -> String {
        let [first, second] = &self.names;
        format!("{first} vs. {second} {} {}", self.result, self.plies).to_lowercase()
    }
}

/// The result in words; "you" is the user.
pub(super) fn result_text(names: &[String; 2], result: Option<i8>) -> String {
    let words = result_words(names, result);
    match &*words {
        "you wins" => "you win".to_owned(),
        _ => words,
    }
}

/// A row of the list.
#[derive(Clone, Debug)]
pub(super) struct GameRow {
    pub(super) place: GameRef,
    /// The origin as a word or generation.
    pub(super) origin: String,
    /// The game, or why its file cannot be read.
    pub(super) brief: Result<GameSummary, String>,
}

impl GameRow {
    fn matches(&self, filter: &str) -> bool {
        let text = match &self.brief {
            Ok(brief) => brief.text(),
            Err(reason) => reason.to_lowercase(),
        };
        let text = format!("{} {text}", self.origin);
        filter.split_whitespace().all(|word| text.contains(word))
    }
}

/// The row of a game of a file that the user has opened, or of the user's own.
fn file_row(it: &FileGame, place: GameRef, origin: &str) -> GameRow {
    let brief = GameSummary {
        names: it.names.clone(),
        result: result_text(&it.names, it.result),
        plies: it.moves,
        mistakes: None,
    };
    let problem = it.problem.as_ref();
    let refused = problem.map(|problem| format!("{}: {problem}", it.names.join(" vs. ")));
    GameRow {
        place,
        origin: origin.to_owned(),
        brief: refused.map_or(Ok(brief), Err),
    }
}

/// The games of a saved generation, or why they cannot be read.
pub(super) type SavedGames = Result<Vec<GameSummary>, String>;

/// All known games.
#[derive(Default)]
pub(super) struct GameList {
    /// The latest file first.
    opened: Vec<OpenedGame>,
    /// The user's own, the oldest first.
    played: Vec<OpenedGame>,
    live: VecDeque<(u64, Vec<Arc<GameRecord>>)>,
    saved: BTreeMap<u64, SavedGames>,
}

impl GameList {
    /// Adds the games of the latest champion; they replace those of the same generation.
    pub(super) fn add_live(&mut self, generation: u64, games: &[GameRecord]) {
        let games: Vec<Arc<GameRecord>> = games.iter().cloned().map(Arc::new).collect();
        if let Some((latest, known)) = self.live.back_mut()
            && *latest == generation
        {
            if known.iter().zip(&games).any(|(a, b)| a != b) || known.len() != games.len() {
                *known = games;
            }
            return;
        }
        if self.live.len() == MAX_LIVE {
            self.live.pop_front();
        }
        self.live.push_back((generation, games));
    }

    /// Adds games found on disk.
    pub(super) fn add_saved(&mut self, found: impl IntoIterator<Item = (u64, SavedGames)>) {
        self.saved.extend(found);
    }

    /// The saved generations that need not be read again; the newest may have been rewritten.
    pub(super) fn known(&self) -> Vec<u64> {
        let newest = self.saved.keys().next_back();
        let known = self.saved.keys().filter(|known| Some(*known) != newest);
        known.copied().collect()
    }

    /// The rows that match a filter: opened and played games first, then the newest.
    pub(super) fn rows(&self, filter: &str) -> Vec<GameRow> {
        let filter = filter.to_lowercase();
        let row = |place, origin: String, record: &GameRecord| GameRow {
            place,
            origin,
            brief: Ok(GameSummary::of(record)),
        };
        let opened = self.opened.iter().enumerate();
        let opened = opened.map(|(at, game)| file_row(&game.listed, GameRef::Opened(at), "file"));
        let names = || self.played.iter().map(|game| game.rules.game.name());
        let are_of_one = names()
            .zip(names().skip(1))
            .all(|(name, next)| name == next);
        let played = self.played.iter().zip(names()).enumerate().rev();
        let played = played.map(|(at, (game, name))| {
            let name = name.split('_').next().filter(|_| !are_of_one);
            file_row(&game.listed, GameRef::Played(at), name.unwrap_or(YOU))
        });
        let live = self.live.iter().rev().flat_map(|(generation, games)| {
            let generation = *generation;
            games.iter().enumerate().map(move |(index, game)| {
                let place = GameRef::Live { generation, index };
                (generation, row(place, generation.to_string(), game))
            })
        });
        let is_live = |generation: u64| self.live.iter().any(|(live, _)| *live == generation);
        let saved = self.saved.iter().rev();
        let saved = saved.filter(|(generation, _)| !is_live(**generation));
        let saved = saved.flat_map(|(&generation, saved)| {
            let rows = saved_rows(generation, saved).into_iter();
            rows.map(move |row| (generation, row))
        });
        let mut of_run: Vec<(u64, GameRow)> = live.chain(saved).collect();
        of_run.sort_by_key(|(generation, _)| Reverse(*generation));
        let of_run = of_run.into_iter().map(|(_, row)| row);
        let all = opened.chain(played).chain(of_run);
        all.filter(|row| row.matches(&filter)).collect()
    }

    /// Adds the games of a file before those of other files.
    pub(super) fn add_opened(&mut self, listed: Vec<OpenedGame>) {
        self.opened.splice(0..0, listed);
    }

    /// Replaces the user's own games, without those that can't be read. Returns the place of the
    /// last one if it is new.
    pub(super) fn set_played(&mut self, mut listed: Vec<OpenedGame>) -> Option<GameRef> {
        listed.retain(|game| game.listed.problem.is_none());
        let before = self.played.iter().map(|game| &game.listed);
        let is_new = !before.eq(listed.iter().map(|game| &game.listed));
        self.played = listed;
        let last = self.played.len().checked_sub(1)?;
        is_new.then_some(GameRef::Played(last))
    }

    /// A game of a file, unless it can't be read.
    pub(super) fn of_file(&self, place: GameRef) -> Option<&OpenedGame> {
        let game = match place {
            GameRef::Opened(at) => self.opened.get(at),
            GameRef::Played(at) => self.played.get(at),
            _ => None,
        };
        game.filter(|game| game.listed.problem.is_none())
    }

    /// A game of the current run.
    pub(super) fn live_game(&self, generation: u64, index: usize) -> Option<&Arc<GameRecord>> {
        let mut live = self.live.iter();
        let (_, games) = live.find(|(live, _)| *live == generation)?;
        games.get(index)
    }
}

fn saved_rows(generation: u64, saved: &SavedGames) -> Vec<GameRow> {
    let origin = generation.to_string();
    let briefs = match saved {
        Ok(briefs) => briefs.iter(),
        Err(reason) => {
            return vec![GameRow {
                place: GameRef::Unreadable { generation },
                origin,
                brief: Err(reason.clone()),
            }];
        }
    };
    let rows = briefs.enumerate().map(|(index, brief)| GameRow {
        place: GameRef::Saved { generation, index },
        origin: origin.clone(),
        brief: Ok(brief.clone()),
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saved_and_live_games_are_listed_by_generation() {
        let game = GameRecord {
            names: ["a".to_owned(), "b".to_owned()],
            start: String::new(),
            plies: Vec::new(),
            result: None,
        };
        let mut list = GameList::default();
        for generation in [4, 9] {
            list.add_live(generation, std::slice::from_ref(&game));
        }
        list.add_saved([1, 6, 9].map(|at| (at, Ok(vec![GameSummary::of(&game)]))));
        let rows = list.rows("");
        let generations: Vec<&str> = rows.iter().map(|row| &*row.origin).collect();
        assert_eq!(generations, ["9", "6", "4", "1"]);
    }
}
