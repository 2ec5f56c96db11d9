//! Fitness is the sum over its games of the share of a member's moves that an exact player grades
//! as best: the fitness of Kissling's program since 14 December 2024, by the data of the thesis.
//! Members then learn from a teacher, and no longer from games alone, so a preset has to say so.

use crate::contest::{GameResult, Pairing};
use crate::params::{ParamError, params};

use super::Fitness;
use super::points::PointSum;

/// A grade of 1, in points of a game. Shares of up to 12 moves are whole numbers of points.
pub(crate) const FULL_GRADE: u16 = 27_720;

params! {
    /// The share of a member's moves that an exact player grades as best, summed over its games.
    pub struct Graded {
        /// Must be true. It says that an exact player teaches the members, so that evolution is
        /// not by games alone.
        fixed supervised: bool = false;
    }
}

impl Fitness for Graded {
    /// The points of the games are their grades.
    fn fitness(&self, pairings: &[Pairing], played: &[GameResult], members: usize) -> Vec<f64> {
        let mut grades = PointSum::default();
        [grades.win, grades.draw, grades.loss] = [0.0; 3];
        grades.each = 1.0 / f64::from(FULL_GRADE);
        grades.fitness(pairings, played, members)
    }

    fn needs_grades(&self) -> bool {
        true
    }

    fn problems(&self, _population: usize) -> Vec<ParamError> {
        let message = "must be true, is false: by this fitness an exact player teaches the \
            members, which is not evolution by games alone; give fitness: graded(supervised: \
            true), or fitness: wins";
        let problem = (!self.supervised).then(|| ParamError::new("supervised", message));
        problem.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolution::fitness::tests::{game, member};

    #[test]
    fn a_member_has_the_sum_of_its_grades_whether_it_wins_or_loses() {
        let games = [
            (
                game(member(0), member(1), 0, 1),
                [FULL_GRADE / 3, FULL_GRADE],
            ),
            (game(member(1), member(0), 0, 1), [FULL_GRADE / 2, 0]),
        ];
        let games =
            games.map(|((pairing, played), points)| (pairing, GameResult { points, ..played }));
        let (pairings, played): (Vec<_>, Vec<_>) = games.into_iter().unzip();
        let fitness = Graded { supervised: true }.fitness(&pairings, &played, 2);
        assert!((fitness[0] - 1.0 / 3.0).abs() < 1e-12, "{fitness:?}");
        assert!((fitness[1] - 1.5).abs() < 1e-12, "{fitness:?}");
    }

    #[test]
    fn it_is_refused_unless_the_preset_says_that_an_exact_player_teaches() {
        let problems = Graded::default().problems(100);
        assert_eq!(problems.len(), 1);
        assert!(problems[0].message.contains("graded(supervised: true)"));
        assert!(Graded { supervised: true }.problems(100).is_empty());
    }
}
