//! A brain that takes features and projects them to its inputs, for networks that cannot fold the
//! projection into their weights.

use std::sync::Arc;

use crate::projection::InputProjection;

use super::{Brain, InputBatch, IoSpec, Scratch};

/// Wraps a brain so that it takes features, if the spec has a projection.
pub(super) fn with_projection(brain: impl Brain + 'static, io_spec: &IoSpec) -> Box<dyn Brain> {
    match &io_spec.inputs.projection {
        None => Box::new(brain),
        Some(projection) => Box::new(ProjectedBrain {
            brain,
            inputs: io_spec.inputs.count,
            projection: Arc::clone(projection),
        }),
    }
}

struct ProjectedBrain<B> {
    brain: B,
    projection: Arc<InputProjection>,
    inputs: usize,
}

/// The projected batch.
#[derive(Clone, Debug, Default)]
struct ProjectionBuffers {
    raw_inputs: Vec<f32>,
    base: Vec<f32>,
    row: Vec<f32>,
    changes: Vec<(u32, f32)>,
    ends: Vec<u32>,
}

impl<B: Brain> Brain for ProjectedBrain<B> {
    /// Each row is projected in full, so that its outputs do not depend on the base row.
    fn forward(&self, batch: InputBatch<'_>, scratch: &mut Scratch, out: &mut Vec<f32>) {
        let mut buffers: ProjectionBuffers = std::mem::take(scratch.buffers());
        buffers.changes.clear();
        buffers.ends.clear();
        for inputs in [&mut buffers.base, &mut buffers.row] {
            inputs.resize(self.inputs, 0.0);
        }
        self.projection.project(batch.base, None, &mut buffers.base);
        for row in 0..batch.ends.len() {
            buffers.raw_inputs.clear();
            buffers.raw_inputs.extend_from_slice(batch.base);
            for &(input, value) in batch.row_changes(row) {
                buffers.raw_inputs[input as usize] = value;
            }
            self.projection
                .project(&buffers.raw_inputs, None, &mut buffers.row);
            let pairs = (0..).zip(buffers.row.iter().zip(&buffers.base));
            let differing = pairs.filter(|(_, (own, base))| own.to_bits() != base.to_bits());
            buffers
                .changes
                .extend(differing.map(|(input, (&own, _))| (input, own)));
            buffers.ends.push(buffers.changes.len() as u32);
        }
        let inputs = InputBatch {
            base: &buffers.base,
            changes: &buffers.changes,
            ends: &buffers.ends,
        };
        self.brain.forward(inputs, scratch, out);
        *scratch.buffers() = buffers;
    }
}
