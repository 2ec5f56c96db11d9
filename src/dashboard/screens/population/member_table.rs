//! The members of a generation as table rows: what is known of each, and their order. No drawing.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::model::run::RunModel;
use finches_engine::evolution::breeding::Origin;
use finches_engine::genomes::AnyGenome;
use finches_engine::session::GenerationSnapshot;

/// The columns by which members can be sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberColumn {
    /// The index in the population.
    Index,
    Fitness,
    Origin,
    /// Generations since the genome was created.
    Age,
    /// Hidden layers.
    Layers,
    Hidden,
    Edges,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SortDirection {
    Ascending,
    Descending,
}

/// A sort column with its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MemberOrder {
    pub(super) column: MemberColumn,
    pub(super) direction: SortDirection,
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Member {
    pub(super) index: usize,
    /// `None` if it has not been evaluated or the fitness was not saved.
    pub(super) fitness: Option<f64>,
    pub(super) origin: Option<MemberOrigin>,
    pub(super) age: Option<u64>,
    pub(super) layers: usize,
    pub(super) hidden: usize,
    pub(super) edges: usize,
}

/// All members of a generation, sorted.
pub(super) struct MemberTable {
    pub(super) snapshot: Arc<GenerationSnapshot>,
    members: Vec<Member>,
    /// The columns that carry information.
    pub(super) columns: Vec<MemberColumn>,
}

impl MemberColumn {
    pub(super) fn heading(self) -> &'static str {
        match self {
            Self::Index => "member",
            Self::Fitness => "fitness",
            Self::Origin => "origin",
            Self::Age => "age",
            Self::Layers => "layers",
            Self::Hidden => "hidden",
            Self::Edges => "edges",
        }
    }

    /// The default order of a column: the most interesting end first.
    pub(super) fn order(self) -> MemberOrder {
        let direction = match self {
            Self::Index | Self::Origin => SortDirection::Ascending,
            _ => SortDirection::Descending,
        };
        MemberOrder {
            column: self,
            direction,
        }
    }
}

impl MemberOrder {
    pub(super) fn reversed(self) -> Self {
        let direction = match self.direction {
            SortDirection::Ascending => SortDirection::Descending,
            SortDirection::Descending => SortDirection::Ascending,
        };
        Self { direction, ..self }
    }
}

impl MemberTable {
    /// Lists the members of a generation that is not empty.
    pub(super) fn new(snapshot: Arc<GenerationSnapshot>, order: MemberOrder) -> Self {
        let member = |(place, genome): (usize, &AnyGenome)| {
            let topology = genome.topology();
            let origin = snapshot.origins.get(place).copied();
            let born = snapshot.born.get(place).copied().flatten();
            Member {
                index: place,
                fitness: snapshot.fitness.get(place).copied(),
                origin: origin.map(|origin| MemberOrigin::of(origin, snapshot.generation)),
                age: born.map(|born| snapshot.generation.saturating_sub(born)),
                layers: topology.hidden_layers(),
                hidden: topology.hidden_nodes(),
                edges: topology.edges,
            }
        };
        let members: Vec<Member> = snapshot.members.iter().enumerate().map(member).collect();
        let mut member_table = Self {
            columns: known_columns(&members),
            members,
            snapshot,
        };
        member_table.sort(order);
        member_table
    }

    /// The members in the current order.
    pub(super) fn members(&self) -> &[Member] {
        &self.members
    }

    /// Sorts the members; ties keep the order of the population.
    pub(super) fn sort(&mut self, order: MemberOrder) {
        self.members.sort_unstable_by(|one, other| {
            let by = compare(order.column, one, other);
            let by = match order.direction {
                SortDirection::Ascending => by,
                SortDirection::Descending => by.reverse(),
            };
            by.then(one.index.cmp(&other.index))
        });
    }

    /// Whether the members are those that play next, after a run was resumed without the ones
    /// before.
    pub(super) fn is_unplayed(&self, watch: Option<&RunModel>) -> bool {
        let done = watch.map(|watch| watch.generation);
        self.snapshot.fitness.is_empty()
            && done.is_some_and(|done| self.snapshot.generation >= done)
    }

    /// Why the fitness is unknown, if it is.
    pub(super) fn missing_fitness(&self, watch: Option<&RunModel>) -> &'static str {
        if self.is_unplayed(watch) {
            "These members play next; they have no fitness yet."
        } else {
            "The fitness is not saved with the population."
        }
    }

    /// The lowest and the highest known fitness.
    pub(super) fn fitness_range(&self) -> (f64, f64) {
        self.snapshot
            .fitness
            .iter()
            .copied()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(value), high.max(value))
            })
    }
}

/// The columns worth showing: those whose values are known and not all equal.
fn known_columns(members: &[Member]) -> Vec<MemberColumn> {
    let differs = |value: fn(&Member) -> usize| {
        let mut values = members.iter().map(value);
        let first = values.next();
        values.any(|value| Some(value) != first)
    };
    let columns = [
        (MemberColumn::Index, true),
        (
            MemberColumn::Fitness,
            members.iter().any(|one| one.fitness.is_some()),
        ),
        (
            MemberColumn::Origin,
            members.iter().any(|one| one.origin.is_some()),
        ),
        (
            MemberColumn::Age,
            members.iter().any(|one| one.age.is_some()),
        ),
        (MemberColumn::Hidden, differs(|member| member.hidden)),
        (MemberColumn::Edges, differs(|member| member.edges)),
        (MemberColumn::Layers, differs(|member| member.layers)),
    ];
    let shown = columns.into_iter().filter(|&(_, is_shown)| is_shown);
    shown.map(|(column, _)| column).collect()
}

fn compare(column: MemberColumn, one: &Member, other: &Member) -> Ordering {
    match column {
        MemberColumn::Index => one.index.cmp(&other.index),
        MemberColumn::Fitness => {
            let fitness = |member: &Member| member.fitness.unwrap_or(f64::NEG_INFINITY);
            fitness(one).total_cmp(&fitness(other))
        }
        MemberColumn::Origin => one.origin.cmp(&other.origin),
        MemberColumn::Age => one.age.cmp(&other.age),
        MemberColumn::Layers => one.layers.cmp(&other.layers),
        MemberColumn::Hidden => one.hidden.cmp(&other.hidden),
        MemberColumn::Edges => one.edges.cmp(&other.edges),
    }
}

/// How a member was made. Founders are the members of generation 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MemberOrigin {
    Elite,
    Crossover,
    Mutant,
    /// Random, or a mutated champion of an earlier generation.
    New,
    /// The champion of another island.
    Migrant,
    Founder,
}

impl MemberOrigin {
    /// In display order.
    pub(super) const ALL: [Self; 6] = [
        Self::Elite,
        Self::Crossover,
        Self::Mutant,
        Self::New,
        Self::Migrant,
        Self::Founder,
    ];

    fn of(origin: Origin, generation: u64) -> Self {
        match origin {
            Origin::New if generation == 0 => Self::Founder,
            Origin::New => Self::New,
            Origin::Elite => Self::Elite,
            Origin::Crossover => Self::Crossover,
            Origin::Mutant => Self::Mutant,
            Origin::Migrant => Self::Migrant,
        }
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Elite => "elite",
            Self::Crossover => "crossover",
            Self::Mutant => "mutant",
            Self::New => "new",
            Self::Migrant => "migrant",
            Self::Founder => "founder",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use finches_engine::evolution::memory::Memory;
    use finches_engine::genomes::{GenomeConfig, IoSpec};
    use finches_engine::rng::{Purpose, stream};

    fn snapshot() -> GenerationSnapshot {
        let io_spec = IoSpec::new(2, 1);
        let genome =
            GenomeConfig::all()[0].random(&io_spec, &mut stream(0, Purpose::Initialization, 0, 0));
        GenerationSnapshot {
            generation: 9,
            members: vec![genome; 4],
            fitness: vec![2.0, 5.0, 1.0, 5.0],
            origins: vec![Origin::Mutant, Origin::Elite, Origin::Mutant, Origin::New],
            born: vec![Some(9), None, Some(3), Some(9)],
            kinship: Vec::new(),
            memory: Memory::default(),
            phylogeny: Arc::default(),
        }
    }

    fn check(column: MemberColumn, expected: [usize; 4]) {
        let listed = |order| -> Vec<usize> {
            let member_table = MemberTable::new(Arc::new(snapshot()), order);
            member_table
                .members()
                .iter()
                .map(|member| member.index)
                .collect()
        };
        assert_eq!(listed(column.order()), expected, "{column:?}");
        assert_eq!(
            listed(column.order().reversed().reversed()),
            expected,
            "{column:?} reversed twice"
        );
    }

    #[test]
    fn members_are_listed_by_any_column_and_equals_by_their_places() {
        check(MemberColumn::Index, [0, 1, 2, 3]);
        check(MemberColumn::Fitness, [1, 3, 0, 2]);
        check(MemberColumn::Origin, [1, 0, 2, 3]);
        check(MemberColumn::Age, [2, 0, 3, 1]);
        check(MemberColumn::Edges, [0, 1, 2, 3]);
        let rising = MemberColumn::Fitness.order().reversed();
        let member_table = MemberTable::new(Arc::new(snapshot()), rising);
        let places: Vec<usize> = member_table.members().iter().map(|one| one.index).collect();
        assert_eq!(
            (places, member_table.fitness_range()),
            (vec![2, 0, 1, 3], (1.0, 5.0))
        );
    }

    #[test]
    fn only_the_first_members_are_founders() {
        let word = |generation| MemberOrigin::of(Origin::New, generation).word();
        assert_eq!((word(0), word(1)), ("founder", "new"));
    }

    #[test]
    fn what_is_not_known_or_the_same_for_all_has_no_column() {
        use MemberColumn::{Age, Fitness, Index, Origin};
        let member_table = MemberTable::new(Arc::new(snapshot()), Fitness.order());
        assert_eq!(member_table.columns, [Index, Fitness, Origin, Age]);
        let resumed = GenerationSnapshot {
            origins: Vec::new(),
            born: vec![None; 4],
            ..snapshot()
        };
        let member_table = MemberTable::new(Arc::new(resumed.clone()), Fitness.order());
        assert_eq!(member_table.columns, [Index, Fitness]);
        let kept = GenerationSnapshot {
            fitness: Vec::new(),
            ..resumed
        };
        let member_table = MemberTable::new(Arc::new(kept), Fitness.order());
        assert_eq!(
            (&member_table.columns[..], member_table.members().len()),
            (&[Index][..], 4)
        );
    }
}
