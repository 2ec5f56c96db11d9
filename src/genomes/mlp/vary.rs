//! How dense networks are crossed and varied.

use rand::{Rng, RngExt};

use crate::genomes::activation::exp;
use crate::rng::Stream;

use super::noise::{Noise, Sampler};
use super::{HEAVY, Mlp, MlpConfig, SIGMAS, held};

/// The steps in which what heavy features count varies.
const HEAVY_STEP: f32 = 0.1;

impl Mlp {
    /// Both networks after the strong genes of one unit of this one have been exchanged (Thien 2018, "Crossover Strategy").
    pub(super) fn exchange(&self, other: &Self, dominance: f32, rng: &mut Stream) -> [Self; 2] {
        let units = self.layers[1..].iter().sum::<u32>() as usize;
        let mut unit = rng.random_range(0..units);
        let mut layer = 1;
        while unit >= self.layers[layer] as usize {
            unit -= self.layers[layer] as usize;
            layer += 1;
        }
        let (mut one, mut two) = (self.clone(), other.clone());
        let from = self.start(layer) + unit * self.stride(layer);
        for gene in from..from + self.stride(layer) {
            if self.genes[gene].abs() > dominance {
                std::mem::swap(&mut one.genes[gene], &mut two.genes[gene]);
                if let (Some(one), Some(two)) = (one.sigmas.get_mut(gene), two.sigmas.get_mut(gene))
                {
                    std::mem::swap(one, two);
                }
            }
        }
        [one, two]
    }

    /// A network each gene of which comes from either of two with the same chance, its sigma with it.
    pub(super) fn mix(&self, other: &Self, rng: &mut Stream) -> Self {
        let mut child = self.clone();
        for (place, (genes, others)) in (0..)
            .step_by(64)
            .zip(child.genes.chunks_mut(64).zip(other.genes.chunks(64)))
        {
            let coins = rng.next_u64();
            choose(coins, genes, others);
            if !other.sigmas.is_empty() {
                choose(coins, &mut child.sigmas[place..], &other.sigmas[place..]);
            }
        }
        if child.heavy.is_some() && rng.random() {
            child.heavy = other.heavy;
        }
        child
    }

    /// Varies the genes, after what they vary by where each has its own.
    pub(super) fn vary(&mut self, config: &MlpConfig, rng: &mut Stream) {
        let mut fresh = Sampler::new(Noise::Uniform, 1.0);
        self.vary_sigmas(rng);
        let own = !self.sigmas.is_empty();
        let sigma = if own { 1.0 } else { config.sigma };
        let mut noise = Sampler::new(config.noise, sigma);
        for (place, gene) in self.genes.iter_mut().enumerate() {
            if happens(config.replacement, rng) {
                *gene = held(fresh.draw(rng));
            } else if happens(config.mutation_rate, rng) {
                let sigma = self.sigmas.get(place).copied().unwrap_or(1.0);
                *gene = held(f64::from(*gene) + f64::from(sigma) * noise.draw(rng));
            }
        }
        if let Some(heavy) = &mut self.heavy {
            let step = rng.random_range(-1..=1) as f32 * HEAVY_STEP;
            *heavy = (*heavy + step).clamp(HEAVY[0], HEAVY[1]);
        }
    }

    /// Varies what genes vary by, where each has its own.
    fn vary_sigmas(&mut self, rng: &mut Stream) {
        let count = self.sigmas.len() as f64;
        let spread = 1.0 / (2.0 * count.sqrt()).sqrt();
        let mut noise = Sampler::new(Noise::Normal, spread);
        for sigma in &mut self.sigmas {
            let varied = *sigma * exp(noise.draw(rng) as f32);
            *sigma = varied.clamp(SIGMAS[0], SIGMAS[1]);
        }
    }
}

/// Takes over those of up to 64 genes for which a coin says so.
fn choose(mut coins: u64, genes: &mut [f32], others: &[f32]) {
    for (gene, &other) in genes.iter_mut().zip(others).take(64) {
        *gene = if coins & 1 == 0 { *gene } else { other };
        coins >>= 1;
    }
}

/// Whether something of this chance happens; what is certain or impossible takes no random number.
fn happens(chance: f64, rng: &mut Stream) -> bool {
    chance >= 1.0 || (chance > 0.0 && rng.random_bool(chance))
}
