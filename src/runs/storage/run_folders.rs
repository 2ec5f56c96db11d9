//! Creates and reopens the folders of saved runs.

use std::fs;

use finches_engine::metrics::{Columns, Row};
use finches_engine::session::Session;

use super::run_writer::RunWriter;
use super::saves::{LoadedRun, Saves};
use super::{StorageError, metrics, states};

impl Saves {
    /// Creates the folder of a new run and opens it for writing. An existing run is never changed: the name gets a number.
    pub fn create(&self, session: &Session) -> Result<RunWriter, StorageError> {
        let wanted = format!("{}-{}", session.initial_preset().name, session.seed());
        self.create_folder(&wanted, session, 0.0, [].iter())
    }

    /// Creates the folder of a run that continues another one with other parameters, `name` and a number, with the rows of the
    /// generations before.
    pub fn create_fork<'a>(
        &self,
        name: &str,
        session: &Session,
        earlier: impl Iterator<Item = &'a Row> + Clone,
    ) -> Result<RunWriter, StorageError> {
        let wanted = format!("{name}-fork-{}", session.generation());
        let last = earlier.clone().last();
        let seconds = last.and_then(|row| row.get(session.columns(), "seconds"));
        self.create_folder(&wanted, session, seconds.unwrap_or(0.0), earlier)
    }

    fn create_folder<'a>(
        &self,
        wanted: &str,
        session: &Session,
        seconds: f64,
        earlier: impl Iterator<Item = &'a Row>,
    ) -> Result<RunWriter, StorageError> {
        fs::create_dir_all(self.root()).map_err(StorageError::io(self.root()))?;
        let mut folder = self.root().join(wanted);
        let mut count = 1;
        while folder.exists() {
            count += 1;
            folder = self.root().join(format!("{wanted}-{count}"));
        }
        fs::create_dir_all(&folder).map_err(StorageError::io(&folder))?;
        let mut writer = RunWriter::open(folder)?;
        writer.pending_rows = metrics::header(session.columns());
        earlier.for_each(|row| writer.write_row(row));
        writer.checkpoint(session, seconds, &[])?;
        Ok(writer)
    }

    /// Opens a loaded run for writing. Fails while another process has it open.
    /// Damage to its metrics is mended: see [`RunWriter::repair`].
    pub fn reopen(&self, loaded: &LoadedRun, columns: &Columns) -> Result<RunWriter, StorageError> {
        self.check_alone(&loaded.name)?;
        let mut writer = RunWriter::open(self.folder(&loaded.name)?)?;
        writer.set_breakpoints(loaded.run.breakpoints.clone());
        writer.cut_metrics(
            loaded.metrics_bytes,
            &loaded.metrics_sums,
            metrics::header(columns),
        )?;
        states::remove_after(writer.folder(), loaded.state.generation);
        Ok(writer)
    }
}
