//! Modules that come into service while the first ones answer: a newcomer waits for what the walk calls, and for no more.

use anyhow::Context as _;
use catalog::revision::Revision;
use service::Service;
use tokio::runtime::Handle;

use crate::catalogs::Sources;
use crate::modules::{self, Profile};

/// Builds what was left for later, one module after the other, and puts each into service. Says how far it is.
pub fn rest(service: &Service, sources: &Sources, revision: &Revision, host: &Handle) {
    for name in sources.coming.names() {
        match next(service, sources, revision, host, &name) {
            Ok(operations) => tell(&format!("{name} is in service too, with {operations} operations")),
            Err(error) => tell(&format!("{name} is not in service: {error:#}")),
        }
    }
    let operations = service.catalog().current().operations().count();
    tell(&format!("everything is built: {operations} operations"));
}

fn next(service: &Service, sources: &Sources, revision: &Revision, host: &Handle, name: &str) -> anyhow::Result<usize> {
    let workspace = modules::workspace()?;
    let module = sources.next(&workspace, Profile::Test, (service.sandbox(), revision), name)?;
    let module = module.with_context(|| format!("revision {} has no such module", revision.date))?;
    let operations = module.manifest.operations.len();
    let generation = service.catalog().current().with(&revision.hash(), module)?;
    let upgrades = generation.upgrades(service.sandbox());
    host.block_on(service.store().declare_indexes(&generation.stored(), upgrades))?;
    service.catalog().activate(generation);
    Ok(operations)
}

#[expect(clippy::print_stderr, reason = "a person waits for these lines; they are not a log")]
fn tell(words: &str) {
    eprintln!("espalier: {words}");
}
