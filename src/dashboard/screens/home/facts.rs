//! What the details of the Home screen say about a recommendation, a preset and a saved run.

use ratatui::text::{Line, Span};

use crate::format;
use crate::keymap::{self, Action, GlobalAction, Scope};
use crate::model::run::{RunModel, parameter_name};
use crate::theme::ELLIPSIS;
use crate::widgets::truncate::{fit, truncate};
use finches_engine::preset::{DESCRIPTIONS, Intervention, Preset};
use finches_engine::text::counted;
use finches_runs::storage::saves::RunSummary;

use super::details::{DetailsWriter, home_key};
use super::screen::HomeAction;
use super::start_here::Recommendation;
use super::timing::Estimate;
use super::view::{generations, objective, state};
use super::{Home, HomeItem};

/// The parameters beside the descriptions that are said in words, or that say nothing about how a
/// preset evolves.
const SAID: [&str; 5] = [
    "generations",
    "until",
    "pace",
    "schedule",
    "evolution.population",
];

impl DetailsWriter<'_> {
    pub(super) fn start(&mut self, home: &Home, start: &Recommendation, item: &HomeItem) {
        if self.has_room() {
            self.text(start.title, self.theme.strong);
            self.gap();
        }
        self.text(start.about, self.theme.text);
        self.gap();
        self.field("takes", &takes(home, start, item));
        if let (HomeItem::Preset { preset, .. }, 8..) = (item, self.left()) {
            self.field("published", &preset.published);
            self.field("source", &preset.source);
        }
    }

    /// What a preset follows, and where it does not.
    fn publication(&mut self, preset: &Preset) {
        self.field("published", &preset.published);
        self.field("source", &preset.source);
        for words in &preset.differs {
            self.field("differs", words);
        }
    }

    /// What the publication leaves open and the preset settles, as far as there is room.
    fn settled(&mut self, preset: &Preset) {
        let all = preset.settled.len();
        if all == 0 {
            return;
        }
        let command = format!("finches presets {}", preset.name);
        if !self.section("Left open in the publication, settled here", 4) {
            if self.left() >= 3 {
                self.gap();
                self.field("settled", &format!("{}: {command}", counted(all, "point")));
            }
            return;
        }
        let points = preset.settled.iter().map(|words| format!("- {words}"));
        let shown = points.take_while(|point| {
            // The last row is kept for the number of the others.
            let fits = self.rows(point) < self.left();
            if fits {
                self.text(point, self.theme.text);
            }
            fits
        });
        let left = all - shown.count();
        self.others(left, &preset.name);
    }

    /// How many things of a preset are left out, and what command lists them, if any are.
    fn others(&mut self, count: usize, preset: &str) {
        if count > 0 {
            let words = format!("{ELLIPSIS} {count} more: finches presets {preset}");
            self.text(&words, self.theme.dim);
        }
    }

    pub(super) fn preset(&mut self, home: &Home, preset: &Preset) {
        self.text(&preset.about, self.theme.strong);
        self.gap();
        self.field("takes", &whole_time(home, preset));
        self.publication(preset);
    }

    /// What a preset consists of, and its runs, where there is room.
    pub(super) fn more_of_preset(&mut self, home: &Home, preset: &Preset) {
        if self.section("How it evolves", 6) {
            let population = format::count(f64::from(preset.evolution.population));
            let until = match preset.until.as_str() {
                "" => String::new(),
                until => format!(", or until {}", format::condition(until)),
            };
            let generations = counted(preset.generations, "generation");
            let words = format!("{population} players for {generations}{until}");
            self.field("evolves", &words);
            self.field("changes", &changes(preset));
            self.field("game", &preset.game.rules_in_short());
            self.field("players", preset.genome.about());
            self.field("moves", preset.agent.about());
        }
        self.settled(preset);
        self.settings(preset);
        let runs = home.items.iter().filter_map(|item| match item {
            HomeItem::Run { name, summary } if summary.preset == preset.name => {
                Some((name, summary))
            }
            _ => None,
        });
        let runs: Vec<_> = runs.collect();
        if !runs.is_empty() && self.section("Saved runs of it", runs.len().min(4) as u16) {
            if self.left() > 20 {
                self.course(home, runs[0].0, runs[0].1);
                self.row += 1;
            }
            for (name, summary) in runs.into_iter().take(self.left().saturating_sub(1).into()) {
                let room = self.width().saturating_sub(30);
                self.line(Line::from(vec![
                    Span::styled(fit(name, room.min(30)), self.theme.text),
                    Span::styled(format!("  {:<16}", generations(summary)), self.theme.dim),
                    Span::styled(objective(summary), self.theme.strong),
                ]));
            }
        }
    }

    /// The parameters whose values are not the defaults.
    fn settings(&mut self, preset: &Preset) {
        let params = preset.params();
        let is_said = |key: &str| DESCRIPTIONS.contains(&key) || SAID.contains(&key);
        let own: Vec<_> = params
            .iter()
            .filter(|param| param.value != param.default && !is_said(&param.key))
            .collect();
        if own.is_empty() || !self.section("What differs from the defaults", 4) {
            return;
        }
        let columns = if self.width() >= 70 { 2 } else { 1 };
        let width = self.width() / columns;
        let (rows, room) = (own.len().div_ceil(columns), usize::from(self.left()));
        let rows = if rows > room { room - 1 } else { rows };
        let shown = own.len().min(rows * columns);
        for row in 0..rows {
            let mut line = Line::default();
            for param in own[..shown].iter().skip(row).step_by(rows) {
                let value = format::parameter(&param.value);
                let mut label = param.label();
                if own.iter().filter(|other| other.label() == label).count() > 1 {
                    let group = param.group();
                    label = format!("{} {label}", group.rsplit(' ').next().unwrap_or_default());
                }
                let label = truncate(&label, 20);
                line.push_span(Span::styled(format!("{label:<21}"), self.theme.dim));
                let unit = Some(param.unit).filter(|unit| !["share", "chance"].contains(unit));
                let one = |unit: &'static str| unit.strip_suffix('s').filter(|_| value == "1");
                let unit = unit.map(|unit| one(unit).unwrap_or(unit));
                let mut text = format!("{value} {}", unit.unwrap_or_default());
                if text.len() + 22 > width {
                    text = value;
                }
                let text = fit(&text, width.saturating_sub(22)) + " ";
                line.push_span(Span::styled(text, self.theme.text));
            }
            self.line(line);
        }
        self.others(own.len() - shown, &preset.name);
    }

    pub(super) fn run(
        &mut self,
        home: &Home,
        name: &str,
        summary: &RunSummary,
        watch: Option<&RunModel>,
    ) {
        let (word, style) = state(summary, self.theme);
        let here = watch.filter(|watch| watch.facts.saved_as.as_deref() == Some(name));
        let (enter, play) = (
            home_key(Action::Enter),
            home_key(HomeAction::PlaySaved.action()),
        );
        let words = match (word, here) {
            ("open", Some(watch)) => {
                let state = watch.word(watch.state).to_lowercase();
                format!("open here, {state}; {enter} shows it")
            }
            ("open", None) => "open in another finches process".to_owned(),
            ("done", _) => format!(
                "{}; {enter} shows it, {play} plays its champion",
                ending(summary)
            ),
            ("play", _) => format!("{enter} plays this champion (no population saved)"),
            _ => format!(
                "{}; {enter} goes on exactly there, {play} plays its champion",
                ending(summary)
            ),
        };
        self.text(&words, style);
        self.gap();
        let game = summary.game.name().replace('_', " ");
        let preset = format!("{} ({game}), seed {}", summary.preset, summary.seed);
        self.field("preset", &preset);
        self.field("reached", &generations(summary));
        self.field("time left", &time_left(home, summary));
        let objective = summary
            .objective
            .map_or("not measured yet".to_owned(), |value| {
                let label = format::in_words(&summary.objective_label);
                format!("{} {label}", format::percent(value))
            });
        self.field("objective", &objective);
        let tags: Vec<String> = summary.tags.iter().map(|tag| format!("#{tag}")).collect();
        self.field("tags", &tags.join(" "));
        self.course(home, name, summary);
    }

    /// The course of a run, and what was found.
    fn course(&mut self, home: &Home, name: &str, summary: &RunSummary) {
        if let Some(trend) = home.trends.of(name) {
            self.field("found", &trend.found());
            if preset_of(home, summary).is_some_and(learns_first) {
                let words = "from games against itself before generation 0";
                self.field("learned", words);
            }
            self.chart(&trend.history, &format::in_words(&summary.objective_label));
        }
    }

    /// The preset of a run, where there is room.
    pub(super) fn more_of_run(&mut self, home: &Home, name: &str, summary: &RunSummary) {
        if let Some(preset) = preset_of(home, summary)
            && self.section("Its preset", 8)
        {
            self.text(&preset.about, self.theme.text);
            self.publication(preset);
        }
        if self.left() >= 4 && summary.can_resume {
            self.gap();
            let path = format!("{}/{name}", home.folder);
            self.field("folder", &path);
        }
    }
}

/// The preset of a saved run.
fn preset_of<'h>(home: &'h Home, summary: &RunSummary) -> Option<&'h Preset> {
    home.items.iter().find_map(|item| match item {
        HomeItem::Preset { preset, .. } if preset.name == summary.preset => Some(&**preset),
        _ => None,
    })
}

/// Whether its first generation has learned already.
fn learns_first(preset: &Preset) -> bool {
    preset.evolution.pretraining.name() != "none"
}

/// What the schedule of a preset changes, such as `from generation 9 on add edge 0.02`.
fn changes(preset: &Preset) -> String {
    let changes = preset.scheduled().unwrap_or_default();
    let groups = changes.chunk_by(|one, other| one.generation == other.generation);
    let words = groups.map(|group| {
        let value = |change: &Intervention| {
            let (name, value) = (parameter_name(&change.key), format::parameter(&change.to));
            format!("{name} {value}")
        };
        let values: Vec<String> = group.iter().map(value).collect();
        let generation = format::whole(group[0].generation);
        format!("from generation {generation} on {}", values.join(", "))
    });
    words.collect::<Vec<_>>().join("; ")
}

/// How long the recommended thing takes, and what the pace has to do with it.
fn takes(home: &Home, start: &Recommendation, item: &HomeItem) -> String {
    let HomeItem::Preset { preset, .. } = item else {
        return format!("about {}", start.lasts);
    };
    let paced = home
        .timing
        .estimate(&preset.name, start.generations, preset.pace);
    let first = paced.map_or_else(
        || format!("about {}", start.lasts),
        |estimate| format!("{} on this machine", estimate.words()),
    );
    let first = first + &opening_pace(preset).unwrap_or_default();
    let all = home
        .timing
        .estimate(&preset.name, preset.generations, preset.pace)
        .or_else(|| {
            preset
                .pace
                .map(|pace| Estimate::at_least(preset.generations, pace))
        })
        .filter(|_| preset.until.is_empty() && start.generations < preset.generations);
    all.map_or(first.clone(), |all| {
        let generations = counted(preset.generations, "generation");
        let shown = format::whole(start.generations);
        format!(
            "{first} to generation {shown}; {} for {generations}",
            all.words()
        )
    })
}

/// The pace with which a preset starts, if it has one, and the key that makes it faster.
fn opening_pace(preset: &Preset) -> Option<String> {
    let pace = format::count(preset.pace?);
    let faster = keymap::label(Scope::GLOBAL, GlobalAction::Faster.action());
    Some(format!(
        " at its opening pace of {pace} generations a second ({faster} is faster)"
    ))
}

/// How long all generations of a preset take here, if it is known.
fn whole_time(home: &Home, preset: &Preset) -> String {
    let timing = &home.timing;
    let Some(estimate) = timing.estimate(&preset.name, preset.generations, preset.pace) else {
        return String::new();
    };
    let words = estimate.words();
    let most = if preset.until.is_empty() {
        ""
    } else {
        "at most "
    };
    let full = || {
        let speed = home.timing.speed(&preset.name)?;
        Some(format!(", {} generations a second", format::short(speed)))
    };
    let speed = opening_pace(preset).or_else(full).unwrap_or_default();
    format!("{most}{words} on this machine{speed}")
}

/// How long the generations that a run has left take here, if it is known.
fn time_left(home: &Home, summary: &RunSummary) -> String {
    let left = summary.generations.saturating_sub(summary.generation);
    if !summary.can_resume || summary.is_done() || left == 0 {
        return String::new();
    }
    let estimate = home.timing.estimate(&summary.preset, left, None);
    estimate.map_or_else(String::new, |estimate| {
        format!("{} on this machine", estimate.words())
    })
}

/// Why a saved run has ended.
fn ending(summary: &RunSummary) -> String {
    match &summary.target {
        Some(target) => {
            let last = format::whole(summary.generation.saturating_sub(1));
            format!("solved at generation {last}: {}", format::condition(target))
        }
        None if summary.is_done() => "all generations are done".to_owned(),
        None => format!(
            "stopped after {}",
            counted(summary.generation, "generation")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use finches_runs::storage::presets;

    #[test]
    fn a_schedule_is_told_in_words_with_its_generations() {
        let preset = presets::load("nim-2x3-cells").expect("it ships");
        let words = "from generation 9 on add edge 0.02, add node 0.02; \
            from generation 46 on add edge 0.8, add node 0.8";
        assert_eq!(changes(&preset), words);
        assert_eq!(changes(&Preset::default()), "");
    }
}
