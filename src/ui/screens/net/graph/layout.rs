//! Places nodes on a grid of cells: layers from left to right, the nodes of a layer from top to bottom.

use ratatui::layout::Position;

/// Cells left free at each side for the names of inputs and outputs.
pub(super) const NAME_MARGIN: u16 = 6;

/// The fractional part of the golden ratio. Its multiples modulo 1 are spread evenly, which staggers small layers.
const GOLDEN_RATIO: f64 = 0.618_033_988_749_895;

/// A position for each node of each layer within `width` columns and `height` rows; empty if there is no room.
pub(super) fn node_positions(layers: &[usize], width: u16, height: u16) -> Vec<Vec<Position>> {
    if width == 0 || height == 0 {
        return Vec::new();
    }
    let margin = if width > 3 * NAME_MARGIN {
        NAME_MARGIN
    } else {
        0
    };
    let inside = f64::from(width - 2 * margin - 1);
    let top = layers.len().saturating_sub(1).max(1) as f64;
    let place = |(layer, &count): (usize, &usize)| {
        let x = margin + (inside * layer as f64 / top).round() as u16;
        // Inputs and outputs are centered in their slots. Hidden layers are staggered, so that edges do not run through nodes
        // on one line.
        let shift = if layer == 0 || layer + 1 == layers.len() {
            0.5
        } else {
            (layer as f64 * GOLDEN_RATIO).fract()
        };
        let node = |place: usize| {
            let share = (place as f64 + shift) / count.max(1) as f64;
            let y = (share * f64::from(height)) as u16;
            Position {
                x: x.min(width - 1),
                y: y.min(height - 1),
            }
        };
        (0..count).map(node).collect()
    };
    layers.iter().enumerate().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_node_is_off_the_canvas_and_layers_come_in_order() {
        let networks: [&[usize]; 6] = [
            &[2, 2],
            &[4, 1, 1, 1, 1, 1, 3],
            &[64, 8, 1],
            &[1, 1],
            &[2, 40, 0, 3, 1],
            &[1; 160],
        ];
        for layers in networks {
            for (width, height) in [(1, 1), (3, 2), (17, 5), (50, 18), (140, 50)] {
                let places = node_positions(layers, width, height);
                let counts: Vec<usize> = places.iter().map(Vec::len).collect();
                assert_eq!(counts, layers);
                let mut last = 0;
                for layer in places.iter().filter(|layer| !layer.is_empty()) {
                    for at in layer {
                        assert!(at.x < width && at.y < height, "{layers:?} {at:?}");
                        assert_eq!(at.x, layer[0].x, "a layer is a column");
                        assert!(at.x >= last, "{layers:?} in {width}");
                    }
                    assert!(layer.is_sorted_by_key(|at| at.y));
                    last = layer[0].x;
                }
            }
        }
        assert!(node_positions(&[2, 2], 0, 7).is_empty());
    }

    #[test]
    fn nodes_of_a_layer_stand_apart_where_there_is_room() {
        for layer in node_positions(&[9, 5, 7, 2], 60, 20) {
            let mut rows: Vec<u16> = layer.iter().map(|at| at.y).collect();
            rows.dedup();
            assert_eq!(rows.len(), layer.len());
        }
    }
}
