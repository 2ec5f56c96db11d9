//! The shape of a network: the order in which its nodes are evaluated, and the layer of each.

use super::Neat;

/// The layers of the nodes. A node is one layer above the highest of its sources, disabled edges included; the inputs and the bias
/// are in layer 0, and the outputs above all others.
#[derive(Clone, Debug)]
pub(super) struct NetworkShape {
    /// The layer of each hidden node and its place among the hidden genes, in the order of evaluation: by layers, then by number.
    pub(super) hidden: Vec<(usize, usize)>,
    /// The layer of the outputs.
    pub(super) top_layer: usize,
}

impl Default for NetworkShape {
    fn default() -> Self {
        Self {
            hidden: Vec::new(),
            top_layer: 1,
        }
    }
}

impl NetworkShape {
    /// The shape of a network; `None` if its edges make a cycle.
    pub(super) fn of(genome: &Neat) -> Option<Self> {
        let count = genome.hidden.len();
        let between = genome.edges.iter().filter_map(|edge| {
            let from = genome.place_of_hidden(edge.from)?;
            Some((from, genome.place_of_hidden(edge.to)?))
        });
        let between: Vec<(usize, usize)> = between.collect();
        let mut layers = vec![1; count];
        // Each round raises what is too low; the longest path without a cycle has as many nodes as there are.
        for _ in 0..=count {
            let mut is_settled = true;
            for &(from, to) in &between {
                if layers[to] <= layers[from] {
                    layers[to] = layers[from] + 1;
                    is_settled = false;
                }
            }
            if is_settled {
                let mut hidden: Vec<(usize, usize)> = layers.into_iter().zip(0..).collect();
                hidden.sort_unstable();
                let top_layer = hidden.last().map_or(1, |(highest, _)| highest + 1);
                return Some(Self { hidden, top_layer });
            }
        }
        None
    }
}
