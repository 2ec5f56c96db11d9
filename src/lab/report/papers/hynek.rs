//! Hynek, "Evolving Strategy for Game Playing": strategies for Nim with one bounded heap.

use crate::report::claims::{Claim, Order};
use crate::report::measure::RunFigure;
use crate::report::page::{Cell, PageBlock, Table};
use crate::report::paper::{Computed, CurveSheet, Evidence, Paper, PaperItem, QuickPlan, Variant};
use crate::report::verdict::{Agreement, Published};
use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_engine::session::measures::{challengers, fitness, hall_of_fame};

/// Generations to an optimal strategy.
const TO_OPTIMUM: RunFigure = RunFigure::FirstAtMost(hall_of_fame::WRONG_DECISIONS.name, 0.0);

/// Other readings of what the paper leaves open: how the hall of fame is fed.
const VARIANTS: &[Variant] = &[
    Variant::new("hynek-11-best", "hynek-11", BEST),
    Variant::new("hynek-21-best", "hynek-21", BEST),
    Variant::new("hynek-31-best", "hynek-31", BEST),
    Variant::new("hynek-11-elites", "hynek-11", ELITES),
    Variant::new("hynek-21-elites", "hynek-21", ELITES),
    Variant::new("hynek-31-elites", "hynek-31", ELITES),
    Variant::new("hynek-11-random-slot", "hynek-11", RANDOM_SLOT),
    Variant::new("hynek-21-random-slot", "hynek-21", RANDOM_SLOT),
    Variant::new("hynek-31-random-slot", "hynek-31", RANDOM_SLOT),
    Variant::new("hynek-11-chicken-best", "hynek-11-chicken", BEST),
    Variant::new("hynek-21-chicken-best", "hynek-21-chicken", BEST),
    Variant::new("hynek-31-chicken-best", "hynek-31-chicken", BEST),
    Variant::new("hynek-11-chicken-elites", "hynek-11-chicken", ELITES),
    Variant::new("hynek-21-chicken-elites", "hynek-21-chicken", ELITES),
    Variant::new("hynek-31-chicken-elites", "hynek-31-chicken", ELITES),
    Variant::new(
        "hynek-11-chicken-random-slot",
        "hynek-11-chicken",
        RANDOM_SLOT,
    ),
    Variant::new(
        "hynek-21-chicken-random-slot",
        "hynek-21-chicken",
        RANDOM_SLOT,
    ),
    Variant::new(
        "hynek-31-chicken-random-slot",
        "hynek-31-chicken",
        RANDOM_SLOT,
    ),
];

const BEST: &[(&str, &str)] = &[("admission", "best")];
const ELITES: &[(&str, &str)] = &[("admission", "elites")];
const RANDOM_SLOT: &[(&str, &str)] = &[("admission", "random_slot")];

const SHORTFALLS: &[(&str, &str)] = &[(
    "The generations of Tables 2 and 3",
    "The paper leaves open how the hall of fame is fed and how parents are selected. Tried, with \
    parents in proportion to fitness: new \
     elites, all elites, the best one only, or new ones in random places of the hall; and parents \
     by tournaments of two, with new elites. Only \
     one reading gives one of the means: the best one only, with headless chicken crossover and 21 \
     stones. It is far too high with 31 stones and, \
     without headless chicken crossover, with 21. With 31 stones and without it all readings are \
     too high; all others are too low. The paper's \
     order does come out with 21 and 31 stones: with headless chicken crossover the optimum is \
     found sooner. With 11 the difference is not clear.",
)];

/// The publication.
pub(in crate::report) fn paper() -> Paper {
    Paper {
        name: "hynek",
        citation: "Josef Hynek, Evolving Strategy for Game Playing, University of Hradec Králové, \
            no date",
        summary: &[
            "Nim with one heap of N stones: players take 1 to 4 at a time, and the player who \
            takes the last one loses. A strategy is a list with \
             one decision for each number of stones. 400 strategies evolve as second players \
             against a hall of fame of 150, with and \
             without headless chicken crossover of the 20 elites.",
        ],
        items: [tables(), other_readings(), courses()]
            .into_iter()
            .flatten()
            .collect(),
        variants: VARIANTS,
        shortfalls: SHORTFALLS,
        runs: 100,
        rows_every: 1,
        quick: QuickPlan {
            runs: 20,
            generations: 600,
            shorter: &[],
            settings: &[],
        },
    }
}

/// The tables.
fn tables() -> Vec<PaperItem> {
    vec![
        PaperItem::not_made(
            "Figure 1",
            "Problem Description",
            "How the second player wins: by leaving 1, 6, 11, ... stones. The caption has 31 \
            stones, the text 26.",
            "it explains the rules and shows no result.",
        ),
        PaperItem {
            number: "Table 1",
            section: "Problem Description",
            about: "The number of strategies for some heaps N and limits k: the product of min(k, \
                n) for n from 1 to N. Below the table, the paper \
                    has the numbers of all and of optimal strategies for N = 21 and k = 4.",
            evidence: vec![Evidence::Computed(table_1)],
        },
        PaperItem {
            number: "Table 2",
            section: "Results achieved",
            about: "Generations to an optimal strategy, 100 runs each, without headless chicken \
                crossover. The mean is judged, the least and the \
                    most are shown.",
            evidence: vec![Evidence::Figures(vec![
                average("hynek-11", 13.3, "13.3 on average, from 4 to 25"),
                average("hynek-21", 91.0, "91.0 on average, from 33 to 376"),
                average("hynek-31", 194.1, "194.1 on average, from 76 to 592"),
            ])],
        },
        PaperItem {
            number: "Table 3",
            section: "Results achieved",
            about: "The same with headless chicken crossover.",
            evidence: vec![Evidence::Figures(vec![
                average("hynek-11-chicken", 12.6, "12.6 on average, from 2 to 21"),
                average("hynek-21-chicken", 54.1, "54.1 on average, from 33 to 69"),
                average(
                    "hynek-31-chicken",
                    126.6,
                    "126.6 on average, from 79 to 184",
                ),
            ])],
        },
        PaperItem {
            number: "Tables 2 and 3",
            section: "Results achieved",
            about: "Headless chicken crossover finds the optimum sooner.",
            evidence: vec![Evidence::Orders(vec![
                sooner("hynek-11", "hynek-11-chicken"),
                sooner("hynek-21", "hynek-21-chicken"),
                sooner("hynek-31", "hynek-31-chicken"),
            ])],
        },
    ]
}

/// Other readings of what the paper leaves open.
fn other_readings() -> Vec<PaperItem> {
    vec![
        PaperItem {
            number: "Table 2, other readings",
            section: "Genetic Algorithm Implementation",
            about: "Without headless chicken crossover, by how the hall of fame is fed (the best \
                member only, all elites, new elites in random \
                        places) and by how parents are selected (tournaments of two).",
            evidence: vec![readings(&[
                (
                    [
                        "hynek-11-best",
                        "hynek-11-elites",
                        "hynek-11-random-slot",
                        "hynek-11-tournament",
                    ],
                    13.3,
                    "13.3 on average",
                ),
                (
                    [
                        "hynek-21-best",
                        "hynek-21-elites",
                        "hynek-21-random-slot",
                        "hynek-21-tournament",
                    ],
                    91.0,
                    "91.0 on average",
                ),
                (
                    [
                        "hynek-31-best",
                        "hynek-31-elites",
                        "hynek-31-random-slot",
                        "hynek-31-tournament",
                    ],
                    194.1,
                    "194.1 on average",
                ),
            ])],
        },
        PaperItem {
            number: "Table 3, other readings",
            section: "Macromutation Operator",
            about: "The same readings with headless chicken crossover.",
            evidence: vec![readings(&[
                (
                    [
                        "hynek-11-chicken-best",
                        "hynek-11-chicken-elites",
                        "hynek-11-chicken-random-slot",
                        "hynek-11-chicken-tournament",
                    ],
                    12.6,
                    "12.6 on average",
                ),
                (
                    [
                        "hynek-21-chicken-best",
                        "hynek-21-chicken-elites",
                        "hynek-21-chicken-random-slot",
                        "hynek-21-chicken-tournament",
                    ],
                    54.1,
                    "54.1 on average",
                ),
                (
                    [
                        "hynek-31-chicken-best",
                        "hynek-31-chicken-elites",
                        "hynek-31-chicken-random-slot",
                        "hynek-31-chicken-tournament",
                    ],
                    126.6,
                    "126.6 on average",
                ),
            ])],
        },
    ]
}

/// The course of runs, other opponents, and depreciation.
fn courses() -> Vec<PaperItem> {
    vec![
        PaperItem {
            number: "Figure 2",
            section: "Results achieved",
            about: "Best and mean fitness and the fewest wrong decisions of any member over the \
                generations, N = 31, without headless \
                        chicken crossover: medians of all runs, of which ended ones keep their \
                        last value. Fitness counts the wins against 150 \
                        opponents; highly rated members are there from the very beginning.",
            evidence: vec![
                Evidence::unpublished(
                    &["hynek-31"],
                    &[RunFigure::Initial(fitness::BEST.name)],
                    "highly evaluated from the very beginning",
                ),
                Evidence::Curves(CurveSheet {
                    presets: &["hynek-31"],
                    columns: &[
                        fitness::BEST.name,
                        fitness::MEAN.name,
                        hall_of_fame::WRONG_DECISIONS.name,
                    ],
                    over: ProgressUnit::Generations,
                }),
            ],
        },
        PaperItem {
            number: "Figure 3",
            section: "Results achieved",
            about: "The same with headless chicken crossover, and its utilization, read as the \
                share of its offspring that replaced an \
                        elite. It is higher in the earlier stages.",
            evidence: vec![
                Evidence::Figures(vec![Claim::new(
                    "hynek-31-chicken",
                    RunFigure::Gain(challengers::CHICKEN_SHARE.name),
                    Published::Below(0.0),
                    "influence is higher in the earlier stages",
                )]),
                Evidence::Curves(CurveSheet {
                    presets: &["hynek-31-chicken"],
                    columns: &[
                        fitness::BEST.name,
                        fitness::MEAN.name,
                        hall_of_fame::WRONG_DECISIONS.name,
                        challengers::CHICKEN_SHARE.name,
                    ],
                    over: ProgressUnit::Generations,
                }),
            ],
        },
        PaperItem::not_made(
            "Other opponents",
            "Genetic Algorithm Implementation",
            "The whole population, or random members of it, as opponents: both tested and set \
            aside.",
            "the paper gives neither figures nor the number of opponents.",
        ),
        PaperItem {
            number: "Depreciation",
            section: "Genetic Algorithm Implementation",
            about: "Instead of evaluating elites again, their old fitness is depreciated. The \
                paper tried several schemes, such as by the number \
                        of the generation, and gives neither values nor results; ours takes the \
                        same share off in every generation.",
            evidence: vec![Evidence::Figures(vec![
                average("hynek-21", 91.0, "91.0 on average, evaluated again"),
                Claim::new(
                    "hynek-21-depreciation",
                    TO_OPTIMUM,
                    Published::Nothing,
                    "no figures",
                ),
            ])],
        },
    ]
}

/// The published means of 11, 21 and 31 stones beside presets that read the paper in other ways.
fn readings(rows: &[([&'static str; 4], f64, &'static str); 3]) -> Evidence {
    let claims = rows.iter().flat_map(|(presets, mean, said)| {
        let presets = presets.iter();
        presets.map(move |preset| average(preset, *mean, said))
    });
    Evidence::Figures(claims.collect())
}

/// An average number of generations, printed with one decimal place.
fn average(preset: &'static str, mean: f64, said: &'static str) -> Claim {
    Claim::new(preset, TO_OPTIMUM, Published::Exactly(mean, 0.05), said)
}

fn sooner(plain: &'static str, chicken: &'static str) -> Order {
    let said = "fewer generations with headless chicken crossover";
    Order::new([plain, chicken], TO_OPTIMUM, said)
}

/// The numbers of strategies as the paper prints them, but for its decimal commas, for k = 4, 5 and
/// 6.
const STRATEGIES: [(u32, [&str; 3]); 8] = [
    (1, ["1", "1", "1"]),
    (5, ["96", "120", "120"]),
    (10, ["98304", "375000", "933120"]),
    (15, ["1.01E+08", "1.17E+09", "7.26E+09"]),
    (20, ["1.03E+11", "3.66E+12", "5.64E+13"]),
    (30, ["1.08E+17", "3.58E+19", "3.41E+21"]),
    (40, ["1.13E+23", "3.49E+26", "2.06E+29"]),
    (50, ["1.19E+29", "3.41E+33", "1.25E+37"]),
];

fn table_1(_is_quick: bool) -> Computed {
    let mut table = Table::new(
        "Number of strategies: the paper's figure, then ours",
        &["N", "k = 4", "ours", "k = 5", "ours", "k = 6", "ours"],
        Vec::new(),
    );
    let mut verdicts = Vec::new();
    for (stones, printed) in STRATEGIES {
        let mut row = vec![Cell::figure(stones.to_string())];
        for (most, printed) in (4..=6).zip(printed) {
            let count = strategies(stones, most);
            let ours = as_printed(count);
            verdicts.push(Agreement::of_print(&ours, printed));
            row.push(Cell::figure(printed));
            row.push(Cell::figure(ours));
        }
        table.rows.push(row);
    }
    let mut rows = Vec::new();
    for (what, printed, count) in [
        ("all strategies", "4.123E+11", strategies(21, 4)),
        ("optimal strategies", "256", optimal_strategies(21, 4)),
    ] {
        let ours = with_places(count, 1e4, 3);
        let verdict = Agreement::of_print(&ours, printed);
        verdicts.push(verdict);
        rows.push(vec![
            Cell::words(what),
            Cell::figure(printed),
            Cell::figure(ours),
            Cell::verdict(verdict),
        ]);
    }
    let numbers = Table::new(
        "21 stones, at most 4 at a time",
        &["number of", "published", "ours", "verdict"],
        rows,
    );
    Computed {
        blocks: vec![PageBlock::Table(table), PageBlock::Table(numbers)],
        verdicts,
    }
}

/// The number of strategies that win whenever they can: any move will do where all lose.
fn optimal_strategies(stones: u32, most: u32) -> f64 {
    let lost = (1..=stones).filter(|left| (left - 1) % (most + 1) == 0);
    lost.map(|left| f64::from(left.min(most))).product()
}

/// The number of strategies; below 2^53 it is exact.
fn strategies(stones: u32, most: u32) -> f64 {
    (1..=stones).map(|left| f64::from(left.min(most))).product()
}

/// Up to seven digits in full, else two decimal places and the power of ten: as the paper prints
/// them, but for its decimal commas.
fn as_printed(count: f64) -> String {
    with_places(count, 1e7, 2)
}

/// In full below a bound, else with decimal places and the power of ten.
fn with_places(count: f64, bound: f64, places: usize) -> String {
    if count < bound {
        return count.to_string();
    }
    let scientific = format!("{count:.places$e}");
    let (digits, power) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    format!("{digits}E+{power:0>2}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_strategies_are_the_papers() {
        let computed = table_1(false);
        assert_eq!(computed.verdicts.len(), 26);
        let differ = computed
            .verdicts
            .iter()
            .filter(|one| **one != Agreement::Agrees);
        assert_eq!(differ.count(), 0, "{:?}", computed.blocks);
    }
}
