//! The results of a sweep as text.

use std::fmt::{Arguments, Write as _};

use crate::experiment::summary::SummaryStatistics;
use crate::experiment::table::push_rows;
use crate::words::{FigureStyle, or_dash};
use finches_engine::text::{counted, p_value, percentage};

use super::effects::{FactorEffect, InteractionEffect, PairMeans};
use super::results::{CombinationResult, Confirmation, SweepResults};

/// Most combinations in the text.
const MOST_ROWS: usize = 20;

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
        let (headers, rows) = levels(results, effect);
        push_rows(&mut text, &headers, &rows, 0);
    }
    if let Some(interaction) = &results.interaction {
        push(
            &mut text,
            format_args!("{}", interaction_title(interaction)),
        );
        let (headers, rows) = means(results, &interaction.means);
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
    let style = FigureStyle::of(&results.measure);
    let mut headers = vec!["rank".to_owned()];
    headers.extend(results.parameters.iter().cloned());
    headers.push("n".to_owned());
    let has_parts = results.has_parts();
    headers.extend(has_parts.then(|| "generations".to_owned()));
    headers.extend(has_target.then(|| "solved".to_owned()));
    headers.extend(["mean", "95% CI of mean", "median", "preset"].map(str::to_owned));
    let row = |(place, one): (usize, &CombinationResult)| {
        let mut row = vec![(place + 1).to_string()];
        row.extend(one.values.iter().cloned());
        row.push(one.n.to_string());
        row.extend(has_parts.then(|| one.generations.to_string()));
        row.extend(one.solved.map(|count| count.to_string()));
        let sign = if one.is_lower_bound { "≥" } else { "" };
        let figure = |pick: &dyn Fn(&SummaryStatistics) -> String| {
            let text = |all| format!("{sign}{}", pick(all));
            or_dash(one.all.as_ref().map(text))
        };
        row.push(figure(&|all| style.text(all.mean)));
        row.push(or_dash(
            one.all
                .and_then(|all| all.ends(style))
                .map(|ends| sign.to_owned() + &ends),
        ));
        row.push(figure(&|all| style.text(all.median)));
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
    format!("{}: {}", effect.parameter, effect.words())
}

/// A row for each value of a parameter, below headers.
pub fn levels(results: &SweepResults, effect: &FactorEffect) -> (Vec<String>, Vec<Vec<String>>) {
    let headers = ["value", "combinations", "mean", "95% CI of mean"].map(str::to_owned);
    let style = effects_style(results);
    let rows = effect.levels.iter().map(|level| {
        vec![
            level.value.clone(),
            level.combinations.to_string(),
            style.text(level.mean),
            or_dash(level.interval.map(|ends| style.ends(ends))),
        ]
    });
    (headers.to_vec(), rows.collect())
}

/// How the means of effects are written.
fn effects_style(results: &SweepResults) -> FigureStyle {
    FigureStyle::of(results.effects_measure.as_ref().unwrap_or(&results.measure))
}

/// What two parameters explain together.
pub fn interaction_title(interaction: &InteractionEffect) -> String {
    let [a, b] = &interaction.parameters;
    format!(
        "{a} and {b} together {}; means, {a} down, {b} across",
        interaction.words()
    )
}

/// The means of the pairs of values, below headers.
pub fn means(results: &SweepResults, pairs: &PairMeans) -> (Vec<String>, Vec<Vec<String>>) {
    let mut headers = vec![String::new()];
    headers.extend(pairs.columns.iter().cloned());
    let style = effects_style(results);
    let rows = pairs.rows.iter().zip(&pairs.means);
    let rows = rows.map(|(name, means)| {
        let mut row = vec![name.clone()];
        row.extend(
            means
                .iter()
                .map(|mean| or_dash(mean.map(|mean| style.text(mean)))),
        );
        row
    });
    (headers, rows.collect())
}

/// What fresh seeds say about the best combination.
pub fn confirmation_text(results: &SweepResults, confirmation: &Confirmation) -> String {
    let last = confirmation.first_seed + confirmation.runs - 1;
    let style = FigureStyle::of(&results.measure);
    let figure = |all: Option<SummaryStatistics>| {
        let text = |all: SummaryStatistics| {
            let ends = or_dash(all.ends(style));
            format!("{} ({ends})", style.text(all.mean))
        };
        or_dash(all.map(text))
    };
    let found = results
        .combinations
        .iter()
        .find(|one| one.preset == confirmation.preset);
    let in_sweep = found.and_then(|one| one.all);
    let in_sweep = or_dash(in_sweep.map(|all| style.text(all.mean)));
    let mut text = format!(
        "with fresh seeds {} to {last}: {} has {} (in the sweep {in_sweep})",
        confirmation.first_seed,
        confirmation.preset,
        figure(confirmation.best),
    );
    if let (Some(better), Some(p), Some(test)) =
        (confirmation.better, confirmation.p, confirmation.test)
    {
        let comparison = format!(
            "; {} unchanged has {}; {} is better in {}% of pairs of runs ({test} p {})",
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
