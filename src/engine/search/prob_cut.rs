//! Multi-ProbCut (Buro 1997, "Experiments with Multi-ProbCut and a New High-Quality Evaluation
//! Function for Othello"): how well the value of a shallow search predicts that of a deeper one.
//! Positions whose predicted value lies clearly beyond the window are not searched on.

use rand::RngExt;

use crate::games::Game;
use crate::rng::{Purpose, stream};

use super::alpha_beta::{AlphaBetaSearch, WIN_VALUE};
use super::{CancelToken, MoveEvaluator, SearchLimits, ValueMode};

/// The depths compared. The difference is that of one step; their parity is the same, since values
/// after a player's own move and after the opponent's differ.
const DEPTHS: [u8; 2] = [2, 4];

/// The plies by which one step is deeper.
pub(super) const STEP: u8 = DEPTHS[1] - DEPTHS[0];

/// Games that a player plays against itself, so that its values can be compared.
const GAMES: u64 = 6;

/// The moves at the beginning of these games that are random, so that the games differ, and the
/// share of random moves after them.
const RANDOM: (usize, f64) = (6, 0.2);

/// A stage of the game needs as many positions for its own relation.
const FEWEST: usize = 20;

/// The stages of a game, by the share of its moves that are left. In games whose moves can't be
/// counted all positions belong to the first.
const STAGES: usize = 3;

/// What shallow searches say of deeper ones, for each stage of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProbCut {
    relations: [Relation; STAGES],
    /// The moves left at the start.
    moves: u16,
}

/// The value of a search that is one step deeper: `slope` times the shallower one, with an error of
/// this standard deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Relation {
    slope: f32,
    deviation: f32,
}

impl Relation {
    /// The least-squares line through the origin for pairs of values (shallow, deep): values of
    /// equal positions are equal to both players.
    fn fit(pairs: &[[f64; 2]]) -> Option<Self> {
        let sum = |term: fn([f64; 2]) -> f64| pairs.iter().map(|&pair| term(pair)).sum::<f64>();
        let slope = sum(|[shallow, deep]| shallow * deep) / sum(|[shallow, _]| shallow * shallow);
        let errors = pairs.iter().map(|[shallow, deep]| deep - slope * shallow);
        let variance = errors.map(|error| error * error).sum::<f64>() / pairs.len() as f64;
        let usable = pairs.len() >= FEWEST && slope.is_finite() && slope > 0.0;
        usable.then(|| Self {
            slope: slope as f32,
            deviation: variance.sqrt() as f32,
        })
    }
}

impl ProbCut {
    /// Compares the values of positions of games that the evaluator plays against itself, the same
    /// games at every call. `None` if too few can be compared, or if it was canceled.
    pub fn fit<G: Game>(
        game: &G,
        evaluator: &mut dyn MoveEvaluator<G>,
        cancel: &dyn CancelToken,
    ) -> Option<Self> {
        let moves = game.moves_left(&game.standard_start()).unwrap_or_default();
        let mut pairs: [Vec<[f64; 2]>; STAGES] = Default::default();
        for number in 0..GAMES {
            each_pair(game, (evaluator, cancel), number, |left, pair| {
                pairs[stage(left, moves)].push(pair);
            });
        }
        let of_all = Relation::fit(&pairs.concat())?;
        let relations = pairs.map(|pairs| Relation::fit(&pairs).unwrap_or(of_all));
        (!cancel.is_canceled()).then_some(Self { relations, moves })
    }

    /// What a search that is `steps` shallower must find in a position with so many moves left, so
    /// that the deeper value is above `bound`, or below it if `deviations` is negative: by so many
    /// standard deviations. The errors of the steps are independent.
    pub(super) fn shallow_bound(
        &self,
        left: Option<u16>,
        steps: u8,
        (bound, deviations): (f32, f32),
    ) -> f32 {
        let relation = self.relations[stage(left, self.moves)];
        let margin = deviations * relation.deviation * f32::from(steps).sqrt();
        (0..steps).fold(bound + margin, |value, _| value / relation.slope)
    }
}

fn stage(left: Option<u16>, moves: u16) -> usize {
    let played = usize::from(moves.saturating_sub(left.unwrap_or(moves)));
    (played * STAGES / usize::from(moves.max(1))).min(STAGES - 1)
}

/// Plays a game and passes on the moves left and the two values of each position that can be
/// compared.
fn each_pair<G: Game>(
    game: &G,
    (evaluator, cancel): (&mut dyn MoveEvaluator<G>, &dyn CancelToken),
    number: u64,
    mut found: impl FnMut(Option<u16>, [f64; 2]),
) {
    let mut rng = stream(0, Purpose::SelfPlay, 0, number);
    let mut search = AlphaBetaSearch::default();
    let (mut state, mut moves, mut values) = (game.standard_start(), Vec::new(), Vec::new());
    for ply in 0.. {
        moves.clear();
        game.moves(&state, &mut moves);
        if moves.is_empty() || cancel.is_canceled() {
            return;
        }
        let mut best = 0;
        if moves.len() > 1 {
            let pair = DEPTHS.map(|depth| {
                let limits = SearchLimits {
                    cancel,
                    ..SearchLimits::to_depth(depth)
                };
                let how = (limits, ValueMode::Best);
                search.values(game, &state, &moves, how, evaluator, &mut values);
                let ranked =
                    (0..moves.len()).max_by(|&one, &other| values[one].total_cmp(&values[other]));
                best = ranked.unwrap_or_default();
                f64::from(values[best])
            });
            if pair
                .iter()
                .all(|value| value.abs() < f64::from(0.5 * WIN_VALUE))
            {
                found(game.moves_left(&state), pair);
            }
        }
        if ply < RANDOM.0 || rng.random_bool(RANDOM.1) {
            best = rng.random_range(0..moves.len());
        }
        game.play(&mut state, moves[best]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::reversi::ReversiConfig;
    use crate::games::{GameParams, Rules};
    use crate::search::{HeuristicEvaluator, NeverCancel};
    use std::sync::atomic::AtomicBool;

    #[test]
    fn a_relation_is_the_line_through_the_origin_and_the_spread_around_it() {
        let pairs: Vec<[f64; 2]> = (-20..=20)
            .map(|shallow| {
                [
                    f64::from(shallow),
                    1.25 * f64::from(shallow) + f64::from(1 - 2 * (shallow & 1)),
                ]
            })
            .collect();
        let relation = Relation::fit(&pairs).expect("there are enough");
        assert!((relation.slope - 1.25).abs() < 0.01, "{relation:?}");
        assert!((relation.deviation - 1.0).abs() < 0.01, "{relation:?}");
        assert_eq!(Relation::fit(&pairs[..FEWEST - 1]), None, "too few");
        let opposed: Vec<[f64; 2]> = pairs.iter().map(|[one, other]| [*one, -other]).collect();
        assert_eq!(Relation::fit(&opposed), None, "it predicts nothing");
    }

    #[test]
    fn a_bound_allows_for_the_slope_and_the_independent_errors_of_each_step() {
        let relation = |slope, deviation| Relation { slope, deviation };
        let prob_cut = ProbCut {
            relations: [relation(2.0, 1.0), relation(1.0, 3.0), relation(1.0, 4.0)],
            moves: 60,
        };
        let bound =
            |left, steps, deviations| prob_cut.shallow_bound(left, steps, (10.0, deviations));
        // A position whose moves can't be counted is as one at the start.
        for (left, steps, deviations, expected) in [
            (Some(60), 1, 2.0, 6.0),
            (Some(60), 4, -2.0, 0.375),
            (Some(40), 1, 1.0, 13.0),
            (Some(0), 4, 1.0, 18.0),
            (None, 1, 2.0, 6.0),
        ] {
            let found = bound(left, steps, deviations);
            assert!((found - expected).abs() < 1e-6, "{left:?} {steps}: {found}");
        }
    }

    #[test]
    fn a_fit_is_the_same_each_time_and_none_if_canceled() {
        let game = ReversiConfig::default().build();
        let fitted = || ProbCut::fit(&game, &mut HeuristicEvaluator(0), &NeverCancel);
        let first = fitted().expect("there are enough positions");
        assert_eq!(fitted(), Some(first));
        assert!(
            first.relations.iter().all(|it| it.deviation > 0.0),
            "{first:?}"
        );
        assert_eq!(
            ProbCut::fit(&game, &mut HeuristicEvaluator(0), &AtomicBool::new(true)),
            None
        );
    }

    #[test]
    fn a_selective_search_looks_deeper_and_one_without_doubt_finds_the_same() {
        let game = ReversiConfig::default().build();
        let fitted = ProbCut::fit(&game, &mut HeuristicEvaluator(0), &NeverCancel)
            .expect("it can be fitted");
        let look = |prob_cut, depth, max_nodes, mode| {
            let limits = SearchLimits {
                prob_cut,
                max_nodes,
                ..SearchLimits::to_depth(depth)
            };
            let (state, mut moves, mut values) = (game.standard_start(), Vec::new(), Vec::new());
            game.moves(&state, &mut moves);
            let mut search = AlphaBetaSearch::default();
            let how = (limits, mode);
            let reached = search.values(
                &game,
                &state,
                &moves,
                how,
                &mut HeuristicEvaluator(0),
                &mut values,
            );
            (reached, values)
        };
        let all = |prob_cut| look(prob_cut, 5, None, ValueMode::All);
        assert_eq!(all(Some((fitted, 1e6))), all(None));
        let reached = |prob_cut| look(prob_cut, 30, Some(200_000), ValueMode::Best).0;
        let (plain, selective) = (reached(None), reached(Some((fitted, 1.0))));
        assert!(selective > plain, "{selective} {plain}");
    }
}
