//! The step from one generation to the next.

use std::sync::Arc;

use rand::seq::SliceRandom;

use crate::evolution;
use crate::evolution::archive::Champion;
use crate::evolution::breeding::{Origin, ParentPool, ReplayLookup};
use crate::evolution::hall_of_fame::{self, HallOfFameEntry};
use crate::evolution::phylogeny::{Descent, Phylogeny, PlayedGeneration};
use crate::evolution::replacement::ParentChoice;
use crate::evolution::selection::ranking;
use crate::rng::{Purpose, stream};

use super::progress::GenerationPhase;
use super::replay::ReplayBuffers;
use super::snapshot::kinship_of_offspring;
use super::{FinishedGeneration, GenerationSnapshot, RECENT_CHAMPIONS, Session, learning};

impl Session {
    /// Completes a generation: archives its champion and makes the next generation.
    pub fn reproduce(&mut self, finished: FinishedGeneration) {
        self.progress.begin(GenerationPhase::Reproducing, 0);
        let generation = self.state.generation;
        let restart = self.restart(&finished.champion);
        let buffers = ReplayBuffers::of(self, &finished.replayed);
        let recall = buffers
            .as_ref()
            .map(|buffers| |member, games| buffers.buffer(member, games));
        let seed = self.seed;
        let evolution = &self.preset.evolution;
        let parent_choice = evolution.replacement.traits().parent_choice;
        let has_own_places = parent_choice == ParentChoice::OwnPlace;
        let breed = |replay: Option<&ReplayLookup<'_>>| {
            let parents = ParentPool {
                restart: restart.as_ref(),
                memory: &finished.memory,
                replay,
                ..self.parent_pool(&finished.fitness, &finished.neighborhoods)
            };
            evolution::with_offspring_plan(evolution, &parents, seed, generation, |plan| {
                self.pool.map_with(
                    evolution.population as usize,
                    || (),
                    |(), index| {
                        let mut rng = stream(seed, Purpose::Reproduction, generation, index as u64);
                        let member = plan.offspring(index, &mut rng);
                        let mut descent = Descent::from(&member);
                        if has_own_places {
                            descent = descent.along_selected();
                        }
                        (member.genome, (member.origin, descent))
                    },
                )
            })
        };
        if let Some(buffers) = &buffers {
            buffers.share(|note| drop(breed(Some(note))));
        }
        let next = breed(recall.as_ref().map(|recall| recall as &ReplayLookup<'_>));
        let (mut members, made): (Vec<_>, Vec<_>) = next.into_iter().unzip();
        let (origins, descents): (Vec<Origin>, Vec<Descent>) = made.into_iter().unzip();
        let is_new = |member: usize| descents[member].copy_of.is_none();
        let all = members.iter_mut().enumerate();
        let born = all.filter_map(|(index, genome)| is_new(index).then_some(genome));
        learning::teach_newborns(self, born.collect(), generation + 1);
        let mut innovations = self.state.population.innovations;
        evolution::number_new_genes(&self.preset.genome, &mut members, &mut innovations);
        let all = members.iter().enumerate();
        let born = all.filter_map(|(index, genome)| is_new(index).then_some(genome));
        let mut grown = learning::players(self, &born.collect::<Vec<_>>()).into_iter();
        let player = |descent: &Descent| match descent.copy_of {
            Some(parent) => Arc::clone(&self.players[parent]),
            None => grown.next().expect("each new member has one"),
        };
        let players: Vec<_> = descents.iter().map(player).collect();
        let champion = Arc::clone(&self.players[finished.best]);
        self.past.archived.insert(generation, Arc::clone(&champion));
        self.update_hall_of_fame(&finished);
        self.state.population.innovations = innovations;
        self.state.population.memory = finished.memory.clone();
        let kept = self.kept_fitness(&origins, &descents, &finished.fitness);
        self.state.population.kept_fitness = kept;
        let phylogeny = Arc::new(self.phylogeny(&finished, &descents));
        let population = &mut self.state.population;
        population.phylogeny = Arc::clone(&phylogeny);
        let kinship = kinship_of_offspring(&population.kinship, generation + 1, &descents);
        let kinship = std::mem::replace(&mut population.kinship, kinship);
        let mut origins = std::mem::replace(&mut population.origins, origins);
        if generation == 0 && origins.is_empty() {
            origins = vec![Origin::New; population.members.len()];
        }
        let snapshot = Arc::new(GenerationSnapshot {
            generation,
            members: std::mem::replace(&mut population.members, members),
            fitness: finished.fitness,
            origins,
            born: phylogeny.born().collect(),
            kinship,
            memory: finished.memory,
            phylogeny,
        });
        let before = std::mem::replace(&mut self.snapshot, snapshot);
        let past = std::mem::replace(&mut self.players, players);
        self.pool.drop_in_background((before, past));
        self.state.population.archive.add(finished.champion.clone());
        self.state.growth_sum += std::mem::take(&mut self.growth);
        if self.preset.measures.growth_games > 0 {
            self.state.recent.push(finished.champion.clone());
            let recent = &mut self.past.recent;
            recent.push(champion);
            let surplus = recent.len().saturating_sub(RECENT_CHAMPIONS);
            self.state.recent.drain(..surplus);
            recent.drain(..surplus);
        }
        self.state.previous = self.state.champion.replace(finished.champion);
        self.state.totals.games += finished.lengths.games();
        self.state.totals.moves += finished.lengths.moves();
        self.lengths = finished.lengths;
        self.state.learner = None;
        self.state.generation += 1;
    }

    /// Counts generations whose champions lose to their predecessors. Returns the champion to
    /// restart from if evolution restarts.
    fn restart(&mut self, champion: &Champion) -> Option<Champion> {
        let limit = self.preset.evolution.restart.limit()?;
        self.state.regress.count(champion, self.growth, limit)
    }

    /// Adds members of the generation to the hall of fame.
    fn update_hall_of_fame(&mut self, finished: &FinishedGeneration) {
        let evolution = &self.preset.evolution;
        let Some(config) = evolution.hall_of_fame.hall() else {
            return;
        };
        let population = &mut self.state.population;
        let generation = self.state.generation;
        let mut rng = stream(self.seed, Purpose::HallOfFame, generation, 0);
        let candidates = match evolution.replacement.archive(&finished.memory) {
            Some(mut archive) => {
                archive.shuffle(&mut rng);
                archive
            }
            None => ranking(&finished.fitness),
        };
        let (hall, members) = (&population.hall_of_fame, &population.members);
        let changes = hall_of_fame::replacements(config, hall, members, &candidates, &mut rng);
        for change in changes {
            population.hall_of_fame[change.place] = HallOfFameEntry {
                genome: population.members[change.member].clone(),
                generation: Some(generation),
            };
            self.past.hall_of_fame[change.place] = Arc::clone(&self.players[change.member]);
        }
    }

    /// The phylogeny with the members of the next generation.
    fn phylogeny(&self, finished: &FinishedGeneration, offspring: &[Descent]) -> Phylogeny {
        let population = &self.state.population;
        let before = self.state.regress.before.as_ref();
        let before = before.map(|champion| champion.generation);
        let is_archived =
            |generation: u64| population.archive.has(generation) || before == Some(generation);
        let played = PlayedGeneration {
            generation: self.state.generation,
            members: &population.members,
            fitness: &finished.fitness,
            champion: finished.best,
            is_archived: &is_archived,
        };
        population.phylogeny.advanced(&played, offspring)
    }

    /// The fitness that each member of the next generation keeps; empty if none does.
    fn kept_fitness(
        &self,
        origins: &[Origin],
        descents: &[Descent],
        fitness: &[f64],
    ) -> Vec<Option<f64>> {
        let replacement = &self.preset.evolution.replacement;
        let kept = origins.iter().zip(descents).map(|(origin, descent)| {
            let parent = descent.copy_of.filter(|_| *origin == Origin::Elite)?;
            replacement.kept_fitness(fitness[parent])
        });
        let kept: Vec<Option<f64>> = kept.collect();
        if kept.iter().all(Option::is_none) {
            return Vec::new();
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::play::pool::Pool;
    use crate::preset::Preset;
    use crate::session::SessionState;

    const ELITES: usize = 4;

    fn session(changes: &[(&str, &str)]) -> Session {
        let text = include_str!("../../../presets/hynek-21-depreciation.ron");
        let preset = Preset::parse(text, "test", "test").expect("it is valid");
        let few = [("population", "40"), ("size", "20"), ("elites", "4")];
        let changes = few.iter().chain(changes);
        let changes = changes.map(|&(key, value)| (key.to_owned(), value.to_owned()));
        let preset = preset.with(&changes.collect::<Vec<_>>());
        let pool = Pool::new(1).expect("there is a thread");
        Session::new(preset.expect("it is valid"), 2, Vec::new(), pool).expect("it is valid")
    }

    fn advance(session: &mut Session) {
        let row = session.advance(&AtomicBool::new(false));
        row.expect("nothing halts it");
    }

    /// The state of the session, written to a file and read back.
    fn saved(session: &Session) -> SessionState {
        let notation = crate::params::notation();
        let text = notation.to_string(session.state());
        let read = notation.from_str(&text.expect("it can be written"));
        read.expect("it was just written")
    }

    #[test]
    fn a_survivor_keeps_the_fitness_of_its_first_generation_depreciated_in_each() {
        let mut session = session(&[("depreciation", "0.5")]);
        advance(&mut session);
        for _ in 0..20 {
            let before = session.fitness().to_vec();
            let ranked = ranking(&before);
            advance(&mut session);
            let snapshot = session.snapshot();
            for place in 0..ELITES {
                assert_eq!(snapshot.origins[place], Origin::Elite);
                let expected = before[ranked[place]] / 2.0;
                assert_eq!(snapshot.fitness[place].to_bits(), expected.to_bits());
            }
            let whole = |fitness: &f64| fitness.fract() == 0.0;
            assert!(
                snapshot.fitness[ELITES..].iter().all(whole),
                "the others win games"
            );
        }
        // An elite of several generations has a fraction of its wins left.
        let fractions = session
            .fitness()
            .iter()
            .filter(|fitness| fitness.fract() > 0.0);
        assert!(fractions.count() > 0);
    }

    #[test]
    fn a_depreciated_run_resumes_exactly_and_old_files_have_no_kept_fitness() {
        let mut whole = session(&[]);
        for _ in 0..5 {
            advance(&mut whole);
        }
        let state = saved(&whole);
        assert_eq!(&state, whole.state());
        let kept = state.population.kept_fitness.iter().flatten();
        assert_eq!(kept.count(), ELITES);
        let preset = whole.preset().clone();
        let pool = Pool::new(2).expect("there are threads");
        let resumed = Session::resume(preset.clone(), 2, Vec::new(), state.clone(), pool);
        let mut resumed = resumed.expect("it is the same run");
        for _ in 0..5 {
            advance(&mut whole);
            advance(&mut resumed);
            assert_eq!(whole.fitness(), resumed.fitness());
        }
        assert_eq!(whole.state(), resumed.state());
        let mut plain = session(&[("depreciation", "None")]);
        advance(&mut plain);
        let text = crate::params::notation().to_string(plain.state());
        assert!(!text.expect("it can be written").contains("kept_fitness"));
        for (wrong, expected) in [
            (
                vec![Some(1.0); 3],
                "must be as many as the members (40), are 3",
            ),
            (vec![Some(f64::NAN); 40], "must be finite, is NaN"),
        ] {
            let mut state = state.clone();
            state.population.kept_fitness = wrong;
            let pool = Pool::new(1).expect("there is a thread");
            let refused = Session::resume(preset.clone(), 2, Vec::new(), state, pool);
            let refused = refused.err().expect("it is invalid").to_string();
            assert_eq!(refused, format!("population.kept_fitness: {expected}"));
        }
    }

    #[test]
    fn after_bad_generations_the_next_is_bred_from_the_champion_before_them() {
        let changes = [
            ("population", "12"),
            ("opponents", "6"),
            ("growth_games", "6"),
            ("mutation.rate", "0"),
            ("immigrant_share", "0.5"),
            ("evolution.restart", "on_regress(after: 2)"),
        ];
        let changes = changes.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let preset = Preset::default().with(&changes).expect("it is valid");
        let pool = || Pool::new(1).expect("there is a thread");
        let mut session = Session::new(preset.clone(), 1, Vec::new(), pool()).expect("it is valid");
        let (mut bad, mut before, mut restarts) = (0, None, 0);
        for _ in 0..80 {
            let row = session.advance(&AtomicBool::new(false));
            let row = row.expect("nothing halts it");
            let growth = row.get(session.columns(), "growth");
            if growth.is_some_and(|growth| growth < 0.0) {
                bad += 1;
            } else {
                (bad, before) = (0, session.state().champion.clone());
            }
            if bad == 2 {
                let champion = before.as_ref().expect("the first two have no growth");
                let mut members = session.state().population.members.iter();
                assert!(
                    members.all(|member| *member == champion.genome),
                    "none is mutated"
                );
                (bad, restarts) = (0, restarts + 1);
            }
            assert_eq!(session.state().regress.generations, bad);
        }
        assert!(restarts > 2, "{restarts} restarts");
        let state = saved(&session);
        assert_eq!(&state, session.state());
        let mut later = state.clone();
        let regress = &mut later.regress;
        let champion = regress.before.as_mut().expect("there is one");
        champion.generation = 80;
        let refused = Session::resume(preset.clone(), 1, Vec::new(), later, pool());
        assert!(
            refused
                .err()
                .expect("it is invalid")
                .to_string()
                .contains("of generation 80")
        );
        let mut resumed = Session::resume(preset, 1, Vec::new(), state, pool());
        let resumed = resumed.as_mut().expect("it is the same run");
        for _ in 0..20 {
            advance(&mut session);
            advance(resumed);
            assert_eq!(session.state(), resumed.state());
        }
    }
}
