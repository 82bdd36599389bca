//! Writing a signature, with a key of whoever runs the command.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use minisign::{KeyPair, PublicKey, SecretKey, SecretKeyBox};

use crate::error::CatalogError;

/// A secret key, as long as the command runs.
pub struct SigningKey {
    secret: SecretKey,
    public: PublicKey,
}

impl SigningKey {
    /// A new key: its secret file's text, and the public key in base64. With a password the secret is of no use alone.
    ///
    /// # Errors
    /// There is no randomness, or no memory for hashing the password.
    pub fn make(password: Option<String>) -> Result<(String, String), CatalogError> {
        let pair = match password {
            Some(password) => KeyPair::generate_encrypted_keypair(Some(password)),
            None => KeyPair::generate_unencrypted_keypair(),
        };
        let pair = pair.map_err(key)?;
        let secret = pair.sk.to_box(Some("espalier signing key")).map_err(key)?;
        Ok((secret.into_string(), pair.pk.to_base64()))
    }

    /// Reads the text of a secret key's file. A key that has a password and is given none asks for it at the terminal.
    ///
    /// # Errors
    /// It is no secret key, or the password is another.
    pub fn read(text: &str, password: Option<String>) -> Result<Self, CatalogError> {
        if is_public(text) {
            let cause =
                "this is the public key, which checks signatures; the secret one, NAME.key beside NAME.pub, signs";
            return Err(CatalogError::Key { cause: cause.to_owned() });
        }
        let open = || SecretKeyBox::from_string(text).map_err(key);
        let secret = match open()?.into_unencrypted_secret_key() {
            Ok(secret) => secret,
            Err(_) => open()?.into_secret_key(password).map_err(key)?,
        };
        let public = PublicKey::from_secret_key(&secret).map_err(key)?;
        Ok(Self { secret, public })
    }

    /// The public key in base64.
    pub fn public(&self) -> String {
        self.public.to_base64()
    }

    /// The text of a signature over these bytes. What `trusted` says is signed too.
    ///
    /// # Errors
    /// There is no randomness.
    pub fn sign(&self, bytes: &[u8], trusted: &str) -> Result<String, CatalogError> {
        let made = minisign::sign(
            Some(&self.public),
            &self.secret,
            Cursor::new(bytes),
            Some(trusted),
            Some("signature of espalier, checked by espalier and minisign"),
        );
        Ok(made.map_err(key)?.into_string())
    }

    /// Signs a file as it stands, into the file beside it.
    ///
    /// # Errors
    /// A file cannot be read or written.
    pub fn sign_file(&self, file: &Path) -> Result<PathBuf, CatalogError> {
        let bytes = crate::files::read(file, crate::files::COMPONENT).map_err(CatalogError::file(file))?;
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let signature = self.sign(&bytes, &format!("file:{name}"))?;
        let path = signature_file(file);
        std::fs::write(&path, signature).map_err(CatalogError::file(&path))?;
        Ok(path)
    }
}

/// Where the signature over a file stands.
pub fn signature_file(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".minisig");
    name.into()
}

/// Whether a line of it is a public key in base64: 42 bytes that begin with the two letters of the algorithm.
fn is_public(text: &str) -> bool {
    text.lines().map(str::trim).any(|line| line.len() == 56 && line.starts_with("RW"))
}

fn key(error: minisign::PError) -> CatalogError {
    CatalogError::Key { cause: error.to_string() }
}
