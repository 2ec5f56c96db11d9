//! What is measured: a row of figures per generation and the table that names their columns. It knows nothing of how the
//! figures come about.

use std::fmt::Write as _;

pub mod history;
pub mod lengths;
pub mod over;
pub mod stats;
pub mod until;

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
        "Time the run has worked so far, pauses left out.",
    ),
    (
        "games",
        "games",
        "Games played for fitness since the run began.",
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
        "Share of the champion's moves in its tournament that the oracle approves of.",
    ),
    (
        "accuracy_states",
        "share",
        "Share of all positions with a choice in which the champion's move is among the best.",
    ),
    (
        "wins_vs_past",
        "share",
        "Share of games the champion wins against earlier champions spread over the run.",
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
        "Positions given away by the member that gives away the fewest; 0 is an optimal strategy.",
    ),
    (
        "chicken_share",
        "share",
        "Share of the crossings of elites with brand-new genomes that took the elite's place.",
    ),
    (
        "hall_diversity",
        "share",
        "Share of the players in the hall of fame that are like no other there.",
    ),
    (
        "champion_origin",
        "",
        "Where the champion comes from: 0 brand new, 1 a member that stayed, 2 a cross, 3 a mutant.",
    ),
    (
        "fitness_elites",
        "",
        "Mean fitness of the members that stayed from the generation before.",
    ),
    (
        "fitness_crosses",
        "",
        "Mean fitness of the members that are crosses of two.",
    ),
    (
        "fitness_mutants",
        "",
        "Mean fitness of the members that are mutants of one.",
    ),
    (
        "growth",
        "points",
        "Mean result of the champion against those of the five generations before, a win counting 1 and a loss -1.",
    ),
    (
        "growth_sum",
        "points",
        "Growth added up over the run: rising where champions get better than those shortly before them.",
    ),
    (
        "progress",
        "share",
        "The population's share of points against that of generation 0, everyone meeting everyone or an even sample of it.",
    ),
    (
        "baseline",
        "share",
        "The population's share of points against 2,500 random networks (64-8-1 on a board of 64 squares, one ply), likewise.",
    ),
];

/// Which of these columns a run is judged by: the oracle's verdict where the game is solved, else the champion's share of
/// points against the hardest reference player, who comes last.
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
    /// Those of the fixed columns, and of three for each reference player, for which `measured` says yes.
    pub fn new(measured: impl Fn(&str) -> bool, references: &[String]) -> Self {
        let fixed = FIXED
            .iter()
            .filter(|(name, ..)| measured(name))
            .map(of_fixed);
        let versus = references
            .iter()
            .flat_map(|reference| Whose::ALL.map(|whose| whose.column(reference)))
            .filter(|column| measured(&column.name));
        Self(fixed.chain(versus).collect())
    }

    /// The columns of a file by their names; one that this program does not know has only its name.
    pub fn named(names: &[String]) -> Self {
        let column = |name: &String| {
            let known = FIXED.iter().find(|(known, ..)| known == name);
            match known {
                Some(fixed) => of_fixed(fixed),
                None => Whose::read(name).unwrap_or_else(|| Column {
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

    /// The place of a column.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|column| column.name == name)
    }

    /// The place of the column that the run is judged by.
    pub fn objective(&self) -> Option<usize> {
        objective(self.names())
    }

    /// The names in the order of files.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.iter().map(|column| column.name.as_str())
    }
}

/// Whose points against a reference player a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    Champion,
    /// The mean over the population.
    Mean,
    /// The best of the population, which need not be the champion.
    Best,
}

impl Whose {
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

    /// The column of that name, where it holds points against a reference player.
    fn read(name: &str) -> Option<Column> {
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

/// One generation's figures, in the order of the run's columns; a figure not taken in this generation is absent.
#[derive(Clone, Debug, PartialEq)]
pub struct Row(Vec<Option<f64>>);

impl Row {
    /// A row without figures.
    pub fn empty(columns: &Columns) -> Self {
        Self(vec![None; columns.all().len()])
    }

    /// A row read from a file.
    pub fn from_values(values: Vec<Option<f64>>) -> Self {
        Self(values)
    }

    /// Enters a figure; a column that the run does not have is left out.
    pub fn set(&mut self, columns: &Columns, name: &str, value: f64) {
        if let Some(place) = columns.place(name) {
            self.0[place] = Some(value);
        }
    }

    pub fn get(&self, columns: &Columns, name: &str) -> Option<f64> {
        self.0[columns.place(name)?]
    }

    /// The figures in the order of the columns.
    pub fn values(&self) -> &[Option<f64>] {
        &self.0
    }

    /// The generation, which every row has first.
    pub fn generation(&self) -> u64 {
        self.0.first().copied().flatten().unwrap_or(0.0) as u64
    }

    /// A JSON object of the figures that were taken.
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
    fn without_an_oracle_the_hardest_reference_player_is_the_judge() {
        let judged = |names: &[&str]| objective(names.iter().copied());
        assert_eq!(judged(&["games", "accuracy_states", "vs_perfect"]), Some(1));
        assert_eq!(judged(&["vs_random", "vs_swh", "pop_best_vs_swh"]), Some(1));
        assert_eq!(judged(&["games"]), None);
    }

    #[test]
    fn columns_are_known_again_by_their_names() {
        let all = Columns::new(|_| true, &["random".to_owned(), "level-1".to_owned()]);
        let names: Vec<String> = all.names().map(ToOwned::to_owned).collect();
        assert_eq!(Columns::named(&names), all);
        let foreign = Columns::named(&["of_another_program".to_owned()]);
        assert_eq!(foreign.all()[0].label, "of another program");
    }

    #[test]
    fn a_row_becomes_json_without_what_was_not_measured() {
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
