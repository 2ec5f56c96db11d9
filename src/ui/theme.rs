//! How things look: every color and text attribute of the screen, by what it means. Meaning is never carried by color alone.

use ratatui::style::{Color, Modifier, Style};

use crate::arena::record::Verdict;
use crate::games::Side;
use crate::games::board::Tone;

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
    pub poles: Option<[Color; 3]>,
    /// Draw with ASCII only.
    pub ascii: bool,
}

/// Colors that stay apart for color-blind eyes (Okabe & Ito 2008), on a dark background.
const SKY: Color = Color::Rgb(86, 180, 233);
const ORANGE: Color = Color::Rgb(230, 159, 0);
const GREEN: Color = Color::Rgb(0, 190, 140);
const YELLOW: Color = Color::Rgb(240, 228, 66);
const VERMILION: Color = Color::Rgb(235, 110, 50);
const PINK: Color = Color::Rgb(204, 121, 167);
const GRAY: Color = Color::Rgb(130, 138, 148);
const INK: Color = Color::Rgb(44, 52, 62);
const DUSK: Color = Color::Rgb(74, 86, 100);
const SLATE: Color = Color::Rgb(70, 80, 92);

const BLUE: Color = Color::Rgb(80, 160, 255);
const RED: Color = Color::Rgb(255, 100, 70);

/// A scale whose steps look equal, to color-blind eyes too (van der Walt & Smith 2015).
const VIRIDIS: [Color; 6] = [
    Color::Rgb(68, 1, 84),
    Color::Rgb(65, 68, 135),
    Color::Rgb(42, 120, 142),
    Color::Rgb(34, 168, 132),
    Color::Rgb(122, 209, 81),
    Color::Rgb(253, 231, 37),
];

/// Whether colors may be used: `NO_COLOR` takes them away.
pub fn has_colors() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

impl Theme {
    /// Truecolor on dark.
    pub fn dark() -> Self {
        let plain = Style::new();
        Self {
            text: plain.fg(Color::Reset),
            dim: plain.fg(GRAY),
            strong: plain.fg(Color::Reset).add_modifier(Modifier::BOLD),
            border: plain.fg(SLATE),
            focus: plain.fg(SKY),
            guide: plain.fg(INK),
            faint: plain.fg(DUSK),
            accent: plain.fg(SKY).add_modifier(Modifier::BOLD),
            selection: plain.fg(Color::Black).bg(SKY),
            good: plain.fg(GREEN),
            bad: plain.fg(VERMILION),
            warning: plain.fg(YELLOW),
            key: plain.fg(ORANGE),
            series: [SKY, ORANGE, GREEN, PINK, YELLOW, VERMILION].map(|color| plain.fg(color)),
            heat: Some(VIRIDIS),
            poles: Some([BLUE, INK, RED]),
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
            ascii: false,
        }
    }

    /// The theme for this terminal: `NO_COLOR` takes the colors away, `--ascii` the drawing characters.
    pub fn for_terminal(ascii: bool) -> Self {
        let theme = if has_colors() {
            Self::dark()
        } else {
            Self::monochrome()
        };
        Self { ascii, ..theme }
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
        self.heat.map(|stops| on(between(&stops, share)))
    }

    /// The ground of a number around zero, -1..=1; none without colors.
    pub fn pole(&self, share: f64) -> Option<Style> {
        self.poles
            .map(|stops| on(between(&stops, f64::midpoint(share, 1.0))))
    }

    /// A line or figure around zero, -1..=1: the color tells the side, its light how far; without colors weight does.
    pub fn ink(&self, share: f64) -> Style {
        match self.poles {
            Some(stops) => Style::new().fg(between(&stops, f64::midpoint(share, 1.0))),
            None if share.abs() > 0.8 => self.strong,
            None if share.abs() > 0.5 => self.text,
            None => self.dim,
        }
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

/// A color on a scale of colors, 0..=1 from the first to the last.
fn between(stops: &[Color], share: f64) -> Color {
    let share = if share.is_finite() {
        share.clamp(0.0, 1.0)
    } else {
        0.0
    };
    let place = share * (stops.len() - 1) as f64;
    let first = (place as usize).min(stops.len() - 2);
    let part = place - first as f64;
    match (stops[first], stops[first + 1]) {
        (Color::Rgb(r, g, b), Color::Rgb(to_r, to_g, to_b)) => {
            let blend = |from: u8, to: u8| {
                (f64::from(from) + (f64::from(to) - f64::from(from)) * part).round() as u8
            };
            Color::Rgb(blend(r, to_r), blend(g, to_g), blend(b, to_b))
        }
        (first, _) => first,
    }
}

/// Text on a ground: black on what is light, white on what is dark.
fn on(ground: Color) -> Style {
    let is_light = match ground {
        Color::Rgb(r, g, b) => u32::from(r) * 3 + u32::from(g) * 6 + u32::from(b) > 1200,
        _ => false,
    };
    let text = if is_light { Color::Black } else { Color::White };
    Style::new().fg(text).bg(ground)
}
