//! What is wrong with the parameters of an evolution: those of each part, and parts that do not fit
//! together.

use crate::genomes::{GenomeConfig, IoSpec};
use crate::params::ParamError;

use super::EvolutionConfig;
use super::replacement::ParentChoice;

impl EvolutionConfig {
    /// All errors, including parameters that do not fit together.
    pub fn problems(&self) -> Vec<ParamError> {
        let population = self.population as usize;
        let pairing = self.pairing.problems(population);
        let replacement = self.replacement.problems(population);
        let fitness = self.fitness.problems(population);
        let space = self.space.problems(population);
        let is_placed = space.is_empty() && self.missing_space().is_empty();
        let selection = if is_placed && replacement.is_empty() {
            self.selection_problems(population)
        } else {
            Vec::new()
        };
        let under = |part: &'static str| move |problem: ParamError| problem.under(part);
        pairing
            .into_iter()
            .map(under("pairing"))
            .chain(selection.into_iter().map(under("selection")))
            .chain(replacement.into_iter().map(under("replacement")))
            .chain(fitness.into_iter().map(under("fitness")))
            .chain(space.into_iter().map(under("space")))
            .chain(self.missing_space())
            .chain(self.missing_hall_of_fame())
            .chain(self.missing_common_opponents())
            .chain(self.operator_problems())
            .collect()
    }

    /// Errors for schemes that need neighborhoods when there is no space.
    fn missing_space(&self) -> Vec<ParamError> {
        if self.layout().is_some() {
            return Vec::new();
        }
        let pairing = self.pairing.needs_space();
        let parts = [
            ("pairing", pairing),
            ("replacement", self.replacement.traits().needs_space),
        ];
        let missing = parts.into_iter().filter(|&(_, needs)| needs);
        missing
            .map(|(part, _)| {
                let message =
                    "needs neighborhoods, but `space` is `panmictic`; try space: torus(width: 10)";
                ParamError::new(part, message.to_owned())
            })
            .collect()
    }

    /// Errors of operators that do not fit together.
    fn operator_problems(&self) -> Vec<ParamError> {
        let (replacement, crossover) = (&self.replacement, &self.crossover);
        let (name, selection) = (self.replacement.name(), self.selection.name());
        let traits = replacement.traits();
        let is_used = match traits.parent_choice {
            ParentChoice::Selected => true,
            ParentChoice::OwnPlace => crossover.takes_members(),
            ParentChoice::Named => false,
        };
        let selection = match (is_used, self.selection.is_none()) {
            (true, true) => Some(format!(
                "must not be `none`, because replacement `{name}` needs selected parents; try \
                selection: tournament(tournament_size: 2)"
            )),
            (false, false) => Some(format!(
                "is `{selection}`, but replacement `{name}` with this crossover selects no \
                parents; give selection: none()"
            )),
            _ => None,
        };
        let unchallenged = crossover.challenges_survivors() && traits.survivors == 0;
        let crossover = unchallenged.then(|| {
            format!(
                "challenges survivors, but replacement `{name}` keeps none; try replacement: \
                generational(elites: 20)"
            )
        });
        let parts = [("selection", selection), ("crossover", crossover)];
        let problems = parts.into_iter();
        problems
            .filter_map(|(part, message)| Some(ParamError::new(part, message?)))
            .collect()
    }

    /// Errors of the selection for the number of its candidates.
    fn selection_problems(&self, population: usize) -> Vec<ParamError> {
        let replacement = &self.replacement;
        let neighborhoods = if replacement.traits().needs_space {
            self.neighborhoods(0)
        } else {
            Vec::new()
        };
        let neighbors = neighborhoods.first().map_or(0, Vec::len);
        let candidates = replacement.candidates(population, neighbors);
        self.selection.problems(candidates)
    }

    /// An error if offspring are computed from the numbers of genomes, but the genomes have none or
    /// too many.
    pub fn number_problem(&self, genome: &GenomeConfig, io_spec: &IoSpec) -> Option<ParamError> {
        let traits = self.replacement.traits();
        let most = traits.most_numbers?;
        let (replacement, count) = (self.replacement.name(), genome.number_count(io_spec));
        let message = if count == 0 {
            let name = genome.name();
            format!(
                "is `{replacement}`, but genome `{name}` is no list of numbers; try genome: mlp"
            )
        } else if count > most {
            // As measured: see `cma_es`.
            let gigabytes = 80e-9 * (count as f64).powi(2);
            format!(
                "allows {most} numbers per genome, but there are {count}, whose covariance would \
                take about {gigabytes:.2} GB of memory; try covariance: diagonal"
            )
        } else {
            let key = traits.refined_by.filter(|_| !genome.is_refined(io_spec))?;
            let name = genome.name();
            let message = format!(
                "has no use, because all numbers of genome `{name}` vary from the beginning; try \
                n_tuples(shortest: 2, length: 4)"
            );
            return Some(ParamError::new(
                format!("evolution.replacement.{key}"),
                message,
            ));
        };
        Some(ParamError::new("evolution.replacement", message))
    }

    /// An error if pairing needs a hall of fame and there is none.
    fn missing_hall_of_fame(&self) -> Option<ParamError> {
        let needs = self.pairing.needs_hall_of_fame();
        (needs && self.hall_of_fame.size() == 0).then(|| {
            let message =
                "needs a hall of fame, but there is none; try hall_of_fame: hall(size: 100)";
            ParamError::new("pairing", message.to_owned())
        })
    }

    /// An error if fitness compares members by common opponents and pairing gives them none.
    fn missing_common_opponents(&self) -> Option<ParamError> {
        let is_missing =
            self.fitness.needs_common_opponents() && !self.pairing.has_common_opponents();
        let (fitness, pairing) = (self.fitness.name(), self.pairing.name());
        is_missing.then(|| {
            let message = format!(
                "is `{fitness}`, which needs opponents that all members meet, but pairing \
                `{pairing}` has none; try pairing: round_robin"
            );
            ParamError::new("fitness", message)
        })
    }

    /// Why the number of members can't change during a run, if it can't.
    pub fn resize_problem(&self) -> Option<ParamError> {
        let (part, name) = if self.layout().is_some() {
            ("space", self.space.name())
        } else if self.replacement.traits().has_fixed_size {
            ("replacement", self.replacement.name())
        } else {
            return None;
        };
        let message = format!(
            "can't be changed during a run with {part} `{name}`, in which members have places; \
            start a new run to change it"
        );
        Some(ParamError::new("population", message))
    }
}
