//! May a search engine index this address, and what decides it.

use super::facts::PageFacts;
use super::parts::{Indexability, Reason, Verdict};
use crate::directives;

/// Decides from the facts; the first reason that applies, in the order of [`Reason`].
///
/// Several canonicals that contradict each other decide nothing, as search engines then ignore them all.
#[must_use]
pub fn judge(facts: &PageFacts) -> Indexability {
    let reason = reason(facts);
    let verdict = if reason == Reason::Ok { Verdict::Indexable } else { Verdict::NotIndexable };
    Indexability { verdict, reason }
}

fn reason(facts: &PageFacts) -> Reason {
    if facts.failure.as_deref() == Some("robots") {
        return Reason::RobotsBlocked;
    }
    match facts.status {
        200..=299 => {}
        300..=399 => return Reason::Redirect,
        400..=499 => return Reason::ClientError,
        500..=599 => return Reason::ServerError,
        _ => return Reason::Unreachable,
    }
    // The server's own clock, as the page was judged when it was fetched; without one no date has passed.
    let now = facts.headers.get("date").and_then(crate::dates::parse).map_or(i64::MIN, |it| it.days() * 86_400_000);
    let forbids = |found: &[String]| found.iter().any(|it| directives::forbids(it, now));
    if forbids(&facts.meta_robots) {
        return Reason::Noindex;
    }
    if forbids(&facts.x_robots_tag) {
        return Reason::NoindexHeader;
    }
    if canonical(facts).is_some_and(|canonical| canonical != facts.final_url) {
        return Reason::Canonicalised;
    }
    if let Some(refresh) = &facts.meta_refresh
        && refresh.seconds == 0
        && refresh.url.as_ref().is_some_and(|url| *url != facts.final_url)
    {
        return Reason::MetaRefresh;
    }
    if facts.is_html || is_document(&facts.content_type) { Reason::Ok } else { Reason::NotDocument }
}

/// The canonical that counts: the only one that head and headers agree on. Restricted ones do not count.
fn canonical(facts: &PageFacts) -> Option<&str> {
    let mut counted = facts.counted_canonicals().filter_map(|one| one.url.as_deref());
    let first = counted.next()?;
    counted.all(|other| other == first).then_some(first)
}

/// Types beside HTML that Google lists as indexable.
fn is_document(content_type: &str) -> bool {
    matches!(
        content_type,
        "application/pdf"
            | "application/postscript"
            | "application/rtf"
            | "application/msword"
            | "application/vnd.ms-excel"
            | "application/vnd.ms-powerpoint"
            | "application/epub+zip"
            | "text/plain"
            | "text/csv"
            | "text/rtf"
            | "text/xml"
            | "application/xml"
            | "image/svg+xml"
    ) || content_type.starts_with("application/vnd.openxmlformats")
        || content_type.starts_with("application/vnd.oasis.opendocument")
}
