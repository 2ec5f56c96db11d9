//! The transpose of blocks of eight rows of eight numbers. Compilers make single moves of it, which
//! took as long as half of the activation functions, so it has a kernel of shuffles where the
//! machine has AVX.

#![allow(
    clippy::inline_always,
    reason = "only what is part of the dispatched closure is compiled for the machine's \
        instructions"
)]

/// The length of the rows and columns of a block.
pub(super) const SIDE: usize = 8;

/// A way to transpose a block.
pub(super) trait Transpose: Copy {
    fn transpose(self, rows: &[[f32; SIDE]; SIDE]) -> [[f32; SIDE]; SIDE];
}

/// One number after the other, on any machine.
#[derive(Clone, Copy)]
pub(super) struct OneByOne;

impl Transpose for OneByOne {
    #[inline(always)]
    fn transpose(self, rows: &[[f32; SIDE]; SIDE]) -> [[f32; SIDE]; SIDE] {
        std::array::from_fn(|column| std::array::from_fn(|row| rows[row][column]))
    }
}

#[cfg(target_arch = "x86_64")]
mod shuffles {
    use std::arch::x86_64::__m256;

    use pulp::cast;
    use pulp::x86::V3;

    use super::{SIDE, Transpose};

    impl Transpose for V3 {
        #[inline(always)]
        fn transpose(self, rows: &[[f32; SIDE]; SIDE]) -> [[f32; SIDE]; SIDE] {
            let [a, b, c, d, rest @ ..] = *rows;
            let upper = quads(self, [cast(a), cast(b), cast(c), cast(d)]);
            let [a, b, c, d] = rest;
            let lower = quads(self, [cast(a), cast(b), cast(c), cast(d)]);
            let avx = self.avx;
            [
                cast(avx._mm256_permute2f128_ps::<0x20>(upper[0], lower[0])),
                cast(avx._mm256_permute2f128_ps::<0x20>(upper[1], lower[1])),
                cast(avx._mm256_permute2f128_ps::<0x20>(upper[2], lower[2])),
                cast(avx._mm256_permute2f128_ps::<0x20>(upper[3], lower[3])),
                cast(avx._mm256_permute2f128_ps::<0x31>(upper[0], lower[0])),
                cast(avx._mm256_permute2f128_ps::<0x31>(upper[1], lower[1])),
                cast(avx._mm256_permute2f128_ps::<0x31>(upper[2], lower[2])),
                cast(avx._mm256_permute2f128_ps::<0x31>(upper[3], lower[3])),
            ]
        }
    }

    /// Columns 0 and 4, 1 and 5, 2 and 6, 3 and 7 of four rows.
    #[inline(always)]
    fn quads(simd: V3, [a, b, c, d]: [__m256; 4]) -> [__m256; 4] {
        let avx = simd.avx;
        let low = [avx._mm256_unpacklo_ps(a, b), avx._mm256_unpacklo_ps(c, d)];
        let high = [avx._mm256_unpackhi_ps(a, b), avx._mm256_unpackhi_ps(c, d)];
        [
            avx._mm256_shuffle_ps::<0b01_00_01_00>(low[0], low[1]),
            avx._mm256_shuffle_ps::<0b11_10_11_10>(low[0], low[1]),
            avx._mm256_shuffle_ps::<0b01_00_01_00>(high[0], high[1]),
            avx._mm256_shuffle_ps::<0b11_10_11_10>(high[0], high[1]),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(way: impl Transpose) {
        let rows =
            std::array::from_fn(|row| std::array::from_fn(|column| (row * SIDE + column) as f32));
        let columns = way.transpose(&rows);
        for row in 0..SIDE {
            for column in 0..SIDE {
                assert_eq!(columns[column][row].to_bits(), rows[row][column].to_bits());
            }
        }
    }

    #[test]
    fn rows_become_columns() {
        check(OneByOne);
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = crate::simd::avx2() {
            check(simd);
        }
    }
}
