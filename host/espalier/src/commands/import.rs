//! `espalier customer import`: an archive of `account.export.create`, put back into a customer's account.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use catalog::revision::Revision;
use model::id::CustomerId;
use model::token::hex;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use service::oauth::Authority;
use sha2::{Digest as _, Sha256};
use store::{ModuleSchema, Restored};

use super::Say;

/// The archive's version that this host reads.
const VERSION: u32 = 1;
/// Rows of one commit.
const AT_ONCE: usize = 500;

/// `manifest.json`.
#[derive(Deserialize)]
struct Manifest {
    format_version: u32,
    format: String,
    files: Vec<File>,
}

#[derive(Deserialize)]
struct File {
    name: String,
    collection: String,
    rows: u64,
    sha256: String,
}

#[derive(Deserialize)]
struct Line {
    id: String,
    version: u64,
    body: Map<String, Value>,
}

#[derive(Deserialize)]
struct Piece {
    key: String,
    bytes: u64,
    offset: u64,
    base64: String,
}

/// Checks the whole archive first, then puts its rows and blobs where they are missing.
pub(super) async fn run(
    authority: &Authority,
    catalog: &Path,
    customer: &CustomerId,
    folder: &Path,
    say: Say,
) -> anyhow::Result<()> {
    authority.customer(customer).await?.with_context(|| format!("there is no customer {customer}"))?;
    let manifest = read(folder)?;
    let schemas = schemas(catalog)?;
    for file in &manifest.files {
        let (module, collection) = split(&file.collection)?;
        let schema = schemas.get(module).with_context(|| format!("there is no module {module} here"))?;
        let known = collection == "blobs" || schema.collections.iter().any(|it| it.name == collection);
        if !known {
            bail!("{}: the module {module} has no collection {collection}", file.name);
        }
    }
    let mut restored = Restored::default();
    let mut blobs: BTreeMap<(String, String), Vec<u8>> = BTreeMap::new();
    for file in &manifest.files {
        let text = std::fs::read_to_string(folder.join(&file.name))?;
        let (module, collection) = split(&file.collection)?;
        if collection == "blobs" {
            put_together(module, &text, &mut blobs).with_context(|| file.name.clone())?;
            continue;
        }
        let schema = &schemas[module];
        let rows: Vec<(String, u64, String)> = text
            .lines()
            .map(|line| {
                let Line { id, version, body } = serde_json::from_str(line)?;
                Ok((id, version, Value::Object(body).to_string()))
            })
            .collect::<anyhow::Result<_>>()
            .with_context(|| file.name.clone())?;
        for rows in rows.chunks(AT_ONCE) {
            restored += authority.store().records.restore_rows(customer, schema, collection, rows.to_vec()).await?;
        }
    }
    for ((module, key), bytes) in blobs {
        restored += authority.store().records.restore_blob(customer, &schemas[&module], &key, bytes).await?;
    }
    let Restored { put, same, other } = restored;
    say.value(
        &json!({ "put": put, "same": same, "other": other }),
        &format!("{put} put back, {same} were there already, {other} are there with other content and were left alone"),
    );
    Ok(())
}

/// The manifest, after every file was compared with it.
fn read(folder: &Path) -> anyhow::Result<Manifest> {
    let path = folder.join("manifest.json");
    let text = std::fs::read(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    let manifest: Manifest = serde_json::from_slice(&text).context("manifest.json is not of an export")?;
    if manifest.format_version != VERSION || manifest.format != "jsonl" {
        bail!("only archives of version {VERSION} in JSON Lines can be put back: export with format = jsonl");
    }
    for file in &manifest.files {
        if file.name.contains(['/', '\\']) {
            bail!("{:?} is not a file's name", file.name);
        }
        let bytes = std::fs::read(folder.join(&file.name)).with_context(|| format!("{} is missing", file.name))?;
        if hex(&Sha256::digest(&bytes)) != file.sha256 {
            bail!("{} is not the file that was exported: its SHA-256 sum differs", file.name);
        }
        let rows = bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
        if rows != file.rows {
            bail!("{} has {rows} lines in place of {}", file.name, file.rows);
        }
    }
    Ok(manifest)
}

/// The collections of every module, as the newest revision locks them.
fn schemas(catalog: &Path) -> anyhow::Result<BTreeMap<String, ModuleSchema>> {
    let date = Revision::dates(catalog)?.pop().context("there is no revision of the catalog")?;
    let revision = Revision::read(catalog, &date)?;
    let schema = |lock: &catalog::lock::Lock| ModuleSchema {
        module: lock.module.clone(),
        collections: lock.own_collections(),
        foreign: BTreeMap::new(),
    };
    Ok(revision.locks.iter().map(|(name, lock)| (name.clone(), schema(lock))).collect())
}

fn split(name: &str) -> anyhow::Result<(&str, &str)> {
    name.split_once('.').with_context(|| format!("{name:?} is not a collection"))
}

/// Adds the pieces of a file to the blobs that they are of.
fn put_together(module: &str, text: &str, blobs: &mut BTreeMap<(String, String), Vec<u8>>) -> anyhow::Result<()> {
    for line in text.lines() {
        let Piece { key, bytes, offset, base64 } = serde_json::from_str(line)?;
        let blob = blobs.entry((module.to_owned(), key.clone())).or_default();
        if blob.len() as u64 != offset {
            bail!("the pieces of the blob {key} do not follow one another");
        }
        blob.extend(STANDARD.decode(base64)?);
        if blob.len() as u64 > bytes {
            bail!("the blob {key} is longer than it says");
        }
    }
    Ok(())
}
