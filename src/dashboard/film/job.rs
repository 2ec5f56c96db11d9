//! Films that the user asks for on a screen, made in the background.

use std::path::Path;

use crate::jobs::JobError;
use crate::model::champions::ChampionQuery;
use crate::model::context::Context;
use crate::model::played_game::PlayedGame;
use crate::screen::MIN_SIZE;
use finches_engine::play::record::GameRecord;
use finches_runs::run::RunInfo;
use finches_runs::run::message::Snapshot;
use finches_runs::run::recording::Recording;
use finches_runs::storage::exported_files;

use super::{FilmSettings, MAX_SIZE, film};

impl Context {
    /// Films the current run up to now.
    pub fn film_run(&mut self) {
        let Some((saves, name)) = self.saved_run() else {
            self.report_error("this run is not saved, so there is nothing to film");
            return;
        };
        self.notify(&format!("making a film of {name}"));
        let settings = self.film_settings();
        self.films.ask((), move |_| {
            let (run, folder) = (
                Recording::read(&saves, &name)?,
                saves.exports_folder(&name)?,
            );
            write((&folder, &name), &run, None, &settings)
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
        self.films.ask((), move |_| {
            let champions = game.champions;
            let (folder, name) = champions.export_target()?;
            let champion = champions.fetch(ChampionQuery::Exactly(game.generation))?;
            let champion = champion.map(|champion| champion.as_ref().clone());
            let run = Recording {
                info: RunInfo::new(champions.preset, game.seed, champions.arena),
                rows: Vec::new(),
                snapshots: champion
                    .map(|one| Snapshot::new(one, Vec::new()))
                    .into_iter()
                    .collect(),
            };
            let stem = format!("{name}-g{}-game", game.generation);
            write((&folder, &stem), &run, Some(&game.record), &settings)
        });
    }

    /// A film of the size and the colors of the screen.
    fn film_settings(&self) -> FilmSettings {
        let (width, height) = self.size;
        let width = width.clamp(MIN_SIZE.0, MAX_SIZE.0);
        FilmSettings {
            size: (width, height.clamp(MIN_SIZE.1, MAX_SIZE.1)),
            scheme: self.theme.spec.scheme,
            ..FilmSettings::default()
        }
    }
}

fn write(
    (folder, stem): (&Path, &str),
    run: &Recording,
    game: Option<&GameRecord>,
    settings: &FilmSettings,
) -> Result<String, JobError> {
    let film = film(run, game, settings).map_err(JobError::Failed)?;
    let written = exported_files::export(folder, stem, &[(".svg", film.svg())])?;
    Ok(format!("wrote {}", written[0].display()))
}
