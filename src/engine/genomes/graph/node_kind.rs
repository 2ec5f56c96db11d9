//! What a hidden node computes: by default the activation function of the network of a weighted
//! sum. Products and periodic functions make parity easy, which is hard for sums (Durbin &
//! Rumelhart 1989).

use serde::{Deserialize, Serialize};

use crate::genomes::activation::Activation;
use crate::genomes::sparse::node_rule::{Aggregation, NodeFunction, NodeRule};
use crate::genomes::weighted;
use crate::rng::Stream;

use super::GraphConfig;

/// What a hidden node computes from its weighted inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum NodeKind {
    /// The activation function of the network, of their sum and the bias.
    #[default]
    Plain,
    /// Their product, plus the bias.
    Product,
    /// The sine of their sum and the bias.
    Sine,
    /// The cosine of their sum and the bias.
    Cosine,
    /// 1, or 0 if their sum and the bias are below 0.
    Step,
    /// The absolute value of their sum and the bias.
    Absolute,
}

impl NodeKind {
    /// A kind for a new node, drawn by the configured weights. If there is nothing to choose, no
    /// random number is drawn.
    pub(super) fn draw(config: &GraphConfig, rng: &mut Stream) -> Self {
        let table = [
            (config.plain_nodes, Self::Plain),
            (config.product_nodes, Self::Product),
            (config.sine_nodes, Self::Sine),
            (config.cosine_nodes, Self::Cosine),
            (config.step_nodes, Self::Step),
            (config.absolute_nodes, Self::Absolute),
        ];
        if table[1..].iter().all(|&(weight, _)| weight <= 0.0) {
            return Self::Plain;
        }
        weighted::draw(&table, rng).unwrap_or_default()
    }

    /// The word before the number of such a node; `None` for plain ones.
    pub(super) fn word(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Product => Some("prod"),
            Self::Sine => Some("sin"),
            Self::Cosine => Some("cos"),
            Self::Step => Some("step"),
            Self::Absolute => Some("abs"),
        }
    }

    /// What such a hidden node does.
    pub(super) fn rule(self, activation: Activation) -> NodeRule {
        let sum = NodeRule::sum;
        match self {
            Self::Plain => sum(activation.into()),
            Self::Product => NodeRule {
                aggregation: Aggregation::Product,
                function: NodeFunction::Linear,
            },
            Self::Sine => sum(NodeFunction::Sine),
            Self::Cosine => sum(NodeFunction::Cosine),
            Self::Step => sum(NodeFunction::Threshold),
            Self::Absolute => sum(NodeFunction::Absolute),
        }
    }
}
