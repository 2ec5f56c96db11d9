//! Screen 2: the members of a generation (the newest or a saved one), and a round robin between
//! champions of different generations. Populations are loaded and games are played in the
//! background.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ratatui::layout::Rect;

use crate::jobs::{JobError, Jobs, Waker, WantedAnswers};
use crate::keymap::Action;
use crate::model::champions::{ChampionQuery, Champions, InspectedPlayer};
use crate::model::health::RunHealth;
use crate::model::run::RunModel;
use crate::model::zoom::Zoom;
use finches_engine::contest::Tally;
use finches_engine::evolution::archive::Champion;
use finches_engine::evolution::phylogeny::TaxonName;
use finches_engine::play::round_robin::PairTally;
use finches_engine::session::GenerationSnapshot;
use finches_runs::run::RunInfo;
use finches_runs::storage::saves::Saves;

use self::family::Family;
use self::health::HealthChecks;
use self::match_matrix::MatchMatrix;
use self::member_table::{MemberColumn, MemberOrder, MemberTable};
use self::member_table_view::table_body;
use self::round_robin::{
    ChampionRoundRobin, FitnessHistory, RoundRobinRequest, RoundRobinState, Standings,
};
use self::screen::PopulationAction;
pub(super) use self::screen::TAB;
use self::species::KnownSpecies;
use self::strength::Strengths;

mod family;
mod family_view;
mod health;
mod match_matrix;
mod match_matrix_view;
mod member_details;
mod member_table;
mod member_table_view;
mod round_robin;
mod screen;
mod species;
mod statistics;
mod strength;
mod styles;
mod view;

/// The population screen.
pub struct PopulationScreen {
    champions: Champions,
    seed: u64,
    member_table: Option<MemberTable>,
    newest: Option<Arc<GenerationSnapshot>>,
    /// Whether the newest generation is shown as it arrives; false once an older one was chosen.
    follows_newest: bool,
    message: String,
    order: MemberOrder,
    pane: PopulationPane,
    /// The selected row of the list of each pane: of the map of styles, the place of the cell among
    /// those that have an elite.
    cursors: [usize; PopulationPane::Line as usize + 1],
    /// Whether the focused pane fills the screen.
    zoom: Zoom,
    /// The family of the newest generation, while it is shown.
    family: Option<Family>,
    strengths: Strengths,
    round_robin: ChampionRoundRobin,
    /// The fitness of the run when the round robin was started last.
    history: FitnessHistory,
    health: HealthChecks,
    jobs: Jobs<PopulationTask, PopulationAnswer>,
}

/// The background work of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PopulationTask {
    Load,
    RoundRobin,
    /// A round robin that nobody sees, for its verdict.
    Health,
    Strengths,
}

/// A result of background work.
enum PopulationAnswer {
    /// The members of a saved generation; `None` if no such population is saved.
    Loaded(ChampionQuery, Option<Arc<GenerationSnapshot>>),
    /// The champions that play the round robin.
    Players(Vec<Arc<Champion>>),
    Played(PairTally),
    /// The end of the round robin, with what it says unless it was canceled.
    AllPlayed(Option<Box<Standings>>),
    /// Results of an ancestor against the reference player.
    Strength(TaxonName, Tally),
    /// The end of these games.
    AllMeasured,
}

/// The pane with the focus; on small screens the only one drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PopulationPane {
    Members,
    Species,
    /// The map of styles.
    Styles,
    Champions,
    /// The family tree and, beside it, the champion's line of descent.
    Tree,
    Line,
}

/// A mouse target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PopulationTarget {
    /// A row of the list of a pane.
    Row(PopulationPane, usize),
    Heading(MemberColumn),
    /// An elite on the map of styles, by its index among the members.
    Elite(usize),
}

impl PopulationScreen {
    /// The screen of a run and the place where it is saved.
    pub fn new(facts: &RunInfo, saves: Option<(Saves, String)>, waker: Waker) -> Self {
        Self {
            champions: Champions::new(facts, saves),
            seed: facts.seed,
            member_table: None,
            newest: None,
            follows_newest: true,
            message: String::new(),
            order: MemberColumn::Fitness.order(),
            pane: PopulationPane::Members,
            cursors: Default::default(),
            zoom: Zoom::Out,
            family: None,
            strengths: Strengths::default(),
            round_robin: ChampionRoundRobin::default(),
            history: FitnessHistory::default(),
            health: HealthChecks::new(),
            jobs: Jobs::new(waker),
        }
    }

    /// Adds the newest champion of the run.
    pub fn add_champion(&mut self, champion: &Champion) {
        self.champions.add_champion(champion);
    }

    /// Sets the newest generation, and shows it unless an older one was chosen.
    pub fn set_newest(&mut self, snapshot: Option<&Arc<GenerationSnapshot>>) {
        let Some(snapshot) = snapshot.filter(|snapshot| !snapshot.members.is_empty()) else {
            return;
        };
        self.newest = Some(Arc::clone(snapshot));
        if self.follows_newest {
            self.show_members(snapshot);
        }
        self.show_family();
    }

    /// Shows the members of a generation unless they are shown already.
    fn show_members(&mut self, snapshot: &Arc<GenerationSnapshot>) {
        let is_listed = |member_table: &MemberTable| Arc::ptr_eq(&member_table.snapshot, snapshot);
        if !self.member_table.as_ref().is_some_and(is_listed) {
            let species = self.selected_species();
            let elite = styles::selected(self);
            self.member_table = Some(MemberTable::new(Arc::clone(snapshot), self.order));
            self.select_species(species);
            styles::follow(self, elite.as_ref());
            self.move_cursor(0);
        }
    }

    /// Takes in results of background work.
    pub fn take_answers(&mut self, wanted: WantedAnswers) {
        while let Some((task, answer)) = self.jobs.next(wanted) {
            self.handle_answer(task, answer);
        }
    }

    fn handle_answer(&mut self, task: PopulationTask, answer: Result<PopulationAnswer, JobError>) {
        match (answer, task) {
            (answer, PopulationTask::Health) => self.end_check(answer),
            (Ok(PopulationAnswer::Loaded(query, members)), _) => self.show_loaded(query, members),
            (Ok(PopulationAnswer::Players(champions)), _) => {
                self.round_robin.matrix = Some(MatchMatrix::new(champions));
                self.round_robin.standings = None;
            }
            (Ok(PopulationAnswer::Played(tally)), _) => self.round_robin.add(tally),
            (Ok(PopulationAnswer::AllPlayed(standings)), _) => {
                self.round_robin.state = RoundRobinState::Done;
                self.learn(standings.as_deref());
                self.round_robin.standings = standings;
            }
            (Ok(PopulationAnswer::Strength(name, tally)), _) => self.strengths.add(name, tally),
            (Ok(PopulationAnswer::AllMeasured), _) => {}
            (Err(error), PopulationTask::Strengths) => {
                self.strengths.failure = Some(error.to_string());
            }
            (Err(error), PopulationTask::Load) => self.message = error.to_string(),
            (Err(error), PopulationTask::RoundRobin) => {
                self.round_robin.state = RoundRobinState::Failed(error.to_string());
            }
        }
    }

    /// Shows a population that has been loaded, or reports why not.
    fn show_loaded(&mut self, query: ChampionQuery, members: Option<Arc<GenerationSnapshot>>) {
        match (members, query) {
            (Some(members), _) => {
                self.follows_newest = false;
                self.show_members(&members);
            }
            (None, ChampionQuery::NewerThan(_)) => self.follow_newest(),
            (None, _) => {
                "no older one was saved; see keep_every".clone_into(&mut self.message);
            }
        }
    }

    /// Shows the newest generation, and new ones as they arrive.
    fn follow_newest(&mut self) {
        self.follows_newest = true;
        if let Some(newest) = self.newest.clone() {
            self.show_members(&newest);
        }
    }

    /// Takes in what the metrics of the shown run say about fitness.
    fn read_history(&mut self, run: &RunModel) {
        self.history = FitnessHistory::of(run);
    }

    /// Judges coevolution in the background if that is due. `run` is the run that goes on.
    fn check_health(&mut self, run: &RunModel) {
        let Some(generation) = self.champions.live() else {
            return;
        };
        if !self.round_robin.is_playing() && self.health.begins(generation, Instant::now()) {
            self.read_history(run);
            self.ask_round_robin(PopulationTask::Health, Some(health::LIMIT));
        }
    }

    /// Takes in a part of a round robin that nobody sees, or its end. There is no verdict if there
    /// are too few champions.
    fn end_check(&mut self, answer: Result<PopulationAnswer, JobError>) {
        match answer {
            Ok(PopulationAnswer::AllPlayed(standings)) => {
                self.health.end(standings.is_some(), Instant::now());
                self.learn(standings.as_deref());
            }
            Ok(_) => {}
            Err(_) => self.health.end(true, Instant::now()),
        }
    }

    /// Keeps a verdict for the run.
    fn learn(&mut self, standings: Option<&Standings>) {
        if let Some(standings) = standings {
            self.health.set_latest(RunHealth {
                generation: standings.generation,
                diagnosis: standings.diagnosis,
            });
        }
    }

    /// Whether the family tree is shown.
    fn shows_family(&self) -> bool {
        matches!(self.pane, PopulationPane::Tree | PopulationPane::Line)
    }

    /// Whether the members were drawn from a distribution, so that there is no family tree.
    fn has_no_parents(&self) -> bool {
        let newest = self.newest.as_ref();
        newest.is_some_and(|newest| newest.phylogeny.is_drawn())
    }

    /// Shows the family tree, or the members again.
    fn toggle_family(&mut self) {
        if self.has_no_parents() {
            return;
        }
        self.pane = if self.shows_family() {
            PopulationPane::Members
        } else {
            PopulationPane::Tree
        };
        self.show_family();
    }

    /// Brings the family tree up to date while it is shown. The selected ancestor stays selected.
    fn show_family(&mut self) {
        let Some(newest) = self.newest.as_ref().filter(|_| self.shows_family()) else {
            return;
        };
        if self
            .family
            .as_ref()
            .is_some_and(|family| family.is_of(newest))
        {
            return;
        }
        let selected = self.family.as_ref().and_then(|family| {
            let cursor = self.cursor(PopulationPane::Line);
            let step = family.line.get(cursor).filter(|_| cursor > 0)?;
            Some(family.step_taxon(step).name)
        });
        let genome = &self.champions.preset.genome;
        self.family = Family::new(newest, genome, self.family.take());
        let Some(family) = &self.family else {
            return;
        };
        let place = selected.and_then(|name| {
            let mut steps = family.line.iter();
            steps.position(|step| family.step_taxon(step).name == name)
        });
        let last = family.line.len().saturating_sub(1);
        let last_tip = family.tips.len().saturating_sub(1);
        let line = &mut self.cursors[PopulationPane::Line as usize];
        *line = place.unwrap_or(last.min(*line));
        let tree = &mut self.cursors[PopulationPane::Tree as usize];
        *tree = last_tip.min(*tree);
    }

    /// Measures the ancestors on the champion's line, or stops.
    fn toggle_strengths(&mut self) {
        let Some(family) = &self.family else {
            return;
        };
        if self.jobs.is_running(&PopulationTask::Strengths) {
            self.jobs.cancel(&PopulationTask::Strengths);
            return;
        }
        let steps = family.line.iter().filter_map(|step| {
            let name = family.step_taxon(step).name;
            Some((name, Arc::clone(step.genome.as_ref()?)))
        });
        let steps: Vec<_> = steps.collect();
        let champions = self.champions.clone();
        self.strengths = Strengths::default();
        self.jobs.ask(PopulationTask::Strengths, move |job| {
            strength::measure(&champions, &steps, job)
        });
    }

    /// Why no player is selected.
    fn nothing_selected(&self) -> &'static str {
        match (&self.family, self.pane) {
            (Some(_), PopulationPane::Line) => "the genome of this ancestor is no longer kept",
            _ => "no player is selected yet",
        }
    }

    /// Handles an action in an area of the screen. Returns the action if it is not this screen's.
    fn handle_action(&mut self, action: Action, area: Rect) -> Option<Action> {
        self.message.clear();
        if let Some(rows) = action.rows(table_body(area).height.max(1).into()) {
            self.move_cursor(rows as isize);
            return None;
        }
        match action {
            Action::NextPane => self.next_pane(),
            zoomed if self.zoom.handle(zoomed) => {}
            Action::Back if self.pane != PopulationPane::Members => {
                self.pane = PopulationPane::Members;
            }
            other => match PopulationAction::of(other) {
                Some(PopulationAction::PlaySelected) | None => return Some(other),
                Some(own) => self.handle_own(own),
            },
        }
        None
    }

    fn handle_own(&mut self, action: PopulationAction) {
        match action {
            PopulationAction::NextSort => self.next_sort_column(),
            PopulationAction::ReverseSort => self.sort(self.order.reversed()),
            PopulationAction::FamilyTree => self.toggle_family(),
            PopulationAction::PlayMatches if self.shows_family() => self.toggle_strengths(),
            PopulationAction::PlayMatches => self.toggle_round_robin(),
            PopulationAction::OlderPopulation => {
                self.show_other_population(ChampionQuery::OlderThan);
            }
            PopulationAction::NewerPopulation if self.follows_newest => {
                self.jobs.cancel(&PopulationTask::Load);
            }
            PopulationAction::NewerPopulation => {
                self.show_other_population(ChampionQuery::NewerThan);
            }
            PopulationAction::PlaySelected => {}
        }
    }

    fn click_target(&mut self, spot: PopulationTarget) {
        match spot {
            PopulationTarget::Row(pane, row) => {
                self.pane = pane;
                self.cursors[pane as usize] = row;
                self.move_cursor(0);
            }
            PopulationTarget::Heading(column) if column == self.order.column => {
                self.sort(self.order.reversed());
            }
            PopulationTarget::Heading(column) => self.sort(column.order()),
            PopulationTarget::Elite(member) => {
                self.pane = PopulationPane::Styles;
                styles::select(self, member);
            }
        }
    }

    /// Loads an older or a newer population.
    fn show_other_population(&mut self, query: fn(u64) -> ChampionQuery) {
        self.pane = PopulationPane::Members;
        let shown = self
            .member_table
            .as_ref()
            .map(|member_table| member_table.snapshot.generation);
        let query = shown.map_or(ChampionQuery::Newest, query);
        let champions = self.champions.clone();
        self.jobs.ask(PopulationTask::Load, move |_| {
            let members = champions.saved_population(query)?;
            Ok(PopulationAnswer::Loaded(query, members.map(Arc::new)))
        });
    }

    /// Whether the replacement of the run makes a map of styles.
    fn has_styles(&self) -> bool {
        let replacement = &self.champions.preset.evolution.replacement;
        !replacement.features().is_empty()
    }

    fn next_pane(&mut self) {
        self.pane = match self.pane {
            PopulationPane::Members if self.has_species() => PopulationPane::Species,
            PopulationPane::Members if self.has_styles() => PopulationPane::Styles,
            PopulationPane::Members | PopulationPane::Species | PopulationPane::Styles => {
                PopulationPane::Champions
            }
            PopulationPane::Champions => PopulationPane::Members,
            PopulationPane::Tree => PopulationPane::Line,
            PopulationPane::Line => PopulationPane::Tree,
        };
    }

    /// The selected row of the list of a pane.
    fn cursor(&self, pane: PopulationPane) -> usize {
        self.cursors[pane as usize]
    }

    /// Moves the cursor within the focused pane.
    fn move_cursor(&mut self, by: isize) {
        let lines = match self.pane {
            PopulationPane::Members => self
                .member_table
                .as_ref()
                .map_or(0, |member_table| member_table.members().len()),
            PopulationPane::Species => self.species().map_or(0, KnownSpecies::len),
            PopulationPane::Styles => styles::known(self).map_or(0, |known| known.elites().count()),
            PopulationPane::Champions => {
                self.round_robin.matrix.as_ref().map_or(0, MatchMatrix::len)
            }
            PopulationPane::Tree => self.family.as_ref().map_or(0, |family| family.tips.len()),
            PopulationPane::Line => self.family.as_ref().map_or(0, |family| family.line.len()),
        };
        let cursor = &mut self.cursors[self.pane as usize];
        let last = lines.saturating_sub(1);
        *cursor = (*cursor).min(last).saturating_add_signed(by).min(last);
    }

    fn next_sort_column(&mut self) {
        let Some(member_table) = &self.member_table else {
            return;
        };
        let here = member_table
            .columns
            .iter()
            .position(|&it| it == self.order.column);
        let next = here.map_or(0, |here| (here + 1) % member_table.columns.len());
        self.sort(member_table.columns[next].order());
    }

    fn sort(&mut self, order: MemberOrder) {
        self.order = order;
        if let Some(member_table) = &mut self.member_table {
            member_table.sort(order);
        }
    }

    /// Starts the round robin, or stops it.
    fn toggle_round_robin(&mut self) {
        self.pane = PopulationPane::Champions;
        if self.round_robin.is_playing() {
            self.jobs.cancel(&PopulationTask::RoundRobin);
            self.round_robin.state = RoundRobinState::Stopped;
        } else {
            self.ask_round_robin(PopulationTask::RoundRobin, None);
            self.round_robin.state = RoundRobinState::Playing;
        }
    }

    /// Starts a round robin of the champions so far.
    fn ask_round_robin(&mut self, task: PopulationTask, limit: Option<Duration>) {
        let champions = self.champions.clone();
        let request = RoundRobinRequest {
            history: self.history.clone(),
            seed: self.seed,
            limit,
        };
        self.jobs.ask(task, move |job| {
            round_robin::play_all(&champions, &request, job)
        });
    }

    /// The selected member or champion.
    pub fn selected(&self) -> Option<InspectedPlayer> {
        let cursor = self.cursor(self.pane);
        match self.pane {
            PopulationPane::Members => {
                let member_table = self.member_table.as_ref()?;
                let member = member_table.members().get(cursor)?;
                let snapshot = &member_table.snapshot;
                Some(InspectedPlayer::member(snapshot, member.index))
            }
            PopulationPane::Species => self.species()?.champion(cursor),
            PopulationPane::Styles => styles::selected(self),
            PopulationPane::Tree => self.family.as_ref()?.tip_player(cursor),
            PopulationPane::Line => self.family.as_ref()?.step_player(cursor),
            PopulationPane::Champions => {
                let champions = &self.round_robin.matrix.as_ref()?.champions;
                let champion = Arc::clone(champions.get(cursor)?);
                Some(InspectedPlayer::champion(champion))
            }
        }
    }
}
