//! Many yes-or-no answers as the bits of one number.

#![allow(
    clippy::inline_always,
    reason = "only what is part of the dispatched closure is compiled for the machine's \
        instructions"
)]

/// The number of flags.
pub(super) const FLAGS: usize = 64;

/// Flags, each 0 or 1, as bits, the first the lowest.
#[inline(always)]
pub(super) fn as_bits(flags: &[u8; FLAGS]) -> u64 {
    let (bytes, _) = flags.as_chunks();
    let bits = (0..).zip(bytes);
    bits.fold(0, |all, (place, &bytes)| {
        all | gather(u64::from_le_bytes(bytes)) << (8 * place)
    })
}

/// The lowest bits of eight bytes, which are 0 or 1, as one byte.
#[inline(always)]
fn gather(bytes: u64) -> u64 {
    let pairs = bytes | bytes >> 7;
    let quads = pairs | pairs >> 14;
    (quads | quads >> 28) & 0xff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_flag_is_a_bit() {
        for set in [0, 1, 0x8000_0000_0000_0000, 0x0123_4567_89ab_cdef, u64::MAX] {
            let flags = std::array::from_fn(|bit| (set >> bit & 1) as u8);
            assert_eq!(as_bits(&flags), set);
        }
    }
}
