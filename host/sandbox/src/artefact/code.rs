//! The authentication code of an artefact: proof that this host wrote these bytes for this component and this engine.
//!
//! Each start verifies every artefact, so the code must be about as fast as reading the file: GMAC (NIST SP 800-38D),
//! with one tag per piece and the piece number as the nonce. Every file has its own key, derived with HKDF (RFC 5869)
//! from the host's key, a random salt, the subject and the length of the artefact. So no nonce repeats under one key,
//! and no piece can be moved within a file, to another file or to another component.

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt as _;

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::hkdf::{HKDF_SHA256, Salt};
use model::clock::{Entropy, SystemEntropy};

/// Bytes covered by one tag, and read at a time.
const PIECE: usize = 256 * 1024;
const TAG: usize = 16;
/// Bytes of the random salt of a file's key.
const SALT: usize = 32;

const PURPOSE: &[u8] = b"espalier artefact 3";

/// The trailer of an artefact file: one tag per piece, then the salt of their key.
pub(super) struct Code<'a> {
    /// The host's key.
    pub(super) key: &'a [u8; 32],
    /// Hash of the component and the engine.
    pub(super) subject: &'a [u8; 32],
}

impl Code<'_> {
    /// Writes an artefact, followed by its trailer.
    pub(super) fn write(&self, artefact: &[u8], file: &mut impl Write) -> std::io::Result<()> {
        let entropy: &dyn Entropy = &SystemEntropy;
        let salt = entropy.array::<SALT>();
        let key = self.key_of(&salt, artefact.len() as u64)?;
        file.write_all(artefact)?;
        // An empty artefact has a tag as well.
        let empty = artefact.is_empty().then_some(&[][..]);
        for (number, piece) in (0..).zip(artefact.chunks(PIECE).chain(empty)) {
            file.write_all(&tag(&key, number, piece)?)?;
        }
        file.write_all(&salt)
    }

    /// Whether the file is an intact artefact with a valid trailer.
    pub(super) fn holds(&self, file: &File) -> std::io::Result<bool> {
        let Some(length) = length(file.metadata()?.len()) else { return Ok(false) };
        let mut salt = [0; SALT];
        file.read_exact_at(&mut salt, length + pieces(length) * TAG as u64)?;
        let key = self.key_of(&salt, length)?;
        let (mut piece, mut written) = (vec![0; PIECE], [0; TAG]);
        for number in 0..pieces(length) {
            let at = number * PIECE as u64;
            let size = usize::try_from(length - at).map_or(PIECE, |left| left.min(PIECE));
            let piece = &mut piece[..size];
            file.read_exact_at(piece, at)?;
            file.read_exact_at(&mut written, length + number * TAG as u64)?;
            if verify_slices_are_equal(&tag(&key, number, piece)?, &written).is_err() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn key_of(&self, salt: &[u8; SALT], length: u64) -> std::io::Result<LessSafeKey> {
        let about = [PURPOSE, &self.subject[..], &length.to_be_bytes()];
        let key = Salt::new(HKDF_SHA256, salt).extract(self.key);
        let key = key.expand(&about, &AES_256_GCM).map_err(std::io::Error::other)?;
        Ok(LessSafeKey::new(UnboundKey::from(key)))
    }
}

fn tag(key: &LessSafeKey, number: u64, piece: &[u8]) -> std::io::Result<[u8; TAG]> {
    let mut nonce = [0; NONCE_LEN];
    nonce[NONCE_LEN - 8..].copy_from_slice(&number.to_be_bytes());
    let nonce = Nonce::assume_unique_for_key(nonce);
    let tag = key.seal_in_place_separate_tag(nonce, Aad::from(piece), &mut []).map_err(std::io::Error::other)?;
    tag.as_ref().try_into().map_err(std::io::Error::other)
}

/// The number of pieces, and so of tags, of an artefact of this length.
fn pieces(length: u64) -> u64 {
    length.div_ceil(PIECE as u64).max(1)
}

/// The length of the artefact in a file of this size; `None` if no artefact has such a file.
fn length(size: u64) -> Option<u64> {
    let (piece, tag) = (PIECE as u64, TAG as u64);
    let rest = size.checked_sub(SALT as u64)?;
    let length = rest.checked_sub(rest.div_ceil(piece + tag) * tag)?;
    (length + pieces(length) * tag == rest).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(key: u8, subject: u8) -> ([u8; 32], [u8; 32]) {
        ([key; 32], [subject; 32])
    }

    fn holds((key, subject): &([u8; 32], [u8; 32]), bytes: &[u8]) -> bool {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        Code { key, subject }.holds(&file).unwrap()
    }

    #[test]
    fn a_file_is_taken_as_it_was_written_and_in_no_other_form() {
        let ours = code(1, 2);
        for size in [0, 1, 100, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 2 * PIECE + 7] {
            let artefact: Vec<u8> = (0..size).map(|at| (at * 31 % 251) as u8).collect();
            let mut file = Vec::new();
            Code { key: &ours.0, subject: &ours.1 }.write(&artefact, &mut file).unwrap();
            assert!(holds(&ours, &file), "{size}");
            assert!(!holds(&code(3, 2), &file), "another key, {size}");
            assert!(!holds(&code(1, 3), &file), "another component, {size}");
            for at in [0, size / 2, size.saturating_sub(1), size, file.len() - SALT, file.len() - 1] {
                let mut touched = file.clone();
                touched[at] ^= 1;
                assert!(!holds(&ours, &touched), "a bit at {at} of {size}");
            }
            for cut in [1, TAG, SALT, TAG + SALT, file.len() / 2] {
                assert!(!holds(&ours, &file[..file.len().saturating_sub(cut)]), "{cut} less than {size}");
                let longer = [&file[..], &vec![0; cut]].concat();
                assert!(!holds(&ours, &longer), "{cut} more than {size}");
            }
        }
    }

    #[test]
    fn pieces_do_not_change_places() {
        let ours = code(1, 2);
        let mut file = Vec::new();
        let artefact = [vec![1; PIECE], vec![2; PIECE], vec![3; 5]].concat();
        Code { key: &ours.0, subject: &ours.1 }.write(&artefact, &mut file).unwrap();
        let mut swapped = file.clone();
        swapped[..PIECE].copy_from_slice(&file[PIECE..2 * PIECE]);
        swapped[PIECE..2 * PIECE].copy_from_slice(&file[..PIECE]);
        let tags = artefact.len();
        swapped[tags..tags + TAG].copy_from_slice(&file[tags + TAG..tags + 2 * TAG]);
        swapped[tags + TAG..tags + 2 * TAG].copy_from_slice(&file[tags..tags + TAG]);
        assert!(!holds(&ours, &swapped));
    }

    #[test]
    fn two_files_of_the_same_bytes_have_different_codes() {
        let (key, subject) = code(1, 2);
        let written = || {
            let mut file = Vec::new();
            Code { key: &key, subject: &subject }.write(b"artefact", &mut file).unwrap();
            file
        };
        assert_ne!(written(), written());
    }
}
