//! A text that is given, or that stands on a page.

use sdk::prelude::*;

use crate::live::{self, Live};
use site::live::Seen;

/// Where a text comes from.
pub(crate) enum Source {
    /// Given in the arguments.
    Given(String),
    /// Of a page.
    Page(Box<Live>),
}

/// The source of the arguments `url` and `text`: one of them. With `both_refused` giving both is a mistake; without it the
/// page adds what only pages have.
pub(crate) fn of(cx: &Cx, url: Option<&Url>, text: Option<&str>, both_refused: bool) -> Result<Source> {
    match (url, text) {
        (Some(_), Some(_)) if both_refused => {
            Err(Fault::invalid("/text", "text_or_url", "give a text or a url, not both"))
        }
        (Some(url), _) => Ok(Source::Page(Box::new(live::page(cx, url, "/url")?))),
        (None, Some(text)) => Ok(Source::Given(text.to_owned())),
        (None, None) => Err(Fault::invalid("/url", "text_or_url", "give a text or a url")),
    }
}

impl Source {
    /// The text: the given one, or the page's content.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Given(text) => text.clone(),
            Self::Page(page) => page.text(),
        }
    }

    /// The page, when there is one.
    pub(crate) fn page(&self) -> Option<&Live> {
        match self {
            Self::Given(_) => None,
            Self::Page(page) => Some(page),
        }
    }

    /// What to say of the page.
    pub(crate) fn seen(&self) -> Option<Seen> {
        self.page().map(|page| page.seen())
    }

    /// The argument that it came from.
    pub(crate) fn pointer(&self) -> &'static str {
        if self.page().is_some() { "/url" } else { "/text" }
    }

    /// The language to read it in.
    pub(crate) fn language(&self, asked: Option<&Language>) -> String {
        match self {
            Self::Page(page) => page.language(asked),
            Self::Given(text) => {
                let detected = || kit::language::detect(text).map(|it| it.language.to_owned());
                asked.map(|it| it.primary().to_owned()).or_else(detected).unwrap_or_else(|| "en".to_owned())
            }
        }
    }
}
