//! Lets players meet in the background, on threads of its own few enough that evolution goes on, and tells how it stands.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::arena::league::{meetings, tallies};
use crate::arena::meet::{Conditions, Contender};
use crate::arena::pool::Pool;
use crate::contest::Played;
use crate::games::GameConfig;
use crate::genomes::AnyGenome;
use crate::preset::Preset;
use crate::storage::beside::write_beside;
use crate::storage::saves::Saves;
use crate::tournament::name::Name;
use crate::tournament::results::Results;
use crate::tournament::search::Search;
use crate::tournament::seats::Venue;

use super::roster::{Roster, Wanted, gather};

/// The seed of positions and dice, as `finches arena` has it unless told otherwise, so that it finds the same.
const SEED: u64 = 1;

/// Time from one news of the standing to the next, roughly.
const BEAT: Duration = Duration::from_millis(200);

/// What comes from the background.
#[derive(Debug)]
pub enum News {
    /// Who can be chosen, as it was asked for with that number, or why that is not known.
    Roster(u64, Result<Box<Roster>, String>),
    /// How the games of that number stand.
    Standing(u64, Box<Standing>),
    Ended(u64, Ending),
    /// The files that results were written to, or why they were not.
    Exported(Result<Vec<String>, String>),
}

/// How games ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    Done,
    Stopped,
    Failed(String),
}

/// What games have come to so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    pub results: Results,
    /// Games played, and games there are to be.
    pub played: usize,
    pub all: usize,
    /// Time since the first game began.
    pub seconds: f64,
}

/// Someone who takes part.
pub(super) enum Entrant {
    /// By a name that `finches arena` understands too.
    Named(String),
    /// The champion of the run that goes on.
    Live {
        name: String,
        preset: Box<Preset>,
        genome: Box<AnyGenome>,
        search: Option<Search>,
    },
}

impl Entrant {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Named(name) | Self::Live { name, .. } => name,
        }
    }

    fn seat(&self, venue: &Venue, saves: &Saves) -> Result<Contender, String> {
        let seated = match self {
            Self::Named(name) => venue.seat(&Name::parse(name, saves)),
            Self::Live {
                name,
                preset,
                genome,
                search,
            } => venue.seat_grown(name, preset, genome, search.as_ref()),
        };
        seated.map_err(|refusal| refusal.to_string())
    }
}

/// Who is to meet, in which game, how often.
pub(super) struct Card {
    pub(super) game: GameConfig,
    pub(super) entrants: Vec<Entrant>,
    pub(super) games: u32,
    pub(super) saves: Saves,
}

/// Starts and stops games, one set at a time.
pub(super) struct Referee {
    out: Sender<News>,
    news: Receiver<News>,
    /// Rosters asked for.
    asked: u64,
    begun: u64,
    stop: Arc<AtomicBool>,
}

impl Referee {
    pub(super) fn new() -> Self {
        let (out, news) = unbounded();
        Self {
            out,
            news,
            asked: 0,
            begun: 0,
            stop: Arc::default(),
        }
    }

    /// Where news come in.
    pub(super) fn news(&self) -> &Receiver<News> {
        &self.news
    }

    /// Looks up who can be chosen, instead of what was asked for before.
    pub(super) fn gather(&mut self, wanted: Wanted) {
        self.asked += 1;
        gather(self.asked, wanted, self.out.clone());
    }

    /// Whether a roster is the one that was asked for last; threads may come to their end in another order than they began.
    pub(super) fn is_newest(&self, number: u64) -> bool {
        number == self.asked
    }

    /// Begins with games instead of those before.
    pub(super) fn start(&mut self, card: Card) {
        self.stop();
        self.begun += 1;
        self.stop = Arc::default();
        let (number, stop) = (self.begun, Arc::clone(&self.stop));
        let desk = Desk {
            number,
            out: self.out.clone(),
            ended: None,
        };
        thread::spawn(move || {
            let ended = desk.play(&card, &stop);
            desk.end(ended.unwrap_or_else(Ending::Failed));
        });
    }

    /// Breaks the games off, before their next moves. What has been told of them holds; nothing more is.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether news are of the games begun last, and these not broken off.
    pub(super) fn is_current(&self, number: u64) -> bool {
        number == self.begun && !self.stop.load(Ordering::Relaxed)
    }

    /// Writes results where saved runs are.
    pub(super) fn export(&self, results: Results, game: &str, saves: &Saves) {
        let (out, folder) = (self.out.clone(), saves.root().to_owned());
        let stem = format!("arena-{}", game.replace('_', "-"));
        thread::spawn(move || {
            let (json, standings) = (results.json(), results.standings_csv());
            let pairs = results.pairs_csv();
            let parts = [
                (".json", json.as_str()),
                (".csv", standings.as_str()),
                ("-pairs.csv", pairs.as_str()),
            ];
            let written = write_beside(&folder, &stem, &parts);
            let written = written
                .map(|paths| {
                    let paths = paths.iter();
                    paths.map(|path| path.display().to_string()).collect()
                })
                .map_err(|error| error.to_string());
            // Where nobody listens any more, nobody needs to know.
            let _ = out.send(News::Exported(written));
        });
    }
}

impl Drop for Referee {
    fn drop(&mut self) {
        self.stop();
    }
}

/// What a thread that plays tells by. However it ends, that is told last.
struct Desk {
    number: u64,
    out: Sender<News>,
    ended: Option<Ending>,
}

impl Drop for Desk {
    fn drop(&mut self) {
        let fault = "the games ended in a fault of the program";
        let ending = self.ended.take();
        let ending = ending.unwrap_or_else(|| Ending::Failed(fault.to_owned()));
        // Where nobody listens any more, nobody needs to know.
        let _ = self.out.send(News::Ended(self.number, ending));
    }
}

impl Desk {
    fn play(&self, card: &Card, stop: &AtomicBool) -> Result<Ending, String> {
        let venue = Venue::open(&card.game, &[], card.saves.clone());
        let venue = venue.map_err(|refusal| refusal.to_string())?;
        let seat = |entrant: &Entrant| entrant.seat(&venue, &card.saves);
        let seats: Result<Vec<Contender>, String> = card.entrants.iter().map(seat).collect();
        let seats = seats?;
        let pool = Pool::new(threads())?;
        let meetings = meetings(seats.len(), card.games);
        let names: Vec<String> = card
            .entrants
            .iter()
            .map(|it| it.name().to_owned())
            .collect();
        let begun = Instant::now();
        let mut played: Vec<Played> = Vec::with_capacity(meetings.len());
        let mut at_once = pool.threads();
        while played.len() < meetings.len() {
            let first = played.len();
            let next = &meetings[first..meetings.len().min(first + at_once)];
            let conditions = Conditions {
                seed: SEED,
                key: 0,
                first: first as u64,
                noise: 0.0,
                halt: Some(stop),
            };
            let before = Instant::now();
            let Some(further) = venue.play(&pool, &seats, next, &conditions) else {
                return Ok(Ending::Stopped);
            };
            played.extend(further);
            at_once = paced(at_once, before.elapsed(), pool.threads());
            let tallies = tallies(seats.len(), &meetings, &played);
            self.tell(Standing {
                results: Results::new(names.clone(), tallies),
                played: played.len(),
                all: meetings.len(),
                seconds: begun.elapsed().as_secs_f64(),
            });
        }
        Ok(Ending::Done)
    }

    /// Tells the end as it should be told.
    fn end(mut self, ending: Ending) {
        self.ended = Some(ending);
    }

    fn tell(&self, standing: Standing) {
        // Where nobody listens any more, the games are soon stopped.
        let _ = self
            .out
            .send(News::Standing(self.number, Box::new(standing)));
    }
}

/// How many games to play before the next news, after so many took so long.
fn paced(games: usize, took: Duration, least: usize) -> usize {
    match took {
        _ if took < BEAT / 2 => games * 2,
        _ if took > BEAT * 2 => (games / 2).max(least),
        _ => games,
    }
}

/// A quarter of the machine's cores, so that evolution goes on beside the games.
fn threads() -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    (cores / 4).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_games_are_played_at_once_the_faster_they_are() {
        assert_eq!(paced(4, BEAT / 4, 2), 8);
        assert_eq!(paced(4, BEAT, 2), 4);
        assert_eq!(paced(4, BEAT * 3, 2), 2);
        assert_eq!(paced(2, BEAT * 3, 2), 2);
    }
}
