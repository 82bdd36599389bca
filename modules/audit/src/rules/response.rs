//! Rules about how an address answers.

pub(super) mod answer;
pub(super) mod charset;

use kit::outcome::Outcome;
use kit::page::{CharsetSource, PageFacts};

use crate::evidence::Evidence;
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext, threshold};

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "response.no_answer",
        area: Area::Response,
        severity: Severity::Error,
        scope: Scope::Address,
        threshold: None,
        title: "The address does not answer",
        explanation: "Visitors see an error of their browser, and search engines drop addresses that stay silent.",
        advice: "Bring the server back, or correct the name, certificate or redirect that stands in the way.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
        operation: "monitoring.monitor.create",
        effort: Effort::High,
        confidence: 95,
        check: Check::Page(no_answer),
    },
    Rule {
        id: "response.server_error",
        area: Area::Response,
        severity: Severity::Error,
        scope: Scope::Address,
        threshold: None,
        title: "The address answers with a server error",
        explanation: "A 5xx answer (RFC 9110 section 15.6) makes search engines slow down and then drop the address.",
        advice: "Find the fault in the server's log; watch the address until it stays well.",
        reference: "https://www.rfc-editor.org/rfc/rfc9110#section-15.6",
        operation: "monitoring.monitor.create",
        effort: Effort::High,
        confidence: 98,
        check: Check::Page(server_error),
    },
    Rule {
        id: "response.client_error",
        area: Area::Response,
        severity: Severity::Warning,
        scope: Scope::Address,
        threshold: None,
        title: "The address answers that it is not there",
        explanation: "A 4xx answer (RFC 9110 section 15.5) ends the visit, and what other pages say of the address is lost.",
        advice: "Redirect the address to its successor, or remove the links that lead to it.",
        reference: "https://www.rfc-editor.org/rfc/rfc9110#section-15.5",
        operation: "cms.redirect.upsert",
        effort: Effort::Low,
        confidence: 95,
        check: Check::Page(client_error),
    },
    Rule {
        id: "response.soft_404",
        area: Area::Response,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A missing page answers 200",
        explanation: "The page says that it was not found but its status says that all is well, so it is crawled for ever.",
        advice: "Answer 404 or 410, or redirect to the successor.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
        operation: "cms.redirect.upsert",
        effort: Effort::Low,
        confidence: 80,
        check: Check::Page(soft_404),
    },
    Rule {
        id: "response.slow",
        area: Area::Response,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: Some(threshold!("ms", first_byte_ms)),
        title: "The first byte takes long",
        explanation: "Nothing can be drawn before the first byte; slow answers also lower how much a crawler fetches.",
        advice: "Cache the page near its readers and find what the server waits for.",
        reference: "https://web.dev/articles/ttfb",
        operation: "monitoring.ttfb.sample",
        effort: Effort::High,
        confidence: 60,
        check: Check::Page(slow),
    },
    Rule {
        id: "response.content_type_missing",
        area: Area::Response,
        severity: Severity::Warning,
        scope: Scope::Address,
        threshold: None,
        title: "The answer does not say what it is",
        explanation: "Without a Content-Type (RFC 9110 section 8.3) every reader guesses, and some guess wrong.",
        advice: "Send a Content-Type with every body.",
        reference: "https://www.rfc-editor.org/rfc/rfc9110#section-8.3",
        operation: "monitoring.headers.check",
        effort: Effort::Low,
        confidence: 95,
        check: Check::Page(content_type_missing),
    },
    Rule {
        id: "response.charset_undeclared",
        area: Area::Response,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The encoding is not declared",
        explanation: "A page that declares no encoding is read differently by different readers (HTML Standard, section 4.2.5.4).",
        advice: "Put <meta charset=utf-8> first in the head, or name the charset in the Content-Type.",
        reference: "https://html.spec.whatwg.org/multipage/semantics.html#charset",
        operation: "onpage.markup.validate",
        effort: Effort::Low,
        confidence: 85,
        check: Check::Page(charset_undeclared),
    },
    Rule {
        id: "response.charset_damaged",
        area: Area::Response,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "The text does not fit its encoding",
        explanation: "Some bytes could not be read in the encoding that the page declares; readers and search engines see broken letters.",
        advice: "Save the page in the encoding that it declares, best UTF-8.",
        reference: "https://encoding.spec.whatwg.org/",
        operation: "onpage.markup.validate",
        effort: Effort::Medium,
        confidence: 90,
        check: Check::Page(charset_damaged),
    },
    Rule {
        id: "redirect.temporary",
        area: Area::Response,
        severity: Severity::Notice,
        scope: Scope::Address,
        threshold: None,
        title: "A temporary redirect",
        explanation: "A 302 or 307 says that the old address comes back, so search engines keep showing it.",
        advice: "Use 301 or 308 when the move is for good.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/301-redirects",
        operation: "cms.redirect.upsert",
        effort: Effort::Low,
        confidence: 60,
        check: Check::Page(temporary),
    },
    Rule {
        id: "redirect.hops",
        area: Area::Response,
        severity: Severity::Warning,
        scope: Scope::Address,
        threshold: None,
        title: "Several redirects before the page",
        explanation: "Every hop costs a visitor a round trip and a crawler a fetch.",
        advice: "Point the first address straight at the last one.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/301-redirects",
        operation: "cms.redirect.upsert",
        effort: Effort::Low,
        confidence: 95,
        check: Check::Page(hops),
    },
];

fn no_answer(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let failure =
        page.failure.as_deref().filter(|failure| page.status == 0 && !matches!(*failure, "robots" | "paced"))?;
    Some(Evidence::at("connection", failure).expected("an answer"))
}

fn server_error(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let fails = page.status >= 500 && Outcome::of(page.status, None).is_broken();
    fails.then(|| Evidence::at("status", page.status.to_string()).expected("200"))
}

fn client_error(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    // 403, 429 and the like are told to programs: people may see the page, and `indexability` has those that ask who is there.
    let gone = (400..500).contains(&page.status) && Outcome::of(page.status, None).is_broken();
    gone.then(|| Evidence::at("status", page.status.to_string()).expected("200"))
}

/// What pages say that are not there, in the languages most sites are written in.
const NOT_FOUND: [&str; 12] = [
    "404",
    "page not found",
    "not found",
    "page doesn't exist",
    "page does not exist",
    "no longer available",
    "seite nicht gefunden",
    "page introuvable",
    "página no encontrada",
    "pagina non trovata",
    "pagina niet gevonden",
    "страница не найдена",
];

fn soft_404(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let title = page.titles.first().map(|title| ("<title>", title.as_str()));
    let heading =
        page.headings.iter().find(|heading| heading.level == 1).map(|heading| ("<h1>", heading.text.as_str()));
    [title, heading].into_iter().flatten().find_map(|(element, text)| {
        let folded = text.to_lowercase();
        let said = NOT_FOUND.iter().any(|phrase| match folded.strip_prefix(phrase) {
            Some(rest) => !rest.starts_with(char::is_alphanumeric),
            None => folded.ends_with(phrase) && phrase.contains(' '),
        });
        // A long text that begins with such words is an article about them.
        (said && page.word_count < 150).then(|| Evidence::at(element, text).expected("status 404 or 410, not 200"))
    })
}

fn slow(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let limit = site.limits.first_byte_ms;
    let taken = page.timing.first_byte_ms;
    (taken > limit).then(|| Evidence::at("first byte", format!("{taken} ms")).expected(format!("{limit} ms or less")))
}

fn content_type_missing(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    (page.status == 200 && page.headers.get("content-type").is_none_or(|value| value.trim().is_empty()))
        .then(|| Evidence::absent("Content-Type").expected("text/html; charset=utf-8"))
}

fn charset_undeclared(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    match page.charset.source {
        CharsetSource::Bom | CharsetSource::Header | CharsetSource::Meta => None,
        CharsetSource::Bytes | CharsetSource::Fallback => Some(
            Evidence::at("<meta charset>", "")
                .expected("utf-8, declared in the first 1,024 bytes or in the Content-Type"),
        ),
    }
}

fn charset_damaged(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let declared = page.charset.declared.as_deref().unwrap_or(&page.charset.name);
    page.charset.damaged.then(|| Evidence::at("charset", declared).expected("the encoding of the bytes"))
}

fn temporary(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let own = page.redirect_to.as_deref().map(|location| (page.status, location));
    let hops = page.redirects.iter().map(|hop| (hop.status, hop.location.as_str()));
    let (status, location) = own.into_iter().chain(hops).find(|(status, _)| matches!(status, 302 | 303 | 307))?;
    Some(Evidence::at("Location", format!("{status} {location}")).expected("301 or 308 when the move is for good"))
}

fn hops(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let way = page.redirects.iter().map(|hop| hop.location.as_str()).collect::<Vec<_>>().join(" -> ");
    (page.redirects.len() > 1).then(|| Evidence::at("Location", way).expected("one hop").count(page.redirects.len()))
}
