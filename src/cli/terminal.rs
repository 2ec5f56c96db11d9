//! What the command line says of the terminal: characters, mouse, colors, keys.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::storage::places::{Keys, keys_file};
use crate::ui::TerminalUse;
use crate::ui::keymap::{self, Keymap};
use crate::ui::remap;
use crate::ui::theme::choice::{Colors, Wanted};
use crate::ui::theme::{Depth, Scheme};

use super::{Stop, output};

/// How the dashboard uses the terminal.
#[derive(Clone, Debug, Args)]
pub(super) struct TerminalOptions {
    /// Draw with ASCII characters only.
    #[arg(long)]
    ascii: bool,
    /// Leave the mouse to the terminal, which selects text with it.
    #[arg(long)]
    no_mouse: bool,
    /// The theme: that of the terminal's background by itself; also `$FINCHES_THEME`.
    #[arg(long, value_name = "THEME")]
    theme: Option<ThemeArg>,
    /// How many colors there are: by itself as many as the terminal has, none with `$NO_COLOR`.
    #[arg(long, value_name = "COLORS", default_value = "auto")]
    colors: ColorsArg,
    #[command(flatten)]
    keys: KeysOption,
}

/// Where the user's own keys are.
#[derive(Clone, Debug, Args)]
pub(super) struct KeysOption {
    /// A file of keys, in the form that `finches keys` prints; also `$FINCHES_KEYS`, else keys.ron in the user's configuration.
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ThemeArg {
    Auto,
    Dark,
    Light,
    /// Weight and reversal only.
    Mono,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ColorsArg {
    Auto,
    /// Any color.
    True,
    /// The 256 of xterm.
    #[value(name = "256")]
    Indexed,
    /// The sixteen with names, as the terminal has them.
    #[value(name = "16")]
    Named,
    None,
}

impl From<ThemeArg> for Wanted {
    fn from(theme: ThemeArg) -> Self {
        match theme {
            ThemeArg::Auto => Self::Auto,
            ThemeArg::Dark => Self::Scheme(Scheme::Dark),
            ThemeArg::Light => Self::Scheme(Scheme::Light),
            ThemeArg::Mono => Self::Scheme(Scheme::Mono),
        }
    }
}

impl From<ColorsArg> for Colors {
    fn from(colors: ColorsArg) -> Self {
        match colors {
            ColorsArg::Auto => Self::Auto,
            ColorsArg::True => Self::Depth(Depth::True),
            ColorsArg::Indexed => Self::Depth(Depth::Indexed),
            ColorsArg::Named => Self::Depth(Depth::Named),
            ColorsArg::None => Self::Depth(Depth::None),
        }
    }
}

impl TerminalOptions {
    /// What the dashboard is opened with; from here on the user's keys are in force.
    pub(super) fn ready(&self) -> Result<TerminalUse, Stop> {
        let theme = match self.theme {
            Some(theme) => theme,
            None => theme_of_environment()?,
        };
        keymap::adopt(self.keys.read()?);
        Ok(TerminalUse {
            ascii: self.ascii,
            mouse: !self.no_mouse,
            theme: theme.into(),
            colors: self.colors.into(),
        })
    }
}

fn theme_of_environment() -> Result<ThemeArg, Stop> {
    let Some(name) = std::env::var_os("FINCHES_THEME").filter(|name| !name.is_empty()) else {
        return Ok(ThemeArg::Auto);
    };
    let name = name.to_string_lossy();
    ThemeArg::from_str(&name, false).map_err(|_| {
        let known: Vec<String> = ThemeArg::value_variants()
            .iter()
            .filter_map(|theme| Some(theme.to_possible_value()?.get_name().to_owned()))
            .collect();
        let known = known.join(", ");
        Stop::Usage(format!(
            "FINCHES_THEME={name}: there is no such theme; there are {known}"
        ))
    })
}

impl KeysOption {
    /// The default keys with the user's own in their places.
    fn read(&self) -> Result<Keymap, Stop> {
        match keys_file(self.keys.as_deref())? {
            Keys::Default => Ok(Keymap::default()),
            Keys::Own { name, text } => remap::read(&text, &name).map_err(Stop::Usage),
        }
    }
}

/// `finches keys`.
pub(super) fn keys(option: &KeysOption) -> Result<(), Stop> {
    output::print(&remap::write(&option.read()?))
}
