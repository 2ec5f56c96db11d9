//! The activations of the shown network in a position of the sample game. No drawing.

use std::sync::Arc;

use crate::model::champions::Champions;
use crate::model::sample_game::SamplePosition;
use finches_engine::games::Side;

use super::inspection::Inspection;

/// Whether activations are shown instead of weights.
#[derive(Default)]
pub(super) enum Activity {
    /// Weights are shown.
    #[default]
    Off,
    On(PositionActivity),
}

/// The activations in a position.
#[derive(Default)]
pub(super) struct PositionActivity {
    sample: Option<SamplePosition>,
    side: Option<Side>,
    activations: Vec<f32>,
}

impl Activity {
    pub(super) fn is_on(&self) -> bool {
        matches!(self, Self::On(_))
    }

    pub(super) fn toggle(&mut self) {
        *self = match self {
            Self::Off => Self::On(PositionActivity::default()),
            Self::On(_) => Self::Off,
        };
    }

    /// The activation of each node; empty if weights are shown.
    pub(super) fn activations(&self) -> &[f32] {
        match self {
            Self::Off => &[],
            Self::On(activity) => &activity.activations,
        }
    }

    /// Sets the position to show.
    pub(super) fn set_position(&mut self, sample: Option<SamplePosition>) {
        if let Self::On(activity) = self {
            activity.sample = sample;
        }
    }

    /// Evaluates the network in the position.
    pub(super) fn evaluate(&mut self, champions: &Champions, inspection: Option<&Inspection>) {
        let Self::On(activity) = self else { return };
        activity.activations.clear();
        let (Some(inspection), Some(sample)) = (inspection, &activity.sample) else {
            return;
        };
        let arena = Arc::clone(&champions.arena);
        let Some((side, numbers)) = arena.encoded_position(&sample.position) else {
            return;
        };
        let (config, genome) = (&champions.preset.genome, &inspection.player.champion.genome);
        activity.side = Some(side);
        activity.activations = config.activations(genome, arena.io_spec(), &numbers);
    }

    /// The state as a sentence.
    pub(super) fn description(&self) -> String {
        let Self::On(activity) = self else {
            return String::new();
        };
        match (&activity.sample, activity.side) {
            (None, _) => "Activations: no sample game yet.".to_owned(),
            (Some(_), _) if activity.activations.is_empty() => {
                "A lookup table has no activations: it stores a move for each position.".to_owned()
            }
            (Some(sample), side) => {
                let side = match side {
                    Some(Side::Second) => "second",
                    _ => "first",
                };
                let SamplePosition {
                    description,
                    position,
                } = sample;
                format!(
                    "Activations in {description}: {position}, {side} player to move; , . step."
                )
            }
        }
    }
}
