//! Draws the family tree and, beside it, the champion's line of descent.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::format;
use crate::model::context::Context;
use crate::model::run::RunModel;
use crate::mouse::Regions;
use crate::theme::Theme;
use crate::widgets::dendrogram;
use crate::widgets::frame::Frame;
use crate::widgets::key_label::key_label;
use crate::widgets::list::ScrollList;
use crate::widgets::table::{TableColumn, TableLayout};
use crate::widgets::text::{cut_below, cut_right, inset, put, put_all, put_right, right_of};
use crate::widgets::truncate::wrapped;
use finches_engine::contest::Tally;
use finches_engine::genomes::network_changes::NetworkChanges;
use finches_engine::metrics::stats::wilson;

use super::family::{DescentStep, Family};
use super::match_matrix_view::view_text;
use super::member_table::MemberOrigin;
use super::member_table_view::table_body;
use super::screen::{PopulationAction, SCOPE};
use super::strength;
use super::{PopulationPane, PopulationScreen, PopulationTarget, PopulationTask};

/// Columns for the name and the fitness of a member beside the tree, and the least columns of the
/// tree itself.
const LABEL_WIDTH: u16 = 17;
const LEAST_TREE: u16 = 10;

/// What the two panes show.
const MEANING: &str = "Left: where families part; x2: two alike. Right: the champion's ancestors; \
    steps: births between; dim: not kept.";

impl PopulationScreen {
    /// Draws both panes, or the one with the focus if it is zoomed in.
    pub(super) fn view_family(
        &self,
        context: &Context,
        area: Rect,
        buf: &mut Buffer,
    ) -> Regions<PopulationTarget> {
        let theme = &context.theme;
        let Some(family) = &self.family else {
            let frame = Frame::titled("Family tree");
            let inner = frame.draw(self.focus(self.pane), theme, area, buf);
            let is_followed = context.shown_run().is_some_and(RunModel::is_followed);
            view_text(missing(is_followed), theme, inset(inner, 1), buf);
            return Regions::default();
        };
        if self.zoom.is_zoomed() {
            return match self.pane {
                PopulationPane::Tree => self.view_tree(family, theme, area, buf),
                _ => self.view_line(family, theme, area, buf),
            };
        }
        let words = wrapped(
            MEANING,
            usize::from(area.width).saturating_sub(2),
            theme.dim,
        );
        let (area, foot) = cut_below(area, words.len() as u16);
        put_all(buf, right_of(foot, 1), words);
        let line = layout_of_line(Some(""), usize::MAX).width() as u16 + 2;
        let least = LABEL_WIDTH + LEAST_TREE + 2;
        let line = line
            .min(area.width * 11 / 20)
            .max(50)
            .min(area.width.saturating_sub(least));
        let (tree, line) = cut_right(area, line);
        let mut regions = self.view_tree(family, theme, tree, buf);
        regions.extend(self.view_line(family, theme, line, buf));
        regions
    }

    fn view_tree(
        &self,
        family: &Family,
        theme: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) -> Regions<PopulationTarget> {
        let count = family.tips.len();
        let generation = format::whole(family.snapshot.generation);
        let cursor = self.cursor(PopulationPane::Tree);
        let selected = (cursor + 1).min(count);
        let founders = match family.founders() {
            1 => "one founder".to_owned(),
            founders => format!("{} founders", format::whole(founders as u64)),
        };
        let line = if theme.ascii { "=" } else { "━" };
        let frame = Frame {
            title: Line::from(format!("Family tree of g{generation}")),
            right: Line::styled(format!("{selected} of {count}"), theme.dim),
            bottom_left: Line::styled(founders, theme.dim),
            bottom_right: Line::styled(format!("{line} champion"), theme.dim),
            ..Frame::default()
        };
        let inner = frame.draw(self.focus(PopulationPane::Tree), theme, area, buf);
        let body = table_body(area);
        let width = body.width.saturating_sub(LABEL_WIDTH);
        let list = ScrollList::selecting(count, cursor);
        draw_axis(family, theme, Rect { width, ..inner }, buf);
        put_right(buf, inner, 0, Line::styled("member   fitness", theme.dim));
        list.draw(theme, body, buf, |row| tip_line(family, row, width, theme));
        let graph = Rect { width, ..body };
        let first = list.first(body.height.into());
        dendrogram::draw(family.lines(width.into()), first, theme, graph, buf);
        list.scrollbar(theme, body.height, area, buf);
        list.regions(body, |row| PopulationTarget::Row(PopulationPane::Tree, row))
    }

    fn view_line(
        &self,
        family: &Family,
        theme: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) -> Regions<PopulationTarget> {
        let count = family.line.len();
        let cursor = self.cursor(PopulationPane::Line);
        let selected = (cursor + 1).min(count);
        let champions = &self.champions;
        let reference = strength::reference(&champions.preset, champions.arena.as_ref());
        let heading = format!("vs. {}", reference.name(champions.arena.info().heuristics));
        let is_measuring = self.jobs.is_running(&PopulationTask::Strengths);
        let is_known = is_measuring || !self.strengths.tallies.is_empty();
        let heading = Some(heading.as_str()).filter(|_| is_known);
        let layout = layout_of_line(heading, area.width.saturating_sub(2).into());
        let has_changes = layout.columns.iter().any(|column| column.heading == EDGES);
        let frame = Frame {
            title: Line::from("The champion's line of descent"),
            right: Line::styled(format!("{selected} of {count}"), theme.dim),
            bottom_left: self.about_selected(family, has_changes, theme),
            bottom_right: self.measuring_line(family, theme),
            ..Frame::default()
        };
        let inner = frame.draw(self.focus(PopulationPane::Line), theme, area, buf);
        put(buf, inner, 0, layout.headings(theme.dim));
        let body = table_body(area);
        let list = ScrollList::selecting(count, cursor);
        list.draw(theme, body, buf, |row| {
            let step = &family.line[row];
            let strength = self.strengths.of(family.step_taxon(step).name);
            let strength = strength.map_or_else(String::new, |tally| share(tally, theme));
            let strength = is_known.then_some(strength);
            step_line(family, step, strength, &layout, theme)
        });
        list.scrollbar(theme, body.height, area, buf);
        list.regions(body, |row| PopulationTarget::Row(PopulationPane::Line, row))
    }

    /// The second parent of the selected ancestor, or that it can't be opened, or what the signs in
    /// the table mean.
    fn about_selected(&self, family: &Family, has_changes: bool, theme: &Theme) -> Line<'static> {
        let Some(step) = family.line.get(self.cursor(PopulationPane::Line)) else {
            return Line::default();
        };
        let taxon = family.step_taxon(step);
        let words = match (&step.genome, taxon.mate) {
            (None, _) => "its genome is no longer kept".to_owned(),
            (_, Some(mate)) => format!("second parent {mate}"),
            _ if has_changes => "+ added, - removed, ~ changed".to_owned(),
            _ => String::new(),
        };
        Line::styled(words, theme.dim)
    }

    /// The progress of the measurement, or how to start it.
    fn measuring_line(&self, family: &Family, theme: &Theme) -> Line<'static> {
        if let Some(why) = &self.strengths.failure {
            return Line::styled(why.clone(), theme.warning);
        }
        let is_measuring = self.jobs.is_running(&PopulationTask::Strengths);
        let of_line = family.line.iter().filter(|step| step.genome.is_some());
        let games = of_line.map(|step| {
            let tally = self.strengths.of(family.step_taxon(step).name);
            tally.map_or(0, Tally::games)
        });
        let all = u64::from(strength::GAMES);
        let words = match (is_measuring, games.min().unwrap_or(0)) {
            (true, games) => format!(" stops; {games} of {all} games each"),
            (false, games) if games >= all => {
                return Line::styled(format!("{all} games each, 95%"), theme.dim);
            }
            (false, _) => format!(" measures {all} games each"),
        };
        let mut line = Line::from(key_label(
            SCOPE,
            &[PopulationAction::PlayMatches.action()],
            theme,
        ));
        line.push_span(Span::styled(words, theme.dim));
        line
    }
}

/// Why there is no family tree.
fn missing(is_followed: bool) -> &'static str {
    if is_followed {
        "Another process writes this run, so its family tree is not known here. Once it has \
        stopped, resume it, or print the tree with finches export RUN --newick."
    } else {
        "The family tree is known once a generation has been played."
    }
}

/// Labels the columns at which lines part with their generations, as many as fit.
fn draw_axis(family: &Family, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let mut free = 0;
    let labels = family.partings.iter().enumerate();
    for (place, generation) in labels {
        let column = family.column(place, area.width.into());
        let label = format!("g{generation}");
        if column < free || column + label.len() > usize::from(area.width) {
            continue;
        }
        free = column + label.len() + 1;
        let at = right_of(area, column as u16);
        put(buf, at, 0, Span::styled(label, theme.dim));
    }
}

/// The name and the fitness of a living taxon, right of the tree.
fn tip_line<'a>(family: &Family, row: usize, indent: u16, theme: &Theme) -> Line<'a> {
    let Some((taxon, members)) = family.tip(row) else {
        return Line::default();
    };
    let copies = match members.len() {
        1 => String::new(),
        count => format!(" x{count}"),
    };
    let fitness = taxon.fitness.map_or_else(String::new, format::short);
    let name = format!("{}{copies}", taxon.name);
    let style = if row == 0 { theme.strong } else { theme.text };
    let text = TableLayout {
        columns: vec![
            TableColumn::words("", usize::from(LABEL_WIDTH) - 8),
            TableColumn::number("", 6),
        ],
        gap: 1,
    };
    let mut line = text.row([Span::styled(name, style), Span::styled(fitness, style)]);
    line.spans
        .insert(0, " ".repeat(usize::from(indent) + 1).into());
    line
}

/// The heading of the column of changed edges.
const EDGES: &str = "edges";

/// The columns of the line of descent, the most important first. Without a reference player, that
/// of the results against it is left out.
fn layout_of_line(reference: Option<&str>, room: usize) -> TableLayout<'static> {
    let mut columns = vec![
        TableColumn::words(" ancestor", 10),
        TableColumn::words("made by", 18),
    ];
    columns.extend(reference.map(|name| TableColumn::words(name.to_owned(), 12)));
    columns.extend([
        TableColumn::number("steps", 5),
        TableColumn::number(EDGES, 8),
        TableColumn::number("nodes", 6),
        TableColumn::number("largest", 7),
        TableColumn::number("fitness", 7),
    ]);
    TableLayout { columns, gap: 1 }.fitted(room)
}

fn step_line<'a>(
    family: &Family,
    step: &DescentStep,
    strength: Option<String>,
    layout: &TableLayout<'_>,
    theme: &Theme,
) -> Line<'a> {
    let taxon = family.step_taxon(step);
    let changes = step.changes.as_ref();
    let change =
        |words: &dyn Fn(&NetworkChanges) -> String| changes.map_or_else(String::new, words);
    // As in the table of members.
    let made_by = match taxon.name.born {
        0 => MemberOrigin::Founder.word(),
        _ => taxon.operator.name(),
    };
    let first = [format!(" {}", taxon.name), made_by.to_owned()];
    let cells = [
        step.steps.map_or_else(String::new, format::whole),
        change(&|changes| {
            let [added, removed] = [changes.new_edges, changes.removed_edges];
            differences([added, removed, changes.changed_weights])
        }),
        change(&|changes| {
            let [added, removed] = [changes.new_nodes, changes.removed_nodes];
            differences([added, removed, changes.changed_nodes])
        }),
        change(
            &|changes| match format::short(changes.largest_change.into()) {
                text if text == "0" && changes.largest_change > 0.0 => "<0.01".to_owned(),
                text => text,
            },
        ),
        taxon.fitness.map_or_else(String::new, format::short),
    ];
    let style = if step.genome.is_some() {
        theme.text
    } else {
        theme.dim
    };
    let cells = first.into_iter().chain(strength).chain(cells);
    layout.row(cells.map(|cell| Span::styled(cell, style)))
}

/// How many parts of a network were added, removed and changed.
fn differences(counts: [usize; 3]) -> String {
    let parts = ["+", "-", "~"].into_iter().zip(counts);
    let parts = parts.filter(|&(_, count)| count > 0);
    let words: Vec<String> = parts
        .map(|(sign, count)| format!("{sign}{count}"))
        .collect();
    if words.is_empty() {
        "0".to_owned()
    } else {
        words.join(" ")
    }
}

/// A share of points and its 95% interval in percent.
fn share(tally: Tally, theme: &Theme) -> String {
    let share = tally.share().unwrap_or(0.0);
    let (low, high) = wilson(share, tally.games() as u32);
    let dash = if theme.ascii { "-" } else { "–" };
    let [low, high] = [low, high].map(|end| (end * 100.0).round());
    format!("{} {low}{dash}{high}", format::percent(share))
}
