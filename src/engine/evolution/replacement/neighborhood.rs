//! Local replacement, as in a cellular evolutionary algorithm: each member is replaced by an
//! offspring of its neighborhood, all at the same time (Porter & LeGrand, "Vanilla Configuration"
//! and "Variations on Vanilla").

use crate::evolution::breeding::{Breeding, Candidates, Offspring};
use crate::params::{choices, params};
use crate::rng::Stream;

use super::{OffspringPlan, ParentChoice, Replacement, ReplacementTraits};

choices! {
    /// The first parent of the offspring in a cell.
    pub enum FirstParent {
        /// The member in the cell itself.
        Cell = "cell",
        /// A selected one. The second parent is then another one.
        Selected = "selected",
    }
}

params! {
    /// Each member is replaced by an offspring of its neighborhood.
    pub struct Neighborhood {
        /// The first parent of the offspring in a cell: the member in the cell, or a selected one.
        /// Two selected parents differ.
        live first_parent: FirstParent = FirstParent::Cell;
        /// Whether the cell itself is a candidate beside its neighbors, of which it has six on the
        /// torus.
        live include_cell: bool = false;
    }
}

impl Replacement for Neighborhood {
    fn plan<'a>(&'a self, breeding: &'a Breeding<'a>) -> Box<dyn OffspringPlan + 'a> {
        Box::new(NeighborhoodPlan {
            scheme: self,
            breeding,
        })
    }

    fn traits(&self) -> ReplacementTraits {
        ReplacementTraits {
            parent_choice: match self.first_parent {
                FirstParent::Cell => ParentChoice::OwnPlace,
                FirstParent::Selected => ParentChoice::Selected,
            },
            needs_space: true,
            ..ReplacementTraits::default()
        }
    }

    /// The second of two selected parents has one candidate fewer.
    fn candidates(&self, _population: usize, neighbors: usize) -> usize {
        let own = usize::from(self.include_cell);
        neighbors + own - usize::from(self.first_parent == FirstParent::Selected)
    }
}

struct NeighborhoodPlan<'a> {
    scheme: &'a Neighborhood,
    breeding: &'a Breeding<'a>,
}

impl NeighborhoodPlan<'_> {
    /// The candidates of a cell, without one of them.
    fn candidates(&self, cell: usize, without: Option<usize>) -> Candidates {
        let neighbors = self.breeding.pool.neighborhoods[cell].iter();
        let own = self.scheme.include_cell.then_some(cell);
        let all = neighbors.map(|&member| member as usize).chain(own);
        let members = all.filter(|&member| Some(member) != without);
        self.breeding.candidates(members.collect())
    }
}

impl OffspringPlan for NeighborhoodPlan<'_> {
    fn offspring(&self, place: usize, rng: &mut Stream) -> Offspring {
        let (first, without) = match self.scheme.first_parent {
            FirstParent::Cell => (place, None),
            FirstParent::Selected => {
                let first = self.candidates(place, None).select(place, rng);
                (first, Some(first))
            }
        };
        let mate = |rng: &mut Stream| self.candidates(place, without).select(place + 1, rng);
        self.breeding.offspring_of(place, first, &mate, rng)
    }
}
