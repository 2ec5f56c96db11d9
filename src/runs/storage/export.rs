//! Exports networks as Graphviz DOT, SVG and JSON, and other files into the folder of runs.

// Writing to a string can't fail, so that what it returns is dropped here.
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use finches_engine::genomes::network_graph::NetworkGraph;
use finches_engine::genomes::network_layout::{LayoutPoint, NetworkLayout};
use finches_engine::text::escape;

use super::StorageError;
use super::files::{self, Durability};

/// Writes a network in all formats into a folder, as `stem.dot`, `stem.svg` and `stem.json`;
/// existing files are replaced.
pub fn write_all(
    folder: &Path,
    stem: &str,
    graph: &NetworkGraph,
    title: &str,
) -> Result<[PathBuf; 3], StorageError> {
    files::ensure_folder(folder)?;
    let write = |ending: &str, text: String| {
        let path = folder.join(format!("{stem}.{ending}"));
        files::replace(&path, text.as_bytes(), Durability::Lazy)?;
        Ok(path)
    };
    Ok([
        write("dot", dot(graph, title))?,
        write("svg", svg(graph, title))?,
        write("json", json(graph, title))?,
    ])
}

/// A directed graph for Graphviz, layers from left to right.
pub fn dot(graph: &NetworkGraph, title: &str) -> String {
    let title = escape(title).replace('\\', "\\\\");
    let title = title.replace('"', "\\\"").replace('\n', " ");
    let mut text = format!("digraph \"{title}\" {{\n  rankdir=LR;\n  node [shape=circle];\n");
    let layers = graph.nodes.iter().map(|node| node.layer).max().unwrap_or(0);
    for layer in 0..=layers {
        let nodes = graph
            .nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| node.layer == layer);
        let names: Vec<String> = nodes
            .map(|(index, node)| {
                // What a node computes is above its bias.
                let kind = node
                    .kind
                    .map_or_else(String::new, |kind| format!("{kind}\\n"));
                format!("n{index} [label=\"{kind}{:.2}\"];", node.bias)
            })
            .collect();
        let _ = writeln!(text, "  {{ rank=same; {} }}", names.join(" "));
    }
    for edge in &graph.edges {
        let color = if edge.weight < 0.0 {
            "firebrick"
        } else {
            "steelblue"
        };
        let width = 0.5 + 2.0 * edge.weight.abs().min(2.0);
        let _ = writeln!(
            text,
            "  n{} -> n{} [label=\"{:.2}\", color={color}, penwidth={width:.1}];",
            edge.from, edge.to, edge.weight
        );
    }
    text + "}\n"
}

/// A drawing of the network, layers from left to right. Nodes and edges on no path from an input to
/// an output are gray.
pub fn svg(graph: &NetworkGraph, title: &str) -> String {
    let layout = NetworkLayout::new(graph, &graph.whole());
    let active = graph.active();
    let gaps = layout.layers.len().saturating_sub(1) as f32;
    let height = 2.0 * MARGIN + ROW * layout.height;
    // Layers of many nodes stand further apart, or their edges could not be told from each other.
    let column = COLUMN.max(LEAST_WIDTH * height / gaps.max(1.0)).round();
    let width = 2.0 * MARGIN + column * gaps;
    let title = escape_xml(title);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} \
        {height}\">\n<title>{title}</title>\n<rect width=\"100%\" height=\"100%\" \
        fill=\"white\"/>\n"
    );
    // Edges of a node share a line: the thin ones are drawn over the thick ones.
    let mut edges: Vec<_> = graph.edges.iter().zip(&active.edges).collect();
    edges.sort_by(|a, b| b.0.weight.abs().total_cmp(&a.0.weight.abs()));
    for (edge, is_active) in edges {
        let color = match is_active {
            false => "silver",
            true if edge.weight < 0.0 => "firebrick",
            true => "steelblue",
        };
        let stroke_width = 0.5 + 2.0 * edge.weight.abs().min(2.0);
        let path = svg_path(&layout.path(edge.from, edge.to), column);
        let _ = writeln!(
            text,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{color}\" \
                stroke-width=\"{stroke_width:.1}\"><title>{}</title></path>",
            edge.weight
        );
    }
    for ((node, point), is_active) in graph.nodes.iter().zip(&layout.nodes).zip(active.nodes) {
        let Some((x, y)) = point.map(|point| position(point, column)) else {
            continue;
        };
        let color = if is_active { "black" } else { "silver" };
        let kind = node
            .kind
            .map_or_else(String::new, |kind| format!("{kind}, "));
        let _ = writeln!(
            text,
            "<circle cx=\"{x}\" cy=\"{y:.1}\" r=\"10\" fill=\"white\" \
                stroke=\"{color}\"><title>{kind}bias {}</title></circle>",
            node.bias
        );
    }
    text + "</svg>\n"
}

/// A smooth line through points, horizontal at each.
fn svg_path(points: &[LayoutPoint], column: f32) -> String {
    let mut last = None;
    let part = |point: &LayoutPoint| {
        let (x, y) = position(*point, column);
        last.replace((x, y)).map_or_else(
            || format!("M{x} {y:.1}"),
            |(x0, y0)| {
                let middle = f32::midpoint(x0, x);
                format!(" C{middle} {y0:.1} {middle} {y:.1} {x} {y:.1}")
            },
        )
    };
    points.iter().map(part).collect()
}

/// The place of a point in a drawing whose layers have this distance.
fn position(point: LayoutPoint, column: f32) -> (f32, f32) {
    (
        MARGIN + column * point.column as f32,
        MARGIN + ROW * point.height,
    )
}

/// The least width of a drawing, as a share of its height.
const LEAST_WIDTH: f32 = 0.6;

/// The margin, the least distance of two layers and that of two neighboring nodes.
const MARGIN: f32 = 40.0;
const COLUMN: f32 = 120.0;
const ROW: f32 = 40.0;

/// Text as the content of an XML element or attribute. XML 1.0 has no way to write control
/// characters (section 2.2), so they are shown as `\u{1b}`.
fn escape_xml(text: &str) -> String {
    let is_forbidden = |c: char| matches!(c, '\u{fffe}' | '\u{ffff}');
    let text = escape(text).replace(is_forbidden, "\u{fffd}");
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    let text = text.replace('>', "&gt;").replace('"', "&quot;");
    text.replace('\'', "&apos;")
}

/// The network as a JSON object with `nodes` and `edges`.
pub fn json(graph: &NetworkGraph, title: &str) -> String {
    format!("{:#}\n", with_network(json!({"title": title}), graph))
}

/// A JSON object of facts about a network, with its `nodes` and `edges`.
pub fn with_network(mut facts: Value, graph: &NetworkGraph) -> Value {
    let nodes = graph.nodes.iter().map(|node| {
        let mut known =
            json!({"layer": node.layer, "index": node.index_in_layer, "bias": node.bias});
        if let Some(kind) = node.kind {
            known["kind"] = kind.into();
        }
        known
    });
    let nodes: Vec<_> = nodes.collect();
    let edges: Vec<_> = graph
        .edges
        .iter()
        .map(|edge| json!({"from": edge.from, "to": edge.to, "weight": edge.weight}))
        .collect();
    (facts["nodes"], facts["edges"]) = (nodes.into(), edges.into());
    facts
}

#[cfg(test)]
mod tests {
    use finches_engine::genomes::network_graph::NetworkNode;

    use super::*;

    #[test]
    fn drawings_say_what_a_node_computes() {
        let node = |layer, kind| NetworkNode {
            number: 0,
            layer,
            index_in_layer: 0,
            bias: 0.5,
            kind,
        };
        let graph = NetworkGraph {
            nodes: vec![node(0, None), node(1, Some("sin"))],
            edges: Vec::new(),
        };
        let dot = dot(&graph, "a");
        assert!(dot.contains(r#"n0 [label="0.50"]"#), "{dot}");
        assert!(dot.contains(r#"n1 [label="sin\n0.50"]"#), "{dot}");
        let svg = svg(&graph, "a");
        assert!(svg.contains("<title>sin, bias 0.5</title>"), "{svg}");
        let json: Value = serde_json::from_str(&json(&graph, "a")).expect("it is JSON");
        assert_eq!(json["nodes"][0].get("kind"), None);
        assert_eq!(json["nodes"][1]["kind"], "sin");
    }

    #[test]
    fn titles_are_escaped() {
        let graph = NetworkGraph {
            nodes: Vec::new(),
            edges: Vec::new(),
        };
        let title = "a \"b\" <c> & \\d'\u{1b}\u{fffe}";
        let expected = "digraph \"a \\\"b\\\" <c> & \\\\d'\\\\u{1b}\u{fffe}\" {";
        assert!(
            dot(&graph, title).starts_with(expected),
            "{}",
            dot(&graph, title)
        );
        let expected = "<title>a &quot;b&quot; &lt;c&gt; &amp; \\d&apos;\\u{1b}\u{fffd}</title>";
        assert!(
            svg(&graph, title).contains(expected),
            "{}",
            svg(&graph, title)
        );
        let read: Value = serde_json::from_str(&json(&graph, title)).expect("it is JSON");
        assert_eq!(read["title"], title);
    }
}
