//! Thien, a report on the neuroevolution of draughts players (2018).

use crate::metrics::progress_unit::ProgressUnit;
use crate::report::measure::RunFigure;
use crate::report::paper::{Claim, CurveSheet, Evidence, Order, Paper, PaperItem, QuickPlan};
use crate::report::verdict::Published;

const PLIES: &[&str] = &["thien-1ply", "thien-3ply", "thien-6ply"];

const TURNS: RunFigure = RunFigure::LateMean("mean_turns");

/// The publication.
pub(in crate::report) fn paper() -> Paper {
    Paper {
        name: "thien",
        citation: "Thien, a report on the neuroevolution of draughts players, 2018",
        summary: &[
            "15 networks of 91-40-10-1 play draughts by tree search with early playout termination at three settings: 1, 3 and 6 random moves \
             and 300 simulations for each of them. The five best survive and have ten offspring by crossover and safe mutation.",
        ],
        items: items(),
        runs: 5,
        quick: QuickPlan {
            runs: 2,
            generations: 8,
            shorter: &[("thien-6ply", 5)],
            settings: &[],
        },
    }
}

fn items() -> Vec<PaperItem> {
    vec![
        PaperItem {
            number: "Cumulative growth",
            section: "Learning Rate",
            about: "The sum of the champions' results against their five predecessors rises at every ply depth.",
            evidence: vec![
                Evidence::Figures(
                    PLIES
                        .iter()
                        .map(|preset| {
                            Claim::new(
                                preset,
                                RunFigure::Last("growth_sum"),
                                Published::AtLeast(0.0),
                                "net positive",
                            )
                        })
                        .collect(),
                ),
                Evidence::Runs(sheet(&["growth_sum"])),
            ],
        },
        PaperItem {
            number: "Final champion against its predecessors",
            section: "Performance",
            about: "Wins, draws and losses in 128 games against earlier champions; every final champion beats the random player in all games.",
            evidence: vec![
                Evidence::Figures(
                    PLIES
                        .iter()
                        .map(|preset| {
                            Claim::new(
                                preset,
                                RunFigure::Last("vs_random"),
                                Published::AtLeast(0.995),
                                "won every game",
                            )
                        })
                        .collect(),
                ),
                Evidence::Missing(
                    "the games against predecessors: an experiment keeps figures, not champions. `finches evaluate RUN` plays them for a saved run.",
                ),
            ],
        },
        PaperItem {
            number: "Origins of champions",
            section: "Champion Distribution",
            about: "From crossover and mutation come 66.1 % of the champions at the larger ply depths, more than at one ply.",
            evidence: vec![Evidence::Figures(
                PLIES[1..]
                    .iter()
                    .map(|preset| {
                        Claim::new(
                            preset,
                            RunFigure::ShareFrom("champion_origin", 2.0),
                            Published::Exactly(0.661, 0.0005),
                            "66.1 %",
                        )
                    })
                    .collect(),
            )],
        },
        PaperItem {
            number: "Scores by origin",
            section: "Influence of Inheritance Methods",
            about: "Box plots of growth by the champion's origin.",
            evidence: vec![Evidence::Missing("box plots are not drawn yet.")],
        },
        PaperItem {
            number: "Number of moves",
            section: "Other Observations",
            about: "Games at one ply are shorter on average. The report draws 2-D histograms; this is the mean of each generation.",
            evidence: vec![
                Evidence::Orders(vec![
                    order("thien-3ply", "thien-1ply", "longer games"),
                    order("thien-6ply", "thien-1ply", "longer games"),
                ]),
                Evidence::Curves(sheet(&["mean_turns"])),
            ],
        },
        PaperItem {
            number: "CPU times",
            section: "Other Observations",
            about: "The time of a generation grows linearly with the ply depth.",
            evidence: vec![Evidence::Missing(
                "times depend on the machine, and a page does not.",
            )],
        },
    ]
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
