//! Signed notes: text that a person can read and a program can check, with an Ed25519 signature below it.
//!
//! The form is C2SP signed-note, so that other people's tools check them too:
//! <https://c2sp.org/signed-note>.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use sha2::{Digest as _, Sha256};

use crate::token::hex;

/// The kind of signature that this is, in the bytes of a key.
const ED25519: u8 = 1;
/// What a line of a signature begins with.
const DASH: &str = "\u{2014} ";

/// Who signs. Has no `Debug` that shows the key.
#[derive(Clone)]
pub struct NoteSigner {
    verifier: NoteVerifier,
    key: SigningKey,
}

/// Who checks: a name and a public key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteVerifier {
    name: String,
    key: VerifyingKey,
}

impl NoteSigner {
    /// A signer under a name without spaces and `+`, from the 32 secret bytes of its key.
    pub fn new(name: &str, secret: &[u8; 32]) -> Self {
        let key = SigningKey::from_bytes(secret);
        Self { verifier: NoteVerifier { name: name.to_owned(), key: key.verifying_key() }, key }
    }

    /// Who can check what this one signs.
    pub fn verifier(&self) -> &NoteVerifier {
        &self.verifier
    }

    /// The text with its signature; the text ends with a line break.
    pub fn sign(&self, text: &str) -> String {
        let mut signature = self.verifier.id().to_vec();
        signature.extend(self.key.sign(text.as_bytes()).to_bytes());
        format!("{text}\n{DASH}{} {}\n", self.verifier.name, STANDARD.encode(signature))
    }
}

impl std::fmt::Debug for NoteSigner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "NoteSigner({})", self.verifier)
    }
}

impl NoteVerifier {
    /// Reads a key as [`NoteVerifier`] prints it: `name+id+key`.
    pub fn read(text: &str) -> Option<Self> {
        let (name, rest) = text.split_once('+')?;
        let (id, key) = rest.split_once('+')?;
        let bytes = STANDARD.decode(key).ok()?;
        let (kind, key) = bytes.split_first()?;
        let key = VerifyingKey::from_bytes(key.try_into().ok()?).ok()?;
        let read = Self { name: name.to_owned(), key };
        (*kind == ED25519 && hex(&read.id()) == id).then_some(read)
    }

    /// The text of a note, if it carries a good signature of this key. Signatures of others are no reason to refuse.
    pub fn open<'a>(&self, note: &'a str) -> Option<&'a str> {
        let (text, signatures) = note.rsplit_once("\n\n")?;
        let text = &note[..=text.len()];
        let signed = signatures.lines().any(|line| {
            let Some((name, signature)) = line.strip_prefix(DASH).and_then(|line| line.split_once(' ')) else {
                return false;
            };
            let Ok(bytes) = STANDARD.decode(signature) else { return false };
            let Some((id, signature)) = bytes.split_first_chunk::<4>() else { return false };
            let Ok(signature) = Signature::from_slice(signature) else { return false };
            name == self.name && *id == self.id() && self.key.verify_strict(text.as_bytes(), &signature).is_ok()
        });
        signed.then_some(text)
    }

    /// The first bytes of the hash of name and key, which say whose a signature is before it is checked.
    fn id(&self) -> [u8; 4] {
        let hash =
            Sha256::new().chain_update(&self.name).chain_update([b'\n', ED25519]).chain_update(self.key.as_bytes());
        let hash: [u8; 32] = hash.finalize().into();
        [hash[0], hash[1], hash[2], hash[3]]
    }
}

impl std::fmt::Display for NoteVerifier {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut key = vec![ED25519];
        key.extend(self.key.as_bytes());
        write!(f, "{}+{}+{}", self.name, hex(&self.id()), STANDARD.encode(key))
    }
}

#[cfg(test)]
mod tests;
