//! One-hot decoding: each number that describes a move has one output per possible value. The value
//! with the highest output is taken, the lowest value in a tie (Kissling 2025, §3.1.7).

use crate::games::{GameShape, MoveComponent};
use crate::genomes::IoSpec;
use crate::params::params;

use super::move_numbers::MoveDecoder;
use super::{Agent, AgentError, PolicyHead, argmax};

params! {
    /// One-hot decoding has no parameters.
    pub struct OneHot {}
}

impl Agent for OneHot {
    fn policy_head(&self) -> PolicyHead {
        PolicyHead::ComponentScores
    }

    fn io_spec(&self, shape: &GameShape) -> Result<IoSpec, AgentError> {
        Self::spec("one_hot", shape)
    }

    fn score_unit(&self) -> &'static str {
        "sum of the move's outputs"
    }
}

impl MoveDecoder for OneHot {
    fn width(components: &[MoveComponent]) -> usize {
        components.iter().map(MoveComponent::span).sum()
    }

    fn decode(components: &[MoveComponent], outputs: &[f32], numbers: &mut Vec<i32>) {
        let mut rest = outputs;
        for component in components {
            let (own, others) = rest.split_at(component.span());
            numbers.push(component.low + argmax(own.iter().copied()) as i32);
            rest = others;
        }
    }

    /// The sum of the outputs for the move's numbers.
    fn score(components: &[MoveComponent], outputs: &[f32], numbers: &[i32]) -> f32 {
        let mut start = 0;
        let own = numbers.iter().zip(components).map(|(&number, component)| {
            let output = outputs[start + (number - component.low) as usize];
            start += component.span();
            output
        });
        own.sum()
    }
}
