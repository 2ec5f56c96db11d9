//! Moves and turned discs on boards of 64 bits, one bit a square: bit 0 is a1, bit 7 is h1, bit 63 is h8. It knows neither
//! whose turn it is nor what a pass is.
//!
//! A run of enemy discs is followed along all eight directions at once by doubling: three shifts see six squares
//! (parallel prefix after Kogge and Stone 1973, as chess and Reversi programs use it). The same steps are written once for
//! [`Lanes`], and run on one axis after the other or on all four side by side, whichever the machine can.

/// Boards on which one axis each is looked at: rows, columns or diagonals.
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

/// What sets one axis apart from another.
#[derive(Clone, Copy)]
pub(super) struct Axis<L> {
    /// Bits from one square to the next one, and to the one after it.
    pub(super) step: L,
    pub(super) twice: L,
    /// Squares that a run may lead across: a run along a row or diagonal must not go on beyond column a or h.
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

/// The runs over discs of `over` that begin beside a disc of `from`: those towards h8 and those towards a1.
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

/// The squares at the far ends of runs of enemy discs beside own ones; some may be taken.
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

/// Takes down what discs on several squares would enclose. It is no closure, since only a function of its own can be made part
/// of the one that has the machine's instructions.
pub(super) trait FlipList {
    fn add(&mut self, square: u8, turned: u64);
}

/// One axis at a time, which any machine can.
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

/// All four axes one after the other, their boards united.
#[inline]
fn each_axis(look: impl Fn(Axis<u64>) -> u64) -> u64 {
    (0..AXES.step.len()).fold(0, |all, index| {
        all | look(Axis {
            step: AXES.step[index],
            twice: AXES.twice[index],
            crossed: AXES.crossed[index],
        })
    })
}

fn plain_moves(own: u64, enemy: u64) -> u64 {
    each_axis(|axis| ends(own, enemy, axis)) & !(own | enemy)
}

fn plain_flips(disc: u64, own: u64, enemy: u64) -> u64 {
    each_axis(|axis| enclosed(disc, own, enemy, axis))
}

/// The way this machine looks at boards; every way sees the same.
///
/// All four axes at once count sequences of moves 1.5 times as fast as one after the other (`benches/reversi.rs`).
#[derive(Clone, Copy, Debug)]
pub(super) struct Bits {
    #[cfg(target_arch = "x86_64")]
    wide: Option<pulp::x86::V3>,
}

impl Bits {
    /// The fastest way here.
    pub(super) fn detect() -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            wide: pulp::x86::V3::try_new(),
        }
    }

    /// The way that works everywhere.
    pub(super) fn plain() -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            wide: None,
        }
    }

    /// The empty squares on which a disc of `own` would enclose enemy discs.
    #[inline]
    pub(super) fn moves(self, own: u64, enemy: u64) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = self.wide {
            return super::wide::moves(simd, own, enemy);
        }
        plain_moves(own, enemy)
    }

    /// The enemy discs that a new `disc` of the owner of `own` encloses; none without a disc.
    #[inline]
    pub(super) fn flips(self, disc: u64, own: u64, enemy: u64) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = self.wide {
            return super::wide::flips(simd, disc, own, enemy);
        }
        plain_flips(disc, own, enemy)
    }

    /// Tells of each square of `legal` what a new disc there encloses, in ascending order.
    #[inline]
    pub(super) fn each_flips(self, legal: u64, own: u64, enemy: u64, list: &mut impl FlipList) {
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = self.wide {
            return super::wide::each_flips(simd, legal, own, enemy, list);
        }
        for square in squares(legal) {
            list.add(square, plain_flips(1 << square, own, enemy));
        }
    }

    /// What a new `disc` encloses, and the legal moves of the other player after it.
    #[inline]
    pub(super) fn play(self, disc: u64, own: u64, enemy: u64) -> (u64, u64) {
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = self.wide {
            return super::wide::play(simd, disc, own, enemy);
        }
        let turned = plain_flips(disc, own, enemy);
        (turned, plain_moves(enemy & !turned, own | disc | turned))
    }
}

/// The numbers of the squares of a board, ascending.
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

    /// The rules word for word: along each ray, enemy discs up to an own one are enclosed.
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
    fn every_way_of_looking_sees_what_walking_along_the_rays_does() {
        for bits in [Bits::plain(), Bits::detect()] {
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

    #[test]
    fn no_disc_encloses_nothing() {
        for (own, enemy) in boards().take(100) {
            assert_eq!(Bits::plain().flips(0, own, enemy), 0);
            assert_eq!(Bits::detect().flips(0, own, enemy), 0);
        }
    }
}
