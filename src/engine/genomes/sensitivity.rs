//! The sensitivity of outputs to genes (Lehman, Chen, Clune & Stanley 2018, "Safe Mutations for
//! Deep and Recurrent Neural Networks through Output Gradients").

use crate::params::choices;

choices! {
    /// How the gradients of an output in several positions become one number. The sensitivity to a
    /// gene is the root of the sum of its squares over all outputs. Where places of the board share
    /// a gene, their gradients are summed first.
    pub enum GradientSum {
        /// Their mean: gradients of opposite signs cancel each other (SM-G-SUM).
        Signed = "sum",
        /// The mean of their absolute values (SM-G-ABS).
        Absolute = "abs",
    }
}
