//! The table of members. Only the lines that are seen are put into words.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::ui::app::watch::Watch;
use crate::ui::mouse::Regions;
use crate::ui::screens::unplayed;
use crate::ui::theme::Theme;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::gauge::gauge;
use crate::ui::widgets::text::{below, inset, put};
use crate::ui::words;

use super::roll::{Column, Direction, Member, Order, Roll, origin_word};
use super::{PopulationScreen, Spot};

/// Columns of the screen from which on a bar says something.
const LEAST_BAR: u16 = 6;

impl Column {
    /// Columns of the screen that it takes, with the space before it.
    fn width(self) -> u16 {
        match self {
            Self::Fitness => 9,
            Self::Origin => 10,
            Self::Place | Self::Hidden | Self::Layers => 7,
            Self::Edges => 6,
            Self::Age => 5,
        }
    }

    /// What stands in it for a member.
    fn text(self, member: &Member, theme: &Theme) -> String {
        let unknown = || if theme.ascii { "-" } else { "–" }.to_owned();
        match self {
            Self::Place => (member.place + 1).to_string(),
            Self::Fitness => member.fitness.map_or_else(unknown, words::short),
            Self::Origin => member
                .origin
                .map_or_else(unknown, |origin| origin_word(origin).to_owned()),
            Self::Age => member.age.map_or_else(unknown, |age| age.to_string()),
            Self::Layers => member.layers.to_string(),
            Self::Hidden => member.hidden.to_string(),
            Self::Edges => member.edges.to_string(),
        }
    }

    /// Text in the width of the column: words to the left, numbers to the right.
    fn padded(self, text: &str) -> String {
        let width = usize::from(self.width());
        match self {
            Self::Origin => format!(" {text:<w$}", w = width - 1),
            _ => format!("{text:>width$}"),
        }
    }
}

/// The columns that there is room for.
fn fitting(columns: &[Column], room: u16) -> Vec<Column> {
    let mut left = room;
    let fits = |column: &&Column| {
        let fits = column.width() <= left;
        left = left.saturating_sub(column.width());
        fits
    };
    columns.iter().take_while(fits).copied().collect()
}

impl PopulationScreen {
    pub(super) fn view_table(
        &self,
        watch: Option<&Watch>,
        focus: Focus,
        theme: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) -> Regions<Spot> {
        let mut regions = Regions::default();
        let Some(roll) = &self.roll else {
            let frame = Frame {
                bottom_right: self.message(theme),
                ..Frame::titled("Members")
            };
            let inner = frame.draw(focus, theme, area, buf);
            unplayed::draw(watch, theme, inset(inner, 1), buf);
            return regions;
        };
        let members = roll.members();
        let count = words::count(members.len() as f64);
        let frame = Frame {
            title: self.title(roll, theme),
            right: Line::styled(
                format!(
                    "{} of {count}",
                    words::count((self.cursor + 1).min(members.len()) as f64)
                ),
                theme.dim,
            ),
            bottom_left: Line::styled(alike(roll), theme.dim),
            bottom_right: self.message(theme),
        };
        let inner = frame.draw(focus, theme, area, buf);
        let columns = fitting(&roll.columns, inner.width);
        head(&columns, self.order, theme, inner, buf, &mut regions);
        let body = below(inner, 1);
        let height = usize::from(body.height);
        self.listed.set(height);
        // The cursor stays in the middle, but for the ends.
        let last = members.len().saturating_sub(height);
        let first = self.cursor.saturating_sub(height / 2).min(last);
        let ends = roll.ends();
        for (line, member) in members.iter().enumerate().skip(first).take(height) {
            let row = Rect {
                y: body.y + (line - first) as u16,
                height: 1,
                ..body
            };
            let cells = cells(member, &columns, ends, inner.width, theme);
            put(buf, row, 0, cells);
            if line == self.cursor {
                buf.set_style(row.intersection(buf.area), theme.selection);
            }
            regions.add(row, Spot::Line(line));
        }
        regions
    }
}

impl PopulationScreen {
    /// Whose members are listed, and that the newest are others where they are.
    fn title(&self, roll: &Roll, theme: &Theme) -> Line<'static> {
        let listed = roll.census.generation;
        let mut title = Line::from(format!("Members of generation {listed}"));
        if !self.follows {
            let newest = self.newest.as_ref().map(|newest| newest.generation);
            let newest = newest.map_or_else(String::new, |newest| format!(", newest g{newest}"));
            title.push_span(Span::styled(format!(" kept{newest}"), theme.dim));
        }
        title
    }

    fn message(&self, theme: &Theme) -> Line<'static> {
        Line::styled(self.message.clone(), theme.warning)
    }
}

/// The line of headings, that by which members are listed marked.
fn head(
    columns: &[Column],
    order: Order,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
    regions: &mut Regions<Spot>,
) {
    let mut left = area.x;
    for &column in columns {
        let sign = match (order.direction, theme.ascii) {
            (Direction::Rising, false) => "▲",
            (Direction::Falling, false) => "▼",
            (Direction::Rising, true) => "^",
            (Direction::Falling, true) => "v",
        };
        let (text, style) = if column == order.column {
            (format!("{sign}{}", column.heading()), theme.accent)
        } else {
            (column.heading().to_owned(), theme.dim)
        };
        let at = Rect {
            x: left,
            width: column.width(),
            height: area.height.min(1),
            ..area
        };
        let text = match column {
            // The sign stands in the space before the words.
            Column::Origin if column == order.column => text,
            _ => column.padded(&text),
        };
        put(buf, at, 0, Span::styled(text, style));
        regions.add(at, Spot::Heading(column));
        left += column.width();
    }
}

/// A member in words, and its fitness as a thin bar where there is room.
fn cells<'a>(
    member: &Member,
    columns: &[Column],
    (low, high): (f64, f64),
    width: u16,
    theme: &Theme,
) -> Line<'a> {
    let mut spans = Vec::new();
    for &column in columns {
        let style = match column {
            Column::Fitness => theme.strong,
            Column::Place => theme.dim,
            _ => theme.text,
        };
        let text = column.padded(&column.text(member, theme));
        spans.push(Span::styled(text, style));
    }
    let used: u16 = columns.iter().map(|column| column.width()).sum();
    let room = width.saturating_sub(used + 2);
    if let Some(fitness) = member.fitness
        && room >= LEAST_BAR
        && high > low
    {
        let share = (fitness - low) / (high - low);
        spans.push(Span::raw(" "));
        spans.extend(gauge(share, room, theme.series[1], theme).spans);
    }
    Line::from(spans)
}

/// The size of the networks where it is the same for all.
fn alike(roll: &Roll) -> String {
    let sizes = [Column::Layers, Column::Hidden, Column::Edges];
    if roll.columns.iter().any(|column| sizes.contains(column)) {
        return String::new();
    }
    let Some(genome) = roll.census.members.first() else {
        return String::new();
    };
    let topology = genome.topology();
    let layers: Vec<String> = topology.layers.iter().map(ToString::to_string).collect();
    match topology.edges {
        0 => String::new(),
        edges => format!(
            "all {}, {} edges",
            layers.join("-"),
            words::count(edges as f64)
        ),
    }
}
