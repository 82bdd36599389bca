//! Compiled components cached on disk between starts. Only this host can have written the files. A start verifies each
//! file once and maps it in place, so that memory holds only the code that runs. Facts that were slow to establish are
//! stored in the same folder.

mod code;
mod fact;

use std::hash::{Hash as _, Hasher};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;

use model::token::hex;
use sha2::{Digest as _, Sha256};
use wasmtime::Engine;
use wasmtime::component::Component;

use crate::Sandbox;
use crate::config::Artefacts;
use code::Code;

/// Compiles a component, or loads its artefact from an earlier start. `digest` is the digest of the component's bytes,
/// as the inspection computed it.
pub(crate) fn component(
    engine: &Engine,
    artefacts: Option<&Artefacts>,
    bytes: &[u8],
    digest: &str,
) -> wasmtime::Result<Component> {
    let Some(artefacts) = artefacts else { return Component::from_binary(engine, bytes) };
    let file = File::of(engine, artefacts, digest);
    if let Some(component) = file.read(engine) {
        return Ok(component);
    }
    let component = Component::from_binary(engine, bytes)?;
    if let Err(error) = file.write(&component.serialize()?) {
        tracing::warn!(cause = %error, "a compiled component could not be kept; the next start compiles it again");
    }
    Ok(component)
}

/// Whether there is an artefact of an earlier start. It may still turn out not to be this host's.
pub(crate) fn is_there(engine: &Engine, artefacts: &Artefacts, digest: &str) -> bool {
    File::of(engine, artefacts, digest).path.is_file()
}

struct File<'a> {
    artefacts: &'a Artefacts,
    path: PathBuf,
    /// Hash of the component and the engine that the artefact belongs to.
    subject: [u8; 32],
}

impl<'a> File<'a> {
    fn of(engine: &Engine, artefacts: &'a Artefacts, digest: &str) -> Self {
        let mut hash = Sum(Sha256::new());
        engine.precompile_compatibility_hash().hash(&mut hash);
        hash.0.update(digest);
        let subject: [u8; 32] = hash.0.finalize().into();
        let path = artefacts.folder.join(format!("{}.cwasm", hex(&subject)));
        Self { artefacts, path, subject }
    }

    fn code(&self) -> Code<'_> {
        Code { key: &self.artefacts.key, subject: &self.subject }
    }

    /// Opens the file, if it exists, and says whether this host wrote it.
    fn open(&self) -> Option<(std::fs::File, bool)> {
        let file = std::fs::File::open(&self.path).ok()?;
        let ours = self.is_closed(&file).unwrap_or(false) && self.code().holds(&file).unwrap_or(false);
        Some((file, ours))
    }

    fn read(&self, engine: &Engine) -> Option<Component> {
        let (file, ours) = self.open()?;
        if !ours {
            tracing::warn!(file = %self.path.display(), "a compiled component is not ours and is compiled again");
            return None;
        }
        // Open by descriptor: the path may lead to another file by now.
        let opened = format!("/dev/fd/{}", file.as_raw_fd());
        #[expect(
            unsafe_code,
            reason = "deserialize_file trusts its bytes, now and as long as they are mapped. Now: the code proves that this \
                      host's key was used over exactly these bytes, for this component and this engine, and only `write` \
                      uses that key, on what `Component::serialize` gave. Later: `write` makes a new file each time and \
                      never changes one, and nobody may change this one but the host's own user, who has the key as well, \
                      and the machine's owner"
        )]
        let component = unsafe { Component::deserialize_file(engine, opened) };
        component
            .inspect_err(
                |error| tracing::warn!(cause = %error, "a compiled component cannot be taken up and is compiled again"),
            )
            .ok()
    }

    /// Whether only the host's own user and root can write the file and the folder.
    fn is_closed(&self, file: &std::fs::File) -> std::io::Result<bool> {
        let own = rustix::process::geteuid().as_raw();
        let closed = |it: &std::fs::Metadata| (it.uid() == own || it.uid() == 0) && it.mode() & 0o022 == 0;
        Ok(closed(&file.metadata()?) && closed(&self.artefacts.folder.metadata()?))
    }

    /// Writes a temporary file and renames it, so that no reader sees a partial file.
    fn write(&self, artefact: &[u8]) -> std::io::Result<()> {
        make_folder(&self.artefacts.folder)?;
        let mut half = tempfile::NamedTempFile::new_in(&self.artefacts.folder)?;
        self.code().write(artefact, &mut half)?;
        half.as_file().sync_all()?;
        half.persist(&self.path)?;
        Ok(())
    }
}

/// The only process, of those that share a folder of artefacts, that compiles; until this goes, at the latest with the
/// process.
#[derive(Debug)]
pub struct Alone {
    _lock: std::fs::File,
}

impl Sandbox {
    /// Waits until no other process compiles for the folder that this one shares, so that what it compiles meanwhile is taken
    /// up and not compiled once more. `None` where nothing has to be compiled of these components, by their digests, or where
    /// nothing is kept.
    ///
    /// The compiler's own threads must not call it: they would wait for each other.
    pub fn compiles_alone<'d>(&self, mut components: impl Iterator<Item = &'d str>) -> Option<Alone> {
        let artefacts = self.artefacts()?;
        if components.all(|digest| is_there(self.engine(), artefacts, digest)) {
            return None;
        }
        make_folder(&artefacts.folder).ok()?;
        let lock = std::fs::File::create(artefacts.folder.join(".compiling")).ok()?;
        lock.lock().ok()?;
        Some(Alone { _lock: lock })
    }
}

fn make_folder(folder: &std::path::Path) -> std::io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700))
}

/// SHA-256 as a `Hasher`. Unlike the standard hasher, it gives the same result in every process.
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
