//! Points against the reference players in held-out games: three columns for each of them.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::metrics::Column;
use crate::play::phenotype::Phenotype;
use crate::play::reference_player::ReferencePlayer;
use crate::play::{Arena, held_out};
use crate::preset::Preset;
use crate::session::Session;

/// Which share of points against a reference player a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VersusMeasure {
    Champion,
    /// The mean over the population.
    Mean,
    /// The best of the population, which need not be the champion.
    Best,
}

impl VersusMeasure {
    pub(super) const ALL: [Self; 3] = [Self::Champion, Self::Mean, Self::Best];

    /// The name of the column: `level-1` meets the champion in `vs_level_1`.
    fn name(self, reference: &str) -> String {
        let prefix = match self {
            Self::Champion => "",
            Self::Mean => "pop_mean_",
            Self::Best => "pop_best_",
        };
        format!("{prefix}vs_{}", reference.replace('-', "_"))
    }

    /// The column of that name if it holds points against a reference player.
    pub(super) fn parse(name: &str) -> Option<Column> {
        let mut all = Self::ALL.into_iter();
        all.find_map(|whose| {
            let reference = name.strip_prefix(&whose.name(""))?;
            Some(whose.column(&reference.replace('_', "-")))
        })
    }

    pub(super) fn column(self, reference: &str) -> Column {
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
            objective_rank: u32::from(self == Self::Champion),
        }
    }

    /// Whether a run of the preset has the column of this reference player.
    pub(super) fn applies(self, reference: ReferencePlayer, preset: &Preset) -> bool {
        self == Self::Champion
            || (reference != ReferencePlayer::Oracle && preset.measures.population_games > 0)
    }
}

/// Whether a column holds the champion's points against a reference player.
pub fn is_versus(name: &str) -> bool {
    name.starts_with(&VersusMeasure::Champion.name(""))
}

/// The reference players that champions are measured against.
pub(in crate::session) fn references(arena: &dyn Arena) -> Vec<ReferencePlayer> {
    let heuristics = arena.info().heuristics;
    let measured = |reference: &ReferencePlayer| {
        reference.random_move_share(heuristics).is_some()
            && (arena.info().is_solved || !reference.needs_oracle())
    };
    ReferencePlayer::all(heuristics)
        .into_iter()
        .filter(measured)
        .collect()
}

impl Session {
    /// The shares of points of the champion, and of the population if it is measured, against the reference players, by column.
    pub(super) fn against_references(&self, champion: &Arc<Phenotype>) -> Vec<(String, f64)> {
        let measures = &self.preset.measures;
        let against = |players: &[Arc<Phenotype>], reference, games| {
            held_out::point_shares(&self.arena, &self.pool, players, reference, games)
        };
        let measures_population = self.preset.measures_population(self.state.generation);
        let mut shares = Vec::new();
        for &reference in &self.references {
            let name = reference.name(self.arena.info().heuristics);
            let own = std::slice::from_ref(champion);
            let share = against(own, reference, measures.held_out_games)[0];
            shares.push((VersusMeasure::Champion.name(&name), share));
            // Hardly any member wins a point against the oracle, so the population adds nothing to its champion.
            if measures_population && reference != ReferencePlayer::Oracle {
                let all = against(&self.players, reference, measures.population_games);
                let mean = all.iter().sum::<f64>() / all.len() as f64;
                let best = all.iter().copied().fold(0.0, f64::max);
                shares.push((VersusMeasure::Mean.name(&name), mean));
                shares.push((VersusMeasure::Best.name(&name), best));
            }
            self.progress.done().fetch_add(1, Ordering::Relaxed);
        }
        shares
    }
}
