//! Commands that start or continue a run.

use std::time::Duration;

use crate::games::Side;
use crate::preset::{Intervention, Preset};
use crate::run::{Listener, Options, Run};
use crate::session::Session;
use crate::storage::keeper::Keeper;
use crate::storage::presets;
use crate::storage::saves::Saves;
use crate::ui;

use super::terminal::TerminalOptions;
use super::{Place, RunOptions, Stop, headless, journal, output};

/// `finches` and `finches PRESET`.
pub(super) fn dashboard(preset: Option<&str>, options: &RunOptions) -> Result<(), Stop> {
    if let Some(preset) = preset {
        return fresh(preset, options);
    }
    if options.headless || options.json || !output::has_terminal() {
        let names = presets::names().join(" ");
        let message = format!(
            "there is no terminal to draw on; name a preset to run without a screen: finches run PRESET\npresets: {names}"
        );
        return Err(Stop::Usage(message));
    }
    show(ui::Start::Home, options)
}

/// `finches run PRESET`.
pub(super) fn fresh(preset: &str, options: &RunOptions) -> Result<(), Stop> {
    let preset = options.apply(&presets::load(preset)?)?;
    let seed = options.seed.unwrap_or_else(ui::any_seed);
    begin(preset, seed, Vec::new(), options)
}

/// `finches run --replay RUN`.
pub(super) fn replay(run: &str, options: &RunOptions) -> Result<(), Stop> {
    let run = options.place.open().run_file(run)?;
    let preset = options.apply(&run.preset)?;
    begin(
        preset,
        options.seed.unwrap_or(run.seed),
        run.interventions,
        options,
    )
}

fn begin(
    preset: Preset,
    seed: u64,
    interventions: Vec<Intervention>,
    options: &RunOptions,
) -> Result<(), Stop> {
    if wants_screen(options) {
        let run = ui::Fresh {
            preset: Box::new(preset),
            seed,
            interventions,
        };
        return show(ui::Start::Fresh(run), options);
    }
    let session = Session::new(preset, seed, interventions, options.workers.pool()?)?;
    let keeper = if options.no_save {
        None
    } else {
        keeper(&options.place.open(), &session)
    };
    headless::follow(spawn(session, keeper, 0.0, options)?, options)
}

/// `finches resume RUN`.
pub(super) fn resume(run: &str, options: &RunOptions) -> Result<(), Stop> {
    if !options.settings.is_empty() || options.seed.is_some() {
        let message = "a resumed run keeps its settings and seed; turn live settings in the dashboard, or start a new run";
        return Err(Stop::Usage(message.to_owned()));
    }
    let saves = options.place.open();
    if wants_screen(options) {
        return show(ui::Start::Saved(run.to_owned()), options);
    }
    let loaded = saves.load(run)?;
    let session = loaded.session(options.workers.pool()?, options.generations)?;
    if session.is_done() && options.until.is_none() {
        output::say(&format!(
            "{run}: all {} generations are done; --generations N takes it further",
            session.preset().generations
        ));
        return Ok(());
    }
    if options.until.is_none() && has_met_target(&saves, run, &session)? {
        let until = session.preset().until.trim();
        output::say(&format!(
            "{run}: its target {until} has been met; --until with another condition takes it further"
        ));
        return Ok(());
    }
    let keeper = saves.reopen(&loaded)?;
    headless::follow(
        spawn(session, Some(keeper), loaded.seconds, options)?,
        options,
    )
}

/// Whether the latest generation of a saved run met the target of its preset.
fn has_met_target(saves: &Saves, run: &str, session: &Session) -> Result<bool, Stop> {
    let Some(target) = session.preset().target() else {
        return Ok(false);
    };
    let (_, rows) = saves.metrics(run)?;
    let mut latest = rows.iter().rev();
    let latest = latest.find(|row| row.generation() + 1 == session.generation());
    Ok(latest.is_some_and(|row| target.is_met(session.columns(), row)))
}

/// `finches play [RUN|GAME|PRESET]`.
pub(super) fn play(
    name: Option<&str>,
    generation: Option<u64>,
    side: Side,
    place: &Place,
    terminal: &TerminalOptions,
) -> Result<(), Stop> {
    if !output::has_terminal() {
        return Err(Stop::Usage("playing needs a terminal".to_owned()));
    }
    let saves = place.open();
    let start = match name {
        Some(name) => opponent(name, generation, side, &saves)?,
        None => ui::Start::Home,
    };
    show_usually(start, saves, terminal)
}

/// `finches watch RUN` on a screen.
pub(super) fn watch(run: String, place: &Place, terminal: &TerminalOptions) -> Result<(), Stop> {
    show_usually(ui::Start::Watch(run), place.open(), terminal)
}

/// Runs the dashboard with nothing asked for but its terminal.
fn show_usually(start: ui::Start, saves: Saves, terminal: &TerminalOptions) -> Result<(), Stop> {
    let settings = ui::Settings {
        saves,
        save: true,
        threads: 0,
        terminal: terminal.ready()?,
        seed: None,
        generations: None,
        checkpoint_every: Duration::from_secs(10),
        journal: journal::of_dashboard()?,
        bug: None,
    };
    finish(ui::run(start, settings))
}

/// Who is played: a saved run's champion by the run's name or its game's, or that of a new run as it evolves.
fn opponent(
    name: &str,
    generation: Option<u64>,
    side: Side,
    saves: &Saves,
) -> Result<ui::Start, Stop> {
    let saved = saves.folder(name).is_ok().then(|| name.to_owned());
    if let Some(run) = saved.or_else(|| latest_of_game(name, saves)) {
        if let Some(generation) = generation {
            saves.champion(&run, generation)?;
        }
        return Ok(ui::Start::PlaySaved {
            run,
            side,
            generation,
        });
    }
    let preset = presets::load(name).map_err(|error| {
        let root = saves.root().display();
        Stop::Usage(format!(
            "{error}\nnor is there a saved run of that name, or of a game of that name, in {root}"
        ))
    })?;
    let run = ui::Fresh {
        preset: Box::new(preset),
        seed: ui::any_seed(),
        interventions: Vec::new(),
    };
    Ok(ui::Start::PlayFresh { run, side })
}

/// The latest saved run of a game that has a champion.
fn latest_of_game(name: &str, saves: &Saves) -> Option<String> {
    let game = name.replace('-', "_");
    let has_champion = |run: &str| saves.champions(run).is_ok_and(|kept| !kept.is_empty());
    let mut runs = saves.list().into_iter();
    let found = runs.find(|listed| {
        let of_game = listed.brief.as_ref().is_ok_and(|brief| brief.game == game);
        of_game && has_champion(&listed.name)
    });
    found.map(|listed| listed.name)
}

/// Runs the dashboard.
fn show(start: ui::Start, options: &RunOptions) -> Result<(), Stop> {
    let settings = ui::Settings {
        saves: options.place.open(),
        save: !options.no_save,
        threads: options.workers.threads,
        terminal: options.terminal.ready()?,
        seed: options.seed,
        generations: options.generations,
        checkpoint_every: options.checkpoint_every(),
        journal: journal::of_dashboard()?,
        bug: options.bug(),
    };
    finish(ui::run(start, settings))
}

/// Says what the dashboard leaves to say.
fn finish(ended: Result<ui::Ending, ui::UiError>) -> Result<(), Stop> {
    match ended.map_err(|error| Stop::Failure(error.to_string()))? {
        ui::Ending::Left { summary } => {
            output::say(&summary.join("\n"));
            Ok(())
        }
        ui::Ending::HandOver(run) => headless::take_over(*run),
        ui::Ending::Signalled { signal, summary } => {
            output::say(&summary.join("\n"));
            Err(Stop::Code(128 + signal as u8))
        }
    }
}

fn wants_screen(options: &RunOptions) -> bool {
    let asked_not_to = options.headless || options.json || options.until.is_some();
    !asked_not_to && output::has_terminal()
}

/// A new folder for the run; where there can be none, the run goes on and the user is told.
fn keeper(saves: &Saves, session: &Session) -> Option<Keeper> {
    let made = saves.create(session);
    made.map_err(|error| output::say(&format!("finches: nothing is being saved: {error}")))
        .ok()
}

fn spawn(
    session: Session,
    keeper: Option<Keeper>,
    seconds: f64,
    options: &RunOptions,
) -> Result<Run, Stop> {
    if let Some(until) = &options.until {
        until.check(session.columns()).map_err(Stop::Usage)?;
    }
    let journal = journal::of_script()?;
    journal.follow(keeper.as_ref().map(Keeper::folder));
    let run = Run::spawn(
        session,
        Options {
            seconds,
            until: options.until.clone(),
            bug: options.bug(),
            checkpoint_every: options.checkpoint_every(),
            ..Options::new(Listener::Script, keeper)
        },
    );
    Ok(run?)
}
