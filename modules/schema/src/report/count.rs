//! Pages counted by type and template, and the errors of those that were checked.

use std::collections::{BTreeMap, BTreeSet};

use sdk::Fix;
use sdk::json;
use sdk::prelude::*;

use super::tree;
use crate::check::Severity;
use crate::crawled::{Crawled, Row};
use crate::extract::types;
use crate::judge::{self, Profile};
use site::Run;

/// A type on the pages of a crawl.
#[value]
pub(crate) struct OfType {
    #[serde(rename = "type")]
    kind: String,
    pages: u64,
    /// Of the pages that were checked, those with an error in an item of the type.
    invalid: u64,
    fix: Fix,
}

/// Addresses of one shape.
#[value]
pub(crate) struct OfTemplate {
    /// Its paths, `*` for the part in which they differ.
    template: String,
    pages: u64,
    /// Pages with structured data.
    with: u64,
    without: u64,
    /// Pages that lack a type which three in five pages of the template have.
    inconsistent: u64,
    /// Pages whose items were checked.
    checked: u64,
    /// Of these, with an error.
    invalid: u64,
    /// The types of its pages, the commonest first; at most 10.
    types: Vec<String>,
    /// The commonest error of the pages that were checked.
    commonest_error: Option<String>,
    /// One of its pages: the first with an error, or without structured data.
    example: String,
    fix: Fix,
}

/// An error on the pages that were checked.
#[value]
pub(crate) struct Broken {
    code: String,
    #[serde(rename = "type")]
    kind: String,
    properties: Vec<String>,
    message: String,
    /// Pages that have it.
    pages: u64,
    example: String,
    fix: Fix,
}

/// What was counted.
#[derive(Default)]
pub(super) struct Count {
    templates: BTreeMap<String, Group>,
    kinds: BTreeMap<String, (u64, u64)>,
    broken: BTreeMap<(String, String, Vec<String>), Errors>,
}

#[derive(Default)]
struct Group {
    pages: Vec<(String, BTreeSet<String>)>,
    checked: u64,
    invalid: u64,
    example: Option<String>,
    errors: BTreeMap<String, u64>,
}

struct Errors {
    message: String,
    pages: u64,
    example: String,
}

impl Count {
    /// Counts a page; with a type only one that declares it.
    pub(super) fn add(&mut self, row: &Row, only: Option<&str>) {
        let kinds: BTreeSet<String> =
            row.structured_types.split(", ").filter(|it| !it.is_empty()).map(str::to_owned).collect();
        if only.is_some_and(|only| !kinds.contains(only)) {
            return;
        }
        for kind in &kinds {
            self.kinds.entry(kind.clone()).or_default().0 += 1;
        }
        self.templates.entry(template(&row.url)).or_default().pages.push((row.url.clone(), kinds));
    }

    /// Checks the items of some pages of each template, at most so many in all; how many.
    pub(super) fn check(&mut self, cx: &Cx, run: &Id<Run>, most: usize) -> u64 {
        let share = (most / self.templates.len().max(1)).max(1);
        let mut checked = 0;
        for group in self.templates.values_mut() {
            let held: Vec<String> =
                group.pages.iter().filter(|(_, kinds)| !kinds.is_empty()).map(|(url, _)| url.clone()).collect();
            for url in spread(&held, share) {
                if checked >= most {
                    break;
                }
                let id = Id::<Crawled>::new(kit::crawled::page_id(run.as_str(), url));
                let Some(page) = cx.records().find(&id) else { continue };
                checked += 1;
                group.checked += 1;
                let mut seen = BTreeSet::new();
                for item in tree::items(&page.facts.structured) {
                    let kind = types(&item).first().map(|it| (*it).to_owned()).unwrap_or_default();
                    for found in judge::found(&item, Profile::Both, cx.now().day()) {
                        if found.severity == Severity::Error {
                            let key = (found.code.to_owned(), kind.clone(), found.properties.clone());
                            if seen.insert(key.clone()) {
                                let (message, example) = (found.message, url.clone());
                                self.broken.entry(key).or_insert(Errors { message, pages: 0, example }).pages += 1;
                            }
                        }
                    }
                }
                if !seen.is_empty() {
                    group.invalid += 1;
                    group.example.get_or_insert_with(|| url.clone());
                }
                let kinds: BTreeSet<&String> = seen.iter().map(|(_, kind, _)| kind).collect();
                for kind in kinds {
                    self.kinds.entry(kind.clone()).or_default().1 += 1;
                }
                for (code, kind, properties) in seen {
                    *group.errors.entry(format!("{code}: {kind} {}", properties.join("|"))).or_default() += 1;
                }
            }
        }
        checked as u64
    }

    /// Pages in all.
    pub(super) fn pages(&self) -> u64 {
        self.templates.values().map(|it| it.pages.len() as u64).sum()
    }

    /// Pages with structured data.
    pub(super) fn with(&self) -> u64 {
        let held = |group: &Group| group.pages.iter().filter(|(_, kinds)| !kinds.is_empty()).count() as u64;
        self.templates.values().map(held).sum()
    }

    /// Templates of which every checked page had types but no items: they are written in another format than JSON-LD.
    pub(super) fn only_other_formats(&self) -> usize {
        self.templates
            .values()
            .filter(|it| it.checked == 0 && it.pages.iter().any(|(_, kinds)| !kinds.is_empty()))
            .count()
    }

    /// A page with an error.
    pub(super) fn worst(&self) -> Option<&str> {
        let groups = self.templates.values().filter(|it| it.invalid > 0);
        groups.max_by_key(|it| it.invalid).and_then(|it| it.example.as_deref())
    }

    /// The types, the commonest first.
    pub(super) fn types(&self) -> Vec<OfType> {
        let of = |(kind, (pages, invalid)): (&String, &(u64, u64))| OfType {
            kind: kind.clone(),
            pages: *pages,
            invalid: *invalid,
            fix: judge::fix_of_type(kind),
        };
        let mut all: Vec<OfType> = self.kinds.iter().filter(|(_, (pages, _))| *pages > 0).map(of).collect();
        all.sort_by(|a, b| b.pages.cmp(&a.pages).then_with(|| a.kind.cmp(&b.kind)));
        all.truncate(100);
        all
    }

    /// The errors, the commonest first.
    pub(super) fn errors(&self) -> Vec<Broken> {
        let of = |((code, kind, properties), it): (&(String, String, Vec<String>), &Errors)| Broken {
            code: code.clone(),
            kind: kind.clone(),
            properties: properties.clone(),
            message: it.message.clone(),
            pages: it.pages,
            example: it.example.clone(),
            fix: Fix::on("schema.page.validate", &it.example),
        };
        let mut all: Vec<Broken> = self.broken.iter().map(of).collect();
        all.sort_by(|a, b| b.pages.cmp(&a.pages).then_with(|| (&a.code, &a.kind).cmp(&(&b.code, &b.kind))));
        all.truncate(25);
        all
    }

    /// The templates, the largest first.
    pub(super) fn templates(&self) -> Vec<OfTemplate> {
        let mut all: Vec<OfTemplate> = self.templates.iter().map(|(name, group)| group.told(name)).collect();
        all.sort_by(|a, b| b.pages.cmp(&a.pages).then_with(|| a.template.cmp(&b.template)));
        all
    }
}

impl Group {
    fn told(&self, name: &str) -> OfTemplate {
        let mut kinds: BTreeMap<&String, usize> = BTreeMap::new();
        for kind in self.pages.iter().flat_map(|(_, kinds)| kinds) {
            *kinds.entry(kind).or_default() += 1;
        }
        let usual: Vec<&String> =
            kinds.iter().filter(|(_, pages)| **pages * 5 >= self.pages.len() * 3).map(|(kind, _)| *kind).collect();
        let lacks = |held: &BTreeSet<String>| usual.iter().any(|kind| !held.contains(*kind));
        let with = self.pages.iter().filter(|(_, kinds)| !kinds.is_empty()).count();
        let mut named: Vec<(&String, usize)> = kinds.into_iter().collect();
        named.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        let bare = self.pages.iter().find(|(_, kinds)| kinds.is_empty());
        let first = bare.or_else(|| self.pages.first()).map(|(url, _)| url.clone()).unwrap_or_default();
        let example = self.example.clone().unwrap_or(first);
        let fix = match (self.invalid > 0, bare) {
            (false, Some(_)) => Fix::on("schema.type.suggest", &example),
            _ => Fix::new("schema.page.validate", json!({ "url": example })),
        };
        OfTemplate {
            template: name.to_owned(),
            pages: self.pages.len() as u64,
            with: with as u64,
            without: (self.pages.len() - with) as u64,
            inconsistent: self.pages.iter().filter(|(_, kinds)| lacks(kinds)).count() as u64,
            checked: self.checked,
            invalid: self.invalid,
            types: named.into_iter().take(10).map(|(kind, _)| kind.clone()).collect(),
            commonest_error: self.errors.iter().max_by_key(|(_, pages)| **pages).map(|(error, _)| error.clone()),
            example,
            fix,
        }
    }
}

/// The shape of an address: its path with `*` for numbers and for the last part below a folder.
fn template(url: &str) -> String {
    let path = kit::url::path_and_query(url).split('?').next().unwrap_or("/");
    let parts: Vec<&str> = path.split('/').filter(|it| !it.is_empty()).collect();
    let shape = |(at, part): (usize, &&str)| {
        let last = at + 1 == parts.len() && at > 0;
        if last || part.bytes().all(|it| it.is_ascii_digit()) { "*".to_owned() } else { (*part).to_owned() }
    };
    format!("/{}", parts.iter().enumerate().map(shape).collect::<Vec<_>>().join("/"))
}

/// So many of a list, evenly spread over it.
fn spread(all: &[String], most: usize) -> impl Iterator<Item = &String> {
    let step = all.len().div_ceil(most.max(1)).max(1);
    all.iter().step_by(step)
}
