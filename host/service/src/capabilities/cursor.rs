//! Where the next page of an answer begins: opaque, and good for the question alone that it was given for.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use model::refusal::Refusal;
use sha2::{Digest, Sha256};

/// Bytes of the question's hash.
const HASHED: usize = 8;

/// The cursor to place `at` of the answer to `question`.
pub(super) fn write(question: &str, at: usize) -> String {
    let mut bytes = hashed(question).to_vec();
    bytes.extend(u32::try_from(at).unwrap_or(u32::MAX).to_be_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The place that a cursor names; the beginning without one.
///
/// # Errors
/// 422 for one of another question, of another catalog, or of nobody.
pub(super) fn read(question: &str, cursor: Option<&str>) -> Result<usize, Refusal> {
    let Some(cursor) = cursor else { return Ok(0) };
    let bytes = URL_SAFE_NO_PAD.decode(cursor).unwrap_or_default();
    bytes
        .split_at_checked(HASHED)
        .filter(|(hash, _)| *hash == hashed(question))
        .and_then(|(_, at)| u32::from_be_bytes(at.try_into().ok()?).try_into().ok())
        .ok_or_else(|| {
            Refusal::invalid_arguments(
                "/cursor",
                "this is not the next_cursor of an answer to the same question by the same catalog; ask again without it",
            )
        })
}

fn hashed(question: &str) -> [u8; HASHED] {
    let hash = Sha256::digest(question.as_bytes());
    std::array::from_fn(|at| hash[at])
}
