//! Historical markings (Stanley & Miikkulainen 2002, §3.2): numbers of nodes and edges by which
//! genes of the same origin are known in all genomes.
//!
//! Offspring are made in parallel, so a mutation gives a new gene a provisional number. When all
//! offspring of a generation are made, they are numbered one after the other: the same structural
//! mutation in one generation gets the same number, whatever the number of threads.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

/// Provisional numbers begin here.
const PROVISIONAL: u32 = 1 << 31;

/// The numbers that the next new node and the next new edge get; 0 if no genome has numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Innovations {
    next_node: u32,
    next_edge: u32,
    /// The numbers that are given.
    #[serde(default, skip_serializing_if = "NumberClass::is_all")]
    class: NumberClass,
}

/// The numbers whose remainder after division by `of` is `remainder`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "(u32, u32)", into = "(u32, u32)")]
struct NumberClass {
    remainder: u32,
    of: u32,
}

impl NumberClass {
    const ALL: Self = Self {
        remainder: 0,
        of: 1,
    };

    #[allow(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde passes a reference"
    )]
    fn is_all(&self) -> bool {
        *self == Self::ALL
    }

    /// The first of them that is not below a number.
    fn from(self, number: u32) -> u32 {
        let ahead = (self.of + self.remainder - number % self.of) % self.of;
        number + ahead
    }
}

impl Default for NumberClass {
    fn default() -> Self {
        Self::ALL
    }
}

impl From<NumberClass> for (u32, u32) {
    fn from(class: NumberClass) -> Self {
        (class.remainder, class.of)
    }
}

impl TryFrom<(u32, u32)> for NumberClass {
    type Error = &'static str;

    fn try_from((remainder, of): (u32, u32)) -> Result<Self, Self::Error> {
        if remainder < of && of < PROVISIONAL {
            Ok(Self { remainder, of })
        } else {
            Err("must be a remainder and the number it is of, which is larger")
        }
    }
}

impl Innovations {
    /// Whether no genome has numbers.
    pub fn is_unused(&self) -> bool {
        *self == Self::default()
    }

    /// From now on gives only every `of`-th number, so that `of` populations that exchange genomes
    /// never give the same number to different genes. `index` is below `of` and different in each.
    /// The genes of founders have the same numbers in all.
    pub fn share(&mut self, index: u32, of: u32) {
        if self.is_unused() {
            return;
        }
        self.class = NumberClass {
            remainder: index,
            of,
        };
        self.next_node = self.class.from(self.next_node);
        self.next_edge = self.class.from(self.next_edge);
    }

    /// The structural mutations of one generation.
    pub fn of_generation(&mut self) -> GenerationInnovations<'_> {
        GenerationInnovations {
            next: self,
            nodes: HashMap::new(),
            edges: HashMap::new(),
        }
    }
}

/// The structural mutations of one generation, and the numbers of their genes.
#[derive(Debug)]
pub struct GenerationInnovations<'a> {
    next: &'a mut Innovations,
    /// For each split edge, the numbers of the nodes that split it. There are several if a genome
    /// has split it more than once.
    nodes: HashMap<u32, Vec<u32>>,
    /// For each pair of nodes, the number of the edge between them.
    edges: HashMap<(u32, u32), u32>,
}

impl GenerationInnovations<'_> {
    /// Makes sure that new genes get numbers above these.
    pub fn above(&mut self, node: u32, edge: u32) {
        let class = self.next.class;
        self.next.next_node = self.next.next_node.max(class.from(node + 1));
        self.next.next_edge = self.next.next_edge.max(class.from(edge + 1));
    }

    /// The number of a node that splits an edge, for a genome that does not have it yet.
    pub fn node(&mut self, split: u32, is_taken: impl Fn(u32) -> bool) -> u32 {
        let known = self.nodes.entry(split).or_default();
        if let Some(&number) = known.iter().find(|&&number| !is_taken(number)) {
            return number;
        }
        let number = self.next.next_node;
        self.next.next_node += self.next.class.of;
        known.push(number);
        number
    }

    /// The number of an edge between two nodes.
    pub fn edge(&mut self, from: u32, to: u32) -> u32 {
        let (next, step) = (&mut self.next.next_edge, self.next.class.of);
        *self.edges.entry((from, to)).or_insert_with(|| {
            let number = *next;
            *next += step;
            number
        })
    }
}

/// Whether a number is provisional.
pub fn is_provisional(number: u32) -> bool {
    number >= PROVISIONAL
}

/// The next provisional number, after the last number of a genome.
pub fn provisional(last: Option<u32>) -> u32 {
    last.map_or(PROVISIONAL, |last| (last + 1).max(PROVISIONAL))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn populations_that_share_numbers_never_give_the_same_one() {
        let mut founders = Innovations::default();
        founders.of_generation().above(4, 9);
        let given = |index: u32| {
            let mut own = founders;
            own.share(index, 3);
            let mut first = own.of_generation();
            first.above(4, 9);
            let mut numbers = vec![first.edge(0, 3), first.edge(1, 3)];
            // A genome of another population came.
            let mut second = own.of_generation();
            second.above(20, 31);
            numbers.extend([second.edge(0, 3), second.edge(1, 3)]);
            numbers
        };
        assert_eq!(given(0), [12, 15, 33, 36]);
        assert_eq!(given(1), [10, 13, 34, 37]);
        assert_eq!(given(2), [11, 14, 32, 35]);
        let mut unused = Innovations::default();
        unused.share(1, 3);
        assert!(unused.is_unused() && unused.class.is_all());
        let text = crate::params::notation();
        let mut own = founders;
        own.share(2, 3);
        let written = text.to_string(&own).expect("it can be written");
        assert_eq!(
            text.from_str::<Innovations>(&written)
                .expect("it was written"),
            own
        );
        assert!(
            text.from_str::<Innovations>(&written.replace("(2,3)", "(3,3)"))
                .is_err()
        );
        let plain = text.to_string(&founders).expect("it can be written");
        assert!(!plain.contains("class"), "{plain}");
    }

    #[test]
    fn the_same_mutation_in_one_generation_gets_the_same_number_and_a_new_one_in_the_next() {
        let mut innovations = Innovations::default();
        assert!(innovations.is_unused());
        let mut first = innovations.of_generation();
        first.above(4, 9);
        assert_eq!(
            [first.edge(0, 3), first.edge(1, 3), first.edge(0, 3)],
            [10, 11, 10]
        );
        let free = |_| false;
        assert_eq!(
            [
                first.node(7, free),
                first.node(8, free),
                first.node(7, free)
            ],
            [5, 6, 5]
        );
        assert_eq!(
            first.node(7, |number| number == 5),
            7,
            "its edge is split twice"
        );
        let mut second = innovations.of_generation();
        assert_eq!((second.edge(0, 3), second.node(7, free)), (12, 8));
        assert!(!innovations.is_unused());
    }

    #[test]
    fn provisional_numbers_come_after_all_others() {
        let first = provisional(Some(12));
        assert!(is_provisional(first) && !is_provisional(12));
        assert_eq!(provisional(Some(first)), first + 1);
        assert_eq!(provisional(None), first);
    }
}
