//! `finches engine`: other programs play a saved champion, by JSON Lines or the Go Text Protocol.

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use clap::Args;
use serde::Serialize;

use finches_engine::games::rules::{LineOfPlay, line_as_text};
use finches_engine::games::{GameConfig, NotationError};
use finches_engine::play::interactive::InteractiveGame;
use finches_engine::play::match_setup::ChampionPlayer;
use finches_engine::play::move_evaluations::MoveEvaluations;
use finches_engine::search::queries::{AnswerOptions, answer as follow};
use finches_engine::search::{CancelToken, NeverCancel};
use finches_runs::storage::players::{self, NamedPlayer, PlayerName};

use super::rules::{RulesQuestion, all_answered, each_question};
use super::{CliError, SavesOption};

mod gtp;

/// Options of `finches engine`.
#[derive(Clone, Debug, Args)]
pub(super) struct EngineArgs {
    /// Champion of a saved run: RUN for the latest, or RUN:GENERATION. RUN@alpha-beta-6 or
    /// RUN@monte-carlo-300 plays it with another search.
    #[arg(value_name = "RUN")]
    player: String,
    /// Generation of the champion [default: the latest].
    #[arg(long, value_name = "G")]
    generation: Option<u64>,
    /// Use the Go Text Protocol, version 2 (Reversi only).
    #[arg(long)]
    gtp: bool,
    #[command(flatten)]
    saves: SavesOption,
}

/// Answers until the end of the input.
pub(super) fn answer(args: &EngineArgs) -> Result<(), CliError> {
    let saves = args.saves.open();
    let mut name = PlayerName::parse(&args.player, &saves);
    match &mut name.player {
        NamedPlayer::Champion { generation, .. } => *generation = args.generation.or(*generation),
        NamedPlayer::Outside | NamedPlayer::Reference(_) => {}
    }
    let champion = players::champion(&name, &[], &saves)?;
    let (input, out) = (io::stdin().lock(), io::stdout().lock());
    if !args.gtp {
        return all_answered(serve_json(&champion, input, out)?);
    }
    if !matches!(champion.game, GameConfig::Reversi(_)) {
        return Err(CliError::Usage(format!(
            "{} plays {}, but --gtp supports reversi only; leave it out to use JSON Lines",
            args.player,
            champion.game.name()
        )));
    }
    Ok(serve_gtp(champion, input, out)?)
}

/// Answers every line of an input in JSON. Returns whether all lines were valid.
pub fn serve_json(
    champion: &ChampionPlayer,
    input: impl BufRead,
    out: impl Write,
) -> io::Result<bool> {
    each_question(input, out, |question| reply(champion, question))
}

/// Answers the commands of an input in the Go Text Protocol. The champion plays Reversi.
pub fn serve_gtp(champion: ChampionPlayer, input: impl BufRead, out: impl Write) -> io::Result<()> {
    gtp::GtpEngine::new(champion).serve(input, out)
}

/// A champion's answer to a position.
#[derive(Debug, Serialize)]
struct Reply {
    /// None if the game is over or the champion's move is illegal.
    r#move: Option<String>,
    /// The champion's score of the move; the scale depends on the agent.
    value: Option<f32>,
    /// The moves so far, including the champion's, in the game's notation.
    record: Option<String>,
    /// The position after the champion's move.
    position: String,
    result: Option<i8>,
}

fn reply(champion: &ChampionPlayer, question: &RulesQuestion) -> Result<Reply, NotationError> {
    let game = &champion.game;
    let (start, mut moves) = line_as_text(game, question.start.as_deref(), question.line()?)?;
    let mut table = Arc::clone(&champion.arena).interactive_game(0);
    table.set_position(&start)?;
    moves.iter().try_for_each(|word| table.play(word))?;
    let evaluations = evaluate_moves(champion, &table);
    moves.extend(evaluations.chosen.clone());
    let extras = AnswerOptions {
        record: true,
        ..AnswerOptions::default()
    };
    let after = follow(game, Some(&start), LineOfPlay::Moves(&moves), extras)?;
    Ok(Reply {
        value: value(&evaluations),
        r#move: evaluations.chosen,
        record: after.record,
        position: after.position,
        result: after.result,
    })
}

/// The champion's analysis of a position, without a time limit.
fn evaluate_moves(champion: &ChampionPlayer, table: &InteractiveGame) -> MoveEvaluations {
    let cancel: Arc<dyn CancelToken> = Arc::new(NeverCancel);
    table.evaluate_moves(&champion.player, &cancel)
}

/// The champion's score of its move.
fn value(evaluations: &MoveEvaluations) -> Option<f32> {
    let wanted = evaluations.chosen.as_ref()?;
    let mut scores = evaluations.scores.iter();
    let found = scores.find(|(word, _)| word == wanted);
    found.map(|&(_, value)| value)
}
