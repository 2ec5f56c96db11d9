//! Evolves networks that play Nim, without a screen, and prints the best fitness of every
//! generation.

#![allow(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;
use std::sync::atomic::AtomicBool;

use finches::play::pool::Pool;
use finches::preset::Preset;
use finches::session::Session;
use finches::session::measures::fitness;

fn main() -> Result<(), Box<dyn Error>> {
    let text = "(game: nim(heaps: [2, 3]), genome: graph(), agent: one_ply(), generations: 20)";
    let preset = Preset::parse(text, "nim", "evolve.rs")?;
    let mut session = Session::new(preset, 1, Vec::new(), Pool::new(2)?)?;
    let halt = AtomicBool::new(false);
    while !session.is_done() {
        let generation = session.generation();
        if let Some(row) = session.advance(&halt) {
            let best = row.get(session.columns(), &fitness::BEST);
            println!("generation {generation}: {best:?}");
        }
    }
    Ok(())
}
