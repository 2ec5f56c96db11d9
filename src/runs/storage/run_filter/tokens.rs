//! Splits the text of a filter into words, quoted texts and signs.

use std::fmt;

use super::{FilterError, FilterSign, SIGNS};

/// A part of a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FilterToken {
    Word(String),
    /// A text in quotes, without them.
    Quoted(String),
    Sign(FilterSign),
}

impl FilterToken {
    /// Whether it is this word, in capitals or not.
    pub(super) fn is_word(&self, wanted: &str) -> bool {
        matches!(self, Self::Word(word) if word.eq_ignore_ascii_case(wanted))
    }

    /// Whether it joins two conditions.
    pub(super) fn is_joint(&self) -> bool {
        self.is_word("and") || self.is_word("or")
    }
}

impl fmt::Display for FilterToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(text) | Self::Quoted(text) => f.write_str(text),
            Self::Sign(sign) => sign.fmt(f),
        }
    }
}

/// The parts of a text. Spaces separate words, except in quotes and in brackets.
pub(super) fn tokens(text: &str) -> Result<Vec<FilterToken>, FilterError> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = if let Some(quoted) = rest.strip_prefix('"') {
            let end = quoted.find('"');
            let end = end.ok_or_else(|| FilterError("`\"` has no end".to_owned()))?;
            tokens.push(FilterToken::Quoted(quoted[..end].to_owned()));
            end + 2
        } else if is_of_sign(first) {
            let end = rest.find(|letter| !is_of_sign(letter));
            let end = end.unwrap_or(rest.len());
            tokens.push(FilterToken::Sign(sign(&rest[..end])?));
            end
        } else {
            let end = end_of_word(rest)?;
            tokens.push(FilterToken::Word(rest[..end].to_owned()));
            end
        };
        rest = rest[end..].trim_start();
    }
    Ok(tokens)
}

fn is_of_sign(letter: char) -> bool {
    "=!<>~".contains(letter)
}

fn sign(text: &str) -> Result<FilterSign, FilterError> {
    let found = SIGNS.iter().find(|(known, _)| *known == text);
    found.map(|(_, sign)| *sign).ok_or_else(|| {
        let known = SIGNS.map(|(known, _)| known).join(" ");
        FilterError(format!("`{text}` is not an operator; there are {known}"))
    })
}

/// The length of the word that the text begins with.
fn end_of_word(text: &str) -> Result<usize, FilterError> {
    let mut open = Vec::new();
    for (place, letter) in text.char_indices() {
        let ends = letter.is_whitespace() || letter == '"' || is_of_sign(letter);
        match letter {
            _ if ends && open.is_empty() => return Ok(place),
            '[' | '(' | '{' => open.push(letter),
            ']' | ')' | '}' => drop(open.pop()),
            _ => {}
        }
    }
    match open.first() {
        Some(bracket) => Err(FilterError(format!("`{bracket}` has no end"))),
        None => Ok(text.len()),
    }
}
