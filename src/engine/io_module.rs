//! Parts of a board that are all alike, each with inputs and outputs of its own. A game names them;
//! a network can share its weights among them.

/// One of the parts of a board that are all alike, such as a box.
///
/// All parts of a board have equally many numbers in the same order, so that one small network fits
/// each of them. The outputs are those of an agent that has one for each possible move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IoModule {
    /// The inputs about the part itself.
    pub inputs: Vec<u32>,
    /// The inputs about what is around it, none of them about the part itself; `None` off the
    /// board.
    pub surroundings: Vec<Option<u32>>,
    /// The outputs of the moves in the part. An output may belong to several parts.
    pub outputs: Vec<u32>,
}
