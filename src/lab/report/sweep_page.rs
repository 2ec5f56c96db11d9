//! The page of a sweep: the combinations from the best to the worst, what each parameter does, and
//! the best with fresh seeds.

use crate::experiment::ExperimentError;
use crate::experiment::collect::CollectedRuns;
use crate::experiment::plot::Chart;
use crate::experiment::sweep::effects::goodness;
use crate::experiment::sweep::results::SweepResults;
use crate::experiment::sweep::table::{
    combinations, confirmation_text, effect_title, interaction_title, levels, means, title,
};
use crate::experiment::table::TextTable;
use finches_runs::storage::experiments::sweep::{HalvingResource, SweepDefinition};

use super::charts::{BoxChart, in_words};
use super::page::{Cell, Figure, Page, PageBlock, Section, Table};
use super::words::{preset_blocks, preset_file, unfinished};

/// Most combinations on the page.
const MOST_ROWS: usize = 200;

/// The page of a sweep.
pub fn page(
    runs: &CollectedRuns<'_>,
    definition: &SweepDefinition,
    results: &SweepResults,
) -> Result<Page, ExperimentError> {
    let mut lead = vec![format!("{}.", title(results))];
    if definition.halving.is_some() {
        lead.push(halving_words(definition));
    } else {
        lead.extend(unfinished(runs));
    }
    if let Some(confirmation) = &results.confirmation {
        lead.push(format!(
            "The best {}.",
            confirmation_text((results, confirmation), &confirmation.preset)
        ));
    }
    Ok(Page {
        title: format!(
            "Sweep: {} over {}",
            results.preset,
            results.parameters.join(", ")
        ),
        lead,
        sections: vec![
            combinations_section(results),
            effects_section(results)?,
            preset_section(runs, definition, results),
        ],
    })
}

/// What successive halving has done.
fn halving_words(definition: &SweepDefinition) -> String {
    let what = match definition.resource {
        HalvingResource::Runs => "runs",
        HalvingResource::Generations => "generations",
    };
    let brackets = if definition.hyperband {
        " The combinations are divided into brackets, some of which begin with longer rounds \
        (Hyperband)."
    } else {
        ""
    };
    format!(
        "By successive halving: only the best combinations of a round get the {what} of the next. \
        Those with more {what} come first.{brackets}"
    )
}

fn combinations_section(results: &SweepResults) -> Section {
    let mut section = Section::new("Combinations");
    let table = combinations(results, MOST_ROWS);
    let caption = format!(
        "{}. Intervals are 95% bootstrap intervals of the mean",
        results.measure
    );
    section.blocks.push(figures(caption, table));
    let more = results.combinations.len().saturating_sub(MOST_ROWS);
    if more > 0 {
        section
            .blocks
            .push(PageBlock::Text(format!("{more} more are in sweep.csv.")));
    }
    section
}

/// What each parameter does, on its own and together with another.
fn effects_section(results: &SweepResults) -> Result<Section, ExperimentError> {
    let mut section = Section::new("What each parameter does");
    section.blocks.push(PageBlock::Text(
        "The share of the variance is omega squared of an analysis \
        of variance (type II). In a full grid with several runs of each combination, chance is \
        what differs between these; else a combination is one observation, and chance is what the \
        parameters leave between combinations. Intervals are by what is left to chance."
            .to_owned(),
    ));
    if let Some(measure) = &results.effects_measure {
        section.blocks.push(PageBlock::Text(format!(
            "They are about {measure}: the first round, \
            after which only the best combinations go on. The boxes are about the values above."
        )));
    }
    if let Some(figure) = boxes(results)? {
        section.blocks.push(figure);
    }
    for effect in &results.effects {
        let table = levels(results, effect);
        section.blocks.push(figures(effect_title(effect), table));
    }
    if let Some(interaction) = &results.interaction {
        let TextTable { mut head, rows, .. } = means(results, interaction);
        head[0] = format!(
            "{} \\ {}",
            interaction.parameters[0], interaction.parameters[1]
        );
        let means = interaction.means.means.iter().flatten().flatten().copied();
        let is_lowest_best = results.is_lowest_effect_best;
        let shade = |mean: f64| goodness(mean, means.clone(), is_lowest_best);
        let rows = rows.into_iter().zip(&interaction.means.means);
        let rows = rows.map(|(row, means)| {
            let mut words = row.into_iter();
            let name = words.next().map(Cell::figure);
            let cells = words
                .zip(means)
                .map(|(words, mean)| Cell::shaded(words, mean.map_or(0.0, shade)));
            name.into_iter().chain(cells).collect()
        });
        section.blocks.push(PageBlock::Table(Table {
            caption: format!("{}; the darkest is best", interaction_title(interaction)),
            head,
            rows: rows.collect(),
        }));
    }
    Ok(section)
}

/// Boxes of the means of the combinations by the values of each parameter.
fn boxes(results: &SweepResults) -> Result<Option<PageBlock>, ExperimentError> {
    let chart = |place: usize| BoxChart {
        title: results.parameters[place].clone(),
        axes: ["", ""],
        boxes: results.means_by_level(place),
    };
    let places = results.effects.iter().map(|effect| effect.index).take(4);
    let charts: Vec<BoxChart> = places
        .map(chart)
        .filter(|chart| !chart.is_empty())
        .collect();
    if charts.is_empty() {
        return Ok(None);
    }
    let caption = "The means of the combinations by the values of the strongest parameters: \
        median, quartiles, lowest and highest."
        .to_owned();
    let figure = Figure::of_charts(&charts, caption, &in_words(&charts))?;
    Ok(Some(PageBlock::Figure(figure)))
}

/// The preset that is varied, and the best combination in full.
fn preset_section(
    runs: &CollectedRuns<'_>,
    definition: &SweepDefinition,
    results: &SweepResults,
) -> Section {
    let mut section = Section::new("Preset");
    section.blocks.append(&mut preset_blocks(&definition.base));
    let title = format!("{} in full", definition.base.name);
    section.blocks.push(preset_file(title, &definition.base));
    if let Some(best) = results.best() {
        let title = format!("{}, the best combination, in full", best.preset);
        let preset = &runs.manifest.presets[best.index];
        section.blocks.push(preset_file(title, preset));
    }
    section
}

/// A table of figures.
fn figures(caption: String, table: TextTable) -> PageBlock {
    PageBlock::Table(Table::of_text(caption, table, |_| false))
}
