//! Legal moves and flipped discs on bitboards of 64 bits: bit 0 is a1, bit 7 is h1, bit 63 is h8.
//! It does not know the side to move or passes.
//!
//! Runs of enemy discs are followed in all eight directions by doubling: three shifts cover six
//! squares (parallel prefix after Kogge and Stone 1973, as used in chess and Reversi programs). The
//! algorithm is written once for [`Lanes`] and runs on one axis after the other, or on all four in
//! parallel if the machine has the instructions.

/// Bitboards for one axis each: rows, columns or diagonals.
pub(super) trait Lanes: Copy {
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// Every disc moved one step of its axis towards h8.
    fn up(self, step: Self) -> Self;
    /// Every disc moved one step of its axis towards a1.
    fn down(self, step: Self) -> Self;
    /// The boards whose axis has a disc in `ends`; the others become empty.
    fn where_any(self, ends: Self) -> Self;
}

/// The parameters of an axis.
#[derive(Clone, Copy)]
pub(super) struct Axis<L> {
    /// The distance in bits to the next square and to the one after it.
    pub(super) step: L,
    pub(super) twice: L,
    /// The squares that a run may cross: a run along a row or diagonal must not wrap around at
    /// column a or h.
    pub(super) crossed: L,
}

const STEPS: [u64; 4] = [1, 7, 8, 9];
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;
const CROSSED: [u64; 4] = [INNER, INNER, u64::MAX, INNER];

/// Rows, falling diagonals, columns and rising diagonals, one element each.
pub(super) const AXES: Axis<[u64; 4]> = Axis {
    step: STEPS,
    twice: [2, 14, 16, 18],
    crossed: CROSSED,
};

/// The runs over discs of `over` that start next to a disc of `from`: those towards h8 and those
/// towards a1.
#[allow(
    clippy::inline_always,
    reason = "wide instructions are only used within functions that are compiled for them"
)]
#[inline(always)]
fn runs<L: Lanes>(from: L, over: L, axis: Axis<L>) -> (L, L) {
    let Axis { step, twice, .. } = axis;
    let mut up = over.and(from.up(step));
    let mut down = over.and(from.down(step));
    up = up.or(over.and(up.up(step)));
    down = down.or(over.and(down.down(step)));
    let pairs_up = over.and(over.up(step));
    let pairs_down = over.and(over.down(step));
    for _ in 0..2 {
        up = up.or(pairs_up.and(up.up(twice)));
        down = down.or(pairs_down.and(down.down(twice)));
    }
    (up, down)
}

/// The squares after runs of enemy discs that start next to own discs; some may be occupied.
#[allow(clippy::inline_always, reason = "as for `runs`")]
#[inline(always)]
pub(super) fn ends<L: Lanes>(own: L, enemy: L, axis: Axis<L>) -> L {
    let (up, down) = runs(own, enemy.and(axis.crossed), axis);
    up.up(axis.step).or(down.down(axis.step))
}

/// The runs of enemy discs between `disc` and an own disc.
#[allow(clippy::inline_always, reason = "as for `runs`")]
#[inline(always)]
pub(super) fn enclosed<L: Lanes>(disc: L, own: L, enemy: L, axis: Axis<L>) -> L {
    let (up, down) = runs(disc, enemy.and(axis.crossed), axis);
    let up = up.where_any(up.up(axis.step).and(own));
    let down = down.where_any(down.down(axis.step).and(own));
    up.or(down)
}

/// Collects the flips of moves. A trait and not a closure, since only a named function can be
/// forced inline into the caller with the SIMD target features.
pub(super) trait FlipList {
    fn add(&mut self, square: u8, turned: u64);
}

/// One axis at a time, portable.
impl Lanes for u64 {
    #[inline]
    fn and(self, other: Self) -> Self {
        self & other
    }

    #[inline]
    fn or(self, other: Self) -> Self {
        self | other
    }

    #[inline]
    fn up(self, step: Self) -> Self {
        self << step
    }

    #[inline]
    fn down(self, step: Self) -> Self {
        self >> step
    }

    #[inline]
    fn where_any(self, ends: Self) -> Self {
        if ends == 0 { 0 } else { self }
    }
}

/// The union of the results of all four axes.
#[inline]
fn each_axis(on_axis: impl Fn(Axis<u64>) -> u64) -> u64 {
    (0..AXES.step.len()).fold(0, |all, index| {
        all | on_axis(Axis {
            step: AXES.step[index],
            twice: AXES.twice[index],
            crossed: AXES.crossed[index],
        })
    })
}

fn portable_moves(own: u64, enemy: u64) -> u64 {
    each_axis(|axis| ends(own, enemy, axis)) & !(own | enemy)
}

fn portable_flips(disc: u64, own: u64, enemy: u64) -> u64 {
    each_axis(|axis| enclosed(disc, own, enemy, axis))
}

/// Selects the implementation for this machine. All implementations give the same results.
///
/// With all four axes in parallel, perft is 1.5 times as fast as with one after the other
/// (`benches/reversi.rs`).
#[derive(Clone, Copy, Debug)]
pub(super) struct FlipEngine {
    #[cfg(target_arch = "x86_64")]
    wide: Option<pulp::x86::V3>,
    /// For the flips of many moves.
    #[cfg(target_arch = "x86_64")]
    wider: Option<pulp::x86::V4>,
}

impl FlipEngine {
    /// The fastest implementation on this machine.
    pub(super) fn detect() -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            wide: crate::simd::avx2(),
            #[cfg(target_arch = "x86_64")]
            wider: crate::simd::avx512(),
        }
    }

    /// The portable implementation.
    pub(super) fn portable() -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            wide: None,
            #[cfg(target_arch = "x86_64")]
            wider: None,
        }
    }

    /// The legal moves of `own`: empty squares where a new disc would flip enemy discs.
    #[inline]
    pub(super) fn moves(self, own: u64, enemy: u64) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = self.wide {
            return super::wide::moves(simd, own, enemy);
        }
        portable_moves(own, enemy)
    }

    /// The enemy discs that a new `disc` of `own` flips; none if `disc` is 0.
    #[inline]
    pub(super) fn flips(self, disc: u64, own: u64, enemy: u64) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = self.wide {
            return super::wide::flips(simd, disc, own, enemy);
        }
        portable_flips(disc, own, enemy)
    }

    /// Adds the flips of a new disc on each square of `legal` to `list`, in ascending order.
    #[inline]
    pub(super) fn each_flips(self, legal: u64, own: u64, enemy: u64, list: &mut impl FlipList) {
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = self.wider {
            return super::wider::each_flips(simd, legal, own, enemy, list);
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = self.wide {
            return super::wide::each_flips(simd, legal, own, enemy, list);
        }
        for square in squares(legal) {
            list.add(square, portable_flips(1 << square, own, enemy));
        }
    }

    /// The flips of a new `disc`, and the opponent's legal moves after it.
    #[inline]
    pub(super) fn play(self, disc: u64, own: u64, enemy: u64) -> (u64, u64) {
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = self.wide {
            return super::wide::play(simd, disc, own, enemy);
        }
        let turned = portable_flips(disc, own, enemy);
        (turned, portable_moves(enemy & !turned, own | disc | turned))
    }
}

/// The indices of the set bits of a board, ascending.
#[allow(clippy::inline_always, reason = "as for `runs`")]
#[inline(always)]
pub(super) fn squares(mut board: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let square = board.trailing_zeros() as u8;
        (board != 0).then(|| {
            board &= board - 1;
            square
        })
    })
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::rng::{Purpose, stream};

    /// The rules literally: along each ray, enemy discs up to an own disc are flipped.
    fn walked_flips(square: u8, own: u64, enemy: u64) -> u64 {
        let mut flips = 0;
        for (across, along) in [
            (1, 0),
            (1, 1),
            (0, 1),
            (-1, 1),
            (-1, 0),
            (-1, -1),
            (0, -1),
            (1, -1),
        ] {
            let (mut column, mut row) = (i32::from(square % 8), i32::from(square / 8));
            let mut run = 0;
            loop {
                (column, row) = (column + across, row + along);
                if !(0..8).contains(&column) || !(0..8).contains(&row) {
                    break;
                }
                let here = 1 << (row * 8 + column);
                if own & here != 0 {
                    flips |= run;
                }
                if enemy & here == 0 {
                    break;
                }
                run |= here;
            }
        }
        flips
    }

    /// Boards with few to many discs.
    fn boards() -> impl Iterator<Item = (u64, u64)> {
        let mut rng = stream(1, Purpose::Sample, 0, 0);
        (0..4000).map(move |index| {
            let (a, b, c): (u64, u64, u64) = (rng.random(), rng.random(), rng.random());
            match index % 4 {
                0 => (a & !b, b),
                1 => (a & b, c & !(a & b)),
                2 => (a & b & c, b & !(a & c)),
                _ => (a & b & c, !(a & b)),
            }
        })
    }

    #[test]
    fn all_implementations_agree_with_walking_along_the_rays() {
        for bits in [FlipEngine::portable(), FlipEngine::detect()] {
            for (own, enemy) in boards() {
                let mut moves = 0;
                for square in squares(!(own | enemy)) {
                    let walked = walked_flips(square, own, enemy);
                    let disc = 1 << square;
                    assert_eq!(bits.flips(disc, own, enemy), walked, "{own:x} {enemy:x}");
                    moves |= if walked == 0 { 0 } else { disc };
                }
                assert_eq!(bits.moves(own, enemy), moves, "{own:x} {enemy:x}");
            }
        }
    }

    impl FlipList for Vec<(u8, u64)> {
        fn add(&mut self, square: u8, turned: u64) {
            self.push((square, turned));
        }
    }

    #[test]
    fn the_flips_of_all_moves_at_once_are_those_of_each() {
        for bits in [FlipEngine::portable(), FlipEngine::detect()] {
            for (own, enemy) in boards() {
                let mut all = Vec::new();
                bits.each_flips(!(own | enemy), own, enemy, &mut all);
                let alone = squares(!(own | enemy))
                    .map(|square| (square, walked_flips(square, own, enemy)));
                assert_eq!(all, alone.collect::<Vec<_>>(), "{own:x} {enemy:x}");
            }
        }
    }

    #[test]
    fn without_a_disc_nothing_is_flipped() {
        for (own, enemy) in boards().take(100) {
            assert_eq!(FlipEngine::portable().flips(0, own, enemy), 0);
            assert_eq!(FlipEngine::detect().flips(0, own, enemy), 0);
        }
    }
}
