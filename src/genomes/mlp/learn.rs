//! Back-propagation: after each lesson every weight and bias takes a step down the slope of half the squared error (Rumelhart,
//! Hinton & Williams 1986).

use rand::seq::SliceRandom;

use crate::genomes::activation::Activation;
use crate::genomes::lessons::{Lesson, Lessons};
use crate::rng::Stream;

use super::{Mlp, MlpConfig, held};

/// What is worked out for each unit, layer after layer from the inputs.
#[derive(Default)]
struct Notes {
    values: Vec<Vec<f32>>,
    /// How the error changes with the sum of each unit.
    slopes: Vec<Vec<f32>>,
}

impl Mlp {
    /// Goes through all lessons once, in an order that chance draws. Outputs that do not matter have no error.
    pub(super) fn be_taught(
        &mut self,
        config: &MlpConfig,
        lessons: &Lessons,
        rate: f32,
        rng: &mut Stream,
    ) {
        let mut order: Vec<&Lesson> = lessons.rows().iter().collect();
        order.shuffle(rng);
        let mut notes = Notes {
            values: vec![Vec::new(); self.layers.len()],
            slopes: vec![Vec::new(); self.layers.len()],
        };
        for lesson in order {
            self.rise(config, lesson, &mut notes);
            self.sink(config, lesson, &mut notes);
            self.step(rate, &notes);
        }
        for gene in &mut self.genes {
            *gene = held(f64::from(*gene));
        }
    }

    fn activation(&self, config: &MlpConfig, layer: usize) -> Activation {
        if layer + 1 == self.layers.len() {
            config.outputs
        } else {
            config.activation
        }
    }

    /// Computes the units from the inputs up.
    fn rise(&self, config: &MlpConfig, lesson: &Lesson, notes: &mut Notes) {
        notes.values[0].clone_from(&lesson.inputs);
        for layer in 1..self.layers.len() {
            let (below, above) = notes.values.split_at_mut(layer);
            let (below, above) = (&below[layer - 1], &mut above[0]);
            above.clear();
            above.extend(self.units(layer).map(|(bias, weights)| {
                let products = weights
                    .iter()
                    .zip(below)
                    .map(|(weight, value)| weight * value);
                bias + products.sum::<f32>()
            }));
            if config.bypass && layer + 1 == self.layers.len() {
                let all: f32 = lesson.inputs.iter().sum();
                for sum in &mut *above {
                    *sum += all;
                }
            }
            self.activation(config, layer).apply_to_slice(above);
        }
    }

    /// Computes the slopes from the outputs down.
    fn sink(&self, config: &MlpConfig, lesson: &Lesson, notes: &mut Notes) {
        let last = self.layers.len() - 1;
        for layer in (1..=last).rev() {
            let (own, above) = notes.slopes.split_at_mut(layer + 1);
            let (slopes, values) = (&mut own[layer], &notes.values[layer]);
            slopes.clear();
            if layer == last {
                let errors = values.iter().zip(&lesson.targets);
                slopes.extend(
                    errors.map(|(value, target)| target.map_or(0.0, |target| value - target)),
                );
            } else {
                slopes.resize(values.len(), 0.0);
                for ((_, weights), slope) in self.units(layer + 1).zip(&above[0]) {
                    for (own, weight) in slopes.iter_mut().zip(weights) {
                        *own += slope * weight;
                    }
                }
            }
            let activation = self.activation(config, layer);
            for (slope, &value) in slopes.iter_mut().zip(values) {
                *slope *= activation.slope_at(value);
            }
        }
    }

    /// Moves every gene against its slope.
    fn step(&mut self, rate: f32, notes: &Notes) {
        let biases = usize::from(self.biases);
        for layer in 1..self.layers.len() {
            let (from, to, stride) = (self.start(layer), self.start(layer + 1), self.stride(layer));
            let units = self.genes[from..to].chunks_exact_mut(stride);
            for (unit, slope) in units.zip(&notes.slopes[layer]) {
                if *slope == 0.0 {
                    continue;
                }
                let (bias, weights) = unit.split_at_mut(biases);
                for bias in bias {
                    *bias -= rate * slope;
                }
                for (weight, value) in weights.iter_mut().zip(&notes.values[layer - 1]) {
                    *weight -= rate * slope * value;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::genomes::{Genome, Ports};
    use crate::rng::{Purpose, stream};

    fn network(config: &MlpConfig, index: u64) -> Mlp {
        Mlp::random(
            config,
            &Ports::new(2, 2),
            &mut stream(index, Purpose::Genesis, 0, 0),
        )
    }

    /// Half the squared error.
    fn error(network: &Mlp, config: &MlpConfig, lesson: &Lesson) -> f64 {
        let mut notes = Notes {
            values: vec![Vec::new(); network.layers.len()],
            slopes: Vec::new(),
        };
        network.rise(config, lesson, &mut notes);
        let outputs = &notes.values[network.layers.len() - 1];
        let errors = outputs.iter().zip(&lesson.targets);
        let squares =
            errors.map(|(output, target)| target.map_or(0.0, |target| (output - target).powi(2)));
        f64::from(squares.sum::<f32>()) / 2.0
    }

    #[test]
    fn a_step_is_the_slope_of_the_error() {
        for (index, activation) in Activation::all().into_iter().enumerate() {
            if activation == Activation::Threshold {
                continue;
            }
            let config = MlpConfig {
                hidden: vec![3, 2],
                activation,
                outputs: Activation::Sigmoid,
                ..MlpConfig::default()
            };
            let before = network(&config, index as u64 + 1);
            let lesson = Lesson {
                inputs: vec![1.0, -0.5],
                targets: vec![Some(0.25), None],
            };
            let mut after = before.clone();
            let mut lessons = Lessons::default();
            lessons.push(lesson.clone());
            // A power of two, so that dividing by it loses nothing.
            let rate = 1.0 / 64.0;
            after.be_taught(
                &config,
                &lessons,
                rate,
                &mut stream(1, Purpose::Lessons, 0, 0),
            );
            for gene in 0..before.genes.len() {
                const STEP: f32 = 1e-2;
                let shifted = |by: f32| {
                    let mut shifted = before.clone();
                    shifted.genes[gene] += by;
                    error(&shifted, &config, &lesson)
                };
                let slope = (shifted(STEP) - shifted(-STEP)) / f64::from(2.0 * STEP);
                let taken = f64::from((before.genes[gene] - after.genes[gene]) / rate);
                let close = (slope - taken).abs() < 2e-3;
                assert!(close, "{activation:?} gene {gene}: {slope} {taken}");
            }
        }
    }

    #[test]
    fn the_exclusive_or_can_be_taught() {
        let config = MlpConfig {
            hidden: vec![4],
            activation: Activation::Tanh,
            ..MlpConfig::default()
        };
        let mut lessons = Lessons::default();
        for (inputs, differ) in [
            ([0.0, 0.0], 0.0),
            ([0.0, 1.0], 1.0),
            ([1.0, 0.0], 1.0),
            ([1.0, 1.0], 0.0),
        ] {
            lessons.push(Lesson {
                inputs: inputs.to_vec(),
                targets: vec![Some(differ), None],
            });
        }
        let mut pupil = network(&config, 1);
        for round in 0..2000 {
            pupil.be_taught(
                &config,
                &lessons,
                0.1,
                &mut stream(1, Purpose::Lessons, round, 0),
            );
        }
        for lesson in lessons.rows() {
            assert!(error(&pupil, &config, lesson) < 0.01, "{lesson:?}");
        }
    }
}
