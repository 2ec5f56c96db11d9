//! Does what the model wants done: starts, resumes and stops runs, and reads what is saved. It knows no terminal.

use std::path::PathBuf;
use std::thread;

use crossbeam_channel::{Receiver, bounded};

use crate::arena;
use crate::arena::pool::Pool;
use crate::metrics::{Columns, Row};
use crate::preset::Preset;
use crate::run::follow::{Following, Seen};
use crate::run::message::{Command, Event};
use crate::run::{Facts, Listener, Options, Run};
use crate::session::Session;
use crate::storage::games;
use crate::storage::keeper::Keeper;
use crate::storage::presets;
use crate::storage::saves::Listed;

use super::app::watch::Watch;
use super::app::{Export, Model, Screen, Tone};
use super::screens::home::{Home, Item};
use super::screens::net::NetScreen;
use super::screens::play::PlayScreen;
use super::screens::population::PopulationScreen;
use super::{Fresh, Settings, UiError};

/// What a run needs to be started and shown.
struct Ready {
    session: Session,
    keeper: Option<Keeper>,
    seconds: f64,
    past: Vec<Row>,
    /// Why a new run is not kept though it should be.
    trouble: Option<String>,
}

/// The run that goes on, and where runs are kept.
pub(super) struct Driver {
    pub(super) settings: Settings,
    run: Option<Run>,
    /// The run of another process.
    following: Option<Following>,
}

impl Driver {
    pub(super) fn new(settings: Settings) -> Self {
        Self {
            settings,
            run: None,
            following: None,
        }
    }

    /// The home screen with everything there is to choose from.
    pub(super) fn home(&self) -> Home {
        let shipped = presets::names()
            .into_iter()
            .filter_map(|name| presets::load(name).ok());
        let folder = self.settings.saves.root().display().to_string();
        let mut home = Home::new(shipped.collect(), folder);
        home.list(self.saved());
        home
    }

    /// The saved runs as the home screen lists them.
    pub(super) fn saved(&self) -> Vec<Item> {
        let item = |listed: Listed| match listed.brief {
            Ok(brief) => Item::Run {
                name: listed.name,
                brief: Box::new(brief),
            },
            Err(error) => Item::Unreadable {
                name: listed.name,
                reason: error.to_string(),
            },
        };
        self.settings.saves.list().into_iter().map(item).collect()
    }

    /// News of the run, or a channel that stays silent.
    pub(super) fn events(&self) -> Receiver<Event> {
        self.run
            .as_ref()
            .map_or_else(crossbeam_channel::never, |run| run.events().clone())
    }

    /// What is seen of a run that another process evolves, or a channel that stays silent.
    pub(super) fn seen(&self) -> Receiver<Seen> {
        let following = self.following.as_ref();
        following.map_or_else(crossbeam_channel::never, |run| run.seen().clone())
    }

    /// Follows a run that another process evolves.
    pub(super) fn follow(&mut self, name: String, model: &mut Model) -> Result<(), UiError> {
        let saves = self.settings.saves.clone();
        model.follow(&name);
        self.following = Some(Following::start(saves, name)?);
        Ok(())
    }

    /// Listens no longer to a worker that has ended.
    pub(super) fn silence(&mut self) {
        self.run = None;
    }

    pub(super) fn send(&self, command: Command) {
        if let Some(run) = &self.run {
            // A worker that has ended has told why.
            run.send(command);
        }
    }

    /// Starts a preset with the seed of the command line, or any.
    pub(super) fn start_any(
        &mut self,
        preset: Box<Preset>,
        model: &mut Model,
    ) -> Result<(), UiError> {
        let run = Fresh {
            preset,
            seed: self.settings.seed.unwrap_or_else(any_seed),
            interventions: Vec::new(),
        };
        self.start(run, model)
    }

    pub(super) fn start(&mut self, run: Fresh, model: &mut Model) -> Result<(), UiError> {
        let ready = self.fresh(run)?;
        self.begin(ready, model)
    }

    fn fresh(&self, run: Fresh) -> Result<Ready, UiError> {
        let pool = Pool::new(self.settings.threads).map_err(UiError::Unusable)?;
        let session = Session::new(*run.preset, run.seed, run.interventions, pool)
            .map_err(|error| UiError::Unusable(error.to_string()))?;
        let kept = self
            .settings
            .save
            .then(|| self.settings.saves.create(&session))
            .transpose();
        let (keeper, trouble) = match kept {
            Ok(keeper) => (keeper, None),
            Err(error) => (None, Some(error.to_string())),
        };
        Ok(Ready {
            session,
            keeper,
            seconds: 0.0,
            past: Vec::new(),
            trouble,
        })
    }

    pub(super) fn open(&mut self, name: &str, model: &mut Model) -> Result<(), UiError> {
        let saves = &self.settings.saves;
        let loaded = saves.load(name)?;
        let keeper = saves.reopen(&loaded)?;
        let pool = Pool::new(self.settings.threads).map_err(UiError::Unusable)?;
        let session = loaded.session(pool, self.settings.generations)?;
        let (_, mut past) = saves.metrics(name)?;
        // Rows that came after the checkpoint will come again.
        past.truncate(session.generation() as usize);
        let ready = Ready {
            session,
            keeper: Some(keeper),
            seconds: loaded.seconds,
            past,
            trouble: None,
        };
        self.begin(ready, model)
    }

    /// Lets a run go on in place of the one before, which is saved.
    fn begin(&mut self, ready: Ready, model: &mut Model) -> Result<(), UiError> {
        if let Some(run) = self.run.take() {
            run.stop();
        }
        let options = Options {
            seconds: ready.seconds,
            checkpoint_every: self.settings.checkpoint_every,
            bug: self.settings.bug,
            ..Options::new(Listener::Screen, ready.keeper)
        };
        let folder = options.keeper.as_ref().map(Keeper::folder);
        self.settings.journal.follow(folder);
        let run = Run::spawn(ready.session, options)?;
        let mut watch = Watch::new(run.facts().clone(), ready.seconds);
        watch.remember(&ready.past);
        if let Some(trouble) = ready.trouble {
            watch.apply(Event::NotSaved(trouble));
        }
        model.watch(watch);
        self.run = Some(run);
        Ok(())
    }

    /// Sets the board up for a saved run's champion.
    pub(super) fn play(&self, name: &str, model: &mut Model) -> Result<(), UiError> {
        let saves = &self.settings.saves;
        let file = saves.run_file(name)?;
        if saves.champions(name)?.is_empty() {
            return Err(UiError::Unusable(format!(
                "{name}: no champion has been kept yet"
            )));
        }
        let arena =
            arena::build(&file.preset.game, &file.preset.agent).map_err(UiError::Unusable)?;
        let facts = Facts {
            preset: file.preset,
            seed: file.seed,
            columns: Columns::new(|_| false, &[]),
            interventions: file.interventions,
            arena,
            threads: self.settings.threads,
            saved_as: Some(name.to_owned()),
            generation: 0,
        };
        let kept = Some((saves.clone(), name.to_owned()));
        // Where a run goes on, it is its champions that are seen from the inside.
        if model.watch.is_none() {
            model.net = Some(NetScreen::new(&facts, kept.clone()));
            model.population = Some(PopulationScreen::new(&facts, kept.clone()));
            model.show_games(&facts, kept.clone());
        }
        model.bring_played();
        model.play = Some(PlayScreen::new(&facts, kept));
        model.screen = Screen::Play;
        Ok(())
    }

    /// Writes a file for the user and says where it is: beside the run it belongs to, or in the present folder.
    pub(super) fn export(&self, export: &Export, model: &mut Model) -> Result<(), UiError> {
        let folder = match &export.run {
            Some(run) => self.settings.saves.exports(run)?,
            None => PathBuf::from("."),
        };
        let path = games::export(&folder, &export.stem, export.ending, &export.text)?;
        let words = format!("written to {}", path.display());
        tracing::info!("{words}");
        model.notice = Some((Tone::Plain, words));
        Ok(())
    }

    /// Stops the run on a thread of its own, so that the screen lives on; its last news come over the channel.
    pub(super) fn stop(&mut self) -> Receiver<Vec<Event>> {
        let (done, stopped) = bounded(1);
        let run = self.run.take();
        thread::spawn(move || {
            let last = run.map(Run::stop).unwrap_or_default();
            // Where nobody waits any more, nobody needs to know.
            let _ = done.send(last);
        });
        stopped
    }

    /// Hands the run over to whoever goes on without a screen.
    pub(super) fn hand_over(&mut self) -> Option<Run> {
        self.run.take()
    }

    /// Leaves the run to the end of the process, since stopping it would take a game and a save.
    pub(super) fn abandon(&mut self) {
        if let Some(run) = self.run.take() {
            std::mem::forget(run);
        }
    }
}

/// A seed that is easy to type again.
pub fn any_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(std::process::id()) % 1_000_000
}

/// Says on screen what could not be done.
pub(super) fn tell(model: &mut Model, error: &UiError) {
    let words = error.to_string().replace('\n', "; ");
    tracing::warn!("{words}");
    model.notice = Some((Tone::Bad, words));
}
