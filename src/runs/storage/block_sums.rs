//! Checksums of the blocks of a file that only grows. A checkpoint keeps them, so that damage to
//! the metrics of a run is noticed and found when the run is resumed.

use std::io::{self, Read};

/// Bytes of a block. Only the last one may have fewer.
pub(super) const BLOCK: usize = 16 << 10;

/// The checksums of a file as it grows.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockSums {
    full: Vec<u32>,
    /// The checksum of the last block so far, and its length.
    last: crc32fast::Hasher,
    filled: usize,
}

impl BlockSums {
    /// Adds bytes at the end.
    pub(super) fn update(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(BLOCK - self.filled));
            self.last.update(now);
            self.filled += now.len();
            if self.filled == BLOCK {
                self.full.push(std::mem::take(&mut self.last).finalize());
                self.filled = 0;
            }
            bytes = later;
        }
    }

    /// One checksum for each block.
    pub(super) fn sums(&self) -> Vec<u32> {
        let mut sums = self.full.clone();
        if self.filled > 0 {
            sums.push(self.last.clone().finalize());
        }
        sums
    }

    /// The checksums of all bytes of a reader.
    pub(super) fn of(mut file: impl Read) -> io::Result<Self> {
        let mut sums = Self::default();
        let mut buffer = vec![0; BLOCK];
        loop {
            let count = file.read(&mut buffer)?;
            if count == 0 {
                return Ok(sums);
            }
            sums.update(&buffer[..count]);
        }
    }

    /// The number of bytes before the first block that differs from the expected checksums; `None`
    /// if none does.
    pub(super) fn first_difference(&self, expected: &[u32]) -> Option<u64> {
        let found = self.sums();
        let same = found.iter().zip(expected).take_while(|(a, b)| a == b);
        let same = same.count();
        (same < expected.len().max(found.len())).then_some((same * BLOCK) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_with_the_damage_is_found() {
        let mut bytes: Vec<u8> = (0..BLOCK * 2 + 100).map(|i| (i % 251) as u8).collect();
        let mut grown = BlockSums::default();
        bytes.chunks(4099).for_each(|part| grown.update(part));
        let sums = grown.sums();
        assert_eq!(sums.len(), 3);
        let check = |bytes: &[u8], expected| {
            let found = BlockSums::of(bytes).expect("memory can be read");
            assert_eq!(found.first_difference(&sums), expected);
        };
        check(&bytes, None);
        check(&bytes[..BLOCK * 2], Some(2 * BLOCK as u64));
        bytes[BLOCK + 5] ^= 1;
        check(&bytes, Some(BLOCK as u64));
        bytes[0] ^= 1;
        check(&bytes, Some(0));
    }
}
