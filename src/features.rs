//! Inputs of a network that are sums of simpler numbers. A game writes the simple ones down, its features, of which few change
//! with a move; a network adds up its first layer over them as if they were its inputs.

/// How features add up to inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Features {
    /// For each feature the inputs it is added to, and how many times.
    feeds: Vec<Vec<(u32, f32)>>,
    /// From which feature on they are heavy, and how many times as much those count, unless a genome knows better.
    heavy: usize,
    weight: f32,
}

impl Features {
    /// Features that all count alike.
    pub fn new(feeds: Vec<Vec<(u32, f32)>>) -> Self {
        Self {
            heavy: feeds.len(),
            feeds,
            weight: 1.0,
        }
    }

    /// The same features again behind these, as heavy ones: the kings behind the men.
    #[must_use]
    pub fn and_heavy(mut self, weight: f32) -> Self {
        self.heavy = self.feeds.len();
        self.feeds.extend_from_within(..);
        self.weight = weight;
        self
    }

    /// How many features there are.
    pub fn count(&self) -> usize {
        self.feeds.len()
    }

    /// How many times as much as others heavy features count; `None` where there are none.
    pub fn weight(&self) -> Option<f32> {
        (self.heavy < self.feeds.len()).then_some(self.weight)
    }

    /// The inputs that a feature is added to, and how many times, where heavy ones count `weight` times as much.
    pub fn feeds(&self, feature: usize, weight: f32) -> impl Iterator<Item = (usize, f64)> {
        let weight = if feature < self.heavy { 1.0 } else { weight };
        let feeds = self.feeds[feature].iter();
        feeds.map(move |&(input, times)| (input as usize, f64::from(times) * f64::from(weight)))
    }

    /// Writes the inputs that the features add up to; heavy ones count `weight` times as much as others, or as they do by themselves.
    pub fn add_up(&self, features: &[f32], weight: Option<f32>, inputs: &mut [f32]) {
        let weight = weight.unwrap_or(self.weight);
        inputs.fill(0.0);
        for (feature, &value) in features.iter().enumerate() {
            if value == 0.0 {
                continue;
            }
            for (input, times) in self.feeds(feature, weight) {
                inputs[input] += value * times as f32;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_add_up_and_heavy_ones_count_for_more() {
        let plain = Features::new(vec![vec![(0, 1.0)], vec![(0, 1.0), (1, 0.5)]]);
        let mut inputs = vec![9.0; 2];
        plain.add_up(&[1.0, -1.0], Some(3.0), &mut inputs);
        assert_eq!((&inputs, plain.weight()), (&vec![0.0, -0.5], None));
        let kings = plain.and_heavy(1.5);
        assert_eq!((kings.count(), kings.weight()), (4, Some(1.5)));
        kings.add_up(&[1.0, 0.0, 0.0, 1.0], Some(2.0), &mut inputs);
        assert_eq!(inputs, vec![3.0, 1.0]);
        kings.add_up(&[1.0, 0.0, 0.0, 1.0], None, &mut inputs);
        assert_eq!(inputs, vec![2.5, 0.75]);
    }
}
