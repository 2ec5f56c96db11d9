//! Tests that every theme is readable, also for color-blind readers.

use ratatui::style::{Color, Style};

use super::color::{Vision, contrast, rgb};
use super::*;

/// Every theme with colors, and its background.
fn colored() -> Vec<(Theme, Color)> {
    let mut themes = Vec::new();
    for (ground, scheme) in [
        (Background::Dark, ColorScheme::Dark),
        (Background::Light, ColorScheme::Light),
    ] {
        for depth in [ColorDepth::True, ColorDepth::Indexed, ColorDepth::Named] {
            let spec = ThemeSpec {
                scheme,
                depth,
                ground,
            };
            let other = match ground {
                Background::Dark => Background::Light,
                Background::Light => Background::Dark,
            };
            let painted = Theme::of(ThemeSpec {
                ground: other,
                ..spec
            });
            let (_, paper) = painted.base.expect("it is not the terminal's own");
            themes.push((Theme::of(spec), paper));
        }
    }
    themes
}

fn check(what: &str, theme: &Theme, style: Style, ground: Color, least: f64) {
    let fg = style.fg.expect("it has a color");
    let ground = style.bg.unwrap_or(ground);
    let found = contrast(fg, ground);
    assert!(found >= least, "{what} of {:?}: {found:.2}", theme.spec);
}

#[test]
fn text_can_be_read_and_lines_can_be_seen() {
    for (theme, paper) in colored() {
        for (what, style) in [
            ("dim", theme.dim),
            ("accent", theme.accent),
            ("selection", theme.selection),
            ("good", theme.good),
            ("bad", theme.bad),
            ("warning", theme.warning),
            ("key", theme.key),
        ] {
            check(what, &theme, style, paper, 4.5);
        }
        for (what, style) in [
            ("border", theme.border),
            ("focus", theme.focus),
            ("faint", theme.faint),
        ] {
            check(what, &theme, style, paper, 3.0);
        }
        for hue in theme.series {
            check("frame", &theme, theme.frame(hue), paper, 1.3);
            if let Some(area) = theme.fill(hue, 0.42) {
                check("line over its area", &theme, hue, area, 2.0);
            }
        }
        for share in 0..=20 {
            let share = f64::from(share) / 20.0;
            let heat = theme.heat(share).expect("it has colors");
            check("heat", &theme, heat, paper, 4.5);
            let pole = theme
                .diverging_background(share * 2.0 - 1.0)
                .expect("it has colors");
            check("pole", &theme, pole, paper, 4.5);
        }
    }
}

#[test]
fn lines_of_a_chart_can_be_read_as_text() {
    for (theme, paper) in colored() {
        for (place, style) in theme.series.into_iter().enumerate() {
            // Only five of the sixteen names are dark enough for a light background.
            let least = match (theme.spec.depth, theme.spec.scheme, place) {
                (ColorDepth::Named, ColorScheme::Light, 4) => 4.0,
                _ => 4.5,
            };
            check("a series", &theme, style, paper, least);
        }
    }
}

#[test]
fn lines_of_a_chart_differ_for_all_eyes() {
    for (theme, _) in colored() {
        let least = match (theme.spec.depth, theme.spec.scheme) {
            (ColorDepth::Indexed, _) => 20.0,
            // The best possible with the sixteen names on light.
            (ColorDepth::Named, ColorScheme::Light) => 14.9,
            (ColorDepth::Named, _) => 22.0,
            _ => 17.0,
        };
        for (place, one) in theme.series.iter().enumerate() {
            for other in &theme.series[..place] {
                for eyes in Vision::ALL {
                    let (one, other) = (one.fg.unwrap_or_default(), other.fg.unwrap_or_default());
                    let apart = eyes.distance(one, other);
                    assert!(
                        apart >= least,
                        "{one:?} and {other:?} of {:?} to a {eyes:?}: {apart:.1}",
                        theme.spec
                    );
                }
            }
        }
    }
}

#[test]
fn heat_gets_lighter_all_the_way() {
    for (theme, _) in colored() {
        let stops = (0..6).map(|step| theme.heat(f64::from(step) / 5.0));
        let grounds: Vec<Color> = stops.filter_map(|style| style?.bg).collect();
        for pair in grounds.windows(2) {
            let (low, high) = (
                contrast(pair[0], Color::Black),
                contrast(pair[1], Color::Black),
            );
            assert!(low < high, "{pair:?} of {:?}", theme.spec);
        }
        if theme.spec.depth == ColorDepth::Indexed {
            continue;
        }
        let steps = (0..=50).filter_map(|step| theme.heat(f64::from(step) / 50.0)?.bg);
        let light = steps.map(|color| contrast(color, Color::Black));
        let light: Vec<f64> = light.collect();
        assert!(light.is_sorted(), "{light:?} of {:?}", theme.spec);
    }
}

#[test]
fn a_terminal_gets_only_colors_that_it_has() {
    for (theme, _) in colored() {
        let scale = (0..=50).flat_map(|step| {
            let share = f64::from(step) / 50.0;
            [
                theme.heat(share),
                theme.diverging_background(share),
                Some(theme.diverging_text(-share)),
                Some(theme.frame(theme.series[1])),
                theme
                    .fill(theme.series[0], share)
                    .map(|color| Style::new().bg(color)),
            ]
        });
        let all = [theme.dim, theme.border, theme.selection, theme.key]
            .into_iter()
            .chain(theme.series)
            .chain(scale.flatten());
        for color in all.flat_map(|style| [style.fg, style.bg]).flatten() {
            let has = match theme.spec.depth {
                ColorDepth::True => true,
                ColorDepth::Indexed => !matches!(color, Color::Rgb(..)),
                ColorDepth::Named => !matches!(color, Color::Rgb(..) | Color::Indexed(_)),
                ColorDepth::None => false,
            };
            assert!(has, "{color:?} of {:?}", theme.spec);
        }
    }
}

#[test]
fn the_themes_come_round_and_paint_where_the_terminal_is_not_theirs() {
    let own = Theme {
        ascii: true,
        ..Theme::dark()
    };
    let light = own.next();
    assert_eq!((light.spec.scheme, light.ascii), (ColorScheme::Light, true));
    assert!(own.base.is_none() && light.base.is_some());
    assert!(light.next().base.is_none() && light.next().heat.is_none());
    assert_eq!(own.next().next().next(), own);
    let mono = Theme::monochrome();
    assert_eq!(mono.next(), mono);
}

#[test]
fn painting_leaves_no_cell_to_the_terminal_and_no_color_changed() {
    let area = Rect::new(0, 0, 3, 1);
    let mut buf = Buffer::empty(area);
    buf.set_string(0, 0, "a", Style::new().fg(Color::Red));
    Theme::dark().paint(area, &mut buf);
    assert_eq!(buf[(1, 0)].bg, Color::Reset);
    Theme::dark().next().paint(area, &mut buf);
    assert_eq!(buf[(0, 0)].fg, Color::Red);
    for x in 0..3 {
        let cell = &buf[(x, 0)];
        assert!(rgb(cell.fg).is_some() && rgb(cell.bg).is_some());
    }
}
