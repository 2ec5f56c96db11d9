//! What distances between genomes are made of.

/// Below this number of genes, what only one genome has is not divided by it (Stanley &
/// Miikkulainen 2002, §3.3).
const FEW_GENES: usize = 20;

/// What the mean difference of shared weights counts beside a gene that only one genome has, as in
/// the publication.
const DIFFERENCE_WEIGHT: f64 = 0.4;

/// A count of genes in proportion to the size of the larger genome, or the count itself if both are
/// small.
pub(super) fn per_gene(count: f64, genes: [usize; 2]) -> f64 {
    let genes = genes[0].max(genes[1]);
    if genes < FEW_GENES {
        count
    } else {
        count / genes as f64
    }
}

/// The mean difference of pairs of numbers; 0 if there are none.
pub(super) fn mean_difference(pairs: impl Iterator<Item = (f32, f32)>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for (one, other) in pairs {
        sum += f64::from((one - other).abs());
        count += 1.0;
    }
    if count > 0.0 { sum / count } else { 0.0 }
}

/// The mean difference of lists of numbers.
pub(super) fn of_lists(one: &[f32], other: &[f32]) -> f64 {
    mean_difference(one.iter().copied().zip(other.iter().copied()))
}

/// The distance of two networks of different shapes, from the number of genes that only one of them
/// has, the numbers of all genes, and the mean difference of the weights that both have.
pub(super) fn of_shapes(unshared: f64, genes: [usize; 2], difference: f64) -> f64 {
    per_gene(unshared, genes) + DIFFERENCE_WEIGHT * difference
}
