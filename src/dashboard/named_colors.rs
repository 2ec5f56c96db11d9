//! The sixteen named colors as every terminal reads them: 30 to 37 and 90 to 97, and ten more for
//! backgrounds (ECMA-48 and aixterm). crossterm sends them as the first of 256 colors, `38;5;n`,
//! which terminals of sixteen colors need not know.

use std::io::{self, Write};

/// Writes to another writer, a whole frame at each flush.
pub(super) struct NamedColors<W> {
    out: W,
    frame: Vec<u8>,
}

impl<W> NamedColors<W> {
    pub(super) fn new(out: W) -> Self {
        let frame = Vec::new();
        Self { out, frame }
    }
}

impl<W: Write> Write for NamedColors<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.frame.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = named(&String::from_utf8_lossy(&self.frame));
        self.frame.clear();
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }
}

/// A text whose sequences set the first sixteen colors by name.
fn named(text: &str) -> String {
    let mut sequences = text.split("\x1b[");
    let mut out = sequences.next().unwrap_or_default().to_owned();
    for sequence in sequences {
        out.push_str("\x1b[");
        match sequence.split_once('m') {
            Some((codes, rest)) if codes.bytes().all(|it| matches!(it, b'0'..=b'9' | b';')) => {
                out.extend([&named_codes(codes), "m", rest]);
            }
            _ => out.push_str(sequence),
        }
    }
    out
}

fn named_codes(codes: &str) -> String {
    let codes: Vec<&str> = codes.split(';').collect();
    let (mut left, mut named) = (codes.as_slice(), Vec::new());
    while !left.is_empty() {
        let (length, name) = match left {
            [ground @ ("38" | "48"), "5", color, ..] => (3, name_of(ground, color)),
            ["38" | "48", "2", _, _, _, ..] => (5, None),
            _ => (1, None),
        };
        named.push(name.unwrap_or_else(|| left[..length].join(";")));
        left = &left[length..];
    }
    named.join(";")
}

fn name_of(ground: &str, color: &str) -> Option<String> {
    let first = if ground == "38" { 30 } else { 40 };
    let code = match color.parse::<u8>().ok()? {
        dark @ 0..=7 => first + dark,
        bright @ 8..=15 => first + 60 + (bright - 8),
        _ => return None,
    };
    Some(code.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_sixteen_colors_are_sent_by_name() {
        let mut written = Vec::new();
        let mut colors = NamedColors::new(&mut written);
        let text =
            "38;5;1m\x1b[38;5;1mé\x1b[0;48;5;15;38;5;9m\x1b[38;5;16m\x1b[38;2;48;5;7m\x1b[2J m";
        for byte in text.as_bytes() {
            colors.write_all(&[*byte]).expect("it is kept");
        }
        colors.flush().expect("it is writable");
        assert_eq!(
            String::from_utf8_lossy(&written),
            "38;5;1m\x1b[31mé\x1b[0;107;91m\x1b[38;5;16m\x1b[38;2;48;5;7m\x1b[2J m"
        );
    }
}
