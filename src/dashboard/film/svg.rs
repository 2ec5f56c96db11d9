//! The frames of a film as an SVG. A cell is drawn once for each time in which it stands unchanged;
//! all cells with the same time are one group that `<set>` shows.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ratatui::buffer::Cell;
use ratatui::style::Modifier;

use super::glyphs::{CELL, Rectangle, dots, rectangles};
use super::{Film, rgb};

/// The color of text in a picture whose theme leaves it to the terminal.
const TEXT: [u8; 3] = [0xde, 0xe2, 0xe8];

/// A time of fewer frames is no group: its cells are drawn in each frame.
const WORTH_A_GROUP: usize = 3;

/// Cells, after their rows and columns.
type Cells<'a> = Vec<(u16, u16, &'a Cell)>;

/// What is drawn: backgrounds first, then signs, by color and whether they are bold and underlined.
type Ink = (bool, [u8; 3], bool, bool);

impl Film {
    /// The film as an SVG without a script, which repeats. Readers who want less motion see the
    /// last frame.
    pub fn svg(&self) -> String {
        let (area, end) = (self.frames[0].area, self.frames.len());
        let (width, height) = (area.width * CELL.0, area.height * CELL.1);
        let (mut colors, mut groups) = (vec![self.paper], String::new());
        if end > 1 {
            let _ = writeln!(
                groups,
                "<set id=\"l\" attributeName=\"visibility\" to=\"visible\" begin=\"0;l.end\" \
                dur=\"{}\"/>",
                self.seconds
            );
        }
        for ((from, to), mut cells) in lives(self) {
            cells.sort_unstable_by_key(|&(y, x, _)| (y, x));
            let drawing = drawing(&cells, &mut colors);
            if (from, to) == (0, end) {
                groups += &drawing;
                continue;
            }
            let (begin, length) = (self.time(from), self.time(to) - self.time(from));
            let _ = writeln!(
                groups,
                "<g class=\"{}\"><set attributeName=\"visibility\" to=\"visible\" \
                begin=\"l.begin+{begin}\" dur=\"{}\"/>\n{drawing}</g>",
                if to == end { "m z" } else { "m" },
                (length * 1e3).round() / 1e3,
            );
        }
        let mut rules = String::new();
        for (place, [red, green, blue]) in colors.iter().enumerate() {
            let _ = write!(rules, ".c{place}{{color:#{red:02x}{green:02x}{blue:02x}}}");
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
            font-family=\"DejaVu Sans Mono,Menlo,Consolas,monospace\" font-size=\"13.3\">\n\
            <style>path,text{{fill:currentColor}}.k{{shape-rendering:crispEdges}}\
            .b{{font-weight:bold}}\
            .u{{text-decoration:underline}}.d{{fill:none;stroke:currentColor;stroke-width:.6;\
            stroke-linecap:round;stroke-dasharray:0 1;stroke-dashoffset:-.5;\
            transform:translate(0,2px) scale(4)}}.m{{visibility:hidden}}\
            @media(prefers-reduced-motion:reduce){{.m{{visibility:hidden!important}}\
            .z{{visibility:visible!important}}}}{rules}</style>\n\
            <path class=\"c0\" d=\"m0 0h{width}v{height}h-{width}z\"/>\n{groups}</svg>\n"
        )
    }
}

/// The cells that are not blank, by the first frame that shows them and the frame that no longer
/// does.
fn lives(film: &Film) -> BTreeMap<(usize, usize), Cells<'_>> {
    let mut lives: BTreeMap<_, Cells<'_>> = BTreeMap::new();
    for place in film.frames[0].area.positions() {
        let mut from = 0;
        for to in 1..=film.frames.len() {
            let cell = &film.frames[from][place];
            if film.frames.get(to).is_some_and(|next| next[place] == *cell) {
                continue;
            }
            let step = if to - from < WORTH_A_GROUP {
                1
            } else {
                to - from
            };
            for start in (from..to).step_by(step) {
                let cells = lives.entry((start, start + step)).or_default();
                cells.push((place.y, place.x, cell));
            }
            from = to;
        }
    }
    lives
}

/// What is drawn with one ink.
#[derive(Default)]
struct Drawn {
    rectangles: Vec<Rectangle>,
    /// Rows and columns.
    dots: Vec<(u16, u16)>,
    /// Rows, columns and letters.
    letters: Vec<(u16, u16, char)>,
}

/// The cells of a group, in the order of rows and columns. A color that is new joins the others,
/// the first of which is the background.
fn drawing(cells: &Cells<'_>, colors: &mut Vec<[u8; 3]>) -> String {
    let mut inks: BTreeMap<Ink, Drawn> = BTreeMap::new();
    for &(y, x, cell) in cells {
        let has = |modifier| cell.modifier.contains(modifier);
        let (mut color, mut ground) = (rgb(cell.fg, TEXT), rgb(cell.bg, colors[0]));
        if has(Modifier::REVERSED) {
            (color, ground) = (ground, color);
        }
        let (left, top) = (x * CELL.0, y * CELL.1);
        if ground != colors[0] {
            let behind = inks.entry((false, ground, false, false)).or_default();
            add(&mut behind.rectangles, (left, top, CELL.0, CELL.1));
        }
        let sign = cell.symbol().chars().next().filter(|sign| *sign != ' ');
        let Some(sign) = sign else { continue };
        let ink = (true, color, has(Modifier::BOLD), has(Modifier::UNDERLINED));
        let drawn = inks.entry(ink).or_default();
        let (dots, parts) = (dots(sign), rectangles(sign));
        if dots.is_empty() && parts.is_empty() {
            drawn.letters.push((y, x, sign));
        }
        let places = dots
            .into_iter()
            .map(|(column, row)| (y * 4 + row, x * 2 + column));
        drawn.dots.extend(places);
        for (over, below, width, height) in parts {
            add(
                &mut drawn.rectangles,
                (left + over, top + below, width, height),
            );
        }
    }
    let mut text = String::new();
    for ((is_sign, color, bold, underlined), mut drawn) in inks {
        let known = colors.iter().position(|known| *known == color);
        let place = known.unwrap_or(colors.len());
        if known.is_none() {
            colors.push(color);
        }
        let bold = if bold { " b" } else { "" };
        let line = if underlined { " u" } else { "" };
        // Backgrounds side by side show no seam.
        let edge = if is_sign { "" } else { " k" };
        drawn.dots.sort_unstable();
        drawn.write(&format!("c{place}{bold}{line}{edge}"), &mut text);
    }
    text
}

impl Drawn {
    fn write(&self, class: &str, out: &mut String) {
        if !self.rectangles.is_empty() {
            let path = path(&self.rectangles);
            let _ = writeln!(out, "<path class=\"{class}\" d=\"{path}\"/>");
        }
        if !self.dots.is_empty() {
            let path = dotted(&self.dots);
            let _ = writeln!(out, "<path class=\"d {class}\" d=\"{path}\"/>");
        }
        if self.letters.is_empty() {
            return;
        }
        let letters = self.letters.iter();
        let lefts: Vec<String> = letters
            .clone()
            .map(|it| (it.1 * CELL.0).to_string())
            .collect();
        let bases = letters.clone().map(|it| (it.0 * CELL.1 + 12).to_string());
        let bases: Vec<String> = bases.collect();
        let letters: String = letters.map(|it| it.2).collect();
        let letters = letters.replace('&', "&amp;").replace('<', "&lt;");
        let (lefts, bases) = (lefts.join(" "), bases.join(" "));
        let _ = writeln!(
            out,
            "<text class=\"{class}\" x=\"{lefts}\" y=\"{bases}\">{letters}</text>"
        );
    }
}

/// Adds a rectangle, as a part of the last one if it continues it.
fn add(rectangles: &mut Vec<Rectangle>, (left, top, width, height): Rectangle) {
    match rectangles.last_mut() {
        Some(last) if last.0 + last.2 == left && (last.1, last.3) == (top, height) => {
            last.2 += width;
        }
        _ => rectangles.push((left, top, width, height)),
    }
}

/// Rectangles as a path of steps from one to the next.
fn path(rectangles: &[Rectangle]) -> String {
    let (mut text, mut x, mut y) = (String::new(), 0, 0);
    for &(left, top, width, height) in rectangles {
        let (right, down) = (i32::from(left) - x, i32::from(top) - y);
        let _ = write!(text, "m{right} {down}h{width}v{height}h-{width}z");
        (x, y) = (left.into(), top.into());
    }
    text
}

/// Dots in the order of rows and columns as a path of lines, which are drawn dotted.
fn dotted(dots: &[(u16, u16)]) -> String {
    let (mut text, mut x, mut y) = (String::new(), 0, 0);
    for line in dots.chunk_by(|one, next| (one.0, one.1 + 1) == *next) {
        let (row, column) = (i32::from(line[0].0), i32::from(line[0].1));
        let _ = write!(text, "m{} {}h{}", column - x, row - y, line.len());
        (x, y) = (column + line.len() as i32, row);
    }
    text
}
#[cfg(test)]
mod tests {
    use ratatui::buffer::Buffer;

    use super::*;
    use crate::film::PAPER;

    #[test]
    fn every_cell_stands_in_the_frames_that_show_it_and_in_no_other() {
        let lines = [
            ["one 1", "  ─  "],
            ["one 2", "⣿ ─ █"],
            ["one 2", "⣿   █"],
            ["a 2", ""],
        ];
        let frames: Vec<Buffer> = lines
            .iter()
            .map(|lines| {
                let mut buf = Buffer::with_lines(*lines);
                buf.resize(ratatui::layout::Rect::new(0, 0, 5, 2));
                buf
            })
            .collect();
        let film = Film {
            paper: PAPER,
            seconds: 2.0,
            rate: 8.0,
            frames,
        };
        let lives = lives(&film);
        for (place, frame) in film.frames.iter().enumerate() {
            let mut shown = Buffer::empty(frame.area);
            let live = lives
                .iter()
                .filter(|((from, to), _)| (*from..*to).contains(&place));
            for (y, x, cell) in live.flat_map(|(_, cells)| cells) {
                assert_eq!(shown[(*x, *y)].symbol(), " ", "it is drawn once");
                shown[(*x, *y)] = (*cell).clone();
            }
            assert_eq!(&shown, frame);
        }
        let svg = film.svg();
        assert!(
            svg.contains("begin=\"l.begin+0.375\" dur=\"1.625\""),
            "{svg}"
        );
        assert!(
            svg.contains("d=\"m0 4h2m-2 1h2m-2 1h2m-2 1h2\""),
            "eight dots: {svg}"
        );
        assert!(svg.contains("m32 16h8v16h-8z"), "a block: {svg}");
        assert!(svg.contains("m16 24h8v1h-8z"), "a line: {svg}");
    }
}
