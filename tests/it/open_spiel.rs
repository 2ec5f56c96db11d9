//! α-rank and Nash averaging give what `OpenSpiel` gives, on games whose numbers were recorded
//! once.

use finches::metrics::stats::alpha_rank::{SelectionStrength, alpha_rank};
use finches::metrics::stats::nash_averaging::nash_average;

const RECORDED: &str = include_str!("open_spiel.txt");

/// A game with its results by name.
struct Recorded {
    payoffs: Vec<Vec<f64>>,
    results: Vec<(String, Vec<f64>)>,
}

fn numbers(text: &str) -> Vec<f64> {
    let words = text.split(' ').map(str::parse);
    words.collect::<Result<_, _>>().expect("they are numbers")
}

fn recorded() -> Vec<Recorded> {
    let games = RECORDED.split("\ngame ").skip(1).map(|text| {
        let mut lines = text.lines();
        let count: usize = lines
            .next()
            .and_then(|count| count.parse().ok())
            .expect("it has players");
        let payoffs = lines.by_ref().take(count).map(numbers).collect();
        let results = lines.map(|line| {
            let (name, values) = line.split_once(' ').expect("it has a name");
            (name.to_owned(), numbers(values))
        });
        let results = results.collect();
        Recorded { payoffs, results }
    });
    games.collect()
}

#[test]
fn alpha_rank_and_nash_averaging_agree_with_open_spiel() {
    let finite = |population| SelectionStrength::Finite {
        alpha: 1.0,
        population,
    };
    let games = recorded();
    assert_eq!(games.len(), 20);
    for (number, Recorded { payoffs, results }) in games.iter().enumerate() {
        assert_eq!(results.len(), 5);
        let average = nash_average(payoffs);
        for (name, expected) in results {
            let found = match name.as_str() {
                "alpha=1,m=10" => alpha_rank(payoffs, finite(10)),
                "alpha=1,m=50" => alpha_rank(payoffs, finite(50)),
                "infinite,epsilon=0.01" => {
                    alpha_rank(payoffs, SelectionStrength::Infinite { epsilon: 0.01 })
                }
                "nash" => average.weights.clone(),
                "skill" => average.skill.clone(),
                other => panic!("{other} is no result"),
            };
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(expected) {
                let error = (found - expected).abs();
                assert!(
                    error < 1e-6,
                    "{name} of game {number}: {error:e}, {found} for {expected}"
                );
            }
        }
    }
}
