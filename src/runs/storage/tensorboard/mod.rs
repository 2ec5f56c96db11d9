//! Metrics as event files of TensorBoard: a scalar for each column, with the generation as its
//! step, after the parameters for its plugin `hparams`. A run has a folder with one file in the
//! folder that TensorBoard is given.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use prost::Message;

use finches_engine::metrics::Row;
use finches_engine::preset::{DESCRIPTIONS, Preset};

use super::StorageError;
use super::files::{create_own_folder, ensure_folder, open_own};

use self::messages::{
    Hyperparameter, PluginData, ScalarEvent, ScalarSummary, ScalarValue, SessionData, SessionStart,
    SummaryMetadata,
};
use self::records::{FrameReader, push_record};

mod messages;
mod records;

/// The name of the file. TensorBoard looks for the first part.
const FILE: &str = "events.out.tfevents.finches";

/// The version that the first event of a file states.
const VERSION: &str = "brain.Event:2";

/// The event file of a run, open for writing.
#[derive(Debug)]
pub struct EventFile {
    path: PathBuf,
    file: File,
    /// The names of the columns.
    columns: Vec<String>,
    /// The events before the first row.
    first: [ScalarEvent; 2],
    /// The last generation in the file.
    last: Option<u64>,
}

impl EventFile {
    /// The file of the run of this name, to be continued, which says with what preset and seed the
    /// run began. What was left half written at its end is removed.
    pub fn open(
        folder: &Path,
        run: &str,
        columns: &[String],
        (preset, seed): (&Preset, u64),
    ) -> Result<Self, StorageError> {
        ensure_folder(folder)?;
        let folder = folder.join(run);
        create_own_folder(&folder)?;
        let path = folder.join(FILE);
        let file = open_own(&path, OpenOptions::new().read(true).write(true))?;
        let mut events = Self {
            path,
            file,
            columns: columns.to_vec(),
            first: [version(), hyperparameters(preset, seed)],
            last: None,
        };
        events.find_end().map_err(StorageError::io(&events.path))?;
        Ok(events)
    }

    /// The same without rows.
    pub fn emptied(mut self) -> Result<Self, StorageError> {
        self.last = None;
        self.restart().map_err(StorageError::io(&self.path))?;
        Ok(self)
    }

    /// Empties the file but for the events before the first row.
    fn restart(&mut self) -> std::io::Result<()> {
        self.file.set_len(0)?;
        self.file.seek(SeekFrom::Start(0))?;
        let mut bytes = Vec::new();
        for event in &self.first {
            push_record(&event.encode_to_vec(), &mut bytes);
        }
        self.file.write_all(&bytes)
    }

    /// Reads the file up to its last whole event.
    fn find_end(&mut self) -> std::io::Result<()> {
        let mut reader = FrameReader::new(BufReader::new(&self.file));
        while let Some(record) = reader.next()? {
            let Ok(event) = ScalarEvent::decode(&record[..]) else {
                break;
            };
            if event.is_row() {
                self.last = u64::try_from(event.step).ok().max(self.last);
            }
        }
        let end = reader.done;
        if end == 0 {
            return self.restart();
        }
        self.file.set_len(end)?;
        self.file.seek(SeekFrom::Start(end))?;
        Ok(())
    }

    /// Adds the rows that the file does not have.
    pub fn write(&mut self, rows: &[Row]) -> Result<(), StorageError> {
        let mut bytes = Vec::new();
        let wall_time = seconds_since_1970();
        for row in rows {
            if self.last.is_some_and(|last| row.generation() <= last) {
                continue;
            }
            self.last = Some(row.generation());
            let event = self.event(row, wall_time);
            push_record(&event.encode_to_vec(), &mut bytes);
        }
        let written = self.file.write_all(&bytes);
        written.map_err(StorageError::io(&self.path))
    }

    /// The measured values of a row but its generation, which is the step.
    fn event(&self, row: &Row, wall_time: f64) -> ScalarEvent {
        let values = self.columns.iter().zip(row.values()).skip(1);
        let values = values.filter_map(|(tag, value)| {
            Some(ScalarValue {
                tag: tag.clone(),
                simple_value: Some((*value)? as f32),
                ..ScalarValue::default()
            })
        });
        ScalarEvent {
            wall_time,
            step: row.generation() as i64,
            file_version: None,
            summary: Some(ScalarSummary {
                value: values.collect(),
            }),
        }
    }
}

/// The event that states the version.
fn version() -> ScalarEvent {
    ScalarEvent {
        wall_time: seconds_since_1970(),
        file_version: Some(VERSION.to_owned()),
        ..ScalarEvent::default()
    }
}

/// The event that tells the plugin `hparams` the seed, the parts and the parameters of a run.
fn hyperparameters(preset: &Preset, seed: u64) -> ScalarEvent {
    let seed = seed.to_string();
    let parts = [
        ("preset", preset.name.as_str()),
        ("seed", &seed),
        ("game", preset.game.name()),
        ("genome", preset.genome.name()),
        ("agent", preset.agent.name()),
        ("evolution.pairing", preset.evolution.pairing.name()),
        ("evolution.selection", preset.evolution.selection.name()),
        ("evolution.replacement", preset.evolution.replacement.name()),
    ];
    let parts = parts.map(|(key, value)| (key.to_owned(), Hyperparameter::parse(value)));
    let own = preset.params().into_iter();
    let own = own.filter(|param| !DESCRIPTIONS.contains(&param.key.as_str()));
    let own = own.map(|param| (param.key, Hyperparameter::parse(&param.value)));
    let session = SessionData {
        session_start_info: Some(SessionStart {
            hparams: own.chain(parts).collect(),
        }),
    };
    let value = ScalarValue {
        tag: "_hparams_/session_start_info".to_owned(),
        metadata: Some(SummaryMetadata {
            plugin_data: Some(PluginData {
                plugin_name: "hparams".to_owned(),
                content: session.encode_to_vec(),
            }),
        }),
        ..ScalarValue::default()
    };
    ScalarEvent {
        wall_time: seconds_since_1970(),
        summary: Some(ScalarSummary { value: vec![value] }),
        ..ScalarEvent::default()
    }
}

fn seconds_since_1970() -> f64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(0.0, |now| now.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn rows(generations: std::ops::Range<u64>) -> Vec<Row> {
        let row = |generation: u64| {
            let fitness = (generation % 3 != 1).then_some(generation as f64 / 8.0);
            Row::from_values(vec![Some(generation as f64), fitness])
        };
        generations.map(row).collect()
    }

    /// The file of a run that has two columns.
    fn opened(folder: &Path) -> EventFile {
        let columns = ["generation", "best_fitness"].map(str::to_owned);
        let events = EventFile::open(folder, "run", &columns, (&Preset::default(), 7));
        events.expect("the folder is writable")
    }

    /// The step and the values of each event.
    fn read(path: &Path) -> Vec<(i64, Vec<(String, f32)>)> {
        let bytes = fs::read(path).expect("the file is there");
        let mut reader = FrameReader::new(&bytes[..]);
        let mut events = Vec::new();
        while let Some(record) = reader.next().expect("bytes can be read") {
            let event = ScalarEvent::decode(&record[..]).expect("it is an event");
            match (event.file_version, event.summary) {
                (Some(version), None) => assert_eq!((version.as_str(), events.len()), (VERSION, 0)),
                (None, Some(summary)) if summary.value.iter().any(|it| it.metadata.is_some()) => {
                    assert_eq!(events.len(), 0, "parameters come first");
                }
                (None, Some(summary)) => {
                    let values = summary.value.into_iter();
                    let values = values.map(|value| (value.tag, value.simple_value.unwrap_or(9.0)));
                    events.push((event.step, values.collect()));
                }
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(reader.done, bytes.len() as u64, "all records are whole");
        events
    }

    #[test]
    fn a_continued_file_has_each_generation_once() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let path = folder.path().join("run").join(FILE);
        let mut events = opened(folder.path());
        events.write(&rows(0..5)).expect("it can be written");
        drop(events);
        // Cut off within the last event.
        let bytes = fs::read(&path).expect("the file is there");
        fs::write(&path, &bytes[..bytes.len() - 3]).expect("the file is writable");
        let mut events = opened(folder.path());
        assert_eq!(events.last, Some(3));
        events.write(&rows(2..4)).expect("it can be written");
        events.write(&rows(3..7)).expect("it can be written");
        let found = read(&path);
        let steps: Vec<i64> = found.iter().map(|(step, _)| *step).collect();
        assert_eq!(steps, [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(found[1].1, []);
        assert_eq!(found[6].1, [("best_fitness".to_owned(), 0.75)]);
        let emptied = opened(folder.path()).emptied();
        emptied.expect("the file is writable");
        assert_eq!(read(&path), []);
        // A file without a row has no generation yet.
        let events = opened(folder.path());
        assert_eq!(events.last, None);
    }
}
