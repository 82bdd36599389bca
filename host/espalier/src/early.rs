//! Modules that come into service while the first ones answer: a newcomer waits for what the walk calls, and for no more.

use std::path::Path;

use service::Service;
use tokio::runtime::Handle;

use crate::catalogs::Sources;
use crate::modules::{self, Profile};

/// Builds what was left for later, one module after the other, and puts each into service. Says how far it is. `host` is
/// the runtime that serves.
pub fn rest(service: &Service, sources: &Sources, workspace: &Path, host: &Handle) {
    for name in sources.coming.names() {
        match next(service, sources, workspace, host, &name) {
            Ok(Some(operations)) => tell(&format!("{name} is in service too, with {operations} operations")),
            // A module that the revision in force does not have.
            Ok(None) => {}
            Err(error) => {
                sources.coming.has_failed(&name);
                tell(&format!("{name} is not in service: {error:#}"));
            }
        }
    }
    let operations = service.core.catalog().current().operations().count();
    let left = sources.coming.names();
    let left = if left.is_empty() { String::new() } else { format!("; not in service: {}", left.join(", ")) };
    tell(&format!("every module was built or tried: {operations} operations{left}"));
}

/// Builds a module, and serves it where the revision in force has it: how many operations that are.
fn next(
    service: &Service,
    sources: &Sources,
    workspace: &Path,
    host: &Handle,
    name: &str,
) -> anyhow::Result<Option<usize>> {
    let profile = Profile::served();
    modules::build(workspace, &[name.to_owned()], profile, &modules::components(workspace, profile))?;
    // Asked anew each time: another revision may have been activated meanwhile.
    let current = service.core.catalog().current();
    let revision = sources.revision(Some(&current.api_version))?;
    let Some(lock) = revision.locks.get(name) else {
        sources.coming.has_come(name);
        return Ok(None);
    };
    let module = sources.one(service.core.sandbox(), &revision, (name, lock))?;
    let operations = module.manifest.operations.len();
    let generation = current.with(&revision.hash(), module)?;
    let upgrades = generation.upgrades(service.core.sandbox());
    host.block_on(service.core.store().records.declare_indexes(&generation.stored(), upgrades))?;
    service.core.catalog().activate(generation);
    sources.coming.has_come(name);
    Ok(Some(operations))
}

#[expect(clippy::print_stderr, reason = "a person waits for these lines; they are not a log")]
fn tell(words: &str) {
    eprintln!("espalier: {words}");
}
