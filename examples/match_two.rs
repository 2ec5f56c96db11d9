//! Two champions of Nim, evolved from different seeds, play a match.

#![allow(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;
use std::sync::atomic::AtomicBool;

use finches::play::matches::{MatchConditions, MatchPlayer};
use finches::play::pool::Pool;
use finches::play::round_robin;
use finches::preset::Preset;
use finches::session::Session;

const PRESET: &str = "(game: nim(heaps: [3, 4]), generations: 20)";

fn main() -> Result<(), Box<dyn Error>> {
    let sessions = [evolved(1)?, evolved(2)?];
    let players = sessions.each_ref().map(champion);
    let conditions = MatchConditions::new(1);
    let games: Vec<_> = round_robin::head_to_head([0, 1], 100).collect();
    let arena = sessions[0].arena();
    let results = arena.play_matches(sessions[0].pool(), &players, &games, &conditions);
    let results = results.ok_or("the champions play different games")?;
    let tally = round_robin::tally(&results);
    println!(
        "the champion of seed 1 against that of seed 2: {} wins, {} draws, {} losses",
        tally.wins, tally.draws, tally.losses
    );
    Ok(())
}

/// A finished run.
fn evolved(seed: u64) -> Result<Session, Box<dyn Error>> {
    let preset = Preset::parse(PRESET, "nim", "match_two.rs")?;
    let mut session = Session::new(preset, seed, Vec::new(), Pool::new(2)?)?;
    let halt = AtomicBool::new(false);
    while !session.is_done() {
        session.advance(&halt);
    }
    Ok(session)
}

/// The champion of the last generation, ready to play.
fn champion(session: &Session) -> MatchPlayer {
    let champion = session.champion_player();
    champion.expect("the run is finished").match_player()
}
