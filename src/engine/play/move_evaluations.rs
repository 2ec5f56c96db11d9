//! What a brain thinks of each move of a position.

/// A brain's evaluation of a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MoveEvaluations {
    /// The legal moves in the game's order, each with its score.
    pub scores: Vec<(String, f32)>,
    /// The move that the brain chooses; `None` if it is illegal.
    pub chosen: Option<String>,
}

impl MoveEvaluations {
    /// Sorts the moves by score, the best first; NaN comes last.
    #[must_use]
    pub fn best_first(mut self) -> Self {
        let known = |score: f32| {
            if score.is_nan() {
                f32::NEG_INFINITY
            } else {
                score
            }
        };
        self.scores
            .sort_by(|a, b| known(b.1).total_cmp(&known(a.1)));
        self
    }
}
