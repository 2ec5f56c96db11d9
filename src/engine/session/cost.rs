//! What a run will take, estimated before it starts.

use crate::play;
use crate::preset::Preset;
use crate::rng::{Purpose, stream};

/// Memory and disk that a run will take, in bytes. The estimates are rough: within a factor of
/// about two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunCost {
    /// The most memory at a time.
    pub memory: u64,
    /// The saved populations at the end. Rows are left out: they come slowly, and so many
    /// generations are meant to be stopped.
    pub disk: u64,
}

/// Memory above which a user is asked, in bytes.
const MUCH_MEMORY: u64 = 4_000_000_000;

/// Disk above which a user is asked, in bytes.
const MUCH_DISK: u64 = 10_000_000_000;

/// Bytes of a member beside its weights, of a weight with its copies in the player and in the text
/// of a checkpoint, of a game, and of a weight in a file.
const MEMBER: u64 = 2_000;
const WEIGHT: u64 = 36;
const GAME: u64 = 40;
const SAVED_WEIGHT: u64 = 11;

impl RunCost {
    /// The cost of a run of a preset; nothing if it is invalid. A genome that grows is taken at its
    /// first size.
    pub fn of(preset: &Preset) -> Self {
        if !preset.problems().is_empty() {
            return Self { memory: 0, disk: 0 };
        }
        let edges = match play::io_spec(&preset.game, &preset.agent) {
            Ok(spec) => {
                let mut rng = stream(0, Purpose::Initialization, 0, 0);
                let genome = preset.genome.random(&spec, &mut rng);
                let numbers = preset.genome.capabilities().numbers;
                let numbers = numbers.map_or(0, |known| known.numbers(&genome).len());
                genome.topology().edges.max(numbers) as u64
            }
            Err(_) => 0,
        };
        let evolution = &preset.evolution;
        let members = u64::from(evolution.population);
        let players = members + evolution.hall_of_fame.size() as u64;
        let games = evolution.games().unwrap_or(0);
        let populations = match u64::from(preset.measures.keep_every) {
            0 => 0,
            every => preset.generations.div_ceil(every),
        };
        let product = |factors: &[u64]| factors.iter().fold(1, |a: u64, &b| a.saturating_mul(b));
        let weights = product(&[players, MEMBER + WEIGHT * edges]);
        let saved = product(&[populations, members, SAVED_WEIGHT, edges]);
        Self {
            memory: weights.saturating_add(product(&[games, GAME])),
            disk: saved,
        }
    }

    /// What is so much that a user should be asked, in words.
    pub fn excess(&self) -> Option<String> {
        let much = [
            (self.memory, MUCH_MEMORY, "memory"),
            (self.disk, MUCH_DISK, "disk"),
        ];
        let much = much.iter().filter(|(bytes, most, _)| bytes > most);
        let words =
            much.map(|(bytes, _, what)| format!("{} GB of {what}", bytes.div_ceil(1_000_000_000)));
        let words: Vec<String> = words.collect();
        (!words.is_empty()).then(|| format!("takes about {}", words.join(" and ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NIM: &str = include_str!("../../../presets/nim-2x4.ron");

    fn cost(text: &str, settings: &[(&str, &str)]) -> RunCost {
        let mut preset = Preset::parse(text, "test", "test").expect("it is valid");
        for (key, value) in settings {
            preset.change(key, value).expect("it has this parameter");
        }
        RunCost::of(&preset)
    }

    #[test]
    fn costs_are_of_the_size_that_was_measured() {
        let near = |found: u64, measured: u64| {
            assert!(
                (measured / 3..measured * 3).contains(&found),
                "{found} is not near {measured}"
            );
        };
        let nim = cost(NIM, &[("population", "100000")]);
        near(nim.memory, 580_000_000);
        assert_eq!(nim.excess(), None);
        let reversi = cost(
            include_str!("../../../presets/reversi-vanilla.ron"),
            &[("population", "100000")],
        );
        near(reversi.memory, 3_700_000_000);
        let hall = [("population", "100000"), ("hall_of_fame.size", "100000")];
        let words = cost(include_str!("../../../presets/hynek-11.ron"), &hall)
            .excess()
            .expect("it is too much");
        assert!(words.contains("GB of memory"), "{words}");
        let kept = [("keep_every", "1"), ("generations", "1000000")];
        let words = cost(include_str!("../../../presets/reversi-vanilla.ron"), &kept);
        assert!(
            words
                .excess()
                .is_some_and(|words| words.contains("GB of disk"))
        );
        let endless = cost(NIM, &[("generations", "1000000000")]);
        assert_eq!(endless.excess(), None);
    }
}
