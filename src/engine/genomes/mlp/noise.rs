//! Random numbers of three distributions, for initial weights and mutation. They are computed from
//! uniform numbers by arithmetic and square roots only, which give the same bits on every machine;
//! library logarithms do not.

use rand::RngExt;

use crate::params::choices;
use crate::rng::Stream;

choices! {
    /// A distribution of random numbers around 0.
    pub enum Noise {
        /// The normal distribution; sigma is its standard deviation.
        Normal = "normal",
        /// Equally likely within ±√3 sigma, so that sigma is the standard deviation (Porter &
        /// LeGrand, variation 5).
        Uniform = "uniform",
        /// The Cauchy distribution; sigma is its scale: half of the numbers are within ±sigma, a
        /// few are huge.
        Cauchy = "cauchy",
    }
}

/// Draws numbers from one distribution.
#[derive(Clone, Debug)]
pub(crate) struct Sampler {
    noise: Noise,
    sigma: f64,
    /// Normal numbers are generated in pairs; this is the second of a pair, if it is unused.
    spare: Option<f64>,
}

impl Sampler {
    pub(crate) fn new(noise: Noise, sigma: f64) -> Self {
        Self {
            noise,
            sigma,
            spare: None,
        }
    }

    pub(crate) fn draw(&mut self, rng: &mut Stream) -> f64 {
        let number = match self.noise {
            Noise::Normal => self.normal(rng),
            Noise::Uniform => 3.0_f64.sqrt() * rng.random_range(-1.0..1.0),
            Noise::Cauchy => cauchy(rng),
        };
        self.sigma * number
    }

    /// The polar method (Marsaglia & Bray 1964): a point in the unit circle gives two independent
    /// normal numbers.
    fn normal(&mut self, rng: &mut Stream) -> f64 {
        if let Some(number) = self.spare.take() {
            return number;
        }
        let (x, y, square) = point(rng);
        let stretch = (-2.0 * ln(square) / square).sqrt();
        self.spare = Some(y * stretch);
        x * stretch
    }
}

/// The slope of a random direction.
fn cauchy(rng: &mut Stream) -> f64 {
    loop {
        let (x, y, _) = point(rng);
        if x != 0.0 {
            return y / x;
        }
    }
}

/// A uniformly distributed point in the unit circle except its center, and the square of its
/// distance from the center.
fn point(rng: &mut Stream) -> (f64, f64, f64) {
    loop {
        let (x, y): (f64, f64) = (rng.random_range(-1.0..1.0), rng.random_range(-1.0..1.0));
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return (x, y, square);
        }
    }
}

/// The natural logarithm of a positive normal number to about 13 digits.
///
/// The number is split into m·2ⁿ with m between √½ and √2; ln m is 2 artanh((m − 1) / (m + 1)),
/// whose Taylor series falls by a factor of 34 or more from term to term.
pub(crate) fn ln(x: f64) -> f64 {
    const ONE: u64 = 1023 << 52;
    let half_root = std::f64::consts::FRAC_1_SQRT_2.to_bits();
    let exponent = (x.to_bits().wrapping_sub(half_root) as i64) >> 52;
    let mantissa = f64::from_bits(x.to_bits().wrapping_sub((exponent << 52) as u64));
    debug_assert!(mantissa.to_bits() < ONE + (1 << 52), "it is below 2");
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let y = s * s;
    let series = (0..8)
        .rev()
        .fold(0.0, |sum, term| sum * y + 1.0 / f64::from(2 * term + 1));
    exponent as f64 * std::f64::consts::LN_2 + 2.0 * s * series
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};

    /// The quartiles and the standard deviation of many numbers.
    fn drawn(noise: Noise, sigma: f64) -> ([f64; 3], f64) {
        let mut rng = stream(1, Purpose::Reproduction, 0, 0);
        let mut sampler = Sampler::new(noise, sigma);
        let count = 100_000;
        let mut numbers: Vec<f64> = (0..count).map(|_| sampler.draw(&mut rng)).collect();
        numbers.sort_by(f64::total_cmp);
        let squares: f64 = numbers.iter().map(|number| number * number).sum();
        let quartile = |place: usize| numbers[count * place / 4];
        (
            [quartile(1), quartile(2), quartile(3)],
            (squares / count as f64).sqrt(),
        )
    }

    fn check(noise: Noise, upper: f64) {
        for sigma in [1.0, 0.1] {
            let (quartiles, deviation) = drawn(noise, sigma);
            for (found, expected) in quartiles.into_iter().zip([-upper, 0.0, upper]) {
                let error = (found / sigma - expected).abs();
                assert!(error < 0.02, "{noise:?} {sigma}: {quartiles:?}");
            }
            let right = (deviation / sigma - 1.0).abs() < 0.02;
            assert_eq!(right, noise != Noise::Cauchy, "{noise:?}: {deviation}");
        }
    }

    #[test]
    fn each_distribution_has_its_quartiles_and_all_but_cauchy_have_sigma_as_standard_deviation() {
        check(Noise::Normal, 0.674_49);
        check(Noise::Uniform, 3.0_f64.sqrt() / 2.0);
        check(Noise::Cauchy, 1.0);
    }

    #[test]
    fn normal_numbers_are_beyond_two_and_three_sigma_as_often_as_they_should_be() {
        let mut rng = stream(2, Purpose::Reproduction, 0, 0);
        let mut sampler = Sampler::new(Noise::Normal, 1.0);
        let numbers: Vec<f64> = (0..100_000).map(|_| sampler.draw(&mut rng)).collect();
        let beyond = |bound: f64| numbers.iter().filter(|number| number.abs() > bound).count();
        assert!((4300..4800).contains(&beyond(2.0)), "{}", beyond(2.0));
        assert!((210..330).contains(&beyond(3.0)), "{}", beyond(3.0));
    }

    #[test]
    fn the_logarithm_is_exact_to_twelve_digits() {
        let mut x = 1e-300_f64;
        while x < 1e300 {
            let (found, exact) = (ln(x), x.ln());
            let error = (found - exact).abs();
            assert!(error <= 1e-12 * exact.abs().max(1.0), "ln({x}) = {found}");
            x *= 1.0037;
        }
        assert_eq!(ln(1.0).to_bits(), 0.0_f64.to_bits());
    }
}
