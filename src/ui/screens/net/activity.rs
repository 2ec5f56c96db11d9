//! What the shown network makes of a position: whether that is looked at, which position it is, and what each node gives. It
//! draws nothing.

use std::sync::Arc;

use crate::games::Side;
use crate::ui::screens::champions::Champions;

use super::portrait::Found;

/// A position of a game, and where it stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// As the game writes it.
    pub position: String,
    /// Which game it is, and how many moves were made.
    pub words: String,
}

/// The activity of a network.
#[derive(Default)]
pub(super) enum Activity {
    /// Weights are looked at.
    #[default]
    Off,
    On(Lit),
}

/// What a network makes of a position.
#[derive(Default)]
pub(super) struct Lit {
    moment: Option<Moment>,
    side: Option<Side>,
    values: Vec<f32>,
}

impl Activity {
    pub(super) fn is_on(&self) -> bool {
        matches!(self, Self::On(_))
    }

    pub(super) fn toggle(&mut self) {
        *self = match self {
            Self::Off => Self::On(Lit::default()),
            Self::On(_) => Self::Off,
        };
    }

    /// What each node gives; none where weights are looked at.
    pub(super) fn values(&self) -> &[f32] {
        match self {
            Self::Off => &[],
            Self::On(lit) => &lit.values,
        }
    }

    /// Takes over the position of the game that is shown.
    pub(super) fn turn_to(&mut self, moment: Option<Moment>) {
        if let Self::On(lit) = self {
            lit.moment = moment;
        }
    }

    /// Shows the position to a network.
    pub(super) fn show_to(&mut self, champions: &Champions, found: Option<&Found>) {
        let Self::On(lit) = self else { return };
        lit.values.clear();
        let (Some(found), Some(moment)) = (found, &lit.moment) else {
            return;
        };
        let arena = Arc::clone(&champions.arena);
        let Some((side, numbers)) = arena.sight(&moment.position) else {
            return;
        };
        let (config, genome) = (&champions.preset.genome, &found.exhibit.champion.genome);
        lit.side = Some(side);
        lit.values = config.activity(genome, arena.ports(), &numbers);
    }

    /// What is looked at, in words.
    pub(super) fn words(&self) -> String {
        let Self::On(lit) = self else {
            return String::new();
        };
        match (&lit.moment, lit.side) {
            (None, _) => "Activity: there is no sample game yet.".to_owned(),
            (Some(_), _) if lit.values.is_empty() => {
                "A table has no activity: it says what to play, position by position.".to_owned()
            }
            (Some(moment), side) => {
                let side = match side {
                    Some(Side::Second) => "second",
                    _ => "first",
                };
                let Moment { words, position } = moment;
                format!("Activity in {words}: {position}, the {side} player to move; , . step.")
            }
        }
    }
}
