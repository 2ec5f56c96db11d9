//! `finches practice`: the positions of one's games in which the own move lost the most, as
//! questions. What was answered wrongly comes again on the next day, what was right after more and
//! more days, as in the boxes of Leitner (1972).

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::Args;
use serde::{Deserialize, Serialize};

use finches_engine::games::board::MaxSize;
use finches_engine::games::{GameConfig, NotationError};
use finches_engine::params::key_value;
use finches_engine::play::interactive::InteractiveGame;
use finches_engine::play::pool::Pool;
use finches_engine::play::record::GameRecord;
use finches_engine::text::{counted, escape, percent};
use finches_runs::storage::experiments::{known_text, write_text};

use super::games::{Judge, OpenFile, open, readable};
use super::input::next_line;
use super::{CliError, SavesOption, ThreadsOption, log, output, rules};

/// The games whose positions are added, and how questions are asked.
#[derive(Clone, Debug, Args)]
pub(super) struct PracticeArgs {
    /// Files of games whose positions are added. Without one, what is due is asked.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only moves of players whose names contain this [default: of both sides].
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// The game that is played in the files [default: the one whose rules fit].
    #[arg(long)]
    game: Option<String>,
    /// Change a parameter of the rules, e.g. `--set heaps=[3,5,7]`
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value, requires = "game")]
    parameters: Vec<(String, String)>,
    /// Who judges moves where there is no oracle, as in `finches games --analyze` [default: the
    /// trained champion of the game].
    #[arg(
        long,
        value_name = "PLAYER",
        default_value = "",
        hide_default_value = true
    )]
    judge: String,
    /// How many moves the champion looks ahead.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 6,
        value_parser = clap::value_parser!(u8).range(1..=64),
    )]
    depth: u8,
    /// The most questions in a row.
    #[arg(long, value_name = "N", default_value_t = 20)]
    at_most: usize,
    /// The file of positions [default: practice.json in the folder of saved runs].
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Today in days since 1970, for tests.
    #[arg(long, hide = true)]
    today: Option<u64>,
    #[command(flatten)]
    workers: ThreadsOption,
    #[command(flatten)]
    place: SavesOption,
}

/// What a move must lose to be asked for, and may lose to be right, as a share of a win.
const MISTAKE: f64 = 0.1;
const RIGHT: f64 = 0.02;

/// The room of a board: that of its smallest form.
const ROOM: MaxSize = MaxSize {
    width: 40,
    height: 20,
};

const SECONDS_OF_DAY: u64 = 24 * 60 * 60;

/// The most times that the days until a position comes again double: to 64 days.
const MOST_DOUBLINGS: u32 = 6;

const WORDS: &str = "Type your move, or one of: board, quit.";

/// A position in which a mistake was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PracticePosition {
    /// The name of the game, and the parameters of its rules that are not the usual ones.
    game: String,
    parameters: Vec<(String, String)>,
    /// The position before the move.
    position: String,
    /// The move that lost, and how much of a win.
    played: String,
    loss: f64,
    /// Where it comes from.
    source: String,
    /// How often in a row it has been answered rightly.
    right: u32,
    /// When it is asked next, in days since 1970.
    due: u64,
}

impl PracticePosition {
    fn rules(&self) -> (&str, &[(String, String)]) {
        (&self.game, &self.parameters)
    }

    /// Sets when it comes again after an answer.
    fn answer(&mut self, is_right: bool, today: u64) {
        self.right = if is_right { self.right + 1 } else { 0 };
        self.due = today + (1 << self.right.min(MOST_DOUBLINGS));
    }
}

/// Adds the mistakes in the files, and asks for what is due.
pub(super) fn practice(args: &PracticeArgs) -> Result<(), CliError> {
    log::for_script()?;
    let own = || args.place.open().root().join("practice.json");
    let path = args.positions.clone().unwrap_or_else(own);
    let today = args.today.unwrap_or_else(today);
    let pool = args.workers.pool()?;
    let mut positions = read(&path)?;
    for file in &args.files {
        let found = mistakes(args, file, &pool, today)?;
        let known = |one: &PracticePosition| {
            let mut known = positions.iter();
            known.any(|other| other.position == one.position && other.rules() == one.rules())
        };
        let new: Vec<_> = found.into_iter().filter(|one| !known(one)).collect();
        let count = counted(new.len() as u64, "position");
        output::eprint_line(&format!("{}: {count} to practice", file.display()));
        positions.extend(new);
    }
    if !args.files.is_empty() {
        write(&path, &positions)?;
    }
    let mut due: Vec<usize> = (0..positions.len())
        .filter(|&place| positions[place].due <= today)
        .collect();
    due.sort_by(|&one, &other| positions[other].loss.total_cmp(&positions[one].loss));
    due.truncate(args.at_most);
    let mut questions = Questions {
        args,
        pool: &pool,
        judges: BTreeMap::new(),
    };
    let (input, out) = (&mut io::stdin().lock(), &mut io::stdout().lock());
    let (mut asked, mut right) = (0u64, 0);
    for (number, &place) in (1..).zip(&due) {
        writeln!(out, "\n{number} of {}: {WORDS}", due.len())?;
        let Some(is_right) = questions.ask(&positions[place], input, out)? else {
            break;
        };
        asked += 1;
        right += u64::from(is_right);
        positions[place].answer(is_right, today);
        write(&path, &positions)?;
    }
    let next = positions.iter().map(|one| one.due).min();
    let next = match next.map(|day| day.saturating_sub(today)) {
        None => "there are no positions yet: name files of games".to_owned(),
        Some(0) => "more are due".to_owned(),
        Some(days) => format!("the next is due in {}", counted(days, "day")),
    };
    let told = match asked {
        0 => String::new(),
        asked => format!("{right} of {} right; ", counted(asked, "answer")),
    };
    writeln!(out, "{told}{next}")?;
    Ok(())
}

fn today() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap_or_default().as_secs() / SECONDS_OF_DAY
}

fn read(path: &Path) -> Result<Vec<PracticePosition>, CliError> {
    let text = known_text(path)?;
    if text.is_empty() {
        return Ok(Vec::new());
    }
    serde_json::from_str(&text).map_err(|error| {
        CliError::Failure(format!(
            "{}: is no file of positions to practice: {error}; name another with --positions",
            path.display()
        ))
    })
}

fn write(path: &Path, positions: &[PracticePosition]) -> Result<(), CliError> {
    let text = serde_json::to_string_pretty(positions).expect("text and numbers fit JSON");
    Ok(write_text(path, &(text + "\n"))?)
}

impl PracticeArgs {
    /// The judge of a game with these parameters.
    fn judge(&self, game: &GameConfig, parameters: &[(String, String)]) -> Result<Judge, CliError> {
        let judge = (&*self.judge, self.depth);
        Judge::new(judge, (game, parameters), &self.place.open())
    }

    fn wants(&self, name: &str) -> bool {
        let wanted = self.player.as_ref();
        wanted.is_none_or(|wanted| name.to_lowercase().contains(&wanted.to_lowercase()))
    }
}

/// The mistakes of the wanted players in the games of a file.
fn mistakes(
    args: &PracticeArgs,
    path: &Path,
    pool: &Pool,
    today: u64,
) -> Result<Vec<PracticePosition>, CliError> {
    let rules = (args.game.as_deref(), &args.parameters[..]);
    let file: OpenFile = open(path, rules, |_, _| true)?;
    let judge = args.judge(&file.config, &args.parameters)?;
    let mut found = Vec::new();
    for (number, game) in readable(&file) {
        let place = format!("{}, game {number}", file.name);
        let failed = |error: NotationError| CliError::failure(error.at(&place));
        let record = judge.arena.read_game(&file.file, game).map_err(failed)?;
        let moves = judge.analyze(pool, &record, &|| {}).map_err(failed)?.moves;
        for (ply, (before, analysis)) in (1..).zip(record.plies.iter().zip(moves)) {
            let loss = analysis.loss.filter(|&loss| loss >= MISTAKE);
            let own = args.wants(&record.names[analysis.side.index()]);
            if let Some(loss) = loss.filter(|_| own) {
                found.push(PracticePosition {
                    game: file.config.name().to_owned(),
                    parameters: args.parameters.clone(),
                    position: before.position.clone(),
                    played: analysis.action,
                    loss,
                    source: format!("{place}, move {ply}"),
                    right: 0,
                    due: today,
                });
            }
        }
    }
    Ok(found)
}

/// Asks questions. Each game has its judge.
struct Questions<'a> {
    args: &'a PracticeArgs,
    pool: &'a Pool,
    judges: BTreeMap<(String, Vec<(String, String)>), Judge>,
}

impl Questions<'_> {
    /// Asks for the move in a position; whether it is right. `None` if the user stops.
    fn ask(
        &mut self,
        question: &PracticePosition,
        input: &mut impl BufRead,
        out: &mut impl Write,
    ) -> Result<Option<bool>, CliError> {
        let parameters = &question.parameters;
        let rules = (question.game.clone(), parameters.clone());
        if !self.judges.contains_key(&rules) {
            let game = rules::game(&question.game, parameters)?;
            let judge = self.args.judge(&game, parameters)?;
            self.judges.insert(rules.clone(), judge);
        }
        let judge = &self.judges[&rules];
        let mut game = judge.arena.clone().interactive_game(0);
        let unusable = |error: NotationError| CliError::failure(error.at(&question.source));
        game.set_position(&question.position).map_err(unusable)?;
        print(&game, out)?;
        loop {
            out.flush()?;
            let Some(line) = next_line(input)? else {
                return Ok(None);
            };
            let line = line.unwrap_or_default();
            let text = String::from_utf8_lossy(&line).trim().to_owned();
            match &*text.to_lowercase() {
                "" => continue,
                "quit" | "exit" => return Ok(None),
                "board" => {
                    print(&game, out)?;
                    continue;
                }
                _ => {}
            }
            if let Err(error) = game.play(&text) {
                writeln!(out, "{}", escape(&error.to_string()))?;
                continue;
            }
            return Ok(Some(self.grade(question, judge, &mut game, out)?));
        }
    }

    /// Says what the move that was just made is worth.
    fn grade(
        &self,
        question: &PracticePosition,
        judge: &Judge,
        game: &mut InteractiveGame,
        out: &mut impl Write,
    ) -> Result<bool, CliError> {
        let unusable = |error: NotationError| CliError::failure(error.at(&question.source));
        // The answer to a move is the best of those behind it.
        let next = game.position().legal_moves.first().cloned();
        if let Some(next) = next {
            game.play(&next).map_err(unusable)?;
        }
        let names = ["first", "second"].map(str::to_owned);
        let record = GameRecord {
            names,
            start: question.position.clone(),
            plies: game.history().to_vec(),
            result: None,
        };
        let moves = judge
            .analyze(self.pool, &record, &|| {})
            .map_err(unusable)?
            .moves;
        let Some(made) = moves.first() else {
            return Ok(false);
        };
        let value = made
            .value
            .map_or_else(String::new, |value| format!(" ({})", percent(value)));
        let is_right = made.loss.is_none_or(|loss| loss <= RIGHT);
        if is_right {
            writeln!(out, "Right: {}{value}.", made.action)?;
        } else {
            let best = made.best.first();
            let best = best.map_or_else(String::new, |(action, value)| {
                format!("; {action} is best ({})", percent(*value))
            });
            let reply = moves.get(1).and_then(|reply| reply.best.first());
            let reply = reply.map_or_else(String::new, |(reply, _)| {
                format!(" It is answered by {reply}.")
            });
            writeln!(out, "No: {}{value}{best}.{reply}", made.action)?;
        }
        let (source, played) = (&question.source, &question.played);
        let lost = percent(question.loss);
        let line = format!("In {source}, {played} was played, which lost {lost}.");
        writeln!(out, "{}", escape(&line))?;
        Ok(is_right)
    }
}

/// Prints the board, and whose turn it is.
fn print(game: &InteractiveGame, out: &mut impl Write) -> io::Result<()> {
    write!(out, "{}", board_text(game))?;
    let position = game.position();
    let moves = position.legal_moves.join(" ");
    let side = position.to_move.name();
    writeln!(out, "The {side} player moves. Legal moves: {moves}")
}

/// The board of a game in lines of text, and its position.
pub(super) fn board_text(game: &InteractiveGame) -> String {
    let board = game.board(ROOM);
    let rows = board
        .rows()
        .map(|row| row.iter().map(|cell| cell.plain).collect::<String>());
    let rows = rows.filter(|row| !row.trim().is_empty());
    let rows: String = rows.map(|row| row.trim_end().to_owned() + "\n").collect();
    format!("{rows}Position: {}\n", game.position().text)
}
