//! Color arithmetic: RGB values, contrast, gradients, and the nearest color that a terminal has.

use ratatui::style::{Color, Style};

/// xterm's defaults for the sixteen named colors, which users may change.
const NAMED: [(u8, u8, u8); 16] = [
    (0, 0, 0),
    (205, 0, 0),
    (0, 205, 0),
    (205, 205, 0),
    (0, 0, 238),
    (205, 0, 205),
    (0, 205, 205),
    (229, 229, 229),
    (127, 127, 127),
    (255, 0, 0),
    (0, 255, 0),
    (255, 255, 0),
    (92, 92, 255),
    (255, 0, 255),
    (0, 255, 255),
    (255, 255, 255),
];

/// The steps of the color cube of the colors 16 to 231.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// Red, green and blue of a color; `None` for the terminal's default.
pub(super) fn rgb(color: Color) -> Option<(u8, u8, u8)> {
    let named = |place: usize| Some(NAMED[place]);
    match color {
        Color::Reset => None,
        Color::Rgb(r, g, b) => Some((r, g, b)),
        Color::Indexed(index) => Some(indexed(index)),
        Color::Black => named(0),
        Color::Red => named(1),
        Color::Green => named(2),
        Color::Yellow => named(3),
        Color::Blue => named(4),
        Color::Magenta => named(5),
        Color::Cyan => named(6),
        Color::Gray => named(7),
        Color::DarkGray => named(8),
        Color::LightRed => named(9),
        Color::LightGreen => named(10),
        Color::LightYellow => named(11),
        Color::LightBlue => named(12),
        Color::LightMagenta => named(13),
        Color::LightCyan => named(14),
        Color::White => named(15),
    }
}

/// xterm's value of one of its 256 colors.
fn indexed(index: u8) -> (u8, u8, u8) {
    match index {
        0..16 => NAMED[usize::from(index)],
        16..232 => {
            let place = usize::from(index - 16);
            (CUBE[place / 36], CUBE[place / 6 % 6], CUBE[place % 6])
        }
        232.. => {
            let gray = (index - 232) * 10 + 8;
            (gray, gray, gray)
        }
    }
}

/// The nearest of the 240 colors that all terminals with 256 colors share: the color cube and the
/// grays.
pub(super) fn nearest(color: Color) -> Color {
    let Color::Rgb(r, g, b) = color else {
        return color;
    };
    let step = |value: u8| {
        let steps = CUBE.iter().enumerate();
        let closest = steps.min_by_key(|(_, step)| step.abs_diff(value));
        closest.map_or(0, |(place, _)| place as u8)
    };
    let cube = 16 + 36 * step(r) + 6 * step(g) + step(b);
    let mean = (u16::from(r) + u16::from(g) + u16::from(b)) / 3;
    let gray = 232 + (mean.saturating_sub(3) / 10).min(23) as u8;
    let off = |index: u8| {
        let (red, green, blue) = indexed(index);
        let part = |from: u8, to: u8| u32::from(from.abs_diff(to)).pow(2);
        // Green contributes most to luminance, blue the least.
        3 * part(red, r) + 6 * part(green, g) + part(blue, b)
    };
    Color::Indexed(if off(gray) < off(cube) { gray } else { cube })
}

/// A color of a gradient at 0..=1. Named colors do not blend; the nearest is used.
pub(super) fn gradient(stops: &[Color], share: f64) -> Color {
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
        _ => stops[place.round() as usize],
    }
}

/// A hue, a place on a circle from red over green and blue, in a brightness of 0..=1. All hues of
/// one brightness have the same lightness (CIE 1976); what its hue can't reach is mixed with white.
pub(super) fn hue(place: f64, brightness: f64) -> Color {
    const SATURATION: f64 = 0.7;
    const LIGHTNESS: (f64, f64) = (22.0, 78.0);
    let lightness = LIGHTNESS.0 + (LIGHTNESS.1 - LIGHTNESS.0) * brightness.clamp(0.0, 1.0);
    let wanted = ((lightness + 16.0) / 116.0).powi(3);
    // The distance from the place of each color, in sixths of the circle.
    let part = |at: f64| {
        let away = (place * 6.0 - at).rem_euclid(6.0);
        let share = (2.0 - away.min(6.0 - away)).clamp(0.0, 1.0);
        linear((255.0 * (1.0 - SATURATION * (1.0 - share))).round() as u8)
    };
    let pure = [0.0, 2.0, 4.0].map(part);
    let own = WEIGHTS.iter().zip(pure).map(|(weight, part)| weight * part);
    let own: f64 = own.sum();
    let white = ((wanted - own) / (1.0 - own)).max(0.0);
    let scale = (wanted / own).min(1.0);
    let [r, g, b] = pure.map(|part| encoded(part * scale * (1.0 - white) + white));
    Color::Rgb(r, g, b)
}

/// The nearest of the six named hues.
pub(super) fn named_hue(place: f64) -> Color {
    use Color::{LightBlue, LightCyan, LightGreen, LightMagenta, LightRed, LightYellow};
    const HUES: [Color; 6] = [
        LightRed,
        LightYellow,
        LightGreen,
        LightCyan,
        LightBlue,
        LightMagenta,
    ];
    HUES[(place.rem_euclid(1.0) * 6.0).round() as usize % HUES.len()]
}

/// Black or white text on a background, by contrast.
pub(super) fn on(ground: Color) -> Style {
    let text = [Color::Black, Color::White]
        .into_iter()
        .max_by(|a, b| contrast(*a, ground).total_cmp(&contrast(*b, ground)));
    Style::new().fg(text.unwrap_or_default()).bg(ground)
}

/// The linear value of a color channel, 0..=1 (IEC 61966-2-1).
fn linear(value: u8) -> f64 {
    let value = f64::from(value) / 255.0;
    if value <= 0.04045 {
        value / 12.92
    } else {
        ((value + 0.055) / 1.055).powf(2.4)
    }
}

/// The color channel of a linear value.
fn encoded(linear: f64) -> u8 {
    let value = if linear <= 0.003_130_8 {
        12.92 * linear
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    };
    (255.0 * value).round() as u8
}

/// The shares of red, green and blue in luminance.
const WEIGHTS: [f64; 3] = [0.2126, 0.7152, 0.0722];

/// The relative luminance of a color, 0..=1 (WCAG 2.1); 0 for the terminal's default.
fn luminance(color: Color) -> f64 {
    let (r, g, b) = rgb(color).unwrap_or_default();
    let channels = WEIGHTS.iter().zip([r, g, b]);
    channels.map(|(weight, part)| weight * linear(part)).sum()
}

/// The contrast of two colors, 1..=21 (WCAG 2.1); text needs 4.5, lines need 3.
pub(super) fn contrast(one: Color, other: Color) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// A kind of color vision.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vision {
    Normal,
    /// Without long-wavelength cones.
    Protanope,
    /// Without medium-wavelength cones.
    Deuteranope,
}

#[cfg(test)]
impl Vision {
    pub(super) const ALL: [Self; 3] = [Self::Normal, Self::Protanope, Self::Deuteranope];

    /// The transformation of linear RGB (Machado, Oliveira & Fernandes 2009, severity 1).
    fn matrix(self) -> [[f64; 3]; 3] {
        match self {
            Self::Normal => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            Self::Protanope => [
                [0.152286, 1.052583, -0.204868],
                [0.114503, 0.786281, 0.099216],
                [-0.003882, -0.048116, 1.051998],
            ],
            Self::Deuteranope => [
                [0.367322, 0.860646, -0.227968],
                [0.280085, 0.672501, 0.047413],
                [-0.011820, 0.042940, 0.968881],
            ],
        }
    }

    /// The perceived distance of two colors (CIE 1976; about 2 is just noticeable).
    pub(super) fn distance(self, one: Color, other: Color) -> f64 {
        let (one, other) = (self.lab(one), self.lab(other));
        let squares = one
            .iter()
            .zip(other)
            .map(|(one, other)| (one - other).powi(2));
        squares.sum::<f64>().sqrt()
    }

    fn lab(self, color: Color) -> [f64; 3] {
        let (r, g, b) = rgb(color).unwrap_or_default();
        let given = [r, g, b].map(linear);
        let sum = |row: [f64; 3]| row.iter().zip(given).map(|(a, b)| a * b).sum::<f64>();
        let [r, g, b] = self.matrix().map(|row| sum(row).clamp(0.0, 1.0));
        let root = |value: f64| {
            if value > 0.008856 {
                value.cbrt()
            } else {
                7.787 * value + 16.0 / 116.0
            }
        };
        let long = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
        let rgb = root(0.2126 * r + 0.7152 * g + 0.0722 * b);
        let short = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
        [
            116.0 * rgb - 16.0,
            500.0 * (long - rgb),
            200.0 * (rgb - short),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_color_of_the_cube_or_of_the_grays_is_nearest_to_itself() {
        for index in 16..=255 {
            let (r, g, b) = indexed(index);
            let found = nearest(Color::Rgb(r, g, b));
            assert_eq!(rgb(found), Some((r, g, b)), "{index}");
        }
        assert_eq!(nearest(Color::Reset), Color::Reset);
        assert_eq!(nearest(Color::Rgb(84, 178, 235)), Color::Indexed(74));
    }

    #[test]
    fn a_gradient_spans_its_first_to_its_last_color() {
        let blend = [Color::Rgb(0, 0, 0), Color::Rgb(100, 200, 50)];
        assert_eq!(gradient(&blend, 0.5), Color::Rgb(50, 100, 25));
        let steps = [Color::Black, Color::Blue, Color::White];
        for (share, expected) in [
            (f64::NAN, Color::Black),
            (0.2, Color::Black),
            (0.3, Color::Blue),
            (0.7, Color::Blue),
            (0.8, Color::White),
            (7.0, Color::White),
        ] {
            assert_eq!(gradient(&steps, share), expected, "{share}");
        }
    }

    #[test]
    fn hues_of_one_brightness_look_equally_bright() {
        for step in 0..10 {
            let of =
                |place, step: u8| luminance(hue(f64::from(place) / 24.0, f64::from(step) / 10.0));
            let all = (0..24_u8).map(|place| of(place, step));
            let brightest = all.fold(0.0, f64::max);
            let next = (0..24_u8).map(|place| of(place, step + 1));
            let darkest_of_next = next.fold(1.0, f64::min);
            assert!(brightest < darkest_of_next, "{step}");
        }
    }

    #[test]
    fn black_and_white_have_the_highest_contrast() {
        assert!((contrast(Color::White, Color::Black) - 21.0).abs() < 1e-9);
        assert_eq!(on(Color::Rgb(250, 240, 30)).fg, Some(Color::Black));
        assert_eq!(on(Color::Blue).fg, Some(Color::White));
    }
}
