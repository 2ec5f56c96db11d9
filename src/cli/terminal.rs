//! Terminal options of the command line: characters, mouse, colors and keys.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use finches_dashboard::TerminalSettings;
use finches_dashboard::keymap::{self, Keymap};
use finches_dashboard::remap;
use finches_dashboard::screens;
use finches_dashboard::theme::choice::{CharacterChoice, ColorChoice, ThemeChoice};
use finches_dashboard::theme::{ColorDepth, ColorScheme};
use finches_runs::storage::paths::{KeysFile, keys_file};

use super::options::one_of;
use super::{CliError, output};

/// How the dashboard uses the terminal.
#[derive(Clone, Debug, Args)]
pub(super) struct TerminalOptions {
    /// Draw with ASCII characters only. `auto` does so where the locale is not one of UTF-8, and on
    /// the console of Linux.
    #[arg(
        long,
        value_name = "WHEN",
        num_args = 0..=1,
        require_equals = true,
        default_value = "auto",
        default_missing_value = "always",
        value_parser = one_of(&CHARACTERS),
    )]
    ascii: CharacterChoice,
    /// Do not use the mouse, so that the terminal can select text with it.
    #[arg(long)]
    no_mouse: bool,
    /// Do not ring the bell when a breakpoint pauses the run.
    #[arg(long)]
    no_bell: bool,
    /// Color theme [default: `$FINCHES_THEME`, else the one that fits the terminal's background].
    #[arg(long, value_name = "THEME")]
    theme: Option<ThemeArg>,
    /// Number of colors. `auto` uses as many as the terminal supports, or none if `$NO_COLOR` is
    /// set.
    #[arg(long, value_name = "COLORS", default_value = "auto")]
    colors: ColorsArg,
    #[command(flatten)]
    keys: KeysOption,
}

/// The file of the user's key bindings.
#[derive(Clone, Debug, Args)]
pub(super) struct KeysOption {
    /// Key file, in the format printed by `finches keys` [default: `$FINCHES_KEYS`, else
    /// finches/keys.ron in the user's configuration folder].
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
}

/// Which characters are drawn, by when they are those of ASCII.
const CHARACTERS: [(&str, CharacterChoice); 3] = [
    ("auto", CharacterChoice::Auto),
    ("always", CharacterChoice::Ascii),
    ("never", CharacterChoice::Unicode),
];

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum ThemeArg {
    Auto,
    Dark,
    Light,
    /// Bold and reversed text only.
    Mono,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ColorsArg {
    Auto,
    /// 24-bit color.
    True,
    /// The 256 colors of xterm.
    #[value(name = "256")]
    Indexed,
    /// The 16 colors of the terminal's own palette.
    #[value(name = "16")]
    Named,
    None,
}

impl From<ThemeArg> for ThemeChoice {
    fn from(theme: ThemeArg) -> Self {
        match theme {
            ThemeArg::Auto => Self::Auto,
            ThemeArg::Dark => Self::ColorScheme(ColorScheme::Dark),
            ThemeArg::Light => Self::ColorScheme(ColorScheme::Light),
            ThemeArg::Mono => Self::ColorScheme(ColorScheme::Mono),
        }
    }
}

impl From<ColorsArg> for ColorChoice {
    fn from(colors: ColorsArg) -> Self {
        match colors {
            ColorsArg::Auto => Self::Auto,
            ColorsArg::True => Self::ColorDepth(ColorDepth::True),
            ColorsArg::Indexed => Self::ColorDepth(ColorDepth::Indexed),
            ColorsArg::Named => Self::ColorDepth(ColorDepth::Named),
            ColorsArg::None => Self::ColorDepth(ColorDepth::None),
        }
    }
}

impl TerminalOptions {
    /// The terminal options of the dashboard. Also installs the user's key bindings.
    pub(super) fn setup(&self) -> Result<TerminalSettings, CliError> {
        let theme = match self.theme {
            Some(theme) => theme,
            None => theme_of_environment()?,
        };
        let keys = self.keys.read()?;
        keymap::install(|| keys);
        Ok(TerminalSettings {
            characters: self.ascii,
            mouse: !self.no_mouse,
            bell: !self.no_bell,
            theme: theme.into(),
            colors: self.colors.into(),
        })
    }
}

fn theme_of_environment() -> Result<ThemeArg, CliError> {
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
        CliError::Usage(format!(
            "FINCHES_THEME={name}: there is no such theme; the themes are {known}"
        ))
    })
}

impl KeysOption {
    /// The default key bindings, overridden by the user's.
    fn read(&self) -> Result<Keymap, CliError> {
        match keys_file(self.keys.as_deref())? {
            KeysFile::Default => Ok(screens::keymap()),
            KeysFile::Custom { name, text } => remap::parse(&text, &name).map_err(CliError::Usage),
        }
    }
}

/// `finches keys`.
pub(super) fn keys(option: &KeysOption) -> Result<(), CliError> {
    output::print(&remap::to_ron(&option.read()?))
}
