//! The games of a whole schedule, played in parallel: move by move, or by looking up what was worked out beforehand.

use std::sync::Arc;

use crate::agents::{Agent, Desk, Policy};
use crate::contest::{Pairing, Played, Seat};
use crate::games::reference::Notes;
use crate::games::solver::StateGraph;
use crate::games::{Game, Side};
use crate::genomes::experience::Experience;
use crate::rng::{Purpose, stream};

use super::player::Player;
use super::pool::{Pool, Slots};
use super::{Guest, Hall, Schedule, Small, bout};

impl<G: Game, A: Agent> Hall<G, A> {
    /// Plays the games that have not been played yet.
    pub(super) fn play_all(
        &self,
        pool: &Pool,
        schedule: &Schedule<'_>,
        played: &mut Slots<Played>,
    ) {
        match &self.small {
            Some(small) if self.prefers_policies(small, schedule) => {
                self.play_by_policy(small, pool, schedule, played);
            }
            _ => self.play_by_thought(pool, schedule, played),
        }
    }

    /// The choices in every position of some players and then of others.
    fn policies<'a>(
        &self,
        small: &Small<G>,
        pool: &Pool,
        [some, others]: [&'a [Arc<Player>]; 2],
    ) -> Vec<&'a Policy> {
        pool.map_with(
            some.len() + others.len(),
            || Desk::new(&self.game),
            |desk, place| {
                let player = some.get(place);
                let player = player.unwrap_or_else(|| &others[place - some.len()]);
                self.policy(small, player, desk)
            },
        )
    }

    /// Plays by looking moves up: every player's choice in every position is worked out first.
    fn play_by_policy(
        &self,
        small: &Small<G>,
        pool: &Pool,
        schedule: &Schedule<'_>,
        played: &mut Slots<Played>,
    ) {
        let (members, famers) = (schedule.members, schedule.famers);
        let policies = self.policies(small, pool, [members, famers]);
        let policy_of = |seat: Seat| match seat {
            Seat::Member(index) => policies[index as usize],
            Seat::Famer(index) => policies[members.len() + index as usize],
            Seat::Reference(_) => unreachable!("reference players have no policy"),
        };
        let graph = &small.outlook.graph;
        pool.fill(
            played,
            schedule.halt,
            bout::LANES,
            || None,
            |last: &mut Option<(u32, u32)>, first, slots| {
                let mut lane = |pairing: &Pairing| bout::Lane {
                    start: self.start(graph, schedule, pairing.opening, last),
                    policies: [policy_of(pairing.first()), policy_of(pairing.second())],
                };
                let pairings = &schedule.pairings[first..first + slots.len()];
                // Where games are left over, the first one is walked again beside them.
                let lanes =
                    std::array::from_fn(|place| lane(pairings.get(place).unwrap_or(&pairings[0])));
                let played = bout::walk(graph, lanes);
                slots.copy_from_slice(&played[..slots.len()]);
            },
        );
    }

    /// The number of the position that a game begins from; games with the same opening mostly follow one another.
    fn start(
        &self,
        graph: &StateGraph<G>,
        schedule: &Schedule<'_>,
        opening: u32,
        last: &mut Option<(u32, u32)>,
    ) -> u32 {
        if let Some((known, start)) = *last
            && known == opening
        {
            return start;
        }
        let (seed, generation) = (schedule.seed, schedule.generation);
        let state = self.opening(Purpose::Opening, seed, generation, opening);
        let start = graph
            .find(&self.game, &state)
            .expect("every start is in the graph");
        *last = Some((opening, start));
        start
    }

    /// Plays by asking the brains at every move.
    fn play_by_thought(&self, pool: &Pool, schedule: &Schedule<'_>, played: &mut Slots<Played>) {
        pool.fill(
            played,
            schedule.halt,
            1,
            || (Desk::new(&self.game), Notes::default()),
            |tools, index, slots| {
                slots[0] = self.play_one(schedule, index, tools, |_| {});
            },
        );
    }

    /// Plays one game by asking the brains at every move; `watch` is shown each position in which somebody is to move.
    fn play_one(
        &self,
        schedule: &Schedule<'_>,
        index: usize,
        tools: &mut (Desk<G>, Notes<G>),
        mut watch: impl FnMut(&G::State),
    ) -> Played {
        let guest = |seat: Seat| match seat {
            Seat::Member(index) => Guest::Brain(schedule.members[index as usize].brain()),
            Seat::Famer(index) => Guest::Brain(schedule.famers[index as usize].brain()),
            Seat::Reference(index) => Guest::Reference(schedule.references[index as usize]),
        };
        let (seed, generation) = (schedule.seed, schedule.generation);
        let pairing = &schedule.pairings[index];
        let start = self.opening(Purpose::Opening, seed, generation, pairing.opening);
        let guests = [guest(pairing.first()), guest(pairing.second())];
        let mut rng = stream(seed, Purpose::Chance, generation, index as u64);
        tools.0.clear();
        bout::follow(&self.game, start, |state| {
            watch(state);
            let guest = guests[self.game.to_move(state).index()];
            bout::ask(self, guest, state, tools, &mut rng)
        })
    }

    /// What the player of a side was shown in a game when it was to move.
    pub(super) fn replay(&self, schedule: &Schedule<'_>, index: usize, side: Side) -> Experience {
        let mut experience = Experience::default();
        let mut numbers = vec![0.0; self.ports.numbers()];
        let mut tools = (Desk::new(&self.game), Notes::default());
        self.play_one(schedule, index, &mut tools, |state| {
            if self.game.to_move(state) == side {
                self.game.encode(state, side, &mut numbers);
                experience.push(&numbers);
            }
        });
        experience
    }

    /// Working out every choice beforehand pays unless there are far more positions than will be met; what depends on chance
    /// can't be.
    fn prefers_policies(&self, small: &Small<G>, schedule: &Schedule<'_>) -> bool {
        const POSITIONS_PER_GAME: usize = 8;
        if !self.agent.is_certain() || !schedule.references.is_empty() {
            return false;
        }
        let positions = small.outlook.graph.len() * schedule.members.len();
        positions <= schedule.pairings.len() * POSITIONS_PER_GAME
    }
}
