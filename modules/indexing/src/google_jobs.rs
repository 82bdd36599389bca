//! The operation `indexing.google_jobs.notify`.
//!
//! Source: developers.google.com/search/apis/indexing-api/v3: pages with `JobPosting`, or with `BroadcastEvent` within a
//! `VideoObject`, and no others; 200 notices a day; a removal wants the page gone or noindexed first.

use kit::page::PageFacts;
use sdk::Degraded;
use sdk::prelude::*;
use sdk::{Need, Send, SendFailure, json};

use crate::stored::Receiver;
use crate::submission::{self, Ready};
use site::Site;
use site::live::{self, Reach};

const NEED: Need = Need::key("google_indexing", &["the service account is an owner of the property"]);
/// Notices a day (Google's default quota).
const A_DAY: u32 = 200;
/// Bytes that are read of a page.
const BYTES: u32 = 256 << 10;

/// What happened to the pages.
#[value]
pub(crate) enum Notice {
    /// New or changed.
    Updated,
    /// Gone.
    Deleted,
}

#[args]
pub(crate) struct Notify {
    /// The website, as listed.
    site_id: Id<Site>,
    /// Pages of it.
    urls: List<Url, 1, 100>,
    /// What happened to them.
    #[default("updated")]
    #[serde(rename = "type")]
    kind: Notice,
}

/// A page that Google was told of.
#[value]
pub(crate) struct Accepted {
    url: String,
    /// The markup that lets it be told: `JobPosting` or `BroadcastEvent`; none for a page that is gone.
    markup: Option<String>,
}

/// A page that Google was not told of.
#[value]
pub(crate) struct Refused {
    url: String,
    /// `no_permitted_markup`, `still_indexable`, `quota`, the provider's refusal, or why the page gave no answer.
    reason: String,
    /// What to do.
    message: String,
}

/// What came of it.
#[value]
pub(crate) struct Notified {
    accepted: Vec<Accepted>,
    refused: Vec<Refused>,
    /// Notices left today, as far as this service sent them.
    quota_left: u32,
    degraded: Vec<Degraded>,
}

/// Notifies Google's Indexing API of new, changed or removed pages after checking each carries valid JobPosting or livestream markup, the only kinds Google permits.
///
/// A page that is reported as deleted has to answer with 404 or 410, or carry noindex. The markup counts when it has the
/// properties without which Google shows no job and no live badge.
#[operation(
    write,
    scope = "seo:execute",
    cost = bulk(most = urls, unit = "urls"),
    side_effects = ["asks Google to crawl or drop the pages"],
    needs = ["web", "store", "connection:google_indexing"],
    outside = ["google_indexing POST /v3/urlNotifications:publish change"],
    phrasings = [
        "tell google about my new job postings",
        "use the google indexing api",
        "notify google that a job ad was removed",
    ],
    examples = [
        { "site_id": "4503599627370496", "urls": ["https://shop.example/jobs/7"] },
        { "site_id": "4503599627370496", "urls": ["https://shop.example/jobs/6"], "type": "deleted" },
    ]
)]
pub(crate) fn notify(cx: &Cx, args: Notify) -> Result<Answer<Notified>> {
    let site = site::get(cx, &args.site_id)?;
    let urls = args.urls.into_vec();
    site::all_own(&site, &urls)?;
    let why = "Google takes notices of an owner of the property only";
    let connection = cx.connections().required(NEED, "/site_id", why)?;
    let used = u32::try_from(submission::today(cx, &site.id, Receiver::GoogleJobs)).unwrap_or(u32::MAX);
    let mut left = A_DAY.saturating_sub(used);
    let mut out = Notified { accepted: Vec::new(), refused: Vec::new(), quota_left: left, degraded: Vec::new() };
    let mut sendable: Vec<(String, Option<String>, Ready)> = Vec::new();
    for (url, facts) in urls.iter().zip(live::unfollowed(cx, &urls, Reach::bytes(BYTES))) {
        let judged = match args.kind {
            Notice::Updated => permitted(&facts).map(Some),
            Notice::Deleted => gone(&facts).map(|()| None),
        };
        match judged {
            Err((reason, message)) => out.refused.push(refused(url.as_str(), reason, message)),
            Ok(_) if left == 0 => {
                out.refused.push(refused(
                    url.as_str(),
                    "quota",
                    format!("the {A_DAY} notices of today are used; send it tomorrow (UTC)"),
                ));
            }
            Ok(markup) => {
                left -= 1;
                let removed = args.kind == Notice::Deleted;
                let ready = Ready { url: facts.url.clone(), text_sha256: facts.text_sha256.clone(), removed };
                sendable.push((url.as_str().to_owned(), markup, ready));
            }
        }
    }
    let word = if args.kind == Notice::Updated { "URL_UPDATED" } else { "URL_DELETED" };
    let notices = sendable.iter().map(|(url, _, _)| {
        Send::post(&connection.reference, "/v3/urlNotifications:publish").json(&json!({ "url": url, "type": word }))
    });
    let answers = cx.connections().send_many(notices);
    let (mut kept, mut exhausted) = (Vec::new(), false);
    for ((url, markup, ready), answer) in sendable.into_iter().zip(answers) {
        match answer {
            Ok(sent) if sent.is_success() => {
                kept.push(ready);
                out.accepted.push(Accepted { url, markup });
            }
            Ok(sent) if sent.status == 403 => {
                let message = "Google does not hold the service account for an owner of this property".to_owned();
                out.refused.push(refused(&url, "missing_permission", message));
            }
            Ok(sent) => {
                let message = format!("Google answered with status {}", sent.status);
                out.refused.push(refused(&url, "provider_error", message));
            }
            Err(SendFailure::RateLimited(_)) => {
                exhausted = true;
                out.refused.push(refused(&url, "quota", "Google's quota is used up; send it tomorrow".to_owned()));
            }
            Err(SendFailure::ExpiredCredential) if kept.is_empty() => return Err(SendFailure::ExpiredCredential.into()),
            Err(failure) => {
                let fault = Fault::from(failure);
                out.refused.push(refused(&url, "provider_error", fault.message));
            }
        }
    }
    submission::keep(cx, &site.id, Receiver::GoogleJobs, &kept, 200)?;
    let told = u32::try_from(kept.len()).unwrap_or(u32::MAX);
    out.quota_left = if exhausted { 0 } else { A_DAY.saturating_sub(used.saturating_add(told)) };
    Ok(Answer::new(out).units(urls.len() as u64))
}

fn refused(url: &str, reason: &str, message: String) -> Refused {
    Refused { url: url.to_owned(), reason: reason.to_owned(), message }
}

/// The markup that lets a page be reported.
fn permitted(facts: &PageFacts) -> Result<String, (&'static str, String)> {
    if let Some(failure) = &facts.failure {
        return Err(("unreachable", format!("the page gave no answer: {failure}")));
    }
    if !(200..300).contains(&facts.status) {
        return Err((
            "status",
            format!("the page answers with status {}; report it as deleted if it is gone", facts.status),
        ));
    }
    let reason = facts.indexability.reason.word();
    if reason != "ok" {
        return Err(("not_indexable", format!("search engines may not show the page: {reason}")));
    }
    let nodes = &facts.structured.nodes;
    let mut missing = Vec::new();
    for (kind, needed) in KINDS {
        for node in nodes.iter().filter(|it| it.is(kind)) {
            let mut lacks: Vec<&str> = needed.iter().filter(|name| !node.has(name)).copied().collect();
            let video = || node.parent.and_then(|at| nodes.get(at as usize)).is_some_and(|it| it.is("VideoObject"));
            if kind == "BroadcastEvent" && !video() {
                lacks.push("a VideoObject around it");
            }
            if lacks.is_empty() {
                return Ok(kind.to_owned());
            }
            missing.push(format!("its {kind} lacks {}", lacks.join(", ")));
        }
        // Of Microdata the crawl keeps types only.
        if facts.structured.microdata.iter().any(|it| it == kind) {
            return Ok(kind.to_owned());
        }
    }
    let why =
        missing.first().cloned().unwrap_or_else(|| "it has neither JobPosting nor BroadcastEvent markup".to_owned());
    Err(("no_permitted_markup", format!("Google takes no other pages by this interface: {why}")))
}

/// Kinds of markup that may be reported, and the properties that Google requires of them.
const KINDS: [(&str, &[&str]); 2] = [
    ("JobPosting", &["title", "description", "datePosted", "hiringOrganization"]),
    ("BroadcastEvent", &["isLiveBroadcast", "startDate"]),
];

/// Whether a page may be reported as deleted.
fn gone(facts: &PageFacts) -> Result<(), (&'static str, String)> {
    let noindex = matches!(facts.indexability.reason.word(), "noindex" | "noindex_header");
    if matches!(facts.status, 404 | 410) || noindex {
        return Ok(());
    }
    let message = format!(
        "the page answers with status {} and may be indexed; let it answer with 404 or 410, or add noindex",
        facts.status
    );
    Err(("still_indexable", message))
}

#[cfg(test)]
mod tests;
