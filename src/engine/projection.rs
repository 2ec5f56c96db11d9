//! Network inputs that are weighted sums of simpler numbers, the features. A game encodes features,
//! few of which change with a move; a network folds the sums into the weights of its first layer.

/// A linear map from features to network inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct InputProjection {
    /// For each feature, the inputs it is added to and the factor for each.
    terms: Vec<Vec<(u32, f32)>>,
    /// The first feature that stands for special pieces.
    special_start: usize,
    piece_value: f32,
}

impl InputProjection {
    /// A projection without special pieces.
    pub fn new(terms: Vec<Vec<(u32, f32)>>) -> Self {
        Self {
            special_start: terms.len(),
            terms,
            piece_value: 1.0,
        }
    }

    /// Appends a copy of all features for special pieces, such as kings after men, multiplied by
    /// `piece_value`.
    #[must_use]
    pub fn with_piece_value(mut self, piece_value: f32) -> Self {
        self.special_start = self.terms.len();
        self.terms.extend_from_within(..);
        self.piece_value = piece_value;
        self
    }

    /// The number of features.
    pub fn count(&self) -> usize {
        self.terms.len()
    }

    /// The default value of a special piece, relative to other pieces; `None` without special
    /// pieces.
    pub fn piece_value(&self) -> Option<f32> {
        (self.special_start < self.terms.len()).then_some(self.piece_value)
    }

    /// The inputs that a feature is added to and the factor for each. Features of special pieces
    /// are multiplied by `piece_value`.
    pub fn terms(&self, feature: usize, piece_value: f32) -> impl Iterator<Item = (usize, f64)> {
        let piece_value = if feature < self.special_start {
            1.0
        } else {
            piece_value
        };
        let terms = self.terms[feature].iter();
        terms.map(move |&(input, factor)| {
            (input as usize, f64::from(factor) * f64::from(piece_value))
        })
    }

    /// Writes the inputs for these features. `piece_value` is the value of special pieces; `None`
    /// takes the default.
    pub fn project(&self, features: &[f32], piece_value: Option<f32>, inputs: &mut [f32]) {
        let piece_value = piece_value.unwrap_or(self.piece_value);
        inputs.fill(0.0);
        for (feature, &value) in features.iter().enumerate() {
            if value == 0.0 {
                continue;
            }
            for (input, factor) in self.terms(feature, piece_value) {
                inputs[input] += value * factor as f32;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_summed_and_special_pieces_count_more() {
        let projection = InputProjection::new(vec![vec![(0, 1.0)], vec![(0, 1.0), (1, 0.5)]]);
        let mut inputs = vec![9.0; 2];
        projection.project(&[1.0, -1.0], Some(3.0), &mut inputs);
        assert_eq!(
            (&inputs, projection.piece_value()),
            (&vec![0.0, -0.5], None)
        );
        let with_kings = projection.with_piece_value(1.5);
        assert_eq!(
            (with_kings.count(), with_kings.piece_value()),
            (4, Some(1.5))
        );
        with_kings.project(&[1.0, 0.0, 0.0, 1.0], Some(2.0), &mut inputs);
        assert_eq!(inputs, vec![3.0, 1.0]);
        with_kings.project(&[1.0, 0.0, 0.0, 1.0], None, &mut inputs);
        assert_eq!(inputs, vec![2.5, 0.75]);
    }
}
