//! `espalier catalog`: what may run, and whether what was built is what was reviewed.

use anyhow::bail;
use catalog::compare::{self, Digest};
use sandbox::inspect;
use serde_json::{Value, json};

use super::Say;
use crate::catalogs::{self, Sources};
use crate::cli::{Catalog, Place};
use crate::modules::{self, Profile};
use crate::settings::Settings;

pub(super) fn run(place: &Place, command: Catalog, say: Say) -> anyhow::Result<()> {
    match command {
        Catalog::List { revision } => list(&Settings::read(place)?, revision.as_deref(), say),
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
