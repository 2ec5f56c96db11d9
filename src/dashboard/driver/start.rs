//! What the dashboard opens with.

use crate::app::AppModel;
use crate::keymap::Action;
use crate::screen::ScreenEvent;
use crate::settings::{DashboardStart, UiError};
use finches_runs::run::message::Phase;

use super::Driver;

/// Opens what the command line asks for.
pub(crate) fn open_start(
    start: DashboardStart,
    driver: &mut Driver,
    model: &mut AppModel,
) -> Result<(), UiError> {
    match start {
        DashboardStart::Home => Ok(()),
        DashboardStart::New(run) => driver.start(run, model),
        DashboardStart::Saved(name) => driver.open(&name, Phase::Running, model),
        DashboardStart::Watch(name) => driver.follow(name, model),
        DashboardStart::Runs(names) => {
            model.tell(&ScreenEvent::RunsToCompare(&names));
            model.act(Action::GoRuns);
            Ok(())
        }
        DashboardStart::Experiment(folder) => {
            model.act(Action::GoRuns);
            model.tell(&ScreenEvent::ExperimentToShow(&folder));
            Ok(())
        }
        DashboardStart::Games { run, files } => {
            driver.play(&run, model)?;
            model.act(Action::GoGames);
            model.tell(&ScreenEvent::GamesToOpen(&files));
            Ok(())
        }
        DashboardStart::PlaySaved {
            run,
            setup,
            program,
        } => {
            driver.play(&run, model)?;
            model.tell(&ScreenEvent::PlaySetUp(setup));
            if let Some((spec, move_time)) = &program {
                model.tell(&ScreenEvent::ProgramChosen(spec, *move_time));
            }
            Ok(())
        }
        DashboardStart::PlayNew { run, setup } => {
            driver.start(run, model)?;
            if model.context.run.is_some() {
                model.act(Action::GoPlay);
                model.tell(&ScreenEvent::PlaySetUp(setup));
            }
            Ok(())
        }
    }
}
