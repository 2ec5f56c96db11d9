//! Dense networks begin, vary and cross as their settings say, and only sound ones are taken from files.

use std::sync::{Arc, LazyLock};

use rand::RngExt;

use super::*;
use crate::genomes::{Scratch, Sight};
use crate::params::notation;
use crate::rng::{Purpose, stream};

static PORTS: LazyLock<Ports> = LazyLock::new(|| Ports::new(64, 1));

fn rng(seed: u64) -> Stream {
    stream(seed, Purpose::Breeding, 0, 0)
}

fn random(config: &MlpConfig, seed: u64) -> Mlp {
    Mlp::random(config, &PORTS, &mut rng(seed))
}

/// A wide network, so that shares can be counted.
fn wide() -> MlpConfig {
    MlpConfig {
        hidden: vec![160],
        ..MlpConfig::default()
    }
}

/// The share of genes that are the same bit for bit.
fn same(one: &Mlp, other: &Mlp) -> f64 {
    let pairs = one.genes.iter().zip(&other.genes);
    let same = pairs.filter(|(a, b)| a.to_bits() == b.to_bits()).count();
    same as f64 / one.genes.len() as f64
}

/// The standard deviation of the genes.
fn spread(genome: &Mlp) -> f64 {
    let squares = genome.genes.iter().map(|&gene| f64::from(gene).powi(2));
    (squares.sum::<f64>() / genome.genes.len() as f64).sqrt()
}

fn check_size(hidden: &[u16], biases: bool, genes: usize, layers: &[usize]) {
    let config = MlpConfig {
        hidden: hidden.to_vec(),
        biases,
        ..MlpConfig::default()
    };
    let genome = random(&config, 1);
    assert_eq!(genome.genes.len(), genes, "{hidden:?}");
    assert_eq!(genome.topology().layers, layers);
    assert_eq!(genome.fault(&PORTS), None);
}

#[test]
fn each_shape_has_its_number_of_genes() {
    check_size(&[], true, 65, &[64, 1]);
    check_size(&[], false, 64, &[64, 1]);
    check_size(&[8], true, 529, &[64, 8, 1]);
    check_size(&[8], false, 520, &[64, 8, 1]);
    check_size(&[8, 3], true, 551, &[64, 8, 3, 1]);
    check_size(&[16, 4], true, 1113, &[64, 16, 4, 1]);
}

#[test]
fn first_weights_spread_as_they_are_told_to() {
    for init in [Noise::Normal, Noise::Uniform] {
        for init_sigma in [1.0, 0.25] {
            let config = MlpConfig {
                init,
                init_sigma,
                ..wide()
            };
            let found = spread(&random(&config, 1)) / init_sigma;
            assert!((found - 1.0).abs() < 0.03, "{init:?}: {found}");
        }
    }
}

/// The output for a position.
fn value(genome: &Mlp, config: &MlpConfig, inputs: &[f32]) -> f32 {
    let mut out = Vec::new();
    let brain = genome.grow(config, &PORTS);
    brain.think(Sight::one(inputs), &mut Scratch::default(), &mut out);
    out[0]
}

#[test]
fn a_network_that_starts_from_known_weights_values_positions_as_they_do() {
    let known: Vec<f64> = (0..64).map(|input| f64::from(input % 9) - 3.0).collect();
    for hidden in [vec![], vec![8], vec![8, 3]] {
        let config = MlpConfig {
            hidden,
            first_weights: known.clone(),
            init_sigma: 0.05,
            ..MlpConfig::default()
        };
        let mut agreed = 0;
        for seed in 0..100 {
            let genome = random(&config, seed);
            let mut rng = rng(seed);
            let mut position = || -> Vec<f32> {
                let mut square = || rng.random_range(-1..=1) as f32;
                (0..64).map(|_| square()).collect()
            };
            let positions = [position(), position()];
            let [one, other] = positions.each_ref().map(|inputs| {
                let terms = inputs.iter().zip(&known).map(|(&x, w)| f64::from(x) * w);
                (terms.sum::<f64>(), value(&genome, &config, inputs))
            });
            agreed += usize::from((one.0 > other.0) == (one.1 > other.1));
        }
        assert!(agreed >= 90, "{:?}: {agreed} of 100", config.hidden);
    }
}

#[test]
fn known_weights_must_be_as_many_as_the_inputs() {
    let config = MlpConfig {
        first_weights: vec![1.0; 63],
        ..MlpConfig::default()
    };
    let misfits = Mlp::misfits(&config, &PORTS);
    let expected = "first_weights: must list a weight for each of 64 inputs, lists 63";
    assert_eq!(misfits.len(), 1);
    assert_eq!(misfits[0].to_string(), expected);
    assert_eq!(Mlp::misfits(&MlpConfig::default(), &PORTS), []);
    let deep = MlpConfig {
        hidden: vec![2; 9],
        ..MlpConfig::default()
    };
    assert_eq!(Mlp::problems(&deep).len(), 1);
}

#[test]
fn a_child_has_about_half_its_genes_from_each_parent_and_none_from_elsewhere() {
    let config = wide();
    let (one, other) = (random(&config, 1), random(&config, 2));
    let child = one.cross(&other, &config, &mut rng(3));
    let (from_one, from_other) = (same(&child, &one), same(&child, &other));
    assert!((from_one - 0.5).abs() < 0.02, "{from_one}");
    assert!((from_one + from_other - 1.0).abs() < 1e-9);
    assert_eq!(one.cross(&one, &config, &mut rng(3)), one);
}

/// The share of genes left alone, and by how much the others moved (standard deviation).
fn moved(config: &MlpConfig) -> (f64, f64) {
    let before = random(config, 1);
    let mut after = before.clone();
    after.mutate(config, &mut rng(2));
    let kept = same(&before, &after);
    let steps = before.genes.iter().zip(&after.genes);
    let squares = steps.map(|(a, b)| f64::from(b - a).powi(2));
    let moved = before.genes.len() as f64 * (1.0 - kept);
    (kept, (squares.sum::<f64>() / moved).sqrt())
}

#[test]
fn variation_moves_the_share_of_genes_it_is_told_to_by_what_it_is_told() {
    for (noise, sigma, rate) in [
        (Noise::Normal, 1.0, 1.0),
        (Noise::Uniform, 0.5, 1.0),
        (Noise::Normal, 0.1, 0.3),
    ] {
        let config = MlpConfig {
            noise,
            sigma,
            mutation_rate: rate,
            ..wide()
        };
        let (kept, deviation) = moved(&config);
        assert!((kept - (1.0 - rate)).abs() < 0.02, "{kept}");
        assert!((deviation / sigma - 1.0).abs() < 0.03, "{deviation}");
    }
}

#[test]
fn replaced_genes_are_drawn_anew_whatever_they_were() {
    let config = MlpConfig {
        replacement: 0.2,
        mutation_rate: 0.0,
        init_sigma: 100.0,
        ..wide()
    };
    let mut genome = random(&config, 1);
    let before = genome.clone();
    genome.mutate(&config, &mut rng(2));
    let kept = same(&before, &genome);
    assert!((kept - 0.8).abs() < 0.02, "{kept}");
    let pairs = before.genes.iter().zip(&genome.genes);
    let changed = pairs
        .filter(|(a, b)| a.to_bits() != b.to_bits())
        .map(|(_, gene)| gene.abs());
    let widest = changed.fold(0.0, f32::max);
    assert!((1.7..1.7321).contains(&widest), "{widest}");
}

#[test]
fn no_gene_leaves_its_bounds_and_no_output_is_infinite() {
    let config = MlpConfig {
        noise: Noise::Cauchy,
        sigma: 1000.0,
        hidden: vec![8; 8],
        activation: Activation::Linear,
        ..MlpConfig::default()
    };
    let mut genome = random(&config, 1);
    for _ in 0..3000 {
        genome.mutate(&config, &mut rng(2));
    }
    let widest = genome
        .genes
        .iter()
        .fold(0.0, |most, gene| gene.abs().max(most));
    assert!((widest - 1e6).abs() < 1e-9, "{widest}");
    assert_eq!(genome.fault(&PORTS), None);
    assert!(value(&genome, &config, &[1.0; 64]).is_finite());
}

#[test]
fn a_genome_reads_back_bit_for_bit() {
    let mut genome = random(&MlpConfig::default(), 1);
    genome.mutate(&MlpConfig::default(), &mut rng(2));
    let text = notation().to_string(&genome).expect("it can be written");
    let read: Mlp = notation().from_str(&text).expect("it was just written");
    assert_eq!(same(&read, &genome).to_bits(), 1.0_f64.to_bits());
    assert_eq!(read, genome);
}

fn check_fault(spoil: impl Fn(&mut Mlp), expected: &str) {
    let mut genome = random(&MlpConfig::default(), 1);
    spoil(&mut genome);
    let fault = genome.fault(&PORTS).unwrap_or_default();
    assert!(fault.contains(expected), "`{fault}`");
}

#[test]
fn what_is_wrong_with_a_genome_is_told() {
    check_fault(|genome| genome.layers[0] = 63, "63 inputs and 1 outputs");
    check_fault(
        |genome| genome.layers[1] = 9,
        "529 genes do not make layers of [64, 9, 1]",
    );
    check_fault(|genome| genome.layers[1] = u32::MAX, "529 genes");
    check_fault(|genome| genome.layers[1] = 0, "none of them empty");
    check_fault(|genome| genome.layers.truncate(1), "two layers or more");
    check_fault(|genome| genome.biases = false, "529 genes");
    check_fault(|genome| genome.genes[7] = f32::NAN, "NaN is not a weight");
    check_fault(
        |genome| genome.genes[7] = 2e6,
        "2000000 is not a weight or bias within ±1000000",
    );
}

#[test]
fn the_strong_genes_of_one_unit_are_exchanged() {
    let config = MlpConfig {
        hidden: vec![4, 3],
        crossover: Crossing::DominantNode,
        ..MlpConfig::default()
    };
    let ports = Ports::new(5, 2);
    let mut exchanged = 0;
    for seed in 0..50 {
        let one = Mlp::random(&config, &ports, &mut rng(seed));
        let other = Mlp::random(&config, &ports, &mut rng(seed + 100));
        let [child, reciprocal] = one.cross_both(&other, &config, &mut rng(seed + 200));
        let changed: Vec<usize> = (0..one.genes.len())
            .filter(|&gene| child.genes[gene].to_bits() != one.genes[gene].to_bits())
            .collect();
        for gene in 0..one.genes.len() {
            let pair = (child.genes[gene], reciprocal.genes[gene]);
            if changed.contains(&gene) {
                assert_eq!(pair, (other.genes[gene], one.genes[gene]));
                assert!(one.genes[gene].abs() > 0.75);
            } else {
                assert_eq!(pair, (one.genes[gene], other.genes[gene]));
            }
        }
        let bounds = [5 + 1, 4 + 1, 3 + 1];
        if let (Some(&first), Some(&last)) = (changed.first(), changed.last()) {
            let most = bounds.into_iter().max().unwrap_or(0);
            assert!(last - first < most, "they belong to one unit");
            exchanged += 1;
        }
    }
    assert!(exchanged > 30);
}

/// Four squares, and the same for pieces that count for more.
fn pieces() -> Ports {
    let squares = (0..4).map(|square| vec![(square, 1.0)]);
    let features = Features::new(squares.collect()).and_heavy(2.0);
    Ports {
        features: Some(Arc::new(features)),
        ..Ports::new(4, 1)
    }
}

fn adaptive() -> MlpConfig {
    MlpConfig {
        sigma: 0.05,
        self_adaptive: true,
        heavy_gene: true,
        ..wide()
    }
}

#[test]
fn what_genes_vary_by_varies_and_is_inherited_with_them() {
    let (config, ports) = (adaptive(), Ports::new(64, 1));
    let parent = Mlp::random(&config, &ports, &mut rng(1));
    assert_eq!(parent.sigmas, vec![0.05; parent.genes.len()]);
    let mut child = parent.clone();
    child.mutate(&config, &mut rng(2));
    let count = child.sigmas.len() as f64;
    let logs = child
        .sigmas
        .iter()
        .map(|&sigma| f64::from(sigma / 0.05).ln());
    let [sum, squares] = logs.fold([0.0, 0.0], |[sum, squares], log| {
        [sum + log, squares + log * log]
    });
    let expected = 1.0 / (2.0 * count.sqrt()).sqrt();
    assert!((sum / count).abs() < 0.05 * expected);
    assert!(((squares / count).sqrt() / expected - 1.0).abs() < 0.03);
    // Genes with a large sigma move far, those with a small one hardly.
    let mut uneven = parent.clone();
    for (place, sigma) in uneven.sigmas.iter_mut().enumerate() {
        *sigma = if place % 2 == 0 { 1e-5 } else { 1.0 };
    }
    let before = uneven.genes.clone();
    uneven.mutate(&config, &mut rng(3));
    let moved = |odd: usize| {
        let pairs = uneven.genes.iter().zip(&before).skip(odd).step_by(2);
        pairs
            .map(|(new, old)| f64::from((new - old).abs()))
            .sum::<f64>()
            / (count / 2.0)
    };
    assert!(
        moved(0) < 1e-4 && moved(1) > 0.5,
        "{} {}",
        moved(0),
        moved(1)
    );
    let mixed = parent.cross(&uneven, &config, &mut rng(4));
    for place in 0..mixed.genes.len() {
        let bits = |genome: &Mlp| genome.genes[place].to_bits();
        if bits(&parent) == bits(&uneven) {
            continue;
        }
        let own = bits(&mixed) == bits(&parent);
        let source = if own { &parent } else { &uneven };
        assert_eq!(
            mixed.sigmas[place].to_bits(),
            source.sigmas[place].to_bits()
        );
    }
}

#[test]
fn what_heavy_pieces_count_is_a_gene_within_its_bounds() {
    let (config, ports) = (adaptive(), pieces());
    let mut genome = Mlp::random(&config, &ports, &mut rng(1));
    assert_eq!(genome.heavy, Some(2.0));
    let (mut low, mut high) = (2.0_f32, 2.0_f32);
    for seed in 0..2000 {
        let before = genome.heavy.expect("it has one");
        genome.mutate(&config, &mut rng(seed));
        let after = genome.heavy.expect("it has one");
        assert!((after - before).abs() < 0.1001);
        (low, high) = (low.min(after), high.max(after));
    }
    assert_eq!((low, high), (1.0, 3.0));
    // A king is as much as so many men on its square.
    let outputs = |genome: &Mlp, features: [f32; 8]| {
        let mut out = Vec::new();
        let brain = genome.grow(&config, &ports);
        brain.think(Sight::one(&features), &mut Scratch::default(), &mut out);
        out[0]
    };
    genome.heavy = Some(1.0);
    let [man, king] = [
        [0., 1., 0., 0., 0., 0., 0., 0.],
        [0., 0., 0., 0., 0., 1., 0., 0.],
    ];
    assert_eq!(
        outputs(&genome, man).to_bits(),
        outputs(&genome, king).to_bits()
    );
    genome.heavy = Some(2.5);
    assert_ne!(
        outputs(&genome, man).to_bits(),
        outputs(&genome, king).to_bits()
    );
}

#[test]
fn a_gene_for_heavy_pieces_needs_some_and_unsound_ones_are_refused() {
    let told = |ports: &Ports| {
        let misfits = Mlp::misfits(&adaptive(), ports);
        misfits.iter().map(ToString::to_string).collect::<String>()
    };
    assert_eq!(told(&pieces()), "");
    assert!(told(&PORTS).contains("heavy_gene: needs a game with special pieces"));
    let genome = Mlp::random(&adaptive(), &pieces(), &mut rng(1));
    assert_eq!(genome.fault(&pieces()), None);
    let broken = |breaking: fn(&mut Mlp)| {
        let mut genome = genome.clone();
        breaking(&mut genome);
        genome.fault(&pieces()).expect("it is unsound")
    };
    assert!(broken(|genome| genome.heavy = Some(7.0)).contains("heavy is 7"));
    assert!(broken(|genome| genome.sigmas[3] = f32::NAN).contains("NaN is not a sigma"));
    let short = broken(|genome| genome.sigmas.truncate(2));
    assert!(short.contains("2 sigmas do not go with"), "{short}");
}
