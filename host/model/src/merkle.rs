//! The Merkle tree of RFC 6962: one hash that stands for a list, in its order.

use sha2::{Digest as _, Sha256};

/// A hash of the tree.
pub type Hash = [u8; 32];

/// The hash of one entry.
pub fn leaf(entry: &[u8]) -> Hash {
    Sha256::new().chain_update([0]).chain_update(entry).finalize().into()
}

/// The root over the hashes of the entries.
pub fn root(leaves: &[Hash]) -> Hash {
    match leaves {
        [] => Sha256::digest([]).into(),
        [leaf] => *leaf,
        _ => {
            // The largest power of two that is smaller than the list.
            let (left, right) = leaves.split_at(leaves.len().next_power_of_two() / 2);
            Sha256::new().chain_update([1]).chain_update(root(left)).chain_update(root(right)).finalize().into()
        }
    }
}

#[cfg(test)]
mod tests;
