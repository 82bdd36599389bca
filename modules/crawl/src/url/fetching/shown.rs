//! What `crawl.url.fetch` shows of an answer.

use std::collections::BTreeMap;

use kit::page::{Canonical, Indexability, PageFacts, Timing};
use sdk::prelude::*;
use sdk::{Distrust, TlsReport, TlsVersion};

use super::timing;

/// One exchange.
#[value]
pub(crate) struct Exchange {
    /// The address that was asked.
    pub(super) url: String,
    /// Its status; 0 without an answer.
    pub(super) status: u16,
    /// Why there was no answer.
    pub(super) failure: Option<String>,
    /// Where it leads, resolved.
    pub(super) location: Option<String>,
    /// Every header, names in lower case, in the order received.
    pub(super) headers: Vec<(String, String)>,
    /// Milliseconds; `connect_ms` holds the TLS handshake.
    pub(super) timing: Timing,
}

/// Where the exchanges ended.
#[value]
pub(crate) struct End {
    /// The address.
    pub(super) url: String,
    /// Its status; 0 without an answer, null when it was not asked.
    pub(super) status: Option<u16>,
    /// Why there was no answer: `robots` when it was not asked at all.
    pub(super) failure: Option<String>,
    /// The media type.
    pub(super) content_type: String,
    /// Bytes of the body that were read.
    pub(super) bytes: u64,
    /// Whether it may be indexed, and what decides it.
    pub(super) indexability: Indexability,
}

/// What the secure side of the last host shows.
#[value]
#[derive(Default)]
pub(crate) struct Secure {
    /// Whether the last exchange was encrypted, with a certificate that is valid for the host.
    pub(super) secure: bool,
    /// Whether a secure connection was tried and could not be made.
    pub(super) failed: bool,
    /// The `Strict-Transport-Security` header.
    pub(super) hsts: Option<String>,
    /// The version of the protocol, `tls12` or `tls13`.
    pub(super) version: Option<String>,
    /// The cipher suite as registered with IANA.
    pub(super) cipher: Option<String>,
    /// What was agreed on among `h2` and `http/1.1`.
    pub(super) alpn: Option<String>,
    /// Milliseconds of the handshake with its connection.
    pub(super) handshake_ms: Option<u32>,
    /// The host's own certificate.
    pub(super) certificate: Option<Shown>,
    /// Reasons not to trust it, such as `expired`; empty when it is trusted.
    pub(super) distrust: Vec<String>,
}

/// A certificate.
#[value]
pub(crate) struct Shown {
    /// Whose it is.
    pub(super) subject: String,
    /// Who signed it.
    pub(super) issuer: String,
    /// From when.
    pub(super) not_before: Moment,
    /// Until when.
    pub(super) not_after: Moment,
    /// Names that it is valid for; at most 100.
    pub(super) names: Vec<String>,
    /// Its key, such as `RSA 2048`.
    pub(super) key: String,
}

impl Secure {
    /// Adds what a look at the host came to.
    pub(super) fn take(&mut self, report: TlsReport) {
        self.version = Some(if report.version == TlsVersion::Tls13 { "tls13" } else { "tls12" }.to_owned());
        self.cipher = Some(report.cipher);
        self.alpn = report.alpn;
        self.handshake_ms = Some(report.milliseconds);
        self.distrust = report.distrust.into_iter().map(word).collect();
        let moment = |ms: i64| Moment::from_millis(u64::try_from(ms).unwrap_or(0));
        self.certificate = report.chain.into_iter().next().map(|it| Shown {
            subject: it.subject,
            issuer: it.issuer,
            not_before: moment(it.not_before),
            not_after: moment(it.not_after),
            names: it.names.into_iter().take(100).collect(),
            key: format!("{} {}", it.key, it.key_bits),
        });
    }
}

fn word(reason: Distrust) -> String {
    match reason {
        Distrust::Expired => "expired",
        Distrust::NotYetValid => "not_yet_valid",
        Distrust::WrongName => "wrong_name",
        Distrust::UnknownIssuer => "unknown_issuer",
        Distrust::Weak => "weak",
        Distrust::WrongPurpose => "wrong_purpose",
        Distrust::Unproven => "unproven",
        Distrust::Invalid => "invalid",
    }
    .to_owned()
}

/// What robots.txt of the last host says of the address.
#[value]
pub(crate) struct RobotsVerdict {
    /// Whether this crawler may ask.
    pub(super) allowed: bool,
    /// The status of robots.txt; 0 without an answer.
    pub(super) status: u16,
    /// Seconds between requests that it asks for, in milliseconds.
    pub(super) crawl_delay_ms: Option<u64>,
    /// Sitemaps that it names.
    pub(super) sitemaps: Vec<String>,
}

/// The elements of a head.
#[value]
#[derive(Default)]
pub(crate) struct HeadView {
    /// Every title.
    pub(super) titles: Vec<String>,
    /// Every description.
    pub(super) descriptions: Vec<String>,
    /// Robots directives of markup and header.
    pub(super) robots: Vec<String>,
    /// Every canonical.
    pub(super) canonicals: Vec<Canonical>,
    /// Languages of alternates.
    pub(super) hreflang: Vec<String>,
    /// The language of the page.
    pub(super) lang: Option<String>,
    /// Open Graph properties.
    pub(super) open_graph: BTreeMap<String, String>,
    /// Types of structured data.
    pub(super) structured_types: Vec<String>,
}

/// Numbers of the text.
#[value]
#[derive(Default)]
pub(crate) struct TextView {
    /// Words of the main text.
    pub(super) word_count: u32,
    /// Words of the whole body.
    pub(super) body_word_count: u32,
    /// Visible characters for each character of HTML.
    pub(super) text_ratio: f64,
    /// The first `h1`.
    pub(super) h1: Option<String>,
    /// How many headings there are.
    pub(super) headings: u32,
    /// How many links lead to the site and away from it.
    pub(super) links: (u32, u32),
    /// How many pictures there are, and how many of them lack `alt`.
    pub(super) images: (u32, u32),
    /// The beginning of the main text.
    pub(super) excerpt: String,
    /// SHA-256 of the main text.
    pub(super) sha256: String,
}

impl Exchange {
    pub(super) fn failed(url: &str, failure: &str) -> Self {
        let (url, failure) = (url.to_owned(), Some(failure.to_owned()));
        Self { url, status: 0, failure, location: None, headers: Vec::new(), timing: Timing::default() }
    }

    pub(super) fn of(url: &str, answer: &Response, location: Option<String>) -> Self {
        let clipped = |(name, value): &(String, String)| (name.clone(), kit::text::clip(value, 1_000).to_owned());
        Self {
            url: url.to_owned(),
            status: answer.status,
            failure: None,
            location,
            headers: answer.headers.iter().map(clipped).collect(),
            timing: timing(answer),
        }
    }
}

pub(super) fn head(facts: &PageFacts) -> HeadView {
    let structured = &facts.structured;
    let types = structured.json_ld.iter().chain(&structured.microdata).chain(&structured.rdfa);
    HeadView {
        titles: facts.titles.clone(),
        descriptions: facts.descriptions.clone(),
        robots: facts.meta_robots.iter().chain(&facts.x_robots_tag).cloned().collect(),
        canonicals: facts.canonicals.clone(),
        hreflang: facts.hreflang.iter().map(|one| one.lang.clone()).collect(),
        lang: facts.lang.clone(),
        open_graph: facts.open_graph.iter().cloned().collect(),
        structured_types: types.take(50).cloned().collect(),
    }
}

pub(super) fn text(facts: &PageFacts) -> TextView {
    TextView {
        word_count: facts.word_count,
        body_word_count: facts.body_word_count,
        text_ratio: facts.text_ratio,
        h1: facts.headings.iter().find(|one| one.level == 1).map(|one| one.text.clone()),
        headings: facts.heading_count,
        links: (facts.link_counts.internal, facts.link_counts.external),
        images: (facts.image_count, facts.images_without_alt),
        excerpt: facts.excerpt.clone(),
        sha256: facts.text_sha256.clone(),
    }
}
