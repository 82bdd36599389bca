//! Where the key ring is kept: a file of the data folder, a file that nodes share, or the environment.

mod file;
mod watch;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use anyhow::{Context as _, bail};
use model::clock::{Clock as _, Entropy, Moment, SystemClock, SystemEntropy};
use model::id::base32;
use model::keys::{Key, KeyRing};

pub use self::file::PURPOSE;
use self::file::{parse, write};
use crate::settings::replace_private;

/// Where a key ring comes from.
#[derive(Clone)]
pub enum Source {
    /// `keys.toml` of this data folder, made at the first start.
    Folder(PathBuf),
    /// A file that somebody named, and that is not made by itself: each node would make another.
    File(PathBuf),
    /// The text of such a file.
    Text(String),
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Source::Folder(path) | Source::File(path) => write!(f, "Source({})", path.display()),
            Source::Text(_) => f.write_str("Source(text)"),
        }
    }
}

impl Source {
    /// The file, if it is one.
    pub fn path(&self) -> Option<PathBuf> {
        match self {
            Source::Folder(folder) => Some(folder.join("keys.toml")),
            Source::File(path) => Some(path.clone()),
            Source::Text(_) => None,
        }
    }

    /// The ring. A data folder that has none gets one; the single key of an older one becomes its first.
    ///
    /// # Errors
    /// When it is not there, is not a ring, or can be read by others.
    pub fn open(&self) -> anyhow::Result<KeyRing> {
        match self {
            Source::Folder(folder) if !folder.join("keys.toml").exists() => {
                make(folder)?;
                self.read()
            }
            Source::Folder(_) | Source::File(_) | Source::Text(_) => self.read(),
        }
    }

    fn read(&self) -> anyhow::Result<KeyRing> {
        let Some(path) = self.path() else {
            let Source::Text(text) = self else { bail!("a ring without a file") };
            return parse(text).context("ESPALIER_KEYS is not a key ring");
        };
        refuse_wide(&path)?;
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => bail!(
                "{} is not there; copy it from another node, or make it: espalier --key-ring {} keys rotate",
                path.display(),
                path.display()
            ),
            Err(error) => return Err(error).with_context(|| format!("{} cannot be read", path.display())),
        };
        parse(&text).with_context(|| format!("{} is not a key ring", path.display()))
    }

    /// Adds a key, which seals from now on, and returns the ring. A serving host takes it in a few seconds.
    ///
    /// # Errors
    /// As [`Source::open`], and when the ring is not in a file.
    pub fn rotate(&self) -> anyhow::Result<KeyRing> {
        let Some(path) = self.path() else {
            bail!("the key ring comes from ESPALIER_KEYS: add a key there, or keep the ring in a file (--key-ring)")
        };
        // Two rotations at once must not lose a key.
        let lock = File::create(path.with_extension("lock"))
            .with_context(|| format!("{} cannot be written beside", path.display()))?;
        lock.lock()?;
        let mut keys = match self {
            Source::File(path) if !path.exists() => Vec::new(),
            Source::Folder(_) | Source::File(_) | Source::Text(_) => self.open()?.keys().to_vec(),
        };
        keys.push(fresh());
        replace_private(&path, write(&keys)?.as_bytes())?;
        self.read()
    }
}

/// Makes the ring of a data folder, unless another process is faster.
fn make(folder: &Path) -> anyhow::Result<()> {
    let former = folder.join("seal.key");
    let first = match std::fs::read(&former) {
        Ok(bytes) => {
            let secret = bytes.try_into().map_err(|_| anyhow::anyhow!("{} is not 32 bytes", former.display()))?;
            let made = std::fs::metadata(&former)?.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
            Key::new(new_id(), Moment(0).plus(made).rfc3339(), secret)
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => fresh(),
        Err(error) => return Err(error).with_context(|| format!("{} cannot be read", former.display())),
    };
    let path = folder.join("keys.toml");
    let mut beside = tempfile::NamedTempFile::new_in(folder)?;
    std::io::Write::write_all(&mut beside, write(std::slice::from_ref(&first))?.as_bytes())?;
    beside.as_file().sync_all()?;
    match beside.persist_noclobber(&path) {
        Ok(_) => {}
        Err(taken) if taken.error.kind() == std::io::ErrorKind::AlreadyExists => return Ok(()),
        Err(error) => return Err(error.error).with_context(|| format!("{} cannot be made", path.display())),
    }
    crate::archive::sync_folder(folder)?;
    if former.exists() {
        // It stands in the ring now; a second place for it would outlive its removal there.
        std::fs::remove_file(&former)?;
    }
    Ok(())
}

fn fresh() -> Key {
    let entropy: &dyn Entropy = &SystemEntropy;
    Key::new(new_id(), SystemClock.now().rfc3339(), entropy.array())
}

fn new_id() -> String {
    let entropy: &dyn Entropy = &SystemEntropy;
    format!("key_{}", base32(&entropy.array::<5>()))
}

fn refuse_wide(path: &Path) -> anyhow::Result<()> {
    #[cfg(unix)]
    if let Ok(there) = std::fs::metadata(path)
        && std::os::unix::fs::PermissionsExt::mode(&there.permissions()) & 0o077 != 0
    {
        bail!("{} can be read by others; run: chmod 600 {}", path.display(), path.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests;
