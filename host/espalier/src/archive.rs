//! A backup as one file: what it is, its parts, and a hash over all of it.
//!
//! The layout: sixteen bytes that name it, its version, the length of its contents page, that page as JSON, the parts
//! one after the other, and the SHA-256 of everything before.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

const MAGIC: &[u8; 16] = b"espalier backup\n";
/// The layout that this version writes, and the newest that it reads.
const VERSION: u32 = 1;
/// Bytes of a contents page; more is damage.
const MOST_PAGE: u32 = 64 * 1024;
const HASH: usize = 32;

/// What a backup holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contents {
    /// When it was made: RFC 3339.
    pub made_at: String,
    /// The version of the host that made it.
    pub host: String,
    /// Its parts, in order.
    pub parts: Vec<Part>,
}

/// One file of a backup.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Its name, without a folder.
    pub name: String,
    /// Its size.
    pub bytes: u64,
}

/// Packs files under names into one, readable by its owner only. It is there whole or not at all.
///
/// # Errors
/// When something cannot be read or written.
pub fn pack(target: &Path, made_at: String, parts: &[(&str, PathBuf)]) -> anyhow::Result<u64> {
    let mut contents = Contents { made_at, host: env!("CARGO_PKG_VERSION").to_owned(), parts: Vec::new() };
    for (name, path) in parts {
        contents.parts.push(Part { name: (*name).to_owned(), bytes: std::fs::metadata(path)?.len() });
    }
    let folder = folder_of(target);
    // Made for the owner alone from its first byte on.
    let beside = tempfile::NamedTempFile::new_in(folder)
        .with_context(|| format!("{} cannot be written to", folder.display()))?;
    fill(beside.as_file(), &contents, parts)?;
    beside.as_file().sync_all()?;
    let file = beside.persist(target).with_context(|| format!("{} cannot be written", target.display()))?;
    sync_folder(folder)?;
    Ok(file.metadata()?.len())
}

fn fill(file: &File, contents: &Contents, parts: &[(&str, PathBuf)]) -> anyhow::Result<()> {
    let page = serde_json::to_vec(contents)?;
    let mut out = Hashing { inner: BufWriter::new(file), hash: Sha256::new() };
    out.write_all(MAGIC)?;
    out.write_all(&VERSION.to_be_bytes())?;
    out.write_all(&u32::try_from(page.len())?.to_be_bytes())?;
    out.write_all(&page)?;
    for ((_, path), part) in parts.iter().zip(&contents.parts) {
        let copied = std::io::copy(&mut File::open(path)?, &mut out)?;
        if copied != part.bytes {
            bail!("{} changed while it was read", path.display());
        }
    }
    let Hashing { mut inner, hash } = out;
    inner.write_all(&hash.finalize())?;
    inner.flush()?;
    Ok(())
}

/// Unpacks a backup into a folder, each part readable by its owner only. Nothing of it is to be believed before this
/// has returned: the hash comes last.
///
/// # Errors
/// When it is not a whole backup of a version that is known, or names a part that is not `known`.
pub fn unpack(file: &Path, folder: &Path, known: impl Fn(&str) -> bool) -> anyhow::Result<Contents> {
    let opened = File::open(file).with_context(|| format!("{} cannot be read", file.display()))?;
    let mut input = Hashing { inner: BufReader::new(opened), hash: Sha256::new() };
    let cut_off = || format!("{} is cut off: it is not a whole backup", file.display());
    let damaged = || format!("{} is damaged: it is not what was written", file.display());
    let mut magic = [0; MAGIC.len()];
    if input.read_exact(&mut magic).is_err() || magic != *MAGIC {
        bail!("{} is not a backup made by `espalier backup`", file.display());
    }
    let mut number = [0; 4];
    input.read_exact(&mut number).with_context(cut_off)?;
    let version = u32::from_be_bytes(number);
    if version == 0 || version > VERSION {
        bail!(
            "{} has format {version} and this version of espalier reads {VERSION}: use the version that made it",
            file.display()
        );
    }
    input.read_exact(&mut number).with_context(cut_off)?;
    let length = u32::from_be_bytes(number);
    if length > MOST_PAGE {
        bail!(damaged());
    }
    let mut page = vec![0; length as usize];
    input.read_exact(&mut page).with_context(cut_off)?;
    let contents: Contents = serde_json::from_slice(&page).map_err(|_| anyhow::anyhow!(damaged()))?;
    for (at, part) in contents.parts.iter().enumerate() {
        let again = contents.parts[..at].iter().any(|earlier| earlier.name == part.name);
        if again || !known(&part.name) {
            bail!("{} holds {:?}, which this version of espalier does not know", file.display(), part.name);
        }
        let mut out = create_private(&folder.join(&part.name))?;
        let copied = std::io::copy(&mut (&mut input).take(part.bytes), &mut out)?;
        if copied != part.bytes {
            bail!(cut_off());
        }
        out.sync_all()?;
    }
    let Hashing { mut inner, hash } = input;
    let mut told = Vec::with_capacity(HASH + 1);
    (&mut inner).take(HASH as u64 + 1).read_to_end(&mut told)?;
    if told.len() < HASH {
        bail!(cut_off());
    }
    if told != hash.finalize().as_slice() {
        bail!(damaged());
    }
    Ok(contents)
}

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes what was renamed in a folder outlive a loss of power.
///
/// # Errors
/// When the folder cannot be opened.
pub fn sync_folder(folder: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    Ok(())
}

fn create_private(path: &Path) -> anyhow::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).with_context(|| format!("{} cannot be made", path.display()))
}

/// Hashes what goes through.
struct Hashing<T> {
    inner: T,
    hash: Sha256,
}

impl<T: Write> Write for Hashing<T> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.inner.flush()
    }
}

impl<T: Read> Read for Hashing<T> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.hash.update(&buffer[..read]);
        Ok(read)
    }
}
