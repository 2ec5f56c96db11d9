//! The functions of nodes as operations, step by step as the brains compute them.

use crate::genomes::activation::{self as own, Activation};
use crate::genomes::sparse::node_rule::{self as rule, NodeFunction};

use super::{Binary, Op, OpGraph, Unary, ValueId};

/// The exponents of two that the exponential needs.
const EXPONENTS: std::ops::RangeInclusive<i32> = -126..=127;

/// Applies an activation function.
pub(super) fn activation(graph: &mut OpGraph, activation: Activation, x: ValueId) -> ValueId {
    match activation {
        Activation::Elu => {
            // One of the two terms is 0.
            let negative = graph.with(Binary::Minimum, x, 0.0);
            let power = exp(graph, negative);
            let rest = graph.with(Binary::Subtract, power, 1.0);
            let rest = graph.with(Binary::Multiply, rest, own::ELU_ALPHA);
            let positive = graph.with(Binary::Maximum, x, 0.0);
            graph.pair(Binary::Add, positive, rest)
        }
        Activation::Relu => graph.with(Binary::Maximum, x, 0.0),
        Activation::Tanh => {
            let doubled = graph.with(Binary::Multiply, x, 2.0);
            let power = exp(graph, doubled);
            let denominator = graph.with(Binary::Add, power, 1.0);
            let share = graph.number_with(Binary::Divide, 2.0, denominator);
            graph.number_with(Binary::Subtract, 1.0, share)
        }
        Activation::Sigmoid => {
            let negated = graph.with(Binary::Multiply, x, -1.0);
            let bounded = graph.with(Binary::Minimum, negated, own::FAR);
            let power = exp(graph, bounded);
            let denominator = graph.with(Binary::Add, power, 1.0);
            graph.number_with(Binary::Divide, 1.0, denominator)
        }
        Activation::Softplus => softplus(graph, x),
        Activation::PlainSoftplus => {
            let finite = softplus(graph, x);
            let excess = graph.with(Binary::Subtract, x, own::OVERFLOW);
            let excess = graph.with(Binary::Maximum, excess, 0.0);
            let excess = graph.with(Binary::Multiply, excess, f32::MAX);
            let excess = graph.with(Binary::Multiply, excess, f32::MAX);
            graph.pair(Binary::Add, finite, excess)
        }
        Activation::Softsign => {
            let size = graph.push(Op::Each(Unary::Absolute, x));
            let denominator = graph.with(Binary::Add, size, 1.0);
            graph.pair(Binary::Divide, x, denominator)
        }
        Activation::Threshold => graph.push(Op::Each(Unary::Step, x)),
        Activation::Linear => x,
    }
}

fn softplus(graph: &mut OpGraph, x: ValueId) -> ValueId {
    let size = graph.push(Op::Each(Unary::Absolute, x));
    let far = graph.with(Binary::Minimum, size, own::FAR);
    let far = graph.with(Binary::Multiply, far, -1.0);
    let t = exp_within(graph, far);
    let denominator = graph.with(Binary::Add, t, 2.0);
    let s = graph.pair(Binary::Divide, t, denominator);
    let square = graph.pair(Binary::Multiply, s, s);
    let series = polynomial(graph, square, &own::ARTANH_SERIES);
    let logarithm = graph.pair(Binary::Multiply, s, series);
    let positive = graph.with(Binary::Maximum, x, 0.0);
    graph.pair(Binary::Add, positive, logarithm)
}

fn polynomial(graph: &mut OpGraph, x: ValueId, coefficients: &[f32]) -> ValueId {
    let (first, others) = coefficients.split_first().expect("there are coefficients");
    let mut sum = graph.number(*first);
    for &coefficient in others {
        let product = graph.pair(Binary::Multiply, x, sum);
        sum = graph.with(Binary::Add, product, coefficient);
    }
    sum
}

fn exp(graph: &mut OpGraph, x: ValueId) -> ValueId {
    let bounded = graph.clamp(x, own::EXP_RANGE[0], own::EXP_RANGE[1]);
    exp_within(graph, bounded)
}

/// The exponential of [`own::exp`]. The power of two comes from a table, since operations do not
/// see bits.
fn exp_within(graph: &mut OpGraph, x: ValueId) -> ValueId {
    let scaled = graph.with(Binary::Multiply, x, std::f32::consts::LOG2_E);
    let n = nearest(graph, scaled);
    let high = graph.with(Binary::Multiply, n, own::LN_2_HIGH);
    let low = graph.with(Binary::Multiply, n, own::LN_2_LOW);
    let rest = graph.pair(Binary::Subtract, x, high);
    let rest = graph.pair(Binary::Subtract, rest, low);
    let p = polynomial(graph, rest, &own::CEPHES);
    let p = graph.pair(Binary::Multiply, p, rest);
    let p = graph.pair(Binary::Multiply, p, rest);
    let p = graph.pair(Binary::Add, p, rest);
    let p = graph.with(Binary::Add, p, 1.0);
    let place = graph.with(Binary::Subtract, n, *EXPONENTS.start() as f32);
    let powers = EXPONENTS.map(|exponent| 2.0_f32.powi(exponent)).collect();
    let power = graph.push(Op::Lookup(place, powers));
    graph.pair(Binary::Multiply, p, power)
}

/// The nearest whole number.
fn nearest(graph: &mut OpGraph, x: ValueId) -> ValueId {
    let shifted = graph.with(Binary::Add, x, own::ROUND);
    graph.with(Binary::Subtract, shifted, own::ROUND)
}

/// Applies the function of a node.
pub(super) fn node_function(graph: &mut OpGraph, function: NodeFunction, x: ValueId) -> ValueId {
    let named = match function {
        NodeFunction::Elu => Activation::Elu,
        NodeFunction::Relu => Activation::Relu,
        NodeFunction::Tanh => Activation::Tanh,
        NodeFunction::Sigmoid => Activation::Sigmoid,
        NodeFunction::Softplus => Activation::Softplus,
        NodeFunction::PlainSoftplus => Activation::PlainSoftplus,
        NodeFunction::Softsign => Activation::Softsign,
        NodeFunction::Threshold => Activation::Threshold,
        NodeFunction::Linear => Activation::Linear,
        NodeFunction::SteepSigmoid => {
            let steep = graph.with(Binary::Multiply, x, rule::STEEPNESS);
            return activation(graph, Activation::Sigmoid, steep);
        }
        NodeFunction::Sine => return sine(graph, x, 0.0),
        NodeFunction::Cosine => {
            let opposite = sine(graph, x, 0.5);
            return graph.with(Binary::Multiply, opposite, -1.0);
        }
        NodeFunction::Absolute => return graph.push(Op::Each(Unary::Absolute, x)),
    };
    activation(graph, named, x)
}

/// The sine of the distance from the nearest zero that is this many half turns from a multiple of
/// π, with alternating signs.
fn sine(graph: &mut OpGraph, x: ValueId, offset: f32) -> ValueId {
    let x = graph.clamp(x, -rule::FARTHEST, rule::FARTHEST);
    let turns = graph.with(Binary::Multiply, x, std::f32::consts::FRAC_1_PI);
    let turns = graph.with(Binary::Subtract, turns, offset);
    let n = nearest(graph, turns);
    let half_turns = graph.with(Binary::Add, n, offset);
    let mut rest = x;
    for part in rule::PI_PARTS {
        let product = graph.with(Binary::Multiply, half_turns, part);
        rest = graph.pair(Binary::Subtract, rest, product);
    }
    let square = graph.pair(Binary::Multiply, rest, rest);
    let series = polynomial(graph, square, &rule::SINE_SERIES);
    let term = graph.pair(Binary::Multiply, rest, square);
    let term = graph.pair(Binary::Multiply, term, series);
    let value = graph.pair(Binary::Add, rest, term);
    // 1 for even numbers of half turns, and −1 for odd ones.
    let half = graph.with(Binary::Multiply, n, 0.5);
    let pairs = graph.push(Op::Each(Unary::Floor, half));
    let even = graph.with(Binary::Multiply, pairs, 2.0);
    let odd = graph.pair(Binary::Subtract, n, even);
    let twice = graph.with(Binary::Multiply, odd, 2.0);
    let sign = graph.number_with(Binary::Subtract, 1.0, twice);
    graph.pair(Binary::Multiply, value, sign)
}
