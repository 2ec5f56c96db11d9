//! Activation functions over several values at a time. They use their own exponential, which
//! compiles to vector instructions and gives the same bits on every machine.

#![allow(
    clippy::inline_always,
    reason = "only what is part of the kernel that calls it is compiled for the kernel's \
        instructions"
)]

use std::array::from_fn;

use crate::params::choices;

choices! {
    /// An activation function, applied to the weighted sum of a node's inputs.
    pub enum Activation {
        /// x, or α(eˣ − 1) below 0 with α = 0.1.
        Elu = "elu",
        /// x, or 0 below 0: the rectifier.
        Relu = "relu",
        /// The hyperbolic tangent.
        Tanh = "tanh",
        /// 1 / (1 + e⁻ˣ).
        Sigmoid = "sigmoid",
        /// ln(1 + eˣ), a rectifier without a corner.
        Softplus = "softplus",
        /// ln(1 + eˣ) computed as it stands, in double precision: infinite above 709.78.
        PlainSoftplus = "plain_softplus",
        /// x / (1 + |x|).
        Softsign = "softsign",
        /// 1, or 0 below 0.
        Threshold = "threshold",
        /// x itself.
        Linear = "linear",
    }
}

/// Slope of ELU towards −∞; the value of Kissling's program (2025).
pub(super) const ELU_ALPHA: f32 = 0.1;

/// Below minus this, functions that approach 0 are constant; e⁻⁴⁰ is negligible in any sum.
/// Products of much smaller numbers are subnormal, which makes processors about a hundred times
/// slower: without this bound, games of networks with large weights took eight times as long.
pub(super) const FAR: f32 = 40.0;

/// Above this, eˣ is infinite in double precision.
pub(super) const OVERFLOW: f32 = 709.782_7;

/// Replaces each value x of many vectors. A macro, because the compiler need not inline a closure,
/// and a call for each value takes several times as long.
macro_rules! each {
    ($vectors:expr, |$x:ident| $value:expr) => {
        for value in $vectors.as_flattened_mut() {
            let $x = *value;
            *value = $value;
        }
    };
}

impl Activation {
    /// The lowest and the highest value that it comes close to, where there is one.
    pub fn range(self) -> [Option<f32>; 2] {
        match self {
            Self::Elu => [Some(-ELU_ALPHA), None],
            Self::Relu | Self::Softplus | Self::PlainSoftplus => [Some(0.0), None],
            Self::Tanh | Self::Softsign => [Some(-1.0), Some(1.0)],
            Self::Sigmoid | Self::Threshold => [Some(0.0), Some(1.0)],
            Self::Linear => [None; 2],
        }
    }

    /// Applies the function to each value. The constant length lets the compiler vectorize it.
    pub fn apply<const L: usize>(self, values: &mut [f32; L]) {
        self.apply_to_all(std::slice::from_mut(values));
    }

    /// Applies the function to each value of many vectors. It is inlined, so that it uses the
    /// instruction set of its caller; the results are the same with any instruction set.
    #[inline(always)]
    pub fn apply_to_all<const L: usize>(self, vectors: &mut [[f32; L]]) {
        match self {
            Self::Elu => each!(vectors, |x| elu(x)),
            Self::Relu => each!(vectors, |x| x.max(0.0)),
            Self::Tanh => each!(vectors, |x| 1.0 - 2.0 / (exp(2.0 * x) + 1.0)),
            Self::Sigmoid => each!(vectors, |x| 1.0 / (1.0 + exp((-x).min(FAR)))),
            Self::Softplus => softplus_to_all(vectors.as_flattened_mut()),
            // Infinity is added where eˣ overflows.
            Self::PlainSoftplus => each!(vectors, |x| softplus([x])[0]
                + (x - OVERFLOW).max(0.0) * f32::MAX * f32::MAX),
            Self::Softsign => each!(vectors, |x| x / (1.0 + x.abs())),
            Self::Threshold => each!(vectors, |x| if x >= 0.0 { 1.0 } else { 0.0 }),
            Self::Linear => {}
        }
    }

    /// Applies the function to each value of a slice.
    #[inline(always)]
    pub fn apply_to_slice(self, values: &mut [f32]) {
        const WIDE: usize = 8;
        let (vectors, rest) = values.as_chunks_mut::<WIDE>();
        self.apply_to_all(vectors);
        let (singles, _) = rest.as_chunks_mut::<1>();
        self.apply_to_all(singles);
    }

    /// The slope of the function where its value is `y`: the right-hand slope at a corner, 0 for
    /// the threshold.
    pub fn slope_at(self, y: f32) -> f32 {
        match self {
            Self::Elu if y < 0.0 => y + ELU_ALPHA,
            Self::Relu if y <= 0.0 => 0.0,
            Self::Elu | Self::Relu | Self::Linear => 1.0,
            Self::Tanh => 1.0 - y * y,
            Self::Sigmoid => y * (1.0 - y),
            Self::Softplus | Self::PlainSoftplus => 1.0 - exp(-y),
            Self::Softsign => (1.0 - y.abs()) * (1.0 - y.abs()),
            Self::Threshold => 0.0,
        }
    }
}

#[inline(always)]
fn elu(x: f32) -> f32 {
    if x > 0.0 {
        x
    } else {
        ELU_ALPHA * (exp(x) - 1.0)
    }
}

/// Values whose softplus is computed step by step together. A step waits for the one before it and
/// needs a constant, which is then loaded once for all; value by value, each vector takes up to 1.5
/// times as long (`benches/game.rs`).
const TOGETHER: usize = 32;

#[inline(always)]
fn softplus_to_all(values: &mut [f32]) {
    let (groups, rest) = values.as_chunks_mut::<TOGETHER>();
    for group in groups {
        *group = softplus(*group);
    }
    for value in rest {
        [*value] = softplus([*value]);
    }
}

/// The coefficients of 2 artanh(s) / s in s², the highest first.
pub(super) const ARTANH_SERIES: [f32; 5] = [
    2.0 * 0.140_788_9,
    2.0 * 0.139_825_8,
    2.0 * 0.200_122_98,
    2.0 * 0.333_331_6,
    2.0,
];

/// ln(1 + eˣ) as max(x, 0) + ln(1 + e⁻|ˣ|), which neither overflows nor cancels.
///
/// With t = e⁻|ˣ| in 0..1, the logarithm is 2 artanh(s) for s = t / (2 + t), at most 1/3. artanh(s)
/// / s is approximated by the polynomial in s² that interpolates it at the five Chebyshev nodes of
/// 0..1/9; the error is at most 4 parts in 10⁹. Its coefficients are doubled here.
///
/// Below −[`FAR`] it is constant, since the square of s would become subnormal.
#[inline(always)]
fn softplus<const L: usize>(values: [f32; L]) -> [f32; L] {
    let far: [f32; L] = from_fn(|i| -values[i].abs().min(FAR));
    let t = exp_of_all(&far);
    let s: [f32; L] = from_fn(|i| t[i] / (2.0 + t[i]));
    let squares: [f32; L] = from_fn(|i| s[i] * s[i]);
    let series = polynomial(&squares, ARTANH_SERIES);
    from_fn(|i| values[i].max(0.0) + s[i] * series[i])
}

/// The values of a polynomial, whose highest coefficient is the first.
#[inline(always)]
fn polynomial<const L: usize, const N: usize>(xs: &[f32; L], coefficients: [f32; N]) -> [f32; L] {
    let mut sums = [coefficients[0]; L];
    for &coefficient in &coefficients[1..] {
        sums = from_fn(|i| sums[i] * xs[i] + coefficient);
    }
    sums
}

/// Added and subtracted, it rounds to the nearest whole number: 1.5·2²³.
pub(super) const ROUND: f32 = 12_582_912.0;
/// ln 2 in two parts.
pub(super) const LN_2_HIGH: f32 = 0.693_359_4;
pub(super) const LN_2_LOW: f32 = -2.121_944_4e-4;
/// The polynomial of the exponential, the highest coefficient first.
pub(super) const CEPHES: [f32; 6] = [
    1.987_569_1e-4,
    1.398_2e-3,
    8.333_452e-3,
    4.166_579_6e-2,
    1.666_666_5e-1,
    0.5,
];
/// The arguments beyond which the exponential is constant.
pub(super) const EXP_RANGE: [f32; 2] = [-87.0, 88.0];

/// eˣ to within 2 units in the last place for −87 ≤ x ≤ 88; constant outside.
///
/// The argument is split into n·ln 2 + r with |r| ≤ ln 2 / 2, the polynomial is that of the Cephes
/// library's `expf` (Moshier 1992), and 2ⁿ is built from its bits. Adding 1.5·2²³ rounds to the
/// nearest integer without a library call.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    exp_within(x.clamp(EXP_RANGE[0], EXP_RANGE[1]))
}

/// [`exp`] for an argument known to be within its range.
#[inline(always)]
fn exp_within(x: f32) -> f32 {
    let [power] = exp_of_all(&[x]);
    power
}

/// [`exp`] for arguments known to be within its range.
#[inline(always)]
fn exp_of_all<const L: usize>(xs: &[f32; L]) -> [f32; L] {
    let shifted: [f32; L] = from_fn(|i| xs[i] * std::f32::consts::LOG2_E + ROUND);
    let rests: [f32; L] = from_fn(|i| {
        let n = shifted[i] - ROUND;
        (xs[i] - n * LN_2_HIGH) - n * LN_2_LOW
    });
    let p = polynomial(&rests, CEPHES);
    from_fn(|i| {
        let (p, r) = (p[i], rests[i]);
        let power = f32::from_bits((shifted[i].to_bits() << 23).wrapping_add(1.0_f32.to_bits()));
        (p * r * r + r + 1.0) * power
    })
}

#[cfg(test)]
impl Activation {
    pub(super) fn all() -> Vec<Self> {
        use crate::params::{ParamKind, Value};
        let ParamKind::Choice(names) = Self::kind() else {
            unreachable!("an activation is one of several");
        };
        let named = |name: &&str| Self::parse(name).expect("it is a name");
        names.iter().map(named).collect()
    }

    /// The definition in double precision, as a reference.
    pub(super) fn defined(self, x: f64) -> f64 {
        match self {
            Self::Elu if x > 0.0 => x,
            Self::Elu => f64::from(ELU_ALPHA) * x.exp_m1(),
            Self::Relu => x.max(0.0),
            Self::Tanh => x.tanh(),
            Self::Sigmoid => 1.0 / (1.0 + (-x).exp()),
            Self::Softplus => x.max(0.0) + (-x.abs()).exp().ln_1p(),
            Self::PlainSoftplus => x.exp().ln_1p(),
            Self::Softsign => x / (1.0 + x.abs()),
            Self::Threshold => f64::from(u8::from(x >= 0.0)),
            Self::Linear => x,
        }
    }
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

    /// Near 0, e²ˣ − 1 cancels, so the bound is absolute for functions through 0.
    #[test]
    fn each_function_agrees_with_its_definition_to_a_few_parts_in_ten_million() {
        let through_zero = [Activation::Elu, Activation::Tanh];
        for activation in Activation::all() {
            let mut x = -80.0_f32;
            while x < 80.0 {
                let mut values = [x];
                activation.apply(&mut values);
                let exact = activation.defined(f64::from(x));
                let error = (f64::from(values[0]) - exact).abs();
                let scale = if through_zero.contains(&activation) {
                    exact.abs().max(1.0)
                } else {
                    exact.abs()
                };
                let vanishing = [
                    Activation::Softplus,
                    Activation::PlainSoftplus,
                    Activation::Sigmoid,
                ];
                let tolerance = if vanishing.contains(&activation) {
                    5e-18
                } else {
                    0.0
                };
                let most = (4e-7 * scale).max(tolerance);
                assert!(error <= most, "{activation:?}({x}) = {}", values[0]);
                x += 0.0117;
            }
        }
    }

    #[test]
    fn each_function_is_finite_far_out_and_the_same_alone_as_in_a_vector() {
        for activation in Activation::all() {
            let xs = [-1e30, -1e6, -90.0, -0.3, 0.0, 0.7, 1e6, 1e30];
            let mut vectors = [xs; 3];
            activation.apply_to_all(&mut vectors);
            for (x, together) in xs.into_iter().zip(vectors[2]) {
                let mut alone = [x];
                activation.apply(&mut alone);
                assert_eq!(alone[0].to_bits(), together.to_bits());
                let overflows = activation == Activation::PlainSoftplus && x > OVERFLOW;
                assert_eq!(alone[0].is_finite(), !overflows, "{activation:?}({x})");
            }
        }
    }
}
