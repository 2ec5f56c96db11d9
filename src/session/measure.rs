//! The figures of a generation: fitness, size, and how the champion does by measures that no fitness knows.

use std::sync::Arc;

use crate::arena::meet::{Conditions, Contender, Meeting};
use crate::arena::player::Player;
use crate::arena::{Arena, Tournament, league, versus};
use crate::evolution::breed::Origin;
use crate::evolution::fame;
use crate::games::reference::Reference;
use crate::metrics::{Row, Whose};
use crate::preset::Preset;

use super::grading::{self, Grading, Opponents};
use super::{Finished, Session};

/// Columns that nothing here measures yet.
const UNMEASURED: [&str; 2] = ["species", "diversity"];

/// The reference players that a run is measured against.
pub(super) fn references(arena: &dyn Arena) -> Vec<Reference> {
    let judges = arena.judges();
    let measured = |reference: &Reference| {
        reference.measured(judges).is_some() && (arena.is_solved() || !reference.needs_solution())
    };
    Reference::all(judges)
        .into_iter()
        .filter(measured)
        .collect()
}

/// Whether a run of the preset has a column.
pub(super) fn is_measured(name: &str, preset: &Preset, arena: &dyn Arena) -> bool {
    match name {
        "progress" | "baseline" => preset.measures.keep_every > 0,
        "wrong_decisions" => preset.evolution.fame.hall().is_some() && arena.is_listed(),
        "hall_diversity" => preset.evolution.fame.hall().is_some(),
        "champion_origin" | "fitness_elites" | "fitness_crosses" | "fitness_mutants" => {
            preset.evolution.has_lineages()
        }
        "growth" | "growth_sum" => preset.measures.growth_games > 0,
        "chicken_share" => preset.param("evolution.breeding.chicken").is_some(),
        "pop_mean_vs_perfect" | "pop_best_vs_perfect" => false,
        _ if name.starts_with("pop_") => preset.measures.population_games > 0,
        "accuracy_games" => arena.is_solved(),
        "accuracy_states" => arena.is_listed(),
        _ => !UNMEASURED.contains(&name),
    }
}

impl Session {
    /// Measures a generation: its row, without `seconds`.
    pub fn measure(&mut self, finished: &Finished) -> Row {
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
        if self.preset.grades(generation) {
            for (name, share) in self.against_references(&player) {
                row.set(&self.columns, &name, share);
            }
        }
        if self.preset.keeps(generation) {
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

    /// What the hall of fame and those who challenge members came to.
    fn measure_hall(&self, finished: &Finished, row: &mut Row) {
        let columns = &self.columns;
        let [tried, won] = finished.challenges;
        if tried > 0 {
            row.set(columns, "chicken_share", f64::from(won) / f64::from(tried));
        }
        let hall = &self.state.population.hall;
        if hall.is_empty() {
            return;
        }
        row.set(columns, "hall_diversity", fame::diversity(hall));
        let wrong = self.arena.wrong_decisions(&self.players);
        if let Some(fewest) = wrong.and_then(|wrong| wrong.into_iter().min()) {
            row.set(columns, "wrong_decisions", f64::from(fewest));
        }
    }

    /// Where the champion comes from, and how fit the members of each origin are.
    fn measure_origins(&self, finished: &Finished, row: &mut Row) {
        let origins = &self.state.population.origins;
        let Some(champion) = origins.get(finished.best) else {
            return;
        };
        let number = f64::from(*champion as u8);
        row.set(&self.columns, "champion_origin", number);
        let means = [
            (Origin::Elite, "fitness_elites"),
            (Origin::Cross, "fitness_crosses"),
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

    /// The champion against those of the generations shortly before it, once there are two of them (Thien 2018, "Learning Rate").
    fn measure_growth(&self, champion: &Arc<Player>) -> Option<f64> {
        const FEWEST: usize = 2;
        let games = self.preset.measures.growth_games;
        let recent = &self.state.recent;
        if games == 0 || recent.len() < FEWEST {
            return None;
        }
        let genomes = recent.iter().map(|recent| &recent.genome);
        let others = grading::players(&self.preset.genome, self.arena.ports(), genomes);
        let players = std::iter::once(champion).chain(&others);
        let contenders: Vec<Contender> = players
            .map(|player| Arc::clone(&self.arena).contender(Arc::clone(player)))
            .collect();
        let pair = |other: usize| [0, other + 1];
        let meetings: Vec<Meeting> = (0..others.len())
            .flat_map(|other| league::series(pair(other), games))
            .collect();
        let conditions = Conditions {
            seed: self.seed,
            key: self.state.generation,
            first: 0,
            noise: 0.0,
            halt: None,
        };
        let played = self
            .arena
            .meet(&self.pool, &contenders, &meetings, &conditions);
        let played = played.expect("all come from this arena");
        let tally = league::tally(pair(0), &played);
        Some((tally.wins as f64 - tally.losses as f64) / tally.games() as f64)
    }

    /// What the champion, and where it is wanted the population, gets against the reference players, by columns.
    fn against_references(&self, champion: &Arc<Player>) -> Vec<(String, f64)> {
        let measures = &self.preset.measures;
        let against = |players: &[Arc<Player>], reference, games| {
            versus::shares(&self.arena, &self.pool, players, reference, games)
        };
        let mut shares = Vec::new();
        for &reference in &self.references {
            let name = reference.name(self.arena.judges());
            let own = std::slice::from_ref(champion);
            let share = against(own, reference, measures.held_out_games)[0];
            shares.push((Whose::Champion.name(&name), share));
            // Where hardly anyone gets a point, the whole population tells no more than its champion.
            if measures.population_games > 0 && reference != Reference::Perfect {
                let all = against(&self.players, reference, measures.population_games);
                let mean = all.iter().sum::<f64>() / all.len() as f64;
                let best = all.iter().copied().fold(0.0, f64::max);
                shares.push((Whose::Mean.name(&name), mean));
                shares.push((Whose::Best.name(&name), best));
            }
        }
        shares
    }

    /// The population against that of generation 0 and against fresh networks, by columns.
    fn grade(&self) -> [(&'static str, f64); 2] {
        let games = u64::from(self.preset.measures.grading_games);
        let grading = Grading::new(&self.preset, self.seed, &self.arena)
            .expect("the parts of the preset go together, and random networks play any game");
        let share = |opponents| {
            let graded = grading.grade(&self.pool, &self.players, opponents, games);
            graded.share
        };
        [
            ("progress", share(Opponents::Beginners)),
            ("baseline", share(Opponents::Strangers)),
        ]
    }

    /// The champion against earlier champions; in the first generation, which has none, against itself.
    fn tournament(&mut self, champion: &Player) -> Tournament {
        let archive = &self.state.population.archive;
        let opponents = self.preset.measures.tournament_games.div_ceil(2) as usize;
        let chosen = archive.spread(opponents);
        let genome = &self.preset.genome;
        self.famers.retain(|(generation, _)| {
            archive
                .kept()
                .binary_search_by_key(generation, |kept| kept.generation)
                .is_ok()
        });
        for &place in &chosen {
            let kept = &archive.kept()[place];
            if let Err(slot) = self
                .famers
                .binary_search_by_key(&kept.generation, |famer| famer.0)
            {
                let player = Arc::new(Player::grown(genome, self.arena.ports(), &kept.genome));
                self.famers.insert(slot, (kept.generation, player));
            }
        }
        let grown = |place: &usize| {
            let generation = archive.kept()[*place].generation;
            let slot = self
                .famers
                .binary_search_by_key(&generation, |famer| famer.0)
                .expect("it was grown above");
            self.famers[slot].1.as_ref()
        };
        let mut players: Vec<&Player> = chosen.iter().map(grown).collect();
        if players.is_empty() && opponents > 0 {
            players.push(champion);
        }
        self.arena
            .tournament(champion, &players, self.seed, self.state.generation)
    }

    /// Mean hidden layers, and mean nodes per hidden layer, over the population; a member without hidden layers counts as 0.
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
