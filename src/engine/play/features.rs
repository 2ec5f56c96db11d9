//! Features of players, which tell their styles apart: how long their games are, how they score,
//! what their networks are like. A new one is a constant and a line in `FEATURES`; those of other
//! crates follow.

use crate::contest::{FeatureValues, GameResult, Seat, Tally};
use crate::games::Side;
use crate::genomes::AnyGenome;
use crate::params::suggest;
use crate::registry::CustomParts;

use super::pool::Pool;
use super::{Arena, Schedule};

/// A feature of the members of a generation.
pub struct Feature {
    /// The name in preset files.
    pub name: &'static str,
    /// The name in words.
    pub label: &'static str,
    /// The lowest and the highest value if all games have the same; `None` if they have not.
    pub range: Option<[f64; 2]>,
    /// The value of a member, a finite number. It depends on nothing else, so that runs can be
    /// repeated.
    pub value: fn(&FeatureContext<'_>, usize) -> f64,
}

/// Moves of both players in a game.
const MOVES: Feature = Feature {
    name: "moves",
    label: "moves per game",
    range: None,
    value: |context, member| {
        let own = &context.members[member];
        mean(own.moves, own.sides[0].games() + own.sides[1].games())
    },
};

const SECOND_WINS: Feature = Feature {
    name: "second_wins",
    label: "won as second player",
    range: Some([0.0, 1.0]),
    value: |context, member| {
        let second = context.members[member].sides[1];
        mean(second.wins, second.games())
    },
};

const DRAWS: Feature = Feature {
    name: "draws",
    label: "games drawn",
    range: Some([0.0, 1.0]),
    value: |context, member| {
        let [first, second] = context.members[member].sides;
        mean(first.draws + second.draws, first.games() + second.games())
    },
};

const EDGES: Feature = Feature {
    name: "edges",
    label: "edges",
    range: None,
    value: |context, member| context.genomes[member].topology().edges as f64,
};

/// In its first game of the generation in which it moves first.
const MOBILITY: Feature = Feature {
    name: "mobility",
    label: "legal moves per turn",
    range: None,
    value: |context, member| {
        let moves = context.own_moves(member);
        let legal = moves.iter().map(|choice| choice.legal as u64).sum();
        mean(legal, moves.len() as u64)
    },
};

/// The place of the move among the legal ones, in the game's order, of the same game.
const FIRST_MOVE: Feature = Feature {
    name: "first_move",
    label: "place of the first move",
    range: Some([0.0, 1.0]),
    value: |context, member| {
        let moves = context.own_moves(member);
        let place = moves.first().and_then(|first| {
            let most = first.legal.saturating_sub(1);
            Some(mean(first.chosen? as u64, most as u64))
        });
        place.unwrap_or_default()
    },
};

/// The built-in features.
static FEATURES: &[Feature] = &[MOVES, SECOND_WINS, DRAWS, EDGES, MOBILITY, FIRST_MOVE];

/// All features.
pub fn all() -> impl Iterator<Item = &'static Feature> {
    FEATURES.iter().chain(CustomParts::registered())
}

/// The feature of this name; the error lists the features.
pub fn named(name: &str) -> Result<&'static Feature, String> {
    all().find(|feature| feature.name == name).ok_or_else(|| {
        let names: Vec<&str> = all().map(|feature| feature.name).collect();
        format!("there is no feature `{name}`; {}", suggest(name, &names))
    })
}

/// A sum over a count; 0 if there is nothing to count.
fn mean(sum: u64, count: u64) -> f64 {
    if count == 0 {
        return 0.0;
    }
    sum as f64 / count as f64
}

/// The games of a generation, and what its members are.
pub struct FeatureContext<'a> {
    /// Where the games were played.
    pub arena: &'a dyn Arena,
    /// The games with their players.
    pub schedule: &'a Schedule<'a>,
    /// The genomes of the members.
    pub genomes: &'a [AnyGenome],
    /// The games of each member.
    pub members: Vec<MemberGames>,
}

/// The games of a member.
#[derive(Clone, Copy, Debug, Default)]
pub struct MemberGames {
    /// The results as the first and as the second player.
    pub sides: [Tally; 2],
    /// The moves of both players.
    pub moves: u64,
    /// Its first game as the first and as the second player, by their indices.
    pub first_games: [Option<usize>; 2],
}

/// What a player did in one position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplayedMove {
    /// The player.
    pub side: Side,
    /// The number of legal moves.
    pub legal: usize,
    /// The place of its move among them; `None` if it was illegal.
    pub chosen: Option<usize>,
}

impl<'a> FeatureContext<'a> {
    /// Counts the games of each member.
    pub fn new(
        arena: &'a dyn Arena,
        schedule: &'a Schedule<'a>,
        played: &[GameResult],
        genomes: &'a [AnyGenome],
    ) -> Self {
        let mut members = vec![MemberGames::default(); genomes.len()];
        for (game, (pairing, result)) in schedule.pairings.iter().zip(played).enumerate() {
            let seats = [pairing.first(), pairing.second()];
            let results = [result.result, result.result_for_second()];
            for side in [0, 1] {
                if let Seat::Member(member) = seats[side] {
                    let own = &mut members[member as usize];
                    own.sides[side].add(results[side]);
                    own.moves += u64::from(result.plies);
                    own.first_games[side].get_or_insert(game);
                }
            }
        }
        Self {
            arena,
            schedule,
            genomes,
            members,
        }
    }

    /// The moves of a member in its first game as the first player, or as the second one if it
    /// never moves first. The game is played again for them.
    pub fn own_moves(&self, member: usize) -> Vec<ReplayedMove> {
        let [first, second] = self.members[member].first_games;
        let (game, side) = match (first, second) {
            (Some(game), _) => (game, Side::First),
            (None, Some(game)) => (game, Side::Second),
            (None, None) => return Vec::new(),
        };
        let mut moves = self.arena.replayed_moves(self.schedule, game);
        moves.retain(|played| played.side == side);
        moves
    }

    /// The values of some features for all members, computed in parallel.
    pub fn values(&self, pool: &Pool, features: &[&Feature]) -> Vec<FeatureValues> {
        let values = features.iter().map(|feature| FeatureValues {
            range: feature.range,
            of_members: pool.map_with(
                self.genomes.len(),
                || (),
                |(), member| (feature.value)(self, member),
            ),
        });
        values.collect()
    }
}
