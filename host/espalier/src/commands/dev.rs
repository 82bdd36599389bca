//! `espalier dev`: looks at the modules' folders, and puts each that is saved into force beside the others.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context as _, anyhow};
use catalog::lock::Lock;
use catalog::revision::Revision;
use sandbox::inspect::{self, Inspection};
use service::Service;
use service::promise;

use crate::modules::{self, Profile};

/// How modules are built.
pub(super) const PROFILE: Profile = Profile::Saved;
/// How often the folders are looked at.
const EVERY: Duration = Duration::from_millis(100);

/// Looks for ever. What does not build or load leaves the module in force that was there before.
pub(super) fn watch(service: &Service, workspace: &Path) {
    let folder = workspace.join("modules");
    let changed = || folder.metadata().and_then(|it| it.modified()).ok();
    let (mut listed, mut names) = (changed(), modules::names(workspace).unwrap_or_default());
    let mut seen = saved(workspace, &names);
    loop {
        std::thread::sleep(EVERY);
        // Listing modules starts cargo, so it is done again only when a folder was added or removed.
        if changed() != listed {
            (listed, names) = (changed(), modules::names(workspace).unwrap_or(names));
        }
        let now = saved(workspace, &names);
        for (name, at) in &now {
            if seen.get(name) == Some(at) {
                continue;
            }
            match swap(service, workspace, name) {
                Ok(words) => tell(&words),
                Err(error) => tell(&format!("{name}: as before, since {error:#}")),
            }
        }
        seen = now;
    }
}

/// When each module was saved last. One that cannot be read at this moment is being saved.
fn saved(workspace: &Path, names: &[String]) -> BTreeMap<String, SystemTime> {
    let of = |name: &String| {
        let folder = workspace.join("modules").join(name);
        let at = newest(&folder.join("src")).max(newest(&folder.join("Cargo.toml")));
        at.map(|at| (name.clone(), at))
    };
    names.iter().filter_map(of).collect()
}

fn newest(path: &Path) -> Option<SystemTime> {
    let data = path.metadata().ok()?;
    if !data.is_dir() {
        return data.modified().ok();
    }
    let entries = std::fs::read_dir(path).ok()?.filter_map(Result::ok);
    entries.filter_map(|entry| newest(&entry.path())).max()
}

/// Builds one module and puts it into force, with everything that it asks for and what its lock has decided.
fn swap(service: &Service, workspace: &Path, name: &str) -> anyhow::Result<String> {
    let begun = Instant::now();
    let from = modules::compile(workspace, &[name.to_owned()], PROFILE)?;
    let compiled = begun.elapsed().as_secs_f32();
    let path = modules::raw(name, &from);
    let component = catalog::files::read(&path, catalog::files::COMPONENT)
        .with_context(|| format!("{} cannot be read", path.display()))?;
    // One core asks for the contracts while the other begins with the machine code.
    let (saved, inspection) = std::thread::scope(|both| {
        let saved = both.spawn(|| service.core.sandbox().compile_saved(&component));
        let inspection = finished(workspace, name, &from);
        let saved = saved.join().map_err(|_| anyhow!("the engine broke off"))?;
        anyhow::Ok((saved?, inspection?))
    })?;
    let shown = &inspection.built;
    let current = service.core.catalog().current();
    let mut revision = Revision::standing(&workspace.join("catalog"), &current.api_version)?;
    let lock = Lock::of(shown, revision.locks.get(name), |_| true);
    let foreign = revision.foreign(&lock)?;
    let module = service.core.sandbox().load_saved(saved, &inspection, &lock, foreign)?;
    revision.locks.insert(name.to_owned(), lock);
    let generation = current.with(&revision.hash(), module)?;
    service.core.store().records.upgrade_with(generation.upgrades(service.core.sandbox()));
    service.core.catalog().activate(generation);
    let (many, whole) = (shown.manifest.operations.len(), begun.elapsed().as_secs_f32());
    let mut words =
        format!("{name}: {many} operations in force in {whole:.1} s, of which its build took {compiled:.1} s");
    for broken in promise::broken(&shown.manifest) {
        words = format!("{}: {}: {}\n{words}", broken.operation, broken.pointer, broken.message);
    }
    Ok(words)
}

/// Writes the contracts into the component, and reads what it declares.
fn finished(workspace: &Path, name: &str, from: &Path) -> anyhow::Result<Inspection> {
    let built = modules::finish(name, from, &modules::components(workspace, PROFILE))?;
    let bytes = catalog::files::read(&built.path, catalog::files::COMPONENT)
        .with_context(|| format!("{} cannot be read", built.path.display()))?;
    Ok(inspect::declared(&bytes)?)
}

#[expect(clippy::print_stderr, reason = "the author looks at this terminal; it is not a log")]
fn tell(words: &str) {
    eprintln!("{}", model::legible::printable(words));
}
