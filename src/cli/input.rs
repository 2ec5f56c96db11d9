//! Lines of standard input, bounded in length.

use std::io::{self, BufRead, Read};

/// The longest line, in bytes.
pub(super) const MAX_LINE: usize = 1 << 20;

/// A line that is longer than [`MAX_LINE`].
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LineTooLong;

/// The next line without its line break, `None` at the end of the input. A line that is too long is
/// skipped.
pub(super) fn next_line(
    input: &mut impl BufRead,
) -> io::Result<Option<Result<Vec<u8>, LineTooLong>>> {
    let mut line = Vec::new();
    let limit = MAX_LINE as u64 + 1;
    if input.by_ref().take(limit).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.pop_if(|last| *last == b'\n').is_none() && line.len() > MAX_LINE {
        input.skip_until(b'\n')?;
        return Ok(Some(Err(LineTooLong)));
    }
    Ok(Some(Ok(line)))
}

/// The next line as text without white space around it, `None` at the end of the input. A line
/// that is too long is empty.
pub(super) fn next_text(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let line = next_line(input)?.map(Result::unwrap_or_default);
    Ok(line.map(|line| String::from_utf8_lossy(&line).trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_skipped() {
        let long = "x".repeat(MAX_LINE);
        let text = format!("a\n{long}\n{long}y{long}\n\nb");
        let mut input = text.as_bytes();
        let mut next = || next_line(&mut input).expect("memory can be read");
        assert_eq!(next(), Some(Ok(b"a".to_vec())));
        assert_eq!(next(), Some(Ok(long.clone().into_bytes())));
        assert_eq!(next(), Some(Err(LineTooLong)));
        assert_eq!(next(), Some(Ok(Vec::new())));
        assert_eq!(next(), Some(Ok(b"b".to_vec())));
        assert_eq!(next(), None);
    }
}
