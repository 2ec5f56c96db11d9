//! Draws the table of members. Only visible rows are formatted.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::ui::format;
use crate::ui::model::run::RunModel;
use crate::ui::mouse::Regions;
use crate::ui::screens::placeholder;
use crate::ui::theme::Theme;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::gauge::gauge;
use crate::ui::widgets::list::ScrollList;
use crate::ui::widgets::text::{below, inset, put};

use super::member_table::{
    Member, MemberColumn, MemberOrder, MemberTable, SortDirection, origin_word,
};
use super::{PopulationScreen, PopulationTarget};

/// The least width of a fitness bar.
const MIN_BAR: u16 = 6;

impl MemberColumn {
    /// Width in cells, with the leading space.
    fn width(self) -> u16 {
        match self {
            Self::Fitness => 9,
            Self::Origin => 10,
            Self::Index | Self::Hidden | Self::Layers => 7,
            Self::Edges => 6,
            Self::Age => 5,
        }
    }

    /// The text of the cell for a member.
    fn text(self, member: &Member, theme: &Theme) -> String {
        let unknown = || if theme.ascii { "-" } else { "–" }.to_owned();
        match self {
            Self::Index => (member.index + 1).to_string(),
            Self::Fitness => member.fitness.map_or_else(unknown, format::short),
            Self::Origin => member
                .origin
                .map_or_else(unknown, |origin| origin_word(origin).to_owned()),
            Self::Age => member.age.map_or_else(unknown, |age| age.to_string()),
            Self::Layers => member.layers.to_string(),
            Self::Hidden => member.hidden.to_string(),
            Self::Edges => member.edges.to_string(),
        }
    }

    /// Pads text to the width of the column: words to the left, numbers to the right.
    fn padded(self, text: &str) -> String {
        let width = usize::from(self.width());
        match self {
            Self::Origin => format!(" {text:<w$}", w = width - 1),
            _ => format!("{text:>width$}"),
        }
    }
}

/// The columns that fit.
fn fitting(columns: &[MemberColumn], room: u16) -> Vec<MemberColumn> {
    let mut left = room;
    let fits = |column: &&MemberColumn| {
        let fits = column.width() <= left;
        left = left.saturating_sub(column.width());
        fits
    };
    columns.iter().take_while(fits).copied().collect()
}

impl PopulationScreen {
    pub(super) fn view_table(
        &self,
        watch: Option<&RunModel>,
        focus: Focus,
        theme: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) -> Regions<PopulationTarget> {
        let mut regions = Regions::default();
        let Some(member_table) = &self.member_table else {
            let frame = Frame {
                bottom_right: self.message(theme),
                ..Frame::titled("Members")
            };
            let inner = frame.draw(focus, theme, area, buf);
            placeholder::draw(watch, theme, inset(inner, 1), buf);
            return regions;
        };
        let members = member_table.members();
        let count = format::count(members.len() as f64);
        let frame = Frame {
            title: self.title(member_table, theme),
            right: Line::styled(
                format!(
                    "{} of {count}",
                    format::count((self.member_cursor + 1).min(members.len()) as f64)
                ),
                theme.dim,
            ),
            bottom_left: Line::styled(common_topology(member_table), theme.dim),
            bottom_right: self.message(theme),
        };
        let inner = frame.draw(focus, theme, area, buf);
        let columns = fitting(&member_table.columns, inner.width);
        draw_head(&columns, self.order, theme, inner, buf, &mut regions);
        let body = below(inner, 1);
        let height = usize::from(body.height);
        self.visible_rows.set(height);
        let ends = member_table.fitness_range();
        let list = ScrollList::selecting(members.len(), self.member_cursor);
        list.draw(theme, body, buf, |row| {
            row_line(&members[row], &columns, ends, inner.width, theme)
        });
        list.scrollbar(theme, body.height, area, buf);
        regions.extend(list.regions(body, PopulationTarget::Member));
        regions
    }
}

impl PopulationScreen {
    /// The title: the generation listed and, if it is an older one, the newest.
    fn title(&self, member_table: &MemberTable, theme: &Theme) -> Line<'static> {
        let listed = member_table.snapshot.generation;
        let mut title = Line::from(format!("Members of generation {listed}"));
        if !self.follows_newest {
            let newest = self.newest.as_ref().map(|newest| newest.generation);
            let newest = newest.map_or_else(String::new, |newest| format!(", newest g{newest}"));
            title.push_span(Span::styled(format!(" saved{newest}"), theme.dim));
        }
        title
    }

    fn message(&self, theme: &Theme) -> Line<'static> {
        Line::styled(self.message.clone(), theme.warning)
    }
}

/// Draws the column headings and marks the sort column.
fn draw_head(
    columns: &[MemberColumn],
    order: MemberOrder,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
    regions: &mut Regions<PopulationTarget>,
) {
    let mut left = area.x;
    for &column in columns {
        let sign = match (order.direction, theme.ascii) {
            (SortDirection::Ascending, false) => "▲",
            (SortDirection::Descending, false) => "▼",
            (SortDirection::Ascending, true) => "^",
            (SortDirection::Descending, true) => "v",
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
            // The marker replaces the leading space.
            MemberColumn::Origin if column == order.column => text,
            _ => column.padded(&text),
        };
        put(buf, at, 0, Span::styled(text, style));
        regions.add(at, PopulationTarget::Heading(column));
        left += column.width();
    }
}

/// A table row, with a fitness bar if there is room.
fn row_line<'a>(
    member: &Member,
    columns: &[MemberColumn],
    (low, high): (f64, f64),
    width: u16,
    theme: &Theme,
) -> Line<'a> {
    let mut spans = Vec::new();
    for &column in columns {
        let style = match column {
            MemberColumn::Fitness => theme.strong,
            MemberColumn::Index => theme.dim,
            _ => theme.text,
        };
        let text = column.padded(&column.text(member, theme));
        spans.push(Span::styled(text, style));
    }
    let used: u16 = columns.iter().map(|column| column.width()).sum();
    let room = width.saturating_sub(used + 2);
    if let Some(fitness) = member.fitness
        && room >= MIN_BAR
        && high > low
    {
        let share = (fitness - low) / (high - low);
        spans.push(Span::raw(" "));
        spans.extend(gauge(share, room, theme.series[1], theme).spans);
    }
    Line::from(spans)
}

/// The network size if all members share it.
fn common_topology(member_table: &MemberTable) -> String {
    let sizes = [
        MemberColumn::Layers,
        MemberColumn::Hidden,
        MemberColumn::Edges,
    ];
    if member_table
        .columns
        .iter()
        .any(|column| sizes.contains(column))
    {
        return String::new();
    }
    let Some(genome) = member_table.snapshot.members.first() else {
        return String::new();
    };
    let topology = genome.topology();
    let layers: Vec<String> = topology.layers.iter().map(ToString::to_string).collect();
    match topology.edges {
        0 => String::new(),
        edges => format!(
            "all {}, {} edges",
            layers.join("-"),
            format::count(edges as f64)
        ),
    }
}
