//! How a game that solves its own endings is asked for exact values. It does not know who asks.

/// Which margins must be exact, and when to give up.
#[derive(Clone, Copy)]
pub struct EndgameQuery<'a> {
    /// Whether the margin of every move must be exact. Otherwise that of the best moves is; for the
    /// others it is an upper bound below the best.
    pub all: bool,
    /// Asked regularly. Once it is true, the solver gives up what is not exact yet.
    pub is_canceled: &'a dyn Fn() -> bool,
}
