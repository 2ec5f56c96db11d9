//! How games ended, and the score over them.

/// Games won by either side, and drawn ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Score {
    pub(super) human: u32,
    pub(super) champion: u32,
    pub(super) draws: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    HumanWins,
    ChampionWins,
    /// The champion wanted an illegal move, which loses.
    ChampionErred,
    Draw,
}

impl Score {
    /// The count that a game of this ending adds to.
    pub(super) fn of(&mut self, ending: Ending) -> &mut u32 {
        match ending {
            Ending::HumanWins | Ending::ChampionErred => &mut self.human,
            Ending::ChampionWins => &mut self.champion,
            Ending::Draw => &mut self.draws,
        }
    }
}
