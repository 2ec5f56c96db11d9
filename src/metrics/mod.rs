//! The metrics: a row of values per generation and the table of their columns. How values are measured is not its concern.

use std::fmt::Write as _;

pub mod csv_text;
pub mod history;
pub mod lengths;
pub mod progress_unit;
pub mod stats;
pub mod stop_condition;

/// A column of the metrics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The name in files and on the command line.
    pub name: String,
    /// The name in words.
    pub label: String,
    /// The unit, or `share` for a number in 0..=1.
    pub unit: &'static str,
    pub help: &'static str,
}

impl Column {
    /// Whether values lie in 0..=1 and are shown in percent.
    pub fn is_share(&self) -> bool {
        self.unit == "share"
    }
}

/// Name, unit and meaning of every fixed column, in the order of files.
const FIXED: [(&str, &str, &str); 27] = [
    ("generation", "", "The generation, from 0."),
    (
        "seconds",
        "s",
        "Time the run has worked so far, without pauses.",
    ),
    (
        "games",
        "games",
        "Games played for fitness since the start of the run.",
    ),
    ("moves", "moves", "Moves made in those games."),
    (
        "best_fitness",
        "",
        "Fitness of the champion, relative to the others of its generation.",
    ),
    ("mean_fitness", "", "Mean fitness of the population."),
    (
        "accuracy_games",
        "share",
        "Share of the champion's moves in its tournament that are optimal according to the oracle.",
    ),
    (
        "accuracy_states",
        "share",
        "Share of all positions with more than one move in which the champion's move is optimal.",
    ),
    (
        "wins_vs_past",
        "share",
        "Share of games the champion wins against earlier champions from the whole run.",
    ),
    (
        "mean_turns",
        "moves",
        "Mean length of the generation's games.",
    ),
    (
        "hidden_layers",
        "layers",
        "Mean number of hidden layers in the population.",
    ),
    (
        "hidden_nodes_per_layer",
        "nodes",
        "Mean number of nodes in a hidden layer, over the population.",
    ),
    (
        "champion_nodes",
        "nodes",
        "Nodes of the champion's network, inputs and outputs included.",
    ),
    (
        "champion_edges",
        "edges",
        "Edges of the champion's network.",
    ),
    ("species", "species", "Species in the population."),
    (
        "diversity",
        "",
        "Mean distance between members of the population.",
    ),
    (
        "wrong_decisions",
        "positions",
        "Won positions given away by the member with the fewest of them; 0 is an optimal strategy.",
    ),
    (
        "chicken_share",
        "share",
        "Share of the headless chicken crossovers that replaced their elite.",
    ),
    (
        "hall_diversity",
        "share",
        "Share of distinct players in the hall of fame.",
    ),
    (
        "champion_origin",
        "",
        "Origin of the champion: 0 new, 1 elite, 2 crossover, 3 mutant.",
    ),
    (
        "fitness_elites",
        "",
        "Mean fitness of the members that survived from the previous generation.",
    ),
    (
        "fitness_crosses",
        "",
        "Mean fitness of the members from crossover.",
    ),
    (
        "fitness_mutants",
        "",
        "Mean fitness of the members from mutation only.",
    ),
    (
        "growth",
        "points",
        "Mean result of the champion against the champions of the previous five generations; a win is 1, a loss -1.",
    ),
    (
        "growth_sum",
        "points",
        "Sum of growth over the run; it rises while champions beat their recent predecessors.",
    ),
    (
        "progress",
        "share",
        "The population's share of points against the population of generation 0, over all pairs or an even sample of them.",
    ),
    (
        "baseline",
        "share",
        "The population's share of points against 2,500 random networks (64-8-1 on a board of 64 squares, one ply), over all pairs or an even sample of them.",
    ),
];

/// The column that is the objective of a run: accuracy according to the oracle if the game is solved, else the champion's share
/// of points against the strongest reference player, which comes last.
pub fn objective<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Option<usize> {
    let judged = names.clone().position(|name| name == "accuracy_states");
    let versus = names.enumerate().filter(|(_, name)| is_versus(name));
    judged.or_else(|| versus.last().map(|(place, _)| place))
}

/// Whether a column holds the champion's points against a reference player.
pub fn is_versus(name: &str) -> bool {
    name.starts_with("vs_")
}

fn of_fixed(&(name, unit, help): &(&str, &'static str, &'static str)) -> Column {
    Column {
        name: name.to_owned(),
        label: name.replace('_', " "),
        unit,
        help,
    }
}

/// The columns of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns(Vec<Column>);

impl Columns {
    /// The fixed columns and three for each reference player, filtered by `measured`.
    pub fn new(measured: impl Fn(&str) -> bool, references: &[String]) -> Self {
        let fixed = FIXED
            .iter()
            .filter(|(name, ..)| measured(name))
            .map(of_fixed);
        let versus = references
            .iter()
            .flat_map(|reference| VersusMeasure::ALL.map(|whose| whose.column(reference)))
            .filter(|column| measured(&column.name));
        Self(fixed.chain(versus).collect())
    }

    /// The columns of a file by their names; an unknown column has only its name.
    pub fn named(names: &[String]) -> Self {
        let column = |name: &String| {
            let known = FIXED.iter().find(|(known, ..)| known == name);
            match known {
                Some(fixed) => of_fixed(fixed),
                None => VersusMeasure::parse(name).unwrap_or_else(|| Column {
                    name: name.clone(),
                    label: name.replace('_', " "),
                    unit: "",
                    help: "",
                }),
            }
        };
        Self(names.iter().map(column).collect())
    }

    /// All columns in the order of files.
    pub fn all(&self) -> &[Column] {
        &self.0
    }

    /// The index of a column.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|column| column.name == name)
    }

    /// The index of the objective.
    pub fn objective(&self) -> Option<usize> {
        objective(self.names())
    }

    /// The names in the order of files.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.iter().map(|column| column.name.as_str())
    }
}

/// Which share of points against a reference player a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VersusMeasure {
    Champion,
    /// The mean over the population.
    Mean,
    /// The best of the population, which need not be the champion.
    Best,
}

impl VersusMeasure {
    const ALL: [Self; 3] = [Self::Champion, Self::Mean, Self::Best];

    /// The name of the column: `level-1` meets the champion in `vs_level_1`.
    pub fn name(self, reference: &str) -> String {
        let prefix = match self {
            Self::Champion => "",
            Self::Mean => "pop_mean_",
            Self::Best => "pop_best_",
        };
        format!("{prefix}vs_{}", reference.replace('-', "_"))
    }

    /// The column of that name if it holds points against a reference player.
    fn parse(name: &str) -> Option<Column> {
        let mut all = Self::ALL.into_iter();
        all.find_map(|whose| {
            let reference = name.strip_prefix(&whose.name(""))?;
            Some(whose.column(&reference.replace('_', "-")))
        })
    }

    fn column(self, reference: &str) -> Column {
        let (whose, help) = match self {
            Self::Champion => (
                "",
                "The champion's share of points against this reference player in held-out games.",
            ),
            Self::Mean => (
                "mean ",
                "The mean, over the population, of each member's share of points against this reference player.",
            ),
            Self::Best => (
                "best ",
                "The highest share of points that a member of the population gets against this reference player, luck included.",
            ),
        };
        Column {
            name: self.name(reference),
            label: format!("{whose}v {reference}"),
            unit: "share",
            help,
        }
    }
}

/// The values of one generation in the order of the run's columns; `None` if not measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Row(Vec<Option<f64>>);

impl Row {
    /// A row without values.
    pub fn empty(columns: &Columns) -> Self {
        Self(vec![None; columns.all().len()])
    }

    /// A row read from a file.
    pub fn from_values(values: Vec<Option<f64>>) -> Self {
        Self(values)
    }

    /// Sets a value; ignored if the run does not have the column.
    pub fn set(&mut self, columns: &Columns, name: &str, value: f64) {
        if let Some(place) = columns.place(name) {
            self.0[place] = Some(value);
        }
    }

    pub fn get(&self, columns: &Columns, name: &str) -> Option<f64> {
        self.0[columns.place(name)?]
    }

    /// The values in the order of the columns.
    pub fn values(&self) -> &[Option<f64>] {
        &self.0
    }

    /// The generation, the first value of every row.
    pub fn generation(&self) -> u64 {
        self.0.first().copied().flatten().unwrap_or(0.0) as u64
    }

    /// A JSON object of the measured values.
    pub fn json(&self, columns: &Columns) -> String {
        let mut text = String::from("{");
        for (name, value) in columns.names().zip(&self.0) {
            if let Some(value) = value.filter(|value| value.is_finite()) {
                let comma = if text.len() > 1 { "," } else { "" };
                // Writing to a string can't fail.
                let _ = write!(text, "{comma}\"{name}\":{value}");
            }
        }
        text.push('}');
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_an_oracle_the_strongest_reference_player_gives_the_objective() {
        let judged = |names: &[&str]| objective(names.iter().copied());
        assert_eq!(judged(&["games", "accuracy_states", "vs_oracle"]), Some(1));
        assert_eq!(judged(&["vs_random", "vs_swh", "pop_best_vs_swh"]), Some(1));
        assert_eq!(judged(&["games"]), None);
    }

    #[test]
    fn columns_are_restored_from_their_names() {
        let all = Columns::new(|_| true, &["random".to_owned(), "level-1".to_owned()]);
        let names: Vec<String> = all.names().map(ToOwned::to_owned).collect();
        assert_eq!(Columns::named(&names), all);
        let foreign = Columns::named(&["of_another_program".to_owned()]);
        assert_eq!(foreign.all()[0].label, "of another program");
    }

    #[test]
    fn json_omits_values_that_were_not_measured() {
        let columns = Columns::new(
            |name| {
                name.starts_with("vs_") || ["generation", "seconds", "best_fitness"].contains(&name)
            },
            &["random".to_owned(), "level-1".to_owned()],
        );
        assert_eq!(
            columns.names().collect::<Vec<_>>(),
            [
                "generation",
                "seconds",
                "best_fitness",
                "vs_random",
                "vs_level_1"
            ]
        );
        let mut row = Row::empty(&columns);
        row.set(&columns, "generation", 7.0);
        row.set(&columns, "vs_level_1", 0.25);
        row.set(&columns, "species", 3.0);
        assert_eq!(row.json(&columns), r#"{"generation":7,"vs_level_1":0.25}"#);
        let parsed: serde_json::Value =
            serde_json::from_str(&row.json(&columns)).expect("it is JSON");
        assert_eq!(parsed["generation"], 7);
    }
}
