//! Weaver & Bossomaier, "Evolution of Neural Networks to Play the Game of Dots-and-Boxes" (1996).

use crate::metrics::progress_unit::ProgressUnit;
use crate::metrics::stats::wilson;
use crate::play::match_setup::MatchSetup;
use crate::play::matches::{MatchConditions, Openings};
use crate::play::pool::Pool;
use crate::play::round_robin;
use crate::report::measure::RunFigure;
use crate::report::page::{Cell, PageBlock, Table};
use crate::report::paper::{
    Claim, Computed, CurveSheet, Evidence, Order, Paper, PaperItem, QuickPlan,
};
use crate::report::verdict::{Agreement, Published};
use crate::storage::presets;

const V_RANDOM: RunFigure = RunFigure::Last("pop_best_vs_random");
const V_LEVEL_1: RunFigure = RunFigure::Last("pop_best_vs_level_1");

/// The four populations of its figures.
const SCHEMES: &[&str] = &[
    "weaver-antibody",
    "weaver-direct-0",
    "weaver-round-robin",
    "weaver-direct-1",
];

const PROPOSED: &[&str] = &[
    "weaver-graph",
    "weaver-modules",
    "weaver-unlearned",
    "weaver-lamarck",
    "weaver-baldwin",
    "weaver-value",
    "weaver-sides",
];

const SHORTFALLS: &[(&str, &str)] = &[
    (
        "Supervised training",
        "The paper's networks stay below every evolved population; ours learn to complete boxes and beat the random player almost always. The \
         paper gives no learning rate and says that other rates made no notable difference; here the rate makes much of it. With 0.1 \
         (`weaver-supervised`) they learn within ten passes, with 0.001 (`weaver-supervised-slow`) the best stay below most evolved populations \
         for the first 20 passes, and not to the end.",
    ),
    (
        "Antibodies ahead",
        "The paper's antibodies learn faster than evolution against the random player and end slightly higher; ours learn more slowly and do not. \
         Tried: both of the paper's mutation rates.",
    ),
    (
        "Evolution against the random player gains against level 1",
        "The paper sees no gain against level 1 from it; ours gains as much as antibodies do. Tried: the sums of the outputs ranked, as here, \
         or the outputs after the sigmoid, as in the paper, where large sums all give 1 and one of them is drawn.",
    ),
];

/// The publication.
pub(in crate::report) fn paper() -> Paper {
    Paper {
        name: "weaver",
        citation: "Lex Weaver and Terry Bossomaier, Evolution of Neural Networks to Play the Game of Dots-and-Boxes, Alife V, 1996",
        summary: &[
            "Networks of 24-9-24, encoded in 4,650 bits, choose edges on a board of 3 by 3 boxes. Four populations with three schemes of fitness are compared by the \
             share of games that the best member of a population wins against a random player and against one that closes boxes.",
            "The figures show one typical population for each scheme; what is published here is taken from the text, with ends of ranges that are \
             ours.",
            "Our games against these opponents begin with two random edges. The best of a population is the one of 100 members with the most points \
             in 300 games each, luck included.",
        ],
        items: [game(), evolution(), comparisons()]
            .into_iter()
            .flatten()
            .collect(),
        variants: &[],
        shortfalls: SHORTFALLS,
        runs: 10,
        rows_every: 1,
        quick: QuickPlan {
            runs: 5,
            generations: 150,
            shorter: &[
                ("weaver-round-robin", 25),
                ("weaver-round-robin-fast", 25),
                ("weaver-supervised", 40),
                ("weaver-supervised-slow", 40),
            ],
            settings: &[],
        },
    }
}

/// The rules and the fixed strategies.
fn game() -> Vec<PaperItem> {
    vec![
        PaperItem {
            number: "Figure 1",
            section: "2.1 Rules",
            about: "The first two moves of a game.",
            evidence: vec![Evidence::Missing(
                "it explains the rules and shows no result.",
            )],
        },
        PaperItem {
            number: "Human strategies",
            section: "2.2 Human Strategies",
            about: "How often the three fixed strategies beat each other: level 0 moves at random, level 1 closes boxes, level 2 also \
                        avoids third sides. This shows that the rules are the same.",
            evidence: vec![Evidence::Computed(strategies)],
        },
        PaperItem {
            number: "Figure 2",
            section: "2.2 Human Strategies",
            about: "A position in which a box must be ignored to win.",
            evidence: vec![Evidence::Missing(
                "it explains a strategy and shows no result.",
            )],
        },
    ]
}

/// The four schemes.
fn evolution() -> Vec<PaperItem> {
    vec![
        PaperItem {
            number: "Figure 3",
            section: "4.1 Level 0 Opponent",
            about: "The best member against the random player, over the games played for fitness.",
            evidence: vec![
                Evidence::Figures(vec![
                    Claim::new(
                        "weaver-antibody",
                        V_RANDOM,
                        Published::Between(0.9, 0.95),
                        "a little over 0.9",
                    ),
                    Claim::new(
                        "weaver-direct-0",
                        V_RANDOM,
                        Published::Between(0.87, 0.9),
                        "nearly 0.9",
                    ),
                    Claim::new(
                        "weaver-round-robin",
                        RunFigure::Gain("pop_best_vs_random"),
                        Published::Between(0.05, 0.15),
                        "0.1 above the start",
                    ),
                    Claim::new(
                        "weaver-direct-1",
                        RunFigure::Gain("pop_best_vs_random"),
                        Published::Below(0.1),
                        "less than 0.1 above the start",
                    ),
                ]),
                Evidence::Orders(vec![
                    Order::new(
                        ["weaver-antibody", "weaver-direct-0"],
                        V_RANDOM,
                        "slightly higher",
                    ),
                    Order::new(
                        ["weaver-direct-0", "weaver-round-robin"],
                        V_RANDOM,
                        "higher",
                    ),
                    Order::new(
                        ["weaver-round-robin", "weaver-direct-1"],
                        V_RANDOM,
                        "higher",
                    ),
                ]),
                curves(SCHEMES, &["pop_best_vs_random"]),
            ],
        },
        PaperItem {
            number: "Figure 4",
            section: "4.2 Level 1 Opponent",
            about: "The same populations against the player that closes boxes.",
            evidence: vec![
                Evidence::Orders(vec![
                    Order::new(
                        ["weaver-direct-1", "weaver-antibody"],
                        V_LEVEL_1,
                        "higher (the paper: twice as high)",
                    ),
                    Order::new(
                        ["weaver-antibody", "weaver-direct-0"],
                        V_LEVEL_1,
                        "higher: no other scheme gains",
                    ),
                    Order::new(
                        ["weaver-antibody", "weaver-round-robin"],
                        V_LEVEL_1,
                        "higher: no other scheme gains",
                    ),
                ]),
                curves(SCHEMES, &["pop_best_vs_level_1"]),
            ],
        },
    ]
}

/// Back-propagation, and a higher mutation rate.
fn comparisons() -> Vec<PaperItem> {
    vec![
        PaperItem {
            number: "Figure 5",
            section: "4.3 Performance of Supervised-Trained Nets",
            about: "Mean and best of thirty networks trained by back-propagation, against the random player. The paper does not give \
                        its learning rate, so two are shown.",
            evidence: vec![
                Evidence::Orders(vec![
                    Order::new(
                        ["weaver-antibody", "weaver-supervised"],
                        V_RANDOM,
                        "higher: every evolved population is",
                    ),
                    Order::new(
                        ["weaver-antibody", "weaver-supervised-slow"],
                        V_RANDOM,
                        "higher: every evolved population is",
                    ),
                ]),
                curves(
                    &["weaver-supervised", "weaver-supervised-slow"],
                    &["pop_best_vs_random", "pop_mean_vs_random"],
                ),
            ],
        },
        PaperItem {
            number: "Higher mutation rate",
            section: "4.1 Level 0 Opponent",
            about: "At a mutation rate of 0.5 % instead of 0.072 % the schemes stand in the same order.",
            evidence: vec![
                Evidence::Orders(vec![
                    Order::new(
                        ["weaver-antibody-fast", "weaver-direct-0-fast"],
                        V_RANDOM,
                        "slightly higher",
                    ),
                    Order::new(
                        ["weaver-direct-0-fast", "weaver-round-robin-fast"],
                        V_RANDOM,
                        "higher",
                    ),
                    Order::new(
                        ["weaver-round-robin-fast", "weaver-direct-1-fast"],
                        V_RANDOM,
                        "higher",
                    ),
                ]),
                curves(
                    &[
                        "weaver-antibody-fast",
                        "weaver-direct-0-fast",
                        "weaver-round-robin-fast",
                        "weaver-direct-1-fast",
                    ],
                    &["pop_best_vs_random"],
                ),
            ],
        },
        PaperItem {
            number: "What the paper proposes",
            section: "3.6 Heuristic Networks; 5.3 Future Work",
            about: "Networks whose architecture evolves, one module for all boxes, and learning within a lifetime, inherited (Lamarck) or not \
                    (Baldwin), beside the same networks without learning. Past the paper: edges valued by the board after them.",
            evidence: vec![
                Evidence::unpublished(
                    PROPOSED,
                    &[RunFigure::Last("vs_random"), RunFigure::Last("vs_level_1")],
                    "not tried",
                ),
                curves(PROPOSED, &["vs_random", "vs_level_1"]),
            ],
        },
    ]
}

fn curves(presets: &'static [&'static str], columns: &'static [&'static str]) -> Evidence {
    Evidence::Curves(CurveSheet {
        presets,
        columns,
        over: ProgressUnit::Games,
    })
}

/// Published shares of games won, by the first player's level and the second's.
const STRATEGIES: [([&str; 2], f64, &str); 3] = [
    (["level-1", "random"], 0.9963, "99.63 %"),
    (["level-2", "random"], 0.9969, "99.69 %"),
    (["level-2", "level-1"], 0.8383, "83.83 %"),
];

/// Games of each pair of strategies.
const STRATEGY_GAMES: u32 = 20_000;

fn strategies() -> Computed {
    let mut verdicts = Vec::new();
    let mut rows = Vec::new();
    for (players, published, said) in STRATEGIES {
        let share = won(players);
        let (low, high) = wilson(share, STRATEGY_GAMES);
        let verdict = if (low..=high).contains(&published) {
            Agreement::Agrees
        } else {
            Agreement::Differs
        };
        let percent = |share: f64| format!("{:.2} %", share * 100.0);
        rows.push(vec![
            Cell::words(format!("{} against {}", players[0], players[1])),
            Cell::figure(said),
            Cell::figure(percent(share)),
            Cell::figure(format!("{} to {}", percent(low), percent(high))),
            Cell::verdict(verdict),
        ]);
        verdicts.push(verdict);
    }
    let head = ["players", "published", "ours", "95 % interval", "verdict"];
    let table = Table {
        caption: format!("Share of games won, {STRATEGY_GAMES} games each with sides alternating"),
        head: head.map(str::to_owned).to_vec(),
        rows,
    };
    Computed {
        blocks: vec![PageBlock::Table(table)],
        verdicts,
    }
}

/// The share of games that the first player wins.
fn won(players: [&str; 2]) -> f64 {
    let preset = presets::load("weaver-round-robin").expect("it is included");
    let setup = MatchSetup::new(&preset.game, &[]).expect("the game is valid");
    let pool = Pool::new(1).expect("this thread is there");
    let players = players.map(|name| {
        let reference = setup.reference_named(name).expect("the game has it");
        setup
            .reference(reference, None)
            .expect("it needs no search")
    });
    let games: Vec<_> = round_robin::head_to_head([0, 1], STRATEGY_GAMES).collect();
    let conditions = MatchConditions {
        openings: Openings::Standard,
        ..MatchConditions::new(1)
    };
    let played = setup.play_matches(&pool, &players, &games, &conditions);
    let tally = round_robin::tally(&played.expect("nothing cancels them"));
    tally.wins as f64 / tally.games() as f64
}
