//! The members of a generation as they are listed: what is known of each, and in which order. It draws nothing.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::evolution::breed::Origin;
use crate::genomes::AnyGenome;
use crate::session::Census;

/// What members can be listed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The place in the population.
    Place,
    Fitness,
    Origin,
    /// Generations since the genome came about.
    Age,
    /// Layers between inputs and outputs.
    Layers,
    Hidden,
    Edges,
}

/// Which way members are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Rising,
    Falling,
}

/// What members are listed by, and which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Order {
    pub(super) column: Column,
    pub(super) direction: Direction,
}

/// A member as it is listed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Member {
    pub(super) place: usize,
    /// None where it has not been played, or that is not kept.
    pub(super) fitness: Option<f64>,
    pub(super) origin: Option<Origin>,
    pub(super) age: Option<u64>,
    pub(super) layers: usize,
    pub(super) hidden: usize,
    pub(super) edges: usize,
}

/// All members of a generation, in an order.
pub(super) struct Roll {
    pub(super) census: Arc<Census>,
    members: Vec<Member>,
    /// What there is to be told of them.
    pub(super) columns: Vec<Column>,
}

impl Column {
    pub(super) fn heading(self) -> &'static str {
        match self {
            Self::Place => "member",
            Self::Fitness => "fitness",
            Self::Origin => "origin",
            Self::Age => "age",
            Self::Layers => "layers",
            Self::Hidden => "hidden",
            Self::Edges => "edges",
        }
    }

    /// The end that is looked for first comes first.
    pub(super) fn order(self) -> Order {
        let direction = match self {
            Self::Place | Self::Origin => Direction::Rising,
            _ => Direction::Falling,
        };
        Order {
            column: self,
            direction,
        }
    }
}

impl Order {
    pub(super) fn reversed(self) -> Self {
        let direction = match self.direction {
            Direction::Rising => Direction::Falling,
            Direction::Falling => Direction::Rising,
        };
        Self { direction, ..self }
    }
}

impl Roll {
    /// The members of a generation that has some.
    pub(super) fn new(census: Arc<Census>, order: Order) -> Self {
        let member = |(place, genome): (usize, &AnyGenome)| {
            let topology = genome.topology();
            let born = census.born.get(place).copied().flatten();
            Member {
                place,
                fitness: census.fitness.get(place).copied(),
                origin: census.origins.get(place).copied(),
                age: born.map(|born| census.generation.saturating_sub(born)),
                layers: topology.hidden_layers(),
                hidden: topology.hidden_nodes(),
                edges: topology.edges,
            }
        };
        let members: Vec<Member> = census.members.iter().enumerate().map(member).collect();
        let mut roll = Self {
            columns: columns(&members),
            members,
            census,
        };
        roll.sort(order);
        roll
    }

    /// The members as they are listed.
    pub(super) fn members(&self) -> &[Member] {
        &self.members
    }

    /// Lists the members in another order; who is equal stays in that of their places.
    pub(super) fn sort(&mut self, order: Order) {
        self.members.sort_unstable_by(|one, other| {
            let by = compare(order.column, one, other);
            let by = match order.direction {
                Direction::Rising => by,
                Direction::Falling => by.reverse(),
            };
            by.then(one.place.cmp(&other.place))
        });
    }

    /// The lowest and the highest fitness, as far as it is known.
    pub(super) fn ends(&self) -> (f64, f64) {
        self.census
            .fitness
            .iter()
            .copied()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(value), high.max(value))
            })
    }
}

/// What is not known, or the same for all, has no column.
fn columns(members: &[Member]) -> Vec<Column> {
    let differs = |value: fn(&Member) -> usize| {
        let mut values = members.iter().map(value);
        let first = values.next();
        values.any(|value| Some(value) != first)
    };
    let told = [
        (Column::Place, true),
        (
            Column::Fitness,
            members.iter().any(|one| one.fitness.is_some()),
        ),
        (
            Column::Origin,
            members.iter().any(|one| one.origin.is_some()),
        ),
        (Column::Age, members.iter().any(|one| one.age.is_some())),
        (Column::Hidden, differs(|member| member.hidden)),
        (Column::Edges, differs(|member| member.edges)),
        (Column::Layers, differs(|member| member.layers)),
    ];
    let told = told.into_iter().filter(|&(_, is_told)| is_told);
    told.map(|(column, _)| column).collect()
}

fn compare(column: Column, one: &Member, other: &Member) -> Ordering {
    let rank = |member: &Member| member.origin.map(|origin| origin as u8);
    match column {
        Column::Place => one.place.cmp(&other.place),
        Column::Fitness => {
            let fitness = |member: &Member| member.fitness.unwrap_or(f64::NEG_INFINITY);
            fitness(one).total_cmp(&fitness(other))
        }
        Column::Origin => rank(one).cmp(&rank(other)),
        Column::Age => one.age.cmp(&other.age),
        Column::Layers => one.layers.cmp(&other.layers),
        Column::Hidden => one.hidden.cmp(&other.hidden),
        Column::Edges => one.edges.cmp(&other.edges),
    }
}

/// How a member was bred, in a word.
pub(super) fn origin_word(origin: Origin) -> &'static str {
    match origin {
        Origin::Newcomer => "newcomer",
        Origin::Elite => "elite",
        Origin::Cross => "crossover",
        Origin::Mutant => "mutant",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::genomes::{GenomeConfig, Ports};
    use crate::rng::{Purpose, stream};

    fn census() -> Census {
        let ports = Ports::new(2, 1);
        let genome = GenomeConfig::all()[0].random(&ports, &mut stream(0, Purpose::Genesis, 0, 0));
        Census {
            generation: 9,
            members: vec![genome; 4],
            fitness: vec![2.0, 5.0, 1.0, 5.0],
            origins: vec![
                Origin::Mutant,
                Origin::Elite,
                Origin::Mutant,
                Origin::Newcomer,
            ],
            born: vec![Some(9), None, Some(3), Some(9)],
        }
    }

    fn check(column: Column, expected: [usize; 4]) {
        let listed = |order| -> Vec<usize> {
            let roll = Roll::new(Arc::new(census()), order);
            roll.members().iter().map(|member| member.place).collect()
        };
        assert_eq!(listed(column.order()), expected, "{column:?}");
        assert_eq!(
            listed(column.order().reversed().reversed()),
            expected,
            "{column:?} turned round twice"
        );
    }

    #[test]
    fn members_are_listed_by_any_column_and_equals_by_their_places() {
        check(Column::Place, [0, 1, 2, 3]);
        check(Column::Fitness, [1, 3, 0, 2]);
        check(Column::Origin, [3, 1, 0, 2]);
        check(Column::Age, [2, 0, 3, 1]);
        check(Column::Edges, [0, 1, 2, 3]);
        let rising = Column::Fitness.order().reversed();
        let roll = Roll::new(Arc::new(census()), rising);
        let places: Vec<usize> = roll.members().iter().map(|one| one.place).collect();
        assert_eq!((places, roll.ends()), (vec![2, 0, 1, 3], (1.0, 5.0)));
    }

    #[test]
    fn what_is_not_known_or_the_same_for_all_has_no_column() {
        use Column::{Age, Fitness, Origin, Place};
        let roll = Roll::new(Arc::new(census()), Fitness.order());
        assert_eq!(roll.columns, [Place, Fitness, Origin, Age]);
        let resumed = Census {
            origins: Vec::new(),
            born: vec![None; 4],
            ..census()
        };
        let roll = Roll::new(Arc::new(resumed.clone()), Fitness.order());
        assert_eq!(roll.columns, [Place, Fitness]);
        let kept = Census {
            fitness: Vec::new(),
            ..resumed
        };
        let roll = Roll::new(Arc::new(kept), Fitness.order());
        assert_eq!((&roll.columns[..], roll.members().len()), (&[Place][..], 4));
    }
}
