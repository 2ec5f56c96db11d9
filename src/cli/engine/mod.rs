//! `finches engine`: a saved champion answers other programs, position by position. How it speaks to those of Reversi is a file of its own.

use std::io;
use std::sync::Arc;

use clap::Args;
use serde::Serialize;

use crate::arena::table::{Table, Thoughts};
use crate::games::GameConfig;
use crate::games::rules::{Extras, Line, answer as follow, spelled};
use crate::games::search::{Hurry, NoHurry};
use crate::tournament::name::{Name, Who};
use crate::tournament::seats::{Champion, nobody};

use super::rules::{Question, each_question};
use super::{Place, Stop};

mod gtp;

/// Whose champion answers, and how it is spoken to.
#[derive(Clone, Debug, Args)]
pub(super) struct Ask {
    /// The champion of a saved run: RUN, the latest, or RUN:GENERATION; RUN@alpha-beta-6 or RUN@monte-carlo-300 searches otherwise
    /// than in its run.
    #[arg(value_name = "RUN")]
    player: String,
    /// The generation whose champion answers; the latest without it.
    #[arg(long, value_name = "G")]
    generation: Option<u64>,
    /// Speak the Go Text Protocol, version 2, as programs that play Reversi do.
    #[arg(long)]
    gtp: bool,
    #[command(flatten)]
    place: Place,
}

/// Answers until there is nothing more to read.
pub(super) fn answer(ask: &Ask) -> Result<(), Stop> {
    let saves = ask.place.open();
    let mut name = Name::parse(&ask.player, &saves);
    match &mut name.who {
        Who::Champion { generation, .. } => *generation = ask.generation.or(*generation),
        Who::Reference(player) => {
            // A run that is not there is told with those that are.
            return match saves.run_file(player) {
                Err(error) => Err(error.into()),
                Ok(_) => Err(nobody(player, &saves).into()),
            };
        }
    }
    let champion = Champion::saved(&name, &[], &saves)?;
    if !ask.gtp {
        return each_question(|question| reply(&champion, question));
    }
    if !matches!(champion.game, GameConfig::Reversi(_)) {
        return Err(Stop::Usage(format!(
            "{} plays {}, but --gtp is spoken for reversi alone; leave it out for JSON Lines",
            ask.player,
            champion.game.name()
        )));
    }
    let mut engine = gtp::Engine::new(champion);
    Ok(engine.serve(io::stdin().lock(), io::stdout().lock())?)
}

/// What a champion does in a position.
#[derive(Debug, Serialize)]
struct Reply {
    /// None where the game is over, or where it wants a move that is not legal.
    r#move: Option<String>,
    /// What it holds of the move, on a scale of its own.
    value: Option<f32>,
    /// The line of play with its move.
    record: Option<String>,
    /// Where that leads.
    position: String,
    result: Option<i8>,
}

fn reply(champion: &Champion, question: &Question) -> Result<Reply, String> {
    let game = &champion.game;
    let (start, mut moves) = spelled(game, question.start.as_deref(), question.line()?)?;
    let mut table = Arc::clone(&champion.arena).table(0);
    table.set_up(&start)?;
    moves.iter().try_for_each(|word| table.play(word))?;
    let thoughts = think(champion, table.as_ref());
    moves.extend(thoughts.wanted.clone());
    let extras = Extras {
        record: true,
        ..Extras::default()
    };
    let after = follow(game, Some(&start), Line::Moves(&moves), extras)?;
    Ok(Reply {
        value: value(&thoughts),
        r#move: thoughts.wanted,
        record: after.record,
        position: after.position,
        result: after.result,
    })
}

/// What a champion makes of a position, however long it takes.
fn think(champion: &Champion, table: &dyn Table) -> Thoughts {
    let hurry: Arc<dyn Hurry> = Arc::new(NoHurry);
    table.think(champion.player.brain(), &hurry)
}

/// What it holds of the move it wants.
fn value(thoughts: &Thoughts) -> Option<f32> {
    let wanted = thoughts.wanted.as_ref()?;
    let mut opinions = thoughts.opinions.iter();
    let found = opinions.find(|(word, _)| word == wanted);
    found.map(|&(_, value)| value)
}
