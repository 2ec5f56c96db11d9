//! A champion on a page: its network and sample games.

use finches_engine::evolution::archive::Champion;
use finches_engine::games::board::{Board, CellRole, MaxSize};
use finches_engine::genomes::network_graph::NetworkGraph;
use finches_engine::params::ParamError;
use finches_engine::play::phenotype::Phenotype;
use finches_engine::play::record::{GameRecord, Ply, RecordMoment};
use finches_engine::play::reference_player::ReferencePlayer;
use finches_engine::play::{Arena, PlayerRef};
use finches_engine::preset::{Preset, PresetError};
use finches_runs::storage::export;

use super::page::{Figure, GameStep, GameSteps, PageBlock, Section};

/// The most bytes of a drawing, which has as many of the connections with the largest weights.
const DRAWING: usize = 100_000;

/// The most boards of a game. In a longer one, a board stands for several moves.
const BOARDS: usize = 50;

/// The room of a board, in characters.
const BOARD: MaxSize = MaxSize {
    width: 40,
    height: 13,
};

/// The network of the last of some champions, and games that it plays. The champions are of a run
/// with this preset and seed, oldest first.
pub(super) fn section(
    heading: String,
    preset: &Preset,
    champions: &[Champion],
    seed: u64,
) -> Result<Section, PresetError> {
    let mut section = Section::new(heading);
    let Some((last, earlier)) = champions.split_last() else {
        let words = "There is no champion yet.";
        section.blocks.push(PageBlock::Text(words.to_owned()));
        return Ok(section);
    };
    let arena = preset.arena().map_err(|error| PresetError {
        origin: preset.name.clone(),
        problems: vec![ParamError::new("agent", error.to_string())],
    })?;
    section.blocks.extend(network(preset, last));
    // The champion of half the generations, which is well behind the last one.
    let halfway = earlier.partition_point(|one| one.generation * 2 <= last.generation);
    let rival = halfway.checked_sub(1).map(|place| &earlier[place]);
    let words = format!(
        "Games of the champion, g{}: against an earlier champion, called by its generation too, \
        and against the random player.",
        last.generation
    );
    section.blocks.push(PageBlock::Text(words));
    for record in games(preset, arena.as_ref(), last, rival, seed) {
        section
            .blocks
            .push(PageBlock::Game(steps(arena.as_ref(), &record)));
    }
    Ok(section)
}

/// What the champion is made of: a drawing if it has connections, and not too many nodes.
fn network(preset: &Preset, champion: &Champion) -> Vec<PageBlock> {
    let topology = champion.genome.topology();
    let layers: Vec<String> = topology.layers.iter().map(ToString::to_string).collect();
    let mut words = format!(
        "The champion of generation {}, fitness {}: layers of {} nodes, {} connections.",
        champion.generation,
        champion.fitness,
        layers.join(", "),
        topology.edges
    );
    let mut graph = preset.genome.network_graph(&champion.genome);
    let title = format!("champion of generation {}", champion.generation);
    let all = graph.edges.len();
    let svg = drawing(&mut graph, &title);
    let drawn = graph.edges.len();
    if drawn == 0 {
        return vec![PageBlock::Text(words)];
    }
    if drawn < all {
        words = format!("{words} The {drawn} with the largest weights are drawn.");
    }
    let caption = "Inputs on the left, outputs on the right. Blue connections have positive \
        weights, red ones negative; gray ones have no effect.";
    vec![PageBlock::Figure(Figure {
        svgs: vec![svg],
        legend: Vec::new(),
        caption: format!("{words} {caption}"),
        description: words,
        class: Some("network"),
    })]
}

/// A drawing that is not too large. Takes the edges with the smallest weights away until it is.
fn drawing(graph: &mut NetworkGraph, title: &str) -> String {
    let edges = &mut graph.edges;
    edges.sort_by(|one, other| other.weight.abs().total_cmp(&one.weight.abs()));
    loop {
        let svg = export::svg(graph, title);
        let edges = graph.edges.len();
        if svg.len() <= DRAWING || edges == 0 {
            return svg;
        }
        graph.edges.truncate(edges * DRAWING / svg.len());
    }
}

/// A game against an earlier champion if there is one, with each side one against the random
/// player.
fn games(
    preset: &Preset,
    arena: &dyn Arena,
    champion: &Champion,
    rival: Option<&Champion>,
    seed: u64,
) -> Vec<GameRecord> {
    let grow =
        |champion: &Champion| Phenotype::grown(&preset.genome, arena.io_spec(), &champion.genome);
    let name = |champion: &Champion| format!("g{}", champion.generation);
    let (own, own_name) = (grow(champion), name(champion));
    let mut records = Vec::new();
    let mut record = |players: [PlayerRef<'_>; 2], names: [String; 2]| {
        let index = records.len() as u64;
        records.push(arena.play_record(players, names, seed, champion.generation, index));
    };
    if let Some(rival) = rival {
        let other = grow(rival);
        let players = [&own, &other].map(PlayerRef::Evolved);
        record(players, [own_name.clone(), name(rival)]);
    }
    let random = ReferencePlayer::Random;
    let random_name = || random.name(arena.info().heuristics);
    let own = || PlayerRef::Evolved(&own);
    let reference = || PlayerRef::Reference(random);
    record([own(), reference()], [own_name.clone(), random_name()]);
    record([reference(), own()], [random_name(), own_name.clone()]);
    records
}

/// The positions of a game.
fn steps(arena: &dyn Arena, record: &GameRecord) -> GameSteps {
    let board = |ply: usize| {
        let moment = RecordMoment {
            ply,
            stages_left: 0,
        };
        rows(&arena.record_board(record, moment, BOARD))
    };
    let start = GameStep {
        words: "Start".to_owned(),
        rows: board(0),
    };
    let words = |(index, ply): (usize, &Ply)| {
        let action = if ply.action.is_empty() {
            "illegal"
        } else {
            &ply.action
        };
        let verdict = match ply.verdict.word() {
            "" => String::new(),
            word => format!(" ({word})"),
        };
        let side = ply.side.name();
        format!("{}. {action}, {side} player{verdict}", index + 1)
    };
    let moves: Vec<String> = record.plies.iter().enumerate().map(words).collect();
    let mut end = 0;
    let steps = moves
        .chunks(moves.len().div_ceil(BOARDS).max(1))
        .map(|some| {
            end += some.len();
            GameStep {
                words: some.join("; "),
                rows: board(end),
            }
        });
    GameSteps {
        title: format!(
            "{} (first) against {} (second): {}",
            record.names[0],
            record.names[1],
            record.result_words()
        ),
        steps: std::iter::once(start).chain(steps).collect(),
    }
}

/// The rows of a board, neighboring characters of the same color together.
fn rows(board: &Board) -> Vec<Vec<(&'static str, String)>> {
    let row = |cells: &[finches_engine::games::board::BoardCell]| {
        let mut pieces: Vec<(&'static str, String)> = Vec::new();
        for cell in cells {
            let class = class(cell.tone);
            match pieces.last_mut() {
                Some((last, text)) if *last == class || cell.shaded() == ' ' => {
                    text.push(cell.shaded());
                }
                _ => pieces.push((class, cell.shaded().to_string())),
            }
        }
        pieces
    };
    board.rows().map(row).collect()
}

/// The class of a color of the page.
fn class(role: CellRole) -> &'static str {
    match role {
        CellRole::Blank | CellRole::Piece => "",
        CellRole::Frame | CellRole::Line | CellRole::Gone => "faint",
        CellRole::Accent | CellRole::Mark => "mark",
        CellRole::Owned(side) | CellRole::Taken(side) | CellRole::OnPiece(side) => {
            ["first", "second"][side.index()]
        }
    }
}
