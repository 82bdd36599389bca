//! Compiled components between two starts: files that only this host can have written.

use std::hash::{Hash as _, Hasher};
use std::io::Write as _;
use std::path::PathBuf;

use hmac::{Hmac, KeyInit, Mac};
use model::token::hex;
use sha2::{Digest as _, Sha256};
use wasmtime::Engine;
use wasmtime::component::Component;

use crate::config::Artefacts;

/// Bytes of the code before the artefact.
const CODE: usize = 32;

/// Compiles a component, or takes the artefact of an earlier start.
pub(crate) fn component(engine: &Engine, artefacts: Option<&Artefacts>, bytes: &[u8]) -> wasmtime::Result<Component> {
    let Some(artefacts) = artefacts else { return Component::from_binary(engine, bytes) };
    let file = File::of(engine, artefacts, bytes);
    if let Some(component) = file.read(engine) {
        return Ok(component);
    }
    let component = Component::from_binary(engine, bytes)?;
    if let Err(error) = file.write(&component.serialize()?) {
        tracing::warn!(cause = %error, "a compiled component could not be kept; the next start compiles it again");
    }
    Ok(component)
}

struct File<'a> {
    artefacts: &'a Artefacts,
    path: PathBuf,
    /// Component and engine: what the artefact is of.
    subject: [u8; 32],
}

impl<'a> File<'a> {
    fn of(engine: &Engine, artefacts: &'a Artefacts, bytes: &[u8]) -> Self {
        let mut hash = Sum(Sha256::new());
        engine.precompile_compatibility_hash().hash(&mut hash);
        hash.0.update(Sha256::digest(bytes));
        let subject: [u8; 32] = hash.0.finalize().into();
        let path = artefacts.folder.join(format!("{}.cwasm", hex(&subject)));
        Self { artefacts, path, subject }
    }

    fn code(&self, artefact: &[u8]) -> Hmac<Sha256> {
        let mut code = Hmac::<Sha256>::new_from_slice(&self.artefacts.key).expect("a code takes a key of any length");
        code.update(b"espalier artefact 1");
        code.update(&self.subject);
        code.update(artefact);
        code
    }

    fn read(&self, engine: &Engine) -> Option<Component> {
        let file = std::fs::read(&self.path).ok()?;
        let (code, artefact) = file.split_at_checked(CODE)?;
        if self.code(artefact).verify_slice(code).is_err() {
            tracing::warn!(file = %self.path.display(), "a compiled component is not ours and is compiled again");
            return None;
        }
        #[expect(
            unsafe_code,
            reason = "deserialize trusts its bytes: the code above proves that this host's key was used over exactly \
                      these bytes, for this component and this engine, and only `write` uses that key, on what \
                      `Component::serialize` gave; the bytes are in our memory, so nobody changes them after the check"
        )]
        let component = unsafe { Component::deserialize(engine, artefact) };
        component.ok()
    }

    /// Writes beside and renames, so that nobody reads half a file.
    fn write(&self, artefact: &[u8]) -> std::io::Result<()> {
        make_folder(&self.artefacts.folder)?;
        let mut half = tempfile::NamedTempFile::new_in(&self.artefacts.folder)?;
        half.write_all(&self.code(artefact).finalize().into_bytes())?;
        half.write_all(artefact)?;
        half.as_file().sync_all()?;
        half.persist(&self.path)?;
        Ok(())
    }
}

fn make_folder(folder: &std::path::Path) -> std::io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700))
}

/// SHA-256 as a hasher: equal in every process, unlike the standard one.
struct Sum(Sha256);

impl Hasher for Sum {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        let sum = self.0.clone().finalize();
        u64::from_be_bytes(sum[..8].try_into().expect("a sum has 32 bytes"))
    }
}

#[cfg(test)]
mod tests;
