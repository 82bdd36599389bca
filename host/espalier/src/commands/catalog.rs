//! `espalier catalog`: what may run, and whether what was built is what was reviewed.

use std::path::Path;

use anyhow::bail;
use catalog::compare::{self, Digest};
use sandbox::inspect;
use serde_json::{Value, json};

use super::Say;
use crate::assembly;
use crate::catalogs::{self, Sources};
use crate::cli::{Catalog, Place};
use crate::modules::{self, Profile};
use crate::settings::Settings;

pub(super) async fn run(place: &Place, command: Catalog, say: Say) -> anyhow::Result<()> {
    match command {
        Catalog::List { revision } => {
            let settings = Settings::read(place)?;
            let revision = match revision {
                Some(revision) => Some(revision),
                None => assembly::store(&settings).await?.0.served_revision().await?,
            };
            list(&settings, revision.as_deref(), say)
        }
        Catalog::Activate { revision, modules } => {
            let settings = Settings::read(place)?;
            activate(&settings, &revision, modules.as_deref(), say).await
        }
        Catalog::Lock => {
            let sources = Sources::workspace(&modules::workspace()?, Profile::Component)?;
            let revisions = catalogs::lock(&sources)?;
            let rows: Vec<Value> =
                revisions.iter().map(|revision| json!({ "date": revision.date, "operations": revision.operations(), "hash": revision.hash() })).collect();
            let words: Vec<String> = revisions
                .iter()
                .map(|revision| format!("{}: {} operations", revision.date, revision.operations()))
                .collect();
            say.value(&Value::Array(rows), &words.join("\n"));
            Ok(())
        }
        Catalog::Check => check(say),
    }
}

/// Everything is loaded here first: what a host would refuse is not activated.
async fn activate(settings: &Settings, date: &str, modules: Option<&Path>, say: Say) -> anyhow::Result<()> {
    let sources = Sources::find(modules, &settings.data_dir)?;
    let revision = sources.revision(Some(date))?;
    let sandbox = assembly::sandbox(settings, &settings.file.outbound, "http://127.0.0.1:8080")?;
    let generation = sources.load(&sandbox, &revision)?;
    let (store, clock) = assembly::store(settings).await?;
    let before = store.served_revision().await?;
    store.serve_revision(date, clock.now()).await?;
    let operations = generation.operations().count();
    say.value(
        &json!({ "revision": date, "before": before, "operations": operations }),
        &format!("revision {date} with {operations} operations is in force; hosts follow within seconds"),
    );
    Ok(())
}

fn list(settings: &Settings, revision: Option<&str>, say: Say) -> anyhow::Result<()> {
    let sources = Sources::find(None, &settings.data_dir)?;
    let revision = sources.revision(revision)?;
    let mut rows = Vec::new();
    for built in &sources.built {
        let Some(lock) = revision.locks.get(&built.name) else { continue };
        let inspection = inspect::inspect(&std::fs::read(&built.path)?)?;
        for contract in
            inspection.built.manifest.operations.iter().filter(|contract| lock.operations.contains_key(&contract.id))
        {
            rows.push(json!({
                "id": contract.id,
                "module": contract.module(),
                "kind": contract.kind,
                "mode": contract.mode,
                "scopes": contract.scopes,
                "native_price": contract.native_price,
                "cost": contract.cost,
                "summary": contract.summary,
            }));
        }
    }
    let words: Vec<String> = rows
        .iter()
        .map(|row| {
            format!(
                "{:<32} {:<12} {}",
                row["id"].as_str().unwrap_or_default(),
                row["kind"].as_str().unwrap_or_default(),
                row["summary"].as_str().unwrap_or_default()
            )
        })
        .collect();
    say.value(&Value::Array(rows), &words.join("\n"));
    Ok(())
}

fn check(say: Say) -> anyhow::Result<()> {
    let sources = Sources::workspace(&modules::workspace()?, Profile::Component)?;
    let revision = sources.revision(None)?;
    let mut differences = Vec::new();
    for built in &sources.built {
        let inspection = inspect::inspect(&std::fs::read(&built.path)?)?;
        match revision.locks.get(&built.name) {
            Some(lock) => differences
                .extend(compare::differences(&inspection.built, lock, Digest::Free).iter().map(ToString::to_string)),
            None => differences.push(format!("{}: no lock in {}", built.name, revision.date)),
        }
    }
    if !differences.is_empty() {
        bail!(
            "what was built is not what was locked; `espalier catalog lock` writes it anew for review:\n{}",
            differences.join("\n")
        );
    }
    say.value(
        &json!({ "revision": revision.date, "differences": [] }),
        &format!("revision {} is what was built", revision.date),
    );
    Ok(())
}
