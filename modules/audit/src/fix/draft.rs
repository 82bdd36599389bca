//! A proposal before it is proven: what could stand in each place of a page.

use kit::crawled::PageRecord;
use sdk::prelude::*;

/// What a proposal changes.
#[value]
pub(crate) enum Field {
    /// The `<title>`.
    Title,
    /// `<meta name=description>`.
    Description,
    /// `<link rel=canonical>`.
    Canonical,
    /// The main heading.
    H1,
    /// The `alt` of one picture.
    Alt,
    /// Where the links to one address lead.
    Link,
    /// Where the address redirects to.
    Redirect,
    /// The `lang` of `<html>`.
    Lang,
    /// `<meta name=viewport>`.
    Viewport,
}

/// Where a proposal comes from.
#[value]
pub(crate) enum Source {
    /// The page's own words.
    Page,
    /// The words of its address, or of a file's name.
    Address,
    /// What the crawl knows of other addresses.
    Site,
    /// The same for every page.
    Standard,
    /// The customer's language model.
    Llm,
}

/// A page at fault.
pub(super) struct Page {
    /// As the crawl stored it.
    pub(super) record: PageRecord,
    /// Its internal links, where a fixer asks for them: address and text.
    pub(super) links: Vec<(String, String)>,
}

/// Something that could stand there.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Choice {
    pub(super) text: String,
    /// From 0 to 1.
    pub(super) confidence: f64,
    pub(super) source: Source,
}

impl Choice {
    pub(super) fn new(text: impl Into<String>, confidence: f64, source: Source) -> Self {
        Self { text: text.into(), confidence, source }
    }
}

/// One place of a page.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Part {
    pub(super) field: Field,
    /// The picture.
    pub(super) target: Option<String>,
    pub(super) current: Option<String>,
    /// The best first.
    pub(super) choices: Vec<Choice>,
}

impl Part {
    /// The only one of its field on a page.
    pub(super) fn of(field: Field, current: Option<&str>, choices: Vec<Choice>) -> Self {
        Self { field, target: None, current: current.filter(|it| !it.is_empty()).map(str::to_owned), choices }
    }
}

/// A page with what could stand in its places.
pub(super) struct Draft {
    pub(super) page: Page,
    pub(super) parts: Vec<Part>,
}

/// A choice that the rule accepts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Proven {
    pub(super) url: String,
    pub(super) field: Field,
    pub(super) target: Option<String>,
    pub(super) current: Option<String>,
    pub(super) choice: Choice,
}
