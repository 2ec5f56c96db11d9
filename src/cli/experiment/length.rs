//! How long an experiment takes on this machine, told before it starts.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::cli::output;
use finches_engine::metrics::stats::spread::{even_sample, mean};
use finches_engine::preset::Preset;
use finches_engine::text::{counted, span};
use finches_lab::experiment::duration::run_seconds;
use finches_runs::storage::experiments::ExperimentFolder;
use finches_runs::storage::experiments::manifest::{Manifest, RunId};
use finches_runs::storage::experiments::part::RunPart;
use finches_runs::storage::experiments::sweep::SweepDefinition;
use finches_runs::storage::experiments::times::{RunTime, time};

/// Most presets that are timed before a sweep.
const TIMED: usize = 12;

/// Says before the start how long the runs take on this machine, if it is a minute or more: by
/// earlier runs of their presets on this machine, or by their first generations. Once `halt` is
/// set, it says nothing.
pub(super) fn tell(
    folder: &ExperimentFolder,
    (left, part): (&[RunId], RunPart),
    threads: usize,
    halt: &AtomicBool,
) {
    const WITHIN: Duration = Duration::from_millis(150);
    /// For all presets together, but for one generation of each.
    const IN_ALL: Duration = Duration::from_millis(300);
    let share = |id: &RunId| {
        let is_halted = halt.load(Ordering::Relaxed);
        if is_halted {
            1.0
        } else {
            share_left(folder, *id, part)
        }
    };
    let shares: Vec<(RunId, f64)> = left.iter().map(|id| (*id, share(id))).collect();
    let timed = timed_presets(folder.manifest(), &shares);
    let within = WITHIN.min(IN_ALL / timed.len().max(1) as u32);
    // With successive halving by generations, some times are those of parts.
    let sweep = folder.manifest().sweep.as_ref();
    let has_parts = sweep.is_some_and(SweepDefinition::halves_generations);
    let uses_times = part == RunPart::WHOLE && !has_parts;
    let seconds = timed.into_iter().map(|(index, runs)| {
        let known = uses_times.then(|| earlier_seconds(folder, index));
        let measured = || {
            let preset = &folder.manifest().presets[index];
            let first = folder.manifest().first_generation();
            let preset = Preset {
                generations: part.generations(preset.generations) - first,
                ..preset.clone()
            };
            // A preset that can't be run fails by itself, with its reason.
            run_seconds(&preset, within, halt).unwrap_or(0.0)
        };
        runs * known.flatten().unwrap_or_else(measured)
    });
    let seconds: f64 = seconds.sum();
    let wall_seconds = seconds / threads as f64;
    if wall_seconds >= 60.0 && !halt.load(Ordering::Relaxed) {
        let words = span(wall_seconds);
        let runs = counted(left.len(), "run");
        output::eprint_line(&format!(
            "finches: {runs}; about {words}, estimated from earlier runs or first generations; \
            less where runs meet a target, more where networks grow; Ctrl-C stops, the same \
            command continues"
        ));
    }
}

/// The share of a run that is left after its checkpoint, if it has one.
fn share_left(folder: &ExperimentFolder, id: RunId, part: RunPart) -> f64 {
    // One that can't be used is told when the run starts.
    let kept = folder.checkpoint(id, part).ok().flatten();
    let first = folder.manifest().first_generation();
    let done = kept.map_or(first, |run| run.checkpoint.state.generation);
    let all = part.generations(folder.manifest().presets[id.preset].generations);
    1.0 - done.min(all).saturating_sub(first) as f64 / (all - first) as f64
}

/// The mean time of those runs of a preset that a machine like this one has finished; `None`
/// without one.
fn earlier_seconds(folder: &ExperimentFolder, index: usize) -> Option<f64> {
    let ids = folder.manifest().run_ids().into_iter();
    let ids = ids.filter(|id| id.preset == index);
    let times = ids.filter_map(|id| time(folder, id));
    let here = RunTime::zero();
    let own = times.filter(|time| time.has_machine_of(&here));
    let seconds: Vec<f64> = own.map(|time| time.seconds).collect();
    (!seconds.is_empty()).then(|| mean(&seconds))
}

/// The presets that are timed, each with the number of runs that it stands for; a run with a
/// checkpoint counts as the share that is left. In a table, all runs of a game play as many games:
/// the preset with the shortest generations stands for them, since the longest take minutes.
fn timed_presets(manifest: &Manifest, left: &[(RunId, f64)]) -> Vec<(usize, f64)> {
    if manifest.sweep.is_some() {
        // A few combinations stand for all.
        let sample = even_sample(left, TIMED);
        let all: f64 = left.iter().map(|(_, share)| share).sum();
        let runs = all / sample.len() as f64;
        let preset = |(id, _): &(RunId, f64)| (id.preset, runs);
        return sample.into_iter().map(preset).collect();
    }
    let games = manifest.matrix.as_ref().map(|matrix| &matrix.cells);
    let group =
        |index: usize| games.map_or_else(|| index.to_string(), |cells| cells[index].game.clone());
    let indices: Vec<usize> = (0..manifest.presets.len()).collect();
    let groups = indices.chunk_by(|&one, &other| group(one) == group(other));
    let timed = groups.filter_map(|indices| {
        let own = left.iter().filter(|(id, _)| indices.contains(&id.preset));
        let runs: f64 = own.map(|(_, share)| share).sum();
        let generations = |index: &&usize| manifest.presets[**index].generations;
        let shortest = indices.iter().max_by_key(generations)?;
        (runs > 0.0).then_some((*shortest, runs))
    });
    timed.collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use finches_engine::play::pool::Pool;
    use finches_engine::session::Session;
    use finches_runs::storage::experiments::checkpoint::{RunCheckpoint, WrittenRows};
    use finches_runs::storage::experiments::matrix::{MatrixCell, MatrixDefinition};
    use finches_runs::storage::experiments::times::keep_time;
    use finches_runs::storage::experiments::{known_text, write_text};
    use finches_runs::storage::presets;

    /// Three presets with different numbers of generations, two seeds each.
    fn manifest() -> Manifest {
        let preset = |(name, generations)| Preset {
            generations,
            ..presets::load(name).expect("it is included")
        };
        let presets = [("nim-2x2", 10), ("nim-2x4", 30), ("simple-nim-2", 20)];
        Manifest::new(presets.map(preset).into(), 1, 2).expect("the names differ")
    }

    /// Its runs, with the shares that are left.
    fn left(shares: [f64; 6]) -> Vec<(RunId, f64)> {
        manifest().run_ids().into_iter().zip(shares).collect()
    }

    #[test]
    fn each_preset_is_timed_for_what_is_left_of_its_runs() {
        let timed = timed_presets(&manifest(), &left([1.0, 0.5, 0.0, 0.0, 0.25, 1.0]));
        assert_eq!(timed, [(0, 1.5), (2, 1.25)]);
    }

    #[test]
    fn in_a_table_the_shortest_generations_of_a_game_stand_for_all() {
        let cell = |game: &str| MatrixCell {
            game: game.to_owned(),
            scheme: "scheme".to_owned(),
            column: "accuracy_states".to_owned(),
        };
        let table = manifest().with_matrix(MatrixDefinition {
            budget: 1000,
            cells: ["nim", "nim", "simple nim"].map(cell).into(),
            omitted: Vec::new(),
        });
        // As many games in 30 generations as in 10.
        let timed = timed_presets(&table, &left([1.0, 1.0, 0.5, 0.0, 1.0, 0.0]));
        assert_eq!(timed, [(1, 2.5), (2, 1.0)]);
    }

    #[test]
    fn in_a_sweep_a_few_runs_stand_for_all() {
        let base = presets::load("nim-2x2").expect("it is included");
        let values = ["10", "30", "20"].map(|value| vec![value.to_owned()]);
        let keys = vec!["generations".to_owned()];
        let definition = SweepDefinition::grid(base, keys, values.into());
        let mut sweep = manifest().with_sweep(definition);
        sweep.runs = 10;
        let halves: Vec<(RunId, f64)> = sweep.run_ids().into_iter().map(|id| (id, 0.5)).collect();
        let timed = timed_presets(&sweep, &halves);
        assert_eq!(timed.len(), TIMED);
        let runs: f64 = timed.iter().map(|(_, runs)| runs).sum();
        assert!((runs - 15.0).abs() < 1e-9, "{runs}");
        for index in 0..3 {
            assert_eq!(
                timed.iter().filter(|(preset, _)| *preset == index).count(),
                4
            );
        }
        assert_eq!(timed_presets(&sweep, &[]), []);
    }

    #[test]
    fn a_run_counts_as_what_is_left_after_its_checkpoint() {
        let root = tempfile::tempdir().expect("there is a folder for temporary files");
        let folder = ExperimentFolder::begin(root.path().to_owned(), manifest(), "");
        let folder = folder.expect("it is new");
        let id = manifest().run_ids()[0];
        let pool = Pool::new(1).expect("there is a thread");
        let preset = manifest().presets[0].clone();
        let mut session =
            Session::new(preset, id.seed, Vec::new(), pool).expect("the preset is valid");
        for _ in 0..4 {
            let row = session.advance(&AtomicBool::new(false));
            row.expect("it is not halted");
        }
        let checkpoint = RunCheckpoint {
            seconds: 1.0,
            written: WrittenRows::all("generation\n0\n1\n2\n3\n", BTreeMap::new()),
            players: None,
            state: session.state().clone(),
        };
        let left = |id| share_left(&folder, id, RunPart::WHOLE);
        assert_eq!(left(id).to_string(), "1");
        let kept = folder.write_checkpoint((id, RunPart::WHOLE), checkpoint);
        kept.expect("it is written");
        assert_eq!(left(id).to_string(), "0.6", "4 of 10 generations are done");
        assert_eq!(left(manifest().run_ids()[1]).to_string(), "1");
        let path = folder.root().join("runs/nim-2x2-1.checkpoint.ron");
        known_text(&path).expect("it is there");
        write_text(&path, "damaged").expect("it is writable");
        assert_eq!(left(id).to_string(), "1", "it is not used");
    }

    #[test]
    fn a_preset_takes_as_long_as_its_finished_runs_on_this_machine_on_average() {
        let root = tempfile::tempdir().expect("there is a folder for temporary files");
        let folder = ExperimentFolder::begin(root.path().to_owned(), manifest(), "");
        let folder = folder.expect("it is new");
        assert_eq!(earlier_seconds(&folder, 0), None);
        for (id, seconds) in manifest().run_ids().into_iter().zip([3, 5, 100]) {
            let kept = keep_time(&folder, id, Duration::from_secs(seconds));
            kept.expect("it is written");
        }
        assert_eq!(earlier_seconds(&folder, 0), Some(4.0));
        assert_eq!(earlier_seconds(&folder, 1), Some(100.0));
        let elsewhere = manifest().run_ids()[4];
        let kept = keep_time(&folder, elsewhere, Duration::from_secs(7));
        kept.expect("it is written");
        assert_eq!(earlier_seconds(&folder, 2), Some(7.0));
        let path = folder.root().join("times/simple-nim-2-1.json");
        let text = known_text(&path).expect("it is readable");
        let other = text.replacen("\"processor\":\"", "\"processor\":\"another ", 1);
        assert_ne!(text, other);
        write_text(&path, &other).expect("it is writable");
        assert_eq!(earlier_seconds(&folder, 2), None);
    }
}
