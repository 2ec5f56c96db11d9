//! Results of the games that a human plays.

use crate::contest::Tally;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlayOutcome {
    HumanWins,
    ChampionWins,
    /// The champion chose an illegal move, which loses.
    IllegalChampionMove,
    Draw,
}

impl PlayOutcome {
    /// The counter of an outcome, from the human's point of view.
    pub(super) fn counter(self, score: &mut Tally) -> &mut u64 {
        match self {
            Self::HumanWins | Self::IllegalChampionMove => &mut score.wins,
            Self::ChampionWins => &mut score.losses,
            Self::Draw => &mut score.draws,
        }
    }
}
