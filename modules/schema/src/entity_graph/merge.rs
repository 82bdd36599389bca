//! Which nodes are one entity: those that share an `@id`, an address or a profile (union-find over these keys).

use std::collections::{BTreeMap, BTreeSet};

use sdk::prelude::*;
use serde_json::{Map, Value};

use super::{Conflict, Dangling, Orphan, Said};
use crate::extract::{text, types, values};
use crate::vocabulary;

/// The most entities: a checkpoint has some 4 MiB.
const MOST: usize = 8_000;
/// The most references that are remembered.
const MOST_REFERENCES: usize = 5_000;
/// Values of one property that are remembered of an entity.
const MOST_VALUES: usize = 5;
/// Properties that an entity has one of.
const SINGLE: &[&str] = &[
    "name",
    "legalName",
    "telephone",
    "email",
    "logo",
    "foundingDate",
    "birthDate",
    "vatID",
    "taxID",
    "duns",
    "sku",
    "gtin",
    "gtin8",
    "gtin12",
    "gtin13",
    "gtin14",
    "isbn",
    "headline",
    "datePublished",
];
/// Types that stand for something that should have a page of its own.
const WITH_HOME: &[&str] = &["Organization", "Person", "Place", "Brand", "Product", "Event"];

/// An entity.
#[value]
#[derive(Default)]
pub(crate) struct Entity {
    pub(crate) types: Vec<String>,
    /// Its first name.
    pub(crate) name: Option<String>,
    /// Its `@id`s, at most 10.
    pub(crate) ids: Vec<String>,
    /// The addresses of its own pages, at most 10.
    pub(crate) urls: Vec<String>,
    /// Pages that tell of it.
    pub(crate) pages: u64,
    /// The first of them.
    pub(crate) example: String,
    /// The values of properties that it has one of, each with the first page that says it.
    pub(crate) facts: BTreeMap<String, Vec<Said>>,
}

/// The entities of a crawl while it is read.
#[value]
#[derive(Default)]
pub(crate) struct Entities {
    entities: Vec<Entity>,
    /// The place of the entity that another was merged into; itself for one that stands.
    parents: Vec<u32>,
    /// The entity of each key.
    keys: BTreeMap<String, u32>,
    /// References by `@id`: pages, and the first of them.
    references: BTreeMap<String, (u64, String)>,
    full: bool,
}

impl Entities {
    /// Adds an item and the nodes inside it, of one page.
    pub(crate) fn add(&mut self, item: &Map<String, Value>, page: &str) {
        let id = item.get("@id").and_then(Value::as_str);
        if item.len() == 1
            && let Some(id) = id
        {
            return self.refer(&absolute(id, page), page);
        }
        let named = types(item);
        if !named.is_empty() {
            self.entity(item, &named, id, page);
        }
        for name in item.keys().filter(|it| !it.starts_with('@')) {
            for inner in values(item, name).iter().filter_map(Value::as_object) {
                self.add(inner, page);
            }
        }
    }

    fn refer(&mut self, id: &str, page: &str) {
        if self.references.len() < MOST_REFERENCES || self.references.contains_key(id) {
            let known = self.references.entry(id.to_owned()).or_insert_with(|| (0, page.to_owned()));
            known.0 += 1;
        }
    }

    fn entity(&mut self, item: &Map<String, Value>, named: &[&str], id: Option<&str>, page: &str) {
        let keys = keys(item, named, id, page);
        let Some(first) = keys.first() else { return };
        let known: BTreeSet<u32> = keys.iter().filter_map(|it| self.keys.get(it)).map(|at| self.root(*at)).collect();
        let at = match known.first() {
            Some(at) => *at,
            None if self.entities.len() >= MOST => {
                self.full = true;
                return;
            }
            None => {
                let at = u32::try_from(self.entities.len()).unwrap_or(u32::MAX);
                self.entities.push(Entity { example: page.to_owned(), ..Entity::default() });
                self.parents.push(at);
                self.keys.insert(first.clone(), at);
                at
            }
        };
        for other in known.into_iter().skip(1) {
            self.unite(at, other);
        }
        for key in keys {
            self.keys.insert(key, at);
        }
        let Some(entity) = self.entities.get_mut(at as usize) else { return };
        entity.pages += 1;
        for name in
            named.iter().filter(|it| !entity.types.iter().any(|known| known == *it)).copied().collect::<Vec<_>>()
        {
            entity.types.push(name.to_owned());
        }
        if let Some(id) = id {
            keep(&mut entity.ids, absolute(id, page));
        }
        for url in ["url", "mainEntityOfPage"].iter().flat_map(|it| values(item, it)).filter_map(text) {
            keep(&mut entity.urls, absolute(&url, page));
        }
        entity.name = entity.name.take().or_else(|| item.get("name").and_then(text));
        for property in SINGLE {
            for value in values(item, property).iter().filter_map(text) {
                say(entity.facts.entry((*property).to_owned()).or_default(), property, value, page);
            }
        }
    }

    fn root(&self, at: u32) -> u32 {
        let mut at = at;
        while let Some(parent) = self.parents.get(at as usize).filter(|it| **it != at) {
            at = *parent;
        }
        at
    }

    fn unite(&mut self, into: u32, other: u32) {
        let Some(gone) = self.entities.get_mut(other as usize).map(std::mem::take) else { return };
        self.parents[other as usize] = into;
        let Some(entity) = self.entities.get_mut(into as usize) else { return };
        entity.pages += gone.pages;
        entity.name = entity.name.take().or(gone.name);
        for kind in gone.types {
            if !entity.types.contains(&kind) {
                entity.types.push(kind);
            }
        }
        gone.ids.into_iter().for_each(|it| keep(&mut entity.ids, it));
        gone.urls.into_iter().for_each(|it| keep(&mut entity.urls, it));
        for (property, all) in gone.facts {
            let known = entity.facts.entry(property.clone()).or_default();
            all.into_iter().for_each(|it| say(known, &property, it.value, &it.page));
        }
    }

    /// The entities that stand.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Entity> {
        let stands = |(at, _): &(usize, &Entity)| self.parents.get(*at).is_some_and(|it| *it as usize == *at);
        self.entities.iter().enumerate().filter(stands).map(|(_, it)| it)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> u64 {
        self.all().count() as u64
    }

    /// Whether there were more than are kept.
    pub(crate) fn is_full(&self) -> bool {
        self.full
    }

    /// References to what no page tells of.
    pub(crate) fn dangling(&self, most: usize) -> Vec<Dangling> {
        let mut all: Vec<Dangling> = self
            .references
            .iter()
            .filter(|(id, _)| !self.keys.contains_key(&format!("id {id}")))
            .map(|(id, (pages, example))| Dangling::new(id, *pages, example))
            .collect();
        all.sort_by(|a, b| b.pages.cmp(&a.pages).then_with(|| a.id.cmp(&b.id)));
        all.truncate(most);
        all
    }

    /// Properties with several values, and organizations that go by several identities.
    pub(crate) fn conflicts(&self, most: usize) -> Vec<Conflict> {
        let mut out = Vec::new();
        let mut by_name: BTreeMap<String, Vec<&Entity>> = BTreeMap::new();
        for entity in self.all() {
            for (property, all) in entity.facts.iter().filter(|(_, all)| all.len() > 1) {
                out.push(Conflict::new(entity.called(), entity.kind(), property, all.clone()));
            }
            if entity.is_a("Organization")
                && let Some(name) = &entity.name
            {
                by_name.entry(plain("name", name)).or_default().push(entity);
            }
        }
        for same in by_name.into_values().filter(|it| it.len() > 1) {
            let said = same.iter().map(|it| Said {
                value: it.ids.first().or(it.urls.first()).cloned().unwrap_or_else(|| "without @id".to_owned()),
                page: it.example.clone(),
            });
            out.push(Conflict::new(same[0].called(), same[0].kind(), "@id", said.take(MOST_VALUES).collect()));
        }
        out.truncate(most);
        out
    }

    /// Entities that should have a page of their own, and name none.
    pub(crate) fn orphans(&self, most: usize) -> Vec<Orphan> {
        let wants = |it: &&Entity| it.urls.is_empty() && WITH_HOME.iter().any(|kind| it.is_a(kind));
        let mut all: Vec<Orphan> =
            self.all().filter(wants).map(|it| Orphan::new(it.called(), it.kind(), it.pages, &it.example)).collect();
        all.sort_by(|a, b| b.pages.cmp(&a.pages).then_with(|| a.entity.cmp(&b.entity)));
        all.truncate(most);
        all
    }
}

impl Entity {
    fn called(&self) -> &str {
        self.name.as_deref().or_else(|| self.ids.first().map(String::as_str)).unwrap_or("without a name")
    }

    fn kind(&self) -> &str {
        self.types.first().map_or("", String::as_str)
    }

    fn is_a(&self, kind: &str) -> bool {
        self.types.iter().any(|it| vocabulary::get().is_a(it, kind))
    }
}

/// What identifies a node: `@id`, `url` and `sameAs`; of organizations and people without any, type and name.
fn keys(item: &Map<String, Value>, named: &[&str], id: Option<&str>, page: &str) -> Vec<String> {
    let mut keys: Vec<String> = id.map(|id| format!("id {}", absolute(id, page))).into_iter().collect();
    let all = vocabulary::get();
    let is = |kind: &str| named.iter().any(|it| all.is_a(it, kind));
    // The address of a page is that of its article and its breadcrumbs too: only of things it tells one from another.
    if ["Organization", "Person", "Place", "Brand", "Product", "Event"].iter().any(|it| is(it)) {
        let told = ["url", "sameAs"].iter().flat_map(|it| values(item, it)).filter_map(text);
        let sort = if is("Organization") { "organization" } else { named.first().copied().unwrap_or_default() };
        keys.extend(
            told.filter(|it| it.contains('/'))
                .map(|it| format!("{sort} {}", absolute(&it, page).trim_end_matches('/'))),
        );
    }
    if keys.is_empty()
        && (is("Organization") || is("Person"))
        && let Some(name) = item.get("name").and_then(text)
    {
        keys.push(format!("name {} {}", named.first().copied().unwrap_or_default(), plain("name", &name)));
    }
    keys
}

/// An address resolved against its page, so that `#shop` of two pages is not one.
fn absolute(reference: &str, page: &str) -> String {
    let base = kit::url::Url::parse(page).ok();
    let resolved = base.and_then(|base| base.join(reference.trim()).ok());
    resolved.map_or_else(|| reference.to_owned(), |it| it.to_string())
}

fn keep(all: &mut Vec<String>, value: String) {
    if all.len() < 10 && !all.contains(&value) {
        all.push(value);
    }
}

/// Remembers a value that is not there yet, whatever its case, white space and signs.
fn say(known: &mut Vec<Said>, property: &str, value: String, page: &str) {
    let same = plain(property, &value);
    if known.len() < MOST_VALUES && !same.is_empty() && !known.iter().any(|it| plain(property, &it.value) == same) {
        known.push(Said { value, page: page.to_owned() });
    }
}

fn plain(property: &str, value: &str) -> String {
    match property {
        "telephone" => {
            let digits: String = value.chars().filter(char::is_ascii_digit).collect();
            digits.trim_start_matches('0').to_owned()
        }
        "logo" => value.split("://").nth(1).unwrap_or(value).to_owned(),
        "datePublished" | "foundingDate" | "birthDate" => value.chars().take(10).collect(),
        _ => value.to_lowercase().chars().filter(|it| it.is_alphanumeric()).collect(),
    }
}
