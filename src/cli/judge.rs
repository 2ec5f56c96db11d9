//! `finches judge`: the share of positions that can be won in which the moves of champions win.

use std::sync::Arc;

use clap::Args;
use serde::Serialize;

use finches_engine::params::key_value;
use finches_engine::play::Arena;
use finches_engine::play::match_setup::PlayerError;
use finches_engine::play::player::PlayerRef;
use finches_engine::play::pool::Pool;
use finches_engine::text::percentage;
use finches_runs::storage::players::{PlayerName, champion};
use finches_runs::storage::saves::Saves;

use super::{CliError, SavesOption, ThreadsOption, log, output};

/// The champions and the positions.
#[derive(Clone, Debug, Args)]
pub(super) struct JudgeArgs {
    /// Champions in Nim or bounded Nim: RUN, the latest, or RUN:GENERATION, also champion-nim and
    /// champion-bounded-nim, which come with the program.
    #[arg(required = true, value_name = "RUN")]
    champions: Vec<String>,
    /// Change a parameter of the rules, such as `heaps=[15,15,15]`: networks that fit any board are
    /// judged on one that they never saw.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    parameters: Vec<(String, String)>,
    /// All positions of the game if there are no more, otherwise so many random ones, always the
    /// same. Those that can't be won are left out. A million take about 120 MB of memory.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 20_000,
        value_parser = clap::value_parser!(u32).range(1..=10_000_000),
    )]
    positions: u32,
    #[command(flatten)]
    workers: ThreadsOption,
    /// Print one JSON object per champion.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: SavesOption,
}

/// What a champion is worth.
#[derive(Serialize)]
struct Judgment<'a> {
    player: &'a str,
    /// The number of positions that can be won.
    positions: usize,
    /// Whether they are all of the game.
    all: bool,
    share: f64,
    /// Simple players with their shares.
    baselines: Vec<(String, f64)>,
}

/// Judges the champions and prints their shares.
pub(super) fn judge(args: &JudgeArgs) -> Result<(), CliError> {
    log::for_script()?;
    let (saves, pool) = (args.place.open(), args.workers.pool()?);
    for name in &args.champions {
        let judgment = judge_one(args, name, &saves, &pool)?;
        if args.json {
            let json = serde_json::to_string(&judgment).expect("text and numbers fit JSON");
            output::print_json(&(json + "\n"))?;
        } else {
            output::print(&judgment.text())?;
        }
    }
    Ok(())
}

fn judge_one<'a>(
    args: &JudgeArgs,
    name: &'a str,
    saves: &Saves,
    pool: &Pool,
) -> Result<Judgment<'a>, CliError> {
    let champion = champion(&PlayerName::parse(name, saves), &args.parameters, saves)?;
    let arena: Arc<dyn Arena> = champion.arena;
    let player = PlayerRef::Evolved(&champion.player);
    let share = arena.share_won(pool, player, args.positions);
    let share = share.ok_or_else(|| {
        let advice = match champion.game.name() {
            "nim" => "choose a smaller board with --set",
            _ => "only those of nim and bounded-nim are",
        };
        let message = format!("the positions that can be won are not known; {advice}");
        PlayerError::Usage(message).with_name(name)
    })?;
    Ok(Judgment {
        player: name,
        positions: arena.judged_count(args.positions),
        all: arena.judges_all(args.positions),
        share,
        baselines: arena.judged_baselines(args.positions),
    })
}

impl Judgment<'_> {
    fn text(&self) -> String {
        let own = (self.player.to_owned(), self.share);
        let rows = [own].into_iter().chain(self.baselines.iter().cloned());
        let width = self.baselines.iter().map(|(name, _)| name.len()).max();
        let width = width.unwrap_or(0).max(self.player.len());
        let rows = rows.map(|(name, share)| format!("{name:<width$}  {}\n", shown(share)));
        let rows: Vec<String> = rows.collect();
        let which = if self.all { "all" } else { "a sample of" };
        format!(
            "share of {which} positions that can be won ({}) in which the move wins\n{rows}",
            self.positions,
            rows = rows.concat()
        )
    }
}

/// A share in percent. Only a whole one is 100%.
fn shown(share: f64) -> String {
    if share < 1.0 {
        percentage((share * 1e4).floor() / 1e4, 2) + "%"
    } else {
        "100%".to_owned()
    }
}
