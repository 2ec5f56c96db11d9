//! A stand-in until the command line is there.

use std::path::PathBuf;

use finches::storage::saves::Saves;
use finches::ui::{self, Ending, Settings, Start};

fn main() {
    let folder = std::env::var_os("FINCHES_SAVES").map_or_else(|| "saves".into(), PathBuf::from);
    let settings = Settings {
        saves: Saves::at(folder),
        save: true,
        threads: 1,
        ascii: std::env::var_os("FINCHES_ASCII").is_some(),
        seed: Some(42),
    };
    #[allow(clippy::print_stdout, reason = "the stand-in prints the summary")]
    match ui::run(Start::Home, settings) {
        Ok(Ending::Left { summary } | Ending::Signalled { summary, .. }) => {
            println!("{}", summary.join("\n"));
        }
        Ok(Ending::HandOver(run)) => println!("{:?} goes on", run.facts()),
        Err(error) => println!("{error}"),
    }
}
