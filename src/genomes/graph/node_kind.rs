//! What a hidden node computes: by default the activation function of the network of a weighted sum. Products and periodic
//! functions make parity easy, which is hard for sums (Durbin & Rumelhart 1989).

#![allow(
    clippy::inline_always,
    reason = "only what is part of the kernel that calls it is compiled for the kernel's instructions"
)]

use serde::{Deserialize, Serialize};

use crate::genomes::activation::Activation;
use crate::genomes::weighted;
use crate::rng::Stream;

use super::GraphConfig;

/// What a hidden node computes from its weighted inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum NodeKind {
    /// The activation function of the network, of their sum and the bias.
    #[default]
    Plain,
    /// Their product, plus the bias.
    Product,
    /// The sine of their sum and the bias.
    Sine,
    /// The cosine of their sum and the bias.
    Cosine,
    /// 1, or 0 if their sum and the bias are below 0.
    Step,
    /// The absolute value of their sum and the bias.
    Absolute,
}

impl NodeKind {
    /// A kind for a new node, drawn by the configured weights. If there is nothing to choose, no random number is drawn.
    pub(super) fn draw(config: &GraphConfig, rng: &mut Stream) -> Self {
        let table = [
            (config.plain_nodes, Self::Plain),
            (config.product_nodes, Self::Product),
            (config.sine_nodes, Self::Sine),
            (config.cosine_nodes, Self::Cosine),
            (config.step_nodes, Self::Step),
            (config.absolute_nodes, Self::Absolute),
        ];
        if table[1..].iter().all(|&(weight, _)| weight <= 0.0) {
            return Self::Plain;
        }
        weighted::draw(&table, rng).unwrap_or_default()
    }

    /// The word before the number of such a node; `None` for plain ones.
    pub(super) fn word(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Product => Some("prod"),
            Self::Sine => Some("sin"),
            Self::Cosine => Some("cos"),
            Self::Step => Some("step"),
            Self::Absolute => Some("abs"),
        }
    }

    /// Replaces the sums, or products, by the values of the node.
    #[inline(always)]
    pub(super) fn apply<const L: usize>(self, activation: Activation, values: &mut [f32; L]) {
        match self {
            Self::Plain => activation.apply_to_all(std::slice::from_mut(values)),
            Self::Product => {}
            Self::Sine => *values = values.map(sine),
            Self::Cosine => *values = values.map(cosine),
            Self::Step => Activation::Threshold.apply_to_all(std::slice::from_mut(values)),
            Self::Absolute => *values = values.map(f32::abs),
        }
    }
}

/// Arguments of periodic functions are kept within this, where they are known to a few thousandths.
const FARTHEST: f32 = 30_000.0;

/// The sine, to within 4·10⁻⁷ where the argument is exact. It compiles to vector instructions and gives the same bits on every
/// machine.
///
/// The nearest multiple of π is subtracted in three parts. The polynomial is the Taylor series to the eleventh power, whose error is
/// at most 6·10⁻⁸ up to π/2.
#[inline(always)]
fn sine(x: f32) -> f32 {
    let x = x.clamp(-FARTHEST, FARTHEST);
    let [half_turns, parity] = nearest(x * std::f32::consts::FRAC_1_PI);
    alternating(x, half_turns, parity)
}

/// The cosine, as [`sine`], from the nearest odd multiple of π/2.
#[inline(always)]
fn cosine(x: f32) -> f32 {
    let x = x.clamp(-FARTHEST, FARTHEST);
    let [half_turns, parity] = nearest(x * std::f32::consts::FRAC_1_PI - 0.5);
    // cos x = −sin(x − π/2), and x − (n + 1/2)π is the same distance from the nearest zero.
    -alternating(x, half_turns + 0.5, parity)
}

/// The nearest whole number, and a number with the sign bit set if it is odd. Adding 1.5·2²³ rounds without a library call.
#[inline(always)]
fn nearest(x: f32) -> [f32; 2] {
    const ROUND: f32 = 12_582_912.0;
    let shifted = x + ROUND;
    let odd = shifted.to_bits() << 31;
    [shifted - ROUND, f32::from_bits(odd)]
}

/// The sine of what is left of `x` after some half turns, with the opposite sign if `parity` has it.
#[inline(always)]
fn alternating(x: f32, half_turns: f32, parity: f32) -> f32 {
    const PI_HIGH: f32 = 3.140_625;
    const PI_MIDDLE: f32 = 9.670_257_6e-4;
    const PI_LOW: f32 = 6.277_114e-7;
    const SERIES: [f32; 5] = [
        -1.0 / 39_916_800.0,
        1.0 / 362_880.0,
        -1.0 / 5040.0,
        1.0 / 120.0,
        -1.0 / 6.0,
    ];
    let rest = ((x - half_turns * PI_HIGH) - half_turns * PI_MIDDLE) - half_turns * PI_LOW;
    let square = rest * rest;
    let mut series = SERIES[0];
    for coefficient in &SERIES[1..] {
        series = series * square + coefficient;
    }
    let value = rest + rest * square * series;
    f32::from_bits(value.to_bits() ^ parity.to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sine_and_cosine_agree_with_their_definitions() {
        let mut x = -120.0_f32;
        while x < 120.0 {
            let exact = f64::from(x);
            for (ours, theirs) in [(sine(x), exact.sin()), (cosine(x), exact.cos())] {
                let error = (f64::from(ours) - theirs).abs();
                assert!(error < 4e-7, "at {x}: {ours}, not {theirs}");
            }
            x += 0.0117;
        }
        for far in [1e4, -3e7, 1e30, f32::MAX] {
            assert!(
                sine(far).abs() <= 1.001 && cosine(far).abs() <= 1.001,
                "{far}"
            );
        }
    }

    #[test]
    fn whole_half_turns_alternate_which_tells_even_from_odd() {
        for heap in 0..100_u16 {
            let sign = if heap % 2 == 0 { 1.0 } else { -1.0 };
            let value = cosine(f32::from(heap) * std::f32::consts::PI);
            assert!((value - sign).abs() < 1e-4, "{heap}: {value}");
        }
    }
}
