//! Sweeps: a preset with many combinations of the values of some parameters. Each combination is a
//! preset of its own, so that its runs are those of any experiment.

use std::slice;

use rand::RngExt;

use finches_engine::params::ParamKind;
use finches_engine::preset::{Preset, PresetError};
use finches_engine::rng::{Purpose, Stream, stream};
use finches_runs::storage::experiments::sweep::{SweepDefinition, SweepDesign};

use super::ExperimentError;

use self::factor::SweepFactor;

pub mod effects;
pub mod factor;
pub mod halving;
mod levels;
pub mod results;
pub mod rounds;
pub mod table;
mod ties;

/// Most combinations of a sweep.
pub const MOST_COMBINATIONS: usize = 10_000;

/// Most invalid combinations that an error lists.
const MOST_LISTED: usize = 5;

/// Which combinations are run.
#[derive(Clone, Debug)]
pub struct SweepRequest {
    /// The preset that is varied.
    pub preset: Preset,
    /// Changes of all combinations, as key and value.
    pub changes: Vec<(String, String)>,
    /// The varied parameters.
    pub factors: Vec<SweepFactor>,
    /// How the combinations are chosen.
    pub design: SweepDesign,
    /// The seed by which they are drawn.
    pub seed: u64,
    /// Whether invalid combinations are left out.
    pub skips_invalid: bool,
}

/// The combinations of a sweep.
#[derive(Clone, Debug)]
pub struct PlannedSweep {
    /// A preset for each combination: the name of the base with the number of the combination.
    pub presets: Vec<Preset>,
    /// What they stand for; the measure, halving and confirmation are still to be set.
    pub definition: SweepDefinition,
    /// Why combinations are left out.
    pub omitted: Vec<PresetError>,
}

/// Plans a sweep. Of equal combinations only the first is kept.
pub fn plan(request: &SweepRequest) -> Result<PlannedSweep, ExperimentError> {
    let keys = keys(request)?;
    let mut combinations = combinations(request, &keys)?;
    let mut known = std::collections::BTreeSet::new();
    combinations.retain(|values| known.insert(values.clone()));
    let (mut presets, mut kept, mut omitted) = (Vec::new(), Vec::new(), Vec::new());
    let digits = combinations.len().to_string().len();
    for (index, values) in combinations.into_iter().enumerate() {
        let own = keys.iter().cloned().zip(values.clone());
        let changes: Vec<(String, String)> = request.changes.iter().cloned().chain(own).collect();
        match request.preset.with(&changes) {
            Ok(mut preset) => {
                preset.name = format!("{}-{:0digits$}", request.preset.name, index + 1);
                presets.push(preset);
                kept.push(values);
            }
            Err(error) => omitted.push(error),
        }
    }
    if presets.is_empty() || (!omitted.is_empty() && !request.skips_invalid) {
        return Err(invalid(&omitted, presets.len()));
    }
    let unchanged = request.preset.with(&request.changes);
    // What is the same in all combinations need not fit the values that are varied.
    let has_unchanged = unchanged.is_ok();
    let base = unchanged.unwrap_or_else(|_| Preset {
        generations: presets[0].generations,
        until: presets[0].until.clone(),
        ..request.preset.clone()
    });
    Ok(PlannedSweep {
        definition: SweepDefinition {
            has_unchanged,
            design: request.design,
            ..SweepDefinition::grid(base, keys, kept)
        },
        presets,
        omitted,
    })
}

/// The full keys of the parameters.
fn keys(request: &SweepRequest) -> Result<Vec<String>, ExperimentError> {
    let mut keys: Vec<String> = Vec::new();
    for factor in &request.factors {
        let key = request.preset.full_key(&factor.key);
        let key = key.map_err(|problem| PresetError {
            origin: request.preset.name.clone(),
            problems: vec![problem],
        })?;
        if keys.contains(&key) {
            let message = format!("{key} is varied twice; give all its values at once");
            return Err(ExperimentError::Usage(message));
        }
        if key == "name" {
            let message = "the name of a preset can't be varied; choose another parameter";
            return Err(ExperimentError::Usage(message.to_owned()));
        }
        keys.push(key);
    }
    Ok(keys)
}

/// The values of all combinations, also of invalid ones.
fn combinations(
    request: &SweepRequest,
    keys: &[String],
) -> Result<Vec<Vec<String>>, ExperimentError> {
    let is_whole: Vec<bool> = keys
        .iter()
        .map(|key| is_whole(&request.preset, key))
        .collect();
    let factors = request.factors.iter().zip(is_whole);
    let count = match request.design {
        SweepDesign::Grid => {
            let values: Result<Vec<_>, _> = factors.map(|(one, whole)| one.values(whole)).collect();
            return grid(&values?);
        }
        SweepDesign::Random(count) | SweepDesign::LatinHypercube(count) => count,
    };
    check_count(count)?;
    let mut combinations = vec![Vec::new(); count];
    for (index, (factor, is_whole)) in factors.enumerate() {
        let mut rng = stream(request.seed, Purpose::Sweep, 0, index as u64);
        for (values, share) in combinations
            .iter_mut()
            .zip(shares(request.design, count, &mut rng))
        {
            values.push(factor.at(share, is_whole));
        }
    }
    Ok(combinations)
}

/// Where the values of a parameter lie in its domain, 0..1.
fn shares(design: SweepDesign, count: usize, rng: &mut Stream) -> Vec<f64> {
    if !matches!(design, SweepDesign::LatinHypercube(_)) {
        return (0..count).map(|_| rng.random::<f64>()).collect();
    }
    let mut parts: Vec<usize> = (0..count).collect();
    for index in (1..count).rev() {
        parts.swap(index, rng.random_range(0..=index));
    }
    let within = |part| (part as f64 + rng.random::<f64>()) / count as f64;
    parts.into_iter().map(within).collect()
}

/// All combinations; the last parameter changes fastest.
fn grid(values: &[Vec<String>]) -> Result<Vec<Vec<String>>, ExperimentError> {
    let sizes = values.iter().map(Vec::len);
    check_count(sizes.fold(1, usize::saturating_mul))?;
    let mut combinations = vec![Vec::new()];
    for values in values {
        let with_each = |chosen: &Vec<String>| -> Vec<Vec<String>> {
            let extended = values
                .iter()
                .map(|value| [&chosen[..], slice::from_ref(value)].concat());
            extended.collect()
        };
        combinations = combinations.iter().flat_map(with_each).collect();
    }
    Ok(combinations)
}

fn check_count(count: usize) -> Result<(), ExperimentError> {
    if (1..=MOST_COMBINATIONS).contains(&count) {
        return Ok(());
    }
    Err(ExperimentError::Usage(format!(
        "{count} combinations; choose from 1 to {MOST_COMBINATIONS}"
    )))
}

/// Whether a parameter takes whole numbers.
fn is_whole(preset: &Preset, key: &str) -> bool {
    let param = preset.param(key);
    param.is_some_and(|param| param.kind == ParamKind::Integer)
}

/// The error about invalid combinations.
fn invalid(omitted: &[PresetError], valid: usize) -> ExperimentError {
    let mut lines: Vec<String> = omitted.iter().map(ToString::to_string).collect();
    lines.sort();
    lines.dedup();
    let more = lines.len().saturating_sub(MOST_LISTED);
    lines.truncate(MOST_LISTED);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    let (count, all) = (omitted.len(), omitted.len() + valid);
    let advice = if valid == 0 {
        ""
    } else {
        "; --skip-invalid leaves them out"
    };
    lines.push(format!("{count} of {all} combinations are invalid{advice}"));
    ExperimentError::Usage(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use finches_runs::storage::presets;

    fn planned(
        vary: &[&str],
        design: SweepDesign,
        seed: u64,
    ) -> Result<PlannedSweep, ExperimentError> {
        let factors = vary.iter().map(|text| SweepFactor::parse(text));
        plan(&SweepRequest {
            preset: presets::load("nim-2x4-value")?,
            changes: Vec::new(),
            factors: factors.collect::<Result<_, _>>()?,
            design,
            seed,
            skips_invalid: false,
        })
    }

    fn refused(vary: &[&str], design: SweepDesign) -> String {
        planned(vary, design, 1)
            .expect_err("it is refused")
            .to_string()
    }

    #[test]
    fn a_grid_has_every_combination_and_its_presets_have_their_values() {
        let vary = ["population=100,150,200", "add_node=0.1..0.3 2"];
        let planned = planned(&vary, SweepDesign::Grid, 1).expect("it is sound");
        let expected = [
            "100 0.1", "100 0.3", "150 0.1", "150 0.3", "200 0.1", "200 0.3",
        ];
        let values = planned.definition.combinations.iter();
        assert_eq!(
            values.map(|values| values.join(" ")).collect::<Vec<_>>(),
            expected
        );
        assert_eq!(planned.presets[4].name, "nim-2x4-value-5");
        let value = |key: &str| planned.presets[4].param(key).map(|param| param.value);
        assert_eq!(planned.definition.names(), ["population", "add_node"]);
        let found = planned.definition.keys.iter().map(|key| value(key));
        assert_eq!(found.flatten().collect::<Vec<_>>(), ["200", "0.1"]);
    }

    #[test]
    fn a_target_is_known_even_if_the_preset_fits_only_with_the_varied_values() {
        let change = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        let factor = SweepFactor::parse("opponents=5,20").expect("it is sound");
        let planned = plan(&SweepRequest {
            preset: presets::load("nim-2x4-value").expect("it ships"),
            changes: vec![
                change("population", "40"),
                change("until", "accuracy_states>=1"),
            ],
            factors: vec![factor],
            design: SweepDesign::Grid,
            seed: 1,
            skips_invalid: false,
        });
        let definition = planned.expect("both are valid").definition;
        assert!(!definition.has_unchanged);
        assert!(definition.is_lowest_best(), "fewer generations are better");
    }

    #[test]
    fn a_latin_hypercube_uses_each_part_of_a_range_once() {
        let planned = planned(
            &["add_node=0..1", "add_edge=0..1"],
            SweepDesign::LatinHypercube(10),
            3,
        );
        let planned = planned.expect("it is sound");
        for place in 0..2 {
            let values = planned.definition.combinations.iter();
            let parts = values
                .map(|values| (values[place].parse::<f64>().expect("a number") * 10.0) as usize);
            let mut parts: Vec<usize> = parts.collect();
            parts.sort_unstable();
            assert_eq!(parts, (0..10).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_seed_decides_what_is_drawn() {
        let drawn = |seed| {
            let planned = planned(
                &["add_node=0..1", "opponents=5..40"],
                SweepDesign::Random(8),
                seed,
            );
            planned.expect("it is sound").definition.combinations
        };
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
        // A parameter keeps its values when another is added.
        let alone = planned(&["add_node=0..1"], SweepDesign::Random(8), 1).expect("it is sound");
        let first = drawn(1).into_iter().map(|mut values| values.swap_remove(0));
        let alone = alone.definition.combinations.into_iter().flatten();
        assert_eq!(first.collect::<Vec<_>>(), alone.collect::<Vec<_>>());
    }

    #[test]
    fn what_can_not_be_run_is_refused_with_the_reason() {
        let grid = SweepDesign::Grid;
        let check = |found: String, expected: &str| assert!(found.contains(expected), "{found}");
        check(refused(&["add_nod=0.1"], grid), "did you mean `add_node`?");
        check(
            refused(&["add_node=0.1", "genome.add_node=1"], grid),
            "is varied twice",
        );
        check(
            refused(&["add_node=0..1"], grid),
            "a grid needs the number of values",
        );
        check(
            refused(&["add_node=0..1"], SweepDesign::Random(0)),
            "0 combinations",
        );
        check(refused(&["name=\"a\",\"b\""], grid), "can't be varied");
        let half = refused(&["add_node=0.1,7000"], grid);
        check(
            half.clone(),
            "1 of 2 combinations are invalid; --skip-invalid leaves them out",
        );
        check(half, "add_node");
    }
}
