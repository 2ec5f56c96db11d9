//! Direct decoding: each output is one of the numbers that describe a move, rounded down; a
//! negative one is illegal (Kissling 2025, §3.1.7).

use crate::games::{GameShape, MoveComponent};
use crate::genomes::IoSpec;
use crate::params::params;

use super::move_numbers::MoveDecoder;
use super::{Agent, AgentError, PolicyHead};

params! {
    /// Direct decoding has no parameters.
    pub struct Direct {}
}

impl Agent for Direct {
    fn policy_head(&self) -> PolicyHead {
        PolicyHead::MoveComponents
    }

    fn io_spec(&self, shape: &GameShape) -> Result<IoSpec, AgentError> {
        Self::spec("direct", shape)
    }

    fn score_unit(&self) -> &'static str {
        "minus the distance to the outputs"
    }
}

impl MoveDecoder for Direct {
    fn width(components: &[MoveComponent]) -> usize {
        components.len()
    }

    fn decode(_components: &[MoveComponent], outputs: &[f32], numbers: &mut Vec<i32>) {
        numbers.extend(outputs.iter().map(|&output| output.floor() as i32));
    }

    /// Minus the distance between the numbers of the move and the outputs.
    fn score(_components: &[MoveComponent], outputs: &[f32], numbers: &[i32]) -> f32 {
        let pairs = numbers.iter().zip(outputs);
        -pairs
            .map(|(&number, output)| (number as f32 - output).abs())
            .sum::<f32>()
    }
}
