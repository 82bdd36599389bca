//! One address of a crawl as the set rules see it.

use kit::outcome::Outcome;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rule::Reach;

/// One address of a crawl, as small as the set rules allow. Written to the audit's parts while pages are read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Entry {
    /// The normalised address.
    pub url: String,
    /// The answer's status; 0 when there was none.
    pub status: u16,
    /// Why there was no answer, in the words of the crawl.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// Where a redirect leads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// HTML that answered 200.
    #[serde(default, skip_serializing_if = "is_false")]
    pub page: bool,
    /// May be indexed: HTML, 200, no `noindex`, its canonical is itself or absent.
    #[serde(default, skip_serializing_if = "is_false")]
    pub indexable: bool,
    /// Carries `noindex`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub noindex: bool,
    /// robots.txt keeps crawlers out.
    #[serde(default, skip_serializing_if = "is_false")]
    pub blocked: bool,
    /// The canonical address, absolute and normalised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canonical: Option<String>,
    /// The title, for pages.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The description, for pages.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The first main heading, for pages.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub heading: String,
    /// Hash of the main text; empty when there is no text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text_hash: String,
    /// Fingerprint of the main text, 16 hex digits; empty when there is no text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub simhash: String,
    /// What texts that are much alike have in common (`kit::sketch`); empty when no sample of the text was taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bands: Vec<u32>,
    /// Words of the text.
    #[serde(default)]
    pub words: u32,
    /// Language versions the page names: code and absolute address.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternates: Vec<(String, String)>,
    /// Listed in a sitemap.
    #[serde(default, skip_serializing_if = "is_false")]
    pub in_sitemap: bool,
    /// Clicks from the home page; none when no link leads there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Pages of the site that link here.
    #[serde(default)]
    pub inlinks: u32,
    /// Of these, pages with a link that may be followed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub followed: u32,
    /// Of these, pages that may be indexed themselves.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub found: u32,
    /// Of these, pages with a link whose text says something.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub named: u32,
    /// The page after it in a series (`rel=next`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// The page before it in a series (`rel=prev`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prev: Option<String>,
    /// Its AMP version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amphtml: Option<String>,
    /// It is an AMP document.
    #[serde(default, skip_serializing_if = "is_false")]
    pub amp: bool,
    /// Belongs to another site and was asked for only because a link leads there.
    #[serde(default, skip_serializing_if = "is_false")]
    pub external: bool,
}

impl Entry {
    /// How far the page got.
    #[must_use]
    pub fn reach(&self) -> Reach {
        Reach { page: self.page, indexable: self.indexable }
    }

    /// Bytes that it takes when written, about and never fewer than half.
    #[must_use]
    pub fn weight(&self) -> usize {
        let own = [&self.url, &self.title, &self.description, &self.heading, &self.text_hash, &self.simhash]
            .map(|it| it.len());
        let places = [&self.location, &self.canonical, &self.next, &self.prev, &self.amphtml]
            .map(|it| it.as_ref().map_or(0, String::len));
        let versions: usize = self.alternates.iter().map(|(code, url)| code.len() + url.len() + 8).sum();
        own.iter().chain(&places).sum::<usize>() + versions + 11 * self.bands.len() + 150
    }

    /// The status says that it is somewhere else.
    #[must_use]
    pub fn redirects(&self) -> bool {
        (300..400).contains(&self.status) && self.location.is_some()
    }

    /// What came of asking for it.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        if self.blocked { Outcome::NotAsked } else { Outcome::of(self.status, self.failure.as_deref()) }
    }

    /// It was asked for and is not there: the one definition that all modules share.
    #[must_use]
    pub fn fails(&self) -> bool {
        self.outcome().is_broken()
    }

    /// What a reader should know of it, in a word or two.
    #[must_use]
    pub fn state(&self) -> String {
        match self.status {
            0 if self.blocked => "blocked by robots.txt".to_owned(),
            0 => match self.outcome() {
                Outcome::Unresolved => "a name that does not exist".to_owned(),
                Outcome::NotAsked => "not asked".to_owned(),
                _ => "no answer".to_owned(),
            },
            status if self.noindex => format!("{status}, noindex"),
            status => status.to_string(),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn is_false(value: &bool) -> bool {
    !value
}
