//! The entries of the list of events.

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEventKind {
    Start,
    Best,
    Saved,
    NotSaved,
    ParameterChanged,
    Breakpoint,
    /// A verdict on coevolution.
    Judged,
    /// A verdict that something is wrong with it.
    Ill,
    Refused,
    Failed,
    Done,
}

/// An entry of the list of events.
#[derive(Clone, Debug, PartialEq)]
pub struct RunEventEntry {
    /// The running time when it happened, in seconds; `None` before the run was resumed.
    pub seconds: Option<f64>,
    pub generation: u64,
    pub kind: RunEventKind,
    pub words: String,
}
