//! Initialization, mutation and crossover follow the parameters, and invalid genomes are rejected.

use std::sync::{Arc, LazyLock};

use rand::RngExt;

use super::*;
use crate::genomes::{InputBatch, Scratch};
use crate::input_spec::InputSpec;
use crate::params::notation;
use crate::rng::{Purpose, stream};

static IO_SPEC: LazyLock<IoSpec> = LazyLock::new(|| IoSpec::new(64, 1));

fn rng(seed: u64) -> Stream {
    stream(seed, Purpose::Reproduction, 0, 0)
}

fn random(config: &MlpConfig, seed: u64) -> Mlp {
    Mlp::random(config, &IO_SPEC, &mut rng(seed))
}

/// A wide network, for statistics over many genes.
fn wide() -> MlpConfig {
    MlpConfig {
        hidden: vec![160],
        ..MlpConfig::default()
    }
}

/// The share of genes that are identical to the bit.
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
    assert_eq!(genome.validation_error(&IO_SPEC), None);
}

#[test]
fn each_shape_has_the_right_number_of_genes() {
    check_size(&[], true, 65, &[64, 1]);
    check_size(&[], false, 64, &[64, 1]);
    check_size(&[8], true, 529, &[64, 8, 1]);
    check_size(&[8], false, 520, &[64, 8, 1]);
    check_size(&[8, 3], true, 551, &[64, 8, 3, 1]);
    check_size(&[16, 4], true, 1113, &[64, 16, 4, 1]);
}

#[test]
fn initial_weights_have_the_configured_spread() {
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
    let brain = genome.grow(config, &IO_SPEC);
    brain.forward(
        InputBatch::single(inputs),
        &mut Scratch::default(),
        &mut out,
    );
    out[0]
}

#[test]
fn a_network_with_known_weights_ranks_positions_as_they_do() {
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
fn there_must_be_one_known_weight_per_input() {
    let config = MlpConfig {
        first_weights: vec![1.0; 63],
        ..MlpConfig::default()
    };
    let found = Mlp::io_problems(&config, &IO_SPEC);
    let expected = "first_weights: must list a weight for each of 64 inputs, lists 63";
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].to_string(), expected);
    assert_eq!(Mlp::io_problems(&MlpConfig::default(), &IO_SPEC), []);
    let deep = MlpConfig {
        hidden: vec![2; 9],
        ..MlpConfig::default()
    };
    assert_eq!(Mlp::problems(&deep).len(), 1);
}

#[test]
fn an_offspring_has_about_half_its_genes_from_each_parent() {
    let config = wide();
    let (one, other) = (random(&config, 1), random(&config, 2));
    let offspring = one.crossover(&other, &config, &mut rng(3));
    let (from_one, from_other) = (same(&offspring, &one), same(&offspring, &other));
    assert!((from_one - 0.5).abs() < 0.02, "{from_one}");
    assert!((from_one + from_other - 1.0).abs() < 1e-9);
    assert_eq!(one.crossover(&one, &config, &mut rng(3)), one);
}

/// The share of unchanged genes, and the standard deviation of the changes of the others.
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
fn mutation_changes_the_configured_share_of_genes_by_sigma() {
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
fn mutated_genes_stay_within_their_bound() {
    let config = MlpConfig {
        clamp: Some(0.5),
        ..wide()
    };
    let mut genome = random(&config, 1);
    genome.mutate(&config, &mut rng(2));
    let largest = genome
        .genes
        .iter()
        .fold(0f32, |most, gene| most.max(gene.abs()));
    assert!((largest - 0.5).abs() < 1e-6, "{largest}");
    let at_bound = genome
        .genes
        .iter()
        .filter(|gene| gene.abs() > 0.4999)
        .count();
    let share = at_bound as f64 / genome.genes.len() as f64;
    assert!(
        (0.68..0.78).contains(&share),
        "{share} of a normal distribution by √2"
    );
}

#[test]
fn reset_genes_do_not_depend_on_their_old_values() {
    let config = MlpConfig {
        reset_rate: 0.2,
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
fn genes_stay_within_their_bounds_and_outputs_are_finite() {
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
    assert_eq!(genome.validation_error(&IO_SPEC), None);
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

fn check_error(spoil: impl Fn(&mut Mlp), expected: &str) {
    let mut genome = random(&MlpConfig::default(), 1);
    spoil(&mut genome);
    let error = genome.validation_error(&IO_SPEC).unwrap_or_default();
    assert!(error.contains(expected), "`{error}`");
}

#[test]
fn an_invalid_genome_is_rejected_with_a_reason() {
    check_error(|genome| genome.layers[0] = 63, "63 inputs and 1 outputs");
    check_error(
        |genome| genome.layers[1] = 9,
        "529 genes do not match layers of [64, 9, 1]",
    );
    check_error(|genome| genome.layers[1] = u32::MAX, "529 genes");
    check_error(|genome| genome.layers[1] = 0, "none of them empty");
    check_error(|genome| genome.layers.truncate(1), "at least two layers");
    check_error(|genome| genome.biases = false, "529 genes");
    check_error(|genome| genome.genes[7] = f32::NAN, "NaN is not a weight");
    check_error(
        |genome| genome.genes[7] = 2e6,
        "2000000 is not a weight or bias within ±1000000",
    );
}

#[test]
fn the_dominant_genes_of_one_node_are_swapped() {
    let config = MlpConfig {
        hidden: vec![4, 3],
        crossover: MlpCrossover::DominantNode,
        ..MlpConfig::default()
    };
    let io_spec = IoSpec::new(5, 2);
    let mut exchanged = 0;
    for seed in 0..50 {
        let one = Mlp::random(&config, &io_spec, &mut rng(seed));
        let other = Mlp::random(&config, &io_spec, &mut rng(seed + 100));
        let [offspring, reciprocal] = one.crossover_both(&other, &config, &mut rng(seed + 200));
        let changed: Vec<usize> = (0..one.genes.len())
            .filter(|&gene| offspring.genes[gene].to_bits() != one.genes[gene].to_bits())
            .collect();
        for gene in 0..one.genes.len() {
            let pair = (offspring.genes[gene], reciprocal.genes[gene]);
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
            assert!(last - first < most, "they belong to one node");
            exchanged += 1;
        }
    }
    assert!(exchanged > 30);
}

#[test]
fn one_section_of_the_genes_is_swapped_with_its_sigmas() {
    let config = MlpConfig {
        crossover: MlpCrossover::Section,
        ..adaptive()
    };
    let io_spec = pieces();
    let count = random_adaptive(&config, 1, 0.05).genes.len();
    let (mut swapped, mut piece_values) = (vec![0; count], 0);
    for seed in 0..400 {
        let one = random_adaptive(&config, seed, 0.05);
        let other = random_adaptive(&config, seed + 1000, 0.1);
        let pair = one.crossover_both(&other, &config, &mut rng(seed + 2000));
        assert_eq!(
            pair[0],
            one.crossover(&other, &config, &mut rng(seed + 2000))
        );
        let is_swapped: Vec<bool> = (0..count)
            .map(|gene| pair[0].genes[gene].to_bits() == other.genes[gene].to_bits())
            .collect();
        let ends = is_swapped
            .windows(2)
            .filter(|pair| pair[0] != pair[1])
            .count();
        assert!(ends <= 2, "it is one section: {is_swapped:?}");
        for gene in 0..count {
            let values = |genome: &Mlp| (genome.genes[gene], genome.sigmas[gene]);
            let (mut first, mut second) = (values(&one), values(&other));
            if is_swapped[gene] {
                std::mem::swap(&mut first, &mut second);
                swapped[gene] += 1;
            }
            assert_eq!(pair.each_ref().map(values), [first, second]);
        }
        assert!(
            pair.iter()
                .all(|genome| genome.validation_error(&io_spec).is_none())
        );
        piece_values += i32::from(pair[0].piece_value == other.piece_value);
    }
    // Both ends are drawn: a gene in the middle is swapped in half of all cases, one at an end
    // hardly ever.
    assert!((160..240).contains(&swapped[count / 2]), "{swapped:?}");
    assert!(swapped[0] < 40 && swapped[count - 1] < 40, "{swapped:?}");
    assert!((160..240).contains(&piece_values), "{piece_values}");
}

/// A network for [`pieces`] with this sigma. The value of its special pieces depends on it.
fn random_adaptive(config: &MlpConfig, seed: u64, sigma: f32) -> Mlp {
    let mut genome = Mlp::random(config, &pieces(), &mut rng(seed));
    genome.sigmas.fill(sigma);
    genome.piece_value = Some(if sigma > 0.07 { 3.0 } else { 1.0 });
    genome
}

#[test]
fn two_genes_trade_places_at_the_configured_rate() {
    let swaps = |swap_rate: f64| {
        let config = MlpConfig {
            mutation_rate: 0.0,
            swap_rate,
            ..MlpConfig::default()
        };
        let mut swaps = 0;
        for seed in 0..200 {
            let mut before = random(&config, seed);
            let mut after = before.clone();
            after.mutate(&config, &mut rng(seed + 1000));
            let changed: Vec<usize> = (0..before.genes.len())
                .filter(|&gene| after.genes[gene].to_bits() != before.genes[gene].to_bits())
                .collect();
            if let [one, other] = changed[..] {
                before.genes.swap(one, other);
                swaps += 1;
            }
            assert_eq!(after, before);
        }
        swaps
    };
    assert_eq!(swaps(0.0), 0);
    assert_eq!(swaps(1.0), 200);
    assert!((40..80).contains(&swaps(0.3)), "{}", swaps(0.3));
}

#[test]
fn a_gene_takes_its_sigma_to_its_new_place() {
    let config = MlpConfig {
        mutation_rate: 0.0,
        swap_rate: 1.0,
        ..adaptive()
    };
    let before = random(&config, 1);
    let [kept, swapped] = [0.0, 1.0].map(|swap_rate| {
        let mut genome = before.clone();
        let config = MlpConfig {
            swap_rate,
            ..config.clone()
        };
        genome.mutate(&config, &mut rng(2));
        genome
    });
    let moved = |one: &[f32], other: &[f32]| -> Vec<usize> {
        let places = (0..one.len()).filter(|&place| one[place].to_bits() != other[place].to_bits());
        places.collect()
    };
    let places = moved(&kept.genes, &swapped.genes);
    assert_eq!(places.len(), 2);
    assert_eq!(moved(&kept.sigmas, &swapped.sigmas), places);
    assert_eq!(
        kept.sigmas[places[0]].to_bits(),
        swapped.sigmas[places[1]].to_bits()
    );
}

#[test]
fn a_network_of_one_gene_has_nothing_to_swap() {
    let config = MlpConfig {
        hidden: Vec::new(),
        biases: false,
        mutation_rate: 0.0,
        swap_rate: 1.0,
        ..MlpConfig::default()
    };
    let before = Mlp::random(&config, &IoSpec::new(1, 1), &mut rng(1));
    let mut after = before.clone();
    after.mutate(&config, &mut rng(2));
    assert_eq!(after, before);
}

/// Four squares, each with a feature for men and one for kings.
fn pieces() -> IoSpec {
    let squares = (0..4).map(|square| vec![(square, 1.0)]);
    let projection = InputProjection::new(squares.collect()).with_piece_value(2.0);
    IoSpec::of(
        InputSpec {
            projection: Some(Arc::new(projection)),
            ..InputSpec::new(4)
        },
        1,
    )
}

fn adaptive() -> MlpConfig {
    MlpConfig {
        sigma: 0.05,
        self_adaptive: true,
        piece_value_gene: true,
        ..wide()
    }
}

#[test]
fn sigmas_mutate_and_are_inherited_with_their_genes() {
    let (config, io_spec) = (adaptive(), IoSpec::new(64, 1));
    let parent = Mlp::random(&config, &io_spec, &mut rng(1));
    assert_eq!(parent.sigmas, vec![0.05; parent.genes.len()]);
    let mut offspring = parent.clone();
    offspring.mutate(&config, &mut rng(2));
    let count = offspring.sigmas.len() as f64;
    let logs = offspring
        .sigmas
        .iter()
        .map(|&sigma| f64::from(sigma / 0.05).ln());
    let [sum, squares] = logs.fold([0.0, 0.0], |[sum, squares], log| {
        [sum + log, squares + log * log]
    });
    let expected = 1.0 / (2.0 * count.sqrt()).sqrt();
    assert!((sum / count).abs() < 0.05 * expected);
    assert!(((squares / count).sqrt() / expected - 1.0).abs() < 0.03);
    // Genes with a large sigma change a lot, those with a small one hardly.
    let mut uneven = parent.clone();
    for (index, sigma) in uneven.sigmas.iter_mut().enumerate() {
        *sigma = if index % 2 == 0 { 1e-5 } else { 1.0 };
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
    let mixed = parent.crossover(&uneven, &config, &mut rng(4));
    for index in 0..mixed.genes.len() {
        let bits = |genome: &Mlp| genome.genes[index].to_bits();
        if bits(&parent) == bits(&uneven) {
            continue;
        }
        let own = bits(&mixed) == bits(&parent);
        let source = if own { &parent } else { &uneven };
        assert_eq!(
            mixed.sigmas[index].to_bits(),
            source.sigmas[index].to_bits()
        );
    }
}

#[test]
fn the_piece_value_gene_stays_within_its_range() {
    let (config, io_spec) = (adaptive(), pieces());
    let mut genome = Mlp::random(&config, &io_spec, &mut rng(1));
    assert_eq!(genome.piece_value, Some(2.0));
    let (mut low, mut high) = (2.0_f32, 2.0_f32);
    for seed in 0..2000 {
        let before = genome.piece_value.expect("it has one");
        genome.mutate(&config, &mut rng(seed));
        let after = genome.piece_value.expect("it has one");
        assert!((after - before).abs() < 0.1001);
        (low, high) = (low.min(after), high.max(after));
    }
    assert_eq!((low, high), (1.0, 3.0));
    // A king counts as much as `piece_value` men on its square.
    let outputs = |genome: &Mlp, features: [f32; 8]| {
        let mut out = Vec::new();
        let brain = genome.grow(&config, &io_spec);
        brain.forward(
            InputBatch::single(&features),
            &mut Scratch::default(),
            &mut out,
        );
        out[0]
    };
    genome.piece_value = Some(1.0);
    let [man, king] = [
        [0., 1., 0., 0., 0., 0., 0., 0.],
        [0., 0., 0., 0., 0., 1., 0., 0.],
    ];
    assert_eq!(
        outputs(&genome, man).to_bits(),
        outputs(&genome, king).to_bits()
    );
    genome.piece_value = Some(2.5);
    assert_ne!(
        outputs(&genome, man).to_bits(),
        outputs(&genome, king).to_bits()
    );
}

#[test]
fn the_piece_value_gene_needs_special_pieces_and_invalid_values_are_rejected() {
    let problems = |io_spec: &IoSpec| {
        let found = Mlp::io_problems(&adaptive(), io_spec);
        found.iter().map(ToString::to_string).collect::<String>()
    };
    assert_eq!(problems(&pieces()), "");
    assert!(problems(&IO_SPEC).contains("piece_value_gene: needs a game with special pieces"));
    let genome = Mlp::random(&adaptive(), &pieces(), &mut rng(1));
    assert_eq!(genome.validation_error(&pieces()), None);
    let broken = |breaking: fn(&mut Mlp)| {
        let mut genome = genome.clone();
        breaking(&mut genome);
        genome.validation_error(&pieces()).expect("it is invalid")
    };
    assert!(broken(|genome| genome.piece_value = Some(7.0)).contains("piece_value is 7"));
    assert!(broken(|genome| genome.sigmas[3] = f32::NAN).contains("NaN is not a sigma"));
    let short = broken(|genome| genome.sigmas.truncate(2));
    assert!(short.contains("2 sigmas do not match"), "{short}");
}
