//! Many runs at once: experiments over seeds, sweeps over parameters, islands that exchange
//! champions, and reports on all of them.

#![warn(missing_docs)]

pub mod experiment;
#[cfg(feature = "pages")]
pub mod report;
mod words;
