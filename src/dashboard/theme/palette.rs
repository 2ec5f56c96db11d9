//! The colors of the themes, by meaning: for dark and light backgrounds, in 24-bit and in named
//! colors.

use ratatui::style::Color;

/// The colors of one theme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Palette {
    /// The background and text assumed of the terminal, and painted if the terminal's differ.
    pub(super) paper: Color,
    pub(super) text: Color,
    pub(super) dim: Color,
    pub(super) border: Color,
    /// The focus and the most prominent parts.
    pub(super) focus: Color,
    pub(super) guide: Color,
    pub(super) faint: Color,
    /// Text on the selection, whose background is the focus color.
    pub(super) selected: Color,
    pub(super) good: Color,
    pub(super) bad: Color,
    pub(super) warning: Color,
    pub(super) key: Color,
    pub(super) series: [Color; 6],
    /// The series in 256 colors, if the nearest colors would be too similar.
    pub(super) indexed: Option<[u8; 6]>,
    pub(super) heat: [Color; 6],
    pub(super) diverging: [Color; 5],
    /// Even, odd, dark and light squares of a board.
    pub(super) squares: Option<[Color; 4]>,
}

/// Colors distinct for color-blind readers (Okabe & Ito 2008), on a dark background.
const SKY: Color = Color::Rgb(86, 180, 233);
const ORANGE: Color = Color::Rgb(230, 159, 0);
const GREEN: Color = Color::Rgb(0, 190, 140);
const YELLOW: Color = Color::Rgb(240, 228, 66);
const VERMILION: Color = Color::Rgb(235, 110, 50);
const PINK: Color = Color::Rgb(204, 121, 167);
const INK: Color = Color::Rgb(44, 52, 62);

/// A perceptually uniform scale, also for color-blind readers (van der Walt & Smith 2015).
const VIRIDIS: [Color; 6] = [
    Color::Rgb(68, 1, 84),
    Color::Rgb(65, 68, 135),
    Color::Rgb(42, 120, 142),
    Color::Rgb(34, 168, 132),
    Color::Rgb(122, 209, 81),
    Color::Rgb(253, 231, 37),
];

pub(super) const DARK: Palette = Palette {
    paper: Color::Rgb(20, 22, 26),
    text: Color::Rgb(222, 226, 232),
    dim: Color::Rgb(138, 146, 156),
    border: Color::Rgb(92, 103, 116),
    focus: SKY,
    guide: INK,
    faint: Color::Rgb(88, 102, 118),
    selected: Color::Black,
    good: GREEN,
    bad: VERMILION,
    warning: YELLOW,
    key: ORANGE,
    series: [SKY, ORANGE, GREEN, PINK, YELLOW, VERMILION],
    indexed: Some([117, 172, 85, 175, 227, 203]),
    heat: VIRIDIS,
    diverging: [
        Color::Rgb(80, 160, 255),
        Color::Rgb(62, 106, 159),
        INK,
        Color::Rgb(150, 76, 66),
        Color::Rgb(255, 100, 70),
    ],
    squares: Some([
        Color::Rgb(24, 62, 52),
        Color::Rgb(31, 75, 63),
        Color::Rgb(50, 43, 38),
        Color::Rgb(101, 89, 76),
    ]),
};

/// Found by trial: on white all six have enough contrast for text, and differ in lightness where
/// color-blind readers see the same hue.
const BLUE_ON_LIGHT: Color = Color::Rgb(37, 87, 198);
const PALE: Color = Color::Rgb(226, 230, 235);

pub(super) const LIGHT: Palette = Palette {
    paper: Color::Rgb(250, 250, 247),
    text: Color::Rgb(28, 32, 38),
    dim: Color::Rgb(98, 106, 116),
    border: Color::Rgb(136, 144, 154),
    focus: BLUE_ON_LIGHT,
    guide: Color::Rgb(214, 219, 225),
    faint: Color::Rgb(136, 146, 160),
    selected: Color::White,
    good: Color::Rgb(0, 112, 74),
    bad: Color::Rgb(200, 30, 40),
    warning: Color::Rgb(134, 88, 0),
    key: Color::Rgb(150, 72, 0),
    series: [
        BLUE_ON_LIGHT,
        Color::Rgb(120, 76, 13),
        Color::Rgb(9, 68, 82),
        Color::Rgb(123, 72, 134),
        Color::Rgb(60, 52, 30),
        Color::Rgb(225, 0, 45),
    ],
    indexed: Some([26, 130, 23, 53, 234, 88]),
    heat: VIRIDIS,
    diverging: [
        Color::Rgb(20, 80, 200),
        Color::Rgb(123, 155, 218),
        PALE,
        Color::Rgb(220, 135, 125),
        Color::Rgb(205, 40, 20),
    ],
    squares: Some([
        Color::Rgb(207, 229, 216),
        Color::Rgb(190, 218, 203),
        Color::Rgb(219, 202, 177),
        Color::Rgb(245, 238, 226),
    ]),
};

/// Sixteen colors on dark. The heat map uses lightness, since named colors do not blend.
pub(super) const NAMED_ON_DARK: Palette = Palette {
    paper: Color::Black,
    text: Color::Gray,
    dim: Color::DarkGray,
    border: Color::DarkGray,
    focus: Color::LightCyan,
    guide: Color::DarkGray,
    faint: Color::DarkGray,
    selected: Color::Black,
    good: Color::LightGreen,
    bad: Color::LightRed,
    warning: Color::LightYellow,
    key: Color::Yellow,
    series: [
        Color::Cyan,
        Color::Yellow,
        Color::White,
        Color::LightMagenta,
        Color::DarkGray,
        Color::LightRed,
    ],
    indexed: None,
    heat: [
        Color::Black,
        Color::Blue,
        Color::Magenta,
        Color::Cyan,
        Color::Yellow,
        Color::White,
    ],
    diverging: [
        Color::LightBlue,
        Color::Blue,
        Color::DarkGray,
        Color::Red,
        Color::LightRed,
    ],
    squares: None,
};

/// Sixteen colors on light, where the greens, yellows and cyans of most terminals are unreadable.
pub(super) const NAMED_ON_LIGHT: Palette = Palette {
    paper: Color::White,
    text: Color::Black,
    dim: Color::Black,
    focus: Color::Blue,
    guide: Color::Gray,
    selected: Color::White,
    good: Color::Blue,
    bad: Color::Red,
    warning: Color::Magenta,
    key: Color::Blue,
    // Five names have enough contrast for text on white; the gray, which has not, is for the least
    // important line.
    series: [
        Color::Blue,
        Color::Red,
        Color::Black,
        Color::LightBlue,
        Color::DarkGray,
        Color::Magenta,
    ],
    diverging: [
        Color::Blue,
        Color::LightBlue,
        Color::Gray,
        Color::LightRed,
        Color::Red,
    ],
    ..NAMED_ON_DARK
};
