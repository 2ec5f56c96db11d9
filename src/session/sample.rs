//! Games that are only shown: the latest champion against earlier ones.

use rand::RngExt;

use crate::arena::Guest;
use crate::arena::record::Record;
use crate::evolution::archive::Champion;
use crate::games::reference::Reference;
use crate::genomes::{AnyGenome, Brain};
use crate::rng::{Purpose, stream};

use super::Session;

impl Session {
    fn grow(&self, genome: &AnyGenome) -> Box<dyn Brain> {
        self.preset.genome.grow(genome, self.arena.ports())
    }

    /// Sample games of the latest champion: against the champion before it and a random earlier one, or against the random
    /// player where there are none. `index` picks other games of the same kind.
    pub fn sample_games(&self, index: u64) -> Vec<Record> {
        let Some(champion) = &self.state.champion else {
            return Vec::new();
        };
        let generation = champion.generation;
        let brain = self.grow(&champion.genome);
        let own = format!("g{generation}");
        let earlier: Vec<&Champion> = self
            .state
            .population
            .archive
            .kept()
            .iter()
            .filter(|kept| kept.generation < generation)
            .collect();
        let mut rng = stream(self.seed, Purpose::Sample, generation, u64::MAX - index);
        let random = (!earlier.is_empty()).then(|| earlier[rng.random_range(0..earlier.len())]);
        let previous = self
            .state
            .previous
            .iter()
            .map(|champion| (champion.generation, &champion.genome));
        let opponents = previous.chain(random.map(|kept| (kept.generation, &kept.genome)));
        let mut games = Vec::new();
        for (place, (age, genome)) in opponents.enumerate() {
            let other = self.grow(genome);
            let names = [own.clone(), format!("g{age}")];
            let guests = [Guest::Brain(brain.as_ref()), Guest::Brain(other.as_ref())];
            games.push(self.sample(guests, names, generation, index * 2 + place as u64));
        }
        if games.is_empty() {
            let names = [own, Reference::Random.name(self.arena.judges())];
            games.push(self.sample(
                [
                    Guest::Brain(brain.as_ref()),
                    Guest::Reference(Reference::Random),
                ],
                names,
                generation,
                index,
            ));
        }
        games
    }

    /// One sample game; the sides alternate from game to game.
    fn sample(
        &self,
        mut guests: [Guest<'_>; 2],
        mut names: [String; 2],
        generation: u64,
        index: u64,
    ) -> Record {
        if index % 2 == 1 {
            guests.swap(0, 1);
            names.swap(0, 1);
        }
        self.arena
            .record(guests, names, self.seed, generation, index)
    }
}
