//! Small games that evolution must solve, every position of them: the fast end of what the
//! publications report.

use crate::support::{advance, first_generation, preset, preset_with, session};

fn check(name: &str, within: u64) {
    for seed in 1..=3 {
        let mut session = session(&preset(name), seed, 0);
        let solved = first_generation(&mut session, "accuracy_states", 1.0, within);
        assert!(
            solved.is_some(),
            "{name}, seed {seed}: not within {within} generations"
        );
    }
}

#[test]
fn a_heap_of_two_is_solved_within_twenty_generations() {
    check("simple-nim-2", 20);
}

#[test]
fn a_heap_of_one_to_eight_is_solved_within_sixty_generations() {
    check("simple-nim-1to8-direct", 60);
}

#[test]
fn species_of_growing_networks_solve_two_heaps_of_four_within_six_hundred_generations() {
    check("neat-nim-2x4", 600);
}

/// Without stagnation, species last for most of the run.
#[test]
fn species_keep_their_number_and_live() {
    for (set, least_age) in [("stagnation=12", 9.0), ("stagnation=0", 30.0)] {
        let preset = preset_with("neat-nim-2x4", &[set]);
        let mut session = session(&preset, 3, 0);
        let rows = advance(&mut session, 150);
        let column = |name: &str| {
            let place = session.columns().place(name).expect("it is one");
            let values = rows[20..].iter().filter_map(|row| row.values()[place]);
            values.collect::<Vec<f64>>()
        };
        assert_eq!(column("species"), [10.0; 130], "{set}");
        let mut ages = column("species_age");
        ages.sort_by(f64::total_cmp);
        assert!(ages[65] >= least_age, "{set}: {ages:?}");
    }
}

#[test]
fn two_heaps_of_two_are_solved_within_four_hundred_generations() {
    check("nim-2x2", 400);
}
