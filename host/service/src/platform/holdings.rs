//! Everything that modules keep for the customer: to be taken along, and raw data to be removed.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use model::clock::Moment;
use model::manifest::{Collection, Raw};
use model::scope::Scope;
use sandbox::platform::{Deed, RawData, Stored, Untold};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use store::Row;
use store::money::account::AccountChange;

use super::paging::{cursor, limit, page, place};
use super::{Desk, invalid, not_found};

/// Bytes of rows or blobs on one page, unless a single one has more.
const PAGE_BYTES: u64 = 2 * 1024 * 1024;
/// Rows that one purge looks at.
const LOOKED_AT: usize = 100_000;
/// Rows and blobs that one purge takes.
const TAKEN: u64 = 10_000;
/// Rows that are read in one go.
const AT_ONCE: u32 = 1_000;

/// What a purge takes, or would.
#[derive(Default)]
pub(super) struct Old {
    /// Rows and blobs, by the name of the raw data.
    counts: BTreeMap<String, (u64, u64)>,
    rows: Vec<(String, Collection, Row)>,
    /// By module.
    prefixes: BTreeMap<String, Vec<String>>,
    more: bool,
}

impl Old {
    /// As `raw-data` answers it.
    pub(super) fn document(&self) -> Value {
        let counts: BTreeMap<&String, Value> =
            self.counts.iter().map(|(name, (rows, blobs))| (name, json!({ "rows": rows, "blobs": blobs }))).collect();
        json!({ "counts": counts, "more": self.more })
    }

    fn taken(&self) -> u64 {
        self.counts.values().map(|(rows, blobs)| rows + blobs).sum()
    }
}

impl Desk {
    /// Which data there is.
    pub(super) async fn held(&self) -> Result<Value, Untold> {
        let store = self.service.core.store();
        let (reach, generation) = (self.reach().await?, self.service.core.catalog().current());
        let mut withheld: BTreeMap<String, BTreeSet<Scope>> = BTreeMap::new();
        let mut is_reached = |module: &str, collection: &str| {
            let Some(missing) = reach.missing(&generation, module, collection) else { return true };
            withheld.entry(module.to_owned()).or_default().extend(missing);
            false
        };
        let split = |name: &str| name.split_once('.').map(|(one, two)| (one.to_owned(), two.to_owned()));
        let collections: Vec<Value> = store
            .records
            .held_rows(&self.customer)
            .await?
            .iter()
            .filter_map(|it| {
                let (module, collection) = split(&it.name)?;
                is_reached(&module, &collection).then_some(())?;
                Some(json!({ "module": module, "collection": collection, "rows": it.count }))
            })
            .collect();
        let blobs = store.records.held_blobs(&self.customer).await?;
        let blobs: Vec<Value> = blobs
            .iter()
            .filter(|it| is_reached(&it.name, ""))
            .map(|it| json!({ "module": it.name, "blobs": it.count, "bytes": it.bytes }))
            .collect();
        let raw: Vec<Value> =
            self.raw().iter().map(|(name, (_, raw))| json!({ "name": name, "words": raw.words })).collect();
        let withheld: Vec<Value> =
            withheld.into_iter().map(|(module, scopes)| json!({ "module": module, "scopes": scopes })).collect();
        Ok(json!({ "collections": collections, "blobs": blobs, "raw": raw, "withheld": withheld }))
    }

    /// What the grant does not reach is not there for it.
    async fn check_reach(&self, module: &str, collection: &str) -> Result<(), Untold> {
        let generation = self.service.core.catalog().current();
        match self.reach().await?.missing(&generation, module, collection) {
            None => Ok(()),
            Some(_) => Err(not_found("collection_not_found", "there is no such collection within reach of the grant")),
        }
    }

    /// A page of rows, in the order of their ids.
    pub(super) async fn rows(&self, asked: &Stored) -> Result<Value, Untold> {
        self.check_reach(&asked.module, &asked.collection).await?;
        let name = format!("{}.{}", asked.module, asked.collection);
        let (after, most) = (place(&asked.paging)?, limit(&asked.paging));
        let after = after.map_or_else(String::new, |(_, id)| id);
        let rows = self.service.core.store().records.rows_after(&self.customer, &name, &after, most + 1).await?;
        // A page ends where it grows too large, with at least one row.
        let mut bytes = 0;
        let fits = |row: &&Row| {
            bytes += row.body.len() as u64;
            bytes <= PAGE_BYTES
        };
        let fitting = u32::try_from(rows.iter().take_while(fits).count().max(1)).unwrap_or(most);
        let (rows, next) = page(rows, most.min(fitting), |row| cursor(Moment(0), &row.id));
        let shown = |row: &Row| {
            let body = serde_json::from_str::<Value>(&row.body).unwrap_or_default();
            json!({ "id": row.id, "version": row.version, "body": body })
        };
        Ok(json!({ "rows": rows.iter().map(shown).collect::<Vec<_>>(), "next": next }))
    }

    /// A page of blobs, in the order of their keys.
    pub(super) async fn blobs(&self, asked: &Stored) -> Result<Value, Untold> {
        self.check_reach(&asked.module, "").await?;
        let after = place(&asked.paging)?.map_or_else(String::new, |(_, key)| key);
        let most = limit(&asked.paging);
        let store = self.service.core.store();
        let blobs = store.records.blobs_after(&self.customer, &asked.module, &after, most, PAGE_BYTES).await?;
        let next = match blobs.last() {
            Some(last) => {
                let left = store.records.blobs_after(&self.customer, &asked.module, &last.key, 1, 0).await?;
                left.first().map(|_| cursor(Moment(0), &last.key))
            }
            None => None,
        };
        let shown = |it: &store::records::holdings::HeldBlob| json!({ "key": it.key, "bytes": it.bytes.len(), "base64": STANDARD.encode(&it.bytes) });
        Ok(json!({ "blobs": blobs.iter().map(shown).collect::<Vec<_>>(), "next": next }))
    }

    /// What a purge would take.
    pub(super) async fn raw_data(&self, asked: &RawData) -> Result<Old, Untold> {
        let known = self.raw();
        let mut old = Old::default();
        for (at, name) in asked.names.iter().enumerate() {
            let Some((module, raw)) = known.get(name) else {
                let names: Vec<&str> = known.keys().map(String::as_str).collect();
                let message = format!("there is no raw data of this name; there is {}", names.join(", "));
                return Err(invalid(&format!("/collections/{at}"), "unknown_raw_data", &message));
            };
            self.look(name, module, raw, asked, &mut old).await?;
        }
        Ok(old)
    }

    /// Takes it.
    pub(super) async fn purge(&self, asked: &RawData) -> Result<Deed, Untold> {
        let old = self.raw_data(asked).await?;
        let document = old.document().to_string();
        let drop = |(module, prefixes)| AccountChange::DropBlobs { module, prefixes };
        Ok(Deed { document, changes: old.prefixes.into_iter().map(drop).collect(), purged: old.rows })
    }

    /// The raw data of every module: by `module.name`, with the module.
    fn raw(&self) -> BTreeMap<String, (String, Raw)> {
        let generation = self.service.core.catalog().current();
        let mut known = BTreeMap::new();
        for module in generation.modules() {
            for raw in &module.manifest.raw {
                known.insert(format!("{}.{}", module.name, raw.name), (module.name.to_string(), raw.clone()));
            }
        }
        known
    }

    async fn look(&self, name: &str, module: &str, raw: &Raw, asked: &RawData, old: &mut Old) -> Result<(), Untold> {
        let store = self.service.core.store();
        let declared = self.declared(module, &raw.collection)?;
        let full_name = format!("{module}.{}", raw.collection);
        old.counts.entry(name.to_owned()).or_default();
        let (mut after, mut looked_at) = (String::new(), 0);
        loop {
            let rows = store.records.rows_after(&self.customer, &full_name, &after, AT_ONCE).await?;
            let Some(last) = rows.last() else { return Ok(()) };
            after.clone_from(&last.id);
            looked_at += rows.len();
            for row in rows {
                if !is_old(&row, raw, asked) {
                    continue;
                }
                if old.taken() >= TAKEN {
                    old.more = true;
                    return Ok(());
                }
                let mut blobs = 0;
                for pattern in &raw.blobs {
                    let prefix = pattern.replace("{id}", &row.id);
                    let found = store.records.count_blobs(&self.customer, module, &prefix).await?;
                    if found > 0 {
                        blobs += found;
                        old.prefixes.entry(module.to_owned()).or_default().push(prefix);
                    }
                }
                let count = old.counts.entry(name.to_owned()).or_default();
                count.1 += blobs;
                if raw.rows {
                    count.0 += 1;
                    old.rows.push((module.to_owned(), declared.clone(), row));
                }
            }
            if looked_at >= LOOKED_AT {
                old.more = true;
                return Ok(());
            }
        }
    }

    fn declared(&self, module: &str, collection: &str) -> Result<Collection, Untold> {
        let generation = self.service.core.catalog().current();
        let declared = generation
            .module(module)
            .and_then(|module| module.manifest.collections.iter().find(|it| it.name == collection).cloned());
        declared.ok_or_else(|| not_found("collection_not_found", "the module has no such collection"))
    }
}

/// Whether a row is older than asked for, and of the website.
fn is_old(row: &Row, raw: &Raw, asked: &RawData) -> bool {
    let Ok(body) = serde_json::from_str::<BTreeMap<String, Box<RawValue>>>(&row.body) else { return false };
    let member = |name: &str| body.get(name).and_then(|it| serde_json::from_str::<Value>(it.get()).ok());
    let dated = member(&raw.dated).and_then(|at| at.as_u64());
    let site = asked.site.as_deref();
    dated.is_some_and(|at| at < asked.older_than)
        && site.is_none_or(|site| member("site_id").as_ref().and_then(Value::as_str) == Some(site))
}
