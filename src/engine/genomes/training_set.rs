//! Examples for supervised training. It depends neither on a game nor on a teacher.

/// Rows of inputs with the target of each output.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrainingSet {
    examples: Vec<TrainingExample>,
}

/// One example.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingExample {
    /// The network inputs.
    pub inputs: Vec<f32>,
    /// The target of each output; `None` if the output is not trained.
    pub targets: Vec<Option<f32>>,
}

impl TrainingSet {
    /// Adds an example at the end.
    pub fn push(&mut self, example: TrainingExample) {
        self.examples.push(example);
    }

    /// The examples in the order in which they were added.
    pub fn examples(&self) -> &[TrainingExample] {
        &self.examples
    }
}
