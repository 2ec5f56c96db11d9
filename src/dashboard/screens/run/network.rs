//! The champion's network as it grows: what is new since the champion before is bright. Of a table,
//! its decisions.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::text::Line;

use crate::jobs::{Jobs, Waker, WantedAnswers};
use crate::model::run::RunModel;
use crate::model::zoom::Zoom;
use crate::screens::net::graph::NetworkDrawing;
use crate::screens::net::strategy::Strategy;
use crate::screens::net::view_options::{InactiveParts, NetViewOptions};
use crate::screens::placeholder;
use crate::theme::Theme;
use crate::widgets::frame::Frame;
use finches_engine::genomes::network_graph::NetworkGraph;
use finches_engine::play::Arena;
use finches_engine::play::phenotype::Phenotype;
use finches_engine::text::counted;
use finches_runs::run::message::Snapshot;

use super::charts::{PaneContext, has_fixed_size, moving_measure};
use super::weights;

/// Nodes and edges up to which a network is arranged at once; more can take longer than five
/// milliseconds and are arranged in the background.
const AT_ONCE: usize = 250;

/// The network of the newest champion.
pub(super) struct GrowingNetwork {
    drawn: Option<ArrangedNetwork>,
    /// The table of the newest champion, and its generation.
    table: Option<(u64, Strategy)>,
    jobs: Jobs<(), ArrangedNetwork>,
}

/// A champion's network, ready to be drawn.
#[derive(Clone)]
struct ArrangedNetwork {
    generation: u64,
    graph: NetworkGraph,
    drawing: NetworkDrawing,
}

impl GrowingNetwork {
    pub(super) fn new(waker: Waker) -> Self {
        Self {
            drawn: None,
            table: None,
            jobs: Jobs::new(waker),
        }
    }

    /// Forgets the network, since another run is shown.
    pub(super) fn clear(&mut self) {
        (self.drawn, self.table) = (None, None);
        self.jobs.cancel(&());
    }

    /// Arranges the network of a champion that is newer than the one shown, so that little moves.
    pub(super) fn show(&mut self, snapshot: &Snapshot, watch: &RunModel) {
        let champion = &snapshot.champion;
        let generation = champion.generation;
        if has_table(watch) {
            let (genome, arena) = (&watch.facts.preset.genome, &watch.facts.arena);
            let player = Phenotype::grown(genome, arena.io_spec(), &champion.genome);
            let before = self
                .table
                .as_ref()
                .map_or(&[][..], |(_, table)| table.decisions());
            let table = arena.decisions(&player);
            self.table = table.map(|found| (generation, Strategy::new(found, before)));
            return;
        }
        let is_shown = |drawn: &ArrangedNetwork| drawn.generation >= generation;
        let is_busy = self.jobs.is_busy() || self.drawn.as_ref().is_some_and(is_shown);
        if is_busy || !has_network(watch, Some(snapshot)) {
            return;
        }
        let (preset, arena) = (watch.facts.preset.clone(), Arc::clone(&watch.facts.arena));
        let (genome, before) = (champion.genome.clone(), self.drawn.clone());
        let arrange = move || {
            let learned = preset.genome.learned(&genome, arena.io_spec());
            let graph = preset.genome.network_graph(&learned);
            ArrangedNetwork::after(before, generation, graph, &arena)
        };
        if snapshot.layers.iter().sum::<usize>() + snapshot.edges <= AT_ONCE {
            self.drawn = Some(arrange());
        } else {
            self.jobs.ask((), |_| Ok(arrange()));
        }
    }

    /// Takes in a network that was arranged in the background.
    pub(super) fn take_answers(&mut self, wanted: WantedAnswers) {
        while let Some(((), answer)) = self.jobs.next(wanted) {
            self.drawn = answer.ok().or(self.drawn.take());
        }
    }

    pub(super) fn view(&self, watch: &RunModel, context: PaneContext<'_>, buf: &mut Buffer) {
        let (theme, area) = (context.theme, context.area);
        let hue = Some(theme.series[2]);
        let Some(drawn) = &self.drawn else {
            let frame = Frame {
                hue,
                ..Frame::titled("Champion's network")
            };
            let inner = frame.pane(context.focus, theme, area, buf);
            placeholder::draw(Some(watch), theme, inner, buf);
            return;
        };
        let options = options(watch, theme);
        let is_narrow = area.width < 40;
        let (nodes, edges) = drawn.drawing.active_size();
        let all = (drawn.graph.nodes.len(), drawn.graph.edges.len());
        let size = match ((nodes, edges) == all, is_narrow) {
            (true, _) => format!("{}, {}", counted(nodes, "node"), counted(edges, "edge")),
            (false, true) => format!("{nodes}/{} nodes, {edges}/{} edges", all.0, all.1),
            (false, false) => format!("{nodes} of {} nodes, {edges} of {} edges", all.0, all.1),
        };
        let generation = format!("g{}", drawn.generation);
        let title = if is_narrow {
            &*size
        } else {
            "Champion's network"
        };
        let right = if is_narrow { &generation } else { &size };
        let frame = Frame {
            right: Line::styled(right.clone(), theme.dim),
            bottom_left: drawn.drawing.legend(&options, area.width),
            bottom_right: Line::styled(if is_narrow { "" } else { &*generation }, theme.dim),
            hue,
            ..Frame::titled(title.to_owned())
        };
        let inner = frame.pane(context.focus, theme, area, buf);
        drawn.drawing.draw(&options, inner, buf);
    }

    pub(super) fn view_table(&self, watch: &RunModel, context: PaneContext<'_>, buf: &mut Buffer) {
        let (theme, title) = (context.theme, "Champion's table");
        let Some((generation, table)) = &self.table else {
            let inner = Frame::titled(title).pane(context.focus, theme, context.area, buf);
            placeholder::draw(Some(watch), theme, inner, buf);
            return;
        };
        let (right, judged) = table.right();
        let frame = Frame {
            right: Line::styled(format!("{right} of {judged} right"), theme.dim),
            bottom_left: Strategy::legend(theme),
            bottom_right: Line::styled(format!("g{generation}"), theme.dim),
            hue: Some(theme.series[2]),
            ..Frame::titled(title)
        };
        let inner = frame.pane(context.focus, theme, context.area, buf);
        table.draw(&options(watch, theme), inner, buf);
    }
}

impl ArrangedNetwork {
    /// The network of the champion after another. What is new is marked, unless it is another
    /// network altogether.
    fn after(
        before: Option<Self>,
        generation: u64,
        graph: NetworkGraph,
        arena: &Arc<dyn Arena>,
    ) -> Self {
        match before {
            Some(mut same) if same.graph == graph => {
                same.drawing.settle();
                Self { generation, ..same }
            }
            before => {
                let planes = &arena.info().input_planes;
                let (old, drawn) = before.map(|it| (it.graph, it.drawing)).unzip();
                let mut drawing =
                    NetworkDrawing::after(&graph, old.as_ref(), planes, drawn.as_ref());
                if drawing.is_mostly_new() {
                    drawing.settle();
                }
                Self {
                    generation,
                    graph,
                    drawing,
                }
            }
        }
    }
}

/// What is drawn of a champion without a cursor.
fn options<'a>(watch: &'a RunModel, theme: &'a Theme) -> NetViewOptions<'a> {
    NetViewOptions {
        theme,
        cursor: usize::MAX,
        compared_with: None,
        arena: &watch.facts.arena,
        shows_all_edges: false,
        inactive: InactiveParts::Hidden,
        zoom: Zoom::In,
        activations: &[],
    }
}

/// Whether champions are tables with a decision for each position.
pub(super) fn has_table(watch: &RunModel) -> bool {
    let info = watch.facts.arena.info();
    info.is_enumerated && !info.io_spec.choice_counts.is_empty()
}

/// Whether champions are networks of nodes and edges that grow, or that nothing else says more
/// about.
pub(super) fn has_network(watch: &RunModel, snapshot: Option<&Snapshot>) -> bool {
    let genome = &watch.facts.preset.genome;
    let is_graph = watch.facts.arena.io_spec().choice_counts.is_empty()
        && genome.capabilities().unit_tables.is_none()
        && !weights::has_weights(watch, snapshot);
    is_graph && !(has_fixed_size(watch) && moving_measure(watch).is_some())
}
