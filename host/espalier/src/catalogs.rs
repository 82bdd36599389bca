//! Where components and locks come from, and how both become a generation.

pub mod drafts;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use catalog::approval;
use catalog::lock::Lock;
use catalog::revision::Revision;
use catalog::trust::{self, Power, Trust};
use model::manifest::Collection;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use sandbox::{LoadError, Module, Sandbox};
use service::generation::{Coming, Generation};

use crate::modules::{self, Built, Profile};
use crate::settings::Settings;

/// Built components and the folder of their locks.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The components.
    pub built: Vec<Built>,
    /// The catalog's folder, with a folder for each revision.
    pub catalog: PathBuf,
    /// Whose signatures count, where components and locks were shipped: then the bytes must be the locked ones too, and
    /// the revision approved. What this workspace builds itself needs none.
    pub trust: Option<Arc<Trust>>,
    /// Modules whose components are still being built: they are left out of what is loaded until they are there.
    pub coming: Coming,
}

impl Sources {
    /// The components in a folder, and the locks in `catalog` in it: what is shipped to a server.
    ///
    /// # Errors
    /// When the folder holds no component.
    pub fn shipped(folder: &Path, trust: Arc<Trust>) -> anyhow::Result<Self> {
        let mut built = Vec::new();
        for entry in std::fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))? {
            let path = entry?.path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if path.extension().is_some_and(|extension| extension == "wasm") && !name.starts_with('.') {
                built.push(Built { name, path });
            }
        }
        if built.is_empty() {
            bail!("{} holds no component; build them with `espalier module build --out {0}`", folder.display());
        }
        built.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Self { built, catalog: folder.join("catalog"), trust: Some(trust), coming: Coming::default() })
    }

    /// The modules of this workspace, built when they changed, and its locks. The machine that builds is not
    /// the one that locked, so the bytes may differ; contracts and grants may not.
    ///
    /// # Errors
    /// When a module does not build.
    pub fn workspace(workspace: &Path, profile: Profile) -> anyhow::Result<Self> {
        let names = modules::names(workspace)?;
        let out = modules::components(workspace, profile);
        Ok(Self {
            built: modules::build(workspace, &names, profile, &out)?,
            catalog: workspace.join("catalog"),
            trust: None,
            coming: Coming::default(),
        })
    }

    /// The same, with these modules built now and the others left for [`crate::early::rest`], but for what was built before.
    ///
    /// # Errors
    /// When one of the first does not build.
    pub fn begun(workspace: &Path, profile: Profile, first: &[&str]) -> anyhow::Result<Self> {
        let names = modules::names(workspace)?;
        let out = modules::components(workspace, profile);
        let path = |name: &String| out.join(format!("{name}.wasm"));
        let (first, later): (Vec<String>, Vec<String>) =
            names.into_iter().partition(|name| first.contains(&name.as_str()) || path(name).is_file());
        modules::build(workspace, &first, profile, &out)?;
        let built = first.iter().chain(&later).map(|name| Built { name: name.clone(), path: path(name) }).collect();
        Ok(Self { built, catalog: workspace.join("catalog"), trust: None, coming: Coming::of(later) })
    }

    /// The folder that was named, or the workspace that this runs in.
    ///
    /// # Errors
    /// When there is neither.
    pub fn find(folder: Option<&Path>, settings: &Settings) -> anyhow::Result<Self> {
        Home::find(folder, settings)?.sources(settings)
    }

    /// The revision of this date, or the newest.
    ///
    /// # Errors
    /// When it is not there or was changed after it was locked.
    pub fn revision(&self, date: Option<&str>) -> anyhow::Result<Revision> {
        revision(&self.catalog, date)
    }

    /// Loads every component against its lock: all of them, or the reasons why not. Of what was shipped, every
    /// signature must be there, of somebody who may give it now, and over these bytes; only the arithmetic of a signature
    /// that this host has checked before is not done again.
    ///
    /// # Errors
    /// Any difference from the locks, any signature that does not count, and a revision that nobody has approved.
    pub fn load(&self, sandbox: &Sandbox, revision: &Revision) -> anyhow::Result<Generation> {
        if let Some(trust) = &self.trust {
            revision.signed(&self.catalog, trust)?;
            approval::of(&self.catalog, revision, trust)?;
        }
        let locked = revision.locks.values().map(|it| it.component.as_str());
        let _alone = self.trust.as_ref().and_then(|_| sandbox.compiles_alone(locked));
        let (later, locks): (Vec<_>, Vec<_>) = revision.locks.iter().partition(|(name, _)| self.coming.has(name));
        // Of several reasons the first by name is told, whichever was found first.
        let loaded: Vec<_> = locks.par_iter().map(|(name, lock)| self.one(sandbox, revision, (name, lock))).collect();
        let loaded = loaded.into_iter().collect::<anyhow::Result<_>>()?;
        let awaited = later.into_iter().map(|(name, _)| name.clone()).collect();
        Ok(Generation::new(&revision.date, &revision.hash(), loaded)?.awaiting(awaited, self.coming.clone()))
    }

    /// Loads the component of one lock.
    pub(crate) fn one(
        &self,
        sandbox: &Sandbox,
        revision: &Revision,
        (name, lock): (&str, &Lock),
    ) -> anyhow::Result<Arc<Module>> {
        let built = self.built.iter().find(|built| built.name == name);
        let path = built
            .map(|built| built.path.as_path())
            .with_context(|| format!("revision {} locks {name}, and there is no component of it", revision.date))?;
        let foreign = revision.foreign(lock)?;
        let module = match &self.trust {
            Some(trust) => signed(sandbox, trust, (name, path), lock, foreign)?,
            None => sandbox.load_unpinned(&read(path)?, lock, foreign),
        };
        module.with_context(|| format!("{name} is not what revision {} locks", revision.date))
    }
}

/// Where components and locks are, before anything of them is built or read.
#[derive(Clone, Debug)]
pub enum Home {
    /// A folder that was shipped.
    Shipped(PathBuf),
    /// The workspace that this runs in.
    Workspace(PathBuf),
}

impl Home {
    /// The folder that was named, or the data folder's `modules`, or the workspace that this runs in.
    ///
    /// # Errors
    /// When there is none of them.
    pub fn find(folder: Option<&Path>, settings: &Settings) -> anyhow::Result<Self> {
        let shipped = settings.data_dir.join("modules");
        match folder {
            Some(folder) => Ok(Self::Shipped(folder.to_path_buf())),
            None if shipped.is_dir() => Ok(Self::Shipped(shipped)),
            None => modules::workspace().map(Self::Workspace).with_context(|| {
                let shipped = shipped.display();
                format!("{shipped} is not there; name the folder of the components with --modules or ESPALIER_MODULES")
            }),
        }
    }

    /// The folder of its revisions.
    pub fn catalog(&self) -> PathBuf {
        match self {
            Self::Shipped(folder) | Self::Workspace(folder) => folder.join("catalog"),
        }
    }

    /// Its components, built where this is a workspace, and its locks.
    ///
    /// # Errors
    /// When a module does not build, or a shipped folder holds no component.
    pub fn sources(&self, settings: &Settings) -> anyhow::Result<Sources> {
        match self {
            Self::Shipped(folder) => Sources::shipped(folder, settings.trust()?),
            Self::Workspace(workspace) => Sources::workspace(workspace, Profile::served()),
        }
    }
}

/// The revision of this date in a catalog, or the newest.
///
/// # Errors
/// When it is not there or was changed after it was locked.
pub fn revision(catalog: &Path, date: Option<&str>) -> anyhow::Result<Revision> {
    let dates = Revision::dates(catalog)?;
    let date = match date {
        Some(date) => dates
            .iter()
            .find(|known| *known == date)
            .with_context(|| format!("there is no revision {date}; there are {}", dates.join(", ")))?,
        None => dates.last().context("the catalog has no revision; write one with `espalier catalog lock`")?,
    };
    Ok(Revision::read(catalog, date)?)
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    catalog::files::read(path, catalog::files::COMPONENT).with_context(|| format!("{} cannot be read", path.display()))
}

/// The module of a component that somebody who may has signed.
fn signed(
    sandbox: &Sandbox,
    trust: &Trust,
    (name, path): (&str, &Path),
    lock: &Lock,
    foreign: BTreeMap<String, Collection>,
) -> anyhow::Result<Result<Arc<Module>, LoadError>> {
    let (bytes, signature) = (read(path)?, trust::beside(path)?);
    let claim = trust.claim(Power::Modules, Some(name), &trust::called(path), signature.as_deref())?;
    // Only what has the digest of its lock is loaded, so the fact is about what is loaded.
    let fact = claim.over(&lock.component);
    let known = sandbox.knows(&fact);
    if !known {
        claim.check(&bytes)?;
    }
    let loaded = sandbox.load(&bytes, lock, foreign);
    match (&loaded, known) {
        (Ok(_), true) => {}
        (Ok(_), false) => sandbox.learn(&fact),
        // Bytes that nobody has signed are called so, whatever else is wrong with them.
        (Err(_), _) => drop(claim.check(&bytes)?),
    }
    Ok(loaded)
}

/// The bytes of a component that somebody who may has signed.
pub(crate) fn believed(trust: &Trust, name: &str, path: &Path) -> anyhow::Result<Vec<u8>> {
    let (bytes, signature) = (read(path)?, trust::beside(path)?);
    trust.verify(Power::Modules, Some(name), &trust::called(path), &bytes, signature.as_deref())?;
    Ok(bytes)
}
