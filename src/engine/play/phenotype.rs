//! The phenotype of a genome: a brain that is ready to play, with its policy once it has been
//! computed.

use std::sync::{Arc, OnceLock};

use crate::agents::Policy;
use crate::genomes::{AnyGenome, Brain, GenomeConfig, GenomeError, IoSpec};

/// A brain and its policy. Members with the same genome share one phenotype, and an unchanged
/// offspring shares its parent's, so that no policy is computed twice. A phenotype belongs to one
/// arena; that of another game refuses it.
pub struct Phenotype {
    brain: Box<dyn Brain>,
    policy: OnceLock<Policy>,
    /// What it was grown for, as in [`IoSpec::game`].
    game: Arc<str>,
}

impl Phenotype {
    /// The phenotype of a brain that is already grown, for any arena that it fits.
    pub fn new(brain: Box<dyn Brain>) -> Self {
        Self {
            brain,
            policy: OnceLock::new(),
            game: Arc::default(),
        }
    }

    /// The phenotype of a genome that may be of another kind or damaged: from a file, for example,
    /// or from another run.
    ///
    /// # Errors
    ///
    /// As [`GenomeConfig::validate`].
    pub fn checked(
        config: &GenomeConfig,
        io_spec: &IoSpec,
        genome: &AnyGenome,
    ) -> Result<Self, GenomeError> {
        config.validate(genome, io_spec)?;
        Ok(Self::grown(config, io_spec, genome))
    }

    /// The phenotype of a genome of this kind, which must fit the inputs and outputs.
    pub fn grown(config: &GenomeConfig, io_spec: &IoSpec, genome: &AnyGenome) -> Self {
        Self::grown_unlearned(config, io_spec, &config.learned(genome, io_spec))
    }

    /// The phenotype of a genome of this kind that needs no lessons or has had them.
    pub fn grown_unlearned(config: &GenomeConfig, io_spec: &IoSpec, genome: &AnyGenome) -> Self {
        Self {
            game: Arc::clone(&io_spec.game),
            ..Self::new(config.grow_unlearned(genome, io_spec))
        }
    }

    /// The network or table.
    pub fn brain(&self) -> &dyn Brain {
        self.brain.as_ref()
    }

    /// Checks that it was grown for this game and for this meaning of its outputs.
    ///
    /// # Panics
    ///
    /// If it was not: its policy and its inputs are those of other positions, or its outputs are
    /// too few.
    pub(super) fn check(&self, io_spec: &IoSpec) {
        let is_own = Arc::ptr_eq(&self.game, &io_spec.game) || self.game == io_spec.game;
        assert!(
            is_own || self.game.is_empty(),
            "a player of {} can't play {}; grow it with the `io_spec` of the arena it plays in",
            self.game,
            io_spec.game
        );
    }

    /// The policy, computed by `write` on first use.
    pub(super) fn policy(&self, write: impl FnOnce(&dyn Brain) -> Policy) -> &Policy {
        self.policy.get_or_init(|| write(self.brain()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::AgentConfig;
    use crate::games::GameConfig;
    use crate::params::Params;
    use crate::play::pool::Pool;
    use crate::play::{Arena, PlayerRef, build};
    use crate::rng::{Purpose, stream};
    use crate::search::{CancelToken, NeverCancel};

    fn arena(game: &str, heaps: Option<&str>) -> Arc<dyn Arena> {
        arena_of(game, heaps, "one_ply")
    }

    fn arena_of(game: &str, heaps: Option<&str>, agent: &str) -> Arc<dyn Arena> {
        let mut game = GameConfig::named(game).expect("it is registered");
        if let Some(heaps) = heaps {
            game.set("heaps", heaps).expect("they are valid");
        }
        let agent = AgentConfig::named(agent).expect("it is registered");
        build(&game, &agent).expect("they go together")
    }

    /// A player that was grown for an arena.
    fn player(own: &Arc<dyn Arena>) -> Phenotype {
        let config = GenomeConfig::named("mlp").expect("it is registered");
        let mut rng = stream(1, Purpose::Initialization, 0, 0);
        let genome = config.random(own.io_spec(), &mut rng);
        Phenotype::grown(&config, own.io_spec(), &genome)
    }

    /// The accuracy in one arena of a player that was grown for another.
    fn accuracy_of_stranger(own: &Arc<dyn Arena>, other: &Arc<dyn Arena>) -> Option<f64> {
        other.accuracy(&player(own))
    }

    #[test]
    fn an_equal_arena_takes_a_player() {
        let heaps = Some("[2, 2]");
        let found = accuracy_of_stranger(&arena("nim", heaps), &arena("nim", heaps));
        assert!(found.is_some());
    }

    #[test]
    #[should_panic(expected = "a player of nim heaps=[2,2]")]
    fn an_arena_of_other_heaps_refuses_a_player() {
        accuracy_of_stranger(&arena("nim", Some("[2, 2]")), &arena("nim", Some("[3, 2]")));
    }

    #[test]
    #[should_panic(expected = "by the value of a position can't play nim")]
    fn an_agent_that_takes_other_outputs_refuses_a_player() {
        let heaps = Some("[2, 2]");
        accuracy_of_stranger(&arena("nim", heaps), &arena_of("nim", heaps, "direct"));
    }

    #[test]
    fn a_search_takes_a_player_that_values_positions() {
        let heaps = Some("[2, 2]");
        let deep = arena_of("nim", heaps, "alpha_beta");
        assert!(accuracy_of_stranger(&arena("nim", heaps), &deep).is_some());
    }

    #[test]
    fn every_door_of_an_arena_refuses_a_stranger() {
        let (own, other) = (arena("nim", Some("[2, 2]")), arena("nim", Some("[3, 2]")));
        let stranger = Arc::new(player(&own));
        let evolved = PlayerRef::Evolved(&stranger);
        let pool = Pool::new(1).expect("there is a thread");
        let cancel: Arc<dyn CancelToken> = Arc::new(NeverCancel);
        let doors: [&dyn Fn(); 6] = [
            &|| {
                other.accuracy(&stranger);
            },
            &|| {
                other.share_won(&pool, evolved, 10);
            },
            &|| {
                other.play_record([evolved; 2], Default::default(), 1, 0, 0);
            },
            &|| {
                other.tournament(&stranger, &[&stranger], 1, 0);
            },
            &|| {
                Arc::clone(&other).match_player(Arc::clone(&stranger));
            },
            &|| {
                let table = Arc::clone(&other).interactive_game(0);
                table.evaluate_moves(&stranger, &cancel);
            },
        ];
        for (number, door) in doors.iter().enumerate() {
            let opened = std::panic::catch_unwind(std::panic::AssertUnwindSafe(door));
            let refused = opened.expect_err("it is refused");
            let message = refused.downcast_ref::<String>().expect("it says why");
            assert!(
                message.contains("can't play nim heaps=[3,2]"),
                "{number}: {message}"
            );
        }
    }

    #[test]
    #[should_panic(expected = "grow it with the `io_spec` of the arena")]
    fn an_arena_of_another_game_refuses_a_player() {
        accuracy_of_stranger(&arena("nim", Some("[2]")), &arena("bounded_nim", None));
    }
}
