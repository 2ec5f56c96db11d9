//! The presets of the repository, and the errors of invalid ones.

use finches::metrics::Row;
use finches::preset::Preset;
use finches::session::Session;

use crate::support::{
    advance, preset, preset_names, preset_text, preset_with, session, small, with_few_games,
};

#[test]
fn every_preset_can_be_read_and_is_named_and_described() {
    for name in preset_names() {
        let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(name.chars().all(kebab), "{name} is not in kebab-case");
        let preset = preset(&name);
        assert_eq!(preset.name, name);
        let lines = preset.about.lines().count();
        assert_eq!(lines, 1, "{name} says in one line what it shows");
        assert!(
            !preset_text(&name).contains("name:"),
            "{name}: the name is the file's"
        );
        assert!(
            preset.source.is_empty()
                || preset.source.contains(char::is_numeric)
                || preset.source.contains("(no date)"),
            "{name}: `{}` names no year",
            preset.source
        );
        if !preset.source.is_empty() {
            assert!(
                !preset.published.is_empty(),
                "{name} has a source but no result"
            );
        }
    }
}

#[test]
fn every_published_configuration_of_the_first_system_is_there() {
    let names = preset_names();
    let published = [
        "simple-nim-2",
        "simple-nim-8",
        "simple-nim-8-slim",
        "simple-nim-1to8-onehot",
        "simple-nim-1to8-onehot-exponent",
        "simple-nim-1to8-onehot-shares",
        "simple-nim-1to8-onehot-large",
        "simple-nim-1to8-onehot-all",
        "simple-nim-1to8-direct",
        "simple-nim-1to1000",
        "nim-2x2",
        "nim-2x4",
        "nim-2x4-long",
    ];
    for name in published {
        assert!(names.iter().any(|known| known == name), "{name} is missing");
        let source = preset(name).source;
        assert!(source.starts_with("Kissling 2025"), "{name}: {source}");
    }
}

#[test]
fn no_two_presets_are_the_same_run() {
    let run = |name: &String| Preset {
        name: String::new(),
        about: String::new(),
        source: String::new(),
        published: String::new(),
        ..preset(name)
    };
    let names = preset_names();
    for (place, name) in names.iter().enumerate() {
        let twin = names[..place].iter().find(|other| run(other) == run(name));
        assert_eq!(twin, None, "{name} is the same run");
    }
}

/// Presets whose recorded figures are those of a smaller population run with their own too.
#[test]
fn every_preset_runs_with_its_own_population() {
    let is_smaller = |name: &String| {
        let sizes = [preset(name), small(name)].map(|preset| preset.evolution.population);
        sizes[0] != sizes[1]
    };
    let names = preset_names().into_iter().filter(is_smaller);
    for name in names {
        let search: &[&str] = match preset(&name).agent.name() {
            "monte_carlo" => &["simulations=8"],
            "alpha_beta" => &["depth=2"],
            _ => &[],
        };
        let few: &[&str] = &["held_out_games=4", "population_games=0", "grading_games=40"];
        let preset = with_few_games(preset_with(&name, &[search, few].concat()));
        // The second generation has parents; in large populations it takes too long.
        let generations = if preset.evolution.population > 1000 {
            1
        } else {
            2
        };
        let mut session = session(&preset, 1, 2);
        let rows = advance(&mut session, generations);
        check_rows(&session, &rows);
    }
}

/// Checks that the rows of a run's first generations make sense.
pub(crate) fn check_rows(session: &Session, rows: &[Row]) {
    let preset = session.preset();
    let name = &preset.name;
    let get = |row: &Row, column: &str| row.get(session.columns(), column);
    let last = rows.last().expect("a row for each generation");
    let generations = rows.len() as f64;
    assert_eq!(get(last, "generation"), Some(generations - 1.0), "{name}");
    // The mean of a distribution is the champion even if it is not the fittest. Where losses cost
    // points, the mean may be below 0.
    let is_fittest = !format!("{:?}", preset.evolution.replacement).contains("keep_mean: true");
    let shares = session.columns().all().iter();
    let shares: Vec<_> = shares.filter(|column| column.is_share()).collect();
    for row in rows {
        let best = get(row, "best_fitness").expect("fitness is always measured");
        let mean = get(row, "mean_fitness").expect("fitness is always measured");
        assert!(best >= mean || !is_fittest, "{name}: {best} {mean}");
        assert!(best >= 0.0, "{name}: {best}");
        for column in &shares {
            let share = get(row, &column.name).unwrap_or(0.0);
            let is_sound = (0.0..=1.0).contains(&share);
            assert!(is_sound, "{name}: {} is {share}", column.name);
        }
    }
    let objective = session.columns().objective();
    let objective = objective.expect("every run has an objective");
    let objective = &session.columns().all()[objective].name;
    let value = get(&rows[0], objective);
    assert!(value.is_some(), "{name}: {objective} is never measured");
}

/// All errors of a file with these lines, one per line.
fn check(lines: &[&str], expected: &[&str]) {
    let text = lines.join("\n");
    let errors = match Preset::parse(&text, "mine", "presets/mine.ron") {
        Ok(preset) => panic!("{text}\nwas read as {preset:?}"),
        Err(errors) => errors.to_string(),
    };
    assert_eq!(errors.lines().collect::<Vec<_>>(), expected, "{text}");
}

#[test]
fn an_unknown_parameter_is_rejected_at_its_position_with_a_suggestion() {
    check(
        &["(", "    generatoins: 5,", ")"],
        &[
            "presets/mine.ron:2:18: generatoins: there is no such parameter; did you mean \
                `generations`?",
        ],
    );
    check(
        &["(", "    evolution: (replacement: shares(elite: 3)),", ")"],
        &[
            "presets/mine.ron:2:44: evolution.replacement.elite: there is no such parameter; did \
                you mean `elites`?",
        ],
    );
}

#[test]
fn an_invalid_value_is_rejected_at_its_position_with_a_hint() {
    check(
        &["(", "    generations: 0,", ")"],
        &["presets/mine.ron:2:18: generations: must be from 1 to 1000000000, is 0"],
    );
    check(
        &["(", "    game: nim(grading: lax),", ")"],
        &[
            "presets/mine.ron:2:24: game.grading: `lax` is not valid: Unexpected enum variant \
             named `lax`, expected either `strict` or `safe` instead; there are `strict`, `safe`",
        ],
    );
    check(
        &["(", "    agent: one_pyl,", ")"],
        &["presets/mine.ron:2:12: agent: there is no `one_pyl`; did you mean `one_ply`?"],
    );
}

#[test]
fn a_game_without_a_draw_rule_gets_those_that_end_it() {
    let text = "(
        game: draughts(),
        agent: one_ply,
        evolution: (population: 6, pairing: circular(opponents: 2)),
        generations: 3,
    )";
    let preset = Preset::parse(text, "mine", "mine.ron").expect("it is sound");
    let rules = |preset: &Preset| {
        let rule = |key: &str| preset.param(key).expect("it is a rule").value;
        ["game.repetition", "game.quiet_moves", "game.most_moves"].map(rule)
    };
    assert_eq!(rules(&preset), ["3", "40", "0"]);
    let rows = advance(&mut session(&preset, 1, 2), 3);
    assert_eq!(rows.last().map(Row::generation), Some(2));
    let bounded = text.replace("draughts()", "draughts(most_moves: 60)");
    let bounded = Preset::parse(&bounded, "mine", "mine.ron").expect("it is sound");
    assert_eq!(rules(&bounded), ["0", "0", "60"]);
    let chosen = bounded.with(&[("game".into(), "draughts".into())]);
    assert_eq!(rules(&chosen.expect("it is sound")), ["3", "40", "0"]);
    let endless = preset.with(&["repetition", "quiet_moves"].map(|rule| (rule.into(), "0".into())));
    let refused = endless.expect_err("no rule is left").to_string();
    assert!(
        refused
            .contains("game: may never end, because no rule ends it in a draw; try repetition=3"),
        "{refused}"
    );
}

#[test]
fn all_errors_are_reported_at_once() {
    check(
        &[
            "(",
            "    game: nim(heaps: [0]),",
            "    genome: graph(add_nod: 1, clamp: wide),",
            "    evolution: (population: 1),",
            "    agnet: direct,",
            ")",
        ],
        &[
            "presets/mine.ron:2:22: game.heaps: must be from 1 to 10000, is 0",
            "presets/mine.ron:3:28: genome.add_nod: there is no such parameter; did you mean \
                `add_node`?",
            "presets/mine.ron:3:38: genome.clamp: `wide` is not valid: Expected float; give a \
                number or None",
            "presets/mine.ron:4:29: evolution.population: must be from 2 to 100000, is 1",
            "presets/mine.ron:5:12: agnet: there is no such parameter; did you mean `agent`?",
        ],
    );
}

#[test]
fn a_genome_that_does_not_fit_the_game_is_rejected() {
    check(
        &["(game: nim(heaps: [3, 2]), genome: mlp(first_weights: [1, -0.5, 2]))"],
        &[
            "presets/mine.ron: genome.first_weights: must list a weight for each of 2 inputs, \
                lists 3",
        ],
    );
}

#[test]
fn what_a_part_needs_and_another_does_not_give_is_rejected_with_a_hint() {
    check(
        &["(evolution: (mutation: safe_gradient))"],
        &[
            "presets/mine.ron: evolution.mutation: is `safe_gradient`, but the outputs of genome \
                `graph` have no gradients; try genome: mlp (or modules, in dots and boxes) without \
                threshold nodes or symmetric weights, or mutation: safe",
        ],
    );
    check(
        &["(genome: mlp(outputs: threshold), evolution: (mutation: safe_gradient))"],
        &[
            "presets/mine.ron: evolution.mutation: is `safe_gradient`, but the outputs of genome \
                `mlp` have no gradients; try genome: mlp (or modules, in dots and boxes) without \
                threshold nodes or symmetric weights, or mutation: safe",
        ],
    );
    check(
        &["(evolution: (fitness: pareto))"],
        &[
            "presets/mine.ron: evolution.fitness: is `pareto`, which needs opponents that all \
                members meet, but pairing `circular` has none; try pairing: round_robin",
        ],
    );
    check(
        &["(evolution: (fitness: graded))"],
        &[
            "presets/mine.ron: evolution.fitness.supervised: must be true, is false: by this \
                fitness an exact player teaches the members, which is not evolution by games \
                alone; give fitness: graded(supervised: true), or fitness: wins",
        ],
    );
    for preset in [
        "(evolution: (fitness: graded(supervised: true), random_moves: 0.1))",
        "(game: reversi, agent: one_ply, evolution: (fitness: graded(supervised: true)))",
    ] {
        check(
            &[preset],
            &[
                "presets/mine.ron: evolution.fitness: is `graded`, which needs a game whose \
                    positions can all be enumerated, an agent without chance, random_moves of 0 \
                    and no reference players; try the game nim(heaps: [4, 4])",
            ],
        );
    }
    check(
        &["(evolution: (restart: on_regress(after: 2)))"],
        &[
            "presets/mine.ron: evolution.restart: needs the growth of the champion, which is not \
                measured; try growth_games=6",
        ],
    );
}

#[test]
fn a_parameter_given_twice_is_rejected() {
    check(
        &["(", "    generations: 5,", "    generations: 6,", ")"],
        &["presets/mine.ron:3:18: generations: is given twice; leave one out"],
    );
    check(
        &["(game: nim(start: full, start: full))"],
        &["presets/mine.ron:1:32: game.start: is given twice; leave one out"],
    );
}

#[test]
fn a_truncated_or_malformed_file_is_rejected_with_its_position() {
    check(
        &["(", "    generations: 5,"],
        &["presets/mine.ron:2:19: Unexpected end of RON"],
    );
    check(&["[1, 2]"], &["presets/mine.ron:1:1: Expected opening `(`"]);
    check(&[""], &["presets/mine.ron:1:1: Expected opening `(`"]);
    check(
        &["(generations: 5) more"],
        &["presets/mine.ron:1:17: Non-whitespace trailing characters"],
    );
    check(
        &["", "// Mine.", "(generations: 5 6)"],
        &["presets/mine.ron:3:17: Expected comma"],
    );
    check(
        &[
            "(",
            "    game: nim(heaps: [2]",
            "        start: full),",
            ")",
        ],
        &["presets/mine.ron:3:9: Expected comma"],
    );
}

/// Reads a file and compares it with the default preset with the given changes.
fn check_same(text: &str, settings: &[(&str, &str)]) {
    let read = Preset::parse(text, "", "mine.ron").unwrap_or_else(|error| panic!("{error}"));
    let pair = |&(key, value): &(&str, &str)| (key.to_owned(), value.to_owned());
    let settings: Vec<(String, String)> = settings.iter().map(pair).collect();
    assert_eq!(Ok(read), Preset::default().with(&settings), "{text}");
}

#[test]
fn comments_are_allowed_anywhere() {
    check_same("()", &[]);
    check_same(
        "// Mine.\n(generations: 5 // five\n)",
        &[("generations", "5")],
    );
    check_same("(agent: one_ply // valued\n)", &[("agent", "one_ply")]);
    check_same(
        "(agent: /* the best */ one_ply /* so far */)",
        &[("agent", "one_ply")],
    );
    check_same(
        "(game: // small\n  nim /* ! */ (heaps: [2] // one\n ), // end\n)",
        &[("heaps", "[2]")],
    );
    check(
        &["(agent: // a comment", "    one_pyl)"],
        &["presets/mine.ron:2:5: agent: there is no `one_pyl`; did you mean `one_ply`?"],
    );
}

#[test]
fn any_number_of_comments_is_skipped() {
    let comments = "// a comment\n/* and another */\n".repeat(100_000);
    let text = format!("(game: {comments} nim(heaps: [1, 2]))");
    let read = Preset::parse(&text, "test", "test.ron");
    assert!(read.is_ok(), "{:?}", read.err());
}

#[test]
fn the_population_is_measured_in_every_nth_measurement_of_its_champion() {
    let settings = [
        "population=24",
        "held_out_games=2",
        "population_games=2",
        "every=2",
        "population_every=3",
    ];
    let preset = preset_with("weaver-direct-0", &settings);
    let mut session = session(&preset, 1, 2);
    let rows = advance(&mut session, 13);
    let measured = |column: &str| -> Vec<usize> {
        let has = |row: &&Row| row.get(session.columns(), column).is_some();
        let rows = rows.iter().enumerate().filter(|(_, row)| has(row));
        rows.map(|(generation, _)| generation).collect()
    };
    assert_eq!(measured("vs_random"), [0, 2, 4, 6, 8, 10, 12]);
    assert_eq!(measured("pop_mean_vs_random"), [0, 6, 12]);
    assert_eq!(measured("pop_best_vs_random"), [0, 6, 12]);
}
