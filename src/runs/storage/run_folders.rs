//! Creates and reopens the folders of saved runs.

use std::path::Path;

use finches_engine::metrics::{Columns, Row};
use finches_engine::session::Session;
use finches_engine::session::measures::progress;

use super::run_writer::RunWriter;
use super::saves::{LoadedRun, Saves, name_of};
use super::{StorageError, files, states};

impl Saves {
    /// Creates the folder of a new run and opens it for writing. An existing run is never changed:
    /// the name gets a number.
    pub fn create(&self, session: &Session) -> Result<RunWriter, StorageError> {
        let wanted = format!("{}-{}", session.initial_preset().name, session.seed());
        self.create_folder(&wanted, session, (0.0, &[]))
    }

    /// Creates the folder of a run that continues another one with other parameters, `name` and a
    /// number, with the rows of the generations before. Returns the working time of these, too, in
    /// seconds.
    pub(crate) fn create_fork(
        &self,
        name: &str,
        session: &Session,
        earlier: &[Row],
    ) -> Result<(RunWriter, f64), StorageError> {
        let wanted = format!("{name}-fork-{}", session.generation());
        let last = earlier.last();
        let seconds = last.and_then(|row| row.get(session.columns(), &progress::SECONDS));
        let seconds = seconds.unwrap_or(0.0);
        let writer = self.create_folder(&wanted, session, (seconds, earlier))?;
        Ok((writer, seconds))
    }

    pub(super) fn create_folder(
        &self,
        wanted: &str,
        session: &Session,
        (seconds, earlier): (f64, &[Row]),
    ) -> Result<RunWriter, StorageError> {
        files::ensure_folder(self.root())?;
        let mut folder = self.root().join(wanted);
        let mut count = 1;
        while folder.exists() {
            count += 1;
            folder = self.root().join(format!("{wanted}-{count}"));
        }
        files::ensure_folder(&folder)?;
        let mut writer = RunWriter::open(folder)?;
        writer.begin(session, seconds, earlier)?;
        Ok(writer)
    }

    /// Opens a loaded run for writing. Fails while another process has it open.
    /// Damage to its metrics is mended: see [`RunWriter::repair`].
    pub fn reopen(&self, loaded: &LoadedRun, columns: &Columns) -> Result<RunWriter, StorageError> {
        self.check_alone(&loaded.name)?;
        let mut writer = RunWriter::open(self.folder(&loaded.name)?)?;
        writer.go_on(loaded, columns)?;
        states::remove_after(writer.folder(), loaded.state.generation);
        Ok(writer)
    }

    /// Whether the runs are islands of finches 0.1. Islands are an experiment now.
    pub fn has_former_islands(&self) -> bool {
        self.root().join("islands.ron").is_file()
    }

    /// Fails if a run is an island of finches 0.1: it can't go on without the others.
    pub fn check_alone(&self, name: &str) -> Result<(), StorageError> {
        let folder = self.folder(name)?;
        let root = folder.parent().map(Path::to_owned).unwrap_or_default();
        if !Self::at(root).has_former_islands() {
            return Ok(());
        }
        Err(StorageError::Unknown(format!(
            "{}: is an island of finches 0.1, which exchanged champions with others; it can be \
            shown, reported and played, but not continued",
            name_of(&folder)
        )))
    }
}
