//! Safe mutation: of several variations of a network that one is kept which changes least what it makes of positions it has met
//! (Lehman, Chen, Clune & Stanley 2018, "Safe Mutations for Deep and Recurrent Neural Networks through Output Gradients"; Thien
//! 2018, "Coefficient Mutation").

use crate::genomes::experience::Experience;
use crate::genomes::{Brain, Genome, Ports, Scratch, Sight};
use crate::rng::Stream;

use super::{Mlp, MlpConfig};

/// The safest of as many variations as the configuration says, the first of equals.
pub(super) fn mutant(
    parent: &Mlp,
    config: &MlpConfig,
    ports: &Ports,
    experience: &Experience,
    rng: &mut Stream,
) -> Mlp {
    let known = outputs(parent.grow(config, ports).as_ref(), experience);
    let mut safest: Option<(f64, Mlp)> = None;
    for _ in 0..config.tries.max(1) {
        let mut mutant = parent.clone();
        mutant.mutate(config, rng);
        let changed = divergence(
            &known,
            &outputs(mutant.grow(config, ports).as_ref(), experience),
        );
        if safest.as_ref().is_none_or(|(least, _)| changed < *least) {
            safest = Some((changed, mutant));
        }
    }
    safest.map_or_else(|| parent.clone(), |(_, mutant)| mutant)
}

/// All outputs in all positions.
fn outputs(brain: &dyn Brain, experience: &Experience) -> Vec<f32> {
    let (mut scratch, mut out, mut all) = (Scratch::default(), Vec::new(), Vec::new());
    for row in experience.rows() {
        brain.think(Sight::one(row), &mut scratch, &mut out);
        all.extend_from_slice(&out);
    }
    all
}

/// The sum of the squares of the differences.
fn divergence(known: &[f32], outputs: &[f32]) -> f64 {
    let pairs = known.iter().zip(outputs);
    pairs
        .map(|(known, output)| f64::from(output - known).powi(2))
        .sum()
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::rng::{Purpose, stream};

    /// How much children with so many tries differ from their parent, on the mean.
    fn mean_divergence(tries: u32) -> f64 {
        let ports = Ports::new(8, 1);
        let config = MlpConfig {
            tries,
            ..MlpConfig::default()
        };
        let mut rng = stream(6, Purpose::Breeding, 0, 0);
        let parent = Mlp::random(&config, &ports, &mut rng);
        let mut experience = Experience::default();
        for _ in 0..20 {
            let row: Vec<f32> = (0..8).map(|_| rng.random_range(-1..=1) as f32).collect();
            experience.push(&row);
        }
        let known = outputs(parent.grow(&config, &ports).as_ref(), &experience);
        let changed = |_| {
            let mut child = parent.clone();
            child.mutate_with_care(&config, &ports, &experience, &mut rng);
            assert_ne!(child, parent);
            divergence(
                &known,
                &outputs(child.grow(&config, &ports).as_ref(), &experience),
            )
        };
        (0..50).map(changed).sum::<f64>() / 50.0
    }

    #[test]
    fn the_more_variations_are_tried_the_less_a_child_differs() {
        let [one, five, twenty] = [1, 5, 20].map(mean_divergence);
        assert!(
            one > 2.0 * five && five > 1.5 * twenty,
            "{one} {five} {twenty}"
        );
    }

    #[test]
    fn one_try_is_a_plain_mutation() {
        let ports = Ports::new(3, 1);
        let config = MlpConfig::default();
        let [mut plain, mut careful] =
            [0, 1].map(|_| Mlp::random(&config, &ports, &mut stream(1, Purpose::Genesis, 0, 0)));
        let rng = || stream(2, Purpose::Breeding, 0, 0);
        plain.mutate(&config, &mut rng());
        careful.mutate_with_care(&config, &ports, &Experience::default(), &mut rng());
        assert_eq!(plain, careful);
    }
}
