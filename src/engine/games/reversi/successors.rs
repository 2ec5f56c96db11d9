//! The lists of successors that a position's legal moves are collected in.

use super::ReversiMove;
use super::bits::FlipList;
use super::encode::{ChangeList, DiscPlacement};

/// Collects the legal moves and the changes of each.
pub(super) struct Successors<'a> {
    pub(super) moves: &'a mut Vec<ReversiMove>,
    pub(super) steps: ChangeList<'a>,
    pub(super) ends: &'a mut Vec<u32>,
}

impl FlipList for Successors<'_> {
    #[allow(
        clippy::inline_always,
        reason = "it must be compiled with the target features of its caller"
    )]
    #[inline(always)]
    fn add(&mut self, square: u8, turned: u64) {
        let disc = 1 << square;
        self.moves.push(ReversiMove(square));
        self.ends
            .push(self.steps.add(DiscPlacement { disc, turned }));
    }
}

/// Collects the legal moves and the discs after each.
pub(super) struct SuccessorSigns<'a> {
    pub(super) before: [u64; 2],
    /// Whether the player to move is the one whose point of view is encoded.
    pub(super) by_own: bool,
    pub(super) moves: &'a mut Vec<ReversiMove>,
    pub(super) signs: &'a mut Vec<[u64; 2]>,
}

impl FlipList for SuccessorSigns<'_> {
    #[allow(
        clippy::inline_always,
        reason = "it must be compiled with the target features of its caller"
    )]
    #[inline(always)]
    fn add(&mut self, square: u8, turned: u64) {
        let [own, enemy] = self.before;
        let (own, enemy) = (own | 1 << square | turned, enemy & !turned);
        self.moves.push(ReversiMove(square));
        self.signs.push(if self.by_own {
            [own, enemy]
        } else {
            [enemy, own]
        });
    }
}
