//! A run that another process evolves. It is shown, but cannot be changed from here.

/// The followed run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FollowState {
    pub name: String,
    /// Why the run cannot be shown.
    pub missing: Option<String>,
}
