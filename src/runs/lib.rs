//! Runs of finches: a session on a worker thread, the files that keep it, and the log.
//!
//! | module | purpose |
//! |---|---|
//! | [`storage`] | the only module that touches files; players by name |
//! | [`launch`] | the one way to start, resume and fork a run |
//! | [`run`] | a session on a thread: commands in, events out |
//! | [`log`] | log records, for the screen and for files |
//! | `signals` | signals of the operating system |

#![warn(missing_docs)]

pub mod launch;
pub mod log;
pub mod run;
#[cfg(feature = "signals")]
#[doc(hidden)]
pub mod signals;
pub mod storage;
