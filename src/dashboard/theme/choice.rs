//! Chooses the theme: by the options, or else by the background and the colors of the terminal.

use std::env;
use std::io::IsTerminal;
use std::time::Duration;

use supports_color::Stream;
use terminal_colorsaurus::{QueryOptions, ThemeMode, theme_mode};

use super::{Background, ColorDepth, ColorScheme, Theme, ThemeSpec};

/// The theme option.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThemeChoice {
    /// Matches the terminal's background.
    #[default]
    Auto,
    ColorScheme(ColorScheme),
}

/// The color option.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorChoice {
    /// As many as the terminal has; none with `NO_COLOR`.
    #[default]
    Auto,
    ColorDepth(ColorDepth),
}

/// The characters option.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CharacterChoice {
    /// Lines, blocks and braille where the locale is one of UTF-8 and the terminal is not the
    /// console of Linux; else ASCII.
    #[default]
    Auto,
    Ascii,
    Unicode,
}

impl CharacterChoice {
    fn is_ascii(self) -> bool {
        match self {
            Self::Auto => !supports_unicode::on(supports_unicode::Stream::Stdout),
            Self::Ascii => true,
            Self::Unicode => false,
        }
    }
}

/// Whether a late reply of the terminal may still arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TerminalReply {
    /// There was no query, or it was answered.
    None,
    Late,
}

/// How long to wait for the terminal's reply. Terminals that support the query reply at once, but a
/// remote connection may be slow.
const REPLY_TIMEOUT: Duration = Duration::from_millis(100);
const REPLY_TIMEOUT_SSH: Duration = Duration::from_secs(1);

/// The theme for this terminal. It may query the terminal, so it must precede anything else that
/// reads from it.
pub fn choose(
    wanted: ThemeChoice,
    colors: ColorChoice,
    characters: CharacterChoice,
) -> (Theme, TerminalReply) {
    let depth = match colors {
        ColorChoice::ColorDepth(depth) => depth,
        ColorChoice::Auto => supported_depth(),
    };
    let (ground, answer) = match wanted {
        ThemeChoice::Auto if depth != ColorDepth::None => background(),
        // Without a query the background is unknown: assume the opposite, so that the theme paints
        // its own.
        ThemeChoice::ColorScheme(ColorScheme::Dark) => (Background::Light, TerminalReply::None),
        _ => (Background::Dark, TerminalReply::None),
    };
    let scheme = match wanted {
        _ if depth == ColorDepth::None => ColorScheme::Mono,
        ThemeChoice::ColorScheme(scheme) => scheme,
        ThemeChoice::Auto => ground.into(),
    };
    let looks = ThemeSpec {
        scheme,
        depth,
        ground,
    };
    let theme = Theme {
        ascii: characters.is_ascii(),
        ..Theme::of(looks)
    };
    (theme, answer)
}

/// The colors that the terminal supports, by its environment.
fn supported_depth() -> ColorDepth {
    let no_color = env::var_os("NO_COLOR");
    let has = |name, part: &str| env::var(name).is_ok_and(|value| value.contains(part));
    match supports_color::on(Stream::Stdout) {
        _ if no_color.as_ref().is_some_and(|value| !value.is_empty()) => ColorDepth::None,
        // An empty value refuses nothing (no-color.org), but the crate takes it for a refusal.
        None if no_color.is_some() => match () {
            () if has("COLORTERM", "truecolor") => ColorDepth::True,
            () if has("TERM", "256") => ColorDepth::Indexed,
            () => ColorDepth::Named,
        },
        Some(level) if level.has_16m => ColorDepth::True,
        Some(level) if level.has_256 => ColorDepth::Indexed,
        Some(_) => ColorDepth::Named,
        None => ColorDepth::None,
    }
}

/// Queries the terminal's background; without a reply it is taken as dark.
fn background() -> (Background, TerminalReply) {
    let dumb = env::var_os("TERM").is_none_or(|term| term == "dumb");
    if dumb || !std::io::stdin().is_terminal() {
        return (Background::Dark, TerminalReply::None);
    }
    let mut options = QueryOptions::default();
    options.timeout = match env::var_os("SSH_CONNECTION") {
        Some(_) => REPLY_TIMEOUT_SSH,
        None => REPLY_TIMEOUT,
    };
    match theme_mode(options) {
        Ok(ThemeMode::Light) => (Background::Light, TerminalReply::None),
        Ok(ThemeMode::Dark) => (Background::Dark, TerminalReply::None),
        Err(_) => (Background::Dark, TerminalReply::Late),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_theme_asked_for_by_name_can_be_read_on_any_terminal() {
        for scheme in [ColorScheme::Dark, ColorScheme::Light] {
            for depth in [ColorDepth::True, ColorDepth::Indexed, ColorDepth::Named] {
                let wanted = ThemeChoice::ColorScheme(scheme);
                let (theme, _) = choose(
                    wanted,
                    ColorChoice::ColorDepth(depth),
                    CharacterChoice::Unicode,
                );
                assert_eq!(theme.spec.scheme, scheme);
                assert!(theme.base.is_some(), "{scheme:?} in {depth:?}");
            }
        }
    }
}
