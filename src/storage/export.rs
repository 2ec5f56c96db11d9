//! Exports networks as Graphviz DOT, SVG and JSON.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::genomes::network_graph::NetworkGraph;

use super::{Durability, StorageError, write_whole};

/// Writes a network in all formats into a folder, as `stem.dot`, `stem.svg` and `stem.json`; existing files are replaced.
pub fn write_all(
    folder: &Path,
    stem: &str,
    graph: &NetworkGraph,
    title: &str,
) -> Result<[PathBuf; 3], StorageError> {
    fs::create_dir_all(folder).map_err(StorageError::io(folder))?;
    let write = |ending: &str, text: String| {
        let path = folder.join(format!("{stem}.{ending}"));
        write_whole(&path, text.as_bytes(), Durability::Lazy)?;
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
    let title = title.replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = format!("digraph \"{title}\" {{\n  rankdir=LR;\n  node [shape=circle];\n");
    let layers = graph.nodes.iter().map(|node| node.layer).max().unwrap_or(0);
    for layer in 0..=layers {
        let nodes = graph
            .nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| node.layer == layer);
        let names: Vec<String> = nodes
            .map(|(index, node)| format!("n{index} [label=\"{:.2}\"];", node.bias))
            .collect();
        push(
            &mut text,
            format_args!("  {{ rank=same; {} }}\n", names.join(" ")),
        );
    }
    for edge in &graph.edges {
        let color = if edge.weight < 0.0 {
            "firebrick"
        } else {
            "steelblue"
        };
        let width = 0.5 + 2.0 * edge.weight.abs().min(2.0);
        push(
            &mut text,
            format_args!(
                "  n{} -> n{} [label=\"{:.2}\", color={color}, penwidth={width:.1}];\n",
                edge.from, edge.to, edge.weight
            ),
        );
    }
    text + "}\n"
}

/// A drawing of the network, layers from left to right.
pub fn svg(graph: &NetworkGraph, title: &str) -> String {
    let positions = node_positions(graph);
    let (width, height) = positions
        .iter()
        .fold((0.0_f32, 0.0_f32), |(x, y), position| {
            (x.max(position.0), y.max(position.1))
        });
    let (width, height) = (width + MARGIN, height + MARGIN);
    let title = escape_xml(title);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\">\n<title>{title}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for edge in &graph.edges {
        let ((x1, y1), (x2, y2)) = (positions[edge.from], positions[edge.to]);
        let color = if edge.weight < 0.0 {
            "firebrick"
        } else {
            "steelblue"
        };
        let stroke_width = 0.5 + 2.0 * edge.weight.abs().min(2.0);
        push(
            &mut text,
            format_args!(
                "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{color}\" stroke-width=\"{stroke_width:.1}\"><title>{}</title></line>\n",
                edge.weight
            ),
        );
    }
    for (node, (x, y)) in graph.nodes.iter().zip(&positions) {
        push(
            &mut text,
            format_args!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"12\" fill=\"white\" stroke=\"black\"><title>bias {}</title></circle>\n",
                node.bias
            ),
        );
    }
    text + "</svg>\n"
}

/// Text as the content of an XML element.
fn escape_xml(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;")
}

const MARGIN: f32 = 40.0;

/// The position of each node in the drawing.
fn node_positions(graph: &NetworkGraph) -> Vec<(f32, f32)> {
    let position = |node: &crate::genomes::network_graph::NetworkNode| {
        (
            MARGIN + node.layer as f32 * 120.0,
            MARGIN + node.index_in_layer as f32 * 40.0,
        )
    };
    graph.nodes.iter().map(position).collect()
}

/// The network as a JSON object with `nodes` and `edges`.
pub fn json(graph: &NetworkGraph, title: &str) -> String {
    let nodes: Vec<_> = graph
        .nodes
        .iter()
        .map(|node| json!({"layer": node.layer, "index": node.index_in_layer, "bias": node.bias}))
        .collect();
    let edges: Vec<_> = graph
        .edges
        .iter()
        .map(|edge| json!({"from": edge.from, "to": edge.to, "weight": edge.weight}))
        .collect();
    let whole = json!({"title": title, "nodes": nodes, "edges": edges});
    format!("{whole:#}\n")
}

fn push(text: &mut String, args: std::fmt::Arguments<'_>) {
    // Writing to a string can't fail.
    let _ = text.write_fmt(args);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_escaped() {
        let graph = NetworkGraph {
            nodes: Vec::new(),
            edges: Vec::new(),
        };
        let title = r#"a "b" <c> & \d"#;
        assert!(dot(&graph, title).starts_with(r#"digraph "a \"b\" <c> & \\d" {"#));
        assert!(svg(&graph, title).contains(r#"<title>a "b" &lt;c&gt; &amp; \d</title>"#));
        let read: serde_json::Value =
            serde_json::from_str(&json(&graph, title)).expect("it is JSON");
        assert_eq!(read["title"], title);
    }
}
