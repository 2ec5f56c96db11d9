//! `finches play --plain`: a game against a champion as lines of text, for screen readers, pipes
//! and terminals that can't draw. It prints positions and values, and reads moves and a few words.

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use finches_dashboard::PlaySetup;
use finches_engine::agents::AgentConfig;
use finches_engine::games::Side;
use finches_engine::play;
use finches_engine::play::interactive::InteractiveGame;
use finches_engine::play::levels::Level;
use finches_engine::play::move_evaluations::MoveEvaluations;
use finches_engine::play::phenotype::Phenotype;
use finches_engine::search::{CancelToken, NeverCancel};
use finches_engine::text::{escape, short};
use finches_runs::storage::players::{champion_name, latest_champion};
use finches_runs::storage::saves::Saves;

use super::input::next_text;
use super::practice::board_text;
use super::{CliError, log};

const WORDS: &str = "Type a move, or one of: board, values, undo, new, swap, quit.";

/// A game between the reader and a champion.
struct PlainGame {
    game: InteractiveGame,
    champion: Phenotype,
    human: Side,
    /// Games begun, this one excluded.
    number: u64,
}

/// Plays against a champion of a saved run until the input ends.
pub(super) fn play(run: &str, setup: PlaySetup, saves: &Saves) -> Result<(), CliError> {
    log::for_script()?;
    let file = saves.run_file(run)?;
    let preset = &file.preset;
    let agent = match setup.level.and_then(Level::numbered) {
        None => preset.agent.clone(),
        Some(level) => match &preset.agent {
            AgentConfig::OnePly(_) | AgentConfig::AlphaBeta(_) | AgentConfig::MonteCarlo(_) => {
                level.agent(&preset.game)
            }
            _ => {
                let message = "moves without search, so it has no levels; leave --level out";
                return Err(CliError::Usage(format!("{run}: its champion {message}")));
            }
        },
    };
    let arena = play::build(&preset.game, &agent).map_err(CliError::usage)?;
    let generation = match setup.generation {
        Some(generation) => generation,
        None => latest_champion(run, saves)?,
    };
    let genome = saves.champion(run, generation)?.genome;
    let champion = Phenotype::grown(&preset.genome, arena.io_spec(), &genome);
    let mut out = io::stdout().lock();
    let name = champion_name(run, generation);
    writeln!(out, "You play against {}.\n{WORDS}", escape(&name))?;
    let game = arena.interactive_game(file.seed);
    // The side that can win, if the oracle knows it.
    let winner = match game.position().best_result {
        Some(..=-1) => Side::Second,
        _ => Side::First,
    };
    let mut game = PlainGame {
        game,
        champion,
        human: setup.side.unwrap_or(winner),
        number: 0,
    };
    game.converse(&mut io::stdin().lock(), &mut out)?;
    Ok(())
}

impl PlainGame {
    fn converse(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> io::Result<()> {
        self.begin(out)?;
        loop {
            out.flush()?;
            let Some(text) = next_text(input)? else {
                return Ok(());
            };
            match &*text.to_lowercase() {
                "" => {}
                "quit" | "exit" => return Ok(()),
                "board" => self.print_board(out)?,
                "values" => self.print_values(out)?,
                "undo" => self.undo(out)?,
                "new" => self.restart(out)?,
                "swap" => {
                    self.human = self.human.opponent();
                    self.restart(out)?;
                }
                "help" | "?" => writeln!(out, "{WORDS}")?,
                _ => self.play(&text, out)?,
            }
        }
    }

    /// Begins the game: the champion moves first, if the reader is second.
    fn begin(&mut self, out: &mut impl Write) -> io::Result<()> {
        let words = match self.human {
            Side::First => "You move first.",
            Side::Second => "The champion moves first.",
        };
        writeln!(out, "{words}")?;
        self.print_board(out)?;
        self.answer(out)
    }

    fn restart(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.number += 1;
        self.game.restart(self.number);
        writeln!(out, "A new game.")?;
        self.begin(out)
    }

    /// Makes the reader's move, and the champion's in return.
    fn play(&mut self, text: &str, out: &mut impl Write) -> io::Result<()> {
        if self.game.position().result.is_some() {
            return writeln!(out, "The game is over. Type new, undo or quit.");
        }
        if let Err(error) = self.game.play(text) {
            writeln!(out, "{}", escape(&error.to_string()))?;
            return self.print_turn(out);
        }
        self.answer(out)
    }

    /// Makes the champion's moves until it is the reader's turn or the game is over.
    fn answer(&mut self, out: &mut impl Write) -> io::Result<()> {
        let mut has_moved = false;
        while self.game.position().result.is_none() && self.game.position().to_move != self.human {
            has_moved = true;
            let chosen = self.evaluations().chosen;
            if let Some(chosen) = chosen.filter(|chosen| self.game.play(chosen).is_ok()) {
                writeln!(out, "The champion plays {chosen}.")?;
            } else {
                self.game.forfeit();
                writeln!(out, "The champion chose an illegal move, which loses.")?;
            }
        }
        if has_moved {
            self.print_board(out)?;
        }
        self.print_turn(out)
    }

    fn undo(&mut self, out: &mut impl Write) -> io::Result<()> {
        let own = |it: &Self| it.game.position().to_move == it.human;
        let mut moves = self.game.history().iter();
        if !moves.any(|ply| ply.side == self.human) {
            return writeln!(out, "You have made no move.");
        }
        while self.game.undo() && !own(self) {}
        self.print_board(out)?;
        self.print_turn(out)
    }

    fn evaluations(&self) -> MoveEvaluations {
        let cancel: Arc<dyn CancelToken> = Arc::new(NeverCancel);
        self.game.evaluate_moves(&self.champion, &cancel)
    }

    fn print_board(&self, out: &mut impl Write) -> io::Result<()> {
        write!(out, "{}", board_text(&self.game))
    }

    /// Whose turn it is and what moves there are, or how the game has ended.
    fn print_turn(&self, out: &mut impl Write) -> io::Result<()> {
        let position = self.game.position();
        let Some(result) = position.result else {
            let limit = position
                .obligation
                .map_or(String::new(), |it| format!(": {it}"));
            let moves = position.legal_moves.join(" ");
            return writeln!(out, "Your turn{limit}. Legal moves: {moves}");
        };
        let words = match self.human.result(result) {
            0 => "A draw",
            1.. => "You win",
            _ => "The champion wins",
        };
        let [first, second] = position.points;
        let points = if first.max(second) > 1 {
            format!(" {} to {}", first.max(second), first.min(second))
        } else {
            String::new()
        };
        writeln!(out, "{words}{points}. Type new, undo or quit.")
    }

    /// The champion's values of the legal moves, the best first.
    fn print_values(&self, out: &mut impl Write) -> io::Result<()> {
        let values = self.evaluations().best_first().scores;
        let finite = values.iter().filter(|(_, value)| value.is_finite());
        let values = finite.map(|(text, value)| format!("{text} {}", short(f64::from(*value))));
        let values: Vec<String> = values.collect();
        match &values[..] {
            [] => writeln!(out, "The champion has no values of these moves."),
            values => writeln!(out, "The champion's values: {}", values.join(", ")),
        }
    }
}
