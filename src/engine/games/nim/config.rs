//! The parameters of Nim: its heaps, where games begin, who wins, and what becomes of illegal
//! moves.

use crate::games::GameParams;
use crate::params::{ParamError, choices, params};

use super::{MAX_HEAPS, Nim};

choices! {
    /// Where a game begins.
    pub enum NimStart {
        /// Every heap is full.
        Full = "full",
        /// Each heap holds 1 match up to its full size, uniformly distributed.
        Random = "random",
        /// As many heaps as chance says, from one to all, hold 1 match up to their full size; the
        /// others are empty.
        Sparse = "sparse",
        /// The same, but in training games at first at most one heap holds matches, and every
        /// `lesson` generations one more.
        Curriculum = "curriculum",
    }
}

choices! {
    /// What the last match is worth.
    pub enum LastMatch {
        /// The player who takes it loses (misère play).
        Loses = "loses",
        /// The player who takes it wins (normal play).
        Wins = "wins",
    }
}

choices! {
    /// Which heaps are in play.
    pub enum NimMode {
        /// All of them.
        All = "all",
        /// One of them, drawn at random; the others are empty (Simple Nim).
        Simple = "simple",
    }
}

choices! {
    /// How a network sees the heaps.
    pub enum NimEncoding {
        /// One input for each heap: the number of its matches.
        Counts = "counts",
        /// One input for each heap and each size from 1 on: 1 if the heap has that size, otherwise
        /// 0.
        Cells = "cells",
        /// One input for each match: 1 if it is there, otherwise 0. Matches are taken from the end
        /// of a heap.
        Unary = "unary",
    }
}

choices! {
    /// How an illegal move is treated.
    pub enum NimGrading {
        /// It loses the game at once.
        Strict = "strict",
        /// The closest legal move is played instead: the closest heap that is not empty, then the
        /// closest amount; of two equally close ones the lower.
        Safe = "safe",
    }
}

params! {
    /// Nim and its starting positions.
    pub struct NimConfig {
        /// Sizes of the heaps, at most twenty.
        fixed heaps: Vec<u16> = vec![2, 4], in 1.0..=10_000.0, "matches";
        /// Whether the player who takes the last match loses or wins.
        fixed last: LastMatch = LastMatch::Loses;
        /// Whether a game begins with full heaps, or with random ones of at most that size, some of
        /// them perhaps empty, in training perhaps few of them first.
        fixed start: NimStart = NimStart::Random;
        /// Generations until one heap more is in play, in a curriculum.
        fixed lesson: u32 = 50, in 1.0..=1000000.0, "generations";
        /// Whether all heaps are in play or one of them.
        fixed mode: NimMode = NimMode::All;
        /// Whether networks see how many matches each heap has, which size of each heap is there,
        /// or every match.
        fixed encoding: NimEncoding = NimEncoding::Counts;
        /// Whether an illegal move loses or is corrected.
        fixed grading: NimGrading = NimGrading::Strict;
    }
}

impl GameParams for NimConfig {
    type Game = Nim;

    fn build(&self) -> Nim {
        Nim {
            config: self.clone(),
        }
    }

    fn problems(&self) -> Vec<ParamError> {
        let count = self.heaps.len();
        let fits = (1..=MAX_HEAPS).contains(&count);
        let message = format!("must list 1 to {MAX_HEAPS} heaps, lists {count}");
        if fits {
            Vec::new()
        } else {
            vec![ParamError::new("heaps", message)]
        }
    }
}
