//! Thien, a report on the neuroevolution of draughts players (2018).

use crate::report::claims::{Claim, Order};
use crate::report::measure::{GroupMeasure, NamedValue, RunFigure};
use crate::report::paper::{
    CurveSheet, Evidence, Paper, PaperItem, QuickPlan, ValueGroups, Variant,
};
use crate::report::verdict::Published;
use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_engine::session::measures::{growth, origins, progress};

use super::V_RANDOM;

const PLIES: &[&str] = &["thien-1ply", "thien-3ply", "thien-6ply"];

const GROWTH: RunFigure = RunFigure::Last(growth::SUM.name);
const TURNS: RunFigure = RunFigure::LateMean(progress::MEAN_TURNS.name, 100);

/// How champions were made, as the metrics number it.
const ORIGINS: ValueGroups = ValueGroups {
    presets: PLIES,
    column: origins::CHAMPION.name,
    names: &[ELITE, CROSSOVER, MUTANT],
};

const ELITE: NamedValue = (1.0, "elite");
const CROSSOVER: NamedValue = (2.0, "crossover");
const MUTANT: NamedValue = (3.0, "mutant");

/// One setting of the report at a time undone, at three plies.
const VARIANTS: &[Variant] = &[
    undone("thien-3ply-blocked-loses", &[("blocked", "loses")]),
    undone("thien-3ply-quiet-extension", &[("extension", "quiet")]),
    undone("thien-3ply-value-weight", &[("value_weight", "0.9")]),
    undone(
        "thien-3ply-squares",
        &[("divergence", "squares"), ("mutation.games", "first")],
    ),
    undone("thien-3ply-unbounded", &[("clamp", "None")]),
    undone("thien-3ply-equals-first", &[("equals", "first")]),
    undone("thien-3ply-varied-openings", &[("openings", "varied")]),
];

const fn undone(name: &'static str, settings: &'static [(&'static str, &'static str)]) -> Variant {
    Variant::new(name, "thien-3ply", settings)
}

/// Offspring among the champions at the larger ply depths: 66.1 %, with the error of a share of
/// some 300 generations.
const OFFSPRING: Published = Published::Between(0.607, 0.715);

const SHORTFALLS: &[(&str, &str)] = &[
    (
        "Growth at six plies",
        "With 30 games a generation, most of them drawn, the sum of growth over 200 generations \
        has a standard error of more than one point, \
         so one run shows nothing, ours as little as the report's; five together are needed. None \
         of the single settings of the report that \
         are undone at three plies is clear of this uncertainty.",
    ),
    (
        "Origins of champions",
        "The report's 66.1 % are what chance gives if all members are equal, since ten of fifteen \
        are offspring. Ours are fewer. One reason: \
         among equal scores the older members come first, as champion and among the five \
         survivors, and many scores are equal where most \
         games are drawn; the report has no rule for it. Nor is crossover the most frequent origin \
         in ours, which the report finds at one \
         and six plies. Drawing the dominant parent by lot or by place makes no difference.",
    ),
    (
        "Games against the random player",
        "Ours win all but a few, and the others are draws. Our games begin with random moves and \
        end after 100 moves of both players together; \
         the report gives neither an opening nor a number of games. With few games, winning all of \
         them is no rare luck.",
    ),
    (
        "CPU times",
        "The report's grow linearly with the ply depth, as its number of simulations does. Ours do \
        so nearly from one ply to three (3.4 times as \
         long), but a generation at six plies takes 14 times as long as at one. Why is not known.",
    ),
    (
        "The last champion at one ply",
        "The report's does not beat the first of its generations and is worse than one without \
        training. Ours beats its first \
         (seed 1: 50 games won, 78 drawn, none lost), as its growth suggests.",
    ),
];

/// What it proposes, beside what it ran.
const BESIDE: &[&str] = &[
    "thien-1ply",
    "thien-1ply-minimax",
    "thien-3ply-minimax",
    "thien-6ply-minimax",
    "thien-1ply-league",
    "thien-1ply-safe-crossover",
    "thien-1ply-gradient",
    "thien-1ply-restart",
];

const MINIMAX: &[&str] = &[
    "thien-1ply-minimax",
    "thien-3ply-minimax",
    "thien-6ply-minimax",
];

const PROPOSED: &[&str] = &[
    "thien-1ply-league",
    "thien-1ply-safe-crossover",
    "thien-1ply-gradient",
    "thien-1ply-restart",
];

/// The publication.
pub(in crate::report) fn paper() -> Paper {
    Paper {
        name: "thien",
        citation: "Thien, a report on the neuroevolution of draughts players, 2018",
        summary: &[
            "15 networks of 91-40-10-1 play draughts by tree search with early playout termination \
            at three settings: 1, 3 and 6 random moves \
             and 300 simulations for each of them. The five best survive and have ten offspring by \
             crossover and safe mutation.",
        ],
        items: [strength(), origins(), observations()]
            .into_iter()
            .flatten()
            .collect(),
        variants: VARIANTS,
        shortfalls: SHORTFALLS,
        runs: 5,
        rows_every: 1,
        quick: QuickPlan {
            runs: 2,
            generations: 8,
            shorter: &[("thien-6ply", 5), ("thien-6ply-minimax", 3)],
            settings: &[],
        },
    }
}

/// Growth, and the final champions.
fn strength() -> Vec<PaperItem> {
    vec![
        PaperItem {
            number: "Cumulative growth",
            section: "Learning Rate",
            about: "The sum of the champions' results against their five predecessors rises at \
                every ply depth.",
            evidence: vec![
                Evidence::Figures(
                    PLIES
                        .iter()
                        .map(|preset| {
                            Claim::new(preset, GROWTH, Published::AtLeast(0.0), "net positive")
                        })
                        .collect(),
                ),
                Evidence::Runs(sheet(&[growth::SUM.name])),
            ],
        },
        PaperItem {
            number: "Cumulative growth, the report's settings one at a time",
            section: "Learning Rate",
            about: "The sum of growth at three plies with one setting of the report undone: a \
                blocked player loses; playouts go on while there \
                    are fewer than four moves; the network's value counts 0.9; safe mutation \
                    minimizes squared differences over the first game; \
                    weights have no bound; of equal parents the first is dominant; games for \
                    growth start from random openings.",
            evidence: vec![Evidence::Figures(
                ["thien-3ply"]
                    .into_iter()
                    .chain(VARIANTS.iter().map(|variant| variant.name))
                    .map(|preset| Claim::new(preset, GROWTH, Published::Nothing, ""))
                    .collect(),
            )],
        },
        PaperItem {
            number: "Final champion against its predecessors",
            section: "Performance",
            about: "Wins, draws and losses in 128 games against earlier champions. At three and \
                six plies the last has the better chances against \
                    earlier ones, at one ply it does not beat the first. All agents win every game \
                    against the random player.",
            evidence: vec![
                Evidence::Figures(
                    PLIES
                        .iter()
                        .map(|preset| {
                            Claim::new(
                                preset,
                                RunFigure::LateMean(V_RANDOM, 50),
                                Published::AtLeast(0.995),
                                "won every game",
                            )
                        })
                        .collect(),
                ),
                Evidence::Ancestors(PLIES, 128),
            ],
        },
    ]
}

/// Where champions come from, and their growth by it.
fn origins() -> Vec<PaperItem> {
    vec![
        PaperItem {
            number: "Origins of champions",
            section: "Champion Distribution",
            about: "From crossover and mutation come 66.1 % of the champions at the larger ply \
                depths, more than at one ply. Crossover is the most \
                    frequent origin at one and at six plies.",
            evidence: vec![
                Evidence::Figures(
                    PLIES[1..]
                        .iter()
                        .map(|preset| {
                            Claim::new(
                                preset,
                                RunFigure::ShareFrom(origins::CHAMPION.name, 2.0),
                                OFFSPRING,
                                "66.1 % at larger plies, of some 300 generations: ± 5.4",
                            )
                        })
                        .collect(),
                ),
                Evidence::Orders(
                    PLIES[1..]
                        .iter()
                        .map(|preset| {
                            let offspring = RunFigure::ShareFrom(origins::CHAMPION.name, 2.0);
                            let presets = [*preset, "thien-1ply"];
                            Order::new(presets, offspring, "more offspring at larger plies")
                        })
                        .collect(),
                ),
                Evidence::Figures(
                    ["thien-1ply", "thien-6ply"]
                        .map(|preset| {
                            crossover_ahead(preset, GroupMeasure::Share, "the most frequent")
                        })
                        .into(),
                ),
                Evidence::Shares(ORIGINS),
            ],
        },
        PaperItem {
            number: "Scores by origin",
            section: "Influence of Inheritance Methods",
            about: "Box plots of growth by the champion's origin, with the median; the report \
                draws the mean. It finds the highest mean for crossover \
                    at three plies, the best single champions from mutation, and no influence at \
                    six plies. It has one run of each depth.",
            evidence: vec![
                Evidence::Figures(vec![crossover_ahead(
                    "thien-3ply",
                    GroupMeasure::Mean(growth::GROWTH.name),
                    "the highest mean",
                )]),
                Evidence::Boxes(growth::GROWTH.name, ORIGINS),
            ],
        },
    ]
}

/// The lengths of games, times, and what was proposed.
fn observations() -> Vec<PaperItem> {
    vec![
        PaperItem {
            number: "Number of moves",
            section: "Other Observations",
            about: "Games at one ply are shorter on average. The report counts single games; this \
                is the mean of each generation.",
            evidence: vec![
                Evidence::Orders(vec![
                    order("thien-3ply", "thien-1ply", "longer games"),
                    order("thien-6ply", "thien-1ply", "longer games"),
                ]),
                Evidence::Histograms(sheet(&[progress::MEAN_TURNS.name])),
            ],
        },
        PaperItem {
            number: "What the report proposes",
            section: "Decision Making Algorithm; Coefficient Mutation; Approach; Tournament \
                Selection; Learning Rate",
            about: "Alpha-beta in the place of tree search, for which the report gives no results, \
                and what it names and does not use: a league, \
                    safe crossover, safe mutation by gradients, a new start where champions \
                    regress.",
            evidence: vec![
                Evidence::unpublished(MINIMAX, &[GROWTH], "no results given"),
                Evidence::unpublished(PROPOSED, &[GROWTH], "not tried"),
                Evidence::Runs(CurveSheet {
                    presets: BESIDE,
                    columns: &[growth::SUM.name],
                    over: ProgressUnit::Generations,
                }),
            ],
        },
        PaperItem {
            number: "CPU times",
            section: "Other Observations",
            about: "The time of a generation grows linearly with the ply depth.",
            evidence: vec![Evidence::Times(PLIES.to_vec())],
        },
        PaperItem::not_made(
            "CPU times of single games",
            "Other Observations",
            "2-D histograms of the processor time of each game.",
            "the times of single games are not kept.",
        ),
        PaperItem::not_made(
            "Diagrams",
            "Neural Networks; Decision Making Algorithm; Crossover",
            "The network, the parts of the board, the activation function, tree search and \
            crossover.",
            "they explain the method and show no result.",
        ),
    ]
}

/// Champions from crossover ahead of the others.
fn crossover_ahead(preset: &'static str, of: GroupMeasure, said: &'static str) -> Claim {
    let groups = [CROSSOVER, ELITE, MUTANT];
    let lead = RunFigure::Lead(of, origins::CHAMPION.name, groups);
    Claim::new(preset, lead, Published::Ahead, said)
}

fn order(higher: &'static str, lower: &'static str, said: &'static str) -> Order {
    Order::new([higher, lower], TURNS, said)
}

fn sheet(columns: &'static [&'static str]) -> CurveSheet {
    CurveSheet {
        presets: PLIES,
        columns,
        over: ProgressUnit::Generations,
    }
}
