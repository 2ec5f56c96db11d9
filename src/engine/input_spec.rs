//! The inputs of a network: how many there are, and what is known of them. It knows neither games,
//! which have them, nor genomes, which make use of what is known.

use std::sync::Arc;

use crate::board_geometry::BoardGeometry;
use crate::projection::InputProjection;

/// The inputs of a network, and the numbers that encode a position, its raw inputs. By default
/// nothing is known of them: a game names what it has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InputSpec {
    /// The number of inputs, after projection.
    pub count: usize,
    /// The projection from raw inputs to inputs; `None` if they are the same.
    pub projection: Option<Arc<InputProjection>>,
    /// The largest absolute value of a raw input, if all are whole numbers. Networks then keep sums
    /// of weighted inputs up to date from position to position, since no addition rounds. `None` if
    /// they may be fractions.
    pub whole: Option<u16>,
    /// The number of levels of each raw input, if all are whole numbers from 0 up to a level that
    /// is not high, such as the sizes of heaps. Empty otherwise.
    pub levels: Arc<[u16]>,
    /// Where the raw inputs lie on the board, if each of them stands for what is on a square, as a
    /// whole number. `None` otherwise.
    pub board: Option<Arc<BoardGeometry>>,
}

impl InputSpec {
    /// So many inputs of which nothing is known.
    pub fn new(count: usize) -> Self {
        Self {
            count,
            ..Self::default()
        }
    }

    /// The number of raw inputs, the length of a position's encoding.
    pub fn raw_count(&self) -> usize {
        let projection = self.projection.as_ref();
        projection.map_or(self.count, |projection| projection.count())
    }

    /// The inputs for these raw inputs; special pieces have their default value.
    pub fn project(&self, raw_inputs: Vec<f32>) -> Vec<f32> {
        self.project_with(raw_inputs, None)
    }

    /// The inputs for these raw inputs and this value of special pieces; `None` is the default.
    pub fn project_with(&self, raw_inputs: Vec<f32>, piece_value: Option<f32>) -> Vec<f32> {
        let Some(projection) = &self.projection else {
            return raw_inputs;
        };
        let mut inputs = vec![0.0; self.count];
        projection.project(&raw_inputs, piece_value, &mut inputs);
        inputs
    }
}
