//! Keys by their position, for keyboards whose layout is not a Latin one: terminals send the
//! letter, not the key. Where the layout can't be told from the letter, a sentence says what to do.

use crossterm::event::{KeyCode, KeyEvent};

/// The letters of the Russian layout, and at the same places those of the keys with Latin letters.
/// The Ukrainian and the Belarusian layout differ in the last few.
const CYRILLIC: &str = "йцукенгшщзхъфывапролджэячсмитьбюієїґў";
const LATIN: &str = "qwertyuiop[]asdfghjkl;'zxcvbnm,.s']\\o";

/// What a letter that no key is bound to means to a reader.
pub const OTHER_LETTERS: &str = "the keys are Latin letters: switch the keyboard's layout";

/// The key of a Latin letter at the position of a Cyrillic one.
pub(super) fn by_position(key: KeyEvent) -> Option<KeyEvent> {
    let KeyCode::Char(letter) = key.code else {
        return None;
    };
    let lower = letter.to_lowercase().next()?;
    let place = CYRILLIC.chars().position(|known| known == lower)?;
    let latin = LATIN.chars().nth(place)?;
    let latin = if lower == letter {
        latin
    } else {
        latin.to_ascii_uppercase()
    };
    Some(KeyEvent {
        code: KeyCode::Char(latin),
        ..key
    })
}

/// Whether a key is a letter of another script, as far as no position is known for it.
pub fn is_other_letter(key: KeyEvent) -> bool {
    let is_letter = |letter: char| letter.is_alphabetic() && !letter.is_ascii();
    matches!(key.code, KeyCode::Char(letter) if is_letter(letter)) && by_position(key).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::KeyModifiers;

    fn check(letter: char, expected: Option<char>) {
        let key = |letter| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE);
        assert_eq!(by_position(key(letter)), expected.map(key), "{letter}");
    }

    #[test]
    fn cyrillic_letters_are_keys_by_their_position() {
        assert_eq!(CYRILLIC.chars().count(), LATIN.chars().count());
        check('й', Some('q'));
        check('З', Some('P'));
        check('ю', Some('.'));
        check('і', Some('s'));
        check('q', None);
        check('λ', None);
    }

    #[test]
    fn other_scripts_are_told_from_letters_that_are_keys() {
        let is_other =
            |letter| is_other_letter(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE));
        let letters = ['λ', 'ש', 'й', 'q', '1', 'é'];
        assert_eq!(
            letters.map(is_other),
            [true, true, false, false, false, true]
        );
    }
}
