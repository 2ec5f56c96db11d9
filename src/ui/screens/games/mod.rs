//! Screen 7: recorded games of a run, stepped through with a judgment of each move. Games are loaded and champions evaluate positions on
//! background threads.

use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, unbounded};

use crate::arena::interactive::MoveEvaluations;
use crate::arena::record::{GameRecord, Verdict};
use crate::run::RunInfo;
use crate::run::message::Snapshot;
use crate::storage::saves::Saves;
use crate::ui::app::ExportFile;
use crate::ui::model::champions::{ChampionQuery, Champions};
use crate::ui::model::playback::{Playback, PlaybackStep};
use crate::ui::model::zoom::Zoom;
use crate::ui::widgets::text_input::TextInput;

use self::game_list::{GameList, GameRef, GameRow};
use self::judgment::{Evaluator, MoveJudgment};
use self::loader::{GameLoader, LoaderEvent};
use self::review::{AnalysisEvent, AnalysisPart, GameAnalysis, GameReview};

mod game_list;
mod judgment;
mod keys;
mod loader;
mod moves;
mod review;
mod view;

pub use self::game_list::PlayedGame;

/// The Games screen.
pub struct GamesScreen {
    review: GameReview,
    /// The saved run and its name.
    saves: Option<(Saves, String)>,
    game_list: GameList,
    /// The selected game.
    selected: Option<GameRef>,
    /// Its last row in the list, in case it disappears.
    row: usize,
    shown: Option<ShownGame>,
    /// Whether the board fills the screen.
    zoom: Zoom,
    playback: Playback,
    /// The evaluator chosen by the user, if any.
    evaluator: Option<Evaluator>,
    /// The champion's evaluation of each position, by the number of moves before it.
    evaluations: Vec<Option<MoveEvaluations>>,
    /// The generation of the evaluating champion, once known.
    evaluating_generation: Option<u64>,
    filter: String,
    typing: GamesInput,
    /// The message line; `Err` if it reports an error.
    message: Result<String, String>,
    loader: GameLoader,
    analysis: GameAnalysis,
    news: Receiver<GamesEvent>,
}

/// A result from one of this screen's threads.
pub struct GamesEvent(GamesEventKind);

enum GamesEventKind {
    Loader(LoaderEvent),
    Analysis(AnalysisEvent),
}

impl From<LoaderEvent> for GamesEventKind {
    fn from(report: LoaderEvent) -> Self {
        Self::Loader(report)
    }
}

impl From<AnalysisEvent> for GamesEventKind {
    fn from(event: AnalysisEvent) -> Self {
        Self::Analysis(event)
    }
}

impl GamesEvent {
    fn of(piece: impl Into<GamesEventKind>) -> Self {
        Self(piece.into())
    }
}

/// The game shown.
struct ShownGame {
    record: Arc<GameRecord>,
    review: GameReview,
    /// The champion that evaluates the game.
    query: ChampionQuery,
}

/// The text being entered.
enum GamesInput {
    Nothing,
    Filter(TextInput),
    Path(TextInput),
}

impl GamesScreen {
    /// The games of a run and the place where it is saved. Games that the user played are kept across runs.
    pub fn new(facts: &RunInfo, saves: Option<(Saves, String)>, played: Vec<PlayedGame>) -> Self {
        let (out, news) = unbounded();
        Self {
            review: GameReview::new(facts, saves.clone()),
            saves,
            game_list: GameList::with(played),
            selected: None,
            row: 0,
            shown: None,
            zoom: Zoom::Out,
            playback: Playback::new(false),
            evaluator: None,
            evaluations: Vec::new(),
            evaluating_generation: None,
            filter: String::new(),
            typing: GamesInput::Nothing,
            message: Ok(String::new()),
            loader: GameLoader::new(out.clone()),
            analysis: GameAnalysis::new(out),
            news,
        }
    }

    /// Adds the newest champion and its games.
    pub fn add_champion(&mut self, snapshot: &Snapshot) {
        self.review.champions.add_champion(&snapshot.champion);
        self.game_list
            .add_live(snapshot.champion.generation, &snapshot.games);
    }

    /// Adds games that the user has finished.
    pub fn add_played(&mut self, played: Vec<PlayedGame>) {
        self.game_list.played.extend(played);
    }

    /// The games played by the user.
    pub fn into_played(self) -> Vec<PlayedGame> {
        self.game_list.played.clone()
    }

    /// Lists games on disk that are not listed yet.
    pub fn refresh(&mut self) {
        if let Some(saves) = self.saves.clone().filter(|_| !self.loader.is_listing) {
            let arena = Arc::clone(self.review.arena());
            self.loader.list(saves, arena, self.game_list.known());
        }
        self.ensure_selection();
    }

    /// The receiver of background results; pass them to [`GamesScreen::handle`].
    pub fn events(&self) -> Receiver<GamesEvent> {
        self.news.clone()
    }

    /// Takes in a background result.
    pub fn handle(&mut self, news: GamesEvent) {
        match news.0 {
            GamesEventKind::Loader(report) => self.handle_loader(report),
            GamesEventKind::Analysis(event) => match self.analysis.accept(event) {
                Some(AnalysisPart::Evaluator(generation)) => {
                    self.evaluating_generation = Some(generation)
                }
                Some(AnalysisPart::Evaluation { ply, evaluation }) => {
                    if let Some(place) = self.evaluations.get_mut(ply) {
                        *place = Some(evaluation);
                    }
                }
                Some(AnalysisPart::Failed(error)) => self.message = Err(error),
                Some(AnalysisPart::End) | None => {}
            },
        }
    }

    fn handle_loader(&mut self, report: LoaderEvent) {
        self.loader.update(&report);
        match report {
            LoaderEvent::Listed(found) => {
                self.game_list.add_saved(found);
                self.ensure_selection();
            }
            LoaderEvent::ListComplete(whole) => {
                if let Err(error) = whole {
                    self.message = Err(error);
                }
            }
            LoaderEvent::Loaded { generation, games } => self.show_loaded(generation, games),
            LoaderEvent::Opened { path, games } => match games {
                Ok(games) => {
                    let first = self.game_list.opened.len();
                    let count = games.len();
                    self.game_list
                        .opened
                        .extend(games.into_iter().map(Arc::new));
                    self.message = Ok(match count {
                        1 => format!("opened 1 game from {path}"),
                        count => format!("opened {count} games from {path}"),
                    });
                    self.filter.clear();
                    self.select(GameRef::Opened(first));
                }
                Err(error) => self.message = Err(error),
            },
        }
    }

    fn show_loaded(&mut self, generation: u64, games: Result<Vec<GameRecord>, String>) {
        let Some(GameRef::Saved {
            generation: wanted,
            index,
        }) = self.selected
        else {
            return;
        };
        if wanted != generation || self.shown.is_some() {
            return;
        }
        match games.map(|mut games| (index < games.len()).then(|| games.swap_remove(index))) {
            Ok(Some(record)) => self.show(Arc::new(record), self.review.clone(), generation),
            Ok(None) => self.message = Err("the game is no longer in its file".to_owned()),
            Err(error) => self.message = Err(error),
        }
    }

    /// Blocks until background work is done. For callers without an event loop.
    pub fn settle(&mut self) {
        while self.loader.pending > 0 || self.analysis.is_busy() {
            let Ok(news) = self.news.recv() else {
                return;
            };
            self.handle(news);
        }
    }

    fn rows(&self) -> Vec<GameRow> {
        self.game_list.rows(&self.filter)
    }

    /// The row of the selected game.
    fn row_index(&self, rows: &[GameRow]) -> usize {
        let found = rows.iter().position(|row| Some(row.place) == self.selected);
        found.unwrap_or_else(|| self.row.min(rows.len().saturating_sub(1)))
    }

    /// Selects the first game if none is selected, and stores the row of the selected one. The game shown stays even if its row has disappeared.
    pub fn ensure_selection(&mut self) {
        let rows = self.rows();
        self.row = self.row_index(&rows);
        if self.selected.is_none()
            && let Some(row) = rows.first()
        {
            self.select(row.place);
        }
    }

    /// Selects a game and shows it.
    fn select(&mut self, place: GameRef) {
        if self.selected == Some(place) && self.shown.is_some() {
            return;
        }
        self.selected = Some(place);
        self.row = self.row_index(&self.rows());
        self.shown = None;
        self.analysis.cancel();
        let own = self.review.clone();
        match place {
            GameRef::Opened(at) => {
                if let Some(record) = self.game_list.opened.get(at).cloned() {
                    self.show(record, own, u64::MAX);
                }
            }
            GameRef::Played(at) => {
                if let Some(played) = self.game_list.played.get(at).cloned() {
                    self.show(played.record, played.review, played.generation);
                }
            }
            GameRef::Live { generation, index } => {
                if let Some(record) = self.game_list.live_game(generation, index).cloned() {
                    self.show(record, own, generation);
                }
            }
            GameRef::Saved { generation, .. } => {
                if let Some(saves) = self.saves.clone() {
                    self.loader
                        .fetch(saves, Arc::clone(own.arena()), generation);
                }
            }
            GameRef::Unreadable { .. } => {}
        }
    }

    /// Shows a game from its start; `generation` is that of its champion.
    fn show(&mut self, record: Arc<GameRecord>, review: GameReview, generation: u64) {
        self.playback = Playback::new(self.playback.is_autoplay);
        self.evaluations = vec![None; record.plies.len()];
        self.evaluating_generation = None;
        self.shown = Some(ShownGame {
            record,
            review,
            query: ChampionQuery::Exactly(generation),
        });
        self.request_analysis();
    }

    /// The evaluator: the oracle if it knows the game, unless the user chose the champion.
    fn evaluator(&self) -> Evaluator {
        let judged = |shown: &ShownGame| {
            let mut plies = shown.record.plies.iter();
            plies.any(|ply| MoveJudgment::by_oracle(ply).is_some_and(|it| !it.is_forfeit()))
        };
        let has_oracle = self.shown.as_ref().is_some_and(judged);
        match self.evaluator {
            Some(Evaluator::Oracle) | None if has_oracle => Evaluator::Oracle,
            _ => Evaluator::Champion,
        }
    }

    /// Starts the champion's evaluation if it is needed.
    fn request_analysis(&mut self) {
        let evaluator = self.evaluator();
        let Some(shown) = self
            .shown
            .as_ref()
            .filter(|_| evaluator == Evaluator::Champion)
        else {
            return;
        };
        if self.evaluations.iter().any(Option::is_none) && !self.analysis.is_busy() {
            let (review, record) = (shown.review.clone(), Arc::clone(&shown.record));
            self.analysis
                .start(review, shown.query, record, self.playback.ply);
        }
    }

    /// The judgment of the move at `ply`.
    fn judgment(&self, ply: usize) -> Option<MoveJudgment> {
        let played = self.shown.as_ref()?.record.plies.get(ply)?;
        match self.evaluator() {
            Evaluator::Champion if played.verdict != Verdict::Illegal => {
                let evaluation = self.evaluations.get(ply)?.as_ref()?;
                MoveJudgment::by_champion(played, evaluation)
            }
            _ => MoveJudgment::by_oracle(played),
        }
    }

    fn plies(&self) -> usize {
        let shown = self.shown.as_ref();
        shown.map_or(0, |shown| shown.record.plies.len())
    }

    /// Advances the playback.
    pub fn tick(&mut self, passed: Duration) -> bool {
        let plies = self.plies();
        if self.shown.is_none() {
            return false;
        }
        let due = self.playback.tick(passed, plies);
        match due {
            PlaybackStep::Move => {
                let shown = self.shown.as_ref();
                self.playback.animate_next(|ply| stages(shown, ply));
            }
            PlaybackStep::End => self.playback.is_autoplay = false,
            PlaybackStep::Nothing | PlaybackStep::Stage => {}
        }
        due.is_change()
    }

    /// Time until the next step of the playback.
    pub fn due(&self) -> Option<Duration> {
        let shown = self.shown.as_ref();
        shown.and_then(|_| self.playback.time_to_change(self.plies()))
    }

    /// The game as a file to export.
    pub fn export(&self) -> Result<ExportFile, String> {
        let shown = self.shown.as_ref().ok_or("there is no game to export")?;
        let (record, arena) = (&shown.record, shown.review.arena());
        let [first, second] = record.names.each_ref().map(|name| file_name_part(name));
        let number = match self.selected {
            Some(GameRef::Opened(at) | GameRef::Played(at)) => at,
            Some(GameRef::Live { index, .. } | GameRef::Saved { index, .. }) => index,
            _ => 0,
        };
        Ok(ExportFile {
            run: self.saves.as_ref().map(|(_, name)| name.clone()),
            stem: format!("{first}-v-{second}-{}", number + 1),
            ending: arena.transcript_extension(),
            text: arena.transcript(record, &shown.review.event)?,
        })
    }
}

fn stages(shown: Option<&ShownGame>, ply: usize) -> usize {
    shown.map_or(0, |shown| shown.review.arena().stages(&shown.record, ply))
}

/// A name made safe for a file name.
fn file_name_part(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    name.chars().map(letter).collect()
}

impl PlayedGame {
    /// A game against the champion of a generation.
    pub(in crate::ui::screens) fn new(
        record: GameRecord,
        champions: &Champions,
        seed: u64,
        generation: u64,
    ) -> Self {
        Self {
            record: Arc::new(record),
            review: GameReview::with_champions(champions.clone(), seed),
            generation,
        }
    }
}
