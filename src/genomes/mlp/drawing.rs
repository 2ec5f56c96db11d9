//! Dense networks as nodes and links. It draws nothing itself, and does not know who does.

use crate::genomes::sketch::{Link, Node, Sketch};

use super::Mlp;

impl Mlp {
    /// All units and weights, layer after layer.
    pub(in crate::genomes) fn drawing(&self) -> Sketch {
        let mut sketch = Sketch::default();
        for place in 0..self.layers[0] as usize {
            sketch.nodes.push(Node {
                layer: 0,
                place,
                bias: 0.0,
            });
        }
        let mut below = 0;
        for layer in 1..self.layers.len() {
            let above = sketch.nodes.len();
            for (place, (bias, weights)) in self.units(layer).enumerate() {
                sketch.nodes.push(Node { layer, place, bias });
                let link = |(source, &weight): (usize, &f32)| Link {
                    from: below + source,
                    to: above + place,
                    weight,
                };
                sketch.links.extend(weights.iter().enumerate().map(link));
            }
            below = above;
        }
        sketch
    }

    /// Adds the links of weight 1 by which outputs add up all inputs; where an output is linked to its inputs already, they
    /// make that link's weight larger.
    pub(super) fn draw_bypass(&self, sketch: &mut Sketch) {
        let inputs = self.layers[0] as usize;
        let nodes = sketch.nodes.len();
        let outputs = nodes - self.layers[self.layers.len() - 1] as usize..nodes;
        if self.layers.len() == 2 {
            for link in &mut sketch.links {
                link.weight += 1.0;
            }
            return;
        }
        let links = outputs.flat_map(|to| {
            (0..inputs).map(move |from| Link {
                from,
                to,
                weight: 1.0,
            })
        });
        sketch.links.extend(links);
    }
}

#[cfg(test)]
mod tests {
    use crate::genomes::mlp::MlpConfig;
    use crate::genomes::{GenomeConfig, Ports};
    use crate::rng::{Purpose, stream};

    /// How many more links the drawing has with the bypass, and how much larger all its weights are together.
    fn check(hidden: &[u16], expected: (usize, f32)) {
        let plain = MlpConfig {
            hidden: hidden.to_vec(),
            ..MlpConfig::default()
        };
        let passing = MlpConfig {
            bypass: true,
            ..plain.clone()
        };
        let ports = Ports::new(5, 2);
        let plain = GenomeConfig::Mlp(plain);
        let genome = plain.random(&ports, &mut stream(1, Purpose::Genesis, 0, 0));
        let drawn = |config: &GenomeConfig| {
            let sketch = config.sketch(&genome);
            let weights = sketch.links.iter().map(|link| link.weight);
            (sketch.links.len(), weights.sum::<f32>())
        };
        let (before, after) = (drawn(&plain), drawn(&GenomeConfig::Mlp(passing)));
        assert_eq!(after.0 - before.0, expected.0, "{hidden:?}");
        assert!((after.1 - before.1 - expected.1).abs() < 1e-3, "{hidden:?}");
    }

    #[test]
    fn a_drawing_has_what_outputs_add_up_of_the_inputs() {
        check(&[3, 4], (10, 10.0));
        check(&[3], (10, 10.0));
        check(&[], (0, 10.0));
    }
}
