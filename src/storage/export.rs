//! Networks in the formats of other programs: Graphviz DOT, SVG and JSON.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::genomes::sketch::Sketch;

use super::{Durability, StorageError, write_whole};

/// Writes a network in all formats into a folder, as `stem.dot`, `stem.svg` and `stem.json`; files of these names are replaced.
pub fn write_all(
    folder: &Path,
    stem: &str,
    sketch: &Sketch,
    title: &str,
) -> Result<[PathBuf; 3], StorageError> {
    fs::create_dir_all(folder).map_err(StorageError::io(folder))?;
    let write = |ending: &str, text: String| {
        let path = folder.join(format!("{stem}.{ending}"));
        write_whole(&path, text.as_bytes(), Durability::Lazy)?;
        Ok(path)
    };
    Ok([
        write("dot", dot(sketch, title))?,
        write("svg", svg(sketch, title))?,
        write("json", json(sketch, title))?,
    ])
}

/// A directed graph for Graphviz, layers from left to right.
pub fn dot(sketch: &Sketch, title: &str) -> String {
    let mut text = format!("digraph \"{title}\" {{\n  rankdir=LR;\n  node [shape=circle];\n");
    let layers = sketch
        .nodes
        .iter()
        .map(|node| node.layer)
        .max()
        .unwrap_or(0);
    for layer in 0..=layers {
        let members = sketch
            .nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| node.layer == layer);
        let names: Vec<String> = members
            .map(|(index, node)| format!("n{index} [label=\"{:.2}\"];", node.bias))
            .collect();
        push(
            &mut text,
            format_args!("  {{ rank=same; {} }}\n", names.join(" ")),
        );
    }
    for link in &sketch.links {
        let color = if link.weight < 0.0 {
            "firebrick"
        } else {
            "steelblue"
        };
        let width = 0.5 + 2.0 * link.weight.abs().min(2.0);
        push(
            &mut text,
            format_args!(
                "  n{} -> n{} [label=\"{:.2}\", color={color}, penwidth={width:.1}];\n",
                link.from, link.to, link.weight
            ),
        );
    }
    text + "}\n"
}

/// A drawing of the network, layers from left to right.
pub fn svg(sketch: &Sketch, title: &str) -> String {
    let spots = spots(sketch);
    let (width, height) = spots.iter().fold((0.0_f32, 0.0_f32), |(x, y), spot| {
        (x.max(spot.0), y.max(spot.1))
    });
    let (width, height) = (width + MARGIN, height + MARGIN);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\">\n<title>{title}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for link in &sketch.links {
        let ((x1, y1), (x2, y2)) = (spots[link.from], spots[link.to]);
        let color = if link.weight < 0.0 {
            "firebrick"
        } else {
            "steelblue"
        };
        let wide = 0.5 + 2.0 * link.weight.abs().min(2.0);
        push(
            &mut text,
            format_args!(
                "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{color}\" stroke-width=\"{wide:.1}\"><title>{}</title></line>\n",
                link.weight
            ),
        );
    }
    for (node, (x, y)) in sketch.nodes.iter().zip(&spots) {
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

const MARGIN: f32 = 40.0;

/// Where each node is drawn.
fn spots(sketch: &Sketch) -> Vec<(f32, f32)> {
    let spot = |node: &crate::genomes::sketch::Node| {
        (
            MARGIN + node.layer as f32 * 120.0,
            MARGIN + node.place as f32 * 40.0,
        )
    };
    sketch.nodes.iter().map(spot).collect()
}

/// The network as a JSON object with `nodes` and `links`.
pub fn json(sketch: &Sketch, title: &str) -> String {
    let nodes: Vec<_> = sketch
        .nodes
        .iter()
        .map(|node| json!({"layer": node.layer, "place": node.place, "bias": node.bias}))
        .collect();
    let links: Vec<_> = sketch
        .links
        .iter()
        .map(|link| json!({"from": link.from, "to": link.to, "weight": link.weight}))
        .collect();
    let whole = json!({"title": title, "nodes": nodes, "links": links});
    format!("{whole:#}\n")
}

fn push(text: &mut String, what: std::fmt::Arguments<'_>) {
    // Writing to a string can't fail.
    let _ = text.write_fmt(what);
}
