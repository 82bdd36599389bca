//! Pages of the newest crawl with their words: title, description, headings and text.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use kit::crawled::{TextAt, page_id};
use kit::page::{Canonical, Heading, Indexability};
use kit::terms::Analyzer;
use schemars::JsonSchema;
use sdk::prelude::*;
use serde::{Deserialize, Serialize};

use crate::{Run, Site, newest};

/// The largest pack of texts.
const MAX_PACK: u32 = 8 << 20;

/// A page of a crawl, with the columns that words are looked for by.
#[foreign(collection = "crawl.pages", thing = "page", index(run, seq))]
#[serde(default)]
#[derive(Default)]
struct Crawled {
    run: String,
    seq: u64,
    url: String,
    status: u16,
    text: Option<TextAt>,
    facts: Facts,
}

/// What is read of a page's facts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Facts {
    titles: Vec<String>,
    descriptions: Vec<String>,
    lang: Option<String>,
    headings: Vec<Heading>,
    canonicals: Vec<Canonical>,
    indexability: Indexability,
}

/// A link of a crawl; only counted.
#[foreign(collection = "crawl.links", thing = "link", index(run, target))]
struct Linked {
    run: String,
    target: String,
}

/// The text of a page, as the crawl stored it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Stored {
    headings: String,
    plain: String,
}

/// The newest crawl of a website.
pub struct Crawl<'a> {
    cx: &'a Cx,
    /// The crawl.
    pub run: sdk::Stored<Run>,
    analyzers: RefCell<BTreeMap<String, std::rc::Rc<Analyzer>>>,
    /// The number and bytes of the pack of texts that was read last.
    pack: RefCell<(Option<u32>, Vec<u8>)>,
}

/// A page with its words.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageText {
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: Option<String>,
    /// Its meta description.
    pub description: Option<String>,
    /// Its first heading of the first level.
    pub h1: Option<String>,
    /// All headings, one a line.
    pub headings: String,
    /// The text, without navigation and the like where that could be told apart.
    pub plain: String,
    /// The language that it declares; English without one.
    pub language: String,
    /// The address that it names as its canonical one, if that is another.
    pub canonical: Option<String>,
    /// Whether it may be indexed and answers 200.
    pub indexable: bool,
}

/// How a text contains a query.
#[value]
pub enum Contains {
    /// Its words in their order.
    Exact,
    /// All its words, in any form and order.
    All,
    /// Some of its words.
    Some,
    /// None of its words.
    None,
}

impl<'a> Crawl<'a> {
    /// The newest crawl; `None` when there is none.
    #[must_use]
    pub fn newest(cx: &'a Cx, site: &Id<Site>) -> Option<Self> {
        Some(Self { cx, run: newest(cx, site)?, analyzers: RefCell::default(), pack: RefCell::default() })
    }

    /// Its pages in the order of fetching, after the first `skip` ones.
    pub fn pages(&self, skip: u64) -> impl Iterator<Item = PageText> {
        let rows = self.cx.records::<Crawled>().by("run_seq").equals(&self.run.id).at_least(skip + 1).scan();
        rows.map(|row| Self::text(row.into_inner(), |at| self.in_order(at)))
    }

    /// The bytes of a text, from the pack that was read last: pages are read in the order in which their texts were packed.
    fn in_order(&self, at: &TextAt) -> Option<Vec<u8>> {
        let mut pack = self.pack.borrow_mut();
        if pack.0 != Some(at.pack) {
            *pack = (Some(at.pack), self.cx.blobs().read(&self.pack_key(at.pack), 0, MAX_PACK)?);
        }
        let (from, length) = (usize::try_from(at.offset).ok()?, usize::try_from(at.length).ok()?);
        pack.1.get(from..from + length).map(<[u8]>::to_vec)
    }

    fn pack_key(&self, pack: u32) -> String {
        format!("crawl.text/{}/{pack}", self.run.id)
    }

    /// A page by its address as it is, or as its normal form; `None` for one that was not crawled.
    #[must_use]
    pub fn page(&self, url: &str) -> Option<PageText> {
        let normal = kit::url::normalize(url);
        let pages = self.cx.records::<Crawled>();
        let find = |url: &str| pages.find(&Id::new(page_id(self.run.id.as_str(), url)));
        let page = normal.as_deref().and_then(find).or_else(|| find(url))?;
        Some(Self::text(page.into_inner(), |at| {
            self.cx.blobs().read(&self.pack_key(at.pack), u64::from(at.offset), at.length)
        }))
    }

    /// A page with the text that the crawl stored of it.
    fn text(page: Crawled, read: impl Fn(&TextAt) -> Option<Vec<u8>>) -> PageText {
        let text = page.text.as_ref().and_then(|at| serde_json::from_slice::<Stored>(&read(at)?).ok());
        let Stored { headings, plain } = text.unwrap_or_default();
        let first = |texts: &[String]| texts.first().map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
        let h1 = page.facts.headings.iter().find(|it| it.level == 1).map(|it| it.text.trim().to_owned());
        let canonicals = page.facts.canonicals.iter().filter_map(|it| it.url.clone());
        PageText {
            title: first(&page.facts.titles),
            description: first(&page.facts.descriptions),
            h1: h1.filter(|it| !it.is_empty()),
            headings,
            plain,
            language: page.facts.lang.clone().unwrap_or_else(|| "en".to_owned()),
            canonical: canonicals.into_iter().find(|it| *it != page.url),
            indexable: page.status == 200 && page.facts.indexability.is_indexable(),
            url: page.url,
        }
    }

    /// How many links lead to a page, at most `most`.
    #[must_use]
    pub fn inlinks(&self, url: &str, most: usize) -> usize {
        let target = kit::url::normalize(url).unwrap_or_else(|| url.to_owned());
        self.cx.records::<Linked>().by("run_target").equals(&self.run.id).equals(&target).scan().take(most).count()
    }

    /// How a text in a language contains a query.
    #[must_use]
    pub fn contains(&self, text: &str, query: &str, language: &str) -> Contains {
        let analyzer = {
            let mut known = self.analyzers.borrow_mut();
            known.entry(language.to_owned()).or_insert_with(|| std::rc::Rc::new(Analyzer::new(language))).clone()
        };
        let lower = |text: &str| kit::text::collapse(&text.to_lowercase());
        if lower(text).contains(&lower(query)) {
            return Contains::Exact;
        }
        let wanted: BTreeSet<String> = analyzer.query(query).into_iter().collect();
        let held: BTreeSet<String> = analyzer.stems(text).into_iter().filter(|stem| wanted.contains(stem)).collect();
        match held.len() {
            0 => Contains::None,
            count if count == wanted.len() => Contains::All,
            _ => Contains::Some,
        }
    }
}
