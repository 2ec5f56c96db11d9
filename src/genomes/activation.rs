//! Activation functions over a few values at a time. They use an exponential of our own, which compilers turn into vector
//! instructions and which gives the same bits on every machine.

use crate::params::choices;

choices! {
    /// What a hidden node does to the sum of its inputs.
    pub enum Activation {
        /// x, or α(eˣ − 1) below 0 with α = 0.1.
        Elu = "elu",
        /// x, or 0 below 0.
        Relu = "relu",
        /// The hyperbolic tangent.
        Tanh = "tanh",
        /// 1 / (1 + e⁻ˣ).
        Sigmoid = "sigmoid",
        /// x itself.
        Linear = "linear",
    }
}

/// Slope of ELU towards −∞; the value of Kissling's program (2025).
const ELU_ALPHA: f32 = 0.1;

impl Activation {
    /// Applies the function to each value. The number of values is known to the compiler, which makes vectors of them.
    pub fn apply<const L: usize>(self, values: &mut [f32; L]) {
        match self {
            Self::Elu => each(values, |x| {
                if x > 0.0 {
                    x
                } else {
                    ELU_ALPHA * (exp(x) - 1.0)
                }
            }),
            Self::Relu => each(values, |x| x.max(0.0)),
            Self::Tanh => each(values, |x| 1.0 - 2.0 / (exp(2.0 * x) + 1.0)),
            Self::Sigmoid => each(values, |x| 1.0 / (1.0 + exp(-x))),
            Self::Linear => {}
        }
    }
}

fn each<const L: usize>(values: &mut [f32; L], function: impl Fn(f32) -> f32) {
    for value in values {
        *value = function(*value);
    }
}

/// eˣ to within 2 units in the last place for −87 ≤ x ≤ 88, held at the ends outside.
///
/// The argument is split into n·ln 2 + r with |r| ≤ ln 2 / 2, the polynomial is that of the Cephes library's `expf` (Moshier
/// 1992), and 2ⁿ is built from its bits. Adding 1.5·2²³ rounds to the nearest integer without a library call.
pub fn exp(x: f32) -> f32 {
    const ROUND: f32 = 12_582_912.0;
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let x = x.clamp(-87.0, 88.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = (x - n * LN_2_HIGH) - n * LN_2_LOW;
    let p = 1.987_569_1e-4;
    let p = p * r + 1.398_2e-3;
    let p = p * r + 8.333_452e-3;
    let p = p * r + 4.166_579_6e-2;
    let p = p * r + 1.666_666_5e-1;
    let p = p * r + 0.5;
    let power = f32::from_bits((shifted.to_bits() << 23).wrapping_add(1.0_f32.to_bits()));
    (p * r * r + r + 1.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_exact_to_a_few_parts_in_ten_million() {
        let mut x = -87.0_f32;
        while x < 88.0 {
            let exact = f64::from(x).exp();
            let error = (f64::from(exp(x)) - exact).abs() / exact;
            assert!(error < 2.5e-7, "exp({x}) is off by {error}");
            x += 0.013;
        }
        assert_eq!(exp(0.0).to_bits(), 1.0_f32.to_bits());
        assert!(exp(1e9).is_finite() && exp(-1e9) > 0.0 && exp(f32::NAN).is_nan());
    }

    fn check(activation: Activation, x: f32, expected: f32) {
        let mut values = [x];
        activation.apply(&mut values);
        assert!(
            (values[0] - expected).abs() < 1e-6,
            "{activation:?}({x}) = {}",
            values[0]
        );
    }

    #[test]
    fn each_function_has_its_known_values() {
        check(Activation::Elu, 2.0, 2.0);
        check(Activation::Elu, -1.0, 0.1 * ((-1.0_f32).exp() - 1.0));
        check(Activation::Relu, -3.0, 0.0);
        check(Activation::Relu, 3.0, 3.0);
        check(Activation::Tanh, 0.5, 0.5_f32.tanh());
        check(Activation::Sigmoid, 0.0, 0.5);
        check(Activation::Linear, -7.0, -7.0);
    }
}
