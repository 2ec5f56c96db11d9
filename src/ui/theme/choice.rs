//! Which theme a terminal gets: what is asked for, else what the terminal says of its background and its colors.

use std::env;
use std::io::IsTerminal;
use std::time::Duration;

use supports_color::Stream;
use terminal_colorsaurus::{QueryOptions, ThemeMode, theme_mode};

use super::{Depth, Ground, Looks, Scheme, Theme};

/// The theme that is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// As the terminal's background is.
    #[default]
    Auto,
    Scheme(Scheme),
}

/// The colors that are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colors {
    /// As many as the terminal has; none with `NO_COLOR`.
    #[default]
    Auto,
    Depth(Depth),
}

/// Whether the terminal may still answer a question that nobody waits for any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It was not asked, or has answered.
    None,
    Late,
}

/// How long a terminal may take to tell its background: those that know the question answer at once, but a line between may
/// be slow.
const PATIENCE: Duration = Duration::from_millis(100);
const PATIENCE_FAR: Duration = Duration::from_secs(1);

/// The theme for this terminal. It may be asked for its background, so that this comes before anything else reads from it.
pub fn choose(wanted: Wanted, colors: Colors, ascii: bool) -> (Theme, Answer) {
    let depth = match colors {
        Colors::Depth(depth) => depth,
        Colors::Auto => supported(),
    };
    let (ground, answer) = match wanted {
        Wanted::Auto if depth != Depth::None => background(),
        // A terminal that is not asked may be either: the theme then paints a ground of its own.
        Wanted::Scheme(Scheme::Dark) => (Ground::Light, Answer::None),
        _ => (Ground::Dark, Answer::None),
    };
    let scheme = match wanted {
        _ if depth == Depth::None => Scheme::Mono,
        Wanted::Scheme(scheme) => scheme,
        Wanted::Auto => ground.into(),
    };
    let looks = Looks {
        scheme,
        depth,
        ground,
    };
    let theme = Theme {
        ascii,
        ..Theme::of(looks)
    };
    (theme, answer)
}

/// The colors that the terminal has, by its environment.
fn supported() -> Depth {
    let refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    match supports_color::on(Stream::Stdout) {
        _ if refused => Depth::None,
        Some(level) if level.has_16m => Depth::True,
        Some(level) if level.has_256 => Depth::Indexed,
        Some(_) => Depth::Named,
        None => Depth::None,
    }
}

/// Asks the terminal for its background; one that does not tell is taken for dark.
fn background() -> (Ground, Answer) {
    let dumb = env::var_os("TERM").is_none_or(|term| term == "dumb");
    if dumb || !std::io::stdin().is_terminal() {
        return (Ground::Dark, Answer::None);
    }
    let mut options = QueryOptions::default();
    options.timeout = match env::var_os("SSH_CONNECTION") {
        Some(_) => PATIENCE_FAR,
        None => PATIENCE,
    };
    match theme_mode(options) {
        Ok(ThemeMode::Light) => (Ground::Light, Answer::None),
        Ok(ThemeMode::Dark) => (Ground::Dark, Answer::None),
        Err(_) => (Ground::Dark, Answer::Late),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_theme_asked_for_by_name_can_be_read_on_any_terminal() {
        for scheme in [Scheme::Dark, Scheme::Light] {
            for depth in [Depth::True, Depth::Indexed, Depth::Named] {
                let wanted = Wanted::Scheme(scheme);
                let (theme, _) = choose(wanted, Colors::Depth(depth), false);
                assert_eq!(theme.looks.scheme, scheme);
                assert!(theme.paper.is_some(), "{scheme:?} in {depth:?}");
            }
        }
    }
}
