//! What a fixer knows of the site around a page.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};

use sdk::Degraded;
use sdk::prelude::*;

use super::draft::Field;
use crate::index::{Entry, SiteIndex};
use crate::rule::SiteContext;
use crate::stored::{Audit, Part};

/// Rows of the compact index that one call reads, 64 KiB each.
const PARTS: usize = 150;
/// What stands between the parts of a title.
const BETWEEN: [&str; 7] = [" | ", " - ", " – ", " — ", " · ", " » ", ": "];
/// Titles that end alike before that end is the name of the website.
const ENDINGS: usize = 3;
/// Shorter ends of addresses say too little to find a page by.
const SLUG: usize = 5;

/// The site as the audit saw it.
pub(super) struct Site {
    pub(super) index: SiteIndex,
    pub(super) context: SiteContext,
    /// The name that titles end with, once it was looked for.
    brand: OnceCell<Option<String>>,
    /// Addresses, once they were looked for.
    addresses: OnceCell<Addresses>,
}

/// Pages by an address or a part of it; none where several have it.
type Pages = HashMap<String, Option<String>>;

/// Pages by the plain form of their address, and by its end.
#[derive(Default)]
struct Addresses {
    plain: Pages,
    ends: Pages,
}

impl Addresses {
    fn of(index: &SiteIndex) -> Self {
        let mut all = Self::default();
        for page in index.indexable() {
            let form = plain(&page.url);
            let end = end(&form).to_owned();
            for (pages, key) in [(&mut all.plain, form), (&mut all.ends, end)] {
                pages.entry(key).and_modify(|it| *it = None).or_insert_with(|| Some(page.url.clone()));
            }
        }
        all
    }
}

impl Site {
    /// The site of an audit.
    pub(super) fn read(cx: &Cx, audit: &Id<Audit>, context: SiteContext, degraded: &mut Vec<Degraded>) -> Self {
        let parts = cx.records::<Part>().by("audit_number").equals(audit);
        let mut parts: Vec<Part> = parts.scan().take(PARTS + 1).map(Stored::into_inner).collect();
        if parts.len() > PARTS {
            degraded.push(Degraded::new("pages", "only the first addresses of this large crawl were considered"));
            parts.truncate(PARTS);
        }
        Self::new(parts.into_iter().flat_map(|part| part.entries).collect(), context)
    }

    pub(super) fn new(entries: Vec<Entry>, context: SiteContext) -> Self {
        let index = SiteIndex::new(entries, false);
        Self { index, context, brand: OnceCell::new(), addresses: OnceCell::new() }
    }

    /// The name that titles end with.
    pub(super) fn brand(&self) -> Option<&str> {
        self.brand.get_or_init(|| brand(&self.index)).as_deref()
    }

    /// The page that somebody who asks for `url` most likely wants, and how sure that is; never the address itself.
    pub(super) fn meant(&self, url: &str) -> Option<(&str, f64)> {
        let addresses = self.addresses.get_or_init(|| Addresses::of(&self.index));
        let form = plain(url);
        let end = end(&form);
        let other = |page: &Option<String>| page.as_deref().is_some_and(|it| it != url);
        let same = addresses.plain.get(&form).filter(|it| other(it)).map(|it| (it, 0.9));
        let alike = addresses.ends.get(end).filter(|it| end.len() >= SLUG && other(it)).map(|it| (it, 0.7));
        same.or(alike).and_then(|(page, sure)| Some((page.as_deref()?, sure)))
    }

    /// The page at the end of an address's redirects, when it answers.
    pub(super) fn reached(&self, url: &str) -> Option<&str> {
        let chain = self.index.chain(self.index.get(url)?);
        let last = chain.last.filter(|last| last.status == 200 && last.url != url)?;
        Some(&last.url)
    }

    /// Titles, descriptions or headings that pages have, folded, each with its page; none where several have it.
    pub(super) fn taken(&self, field: Field) -> HashMap<String, Option<String>> {
        let text = |entry: &Entry| match field {
            Field::Title => folded(&entry.title),
            Field::Description => folded(&entry.description),
            Field::H1 => folded(&entry.heading),
            _ => String::new(),
        };
        let mut taken = HashMap::new();
        if matches!(field, Field::Title | Field::Description | Field::H1) {
            for entry in self.index.indexable() {
                let page = || Some(entry.url.clone());
                taken.entry(text(entry)).and_modify(|it| *it = None).or_insert_with(page);
            }
        }
        taken
    }
}

/// Case and white space do not make a text another.
pub(super) fn folded(text: &str) -> String {
    kit::text::collapse(text).to_lowercase()
}

/// A title and what it ends with, where something stands between them.
pub(super) fn split(title: &str) -> Option<(&str, &str)> {
    let cut = BETWEEN.iter().filter_map(|between| Some((title.rfind(between)?, between.len())));
    let (at, length) = cut.max_by_key(|it| it.0)?;
    Some((title[..at].trim(), title[at + length..].trim()))
}

fn brand(index: &SiteIndex) -> Option<String> {
    let mut endings: BTreeMap<&str, usize> = BTreeMap::new();
    let mut titled = 0;
    for entry in index.indexable().filter(|entry| !entry.title.is_empty()) {
        titled += 1;
        if let Some((_, end)) = split(&entry.title) {
            *endings.entry(end).or_default() += 1;
        }
    }
    let (name, count) = endings.into_iter().max_by_key(|it| it.1)?;
    (count >= ENDINGS && 2 * count >= titled && !name.is_empty()).then(|| name.to_owned())
}

/// An address without what people and systems write in different ways: case, doubled and last slashes, endings of files,
/// underscores, parameters.
fn plain(url: &str) -> String {
    let path =
        kit::url::path_and_query(url).split(['?', '#']).next().unwrap_or_default().to_lowercase().replace('_', "-");
    let mut parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    if let Some(last) = parts.last_mut() {
        *last = [".html", ".htm", ".php", ".aspx"].iter().find_map(|ending| last.strip_suffix(ending)).unwrap_or(last);
    }
    if matches!(parts.last(), Some(&("index" | "default"))) {
        parts.pop();
    }
    parts.join("/")
}

fn end(plain: &str) -> &str {
    plain.rsplit('/').next().unwrap_or_default()
}
