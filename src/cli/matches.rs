//! Matches between players by name, outside programs among them: what several commands share.

use std::process;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;
use std::time::Duration;

use clap::Args;

use finches_engine::contest::GameResult;
use finches_engine::outside::{DEFAULT_MOVE_TIME, end_all};
use finches_engine::params::key_value;
use finches_engine::play::forfeits::{ForfeitedGame, broken_player, forfeited_games};
use finches_engine::play::match_setup::{MatchSetup, PlayerError};
use finches_engine::play::matches::{Match, MatchConditions, MatchPlayer};
use finches_engine::play::pool::Pool;
use finches_runs::signals::{SIGHUP, SIGINT, SIGTERM, Signals};
use finches_runs::storage::players::{NamedPlayer, PlayerName, match_player};
use finches_runs::storage::saves::Saves;

use super::limits::move_seconds;
use super::{CliError, SavesOption, ThreadsOption};

/// The time limit of outside programs.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct MoveTimeOption {
    /// Time of an outside program for a move, in seconds. A program that takes longer loses the
    /// game.
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = DEFAULT_MOVE_TIME.as_secs_f64(),
        value_parser = move_seconds,
    )]
    move_time: f64,
}

impl MoveTimeOption {
    pub(super) fn duration(self) -> Duration {
        Duration::from_secs_f64(self.move_time)
    }
}

/// Options of commands that play games between players.
#[derive(Clone, Debug, Args)]
pub(super) struct PlayOptions {
    /// The seed of start positions and random moves.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(super) seed: u64,
    #[command(flatten)]
    pub(super) move_time: MoveTimeOption,
    #[command(flatten)]
    pub(super) workers: ThreadsOption,
    /// Print JSON.
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) place: SavesOption,
}

/// Options of commands that may change the rules and play random moves.
#[derive(Clone, Debug, Args)]
pub(super) struct ConditionOptions {
    /// Change a parameter of the rules for all players, such as `most_moves=0`. Champions keep the
    /// board encoding of their run.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    pub(super) parameters: Vec<(String, String)>,
    /// The share of random moves, from 0 to 1, for both sides. With 0, deterministic players always
    /// play the same game from the same start position.
    #[arg(long, value_name = "P", default_value_t = 0.0, value_parser = share)]
    pub(super) noise: f64,
    #[command(flatten)]
    pub(super) play: PlayOptions,
}

impl ConditionOptions {
    /// The conditions of the games.
    pub(super) fn conditions(&self) -> MatchConditions<'static> {
        MatchConditions {
            noise: self.noise,
            ..MatchConditions::new(self.play.seed)
        }
    }
}

/// Reads a share.
fn share(text: &str) -> Result<f64, String> {
    let share = text
        .parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("`{text}` is not a number from 0 to 1"))
}

/// Players that are ready for matches, with their names.
pub(super) struct NamedPlayers<'a> {
    setup: &'a MatchSetup,
    names: Vec<String>,
    players: Vec<MatchPlayer>,
}

impl<'a> NamedPlayers<'a> {
    /// Makes the players. If there are outside programs among them, a signal ends these too.
    pub(super) fn new(
        setup: &'a MatchSetup,
        names: &[PlayerName],
        saves: &Saves,
        move_time: MoveTimeOption,
    ) -> Result<Self, CliError> {
        if names.iter().any(|name| name.player == NamedPlayer::Outside) {
            end_programs_on_signal()?;
        }
        let player = |name| match_player(setup, name, saves, move_time.duration());
        let players = names.iter().map(player);
        Ok(Self {
            setup,
            names: names.iter().map(|name| name.text.clone()).collect(),
            players: players.collect::<Result<_, _>>()?,
        })
    }

    /// Checks that a player can take part.
    pub(super) fn check(
        setup: &MatchSetup,
        name: &PlayerName,
        saves: &Saves,
        move_time: MoveTimeOption,
    ) -> Result<(), PlayerError> {
        match_player(setup, name, saves, move_time.duration()).map(drop)
    }

    /// Plays matches without a halt flag. Fails if an outside program fails too often in a row.
    pub(super) fn play(
        &self,
        pool: &Pool,
        matches: &[Match],
        conditions: &MatchConditions<'_>,
    ) -> Result<Vec<GameResult>, CliError> {
        let played = self
            .setup
            .play_matches(pool, &self.players, matches, conditions);
        played.ok_or_else(|| {
            let broken = broken_player(&self.players, matches, &self.names);
            CliError::Failure(broken.expect("only a broken player halts these matches"))
        })
    }

    /// The games that outside programs lost because they failed.
    pub(super) fn forfeits(&self, matches: &[Match]) -> Vec<ForfeitedGame> {
        forfeited_games(&self.players, matches)
    }
}

/// The exit code of the signal that ends this program; 0 before one arrives.
static ENDED_BY: AtomicU8 = AtomicU8::new(0);

/// The exit code of this program. Matches whose outside programs were ended by a signal may be over
/// before the signal ends this one.
pub(super) fn exit_code(code: u8) -> u8 {
    match ENDED_BY.load(Ordering::SeqCst) {
        0 => code,
        by_signal => by_signal,
    }
}

/// Ends the outside programs, and then this one, when a signal arrives.
fn end_programs_on_signal() -> Result<(), CliError> {
    let mut caught = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let wait = move || {
        if let Some(signal) = caught.forever().next() {
            let code = 128 + signal;
            ENDED_BY.store(code as u8, Ordering::SeqCst);
            end_all();
            process::exit(code);
        }
    };
    let thread = thread::Builder::new().name("signals".to_owned());
    thread.spawn(wait)?;
    Ok(())
}
