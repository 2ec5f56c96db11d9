//! The results of a sweep as text.

use std::fmt::{Arguments, Write as _};

use crate::experiment::summary::SummaryStatistics;
use crate::experiment::table::{p_value, push_rows};
use finches_engine::text::{counted, percentage};

use super::effects::{FactorEffect, InteractionEffect, PairMeans};
use super::results::{CombinationResult, Confirmation, SweepResults};

/// Most combinations in the text.
const MOST_ROWS: usize = 20;

/// What stands for a figure that is missing.
const MISSING: &str = "-";

/// The results as text.
pub fn table(results: &SweepResults) -> String {
    let mut text = format!("{}\n\n", title(results));
    let (headers, rows) = combinations(results, MOST_ROWS);
    push_rows(&mut text, &headers, &rows, 0);
    let more = results.combinations.len().saturating_sub(MOST_ROWS);
    if more > 0 {
        push(&mut text, format_args!("{more} more are in sweep.csv\n"));
    }
    if let Some(words) = effects_words(results) {
        push(&mut text, format_args!("{words}\n"));
    }
    for effect in &results.effects {
        push(&mut text, format_args!("{}", effect_title(effect)));
        let (headers, rows) = levels(effect);
        push_rows(&mut text, &headers, &rows, 0);
    }
    if let Some(interaction) = &results.interaction {
        push(
            &mut text,
            format_args!("{}", interaction_title(interaction)),
        );
        let (headers, rows) = means(&interaction.means);
        push_rows(&mut text, &headers, &rows, 0);
    }
    if let Some(confirmation) = &results.confirmation {
        push(
            &mut text,
            format_args!("{}", confirmation_text(results, confirmation)),
        );
    }
    text
}

/// What is compared.
pub fn title(results: &SweepResults) -> String {
    let order = if results.is_lowest_best {
        "lowest"
    } else {
        "highest"
    };
    let (count, finished) = (results.combinations.len(), results.finished);
    format!(
        "{}: {}, {}, {}; {}, {order} first",
        results.preset,
        counted(count, "combination"),
        counted(finished, "run"),
        counted(results.games, "game"),
        results.measure
    )
}

/// A row for each of the best combinations, below headers.
pub fn combinations(results: &SweepResults, most: usize) -> (Vec<String>, Vec<Vec<String>>) {
    let has_target = results.combinations.iter().any(|one| one.solved.is_some());
    let mut headers = vec!["rank".to_owned()];
    headers.extend(results.parameters.iter().cloned());
    headers.push("n".to_owned());
    let has_parts = results.has_parts();
    headers.extend(has_parts.then(|| "generations".to_owned()));
    headers.extend(has_target.then(|| "solved".to_owned()));
    headers.extend(["mean", "95 % CI of mean", "median", "preset"].map(str::to_owned));
    let row = |(place, one): (usize, &CombinationResult)| {
        let mut row = vec![(place + 1).to_string()];
        row.extend(one.values.iter().cloned());
        row.push(one.n.to_string());
        row.extend(has_parts.then(|| one.generations.to_string()));
        row.extend(one.solved.map(|count| count.to_string()));
        let sign = if one.is_lower_bound { "≥" } else { "" };
        let figure = |pick: &dyn Fn(&SummaryStatistics) -> String| {
            one.all
                .as_ref()
                .map_or_else(|| MISSING.to_owned(), |all| format!("{sign}{}", pick(all)))
        };
        row.push(figure(&|all| number(all.mean)));
        row.push(figure(&|all| interval(all.mean_low, all.mean_high)));
        row.push(figure(&|all| number(all.median)));
        row.push(one.preset.clone());
        row
    };
    let all = results.combinations.iter().take(most).enumerate();
    (headers, all.map(row).collect())
}

/// What the effects are about if not the values above.
pub fn effects_words(results: &SweepResults) -> Option<String> {
    let measure = results.effects_measure.as_ref()?;
    Some(format!(
        "what each parameter does to {measure}, in the first round:"
    ))
}

/// What a parameter explains.
pub fn effect_title(effect: &FactorEffect) -> String {
    format!(
        "{}: explains {} % of the variance between runs (p {})",
        effect.parameter,
        percentage(effect.share, 0),
        p_value(effect.p)
    )
}

/// A row for each value of a parameter, below headers.
pub fn levels(effect: &FactorEffect) -> (Vec<String>, Vec<Vec<String>>) {
    let headers = ["value", "combinations", "mean", "95 % CI of mean"].map(str::to_owned);
    let rows = effect.levels.iter().map(|level| {
        vec![
            level.value.clone(),
            level.combinations.to_string(),
            number(level.mean),
            interval(level.low, level.high),
        ]
    });
    (headers.to_vec(), rows.collect())
}

/// What two parameters explain together.
pub fn interaction_title(interaction: &InteractionEffect) -> String {
    let [a, b] = &interaction.parameters;
    format!(
        "{a} and {b} together explain {} % of the variance beyond what each does on its own (p \
        {}); means, {a} down, {b} across",
        percentage(interaction.share, 0),
        p_value(interaction.p)
    )
}

/// The means of the pairs of values, below headers.
pub fn means(pairs: &PairMeans) -> (Vec<String>, Vec<Vec<String>>) {
    let mut headers = vec![String::new()];
    headers.extend(pairs.columns.iter().cloned());
    let rows = pairs.rows.iter().zip(&pairs.means);
    let rows = rows.map(|(name, means)| {
        let mut row = vec![name.clone()];
        row.extend(
            means
                .iter()
                .map(|mean| mean.map_or_else(|| MISSING.to_owned(), number)),
        );
        row
    });
    (headers, rows.collect())
}

/// What fresh seeds say about the best combination.
pub fn confirmation_text(results: &SweepResults, confirmation: &Confirmation) -> String {
    let last = confirmation.first_seed + confirmation.runs - 1;
    let figure = |all: Option<SummaryStatistics>| {
        let text = |all: SummaryStatistics| {
            format!(
                "{} {}",
                number(all.mean),
                interval(all.mean_low, all.mean_high)
            )
        };
        all.map_or_else(|| MISSING.to_owned(), text)
    };
    let found = results
        .combinations
        .iter()
        .find(|one| one.preset == confirmation.preset);
    let in_sweep = found
        .and_then(|one| one.all)
        .map_or_else(|| MISSING.to_owned(), |all| number(all.mean));
    let mut text = format!(
        "with fresh seeds {} to {last}: {} has {} (in the sweep {in_sweep})",
        confirmation.first_seed,
        confirmation.preset,
        figure(confirmation.best),
    );
    if let (Some(better), Some(p)) = (confirmation.better, confirmation.p) {
        let comparison = format!(
            "; {} unchanged has {}; {} is better in {} % of pairs of runs (Mann-Whitney p {})",
            results.preset,
            figure(confirmation.unchanged),
            confirmation.preset,
            percentage(better, 0),
            p_value(p)
        );
        text.push_str(&comparison);
    }
    text
}

fn push(text: &mut String, line: Arguments<'_>) {
    // Writing to a string can't fail.
    let _ = writeln!(text, "{line}");
}

/// An interval in brackets.
fn interval(low: f64, high: f64) -> String {
    format!("[{}, {}]", number(low), number(high))
}

/// Whole numbers as they are, large ones with one decimal place, others with four.
fn number(value: f64) -> String {
    match value.abs() {
        _ if value.fract() == 0.0 => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        _ => format!("{value:.4}"),
    }
}
