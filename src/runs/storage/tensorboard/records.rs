//! The records of an event file: a length, the bytes, and a checksum of each (TensorFlow, "TFRecord
//! and tf.train.Example").

use std::io::{self, Read};

use crc::{CRC_32_ISCSI, Crc};

/// CRC-32C, the sum of Castagnoli.
const CASTAGNOLI: Crc<u32> = Crc::<u32>::new(&CRC_32_ISCSI);

/// The largest record that is read. An event of ours is smaller by far.
const LARGEST: u64 = 1 << 24;

/// Bytes around those of a record: its length and two checksums.
const FRAME: u64 = 16;

/// A checksum as it is stored, so that the sum of bytes that hold sums stays meaningful.
fn masked(bytes: &[u8]) -> u32 {
    CASTAGNOLI
        .checksum(bytes)
        .rotate_right(15)
        .wrapping_add(0xa282_ead8)
}

/// Appends a record.
pub(super) fn push_record(record: &[u8], out: &mut Vec<u8>) {
    let length = (record.len() as u64).to_le_bytes();
    out.extend(length);
    out.extend(masked(&length).to_le_bytes());
    out.extend(record);
    out.extend(masked(record).to_le_bytes());
}

/// Reads whole records, one after the other.
pub(super) struct FrameReader<R> {
    source: R,
    /// The bytes of the records that have been read.
    pub(super) done: u64,
}

impl<R: Read> FrameReader<R> {
    pub(super) fn new(source: R) -> Self {
        Self { source, done: 0 }
    }

    /// The next record; `None` at the end, and where a record is damaged or not whole.
    pub(super) fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        let Some(length) = self.array::<8>()? else {
            return Ok(None);
        };
        let bytes = u64::from_le_bytes(length);
        if self.array()?.map(u32::from_le_bytes) != Some(masked(&length)) || bytes > LARGEST {
            return Ok(None);
        }
        let mut record = vec![0; bytes as usize];
        if !is_filled(self.source.read_exact(&mut record))?
            || self.array()?.map(u32::from_le_bytes) != Some(masked(&record))
        {
            return Ok(None);
        }
        self.done += bytes + FRAME;
        Ok(Some(record))
    }

    fn array<const N: usize>(&mut self) -> io::Result<Option<[u8; N]>> {
        let mut bytes = [0; N];
        let is_filled = is_filled(self.source.read_exact(&mut bytes))?;
        Ok(is_filled.then_some(bytes))
    }
}

/// Whether there were enough bytes.
fn is_filled(read: io::Result<()>) -> io::Result<bool> {
    match read {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        // RFC 3720, B.4.
        assert_eq!(CASTAGNOLI.checksum(&[0; 32]), 0x8a91_36aa);
        assert_eq!(CASTAGNOLI.checksum(b"123456789"), 0xe306_9283);
    }

    #[test]
    fn whole_records_are_read_and_the_rest_is_left() {
        let mut bytes = Vec::new();
        push_record(b"one", &mut bytes);
        push_record(b"", &mut bytes);
        let whole = bytes.len() as u64;
        push_record(b"three", &mut bytes);
        let check = |bytes: &[u8], expected: &[&[u8]], done: u64| {
            let mut reader = FrameReader::new(bytes);
            for record in expected {
                let next = reader.next().expect("bytes can be read");
                assert_eq!(next.as_deref(), Some(*record));
            }
            assert_eq!(reader.next().expect("bytes can be read"), None);
            assert_eq!(reader.done, done);
        };
        check(&bytes, &[b"one", b"", b"three"], bytes.len() as u64);
        for cut in 1..21 {
            check(&bytes[..bytes.len() - cut], &[b"one", b""], whole);
        }
        let mut damaged = bytes.clone();
        damaged[whole as usize + 13] ^= 1;
        check(&damaged, &[b"one", b""], whole);
    }
}
