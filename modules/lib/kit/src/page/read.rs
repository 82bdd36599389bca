//! From an answer to its facts.

use super::facts::PageFacts;
use super::parts::{Charset, Hop, Timing};
use super::{early, headers, verdict, walk};
use crate::charset;
use crate::directives;
use crate::dom::Dom;
use crate::url::{LONGEST, Url, normal, normalize, resolve};

/// An answer as it came.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    /// The address asked for.
    pub url: &'a str,
    /// The address that answered.
    pub final_url: &'a str,
    /// The status.
    pub status: u16,
    /// The redirects that were followed.
    pub hops: &'a [Hop],
    /// Headers, names in lower case.
    pub headers: &'a [(String, String)],
    /// The body after decoding of transfer and content encodings.
    pub body: &'a [u8],
    /// Whether the body was longer.
    pub truncated: bool,
    /// How long it took.
    pub timing: Timing,
}

/// A page as text and as a tree, beside its facts.
#[derive(Debug)]
pub struct Document {
    /// The body as text.
    pub html: String,
    /// What the parser made of it.
    pub dom: Dom,
}

/// Reads everything that an answer says.
#[must_use]
pub fn read(answer: &Answer<'_>) -> PageFacts {
    read_whole(answer).0
}

/// As [`read`], with the document itself when the answer is HTML.
#[must_use]
pub fn read_whole(answer: &Answer<'_>) -> (PageFacts, Option<Document>) {
    let mut document = None;
    let kept = headers::keep(answer.headers);
    let (content_type, full_type) = headers::media_type(&kept);
    let mut facts = PageFacts {
        url: normalize(answer.url).unwrap_or_else(|| answer.url.to_owned()),
        final_url: normalize(answer.final_url).unwrap_or_else(|| answer.final_url.to_owned()),
        status: answer.status,
        redirects: answer.hops.to_vec(),
        content_type,
        timing: answer.timing,
        html_bytes: answer.body.len() as u64,
        truncated: answer.truncated,
        x_robots_tag: directives::of_headers(kept.all("x-robots-tag"), directives::CRAWLER),
        ..PageFacts::default()
    };
    if let Ok(base) = Url::parse(answer.final_url) {
        let redirects = (300..400).contains(&answer.status);
        if redirects {
            facts.redirect_to = kept.get("location").and_then(|location| resolved(&base, location));
        }
        for value in kept.all("link") {
            headers::read_link(value, &base, &mut facts);
        }
        if !redirects && !answer.body.is_empty() && is_html(&facts.content_type, answer.body) {
            facts.is_html = true;
            document = Some(read_html(answer.body, full_type.as_deref(), &base, &mut facts));
        }
    }
    facts.headers = kept;
    facts.indexability = verdict::judge(&facts);
    (facts, document)
}

/// The facts of an address that gave no answer, or was not asked; see `PageFacts::failure`.
#[must_use]
pub fn unanswered(url: &str, failure: &str) -> PageFacts {
    let url = normalize(url).unwrap_or_else(|| url.to_owned());
    let mut facts =
        PageFacts { final_url: url.clone(), url, failure: Some(failure.to_owned()), ..PageFacts::default() };
    facts.indexability = verdict::judge(&facts);
    facts
}

fn read_html(body: &[u8], content_type: Option<&str>, base: &Url, facts: &mut PageFacts) -> Document {
    let (text, charset) = charset::decode(body, content_type);
    let dom = Dom::parse(&text);
    facts.charset = Charset { ..charset };
    facts.doctype = dom.doctype;
    facts.truncated |= dom.cut;
    facts.head_end.closed_by = early::closed_by(&text);
    walk::walk(&dom, base, &text, facts);
    Document { html: text.into_owned(), dom }
}

/// HTML by its type or, without a type, by its first bytes (WHATWG MIME sniffing, the HTML rows).
fn is_html(content_type: &str, body: &[u8]) -> bool {
    match content_type {
        "text/html" | "application/xhtml+xml" => true,
        "" => {
            let start: String = body
                .iter()
                .skip_while(|b| b.is_ascii_whitespace())
                .take(14)
                .map(|b| char::from(b.to_ascii_lowercase()))
                .collect();
            ["<!doctype html", "<html", "<head", "<body", "<!--", "<title", "<div", "<p", "<h1", "<script"]
                .iter()
                .any(|tag| start.starts_with(tag))
        }
        _ => false,
    }
}

/// The normal form of a reference, for the other files of this room; none for one that is too long to be asked for.
pub(super) fn resolved(base: &Url, href: &str) -> Option<String> {
    resolve(base, href).and_then(|url| normal(&url)).filter(|url| url.len() <= LONGEST)
}
