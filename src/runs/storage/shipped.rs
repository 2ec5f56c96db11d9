//! What the program ships: presets, and runs with champions. The program hands them in, because a
//! package holds only the files below its own folder.

use std::sync::OnceLock;

pub use include_dir::Dir;

/// The files that the program ships.
pub struct Shipped {
    /// The presets, each a file `NAME.ron`.
    pub presets: Dir<'static>,
    /// The names of runs and their folders, each written by `Saves::export_bundle`.
    pub runs: [(&'static str, Dir<'static>); 5],
}

static SHIPPED: OnceLock<Shipped> = OnceLock::new();

/// Hands in what the program ships. Only the first call counts.
pub fn hand_in(shipped: Shipped) {
    // What was handed in first is in use already.
    let _ = SHIPPED.set(shipped);
}

/// What was handed in; nothing where no program did.
pub(super) fn shipped() -> &'static Shipped {
    SHIPPED.get_or_init(of_the_repository)
}

#[cfg(not(any(test, feature = "repository")))]
fn of_the_repository() -> Shipped {
    let nothing = || Dir::new("", &[]);
    Shipped {
        presets: nothing(),
        runs: [(); 5].map(|()| ("", nothing())),
    }
}

/// The files of the repository, for tests.
#[cfg(any(test, feature = "repository"))]
fn of_the_repository() -> Shipped {
    use include_dir::include_dir;
    Shipped {
        presets: include_dir!("$CARGO_MANIFEST_DIR/../../presets"),
        runs: [
            (
                "champion-bounded-nim",
                include_dir!("$CARGO_MANIFEST_DIR/../../saves/champion-bounded-nim"),
            ),
            (
                "champion-dots-and-boxes",
                include_dir!("$CARGO_MANIFEST_DIR/../../saves/champion-dots-and-boxes"),
            ),
            (
                "champion-draughts",
                include_dir!("$CARGO_MANIFEST_DIR/../../saves/champion-draughts"),
            ),
            (
                "champion-nim",
                include_dir!("$CARGO_MANIFEST_DIR/../../saves/champion-nim"),
            ),
            (
                "champion-reversi",
                include_dir!("$CARGO_MANIFEST_DIR/../../saves/champion-reversi"),
            ),
        ],
    }
}
