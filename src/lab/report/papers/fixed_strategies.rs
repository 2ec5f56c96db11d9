//! How often the fixed strategies of Weaver & Bossomaier (1996) win against each other.

use crate::report::page::{Cell, PageBlock, Table};
use crate::report::paper::Computed;
use crate::report::verdict::Agreement;
use finches_engine::metrics::stats::wilson;
use finches_engine::play::match_setup::MatchSetup;
use finches_engine::play::matches::{MatchConditions, Openings};
use finches_engine::play::pool::Pool;
use finches_engine::play::round_robin;
use finches_engine::text::{counted, percentage};
use finches_runs::storage::presets;

/// Published shares of games won, by the first player's level and the second's.
const STRATEGIES: [([&str; 2], f64, &str); 3] = [
    (["level-1", "random"], 0.9963, "99.63 %"),
    (["level-2", "random"], 0.9969, "99.69 %"),
    (["level-2", "level-1"], 0.8383, "83.83 %"),
];

/// Our games of each pair of strategies.
const STRATEGY_GAMES: u32 = 200_000;

/// Those of the quick version.
const QUICK_GAMES: u32 = 10_000;

/// The paper's, which it gives for the first pair.
const PUBLISHED_GAMES: u32 = 200_000;

/// The table of their games, sides alternating.
pub(super) fn strategies(is_quick: bool) -> Computed {
    let count = if is_quick {
        QUICK_GAMES
    } else {
        STRATEGY_GAMES
    };
    let mut verdicts = Vec::new();
    let mut rows = Vec::new();
    for (players, published, said) in STRATEGIES {
        let share = won(players, count);
        let (low, high) = wilson(share, count);
        let (from, to) = wilson(published, PUBLISHED_GAMES);
        let verdict = if low <= to && high >= from {
            Agreement::Agrees
        } else {
            Agreement::Differs
        };
        let percent = |share: f64| percentage(share, 2) + " %";
        let interval = |(low, high)| format!("{} to {}", percent(low), percent(high));
        rows.push(vec![
            Cell::words(format!("{} against {}", players[0], players[1])),
            Cell::figure(said),
            Cell::figure(interval((from, to))),
            Cell::figure(percent(share)),
            Cell::figure(interval((low, high))),
            Cell::verdict(verdict),
        ]);
        verdicts.push(verdict);
    }
    let head = [
        "players",
        "published",
        "read as",
        "ours",
        "95 % interval",
        "verdict",
    ];
    let table = Table::new(
        format!(
            "Share of games won, {} each with sides alternating",
            counted(count, "game")
        ),
        &head,
        rows,
    );
    Computed {
        blocks: vec![PageBlock::Table(table)],
        verdicts,
    }
}

/// The share of games that the first player wins.
fn won(players: [&str; 2], count: u32) -> f64 {
    let preset = presets::load("weaver-round-robin").expect("it is included");
    let setup = MatchSetup::new(&preset.game, &[]).expect("the game is valid");
    let pool = Pool::new(1).expect("this thread is there");
    let players = players.map(|name| {
        let reference = setup.reference_named(name).expect("the game has it");
        setup
            .reference(reference, None)
            .expect("it needs no search")
    });
    let games: Vec<_> = round_robin::head_to_head([0, 1], count).collect();
    let conditions = MatchConditions {
        openings: Openings::Standard,
        ..MatchConditions::new(1)
    };
    let played = setup.play_matches(&pool, &players, &games, &conditions);
    let tally = round_robin::tally(&played.expect("nothing cancels them"));
    tally.wins as f64 / tally.games() as f64
}
