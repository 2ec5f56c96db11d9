//! Heaps as numbers that networks read.

use super::config::{NimConfig, NimEncoding};

/// The number of levels of each input.
pub(super) fn levels(config: &NimConfig) -> Vec<u16> {
    let heaps = config.heaps.iter();
    match config.encoding {
        NimEncoding::Counts => heaps.map(|&size| size + 1).collect(),
        NimEncoding::Cells | NimEncoding::Unary => {
            vec![2; heaps.map(|&size| usize::from(size)).sum()]
        }
    }
}

/// Writes the inputs of heaps of these sizes.
pub(super) fn encode(config: &NimConfig, sizes: &[u16], out: &mut [f32]) {
    if config.encoding == NimEncoding::Counts {
        for (input, &size) in out.iter_mut().zip(sizes) {
            *input = size.into();
        }
        return;
    }
    out.fill(0.0);
    for (heap, &size) in sizes.iter().enumerate() {
        let first = first_cell(config, heap);
        let size = usize::from(size);
        match config.encoding {
            NimEncoding::Unary => out[first..first + size].fill(1.0),
            _ if size > 0 => out[first + size - 1] = 1.0,
            _ => {}
        }
    }
}

/// The inputs that change when a heap goes from one size down to another.
pub(super) fn changes(
    config: &NimConfig,
    heap: usize,
    [before, after]: [u16; 2],
    out: &mut Vec<(u32, f32)>,
) {
    // Only the others need to know where the heap's inputs begin.
    let cell = |size: u16| first_cell(config, heap) as u32 + u32::from(size) - 1;
    match config.encoding {
        NimEncoding::Counts => out.push((heap as u32, after.into())),
        NimEncoding::Cells => {
            out.push((cell(before), 0.0));
            if after > 0 {
                out.push((cell(after), 1.0));
            }
        }
        NimEncoding::Unary => out.extend((cell(after + 1)..=cell(before)).map(|at| (at, 0.0))),
    }
}

/// The first input of a heap where each has as many inputs as matches.
fn first_cell(config: &NimConfig, heap: usize) -> usize {
    let before = config.heaps[..heap].iter();
    before.map(|&size| usize::from(size)).sum()
}
