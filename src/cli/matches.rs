//! Matches between players by name, outside programs among them: what several commands share.

use std::process;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;
use std::time::Duration;

use clap::Args;

use finches_engine::contest::GameResult;
use finches_engine::outside::{DEFAULT_MOVE_TIME, end_all};
use finches_engine::play::forfeits::{ForfeitedGame, broken_player, forfeited_games};
use finches_engine::play::match_setup::{MatchSetup, PlayerError};
use finches_engine::play::matches::{Match, MatchConditions, MatchPlayer};
use finches_engine::play::pool::Pool;
use finches_runs::signals::{SIGHUP, SIGINT, SIGTERM, Signals};
use finches_runs::storage::players::{NamedPlayer, PlayerName, match_player};
use finches_runs::storage::saves::Saves;

use super::CliError;
use super::limits::move_seconds;

/// The time limit of outside programs.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct MoveTimeOption {
    /// Time of an outside program for a move, in seconds. A program that takes longer loses the game.
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_MOVE_TIME.as_secs_f64(), value_parser = move_seconds)]
    move_time: f64,
}

impl MoveTimeOption {
    pub(super) fn duration(self) -> Duration {
        Duration::from_secs_f64(self.move_time)
    }
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
        let players: Result<Vec<MatchPlayer>, PlayerError> = names.iter().map(player).collect();
        Ok(Self {
            setup,
            names: names.iter().map(|name| name.text.clone()).collect(),
            players: players?,
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

/// The exit code of this program. Matches whose outside programs were ended by a signal may be over before the signal ends this one.
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
