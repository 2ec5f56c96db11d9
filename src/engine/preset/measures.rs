//! What is measured in a run, and how often.

use crate::metrics::Basis;
use crate::params::params;
use crate::play::matches::Openings;

params! {
    /// What is measured and how often.
    pub struct MeasuresConfig {
        /// Games of the champion against earlier champions from the whole run, one from each side
        /// against each opponent.
        live tournament_games: u32 = 50, in 0.0..=10000.0, "games";
        /// Held-out games of the champion against each reference player, one from each side of each
        /// position.
        live held_out_games: u32 = 200, in 2.0..=100000.0, "games";
        /// Held-out games of each member against each reference player, for columns about the whole
        /// population; 0 omits these columns.
        fixed population_games: u32 = 0, in 0.0..=100000.0, "games";
        /// Interval between measurements of the whole population, counted in measurements of the
        /// champion.
        live population_every: u32 = 1, in 1.0..=100000.0, "measurements";
        /// Games of the champion against each champion of the previous five generations, for its
        /// growth; 0 omits that column.
        fixed growth_games: u32 = 0, in 0.0..=10000.0, "games";
        /// Positions that can be won in which the champion's move is judged: all of them if the
        /// game has no more positions than this, otherwise those among so many random ones, the
        /// same in every run; 0 omits this column. It needs a game of which every position can be
        /// solved.
        fixed judged_positions: u32 = 0, in 0.0..=100000000.0, "positions";
        /// Interval between measurements against the reference players and in judged positions.
        live every: u32 = 10, in 1.0..=100000.0, "generations";
        /// Interval at which the whole population is saved, starting with generation 0; 0 saves
        /// none. A saved population is measured against that of generation 0 and against random
        /// networks.
        fixed keep_every: u32 = 0, in 0.0..=1000000.0, "generations";
        /// Where games against members and champions of the run and against random networks begin:
        /// for `growth`, `progress`, `baseline` and `finches evaluate`. Games against reference
        /// players always begin with varied openings.
        fixed openings: Openings = Openings::Varied;
        /// Games of each of the two measurements of a saved population.
        live grading_games: u32 = 4000, in 2.0..=1000000.0, "games";
    }
}

impl MeasuresConfig {
    /// The number of games that a value rests on; `None` if it does not rest on games.
    pub fn games_of(&self, basis: Basis) -> Option<u32> {
        match basis {
            Basis::Tournament => Some(self.tournament_games),
            Basis::HeldOut => Some(self.held_out_games),
            _ => None,
        }
    }
}
