//! The memory and the time of a job, as they are written on the command line.

/// An amount of memory in megabytes of 1024 × 1024 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Megabytes(pub(super) u64);

/// A time in minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Minutes(pub(super) u64);

/// The largest numbers: a petabyte, and almost two years.
const MOST_MEGABYTES: u64 = 1 << 30;
const MOST_MINUTES: u64 = 1_000_000;

impl Megabytes {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let units = [("M", 1), ("G", 1 << 10), ("T", 1 << 20)];
        let read = number_with_unit(text, &units, MOST_MEGABYTES);
        read.map(Self)
            .ok_or_else(|| "write a whole number with M, G or T, such as 500M or 4G".to_owned())
    }
}

impl Minutes {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let units = [("m", 1), ("h", 60), ("d", 24 * 60)];
        let read = number_with_unit(text, &units, MOST_MINUTES);
        read.map(Self)
            .ok_or_else(|| "write a whole number with m, h or d, such as 90m, 12h or 2d".to_owned())
    }
}

/// A whole number above zero, times its unit.
fn number_with_unit(text: &str, units: &[(&str, u64)], most: u64) -> Option<u64> {
    let (number, factor) = units
        .iter()
        .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)))?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    let number: u64 = number.parse().ok().filter(|_| is_number)?;
    let product = number.checked_mul(*factor)?;
    (1..=most).contains(&product).then_some(product)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_and_time_have_units() {
        let memory = |text: &str| Megabytes::parse(text).map(|memory| memory.0).ok();
        assert_eq!(memory("500M"), Some(500));
        assert_eq!(memory("4G"), Some(4096));
        let time = |text: &str| Minutes::parse(text).map(|time| time.0).ok();
        assert_eq!(time("90m"), Some(90));
        assert_eq!(time("2d"), Some(2880));
        for text in [
            "",
            "4",
            "G",
            "0G",
            "-1G",
            "+1G",
            "4 G",
            "1.5G",
            "99999999999999999999G",
        ] {
            assert_eq!(memory(text), None, "{text}");
            assert_eq!(time(&text.replace('G', "h")), None, "{text}");
        }
    }
}
