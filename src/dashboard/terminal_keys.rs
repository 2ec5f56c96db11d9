//! What a terminal sends as keys and clicks: characters of UTF-8, control characters and escape
//! sequences (ECMA-48; xterm, "Control Sequences"). It does not read anything.

use std::time::Duration;

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

/// The beginning of what a terminal has sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Parsed {
    /// An input, and its length in bytes.
    Event(Event, usize),
    /// This number of bytes means nothing here, such as the marks around pasted text.
    Nothing(usize),
    /// More must follow.
    Unfinished,
}

/// The longest escape sequence, in bytes.
const LONGEST: usize = 64;

/// The longest answer of a terminal, in bytes.
const LONGEST_STRING: usize = 4096;

const ESCAPE: u8 = 0x1b;

/// Parses the first input of what has been sent; it must not be empty. An escape character at the
/// end is the key.
pub(super) fn parse(sent: &[u8]) -> Parsed {
    match sent {
        [ESCAPE] | [ESCAPE, ESCAPE, ..] => Parsed::Event(plain(KeyCode::Esc), 1),
        [ESCAPE, b'[', rest @ ..] => control_sequence(rest),
        [ESCAPE, b'O', rest @ ..] => single_shift(rest),
        [ESCAPE, b']' | b'P' | b'^' | b'_', rest @ ..] => control_string(rest),
        [ESCAPE, rest @ ..] => with_alt(character(rest)),
        _ => character(sent),
    }
}

/// The key of bytes that begin an input but were not continued.
pub(super) fn given_up(sent: &[u8]) -> Option<Event> {
    match sent {
        [ESCAPE, letter @ (b'[' | b'O' | b']' | b'P' | b'^' | b'_')] => {
            let letter = KeyCode::Char(char::from(*letter));
            Some(pressed(letter, KeyModifiers::ALT))
        }
        _ => None,
    }
}

/// How long the rest of what has been sent may take. A terminal sends the sequence of a key at
/// once, but its answer to a question may come in parts.
pub(super) fn patience(sent: &[u8]) -> Duration {
    match sent {
        [ESCAPE, b']' | b'P' | b'^' | b'_', _, ..] => Duration::from_secs(2),
        _ => Duration::from_millis(100),
    }
}

/// The content of an answer of the terminal, such as its colors, up to its end.
fn control_string(rest: &[u8]) -> Parsed {
    let before = b"\x1b]".len();
    let end = rest.iter().position(|byte| *byte < b' ');
    match end.map(|end| (end, &rest[end..])) {
        Some((end, [ESCAPE, b'\\', ..])) => Parsed::Nothing(before + end + 2),
        Some((end, [0x07, ..])) => Parsed::Nothing(before + end + 1),
        None | Some((_, [ESCAPE])) if rest.len() < LONGEST_STRING => Parsed::Unfinished,
        // It was broken off.
        Some((end, _)) => Parsed::Nothing(before + end),
        None => Parsed::Nothing(before + rest.len()),
    }
}

fn pressed(code: KeyCode, modifiers: KeyModifiers) -> Event {
    Event::Key(KeyEvent::new(code, modifiers))
}

fn plain(code: KeyCode) -> Event {
    pressed(code, KeyModifiers::NONE)
}

/// A key that was sent after an escape character.
fn with_alt(parsed: Parsed) -> Parsed {
    match parsed {
        Parsed::Event(Event::Key(mut key), length) => {
            key.modifiers |= KeyModifiers::ALT;
            Parsed::Event(Event::Key(key), length + 1)
        }
        Parsed::Event(event, length) => Parsed::Event(event, length + 1),
        Parsed::Nothing(length) => Parsed::Nothing(length + 1),
        Parsed::Unfinished => Parsed::Unfinished,
    }
}

/// A character that begins no escape sequence.
fn character(sent: &[u8]) -> Parsed {
    let control = |first: char, byte: u8, base: u8| {
        let letter = char::from(first as u8 + byte - base);
        pressed(KeyCode::Char(letter), KeyModifiers::CONTROL)
    };
    let event = match sent[0] {
        b'\r' => plain(KeyCode::Enter),
        b'\t' => plain(KeyCode::Tab),
        0x7f => plain(KeyCode::Backspace),
        0 => pressed(KeyCode::Char(' '), KeyModifiers::CONTROL),
        byte @ 0x01..=0x1a => control('a', byte, 0x01),
        byte @ 0x1c..=0x1f => control('4', byte, 0x1c),
        _ => return letter(sent),
    };
    Parsed::Event(event, 1)
}

fn letter(sent: &[u8]) -> Parsed {
    let length = match sent[0] {
        0x00..=0x7f => 1,
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf7 => 4,
        _ => return Parsed::Nothing(1),
    };
    let whole = sent.get(..length);
    let Some(whole) = whole else {
        return Parsed::Unfinished;
    };
    let text = std::str::from_utf8(whole).ok();
    match text.and_then(|text| text.chars().next()) {
        Some(letter) => {
            let held = if letter.is_uppercase() {
                KeyModifiers::SHIFT
            } else {
                KeyModifiers::NONE
            };
            Parsed::Event(pressed(KeyCode::Char(letter), held), length)
        }
        None => Parsed::Nothing(1),
    }
}

/// A key behind `ESC O`, as terminals send it in application mode.
fn single_shift(rest: &[u8]) -> Parsed {
    let Some(&last) = rest.first() else {
        return Parsed::Unfinished;
    };
    match cursor_key(last) {
        Some(code) => Parsed::Event(plain(code), 3),
        None => Parsed::Nothing(3),
    }
}

/// The key of the last byte of a sequence.
fn cursor_key(last: u8) -> Option<KeyCode> {
    Some(match last {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'F' => KeyCode::End,
        b'H' => KeyCode::Home,
        b'P'..=b'S' => KeyCode::F(1 + last - b'P'),
        _ => return None,
    })
}

/// The content of `ESC [`, up to its last byte.
fn control_sequence(rest: &[u8]) -> Parsed {
    let before = b"\x1b[".len();
    match rest {
        // The console of Linux.
        [b'[', last, ..] => {
            return match last {
                b'A'..=b'E' => Parsed::Event(plain(KeyCode::F(1 + last - b'A')), before + 2),
                _ => Parsed::Nothing(before + 1),
            };
        }
        [b'['] => return Parsed::Unfinished,
        // Clicks of terminals that do not know the newer encoding.
        [b'M', sent @ ..] => {
            return match sent {
                [button, x, y, ..] => {
                    let place = |byte: u8| u16::from(byte.saturating_sub(b'!'));
                    let mouse = mouse(button.saturating_sub(b' '), place(*x), place(*y), true);
                    mouse.map_or(Parsed::Nothing(before + 4), |event| {
                        Parsed::Event(event, before + 4)
                    })
                }
                _ => Parsed::Unfinished,
            };
        }
        _ => {}
    }
    let end = rest.iter().position(|byte| !(0x20..=0x3f).contains(byte));
    let Some(end) = end else {
        return if rest.len() < LONGEST {
            Parsed::Unfinished
        } else {
            Parsed::Nothing(before + rest.len())
        };
    };
    let last = rest[end];
    if !(0x40..=0x7e).contains(&last) {
        // It was broken off.
        return Parsed::Nothing(before + end);
    }
    let length = before + end + 1;
    let content = std::str::from_utf8(&rest[..end]).unwrap_or_default();
    let event = match (content.strip_prefix('<'), last) {
        (Some(content), b'M' | b'm') => click(content, last == b'M'),
        (None, _) => key(content, last),
        (Some(_), _) => None,
    };
    event.map_or(Parsed::Nothing(length), |event| {
        Parsed::Event(event, length)
    })
}

/// A mouse event as `button;column;row` (SGR encoding).
fn click(content: &str, is_down: bool) -> Option<Event> {
    let mut numbers = content.split(';').map(str::parse::<u16>);
    let mut next = || numbers.next()?.ok();
    let (button, x, y) = (next()?, next()?, next()?);
    let button = u8::try_from(button).ok()?;
    mouse(button, x.saturating_sub(1), y.saturating_sub(1), is_down)
}

/// A press of the left button or a turn of the wheel.
fn mouse(button: u8, column: u16, row: u16, is_down: bool) -> Option<Event> {
    const HELD_KEYS: u8 = 0b1_1100;
    let kind = match button & !HELD_KEYS {
        0 if is_down => MouseEventKind::Down(MouseButton::Left),
        64 => MouseEventKind::ScrollUp,
        65 => MouseEventKind::ScrollDown,
        _ => return None,
    };
    let modifiers = KeyModifiers::NONE;
    Some(Event::Mouse(MouseEvent {
        kind,
        column,
        row,
        modifiers,
    }))
}

/// A key with its numbers: the key itself, and the keys that are held with it, such as `5;2`.
fn key(content: &str, last: u8) -> Option<Event> {
    let mut parts = content.split(';');
    let first = parts.next().unwrap_or_default();
    let number = first.split(':').next().and_then(|text| text.parse().ok());
    let (modifiers, kind) = held(parts.next().unwrap_or_default());
    let code = match last {
        b'~' => numbered_key(number?)?,
        b'u' => coded_key(number?)?,
        b'Z' => return Some(pressed(KeyCode::BackTab, modifiers | KeyModifiers::SHIFT)),
        // `ESC [ 5 ; 9 R` is the place of the cursor, not F3.
        b'R' if number != Some(1) => return None,
        last if number.is_none_or(|number| number == 1) => cursor_key(last)?,
        _ => return None,
    };
    Some(Event::Key(KeyEvent::new_with_kind(code, modifiers, kind)))
}

/// The keys that are held, one more than their bits, and what happened: pressed, repeated or
/// released.
fn held(text: &str) -> (KeyModifiers, KeyEventKind) {
    const BITS: [KeyModifiers; 6] = [
        KeyModifiers::SHIFT,
        KeyModifiers::ALT,
        KeyModifiers::CONTROL,
        KeyModifiers::SUPER,
        KeyModifiers::HYPER,
        KeyModifiers::META,
    ];
    let (mask, kind) = text.split_once(':').unwrap_or((text, ""));
    let mask = mask.parse::<u8>().unwrap_or(1).saturating_sub(1);
    let held = BITS.into_iter().enumerate();
    let held = held.filter(|(place, _)| mask >> place & 1 == 1);
    let kind = match kind {
        "2" => KeyEventKind::Repeat,
        "3" => KeyEventKind::Release,
        _ => KeyEventKind::Press,
    };
    (held.map(|(_, key)| key).collect(), kind)
}

/// The keys of sequences that end with `~`.
fn numbered_key(number: u32) -> Option<KeyCode> {
    Some(match number {
        1 | 7 => KeyCode::Home,
        2 => KeyCode::Insert,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        11..=15 => KeyCode::F(number as u8 - 10),
        17..=21 => KeyCode::F(number as u8 - 11),
        23..=26 => KeyCode::F(number as u8 - 12),
        28 | 29 => KeyCode::F(number as u8 - 13),
        31..=34 => KeyCode::F(number as u8 - 14),
        _ => return None,
    })
}

/// The keys of sequences that end with `u`, by their character.
fn coded_key(number: u32) -> Option<KeyCode> {
    Some(match char::from_u32(number)? {
        '\u{1b}' => KeyCode::Esc,
        '\r' => KeyCode::Enter,
        '\t' => KeyCode::Tab,
        '\u{7f}' => KeyCode::Backspace,
        letter if !letter.is_control() => KeyCode::Char(letter),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All inputs of what was sent, in words, and what is left unfinished.
    fn read(mut sent: &[u8]) -> (Vec<String>, usize) {
        let mut inputs = Vec::new();
        while !sent.is_empty() {
            let length = match parse(sent) {
                Parsed::Event(Event::Key(key), length) => {
                    inputs.push(format!("{}{}", key.modifiers, key.code));
                    length
                }
                Parsed::Event(Event::Mouse(event), length) => {
                    inputs.push(format!("{:?} {} {}", event.kind, event.column, event.row));
                    length
                }
                Parsed::Event(other, _) => panic!("{other:?}"),
                Parsed::Nothing(length) => length,
                Parsed::Unfinished => break,
            };
            assert!((1..=sent.len()).contains(&length), "{sent:?}");
            sent = &sent[length..];
        }
        (inputs, sent.len())
    }

    #[track_caller]
    fn check(sent: &str, expected: &[&str]) {
        assert_eq!(
            read(sent.as_bytes()),
            (expected.iter().map(|&word| word.to_owned()).collect(), 0),
            "{sent:?}"
        );
    }

    #[test]
    fn characters_and_control_characters_are_keys() {
        check("aÄ字", &["a", "ShiftÄ", "字"]);
        check(
            "\r\t\u{7f}\0",
            &["Enter", "Tab", "Backspace", "ControlSpace"],
        );
        check(
            "\u{3}\n\u{1a}\u{1c}",
            &["Controlc", "Controlj", "Controlz", "Control4"],
        );
        assert_eq!(
            read(b"\xff\x80a\xc3(b"),
            (vec!["a".to_owned(), "(".to_owned(), "b".to_owned()], 0)
        );
    }

    #[test]
    fn escape_sequences_are_keys() {
        check("\u{1b}", &["Esc"]);
        check("\u{1b}\u{1b}[A", &["Esc", "Up"]);
        check("\u{1b}x\u{1b}\r\u{1b}é", &["Altx", "AltEnter", "Alté"]);
        check(
            "\u{1b}[A\u{1b}OB\u{1b}[H\u{1b}OP\u{1b}[[E",
            &["Up", "Down", "Home", "F1", "F5"],
        );
        check(
            "\u{1b}[1;2D\u{1b}[1;5C\u{1b}[5;3~",
            &["ShiftLeft", "ControlRight", "AltPage Up"],
        );
        check(
            "\u{1b}[3~\u{1b}[24~\u{1b}[Z\u{1b}[1;2R",
            &["Del", "F12", "ShiftBack Tab", "ShiftF3"],
        );
        check("\u{1b}[105;5u\u{1b}[27u", &["Controli", "Esc"]);
        check(
            "\u{1b}[9;5R\u{1b}[I\u{1b}[?62;1c\u{1b}Oz\u{1b}[99~a",
            &["a"],
        );
    }

    #[test]
    fn clicks_and_the_wheel_are_read_in_both_encodings() {
        check("\u{1b}[<0;5;7M\u{1b}[<0;5;7m", &["Down(Left) 4 6"]);
        check(
            "\u{1b}[<64;1;1M\u{1b}[<69;300;2M",
            &["ScrollUp 0 0", "ScrollDown 299 1"],
        );
        check("\u{1b}[<2;5;7M\u{1b}[<32;5;7M\u{1b}[<0;5M", &[]);
        check(
            "\u{1b}[M !\"\u{1b}[Ma!!",
            &["Down(Left) 0 1", "ScrollDown 0 0"],
        );
    }

    #[test]
    fn the_marks_of_pasted_text_mean_nothing_and_the_text_is_typed() {
        check("\u{1b}[200~q\u{1b}[201~", &["q"]);
        check("\u{1b}[200~ab\u{3}", &["a", "b", "Controlc"]);
    }

    #[test]
    fn no_sequence_swallows_what_follows_it() {
        check("\u{1b}[?1\u{1b}[Bq", &["Down", "q"]);
        check("\u{1b}[<0;\rq", &["Enter", "q"]);
        let long = format!("\u{1b}[{}", "1;".repeat(LONGEST));
        assert_eq!(read(long.as_bytes()), (Vec::new(), 0));
    }

    #[test]
    fn an_answer_of_the_terminal_is_no_key() {
        let answer = "\u{1b}]11;rgb:0000/0000/0000";
        check(&format!("{answer}\u{1b}\\q"), &["q"]);
        check(&format!("{answer}\u{7}{answer}\u{7}q"), &["q"]);
        check("\u{1b}P1+r544e=787465\u{1b}\\q", &["q"]);
        check(&format!("{answer}\rq"), &["Enter", "q"]);
        for part in [answer, &format!("{answer}\u{1b}")] {
            assert_eq!(parse(part.as_bytes()), Parsed::Unfinished);
            assert!(patience(part.as_bytes()) > patience(b"\x1b["));
        }
    }

    #[test]
    fn what_is_not_continued_is_given_up() {
        for sent in ["\u{1b}[", "\u{1b}O", "\u{1b}[1;", "\u{1b}[M!", "\u{1b}[["] {
            assert_eq!(parse(sent.as_bytes()), Parsed::Unfinished, "{sent:?}");
        }
        assert_eq!(parse(&"é".as_bytes()[..1]), Parsed::Unfinished);
        let alt = |letter| Some(pressed(KeyCode::Char(letter), KeyModifiers::ALT));
        assert_eq!(given_up(b"\x1b["), alt('['));
        assert_eq!(given_up(b"\x1bO"), alt('O'));
        assert_eq!(given_up(b"\x1b[1;"), None);
    }

    #[test]
    fn any_bytes_come_to_an_end() {
        let mut state = 1u64;
        for _ in 0..20_000 {
            let bytes: Vec<u8> = (0..12)
                .map(|_| {
                    state = state
                        .wrapping_mul(6364136223846793005)
                        .wrapping_add(1442695040888963407);
                    let byte = (state >> 33) as u8;
                    if byte < 100 {
                        b"\x1b[<O0;M~u"[byte as usize % 9]
                    } else {
                        byte
                    }
                })
                .collect();
            read(&bytes);
        }
    }
}
