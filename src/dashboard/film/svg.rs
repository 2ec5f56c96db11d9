//! The frames of a film as an SVG. A cell is drawn once for each time in which it stands unchanged;
//! all cells with the same time are one group that `<set>` shows.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};

use super::glyphs::{CELL, Glyph, Rectangle};
use super::{Film, rgb};

/// The color of text in a picture whose theme leaves it to the terminal.
const TEXT: [u8; 3] = [0xde, 0xe2, 0xe8];

/// Cells of a group that are cheaper than the group itself, in all its frames.
const WORTH_A_GROUP: usize = 12;

/// Letters from which on a word with its length is shorter than the place of each letter.
const LONG_WORD: usize = 6;

/// Cells and their columns and rows.
type Cells<'a> = Vec<(u16, u16, &'a Cell)>;

/// What a sign is drawn with: its color, and whether it is bold and underlined.
type Ink = ([u8; 3], bool, bool);

pub(super) fn svg(film: &Film) -> String {
    let area = film.frames[0].area;
    let (width, height) = (area.width * CELL.0, area.height * CELL.1);
    let (end, mut inks, mut groups) = (film.frames.len(), Colors::default(), String::new());
    if end > 1 {
        groups = format!(
            "<set id=\"l\" attributeName=\"visibility\" to=\"visible\" begin=\"0;l.end\" \
            dur=\"{}\"/>\n",
            film.seconds
        );
    }
    for ((from, to), cells) in lives(film) {
        let drawing = drawing(&cells, film.paper, &mut inks);
        if (from, to) == (0, end) {
            groups += &drawing;
            continue;
        }
        let (begin, length) = (film.time(from), film.time(to) - film.time(from));
        let last = if to == end { " _z" } else { "" };
        let _ = write!(
            groups,
            "<g class=\"_m{last}\"><set attributeName=\"visibility\" to=\"visible\" \
            begin=\"l.begin+{begin}\" dur=\"{}\"/>\n{drawing}</g>\n",
            (length * 1e3).round() / 1e3,
        );
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
        font-family=\"DejaVu Sans Mono,Menlo,Consolas,monospace\" font-size=\"13.3\">\n\
        <style>path,text{{fill:currentColor}}._b{{font-weight:bold}}\
        ._u{{text-decoration:underline}}._{{fill:none;stroke:currentColor;stroke-width:.6;\
        stroke-linecap:round;stroke-dasharray:0 1;stroke-dashoffset:-.5;\
        transform:translate(0,2px) scale(4)}}._m{{visibility:hidden}}\
        @media(prefers-reduced-motion:reduce){{._m{{visibility:hidden!important}}\
        ._z{{visibility:visible!important}}}}{}</style>\n\
        <rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n{groups}</svg>\n",
        inks.style(),
        hex(film.paper)
    )
}

/// The colors of the picture, each with a class of its own.
#[derive(Default)]
struct Colors(Vec<[u8; 3]>);

impl Colors {
    /// The class of a color: A to Z, then AA and so on.
    fn class(&mut self, color: [u8; 3]) -> String {
        let known = self.0.iter().position(|known| *known == color);
        let place = known.unwrap_or_else(|| {
            self.0.push(color);
            self.0.len() - 1
        });
        class(place)
    }

    fn style(&self) -> String {
        let rules = self.0.iter().enumerate();
        let rules =
            rules.map(|(place, color)| format!(".{}{{color:{}}}", class(place), hex(*color)));
        rules.collect()
    }
}

fn class(place: usize) -> String {
    let letter = char::from(b'A' + (place % 26) as u8);
    match place / 26 {
        0 => letter.to_string(),
        more => class(more - 1) + &letter.to_string(),
    }
}

/// The cells that are not blank, by the first frame that shows them and the frame that no longer
/// does.
fn lives(film: &Film) -> BTreeMap<(usize, usize), Cells<'_>> {
    let area = film.frames[0].area;
    let mut lives: BTreeMap<_, Cells<'_>> = BTreeMap::new();
    for place in area.positions() {
        let mut from = 0;
        for to in 1..=film.frames.len() {
            let cell = &film.frames[from][place];
            if film.frames.get(to).is_none_or(|next| next[place] != *cell) {
                if cell.symbol() != " " || look(cell, film.paper).1 != film.paper {
                    let cells = lives.entry((from, to)).or_default();
                    cells.push((place.x, place.y, cell));
                }
                from = to;
            }
        }
    }
    // A few cells are shorter when they are drawn in each frame, whose group is there anyway.
    let is_small = |(from, to): (usize, usize), cells: &Cells<'_>| {
        cells.len() * (to - from - 1) < WORTH_A_GROUP && to < film.frames.len()
    };
    let small: Vec<(usize, usize)> = lives
        .iter()
        .filter(|(life, cells)| life.1 - life.0 > 1 && is_small(**life, cells))
        .map(|(life, _)| *life)
        .collect();
    for (from, to) in small {
        let cells = lives.remove(&(from, to)).unwrap_or_default();
        for frame in from..to {
            let frame = lives.entry((frame, frame + 1)).or_default();
            frame.extend(cells.iter().copied());
        }
    }
    for cells in lives.values_mut() {
        cells.sort_unstable_by_key(|&(x, y, _)| (y, x));
    }
    lives
}

/// The cells of a group, in the order of rows and columns: backgrounds, then signs by their ink.
fn drawing(cells: &Cells<'_>, paper: [u8; 3], colors: &mut Colors) -> String {
    let mut behind: BTreeMap<[u8; 3], Vec<Rectangle>> = BTreeMap::new();
    let mut inks: BTreeMap<Ink, Drawn> = BTreeMap::new();
    for &(x, y, cell) in cells {
        let (ink, ground) = look(cell, paper);
        let (left, top) = (x * CELL.0, y * CELL.1);
        if ground != paper {
            add(
                behind.entry(ground).or_default(),
                (left, top, CELL.0, CELL.1),
            );
        }
        let sign = cell.symbol();
        if sign == " " {
            continue;
        }
        let drawn = inks.entry(ink).or_default();
        match sign.chars().next().map(Glyph::of) {
            Some(Glyph::Dots(dots)) => {
                let dots = dots
                    .into_iter()
                    .map(|(column, row)| (y * 4 + row, x * 2 + column));
                drawn.dots.extend(dots);
            }
            Some(Glyph::Rectangles(rectangles)) => {
                for (over, below, width, height) in rectangles {
                    add(
                        &mut drawn.rectangles,
                        (left + over, top + below, width, height),
                    );
                }
            }
            Some(Glyph::Letter) | None => drawn.write(x, y, sign),
        }
    }
    let mut text = String::new();
    for (color, rectangles) in behind {
        let (class, path) = (colors.class(color), path(&rectangles));
        let _ = writeln!(text, "<path class=\"{class}\" d=\"{path}\"/>");
    }
    for ((color, bold, underlined), drawn) in inks {
        let mut class = colors.class(color);
        class.push_str(if bold { " _b" } else { "" });
        class.push_str(if underlined { " _u" } else { "" });
        text += &drawn.svg(&class);
    }
    text
}

/// What is drawn with one ink.
#[derive(Default)]
struct Drawn {
    rectangles: Vec<Rectangle>,
    /// Rows and columns of dots.
    dots: Vec<(u16, u16)>,
    /// Columns, rows and letters.
    words: Vec<(u16, u16, String)>,
}

impl Drawn {
    /// Adds a sign to the word before it, at one blank's distance at most. A sign that another font
    /// may have to draw stands alone.
    fn write(&mut self, x: u16, y: u16, sign: &str) {
        if let Some((left, row, word)) = self.words.last_mut()
            && word.is_ascii()
            && sign.is_ascii()
        {
            let end = *left + word.len() as u16;
            if *row == y && (end..=end + 1).contains(&x) {
                if x > end {
                    word.push(' ');
                }
                word.push_str(sign);
                return;
            }
        }
        self.words.push((x, y, sign.to_owned()));
    }

    fn svg(mut self, class: &str) -> String {
        let mut text = String::new();
        if !self.rectangles.is_empty() {
            let path = path(&self.rectangles);
            let _ = writeln!(text, "<path class=\"{class}\" d=\"{path}\"/>");
        }
        if !self.dots.is_empty() {
            self.dots.sort_unstable();
            let path = dotted(&self.dots);
            let _ = writeln!(text, "<path class=\"_ {class}\" d=\"{path}\"/>");
        }
        let (short, long): (Vec<_>, Vec<_>) = self
            .words
            .iter()
            .partition(|(_, _, word)| word.len() < LONG_WORD || !word.is_ascii());
        for (x, y, word) in long {
            let (left, base) = (x * CELL.0, base(*y));
            let (length, word) = (word.len() as u16 * CELL.0, escaped(word));
            let _ = writeln!(
                text,
                "<text class=\"{class}\" x=\"{left}\" y=\"{base}\" \
                textLength=\"{length}\">{word}</text>"
            );
        }
        if short.is_empty() {
            return text;
        }
        let (mut lefts, mut bases, mut letters) = (String::new(), String::new(), String::new());
        for (x, y, word) in short {
            for (left, letter) in (*x..).zip(word.chars()).filter(|it| it.1 != ' ') {
                let _ = write!(lefts, "{} ", left * CELL.0);
                let _ = write!(bases, "{} ", base(*y));
                letters.push(letter);
            }
        }
        let (lefts, bases, letters) = (lefts.trim_end(), bases.trim_end(), escaped(&letters));
        let _ = writeln!(
            text,
            "<text class=\"{class}\" x=\"{lefts}\" y=\"{bases}\">{letters}</text>"
        );
        text
    }
}

/// The base line of a row.
fn base(row: u16) -> u16 {
    row * CELL.1 + 12
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
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

/// The ink and the background of a cell.
fn look(cell: &Cell, paper: [u8; 3]) -> (Ink, [u8; 3]) {
    let has = |modifier| cell.modifier.contains(modifier);
    let (mut color, mut ground) = (rgb(cell.fg, TEXT), rgb(cell.bg, paper));
    if has(Modifier::REVERSED) {
        (color, ground) = (ground, color);
    }
    if cell.fg == Color::Reset && has(Modifier::DIM) {
        color = color.map(|part| part / 2 + ground[0] / 2);
    }
    let ink = (color, has(Modifier::BOLD), has(Modifier::UNDERLINED));
    (ink, ground)
}

/// A color in as few digits as it needs.
fn hex([red, green, blue]: [u8; 3]) -> String {
    let is_short = [red, green, blue].iter().all(|part| part % 17 == 0);
    if is_short {
        format!("#{:x}{:x}{:x}", red / 17, green / 17, blue / 17)
    } else {
        format!("#{red:02x}{green:02x}{blue:02x}")
    }
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
            frames_per_second: 4.0,
            frames,
        };
        let lives = lives(&film);
        for (place, frame) in film.frames.iter().enumerate() {
            let mut shown = Buffer::empty(frame.area);
            let live = lives
                .iter()
                .filter(|((from, to), _)| (*from..*to).contains(&place));
            for (x, y, cell) in live.flat_map(|(_, cells)| cells) {
                assert_eq!(shown[(*x, *y)].symbol(), " ", "it is drawn once");
                shown[(*x, *y)] = (*cell).clone();
            }
            assert_eq!(&shown, frame);
        }
        let svg = svg(&film);
        assert!(svg.contains("begin=\"l.begin+0.75\" dur=\"1.25\""), "{svg}");
        assert!(
            svg.contains("d=\"m0 4h2m-2 1h2m-2 1h2m-2 1h2\""),
            "eight dots: {svg}"
        );
        assert!(svg.contains("m32 16h8v16h-8z"), "a block: {svg}");
        assert!(svg.contains("m16 24h8v1h-8z"), "a line: {svg}");
    }
}
