//! One module's lock: what of it may run, with which grants, at which price.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use model::contract::{Contract, Kind, Mode};
use model::manifest::{Collection, FIRST_FORM, Index, Shapes};
use model::outside::{Line, Right};
use model::{canonical, scope::ScopeSet};
use serde::Deserialize;
use serde_json::Value;

use crate::bounds::Bounds;
use crate::built::Built;
use crate::error::CatalogError;
use crate::reach::Reach;
use crate::{line, signature};

/// A lock file, `catalog/<date>/<module>.toml`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// The module's name.
    pub module: String,
    /// `sha256:` and the hex of the component's bytes.
    pub component: String,
    /// The WIT package it was built for.
    pub wit: String,
    /// Host interfaces it may import; exactly these are imported.
    pub grants: BTreeSet<String>,
    /// Collections of other modules it may read, as `module.collection`.
    #[serde(default)]
    pub reads: BTreeSet<String>,
    /// Operations, of any module, that it may have called again and again in the customer's name.
    #[serde(default)]
    pub schedules: BTreeSet<String>,
    /// Operations that the component has and this revision does not offer.
    #[serde(default)]
    pub withheld: BTreeSet<String>,
    /// Limits that differ from the design's table, for each function of the module.
    #[serde(default)]
    pub limits: Bounds,
    /// Collections that a `write` or a `job` may remove from, each with the reason.
    #[serde(default)]
    pub may_remove: BTreeMap<String, String>,
    /// Its own collections: the fields of each index.
    #[serde(default)]
    pub collections: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// The form of its collections' records, where it is not the first.
    #[serde(default)]
    pub forms: BTreeMap<String, u32>,
    /// What outlives its code, `records`, `payloads` and `checkpoints`, each a JSON Schema by name.
    #[serde(default)]
    pub shapes: BTreeMap<String, BTreeMap<String, String>>,
    /// Kinds of job: the export of each.
    #[serde(default)]
    pub steps: BTreeMap<String, String>,
    /// What the fixed routes show, by id.
    #[serde(default)]
    pub routes: BTreeMap<String, Entry>,
    /// Catalog operations, by id.
    #[serde(default)]
    pub operations: BTreeMap<String, Entry>,
    /// Where it was read.
    #[serde(skip)]
    pub(crate) source: Source,
}

/// What a reviewer reads of one operation.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What it may do.
    pub kind: Kind,
    /// When the answer holds the result.
    pub mode: Mode,
    /// All are needed.
    pub scopes: ScopeSet,
    /// The points, on one line.
    pub cost: String,
    /// The credits, on one line.
    #[serde(default)]
    pub price: Option<String>,
    /// The arguments, on one line.
    pub arguments: String,
    /// Host interfaces and connections it needs.
    #[serde(default)]
    pub needs: BTreeSet<String>,
    /// What it may ask of customers' providers.
    #[serde(default)]
    pub outside: Vec<Line>,
    /// Which public pages it may ask for; absent means any.
    #[serde(default)]
    pub web: Option<Reach>,
    /// Why a `write` or a `job` may remove at a provider, for each such line of `outside`.
    #[serde(default)]
    pub may_remove: BTreeMap<Line, String>,
    /// Limits of this one function, in place of the module's.
    #[serde(default)]
    pub limits: Bounds,
    /// `sha256:` and the hex of the canonical contract.
    pub contract: String,
}

/// The text a lock was read from, so that a message can name the line.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Source {
    /// The revision's folder with a `/` after it, where it was read from one.
    pub(crate) folder: String,
    pub(crate) file: String,
    text: String,
}

/// The hash of a contract: the same on every machine.
pub fn contract_hash(contract: &Contract) -> String {
    canonical::digest(contract)
}

impl Entry {
    /// What a lock says of this contract.
    pub fn of(contract: &Contract) -> Self {
        Self {
            kind: contract.kind,
            mode: contract.mode,
            scopes: contract.scopes.clone(),
            cost: line::cost(&contract.cost),
            price: contract.native_price.as_ref().map(line::price),
            arguments: signature::of(&contract.arguments),
            needs: contract.needs.iter().cloned().collect(),
            outside: contract.outside.clone(),
            web: None,
            may_remove: BTreeMap::new(),
            limits: Bounds::default(),
            contract: contract_hash(contract),
        }
    }

    /// This entry with what only a person decides, as an earlier one has it.
    fn decided_as(self, earlier: Option<&Entry>) -> Self {
        let Some(earlier) = earlier else { return self };
        let (web, may_remove, limits) = (earlier.web.clone(), earlier.may_remove.clone(), earlier.limits.clone());
        Self { web, may_remove, limits, ..self }
    }

    /// Whether it may send what one of its lines is about: its kind permits that, or the lock says why.
    pub fn may(&self, line: &Line) -> bool {
        match line.effect.right_of(self.kind) {
            Right::Given => true,
            Right::WithReason => self.may_remove.contains_key(line),
            Right::Never => false,
        }
    }
}

impl Lock {
    /// The lock of what was built. What only a person can decide (reads of other modules, limits, removals, pages)
    /// is kept from the earlier lock, and `offered` says which operations the revision has.
    pub fn of(built: &Built, earlier: Option<&Lock>, offered: impl Fn(&str) -> bool) -> Self {
        let manifest = &built.manifest;
        let entry =
            |contract: &Contract, old: Option<&Entry>| (contract.id.clone(), Entry::of(contract).decided_as(old));
        let (offers, withholds): (Vec<_>, Vec<_>) = manifest.operations.iter().partition(|it| offered(&it.id));
        Self {
            module: manifest.module.clone(),
            component: built.component.clone(),
            wit: manifest.wit.clone(),
            grants: built.imports.clone(),
            reads: earlier.map(|lock| lock.reads.clone()).unwrap_or_default(),
            schedules: earlier.map(|lock| lock.schedules.clone()).unwrap_or_default(),
            withheld: withholds.iter().map(|contract| contract.id.clone()).collect(),
            limits: earlier.map(|lock| lock.limits.clone()).unwrap_or_default(),
            may_remove: earlier.map(|lock| lock.may_remove.clone()).unwrap_or_default(),
            collections: collections(&manifest.collections),
            forms: forms(&manifest.collections),
            shapes: shapes(&manifest.shapes),
            steps: manifest.steps.iter().map(|step| (step.name.clone(), step.export.clone())).collect(),
            routes: manifest
                .routes
                .iter()
                .map(|contract| entry(contract, earlier.and_then(|lock| lock.routes.get(&contract.id))))
                .collect(),
            operations: offers
                .into_iter()
                .map(|contract| entry(contract, earlier.and_then(|lock| lock.operations.get(&contract.id))))
                .collect(),
            source: Source::default(),
        }
    }

    /// Reads a lock file.
    ///
    /// # Errors
    /// The file cannot be read or is not a lock.
    pub fn read(path: &Path) -> Result<Self, CatalogError> {
        let text = crate::files::read_text(path).map_err(CatalogError::file(path))?;
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let folder = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
        Self::parsed(&format!("{folder}/"), &file, &text)
    }

    /// Reads the text of a lock file.
    ///
    /// # Errors
    /// The text is not a lock.
    pub fn parse(file: &str, text: &str) -> Result<Self, CatalogError> {
        Self::parsed("", file, text)
    }

    fn parsed(folder: &str, file: &str, text: &str) -> Result<Self, CatalogError> {
        let source = Source { folder: folder.to_owned(), file: file.to_owned(), text: text.to_owned() };
        let mut lock: Lock = toml::from_str(text).map_err(|error| CatalogError::Malformed {
            file: format!("{folder}{file}"),
            line: error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count()),
            message: error.message().to_owned(),
        })?;
        lock.source = source;
        Ok(lock)
    }

    /// The line of the file on which a key stands, or its table without a key; 1 when it is in none.
    pub fn line_of(&self, table: Option<&str>, key: &str) -> usize {
        let mut inside = table.is_none();
        let mut header = 1;
        for (index, text) in self.source.text.lines().enumerate() {
            if text.starts_with('[') {
                inside = table.is_some_and(|table| text.trim() == format!("[{table}]"));
                if inside {
                    header = index + 1;
                }
            } else if inside && !key.is_empty() && text.split('=').next().is_some_and(|name| name.trim() == key) {
                return index + 1;
            }
        }
        header
    }

    /// Interfaces to the outside that it grants and none of its functions needs: a call of them would be stopped.
    pub fn unneeded(&self) -> Vec<&str> {
        let needs: Vec<&str> =
            self.operations.values().chain(self.routes.values()).flat_map(|it| &it.needs).map(String::as_str).collect();
        let needed = |grant: &str| match grant {
            "web" | "dns" | "tls" => needs.contains(&grant),
            "connections" | "mail" => needs.iter().any(|need| need.starts_with("connection:")),
            _ => true,
        };
        self.grants.iter().map(String::as_str).filter(|grant| !needed(grant)).collect()
    }

    /// The file in its revision's folder, where it was read from one: `2026-09-28/authors.toml`.
    pub fn place(&self) -> String {
        format!("{}{}", self.source.folder, self.file())
    }

    /// The file's name, for messages.
    pub fn file(&self) -> String {
        if self.source.file.is_empty() { format!("{}.toml", self.module) } else { self.source.file.clone() }
    }

    /// Its own collections as the store wants them.
    pub fn own_collections(&self) -> Vec<Collection> {
        let index = |(name, fields): (&String, &Vec<String>)| Index { name: name.clone(), fields: fields.clone() };
        self.collections
            .iter()
            .map(|(name, indexes)| Collection {
                name: name.clone(),
                indexes: indexes.iter().map(index).collect(),
                form: self.form(name),
            })
            .collect()
    }

    /// The form of the records of one of its collections.
    pub fn form(&self, collection: &str) -> u32 {
        self.forms.get(collection).copied().unwrap_or(FIRST_FORM)
    }
}

/// The forms that are not the first.
pub(crate) fn forms(declared: &[Collection]) -> BTreeMap<String, u32> {
    declared.iter().filter(|it| it.form != FIRST_FORM).map(|it| (it.name.clone(), it.form)).collect()
}

pub(crate) fn collections(declared: &[Collection]) -> BTreeMap<String, BTreeMap<String, Vec<String>>> {
    let indexes = |it: &Collection| it.indexes.iter().map(|index| (index.name.clone(), index.fields.clone())).collect();
    declared.iter().map(|collection| (collection.name.clone(), indexes(collection))).collect()
}

/// Canonical JSON is UTF-8 (RFC 8785).
fn text_of(shape: &Value) -> String {
    String::from_utf8_lossy(&canonical::write(shape)).into_owned()
}

/// Shapes as a lock has them: each in its canonical text.
pub(crate) fn shapes(declared: &Shapes) -> BTreeMap<String, BTreeMap<String, String>> {
    let texts = |all: &BTreeMap<String, Value>| all.iter().map(|(name, it)| (name.clone(), text_of(it))).collect();
    let kinds = declared.each().into_iter().filter(|(_, all)| !all.is_empty());
    kinds.map(|(kind, all)| (kind.to_owned(), texts(all))).collect()
}

mod write;

#[cfg(test)]
mod tests;
