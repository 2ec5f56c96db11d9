//! The dashboards of runs and of experiments. They own the terminal and a model that is built from
//! events. Nothing else draws or reads keys.
//!
//! Imports go down: `app` → `screens` → `screen` (the trait) → `model` (what screens read) →
//! `widgets` → `theme`. A new screen is a folder with an `impl Screen` and its keys, and a line in
//! `screens::all`.

use std::sync::Arc;

use finches_runs::log::LogBuffer;
use finches_runs::storage::experiments::ExperimentFolder;

use self::app::AppModel;
use self::driver::Driver;
use self::event_loop::LoopExit;
use self::input::SignalListener;
use self::screen::TabbedScreen;
use self::screens::runs::{ExperimentSetup, RunsScreen};
use self::theme::Theme;
use self::theme::choice;

pub mod app;
mod driver;
mod event_loop;
pub mod film;
pub mod format;
mod input;
pub mod jobs;
pub mod keymap;
pub mod model;
pub mod mouse;
mod named_colors;
pub mod remap;
pub mod screen;
pub mod screens;
mod settings;
mod summary;
mod terminal;
mod terminal_input;
#[cfg(unix)]
mod terminal_keys;
pub mod theme;
pub mod widgets;

pub use self::settings::{
    DashboardExit, DashboardSettings, DashboardStart, ExperimentExit, PlaySetup, TerminalSettings,
    UiError,
};

/// Runs the dashboard until the user quits.
pub fn run(start: DashboardStart, settings: DashboardSettings) -> Result<DashboardExit, UiError> {
    let (wanted, listener) = (settings.terminal, SignalListener::start()?);
    let (theme, reply) = choice::choose(wanted.theme, wanted.colors, wanted.characters);
    if let Some(signal) = listener.begin_loading() {
        let summary = Vec::new();
        return Ok(DashboardExit::Signaled { signal, summary });
    }
    let (saves, journal) = (settings.launch.saves.clone(), settings.launch.log.clone());
    log_terminal(wanted, &theme);
    let mut driver = Driver::new(settings);
    let mut model = AppModel::new(theme, driver.home());
    model.context.saves = Some(saves);
    model.context.log = Some(journal.clone());
    wake_on_log(&journal, &model);
    driver.list_runs(&mut model);
    driver::open_start(start, &mut driver, &mut model)?;
    let closed = event_loop::show(model, Some(driver), (wanted, reply), listener)?;
    let summary = summary::lines(&closed.model, &journal);
    Ok(match (closed.exit, closed.signal) {
        (LoopExit::HandOver(run), _) => DashboardExit::HandOver(run),
        (LoopExit::Quit, Some(signal)) => DashboardExit::Signaled { signal, summary },
        (LoopExit::Quit, None) => {
            let run = closed.model.context.run.as_ref();
            let failed = run.is_some_and(|run| run.end.error.is_some());
            DashboardExit::Left { summary, failed }
        }
    })
}

/// Does the remaining runs of an experiment and shows them until the user quits.
pub fn run_experiment(
    setup: ExperimentSetup,
    folder: &Arc<ExperimentFolder>,
    wanted: TerminalSettings,
) -> Result<ExperimentExit, UiError> {
    let listener = SignalListener::start()?;
    let (theme, reply) = choice::choose(wanted.theme, wanted.colors, wanted.characters);
    let model = AppModel::with_screens(theme, |waker| {
        let mut screen = RunsScreen::alone(setup, waker.clone());
        screen.start(folder);
        vec![TabbedScreen::ready(screen)]
    });
    let mut closed = event_loop::show(model, None, (wanted, reply), listener)?;
    let screen = closed.model.screen_mut::<RunsScreen>();
    let screen = screen.expect("it is the only screen");
    let (ended, damaged) = screen.take_ending();
    Ok(ExperimentExit {
        ended,
        damaged,
        signal: closed.signal,
    })
}

/// Wakes the event loop for new log entries.
fn wake_on_log(journal: &LogBuffer, model: &AppModel) {
    let waker = model.context.waker.clone();
    journal.on_entry(move |_| waker.wake());
}

/// Logs the properties of the terminal.
fn log_terminal(wanted: TerminalSettings, theme: &Theme) {
    let (width, height) = crossterm::terminal::size().unwrap_or_default();
    tracing::debug!(
        target: "finches::terminal",
        width, height,
        theme = theme.spec.scheme.word(),
        colors = ?theme.spec.depth,
        ascii = theme.ascii,
        mouse = wanted.mouse,
        "terminal found"
    );
}
