//! Pages of the newest crawl, as reports on search figures need them: title, description, headings and text.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use kit::crawled::{TextAt, page_id};
use kit::terms::Analyzer;
use schemars::JsonSchema;
use sdk::prelude::*;
use sdk::schemars;
use serde::{Deserialize, Serialize};
use site::{Run, Site};

/// A page of a crawl.
#[foreign(collection = "crawl.pages", thing = "page")]
#[serde(default)]
#[derive(Default)]
pub(crate) struct Crawled {
    pub(crate) url: String,
    pub(crate) status: u16,
    pub(crate) text: Option<TextAt>,
    pub(crate) facts: Facts,
}

/// What is read of a page's facts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Facts {
    pub(crate) titles: Vec<String>,
    pub(crate) descriptions: Vec<String>,
    pub(crate) lang: Option<String>,
}

/// A link of a crawl; only counted.
#[foreign(collection = "crawl.links", thing = "link", index(run, target))]
pub(crate) struct Linked {
    pub(crate) run: String,
    pub(crate) target: String,
}

/// The text of a page, as the crawl stored it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Stored {
    headings: String,
    plain: String,
}

/// The newest crawl of a website.
pub(crate) struct Crawl<'a> {
    cx: &'a Cx,
    pub(crate) run: sdk::Stored<Run>,
    analyzers: RefCell<BTreeMap<String, std::rc::Rc<Analyzer>>>,
}

/// A page with its words.
pub(crate) struct PageText {
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) headings: String,
    pub(crate) plain: String,
    pub(crate) language: String,
}

/// How a text contains a query.
#[value]
pub(crate) enum Contains {
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
    pub(crate) fn newest(cx: &'a Cx, site: &Id<Site>) -> Option<Self> {
        Some(Self { cx, run: site::newest(cx, site)?, analyzers: RefCell::default() })
    }

    /// A page by its address as it is, or as its normal form.
    pub(crate) fn page(&self, url: &str) -> Option<PageText> {
        let normal = kit::url::normalize(url);
        let pages = self.cx.records::<Crawled>();
        let find = |url: &str| pages.find(&Id::new(page_id(self.run.id.as_str(), url)));
        let page = normal.as_deref().and_then(find).or_else(|| find(url))?;
        let text = page.text.as_ref().and_then(|at| {
            let key = format!("crawl.text/{}/{}", self.run.id, at.pack);
            serde_json::from_slice::<Stored>(&self.cx.blobs().read(&key, u64::from(at.offset), at.length)?).ok()
        });
        let Stored { headings, plain } = text.unwrap_or_default();
        let first = |texts: &Vec<String>| texts.first().map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
        let language = page.facts.lang.clone().unwrap_or_else(|| "en".to_owned());
        Some(PageText {
            title: first(&page.facts.titles),
            description: first(&page.facts.descriptions),
            headings,
            plain,
            language,
        })
    }

    /// How many links lead to a page, at most `most`.
    pub(crate) fn inlinks(&self, url: &str, most: usize) -> usize {
        let target = kit::url::normalize(url).unwrap_or_else(|| url.to_owned());
        self.cx.records::<Linked>().by("run_target").equals(&self.run.id).equals(&target).scan().take(most).count()
    }

    /// How a text in a language contains a query.
    pub(crate) fn contains(&self, text: &str, query: &str, language: &str) -> Contains {
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
