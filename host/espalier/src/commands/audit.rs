//! `espalier audit`: whether the trail is what was written.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context as _, bail};
use model::note::NoteVerifier;
use serde_json::json;
use store::{Damage, Notes, Store};

use super::Say;
use crate::cli::{Audit, Place};
use crate::settings::Settings;
use crate::{assembly, notary};

pub(super) async fn run(place: &Place, command: &Audit, say: Say) -> anyhow::Result<()> {
    let Audit::Verify { public_key } = command;
    let settings = Settings::read(place)?;
    let (store, _) = assembly::store(&settings).await?;
    let verifier = verifier(&settings, &store, public_key.as_deref()).await?;
    // The file before the database: what is in it was committed before.
    let file = notary::notes(&settings);
    let kept = read(&file)?;
    let mut report = store.trail.verify_trail(&verifier, kept.as_ref()).await?;
    if kept.is_none() && report.checkpoints > 1 {
        let what = "the file of notes is missing";
        report.damage.push(Damage { checkpoint: None, customer: None, seq: None, what });
    }
    let value = json!({
        "public_key": verifier.to_string(),
        "chains": report.chains,
        "checkpoints": report.checkpoints,
        "damage": report.damage,
    });
    let lines: String = report.damage.iter().map(|damage| format!("{damage}\n")).collect();
    let seen = format!("{} chains, {} checkpoints", report.chains, report.checkpoints);
    say.value(&value, &format!("{lines}{seen}, signed with {verifier}"));
    if !report.damage.is_empty() {
        bail!("the audit trail is not what was written: {} breaks", report.damage.len());
    }
    Ok(())
}

/// The key of the data folder, unless another is given. A key is not made up for checkpoints that are there.
async fn verifier(settings: &Settings, store: &Store, given: Option<&str>) -> anyhow::Result<NoteVerifier> {
    if let Some(text) = given {
        return NoteVerifier::read(text).with_context(|| format!("{text} is not a public key: name+id+key"));
    }
    let key = notary::key(settings);
    if !key.is_file() && store.trail.last_checkpoint().await?.is_some() {
        bail!("{} is missing; put it back, or give the --public-key that it had", key.display());
    }
    Ok(notary::notary(settings)?.signer.verifier().clone())
}

fn read(file: &Path) -> anyhow::Result<Option<Notes>> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(Some(Notes::read(&text))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("{} cannot be read", file.display())),
    }
}
