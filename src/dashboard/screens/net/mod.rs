//! Screen 3: the inside of a champion, shown as suits its genome. Champions are inspected on a
//! background thread; `view` draws the result.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::jobs::{JobError, Jobs, Waker, WantedAnswers};
use crate::keymap::Action;
use crate::model::champions::{ChampionQuery, Champions, InspectedPlayer};
use crate::model::context::Context;
use crate::model::direction::Direction;
use crate::model::sample_game::SamplePosition;
use crate::model::zoom::Zoom;
use finches_engine::evolution::archive::Champion;
use finches_runs::run::RunInfo;
use finches_runs::storage::saves::Saves;

use self::activity::Activity;
use self::inspection::{GenomeView, Inspection};
use self::inspector::{InspectionRequest, InspectionSubject, NetAnswer, NetExport, NetTask};
pub(super) use self::screen::TAB;
use self::screen::{NetAction, SCOPE};
use self::view::{fact, pane};
use self::view_options::InactiveParts;
mod activity;
pub(in crate::screens) mod graph;
mod inspection;
mod inspector;
mod layer_nodes;
mod screen;
pub(in crate::screens) mod strategy;
mod table_units;
mod view;
pub(in crate::screens) mod view_options;

/// The Net screen.
pub struct NetScreen {
    champions: Champions,
    jobs: Jobs<NetTask, NetAnswer>,
    inspection: Option<Inspection>,
    /// Whether the newest champion is shown as it arrives; false once an older one was chosen.
    follows_newest: bool,
    cursor: NetCursor,
    /// Whether all edges are drawn, not only the strongest.
    shows_all_edges: bool,
    /// Whether parts of a network that do not matter are drawn.
    inactive: InactiveParts,
    zoom: Zoom,
    activity: Activity,
    /// From when on the newest champion is looked for again after it was not found.
    retry_from: Option<Instant>,
    message: String,
}

/// How long the newest champion is not looked for again after it was not found, as in a run that is
/// paused in its first generation.
const RETRY: Duration = Duration::from_millis(500);

/// The selected item of the view; `None` before the first inspection.
type NetCursor = Option<usize>;

impl NetScreen {
    /// The champions of a run; [`NetScreen::refresh`] shows the first.
    pub fn new(facts: &RunInfo, saves: Option<(Saves, String)>, waker: Waker) -> Self {
        Self {
            champions: Champions::new(facts, saves),
            jobs: Jobs::new(waker),
            inspection: None,
            follows_newest: true,
            cursor: None,
            shows_all_edges: false,
            inactive: InactiveParts::Hidden,
            zoom: Zoom::Out,
            activity: Activity::default(),
            retry_from: None,
            message: String::new(),
        }
    }

    /// Adds the newest champion of the run.
    pub fn add_champion(&mut self, champion: &Champion) {
        self.retry_from = None;
        self.champions.add_champion(champion);
    }

    /// Inspects the newest champion if it is to be shown and no inspection is running.
    pub fn refresh(&mut self) {
        let shown = self.inspection.as_ref().map(Inspection::generation);
        let is_old = shown.is_none() || self.champions.live() > shown;
        let rests = self.retry_from.is_some_and(|from| Instant::now() < from);
        if self.follows_newest && is_old && !rests && !self.is_inspecting() {
            self.inspect(ChampionQuery::Newest);
        }
    }

    /// Whether a champion is being inspected in the background.
    pub fn is_inspecting(&self) -> bool {
        self.jobs.is_running(&NetTask::Inspect)
    }

    fn inspect(&mut self, query: ChampionQuery) {
        self.ask(InspectionSubject::Query(query));
    }

    fn ask(&mut self, subject: InspectionSubject) {
        let request = InspectionRequest {
            champions: self.champions.clone(),
            subject,
        };
        self.jobs.ask(NetTask::Inspect, |_| request.run());
    }

    /// The player whose network is shown.
    pub fn player(&self) -> Option<&InspectedPlayer> {
        self.inspection
            .as_ref()
            .map(|inspection| &inspection.player)
    }

    /// Inspects a player chosen on another screen.
    pub fn show_player(&mut self, player: InspectedPlayer) {
        self.follows_newest = false;
        self.message.clear();
        self.ask(InspectionSubject::Player(player));
    }

    /// Writes the shown network to files.
    fn export(&mut self) {
        let Some(inspection) = &self.inspection else {
            "There is nothing to export yet.".clone_into(&mut self.message);
            return;
        };
        let export = NetExport {
            champions: self.champions.clone(),
            player: inspection.player.clone(),
        };
        self.jobs.ask(NetTask::Export, |_| export.write());
    }

    /// Takes in results of background work.
    pub fn take_answers(&mut self, wanted: WantedAnswers) {
        while let Some((_, answer)) = self.jobs.next(wanted) {
            self.handle(answer);
        }
    }

    fn handle(&mut self, answer: Result<NetAnswer, JobError>) {
        if matches!(answer, Ok(NetAnswer::Inspected(_, None)) | Err(_)) {
            self.retry_from = Some(Instant::now() + RETRY);
        }
        match answer {
            Ok(NetAnswer::Inspected(query, Some(inspection))) => {
                let is_newest = self.champions.live() == Some(inspection.generation());
                self.follows_newest = self.follows_newest || (query.is_some() && is_newest);
                self.show_inspection(*inspection);
            }
            Ok(NetAnswer::Inspected(query, None)) => {
                let is_newer = matches!(query, Some(ChampionQuery::NewerThan(_)));
                self.follows_newest = self.follows_newest || is_newer;
                if let Some(words) = query.and_then(ChampionQuery::missing) {
                    self.message = words;
                }
            }
            Ok(NetAnswer::Exported(files)) => self.message = export_message(&files),
            Err(error) => self.message = error.to_string(),
        }
    }

    fn show_inspection(&mut self, inspection: Inspection) {
        let last = inspection.genome_view.cursor_positions().saturating_sub(1);
        let place = self
            .cursor
            .unwrap_or_else(|| inspection.genome_view.initial_cursor())
            .min(last);
        self.cursor = Some(inspection.genome_view.drawn_node(place, self.inactive));
        self.activity.evaluate(&self.champions, Some(&inspection));
        self.inspection = Some(inspection);
    }

    /// Whether activations are shown.
    pub fn is_activity_shown(&self) -> bool {
        self.activity.is_on()
    }

    /// Sets the position whose activations are shown.
    pub fn set_position(&mut self, moment: Option<SamplePosition>) {
        self.activity.set_position(moment);
        self.activity
            .evaluate(&self.champions, self.inspection.as_ref());
    }

    /// Handles an action. Returns the action if it is not this screen's.
    fn handle_action(&mut self, action: Action, context: &Context) -> Option<Action> {
        self.message.clear();
        match action {
            Action::OlderChampion => self.show_other_champion(ChampionQuery::OlderThan),
            Action::NewerChampion => self.show_other_champion(ChampionQuery::NewerThan),
            Action::Export => self.export(),
            zoomed if self.zoom.handle(zoomed) => {}
            other => match (NetAction::of(other), Direction::of(other)) {
                (Some(NetAction::ShowAllEdges), _) => self.shows_all_edges = !self.shows_all_edges,
                (Some(NetAction::ShowInactive), _) => self.toggle_inactive(),
                (Some(NetAction::Activity), _) => self.activity.toggle(),
                (None, Some(direction)) => self.move_cursor(direction, context),
                (Some(NetAction::PlayShown), _) | (None, None) => return Some(other),
            },
        }
        None
    }

    fn move_cursor(&mut self, direction: Direction, context: &Context) {
        let Some((inspection, cursor)) = self.shown() else {
            return;
        };
        let next = match &inspection.genome_view {
            GenomeView::Strategy(strategy) => strategy.next(cursor, direction),
            GenomeView::Graph(drawing) => drawing.next(cursor, direction, self.inactive),
            GenomeView::LayerNodes(nodes) => {
                let (area, _) = view::parts(context.area);
                let columns = nodes.columns(area, self.zoom, &context.theme);
                nodes.next(cursor, direction, columns)
            }
            GenomeView::TableUnits(units) => units.next(cursor, direction),
            GenomeView::Nothing => cursor,
        };
        self.cursor = Some(next);
    }

    /// Shows or hides inactive nodes; the cursor stays on a node that is drawn.
    fn toggle_inactive(&mut self) {
        self.inactive = self.inactive.toggled();
        let shown = self.shown();
        let cursor =
            shown.map(|(shown, cursor)| shown.genome_view.drawn_node(cursor, self.inactive));
        self.cursor = cursor;
    }

    /// Inspects an older or a newer champion.
    fn show_other_champion(&mut self, query: fn(u64) -> ChampionQuery) {
        let shown = self.inspection.as_ref().map(Inspection::generation);
        self.follows_newest = false;
        self.inspect(shown.map_or(ChampionQuery::Newest, query));
    }

    /// The newest generation if it is newer than the one shown.
    fn newer_generation(&self) -> Option<u64> {
        let shown = self.inspection.as_ref().map(Inspection::generation);
        self.champions.live().filter(|&live| Some(live) > shown)
    }

    /// The inspection and the cursor.
    fn shown(&self) -> Option<(&Inspection, usize)> {
        self.inspection.as_ref().zip(self.cursor)
    }
}

/// The names, which differ only in their endings, and then the folder, whose end may be cut off.
fn export_message(files: &[PathBuf]) -> String {
    let ending = |file: &PathBuf| Some(format!(".{}", file.extension()?.to_string_lossy()));
    let endings: Vec<String> = files.iter().filter_map(ending).collect();
    let first = files.first().map_or(Path::new(""), PathBuf::as_path);
    let folder = first.parent().unwrap_or(first);
    let stem = Path::new(folder.file_name().unwrap_or_default())
        .join(first.file_stem().unwrap_or_default());
    let place = match folder
        .parent()
        .filter(|above| !above.as_os_str().is_empty())
    {
        Some(above) => above.display().to_string(),
        None => "the working directory".to_owned(),
    };
    format!(
        "Written: {}{} in {place}",
        stem.display(),
        endings.join(", ")
    )
}

impl GenomeView {
    /// The number of items the cursor can select.
    fn cursor_positions(&self) -> usize {
        match self {
            Self::Strategy(strategy) => strategy.len(),
            Self::LayerNodes(nodes) => nodes.len(),
            Self::TableUnits(units) => units.len(),
            Self::Graph(drawing) => drawing.len(),
            Self::Nothing => 0,
        }
    }

    /// The item nearest to one, which may be a node that is not drawn.
    fn drawn_node(&self, place: usize, inactive: InactiveParts) -> usize {
        match self {
            Self::Graph(drawing) => drawing.drawn_node(place, inactive),
            Self::Strategy(_) | Self::LayerNodes(_) | Self::TableUnits(_) | Self::Nothing => place,
        }
    }

    /// The first item selected.
    fn initial_cursor(&self) -> usize {
        match self {
            Self::Strategy(strategy) => strategy.initial_cursor(),
            Self::Graph(drawing) => drawing.initial_cursor(),
            Self::LayerNodes(_) | Self::TableUnits(_) | Self::Nothing => 0,
        }
    }
}
