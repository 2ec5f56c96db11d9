//! The shape of a network: the order in which its nodes are evaluated, and the layer of each.

use super::Neat;

/// The layers of the nodes. A node is one layer above the highest of its sources, disabled edges
/// included; the inputs and the bias are in layer 0, and the outputs above all others.
#[derive(Clone, Debug)]
pub(super) struct NetworkShape {
    /// The layer of each hidden node and its place among the hidden genes, in the order of
    /// evaluation: by layers, then by number.
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
        let between = between_hidden(genome);
        // One allocation for all lists of numbers, since every member of every generation is laid
        // out.
        let mut room = vec![0_u32; 4 * count + 2 + between.len()];
        let (waiting, rest) = room.split_at_mut(count);
        let (layers, rest) = rest.split_at_mut(count);
        let (ready, rest) = rest.split_at_mut(count);
        let (first, targets) = rest.split_at_mut(count + 2);
        by_source(&between, waiting, first, targets);
        layers.fill(1);
        // Nodes all of whose sources have their layers, in the order in which they get there.
        let mut known = 0;
        for (node, _) in (0..).zip(&*waiting).filter(|(_, waiting)| **waiting == 0) {
            ready[known] = node;
            known += 1;
        }
        let mut done = 0;
        while done < known {
            let node = ready[done] as usize;
            done += 1;
            for &target in &targets[first[node] as usize..first[node + 1] as usize] {
                let at = target as usize;
                layers[at] = layers[at].max(layers[node] + 1);
                waiting[at] -= 1;
                if waiting[at] == 0 {
                    ready[known] = target;
                    known += 1;
                }
            }
        }
        if done < count {
            return None;
        }
        let layers = layers.iter().map(|&layer| layer as usize);
        let mut hidden: Vec<(usize, usize)> = layers.zip(0..).collect();
        hidden.sort_unstable();
        let top_layer = hidden.last().map_or(1, |(highest, _)| highest + 1);
        Some(Self { hidden, top_layer })
    }
}

/// The edges between hidden nodes, disabled ones included, by the places of their ends.
fn between_hidden(genome: &Neat) -> Vec<(u32, u32)> {
    let mut between = Vec::with_capacity(genome.edges.len());
    for edge in &genome.edges {
        if let Some(from) = genome.place_of_hidden(edge.from)
            && let Some(to) = genome.place_of_hidden(edge.to)
        {
            between.push((from as u32, to as u32));
        }
    }
    between
}

/// Sorts the targets of edges by their sources. All lists are zero before. Afterwards `sources` has
/// the number of edges that lead to each node, and `first` where the targets of each node begin,
/// and where those of the last end.
fn by_source(between: &[(u32, u32)], sources: &mut [u32], first: &mut [u32], targets: &mut [u32]) {
    for &(from, to) in between {
        sources[to as usize] += 1;
        first[from as usize + 2] += 1;
    }
    for node in 2..first.len() {
        first[node] += first[node - 1];
    }
    // Until all are placed, `first[node + 1]` is where the next target of a node goes.
    for &(from, to) in between {
        let place = &mut first[from as usize + 1];
        targets[*place as usize] = to;
        *place += 1;
    }
}
