//! Restarts: when champions lose to their predecessors for some generations, the next one is bred
//! from the last champion that did not (Thien 2018, "Learning Rate": reuse the previous champion
//! and restart the generation).

use serde::{Deserialize, Serialize};

use crate::params::params;
use crate::registry::registry;
use crate::rng::Stream;

use super::archive::Champion;
use super::breeding::{Breeding, Offspring};
use super::replacement::OffspringPlan;

params! {
    /// Evolution never restarts.
    pub struct NoRestart {}
}

params! {
    /// Evolution restarts from an earlier champion.
    pub struct RestartOnRegress {
        /// Number of generations in a row whose champions lose more games than they win against
        /// their recent predecessors: their growth is below 0. The next generation then consists of
        /// the last champion before them and of its mutants.
        live after: u32 = 3, in 1.0..=1000000.0, "generations";
    }
}

registry! {
    /// Whether evolution restarts from an earlier champion.
    pub enum RestartConfig {
        /// It never restarts.
        "none" => None(NoRestart),
        /// It restarts when champions lose to their predecessors for some generations.
        "on_regress" => OnRegress(RestartOnRegress),
    }
}

impl RestartConfig {
    /// The number of generations with negative growth after which evolution restarts; `None` if it
    /// never does.
    pub fn limit(&self) -> Option<u32> {
        match self {
            Self::None(_) => None,
            Self::OnRegress(regress) => Some(regress.after),
        }
    }
}

/// How long champions have been losing to their predecessors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Regress {
    /// The latest generations in a row with negative growth, since the last restart.
    pub generations: u32,
    /// The latest champion whose growth was not negative; `None` before there was one.
    pub before: Option<Champion>,
}

impl Regress {
    /// Counts a generation. Returns the champion to restart from if this is the last one before a
    /// restart.
    pub fn count(&mut self, champion: &Champion, growth: f64, limit: u32) -> Option<Champion> {
        if growth >= 0.0 {
            self.generations = 0;
            self.before = Some(champion.clone());
            return None;
        }
        self.generations += 1;
        if self.generations < limit {
            return None;
        }
        self.generations = 0;
        self.before.clone()
    }

    /// Whether nothing has been counted.
    pub fn is_new(&self) -> bool {
        self.generations == 0 && self.before.is_none()
    }
}

/// The generation after a restart: the champion first, then its mutants.
pub(super) struct RestartPlan<'a> {
    pub(super) champion: &'a Champion,
    pub(super) breeding: &'a Breeding<'a>,
}

impl OffspringPlan for RestartPlan<'_> {
    fn offspring(&self, place: usize, rng: &mut Stream) -> Offspring {
        match place {
            0 => Offspring::copy_of_champion(self.champion),
            _ => self.breeding.mutant_of_champion(place, self.champion, rng),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::genomes::{GenomeConfig, IoSpec};
    use crate::rng::{Purpose, stream};

    #[test]
    fn a_restart_after_several_bad_generations_begins_with_the_champion_before_them() {
        let genome = GenomeConfig::all().remove(0);
        let mut rng = stream(1, Purpose::Initialization, 0, 0);
        let genome = genome.random(&IoSpec::new(1, 1), &mut rng);
        let mut regress = Regress::default();
        assert!(regress.is_new());
        let growth = [
            -0.5, 0.0, 0.2, -0.1, -0.1, 0.1, -0.1, -0.2, -0.1, -0.1, -0.3, -0.1, 0.0,
        ];
        let mut restarts = Vec::new();
        for (generation, growth) in (0..).zip(growth) {
            let champion = Champion {
                generation,
                fitness: 1.0,
                genome: genome.clone(),
            };
            let from = regress.count(&champion, growth, 3);
            restarts.extend(from.map(|champion| (generation, champion.generation)));
            assert!(!regress.is_new());
        }
        assert_eq!(restarts, [(8, 5), (11, 5)]);
        assert_eq!(
            (
                regress.generations,
                regress.before.map(|champion| champion.generation)
            ),
            (0, Some(12))
        );
    }
}
