//! The measures of a generation: fitness, network size, and the champion's strength by measures that are not part of fitness.

use std::sync::Arc;

use crate::evolution::hall_of_fame;
use crate::evolution::reproduction::Origin;
use crate::metrics::{Row, VersusMeasure};
use crate::play::matches::{Match, MatchConditions, MatchPlayer};
use crate::play::phenotype::Phenotype;
use crate::play::reference_player::ReferencePlayer;
use crate::play::{Arena, TournamentResult, held_out, round_robin};
use crate::preset::Preset;

use super::grading::{self, GradingOpponents, PopulationGrading};
use super::{FinishedGeneration, Session};

/// Columns that no code measures.
const UNMEASURED: [&str; 2] = ["species", "diversity"];

/// The reference players that champions are measured against.
pub(super) fn references(arena: &dyn Arena) -> Vec<ReferencePlayer> {
    let heuristics = arena.heuristics();
    let measured = |reference: &ReferencePlayer| {
        reference.random_move_share(heuristics).is_some()
            && (arena.is_solved() || !reference.needs_oracle())
    };
    ReferencePlayer::all(heuristics)
        .into_iter()
        .filter(measured)
        .collect()
}

/// Whether a run of the preset has a column.
pub(super) fn is_measured(name: &str, preset: &Preset, arena: &dyn Arena) -> bool {
    match name {
        "progress" | "baseline" => preset.measures.keep_every > 0,
        "wrong_decisions" => {
            preset.evolution.hall_of_fame.hall().is_some() && arena.is_enumerated()
        }
        "hall_diversity" => preset.evolution.hall_of_fame.hall().is_some(),
        "champion_origin" | "fitness_elites" | "fitness_crosses" | "fitness_mutants" => {
            preset.evolution.has_lineages()
        }
        "growth" | "growth_sum" => preset.measures.growth_games > 0,
        "chicken_share" => preset
            .param("evolution.reproduction.headless_chicken")
            .is_some(),
        "pop_mean_vs_oracle" | "pop_best_vs_oracle" => false,
        _ if name.starts_with("pop_") => preset.measures.population_games > 0,
        "accuracy_games" => arena.is_solved(),
        "accuracy_states" => arena.is_enumerated(),
        _ => !UNMEASURED.contains(&name),
    }
}

impl Session {
    /// Measures a generation: its row, without `seconds`.
    pub fn measure(&mut self, finished: &FinishedGeneration) -> Row {
        let generation = self.state.generation;
        let columns = &self.columns;
        let mut row = Row::empty(columns);
        let mut set = |name: &str, value: f64| row.set(columns, name, value);
        set("generation", generation as f64);
        set(
            "games",
            (self.state.totals.games + finished.lengths.games()) as f64,
        );
        set(
            "moves",
            (self.state.totals.moves + finished.lengths.moves()) as f64,
        );
        set("best_fitness", finished.champion.fitness);
        set(
            "mean_fitness",
            finished.fitness.iter().sum::<f64>() / finished.fitness.len() as f64,
        );
        set("mean_turns", finished.lengths.mean().unwrap_or_default());
        let size = self.population_size();
        set("hidden_layers", size.0);
        set("hidden_nodes_per_layer", size.1);
        let topology = finished.champion.genome.topology();
        set("champion_nodes", topology.nodes() as f64);
        set("champion_edges", topology.edges as f64);
        let player = Arc::clone(&self.players[finished.best]);
        if let Some(accuracy) = self.arena.accuracy(&player) {
            set("accuracy_states", accuracy);
        }
        self.measure_hall(finished, &mut row);
        self.measure_origins(finished, &mut row);
        if let Some(growth) = self.measure_growth(&player) {
            self.growth = growth;
            row.set(&self.columns, "growth", growth);
            row.set(&self.columns, "growth_sum", self.state.growth_sum + growth);
        }
        if self.preset.measures_champion(generation) {
            for (name, share) in self.against_references(&player) {
                row.set(&self.columns, &name, share);
            }
        }
        if self.preset.saves_population(generation) {
            for (name, share) in self.grade() {
                row.set(&self.columns, name, share);
            }
        }
        let tournament = self.tournament(&player);
        let share = |part: u32, whole: u32| f64::from(part) / f64::from(whole);
        if tournament.games > 0 {
            row.set(
                &self.columns,
                "wins_vs_past",
                share(tournament.wins, tournament.games),
            );
        }
        if tournament.moves > 0 {
            row.set(
                &self.columns,
                "accuracy_games",
                share(tournament.good_moves, tournament.moves),
            );
        }
        row
    }

    /// Measures the hall of fame and the share of successful challengers.
    fn measure_hall(&self, finished: &FinishedGeneration, row: &mut Row) {
        let columns = &self.columns;
        let [tried, won] = finished.challenges;
        if tried > 0 {
            row.set(columns, "chicken_share", f64::from(won) / f64::from(tried));
        }
        let hall = &self.state.population.hall_of_fame;
        if hall.is_empty() {
            return;
        }
        row.set(columns, "hall_diversity", hall_of_fame::diversity(hall));
        let wrong = self.arena.wrong_decisions(&self.players);
        if let Some(fewest) = wrong.and_then(|wrong| wrong.into_iter().min()) {
            row.set(columns, "wrong_decisions", f64::from(fewest));
        }
    }

    /// Measures the origin of the champion and the mean fitness of the members of each origin.
    fn measure_origins(&self, finished: &FinishedGeneration, row: &mut Row) {
        let origins = &self.state.population.origins;
        let Some(champion) = origins.get(finished.best) else {
            return;
        };
        let number = f64::from(*champion as u8);
        row.set(&self.columns, "champion_origin", number);
        let means = [
            (Origin::Elite, "fitness_elites"),
            (Origin::Crossover, "fitness_crosses"),
            (Origin::Mutant, "fitness_mutants"),
        ];
        for (origin, name) in means {
            let members = origins.iter().zip(&finished.fitness);
            let own = members.filter(|(other, _)| **other == origin);
            let own: Vec<f64> = own.map(|(_, &fitness)| fitness).collect();
            if !own.is_empty() {
                let mean = own.iter().sum::<f64>() / own.len() as f64;
                row.set(&self.columns, name, mean);
            }
        }
    }

    /// The champion's wins minus losses per game against recent champions; `None` before there are two of them (Thien 2018,
    /// "Learning Rate").
    fn measure_growth(&self, champion: &Arc<Phenotype>) -> Option<f64> {
        const FEWEST: usize = 2;
        let games = self.preset.measures.growth_games;
        let recent = &self.state.recent;
        if games == 0 || recent.len() < FEWEST {
            return None;
        }
        let genomes = recent.iter().map(|recent| &recent.genome);
        let others = grading::players(&self.preset.genome, self.arena.ports(), genomes);
        let players = std::iter::once(champion).chain(&others);
        let match_players: Vec<MatchPlayer> = players
            .map(|player| Arc::clone(&self.arena).match_player(Arc::clone(player)))
            .collect();
        let pair = |other: usize| [0, other + 1];
        let matches: Vec<Match> = (0..others.len())
            .flat_map(|other| round_robin::head_to_head(pair(other), games))
            .collect();
        let conditions = MatchConditions {
            key: self.state.generation,
            ..MatchConditions::new(self.seed)
        };
        let played = self
            .arena
            .play_matches(&self.pool, &match_players, &matches, &conditions);
        let played = played.expect("all players come from this arena");
        let tally = round_robin::tally(&played);
        Some((tally.wins as f64 - tally.losses as f64) / tally.games() as f64)
    }

    /// The shares of points of the champion, and of the population if it is measured, against the reference players, by column.
    fn against_references(&self, champion: &Arc<Phenotype>) -> Vec<(String, f64)> {
        let measures = &self.preset.measures;
        let against = |players: &[Arc<Phenotype>], reference, games| {
            held_out::point_shares(&self.arena, &self.pool, players, reference, games)
        };
        let mut shares = Vec::new();
        for &reference in &self.references {
            let name = reference.name(self.arena.heuristics());
            let own = std::slice::from_ref(champion);
            let share = against(own, reference, measures.held_out_games)[0];
            shares.push((VersusMeasure::Champion.name(&name), share));
            // Hardly any member wins a point against the oracle, so the population adds nothing to its champion.
            if measures.population_games > 0 && reference != ReferencePlayer::Oracle {
                let all = against(&self.players, reference, measures.population_games);
                let mean = all.iter().sum::<f64>() / all.len() as f64;
                let best = all.iter().copied().fold(0.0, f64::max);
                shares.push((VersusMeasure::Mean.name(&name), mean));
                shares.push((VersusMeasure::Best.name(&name), best));
            }
        }
        shares
    }

    /// The population's progress and baseline, by column.
    fn grade(&self) -> [(&'static str, f64); 2] {
        let games = u64::from(self.preset.measures.grading_games);
        let grading = PopulationGrading::new(&self.preset, self.seed, &self.arena)
            .expect("the preset is valid, and random networks can play any game");
        let share = |opponents| {
            let graded = grading.grade(&self.pool, &self.players, opponents, games);
            graded.share().unwrap_or(f64::NAN)
        };
        [
            ("progress", share(GradingOpponents::InitialPopulation)),
            ("baseline", share(GradingOpponents::RandomNetworks)),
        ]
    }

    /// The champion's games against earlier champions, or against itself in the first generation.
    fn tournament(&mut self, champion: &Phenotype) -> TournamentResult {
        let archive = &self.state.population.archive;
        let opponents = self.preset.measures.tournament_games.div_ceil(2) as usize;
        let chosen = archive.evenly_spaced(opponents);
        let genome = &self.preset.genome;
        self.archived_players.retain(|(generation, _)| {
            archive
                .champions()
                .binary_search_by_key(generation, |kept| kept.generation)
                .is_ok()
        });
        for &place in &chosen {
            let kept = &archive.champions()[place];
            if let Err(slot) = self
                .archived_players
                .binary_search_by_key(&kept.generation, |archived| archived.0)
            {
                let player = Arc::new(Phenotype::grown(genome, self.arena.ports(), &kept.genome));
                self.archived_players
                    .insert(slot, (kept.generation, player));
            }
        }
        let grown = |place: &usize| {
            let generation = archive.champions()[*place].generation;
            let slot = self
                .archived_players
                .binary_search_by_key(&generation, |archived| archived.0)
                .expect("it was grown above");
            self.archived_players[slot].1.as_ref()
        };
        let mut players: Vec<&Phenotype> = chosen.iter().map(grown).collect();
        if players.is_empty() && opponents > 0 {
            players.push(champion);
        }
        self.arena
            .tournament(champion, &players, self.seed, self.state.generation)
    }

    /// The mean number of hidden layers and of nodes per hidden layer over the population. A member without hidden layers counts as
    /// 0 nodes.
    fn population_size(&self) -> (f64, f64) {
        let members = &self.state.population.members;
        let sizes = self.pool.map_with(
            members.len(),
            || (),
            |(), member| {
                let topology = members[member].topology();
                let layers = topology.hidden_layers() as f64;
                let nodes = topology.hidden_nodes() as f64;
                (layers, if layers > 0.0 { nodes / layers } else { 0.0 })
            },
        );
        let count = members.len() as f64;
        let layers: f64 = sizes.iter().map(|size| size.0).sum();
        let nodes: f64 = sizes.iter().map(|size| size.1).sum();
        (layers / count, nodes / count)
    }
}
