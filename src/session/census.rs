//! A generation that has been played, member by member: what each came to, and where it came from.

use std::sync::Arc;

use crate::evolution::breed::Origin;
use crate::genomes::AnyGenome;

use super::{Session, State};

/// The members of a generation after their games. All lists are in the order of the members, or empty where a run that was
/// resumed does not know.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Census {
    pub generation: u64,
    pub members: Vec<AnyGenome>,
    pub fitness: Vec<f64>,
    /// How each member was bred.
    pub origins: Vec<Origin>,
    /// The generation in which each genome first was a member, and since when it has been one without change.
    pub born: Vec<Option<u64>>,
}

/// What is known of members before they are played.
#[derive(Clone, Debug, Default)]
pub(super) struct Descent {
    /// Empty where it is not known.
    pub(super) origins: Vec<Origin>,
    /// `None` where a genome is older than the session.
    pub(super) born: Vec<Option<u64>>,
}

impl Descent {
    /// The members that a session begins with: brand new in generation 0, else bred by an earlier session.
    pub(super) fn founders(state: &State) -> Self {
        let members = state.population.members.len();
        match state.generation {
            0 => Self {
                origins: vec![Origin::Newcomer; members],
                born: vec![Some(0); members],
            },
            _ => Self {
                origins: state.population.origins.clone(),
                born: vec![None; members],
            },
        }
    }

    /// The children of these members: who is an unchanged copy is as old as its parent.
    pub(super) fn of_children(
        &self,
        generation: u64,
        children: impl Iterator<Item = (Origin, Option<usize>)>,
    ) -> Self {
        let (origins, born) = children
            .map(|(origin, copy_of)| {
                let born = copy_of.map_or(Some(generation), |parent| self.born[parent]);
                (origin, born)
            })
            .unzip();
        Self { origins, born }
    }

    /// A genome that has taken a member's place in this generation is a cross of it and a stranger.
    pub(super) fn replace(&mut self, member: usize, generation: u64) {
        if let Some(origin) = self.origins.get_mut(member) {
            *origin = Origin::Cross;
        }
        self.born[member] = Some(generation);
    }
}

impl Session {
    /// The latest generation played here; without members where there is none yet.
    pub fn census(&self) -> &Arc<Census> {
        &self.census
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::arena::pool::Pool;
    use crate::evolution::champion;
    use crate::preset::Preset;

    fn session(preset: Preset) -> Session {
        let pool = Pool::new(1).expect("there is a thread");
        Session::new(preset, 1, Vec::new(), pool).expect("it is sound")
    }

    fn small() -> Preset {
        let settings = [("population", "20"), ("opponents", "10")];
        let settings = settings.map(|(key, value)| (key.to_owned(), value.to_owned()));
        Preset::default().with(&settings).expect("it is sound")
    }

    #[test]
    fn an_unchanged_copy_is_as_old_as_its_parent_and_all_others_are_new() {
        let founders = Descent::founders(session(small()).state());
        assert_eq!(founders.origins, [Origin::Newcomer; 20]);
        let children = [
            (Origin::Elite, Some(2)),
            (Origin::Mutant, None),
            (Origin::Cross, Some(0)),
        ];
        let mut third = founders
            .of_children(1, children.into_iter())
            .of_children(2, children.into_iter());
        assert_eq!(third.born, [Some(0), Some(2), Some(0)]);
        third.replace(0, 2);
        assert_eq!(third.born[0], Some(2));
    }

    #[test]
    fn a_census_has_the_members_that_the_fitness_belongs_to() {
        let mut session = session(small());
        assert!(session.census().members.is_empty());
        for generation in 0..6 {
            let members = session.state().population.members.clone();
            session.advance(&AtomicBool::new(false));
            let census = session.census();
            assert_eq!((census.generation, &census.members), (generation, &members));
            let best = &census.members[champion(&census.fitness)];
            let champion = session.state().champion.as_ref();
            assert_eq!(Some(best), champion.map(|champion| &champion.genome));
            assert_eq!(census.origins.len(), members.len());
            let is_old = census.born.iter().any(|&born| born < Some(generation));
            assert_eq!(is_old, generation > 0, "elites stay");
        }
    }

    #[test]
    fn a_resumed_session_knows_no_more_than_was_saved() {
        let mut first = session(small());
        first.advance(&AtomicBool::new(false));
        let pool = Pool::new(1).expect("there is a thread");
        let resumed = Session::resume(small(), 1, Vec::new(), first.state().clone(), pool);
        let mut resumed = resumed.expect("it is the same run");
        assert!(resumed.census().members.is_empty());
        resumed.advance(&AtomicBool::new(false));
        let census = resumed.census();
        assert_eq!((census.origins.len(), census.born[0]), (0, None));
        resumed.advance(&AtomicBool::new(false));
        assert_eq!(resumed.census().origins.len(), 20);
    }
}
