//! Results of games and the score over them.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MatchScore {
    pub(super) human: u32,
    pub(super) champion: u32,
    pub(super) draws: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlayOutcome {
    HumanWins,
    ChampionWins,
    /// The champion chose an illegal move, which loses.
    IllegalChampionMove,
    Draw,
}

impl MatchScore {
    /// The counter of an outcome.
    pub(super) fn count_mut(&mut self, outcome: PlayOutcome) -> &mut u32 {
        match outcome {
            PlayOutcome::HumanWins | PlayOutcome::IllegalChampionMove => &mut self.human,
            PlayOutcome::ChampionWins => &mut self.champion,
            PlayOutcome::Draw => &mut self.draws,
        }
    }
}
