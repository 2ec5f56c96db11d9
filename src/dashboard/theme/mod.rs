//! The theme: every color and text attribute of the screen, by meaning. Nothing is expressed by
//! color alone.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use finches_engine::games::Side;
use finches_engine::games::board::{CellRole, Ground};
use finches_engine::play::record::Verdict;

use self::color::{gradient, nearest, on, rgb};
use self::palette::Palette;

pub mod choice;
mod color;
mod palette;
#[cfg(test)]
mod tests;

/// The mark of truncated text.
pub const ELLIPSIS: &str = "…";

/// The styles of a theme, and whether only ASCII may be drawn.
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
    /// Grid lines of a chart, and the bands around its lines.
    pub guide: Style,
    pub faint: Style,
    /// The most prominent parts: the state, the selection, the cursor.
    pub accent: Style,
    pub selection: Style,
    pub good: Style,
    pub bad: Style,
    pub warning: Style,
    /// Keys in hints and help.
    pub key: Style,
    /// Lines of a chart, most important first.
    pub series: [Style; 6],
    /// The background colors of a heat map from low to high; `None` without colors.
    pub heat: Option<[Color; 6]>,
    /// The background colors from far below zero through zero to far above; `None` without colors.
    pub diverging: Option<[Color; 5]>,
    /// The background that colors blend with; `None` if they do not.
    pub paper: Option<Color>,
    /// Text and background color to paint, if those of the terminal do not match the theme.
    pub base: Option<(Color, Color)>,
    pub spec: ThemeSpec,
    /// Draw with ASCII characters only.
    pub ascii: bool,
}

/// Whether a terminal's own background is dark or light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    Dark,
    Light,
}

/// The color scheme of a theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorScheme {
    Dark,
    Light,
    /// No colors; only bold, dim and reversed text.
    Mono,
}

/// The colors that a terminal supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorDepth {
    /// 24-bit colors.
    True,
    /// The 256 colors of xterm.
    Indexed,
    /// The sixteen named colors, which the user may have changed.
    Named,
    None,
}

/// The properties that determine a theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThemeSpec {
    pub scheme: ColorScheme,
    pub depth: ColorDepth,
    /// The terminal's own background. A theme for the other kind paints its own.
    pub ground: Background,
}

impl From<Background> for ColorScheme {
    fn from(ground: Background) -> Self {
        match ground {
            Background::Dark => Self::Dark,
            Background::Light => Self::Light,
        }
    }
}

impl ColorScheme {
    pub fn word(self) -> &'static str {
        match self {
            Self::Dark => "dark",
            Self::Light => "light",
            Self::Mono => "without colors",
        }
    }
}

impl Theme {
    /// The dark theme in 24-bit colors.
    pub fn dark() -> Self {
        Self::of(ThemeSpec {
            scheme: ColorScheme::Dark,
            depth: ColorDepth::True,
            ground: Background::Dark,
        })
    }

    /// The theme for these properties.
    pub fn of(looks: ThemeSpec) -> Self {
        let Some(palette) = looks.palette() else {
            let plain = Self::monochrome();
            let spec = match looks.depth {
                ColorDepth::None => plain.spec,
                _ => looks,
            };
            return Self { spec, ..plain };
        };
        Self::colored(looks, palette)
    }

    fn colored(looks: ThemeSpec, palette: &Palette) -> Self {
        let color = |color| looks.depth.displayable(color);
        let fg = |wanted| Style::new().fg(color(wanted));
        let text = Style::new().fg(Color::Reset);
        let own = ColorScheme::from(looks.ground) == looks.scheme;
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
                Some(series) if looks.depth == ColorDepth::Indexed => {
                    series.map(|index| Style::new().fg(Color::Indexed(index)))
                }
                _ => palette.series.map(fg),
            },
            heat: Some(palette.heat),
            diverging: Some(palette.diverging),
            paper: (looks.depth != ColorDepth::Named).then_some(palette.paper),
            base: (!own).then(|| (color(palette.text), color(palette.paper))),
            spec: looks,
            ascii: false,
        }
    }

    /// A theme without colors (`NO_COLOR`).
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
            diverging: None,
            paper: None,
            base: None,
            spec: ThemeSpec {
                scheme: ColorScheme::Mono,
                depth: ColorDepth::None,
                ground: Background::Dark,
            },
            ascii: false,
        }
    }

    /// The next theme: dark, light, without colors.
    #[must_use]
    pub fn next(&self) -> Self {
        let scheme = match self.spec.scheme {
            ColorScheme::Dark => ColorScheme::Light,
            ColorScheme::Light => ColorScheme::Mono,
            ColorScheme::Mono => ColorScheme::Dark,
        };
        let looks = ThemeSpec {
            scheme,
            ..self.spec
        };
        Self {
            ascii: self.ascii,
            ..Self::of(looks)
        }
    }

    /// Finishes a drawing: replaces default colors if the terminal's own do not match the theme,
    /// and the few signs that texts use if only ASCII may be drawn.
    pub fn paint(&self, area: Rect, buf: &mut Buffer) {
        let area = area.intersection(buf.area);
        if self.ascii {
            for place in area.positions() {
                if let Some(plain) = plain_sign(buf[place].symbol()) {
                    buf[place].set_symbol(plain);
                }
            }
        }
        let Some((text, paper)) = self.base else {
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

    /// The sign, or the plain one if only ASCII may be drawn.
    pub fn sign<T>(&self, sign: T, plain: T) -> T {
        if self.ascii { plain } else { sign }
    }

    /// The style of a badge, such as the state of a run.
    pub fn badge(&self, style: Style) -> Style {
        style.add_modifier(Modifier::REVERSED | Modifier::BOLD)
    }

    /// The style of a part of a board.
    pub fn tone_style(&self, tone: CellRole) -> Style {
        match tone {
            CellRole::Blank => self.text,
            CellRole::Frame => self.dim,
            CellRole::Piece => self.series[1],
            CellRole::Accent => self.series[5].add_modifier(Modifier::BOLD),
            CellRole::Gone | CellRole::Line => self.border,
            CellRole::Owned(side) => self.side_style(side),
            CellRole::Taken(side) => self
                .side_style(side)
                .add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
            CellRole::Mark => self.warning.add_modifier(Modifier::BOLD),
            CellRole::OnPiece(side) => self.badge(self.side_style(side)),
        }
    }

    /// The background of a square.
    pub fn ground_style(&self, ground: Ground) -> Style {
        let index = match ground {
            Ground::None => return Style::new(),
            Ground::Even => 0,
            Ground::Odd => 1,
            Ground::Dark => 2,
            Ground::Light => 3,
        };
        let color = self.squares().map(|squares| squares[index]);
        color.map_or(Style::new(), |color| {
            Style::new().bg(self.spec.depth.displayable(color))
        })
    }

    /// The background colors of even, odd, dark and light squares; `None` if there are too few
    /// colors.
    pub fn squares(&self) -> Option<[Color; 4]> {
        self.spec.palette()?.squares
    }

    /// The background of a heat map at 0..=1, with readable text; `None` without colors.
    pub fn heat(&self, share: f64) -> Option<Style> {
        let stops = self.heat?;
        // The sixteen names that are nearest to colors between the stops go up and down.
        let share = match self.spec.depth {
            ColorDepth::Named => (share * 5.0).round() / 5.0,
            _ => share,
        };
        Some(on(self.gradient_color(&stops, share)))
    }

    /// The background of a hue, a place on a circle, in a brightness of 0..=1, with readable text;
    /// `None` without colors. Sixteen colors have six hues of one brightness.
    pub fn hue(&self, place: f64, brightness: f64) -> Option<Style> {
        self.heat?;
        let color = match self.spec.depth {
            ColorDepth::Named => color::named_hue(place),
            ColorDepth::Indexed => nearest(color::hue(place, brightness)),
            _ => color::hue(place, brightness),
        };
        Some(on(color))
    }

    /// The background of a value around zero, -1..=1, with readable text; `None` without colors.
    pub fn diverging_background(&self, share: f64) -> Option<Style> {
        self.diverging
            .map(|stops| on(self.gradient_color(&stops, f64::midpoint(share, 1.0))))
    }

    /// The text style of a value around zero, -1..=1, by color, or by weight without colors.
    pub fn diverging_text(&self, share: f64) -> Style {
        match self.diverging {
            Some(stops) => Style::new().fg(self.gradient_color(&stops, f64::midpoint(share, 1.0))),
            None if share.abs() > 0.8 => self.strong,
            None if share.abs() > 0.5 => self.text,
            None => self.dim,
        }
    }

    /// A color of a gradient, as the terminal can show it.
    fn gradient_color(&self, stops: &[Color], share: f64) -> Color {
        self.spec.depth.displayable(gradient(stops, share))
    }

    /// A color between the background, 0, and that of a style, 1; `None` if colors do not blend.
    pub fn shade(&self, style: Style, share: f64) -> Option<Color> {
        let (r, g, b) = rgb(style.fg?)?;
        Some(self.gradient_color(&[self.paper?, Color::Rgb(r, g, b)], share))
    }

    /// The background of a filled area of this hue, on which text can be read; `None` for none.
    /// Of the sixteen names only the light gray is faint enough.
    pub fn fill(&self, hue: Style, share: f64) -> Option<Color> {
        // Beyond it, the nearest of 256 colors are of other hues.
        const MOST_INDEXED: f64 = 0.36;
        match (self.spec.depth, self.spec.scheme) {
            (ColorDepth::Named, ColorScheme::Light) => Some(Color::Gray),
            (ColorDepth::Indexed, _) => self.shade(hue, share.min(MOST_INDEXED)),
            _ => self.shade(hue, share),
        }
    }

    /// The border of a pane of this hue that does not have the focus: dimmer than what is inside.
    pub fn frame(&self, hue: Style) -> Style {
        const SHARE: f64 = 0.42;
        let color = self.shade(hue, SHARE);
        color.map_or(self.border, |color| Style::new().fg(color))
    }

    /// The style of a player's pieces, which also differ in shape.
    pub fn side_style(&self, side: Side) -> Style {
        self.series[side.index()]
    }

    /// The look of the oracle's verdict.
    pub fn verdict_style(&self, verdict: Verdict) -> Style {
        match verdict {
            Verdict::Good => self.good,
            Verdict::Mistake | Verdict::Illegal => self.bad,
            Verdict::WinsByLess
            | Verdict::BestOfLost
            | Verdict::LostAnyway
            | Verdict::Forced
            | Verdict::Indifferent
            | Verdict::AllWin
            | Verdict::AllLose
            | Verdict::Unknown => self.dim,
        }
    }
}

impl ThemeSpec {
    /// The colors; `None` for a theme without colors.
    fn palette(self) -> Option<&'static Palette> {
        let named = self.depth == ColorDepth::Named;
        if self.depth == ColorDepth::None {
            return None;
        }
        Some(match self.scheme {
            ColorScheme::Mono => return None,
            ColorScheme::Dark if named => &palette::NAMED_ON_DARK,
            ColorScheme::Light if named => &palette::NAMED_ON_LIGHT,
            ColorScheme::Dark => &palette::DARK,
            ColorScheme::Light => &palette::LIGHT,
        })
    }
}

impl ColorDepth {
    /// A color as the terminal can show it.
    fn displayable(self, color: Color) -> Color {
        match self {
            Self::Indexed => nearest(color),
            Self::True | Self::Named | Self::None => color,
        }
    }
}

/// What stands for a sign of a text if only ASCII may be drawn.
fn plain_sign(sign: &str) -> Option<&'static str> {
    Some(match sign {
        ELLIPSIS | "≈" => "~",
        "–" | "·" => "-",
        "è" => "e",
        "ś" => "s",
        "×" => "x",
        "→" | "≥" => ">",
        "←" | "≤" => "<",
        "▲" | "↑" => "^",
        "↓" => "v",
        "±" => "+",
        "’" => "'",
        _ => return None,
    })
}
