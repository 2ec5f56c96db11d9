//! Screen 9: champions and reference players in a round robin. The games are played by a background
//! job.

use crossterm::event::KeyEvent;

use crate::jobs::{JobError, Jobs, Waker};
use crate::keymap::{self, Action};
use crate::model::run::RunModel;
use crate::widgets::text_input::{TextInput, TextInputResult};
use finches_engine::games::GameConfig;
use finches_engine::outside::OutsideSpec;
use finches_engine::play::search_spec::SearchSpec;
use finches_engine::preset::Preset;
use finches_runs::storage::saves::Saves;

use self::match_job::{ArenaPlayer, ArenaTask, MatchPlan, export, play};
use self::player_list::{PlayerList, PlayerListRequest, player_list};
use self::screen::{ArenaAction, SCOPE};
use self::selection::{ListedPlayer, PlayerSelection, PlayerSource};
mod match_job;
mod matrix;
mod player_list;
mod players_pane;
mod screen;
mod selection;
mod standings;
mod view;

pub use self::match_job::{ArenaAnswer, ArenaEnd, ArenaProgress};

/// Choices for the number of games per pair.
const GAMES_PER_PAIR: [u32; 12] = [2, 4, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];

/// The default, as an index.
const DEFAULT_GAMES: usize = 5;

const PAGE_ROWS: i32 = 10;

/// The Arena screen.
pub struct ArenaScreen {
    jobs: Jobs<ArenaTask, ArenaAnswer>,
    saves: Saves,
    player_list: Option<PlayerList>,
    /// The game chosen by the user; `None` is that of the current run.
    game: Option<GameConfig>,
    selection: PlayerSelection,
    /// The number of games per pair, as an index.
    games: usize,
    pane: ArenaPane,
    state: ArenaState,
    progress: Option<ArenaProgress>,
    /// The game of the results.
    played: Option<GameConfig>,
    /// Players scrolled past in the results.
    scrolled: usize,
    message: String,
    /// The name of an outside program being typed.
    entry: Option<TextInput>,
}

/// The pane with the focus; on small screens the only one drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ArenaPane {
    Players,
    Results,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum ArenaState {
    Choosing,
    Running,
    Ended(ArenaEnd),
}

impl ArenaScreen {
    pub fn new(waker: Waker) -> Self {
        Self {
            jobs: Jobs::new(waker),
            saves: Saves::at(std::path::PathBuf::new()),
            player_list: None,
            game: None,
            selection: PlayerSelection::default(),
            games: DEFAULT_GAMES,
            pane: ArenaPane::Players,
            state: ArenaState::Choosing,
            progress: None,
            played: None,
            scrolled: 0,
            message: String::new(),
            entry: None,
        }
    }

    fn load(&mut self, live: Option<&RunModel>) {
        let request = PlayerListRequest {
            saves: self.saves.clone(),
            live: live.map(|watch| watch.preset.game.for_matches()),
            game: self.game.clone(),
        };
        self.jobs.ask(ArenaTask::ListPlayers, |_| {
            let players = player_list(request)?;
            Ok(ArenaAnswer::Players(Box::new(players)))
        });
    }

    /// Blocks until the next result of background work, if any is under way. For callers without an
    /// event loop.
    pub fn settle(&mut self, live: Option<&RunModel>) {
        if let Some((task, answer)) = self.jobs.wait() {
            self.take(task, answer, live);
        }
    }

    fn take(
        &mut self,
        task: ArenaTask,
        answer: Result<ArenaAnswer, JobError>,
        live: Option<&RunModel>,
    ) {
        match (answer, task) {
            (Ok(answer), _) => self.handle(answer, live),
            (Err(error), ArenaTask::Play) => {
                self.state = ArenaState::Ended(ArenaEnd::Failed(error.to_string()));
            }
            (Err(error), _) => self.message = error.to_string(),
        }
    }

    /// Handles a result of background work.
    pub fn handle(&mut self, answer: ArenaAnswer, live: Option<&RunModel>) {
        match answer {
            ArenaAnswer::Players(player_list) => {
                let before = self.player_list.as_ref().map(|before| &before.game);
                if before.is_some_and(|before| *before != player_list.game) {
                    self.selection = PlayerSelection::default();
                }
                self.selection.update(&player_list, live.map(live_run));
                self.player_list = Some(*player_list);
            }
            ArenaAnswer::Progress(progress) => self.progress = Some(*progress),
            ArenaAnswer::Ended(end) => {
                self.state = ArenaState::Ended(end);
                self.tell_forfeits();
            }
            ArenaAnswer::Exported(paths) => self.message = format!("Written: {}", paths.join(", ")),
        }
    }

    /// Names the first game that an outside program lost because it failed.
    fn tell_forfeits(&mut self) {
        let results = self.progress.as_ref().map(|progress| &progress.results);
        if let Some(first) = results.and_then(|it| it.forfeit_lines(1).into_iter().next()) {
            let count = results.map_or(0, |it| it.forfeits.len());
            self.message = format!("Games forfeited: {count}. {first}");
        }
    }

    /// Handles a key while the name of an outside program is typed.
    fn press_in_entry(&mut self, key: KeyEvent) {
        let Some(entry) = &mut self.entry else {
            return;
        };
        match entry.press(key) {
            TextInputResult::Editing => {}
            TextInputResult::Canceled => self.entry = None,
            TextInputResult::Done(text) => match OutsideSpec::parse(&text) {
                Some(Ok(spec)) => {
                    self.entry = None;
                    self.pane = ArenaPane::Players;
                    self.selection.add_program(spec.text);
                }
                Some(Err(error)) => self.refuse_entry(error.to_string()),
                None => {
                    let words = "Write PROTOCOL:COMMAND, such as gtp:gtp-rhino --level 1; \
                        protocols are gtp, nboard and lines.";
                    self.refuse_entry(words.to_owned());
                }
            },
        }
    }

    fn refuse_entry(&mut self, words: String) {
        self.entry = None;
        self.message = words;
    }

    pub fn is_playing(&self) -> bool {
        self.state == ArenaState::Running
    }

    /// Handles an action. Returns it if it is not this screen's.
    pub fn handle_action(&mut self, action: Action, live: Option<&RunModel>) -> Option<Action> {
        self.message.clear();
        match action {
            Action::NextPane => self.pane = self.pane.other(),
            // The cursor of the list is not seen there.
            Action::Enter if self.pane == ArenaPane::Results => {}
            Action::Enter => self.selection.toggle(),
            Action::OlderChampion => self.edit(|selection| selection.change_generation(-1)),
            Action::NewerChampion => self.edit(|selection| selection.change_generation(1)),
            Action::SearchDeeper => self.edit(|selection| selection.adjust_search(1)),
            Action::SearchShallower => self.edit(|selection| selection.adjust_search(-1)),
            Action::Export => self.export(),
            other => match (ArenaAction::of(other), other.rows(PAGE_ROWS)) {
                (Some(own), _) => self.handle_own(own, live),
                (None, Some(rows)) => self.move_cursor(rows),
                (None, None) => return Some(other),
            },
        }
        None
    }

    fn handle_own(&mut self, action: ArenaAction, live: Option<&RunModel>) {
        match action {
            ArenaAction::AddOlder => self.edit(PlayerSelection::add_older),
            ArenaAction::AddProgram => self.entry = Some(TextInput::new("gtp:")),
            ArenaAction::RemovePlayer => self.edit(PlayerSelection::remove),
            ArenaAction::AddSearch => self.edit_with_players(PlayerSelection::add_search),
            ArenaAction::NextSearch => self.edit_with_players(PlayerSelection::next_search),
            ArenaAction::FewerGames => self.games = self.games.saturating_sub(1),
            ArenaAction::MoreGames => {
                self.games = (self.games + 1).min(GAMES_PER_PAIR.len() - 1);
            }
            ArenaAction::NextGame => self.change_game(live),
            ArenaAction::PlayMatches => self.start(live),
            ArenaAction::StopGames => self.stop(),
        }
    }

    fn move_cursor(&mut self, by: i32) {
        match self.pane {
            ArenaPane::Players => self.selection.move_cursor(by),
            ArenaPane::Results => {
                let players = self.progress.as_ref();
                let last = players.map_or(0, |it| it.results.players.len().saturating_sub(1));
                let wanted = (self.scrolled as i64 + i64::from(by)).clamp(0, last as i64);
                self.scrolled = wanted as usize;
            }
        }
    }

    fn edit(&mut self, change: impl FnOnce(&mut PlayerSelection) -> Result<(), String>) {
        self.pane = ArenaPane::Players;
        if let Err(error) = change(&mut self.selection) {
            self.message = error;
        }
    }

    fn edit_with_players(
        &mut self,
        change: fn(&mut PlayerSelection, &PlayerList) -> Result<(), String>,
    ) {
        let Some(player_list) = self.player_list.take() else {
            return;
        };
        self.edit(|selection| change(selection, &player_list));
        self.player_list = Some(player_list);
    }

    fn change_game(&mut self, live: Option<&RunModel>) {
        let Some(player_list) = &self.player_list else {
            return;
        };
        let games = &player_list.games;
        let place = games.iter().position(|game| *game == player_list.game);
        let next = games[place.map_or(0, |place| (place + 1) % games.len())].clone();
        self.game = Some(next);
        self.pane = ArenaPane::Players;
        self.load(live);
    }

    /// Starts the match of the selected players.
    fn start(&mut self, live: Option<&RunModel>) {
        if self.is_playing() {
            self.message = format!(
                "Games are being played already; {} stops them.",
                key(ArenaAction::StopGames.action())
            );
            return;
        }
        let Some(player_list) = &self.player_list else {
            return;
        };
        let planned = self.selection.planned(live.and_then(live_generation));
        let players = planned.into_iter().filter_map(|it| arena_player(it, live));
        let players: Vec<ArenaPlayer> = players.collect();
        if players.len() < 2 {
            self.message = format!("Select at least two players with {}.", key(Action::Enter));
            return;
        }
        let plan = MatchPlan {
            game: player_list.game.clone(),
            players,
            games: GAMES_PER_PAIR[self.games],
            saves: self.saves.clone(),
        };
        self.jobs.ask(ArenaTask::Play, move |job| {
            Ok(ArenaAnswer::Ended(play(&plan, job)?))
        });
        self.played = Some(player_list.game.clone());
        self.progress = None;
        self.scrolled = 0;
        self.state = ArenaState::Running;
        self.pane = ArenaPane::Results;
    }

    fn stop(&mut self) {
        if self.state == ArenaState::Running {
            self.jobs.cancel(&ArenaTask::Play);
            self.state = ArenaState::Ended(ArenaEnd::Stopped);
        } else {
            self.message = format!("No games are being played; {}.", start_hint());
        }
    }

    fn export(&mut self) {
        let (Some(progress), Some(game)) = (&self.progress, &self.played) else {
            self.message = format!("There are no results yet; {}.", start_hint());
            return;
        };
        let (results, game) = (progress.results.clone(), game.name().to_owned());
        let folder = self.saves.root().to_owned();
        self.jobs.ask(ArenaTask::Export, move |_| {
            Ok(ArenaAnswer::Exported(export(&results, &game, &folder)?))
        });
    }
}

impl ArenaPane {
    fn other(self) -> Self {
        match self {
            Self::Players => Self::Results,
            Self::Results => Self::Players,
        }
    }
}

/// The key of an action of this screen.
fn key(action: Action) -> String {
    keymap::label(SCOPE, action)
}

fn start_hint() -> String {
    format!(
        "{} starts the games of the selected players",
        key(ArenaAction::PlayMatches.action())
    )
}

/// The name and the preset of the current run.
fn live_run(watch: &RunModel) -> (String, Preset) {
    let unsaved = || format!("{}-{}", watch.preset.name, watch.facts.seed);
    let name = watch.facts.saved_as.clone().unwrap_or_else(unsaved);
    (name, watch.preset.clone())
}

/// The generation of the champion of the current run.
fn live_generation(watch: &RunModel) -> Option<u64> {
    Some(watch.snapshot.as_ref()?.champion.generation)
}

/// A listed player for the match; `None` if the current run has no champion yet.
fn arena_player(player: &ListedPlayer, live: Option<&RunModel>) -> Option<ArenaPlayer> {
    let PlayerSource::Live { preset, .. } = &player.source else {
        return Some(ArenaPlayer::Named(player.name(0)));
    };
    let champion = &live?.snapshot.as_ref()?.champion;
    let search = player.search();
    Some(ArenaPlayer::Live {
        name: player.name(champion.generation),
        preset: Box::new((**preset).clone()),
        genome: Box::new(champion.genome.clone()),
        search: search.and_then(|search| SearchSpec::parse(&search).ok()),
    })
}
