//! `espalier fetch`: what was published is put in place, whole and believed, or nothing is.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use catalog::trust::{Trust, signature_file};
use model::clock::{Clock as _, SystemClock};
use sandbox::inspect;
use serde_json::{Value, json};

use super::Say;
use crate::archive;
use crate::catalogs::{Sources, believed};
use crate::cli::{Fetch, Place};
use crate::registry::{self, Address, Artifact, Door, Item, Login, Purpose};
use crate::settings::File;
use crate::vouched::{self, Vouched};

pub(super) async fn run(place: &Place, options: &Fetch, say: Say) -> anyhow::Result<()> {
    let address = Address::read(&options.reference)?;
    let target = Target::of(&options.folder, options.replace)?;
    let settings = File::read(place)?;
    if settings.signer.is_empty() {
        bail!(
            "espalier.toml has no [[signer]], so nothing that is fetched would count; RUNNING.md says how to name one"
        );
    }
    let trust = settings.trust()?;
    let login = Login::find(address.host())?;
    let door = Door::new(address, login, Purpose::Fetch)?;
    let Some(digest) = door.address.digest().map(str::to_owned) else { return Err(by_tag(&door, &target).await) };
    let pinned = door.address.pinned(&digest);
    let (manifest, _) = door.manifest(&digest).await?;
    let artifact = Artifact::read(&manifest).with_context(|| pinned.clone())?;

    let unpacked = tempfile::Builder::new()
        .prefix(".espalier-fetch-")
        .tempdir_in(&target.beside)
        .with_context(|| format!("{} cannot be written to", target.beside.display()))?;
    // A folder in it, since its own is for its owner alone, and under the name that messages are to have.
    let fresh = unpacked.path().join(&target.name);
    std::fs::create_dir(&fresh)?;
    let nothing = || format!("nothing was put into {}", target.folder.display());
    let taken = match &artifact {
        Artifact::Shipped(items) => shipped(&door, items, &fresh, trust).await,
        Artifact::Component(item, signature) => component(&door, item, signature.as_deref(), &fresh, &trust).await,
    };
    let Taken { components, revisions } = taken.with_context(nothing)?;
    let former = target.put(&fresh).with_context(nothing)?;

    let value = json!({
        "reference": pinned, "folder": target.folder, "components": components,
        "revisions": revisions.iter().map(row).collect::<Vec<_>>(), "before": former,
    });
    let mut words = format!("{} holds {}", target.folder.display(), components.join(", "));
    for it in &revisions {
        words += &format!("\nrevision {} signed by {}, {}", it.date, it.signer, approval(&it.approved));
    }
    if let Some(former) = &former {
        words += &format!("\nwhat was there is in {}", former.display());
    }
    say.value(&value, &words);
    Ok(())
}

fn row(it: &Vouched) -> Value {
    json!({ "revision": it.date, "signed_by": it.signer, "approved_by": it.approved })
}

fn approval(by: &[String]) -> String {
    if by.is_empty() { "approved by nobody".to_owned() } else { format!("approved by {}", by.join(", ")) }
}

/// The refusal of a tag, with what it would be just now.
async fn by_tag(door: &Door, target: &Target) -> anyhow::Error {
    let tag = door.address.tag().unwrap_or_default();
    match door.manifest(tag).await {
        Ok((_, digest)) => anyhow::anyhow!(
            "a tag can name other bytes tomorrow, so only a digest is fetched. {tag:?} is {digest} just now; if that is \
             what was published, run `espalier fetch {} {}`",
            door.address.pinned(&digest),
            target.folder.display()
        ),
        Err(error) => error.context("a tag can name other bytes tomorrow, so only a digest is fetched"),
    }
}

/// What was fetched and believed.
struct Taken {
    components: Vec<String>,
    revisions: Vec<Vouched>,
}

async fn shipped(door: &Door, items: &[Item], fresh: &Path, trust: Arc<Trust>) -> anyhow::Result<Taken> {
    registry::pull(door, items, fresh).await?;
    let sources = Sources::shipped(fresh, trust.clone())?;
    let revisions = vouched::vouched(&sources, &trust)?;
    Ok(Taken { components: sources.built.into_iter().map(|built| built.name).collect(), revisions })
}

/// One component gets the name of its module, whatever it was called where it was published.
async fn component(
    door: &Door,
    item: &Item,
    signature: Option<&str>,
    fresh: &Path,
    trust: &Trust,
) -> anyhow::Result<Taken> {
    registry::pull(door, std::slice::from_ref(item), fresh).await?;
    let file = fresh.join(&item.title);
    let module = inspect::inspect(&catalog::files::read(&file, catalog::files::COMPONENT)?)?.built.manifest.module;
    let named = fresh.join(format!("{module}.wasm"));
    if Path::new(&module).components().count() != 1 || named.parent() != Some(fresh) {
        bail!("{module:?} is no name of a module");
    }
    std::fs::rename(&file, &named)?;
    if let Some(signature) = signature {
        std::fs::write(signature_file(&named), signature)?;
    }
    believed(trust, &module, &named)?;
    Ok(Taken { components: vec![module], revisions: Vec::new() })
}

/// The folder to make.
struct Target {
    folder: PathBuf,
    beside: PathBuf,
    name: PathBuf,
    replace: bool,
}

impl Target {
    /// A place where nothing is, or only what may be put aside.
    fn of(folder: &Path, replace: bool) -> anyhow::Result<Self> {
        let name = folder.file_name().with_context(|| format!("{} is no name for a new folder", folder.display()))?;
        let beside = archive::folder_of(folder).to_path_buf();
        if !beside.is_dir() {
            bail!("{} is not there; make it first", beside.display());
        }
        let target = Self { folder: folder.components().collect(), name: name.into(), beside, replace };
        target.free()?;
        Ok(target)
    }

    /// Asked again at the end: what came meanwhile is not put aside either.
    fn free(&self) -> anyhow::Result<()> {
        if self.is_taken() && !self.replace {
            bail!("{} is there already; --replace puts it aside, into a folder beside it", self.folder.display());
        }
        Ok(())
    }

    /// Whether something stands there; an empty folder is nothing.
    fn is_taken(&self) -> bool {
        let there = std::fs::symlink_metadata(&self.folder);
        let empty = || std::fs::read_dir(&self.folder).is_ok_and(|mut entries| entries.next().is_none());
        there.is_ok_and(|there| !(there.is_dir() && empty()))
    }

    /// Puts the new folder there by one rename. Gives back where the former one is now.
    fn put(&self, fresh: &Path) -> anyhow::Result<Option<PathBuf>> {
        self.free()?;
        let former = self.beside.join(format!("{}.before-{}", self.name.display(), SystemClock.now().0));
        let former = self.is_taken().then_some(former);
        let unmoved = || format!("{} cannot be made", self.folder.display());
        if let Some(former) = &former {
            std::fs::rename(&self.folder, former).with_context(|| format!("{} cannot be made", former.display()))?;
        }
        if let Err(error) = std::fs::rename(fresh, &self.folder) {
            if let Some(former) = &former {
                std::fs::rename(former, &self.folder).with_context(unmoved)?;
            }
            return Err(error).with_context(unmoved);
        }
        archive::sync_folder(&self.beside)?;
        Ok(former)
    }
}
