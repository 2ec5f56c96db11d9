//! The results of a sweep as text.

use crate::experiment::summary::SummaryStatistics;
use crate::experiment::table::{TextTable, bound_sign};
use crate::words::{FigureStyle, or_dash};
use finches_engine::text::{counted, p_value, percentage};

use super::effects::{FactorEffect, InteractionEffect};
use super::results::{CombinationResult, Confirmation, ConfirmationVerdict, SweepResults};

/// Most combinations in the text.
const MOST_ROWS: usize = 20;

/// The results as text.
pub fn table(results: &SweepResults) -> String {
    let more = results.combinations.len().saturating_sub(MOST_ROWS);
    let more = (more > 0).then(|| format!("{more} more are in sweep.csv\n"));
    let mut parts = vec![title(results) + "\n"];
    parts.push(combinations(results, MOST_ROWS).text());
    parts.extend(more);
    parts.extend(effects_words(results).map(|words| words + "\n"));
    for effect in &results.effects {
        parts.extend([effect_title(effect), levels(results, effect).text()]);
    }
    if let Some(interaction) = &results.interaction {
        let means = means(results, interaction).text();
        parts.extend([interaction_title(interaction), means]);
    }
    let confirmation = results.confirmation.as_ref();
    parts.extend(confirmation.map(|known| confirmation_text((results, known), &known.preset)));
    parts.into_iter().map(|part| part + "\n").collect()
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

/// A row for each of the best combinations.
pub fn combinations(results: &SweepResults, most: usize) -> TextTable {
    let has_target = results.combinations.iter().any(|one| one.solved.is_some());
    let style = FigureStyle::of(&results.measure);
    let has_parts = results.has_parts();
    let mut head = vec!["rank"];
    head.extend(results.parameters.iter().map(String::as_str));
    head.push("n");
    head.extend(has_parts.then_some("generations"));
    head.extend(has_target.then_some("solved"));
    head.extend(["mean", "95% CI of mean", "median", "preset"]);
    let row = |(place, one): (usize, &CombinationResult)| {
        let mut row = vec![(place + 1).to_string()];
        row.extend(one.values.iter().cloned());
        row.push(one.n.to_string());
        row.extend(has_parts.then(|| one.generations.to_string()));
        row.extend(one.solved.map(|count| count.to_string()));
        let sign = bound_sign(one.is_lower_bound);
        let figure = |pick: &dyn Fn(&SummaryStatistics) -> String| {
            let text = |all| format!("{sign}{}", pick(all));
            or_dash(one.all.as_ref().map(text))
        };
        let ends = one.all.and_then(|all| all.ends(style));
        row.extend([
            figure(&|all| style.text(all.mean)),
            or_dash(ends.map(|ends| sign.to_owned() + &ends)),
            figure(&|all| style.text(all.median)),
            one.preset.clone(),
        ]);
        row
    };
    let all = results.combinations.iter().take(most).enumerate();
    table_of(&head, all.map(row).collect())
}

fn table_of(head: &[&str], rows: Vec<Vec<String>>) -> TextTable {
    TextTable {
        head: head.iter().map(ToString::to_string).collect(),
        rows,
        left: 0,
    }
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

/// A row for each value of a parameter.
pub fn levels(results: &SweepResults, effect: &FactorEffect) -> TextTable {
    let head = ["value", "combinations", "mean", "95% CI of mean"];
    let style = effects_style(results);
    let rows = effect.levels.iter().map(|level| {
        let sign = bound_sign(results.is_effect_bound(&[(effect.index, &level.value)]));
        vec![
            level.value.clone(),
            level.combinations.to_string(),
            format!("{sign}{}", style.text(level.mean)),
            or_dash(
                level
                    .interval
                    .map(|ends| format!("{sign}{}", style.ends(ends))),
            ),
        ]
    });
    table_of(&head, rows.collect())
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

/// The means of the pairs of values.
pub fn means(results: &SweepResults, interaction: &InteractionEffect) -> TextTable {
    let pairs = &interaction.means;
    let columns = pairs.columns.iter().map(String::as_str);
    let head: Vec<&str> = [""].into_iter().chain(columns).collect();
    let style = effects_style(results);
    let places = interaction.parameters.each_ref().map(|name| {
        let mut all = results.parameters.iter();
        all.position(|parameter| parameter == name).unwrap_or(0)
    });
    let row = |(name, means): (&String, &Vec<Option<f64>>)| {
        let words = |(column, mean): (&String, &Option<f64>)| {
            let levels = [(places[0], name.as_str()), (places[1], column)];
            let sign = bound_sign(results.is_effect_bound(&levels));
            or_dash(mean.map(|mean| format!("{sign}{}", style.text(mean))))
        };
        let means = pairs.columns.iter().zip(means).map(words);
        [name.clone()].into_iter().chain(means).collect()
    };
    let rows = pairs.rows.iter().zip(&pairs.means);
    table_of(&head, rows.map(row).collect())
}

/// What fresh seeds say about the best combination, which has a name in the table beside it.
pub fn confirmation_text(
    (results, confirmation): (&SweepResults, &Confirmation),
    name: &str,
) -> String {
    let last = confirmation.first_seed + confirmation.runs - 1;
    let style = FigureStyle::of(&results.measure);
    let [best, unchanged] = confirmation.bounds.map(bound_sign);
    let figure = |sign: &str, all: Option<SummaryStatistics>| {
        let text = |all: SummaryStatistics| {
            let ends = or_dash(all.ends(style));
            format!("{sign}{} ({ends})", style.text(all.mean))
        };
        or_dash(all.map(text))
    };
    let found = results
        .combinations
        .iter()
        .find(|one| one.preset == confirmation.preset);
    let in_sweep = found.and_then(|one| {
        let sign = bound_sign(one.is_lower_bound);
        Some(format!("{sign}{}", style.text(one.all?.mean)))
    });
    let in_sweep = or_dash(in_sweep);
    let mut text = format!(
        "with fresh seeds {} to {last}: {name} has {} (in the sweep {in_sweep})",
        confirmation.first_seed,
        figure(best, confirmation.best),
    );
    if let (Some(better), Some(p), Some(test), Some(verdict)) = (
        confirmation.better,
        confirmation.p,
        confirmation.test,
        confirmation.verdict(),
    ) {
        let words = match verdict {
            ConfirmationVerdict::Confirmed => "it is clearly better",
            ConfirmationVerdict::Unsure => "which is better is not clear",
            ConfirmationVerdict::Refuted => "it is not better",
        };
        let comparison = format!(
            ", and {} unchanged has {}: {words} (better in {}% of pairs of runs, {test} p {})",
            results.preset,
            figure(unchanged, confirmation.unchanged),
            percentage(better, 0),
            p_value(p)
        );
        text.push_str(&comparison);
    }
    text
}
