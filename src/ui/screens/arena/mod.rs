//! Screen 9: champions and reference players, everyone against everyone. It takes keys and news; the games are played by a
//! referee in the background, and `view` draws how they stand.

use crossbeam_channel::Receiver;

use crate::games::GameConfig;
use crate::preset::Preset;
use crate::storage::saves::Saves;
use crate::tournament::search::Search;
use crate::ui::app::watch::Watch;
use crate::ui::keymap::{self, Action, Scope};

use self::list::{Candidate, List, Source};
use self::referee::{Card, Entrant, Referee};
use self::roster::{Roster, Wanted};

mod list;
mod matrix;
mod players;
mod referee;
mod roster;
mod standings;
mod view;

pub use self::referee::{Ending, News, Standing};

/// Numbers of games a pair to choose from.
const GAMES: [u32; 12] = [2, 4, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];

/// Which of them it is at first.
const USUAL: usize = 5;

/// Lines by which a page moves.
const PAGE: i32 = 10;

/// Players against each other.
pub struct ArenaScreen {
    referee: Referee,
    saves: Saves,
    roster: Option<Roster>,
    /// The game that was turned to; without one it is that of the run that goes on.
    game: Option<GameConfig>,
    list: List,
    /// The place of the number of games a pair.
    games: usize,
    pane: Pane,
    stage: Stage,
    standing: Option<Standing>,
    /// The game that the standing is of.
    played: Option<GameConfig>,
    /// Players of the standing that are scrolled over.
    scrolled: usize,
    message: String,
}

/// What keys go to, and what is seen where there is no room for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pane {
    Players,
    Results,
}

/// What is going on.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Stage {
    /// Nobody has met yet.
    Choosing,
    Running,
    Ended(Ending),
}

impl Default for ArenaScreen {
    fn default() -> Self {
        Self {
            referee: Referee::new(),
            saves: Saves::at(std::path::PathBuf::new()),
            roster: None,
            game: None,
            list: List::default(),
            games: USUAL,
            pane: Pane::Players,
            stage: Stage::Choosing,
            standing: None,
            played: None,
            scrolled: 0,
            message: String::new(),
        }
    }
}

impl std::fmt::Debug for ArenaScreen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ArenaScreen")
            .field("stage", &self.stage)
            .finish_non_exhaustive()
    }
}

impl ArenaScreen {
    /// Looks up who can be chosen now.
    pub fn open(&mut self, saves: Option<&Saves>, live: Option<&Watch>) {
        if let Some(saves) = saves {
            self.saves = saves.clone();
        }
        self.gather(live);
    }

    fn gather(&mut self, live: Option<&Watch>) {
        self.referee.gather(Wanted {
            saves: self.saves.clone(),
            live: live.map(|watch| watch.preset.game.plain()),
            game: self.game.clone(),
        });
    }

    /// Where news come in, to be handed to [`ArenaScreen::hear`].
    pub fn news(&self) -> Receiver<News> {
        self.referee.news().clone()
    }

    /// Takes in what came from the background; `live` is the run that goes on.
    pub fn hear(&mut self, news: News, live: Option<&Watch>) {
        match news {
            News::Roster(number, found) if self.referee.is_newest(number) => match found {
                Ok(roster) => {
                    let before = self.roster.as_ref().map(|before| &before.game);
                    if before.is_some_and(|before| *before != roster.game) {
                        self.list = List::default();
                    }
                    self.list.renew(&roster, live.map(run_of));
                    self.roster = Some(*roster);
                }
                Err(fault) => self.message = fault,
            },
            News::Standing(number, standing) if self.referee.is_current(number) => {
                self.standing = Some(*standing);
            }
            News::Ended(number, ending) if self.referee.is_current(number) => {
                self.stage = Stage::Ended(ending);
            }
            News::Roster(..) | News::Standing(..) | News::Ended(..) => {}
            News::Exported(Ok(paths)) => self.message = format!("Written: {}", paths.join(", ")),
            News::Exported(Err(fault)) => self.message = fault,
        }
    }

    /// Waits until the next news are heard, for whoever has no screen to keep alive.
    pub fn settle(&mut self, live: Option<&Watch>) {
        if let Ok(news) = self.referee.news().recv() {
            self.hear(news, live);
        }
    }

    /// Whether games are being played.
    pub fn is_playing(&self) -> bool {
        self.stage == Stage::Running
    }

    /// Does what a key means; what is not this screen's business is passed on.
    pub fn act(&mut self, action: Action, live: Option<&Watch>) -> Option<Action> {
        self.message.clear();
        match action {
            Action::Up => self.step(-1),
            Action::Down => self.step(1),
            Action::PageUp => self.step(-PAGE),
            Action::PageDown => self.step(PAGE),
            Action::First => self.step(i32::MIN / 2),
            Action::Last => self.step(i32::MAX / 2),
            Action::NextPane => self.pane = self.pane.other(),
            Action::Enter => {
                self.pane = Pane::Players;
                self.list.choose();
            }
            Action::OlderChampion => self.edit(|list| list.turn(-1)),
            Action::NewerChampion => self.edit(|list| list.turn(1)),
            Action::LookFurther => self.edit(|list| list.nudge(1)),
            Action::LookLess => self.edit(|list| list.nudge(-1)),
            Action::AddOlder => self.edit(List::add_older),
            Action::TakeOff => self.edit(List::remove),
            Action::AddSearch => self.edit_by_roster(List::add_search),
            Action::NextSearch => self.edit_by_roster(List::next_search),
            Action::FewerGames => self.games = self.games.saturating_sub(1),
            Action::MoreGames => self.games = (self.games + 1).min(GAMES.len() - 1),
            Action::NextGame => self.change_game(live),
            Action::Meet => self.start(live),
            Action::StopGames => self.stop(),
            Action::Export => self.export(),
            other => return Some(other),
        }
        None
    }

    /// Puts the cursor on a line of the list and chooses who is there, or no longer.
    pub fn click(&mut self, place: usize) {
        self.message.clear();
        self.pane = Pane::Players;
        self.list.cursor = place.min(self.list.all.len().saturating_sub(1));
        self.list.choose();
    }

    fn step(&mut self, by: i32) {
        match self.pane {
            Pane::Players => self.list.step(by),
            Pane::Results => {
                let players = self.standing.as_ref();
                let last = players.map_or(0, |it| it.results.players.len().saturating_sub(1));
                let wanted = (self.scrolled as i64 + i64::from(by)).clamp(0, last as i64);
                self.scrolled = wanted as usize;
            }
        }
    }

    fn edit(&mut self, change: impl FnOnce(&mut List) -> Result<(), String>) {
        self.pane = Pane::Players;
        if let Err(fault) = change(&mut self.list) {
            self.message = fault;
        }
    }

    fn edit_by_roster(&mut self, change: fn(&mut List, &Roster) -> Result<(), String>) {
        let Some(roster) = self.roster.take() else {
            return;
        };
        self.edit(|list| change(list, &roster));
        self.roster = Some(roster);
    }

    fn change_game(&mut self, live: Option<&Watch>) {
        let Some(roster) = &self.roster else { return };
        let games = &roster.games;
        let place = games.iter().position(|game| *game == roster.game);
        let next = games[place.map_or(0, |place| (place + 1) % games.len())].clone();
        self.game = Some(next);
        self.pane = Pane::Players;
        self.gather(live);
    }

    /// Lets those who are chosen meet.
    fn start(&mut self, live: Option<&Watch>) {
        if self.is_playing() {
            self.message = format!(
                "They are meeting already; {} stops them.",
                key(Action::StopGames)
            );
            return;
        }
        let Some(roster) = &self.roster else { return };
        let mut entrants: Vec<Entrant> = Vec::new();
        for entrant in self.list.chosen().filter_map(|it| entrant(it, live)) {
            // The champion of the run that goes on may be on the list of saved ones too.
            if entrants.iter().all(|other| other.name() != entrant.name()) {
                entrants.push(entrant);
            }
        }
        if entrants.len() < 2 {
            self.message = format!("Choose at least two players with {}.", key(Action::Enter));
            return;
        }
        self.referee.start(Card {
            game: roster.game.clone(),
            entrants,
            games: GAMES[self.games],
            saves: self.saves.clone(),
        });
        self.played = Some(roster.game.clone());
        self.standing = None;
        self.scrolled = 0;
        self.stage = Stage::Running;
        self.pane = Pane::Results;
    }

    fn stop(&mut self) {
        if self.stage == Stage::Running {
            self.referee.stop();
            self.stage = Stage::Ended(Ending::Stopped);
        } else {
            self.message = format!("No games are being played; {}.", how_to_begin());
        }
    }

    fn export(&mut self) {
        let (Some(standing), Some(game)) = (&self.standing, &self.played) else {
            self.message = format!("There are no results yet; {}.", how_to_begin());
            return;
        };
        let results = standing.results.clone();
        self.referee.export(results, game.name(), &self.saves);
    }
}

impl Pane {
    fn other(self) -> Self {
        match self {
            Self::Players => Self::Results,
            Self::Results => Self::Players,
        }
    }
}

/// The key of an action of this screen.
fn key(action: Action) -> String {
    keymap::label(Scope::Arena, action)
}

fn how_to_begin() -> String {
    format!("{} lets the chosen players meet", key(Action::Meet))
}

/// The name of a run that goes on, and how it is set.
fn run_of(watch: &Watch) -> (String, Preset) {
    let unsaved = || format!("{}-{}", watch.preset.name, watch.facts.seed);
    let name = watch.facts.saved_as.clone().unwrap_or_else(unsaved);
    (name, watch.preset.clone())
}

/// A candidate as it takes part; none where the run that goes on has no champion yet.
fn entrant(candidate: &Candidate, live: Option<&Watch>) -> Option<Entrant> {
    let Source::Live { preset, .. } = &candidate.source else {
        return Some(Entrant::Named(candidate.name(0)));
    };
    let champion = &live?.snapshot.as_ref()?.champion;
    let search = candidate.search();
    Some(Entrant::Live {
        name: candidate.name(champion.generation),
        preset: Box::new((**preset).clone()),
        genome: Box::new(champion.genome.clone()),
        search: search.and_then(|search| Search::parse(&search).ok()),
    })
}
