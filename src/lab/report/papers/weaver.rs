//! Weaver & Bossomaier, "Evolution of Neural Networks to Play the Game of Dots-and-Boxes" (1996).

use crate::report::claims::{Claim, Order, RangeClaim, RangeOf, RatioClaim};
use crate::report::measure::RunFigure;
use crate::report::paper::{CurveSheet, Evidence, Paper, PaperItem, QuickPlan};
use crate::report::verdict::Published;
use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_engine::session::measures::progress;

use super::{BEST_V_LEVEL_1, BEST_V_RANDOM, MEAN_V_LEVEL_1, MEAN_V_RANDOM, V_LEVEL_1, V_RANDOM};

use super::fixed_strategies::strategies;

const LAST_V_RANDOM: RunFigure = RunFigure::Last(BEST_V_RANDOM);
const LAST_V_LEVEL_1: RunFigure = RunFigure::Last(BEST_V_LEVEL_1);

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
];

/// Edges valued by the board after them.
const PAST: &[&str] = &["weaver-value", "weaver-sides"];

const GAIN_LEVEL_1: RunFigure = RunFigure::Gain(BEST_V_LEVEL_1);

const SHORTFALLS: &[(&str, &str)] = &[
    (
        "Supervised training",
        "The paper's networks stay below every evolved population; ours learn to complete boxes \
        and beat the random player almost always. The \
         paper gives no learning rate and says that other rates made no notable difference; here \
         the rate makes much of it. With 0.1 \
         (`weaver-supervised`) they learn within ten passes, with 0.001 (`weaver-supervised-slow`) \
         the best stay below most evolved populations \
         for the first 20 passes, and not to the end.",
    ),
    (
        "Antibodies ahead",
        "The paper's antibodies learn faster than evolution against the random player and end \
        slightly higher; ours learn more slowly and do not. \
         Tried: both of the paper's mutation rates.",
    ),
    (
        "Evolution against the random player gains against level 1",
        "The paper sees no gain against level 1 from it; ours gains as much as antibodies do. \
        Tried: the sums of the outputs ranked, as here, \
         or the outputs after the sigmoid, as in the paper, where large sums all give 1 and one of \
         them is drawn.",
    ),
];

/// The publication.
pub(in crate::report) fn paper() -> Paper {
    Paper {
        name: "weaver",
        citation: "Lex Weaver and Terry Bossomaier, Evolution of Neural Networks to Play the Game \
            of Dots-and-Boxes, Alife V, 1996",
        summary: &[
            "Networks of 24-9-24, encoded in 4,650 bits, choose edges on a board of 3 by 3 boxes. \
            Four populations with three schemes of fitness are compared by the \
             share of games that the best member of a population wins against a random player and \
             against one that closes boxes.",
            "The figures show one typical population for each scheme; what is published here is \
            taken from the text, with ends of ranges that are \
             ours.",
            "Our games against these opponents begin with two random edges. The best of a \
            population is the one of 100 members with the most points \
             in 300 games each, luck included.",
        ],
        items: [game(), evolution(), comparisons(), proposals()]
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
        PaperItem::not_made(
            "Figure 1",
            "2.1 Rules",
            "The first two moves of a game.",
            "it explains the rules and shows no result.",
        ),
        PaperItem {
            number: "Human strategies",
            section: "2.2 Human Strategies",
            about: "How often the three fixed strategies beat each other: level 0 moves at random, \
                level 1 closes boxes, level 2 also \
                        avoids third sides. This tests whether the rules are the same. The paper \
                        gives a sample of 200,000 games for the \
                        first share. The same is taken for the others, and each is read as its 95 \
                        % interval.",
            evidence: vec![Evidence::Computed(strategies)],
        },
        PaperItem::not_made(
            "Figure 2",
            "2.2 Human Strategies",
            "A position in which a box must be ignored to win.",
            "it explains a strategy and shows no result.",
        ),
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
                        LAST_V_RANDOM,
                        Published::Between(0.9, 0.95),
                        "a little over 0.9",
                    ),
                    Claim::new(
                        "weaver-direct-0",
                        LAST_V_RANDOM,
                        Published::Between(0.87, 0.9),
                        "nearly 0.9",
                    ),
                    Claim::new(
                        "weaver-round-robin",
                        RunFigure::Gain(BEST_V_RANDOM),
                        Published::Between(0.05, 0.15),
                        "improved by only one game in ten",
                    ),
                    Claim::new(
                        "weaver-direct-1",
                        RunFigure::Gain(BEST_V_RANDOM),
                        Published::Below(0.1),
                        "even less improvement",
                    ),
                    notable("weaver-antibody"),
                    notable("weaver-direct-1"),
                    notable("weaver-round-robin"),
                ]),
                Evidence::Orders(vec![
                    Order::new(
                        ["weaver-antibody", "weaver-direct-0"],
                        LAST_V_RANDOM,
                        "slightly higher",
                    ),
                    Order::new(
                        ["weaver-direct-0", "weaver-round-robin"],
                        LAST_V_RANDOM,
                        "higher",
                    ),
                    Order::new(
                        ["weaver-round-robin", "weaver-direct-1"],
                        LAST_V_RANDOM,
                        "higher",
                    ),
                ]),
                curves(SCHEMES, &[BEST_V_RANDOM]),
            ],
        },
        PaperItem {
            number: "Figure 4",
            section: "4.2 Level 1 Opponent",
            about: "The same populations against the player that closes boxes. Only antibodies \
                improve beside those that evolve against it. A \
                    gain below 0.01 is read as no improvement, and a ratio from 0.4 to 0.6 as \
                    half.",
            evidence: vec![
                Evidence::Figures(vec![
                    Claim::new(
                        "weaver-antibody",
                        GAIN_LEVEL_1,
                        Published::AtLeast(0.01),
                        "managed an improvement",
                    ),
                    no_gain("weaver-direct-0"),
                    no_gain("weaver-round-robin"),
                ]),
                Evidence::Orders(vec![
                    Order::new(
                        ["weaver-direct-1", "weaver-antibody"],
                        LAST_V_LEVEL_1,
                        "higher",
                    ),
                    Order::new(
                        ["weaver-antibody", "weaver-direct-0"],
                        LAST_V_LEVEL_1,
                        "higher: no other scheme gains",
                    ),
                    Order::new(
                        ["weaver-antibody", "weaver-round-robin"],
                        LAST_V_LEVEL_1,
                        "higher: no other scheme gains",
                    ),
                ]),
                Evidence::Ratios(vec![RatioClaim {
                    presets: ["weaver-antibody", "weaver-direct-1"],
                    figure: LAST_V_LEVEL_1,
                    published: Published::Between(0.4, 0.6),
                    said: "half as successful in the end",
                }]),
                curves(SCHEMES, &[BEST_V_LEVEL_1]),
            ],
        },
    ]
}

/// Back-propagation, a higher mutation rate, and the number of games.
fn comparisons() -> Vec<PaperItem> {
    vec![
        PaperItem {
            number: "Figure 5",
            section: "4.3 Performance of Supervised-Trained Nets",
            about: "Mean and best of thirty networks trained by back-propagation, against the \
                random player. The paper does not give \
                        its learning rate, so two are shown. It says that the best stay below each \
                        evolved population against both opponents, and that \
                        other numbers of training positions, which are not tried here, made no \
                        notable difference. A twentieth is taken for that.",
            evidence: vec![
                Evidence::Orders(above("weaver-supervised")),
                Evidence::Orders(above("weaver-supervised-slow")),
                Evidence::Figures(vec![
                    no_better("weaver-supervised"),
                    no_better("weaver-supervised-slow"),
                ]),
                Evidence::Ranges(vec![RangeClaim {
                    of: RangeOf::Means(&["weaver-supervised", "weaver-supervised-slow"]),
                    figure: LAST_V_RANDOM,
                    within: 0.05,
                    said: "other learning rates: not notably different (5.2)",
                }]),
                curves(
                    &["weaver-supervised", "weaver-supervised-slow"],
                    &[BEST_V_RANDOM, MEAN_V_RANDOM],
                ),
            ],
        },
        PaperItem {
            number: "Higher mutation rate",
            section: "4.1 Level 0 Opponent",
            about: "At a mutation rate of 0.5 % instead of 0.072 % the schemes stand in the same \
                order.",
            evidence: vec![
                Evidence::Orders(vec![
                    Order::new(
                        ["weaver-antibody-fast", "weaver-direct-0-fast"],
                        LAST_V_RANDOM,
                        "slightly higher",
                    ),
                    Order::new(
                        ["weaver-direct-0-fast", "weaver-round-robin-fast"],
                        LAST_V_RANDOM,
                        "higher",
                    ),
                    Order::new(
                        ["weaver-round-robin-fast", "weaver-direct-1-fast"],
                        LAST_V_RANDOM,
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
                    &[BEST_V_RANDOM],
                ),
            ],
        },
        PaperItem {
            number: "Games of a generation",
            section: "5.1 The Genetic Algorithm",
            about: "How many games each scheme plays in a generation.",
            evidence: vec![Evidence::Figures(vec![
                games("weaver-round-robin", 9900.0, "9 900"),
                games("weaver-antibody", 1650.0, "1 650"),
                games("weaver-direct-0", 2000.0, "2 000"),
            ])],
        },
    ]
}

/// Networks built by hand, and what is proposed.
fn proposals() -> Vec<PaperItem> {
    vec![
        PaperItem {
            number: "Heuristic networks",
            section: "3.6 Heuristic Networks",
            about: "A network of the same architecture that plays level 1, built by hand, and one \
                with another layer that also avoids third sides, \
                    which the paper describes in a sentence. Here they are the first population, \
                    so that evolution can go on from them.",
            evidence: vec![Evidence::Figures(vec![
                Claim::new(
                    "weaver-hand-built",
                    RunFigure::Initial(MEAN_V_RANDOM),
                    Published::Between(0.99, 1.0),
                    "level 1, which wins 99.63 %",
                ),
                Claim::new(
                    "weaver-hand-built",
                    RunFigure::Initial(MEAN_V_LEVEL_1),
                    Published::Between(0.49, 0.51),
                    "level 1, so one half",
                ),
                Claim::new(
                    "weaver-hand-built-level-2",
                    RunFigure::Initial(MEAN_V_RANDOM),
                    Published::Between(0.99, 1.0),
                    "level 2, which wins 99.69 %",
                ),
                Claim::new(
                    "weaver-hand-built-level-2",
                    RunFigure::Initial(MEAN_V_LEVEL_1),
                    Published::Between(0.79, 0.89),
                    "level 2, which wins 83.83 %",
                ),
            ])],
        },
        PaperItem {
            number: "What the paper proposes",
            section: "5.3 Future Work; 6 Conclusions",
            about: "Networks whose architecture evolves, one module for all boxes, and learning \
                within a lifetime, inherited (Lamarck) or not \
                    (Baldwin), beside the same networks without learning.",
            evidence: vec![
                Evidence::unpublished(
                    PROPOSED,
                    &[RunFigure::Last(V_RANDOM), RunFigure::Last(V_LEVEL_1)],
                    "not tried",
                ),
                curves(PROPOSED, &[V_RANDOM, V_LEVEL_1]),
            ],
        },
        PaperItem::not_made(
            "Temporal difference learning",
            "6 Conclusions",
            "Planned as a comparison.",
            "the paper has no result of it, and finches has no such learning.",
        ),
        PaperItem {
            number: "Past the paper",
            section: "3.2 Choice of Network",
            about: "Edges valued by the board after them, in place of one output for each edge.",
            evidence: vec![
                Evidence::unpublished(
                    PAST,
                    &[RunFigure::Last(V_RANDOM), RunFigure::Last(V_LEVEL_1)],
                    "not tried",
                ),
                curves(PAST, &[V_RANDOM, V_LEVEL_1]),
            ],
        },
    ]
}

/// The best of a random population against the random player.
fn notable(preset: &'static str) -> Claim {
    Claim::new(
        preset,
        RunFigure::Initial(BEST_V_RANDOM),
        Published::AtLeast(0.55),
        "the best of a random population is notably better",
    )
}

fn no_gain(preset: &'static str) -> Claim {
    Claim::new(
        preset,
        GAIN_LEVEL_1,
        Published::Below(0.01),
        "no improvement",
    )
}

/// The mean of networks trained by back-propagation against level 1, of which the random player
/// wins 0.37 %.
fn no_better(preset: &'static str) -> Claim {
    Claim::new(
        preset,
        RunFigure::Last(MEAN_V_LEVEL_1),
        Published::Below(0.01),
        "no better than random play, which wins 0.37 %",
    )
}

/// The best of each evolved population above that of trained networks, against both opponents.
fn above(trained: &'static str) -> Vec<Order> {
    let orders = [LAST_V_RANDOM, LAST_V_LEVEL_1]
        .into_iter()
        .flat_map(|figure| {
            let scheme = move |scheme: &&'static str| {
                Order::new(
                    [scheme, trained],
                    figure,
                    "every evolved population is higher",
                )
            };
            SCHEMES.iter().map(scheme)
        });
    orders.collect()
}

fn games(preset: &'static str, count: f64, said: &'static str) -> Claim {
    let each = RunFigure::PerGeneration(progress::GAMES.name);
    Claim::new(preset, each, Published::Exactly(count, 0.5), said)
}

fn curves(presets: &'static [&'static str], columns: &'static [&'static str]) -> Evidence {
    Evidence::Curves(CurveSheet {
        presets,
        columns,
        over: ProgressUnit::Games,
    })
}
