//! Inspects players and exports their networks. Disks and large genomes can be slow, so both are
//! background work.

use std::path::PathBuf;

use crate::jobs::JobError;
use crate::model::champions::InspectedPlayer;
use crate::model::champions::{ChampionQuery, Champions};
use finches_runs::storage::export;

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

/// The background work of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NetTask {
    Inspect,
    Export,
}

/// A result of background work.
pub(super) enum NetAnswer {
    /// The query, unless a player was given, and the inspection; `None` if there is no such
    /// champion.
    Inspected(Option<ChampionQuery>, Option<Box<Inspection>>),
    /// The files written.
    Exported(Vec<PathBuf>),
}

impl InspectionRequest {
    pub(super) fn run(self) -> Result<NetAnswer, JobError> {
        Ok(match self.subject {
            InspectionSubject::Query(query) => {
                let found = inspect_query(&self.champions, query)?;
                NetAnswer::Inspected(Some(query), found.map(Box::new))
            }
            InspectionSubject::Player(player) => {
                let found = inspect_player(&self.champions, player)?;
                NetAnswer::Inspected(None, Some(Box::new(found)))
            }
        })
    }
}

fn inspect_query(
    champions: &Champions,
    query: ChampionQuery,
) -> Result<Option<Inspection>, JobError> {
    let Some(champion) = champions.fetch(query)? else {
        return Ok(None);
    };
    let player = InspectedPlayer::champion(champion);
    inspect_player(champions, player).map(Some)
}

fn inspect_player(champions: &Champions, player: InspectedPlayer) -> Result<Inspection, JobError> {
    let before = champions.previous_distinct(&player.champion)?;
    Ok(Inspection::new(champions, player, before))
}

impl NetExport {
    /// Writes the files, named after the run, the generation and, for a member, its number.
    pub(super) fn write(self) -> Result<NetAnswer, JobError> {
        let (folder, run) = self.champions.export_target()?;
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
        Ok(NetAnswer::Exported(written?.into()))
    }
}
