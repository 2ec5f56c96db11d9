//! The exact end of a game: the difference in discs under best play by both, found by alpha-beta
//! search to the last square. It knows boards, not the colors of the players.
//!
//! Moves that leave the opponent few replies are tried first, because their trees are small. In the
//! last squares the order is by parity: the player who moves last in a quarter of the board gains
//! by it.

use crate::games::endgame::EndgameQuery;

use super::bits::{FlipEngine, squares};

/// Below every difference in discs.
const LOWEST: i32 = -65;

/// The number of empty squares up to which moves are not sorted and results not stored: there that
/// costs more than it saves.
const SHALLOW: u32 = 5;

/// Nodes between two questions whether the search is canceled.
const CANCEL_CHECK_INTERVAL: u64 = 1024;

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// The quarters of the board.
const QUARTERS: [u64; 4] = [
    0x0000_0000_0f0f_0f0f,
    0x0000_0000_f0f0_f0f0,
    0x0f0f_0f0f_0000_0000,
    0xf0f0_f0f0_0000_0000,
];

/// The discs of the player to move and of the opponent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Discs {
    pub(super) own: u64,
    pub(super) enemy: u64,
}

impl Discs {
    fn empty(self) -> u64 {
        !(self.own | self.enemy)
    }

    fn margin(self) -> i32 {
        self.own.count_ones() as i32 - self.enemy.count_ones() as i32
    }

    /// The discs for the opponent after a new disc, or after a pass if `disc` is 0.
    fn after(self, disc: u64, turned: u64) -> Self {
        Self {
            own: self.enemy & !turned,
            enemy: self.own | disc | turned,
        }
    }

    /// Spreads positions over a table.
    fn hash(self) -> u64 {
        // Odd numbers with about as many ones as zeros.
        let mixed = self.own.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ self
                .enemy
                .wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
                .rotate_left(29);
        (mixed ^ mixed >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20
    }
}

/// What is known of a position: the difference in discs is at least `low` and at most `high`.
#[derive(Clone, Copy, Debug, Default)]
struct KnownBounds {
    discs: Discs,
    low: i8,
    high: i8,
    /// The best move found; 0 for none.
    best: u64,
}

/// A legal move with what decides when it is tried.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    cost: i32,
    disc: u64,
    turned: u64,
}

/// A search of one position and its buffers.
struct EndgameSearch<'a> {
    bits: FlipEngine,
    table: Vec<KnownBounds>,
    /// The candidates of each number of empty squares.
    levels: Vec<Vec<Candidate>>,
    query: EndgameQuery<'a>,
    nodes: u64,
    is_stopped: bool,
}

/// The difference in discs at the end, to the player to move, after each move. A move is its disc;
/// that of a pass is 0.
pub(super) fn margins(
    bits: FlipEngine,
    discs: Discs,
    moves: &[u64],
    query: EndgameQuery<'_>,
) -> Option<Vec<i32>> {
    let mut search = EndgameSearch::new(bits, discs, query);
    let mut order: Vec<(i32, usize)> = (0..moves.len())
        .map(|index| (search.candidate(discs, moves[index]).cost, index))
        .collect();
    order.sort_unstable();
    let mut margins = vec![LOWEST; moves.len()];
    let mut best = LOWEST;
    for &(_, index) in &order {
        let after = search.play(discs, moves[index]);
        margins[index] = search.compare(after, best);
        best = best.max(margins[index]);
    }
    if search.is_stopped {
        return None;
    }
    for (_, index) in order {
        if query.all && margins[index] < best {
            let after = search.play(discs, moves[index]);
            let margin = -search.value(after, (-best, -LOWEST));
            if search.is_stopped {
                break;
            }
            margins[index] = margin;
        }
    }
    Some(margins)
}

impl<'a> EndgameSearch<'a> {
    fn new(bits: FlipEngine, discs: Discs, query: EndgameQuery<'a>) -> Self {
        let empty = discs.empty().count_ones();
        let slots = 1_usize << (empty + 4).clamp(8, 20);
        Self {
            bits,
            table: vec![KnownBounds::default(); slots],
            levels: vec![Vec::new(); empty as usize + 1],
            query,
            nodes: 0,
            is_stopped: false,
        }
    }

    fn play(&self, discs: Discs, disc: u64) -> Discs {
        discs.after(disc, self.bits.flips(disc, discs.own, discs.enemy))
    }

    /// The value to the mover of a position after a move, exact if it is at least `best`; otherwise
    /// an upper bound below it.
    fn compare(&mut self, after: Discs, best: i32) -> i32 {
        // The sign first: a narrow window is fast, and the next windows profit from the table.
        if best == LOWEST {
            return match -self.value(after, (-1, 1)) {
                0 => 0,
                1.. => -self.value(after, (LOWEST, 0)),
                _ => -self.value(after, (0, -LOWEST)),
            };
        }
        let value = -self.value(after, (-best, -best + 1));
        if value < best {
            value
        } else {
            -self.value(after, (LOWEST, -best + 1))
        }
    }

    /// The value of a position to the player to move: exact within the window, otherwise a bound of
    /// it.
    fn value(&mut self, discs: Discs, (alpha, beta): (i32, i32)) -> i32 {
        let empty = discs.empty().count_ones();
        if empty <= SHALLOW {
            return self.last_squares(discs, (alpha, beta));
        }
        self.count();
        if self.is_stopped {
            return 0;
        }
        let legal = self.bits.moves(discs.own, discs.enemy);
        if legal == 0 {
            return self.pass(discs, (alpha, beta));
        }
        let slot = discs.hash() as usize & (self.table.len() - 1);
        let known = self.known(slot, discs);
        let window = (alpha.max(known.low.into()), beta.min(known.high.into()));
        if window.0 >= window.1 {
            return if i32::from(known.low) >= beta {
                known.low.into()
            } else {
                known.high.into()
            };
        }
        let mut list = std::mem::take(&mut self.levels[empty as usize]);
        list.clear();
        list.extend(squares(legal).map(|square| self.candidate(discs, 1 << square)));
        if let Some(first) = list.iter_mut().find(|one| one.disc == known.best) {
            first.cost = i32::MIN;
        }
        list.sort_unstable_by_key(|one| one.cost);
        let (value, best) = self.best_of(discs, &list, window);
        self.levels[empty as usize] = list;
        if !self.is_stopped {
            self.table[slot] = known.narrowed(window, value, best);
        }
        value
    }

    /// Tries moves in their order, all but the first with a window that only asks whether they are
    /// better.
    fn best_of(
        &mut self,
        discs: Discs,
        list: &[Candidate],
        (alpha, beta): (i32, i32),
    ) -> (i32, u64) {
        let mut best = (LOWEST, 0);
        for one in list {
            let after = discs.after(one.disc, one.turned);
            let least = alpha.max(best.0);
            let mut value = if best.1 == 0 {
                -self.value(after, (-beta, -least))
            } else {
                -self.value(after, (-least - 1, -least))
            };
            if best.1 != 0 && value > least && value < beta {
                value = -self.value(after, (-beta, -least));
            }
            if value > best.0 {
                best = (value, one.disc);
            }
            if best.0 >= beta {
                break;
            }
        }
        best
    }

    /// The bounds stored for a position; the widest if there are none.
    fn known(&self, slot: usize, discs: Discs) -> KnownBounds {
        let entry = self.table[slot];
        if entry.discs == discs {
            return entry;
        }
        KnownBounds {
            discs,
            low: -64,
            high: 64,
            best: 0,
        }
    }

    /// A move: the fewer replies it leaves, above all in corners, the earlier it is tried.
    fn candidate(&self, discs: Discs, disc: u64) -> Candidate {
        let (turned, replies) = self.bits.play(disc, discs.own, discs.enemy);
        let cost = 4 * (replies.count_ones() + (replies & CORNERS).count_ones()) as i32
            - 2 * i32::from(disc & odd_quarters(discs.empty()) != 0)
            - 8 * i32::from(disc & CORNERS != 0);
        Candidate { cost, disc, turned }
    }

    fn count(&mut self) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(CANCEL_CHECK_INTERVAL) {
            self.is_stopped |= (self.query.is_canceled)();
        }
    }

    /// The value for a player who has no move.
    fn pass(&mut self, discs: Discs, (alpha, beta): (i32, i32)) -> i32 {
        let after = discs.after(0, 0);
        if self.bits.moves(after.own, after.enemy) == 0 {
            discs.margin()
        } else {
            -self.value(after, (-beta, -alpha))
        }
    }

    /// As [`Self::value`], for few empty squares.
    fn last_squares(&self, discs: Discs, window: (i32, i32)) -> i32 {
        let value = self.placements(discs, window);
        if value > LOWEST {
            return value;
        }
        let after = discs.after(0, 0);
        let value = self.placements(after, (-window.1, -window.0));
        if value > LOWEST {
            -value
        } else {
            discs.margin()
        }
    }

    /// The value of the best move; [`LOWEST`] if there is none.
    fn placements(&self, discs: Discs, (alpha, beta): (i32, i32)) -> i32 {
        let empty = discs.empty();
        let odd = if empty.count_ones() > 2 {
            odd_quarters(empty)
        } else {
            u64::MAX
        };
        let mut best = LOWEST;
        for group in [empty & odd, empty & !odd] {
            for square in squares(group) {
                let disc = 1 << square;
                let turned = self.bits.flips(disc, discs.own, discs.enemy);
                if turned == 0 {
                    continue;
                }
                let after = discs.after(disc, turned);
                let value = if empty == disc {
                    -after.margin()
                } else {
                    -self.last_squares(after, (-beta, -alpha.max(best)))
                };
                best = best.max(value);
                if best >= beta {
                    return best;
                }
            }
        }
        best
    }
}

impl KnownBounds {
    /// With the value found by a search within `window`.
    fn narrowed(self, (alpha, beta): (i32, i32), value: i32, best: u64) -> Self {
        let found = value as i8;
        Self {
            low: if value > alpha { found } else { self.low },
            high: if value < beta { found } else { self.high },
            best,
            ..self
        }
    }
}

/// The quarters of the board with an odd number of empty squares.
fn odd_quarters(empty: u64) -> u64 {
    let is_odd = |quarter: &u64| (empty & quarter).count_ones() % 2 == 1;
    QUARTERS
        .into_iter()
        .filter(is_odd)
        .fold(0, |all, one| all | one)
}
