//! Which vector instructions are used: the widest that the machine has, or fewer if the program is
//! told so. Results are the same with all of them.

use std::sync::OnceLock;

use pulp::Arch;
use thiserror::Error;

/// Vector instructions, in ascending order of width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VectorInstructions {
    /// None but those that every processor of the kind has.
    None,
    /// At most 256 bits: AVX2 on x86-64.
    Avx2,
    /// At most 512 bits: AVX-512 on x86-64.
    Avx512,
}

/// A text that names no vector instructions.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there are no vector instructions `{0}`; write none, avx2 or avx512")]
pub struct VectorInstructionsError(String);

static LIMIT: OnceLock<VectorInstructions> = OnceLock::new();

impl VectorInstructions {
    /// Reads `none`, `avx2` or `avx512`.
    pub fn parse(text: &str) -> Result<Self, VectorInstructionsError> {
        match text {
            "none" => Ok(Self::None),
            "avx2" => Ok(Self::Avx2),
            "avx512" => Ok(Self::Avx512),
            _ => Err(VectorInstructionsError(text.to_owned())),
        }
    }

    /// Uses no wider instructions in this process from now on. Only the first call has an effect,
    /// and none after a network has played.
    pub fn set_limit(self) {
        LIMIT.get_or_init(|| self);
    }

    /// The widest that may be used.
    fn limit() -> Self {
        *LIMIT.get_or_init(|| Self::Avx512)
    }
}

/// The instructions for networks.
pub(crate) fn arch() -> Arch {
    bounded(VectorInstructions::limit())
}

#[cfg(target_arch = "x86_64")]
fn bounded(limit: VectorInstructions) -> Arch {
    match limit {
        VectorInstructions::None => Arch::Scalar,
        VectorInstructions::Avx2 => pulp::x86::V3::try_new().map_or(Arch::Scalar, Arch::V3),
        VectorInstructions::Avx512 => Arch::new(),
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn bounded(limit: VectorInstructions) -> Arch {
    match limit {
        VectorInstructions::None => Arch::Scalar,
        VectorInstructions::Avx2 | VectorInstructions::Avx512 => Arch::new(),
    }
}

/// AVX2, if the machine has it and it may be used.
#[cfg(target_arch = "x86_64")]
pub(crate) fn avx2() -> Option<pulp::x86::V3> {
    let may = VectorInstructions::limit() >= VectorInstructions::Avx2;
    may.then(pulp::x86::V3::try_new).flatten()
}

/// AVX-512, if the machine has it and it may be used.
#[cfg(target_arch = "x86_64")]
pub(crate) fn avx512() -> Option<pulp::x86::V4> {
    let may = VectorInstructions::limit() >= VectorInstructions::Avx512;
    may.then(pulp::x86::V4::try_new).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vector_instructions_are_named_and_bounded() {
        use VectorInstructions::{Avx2, Avx512, None};
        for (text, named) in [("none", None), ("avx2", Avx2), ("avx512", Avx512)] {
            assert_eq!(VectorInstructions::parse(text), Ok(named));
        }
        let error = VectorInstructions::parse("sse").expect_err("it is too narrow");
        assert!(error.to_string().contains("`sse`"), "{error}");
        assert!(matches!(bounded(None), Arch::Scalar));
        #[cfg(target_arch = "x86_64")]
        assert!(!matches!(bounded(Avx2), Arch::V4(_)));
    }
}
