//! Known initial weights, crossover and mutation of dense networks.

use std::ops::Range;

use rand::{Rng, RngExt};

use crate::genomes::activation::exp;
use crate::genomes::crossover::GeneCrossover;
use crate::rng::Stream;

use super::noise::{Noise, Sampler};
use super::{GENE_LIMIT, Mlp, MlpConfig, MlpCrossover, PIECE_VALUE_RANGE, SIGMA_RANGE};

/// Mutation step of the piece value gene.
const PIECE_VALUE_STEP: f32 = 0.1;

/// Clamps a gene to its bounds.
pub(super) fn clamp_gene(gene: f64) -> f32 {
    gene.clamp(-GENE_LIMIT, GENE_LIMIT) as f32
}

impl Mlp {
    /// Adds known weights to the first layer, and makes the weights of higher layers positive.
    pub(super) fn add_known_weights(&mut self, known: &[f64]) {
        let biases = usize::from(self.biases);
        for layer in 1..self.layers.len() {
            let (gene_offset, stride) = (self.gene_offset(layer), self.stride(layer));
            let end = self.gene_offset(layer + 1);
            for node in self.genes[gene_offset..end].chunks_exact_mut(stride) {
                let weights = &mut node[biases..];
                if layer == 1 {
                    for (weight, known) in weights.iter_mut().zip(known) {
                        *weight = clamp_gene(f64::from(*weight) + known);
                    }
                } else {
                    for weight in weights {
                        *weight = weight.abs();
                    }
                }
            }
        }
    }

    /// The genes, then the piece value if it is a gene.
    pub(super) fn all_numbers(&self) -> Vec<f32> {
        self.genes.iter().copied().chain(self.piece_value).collect()
    }

    /// Replaces [`Mlp::all_numbers`].
    pub(super) fn replace_numbers(&mut self, numbers: &[f32]) {
        for (gene, &number) in self.genes.iter_mut().zip(numbers) {
            *gene = clamp_gene(number.into());
        }
        if let (Some(value), Some(&number)) = (&mut self.piece_value, numbers.get(self.genes.len()))
        {
            *value = number.clamp(PIECE_VALUE_RANGE[0], PIECE_VALUE_RANGE[1]);
        }
    }

    /// Both offspring of a crossover that swaps genes; `None` if crossover draws each gene of each
    /// offspring.
    pub(super) fn swap_genes(
        &self,
        other: &Self,
        config: &MlpConfig,
        rng: &mut Stream,
    ) -> Option<[Self; 2]> {
        match config.crossover {
            MlpCrossover::Uniform => None,
            MlpCrossover::DominantNode => {
                Some(self.swap_dominant_node(other, config.dominance as f32, rng))
            }
            MlpCrossover::Section => Some(self.swap_section(other, rng)),
        }
    }

    /// Dominant-node crossover: swaps the dominant genes of one random node of `self` (Thien 2018,
    /// "Crossover Strategy").
    fn swap_dominant_node(&self, other: &Self, dominance: f32, rng: &mut Stream) -> [Self; 2] {
        let nodes = self.layers[1..].iter().sum::<u32>() as usize;
        let mut node = rng.random_range(0..nodes);
        let mut layer = 1;
        while node >= self.layers[layer] as usize {
            node -= self.layers[layer] as usize;
            layer += 1;
        }
        let (mut one, mut two) = (self.clone(), other.clone());
        let from = self.gene_offset(layer) + node * self.stride(layer);
        for gene in from..from + self.stride(layer) {
            if self.genes[gene].abs() > dominance {
                one.swap_with(&mut two, gene..gene + 1);
            }
        }
        [one, two]
    }

    /// Two-point crossover: swaps a section of the genes. The values of special pieces, which have
    /// no place among the genes, are swapped with probability 1/2.
    fn swap_section(&self, other: &Self, rng: &mut Stream) -> [Self; 2] {
        let (mut one, mut two) = (self.clone(), other.clone());
        if let Some(section) = GeneCrossover::TwoPoint.cut(self.genes.len(), rng) {
            one.swap_with(&mut two, section);
        }
        if one.piece_value.is_some() && rng.random() {
            std::mem::swap(&mut one.piece_value, &mut two.piece_value);
        }
        [one, two]
    }

    /// Swaps genes with those of another network, with their sigmas.
    fn swap_with(&mut self, other: &mut Self, genes: Range<usize>) {
        self.genes[genes.clone()].swap_with_slice(&mut other.genes[genes.clone()]);
        if !self.sigmas.is_empty() {
            self.sigmas[genes.clone()].swap_with_slice(&mut other.sigmas[genes]);
        }
    }

    /// Uniform crossover: each gene, with its sigma, comes from either network with equal
    /// probability.
    pub(super) fn uniform_crossover(&self, other: &Self, rng: &mut Stream) -> Self {
        let mut offspring = self.clone();
        for (index, (genes, others)) in (0..)
            .step_by(64)
            .zip(offspring.genes.chunks_mut(64).zip(other.genes.chunks(64)))
        {
            let coins = rng.next_u64();
            copy_by_coins(coins, genes, others);
            if !other.sigmas.is_empty() {
                copy_by_coins(
                    coins,
                    &mut offspring.sigmas[index..],
                    &other.sigmas[index..],
                );
            }
        }
        if offspring.piece_value.is_some() && rng.random() {
            offspring.piece_value = other.piece_value;
        }
        offspring
    }

    /// Mutates the sigmas, if there are any, and then the genes. Their steps are multiplied by
    /// `factors`, one for each gene; empty for factors of 1.
    pub(super) fn mutate_genes(&mut self, config: &MlpConfig, factors: &[f32], rng: &mut Stream) {
        let mut fresh = Sampler::new(Noise::Uniform, 1.0);
        self.mutate_sigmas(rng);
        let is_adaptive = !self.sigmas.is_empty();
        let sigma = if is_adaptive { 1.0 } else { config.sigma };
        let mut noise = Sampler::new(config.noise, sigma);
        let bound = config.clamp.unwrap_or(GENE_LIMIT);
        for (index, gene) in self.genes.iter_mut().enumerate() {
            if bernoulli(config.reset_rate, rng) {
                *gene = fresh.draw(rng).clamp(-bound, bound) as f32;
            } else if bernoulli(config.mutation_rate, rng) {
                let own = |list: &[f32]| f64::from(list.get(index).copied().unwrap_or(1.0));
                let scale = own(&self.sigmas) * own(factors);
                let changed = f64::from(*gene) + scale * noise.draw(rng);
                *gene = changed.clamp(-bound, bound) as f32;
            }
        }
        if let Some(piece_value) = &mut self.piece_value {
            let step = rng.random_range(-1..=1) as f32 * PIECE_VALUE_STEP;
            *piece_value = (*piece_value + step).clamp(PIECE_VALUE_RANGE[0], PIECE_VALUE_RANGE[1]);
        }
        if bernoulli(config.swap_rate, rng) {
            self.swap_two_genes(rng);
        }
    }

    /// Lets two random genes trade places, with their sigmas. A single gene stays where it is.
    fn swap_two_genes(&mut self, rng: &mut Stream) {
        let count = self.genes.len();
        if count < 2 {
            return;
        }
        let one = rng.random_range(0..count);
        let other = (one + rng.random_range(1..count)) % count;
        self.genes.swap(one, other);
        if !self.sigmas.is_empty() {
            self.sigmas.swap(one, other);
        }
    }

    /// Mutates the sigmas, if there are any (log-normal self-adaptation).
    fn mutate_sigmas(&mut self, rng: &mut Stream) {
        let count = self.sigmas.len() as f64;
        let spread = 1.0 / (2.0 * count.sqrt()).sqrt();
        let mut noise = Sampler::new(Noise::Normal, spread);
        for sigma in &mut self.sigmas {
            let varied = *sigma * exp(noise.draw(rng) as f32);
            *sigma = varied.clamp(SIGMA_RANGE[0], SIGMA_RANGE[1]);
        }
    }
}

/// Replaces up to 64 genes by `others` where the coin's bit is 1.
fn copy_by_coins(mut coins: u64, genes: &mut [f32], others: &[f32]) {
    for (gene, &other) in genes.iter_mut().zip(others).take(64) {
        *gene = if coins & 1 == 0 { *gene } else { other };
        coins >>= 1;
    }
}

/// A Bernoulli trial. Draws no random number if the outcome is certain.
fn bernoulli(chance: f64, rng: &mut Stream) -> bool {
    chance >= 1.0 || (chance > 0.0 && rng.random_bool(chance))
}
