//! What a course is measured by: generations, the games played until then, or the time worked.

/// What a course goes over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Over {
    #[default]
    Generations,
    /// Games played for fitness since the run began, which puts runs with different games a generation side by side.
    Games,
    /// Seconds that the run has worked, which puts runs on the same machine side by side.
    Seconds,
}

impl Over {
    /// The column, which is also the unit.
    pub fn column(self) -> &'static str {
        match self {
            Self::Generations => "generation",
            Self::Games => "games",
            Self::Seconds => "seconds",
        }
    }

    /// The next in turn; after the last comes the first.
    #[must_use]
    pub fn following(self) -> Self {
        match self {
            Self::Generations => Self::Games,
            Self::Games => Self::Seconds,
            Self::Seconds => Self::Generations,
        }
    }
}
