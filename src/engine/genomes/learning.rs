//! Learning within a lifetime: a network is trained on examples before it plays. What it learns is
//! inherited (Lamarck) or not, in which case it only changes which genomes are selected (Baldwin
//! 1896; Hinton & Nowlan 1987; Weaver & Bossomaier 1996, "Future Work").

use std::borrow::Cow;

use crate::params::{choices, params};
use crate::rng::{Purpose, stream};

use super::training_set::TrainingSet;
use super::{AnyGenome, GenomeConfig, IoSpec};

choices! {
    /// Whether offspring inherit what their parents have learned.
    pub enum Inheritance {
        /// The trained weights replace those of the genome. A member learns once, when it is new.
        Lamarckian = "lamarckian",
        /// Only the player is trained. The genome stays as it was born, and offspring begin anew.
        /// Net shows the trained network, Run and Population the genes.
        Baldwinian = "baldwinian",
    }
}

params! {
    /// Before its first game, every member is trained on the same examples by back-propagation.
    /// They do not depend on the seed of the run, so that a champion plays alike wherever its
    /// genome plays.
    pub struct LifetimeLearning {
        /// The reference player that provides the targets: the target output of a move is the gain
        /// that the player's heuristic gives it.
        fixed teacher: String = "level-1".to_owned();
        /// Games of the teacher against the random player. Each of the teacher's positions in which
        /// some move gains something becomes an example.
        fixed games: u32 = 100, in 1.0..=100000.0, "games";
        /// How often all examples are learned.
        fixed passes: u32 = 4, in 1.0..=1000.0, "passes";
        /// Learning rate of back-propagation.
        fixed learning_rate: f64 = 0.1, in 0.0..=100.0;
        /// Whether offspring inherit what their parents have learned.
        fixed inheritance: Inheritance = Inheritance::Lamarckian;
    }
}

/// The seed of the teacher's games and of the order of the examples.
pub const LESSON_SEED: u64 = 0x6c65_7373_6f6e_7321;

/// What every member learns before it plays.
#[derive(Clone, Debug, PartialEq)]
pub struct Lessons {
    /// How it learns.
    pub learning: LifetimeLearning,
    /// The examples.
    pub training_set: TrainingSet,
}

impl Lessons {
    fn teach(&self, config: &GenomeConfig, genome: &mut AnyGenome, io_spec: &IoSpec) {
        let Some(training) = config.capabilities().training else {
            return;
        };
        for pass in 0..self.learning.passes {
            let mut rng = stream(LESSON_SEED, Purpose::Lifetime, pass.into(), 0);
            let rate = self.learning.learning_rate;
            training.train(genome, io_spec, &self.training_set, rate, &mut rng);
        }
    }
}

impl GenomeConfig {
    /// The genome after its lessons if these are not inherited, else as it is: what its player is
    /// grown from.
    pub fn learned<'a>(&self, genome: &'a AnyGenome, io_spec: &IoSpec) -> Cow<'a, AnyGenome> {
        match io_spec.inheritance() {
            Some(Inheritance::Baldwinian) => Cow::Owned(self.taught(genome, io_spec)),
            Some(Inheritance::Lamarckian) | None => Cow::Borrowed(genome),
        }
    }

    /// Teaches a new genome its lessons if these are inherited.
    pub fn teach_newborn(&self, genome: &mut AnyGenome, io_spec: &IoSpec) {
        if io_spec.inheritance() == Some(Inheritance::Lamarckian) {
            *genome = self.taught(genome, io_spec);
        }
    }

    /// The genome after its lessons, whether they are inherited or not.
    pub fn taught(&self, genome: &AnyGenome, io_spec: &IoSpec) -> AnyGenome {
        let mut taught = genome.clone();
        if let Some(lessons) = &io_spec.lessons {
            lessons.teach(self, &mut taught, io_spec);
        }
        taught
    }
}

impl IoSpec {
    /// Whether what members learn is inherited; `None` if they do not learn.
    pub fn inheritance(&self) -> Option<Inheritance> {
        let lessons = self.lessons.as_ref();
        lessons.map(|lessons| lessons.learning.inheritance)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::genomes::training_set::TrainingExample;
    use crate::genomes::{InputBatch, Scratch};

    fn io_spec(inheritance: Inheritance) -> IoSpec {
        let mut training_set = TrainingSet::default();
        for (inputs, target) in [([0.0, 1.0], 0.0), ([1.0, 0.0], 1.0)] {
            training_set.push(TrainingExample {
                inputs: inputs.to_vec(),
                targets: vec![Some(target)],
            });
        }
        let learning = LifetimeLearning {
            passes: 200,
            inheritance,
            ..LifetimeLearning::default()
        };
        IoSpec {
            lessons: Some(Arc::new(Lessons {
                learning,
                training_set,
            })),
            ..IoSpec::new(2, 1)
        }
    }

    /// The outputs for both examples.
    fn outputs(config: &GenomeConfig, genome: &AnyGenome, io_spec: &IoSpec) -> Vec<f32> {
        let batch = InputBatch {
            base: &[0.0, 1.0],
            changes: &[(0, 1.0), (1, 0.0)],
            ends: &[0, 2],
        };
        let mut out = Vec::new();
        let brain = config.grow(genome, io_spec);
        brain.forward(batch, &mut Scratch::default(), &mut out);
        out
    }

    fn knows(outputs: &[f32]) -> bool {
        (outputs[0] - 0.0).abs() < 0.1 && (outputs[1] - 1.0).abs() < 0.1
    }

    #[test]
    fn a_lamarckian_genome_inherits_what_a_baldwinian_player_learns_anew() {
        let config = GenomeConfig::named("mlp").expect("it is registered");
        let plain = IoSpec::new(2, 1);
        let mut rng = stream(1, Purpose::Initialization, 0, 0);
        let born = config.random(&plain, &mut rng);
        assert!(!knows(&outputs(&config, &born, &plain)));

        let baldwinian = io_spec(Inheritance::Baldwinian);
        let mut genome = born.clone();
        config.teach_newborn(&mut genome, &baldwinian);
        assert_eq!(genome, born, "the genome stays");
        assert!(knows(&outputs(&config, &genome, &baldwinian)));
        let values = config.activations(&genome, &baldwinian, &[1.0, 0.0]);
        let output = values.last().expect("there is an output");
        assert!((output - 1.0).abs() < 0.1, "values are those of the player");

        let lamarckian = io_spec(Inheritance::Lamarckian);
        let before = outputs(&config, &genome, &lamarckian);
        assert!(!knows(&before), "it is not taught when it is grown");
        config.teach_newborn(&mut genome, &lamarckian);
        assert_ne!(genome, born);
        assert!(knows(&outputs(&config, &genome, &plain)));
        let learned = config.learned(&born, &baldwinian).into_owned();
        assert_eq!(learned, genome, "both learn the same");
    }
}
