//! Whose word counts: signers by their Ed25519 keys, and what each of them may sign. Signatures are minisign's, beside
//! the file that they are over. Secret keys must not be here; `write` alone sees one, and keeps nothing of it.

mod write;

use std::io::Cursor;
use std::path::{Path, PathBuf};

use minisign::{PublicKey, SignatureBox};
use serde::Deserialize;

pub use write::{SigningKey, signature_file};

use crate::error::CatalogError;

/// What a signature can stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Power {
    /// A component is its author's.
    Modules,
    /// The locks of a revision are those that were put together.
    Revisions,
    /// What changed was read, and somebody says yes to it.
    Approvals,
}

impl Power {
    /// As settings write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Modules => "modules",
            Self::Revisions => "revisions",
            Self::Approvals => "approvals",
        }
    }
}

/// Somebody whose signatures count.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signer {
    /// A name for people: reports say who signed.
    pub name: String,
    /// The public key in base64, as minisign writes it into the second line of a `.pub` file.
    pub key: String,
    /// What may be signed.
    pub signs: Vec<Power>,
    /// Which modules, where `signs` has `modules`; without any, all of them.
    #[serde(default)]
    pub modules: Vec<String>,
}

/// Why a signature does not count.
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    /// A signer's key is no key.
    #[error("signer {name}: the key is not a public key of minisign, which begins with RW and has 56 characters")]
    Key {
        /// Of whom.
        name: String,
    },
    /// Two signers have one name.
    #[error("signer {name} is there twice")]
    Twice {
        /// Which name.
        name: String,
    },
    /// Two signers have one key: nobody could say whose a signature is.
    #[error("signers {name} and {other} have the same key")]
    Shared {
        /// The second of them.
        name: String,
        /// The first.
        other: String,
    },
    /// There is no signature.
    #[error("{file}: there is no signature; `espalier sign --key KEY {file}` writes {file}.minisig")]
    Unsigned {
        /// Of what.
        file: String,
    },
    /// The signature's file is not one.
    #[error("{file}.minisig is not a signature of minisign")]
    Malformed {
        /// Of what.
        file: String,
    },
    /// Nobody here has that key.
    #[error("{file}: signed with the key {key}, which no [[signer]] of espalier.toml has")]
    Unknown {
        /// What was signed.
        file: String,
        /// The id of the key, in hex, as minisign prints it.
        key: String,
    },
    /// The signer may not sign this.
    #[error("{file}: signed by {signer}, whose `signs` in espalier.toml does not have {} for it", power.as_str())]
    NotTheirs {
        /// What was signed.
        file: String,
        /// By whom.
        signer: String,
        /// What they would have to be allowed.
        power: Power,
    },
    /// The signature is not over these bytes.
    #[error("{file}: the signature is not over what stands there; it was changed after {signer} signed it")]
    Changed {
        /// What was signed.
        file: String,
        /// By whom.
        signer: String,
    },
}

/// Everybody whose signatures count.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    signers: Vec<(Signer, PublicKey)>,
}

impl Trust {
    /// Reads the keys.
    ///
    /// # Errors
    /// A key is none, or a name or a key is there twice.
    pub fn new(signers: Vec<Signer>) -> Result<Self, TrustError> {
        let mut known: Vec<(Signer, PublicKey)> = Vec::new();
        for signer in signers {
            if known.iter().any(|(other, _)| other.name == signer.name) {
                return Err(TrustError::Twice { name: signer.name });
            }
            let key = PublicKey::from_base64(signer.key.trim());
            let key = key.map_err(|_| TrustError::Key { name: signer.name.clone() })?;
            if let Some((other, _)) = known.iter().find(|(_, other)| other.keynum() == key.keynum()) {
                return Err(TrustError::Shared { name: signer.name, other: other.name.clone() });
            }
            known.push((signer, key));
        }
        Ok(Self { signers: known })
    }

    /// The name of who has signed these bytes and may. `file` is what messages call them; `module` is whose component
    /// it is.
    ///
    /// # Errors
    /// There is no signature, it is nobody's, it is not theirs to give, or it is not over these bytes.
    pub fn verify(
        &self,
        power: Power,
        module: Option<&str>,
        file: &str,
        bytes: &[u8],
        signature: Option<&str>,
    ) -> Result<&str, TrustError> {
        self.claim(power, module, file, signature)?.check(bytes)
    }

    /// As [`Trust::verify`], but for whether the signature is over the bytes, which [`Claim::check`] says.
    ///
    /// # Errors
    /// There is no signature, it is nobody's, or it is not theirs to give.
    pub fn claim(
        &self,
        power: Power,
        module: Option<&str>,
        file: &str,
        signature: Option<&str>,
    ) -> Result<Claim<'_>, TrustError> {
        let file = file.to_owned();
        let Some(text) = signature else { return Err(TrustError::Unsigned { file }) };
        let Some(signature) = read(text) else { return Err(TrustError::Malformed { file }) };
        let by = self.signers.iter().find(|(_, key)| key.keynum() == signature.keynum());
        let Some((signer, key)) = by else {
            return Err(TrustError::Unknown { file, key: key_id(signature.keynum()) });
        };
        let theirs = signer.modules.is_empty() || module.is_none_or(|name| signer.modules.iter().any(|it| it == name));
        if !signer.signs.contains(&power) || !theirs {
            return Err(TrustError::NotTheirs { file, signer: signer.name.clone(), power });
        }
        Ok(Claim { signer, key, signature, file })
    }
}

/// A signature of somebody who may give it, over something that was not looked at yet.
pub struct Claim<'a> {
    signer: &'a Signer,
    key: &'a PublicKey,
    signature: SignatureBox,
    file: String,
}

impl<'a> Claim<'a> {
    /// The name of who has signed these bytes.
    ///
    /// # Errors
    /// The signature is not over them.
    pub fn check(&self, bytes: &[u8]) -> Result<&'a str, TrustError> {
        minisign::verify(self.key, &self.signature, Cursor::new(bytes), true, false, false)
            .map_err(|_| TrustError::Changed { file: self.file.clone(), signer: self.signer.name.clone() })?;
        Ok(&self.signer.name)
    }

    /// What is true where [`Claim::check`] finds that this is over the bytes of this digest: key, signature and digest,
    /// and so the same sentence for the same three and for no others. Who has checked it once need not do so again.
    pub fn over(&self, digest: &str) -> String {
        format!("signed {digest}\n{}\n{}", self.key.to_base64(), self.signature.to_string())
    }
}

/// Characters of a signature over a comment: 64 bytes in base64, the last two of them padding.
const OVER_COMMENT: usize = 88;

/// A signature in its one form: there are no two texts of the same one.
fn read(text: &str) -> Option<SignatureBox> {
    let signature = SignatureBox::from_string(text).ok()?;
    let last = text.lines().nth(3)?;
    let whole = signature.to_string().trim_end() == text.trim_end();
    let exact = whole && last.len() == OVER_COMMENT && last.ends_with("==");
    exact.then_some(signature)
}

/// The signature beside a file, where there is one.
///
/// # Errors
/// It is there and cannot be read.
pub fn beside(file: &Path) -> Result<Option<String>, CatalogError> {
    let path = signature_file(file);
    match crate::files::read_text(&path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) if error.kind() == std::io::ErrorKind::InvalidData => Ok(Some(String::new())),
        Err(error) => Err(CatalogError::file(path)(error)),
    }
}

/// What messages call a file: its folder and its name.
pub fn called(file: &Path) -> String {
    let named: PathBuf = file.components().rev().take(2).collect::<Vec<_>>().into_iter().rev().collect();
    named.display().to_string()
}

/// A key's id as minisign prints it: the number is little-endian.
fn key_id(number: &[u8]) -> String {
    number.iter().rev().map(|byte| format!("{byte:02X}")).collect()
}

#[cfg(test)]
mod tests;
