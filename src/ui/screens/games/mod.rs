//! Screen 7: any recorded game of a run, stepped through with a judgment of each move. It takes keys; games come from disk and
//! opinions from champions on threads of their own, whose news the event loop brings.

use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, unbounded};

use crate::arena::record::{Record, Verdict};
use crate::arena::table::Thoughts;
use crate::run::Facts;
use crate::run::message::Snapshot;
use crate::storage::saves::Saves;
use crate::ui::app::Export;
use crate::ui::app::sample::{Autoplay, Moved};
use crate::ui::screens::champions::{Champions, Wanted};
use crate::ui::walk::{Due, Walk};
use crate::ui::widgets::entry::Entry;
use crate::ui::zoom::Zoom;

use self::clerk::{Clerk, Report};
use self::court::{Court, Critic, Opinion, Told};
use self::judgment::{Judge, Judgment};
use self::shelf::{Place, Row, Shelf};

mod clerk;
mod court;
mod judgment;
mod keys;
mod moves;
mod shelf;
mod view;

pub use self::shelf::Played;

/// Recorded games, one of which is shown.
pub struct GamesScreen {
    court: Court,
    /// The saved run, by its name.
    saves: Option<(Saves, String)>,
    shelf: Shelf,
    /// The line of the list that the cursor is on.
    chosen: Option<Place>,
    /// Where in the list that line was last, for when it goes.
    row: usize,
    shown: Option<Shown>,
    /// Whether the board is all that is seen.
    zoom: Zoom,
    walk: Walk,
    /// Who judges, where the user has said so.
    judge: Option<Judge>,
    /// What the champion thinks of the position after so many moves.
    opinions: Vec<Option<Thoughts>>,
    /// Whose thoughts these are, once that is known.
    judging: Option<u64>,
    filter: String,
    typing: Typing,
    /// What is to be said, and whether it is bad news.
    message: Result<String, String>,
    clerk: Clerk,
    critic: Critic,
    news: Receiver<News>,
}

/// Something that a thread of this screen has found.
pub struct News(Piece);

enum Piece {
    Report(Report),
    Opinion(Opinion),
}

impl From<Report> for Piece {
    fn from(report: Report) -> Self {
        Self::Report(report)
    }
}

impl From<Opinion> for Piece {
    fn from(opinion: Opinion) -> Self {
        Self::Opinion(opinion)
    }
}

impl News {
    fn of(piece: impl Into<Piece>) -> Self {
        Self(piece.into())
    }
}

/// A game that is shown.
struct Shown {
    record: Arc<Record>,
    court: Court,
    /// Whose opinion is asked where no oracle judges.
    wanted: Wanted,
}

/// What is being typed.
enum Typing {
    Nothing,
    Filter(Entry),
    Path(Entry),
}

impl GamesScreen {
    /// The games of a run, and where it is saved. Those that the user played stay, whatever run they belong to.
    pub fn new(facts: &Facts, saves: Option<(Saves, String)>, played: Vec<Played>) -> Self {
        let (out, news) = unbounded();
        Self {
            court: Court::new(facts, saves.clone()),
            saves,
            shelf: Shelf::with(played),
            chosen: None,
            row: 0,
            shown: None,
            zoom: Zoom::Out,
            walk: Walk::new(Autoplay::Off),
            judge: None,
            opinions: Vec::new(),
            judging: None,
            filter: String::new(),
            typing: Typing::Nothing,
            message: Ok(String::new()),
            clerk: Clerk::new(out.clone()),
            critic: Critic::new(out),
            news,
        }
    }

    /// Takes in the games of the newest champion.
    pub fn latest(&mut self, snapshot: &Snapshot) {
        self.court.champions.latest(&snapshot.champion);
        self.shelf
            .live(snapshot.champion.generation, &snapshot.games);
    }

    /// Takes in games that the user has played to their end.
    pub fn played(&mut self, played: Vec<Played>) {
        self.shelf.played.extend(played);
    }

    /// The games that the user has played.
    pub fn into_played(self) -> Vec<Played> {
        self.shelf.played.clone()
    }

    /// Looks for games on disk that are not listed yet.
    pub fn look(&mut self) {
        if let Some(saves) = self.saves.clone().filter(|_| !self.clerk.is_listing) {
            let arena = Arc::clone(self.court.arena());
            self.clerk.list(saves, arena, self.shelf.known());
        }
        self.settle_choice();
    }

    /// Where news come in, to be handed to [`GamesScreen::hear`].
    pub fn news(&self) -> Receiver<News> {
        self.news.clone()
    }

    /// Takes news in.
    pub fn hear(&mut self, news: News) {
        match news.0 {
            Piece::Report(report) => self.hear_report(report),
            Piece::Opinion(opinion) => match self.critic.take(opinion) {
                Some(Told::Judge(generation)) => self.judging = Some(generation),
                Some(Told::Thoughts { ply, thoughts }) => {
                    if let Some(place) = self.opinions.get_mut(ply) {
                        *place = Some(thoughts);
                    }
                }
                Some(Told::Fault(fault)) => self.message = Err(fault),
                Some(Told::End) | None => {}
            },
        }
    }

    fn hear_report(&mut self, report: Report) {
        self.clerk.heard(&report);
        match report {
            Report::Listed(found) => {
                self.shelf.keep(found);
                self.settle_choice();
            }
            Report::Whole(whole) => {
                if let Err(fault) = whole {
                    self.message = Err(fault);
                }
            }
            Report::Fetched { generation, games } => self.fetched(generation, games),
            Report::Opened { path, games } => match games {
                Ok(games) => {
                    let first = self.shelf.opened.len();
                    let count = games.len();
                    self.shelf.opened.extend(games.into_iter().map(Arc::new));
                    self.message = Ok(match count {
                        1 => format!("1 game opened from {path}"),
                        count => format!("{count} games opened from {path}"),
                    });
                    self.filter.clear();
                    self.choose(Place::Opened(first));
                }
                Err(fault) => self.message = Err(fault),
            },
        }
    }

    fn fetched(&mut self, generation: u64, games: Result<Vec<Record>, String>) {
        let Some(Place::Kept {
            generation: wanted,
            index,
        }) = self.chosen
        else {
            return;
        };
        if wanted != generation || self.shown.is_some() {
            return;
        }
        match games.map(|mut games| (index < games.len()).then(|| games.swap_remove(index))) {
            Ok(Some(record)) => self.show(Arc::new(record), self.court.clone(), generation),
            Ok(None) => self.message = Err("the game is no longer in its file".to_owned()),
            Err(fault) => self.message = Err(fault),
        }
    }

    /// Waits until what was asked for has come, for whoever has no screen to keep alive.
    pub fn settle(&mut self) {
        while self.clerk.open > 0 || self.critic.is_busy() {
            let Ok(news) = self.news.recv() else {
                return;
            };
            self.hear(news);
        }
    }

    fn rows(&self) -> Vec<Row> {
        self.shelf.rows(&self.filter)
    }

    /// The place of the chosen line in the list.
    fn row_in(&self, rows: &[Row]) -> usize {
        let found = rows.iter().position(|row| Some(row.place) == self.chosen);
        found.unwrap_or_else(|| self.row.min(rows.len().saturating_sub(1)))
    }

    /// Chooses a game where none is chosen, which is for when the screen is seen; and keeps the place of the chosen one in mind. What is shown stays, though its line
    /// may have gone.
    pub fn settle_choice(&mut self) {
        let rows = self.rows();
        self.row = self.row_in(&rows);
        if self.chosen.is_none()
            && let Some(row) = rows.first()
        {
            self.choose(row.place);
        }
    }

    /// Chooses a line and shows its game.
    fn choose(&mut self, place: Place) {
        if self.chosen == Some(place) && self.shown.is_some() {
            return;
        }
        self.chosen = Some(place);
        self.row = self.row_in(&self.rows());
        self.shown = None;
        self.critic.forget();
        let own = self.court.clone();
        match place {
            Place::Opened(at) => {
                if let Some(record) = self.shelf.opened.get(at).cloned() {
                    self.show(record, own, u64::MAX);
                }
            }
            Place::Played(at) => {
                if let Some(played) = self.shelf.played.get(at).cloned() {
                    self.show(played.record, played.court, played.generation);
                }
            }
            Place::Live { generation, index } => {
                if let Some(record) = self.shelf.of_live(generation, index).cloned() {
                    self.show(record, own, generation);
                }
            }
            Place::Kept { generation, .. } => {
                if let Some(saves) = self.saves.clone() {
                    self.clerk.fetch(saves, Arc::clone(own.arena()), generation);
                }
            }
            Place::Refused { .. } => {}
        }
    }

    /// Shows a game from its start, in which the champion of a generation plays.
    fn show(&mut self, record: Arc<Record>, court: Court, generation: u64) {
        self.walk = Walk::new(self.walk.autoplay);
        self.opinions = vec![None; record.plies.len()];
        self.judging = None;
        self.shown = Some(Shown {
            record,
            court,
            wanted: Wanted::Exactly(generation),
        });
        self.ask();
    }

    /// Who judges the game: the oracle where there is one, unless the champion was asked for.
    fn judge(&self) -> Judge {
        let judged = |shown: &Shown| {
            let mut plies = shown.record.plies.iter();
            plies.any(|ply| Judgment::of_oracle(ply).is_some_and(|it| !it.is_forfeit()))
        };
        let has_oracle = self.shown.as_ref().is_some_and(judged);
        match self.judge {
            Some(Judge::Oracle) | None if has_oracle => Judge::Oracle,
            _ => Judge::Champion,
        }
    }

    /// Asks the champion where it is the one to judge.
    fn ask(&mut self) {
        let judge = self.judge();
        let Some(shown) = self.shown.as_ref().filter(|_| judge == Judge::Champion) else {
            return;
        };
        if self.opinions.iter().any(Option::is_none) && !self.critic.is_busy() {
            let (court, record) = (shown.court.clone(), Arc::clone(&shown.record));
            self.critic.ask(court, shown.wanted, record, self.walk.ply);
        }
    }

    /// What is thought of the move after so many others.
    fn judged(&self, ply: usize) -> Option<Judgment> {
        let played = self.shown.as_ref()?.record.plies.get(ply)?;
        match self.judge() {
            Judge::Champion if played.verdict != Verdict::Illegal => {
                let thoughts = self.opinions.get(ply)?.as_ref()?;
                Judgment::of_champion(played, thoughts)
            }
            _ => Judgment::of_oracle(played),
        }
    }

    fn plies(&self) -> usize {
        let shown = self.shown.as_ref();
        shown.map_or(0, |shown| shown.record.plies.len())
    }

    /// Lets time pass.
    pub fn tick(&mut self, passed: Duration) -> Moved {
        let plies = self.plies();
        if self.shown.is_none() {
            return Moved::No;
        }
        let due = self.walk.tick(passed, plies);
        match due {
            Due::Move => {
                let shown = self.shown.as_ref();
                self.walk.make_next(|ply| stages(shown, ply));
            }
            Due::End => self.walk.autoplay = Autoplay::Off,
            Due::Nothing | Due::Stage => {}
        }
        due.into()
    }

    /// Time until something changes by itself.
    pub fn due(&self) -> Option<Duration> {
        let shown = self.shown.as_ref();
        shown.and_then(|_| self.walk.due(self.plies()))
    }

    /// The game as a file to give away.
    pub fn export(&self) -> Result<Export, String> {
        let shown = self.shown.as_ref().ok_or("there is no game to export")?;
        let (record, arena) = (&shown.record, shown.court.arena());
        let [first, second] = record.names.each_ref().map(|name| plain(name));
        let number = match self.chosen {
            Some(Place::Opened(at) | Place::Played(at)) => at,
            Some(Place::Live { index, .. } | Place::Kept { index, .. }) => index,
            _ => 0,
        };
        Ok(Export {
            run: self.saves.as_ref().map(|(_, name)| name.clone()),
            stem: format!("{first}-v-{second}-{}", number + 1),
            ending: arena.transcript_ending(),
            text: arena.transcript(record, &shown.court.event)?,
        })
    }
}

fn stages(shown: Option<&Shown>, ply: usize) -> usize {
    shown.map_or(0, |shown| shown.court.arena().stages(&shown.record, ply))
}

/// A name as part of a file's name.
fn plain(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    name.chars().map(letter).collect()
}

impl Played {
    /// A game against the champion of a generation.
    pub(in crate::ui::screens) fn new(
        record: Record,
        champions: &Champions,
        seed: u64,
        generation: u64,
    ) -> Self {
        Self {
            record: Arc::new(record),
            court: Court::over(champions.clone(), seed),
            generation,
        }
    }
}
