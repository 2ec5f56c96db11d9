//! `finches practice`: the positions of one's games in which the own move lost the most, as
//! questions.

use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use finches_engine::games::NotationError;
use finches_engine::games::board::MaxSize;
use finches_engine::play::interactive::InteractiveGame;
use finches_engine::play::pool::Pool;
use finches_engine::text::{counted, escape};
use finches_runs::storage::practice::{self, PracticeFile, PracticePosition};

use super::games::{DepthOption, FileRules, Judges, open, readable};
use super::input::next_text;
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

/// After a wrong move, which counts.
const AGAIN: &str = "Try again, or type next to see the best move.";

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
        judges: args.judges(),
        pool: &pool,
        file,
        today,
        answers: (0, 0),
    };
    let (input, out) = (&mut io::stdin().lock(), &mut io::stdout().lock());
    for (number, question) in (1..).zip(&due) {
        writeln!(out, "\n{number} of {}: {WORDS}", due.len())?;
        if !questions.ask(question, input, out)? {
            break;
        }
    }
    let Questions { file, answers, .. } = questions;
    writeln!(out, "{}", file.summary(answers, today))?;
    Ok(())
}

impl PracticeArgs {
    fn judges(&self) -> Judges<'_> {
        Judges::new(&self.judge, self.depth, &self.place)
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
    let mut judges = args.judges();
    let mut found = Vec::new();
    for (number, game) in readable(&file) {
        let source = file.place(number);
        let failed = |error: NotationError| CliError::failure(error.at(&source));
        let judge = judges.of(&game.rules.game)?;
        let record = judge.arena.read_game(&game.file, &game.listed);
        let record = record.map_err(failed)?;
        let analysis = judge.analyze(pool, &record, &|| true).map_err(failed)?;
        let wants = |name: &str| args.wants(name);
        found.extend(practice::mistakes(
            judge, &record, &analysis, &source, wants,
        ));
    }
    Ok(found)
}

/// Asks questions.
struct Questions<'a> {
    judges: Judges<'a>,
    pool: &'a Pool,
    file: PracticeFile,
    today: u64,
    /// The right answers, and all.
    answers: (u64, u64),
}

impl Questions<'_> {
    /// Asks for the move in a position until it is right or the user wants the next one. Stores
    /// the first answer. Whether the user goes on.
    fn ask(
        &mut self,
        question: &PracticePosition,
        input: &mut impl BufRead,
        out: &mut impl Write,
    ) -> Result<bool, CliError> {
        let rules = rules::game(&question.game, &question.parameters)?;
        let judge = self.judges.of(&rules)?;
        let mut game = judge.arena.clone().interactive_game(0);
        let unusable = |error: NotationError| CliError::failure(error.at(&question.source));
        game.set_position(&question.position).map_err(unusable)?;
        print(&game, out)?;
        // What to show to a user who gives up after a wrong answer.
        let mut solution: Option<String> = None;
        loop {
            out.flush()?;
            let Some(text) = next_text(input)? else {
                return Ok(false);
            };
            match (&*text.to_lowercase(), &solution) {
                ("", _) => continue,
                ("quit" | "exit", _) => return Ok(false),
                ("board", _) => {
                    print(&game, out)?;
                    continue;
                }
                ("next", Some(solution)) => {
                    writeln!(out, "{}", escape(solution))?;
                    return Ok(true);
                }
                _ => {}
            }
            let answer = match question.grade(&text, judge, self.pool) {
                Ok(answer) => answer,
                Err(error) => {
                    writeln!(out, "{}", escape(&error.to_string()))?;
                    continue;
                }
            };
            if solution.is_none() {
                self.file.answer(question, answer.is_right, self.today)?;
                self.answers.0 += u64::from(answer.is_right);
                self.answers.1 += 1;
            }
            writeln!(out, "{}", answer.words)?;
            if answer.is_right {
                writeln!(out, "{}", escape(&answer.solution))?;
                return Ok(true);
            }
            writeln!(out, "{AGAIN}")?;
            solution = Some(answer.solution);
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
