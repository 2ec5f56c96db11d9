//! A brain that is shown features and takes in what they add up to, for networks that can't fold the one into the other.

use std::sync::Arc;

use crate::features::Features;

use super::{Brain, Ports, Scratch, Sight};

/// Lets a brain that takes in all inputs see them as the ports show them.
pub(super) fn summing(brain: impl Brain + 'static, ports: &Ports) -> Box<dyn Brain> {
    match &ports.features {
        None => Box::new(brain),
        Some(features) => Box::new(Summing {
            brain,
            inputs: ports.inputs,
            features: Arc::clone(features),
        }),
    }
}

struct Summing<B> {
    brain: B,
    features: Arc<Features>,
    inputs: usize,
}

/// What is added up for a batch.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    numbers: Vec<f32>,
    base: Vec<f32>,
    row: Vec<f32>,
    changes: Vec<(u32, f32)>,
    ends: Vec<u32>,
}

impl<B: Brain> Brain for Summing<B> {
    /// Each row is added up in full, so that it is the same whatever it is told by.
    fn think(&self, sight: Sight<'_>, scratch: &mut Scratch, out: &mut Vec<f32>) {
        let mut sums = std::mem::take(&mut scratch.summed);
        sums.changes.clear();
        sums.ends.clear();
        for inputs in [&mut sums.base, &mut sums.row] {
            inputs.resize(self.inputs, 0.0);
        }
        self.features.add_up(sight.base, None, &mut sums.base);
        for row in 0..sight.ends.len() {
            sums.numbers.clear();
            sums.numbers.extend_from_slice(sight.base);
            for &(place, value) in sight.row(row) {
                sums.numbers[place as usize] = value;
            }
            self.features.add_up(&sums.numbers, None, &mut sums.row);
            let pairs = (0..).zip(sums.row.iter().zip(&sums.base));
            let differing = pairs.filter(|(_, (own, base))| own.to_bits() != base.to_bits());
            sums.changes
                .extend(differing.map(|(input, (&own, _))| (input, own)));
            sums.ends.push(sums.changes.len() as u32);
        }
        let inputs = Sight {
            base: &sums.base,
            changes: &sums.changes,
            ends: &sums.ends,
        };
        self.brain.think(inputs, scratch, out);
        scratch.summed = sums;
    }
}
