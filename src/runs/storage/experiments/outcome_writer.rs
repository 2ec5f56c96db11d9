//! Writes the rows of a run while it runs, and its outcome at the end.

use std::collections::BTreeMap;
use std::io::{BufWriter, Read, Write};
use std::time::{Duration, Instant};

use tempfile::NamedTempFile;

use crate::storage::files::{self, Durability};
use crate::storage::{StorageError, metrics, write_sealed};
use finches_engine::metrics::csv_text::csv_text;
use finches_engine::metrics::{Columns, Row};
use finches_engine::session::measures::progress;

use super::checkpoint::WrittenRows;
use super::manifest::RunId;
use super::outcome::RunOutcome;
use super::part::RunPart;
use super::players::KeptPlayers;
use super::{ExperimentFolder, checksum_of};

/// If the files of a run take longer to write, the folder is called slow.
const SLOW: Duration = Duration::from_secs(5);

impl ExperimentFolder {
    /// Starts to write the files of a part of a run, whose first row is that of a generation.
    pub fn writer(
        &self,
        id: RunId,
        part: RunPart,
        (columns, generation): (&Columns, u64),
    ) -> Result<ExperimentRunWriter<'_>, StorageError> {
        let mut writer = self.empty_writer(id, part, columns)?;
        writer.generations = generation;
        let names = columns.names().filter(|name| progress::SECONDS != **name);
        writer.write(csv_text([names]).as_bytes())?;
        Ok(writer)
    }

    /// Starts to write the files of a part of a run that continues after some generations.
    pub fn continued_writer(
        &self,
        id: RunId,
        part: RunPart,
        (columns, generations, written): (&Columns, u64, WrittenRows),
    ) -> Result<ExperimentRunWriter<'_>, StorageError> {
        let mut writer = self.empty_writer(id, part, columns)?;
        writer.write(written.text.as_bytes())?;
        writer.unwritten = written.unwritten;
        writer.generations = generations;
        let latest = columns.names().map(|name| written.latest.get(name));
        writer.latest_values = latest.map(Option::<&f64>::copied).collect();
        Ok(writer)
    }

    fn empty_writer(
        &self,
        id: RunId,
        part: RunPart,
        columns: &Columns,
    ) -> Result<ExperimentRunWriter<'_>, StorageError> {
        let runs = self.root.join("runs");
        let file = files::unfinished(&runs, &self.manifest.run_name(id));
        Ok(ExperimentRunWriter {
            folder: self,
            id,
            part,
            seconds_column: columns.place(&progress::SECONDS),
            latest_values: vec![None; columns.all().len()],
            names: columns.names().map(ToOwned::to_owned).collect(),
            file: BufWriter::new(file.map_err(StorageError::io(&runs))?),
            hash: crc32fast::Hasher::new(),
            generations: 0,
            unwritten: None,
            written_for: Duration::ZERO,
        })
    }

    /// Warns if the files of a run took long to write, such as over a busy network.
    fn tell_if_slow(&self, id: RunId, written_for: Duration) {
        if written_for > SLOW {
            tracing::warn!(
                target: "finches::experiment",
                "{}: the folder is slow: the files of {} took {:.0} s to write",
                self.root.display(),
                self.manifest.run_name(id),
                written_for.as_secs_f64()
            );
        }
    }
}

/// Writes the rows of a run to a temporary file, which gets its name when the run is finished.
#[derive(Debug)]
pub struct ExperimentRunWriter<'a> {
    folder: &'a ExperimentFolder,
    id: RunId,
    part: RunPart,
    seconds_column: Option<usize>,
    names: Vec<String>,
    /// The latest value of each column.
    latest_values: Vec<Option<f64>>,
    file: BufWriter<NamedTempFile>,
    hash: crc32fast::Hasher,
    generations: u64,
    /// The latest row if it is not written.
    unwritten: Option<String>,
    /// How long the rows took to write.
    written_for: Duration,
}

impl ExperimentRunWriter<'_> {
    /// Writes a row if it is one of those that the experiment keeps, or turns out to be the last.
    pub fn write_row(&mut self, row: &Row) -> Result<(), StorageError> {
        for (latest, value) in self.latest_values.iter_mut().zip(row.values()) {
            *latest = value.or(*latest);
        }
        self.generations += 1;
        let mut values = row.values().to_vec();
        if let Some(seconds_column) = self.seconds_column {
            values.remove(seconds_column);
        }
        let line = metrics::csv_line(&values);
        if !row
            .generation()
            .is_multiple_of(self.folder.manifest.rows_every)
        {
            self.unwritten = Some(line);
            return Ok(());
        }
        self.unwritten = None;
        self.write(line.as_bytes())
    }

    fn write(&mut self, text: &[u8]) -> Result<(), StorageError> {
        self.hash.update(text);
        let began = Instant::now();
        let written = self.file.write_all(text);
        self.written_for += began.elapsed();
        written.map_err(StorageError::io(
            &self.folder.file(self.id, self.part, "csv"),
        ))
    }

    /// What is written so far.
    pub fn written(&mut self) -> Result<WrittenRows, StorageError> {
        let (folder, id, part) = (self.folder, self.id, self.part);
        let mut read = || {
            self.file.flush()?;
            let mut text = String::new();
            self.file.get_ref().reopen()?.read_to_string(&mut text)?;
            Ok(text)
        };
        let text = read().map_err(StorageError::io(&folder.file(id, part, "csv")))?;
        Ok(WrittenRows {
            text,
            latest: self.latest(),
            unwritten: self.unwritten.clone(),
        })
    }

    /// The latest value of each column that has one.
    fn latest(&self) -> BTreeMap<String, f64> {
        let values = self.names.iter().zip(&self.latest_values);
        let values = values.filter_map(|(name, value)| {
            let value = value.filter(|value| value.is_finite())?;
            Some((name.clone(), value))
        });
        values.collect()
    }

    /// Writes the finished part of the run to disk and returns it with its outcome. `reached` is
    /// the generation in which it met its target: then the run is whole.
    pub fn finish(
        mut self,
        reached: Option<u64>,
        players: Option<&KeptPlayers>,
    ) -> Result<(RunPart, RunOutcome), StorageError> {
        if let Some(last) = self.unwritten.take() {
            self.write(last.as_bytes())?;
        }
        let (folder, id) = (self.folder, self.id);
        let part = reached.map_or(self.part, |_| RunPart::WHOLE);
        let (began, before) = (Instant::now(), self.written_for);
        let latest = self.latest();
        let players_checksum = players.map(|players| {
            let path = folder.file(id, part, "ron");
            write_sealed(&path, "players", players, Durability::Synced)?;
            checksum_of(&path)
        });
        let players_checksum = players_checksum.transpose()?;
        let path = folder.file(id, part, "csv");
        let persist = || {
            let file = self
                .file
                .into_inner()
                .map_err(std::io::IntoInnerError::into_error)?;
            file.as_file().sync_all()?;
            file.persist(&path).map_err(|error| error.error)
        };
        persist().map_err(StorageError::io(&path))?;
        let outcome = RunOutcome {
            preset: folder.manifest.presets[id.preset].name.clone(),
            seed: id.seed,
            recipe: folder.manifest.recipe(id),
            generations: self.generations,
            reached,
            latest,
            rows_checksum: format!("{:08x}", self.hash.finalize()),
            players_checksum,
        };
        let path = folder.file(id, part, "json");
        files::replace(&path, outcome.seal().as_bytes(), Durability::Synced)?;
        folder.tell_if_slow(id, before + began.elapsed());
        Ok((part, outcome))
    }
}
