//! Draws the edges of a network: thick if strong, broken if negative, dim if off the paths of the
//! selected node.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use crate::theme::Theme;
use crate::widgets::canvas::{DotCanvas, DotGlyphs, Strength};
use finches_engine::genomes::network_layout::NetworkLayout;

use super::paths::{Light, Paths};
use super::view::WIDE;
use super::viewport::Viewport;
use super::{DrawnEdge, NetworkDrawing};

/// The look of a line. Thickness and pattern repeat what color says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct LineLook {
    /// 0 for the strongest weights to [`THICKNESSES`] - 1.
    thinness: u8,
    sign: LineSign,
}

/// The signs of the weights that a line carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum LineSign {
    Positive,
    Negative,
    /// A trunk of edges with both signs, which have their colors from where they branch off.
    Trunk,
}

const THICKNESSES: u8 = 3;

/// The least share of the largest weight of the two thicker lines.
const SHARES: [f32; 2] = [0.66, 0.33];

/// ASCII marks by thickness, the thickest first, each positive, negative and of trunks.
const ASCII_MARKERS: [char; 9] = [
    '#',
    '=',
    ASCII_TRUNK,
    '+',
    '-',
    ASCII_TRUNK,
    '\'',
    '~',
    ASCII_TRUNK,
];
const ASCII_TRUNK: char = '.';

/// Dots of a dash and of the gap after it.
const DASH: usize = 3;
const GAP: usize = 2;

/// A straight line between two dots.
struct LinePiece {
    ends: [(f64, f64); 2],
    look: LineLook,
    light: Light,
}

impl LineLook {
    const TRUNK: Self = Self {
        thinness: THICKNESSES - 1,
        sign: LineSign::Trunk,
    };

    /// The look of a trunk: that of the strongest of its edges if they have one sign.
    fn shared(edges: impl Iterator<Item = Self>) -> Self {
        let strongest = edges.reduce(|one, other| {
            if one.sign == other.sign {
                one.min(other)
            } else {
                Self::TRUNK
            }
        });
        strongest.unwrap_or(Self::TRUNK)
    }

    fn of(edge: &DrawnEdge, max_weight: f32) -> Self {
        let weight = edge.edge.weight;
        let share = weight.abs() / max_weight.max(f32::MIN_POSITIVE);
        let stronger = SHARES.iter().position(|&least| share >= least);
        Self {
            thinness: stronger.map_or(THICKNESSES - 1, |thinness| thinness as u8),
            sign: if weight < 0.0 {
                LineSign::Negative
            } else {
                LineSign::Positive
            },
        }
    }

    /// The number of the canvas line; smaller numbers are drawn on top.
    fn index(self) -> u8 {
        3 * self.thinness + self.sign as u8
    }

    fn from_index(index: u8) -> Self {
        Self {
            thinness: index / 3,
            sign: match index % 3 {
                0 => LineSign::Positive,
                1 => LineSign::Negative,
                _ => LineSign::Trunk,
            },
        }
    }

    /// Color by sign; brightness by strength and by the paths of the selected node.
    fn style(self, light: Light, theme: &Theme) -> Style {
        let strength = match (light, self.thinness) {
            (Light::Dim, _) => return theme.faint,
            (Light::New, _) => return theme.warning,
            (Light::Lit, _) if theme.diverging.is_none() => return theme.text,
            (Light::Bright, _) if theme.diverging.is_none() => return theme.strong,
            (Light::Lit, 0) | (Light::Bright, 2) => 0.85,
            (Light::Lit, 1) => 0.7,
            (Light::Lit, _) => 0.55,
            (Light::Bright, _) => 1.0,
        };
        match self.sign {
            LineSign::Positive => theme.diverging_text(strength),
            LineSign::Negative => theme.diverging_text(-strength),
            LineSign::Trunk if light == Light::Bright => theme.text,
            LineSign::Trunk => theme.dim,
        }
    }
}

impl NetworkDrawing {
    /// Draws the edges with their trunks.
    pub(super) fn draw_lines(
        &self,
        edges: &[&DrawnEdge],
        layout: &NetworkLayout,
        viewport: &Viewport,
        paths: &Paths,
        (theme, area, buf): (&Theme, Rect, &mut Buffer),
    ) {
        let pieces = self.pieces(edges, layout, viewport, paths);
        for light in [Light::Dim, Light::Lit, Light::Bright, Light::New] {
            let mut canvas = DotCanvas::new(area.width, area.height);
            let glyphs = match (theme.ascii, light) {
                (true, Light::Dim) => DotGlyphs::Custom(&[ASCII_TRUNK]),
                (true, _) => DotGlyphs::Custom(&ASCII_MARKERS),
                (false, _) => DotGlyphs::Braille,
            };
            let lit = pieces.iter().filter(|piece| piece.light == light);
            lit.for_each(|piece| stroke(&mut canvas, piece));
            let style = |line: u8, _| LineLook::from_index(line).style(light, theme);
            canvas.draw(area, style, glyphs, buf);
        }
    }

    /// The visible pieces of all lines.
    fn pieces(
        &self,
        edges: &[&DrawnEdge],
        layout: &NetworkLayout,
        viewport: &Viewport,
        paths: &Paths,
    ) -> Vec<LinePiece> {
        let max_weight = self.max_weight();
        let mut by_source = vec![Vec::new(); self.nodes.len()];
        for edge in edges {
            if let Some(end) = layout.nodes[edge.edge.to] {
                by_source[edge.edge.from].push((*edge, end));
            }
        }
        let mut pieces = Vec::new();
        for (source, edges) in by_source.iter().enumerate() {
            let trunk = layout.trunk(source);
            let dots: Vec<(f64, f64)> = (0..trunk.len())
                .map(|index| match index {
                    0 => viewport.node_dot(trunk[0]),
                    _ => viewport.bend_dot(trunk[index]),
                })
                .collect();
            for (index, bend) in trunk.iter().enumerate() {
                let carried = edges.iter().filter(|(_, end)| end.column > bend.column + 1);
                let looks = carried
                    .clone()
                    .map(|(edge, _)| LineLook::of(edge, max_weight));
                let light = carried.map(|(edge, _)| paths.edge(edge)).max();
                if let (Some(light), Some(next)) = (light, dots.get(index + 1)) {
                    pieces.push(LinePiece {
                        ends: [dots[index], *next],
                        look: LineLook::shared(looks),
                        light,
                    });
                }
                let ending = edges
                    .iter()
                    .filter(|(_, end)| end.column == bend.column + 1);
                pieces.extend(ending.map(|(edge, end)| LinePiece {
                    ends: [dots[index], viewport.node_dot(*end)],
                    look: LineLook::of(edge, max_weight),
                    light: paths.edge(edge),
                }));
            }
        }
        pieces
    }
}

/// Draws a line: as many dots thick as its look says, with gaps if it is negative, dotted if it is
/// dim.
fn stroke(canvas: &mut DotCanvas, piece: &LinePiece) {
    let [from, to] = piece.ends;
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let steps = dx.abs().max(dy.abs()).max(1.0) as usize;
    let is_steep = dy.abs() > dx.abs();
    for step in 0..=steps {
        let is_gap = step % (DASH + GAP) >= DASH;
        let is_dotted = piece.light == Light::Dim && step % 2 == 1;
        if is_dotted || (piece.look.sign == LineSign::Negative && is_gap) {
            continue;
        }
        let share = step as f64 / steps as f64;
        let (x, y) = ((from.0 + dx * share).round(), (from.1 + dy * share).round());
        let thickness = match piece.light {
            Light::Dim => 1,
            Light::Lit | Light::Bright | Light::New => THICKNESSES - piece.look.thinness,
        };
        for beside in 0..thickness {
            // The first dot is the line itself, the others lie on both sides of it.
            let offset = f64::from(beside.div_ceil(2)) * if beside % 2 == 0 { 1.0 } else { -1.0 };
            let (x, y) = if is_steep {
                (x + offset, y)
            } else {
                (x, y + offset)
            };
            if x >= 0.0 && y >= 0.0 {
                canvas.dot(x as usize, y as usize, piece.look.index(), Strength::Strong);
            }
        }
    }
}

/// The legend of the edges, thin to thick.
pub(super) fn legend(width: u16, theme: &Theme) -> Vec<Span<'static>> {
    let [positive, negative] = theme.sign(["⠤⣤⣶", "⠄⡄⡆"], ["'+#", "~-="]);
    let is_wide = width >= WIDE;
    let words = if is_wide {
        [" positive  ", " negative"]
    } else {
        [" pos ", " neg"]
    };
    let strong = |sign| LineLook { thinness: 0, sign }.style(Light::Lit, theme);
    let mut spans = vec![
        Span::styled(positive, strong(LineSign::Positive)),
        Span::styled(words[0], theme.dim),
        Span::styled(negative, strong(LineSign::Negative)),
        Span::styled(words[1], theme.dim),
    ];
    if is_wide {
        let both = theme.sign("  ⠒⠒", "  ..");
        spans.push(Span::styled(both, LineLook::TRUNK.style(Light::Lit, theme)));
        spans.push(Span::styled(" both", theme.dim));
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trunk_has_the_color_of_its_edges_if_they_have_one_sign() {
        use LineSign::{Negative, Positive};
        let look = |(thinness, sign)| LineLook { thinness, sign };
        let check = |edges: &[(u8, LineSign)], expected: LineLook| {
            let shared = LineLook::shared(edges.iter().copied().map(look));
            assert_eq!(shared, expected, "{edges:?}");
        };
        check(
            &[(2, Positive), (0, Positive), (1, Positive)],
            look((0, Positive)),
        );
        check(&[(1, Negative)], look((1, Negative)));
        check(
            &[(0, Positive), (2, Negative), (0, Positive)],
            LineLook::TRUNK,
        );
    }
}
