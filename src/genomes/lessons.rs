//! What networks are taught from, as numbers. It knows neither game nor teacher.

/// Rows of inputs, and what each output should be for them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lessons {
    rows: Vec<Lesson>,
}

/// One row.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    pub inputs: Vec<f32>,
    /// `None` where the output does not matter.
    pub targets: Vec<Option<f32>>,
}

impl Lessons {
    pub fn push(&mut self, lesson: Lesson) {
        self.rows.push(lesson);
    }

    pub fn rows(&self) -> &[Lesson] {
        &self.rows
    }
}
