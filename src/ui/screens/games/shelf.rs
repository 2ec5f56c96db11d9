//! The games there are to see, and which of them are listed. It reads no files and draws nothing.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use crate::arena::record::{Record, Verdict};

use super::court::Court;

/// Generations of the run that goes on whose games stay at hand; of a run that is saved, more are on disk.
const AT_HAND: usize = 16;

/// Where a game is to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Opened from a file.
    Opened(usize),
    /// Played by the user.
    Played(usize),
    /// Of the run that goes on.
    Live { generation: u64, index: usize },
    /// Kept on disk.
    Kept { generation: u64, index: usize },
    /// A file that can't be read.
    Refused { generation: u64 },
}

/// A game in a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Brief {
    pub(super) names: [String; 2],
    pub(super) result: String,
    pub(super) plies: usize,
    /// Moves that the oracle calls mistakes; none where there is no oracle.
    pub(super) mistakes: Option<usize>,
}

impl Brief {
    pub(super) fn of(record: &Record) -> Self {
        let is = |verdict| move |ply: &&crate::arena::record::Ply| ply.verdict == verdict;
        let plies = record.plies.iter();
        let is_judged = plies.clone().filter(is(Verdict::Unknown)).count() < record.plies.len();
        Self {
            names: record.names.clone(),
            result: record.result_words(),
            plies: record.plies.len(),
            mistakes: is_judged.then(|| plies.filter(is(Verdict::Mistake)).count()),
        }
    }

    fn text(&self) -> String {
        let [first, second] = &self.names;
        format!("{first} v {second} {} {}", self.result, self.plies).to_lowercase()
    }
}

/// A line of the list.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) place: Place,
    /// Where the game comes from, in a word.
    pub(super) origin: String,
    /// The game, or why its file can't be read.
    pub(super) brief: Result<Brief, String>,
}

impl Row {
    fn matches(&self, filter: &str) -> bool {
        let text = match &self.brief {
            Ok(brief) => brief.text(),
            Err(reason) => reason.to_lowercase(),
        };
        let text = format!("{} {text}", self.origin);
        filter.split_whitespace().all(|word| text.contains(word))
    }
}

/// A game that the user played, with the court that knows its rules, and its champion's generation.
#[derive(Clone)]
pub struct Played {
    pub(super) record: Arc<Record>,
    pub(super) court: Court,
    pub(super) generation: u64,
}

/// The games of a generation on disk in a few words, or why they can't be read.
pub(super) type Kept = Result<Vec<Brief>, String>;

/// All games there are.
#[derive(Default)]
pub(super) struct Shelf {
    pub(super) opened: Vec<Arc<Record>>,
    pub(super) played: Vec<Played>,
    live: VecDeque<(u64, Vec<Arc<Record>>)>,
    kept: BTreeMap<u64, Kept>,
}

impl Shelf {
    /// Nothing but games that the user has played.
    pub(super) fn with(played: Vec<Played>) -> Self {
        Self {
            played,
            ..Self::default()
        }
    }

    /// Takes in the games of the latest champion, which replace others of its generation.
    pub(super) fn live(&mut self, generation: u64, games: &[Record]) {
        let games: Vec<Arc<Record>> = games.iter().cloned().map(Arc::new).collect();
        if let Some((latest, known)) = self.live.back_mut()
            && *latest == generation
        {
            if known.iter().zip(&games).any(|(a, b)| a != b) || known.len() != games.len() {
                *known = games;
            }
            return;
        }
        if self.live.len() == AT_HAND {
            self.live.pop_front();
        }
        self.live.push_back((generation, games));
    }

    /// Takes in what was found on disk.
    pub(super) fn keep(&mut self, found: impl IntoIterator<Item = (u64, Kept)>) {
        self.kept.extend(found);
    }

    /// The generations on disk that need not be read again; the newest may have been written anew.
    pub(super) fn known(&self) -> Vec<u64> {
        let newest = self.kept.keys().next_back();
        let known = self.kept.keys().filter(|known| Some(*known) != newest);
        known.copied().collect()
    }

    /// The lines of the list that a filter lets through: what was opened and played first, then the newest.
    pub(super) fn rows(&self, filter: &str) -> Vec<Row> {
        let filter = filter.to_lowercase();
        let row = |place, origin: String, record: &Record| Row {
            place,
            origin,
            brief: Ok(Brief::of(record)),
        };
        let opened = self.opened.iter().enumerate().rev();
        let opened = opened.map(|(at, game)| row(Place::Opened(at), "file".to_owned(), game));
        let played = self.played.iter().enumerate().rev();
        let played =
            played.map(|(at, game)| row(Place::Played(at), "you".to_owned(), &game.record));
        let live = self.live.iter().rev().flat_map(|(generation, games)| {
            let generation = *generation;
            games.iter().enumerate().map(move |(index, game)| {
                let place = Place::Live { generation, index };
                row(place, generation.to_string(), game)
            })
        });
        let is_live = |generation: u64| self.live.iter().any(|(live, _)| *live == generation);
        let kept = self.kept.iter().rev();
        let kept = kept.filter(|(generation, _)| !is_live(**generation));
        let kept = kept.flat_map(|(&generation, kept)| kept_rows(generation, kept));
        let all = opened.chain(played).chain(live).chain(kept);
        all.filter(|row| row.matches(&filter)).collect()
    }

    /// A game of the run that goes on.
    pub(super) fn of_live(&self, generation: u64, index: usize) -> Option<&Arc<Record>> {
        let mut live = self.live.iter();
        let (_, games) = live.find(|(live, _)| *live == generation)?;
        games.get(index)
    }
}

fn kept_rows(generation: u64, kept: &Kept) -> Vec<Row> {
    let origin = generation.to_string();
    let briefs = match kept {
        Ok(briefs) => briefs.iter(),
        Err(reason) => {
            return vec![Row {
                place: Place::Refused { generation },
                origin,
                brief: Err(reason.clone()),
            }];
        }
    };
    let rows = briefs.enumerate().map(|(index, brief)| Row {
        place: Place::Kept { generation, index },
        origin: origin.clone(),
        brief: Ok(brief.clone()),
    });
    rows.collect()
}
