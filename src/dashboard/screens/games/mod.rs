//! Screen 7: recorded games of a run, of the user and of files, stepped through with a judgment of
//! each move, and practice from the mistakes in them. Games are loaded and analyzed on background
//! threads.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::jobs::{JobError, Jobs, Waker, WantedAnswers};
use crate::model::champions::{ChampionQuery, Champions};
use crate::model::context::Context;
use crate::model::playback::{Playback, PlaybackStep};
use crate::model::played_game::YOU;
use crate::model::zoom::Zoom;
use crate::screen::ExportFile;
use crate::widgets::text_input::TextInput;
use finches_engine::games::Side;
use finches_engine::play::game_analysis::GameAnalysis;
use finches_engine::play::pool::Pool;
use finches_engine::play::record::GameRecord;
use finches_engine::text::counted;
use finches_runs::run::RunInfo;
use finches_runs::run::message::Snapshot;
use finches_runs::storage::game_judge::GameJudge;
use finches_runs::storage::game_rules::{GameRules, OpenedGame};
use finches_runs::storage::practice::{PracticeAnswer, PracticeFile, PracticePosition, today};
use finches_runs::storage::saves::Saves;

use self::analysis::{Evaluator, MoveJudgment, ShownAnalysis};
use self::game_list::{GameList, GameRef, GameRow, SavedGames};
use self::practice::Practice;
mod analysis;
mod game_list;
mod keys;
mod loader;
mod moves;
mod practice;
mod screen;
mod view;

/// The Games screen.
pub struct GamesScreen {
    /// The champions of the run, if there is one.
    champions: Option<Champions>,
    seed: u64,
    /// The saved run and its name.
    saves: Option<(Saves, String)>,
    /// The folder of saved runs, which has the trained champions and the user's own games.
    root: Option<Saves>,
    game_list: GameList,
    /// The selected game.
    selected: Option<GameRef>,
    /// Its last row in the list, in case it disappears.
    row: usize,
    shown: Option<ShownGame>,
    /// Whether the board fills the screen.
    zoom: Zoom,
    playback: Playback,
    evaluator: Evaluator,
    /// The oracle or the trained champion of the game, once it has judged.
    strongest: Option<Arc<GameJudge>>,
    analysis: ShownAnalysis,
    practice: Option<Practice>,
    filter: String,
    typing: GamesInput,
    /// The message line; `Err` if it reports an error.
    message: Result<String, String>,
    jobs: Jobs<GamesTask, GamesAnswer>,
}

/// The background work of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GamesTask {
    List,
    /// Lists the user's own games.
    Played,
    Load,
    Open,
    Analyze,
    /// Finds positions to practice, or judges the move made in one.
    Practice,
}

/// A result of background work.
enum GamesAnswer {
    /// Games on disk, by generation.
    Listed(Vec<(u64, SavedGames)>),
    /// The games of the selected generation.
    Loaded(Vec<GameRecord>),
    /// The user's own games.
    Played(Vec<OpenedGame>),
    /// The games of a file.
    Opened {
        path: String,
        listed: Vec<OpenedGame>,
    },
    /// The selected game of a file.
    Read(GameRecord, Arc<GameRules>),
    Judge(Arc<GameJudge>),
    /// One more position has been judged.
    Judged,
    Analyzed(GameAnalysis),
    /// What to practice, or why there is nothing.
    Practice(Arc<GameJudge>, Vec<PracticePosition>, String),
    Graded(PracticeAnswer),
}

/// The game shown.
struct ShownGame {
    record: Arc<GameRecord>,
    rules: Arc<GameRules>,
    /// The champion that evaluates the game.
    query: ChampionQuery,
}

impl ShownGame {
    /// The side from which values are seen: the user's, else the first.
    fn side(&self) -> Side {
        match &*self.record.names[1] {
            YOU => Side::Second,
            _ => Side::First,
        }
    }

    /// The name of the player whose values are shown.
    fn viewer(&self) -> &str {
        &self.record.names[self.side().index()]
    }
}

/// A click target: a move of the game shown, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PlyTarget(usize);

/// The text being entered.
enum GamesInput {
    Nothing,
    Filter(TextInput),
    Path(TextInput),
}

impl GamesScreen {
    /// The games of a run and the place where it is saved.
    pub fn new(facts: &RunInfo, saves: Option<(Saves, String)>, context: &Context) -> Self {
        Self {
            champions: Some(Champions::new(facts, saves.clone())),
            seed: facts.seed,
            saves,
            root: context.saves.clone(),
            ..Self::without_run(context.waker.clone())
        }
    }

    /// The games of files and of the user.
    pub fn without_run(waker: Waker) -> Self {
        Self {
            champions: None,
            seed: 0,
            saves: None,
            root: None,
            game_list: GameList::default(),
            selected: None,
            row: 0,
            shown: None,
            zoom: Zoom::Out,
            playback: Playback::new(false),
            evaluator: Evaluator::Strongest,
            strongest: None,
            analysis: ShownAnalysis::default(),
            practice: None,
            filter: String::new(),
            typing: GamesInput::Nothing,
            message: Ok(String::new()),
            jobs: Jobs::new(waker),
        }
    }

    /// Adds the newest champion and its games.
    pub fn add_champion(&mut self, snapshot: &Snapshot) {
        if let Some(champions) = &mut self.champions {
            champions.add_champion(&snapshot.champion);
        }
        self.game_list
            .add_live(snapshot.champion.generation, &snapshot.games);
    }

    /// Lists games on disk that are not listed yet.
    pub fn refresh(&mut self) {
        let run = self.run_rules();
        if let Some(saves) = self.root.clone() {
            let game = run.as_ref().map(|run| run.game.name().to_owned());
            let list = move |_: &_| loader::own(&saves, game.as_deref());
            self.jobs.ask(GamesTask::Played, list);
        }
        let saves = self.saves.clone().filter(|_| !self.is_listing());
        if let Some((saves, run)) = saves.zip(run) {
            let known = self.game_list.known();
            self.jobs.ask(GamesTask::List, move |job| {
                loader::list(&saves, run.arena.as_ref(), &known, job)
            });
        }
        self.ensure_selection();
    }

    fn run_rules(&self) -> Option<Arc<GameRules>> {
        let run = self.champions.as_ref()?;
        Some(Arc::new(GameRules {
            game: run.preset.game.clone(),
            arena: Arc::clone(&run.arena),
        }))
    }

    /// Opens files of games.
    fn open_files(&mut self, paths: Vec<PathBuf>) {
        let run = self.run_rules();
        self.jobs.ask(GamesTask::Open, move |job| {
            loader::open(&paths, run.as_ref(), job)
        });
    }

    fn is_listing(&self) -> bool {
        self.jobs.is_running(&GamesTask::List)
    }

    /// Whether games are being read from disk.
    fn is_loading(&self) -> bool {
        let tasks = [GamesTask::List, GamesTask::Load, GamesTask::Open];
        tasks.iter().any(|task| self.jobs.is_running(task))
    }

    /// Takes in results of background work.
    pub fn take_answers(&mut self, wanted: WantedAnswers) {
        while let Some((_, answer)) = self.jobs.next(wanted) {
            self.handle(answer);
        }
    }

    fn handle(&mut self, answer: Result<GamesAnswer, JobError>) {
        match answer {
            Ok(GamesAnswer::Listed(found)) => {
                self.game_list.add_saved(found);
                self.ensure_selection();
            }
            Ok(GamesAnswer::Played(listed)) => {
                let new = self.game_list.set_played(listed);
                let is_free = !matches!(self.selected, Some(GameRef::Opened(_)));
                if let Some(new) = new.filter(|_| is_free) {
                    self.select(new);
                }
            }
            Ok(GamesAnswer::Loaded(games)) => self.show_loaded(games),
            Ok(GamesAnswer::Opened { path, listed }) => self.show_opened(&path, listed),
            Ok(GamesAnswer::Read(record, rules)) => {
                self.show(Arc::new(record), Some(rules), u64::MAX);
            }
            Ok(GamesAnswer::Judge(judge)) => {
                if judge.uses_oracle {
                    self.strongest = Some(Arc::clone(&judge));
                }
                self.analysis.judge = Some(judge);
            }
            Ok(GamesAnswer::Judged) => self.analysis.judged += 1,
            Ok(GamesAnswer::Analyzed(found)) => self.analysis.found = Some(found),
            Ok(GamesAnswer::Practice(judge, questions, nothing)) => {
                self.message = Ok(nothing);
                self.practice = Practice::new(judge, questions);
            }
            Ok(GamesAnswer::Graded(answer)) => {
                if let Some(practice) = &mut self.practice {
                    practice.take(answer);
                }
            }
            Err(error) => self.message = Err(error.to_string()),
        }
    }

    /// Shows the selected game after its generation has been loaded.
    fn show_loaded(&mut self, mut games: Vec<GameRecord>) {
        let Some(GameRef::Saved { generation, index }) = self.selected else {
            return;
        };
        if index < games.len() {
            let record = Arc::new(games.swap_remove(index));
            self.show(record, self.run_rules(), generation);
        } else {
            self.message = Err("the game is no longer in its file".to_owned());
        }
    }

    /// Lists the games of a file and selects the first that can be read.
    fn show_opened(&mut self, path: &str, listed: Vec<OpenedGame>) {
        let is_good = |game: &OpenedGame| game.listed.problem.is_none();
        let (count, good) = (listed.len(), listed.iter().filter(|it| is_good(it)).count());
        let first = listed.iter().position(is_good).unwrap_or(0);
        if count == 0 {
            self.message = Err(format!("{path} has no game that can be read"));
            return;
        }
        let opened = format!("opened {} from {path}", counted(good as u64, "game"));
        self.message = match count - good {
            0 => Ok(opened),
            bad => Err(format!("{opened}; {bad} can't be read, see the list")),
        };
        self.game_list.add_opened(listed);
        self.filter.clear();
        self.selected = None;
        self.select(GameRef::Opened(first));
    }

    fn rows(&self) -> Vec<GameRow> {
        self.game_list.rows(&self.filter)
    }

    /// The row of the selected game.
    fn row_index(&self, rows: &[GameRow]) -> usize {
        let found = rows.iter().position(|row| Some(row.place) == self.selected);
        found.unwrap_or_else(|| self.row.min(rows.len().saturating_sub(1)))
    }

    /// Selects the first game if none is selected, and stores the row of the selected one. The game
    /// shown stays even if its row has disappeared.
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
        self.jobs.cancel(&GamesTask::Analyze);
        self.jobs.cancel(&GamesTask::Load);
        match place {
            GameRef::Opened(_) | GameRef::Played(_) => {
                if let Some(game) = self.game_list.of_file(place).cloned() {
                    let read = move |_: &_| loader::read(&game);
                    self.jobs.ask(GamesTask::Load, read);
                }
            }
            GameRef::Live { generation, index } => {
                if let Some(record) = self.game_list.live_game(generation, index).cloned() {
                    self.show(record, self.run_rules(), generation);
                }
            }
            GameRef::Saved { generation, .. } => {
                if let Some((saves, run)) = self.saves.clone().zip(self.run_rules()) {
                    self.jobs.ask(GamesTask::Load, move |_| {
                        loader::load(&saves, run.arena.as_ref(), generation)
                    });
                }
            }
            GameRef::Unreadable { .. } => {}
        }
    }

    /// Shows a game from its start; `generation` is that of its champion.
    fn show(&mut self, record: Arc<GameRecord>, rules: Option<Arc<GameRules>>, generation: u64) {
        self.playback = Playback::new(self.playback.is_autoplay);
        self.shown = rules.map(|rules| ShownGame {
            record,
            rules,
            query: ChampionQuery::Exactly(generation),
        });
        self.request_analysis();
    }

    /// The champions that can judge a game: those of a run with its rules.
    fn champions_of(&self, rules: &GameRules) -> Option<&Champions> {
        let champions = self.champions.as_ref();
        champions.filter(|run| run.preset.game.has_rules_of(&rules.game))
    }

    /// The work of finding a judge of a game.
    fn judging(
        &self,
        shown: &ShownGame,
        evaluator: Evaluator,
    ) -> impl FnOnce() -> Result<Arc<GameJudge>, JobError> + use<> {
        let (rules, query) = (Arc::clone(&shown.rules), shown.query);
        let champions = self.champions_of(&rules).cloned();
        let saves = self.root.clone();
        let known = self.strongest.clone();
        move || {
            let known = known.filter(|known| known.game.has_rules_of(&rules.game));
            let found = || GameJudge::strongest(&rules.game, saves.as_ref()).map(Arc::new);
            let strongest = || known.ok_or(()).or_else(|()| found());
            match (evaluator, champions) {
                (Evaluator::Champion, Some(run)) => Ok(Arc::new(run.judge(query)?)),
                (_, None) => Ok(strongest()?),
                (_, Some(run)) => strongest().or_else(|_| Ok(Arc::new(run.judge(query)?))),
            }
        }
    }

    /// Starts the analysis of the game shown.
    fn request_analysis(&mut self) {
        self.analysis = ShownAnalysis::default();
        let Some(shown) = &self.shown else { return };
        let record = Arc::clone(&shown.record);
        let judging = self.judging(shown, self.evaluator);
        self.jobs.ask(GamesTask::Analyze, move |job| {
            let judge = judging()?;
            job.report(GamesAnswer::Judge(Arc::clone(&judge)));
            let go_on = || {
                job.report(GamesAnswer::Judged);
                !job.is_canceled()
            };
            let found = judge.analyze(&Pool::new(0)?, &record, &go_on)?;
            Ok(GamesAnswer::Analyzed(found))
        });
    }

    /// Asks for better moves than those of the game shown, and whatever else it is time for.
    fn start_practice(&mut self) {
        let (Some(saves), Some(shown)) = (self.root.clone(), &self.shown) else {
            self.message = Err("choose a game to practice from".to_owned());
            return;
        };
        let record = Arc::clone(&shown.record);
        let judging = self.judging(shown, Evaluator::Strongest);
        self.message = Ok("looking for the moves that lost the most".to_owned());
        self.jobs.ask(GamesTask::Practice, move |_| {
            practice::find(judging()?, &saves, &record)
        });
    }

    /// Has the move judged that was made in practice, or ends it.
    fn follow_practice(&mut self) {
        let (Some(practice), Some(saves)) = (&self.practice, &self.root) else {
            return;
        };
        if practice.is_over() {
            let file = PracticeFile::of(saves).map_err(|error| error.to_string());
            self.message = file.map(|file| file.summary((0, 0), today()));
            self.practice = None;
        } else if let Some(grade) = practice.grading(saves.clone())
            && !self.jobs.is_running(&GamesTask::Practice)
        {
            self.jobs.ask(GamesTask::Practice, grade);
        }
    }

    /// The judgment of the move at `ply`.
    fn judgment(&self, ply: usize) -> Option<MoveJudgment> {
        let shown = self.shown.as_ref()?;
        let played = shown.record.plies.get(ply)?;
        MoveJudgment::of(played, ply, self.analysis.found.as_ref(), shown.side())
    }

    /// How many moves of the game have been made on the board.
    pub fn moves(&self) -> usize {
        self.playback.ply
    }

    fn plies(&self) -> usize {
        let shown = self.shown.as_ref();
        shown.map_or(0, |shown| shown.record.plies.len())
    }

    /// How many stages the animation of a move has.
    fn stages(&self) -> impl Fn(usize) -> usize + use<> {
        let shown = self.shown.as_ref();
        let shown = shown.map(|shown| (Arc::clone(&shown.record), Arc::clone(&shown.rules)));
        move |ply| {
            let shown = shown.as_ref();
            shown.map_or(0, |(record, rules)| rules.arena.stages(record, ply))
        }
    }

    /// Advances the playback.
    fn advance(&mut self, passed: Duration) -> bool {
        let plies = self.plies();
        if self.shown.is_none() {
            return false;
        }
        let due = self.playback.tick(passed, plies);
        match due {
            PlaybackStep::Move => {
                let stages = self.stages();
                self.playback.animate_next(stages);
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
        let (record, rules) = (&shown.record, &shown.rules);
        let run = self.champions_of(rules);
        let of_run = run.map(|run| format!(" {} seed {}", run.preset.name, self.seed));
        let event = format!("finches{}", of_run.unwrap_or_default());
        let tags = rules.game.transcript_tags(&event);
        let text = rules.arena.transcript(record, &tags);
        let [first, second] = record.names.each_ref().map(|name| file_name_part(name));
        let number = match self.selected {
            Some(GameRef::Opened(at) | GameRef::Played(at)) => at,
            Some(GameRef::Live { index, .. } | GameRef::Saved { index, .. }) => index,
            _ => 0,
        };
        Ok(ExportFile {
            run: self.saves.as_ref().map(|(_, name)| name.clone()),
            stem: format!("{first}-v-{second}-{}", number + 1),
            ending: rules.arena.info().transcript_extension,
            text: text.map_err(|error| error.to_string())?,
        })
    }
}

/// A name made safe for a file name.
fn file_name_part(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    name.chars().map(letter).collect()
}
