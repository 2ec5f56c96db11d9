//! Draws what is known of the selected member: its rank, its lineage and its network.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::format;
use crate::model::run::RunModel;
use crate::screens::first_layer::{FirstLayerMaps, LayerMarks};
use crate::screens::node_names::node_names;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::gauge::gauge;
use crate::widgets::text::{below, put, put_all};
use finches_engine::genomes::AnyGenome;

use super::member_table::{Member, MemberTable};

/// The height without a network, frame included.
pub(super) const LEAST_HEIGHT: u16 = 5;

/// Draws the pane: facts in words, then the weights of the network as far as there is room.
pub(super) fn draw(
    member_table: &MemberTable,
    member: &Member,
    watch: &RunModel,
    theme: &Theme,
    (area, buf): (Rect, &mut Buffer),
) {
    let frame = Frame {
        title: Line::from(format!("Member {}", member.index + 1)),
        right: Line::styled(format!("g{}", member_table.snapshot.generation), theme.dim),
        ..Frame::default()
    };
    let genome = &member_table.snapshot.members[member.index];
    let (arena, config) = (&watch.facts.arena, &watch.facts.preset.genome);
    let maps = FirstLayerMaps::of(config, genome, arena.io_spec(), &arena.info().input_planes);
    let facts = facts(member_table, member);
    let frame = match &maps {
        Some(maps) => Frame {
            bottom_left: maps.legend(theme),
            bottom_right: Line::styled(maps.names(), theme.dim),
            ..frame
        },
        None => frame,
    };
    let inner = frame.pane(Focus::Elsewhere, theme, area, buf);
    let facts = facts.into_iter();
    let rest = put_all(buf, inner, facts.map(|fact| Line::styled(fact, theme.text)));
    let rest = below(rest, 1);
    match maps {
        Some(maps) => draw_maps(&maps, theme, rest, buf),
        None => draw_weights(genome, watch, theme, rest, buf),
    }
}

/// What is known of a member, in sentences.
fn facts(member_table: &MemberTable, member: &Member) -> Vec<String> {
    let fitness = member.fitness.map(|fitness| {
        let better = member_table.snapshot.fitness.iter();
        let rank = 1 + better.filter(|&&other| other > fitness).count();
        let all = format::whole(member_table.members().len() as u64);
        let rank = format::whole(rank as u64);
        format!("fitness {}, rank {rank} of {all}", format::short(fitness))
    });
    let age = member.age.map(|age| match age {
        0 => "new in this generation".to_owned(),
        age => format!("age {}", format::whole(age)),
    });
    let origin = member.origin.map(|origin| origin.word().to_owned());
    let lineage: Vec<String> = origin.into_iter().chain(age).collect();
    let lineage = (!lineage.is_empty()).then(|| lineage.join(", "));
    [fitness, lineage].into_iter().flatten().collect()
}

fn draw_maps(maps: &FirstLayerMaps, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let Some(layout) = maps.layout(below(area, 1), theme) else {
        return;
    };
    let words = format!("first layer on the board, {}", maps.count(Some(&layout)));
    put(buf, area, 0, Line::styled(words, theme.dim));
    maps.draw(layout, LayerMarks::default(), theme, below(area, 1), buf);
}

/// Draws the largest weights as bars, one per row.
pub(super) fn draw_weights(
    genome: &AnyGenome,
    watch: &RunModel,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let graph = watch.preset.genome.network_graph(genome);
    let rows = usize::from(area.height.saturating_sub(1));
    let mut edges = graph.edges.clone();
    edges.sort_by(|one, other| other.weight.abs().total_cmp(&one.weight.abs()));
    let Some(largest) = edges.first().map(|edge| edge.weight.abs()) else {
        return;
    };
    let shown = edges.len().min(rows);
    let words = match edges.len() {
        all if all > shown => format!(
            "the {shown} largest of {} weights",
            format::whole(all as u64)
        ),
        all => format!("all {all} weights"),
    };
    put(buf, area, 0, Line::styled(words, theme.dim));
    let arrow = if theme.ascii { "->" } else { "→" };
    let names = node_names(&graph, &watch.facts.arena.info().input_planes);
    for (row, edge) in (1..).zip(edges.iter().take(rows)) {
        let ends = format!("{:>7} {arrow} {:<7}", names[edge.from], names[edge.to]);
        let weight = format!("{:>7} ", format::signed(edge.weight, 2));
        let used = ends.chars().count() + weight.len();
        let room = area.width.saturating_sub(used as u16);
        let share = f64::from(edge.weight.abs() / largest);
        let style = theme.diverging_text(f64::from(edge.weight.signum()));
        let mut line = Line::from(vec![
            Span::styled(ends, theme.dim),
            Span::styled(weight, theme.text),
        ]);
        line.extend(gauge(share, room, style, theme));
        put(buf, area, row, line);
    }
}
