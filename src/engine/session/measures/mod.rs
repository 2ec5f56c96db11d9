//! Measures: the figures of a generation, each with its name, unit, help, and the presets it applies to. A new one is a constant in
//! the file of its family and a line in `MEASURES`. Those of other crates follow.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::evolution::archive::Champion;
use crate::metrics::{Column, Columns, Row};
use crate::play::phenotype::Phenotype;
use crate::play::reference_player::ReferencePlayer;
use crate::play::{Arena, TournamentResult};
use crate::preset::Preset;
use crate::registry::CustomParts;

use super::progress::GenerationPhase;
use super::{FinishedGeneration, Session};

use self::versus::VersusMeasure;

mod accuracy;
mod challengers;
mod fitness;
mod graded;
mod growth;
mod hall_of_fame;
mod network_size;
mod origins;
mod progress;
mod species;
mod versus;

pub use self::versus::is_versus;
pub(super) use self::versus::references;

/// A figure of a generation, one column of the metrics.
pub struct Measure {
    /// The name of its column.
    pub name: &'static str,
    /// The unit, or `share` for a number in 0..=1.
    pub unit: &'static str,
    /// A sentence that says what it is.
    pub help: &'static str,
    /// Whether a run of the preset has the column.
    pub applies: fn(&Preset, &dyn Arena) -> bool,
    /// The figure; `None` if it is not measured in this generation. It depends on nothing else, so that runs can be repeated.
    pub figure: fn(&MeasuredGeneration<'_>) -> Option<f64>,
}

/// The built-in measures in the order of columns in files. Those of other crates and the columns of the reference players follow.
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
    species::THRESHOLD,
];

/// The measures that are the objective wherever a game is solved, the best last.
const OBJECTIVES: [&str; 3] = [
    accuracy::IN_STATES.name,
    accuracy::SAMPLED.name,
    accuracy::WINNABLE.name,
];

/// All measures in the order of columns in files.
fn all() -> impl Iterator<Item = &'static Measure> {
    MEASURES.iter().chain(CustomParts::registered())
}

/// Whether a column is the share of positions that can be won in which the champion's move wins, of all or of a sample.
pub fn is_judged(name: &str) -> bool {
    [accuracy::WINNABLE.name, accuracy::SAMPLED.name].contains(&name)
}

/// Whether a built-in measure or a reference player has a column of this name.
pub fn is_known(name: &str) -> bool {
    MEASURES.iter().any(|measure| measure.name == name) || VersusMeasure::parse(name).is_some()
}

/// Applies to every preset.
pub fn always(_preset: &Preset, _arena: &dyn Arena) -> bool {
    true
}

/// The names in words of the measures whose column names do not say what they mean.
const LABELS: [(&str, &str); 5] = [
    (accuracy::IN_GAMES.name, "right moves, its own games"),
    (accuracy::IN_STATES.name, "right moves, all positions"),
    (
        accuracy::WINNABLE.name,
        "right moves, positions that can be won",
    ),
    (
        accuracy::SAMPLED.name,
        "right moves, sample of positions that can be won",
    ),
    (
        accuracy::WINS_VS_PAST.name,
        "wins against earlier champions",
    ),
];

impl Measure {
    fn label(&self) -> String {
        let known = LABELS.iter().find(|(name, _)| *name == self.name);
        known.map_or_else(
            || self.name.replace('_', " "),
            |&(_, label)| label.to_owned(),
        )
    }

    fn column(&self) -> Column {
        Column {
            name: self.name.to_owned(),
            label: self.label(),
            unit: self.unit,
            help: self.help,
            objective_rank: OBJECTIVES
                .iter()
                .position(|name| *name == self.name)
                .map_or(0, |place| place as u32 + 2),
        }
    }
}

/// A generation after its games, with what several measures need.
pub struct MeasuredGeneration<'a> {
    /// The run. Its state is that before the next generation is made.
    pub session: &'a Session,
    finished: &'a FinishedGeneration,
    /// The champion's games against earlier champions.
    pub tournament: TournamentResult,
    /// The champion's result against its recent predecessors.
    growth: Option<f64>,
    /// The mean number of hidden layers and of nodes per hidden layer in the population.
    hidden_size: (f64, f64),
}

impl MeasuredGeneration<'_> {
    /// The fitness of each member.
    pub fn fitness(&self) -> &[f64] {
        &self.finished.fitness
    }

    /// The fittest member.
    pub fn champion(&self) -> &Champion {
        &self.finished.champion
    }

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
    let fixed = all().filter(|measure| (measure.applies)(preset, arena));
    let versus = references.iter().flat_map(|&reference| {
        let name = reference.name(arena.info().heuristics);
        let all = VersusMeasure::ALL.into_iter();
        let own = all.filter(move |versus| versus.applies(reference, preset));
        own.map(move |versus| versus.column(&name))
    });
    Columns::new(fixed.map(Measure::column).chain(versus).collect())
}

/// All columns, with `reference` in the place of a reference player's name.
pub fn all_columns(reference: &str) -> Columns {
    let versus = VersusMeasure::ALL.into_iter();
    let versus = versus.map(|versus| versus.column(reference));
    Columns::new(all().map(Measure::column).chain(versus).collect())
}

/// The columns of a file by their names; an unknown column has only its name.
pub fn columns_named(names: &[String]) -> Columns {
    let column = |name: &String| {
        let known = all().find(|measure| measure.name == name);
        let known = known.map(Measure::column);
        known
            .or_else(|| VersusMeasure::parse(name))
            .unwrap_or_else(|| Column::unknown(name))
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
        let tournament = self.tournament(&player);
        let growth = self.measure_growth(&player);
        self.progress
            .done()
            .fetch_add(recent as u64, Ordering::Relaxed);
        let run = MeasuredGeneration {
            session: self,
            finished,
            tournament,
            growth,
            hidden_size: self.population_size(),
        };
        let columns = &self.columns;
        let mut row = Row::empty(columns);
        for measure in all() {
            let value = (columns.place(measure.name)).and_then(|_| (measure.figure)(&run));
            if let Some(value) = value {
                row.set(columns, measure.name, value);
            }
        }
        if is_measured {
            for (name, share) in self.against_references(&player) {
                row.set(columns, &name, share);
            }
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
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        let columns = columns_named(&names);
        columns.objective().map(|place| names[place].clone())
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
        let foreign = columns_named(&["of_another_program".to_owned()]);
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
