//! All eight directions of a board in parallel in one 512-bit register (AVX-512), selected at run
//! time.
//!
//! Boards are rotated, not shifted, so that a direction is only a number of bits. No disc wraps
//! around, because the discs that a run crosses never lie on the edges at which its direction
//! would.

use std::arch::x86_64::__m512i;

use pulp::x86::V4;
use pulp::{NullaryFnOnce, cast};

use super::bits::{FlipList, squares};

/// By how many bits a step rotates the board: towards h8, then towards a1.
const STEPS: [u64; 8] = [1, 7, 8, 9, 63, 57, 56, 55];
/// By how many bits two steps do.
const DOUBLE_STEPS: [u64; 8] = [2, 14, 16, 18, 62, 50, 48, 46];
/// Squares off the left and right edges, and off the upper and lower edges.
const COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;
const ROWS: u64 = 0x00ff_ffff_ffff_ff00;
/// The squares that a run may cross.
const CROSSED: [u64; 8] = [
    COLUMNS,
    COLUMNS & ROWS,
    ROWS,
    COLUMNS & ROWS,
    COLUMNS,
    COLUMNS & ROWS,
    ROWS,
    COLUMNS & ROWS,
];

struct EachWiderFlips<'a, F> {
    simd: V4,
    legal: u64,
    own: u64,
    enemy: u64,
    list: &'a mut F,
}

impl<F: FlipList> NullaryFnOnce for EachWiderFlips<'_, F> {
    type Output = ();

    #[allow(
        clippy::inline_always,
        reason = "SIMD instructions are only used inside functions compiled for them"
    )]
    #[inline(always)]
    fn call(self) {
        let f = self.simd.avx512f;
        let (step, double_step): (__m512i, __m512i) = (cast(STEPS), cast(DOUBLE_STEPS));
        let own = f._mm512_set1_epi64(self.own.cast_signed());
        let enemy = f._mm512_set1_epi64(self.enemy.cast_signed());
        let over = f._mm512_and_si512(enemy, cast(CROSSED));
        let pairs = f._mm512_and_si512(over, f._mm512_rolv_epi64(over, step));
        for square in squares(self.legal) {
            let disc = f._mm512_set1_epi64(1 << square);
            let first = f._mm512_and_si512(over, f._mm512_rolv_epi64(disc, step));
            let next = f._mm512_and_si512(over, f._mm512_rolv_epi64(first, step));
            let mut run = f._mm512_or_si512(first, next);
            for _ in 0..2 {
                let next = f._mm512_and_si512(pairs, f._mm512_rolv_epi64(run, double_step));
                run = f._mm512_or_si512(run, next);
            }
            let enclosed = f._mm512_test_epi64_mask(f._mm512_rolv_epi64(run, step), own);
            let turned = f._mm512_maskz_mov_epi64(enclosed, run);
            let turned = f._mm512_reduce_or_epi64(turned).cast_unsigned();
            self.list.add(square, turned);
        }
    }
}

/// See [`super::bits::FlipEngine::each_flips`].
#[inline]
pub(super) fn each_flips(simd: V4, legal: u64, own: u64, enemy: u64, list: &mut impl FlipList) {
    simd.vectorize(EachWiderFlips {
        simd,
        legal,
        own,
        enemy,
        list,
    });
}
