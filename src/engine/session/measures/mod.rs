//! Measures: the figures of a generation, each with all that is said of it and the presets it
//! applies to. A new one is a constant in the file of its family and a line in `MEASURES`. Those of
//! other crates follow.

use std::sync::Arc;
use std::sync::atomic::Ordering;

pub use crate::metrics::history::Goal;
pub use crate::metrics::{Basis, ColumnPage};
use crate::metrics::{Column, Columns, Row};
use crate::play::phenotype::Phenotype;
use crate::play::reference_player::ReferencePlayer;
use crate::play::{Arena, TournamentResult};
use crate::preset::Preset;
use crate::registry::CustomParts;

use super::progress::GenerationPhase;
use super::{FinishedGeneration, Session};

pub mod accuracy;
pub mod challengers;
pub mod elite_map;
pub mod fitness;
pub mod graded;
pub mod growth;
pub mod hall_of_fame;
pub mod network_size;
pub mod origins;
pub mod progress;
pub mod species;
pub mod versus;

pub(super) use self::versus::references;

/// A figure of a generation, one column of the metrics: all that files, screens, pages and the
/// command line say of it. It stands for its column wherever a row is read:
/// `row.get(columns, &fitness::BEST)`.
#[derive(Clone, Copy)]
pub struct Measure {
    /// The name of its column; one against reference players is followed by the player's.
    pub name: &'static str,
    /// The name in words; if empty, that of its column with spaces.
    pub label: &'static str,
    /// The name in words beside other measures of its page; if empty, the label.
    pub short: &'static str,
    /// The unit, or `share` for a number in 0..=1.
    pub unit: &'static str,
    /// A sentence that says what it is.
    pub help: &'static str,
    /// The page of charts that has it; `None` if other panes show it, or if it only counts.
    pub page: Option<ColumnPage>,
    /// What its values rest on.
    pub basis: Basis,
    /// Whether high or low values are better.
    pub goal: Goal,
    /// How well it suits as the objective of a run; 0 if not at all.
    pub objective_rank: u32,
    /// Whether a run of the preset has the column.
    pub applies: fn(&Preset, &dyn Arena) -> bool,
    /// The figure; `None` if it is not measured in this generation. It depends on nothing else, so
    /// that runs can be repeated.
    pub figure: fn(&MeasuredGeneration<'_>) -> Option<f64>,
    /// What is measured in its place against each of the reference players, if it has a column for
    /// each of them.
    pub against: Option<Against>,
}

/// What is measured against a reference player.
#[derive(Clone, Copy)]
pub enum Against {
    /// The champion's share of points.
    Champion,
    /// A figure of the members' shares of points, if the preset measures the population.
    Population(fn(&[f64]) -> f64),
}

/// The built-in measures in the order of columns in files. Those of other crates follow, then those
/// against reference players.
static MEASURES: &[Measure] = &[
    progress::GENERATION,
    progress::SECONDS,
    progress::GAMES,
    progress::MOVES,
    fitness::BEST,
    fitness::MEAN,
    accuracy::IN_GAMES,
    accuracy::IN_STATES,
    accuracy::WINNABLE,
    accuracy::SAMPLED,
    accuracy::WINS_VS_PAST,
    progress::MEAN_TURNS,
    network_size::HIDDEN_LAYERS,
    network_size::HIDDEN_NODES,
    network_size::NODES,
    network_size::EDGES,
    hall_of_fame::WRONG_DECISIONS,
    challengers::CHICKEN_SHARE,
    hall_of_fame::DIVERSITY,
    origins::CHAMPION,
    origins::ELITES,
    origins::CROSSES,
    origins::MUTANTS,
    growth::GROWTH,
    growth::SUM,
    graded::PROGRESS,
    graded::BASELINE,
    species::SPECIES,
    species::AGE,
    species::THRESHOLD,
    elite_map::COVERAGE,
    elite_map::QD_SCORE,
    versus::CHAMPION,
    versus::MEAN,
    versus::BEST,
];

/// All measures, those of other crates last.
fn all() -> impl Iterator<Item = &'static Measure> {
    MEASURES.iter().chain(CustomParts::registered())
}

/// Whether a built-in measure has a column of this name.
pub fn is_known(name: &str) -> bool {
    MEASURES.iter().any(|measure| measure.has(name))
}

impl Measure {
    /// A measure of every run, without a unit and on a page of its own, to begin a constant with.
    pub const PLAIN: Self = Self {
        name: "",
        label: "",
        short: "",
        unit: "",
        help: "",
        page: Some(ColumnPage::OWN),
        basis: Basis::Unstated,
        goal: Goal::Maximize,
        objective_rank: 0,
        applies: |_, _| true,
        figure: |_| None,
        against: None,
    };

    /// The name of its column against a reference player: `level-1` meets the champion in
    /// `vs_level_1`.
    pub fn name_against(&self, reference: &str) -> String {
        format!("{}{}", self.name, reference.replace('-', "_"))
    }

    /// Whether a column of this name is its own, or one of its own.
    pub fn has(&self, name: &str) -> bool {
        match self.against {
            Some(_) => name.starts_with(self.name),
            None => name == self.name,
        }
    }

    /// Whether a run of the preset has its column; that of this reference player if it is given.
    fn applies(&self, preset: &Preset, arena: &dyn Arena, with: Option<ReferencePlayer>) -> bool {
        let is_measured = match self.against {
            None => with.is_none(),
            Some(Against::Champion) => with.is_some(),
            Some(Against::Population(_)) => {
                preset.measures.population_games > 0 && with.is_some_and(versus::meets_population)
            }
        };
        is_measured && (self.applies)(preset, arena)
    }

    /// Its column, that of a reference player if it is against them.
    fn column(&self, reference: &str) -> Column {
        let name = self.name_against(reference);
        let mut label = format!("{}{reference}", self.label);
        if label.is_empty() {
            label = name.replace('_', " ");
        }
        let mut short = format!("{}{reference}", self.short);
        if short.is_empty() {
            short.clone_from(&label);
        }
        Column {
            name,
            label,
            short,
            unit: self.unit,
            help: self.help,
            page: self.page,
            basis: self.basis,
            goal: self.goal,
            objective_rank: self.objective_rank,
        }
    }
}

/// A measure is equal to the name of its column.
impl PartialEq<str> for Measure {
    fn eq(&self, name: &str) -> bool {
        self.name == name
    }
}

/// A generation after its games, with what several measures need.
pub struct MeasuredGeneration<'a> {
    /// The run. Its state is that before the next generation is made.
    pub session: &'a Session,
    /// Its results.
    pub finished: &'a FinishedGeneration,
    /// The champion's games against earlier champions.
    pub tournament: TournamentResult,
    /// The champion's result against its recent predecessors.
    pub growth: Option<f64>,
    /// The mean number of hidden layers and of nodes per hidden layer in the population.
    pub hidden_size: (f64, f64),
}

impl MeasuredGeneration<'_> {
    /// The players of the members, in their order.
    pub fn players(&self) -> &[Arc<Phenotype>] {
        &self.session.players
    }

    /// The player of the champion.
    pub fn player(&self) -> &Arc<Phenotype> {
        &self.players()[self.finished.best]
    }
}

/// The columns of a run.
pub(super) fn columns(
    preset: &Preset,
    arena: &dyn Arena,
    references: &[ReferencePlayer],
) -> Columns {
    let fixed = all().filter(|measure| measure.applies(preset, arena, None));
    let versus = references.iter().flat_map(|&reference| {
        let name = reference.name(arena.info().heuristics);
        let own = all().filter(move |measure| measure.applies(preset, arena, Some(reference)));
        own.map(move |measure| measure.column(&name))
    });
    let fixed = fixed.map(|measure| measure.column(""));
    Columns::new(fixed.chain(versus).collect())
}

/// All columns, with `reference` in the place of a reference player's name.
pub fn all_columns(reference: &str) -> Columns {
    let (fixed, versus): (Vec<&Measure>, Vec<&Measure>) =
        all().partition(|measure| measure.against.is_none());
    let fixed = fixed.into_iter().map(|measure| measure.column(""));
    let versus = versus.into_iter().map(|measure| measure.column(reference));
    Columns::new(fixed.chain(versus).collect())
}

/// The columns of a file by their names; an unknown column has only its name.
pub fn columns_named<N: AsRef<str>>(names: &[N]) -> Columns {
    let column = |name: &N| {
        let name = name.as_ref();
        let Some(known) = all().find(|measure| measure.has(name)) else {
            return Column::unknown(name);
        };
        known.column(&name[known.name.len()..].replace('_', "-"))
    };
    Columns::new(names.iter().map(column).collect())
}

impl Session {
    /// Measures a generation: its row, without `seconds`.
    pub fn measure(&mut self, finished: &FinishedGeneration) -> Row {
        let is_measured = self.preset.measures_champion(self.state.generation);
        let references = if is_measured {
            self.references.len()
        } else {
            0
        };
        let recent = usize::from(self.preset.measures.growth_games > 0);
        self.progress
            .begin(GenerationPhase::Measuring, references + recent);
        let player = Arc::clone(&self.players[finished.best]);
        let tournament = accuracy::tournament(self, &player);
        let growth = growth::growth(self, finished.best);
        self.progress
            .done()
            .fetch_add(recent as u64, Ordering::Relaxed);
        let run = MeasuredGeneration {
            session: self,
            finished,
            tournament,
            growth,
            hidden_size: network_size::mean_hidden(&self.pool, &self.state.population.members),
        };
        let columns = &self.columns;
        let mut row = Row::empty(columns);
        for measure in all() {
            let value = (columns.place(measure)).and_then(|_| (measure.figure)(&run));
            if let Some(value) = value {
                row.set(columns, measure, value);
            }
        }
        if is_measured {
            versus::measure(&run, &mut row);
        }
        self.growth = growth.unwrap_or(self.growth);
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name of the objective among these columns.
    fn objective(names: &[&str]) -> Option<String> {
        let objective = columns_named(names).objective();
        objective.map(|place| names[place].to_owned())
    }

    #[test]
    fn without_an_oracle_the_strongest_reference_player_gives_the_objective() {
        let judged = ["games", "accuracy_states", "vs_oracle"];
        assert_eq!(objective(&judged).as_deref(), Some("accuracy_states"));
        let versus = ["vs_random", "vs_swh", "pop_best_vs_swh"];
        assert_eq!(objective(&versus).as_deref(), Some("vs_swh"));
        assert_eq!(objective(&["games"]), None);
    }

    #[test]
    fn columns_are_restored_from_their_names() {
        let preset = Preset::default();
        let arena = crate::play::build(&preset.game, &preset.agent).expect("they fit");
        let all = columns(&preset, arena.as_ref(), &references(arena.as_ref()));
        let names: Vec<String> = all.names().map(ToOwned::to_owned).collect();
        assert_eq!(columns_named(&names), all);
        let foreign = columns_named(&["of_another_program"]);
        assert_eq!(foreign.all()[0].label, "of another program");
    }

    #[test]
    fn every_measure_has_a_name_of_its_own_and_help() {
        for (place, measure) in MEASURES.iter().enumerate() {
            let mut others = MEASURES[..place].iter();
            assert!(others.all(|other| other.name != measure.name));
            assert!(measure.help.ends_with('.'), "{}", measure.name);
        }
    }
}
