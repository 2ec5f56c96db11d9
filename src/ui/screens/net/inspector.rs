//! Inspects champions on a background thread, because disks and large genomes can be slow. A new request replaces the one before.

use std::path::PathBuf;
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::storage::export;
use crate::ui::model::champions::{ChampionQuery, Champions};
use crate::ui::screens::population::InspectedPlayer;

use super::inspection::Inspection;

/// A request to inspect a player.
pub(super) struct InspectionRequest {
    pub(super) champions: Champions,
    pub(super) subject: InspectionSubject,
}

/// The player to inspect.
pub(super) enum InspectionSubject {
    Query(ChampionQuery),
    Player(InspectedPlayer),
}

/// A request to write a network to files.
pub(super) struct NetExport {
    pub(super) champions: Champions,
    pub(super) player: InspectedPlayer,
}

/// The inspection, `None` if there is no such champion, or an error message.
type InspectionResult = Result<Option<Inspection>, String>;

/// The result of the request with that number.
pub struct InspectorEvent {
    request: u64,
    answer: InspectorAnswer,
}

pub(super) enum InspectorAnswer {
    /// The result of an inspection, with the query unless a player was given.
    Inspected(Option<ChampionQuery>, InspectionResult),
    /// The files written, or an error message.
    Exported(Result<Vec<PathBuf>, String>),
}

/// Runs inspections, one at a time, and exports.
pub(super) struct Inspector {
    out: Sender<InspectorEvent>,
    events: Receiver<InspectorEvent>,
    latest_request: u64,
    is_inspecting: bool,
    /// Exports not finished yet.
    pending_exports: usize,
}

impl Inspector {
    pub(super) fn new() -> Self {
        let (out, events) = unbounded();
        Self {
            out,
            events,
            latest_request: 0,
            is_inspecting: false,
            pending_exports: 0,
        }
    }

    /// The receiver of results.
    pub(super) fn events(&self) -> &Receiver<InspectorEvent> {
        &self.events
    }

    /// Whether an inspection is running.
    pub(super) fn is_inspecting(&self) -> bool {
        self.is_inspecting
    }

    /// Whether any work is pending.
    pub(super) fn has_pending_work(&self) -> bool {
        self.is_inspecting || self.pending_exports > 0
    }

    /// Starts an inspection in place of the one before.
    pub(super) fn inspect(&mut self, request: InspectionRequest) {
        self.latest_request += 1;
        self.is_inspecting = true;
        self.spawn(|| request.run());
    }

    /// Writes a network to files in the background.
    pub(super) fn export(&mut self, export: NetExport) {
        self.pending_exports += 1;
        self.spawn(move || InspectorAnswer::Exported(export.write()));
    }

    fn spawn(&self, work: impl FnOnce() -> InspectorAnswer + Send + 'static) {
        let (request, out) = (self.latest_request, self.out.clone());
        thread::spawn(move || {
            let answer = work();
            // Ignore a closed channel: the screen is gone.
            let _ = out.send(InspectorEvent { request, answer });
        });
    }

    /// The answer of an event; `None` if a newer request has replaced it.
    pub(super) fn accept(&mut self, event: InspectorEvent) -> Option<InspectorAnswer> {
        match event.answer {
            InspectorAnswer::Exported(_) => self.pending_exports -= 1,
            InspectorAnswer::Inspected(..)
                if self.is_inspecting && event.request == self.latest_request =>
            {
                self.is_inspecting = false
            }
            InspectorAnswer::Inspected(..) => return None,
        }
        Some(event.answer)
    }
}

impl InspectionRequest {
    fn run(self) -> InspectorAnswer {
        match self.subject {
            InspectionSubject::Query(query) => {
                InspectorAnswer::Inspected(Some(query), inspect_query(&self.champions, query))
            }
            InspectionSubject::Player(player) => {
                InspectorAnswer::Inspected(None, inspect_player(&self.champions, player).map(Some))
            }
        }
    }
}

fn inspect_query(champions: &Champions, query: ChampionQuery) -> InspectionResult {
    let Some(champion) = champions.fetch(query)? else {
        return Ok(None);
    };
    let player = InspectedPlayer {
        champion,
        member: None,
    };
    inspect_player(champions, player).map(Some)
}

fn inspect_player(champions: &Champions, player: InspectedPlayer) -> Result<Inspection, String> {
    let before = champions.previous_distinct(&player.champion)?;
    Ok(Inspection::new(champions, player, before))
}

impl NetExport {
    /// Writes the files, named after the run, the generation and, for a member, its number.
    fn write(self) -> Result<Vec<PathBuf>, String> {
        let (folder, run) = self.champions.export_target();
        let champion = &self.player.champion;
        let generation = champion.generation;
        let (mut stem, mut title) = (
            format!("{run}-g{generation}"),
            format!("{run} g{generation}"),
        );
        if let Some(place) = self.player.member {
            stem = format!("{stem}-m{}", place + 1);
            title = format!("{title} member {}", place + 1);
        }
        let sketch = self.champions.preset.genome.network_graph(&champion.genome);
        let written = export::write_all(&folder, &stem, &sketch, &title);
        written.map(Vec::from).map_err(|error| error.to_string())
    }
}
