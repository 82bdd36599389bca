//! Envelope encryption: each secret has a key of its own, and the key ring wraps that key.
//!
//! A secret's key is random and used once. HKDF (RFC 5869) makes of it an encryption key and a commitment to it, so
//! that no second key opens the same bytes to something else; AES-256-GCM alone would not rule that out. The customer,
//! the connection, its kind and the version are authenticated with it: what is sealed opens in its own row and nowhere
//! else.

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::hkdf::{HKDF_SHA256, KeyType, Salt};
use model::clock::Entropy;
use model::id::{ConnectionId, CustomerId};
use model::keys::{KEY, KeyRing};
use zeroize::Zeroizing;

/// The first byte of what is sealed: how it was done.
const FORM: u8 = 1;
/// Bytes of the salt.
const SALT: usize = 32;

/// A secret as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    pub(crate) kek: String,
    pub(crate) wrapped: Vec<u8>,
    pub(crate) sealed: Vec<u8>,
}

/// What a secret belongs to. It opens there only.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Whose.
    pub customer: &'a CustomerId,
    /// Of which connection.
    pub connection: &'a ConnectionId,
    /// Of which kind.
    pub kind: &'a str,
    /// Counts up with each replacement.
    pub version: u64,
}

/// Why a secret does not open.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// The key that wraps it is not in the ring.
    #[error("the key {0}, under which this secret is sealed, is not in the key ring")]
    NoKey(String),
    /// It was changed, or stands where it does not belong.
    #[error("a sealed secret was changed or stands where it does not belong")]
    Broken,
}

impl Place<'_> {
    /// What is authenticated: each part with its length, so that no two places read alike.
    fn bytes(&self, purpose: &str) -> Vec<u8> {
        let version = self.version.to_be_bytes();
        let parts: [&[u8]; 5] = [
            purpose.as_bytes(),
            self.customer.as_str().as_bytes(),
            self.connection.as_str().as_bytes(),
            self.kind.as_bytes(),
            &version,
        ];
        let mut bytes = Vec::with_capacity(128);
        for part in parts {
            bytes.extend((part.len() as u64).to_be_bytes());
            bytes.extend(part);
        }
        bytes
    }
}

impl Sealed {
    /// What was sealed elsewhere: the id of the wrapping key, the wrapped key and the sealed bytes.
    pub fn of_parts(kek: String, wrapped: Vec<u8>, sealed: Vec<u8>) -> Self {
        Self { kek, wrapped, sealed }
    }

    /// The parts, to be put down elsewhere: none of them says anything without the key ring.
    pub fn parts(&self) -> (&str, &[u8], &[u8]) {
        (&self.kek, &self.wrapped, &self.sealed)
    }

    /// Seals a secret under the newest key.
    ///
    /// # Errors
    /// When the cryptographic library refuses, which it does for lengths alone.
    pub fn seal(ring: &KeyRing, place: Place<'_>, secret: &[u8], entropy: &dyn Entropy) -> Result<Self, SealError> {
        let own = Zeroizing::new(entropy.array::<KEY>());
        let (salt, nonce) = (entropy.array::<SALT>(), entropy.array::<NONCE_LEN>());
        let (key, commitment) = own_keys(&own, &salt)?;
        let mut sealed = vec![FORM];
        sealed.extend(salt);
        sealed.extend(*commitment);
        sealed.extend(encrypt(&key, nonce, place.bytes("espalier secret 1"), secret)?);
        let kek = ring.newest().id.clone();
        let wrapped = wrap(ring, &kek, place, &own, entropy)?;
        Ok(Self { kek, wrapped, sealed })
    }

    /// The secret.
    ///
    /// # Errors
    /// The key is not in the ring, or these are not the bytes that were sealed for this place.
    pub fn open(&self, ring: &KeyRing, place: Place<'_>) -> Result<Zeroizing<Vec<u8>>, SealError> {
        let own = self.unwrap(ring, place)?;
        let [FORM, rest @ ..] = self.sealed.as_slice() else { return Err(SealError::Broken) };
        let (salt, rest) = rest.split_first_chunk::<SALT>().ok_or(SealError::Broken)?;
        let (stated, rest) = rest.split_first_chunk::<KEY>().ok_or(SealError::Broken)?;
        let (key, commitment) = own_keys(&own, salt)?;
        verify_slices_are_equal(stated, &*commitment).map_err(|_| SealError::Broken)?;
        decrypt(&key, place.bytes("espalier secret 1"), rest)
    }

    /// The same secret with its key wrapped by the newest key of the ring. The secret itself stays sealed.
    ///
    /// # Errors
    /// As [`Sealed::open`].
    pub(crate) fn rewrap(&self, ring: &KeyRing, place: Place<'_>, entropy: &dyn Entropy) -> Result<Self, SealError> {
        let own = self.unwrap(ring, place)?;
        let kek = ring.newest().id.clone();
        let wrapped = wrap(ring, &kek, place, &own, entropy)?;
        Ok(Self { kek, wrapped, sealed: self.sealed.clone() })
    }

    fn unwrap(&self, ring: &KeyRing, place: Place<'_>) -> Result<Zeroizing<[u8; KEY]>, SealError> {
        let key = wrapping_key(ring, &self.kek)?;
        let own = decrypt(&key, wrapping_place(&self.kek, place), &self.wrapped)?;
        let own: [u8; KEY] = own.as_slice().try_into().map_err(|_| SealError::Broken)?;
        Ok(Zeroizing::new(own))
    }
}

fn wrap(
    ring: &KeyRing,
    kek: &str,
    place: Place<'_>,
    own: &[u8; KEY],
    entropy: &dyn Entropy,
) -> Result<Vec<u8>, SealError> {
    encrypt(&*wrapping_key(ring, kek)?, entropy.array::<NONCE_LEN>(), wrapping_place(kek, place), own)
}

fn wrapping_place(kek: &str, place: Place<'_>) -> Vec<u8> {
    let mut bytes = place.bytes("espalier wrapped key 1");
    bytes.extend(kek.as_bytes());
    bytes
}

/// The ring's keys seal other things too; what they make for one purpose says nothing of another.
fn wrapping_key(ring: &KeyRing, kek: &str) -> Result<Zeroizing<[u8; KEY]>, SealError> {
    let key = ring.keys().iter().find(|key| key.id == kek).ok_or_else(|| SealError::NoKey(kek.to_owned()))?;
    derived(key.reveal(), &[], b"espalier connections 1")
}

/// The encryption key and the commitment.
type OwnKeys = (Zeroizing<[u8; KEY]>, Zeroizing<[u8; KEY]>);

fn own_keys(own: &[u8; KEY], salt: &[u8]) -> Result<OwnKeys, SealError> {
    Ok((derived(own, salt, b"espalier secret 1 key")?, derived(own, salt, b"espalier secret 1 commitment")?))
}

/// HKDF-SHA-256.
fn derived(secret: &[u8], salt: &[u8], info: &[u8]) -> Result<Zeroizing<[u8; KEY]>, SealError> {
    struct Length;
    impl KeyType for Length {
        fn len(&self) -> usize {
            KEY
        }
    }
    let mut made = Zeroizing::new([0; KEY]);
    let pseudorandom = Salt::new(HKDF_SHA256, salt).extract(secret);
    let filled = pseudorandom.expand(&[info], Length).and_then(|output| output.fill(&mut *made));
    filled.map_err(|_| SealError::Broken)?;
    Ok(made)
}

fn cipher(key: &[u8; KEY]) -> Result<LessSafeKey, SealError> {
    UnboundKey::new(&AES_256_GCM, key).map(LessSafeKey::new).map_err(|_| SealError::Broken)
}

/// The nonce, the encrypted bytes and their tag.
fn encrypt(key: &[u8; KEY], nonce: [u8; NONCE_LEN], place: Vec<u8>, plain: &[u8]) -> Result<Vec<u8>, SealError> {
    let mut bytes = plain.to_vec();
    let tag = cipher(key)?
        .seal_in_place_separate_tag(Nonce::assume_unique_for_key(nonce), Aad::from(place), &mut bytes)
        .map_err(|_| SealError::Broken)?;
    Ok([&nonce[..], &bytes, tag.as_ref()].concat())
}

fn decrypt(key: &[u8; KEY], place: Vec<u8>, bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, SealError> {
    let (nonce, rest) = bytes.split_first_chunk::<NONCE_LEN>().ok_or(SealError::Broken)?;
    let mut opened = Zeroizing::new(rest.to_vec());
    let plain = cipher(key)?
        .open_in_place(Nonce::assume_unique_for_key(*nonce), Aad::from(place), &mut opened)
        .map_err(|_| SealError::Broken)?
        .len();
    opened.truncate(plain);
    Ok(opened)
}

#[cfg(test)]
mod tests;
