//! All finished runs of an experiment as one table, `NAME.csv`: what a page needs of them, in place
//! of thousands of files. A line is a row of a run; the last one of a run has its time too. Lines
//! without a seed are of contests, one for each result or one if there is none, and of presets:
//! their settings.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;
use std::path::Path;
use std::str::FromStr;

use finches_engine::contest::Tally;
use finches_engine::metrics::Row;
use finches_engine::metrics::csv_text::{csv_field, csv_text};
use finches_engine::preset::Preset;

use crate::storage::files::{self, Durability};
use crate::storage::{StorageError, metrics};

use super::contests::{ContestResult, Contests};
use super::manifest::RunId;
use super::outcome::RunOutcome;
use super::part::RunPart;
use super::times::{self, RunTime};
use super::{ExperimentFolder, RunStatus, settings};

/// The columns before those of the runs.
const HEAD: [&str; 2] = ["preset", "seed"];

/// The columns after those of the runs. Fields at the end of a line that are empty are left out.
const TAIL: &str =
    "reached,players,seconds,cores,processor,contest,generations,wins,draws,losses,settings";

/// What a table has.
#[derive(Default)]
struct ResultsTable {
    /// The columns of its runs.
    columns: Vec<String>,
    /// The settings of presets, by their names.
    settings: BTreeMap<String, String>,
    /// By preset and seed.
    runs: BTreeMap<(String, u64), TableRun>,
    /// By their names: the checksums of players, and the results.
    contests: BTreeMap<String, (Vec<String>, Vec<ContestResult>)>,
}

/// A run in a table.
#[derive(Default)]
struct TableRun {
    rows: Vec<Row>,
    reached: Option<u64>,
    players: Option<String>,
    time: Option<RunTime>,
}

/// A line of a table.
struct Line<'a> {
    path: &'a Path,
    number: u64,
    names: &'a [String],
    record: &'a csv::StringRecord,
}

impl Line<'_> {
    /// A field; empty if there is none.
    fn field(&self, name: &str) -> &str {
        let place = self.names.iter().position(|known| known == name);
        let field = place.and_then(|place| self.record.get(place));
        field.unwrap_or_default()
    }

    /// A field as a number, if it is not empty.
    fn optional<T: FromStr>(&self, name: &str) -> Result<Option<T>, StorageError> {
        let field = self.field(name);
        if field.is_empty() {
            return Ok(None);
        }
        field.parse().map(Some).map_err(|_| self.wrong(name))
    }

    fn number<T: FromStr>(&self, name: &str) -> Result<T, StorageError> {
        self.optional(name)?.ok_or_else(|| self.wrong(name))
    }

    fn wrong(&self, name: &str) -> StorageError {
        let what = format!("line {}: {name} is `{}`", self.number, self.field(name));
        refuse(self.path, what)
    }
}

fn refuse(path: &Path, what: impl Into<String>) -> StorageError {
    StorageError::unusable(path, what, "restore it from a copy")
}

impl ResultsTable {
    fn read(path: &Path) -> Result<Self, StorageError> {
        let text = files::read_text(path)?;
        let mut reader = csv::ReaderBuilder::new()
            .flexible(true)
            .from_reader(text.as_bytes());
        let names = reader.headers();
        let names = names.map_err(|error| refuse(path, error.to_string()))?;
        let names: Vec<String> = names.iter().map(ToOwned::to_owned).collect();
        let head = names.join(",");
        let is_table = head.starts_with("preset,seed,generation,") && head.ends_with(TAIL);
        if !is_table {
            return Err(refuse(path, "is not a table of finished runs"));
        }
        let mut table = Self {
            columns: names[HEAD.len()..names.len() - TAIL.split(',').count()].to_vec(),
            ..Self::default()
        };
        for (number, record) in (2..).zip(reader.records()) {
            let record = record.map_err(|error| refuse(path, error.to_string()))?;
            table.add(&Line {
                path,
                number,
                names: &names,
                record: &record,
            })?;
        }
        Ok(table)
    }

    fn add(&mut self, line: &Line<'_>) -> Result<(), StorageError> {
        let preset = line.field("preset").to_owned();
        let contest = line.field("contest");
        let players = line.field("players");
        if !contest.is_empty() {
            let known = self.contests.entry(contest.to_owned()).or_default();
            known.0 = players.split(' ').map(ToOwned::to_owned).collect();
            if line.field("generations").is_empty() {
                // The players had no opponents: nothing was played, and nothing is missing.
                return Ok(());
            }
            let words = line.field("generations").split(' ');
            let generations: Vec<u64> = words.filter_map(|word| word.parse().ok()).collect();
            let generations: Result<[u64; 2], _> = generations.try_into();
            let generations = generations.map_err(|_| line.wrong("generations"))?;
            let tally = Tally {
                wins: line.number("wins")?,
                draws: line.number("draws")?,
                losses: line.number("losses")?,
            };
            known.1.push(ContestResult::new(generations, tally));
            return Ok(());
        }
        let settings = line.field("settings");
        if !settings.is_empty() {
            self.settings.insert(preset, settings.to_owned());
            return Ok(());
        }
        let run = self.runs.entry((preset, line.number("seed")?)).or_default();
        let columns = self.columns.iter();
        let values: Result<Vec<Option<f64>>, StorageError> =
            columns.map(|name| line.optional(name)).collect();
        run.rows.push(Row::from_values(values?));
        run.reached = line.optional("reached")?;
        run.players = (!players.is_empty()).then(|| players.to_owned());
        if let Some(seconds) = line.optional("seconds")? {
            run.time = Some(RunTime {
                seconds,
                cores: line.number("cores")?,
                processor: line.field("processor").to_owned(),
            });
        }
        Ok(())
    }
}

/// The finished runs with some of their columns, `generation` the first of them. `needed` says for
/// a preset, a column and its pairs of generation and value which of these are written.
pub fn text(
    folder: &ExperimentFolder,
    columns: &[&str],
    needed: impl Fn(&Preset, &str, &[(f64, f64)]) -> Vec<bool>,
) -> Result<String, StorageError> {
    let head = HEAD.iter().chain(columns).copied().chain(TAIL.split(','));
    let mut lines = vec![head.map(str::to_owned).collect()];
    let mut presets = BTreeSet::new();
    let blank = |count| iter::repeat_n(String::new(), count);
    for id in folder.manifest.run_ids() {
        let RunStatus::Finished(outcome) = folder.status(id, RunPart::WHOLE) else {
            continue;
        };
        let preset = &folder.manifest.presets[id.preset];
        if presets.insert(id.preset) {
            let mut line = vec![outcome.preset.clone()];
            line.extend(blank(columns.len() + TAIL.split(',').count()));
            line.push(written_settings(preset).join("; "));
            lines.push(line);
        }
        let (names, rows) = folder.rows(id, RunPart::WHOLE)?;
        let last = rows.len().saturating_sub(1);
        let values = |column: &&str| {
            let place = names.iter().position(|name| name == column);
            let value = |row: &Row| row.values()[place?];
            let mut values: Vec<Option<f64>> = rows.iter().map(value).collect();
            let series = rows.iter().zip(&values);
            let series =
                series.filter_map(|(row, value)| Some((row.generation() as f64, (*value)?)));
            let wanted = needed(preset, column, &series.collect::<Vec<_>>());
            let known = values.iter_mut().filter(|value| value.is_some());
            let others = known.zip(wanted).filter(|(_, is_wanted)| !is_wanted);
            others.for_each(|(value, _)| *value = None);
            values
        };
        let others: Vec<Vec<Option<f64>>> = columns[1..].iter().map(values).collect();
        for (index, row) in rows.iter().enumerate() {
            let own = others.iter().map(|values| values[index]);
            let generation = Some(row.generation() as f64);
            let values: Vec<Option<f64>> = iter::once(generation).chain(own).collect();
            if index < last && values[1..].iter().all(Option::is_none) {
                continue;
            }
            let mut line = vec![outcome.preset.clone(), id.seed.to_string()];
            line.extend(values.into_iter().map(csv_field));
            if index == last {
                line.extend(facts(folder, id, &outcome));
            }
            lines.push(line);
        }
    }
    for (name, players, results) in Contests::read(folder)?.all() {
        let mut head: Vec<String> = blank(HEAD.len() + columns.len() + 1).collect();
        head.push(players.join(" "));
        head.extend(blank(3));
        head.push(name.to_owned());
        if results.is_empty() {
            lines.push(head.clone());
        }
        for result in results {
            let tally = result.tally();
            let mut line = head.clone();
            line.push(result.generations.map(|one| one.to_string()).join(" "));
            line.extend([tally.wins, tally.draws, tally.losses].map(|count| count.to_string()));
            lines.push(line);
        }
    }
    for line in &mut lines {
        while line.last().is_some_and(String::is_empty) {
            line.pop();
        }
    }
    Ok(csv_text(lines))
}

/// What stands behind the last row of a run.
fn facts(folder: &ExperimentFolder, id: RunId, outcome: &RunOutcome) -> Vec<String> {
    let reached = outcome.reached.map(|reached| reached.to_string());
    let mut facts = vec![reached, outcome.players_checksum.clone()];
    if let Some(time) = times::time(folder, id) {
        facts.push(Some(time.seconds.to_string()));
        facts.push(Some(time.cores.to_string()));
        facts.push(Some(time.processor));
    }
    facts.into_iter().map(Option::unwrap_or_default).collect()
}

/// Adds the runs and contests of a table that this folder lacks. Runs of presets with other
/// settings than here are left out: these presets are returned.
pub fn fill(folder: &ExperimentFolder, path: &Path) -> Result<Vec<String>, StorageError> {
    let mut table = ResultsTable::read(path)?;
    let mut changed = Vec::new();
    for preset in &folder.manifest.presets {
        let own = written_settings(preset);
        let is_own = |setting: &str| own.iter().any(|known| known == setting);
        let known = table.settings.get(&preset.name);
        if known.is_some_and(|known| !known.split("; ").all(is_own)) {
            changed.push(preset.name.clone());
        }
    }
    for id in folder.manifest.run_ids() {
        let name = &folder.manifest.presets[id.preset].name;
        let is_missing = matches!(folder.status(id, RunPart::WHOLE), RunStatus::Missing);
        let run = table.runs.remove(&(name.clone(), id.seed));
        if let Some(run) = run.filter(|_| is_missing && !changed.contains(name)) {
            keep(folder, id, &table.columns, run)?;
        }
    }
    let before = Contests::read(folder)?;
    let mut contests = before.clone();
    for (name, (players, results)) in table.contests {
        if contests.results(&name, &players).is_none() {
            contests.keep(name, players, results);
        }
    }
    if contests != before {
        contests.write(folder)?;
    }
    Ok(changed)
}

/// Writes the files of a run.
fn keep(
    folder: &ExperimentFolder,
    id: RunId,
    columns: &[String],
    run: TableRun,
) -> Result<(), StorageError> {
    let lines = run.rows.iter().map(|row| metrics::csv_line(row.values()));
    let text: String = iter::once(csv_text([columns])).chain(lines).collect();
    let value = |place: usize| run.rows.iter().rev().find_map(|row| row.values()[place]);
    let latest = columns.iter().enumerate();
    let outcome = RunOutcome {
        preset: folder.manifest.presets[id.preset].name.clone(),
        seed: id.seed,
        recipe: folder.manifest.recipe(id),
        generations: run.rows.last().map_or(0, |row| row.generation() + 1),
        reached: run.reached,
        latest: latest
            .filter_map(|(place, name)| Some((name.clone(), value(place)?)))
            .collect(),
        rows_checksum: format!("{:08x}", crc32fast::hash(text.as_bytes())),
        players_checksum: run.players,
    };
    if let Some(time) = run.time {
        times::write_time(folder, id, &time)?;
    }
    let write = |ending, text: &str| {
        let path = folder.file(id, RunPart::WHOLE, ending);
        files::replace(&path, text.as_bytes(), Durability::Lazy)
    };
    write("csv", &text)?;
    write("json", &outcome.seal())
}

/// What decides a preset's runs, as `key=value`.
fn written_settings(preset: &Preset) -> Vec<String> {
    let settings = settings(preset);
    settings
        .map(|(key, value)| format!("{key}={value}"))
        .collect()
}
