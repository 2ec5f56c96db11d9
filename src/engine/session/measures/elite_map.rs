//! The map of styles: how much of it is filled, and how well.

use crate::evolution::replacement::map_elites::EliteMap;

use super::{Measure, MeasuredGeneration};

/// How much of the map is filled.
pub const COVERAGE: Measure = Measure {
    name: "coverage",
    unit: "share",
    help: "Share of the cells of the map of styles that have a player.",
    applies: |preset, _| !preset.evolution.replacement.features().is_empty(),
    figure: |run| map(run).map(EliteMap::coverage),
    ..Measure::PLAIN
};

/// How well the map is filled.
pub const QD_SCORE: Measure = Measure {
    name: "qd_score",
    unit: "fitness",
    help: "Sum of the fitness of the players on the map of styles, one for each cell that has one.",
    applies: |preset, _| !preset.evolution.replacement.features().is_empty(),
    figure: |run| map(run).map(|map| map.score(&run.finished.fitness)),
    ..Measure::PLAIN
};

fn map<'a>(run: &'a MeasuredGeneration<'_>) -> Option<&'a EliteMap> {
    run.finished.memory.get()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::genomes::AnyGenome;
    use crate::play::features;
    use crate::play::pool::Pool;
    use crate::preset::Preset;
    use crate::session::{Session, SessionState};

    fn preset(settings: &[(&str, &str)]) -> Preset {
        let text = include_str!("../../../../presets/nim-2x2.ron");
        let preset = Preset::parse(text, "test", "test").expect("it is valid");
        let pairs = settings.iter();
        let pairs = pairs.map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        let pairs: Vec<_> = pairs.collect();
        preset.with(&pairs).expect("it is valid")
    }

    /// A small map whose rows are this feature, and members that meet a sample of its elites.
    fn styles(feature: &str) -> Preset {
        let replacement =
            format!("map_elites(rows: (feature: \"{feature}\", cells: 4), columns: (cells: 3))");
        preset(&[
            ("population", "30"),
            ("evolution.pairing", "hall_of_fame(side: both)"),
            ("evolution.hall_of_fame", "hall(size: 4, admission: elites)"),
            ("evolution.replacement", &replacement),
        ])
    }

    /// A session of two threads that continues a run whose state was written to a file.
    fn resumed(session: &Session) -> Session {
        let notation = crate::params::notation();
        let text = notation
            .to_string(session.state())
            .expect("it can be written");
        let state: SessionState = notation.from_str(&text).expect("it was just written");
        assert_eq!(&state, session.state());
        let pool = Pool::new(2).expect("there are threads");
        let resumed = Session::resume(session.preset().clone(), 3, Vec::new(), state, pool);
        resumed.expect("it is the same run")
    }

    #[test]
    fn a_map_of_any_feature_fills_alike_on_more_threads_and_after_a_resume() {
        let go = AtomicBool::new(false);
        for feature in features::all() {
            let pool = Pool::new(1).expect("there is a thread");
            let whole = Session::new(styles(feature.name), 3, Vec::new(), pool);
            let mut whole = whole.expect("it is valid");
            let mut other = resumed(&whole);
            for generation in 0..6 {
                let row = whole.advance(&go).expect("nothing halts it");
                assert_eq!(Some(&row), other.advance(&go).as_ref(), "{}", feature.name);
                assert_eq!(whole.state(), other.state());
                let snapshot = whole.snapshot();
                let map: &EliteMap = snapshot.memory.get().expect("it has a map");
                let value =
                    |measure: &Measure| row.get(whole.columns(), measure).expect("it is measured");
                let elites: Vec<usize> = map.elites().flatten().collect();
                let coverage = elites.len() as f64 / 12.0;
                assert_eq!(value(&COVERAGE).to_bits(), coverage.to_bits());
                let fitness: f64 = elites.iter().map(|&elite| snapshot.fitness[elite]).sum();
                assert_eq!(value(&QD_SCORE).to_bits(), fitness.to_bits());
                let population = &whole.state().population;
                let admitted = (population.hall_of_fame.iter())
                    .filter(|entry| entry.generation == Some(generation));
                let admitted: Vec<_> = admitted.map(|entry| &entry.genome).collect();
                let is_elite =
                    |genome: &AnyGenome| elites.iter().any(|&at| snapshot.members[at] == *genome);
                assert_eq!(admitted.len(), elites.len().min(4));
                assert!(
                    admitted.into_iter().all(is_elite),
                    "the hall is a sample of elites"
                );
                let members = &population.members;
                for (place, &elite) in elites.iter().enumerate() {
                    assert_eq!(members[place], snapshot.members[elite], "elites stay");
                }
                if generation % 2 == 1 {
                    other = resumed(&whole);
                }
            }
        }
    }

    #[test]
    fn features_are_counted_from_the_games_of_the_generation() {
        let pool = Pool::new(1).expect("there is a thread");
        let session = Session::new(styles("moves"), 3, Vec::new(), pool);
        let mut session = session.expect("it is valid");
        session.advance(&AtomicBool::new(false));
        let map: &EliteMap = session.snapshot().memory.get().expect("it has a map");
        let members = session.snapshot().members.len();
        let features = (0..members).filter_map(|member| map.features(member));
        let moves: f64 = features.map(|[moves, _]| moves).sum();
        // All members play as many games, so the mean of their means is that of all games.
        let mean = session.lengths().moves() as f64 / session.lengths().games() as f64;
        assert!((moves / members as f64 - mean).abs() < 1e-9);
        let [rows, columns] = map.ranges();
        assert!(rows[0] <= mean && mean <= rows[1], "{rows:?}");
        assert_eq!(columns.map(f64::to_bits), [0.0, 1.0].map(f64::to_bits));
    }

    #[test]
    fn a_feature_that_does_not_exist_is_refused() {
        let problems = styles("moves").with(&[(
            "evolution.replacement.columns.feature".to_owned(),
            "\"colour\"".to_owned(),
        )]);
        let error = problems.expect_err("there is no such feature").to_string();
        assert!(
            error.contains("replacement.columns.feature: there is no feature `colour`"),
            "{error}"
        );
    }
}
