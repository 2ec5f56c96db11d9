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
        let edges = HiddenEdges::of(genome);
        let count = genome.hidden.len();
        let mut waiting = edges.sources;
        let mut layers = vec![1; count];
        // Nodes all of whose sources have their layers, in the order in which they get there.
        let mut ready: Vec<usize> = (0..count).filter(|&node| waiting[node] == 0).collect();
        let mut done = 0;
        while let Some(&node) = ready.get(done) {
            done += 1;
            let targets = edges.first[node] as usize..edges.first[node + 1] as usize;
            for &target in &edges.targets[targets] {
                let target = target as usize;
                layers[target] = layers[target].max(layers[node] + 1);
                waiting[target] -= 1;
                if waiting[target] == 0 {
                    ready.push(target);
                }
            }
        }
        if done < count {
            return None;
        }
        let mut hidden: Vec<(usize, usize)> = layers.into_iter().zip(0..).collect();
        hidden.sort_unstable();
        let top_layer = hidden.last().map_or(1, |(highest, _)| highest + 1);
        Some(Self { hidden, top_layer })
    }
}

/// The edges between hidden nodes, disabled ones included, by the place of the node that they come from.
struct HiddenEdges {
    /// How many edges lead to each node.
    sources: Vec<u32>,
    /// Where the targets of each node begin, and where those of the last end.
    first: Vec<u32>,
    targets: Vec<u32>,
}

impl HiddenEdges {
    fn of(genome: &Neat) -> Self {
        let count = genome.hidden.len();
        let between = genome.edges.iter().filter_map(|edge| {
            let from = genome.place_of_hidden(edge.from)?;
            Some((from, genome.place_of_hidden(edge.to)?))
        });
        let between: Vec<(usize, usize)> = between.collect();
        let mut sources = vec![0; count];
        let mut first = vec![0; count + 2];
        for &(from, to) in &between {
            sources[to] += 1;
            first[from + 2] += 1;
        }
        for node in 2..first.len() {
            first[node] += first[node - 1];
        }
        // Until all are placed, `first[node + 1]` is where the next target of a node goes.
        let mut targets = vec![0; between.len()];
        for (from, to) in between {
            let place = &mut first[from + 1];
            targets[*place as usize] = to as u32;
            *place += 1;
        }
        Self {
            sources,
            first,
            targets,
        }
    }
}
