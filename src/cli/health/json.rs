//! A health report as one JSON object.

use serde::Serialize;

use finches_engine::play::health::cycles::cycles_of_each;
use finches_engine::play::health::thirds::{Advance, Change};

use super::HealthReport;

#[derive(Serialize)]
struct HealthJson<'a> {
    run: &'a str,
    games: u32,
    seed: u64,
    verdict: &'static str,
    meaning: String,
    evidence: Vec<String>,
    champions: Vec<ChampionJson>,
    /// The players outside of the run.
    outside: &'a [String],
    /// The share of the points of each champion against each of its ancestors, oldest first.
    against_ancestors: Vec<Vec<f64>>,
    cycles: CyclesJson,
    thirds: Option<ThirdsJson>,
    flat_generations: Option<FlatJson>,
}

/// A champion. An unbounded interval of its rating is `null`.
#[derive(Serialize)]
struct ChampionJson {
    generation: u64,
    score: Option<f64>,
    elo: f64,
    elo_low: f64,
    elo_high: f64,
    alpha_rank: f64,
    nash_weight: f64,
    nash_skill: f64,
    cycles: usize,
    /// The mean share against the players outside of the run.
    outside: Option<f64>,
}

#[derive(Serialize)]
struct CyclesJson {
    triples: usize,
    cycles: usize,
    p_backward: f64,
    p_forward: f64,
}

#[derive(Serialize)]
struct ThirdsJson {
    middle_over_oldest: AdvanceJson,
    newest_over_middle: AdvanceJson,
    against_oldest: ChangeJson,
    outside: Option<OutsideJson>,
}

#[derive(Serialize)]
struct AdvanceJson {
    share: f64,
    low: f64,
    high: f64,
}

impl From<&Advance> for AdvanceJson {
    fn from(advance: &Advance) -> Self {
        let (low, high) = advance.interval;
        Self {
            share: advance.share,
            low,
            high,
        }
    }
}

#[derive(Serialize)]
struct ChangeJson {
    middle: f64,
    newest: f64,
    p: f64,
}

impl From<&Change> for ChangeJson {
    fn from(change: &Change) -> Self {
        Self {
            middle: change.older,
            newest: change.newest,
            p: change.test.p,
        }
    }
}

/// The shares against players outside of the run, and how clearly the newest third differs from
/// each of the others.
#[derive(Serialize)]
struct OutsideJson {
    #[serde(flatten)]
    since_middle: ChangeJson,
    oldest: f64,
    p_oldest: f64,
}

impl From<&[Change; 2]> for OutsideJson {
    fn from([oldest, middle]: &[Change; 2]) -> Self {
        Self {
            since_middle: middle.into(),
            oldest: oldest.older,
            p_oldest: oldest.test.p,
        }
    }
}

/// Generations in which all members had the same fitness, among the last third.
#[derive(Serialize)]
struct FlatJson {
    flat: u32,
    generations: u32,
    low: f64,
    high: f64,
}

/// The report as one line of JSON.
pub(super) fn json(report: &HealthReport<'_>) -> String {
    let (diagnosis, table) = (&report.diagnosis, &report.table);
    let ancestors = |row: usize| {
        let shares = (0..row).map(|column| table.share(row, column));
        shares.collect()
    };
    let whole = HealthJson {
        run: &report.args.run,
        games: report.args.games,
        seed: report.args.play.seed,
        verdict: diagnosis.verdict.name(),
        meaning: diagnosis.meaning(),
        evidence: diagnosis.evidence(),
        champions: champions(report),
        outside: &report.outside,
        against_ancestors: (0..table.len()).map(ancestors).collect(),
        cycles: CyclesJson {
            triples: diagnosis.cycles.counted.triples,
            cycles: diagnosis.cycles.counted.cyclic,
            p_backward: diagnosis.cycles.backward,
            p_forward: diagnosis.cycles.forward,
        },
        thirds: diagnosis.thirds.as_ref().map(|thirds| ThirdsJson {
            middle_over_oldest: (&thirds.middle_over_oldest).into(),
            newest_over_middle: (&thirds.newest_over_middle).into(),
            against_oldest: (&thirds.ancestors).into(),
            outside: thirds.held_out.as_ref().map(OutsideJson::from),
        }),
        flat_generations: diagnosis.flat.map(|flat| FlatJson {
            flat: flat.flat,
            generations: flat.generations,
            low: flat.interval.0,
            high: flat.interval.1,
        }),
    };
    serde_json::to_string(&whole).expect("names and numbers can be written as JSON") + "\n"
}

fn champions(report: &HealthReport<'_>) -> Vec<ChampionJson> {
    let (ranks, nash) = (report.table.alpha_ranks(), report.table.nash_average());
    let (cycles, ratings) = (cycles_of_each(&report.table), &report.results.ratings);
    let champion = |(at, generation): (usize, &u64)| {
        let (elo_low, elo_high) = ratings.interval(at);
        ChampionJson {
            generation: *generation,
            score: report.table.total(at).share(),
            elo: ratings.elo[at],
            elo_low,
            elo_high,
            alpha_rank: ranks[at],
            nash_weight: nash.weights[at],
            nash_skill: nash.skill[at],
            cycles: cycles[at],
            outside: report.held_out.get(at).copied(),
        }
    };
    report
        .generations
        .iter()
        .enumerate()
        .map(champion)
        .collect()
}
