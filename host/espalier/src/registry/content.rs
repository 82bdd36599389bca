//! What an artifact may hold: the files of a shipped folder by their names there, or one component. Names that are not
//! of this list do not exist, so none leads out of the folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use catalog::revision::is_date;
use oci_client::annotations::ORG_OPENCONTAINERS_IMAGE_TITLE as TITLE;
use oci_client::manifest::{OciDescriptor, OciImageManifest};
use sandbox::inspect::MOST_BYTES;

use super::door::MANIFEST;
use super::is_digest;

/// The type of an artifact that is a shipped folder.
pub(super) const SHIPPED: &str = "application/vnd.espalier.shipped.v1";
/// The type of a component: a layer of ours, and of the artifacts of other Wasm tools (CNCF, "Wasm OCI Artifact layout").
pub(super) const WASM: &str = "application/wasm";
/// The type of the configuration of an artifact that is one component, by that layout.
pub(super) const WASM_CONFIG: &str = "application/vnd.wasm.config.v0+json";
/// Where the signature of a single component is: that layout has one layer and no more.
pub(super) const SIGNATURE: &str = "vnd.espalier.minisig";
/// Bytes of a manifest; registries take no longer ones (OCI distribution 1.1).
pub(super) const MOST_MANIFEST: usize = 4 << 20;
/// Files of one artifact.
pub(super) const MOST_FILES: usize = 1_024;
/// Bytes of all files of one artifact.
pub(super) const MOST_TOTAL: usize = 512 << 20;
/// Bytes of a lock, a revision or an approval.
const MOST_TEXT: usize = 1 << 20;
/// Bytes of the contracts of a module.
const MOST_CONTRACTS: usize = 8 << 20;
/// Bytes of a signature.
const MOST_SIGNATURE: usize = 4 << 10;
/// Characters of a name between separators and endings.
const MOST_NAME: usize = 64;

/// What a file of a shipped folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Component,
    Lock,
    Approval,
    Contracts,
    Signature,
}

impl Kind {
    /// By its place in the folder, parts joined by `/`; none for whatever does not belong there.
    fn of(title: &str) -> Option<Self> {
        let (unsigned, signature) = title.strip_suffix(".minisig").map_or((title, false), |rest| (rest, true));
        let parts: Vec<&str> = unsigned.split('/').collect();
        let kind = match parts.as_slice() {
            [file] if named(file, ".wasm") => Self::Component,
            ["catalog", date, file] if is_date(date) && named(file, ".toml") => Self::Lock,
            ["catalog", date, "approvals", file] if is_date(date) && named(file, ".json") => Self::Approval,
            ["catalog", date, "contracts", file] if is_date(date) && named(file, ".json") => Self::Contracts,
            _ => return None,
        };
        // The hash in revision.toml covers the locks and these the contracts, so neither has a signature of its own.
        let signed = !matches!(kind, Self::Lock | Self::Contracts) || parts.last() == Some(&"revision.toml");
        match (signature, signed) {
            (true, false) => None,
            (true, true) => Some(Self::Signature),
            (false, _) => Some(kind),
        }
    }

    fn media_type(self) -> &'static str {
        match self {
            Self::Component => WASM,
            Self::Lock => "application/toml",
            Self::Approval | Self::Contracts => "application/json",
            Self::Signature => "application/vnd.espalier.minisig",
        }
    }

    fn most_bytes(self) -> usize {
        match self {
            Self::Component => MOST_BYTES,
            Self::Lock | Self::Approval => MOST_TEXT,
            Self::Contracts => MOST_CONTRACTS,
            Self::Signature => MOST_SIGNATURE,
        }
    }
}

/// A name of small letters, digits, `-` and `_` before this ending: the same file on every file system.
fn named(file: &str, ending: &str) -> bool {
    let Some(name) = file.strip_suffix(ending) else { return false };
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
    !name.is_empty() && name.len() <= MOST_NAME && name.bytes().all(fits)
}

/// A layer that will be fetched: all of it is within bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its place in the folder.
    pub title: String,
    /// `sha256:` and 64 hex digits.
    pub digest: String,
    /// Bytes.
    pub size: usize,
}

/// What a manifest describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Artifact {
    /// A shipped folder.
    Shipped(Vec<Item>),
    /// One component, and the text of its signature where it has one.
    Component(Item, Option<String>),
}

impl Artifact {
    /// Reads a manifest, and believes none of its sizes and names before they are looked at.
    ///
    /// # Errors
    /// It is of something else, or beyond a bound; the message says which.
    pub fn read(manifest: &[u8]) -> anyhow::Result<Self> {
        let manifest: OciImageManifest =
            serde_json::from_slice(manifest).map_err(|_| anyhow::anyhow!("it is no manifest of an artifact"))?;
        let typed = manifest.media_type.as_deref().is_none_or(|media_type| media_type == MANIFEST);
        let kind = manifest.artifact_type.as_deref().unwrap_or(&manifest.config.media_type);
        if kind == SHIPPED && typed {
            return Self::shipped(&manifest.layers);
        }
        if manifest.config.media_type == WASM_CONFIG && typed {
            let [layer] = manifest.layers.as_slice() else {
                bail!("it has {} layers where a component has one", manifest.layers.len())
            };
            let signature = manifest.annotations.as_ref().and_then(|notes| notes.get(SIGNATURE)).cloned();
            return Ok(Self::Component(item("component.wasm", layer)?, signature));
        }
        bail!("it is neither a shipped folder nor a component, but {kind:?}; `espalier publish` makes both");
    }

    fn shipped(layers: &[OciDescriptor]) -> anyhow::Result<Self> {
        if layers.is_empty() || layers.len() > MOST_FILES {
            bail!("it has {} files; from 1 to {MOST_FILES} are taken", layers.len());
        }
        let (mut items, mut seen, mut total) = (Vec::new(), BTreeSet::new(), 0);
        for layer in layers {
            let title = layer.annotations.as_ref().and_then(|notes| notes.get(TITLE)).context("a file has no name")?;
            let item = item(title, layer)?;
            if !seen.insert(title) {
                bail!("{title:?} is there twice");
            }
            total += item.size;
            items.push(item);
        }
        if total > MOST_TOTAL {
            bail!("its files have {total} bytes, more than {MOST_TOTAL}");
        }
        Ok(Self::Shipped(items))
    }
}

fn item(title: &str, layer: &OciDescriptor) -> anyhow::Result<Item> {
    let kind = Kind::of(title).with_context(|| format!("{title:?} is no file of a shipped folder"))?;
    if layer.media_type != kind.media_type() {
        bail!("{title} has the type {:?}, not {}", layer.media_type, kind.media_type());
    }
    if !is_digest(&layer.digest) {
        bail!("{title} has no sha256 digest");
    }
    let most = kind.most_bytes();
    let size = usize::try_from(layer.size).ok().filter(|size| (1..=most).contains(size));
    let size = size.with_context(|| format!("{title} has {} bytes; from 1 to {most} are taken", layer.size))?;
    Ok(Item { title: title.to_owned(), digest: layer.digest.clone(), size })
}

/// The files of a folder that belong to what is shipped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// Where each is, by its place in the folder.
    pub taken: BTreeMap<String, PathBuf>,
    /// What else is there, and stays there.
    pub left_out: Vec<String>,
}

impl Files {
    /// Looks through a folder.
    ///
    /// # Errors
    /// Something cannot be read, or there are too many files.
    pub fn of(folder: &Path) -> anyhow::Result<Self> {
        let mut files = Self::default();
        let mut folders = vec![(folder.to_path_buf(), String::new())];
        while let Some((folder, within)) = folders.pop() {
            let unread = || format!("{} cannot be read", folder.display());
            for entry in std::fs::read_dir(&folder).with_context(unread)? {
                let path = entry.with_context(unread)?.path();
                let title = format!("{within}{}", path.file_name().unwrap_or_default().to_string_lossy());
                let deep = title.matches('/').count() > 2;
                if Kind::of(&title).is_some() && path.is_file() {
                    files.taken.insert(title, path);
                } else if path.is_dir() && !path.is_symlink() && !deep && title.split('/').next() == Some("catalog") {
                    folders.push((path, format!("{title}/")));
                } else {
                    files.left_out.push(title);
                }
            }
        }
        files.left_out.sort();
        if files.taken.len() > MOST_FILES {
            bail!("{} has {} files to ship, more than {MOST_FILES}", folder.display(), files.taken.len());
        }
        Ok(files)
    }
}

/// What a manifest says of these bytes under that name.
///
/// # Errors
/// They are beyond the bound of their kind: nobody would fetch them.
pub(super) fn descriptor(title: &str, bytes: &[u8]) -> anyhow::Result<OciDescriptor> {
    let kind = Kind::of(title).with_context(|| format!("{title:?} is no file of a shipped folder"))?;
    let layer = OciDescriptor {
        media_type: kind.media_type().to_owned(),
        digest: super::digest(bytes),
        size: i64::try_from(bytes.len())?,
        annotations: Some(BTreeMap::from([(TITLE.to_owned(), title.to_owned())])),
        ..OciDescriptor::default()
    };
    item(title, &layer)?;
    Ok(layer)
}

#[cfg(test)]
mod tests;
