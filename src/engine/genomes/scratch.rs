//! Memory that is kept from one evaluation to the next.

use std::any::Any;

use super::mlp;

/// Scratch memory for [`Brain::forward`](super::Brain::forward), kept by the caller so that no move
/// allocates memory.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(super) values: Vec<f32>,
    pub(super) next: Vec<f32>,
    pub(super) base_rows: mlp::BaseRows,
    pub(super) prefix_sums: Vec<f64>,
    pub(super) sums: Vec<f64>,
    pub(super) terms: Vec<(u32, f64)>,
    pub(super) recent_signs: mlp::RecentSigns,
    /// The buffers of brains that have their own, each of another type.
    buffers: Vec<Box<dyn Any + Send + Sync>>,
}

impl Scratch {
    /// The buffers of a brain that needs memory of its own: one value of this type, as the last
    /// evaluation left it.
    pub fn buffers<T: Any + Default + Send + Sync>(&mut self) -> &mut T {
        let place = self.buffers.iter().position(|kept| kept.is::<T>());
        let place = place.unwrap_or_else(|| {
            self.buffers.push(Box::<T>::default());
            self.buffers.len() - 1
        });
        let kept = self.buffers[place].downcast_mut();
        kept.expect("it was looked for by its type")
    }
}
