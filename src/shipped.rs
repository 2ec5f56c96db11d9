//! The presets and champions inside the program, so that they are there without its sources.

use finches_runs::storage::shipped::{self, Shipped};
use include_dir::include_dir;

/// Hands them in to where they are read.
pub(crate) fn hand_in() {
    shipped::hand_in(Shipped {
        presets: include_dir!("$CARGO_MANIFEST_DIR/presets"),
        runs: [
            (
                "champion-bounded-nim",
                include_dir!("$CARGO_MANIFEST_DIR/saves/champion-bounded-nim"),
            ),
            (
                "champion-dots-and-boxes",
                include_dir!("$CARGO_MANIFEST_DIR/saves/champion-dots-and-boxes"),
            ),
            (
                "champion-draughts",
                include_dir!("$CARGO_MANIFEST_DIR/saves/champion-draughts"),
            ),
            (
                "champion-nim",
                include_dir!("$CARGO_MANIFEST_DIR/saves/champion-nim"),
            ),
            (
                "champion-reversi",
                include_dir!("$CARGO_MANIFEST_DIR/saves/champion-reversi"),
            ),
        ],
    });
}
