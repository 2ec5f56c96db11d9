//! Commands that start or continue a run.

use std::time::Duration;

use crate::games::Side;
use crate::preset::{Intervention, Preset};
use crate::rng::any_seed;
use crate::run::{Listener, Run, WorkerOptions};
use crate::session::Session;
use crate::storage::presets;
use crate::storage::run_writer::RunWriter;
use crate::storage::saves::Saves;
use crate::ui;

use super::terminal::TerminalOptions;
use super::{CliError, RunOptions, SavesOption, headless, log, output};

/// `finches` and `finches PRESET`.
pub(super) fn dashboard(preset: Option<&str>, options: &RunOptions) -> Result<(), CliError> {
    if let Some(preset) = preset {
        return run_preset(preset, options);
    }
    if options.headless || options.json || !output::has_terminal() {
        let names = presets::names().join(" ");
        let message = format!(
            "the dashboard needs a terminal; to run without it, name a preset: finches run PRESET\npresets: {names}"
        );
        return Err(CliError::Usage(message));
    }
    show(ui::DashboardStart::Home, options)
}

/// `finches run PRESET`.
pub(super) fn run_preset(preset: &str, options: &RunOptions) -> Result<(), CliError> {
    let preset = options.apply(&presets::load(preset)?)?;
    let seed = options.seed.unwrap_or_else(any_seed);
    start_run(preset, seed, Vec::new(), options)
}

/// `finches run --replay RUN`.
pub(super) fn replay(run: &str, options: &RunOptions) -> Result<(), CliError> {
    let run = options.saves.open().run_file(run)?;
    let preset = options.apply(&run.preset)?;
    start_run(
        preset,
        options.seed.unwrap_or(run.seed),
        run.interventions,
        options,
    )
}

fn start_run(
    preset: Preset,
    seed: u64,
    interventions: Vec<Intervention>,
    options: &RunOptions,
) -> Result<(), CliError> {
    if wants_screen(options) {
        let run = ui::NewRun {
            preset: Box::new(preset),
            seed,
            interventions,
        };
        return show(ui::DashboardStart::New(run), options);
    }
    let session = Session::new(preset, seed, interventions, options.workers.pool()?)?;
    let writer = if options.no_save {
        None
    } else {
        create_writer(&options.saves.open(), &session)
    };
    headless::follow(spawn(session, writer, 0.0, options)?, options)
}

/// `finches resume RUN`.
pub(super) fn resume(run: &str, options: &RunOptions) -> Result<(), CliError> {
    if !options.parameters.is_empty() || options.seed.is_some() {
        let message = "a resumed run keeps its parameters and seed; change live parameters in the dashboard, or start a new run";
        return Err(CliError::Usage(message.to_owned()));
    }
    let saves = options.saves.open();
    if wants_screen(options) {
        return show(ui::DashboardStart::Saved(run.to_owned()), options);
    }
    let loaded = saves.load(run)?;
    let session = loaded.session(options.workers.pool()?, options.generations)?;
    if session.is_done() && options.until.is_none() {
        output::eprint_line(&format!(
            "{run}: all {} generations are done; continue with --generations N",
            session.preset().generations
        ));
        return Ok(());
    }
    if options.until.is_none() && has_met_target(&saves, run, &session)? {
        let until = session.preset().until.trim();
        output::eprint_line(&format!(
            "{run}: its target {until} has been met; continue with --until and another condition"
        ));
        return Ok(());
    }
    let writer = saves.reopen(&loaded)?;
    headless::follow(
        spawn(session, Some(writer), loaded.seconds, options)?,
        options,
    )
}

/// Whether the latest generation of a saved run met the target of its preset.
fn has_met_target(saves: &Saves, run: &str, session: &Session) -> Result<bool, CliError> {
    let Some(target) = session.preset().stop_condition() else {
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
    saves: &SavesOption,
    terminal: &TerminalOptions,
) -> Result<(), CliError> {
    if !output::has_terminal() {
        return Err(CliError::Usage("playing needs a terminal".to_owned()));
    }
    let saves = saves.open();
    let start = match name {
        Some(name) => opponent(name, generation, side, &saves)?,
        None => ui::DashboardStart::Home,
    };
    show_with_defaults(start, saves, terminal)
}

/// `finches watch RUN` on a screen.
pub(super) fn watch(
    run: String,
    saves: &SavesOption,
    terminal: &TerminalOptions,
) -> Result<(), CliError> {
    show_with_defaults(ui::DashboardStart::Watch(run), saves.open(), terminal)
}

/// Runs the dashboard with default options, except those of the terminal.
fn show_with_defaults(
    start: ui::DashboardStart,
    saves: Saves,
    terminal: &TerminalOptions,
) -> Result<(), CliError> {
    let settings = ui::DashboardSettings {
        saves,
        save: true,
        threads: 0,
        terminal: terminal.setup()?,
        seed: None,
        generations: None,
        checkpoint_every: Duration::from_secs(10),
        log: log::for_dashboard()?,
        injected_fault: None,
    };
    report_ending(ui::run(start, settings))
}

/// The opponent: the champion of a saved run, given the name of the run or its game, or that of a new run of a preset.
fn opponent(
    name: &str,
    generation: Option<u64>,
    side: Side,
    saves: &Saves,
) -> Result<ui::DashboardStart, CliError> {
    let saved = saves.folder(name).is_ok().then(|| name.to_owned());
    if let Some(run) = saved.or_else(|| latest_of_game(name, saves)) {
        if let Some(generation) = generation {
            saves.champion(&run, generation)?;
        }
        return Ok(ui::DashboardStart::PlaySaved {
            run,
            side,
            generation,
        });
    }
    let preset = presets::load(name).map_err(|error| {
        let root = saves.root().display();
        CliError::Usage(format!(
            "{error}\nthere is also no saved run of that name or game in {root}"
        ))
    })?;
    let run = ui::NewRun {
        preset: Box::new(preset),
        seed: any_seed(),
        interventions: Vec::new(),
    };
    Ok(ui::DashboardStart::PlayNew { run, side })
}

/// The latest saved run of a game, among those with a champion.
fn latest_of_game(name: &str, saves: &Saves) -> Option<String> {
    let game = name.replace('-', "_");
    let has_champion = |run: &str| saves.champions(run).is_ok_and(|kept| !kept.is_empty());
    let mut runs = saves.list().into_iter();
    let found = runs.find(|listed| {
        let of_game = listed
            .summary
            .as_ref()
            .is_ok_and(|brief| brief.game == game);
        of_game && has_champion(&listed.name)
    });
    found.map(|listed| listed.name)
}

/// Runs the dashboard.
fn show(start: ui::DashboardStart, options: &RunOptions) -> Result<(), CliError> {
    let settings = ui::DashboardSettings {
        saves: options.saves.open(),
        save: !options.no_save,
        threads: options.workers.threads,
        terminal: options.terminal.setup()?,
        seed: options.seed,
        generations: options.generations,
        checkpoint_every: options.checkpoint_every(),
        log: log::for_dashboard()?,
        injected_fault: options.injected_fault(),
    };
    report_ending(ui::run(start, settings))
}

/// Prints the summary after the dashboard has closed, or continues its run without a screen.
fn report_ending(ended: Result<ui::DashboardExit, ui::UiError>) -> Result<(), CliError> {
    match ended.map_err(|error| CliError::Failure(error.to_string()))? {
        ui::DashboardExit::Left { summary } => {
            output::eprint_line(&summary.join("\n"));
            Ok(())
        }
        ui::DashboardExit::HandOver(run) => headless::continue_headless(*run),
        ui::DashboardExit::Signaled { signal, summary } => {
            output::eprint_line(&summary.join("\n"));
            Err(CliError::ExitCode(128 + signal as u8))
        }
    }
}

fn wants_screen(options: &RunOptions) -> bool {
    let asked_not_to = options.headless || options.json || options.until.is_some();
    !asked_not_to && output::has_terminal()
}

/// Creates a folder for the run. If that fails, prints the error and the run continues unsaved.
fn create_writer(saves: &Saves, session: &Session) -> Option<RunWriter> {
    let made = saves.create(session);
    made.map_err(|error| output::eprint_line(&format!("finches: the run is not saved: {error}")))
        .ok()
}

fn spawn(
    session: Session,
    writer: Option<RunWriter>,
    seconds: f64,
    options: &RunOptions,
) -> Result<Run, CliError> {
    if let Some(until) = &options.until {
        until.check(session.columns()).map_err(CliError::Usage)?;
    }
    let log_buffer = log::for_script()?;
    log_buffer.write_to_folder(writer.as_ref().map(RunWriter::folder));
    let run = Run::spawn(
        session,
        WorkerOptions {
            seconds,
            until: options.until.clone(),
            injected_fault: options.injected_fault(),
            checkpoint_every: options.checkpoint_every(),
            ..WorkerOptions::new(Listener::Script, writer)
        },
    );
    Ok(run?)
}
