//! Draws the table of members. Only visible rows are formatted.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Block;

use crate::format;
use crate::keymap;
use crate::model::run::RunModel;
use crate::mouse::Regions;
use crate::screens::placeholder;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::gauge::gauge;
use crate::widgets::list::ScrollList;
use crate::widgets::table::{TableColumn, TableLayout};
use crate::widgets::text::{below, inset, put};

use super::match_matrix_view::view_text;
use super::member_table::{Member, MemberColumn, MemberOrder, MemberTable, SortDirection};
use super::screen::{PopulationAction, SCOPE};
use super::{PopulationPane, PopulationScreen, PopulationTarget};

/// The least width of a fitness bar.
const MIN_BAR: u16 = 6;

impl MemberColumn {
    /// Its column in the table. Widths include a space before it.
    fn column(self) -> TableColumn<'static> {
        match self {
            Self::Fitness => TableColumn::number(self.heading(), 9),
            Self::Origin => TableColumn::words(format!(" {}", self.heading()), 10),
            Self::Index | Self::Hidden | Self::Layers => TableColumn::number(self.heading(), 7),
            Self::Edges => TableColumn::number(self.heading(), 6),
            Self::Age => TableColumn::number(self.heading(), 5),
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
                .map_or_else(unknown, |origin| format!(" {}", origin.word())),
            Self::Age => member.age.map_or_else(unknown, |age| age.to_string()),
            Self::Layers => member.layers.to_string(),
            Self::Hidden => member.hidden.to_string(),
            Self::Edges => member.edges.to_string(),
        }
    }
}

/// The columns that fit, with a sign at the one that the table is sorted by.
fn table_layout(
    columns: &[MemberColumn],
    order: MemberOrder,
    theme: &Theme,
    room: u16,
) -> TableLayout<'static> {
    let sign = match order.direction {
        SortDirection::Ascending => theme.sign("▲", "^"),
        SortDirection::Descending => theme.sign("▼", "v"),
    };
    let column = |&column: &MemberColumn| match column.column() {
        // The sign takes the place of the space before the heading.
        sorted if column == order.column => TableColumn {
            heading: format!("{sign}{}", column.heading()).into(),
            ..sorted
        },
        other => other,
    };
    let columns = columns.iter().map(column).collect();
    TableLayout { columns, gap: 0 }.fitted(room.into())
}

/// The rows of members in an area: below the headings in its frame.
pub(super) fn table_body(area: Rect) -> Rect {
    below(Block::bordered().inner(area), 1)
}

/// Draws the members.
pub(super) fn view(
    (screen, watch): (&PopulationScreen, Option<&RunModel>),
    focus: Focus,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) -> Regions<PopulationTarget> {
    let mut regions = Regions::default();
    let Some(member_table) = &screen.member_table else {
        let frame = Frame {
            bottom_right: message(screen, theme),
            ..Frame::titled("Members")
        };
        let inner = frame.draw(focus, theme, area, buf);
        match watch.filter(|watch| !watch.is_followed()) {
            Some(watch) => placeholder::draw(Some(watch), theme, inset(inner, 1), buf),
            None => view_text(&only_champions(), theme, inset(inner, 1), buf),
        }
        return regions;
    };
    let (members, cursor) = (
        member_table.members(),
        screen.cursor(PopulationPane::Members),
    );
    let count = format::count(members.len() as f64);
    let species = screen.species();
    let bar_style = |member: usize| species.and_then(|known| known.style_of(member, theme));
    let note = match bar_style(0) {
        Some(_) => "colors: species".to_owned(),
        None => common_topology(member_table),
    };
    let frame = Frame {
        title: title(screen, member_table, watch, theme),
        right: Line::styled(
            format!(
                "{} of {count}",
                format::count((cursor + 1).min(members.len()) as f64)
            ),
            theme.dim,
        ),
        bottom_left: Line::styled(note, theme.dim),
        bottom_right: message(screen, theme),
        ..Frame::default()
    };
    let inner = frame.draw(focus, theme, area, buf);
    let layout = table_layout(&member_table.columns, screen.order, theme, inner.width);
    let columns = &member_table.columns[..layout.columns.len()];
    let sorted = columns
        .iter()
        .position(|column| *column == screen.order.column);
    let mut head = layout.headings(theme.dim);
    if let Some(span) = sorted.and_then(|place| head.spans.get_mut(place)) {
        span.style = theme.accent;
    }
    put(buf, inner, 0, head);
    for (&column, at) in columns.iter().zip(layout.areas(inner)) {
        regions.add(at, PopulationTarget::Heading(column));
    }
    let body = table_body(area);
    let ends = member_table.fitness_range();
    let list = ScrollList::selecting(members.len(), cursor);
    list.draw(theme, body, buf, |row| {
        let bar = bar_style(members[row].index).unwrap_or(theme.series[1]);
        row_line(
            &members[row],
            columns,
            &layout,
            (ends, bar),
            inner.width,
            theme,
        )
    });
    list.scrollbar(theme, body.height, area, buf);
    regions.extend(list.regions(body, |row| {
        PopulationTarget::Row(PopulationPane::Members, row)
    }));
    regions
}

/// The title: the generation listed and, if it is an older one, the newest.
fn title(
    screen: &PopulationScreen,
    member_table: &MemberTable,
    watch: Option<&RunModel>,
    theme: &Theme,
) -> Line<'static> {
    let listed = format::whole(member_table.snapshot.generation);
    let mut title = Line::from(format!("Members of generation {listed}"));
    if member_table.is_unplayed(watch) {
        title.push_span(Span::styled(", not played yet", theme.dim));
    }
    if !screen.follows_newest {
        let newest = screen.newest.as_ref().map(|newest| newest.generation);
        let newest = newest.map_or_else(String::new, |newest| format!(", newest g{newest}"));
        title.push_span(Span::styled(format!(" saved{newest}"), theme.dim));
    }
    title
}

fn message(screen: &PopulationScreen, theme: &Theme) -> Line<'static> {
    Line::styled(screen.message.clone(), theme.warning)
}

/// Why a run that is not evolved here shows no members.
fn only_champions() -> String {
    let meet = keymap::label(SCOPE, PopulationAction::PlayMatches.action());
    format!(
        "Of this run, only champions are on disk so far, not the members. {meet} plays matches \
        between the champions."
    )
}

/// A table row, with a fitness bar if there is room.
fn row_line<'a>(
    member: &Member,
    columns: &[MemberColumn],
    layout: &TableLayout<'_>,
    ((low, high), bar): ((f64, f64), Style),
    width: u16,
    theme: &Theme,
) -> Line<'a> {
    let cell = |&column: &MemberColumn| {
        let style = match column {
            MemberColumn::Fitness => theme.strong,
            MemberColumn::Index => theme.dim,
            _ => theme.text,
        };
        Span::styled(column.text(member, theme), style)
    };
    let mut line = layout.row(columns.iter().map(cell));
    let room = width.saturating_sub(layout.width() as u16 + 2);
    if let Some(fitness) = member.fitness
        && room >= MIN_BAR
        && high > low
    {
        let share = (fitness - low) / (high - low);
        line.push_span(" ");
        line.spans.extend(gauge(share, room, bar, theme).spans);
    }
    line
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
