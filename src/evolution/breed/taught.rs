//! No breeding at all: every member stays and is taught, by back-propagation from what a reference player would do. It is what
//! evolution is compared with (Weaver & Bossomaier 1996, "Supervised Training").

use crate::params::{Problem, params};
use crate::rng::Stream;

use super::{Breed, Child, Litter, Stock};

params! {
    /// Every member stays and goes through its lessons once a generation.
    pub struct Taught {
        /// The reference player by whose rule of thumb moves are worth something: what it gains by each move is what the output for the move should be.
        fixed teacher: String = "level-1".to_owned();
        /// Games of the teacher against the random player from which a set of lessons is made: one of each of its positions in which some move gains something.
        fixed games: u32 = 800, in 1.0..=100000.0, "games";
        /// Sets of lessons; members are dealt out to them.
        fixed sets: u32 = 10, in 1.0..=1000.0, "sets";
        /// How far a weight is moved by each lesson.
        live rate: f64 = 0.1, in 0.0..=100.0;
    }
}

impl Breed for Taught {
    fn litter<'a>(
        &'a self,
        stock: &'a Stock<'a>,
        _seed: u64,
        _generation: u64,
    ) -> Box<dyn Litter + 'a> {
        Box::new(School {
            rate: self.rate,
            stock,
        })
    }

    fn teaching(&self) -> Option<&Taught> {
        Some(self)
    }

    fn problems(&self, _population: usize) -> Vec<Problem> {
        Vec::new()
    }
}

struct School<'a> {
    rate: f64,
    stock: &'a Stock<'a>,
}

impl Litter for School<'_> {
    fn child(&self, place: usize, rng: &mut Stream) -> Child {
        let stock = self.stock;
        let Some(set) = place.checked_rem(stock.lessons.len()) else {
            return Child::copy(stock, place);
        };
        let mut pupil = stock.members[place].clone();
        let lessons = &stock.lessons[set];
        stock.genome.learn(&mut pupil, lessons, self.rate, rng);
        Child::new(pupil)
    }
}
