//! A network as it is shown: nodes with names, links from the strongest on, and what is new since an earlier network.

use std::collections::HashMap;

use crate::games::sheet::Sheet;
use crate::genomes::sketch::{Link, Node, Sketch};

use super::Heading;

mod layout;
mod side;
mod view;

/// A network and what has changed in it.
pub(super) struct Drawing {
    nodes: Vec<Drawn>,
    /// The strongest first.
    links: Vec<Wire>,
    /// The nodes of each layer, by their places.
    layers: Vec<Vec<usize>>,
    /// What has changed; `None` where there is nothing to compare with.
    changes: Option<Changes>,
}

/// A node with its name.
struct Drawn {
    node: Node,
    name: String,
    is_new: bool,
}

/// A link with what became of it.
struct Wire {
    link: Link,
    is_new: bool,
}

/// How a network differs from an earlier one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Changes {
    new_nodes: usize,
    new_links: usize,
    gone_nodes: usize,
    gone_links: usize,
    /// Links in both whose weight differs.
    moved: usize,
}

impl Drawing {
    /// A network, compared with an earlier one. Nodes are the same where their numbers are: hidden ones are numbered by age,
    /// so that a new one has a number that was not there before.
    pub(super) fn new(sketch: &Sketch, before: Option<&Sketch>, sheets: &[Sheet]) -> Self {
        let old_nodes = before.map_or(usize::MAX, |before| before.nodes.len());
        let pairs = |sketch: &Sketch| -> HashMap<(usize, usize), f32> {
            let links = sketch.links.iter();
            links
                .map(|link| ((link.from, link.to), link.weight))
                .collect()
        };
        let old_links = before.map(pairs);
        let is_new = |link: &Link| {
            let known = old_links.as_ref();
            known.is_some_and(|known| !known.contains_key(&(link.from, link.to)))
        };
        let mut links: Vec<Wire> = sketch
            .links
            .iter()
            .map(|link| Wire {
                link: *link,
                is_new: is_new(link),
            })
            .collect();
        links.sort_by(|a, b| b.link.weight.abs().total_cmp(&a.link.weight.abs()));
        let names = names(sketch, sheets);
        let drawn = |((index, node), name): ((usize, &Node), String)| Drawn {
            node: *node,
            name,
            is_new: index >= old_nodes,
        };
        let top = sketch.nodes.iter().map(|node| node.layer).max();
        let mut layers = vec![Vec::new(); top.map_or(0, |top| top + 1)];
        for (index, node) in sketch.nodes.iter().enumerate() {
            layers[node.layer].push(index);
        }
        for layer in &mut layers {
            layer.sort_by_key(|&index| sketch.nodes[index].place);
        }
        let changes = before.zip(old_links.as_ref()).map(|(before, old)| {
            let now = pairs(sketch);
            let kept = old.iter().filter(|(pair, _)| now.contains_key(*pair));
            let moved = kept
                .clone()
                .filter(|(pair, weight)| now[*pair].to_bits() != weight.to_bits());
            Changes {
                new_nodes: sketch.nodes.len().saturating_sub(before.nodes.len()),
                new_links: links.iter().filter(|wire| wire.is_new).count(),
                gone_nodes: before.nodes.len().saturating_sub(sketch.nodes.len()),
                gone_links: old.len() - kept.count(),
                moved: moved.count(),
            }
        });
        Self {
            nodes: sketch
                .nodes
                .iter()
                .enumerate()
                .zip(names)
                .map(drawn)
                .collect(),
            links,
            layers,
            changes,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The first output.
    pub(super) fn first_place(&self) -> usize {
        let outputs = self.layers.last();
        outputs
            .and_then(|outputs| outputs.first())
            .map_or(0, |&first| first)
    }

    /// Up and down stay within the layer, left and right go to the node of the next one at the same height.
    pub(super) fn next(&self, from: usize, heading: Heading) -> usize {
        let Some(node) = self.nodes.get(from).map(|drawn| drawn.node) else {
            return from;
        };
        let here = &self.layers[node.layer];
        let place = here.iter().position(|&index| index == from).unwrap_or(0);
        let beside = |layer: Option<usize>| {
            let layer = self.layers.get(layer?)?;
            layer.get(place * layer.len() / here.len())
        };
        let to = match heading {
            Heading::Up => place.checked_sub(1).and_then(|place| here.get(place)),
            Heading::Down => here.get(place + 1),
            Heading::Left => beside(node.layer.checked_sub(1)),
            Heading::Right => beside(Some(node.layer + 1)),
        };
        to.copied().unwrap_or(from)
    }

    /// The largest weight, by its size.
    fn most(&self) -> f32 {
        self.links
            .first()
            .map_or(0.0, |wire| wire.link.weight.abs())
    }
}

/// A name for each node: inputs by their square or number, outputs by number, the others by age.
fn names(sketch: &Sketch, sheets: &[Sheet]) -> Vec<String> {
    let top = sketch.nodes.iter().map(|node| node.layer).max();
    let squares = squares(sheets);
    let mut hidden = 0;
    let name = |node: &Node| match node.layer {
        0 => squares
            .get(&node.place)
            .cloned()
            .unwrap_or_else(|| format!("in{}", node.place + 1)),
        layer if Some(layer) == top => format!("out{}", node.place + 1),
        _ => {
            hidden += 1;
            format!("h{hidden}")
        }
    };
    sketch.nodes.iter().map(name).collect()
}

/// The squares of inputs that are one square each, by the numbers of the inputs.
fn squares(sheets: &[Sheet]) -> HashMap<usize, String> {
    let mut squares = HashMap::new();
    for (sheet, sign) in sheets.iter().zip(["", "'"]) {
        for (place, feeds) in sheet.cells.iter().enumerate() {
            if let &[(input, _)] = feeds.as_slice() {
                let name = format!("{}{sign}", sheet.squares[place]);
                squares.insert(input as usize, name);
            }
        }
    }
    // Where an input stands for several squares, the numbers of inputs say more.
    let fed = sheets.iter().flat_map(|sheet| &sheet.cells);
    let alone = fed.filter(|feeds| !feeds.is_empty()).count() == squares.len();
    if alone { squares } else { HashMap::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(layer: usize, place: usize) -> Node {
        Node {
            layer,
            place,
            bias: 0.0,
        }
    }

    fn link(from: usize, to: usize, weight: f32) -> Link {
        Link { from, to, weight }
    }

    /// Two inputs, an output, and as many hidden nodes as asked for in a layer between.
    fn sketch(hidden: usize, links: Vec<Link>) -> Sketch {
        let mut nodes = vec![node(0, 0), node(0, 1), node(2, 0)];
        nodes.extend((0..hidden).map(|place| node(1, place)));
        Sketch { nodes, links }
    }

    #[test]
    fn what_is_new_is_told_from_what_was_there() {
        let before = sketch(1, vec![link(0, 2, 1.0), link(1, 3, 0.5), link(3, 2, 0.25)]);
        let now = sketch(2, vec![link(0, 2, 1.0), link(1, 3, -2.0), link(0, 4, 0.1)]);
        let drawing = Drawing::new(&now, Some(&before), &[]);
        let expected = Changes {
            new_nodes: 1,
            new_links: 1,
            gone_nodes: 0,
            gone_links: 1,
            moved: 1,
        };
        assert_eq!(drawing.changes, Some(expected));
        let names: Vec<&str> = drawing
            .nodes
            .iter()
            .map(|drawn| drawn.name.as_str())
            .collect();
        assert_eq!(names, ["in1", "in2", "out1", "h1", "h2"]);
        let new: Vec<bool> = drawing.nodes.iter().map(|drawn| drawn.is_new).collect();
        assert_eq!(new, [false, false, false, false, true]);
        let sizes: Vec<f32> = drawing.links.iter().map(|wire| wire.link.weight).collect();
        assert_eq!(sizes, [-2.0, 1.0, 0.1]);
        let alone = Drawing::new(&now, None, &[]);
        assert_eq!(alone.changes, None);
        assert!(!alone.nodes.iter().any(|drawn| drawn.is_new));
    }

    #[test]
    fn the_cursor_goes_through_layers_and_never_out() {
        let drawing = Drawing::new(&sketch(3, Vec::new()), None, &[]);
        assert_eq!(drawing.first_place(), 2);
        let check = |from, heading, expected| {
            assert_eq!(drawing.next(from, heading), expected, "{from} {heading:?}");
        };
        check(2, Heading::Left, 3);
        check(3, Heading::Down, 4);
        check(5, Heading::Left, 1);
        check(1, Heading::Left, 1);
        check(0, Heading::Up, 0);
        check(2, Heading::Right, 2);
        check(99, Heading::Up, 99);
    }
}
