//! A file of games as text, whatever its encoding: Unicode, Latin-1, or the binary format of the
//! WTHOR database of the French Othello federation.

use std::fmt::Write;

use super::super::input_plane::square_name;

/// A file of games, as text.
pub struct GameFile {
    pub(super) text: String,
    /// Whether the lines of the text are those of the file.
    pub(super) has_lines: bool,
}

impl GameFile {
    /// The text of a file.
    pub fn new(bytes: &[u8]) -> Self {
        Self::with_players(bytes, &[])
    }

    /// The text of a file. A WTHOR file has numbers for its players; `players` are the bytes of the
    /// database's file of their names, `WTHOR.JOU`, or none.
    pub fn with_players(bytes: &[u8], players: &[u8]) -> Self {
        let wthor = wthor(bytes, players);
        Self {
            has_lines: wthor.is_none(),
            text: wthor.unwrap_or_else(|| decoded(bytes)),
        }
    }
}

/// The text of bytes in Unicode, or else in Latin-1 with the signs that Windows adds. All lines end
/// alike, signs without a width are left out, and typographic quotes and dots are plain.
fn decoded(bytes: &[u8]) -> String {
    let text = utf16(bytes).unwrap_or_else(|| match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| windows(byte)).collect(),
    });
    let text = text.replace(['\u{feff}', '\u{200b}', '\0'], "");
    let text = text.replace('…', "...").replace(['“', '”'], "\"");
    if text.contains('\n') {
        text
    } else {
        text.replace('\r', "\n")
    }
}

/// A text in pairs of bytes, which begins with the mark of their order.
fn utf16(bytes: &[u8]) -> Option<String> {
    let read = match bytes.get(..2)? {
        [0xff, 0xfe] => u16::from_le_bytes,
        [0xfe, 0xff] => u16::from_be_bytes,
        _ => return None,
    };
    let pairs = bytes.chunks_exact(2).map(|pair| read([pair[0], pair[1]]));
    let signs = char::decode_utf16(pairs);
    Some(signs.map(|sign| sign.unwrap_or('?')).collect())
}

/// The sign of a byte of Latin-1, with those that Windows code page 1252 adds and games have.
fn windows(byte: u8) -> char {
    match byte {
        0x85 => '…',
        0x93 | 0x94 => '"',
        0x96 | 0x97 => '–',
        _ => char::from(byte),
    }
}

/// Bytes of the header of a WTHOR file, and of each game behind it.
const HEADER: usize = 16;
const GAME: usize = 68;
/// Bytes of a player's name in the file of names, behind a header of the same size.
const NAME: usize = 20;

/// A WTHOR file as transcripts; `None` if it is none. The header has the century, the year, the
/// month and the day, the number of games and, at 12, the size of the board, 0 for the usual one. A
/// game has the numbers of the tournament and of the players, Black's discs at 6, and the moves
/// from 8 on as ten times the row plus the column, 0 after the last (Fédération Française
/// d'Othello, "Format de la base WTHOR", 1999).
fn wthor(bytes: &[u8], players: &[u8]) -> Option<String> {
    let (header, games) = bytes.split_at_checked(HEADER)?;
    let is_year = (19..=20).contains(&header[0]) && header[1] < 100;
    if !is_year || !matches!(header[12], 0 | 8) {
        return None;
    }
    let mut text = String::with_capacity(games.len() * 3);
    for game in games.chunks_exact(GAME) {
        let player = |at: usize| name(players, u16::from_le_bytes([game[at], game[at + 1]]));
        let (black, white) = (player(2), player(4));
        let discs = game[6].min(64);
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "[Black \"{black}\"]\n[White \"{white}\"]\n[Result \"{discs}-{}\"]\n",
            64 - discs
        );
        for &place in game[8..].iter().take_while(|place| **place != 0) {
            match (place / 10, place % 10) {
                (row @ 1..=8, column @ 1..=8) => {
                    let square = usize::from(row - 1) * 8 + usize::from(column - 1);
                    text.push_str(&square_name(square, 8));
                }
                _ => drop(write!(text, " {place}? ")),
            }
        }
        text.push_str("\n\n");
    }
    Some(text)
}

/// The name of a player: Latin-1 up to a zero. One without a name keeps the number.
fn name(players: &[u8], number: u16) -> String {
    let mut names = players.get(HEADER..).unwrap_or_default().chunks(NAME);
    let name = names.nth(number.into()).unwrap_or_default();
    let signs = name.iter().take_while(|sign| **sign != 0);
    let signs = signs.map(|&sign| char::from(sign));
    let name: String = signs
        .filter(|sign| !sign.is_control() && *sign != '"')
        .collect();
    match name.trim() {
        "" => format!("player {number}"),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_of_othello_is_read_as_transcripts() {
        let mut bytes = vec![20, 26, 1, 31, 1, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0];
        let mut game = [0; GAME];
        game[..12].copy_from_slice(&[1, 0, 7, 1, 9, 0, 34, 30, 56, 64, 33, 99]);
        bytes.extend(game);
        let file = GameFile::new(&bytes);
        let expected =
            "[Black \"player 263\"]\n[White \"player 9\"]\n[Result \"34-30\"]\nf5d6c3 99? \n\n";
        assert_eq!((file.text.as_str(), file.has_lines), (expected, false));
        bytes[2..4].fill(0);
        assert_eq!(GameFile::new(&bytes).text, expected);
        let mut names = vec![0; HEADER + 10 * NAME];
        names[HEADER + 9 * NAME..][..12].copy_from_slice(b"M\xfcller \"Max\"");
        let text = GameFile::with_players(&bytes, &names).text;
        assert_eq!(text, expected.replace("player 9", "Müller Max"));
    }

    #[test]
    fn text_is_read_in_any_encoding() {
        assert_eq!(GameFile::new(b"\xef\xbb\xbf1. a").text, "1. a");
        assert_eq!(GameFile::new("Müller".as_bytes()).text, "Müller");
        assert_eq!(GameFile::new(b"M\xfcller").text, "Müller");
        assert_eq!(GameFile::new(b"a\rb").text, "a\nb");
        assert_eq!(GameFile::new(b"\xff\xfe1\0\xbd\0").text, "1½");
        assert_eq!(GameFile::new(b"\xfe\xff\x001\0\xbd").text, "1½");
        assert_eq!(
            GameFile::new(b"1\x85 11\x9615 \x93\xfc\x94").text,
            "1... 11–15 \"ü\""
        );
        let invisible = "a\u{feff}b\u{200b} “c” 1…\0";
        assert_eq!(GameFile::new(invisible.as_bytes()).text, "ab \"c\" 1...");
    }
}
