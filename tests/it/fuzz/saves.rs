//! Files of saved runs and experiments: each is mutated, sealed again, and put among the good files
//! of its folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use finches::experiment::collect::collect;
use finches::experiment::curves::curves;
use finches::experiment::plot::{CurvePlot, svg};
use finches::experiment::summary::Summary;
use finches::experiment::table::table;
use finches::games::board::MaxSize;
use finches::metrics::history::History;
use finches::metrics::progress_unit::ProgressUnit;
use finches::play::match_setup::ChampionPlayer;
use finches::play::pool::Pool;
use finches::play::record::RecordMoment;
use finches::play::reference_player::ReferencePlayer;
use finches::play::{self, Arena, PlayerRef};
use finches::preset::Preset;
use finches::run::follow::RunFollower;
use finches::search::{CancelToken, NeverCancel};
use finches::session::Session;
use finches::storage::bundle;
use finches::storage::experiments::ExperimentFolder;
use finches::storage::experiments::manifest::{Manifest, RunId};
use finches::storage::experiments::outcome::RunOutcome;
use finches::storage::experiments::part::RunPart;
use finches::storage::export;
use finches::storage::members::MembersFollower;
use finches::storage::saves::Saves;
use finches::storage::speeds::PresetSpeeds;
use tempfile::TempDir;

use super::presets::evolve;
use super::target::{Target, check};
use crate::support::{pool, preset_with};

/// Small runs with genomes of every kind: a preset and its settings.
const RUNS: [(&str, &[&str]); 4] = [
    (
        "nim-2x4",
        &[
            "population=6",
            "opponents=2",
            "keep_every=2",
            "until=accuracy_states>=0.999",
        ],
    ),
    (
        "reversi-vanilla",
        &[
            "evolution.space.width=3",
            "population=12",
            "hidden=[2]",
            "population_games=2",
        ],
    ),
    (
        "hynek-11-chicken",
        &["population=6", "elites=2", "hall_of_fame.size=4"],
    ),
    ("weaver-graph", &["population=6", "growth_games=2"]),
];

/// Settings of all of them.
const FEW_GAMES: [&str; 3] = ["held_out_games=2", "tournament_games=2", "grading_games=2"];

fn small_preset((name, settings): (&str, &[&str])) -> Preset {
    preset_with(name, &[settings, &FEW_GAMES].concat())
}

/// A folder in memory where there is one.
fn temporary() -> TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() {
        tempfile::tempdir_in(memory)
    } else {
        tempfile::tempdir()
    };
    made.expect("there is a folder for temporary files")
}

/// A saved run, alone in its folder, and the content of its files.
struct SavedRun {
    saves: Saves,
    name: String,
    folder: PathBuf,
    files: Vec<(PathBuf, Vec<u8>)>,
    pool: Pool,
    _root: TempDir,
}

impl SavedRun {
    fn new(run: (&str, &[&str])) -> Option<Self> {
        let root = temporary();
        let saves = Saves::at(root.path().to_owned());
        let pool = pool(1);
        let preset = small_preset(run);
        let mut session = Session::new(preset, 1, Vec::new(), pool.clone()).ok()?;
        let mut writer = saves.create(&session).expect("the folder is writable");
        let go = AtomicBool::new(false);
        for _ in 0..5 {
            let row = session.advance(&go).expect("nothing halts it");
            writer.write_row(&row);
            let games = session.sample_games(0);
            writer
                .checkpoint(&session, 1.5, &games)
                .expect("the folder is writable");
        }
        let members = &session.state().population.members;
        writer
            .write_population(4, members)
            .expect("the folder is writable");
        let folder = writer.folder().to_owned();
        let name = writer.name();
        drop(writer);
        fs::write(folder.join("tags.txt"), "good slow\n").expect("the folder is writable");
        let files = files_in(&folder);
        Some(Self {
            saves,
            name,
            folder,
            files,
            pool,
            _root: root,
        })
    }

    /// The contents of files whose path ends with `ending`.
    fn contents(&self, ending: &str) -> Vec<Vec<u8>> {
        let chosen = self
            .files
            .iter()
            .filter(|(path, _)| path.to_string_lossy().ends_with(ending));
        chosen.map(|(_, content)| content.clone()).collect()
    }

    /// Makes the folder what it was.
    fn restore(&self) {
        for path in files_in(&self.folder).into_iter().map(|(path, _)| path) {
            if !self.files.iter().any(|(known, _)| *known == path) {
                fs::remove_file(path).expect("the folder is writable");
            }
        }
        for (path, content) in &self.files {
            if fs::read(path).ok().as_ref() != Some(content) {
                fs::write(path, content).expect("the folder is writable");
            }
        }
    }

    fn arena(&self) -> Arc<dyn Arena> {
        let run = self.saves.run_file(&self.name).expect("it is intact");
        play::build(&run.preset.game, &run.preset.agent).expect("it could be played")
    }
}

fn files_in(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).expect("it is there").flatten() {
        let path = entry.path();
        if path.is_dir() {
            all.extend(files_in(&path));
        } else {
            let content = fs::read(&path).expect("it can be read");
            all.push((path, content));
        }
    }
    all
}

fn runs() -> Vec<SavedRun> {
    let made = RUNS
        .into_iter()
        .map(|run| SavedRun::new(run).expect("it is sound"));
    made.collect()
}

thread_local! {
    static SAVED: Vec<SavedRun> = runs();
}

/// Reads an input, whose first byte chooses a run, from the place of a file of that run.
fn with_file(data: &[u8], file: &str, read: impl Fn(&SavedRun) -> String) -> String {
    let (&first, content) = data.split_first().unwrap_or((&0, &[]));
    SAVED.with(|runs| {
        let run = &runs[first as usize % runs.len()];
        fs::write(run.folder.join(file), content).expect("the folder is writable");
        let result = read(run);
        run.restore();
        result
    })
}

/// The same with a checksum that is right, except for some inputs.
fn with_sealed(data: &[u8], file: &str, read: impl Fn(&SavedRun) -> String) -> String {
    let mut data = data.to_vec();
    if data.first().is_none_or(|first| *first < 128) {
        data.splice(.., sealed(&data));
    }
    with_file(&data, file, read)
}

/// A text with its checksum corrected.
fn sealed(data: &[u8]) -> Vec<u8> {
    let mark = b"// checksum ";
    let end = data.windows(mark.len()).rposition(|part| part == mark);
    let body = &data[..end.unwrap_or(data.len())];
    let counted = body.get(1..).unwrap_or_default();
    let last = format!("// checksum {:08x}\n", crc32fast::hash(counted));
    [body, last.as_bytes()].concat()
}

/// Inputs of a target from the files of all runs.
fn corpus(ending: &str) -> Vec<Vec<u8>> {
    SAVED.with(|runs| {
        let numbered = runs.iter().enumerate();
        let all = numbered.flat_map(|(index, run)| {
            let contents = run.contents(ending).into_iter();
            contents.map(move |content| [&[index as u8], &content[..]].concat())
        });
        all.collect()
    })
}

/// What a result was, in words.
fn words<T, E: ToString>(result: &Result<T, E>) -> String {
    match result {
        Ok(_) => "ok".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// Lists the runs, as the Home screen does.
fn list(run: &SavedRun) -> String {
    let list = run.saves.list();
    let summaries = list.iter().map(|entry| {
        if let Ok(summary) = &entry.summary {
            let _ = (summary.is_done(), format!("{summary:?}"));
        }
        words(&entry.summary)
    });
    summaries.collect::<Vec<_>>().join(" ")
}

/// Loads the run, evolves a generation and saves it.
fn resume(run: &SavedRun) -> String {
    let loaded = match run.saves.load(&run.name) {
        Ok(loaded) => loaded,
        Err(error) => return error.to_string(),
    };
    let mut session = match loaded.session(run.pool.clone(), None) {
        Ok(session) => session,
        Err(error) => return error.to_string(),
    };
    let mut writer = match run.saves.reopen(&loaded, session.columns()) {
        Ok(writer) => writer,
        Err(error) => return error.to_string(),
    };
    if !session.is_done() && super::presets::is_small(session.preset()) {
        session.restore_snapshot(writer.members().ok());
        let row = session
            .advance(&AtomicBool::new(false))
            .expect("nothing halts it");
        writer.write_row(&row);
        let games = session.sample_games(0);
        writer
            .checkpoint(&session, 2.0, &games)
            .expect("the folder is writable");
    }
    "resumed".to_owned()
}

/// Follows the run, as `finches watch` does.
fn follow(run: &SavedRun) -> String {
    let follower =
        RunFollower::start(run.saves.clone(), run.name.clone()).expect("there are threads");
    let event = follower.events().recv_timeout(Duration::from_secs(20));
    let event = event.expect("the follower says something");
    format!("{event:?}").chars().take(12).collect()
}

fn read_run_file(data: &[u8]) -> String {
    with_sealed(data, "run.ron", |run| {
        let mut results = vec![list(run)];
        let file = run.saves.run_file(&run.name);
        results.push(words(&file));
        if let Ok(file) = file {
            results.push(evolve(&file.preset));
            results.push(resume(run));
            results.push(follow(run));
            results.push(words(&run.saves.champion(&run.name, 4)));
            results.push(words(&run.saves.population(&run.name, 4)));
            let _ = Preset::params(&file.preset);
        }
        results.join("; ")
    })
}

#[test]
fn any_definition_of_a_saved_run_is_read_or_refused() {
    check(&Target {
        name: "run",
        corpus: corpus("run.ron"),
        words: vec![
            "interventions: [(generation: 3, key: \"measures.every\", from: \"10\", to: \"1\")]",
            "breakpoints: [\"best\"]",
            "generation: ",
            "key: ",
            "seed: ",
            "generations",
            "evolution.mutation.rate",
            "evolution.population",
        ],
        read: read_run_file,
    });
}

fn read_checkpoint(data: &[u8]) -> String {
    with_sealed(data, "checkpoint.ron", |run| {
        let members = fs::remove_file(run.folder.join("members.ron"));
        members.expect("it is there");
        let follower = MembersFollower::new(&run.saves, &run.name);
        let members = follower.expect("it is a run").poll();
        format!("{}; {}; {}", list(run), resume(run), members.is_some())
    })
}

#[test]
fn any_checkpoint_is_read_or_refused() {
    check(&Target {
        name: "checkpoint",
        corpus: corpus("checkpoint.ron"),
        words: vec![
            "stride: ",
            "kept: []",
            "fitness: ",
            "generation: ",
            "members: []",
            "metrics_sums: []",
            "metrics_bytes: ",
            "genes: [",
            "NaN",
            "inf",
            "None",
        ],
        read: read_checkpoint,
    });
}

fn read_members(data: &[u8]) -> String {
    with_sealed(data, "members.ron", |run| {
        let follower = MembersFollower::new(&run.saves, &run.name);
        let members = follower.expect("it is a run").poll();
        if members.is_none() {
            return "none".to_owned();
        }
        format!("{}; {}", resume(run), follow(run))
    })
}

#[test]
fn any_file_of_members_is_read_or_refused() {
    check(&Target {
        name: "members",
        corpus: corpus("members.ron"),
        words: vec![
            "fitness: []",
            "origins: []",
            "born: [None]",
            "New",
            "Elite",
            "Mutant",
            "Crossover",
            "members: []",
        ],
        read: read_members,
    });
}

/// Has a champion drawn, written and played.
fn use_champion(run: &SavedRun, generation: u64) -> Result<(), String> {
    let preset = run.saves.run_file(&run.name).expect("it is intact").preset;
    let champion = run
        .saves
        .champion(&run.name, generation)
        .map_err(|error| error.to_string())?;
    let graph = preset.genome.network_graph(&champion.genome);
    let written = [
        export::dot(&graph, "a"),
        export::svg(&graph, "a"),
        export::json(&graph, "a"),
    ];
    assert!(written.iter().all(|text| !text.is_empty()));
    let _ = champion.genome.topology();
    let player = ChampionPlayer::new(preset.player_config(), &champion.genome, &[], None);
    let player = player.map_err(|error| format!("{error:?}"))?;
    let arena = &player.arena;
    let _ = (
        (preset.genome.capabilities().first_layer)
            .map(|known| known.first_layer(&champion.genome, arena.io_spec())),
        arena.accuracy(&player.player),
        arena.decisions(&player.player),
    );
    let inputs = vec![0.5; arena.io_spec().inputs.raw_count()];
    preset
        .genome
        .activations(&champion.genome, arena.io_spec(), &inputs);
    let names = || ["a".to_owned(), "b".to_owned()];
    let players = [
        PlayerRef::Evolved(&player.player),
        PlayerRef::Reference(ReferencePlayer::Random),
    ];
    let record = arena.play_record(players, names(), 1, 0, 0);
    assert!(!record.to_string().is_empty());
    let table = Arc::clone(arena).interactive_game(0);
    let cancel: Arc<dyn CancelToken> = Arc::new(NeverCancel);
    table.evaluate_moves(&player.player, &cancel);
    Ok(())
}

fn read_champion(data: &[u8]) -> String {
    with_sealed(data, "champions/4.ron", |run| {
        let result = words(&use_champion(run, 4));
        format!("{result}; {}", follow(run))
    })
}

#[test]
fn any_champion_is_played_or_refused() {
    let mut all = corpus("champions/4.ron");
    all.extend(corpus("champions/1.ron"));
    check(&Target {
        name: "champion",
        corpus: all,
        words: vec![
            "NaN",
            "inf",
            "-inf",
            "1e38",
            "nodes: []",
            "edges: []",
            "genes: []",
            "layers: []",
            "from: ",
            "to: ",
            "weight: ",
            "bias: ",
            "mlp",
            "graph",
            "table",
        ],
        read: read_champion,
    });
}

fn read_metrics(data: &[u8]) -> String {
    with_file(data, "metrics.csv", |run| {
        let (saves, name) = (&run.saves, run.name.as_str());
        let mut results = vec![list(run)];
        for read in [
            saves.metrics(name),
            saves.latest_metrics(name),
            saves.sampled_metrics(name, 7),
        ] {
            results.push(words(&read));
            if let Ok((columns, rows)) = read {
                let mut history = History::bounded(columns.len(), 8);
                for row in &rows {
                    history.push(row);
                }
                let _ = (
                    history.span(),
                    history.len(),
                    history.max(0),
                    history.last(0),
                );
                for at in [history.start(), history.end(), 3] {
                    let _ = (history.read(0, at), history.bucket_range(at));
                }
            }
        }
        let mut rows = 0;
        results.push(words(&saves.for_each_row(name, |_, _| rows += 1)));
        results.push(follow(run));
        results.push(resume(run));
        let bundle = run.folder.join("bundle");
        results.push(words(&bundle::export(saves, name, &bundle)));
        // An error need not leave a folder behind.
        let _ = fs::remove_dir_all(bundle);
        results.join("; ")
    })
}

#[test]
fn any_metrics_file_is_read_or_refused() {
    check(&Target {
        name: "metrics",
        corpus: corpus("metrics.csv"),
        words: vec![
            "\0\0\0\0",
            "\"",
            "\"\"",
            ",",
            ",,",
            "\n",
            "\r\n",
            "generation",
            "games",
            "seconds",
            "vs_random",
            "1e300",
            "-1",
            "NaN",
            "inf",
            "18446744073709551615",
        ],
        read: read_metrics,
    });
}

/// Has the games of a text drawn and written, and reads them again.
pub(super) fn use_records(arena: &dyn Arena, text: &str) -> String {
    let records = match arena.read_records(text) {
        Ok(records) => records,
        Err(error) => return error.to_string(),
    };
    for record in records.iter().take(3) {
        for ply in [
            0,
            1,
            2,
            record.plies.len(),
            record.plies.len() + 1,
            usize::MAX,
        ] {
            let stages_left = arena.stages(record, ply);
            for (width, height) in [(0, 0), (20, 9), (80, 40)] {
                let moment = RecordMoment { ply, stages_left };
                arena.record_board(record, moment, MaxSize { width, height });
            }
        }
        for ply in record.plies.iter().take(4) {
            let _ = arena.encoded_position(&ply.position);
        }
        let _ = arena.transcript(record, &[]);
        let again = arena.read_records(&record.to_string());
        assert_eq!(again.as_deref(), Ok(std::slice::from_ref(record)));
    }
    format!("{} games", records.len().min(3))
}

fn read_games(data: &[u8]) -> String {
    with_file(data, "games/4.txt", |run| {
        let arena = run.arena();
        let read = run.saves.games_of_generation(&run.name, 4, arena.as_ref());
        let text = fs::read(run.folder.join("games/4.txt")).expect("it was written");
        format!(
            "{}; {}",
            words(&read),
            use_records(arena.as_ref(), &String::from_utf8_lossy(&text))
        )
    })
}

#[test]
fn any_file_of_saved_games_is_read_or_refused() {
    check(&Target {
        name: "games",
        corpus: corpus("games/4.txt"),
        words: vec![
            "      ",
            "g4 v g3",
            " v ",
            " wins",
            "draw",
            "   1. ",
            "   2. ",
            "good",
            "mistake",
            "forced",
            "all equal",
            "illegal",
            "pass",
            "-",
        ],
        read: read_games,
    });
}

fn read_small_file(data: &[u8]) -> String {
    SAVED.with(|runs| {
        let run = &runs[0];
        let speeds = run.folder.parent().expect("it has one").join("speeds.ron");
        let content = sealed(data);
        fs::write(&speeds, content.get(1..).unwrap_or_default()).expect("the folder is writable");
        fs::write(run.folder.join("tags.txt"), data).expect("the folder is writable");
        let read = PresetSpeeds::read(&run.saves, 1);
        let result = format!(
            "{} {:?} {}",
            list(run),
            read.threads,
            read.steady_speeds.len()
        );
        fs::remove_file(speeds).expect("it is there");
        run.restore();
        result
    })
}

#[test]
fn any_file_of_speeds_and_tags_is_read_or_ignored() {
    let text = "x// finches speeds, format 1, written by finches 0.1.0\n(\n threads: 1,\n \
        generations_per_second: {\"nim-2x4\": 12.5, \"blondie\": 0.01},\n)\n";
    check(&Target {
        name: "speeds",
        corpus: vec![text.as_bytes().to_vec(), b"good slow\n".to_vec()],
        words: vec![
            "NaN",
            "inf",
            "0.0",
            "-1.0",
            "format ",
            "finches",
            "\u{1b}[2J",
        ],
        read: read_small_file,
    });
}

/// An experiment of two presets with two runs each.
struct Experiment {
    root: TempDir,
    files: Vec<(PathBuf, Vec<u8>)>,
    ids: Vec<RunId>,
}

thread_local! {
    static EXPERIMENT: Experiment = Experiment::new();
}

impl Experiment {
    fn new() -> Self {
        let root = temporary();
        let presets = RUNS[..1].iter().chain(&RUNS[3..]);
        let presets: Vec<Preset> = presets.map(|&run| small_preset(run)).collect();
        let manifest = Manifest::new(presets, 1, 2).expect("it is sound");
        let folder =
            ExperimentFolder::begin(root.path().to_owned(), manifest, "").expect("it is writable");
        let ids = folder.manifest().run_ids();
        for &id in &ids {
            let preset = folder.manifest().presets[id.preset].clone();
            let mut session =
                Session::new(preset, id.seed, Vec::new(), pool(1)).expect("it is sound");
            let mut writer = folder
                .writer(id, RunPart::WHOLE, (session.columns(), 0))
                .expect("it is writable");
            for _ in 0..4 {
                let row = session
                    .advance(&AtomicBool::new(false))
                    .expect("nothing halts it");
                writer.write_row(&row).expect("it is writable");
            }
            writer.finish(Some(2), None).expect("it is writable");
        }
        drop(folder);
        let files = files_in(root.path());
        Self { root, files, ids }
    }

    fn read(&self) -> Result<(), String> {
        let text = |error: &dyn ToString| error.to_string();
        let folders =
            ExperimentFolder::open(&[self.root.path().to_owned()]).map_err(|e| text(&e))?;
        if folders[0].manifest().runs > 1000 {
            return Ok(());
        }
        let runs = collect(&folders).map_err(|e| text(&e))?;
        let damaged: Vec<String> = runs.damaged.iter().map(ToString::to_string).collect();
        let missing = runs.missing();
        for id in &self.ids {
            let _ = folders[0].rows(*id, RunPart::WHOLE);
        }
        let summary = Summary::of(&runs, None).map_err(|e| text(&e))?;
        let written = [table(&summary), summary.csv(), summary.json()];
        assert!(written.iter().all(|text| !text.is_empty()));
        for unit in [ProgressUnit::Generations, ProgressUnit::Games] {
            let curves = curves(&runs, "mean_turns", unit).map_err(|e| text(&e))?;
            let plot = CurvePlot {
                title: "a",
                x_label: "b",
                y_label: "c",
                is_share: true,
                curves: &curves,
                ..CurvePlot::default()
            };
            svg(&plot).map_err(|e| text(&e))?;
        }
        if damaged.is_empty() && missing.is_empty() {
            return Ok(());
        }
        Err(format!("{} {}", damaged.join(" "), missing.join(" ")))
    }

    fn restore(&self) {
        for (path, _) in files_in(self.root.path()) {
            if !self.files.iter().any(|(known, _)| *known == path) {
                fs::remove_file(path).expect("the folder is writable");
            }
        }
        for (path, content) in &self.files {
            fs::write(path, content).expect("the folder is writable");
        }
    }
}

/// The outcome of a run with its checksum corrected.
fn sealed_outcome(data: &[u8]) -> Vec<u8> {
    let mark = b"  \"checksum\": \"";
    let end = data.windows(mark.len()).rposition(|part| part == mark);
    let body = &data[..end.unwrap_or(data.len())];
    let last = format!("  \"checksum\": \"{:08x}\"\n}}\n", crc32fast::hash(body));
    [body, last.as_bytes()].concat()
}

fn read_experiment(data: &[u8]) -> String {
    let (&first, content) = data.split_first().unwrap_or((&0, &[]));
    EXPERIMENT.with(|experiment| {
        let runs = experiment.root.path().join("runs");
        let name = |ending| runs.join(format!("nim-2x4-1.{ending}"));
        match first % 3 {
            0 => {
                let path = experiment.root.path().join("experiment.ron");
                fs::write(path, &sealed(data)[1..]).expect("it is writable");
            }
            1 => fs::write(name("json"), sealed_outcome(content)).expect("it is writable"),
            _ => {
                fs::write(name("csv"), content).expect("it is writable");
                let text = fs::read_to_string(name("json")).expect("it is there");
                let mut outcome: RunOutcome = serde_json::from_str(&text).expect("it is JSON");
                outcome.rows_checksum = format!("{:08x}", crc32fast::hash(content));
                let text = serde_json::to_string_pretty(&outcome).expect("it can be written");
                let text = format!("{},\n", text.trim_end_matches(['\n', '}']));
                fs::write(name("json"), sealed_outcome(text.as_bytes())).expect("it is writable");
            }
        }
        let result = experiment.read();
        experiment.restore();
        words(&result)
    })
}

#[test]
fn any_file_of_an_experiment_is_read_or_refused() {
    let corpus = EXPERIMENT.with(|experiment| {
        let number = |path: &Path| match path.extension().and_then(|ending| ending.to_str()) {
            Some("ron") => 0,
            Some("json") => 1,
            _ => 2,
        };
        let files = experiment
            .files
            .iter()
            .filter(|(path, _)| path.extension().is_some());
        let all = files.map(|(path, content)| [&[number(path)], &content[..]].concat());
        all.collect()
    });
    check(&Target {
        name: "experiment",
        corpus,
        words: vec![
            "first_seed: ",
            "runs: ",
            "version: ",
            "presets: []",
            "\"reached\": null",
            "\"latest\": {}",
            "\"generations\": ",
            "1e308",
            "generation",
            "mean_turns",
            "games",
            ",,",
        ],
        read: read_experiment,
    });
}
