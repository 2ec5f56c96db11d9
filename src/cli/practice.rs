//! `finches practice`: the positions of one's games in which the own move lost the most, as
//! questions.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use finches_engine::games::board::MaxSize;
use finches_engine::games::{GameConfig, NotationError};
use finches_engine::play::interactive::InteractiveGame;
use finches_engine::play::pool::Pool;
use finches_engine::text::{counted, escape};
use finches_runs::storage::game_judge::GameJudge;
use finches_runs::storage::practice::{self, PracticeFile, PracticePosition};

use super::games::{DepthOption, FileRules, open, readable};
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
    #[command(flatten)]
    rules: FileRules,
    /// Who judges moves where there is no oracle, as in `finches games --analyze` [default: the
    /// trained champion of the game].
    #[arg(
        long,
        value_name = "PLAYER",
        default_value = "",
        hide_default_value = true
    )]
    judge: String,
    #[command(flatten)]
    depth: DepthOption,
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

/// The room of a board: that of its smallest form.
const ROOM: MaxSize = MaxSize {
    width: 40,
    height: 20,
};

const WORDS: &str = "Type your move, or one of: board, quit.";

/// Adds the mistakes in the files, and asks for what is due.
pub(super) fn practice(args: &PracticeArgs) -> Result<(), CliError> {
    log::for_script()?;
    let mut file = match &args.positions {
        Some(path) => PracticeFile::open(path.clone())?,
        None => PracticeFile::of(&args.place.open())?,
    };
    let today = args.today.unwrap_or_else(practice::today);
    let pool = args.workers.pool()?;
    for path in &args.files {
        let count = file.add(mistakes(args, path, &pool)?)?;
        let count = counted(count as u64, "position");
        output::eprint_line(&format!("{}: {count} to practice", path.display()));
    }
    let due = file.due(today).into_iter().take(args.at_most);
    let due: Vec<PracticePosition> = due.collect();
    let mut questions = Questions {
        args,
        pool: &pool,
        judges: BTreeMap::new(),
    };
    let (input, out) = (&mut io::stdin().lock(), &mut io::stdout().lock());
    let (mut asked, mut right) = (0, 0);
    for (number, question) in (1..).zip(&due) {
        writeln!(out, "\n{number} of {}: {WORDS}", due.len())?;
        let Some(is_right) = questions.ask(question, input, out)? else {
            break;
        };
        asked += 1;
        right += u64::from(is_right);
        file.answer(question, is_right, today)?;
    }
    writeln!(out, "{}", file.summary((right, asked), today))?;
    Ok(())
}

impl PracticeArgs {
    /// The judge of a game.
    fn judge(&self, game: &GameConfig) -> Result<GameJudge, CliError> {
        let judge = (&*self.judge, self.depth.depth);
        Ok(GameJudge::new(judge, game, &self.place.open())?)
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
) -> Result<Vec<PracticePosition>, CliError> {
    let file = open(path, &args.rules, |_, _| true)?;
    let judge = args.judge(&file.config)?;
    let mut found = Vec::new();
    for (number, game) in readable(&file) {
        let place = format!("{}, game {number}", file.name);
        let failed = |error: NotationError| CliError::failure(error.at(&place));
        let record = judge.arena.read_game(&file.file, game).map_err(failed)?;
        let analysis = judge.analyze(pool, &record, &|| true).map_err(failed)?;
        let wants = |name: &str| args.wants(name);
        found.extend(practice::mistakes(
            &judge, &record, &analysis, &place, wants,
        ));
    }
    Ok(found)
}

/// Asks questions. Each game has its judge.
struct Questions<'a> {
    args: &'a PracticeArgs,
    pool: &'a Pool,
    judges: BTreeMap<(String, Vec<(String, String)>), GameJudge>,
}

impl Questions<'_> {
    /// Asks for the move in a position; whether it is right. `None` if the user stops.
    fn ask(
        &mut self,
        question: &PracticePosition,
        input: &mut impl BufRead,
        out: &mut impl Write,
    ) -> Result<Option<bool>, CliError> {
        let rules = (question.game.clone(), question.parameters.clone());
        if !self.judges.contains_key(&rules) {
            let game = rules::game(&rules.0, &rules.1)?;
            self.judges.insert(rules.clone(), self.args.judge(&game)?);
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
            match question.grade(&text, judge, self.pool) {
                Err(error) => writeln!(out, "{}", escape(&error.to_string()))?,
                Ok(answer) => {
                    writeln!(out, "{}\n{}", answer.words, escape(&answer.solution))?;
                    return Ok(Some(answer.is_right));
                }
            }
        }
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
