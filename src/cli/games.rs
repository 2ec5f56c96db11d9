//! `finches games`: lists, converts and analyzes the games of files that people share.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use indicatif::ProgressBar;
use serde_json::{Value, json};

use finches_engine::games::transcript::{FileFormat, FileGame, annotate, convert, list_by_rules};
use finches_engine::games::{GameConfig, NotationError};
use finches_engine::params::key_value;
use finches_engine::play::game_analysis::{GameAnalysis, MoveAnalysis};
use finches_engine::play::pool::Pool;
use finches_engine::text::{counted, percentage};
use finches_runs::storage::experiments::write_named_text;
use finches_runs::storage::game_judge::{DEPTH, GameJudge};
use finches_runs::storage::game_rules::{GameRules, OpenedGame, by_own_rules};
use finches_runs::storage::games as storage;
use finches_runs::storage::saves::Saves;

use super::headless::bar;
use super::{CliError, SavesOption, ThreadsOption, log, output, rules};

/// The rules of the games in files.
#[derive(Clone, Debug, Args)]
pub(super) struct FileRules {
    /// The game that is played in the files [default: the one whose rules fit].
    #[arg(long)]
    game: Option<String>,
    /// Change a parameter of the rules, e.g. `--set heaps=[3,5,7]`
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value, requires = "game")]
    parameters: Vec<(String, String)>,
}

/// How deep moves are judged.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct DepthOption {
    /// How many moves the champion looks ahead. The last twelve moves of games that can say how
    /// many are left, such as Reversi, are searched to the end.
    #[arg(
        long,
        value_name = "N",
        default_value_t = DEPTH,
        value_parser = clap::value_parser!(u8).range(1..=64),
    )]
    pub(super) depth: u8,
}

/// The files, the games among theirs, and what to do with them.
#[derive(Clone, Debug, Args)]
#[command(mut_arg("depth", |depth| depth.requires("analyze")))]
pub(super) struct GamesArgs {
    /// Files of games.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    rules: FileRules,
    /// Only games of players whose names contain this.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Only games with this result.
    #[arg(long, value_parser = ["1-0", "0-1", "draw", "unfinished"])]
    result: Option<String>,
    /// Only the game of this number.
    #[arg(long, value_name = "N")]
    number: Option<usize>,
    /// Write the games in this format instead of listing them [default with --analyze: pdn].
    #[arg(long, value_name = "FORMAT", value_parser = ["pdn", "transcript", "ggf", "json", "csv"])]
    to: Option<String>,
    /// File to write to [default: standard output]. With --analyze and --to json, games that are
    /// in it already are not analyzed again.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Say of each move what it was worth: by the oracle if there is one, else by a champion, RUN
    /// or RUN:GENERATION, also with @SEARCH as in `finches arena`, or a champion's file [default:
    /// the trained champion of the game].
    ///
    /// Values are shares of a win, on one scale for the whole game. The accuracy of a side is the
    /// mean of exp(-4 loss) over its moves where not all were equal; a loss is the value of the
    /// best move less that of the move. The turning point is the loser's move that lost most for
    /// good.
    #[arg(long, value_name = "PLAYER", num_args = 0..=1, default_missing_value = "")]
    analyze: Option<String>,
    #[command(flatten)]
    depth: DepthOption,
    /// Open the Games screen of the dashboard with the games.
    #[cfg(feature = "dashboard")]
    #[arg(
        long,
        conflicts_with_all = ["parameters", "player", "result", "number", "to", "out", "analyze"],
    )]
    dashboard: bool,
    #[cfg(feature = "dashboard")]
    #[command(flatten)]
    terminal: super::terminal::TerminalOptions,
    #[command(flatten)]
    workers: ThreadsOption,
    #[command(flatten)]
    place: SavesOption,
}

/// The judges of games by their names, one for each set of rules.
pub(super) struct Judges<'a> {
    name: &'a str,
    depth: u8,
    saves: Saves,
    known: Vec<(GameConfig, GameJudge)>,
}

impl<'a> Judges<'a> {
    pub(super) fn new(name: &'a str, depth: DepthOption, place: &SavesOption) -> Self {
        Self {
            name,
            depth: depth.depth,
            saves: place.open(),
            known: Vec::new(),
        }
    }

    /// The judge of a game.
    pub(super) fn of(&mut self, game: &GameConfig) -> Result<&GameJudge, CliError> {
        let known = self.known.iter();
        let mut known = known.map(|(rules, _)| rules);
        let place = known.position(|rules| rules.has_rules_of(game));
        if let Some(place) = place {
            return Ok(&self.known[place].1);
        }
        let judge = GameJudge::new((self.name, self.depth), game, &self.saves)?;
        self.known.push((game.clone(), judge));
        Ok(&self.known[self.known.len() - 1].1)
    }
}

/// Best moves that are written of each position.
const BEST: usize = 3;

/// A result as a word of the command line.
fn result_word(result: Option<i8>) -> &'static str {
    match result {
        None => "unfinished",
        Some(0) => "draw",
        Some(1..) => "1-0",
        Some(_) => "0-1",
    }
}

/// A file with the games in it that are wanted, by their numbers from 1.
pub(super) struct OpenFile {
    pub(super) name: String,
    /// The game that is played in it.
    game: GameConfig,
    games: Vec<(usize, OpenedGame)>,
}

impl OpenFile {
    /// Where a game is, in words.
    pub(super) fn place(&self, number: usize) -> String {
        format!("{}, game {number}", self.name)
    }
}

/// Lists, converts or analyzes the games.
pub(super) fn games(args: &GamesArgs) -> Result<(), CliError> {
    #[cfg(feature = "dashboard")]
    if args.dashboard {
        let first = open(&args.files[0], &args.rules, |_, _| true)?;
        let files = args.files.clone();
        return super::dashboard::games(&first.game, files, &args.place, &args.terminal);
    }
    log::for_script()?;
    let is_wanted = |number, game: &FileGame| is_wanted(args, number, game);
    let mut files = Vec::new();
    for path in &args.files {
        match open(path, &args.rules, is_wanted) {
            Ok(file) => files.push(file),
            // The other files are read all the same.
            Err(CliError::Failure(reason)) => drop(output::report_error(&reason, 1)),
            Err(error) => return Err(error),
        }
    }
    if !files.is_empty() {
        match (&args.analyze, &args.to) {
            (Some(player), _) => analyze_all(args, player, &files),
            (None, None) => files.iter().try_for_each(list),
            (None, Some(format)) => convert_all(args, format, &files),
        }?;
    }
    if !files.is_empty() && files.iter().all(|file| file.games.is_empty()) {
        let message = "no game matches --player, --result or --number";
        return Err(CliError::failure(message));
    }
    rules::all_answered(files.len() == args.files.len())
}

/// Opens a file, and finds out which game is played in it, unless it is named. Games are read by
/// the rules that they state, unless parameters of the rules are given. `is_wanted` chooses games
/// by their numbers from 1.
pub(super) fn open(
    path: &Path,
    rules: &FileRules,
    is_wanted: impl Fn(usize, &FileGame) -> bool,
) -> Result<OpenFile, CliError> {
    let (name, file) = (path.display().to_string(), Arc::new(storage::open(path)?));
    let found = match &rules.game {
        Some(game) => {
            let config = rules::game(game, &rules.parameters)?;
            let games = list_by_rules(&config, &file);
            Some((config, games)).filter(|(_, games)| !games.is_empty())
        }
        None => storage::recognized(&file),
    };
    let (config, games) = found.ok_or_else(|| {
        let has_games = |game: &GameConfig| !list_by_rules(game, &file).is_empty();
        let reason = if rules.game.is_none() && GameConfig::all().iter().any(has_games) {
            "; name the game with --game to see why"
        } else {
            ": it has no move, tag or result"
        };
        CliError::Failure(format!("{name}: no game can be read in it{reason}"))
    })?;
    let usual = GameRules::new(config.clone())?;
    let games = if rules.parameters.is_empty() {
        by_own_rules(&file, &usual, &games)
    } else {
        let games = games.into_iter();
        let by_given = |listed| OpenedGame {
            file: Arc::clone(&file),
            listed,
            rules: Arc::clone(&usual),
        };
        games.map(by_given).collect()
    };
    let numbered = (1..).zip(games);
    let wanted = numbered.filter(|(number, game)| is_wanted(*number, &game.listed));
    Ok(OpenFile {
        games: wanted.collect(),
        name,
        game: config,
    })
}

fn is_wanted(args: &GamesArgs, number: usize, game: &FileGame) -> bool {
    let has = |part: &String| {
        let mut names = game.names.iter().map(|name| name.to_lowercase());
        names.any(|name| name.contains(&part.to_lowercase()))
    };
    args.number.is_none_or(|wanted| wanted == number)
        && args.player.as_ref().is_none_or(has)
        && args
            .result
            .as_ref()
            .is_none_or(|wanted| wanted == result_word(game.result))
}

fn list(open: &OpenFile) -> Result<(), CliError> {
    let players = |game: &FileGame| game.names.join(" vs. ");
    let games = open.games.iter();
    let widths = games.map(|(_, game)| players(&game.listed).chars().count());
    let width = widths.max().unwrap_or(0).min(48);
    let line = |(number, game): &(usize, OpenedGame)| {
        let game = &game.listed;
        let (players, result) = (players(game), result_word(game.result));
        let problem = game.problem.as_deref().unwrap_or_default();
        let moves = game.moves;
        let line = format!("{number:>6}  {players:<width$}  {result:<10} {moves:>5}  {problem}");
        line.trim_end().to_owned() + "\n"
    };
    let games = open.games.iter();
    let bad = games.filter(|(_, game)| game.listed.problem.is_some());
    let bad = match bad.count() {
        0 => String::new(),
        bad => format!(", {bad} can't be read"),
    };
    let count = counted(open.games.len() as u64, "game");
    let (name, game) = (&open.name, open.game.name().replace('_', "-"));
    let lines: String = open.games.iter().map(line).collect();
    output::print(&format!("{name}: {count} of {game}{bad}\n{lines}"))
}

/// The games of a file that can be read. Of the others, why not is said.
pub(super) fn readable(open: &OpenFile) -> impl Iterator<Item = (usize, &OpenedGame)> {
    let tell = |(number, game): &(usize, OpenedGame)| {
        let problem = &game.listed.problem;
        if let Some(problem) = problem {
            output::eprint_line(&format!("{}: {problem}", open.place(*number)));
        }
        problem.is_none()
    };
    let good = open.games.iter().filter(move |game| tell(game));
    good.map(|(number, game)| (*number, game))
}

/// The exit code is 1 if a game can't be read.
fn all_read(files: &[OpenFile]) -> Result<(), CliError> {
    let mut games = files.iter().flat_map(|open| &open.games);
    rules::all_answered(games.all(|(_, game)| game.listed.problem.is_none()))
}

fn convert_all(args: &GamesArgs, format: &str, files: &[OpenFile]) -> Result<(), CliError> {
    let format = match format {
        "transcript" => FileFormat::Line,
        "ggf" => FileFormat::Ggf,
        "json" => FileFormat::Json,
        "csv" => {
            let message = "--to csv has a line for each move with its value; add --analyze";
            return Err(CliError::Usage(message.to_owned()));
        }
        _ => FileFormat::Tagged,
    };
    let mut text = String::new();
    for open in files {
        for (number, game) in readable(open) {
            let written = convert(&game.rules.game, &game.file, &game.listed, format);
            text += &written.map_err(|error| CliError::failure(error.at(open.place(number))))?;
        }
    }
    match &args.out {
        Some(path) => write_named_text(path, &text)?,
        None => output::print_data(&text)?,
    }
    all_read(files)
}

/// A game by its file and number, and the name of its judge.
type FinishedGame = (String, usize, String);

/// Analyzes the games one after the other, each on all threads, and writes each when it is done.
fn analyze_all(args: &GamesArgs, player: &str, files: &[OpenFile]) -> Result<(), CliError> {
    let format = args.to.as_deref().unwrap_or("pdn");
    if matches!(format, "transcript" | "ggf") {
        let message = "an analysis is written as pdn, json or csv; choose one with --to";
        return Err(CliError::Usage(message.to_owned()));
    }
    let done = finished(args, format)?;
    let pool = args.workers.pool()?;
    let games = files.iter().flat_map(|open| &open.games);
    let moves = games.map(|(_, game)| game.listed.moves as u64).sum();
    let bar = bar(moves, 0, "{bar:30} {percent:>3}%  {msg}  {eta}");
    if format == "csv" {
        write(args, CSV_HEAD)?;
    }
    let mut judges = Judges::new(player, args.depth, &args.place);
    for open in files {
        for (number, game) in readable(open) {
            let judge = judges.of(&game.rules.game)?;
            if done.contains(&(open.name.clone(), number, judge.name.clone())) {
                bar.inc(game.listed.moves as u64);
                continue;
            }
            bar.set_message(format!("game {number}"));
            let text = analyzed(open, (number, game), judge, format, (&pool, &bar));
            bar.suspend(|| write(args, &text?))?;
        }
    }
    bar.finish_and_clear();
    all_read(files)
}

/// The games that the output has already, by file, number and judge.
fn finished(args: &GamesArgs, format: &str) -> Result<BTreeSet<FinishedGame>, CliError> {
    let Some(path) = &args.out else {
        return Ok(BTreeSet::new());
    };
    let Some(text) = storage::written(path)? else {
        return Ok(BTreeSet::new());
    };
    if format != "json" {
        let path = path.display();
        let message = format!("{path}: exists; name a new file, or use --to json, which goes on");
        return Err(CliError::Usage(message));
    }
    // A line that was cut off is written again.
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    if whole.len() < text.len() {
        write_named_text(path, whole)?;
    }
    let game = |line: &str| {
        let told: Value = serde_json::from_str(line).ok()?;
        let text = |key: &str| told[key].as_str().map(str::to_owned);
        Some((
            text("file")?,
            told["game"].as_u64()? as usize,
            text("player")?,
        ))
    };
    Ok(whole.lines().filter_map(game).collect())
}

fn write(args: &GamesArgs, text: &str) -> Result<(), CliError> {
    match &args.out {
        Some(path) => Ok(storage::append(path, text)?),
        None => output::print_data(text),
    }
}

/// Analyzes a game, and writes the analysis down.
fn analyzed(
    open: &OpenFile,
    (number, game): (usize, &OpenedGame),
    judge: &GameJudge,
    format: &str,
    (pool, bar): (&Pool, &ProgressBar),
) -> Result<String, CliError> {
    let failed = |error: NotationError| CliError::failure(error.at(open.place(number)));
    let record = game.rules.arena.read_game(&game.file, &game.listed);
    let record = record.map_err(failed)?;
    let analysis = judge.analyze(pool, &record, &|| {
        bar.inc(1);
        true
    });
    let analysis = analysis.map_err(failed)?;
    Ok(match format {
        "json" => json_line(open, number, &game.listed, judge, &analysis),
        "csv" => csv(open, number, &analysis),
        _ => {
            let accuracies = analysis.accuracies.map(|share| match share {
                Some(share) => percentage(share, 1) + "%",
                None => "-".to_owned(),
            });
            let author = format!("{}, accuracy {}", judge.name, accuracies.join(" and "));
            let (comments, rules) = (analysis.comments(), &game.rules.game);
            annotate(rules, &game.file, &game.listed, &author, &comments).map_err(failed)?
        }
    })
}

/// A share with four decimals.
fn rounded(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
}

fn json_line(
    open: &OpenFile,
    number: usize,
    game: &FileGame,
    judge: &GameJudge,
    analysis: &GameAnalysis,
) -> String {
    let of_move = |it: &MoveAnalysis| {
        let best = it
            .best
            .iter()
            .take(BEST)
            .map(|(action, value)| json!([action, rounded(*value)]));
        json!({
            "move": it.action,
            "side": it.side.name(),
            "verdict": Some(it.verdict.word()).filter(|word| !word.is_empty()),
            "value": it.value.map(rounded),
            "best": best.collect::<Vec<Value>>(),
            "loss": it.loss.map(rounded),
        })
    };
    let told = json!({
        "file": open.name,
        "game": number,
        "names": game.names,
        "result": game.result,
        "player": judge.name,
        "turning_point": analysis.turning_point,
        "accuracy": analysis.accuracies.map(|share| share.map(rounded)),
        "moves": analysis.moves.iter().map(of_move).collect::<Vec<Value>>(),
    });
    format!("{told}\n")
}

const CSV_HEAD: &str = "file,game,ply,side,move,verdict,value,best,best_value,loss\n";

fn csv(open: &OpenFile, number: usize, analysis: &GameAnalysis) -> String {
    let file = format!("\"{}\"", open.name.replace('"', "\"\""));
    let share =
        |share: Option<f64>| share.map_or(String::new(), |share| rounded(share).to_string());
    let line = |(ply, it): (usize, &MoveAnalysis)| {
        let best = it.best.first();
        format!(
            "{file},{number},{ply},{},{},{},{},{},{},{}\n",
            it.side.name(),
            it.action,
            it.verdict.word(),
            share(it.value),
            best.map_or("", |(action, _)| action),
            share(best.map(|(_, value)| *value)),
            share(it.loss)
        )
    };
    (1..).zip(&analysis.moves).map(line).collect()
}
