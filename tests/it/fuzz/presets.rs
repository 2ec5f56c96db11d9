//! Presets and what is typed about them: preset files, `--set`, conditions, breakpoints, paces,
//! players and key files.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use finches::experiment::Shard;
use finches::log::parse_levels;
use finches::metrics::Columns;
use finches::metrics::stop_condition::StopCondition;
use finches::outside::DEFAULT_MOVE_TIME;
use finches::params::{ParamKind, key_value, to_ron};
use finches::play::match_setup::MatchSetup;
use finches::play::pool::Pool;
use finches::play::search_spec::SearchSpec;
use finches::preset::Preset;
use finches::run::pace::Pace;
use finches::session::Session;
use finches::session::breakpoint::{Breakpoint, BreakpointWatch};
use finches::session::cost::RunCost;
use finches::storage::players::{self, NamedPlayer, PlayerName, outside_spec};
use finches::storage::presets;
use finches::storage::saves::Saves;
use finches::text::{escape, one_line};
use finches::ui::{keymap, remap, screens};

use super::target::{Target, check};
use crate::support::{pool, preset, preset_names, preset_text};

/// Words of presets: the names of all parameters, parts and choices.
fn words() -> Vec<&'static str> {
    let mut words = vec!["generation", "accuracy_states", "vs_random", "best_fitness"];
    for name in presets::names() {
        let text = presets::text(name).expect("it ships");
        let parts = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        words.extend(parts.filter(|part| part.len() > 1));
    }
    words.sort_unstable();
    words.dedup();
    words
}

/// The pool that all small sessions of a test share.
fn one_thread() -> Pool {
    static POOL: OnceLock<Pool> = OnceLock::new();
    POOL.get_or_init(|| pool(1)).clone()
}

/// A preset that measures little.
fn measured_less(preset: &Preset) -> Option<Preset> {
    let least = [
        ("measures.tournament_games", "2"),
        ("measures.held_out_games", "2"),
        ("measures.grading_games", "2"),
    ];
    let least = least.map(|(key, value)| (key.to_owned(), value.to_owned()));
    preset.with(&least).ok()
}

/// Whether a generation of a preset takes a moment.
pub(super) fn is_small(preset: &Preset) -> bool {
    let within = |key: &str| match key {
        "evolution.population" | "evolution.hall_of_fame.size" => 30.0,
        "game.heaps" => 5.0,
        key if key.starts_with("measures.") => 20.0,
        key if key.starts_with("genome.") => 40.0,
        key if key.starts_with("game.") => 16.0,
        key if key.starts_with("agent.") => 2.0,
        _ => 40.0,
    };
    let is_number = |kind: &ParamKind| {
        !matches!(
            kind,
            ParamKind::Text | ParamKind::TextList | ParamKind::Choice(_) | ParamKind::ChoiceList(_)
        )
    };
    let small = preset.params().into_iter().all(|param| {
        let every = ["every", "keep_every", "generations", "pace"];
        let last = param.key.rsplit('.').next().unwrap_or_default();
        let numbers = param.value.split(|c: char| "[](), ".contains(c));
        let mut numbers = numbers.filter_map(|number| number.parse::<f64>().ok());
        every.contains(&last)
            || !is_number(&param.kind)
            || numbers.clone().count() <= 4 && numbers.all(|number| number <= within(&param.key))
    });
    small && preset.evolution.games().is_some_and(|games| games <= 400)
}

/// Evolves two generations of a preset if that takes a moment.
pub(super) fn evolve(preset: &Preset) -> String {
    let cost = RunCost::of(preset);
    if cost.memory > 4_000_000 || !is_small(preset) {
        return format!("large {}", cost.excess().is_some());
    }
    let Some(preset) = measured_less(preset).filter(is_small) else {
        return "large".to_owned();
    };
    match Session::new(preset, 1, Vec::new(), one_thread()) {
        Ok(mut session) => {
            let go = AtomicBool::new(false);
            for _ in 0..2 {
                session.advance(&go).expect("nothing halts it");
            }
            "evolved".to_owned()
        }
        Err(error) => error.to_string(),
    }
}

fn read_preset(data: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(data) else {
        return "no text".to_owned();
    };
    match Preset::parse(text, "fuzz", "fuzz.ron") {
        Ok(preset) => {
            let written = to_ron(&preset);
            let again = Preset::parse(&written, "fuzz", "again");
            assert_eq!(again.as_ref(), Ok(&preset), "{written}");
            let parts = [
                preset.game.name(),
                preset.genome.name(),
                preset.agent.name(),
            ];
            format!("{} {}", parts.join(" "), evolve(&preset))
        }
        Err(error) => {
            let text = error.to_string();
            assert!(text.starts_with("fuzz.ron:"), "{text}");
            escape(&text).into_owned()
        }
    }
}

#[test]
fn any_preset_file_is_read_or_refused() {
    check(&Target {
        name: "preset",
        corpus: preset_names()
            .iter()
            .map(|name| preset_text(name).into_bytes())
            .collect(),
        words: words(),
        read: read_preset,
    });
}

/// Presets of every game.
const BASES: [&str; 7] = [
    "nim-2x4",
    "reversi-vanilla",
    "hynek-31-chicken",
    "weaver-graph",
    "thien-1ply",
    "weaver-supervised",
    "simple-nim-8",
];

fn bases() -> &'static [Preset] {
    static ALL: OnceLock<Vec<Preset>> = OnceLock::new();
    ALL.get_or_init(|| BASES.iter().map(|name| preset(name)).collect())
}

fn read_settings(data: &[u8]) -> String {
    let (&first, rest) = data.split_first().unwrap_or((&0, &[]));
    let bases = bases();
    let mut preset = bases[first as usize % bases.len()].clone();
    let text = String::from_utf8_lossy(rest);
    let mut result = String::new();
    for line in text.lines().take(8) {
        match key_value(line) {
            Ok((key, value)) => {
                let live = preset.clone().change_live(&key, &value);
                match preset.with(&[(key, value)]) {
                    Ok(changed) => preset = changed,
                    Err(error) => result = format!("{error} {}", live.is_ok()),
                }
            }
            Err(error) => result = one_line(&error.to_string()),
        }
    }
    format!("{result} {}", evolve(&preset))
}

#[test]
fn any_setting_is_taken_or_refused() {
    let line = |(index, preset): (usize, &Preset)| {
        let params = preset.params().into_iter();
        let lines = params.map(move |param| {
            let text = format!("{}={}", param.key, param.value);
            [&[index as u8], text.as_bytes()].concat()
        });
        lines.collect::<Vec<_>>()
    };
    let mut words = words();
    words.extend([
        "=",
        "game=",
        "agent=one_ply",
        "genome=mlp()",
        "evolution.pairing=",
    ]);
    check(&Target {
        name: "settings",
        corpus: bases().iter().enumerate().flat_map(line).collect(),
        words,
        read: read_settings,
    });
}

fn columns() -> &'static Columns {
    static COLUMNS: OnceLock<Columns> = OnceLock::new();
    COLUMNS.get_or_init(|| {
        let made = Session::new(bases()[0].clone(), 1, Vec::new(), one_thread());
        made.expect("it is sound").columns().clone()
    })
}

fn read_words(data: &[u8]) -> String {
    let text = String::from_utf8_lossy(data);
    let mut results = Vec::new();
    let mut report = |result: Result<(), String>| results.extend(result.err());
    let error = |error: &dyn std::fmt::Display| error.to_string();
    for line in text.lines().take(6) {
        report(
            Breakpoint::parse_all(line)
                .map_err(|e| error(&e))
                .map(|all| {
                    for one in &all {
                        let again = Breakpoint::parse(&one.to_string());
                        assert_eq!(again.as_ref(), Ok(one), "{line}");
                    }
                    let all: Vec<Breakpoint> = all
                        .into_iter()
                        .filter(|one| one.check(columns()).is_ok())
                        .collect();
                    BreakpointWatch::default().set(all, columns());
                }),
        );
        report(
            StopCondition::parse(line)
                .map_err(|e| error(&e))
                .map(|until| {
                    let again = StopCondition::parse(&until.to_string());
                    assert_eq!(again.as_ref(), Ok(&until), "{line}");
                }),
        );
        report(Pace::parse(line).map(drop).map_err(|e| error(&e)));
        report(
            Shard::parse(line)
                .map(|shard| drop(shard.file_suffix()))
                .map_err(|e| error(&e)),
        );
        report(parse_levels(line).map(drop).map_err(|e| error(&e)));
        report(match SearchSpec::parse(line) {
            Ok(search) => {
                for base in bases() {
                    drop(search.agent_for(base.player_config()));
                }
                let _ = search.depth();
                Ok(())
            }
            Err(e) => Err(error(&e)),
        });
        let saves = Saves::at(PathBuf::from("nowhere"));
        let name = PlayerName::parse(line, &saves);
        // A made-up command is not run.
        if name.player == NamedPlayer::Outside {
            report(outside_spec(&name).map(drop).map_err(|e| error(&e)));
        } else {
            report(
                players::match_player(setup(), &name, &saves, DEFAULT_MOVE_TIME)
                    .map(drop)
                    .map_err(|e| error(&e)),
            );
        }
        report(
            players::champion(&name, &[], &saves)
                .map(drop)
                .map_err(|e| error(&e)),
        );
    }
    results.join("; ")
}

fn setup() -> &'static MatchSetup {
    static SETUP: OnceLock<MatchSetup> = OnceLock::new();
    SETUP.get_or_init(|| MatchSetup::new(&bases()[0].game, &[]).expect("it is a game"))
}

#[test]
fn any_condition_pace_and_player_is_taken_or_refused() {
    let lines = [
        "accuracy_states>=0.99",
        "vs_random<=1e-3",
        "best, plateau:100 generation:500 beats:level-1 mistake",
        "full",
        "25",
        "3/7",
        "info,finches=debug,finches::panic=off",
        "random",
        "swh@alpha-beta-5",
        "blondie-1:840@monte-carlo-300,exploration=1.5",
        "alpha-beta-4,quiescence=true",
        "monte-carlo-300",
    ];
    let mut known = words();
    known.extend([
        "best",
        "mistake",
        "plateau:",
        "beats:",
        "alpha-beta-",
        "monte-carlo-",
        "one-ply",
        "oracle",
        "level-1",
        "swh",
        "trace",
        "finches=",
    ]);
    check(&Target {
        name: "words",
        corpus: lines.iter().map(|line| line.as_bytes().to_vec()).collect(),
        words: known,
        read: read_words,
    });
}

fn read_keys(data: &[u8]) -> String {
    keymap::install(screens::keymap);
    let text = String::from_utf8_lossy(data);
    match remap::parse(&text, "keys.ron") {
        Ok(keymap) => {
            let written = remap::to_ron(&keymap);
            let again = remap::parse(&written, "again").map(|keymap| remap::to_ron(&keymap));
            assert_eq!(again.as_ref(), Ok(&written));
            format!("{} keys", written.lines().count())
        }
        Err(error) => error,
    }
}

#[test]
fn any_key_file_is_read_or_refused() {
    let whole = remap::to_ron(&screens::keymap());
    let parts = whole
        .split_inclusive("},\n")
        .map(|part| part.as_bytes().to_vec());
    let small = [
        "{}",
        "{ all: { pause: [\"p\"] } }",
        "(all: (quit: [\"ctrl-q\", \"F10\"]))",
    ];
    let small = small.map(|text| text.as_bytes().to_vec());
    check(&Target {
        name: "keys",
        corpus: small
            .into_iter()
            .chain(parts)
            .chain([whole.clone().into_bytes()])
            .collect(),
        words: vec![
            "ctrl-", "alt-", "shift-", "F12", "space", "esc", "enter", "up", "pgup", "all", "run",
            "play", "home", "pause", "quit", "back",
        ],
        read: read_keys,
    });
}
