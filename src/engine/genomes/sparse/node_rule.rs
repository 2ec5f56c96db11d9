//! What a node of a network of any shape computes: how it aggregates its weighted inputs, and a
//! function of the result. Products and periodic functions make parity easy, which is hard for sums
//! (Durbin & Rumelhart 1989).

#![allow(
    clippy::inline_always,
    reason = "only what is part of the kernel that calls it is compiled for the kernel's \
        instructions"
)]

use std::slice;

use crate::genomes::activation::Activation;
use crate::params::choices;

choices! {
    /// How a node aggregates its weighted inputs. The bias is added to the result.
    pub enum Aggregation {
        /// Their sum.
        Sum = "sum",
        /// Their product.
        Product = "product",
        /// The largest.
        Maximum = "maximum",
        /// The smallest.
        Minimum = "minimum",
        /// Their mean.
        Mean = "mean",
    }
}

choices! {
    /// A function of the aggregated inputs of a node.
    pub enum NodeFunction {
        /// x, or α(eˣ − 1) below 0 with α = 0.1.
        Elu = "elu",
        /// x, or 0 below 0.
        Relu = "relu",
        /// The hyperbolic tangent.
        Tanh = "tanh",
        /// 1 / (1 + e⁻ˣ).
        Sigmoid = "sigmoid",
        /// 1 / (1 + e^(−4.9 x)), the function of Stanley & Miikkulainen (2002).
        SteepSigmoid = "steep_sigmoid",
        /// ln(1 + eˣ).
        Softplus = "softplus",
        /// ln(1 + eˣ) computed as it stands, which is infinite above 709.78.
        PlainSoftplus = "plain_softplus",
        /// x / (1 + |x|).
        Softsign = "softsign",
        /// 1, or 0 below 0.
        Threshold = "threshold",
        /// x itself.
        Linear = "linear",
        /// The sine.
        Sine = "sine",
        /// The cosine.
        Cosine = "cosine",
        /// |x|.
        Absolute = "absolute",
    }
}

impl From<Activation> for NodeFunction {
    fn from(activation: Activation) -> Self {
        match activation {
            Activation::Elu => Self::Elu,
            Activation::Relu => Self::Relu,
            Activation::Tanh => Self::Tanh,
            Activation::Sigmoid => Self::Sigmoid,
            Activation::Softplus => Self::Softplus,
            Activation::PlainSoftplus => Self::PlainSoftplus,
            Activation::Softsign => Self::Softsign,
            Activation::Threshold => Self::Threshold,
            Activation::Linear => Self::Linear,
        }
    }
}

/// The slope of the steep sigmoid at 0, four times.
pub(in crate::genomes) const STEEPNESS: f32 = 4.9;

impl NodeFunction {
    /// Replaces each value by that of the function.
    #[inline(always)]
    pub(in crate::genomes) fn apply<const L: usize>(self, values: &mut [f32; L]) {
        let activation = match self {
            Self::Elu => Activation::Elu,
            Self::Relu => Activation::Relu,
            Self::Tanh => Activation::Tanh,
            Self::Sigmoid => Activation::Sigmoid,
            Self::Softplus => Activation::Softplus,
            Self::PlainSoftplus => Activation::PlainSoftplus,
            Self::Softsign => Activation::Softsign,
            Self::Threshold => Activation::Threshold,
            Self::Linear => return,
            Self::SteepSigmoid => {
                *values = values.map(|x| STEEPNESS * x);
                Activation::Sigmoid
            }
            Self::Sine => return *values = values.map(sine),
            Self::Cosine => return *values = values.map(cosine),
            Self::Absolute => return *values = values.map(f32::abs),
        };
        activation.apply_to_all(slice::from_mut(values));
    }
}

/// What a node computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::genomes) struct NodeRule {
    /// How it aggregates its weighted inputs.
    pub(in crate::genomes) aggregation: Aggregation,
    /// The function of the result and the bias.
    pub(in crate::genomes) function: NodeFunction,
}

impl NodeRule {
    /// A function of the weighted sum.
    pub(in crate::genomes) fn sum(function: NodeFunction) -> Self {
        Self {
            aggregation: Aggregation::Sum,
            function,
        }
    }
}

/// Arguments of periodic functions are kept within this, where they are known to a few thousandths.
pub(in crate::genomes) const FARTHEST: f32 = 30_000.0;

/// The sine, to within 4·10⁻⁷ where the argument is exact. It compiles to vector instructions and
/// gives the same bits on every machine.
///
/// The nearest multiple of π is subtracted in three parts. The polynomial is the Taylor series to
/// the eleventh power, whose error is at most 6·10⁻⁸ up to π/2.
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

/// The nearest whole number, and a number with the sign bit set if it is odd. Adding 1.5·2²³ rounds
/// without a library call.
#[inline(always)]
fn nearest(x: f32) -> [f32; 2] {
    const ROUND: f32 = 12_582_912.0;
    let shifted = x + ROUND;
    let odd = shifted.to_bits() << 31;
    [shifted - ROUND, f32::from_bits(odd)]
}

/// π in three parts.
pub(in crate::genomes) const PI_PARTS: [f32; 3] = [3.140_625, 9.670_257_6e-4, 6.277_114e-7];

/// The coefficients of sin(x) / x³ − 1 / x² in x², the highest first.
pub(in crate::genomes) const SINE_SERIES: [f32; 5] = [
    -1.0 / 39_916_800.0,
    1.0 / 362_880.0,
    -1.0 / 5040.0,
    1.0 / 120.0,
    -1.0 / 6.0,
];

/// The sine of what is left of `x` after some half turns, with the opposite sign if `parity` has
/// it.
#[inline(always)]
fn alternating(x: f32, half_turns: f32, parity: f32) -> f32 {
    let [high, middle, low] = PI_PARTS;
    let rest = ((x - half_turns * high) - half_turns * middle) - half_turns * low;
    let square = rest * rest;
    let mut series = SINE_SERIES[0];
    for coefficient in &SINE_SERIES[1..] {
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
