//! What a course is measured by: generations, or the games played until then.

/// What a course goes over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Over {
    #[default]
    Generations,
    /// Games played for fitness since the run began, which puts runs with different games a generation side by side.
    Games,
}

impl Over {
    /// The column, which is also the unit.
    pub fn column(self) -> &'static str {
        match self {
            Self::Generations => "generation",
            Self::Games => "games",
        }
    }

    /// What there is besides.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Generations => Self::Games,
            Self::Games => Self::Generations,
        }
    }
}
