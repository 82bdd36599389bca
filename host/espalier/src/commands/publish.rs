//! `espalier publish`: what was signed and approved goes into an OCI registry.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use catalog::trust::{self, Trust};
use sandbox::inspect;
use serde_json::json;

use super::Say;
use crate::catalogs::Sources;
use crate::cli::Publish;
use crate::registry::{self, Address, Door, Files, Login, Purpose, Push};
use crate::vouched;

pub(super) async fn run(options: &Publish, say: Say) -> anyhow::Result<()> {
    let address = Address::read(&options.reference)?;
    if address.tag().is_none() || address.digest().is_some() {
        bail!("{} is not HOST/NAME:TAG: the digest is what publishing gives", options.reference);
    }
    let (push, left_out) = if options.what.is_dir() {
        // Whose signatures count is decided where it is fetched; here they have to be there.
        let sources = Sources::shipped(&options.what, Arc::new(Trust::default()))?;
        vouched::publishable(&sources)?;
        let files = Files::of(&options.what)?;
        let left_out = files.left_out.clone();
        (Push::Shipped(files), left_out)
    } else {
        (component(&options.what)?, Vec::new())
    };
    let login = Login::find(address.host())?;
    let door = Door::new(address, login, Purpose::Publish)?;
    let digest = registry::push(&door, push).await?;
    let pinned = door.address.pinned(&digest);
    let mut words = format!("{pinned}\n\n  espalier fetch {pinned} FOLDER");
    if !left_out.is_empty() {
        words += &format!("\n\nleft out, since it is no part of what is shipped: {}", left_out.join(", "));
    }
    say.value(&json!({ "reference": pinned, "digest": digest, "left_out": left_out }), &words);
    Ok(())
}

/// A component whose contracts can be read, and its signature.
fn component(file: &Path) -> anyhow::Result<Push> {
    let bytes = catalog::files::read(file, catalog::files::COMPONENT)
        .with_context(|| format!("{} cannot be read", file.display()))?;
    inspect::inspect(&bytes).with_context(|| file.display().to_string())?;
    let Some(signature) = trust::beside(file)? else {
        return Err(trust::TrustError::Unsigned { file: file.display().to_string() }.into());
    };
    Ok(Push::Component(bytes, signature))
}
