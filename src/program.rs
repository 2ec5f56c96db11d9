//! The program with parts of other crates beside its own. `examples/custom_game.rs` adds a game,
//! `examples/custom_parts.rs` an agent, a genome, a selection and a measure.

use finches_engine::agents::AgentConfig;
use finches_engine::agents::custom::ScoringAgent;
use finches_engine::evolution::crossover::{Crossover, CrossoverConfig};
use finches_engine::evolution::fitness::{Fitness, FitnessConfig};
use finches_engine::evolution::mutation::{Mutation, MutationConfig};
use finches_engine::evolution::pairing::{PairingConfig, PairingScheme};
use finches_engine::evolution::replacement::{Replacement, ReplacementConfig};
use finches_engine::evolution::selection::{Selection, SelectionConfig};
use finches_engine::evolution::space::{Space, SpaceConfig};
use finches_engine::games::custom::CustomGameParams;
use finches_engine::games::{GameConfig, GameParams, Rules};
use finches_engine::genomes::{GenomeConfig, GenomeKind, GenomeParams};
use finches_engine::play::features::{self, Feature};
use finches_engine::registry::{CustomConfig, CustomPart, CustomParts};
use finches_engine::session::measures::{self, Measure};

use crate::shipped;

/// The program and the parts that another crate adds to it:
/// `Program::new().game::<NoughtsAndCrosses>().main()`.
///
/// Presets, saves, experiments, the arena, the command line and the dashboard then know each part
/// by its name. A second part of the same kind and name is a panic.
#[derive(Default)]
#[must_use = "the parts are registered by `main` or `register`"]
pub struct Program {
    parts: CustomParts,
}

/// Declares a method for each kind of part that is described by its own trait.
macro_rules! kinds {
    ($( $(#[doc = $about:expr])* $kind:ident: $part:ident in $list:ident; )+) => {
        $(
            $(#[doc = $about])*
            pub fn $kind<P: CustomPart + $part>(self) -> Self {
                self.part(CustomConfig::<dyn $part>::new(P::default(), |part| part), $list::NAMES)
            }
        )+
    };
}

impl Program {
    /// A program with the built-in games only.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a game.
    pub fn game<C>(self) -> Self
    where
        C: CustomPart + GameParams<Game: Rules<Move: Into<u64> + TryFrom<u64>>>,
    {
        let game = CustomConfig::<dyn CustomGameParams>::new(C::default(), |game| game);
        self.part(game, GameConfig::NAMES)
    }

    /// Adds a genome, by its parameters.
    pub fn genome<C: CustomPart + GenomeParams>(self) -> Self {
        let genome = CustomConfig::<dyn GenomeKind>::new(C::default(), |genome| genome);
        self.part(genome, GenomeConfig::NAMES)
    }

    kinds! {
        /// Adds an agent.
        agent: ScoringAgent in AgentConfig;
        /// Adds a space.
        space: Space in SpaceConfig;
        /// Adds a pairing scheme.
        pairing: PairingScheme in PairingConfig;
        /// Adds a fitness scheme.
        fitness: Fitness in FitnessConfig;
        /// Adds a selection.
        selection: Selection in SelectionConfig;
        /// Adds a crossover.
        crossover: Crossover in CrossoverConfig;
        /// Adds a mutation.
        mutation: Mutation in MutationConfig;
        /// Adds a replacement.
        replacement: Replacement in ReplacementConfig;
    }

    /// Adds a measure, which becomes a column of every run that it applies to.
    pub fn measure(mut self, measure: Measure) -> Self {
        let name = measure.name;
        let is_new = !measures::is_known(name)
            && (self.parts.of_type::<Measure>()).all(|other| other.name != name);
        assert!(is_new, "there are two columns called `{name}`");
        self.parts.add(measure);
        self
    }

    /// Adds a feature of players, which tells their styles apart.
    pub fn feature(mut self, feature: Feature) -> Self {
        let name = feature.name;
        let is_new = features::all().all(|other| other.name != name)
            && (self.parts.of_type::<Feature>()).all(|other| other.name != name);
        assert!(is_new, "there are two features called `{name}`");
        self.parts.add(feature);
        self
    }

    fn part<T: ?Sized>(mut self, part: CustomConfig<T>, built_in: &[&str]) -> Self {
        let name = part.name();
        let is_new = !built_in.contains(&name)
            && (self.parts.of_type::<CustomConfig<T>>()).all(|other| other.name() != name);
        assert!(is_new, "there are two parts of a kind called `{name}`");
        self.parts.add(part);
        self
    }

    /// Makes the parts, and the presets and champions inside the program, known to this process,
    /// for programs without the command line. Call it once, before anything is read.
    ///
    /// # Panics
    ///
    /// If it is called twice.
    pub fn register(self) {
        shipped::hand_in();
        self.parts.register();
    }

    /// Runs the command line with these parts.
    #[cfg(feature = "cli")]
    pub fn main(self) -> std::process::ExitCode {
        self.register();
        crate::cli::main()
    }
}
