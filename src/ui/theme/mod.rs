//! How things look: every color and text attribute of the screen, by what it means. Meaning is never carried by color alone.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier, Style};

use crate::arena::record::Verdict;
use crate::games::Side;
use crate::games::board::Tone;
use crate::ui::widgets::fit::LOST;

use self::color::{between, nearest, on};
use self::palette::Palette;

pub mod choice;
mod color;
mod palette;
#[cfg(test)]
mod tests;

/// The looks of one theme, and whether only ASCII may be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    pub text: Style,
    /// Less important text.
    pub dim: Style,
    /// Headings and names.
    pub strong: Style,
    /// Pane borders, without and with the focus.
    pub border: Style,
    pub focus: Style,
    /// Light lines behind a chart, and the spread around its lines.
    pub guide: Style,
    pub faint: Style,
    /// What the eye should find first: the state, the selection, the cursor.
    pub accent: Style,
    pub selection: Style,
    pub good: Style,
    pub bad: Style,
    pub warning: Style,
    /// Keys in hints and help.
    pub key: Style,
    /// Lines of a chart, first the most important.
    pub series: [Style; 6],
    /// The grounds of a heat map from low to high; none without colors.
    pub heat: Option<[Color; 6]>,
    /// The grounds of what is far below zero, at zero and far above it; none without colors.
    pub poles: Option<[Color; 5]>,
    /// Text and ground, where the terminal's own are not what the theme is made for.
    pub paper: Option<(Color, Color)>,
    pub looks: Looks,
    /// Draw with ASCII only.
    pub ascii: bool,
}

/// Whether a terminal's own background is dark or light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    Dark,
    Light,
}

/// What a theme is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    Dark,
    Light,
    /// No colors at all: weight and reversal only.
    Mono,
}

/// The colors that a terminal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Any.
    True,
    /// The 256 of xterm.
    Indexed,
    /// The sixteen with names, which the user may have chosen.
    Named,
    None,
}

/// What tells one theme from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looks {
    pub scheme: Scheme,
    pub depth: Depth,
    /// The terminal's own background. A theme made for the other one paints its own.
    pub ground: Ground,
}

impl From<Ground> for Scheme {
    fn from(ground: Ground) -> Self {
        match ground {
            Ground::Dark => Self::Dark,
            Ground::Light => Self::Light,
        }
    }
}

impl Scheme {
    pub fn word(self) -> &'static str {
        match self {
            Self::Dark => "dark",
            Self::Light => "light",
            Self::Mono => "without colors",
        }
    }
}

impl Theme {
    /// Truecolor on dark.
    pub fn dark() -> Self {
        Self::of(Looks {
            scheme: Scheme::Dark,
            depth: Depth::True,
            ground: Ground::Dark,
        })
    }

    /// The theme of such looks.
    pub fn of(looks: Looks) -> Self {
        let named = looks.depth == Depth::Named;
        let palette = match looks.scheme {
            _ if looks.depth == Depth::None => return Self::monochrome(),
            Scheme::Mono => {
                return Self {
                    looks,
                    ..Self::monochrome()
                };
            }
            Scheme::Dark if named => &palette::NAMED_ON_DARK,
            Scheme::Light if named => &palette::NAMED_ON_LIGHT,
            Scheme::Dark => &palette::DARK,
            Scheme::Light => &palette::LIGHT,
        };
        Self::colored(looks, palette)
    }

    fn colored(looks: Looks, palette: &Palette) -> Self {
        let color = |color| looks.depth.shown(color);
        let fg = |wanted| Style::new().fg(color(wanted));
        let text = Style::new().fg(Color::Reset);
        let own = Scheme::from(looks.ground) == looks.scheme;
        Self {
            text,
            dim: fg(palette.dim),
            strong: text.add_modifier(Modifier::BOLD),
            border: fg(palette.border),
            focus: fg(palette.focus),
            guide: fg(palette.guide),
            faint: fg(palette.faint),
            accent: fg(palette.focus).add_modifier(Modifier::BOLD),
            selection: fg(palette.selected).bg(color(palette.focus)),
            good: fg(palette.good),
            bad: fg(palette.bad),
            warning: fg(palette.warning),
            key: fg(palette.key),
            series: match palette.indexed {
                Some(series) if looks.depth == Depth::Indexed => {
                    series.map(|index| Style::new().fg(Color::Indexed(index)))
                }
                _ => palette.series.map(fg),
            },
            heat: Some(palette.heat),
            poles: Some(palette.poles),
            paper: (!own).then(|| (color(palette.text), color(palette.paper))),
            looks,
            ascii: false,
        }
    }

    /// No colors at all: weight and reversal only (`NO_COLOR`).
    pub fn monochrome() -> Self {
        let plain = Style::new();
        // Titles stand on dim borders.
        let lit = plain.remove_modifier(Modifier::DIM);
        let bold = lit.add_modifier(Modifier::BOLD);
        Self {
            text: lit,
            dim: plain.add_modifier(Modifier::DIM),
            strong: bold,
            border: plain.add_modifier(Modifier::DIM),
            focus: bold,
            guide: plain.add_modifier(Modifier::DIM),
            faint: plain.add_modifier(Modifier::DIM),
            accent: bold,
            selection: plain.add_modifier(Modifier::REVERSED),
            good: bold,
            bad: bold.add_modifier(Modifier::UNDERLINED),
            warning: bold,
            key: bold,
            series: [plain; 6],
            heat: None,
            poles: None,
            paper: None,
            looks: Looks {
                scheme: Scheme::Mono,
                depth: Depth::None,
                ground: Ground::Dark,
            },
            ascii: false,
        }
    }

    /// The theme after this one: dark, light, without colors.
    #[must_use]
    pub fn following(&self) -> Self {
        let scheme = match self.looks.scheme {
            Scheme::Dark => Scheme::Light,
            Scheme::Light => Scheme::Mono,
            Scheme::Mono => Scheme::Dark,
        };
        let looks = Looks {
            scheme,
            ..self.looks
        };
        Self {
            ascii: self.ascii,
            ..Self::of(looks)
        }
    }

    /// Paints what a drawing has left to the terminal, where the terminal's own colors are not those of the theme, and over
    /// the marks of cut text where they cannot be drawn.
    pub fn paint(&self, area: Rect, buf: &mut Buffer) {
        let area = area.intersection(buf.area);
        if self.ascii {
            let cut = |place: &Position| buf[*place].symbol() == LOST;
            for place in area.positions().filter(cut).collect::<Vec<_>>() {
                buf[place].set_symbol("~");
            }
        }
        let Some((text, paper)) = self.paper else {
            return;
        };
        for place in area.positions() {
            let cell = &mut buf[place];
            if cell.fg == Color::Reset {
                cell.fg = text;
            }
            if cell.bg == Color::Reset {
                cell.bg = paper;
            }
        }
    }

    /// Words as they may be drawn: the few signs beyond ASCII that words are set with have a plain form.
    pub fn plain(&self, words: String) -> String {
        if !self.ascii {
            return words;
        }
        let plain = words.chars().map(|letter| match letter {
            '–' => "-".to_owned(),
            '·' => ",".to_owned(),
            '→' => "to".to_owned(),
            '▲' => "^".to_owned(),
            '±' => "+-".to_owned(),
            '←' => "left".to_owned(),
            '↑' => "up".to_owned(),
            '↓' => "down".to_owned(),
            other => other.to_string(),
        });
        plain.collect::<String>().replace(" ,", ",")
    }

    /// A word on a ground of its color, such as the state of a run.
    pub fn badge(&self, style: Style) -> Style {
        style.add_modifier(Modifier::REVERSED | Modifier::BOLD)
    }

    /// The look of a part of a board.
    pub fn tone(&self, tone: Tone) -> Style {
        match tone {
            Tone::Blank => self.text,
            Tone::Frame => self.dim,
            Tone::Piece => self.series[1],
            Tone::Accent => self.series[5].add_modifier(Modifier::BOLD),
            Tone::Gone | Tone::Line => self.border,
            Tone::Owned(side) => self.owned(side),
            Tone::Taken(side) => self
                .owned(side)
                .add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
            Tone::Mark => self.warning.add_modifier(Modifier::BOLD),
        }
    }

    /// The ground of a place on a heat map, 0..=1 from low to high, with readable text on it; none without colors.
    pub fn heat(&self, share: f64) -> Option<Style> {
        self.heat.map(|stops| on(self.mix(&stops, share)))
    }

    /// The ground of a number around zero, -1..=1; none without colors.
    pub fn pole(&self, share: f64) -> Option<Style> {
        self.poles
            .map(|stops| on(self.mix(&stops, f64::midpoint(share, 1.0))))
    }

    /// A line or figure around zero, -1..=1: the color tells the side, its light how far; without colors weight does.
    pub fn ink(&self, share: f64) -> Style {
        match self.poles {
            Some(stops) => Style::new().fg(self.mix(&stops, f64::midpoint(share, 1.0))),
            None if share.abs() > 0.8 => self.strong,
            None if share.abs() > 0.5 => self.text,
            None => self.dim,
        }
    }

    /// A color on a scale, as the terminal can show it.
    fn mix(&self, stops: &[Color], share: f64) -> Color {
        self.looks.depth.shown(between(stops, share))
    }

    /// A spot that a hint names.
    pub fn hint(&self) -> Style {
        self.good
            .add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
    }

    /// The look of a player's pieces, which differ in shape as well.
    fn owned(&self, side: Side) -> Style {
        self.series[side.index()]
    }

    /// The look of the oracle's verdict.
    pub fn verdict(&self, verdict: Verdict) -> Style {
        match verdict {
            Verdict::Good => self.good,
            Verdict::Mistake | Verdict::Illegal => self.bad,
            Verdict::Indifferent | Verdict::Unknown => self.dim,
        }
    }
}

impl Depth {
    /// A color as the terminal can show it.
    fn shown(self, color: Color) -> Color {
        match self {
            Self::Indexed => nearest(color),
            Self::True | Self::Named | Self::None => color,
        }
    }
}
