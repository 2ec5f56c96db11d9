//! Films that the user asks for on a screen, made in the background.

use std::path::Path;

use crate::jobs::{JobError, Jobs, Waker, WantedAnswers};
use crate::model::champions::ChampionQuery;
use crate::model::context::Context;
use crate::model::played_game::PlayedGame;
use crate::screen::MIN_SIZE;
use finches_engine::metrics::Columns;
use finches_runs::run::RunInfo;
use finches_runs::run::message::Snapshot;
use finches_runs::storage::games;

use super::{Film, FilmSettings, MAX_SIZE, Recording, of_game, of_run};

/// The film that is being made. The answer is what there is to say about it.
pub struct FilmJobs(Jobs<(), String>);

impl FilmJobs {
    pub fn new(waker: Waker) -> Self {
        Self(Jobs::new(waker))
    }

    /// What has become of a film, once it is known.
    pub fn take(&mut self, wanted: WantedAnswers) -> Option<Result<String, JobError>> {
        Some(self.0.next(wanted)?.1)
    }
}

impl Context {
    /// Films the current run up to now.
    pub fn film_run(&mut self) {
        let Some((saves, name)) = self.saved_run() else {
            self.report_error("this run is not saved, so there is nothing to film");
            return;
        };
        self.notify(&format!("making a film of {name}"));
        let settings = self.film_settings();
        self.films.0.ask((), move |_| {
            let run = Recording::read(&saves, &name)?;
            write(
                &saves.exports_folder(&name)?,
                &name,
                &of_run(&run, &settings)?,
            )
        });
    }

    /// Films a game that the user has finished.
    pub fn film_game(&mut self, game: Option<PlayedGame>) {
        let Some(game) = game else {
            self.report_error("the game is not over: a film shows a whole game");
            return;
        };
        self.notify("making a film of the game");
        let settings = self.film_settings();
        self.films.0.ask((), move |_| {
            let (folder, run) = game.champions.export_target()?;
            let film = of_game(&recording(&game)?, &game.record, &settings)?;
            write(&folder, &format!("{run}-g{}-game", game.generation), &film)
        });
    }

    /// A film of the size and the colors of the screen.
    fn film_settings(&self) -> FilmSettings {
        let (width, height) = self.size;
        FilmSettings {
            size: (
                width.clamp(MIN_SIZE.0, MAX_SIZE.0),
                height.clamp(MIN_SIZE.1, MAX_SIZE.1),
            ),
            scheme: self.theme.spec.scheme,
            ..FilmSettings::default()
        }
    }
}

/// The champion of a game and its run, without rows.
fn recording(game: &PlayedGame) -> Result<Recording, JobError> {
    let champions = &game.champions;
    let found = champions.fetch(ChampionQuery::Exactly(game.generation))?;
    let champion = found.map(|champion| champion.as_ref().clone());
    let snapshots = champion.map(|champion| Snapshot::new(champion, Vec::new()));
    Ok(Recording {
        facts: RunInfo {
            preset: champions.preset.clone(),
            seed: game.seed,
            columns: Columns::default(),
            interventions: Vec::new(),
            arena: champions.arena.clone(),
            threads: 1,
            saved_as: None,
            generation: 0,
        },
        changes: Vec::new(),
        rows: Vec::new(),
        snapshots: snapshots.into_iter().collect(),
        generations: (0, u64::MAX),
    })
}

fn write(folder: &Path, stem: &str, film: &Film) -> Result<String, JobError> {
    let path = games::export(folder, stem, "svg", &film.svg())?;
    Ok(format!("wrote {}", path.display()))
}
