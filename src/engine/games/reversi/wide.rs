//! All four axes of a board in parallel in one 256-bit register (AVX2), selected at run time.

use pulp::x86::V3;
use pulp::{NullaryFnOnce, cast, u64x4};

use super::bits::{AXES, Axis, FlipList, Lanes, enclosed, ends, squares};

#[derive(Clone, Copy)]
struct Wide {
    simd: V3,
    boards: u64x4,
}

#[allow(
    clippy::inline_always,
    reason = "SIMD instructions are only used inside functions compiled for them"
)]
impl Wide {
    #[inline(always)]
    fn new(simd: V3, boards: [u64; 4]) -> Self {
        Self {
            simd,
            boards: cast(boards),
        }
    }

    /// The same board for every axis.
    #[inline(always)]
    fn all(simd: V3, board: u64) -> Self {
        Self {
            simd,
            boards: simd.splat_u64x4(board),
        }
    }

    #[inline(always)]
    fn with(self, boards: u64x4) -> Self {
        Self { boards, ..self }
    }

    #[inline(always)]
    fn axes(simd: V3) -> Axis<Self> {
        Axis {
            step: Self::new(simd, AXES.step),
            twice: Self::new(simd, AXES.twice),
            crossed: Self::new(simd, AXES.crossed),
        }
    }

    #[inline(always)]
    fn union(self) -> u64 {
        let u64x4(rows, falling, columns, rising) = self.boards;
        rows | falling | columns | rising
    }
}

#[allow(clippy::inline_always, reason = "as above")]
impl Lanes for Wide {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.with(self.simd.and_u64x4(self.boards, other.boards))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.with(self.simd.or_u64x4(self.boards, other.boards))
    }

    #[inline(always)]
    fn up(self, step: Self) -> Self {
        self.with(self.simd.shl_dyn_u64x4(self.boards, step.boards))
    }

    #[inline(always)]
    fn down(self, step: Self) -> Self {
        self.with(self.simd.shr_dyn_u64x4(self.boards, step.boards))
    }

    #[inline(always)]
    fn where_any(self, ends: Self) -> Self {
        let zero = self.simd.splat_u64x4(0);
        let none = self.simd.cmp_eq_u64x4(ends.boards, zero);
        self.with(self.simd.select_u64x4(none, zero, self.boards))
    }
}

/// See [`super::bits::FlipEngine::moves`].
#[allow(clippy::inline_always, reason = "as above")]
#[inline(always)]
fn moves_by(simd: V3, own: u64, enemy: u64) -> u64 {
    let boards = [own, enemy].map(|board| Wide::all(simd, board));
    ends(boards[0], boards[1], Wide::axes(simd)).union() & !(own | enemy)
}

/// See [`super::bits::FlipEngine::flips`].
#[allow(clippy::inline_always, reason = "as above")]
#[inline(always)]
fn flips_by(simd: V3, disc: u64, own: u64, enemy: u64) -> u64 {
    let boards = [disc, own, enemy].map(|board| Wide::all(simd, board));
    enclosed(boards[0], boards[1], boards[2], Wide::axes(simd)).union()
}

struct Moves {
    simd: V3,
    own: u64,
    enemy: u64,
}

impl NullaryFnOnce for Moves {
    type Output = u64;

    #[allow(clippy::inline_always, reason = "as above")]
    #[inline(always)]
    fn call(self) -> u64 {
        moves_by(self.simd, self.own, self.enemy)
    }
}

struct Flips {
    simd: V3,
    disc: u64,
    own: u64,
    enemy: u64,
}

impl NullaryFnOnce for Flips {
    type Output = u64;

    #[allow(clippy::inline_always, reason = "as above")]
    #[inline(always)]
    fn call(self) -> u64 {
        flips_by(self.simd, self.disc, self.own, self.enemy)
    }
}

struct EachFlips<'a, F> {
    simd: V3,
    legal: u64,
    own: u64,
    enemy: u64,
    list: &'a mut F,
}

impl<F: FlipList> NullaryFnOnce for EachFlips<'_, F> {
    type Output = ();

    #[allow(clippy::inline_always, reason = "as above")]
    #[inline(always)]
    fn call(self) {
        for square in squares(self.legal) {
            let turned = flips_by(self.simd, 1 << square, self.own, self.enemy);
            self.list.add(square, turned);
        }
    }
}

struct Play {
    simd: V3,
    disc: u64,
    own: u64,
    enemy: u64,
}

impl NullaryFnOnce for Play {
    type Output = (u64, u64);

    #[allow(clippy::inline_always, reason = "as above")]
    #[inline(always)]
    fn call(self) -> (u64, u64) {
        let turned = flips_by(self.simd, self.disc, self.own, self.enemy);
        let (own, enemy) = (self.own | self.disc | turned, self.enemy & !turned);
        (turned, moves_by(self.simd, enemy, own))
    }
}

/// See [`super::bits::FlipEngine::moves`].
#[inline]
pub(super) fn moves(simd: V3, own: u64, enemy: u64) -> u64 {
    simd.vectorize(Moves { simd, own, enemy })
}

/// See [`super::bits::FlipEngine::flips`].
#[inline]
pub(super) fn flips(simd: V3, disc: u64, own: u64, enemy: u64) -> u64 {
    simd.vectorize(Flips {
        simd,
        disc,
        own,
        enemy,
    })
}

/// See [`super::bits::FlipEngine::each_flips`].
#[inline]
pub(super) fn each_flips(simd: V3, legal: u64, own: u64, enemy: u64, list: &mut impl FlipList) {
    simd.vectorize(EachFlips {
        simd,
        legal,
        own,
        enemy,
        list,
    });
}

/// See [`super::bits::FlipEngine::play`].
#[inline]
pub(super) fn play(simd: V3, disc: u64, own: u64, enemy: u64) -> (u64, u64) {
    simd.vectorize(Play {
        simd,
        disc,
        own,
        enemy,
    })
}
