//! The species of the newest generation: a table, their sizes over the run, and what is known of
//! the selected one.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::format;
use crate::keymap::{self, Action};
use crate::model::champions::InspectedPlayer;
use crate::model::context::Context;
use crate::model::run::RunModel;
use crate::mouse::Regions;
use crate::screens::run::charts::{self, PaneContext};
use crate::screens::run::layout::RunPane;
use crate::theme::Theme;
use crate::widgets::bands::{StackedBands, band_style};
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::list::ScrollList;
use crate::widgets::table::{TableColumn, TableLayout};
use crate::widgets::text::{
    below, columns_of, cut_below, cut_right, inset, put, put_all, put_right,
};
use finches_engine::evolution::replacement::species::history::SpeciesSizes;
use finches_engine::evolution::replacement::species::table::{Species, SpeciesTable};
use finches_engine::session::GenerationSnapshot;

use super::match_matrix_view::view_text;
use super::member_details;
use super::member_table_view::table_body;
use super::screen::{PopulationAction, SCOPE};
use super::{PopulationPane, PopulationScreen, PopulationTarget};

/// The height of the chart of the threshold, and that of the selected species without its network.
const THRESHOLD_HEIGHT: u16 = 9;
const DETAILS_HEIGHT: u16 = 7;

/// The least height of the chart of sizes.
const SIZES_HEIGHT: u16 = 8;

/// The rows of the table's frame and headings.
const TABLE_FRAME: u16 = 3;

/// The species of a generation that has been played, with its members.
#[derive(Clone, Copy)]
pub(super) struct KnownSpecies<'a> {
    table: &'a SpeciesTable,
    snapshot: &'a GenerationSnapshot,
}

impl<'a> KnownSpecies<'a> {
    pub(super) fn len(self) -> usize {
        self.table.species.len()
    }

    fn get(self, place: usize) -> Option<&'a Species> {
        self.table.species.get(place)
    }

    /// The style of the species of a member.
    pub(super) fn style_of(self, member: usize, theme: &Theme) -> Option<Style> {
        let place = *self.table.of_member.get(member)?;
        let style = band_style(self.get(place as usize)?.id, theme);
        style.fg.is_some().then_some(style)
    }

    /// The generations since a species appeared.
    fn age(self, species: &Species) -> u64 {
        self.snapshot.generation.saturating_sub(species.born)
    }

    /// The generations since the highest fitness of a species rose.
    fn stagnation(self, species: &Species) -> u64 {
        self.snapshot.generation.saturating_sub(species.improved)
    }

    /// The fittest member of a species.
    pub(super) fn champion(self, place: usize) -> Option<InspectedPlayer> {
        let member = self.table.champion(place, &self.snapshot.fitness)?;
        Some(InspectedPlayer::member(self.snapshot, member))
    }
}

/// The heading of the generations since the best.
const STAGNANT: &str = "stagnant";

/// The columns of the table.
fn columns(room: u16) -> TableLayout<'static> {
    let columns = vec![
        TableColumn::words("  species", 10),
        TableColumn::number("size", 5),
        TableColumn::number("best", 8),
        TableColumn::number("mean", 8),
        TableColumn::number("age", 6),
        TableColumn::number(STAGNANT, 10),
        TableColumn::number("offspring", 11),
        TableColumn::number("hidden", 8),
        TableColumn::number("edges", 7),
    ];
    TableLayout { columns, gap: 0 }.fitted(room.into())
}

impl PopulationScreen {
    /// Whether the run groups its members into species.
    pub(super) fn has_species(&self) -> bool {
        self.champions
            .preset
            .evolution
            .replacement
            .traits()
            .has_species
    }

    /// The species of the generation that is listed, if they are known.
    pub(super) fn species(&self) -> Option<KnownSpecies<'_>> {
        let snapshot = &self.member_table.as_ref()?.snapshot;
        let table: &SpeciesTable = snapshot.memory.get()?;
        let count = snapshot.members.len();
        let is_whole = table.of_member.len() == count && snapshot.fitness.len() == count;
        is_whole.then_some(KnownSpecies { table, snapshot })
    }

    /// The number of the selected species.
    pub(super) fn selected_species(&self) -> Option<u32> {
        let cursor = self.cursor(PopulationPane::Species);
        Some(self.species()?.get(cursor)?.id)
    }

    /// Selects a species by its number, if it still has members.
    pub(super) fn select_species(&mut self, id: Option<u32>) {
        let species = self.species();
        let place = species.and_then(|known| {
            let mut all = known.table.species.iter();
            all.position(|species| Some(species.id) == id)
        });
        let last = species.map_or(0, |known| known.len().saturating_sub(1));
        let cursor = &mut self.cursors[PopulationPane::Species as usize];
        *cursor = place.unwrap_or(last.min(*cursor));
    }

    /// Draws the table of species with the panes beside it.
    pub(super) fn view_species(
        &self,
        context: &Context,
        focus: Focus,
        area: Rect,
        buf: &mut Buffer,
    ) -> Regions<PopulationTarget> {
        let theme = &context.theme;
        let Some(species) = self.species() else {
            let inner = Frame::titled("Species").pane(focus, theme, area, buf);
            view_text(&self.missing_species(), theme, inner, buf);
            return Regions::default();
        };
        let watch = context.shown_run();
        if self.zoom.is_zoomed() {
            return self.view_species_table(species, focus, theme, area, buf);
        }
        let side = (area.width * 2 / 5).clamp(24, 64);
        let (table, side) = cut_right(area, side);
        let rows = (species.len() as u16).saturating_add(TABLE_FRAME);
        let has_room_below = area.height >= rows.saturating_add(DETAILS_HEIGHT);
        let has_room_beside = area.height >= SIZES_HEIGHT + THRESHOLD_HEIGHT + DETAILS_HEIGHT;
        let (table, side, details) = if has_room_below {
            let (table, details) = cut_below(table, area.height - rows);
            (table, side, details)
        } else if has_room_beside {
            let (side, details) = cut_below(side, DETAILS_HEIGHT);
            (table, side, details)
        } else {
            (table, side, Rect::ZERO)
        };
        let regions = self.view_species_table(species, focus, theme, table, buf);
        self.view_courses(species, (context, watch), side, buf);
        if let (Some(watch), Some(selected)) =
            (watch, species.get(self.cursor(PopulationPane::Species)))
        {
            self.draw_species(species, selected, watch, theme, details, buf);
        }
        regions
    }

    /// Why no species are shown.
    fn missing_species(&self) -> String {
        if self.follows_newest {
            return "Species are known once a generation has been played.".to_owned();
        }
        let newer = keymap::label(SCOPE, PopulationAction::NewerPopulation.action());
        format!("The species of earlier generations are not kept. {newer} goes to the newest.")
    }

    fn view_species_table(
        &self,
        species: KnownSpecies<'_>,
        focus: Focus,
        theme: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) -> Regions<PopulationTarget> {
        let generation = format::whole(species.snapshot.generation);
        let cursor = self.cursor(PopulationPane::Species);
        let selected = format::count((cursor + 1).min(species.len()) as f64);
        let count = format::count(species.len() as f64);
        let layout = columns(area.width.saturating_sub(2));
        let words = if layout.columns.iter().any(|it| it.heading == STAGNANT) {
            "stagnant: generations since its best"
        } else {
            ""
        };
        let frame = Frame {
            title: Line::from(format!("Species of generation {generation}")),
            right: Line::styled(format!("{selected} of {count}"), theme.dim),
            bottom_left: Line::styled(words, theme.dim),
            ..Frame::default()
        };
        let inner = frame.draw(focus, theme, area, buf);
        put(buf, inner, 0, layout.headings(theme.dim));
        let body = table_body(area);
        let list = ScrollList::selecting(species.len(), cursor);
        list.draw(theme, body, buf, |row| {
            species_line(species, &species.table.species[row], &layout, theme)
        });
        list.scrollbar(theme, body.height, area, buf);
        let target = |row| PopulationTarget::Row(PopulationPane::Species, row);
        list.regions(body, target)
    }

    /// Draws the sizes of all species over the run, and the distance within one if there is room.
    fn view_courses(
        &self,
        species: KnownSpecies<'_>,
        (context, watch): (&Context, Option<&RunModel>),
        area: Rect,
        buf: &mut Buffer,
    ) {
        let theme = &context.theme;
        let has_room = area.height >= SIZES_HEIGHT + THRESHOLD_HEIGHT;
        let (sizes, threshold) = cut_below(area, if has_room { THRESHOLD_HEIGHT } else { 0 });
        if let Some(watch) = watch.filter(|_| has_room) {
            let place = PaneContext::beside(context, RunPane::Size, threshold);
            charts::species_threshold(watch, place, buf);
        }
        let selected = species.get(self.cursor(PopulationPane::Species));
        draw_sizes(species, selected, theme, sizes, buf);
    }

    /// Draws what is known of the selected species: in words, then the weights of its
    /// representative as far as there is room.
    fn draw_species(
        &self,
        species: KnownSpecies<'_>,
        selected: &Species,
        watch: &RunModel,
        theme: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let frame = Frame::titled(format!("Species {}", selected.id));
        let inner = frame.pane(Focus::Elsewhere, theme, area, buf);
        let champion = species.champion(self.cursor(PopulationPane::Species));
        let champion = champion.and_then(|champion| {
            let fitness = format::short(champion.champion.fitness);
            let open = keymap::label(SCOPE, Action::Enter);
            let number = champion.member? + 1;
            Some(format!(
                "fittest: member {number} with {fitness} ({open} opens it)"
            ))
        });
        let born = format!("appeared in generation {}", format::whole(selected.born));
        let lines = [Some(born), champion].into_iter().flatten();
        let lines = lines.map(|words| Line::styled(words, theme.text));
        let rest = put_all(buf, inner, lines);
        put(buf, rest, 0, Line::styled("its representative:", theme.dim));
        let genome = &selected.representative;
        member_details::draw_weights(genome, watch, theme, below(rest, 1), buf);
    }
}

/// A row of the table.
fn species_line<'a>(
    known: KnownSpecies<'_>,
    species: &Species,
    layout: &TableLayout<'_>,
    theme: &Theme,
) -> Line<'a> {
    let topology = species.representative.topology();
    let number = format!("{} {}", theme.sign('■', ' '), species.id);
    let figures = [
        species.size.to_string(),
        format::short(species.best),
        format::short(species.mean),
        format::whole(known.age(species)),
        format::whole(known.stagnation(species)),
        species.offspring.to_string(),
        topology.hidden_nodes().to_string(),
        topology.edges.to_string(),
    ];
    let number = Span::styled(number, band_style(species.id, theme));
    let figures = figures
        .into_iter()
        .map(|figure| Span::styled(figure, theme.text));
    layout.row(std::iter::once(number).chain(figures))
}

/// Draws the sizes of all species over the run.
fn draw_sizes(
    species: KnownSpecies<'_>,
    selected: Option<&Species>,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let samples = species.table.history.samples();
    // A species of a few generations is seen only where a generation has a column.
    let shown = samples
        .len()
        .saturating_sub(StackedBands::width(inset(area, 2)).into());
    let samples = &samples[shown..];
    let frame = Frame {
        title: Line::from("Sizes of the species"),
        bottom_left: Line::styled("share of the members", theme.dim),
        ..Frame::default()
    };
    let inner = frame.pane(Focus::Elsewhere, theme, area, buf);
    let (Some(first), Some(last)) = (samples.first(), samples.last()) else {
        return;
    };
    let sizes: Vec<&[(u32, u32)]> = samples.iter().map(|sample| &sample.sizes[..]).collect();
    let bands = StackedBands {
        steps: &sizes,
        marked: selected.map(|species| species.id),
    };
    let (chart, axis) = cut_below(inner, 1);
    bands.draw(theme, chart, buf);
    let axis = columns_of(axis, 0, StackedBands::width(inner));
    let label = |sample: &SpeciesSizes| format!("g{}", format::whole(sample.generation));
    put(buf, axis, 0, Span::styled(label(first), theme.dim));
    put_right(buf, axis, 0, Span::styled(label(last), theme.dim));
}
