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
            ascii: false,
        }
    }

    /// The theme for this terminal: `NO_COLOR` takes the colors away, `--ascii` the drawing characters.
    pub fn for_terminal(ascii: bool) -> Self {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let theme = if no_color {
            Self::monochrome()
        } else {
            Self::dark()
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
