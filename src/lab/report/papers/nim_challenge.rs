//! Zhou & Riis, "Impartial Games: A Challenge for Reinforcement Learning" (2022): normal-play Nim,
//! here by product units, and without some of what is built into them.

use crate::report::claims::{Claim, Order};
use crate::report::judged::baselines;
use crate::report::measure::RunFigure;
use crate::report::paper::{
    Computed, CurveSheet, Evidence, JudgedBoard, Paper, PaperItem, QuickPlan, Variant,
};
use crate::report::verdict::Published;
use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_engine::session::measures::accuracy;

const BOARDS: &[&str] = &["nim-5-heaps", "nim-6-heaps", "nim-7-heaps"];

const MISERE: &[&str] = &[
    "nim-misere-3-4-5",
    "nim-misere-4-4-4",
    "nim-misere-1-3-5-7",
    "nim-misere-3-4-5-4",
];

/// Five heaps, with less and less built in.
const FIVE: &[&str] = &[
    "nim-5-heaps",
    "nim-5-heaps-own-tables",
    "nim-5-heaps-products",
    "nim-5-heaps-graph",
    "nim-5-heaps-mlp",
];

const SIX: &[&str] = &[
    "nim-6-heaps",
    "nim-6-heaps-own-tables",
    "nim-6-heaps-products",
    "nim-6-heaps-graph",
    "nim-6-heaps-mlp",
];

const SEVEN: &[&str] = &[
    "nim-7-heaps",
    "nim-7-heaps-own-tables",
    "nim-7-heaps-products",
    "nim-7-heaps-graph",
    "nim-7-heaps-mlp",
];

/// Mutations left out, one at a time.
const VARIANTS: &[Variant] = &[
    Variant::new("nim-5-heaps-no-swap", "nim-5-heaps", NO_SWAP),
    Variant::new("nim-6-heaps-no-swap", "nim-6-heaps", NO_SWAP),
    Variant::new("nim-7-heaps-no-swap", "nim-7-heaps", NO_SWAP),
    Variant::new(
        "nim-5-heaps-no-copy",
        "nim-5-heaps-own-tables",
        &[("copy_table", "0")],
    ),
];

const NO_SWAP: &[(&str, &str)] = &[("swap_levels", "0")];

/// The presets and variants that differ by a mutation.
const MUTATIONS: &[&str] = &[
    "nim-5-heaps",
    "nim-5-heaps-no-swap",
    "nim-6-heaps",
    "nim-6-heaps-no-swap",
    "nim-7-heaps",
    "nim-7-heaps-no-swap",
    "nim-5-heaps-own-tables",
    "nim-5-heaps-no-copy",
];

/// Boards on which only the whole of it is run to its end.
const UNSEEN: &[&str] = &["nim-8-heaps"];

const WINNABLE: &str = accuracy::WINNABLE.name;

const LAST: RunFigure = RunFigure::Last(WINNABLE);
const HIGHEST: RunFigure = RunFigure::Highest(WINNABLE);
const MASTERED: RunFigure = RunFigure::FirstAtLeast(WINNABLE, 1.0);

/// Positions of a board of which the baselines are computed.
const SAMPLE: u32 = 20_000;

/// The publication.
pub(in crate::report) fn paper() -> Paper {
    Paper {
        name: "nim-challenge",
        citation: "Bei Zhou and Søren Riis, Impartial Games: A Challenge for Reinforcement \
            Learning, 2022 (arXiv:2205.12787v6, 2026)",
        summary: &[
            "The publication trains AlphaZero on Nim in normal play with the heaps \
            1-3-5-7-9(-11(-13)). What is done here is easier in four \
             ways: networks are given the sizes of heaps, not a board of single matches; they \
             value positions, of which the one after each \
             move is looked at, instead of naming a move; their units multiply; and one table of \
             factors serves all heaps. What the last \
             two are worth, also before any evolution, stands below. Networks are not given binary \
             digits, and no oracle takes part in \
             their fitness: it only measures.",
            "A position is won if the player to move can win it. The share of such positions in \
            which the best move of AlphaZero's policy wins \
             is the mean of the last twenty entries of the published logs, after 52, 188 and 212 \
             hours on one A100.",
        ],
        items: [published(), courses(), beyond(), ablation()]
            .into_iter()
            .flatten()
            .collect(),
        variants: VARIANTS,
        shortfalls: &[],
        runs: 10,
        rows_every: 1,
        quick: QuickPlan {
            runs: 2,
            generations: 40,
            shorter: &[],
            settings: &[],
        },
    }
}

/// The publication's figures, and how ours come about.
fn published() -> Vec<PaperItem> {
    vec![
        PaperItem {
            number: "Policy network",
            section: "winning moves",
            about: "The share of the positions that can be won in which the champion's move wins, \
                at the end of a run, which ends once that \
                        is all of them. The publication's figures are to be exceeded.",
            evidence: vec![Evidence::Figures(vec![
                exceeded("nim-5-heaps", 0.414, "AlphaZero: 41.4 %"),
                exceeded("nim-6-heaps", 0.155, "AlphaZero: 15.5 %"),
                exceeded("nim-7-heaps", 0.086, "AlphaZero: 8.6 %"),
            ])],
        },
        PaperItem {
            number: "Baselines",
            section: "simple players",
            about: "What chance, one move for all positions, and the rule of thumb to make the two \
                largest heaps equal win on the same boards. \
                        An accuracy says nothing without them: that every position can be won is \
                        right in 92.5 % of the positions of six heaps.",
            evidence: vec![Evidence::Computed(simple_players)],
        },
        PaperItem {
            number: "Generations, games and time",
            section: "training",
            about: "When the champion first wins every position that can be won, and what the runs \
                cost.",
            evidence: vec![
                Evidence::unpublished(BOARDS, &[MASTERED], "not mastered"),
                Evidence::Times(BOARDS.to_vec()),
            ],
        },
    ]
}

fn courses() -> Vec<PaperItem> {
    let before = PaperItem {
        number: "Before evolution",
        section: "training",
        about: "What the champion of the first generation wins, the best of 200 random networks. \
            Much is built in: a product over heaps with \
                    one table is the same for two equal heaps as for none.",
        evidence: vec![Evidence::unpublished(
            BOARDS,
            &[RunFigure::Initial(WINNABLE)],
            "nothing",
        )],
    };
    let course = PaperItem {
        number: "Course of training",
        section: "training",
        about: "The share of the positions won by the champion of each generation.",
        evidence: vec![Evidence::Curves(CurveSheet {
            presets: BOARDS,
            columns: &[WINNABLE],
            over: ProgressUnit::Generations,
        })],
    };
    vec![before, course]
}

/// What the built-in parts are worth.
fn ablation() -> Vec<PaperItem> {
    vec![
        boards("Five heaps", FIVE),
        boards("Six heaps", SIX),
        boards("Seven heaps", SEVEN),
        PaperItem {
            number: "Two mutations",
            section: "what is built in",
            about: "Levels that trade places in all units, and tables copied from heap to heap: \
                the same runs without one of them.",
            evidence: vec![
                Evidence::unpublished(MUTATIONS, &[MASTERED, LAST], "nothing"),
                Evidence::Times(MUTATIONS.to_vec()),
            ],
        },
    ]
}

fn boards(number: &'static str, presets: &'static [&'static str]) -> PaperItem {
    let [shared, own, products, sums] = [0, 1, 2, 3].map(|place| presets[place]);
    PaperItem {
        number,
        section: "what is built in",
        about: "One table for all heaps; a table for each heap; a growing network that may \
            multiply; a growing network of sums; and a network \
                    of sums with two hidden layers. A run ends once every position that can be won \
                    is won.",
        evidence: vec![
            Evidence::unpublished(
                presets,
                &[RunFigure::Initial(WINNABLE), MASTERED, LAST, HIGHEST],
                "nothing",
            ),
            Evidence::Orders(vec![
                Order::new([own, shared], MASTERED, "the second has more built in"),
                Order::new([own, products], HIGHEST, "the first has more built in"),
                Order::new([products, sums], HIGHEST, "the first has more built in"),
            ]),
            Evidence::Curves(CurveSheet {
                presets,
                columns: &[WINNABLE],
                over: ProgressUnit::Generations,
            }),
            Evidence::Times(presets.to_vec()),
        ],
    }
}

/// Other boards.
fn beyond() -> Vec<PaperItem> {
    vec![
        PaperItem {
            number: "Twenty heaps never seen",
            section: "transfer",
            about: "Champions that evolved on eight heaps choose moves on twenty heaps of up to 15 \
                matches, 16²⁰ positions, of which they never \
                        saw one.",
            evidence: vec![
                Evidence::Judged(JudgedBoard {
                    presets: UNSEEN,
                    changes: &[(
                        "heaps",
                        "[15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15]",
                    )],
                    positions: 10_667,
                    about: "Twenty heaps of up to 15 matches",
                }),
                Evidence::Times(UNSEEN.to_vec()),
            ],
        },
        PaperItem {
            number: "Misère play",
            section: "other rules",
            about: "The player who takes the last match loses: boards of Rosin & Belew (1997) and \
                of this program's first presets.",
            evidence: vec![
                Evidence::unpublished(MISERE, &[MASTERED, LAST], "nothing"),
                Evidence::Times(MISERE.to_vec()),
            ],
        },
    ]
}

fn exceeded(preset: &'static str, share: f64, said: &'static str) -> Claim {
    Claim::new(preset, LAST, Published::AtLeast(share), said)
}

fn simple_players(_is_quick: bool) -> Computed {
    Computed {
        blocks: vec![baselines(BOARDS, SAMPLE)],
        verdicts: Vec::new(),
    }
}
