//! Commands that start or continue a run. They open the dashboard if there is a terminal for it.

#[cfg(feature = "dashboard")]
use finches_dashboard::DashboardStart;
use finches_engine::preset::GENERATIONS;
use finches_engine::rng::any_seed;
use finches_engine::session::Session;
use finches_lab::experiment::fork::Fork;
use finches_runs::launch::{LaunchOptions, PreparedRun};
use finches_runs::run::WorkerOptions;
use finches_runs::storage::meaning::meaning;
use finches_runs::storage::presets;
use finches_runs::storage::saves::{RunFile, Saves};

#[cfg(feature = "dashboard")]
use super::dashboard;
use super::options::{EarlyEnd, preset};
use super::{CliError, RunOptions, headless, log, mpi, output, unknown_word};

/// `finches` and `finches PRESET`.
pub(super) fn home(preset: Option<&str>, options: &RunOptions) -> Result<(), CliError> {
    if let Some(name) = preset {
        let is_known = presets::is_file(name) || meaning(name, &options.saves.open()).is_some();
        if !is_known {
            return Err(CliError::Usage(unknown_word(name)));
        }
        return run_preset(name, options);
    }
    #[cfg(feature = "dashboard")]
    if !options.headless && !options.json && output::has_terminal() {
        return dashboard::show(DashboardStart::Home, options);
    }
    let names = presets::names().join(" ");
    let message = format!(
        "the dashboard needs a terminal; to run without it, name a preset: finches run \
        PRESET\npresets: {names}"
    );
    Err(CliError::Usage(message))
}

/// `finches run PRESET`.
pub(super) fn run_preset(name: &str, options: &RunOptions) -> Result<(), CliError> {
    let preset = options.apply(&preset(name, &options.saves)?)?;
    let seed = options.seed.unwrap_or_else(any_seed);
    start_run(RunFile::new(preset, seed), options)
}

/// `finches run --replay RUN`.
pub(super) fn replay(run: &str, options: &RunOptions) -> Result<(), CliError> {
    let saves = options.saves.open();
    saves.check_alone(run)?;
    let mut run = saves.run_file(run)?;
    if options.changes.generations.is_some() {
        // The option outranks what was changed then.
        run.interventions.retain(|change| change.key != GENERATIONS);
    }
    let run = RunFile {
        preset: options.apply(&run.preset)?,
        seed: options.seed.unwrap_or(run.seed),
        ..run
    };
    start_run(run, options)
}

fn start_run(run: RunFile, options: &RunOptions) -> Result<(), CliError> {
    #[cfg(feature = "dashboard")]
    if wants_screen(options) {
        return dashboard::show(DashboardStart::New(Box::new(run)), options);
    }
    options.cost.check(&run.preset)?;
    let launch = options.launch(log::for_script()?);
    let mut run = launch.start(run)?;
    if launch.is_saving {
        run.save(&launch.saves).map_err(|error| {
            CliError::Failure(format!(
                "the run can't be saved: {error}; name another folder with --saves, or add \
                --no-save"
            ))
        })?;
    }
    follow(run, launch, options)
}

/// `finches resume RUN`.
pub(super) fn resume(run: &str, options: &RunOptions) -> Result<(), CliError> {
    let saves = options.saves.open();
    if options.seed.is_some() {
        let message = "a resumed run keeps its parameters and seed; start a new run with others";
        return Err(CliError::Usage(message.to_owned()));
    }
    if !options.changes.parameters.is_empty() {
        let loaded = saves.load(run)?;
        let at = loaded.state.generation;
        let advice = match Fork::new(loaded.run, at, &options.changes.parameters) {
            Ok(_) => format!("a fork goes on with others: finches fork {run} --at {at} --set ..."),
            Err(error) => format!("and a fork can't have these: {error}"),
        };
        let message = format!("a resumed run keeps its parameters; {advice}");
        return Err(CliError::Usage(message));
    }
    #[cfg(feature = "dashboard")]
    if wants_screen(options) {
        return dashboard::show(DashboardStart::Saved(run.to_owned()), options);
    }
    let launch = options.launch(log::for_script()?);
    let loaded = saves.load(run)?;
    options.cost.check(&loaded.run.preset)?;
    let session = launch.session(&loaded)?;
    let (done, changes) = (session.generation(), &options.changes);
    if changes.generations.is_some_and(|wanted| wanted < done) {
        return Err(CliError::Usage(format!(
            "{run}: has done {done} generations; give more with --generations"
        )));
    }
    if session.is_done() && options.changes.until.is_none() {
        output::eprint_line(&format!(
            "{run}: all {} generations are done; continue with --generations N",
            session.preset().generations
        ));
        return Ok(());
    }
    if options.changes.until.is_none() && has_met_target(&saves, run, &session)? {
        let until = session.preset().until.trim();
        output::eprint_line(&format!(
            "{run}: its target {until} has been met; continue with --until and another condition"
        ));
        return Ok(());
    }
    follow(
        PreparedRun::resume(&saves, &loaded, session)?,
        launch,
        options,
    )
}

/// Whether the latest generation of a saved run met the target of its preset.
fn has_met_target(saves: &Saves, run: &str, session: &Session) -> Result<bool, CliError> {
    let Some(target) = session.preset().stop_condition() else {
        return Ok(false);
    };
    let (_, rows) = saves.latest_metrics(run)?;
    let mut latest = rows.iter().rev();
    let latest = latest.find(|row| row.generation() + 1 == session.generation());
    Ok(latest.is_some_and(|row| target.is_met(session.columns(), row)))
}

#[cfg(feature = "dashboard")]
fn wants_screen(options: &RunOptions) -> bool {
    let asked_not_to = options.headless
        || options.json
        || options.changes.until.is_some()
        || options.tensorboard.is_some();
    !asked_not_to && output::has_terminal()
}

/// Launches a run without a screen and follows it to its end.
fn follow(
    mut run: PreparedRun,
    mut launch: LaunchOptions,
    options: &RunOptions,
) -> Result<(), CliError> {
    if let Some(team) = mpi::team() {
        run.session.set_team(team);
    }
    let mut events = options.events(&run)?;
    let until = match options.until() {
        Some(EarlyEnd::Bound(bound)) => {
            bound
                .check(run.session.columns())
                .map_err(CliError::usage)?;
            Some(bound)
        }
        Some(EarlyEnd::Breakpoint(breakpoint)) => {
            launch.breakpoints.push(breakpoint);
            None
        }
        Some(EarlyEnd::Time(_)) | None => None,
    };
    if let Some(events) = &mut events {
        events.write(&run.past()?)?;
    }
    let worker = WorkerOptions {
        until,
        ..launch.worker(&run)?
    };
    headless::follow(launch.spawn(run, worker)?, options, events)
}
