//! Rules about how an address answers.

pub(super) mod answer;
pub(super) mod charset;

use kit::outcome::Outcome;
use kit::page::{CharsetSource, PageFacts};

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};

rules! {
    "response.no_answer" Response Error Address High 95 Page(no_answer);
    title "The address does not answer";
    why "Visitors see an error of their browser, and search engines drop addresses that stay silent.";
    fix "monitoring.monitor.create" "Bring the server back, or correct the name, certificate or redirect that stands in the way.";
    see "https://developers.google.com/search/docs/crawling-indexing/http-network-errors";

    "response.server_error" Response Error Address High 98 Page(server_error);
    title "The address answers with a server error";
    why "A 5xx answer (RFC 9110 section 15.6) makes search engines slow down and then drop the address.";
    fix "monitoring.monitor.create" "Find the fault in the server's log; watch the address until it stays well.";
    see "https://www.rfc-editor.org/rfc/rfc9110#section-15.6";

    "response.client_error" Response Warning Address Low 95 Page(client_error);
    title "The address answers that it is not there";
    why "A 4xx answer (RFC 9110 section 15.5) ends the visit, and what other pages say of the address is lost.";
    fix "cms.redirect.upsert" "Redirect the address to its successor, or remove the links that lead to it.";
    see "https://www.rfc-editor.org/rfc/rfc9110#section-15.5";

    "response.soft_404" Response Warning Page Low 80 Page(soft_404);
    title "A missing page answers 200";
    why "The page says that it was not found but its status says that all is well, so it is crawled for ever.";
    fix "cms.redirect.upsert" "Answer 404 or 410, or redirect to the successor.";
    see "https://developers.google.com/search/docs/crawling-indexing/http-network-errors";

    "response.slow" Response Warning Page High 60 Page(slow);
    at "ms" first_byte_ms;
    title "The first byte takes long";
    why "Nothing can be drawn before the first byte; slow answers also lower how much a crawler fetches.";
    fix "monitoring.ttfb.sample" "Cache the page near its readers and find what the server waits for.";
    see "https://web.dev/articles/ttfb";

    "response.content_type_missing" Response Warning Address Low 95 Page(content_type_missing);
    title "The answer does not say what it is";
    why "Without a Content-Type (RFC 9110 section 8.3) every reader guesses, and some guess wrong.";
    fix "monitoring.headers.check" "Send a Content-Type with every body.";
    see "https://www.rfc-editor.org/rfc/rfc9110#section-8.3";

    "response.charset_undeclared" Response Notice Page Low 85 Page(charset_undeclared);
    title "The encoding is not declared";
    why "A page that declares no encoding is read differently by different readers (HTML Standard, section 4.2.5.4).";
    fix "onpage.markup.validate" "Put <meta charset=utf-8> first in the head, or name the charset in the Content-Type.";
    see "https://html.spec.whatwg.org/multipage/semantics.html#charset";

    "response.charset_damaged" Response Warning Page Medium 90 Page(charset_damaged);
    title "The text does not fit its encoding";
    why "Some bytes could not be read in the encoding that the page declares; readers and search engines see broken letters.";
    fix "onpage.markup.validate" "Save the page in the encoding that it declares, best UTF-8.";
    see "https://encoding.spec.whatwg.org/";

    "redirect.temporary" Response Notice Address Low 60 Page(temporary);
    title "A temporary redirect";
    why "A 302 or 307 says that the old address comes back, so search engines keep showing it.";
    fix "cms.redirect.upsert" "Use 301 or 308 when the move is for good.";
    see "https://developers.google.com/search/docs/crawling-indexing/301-redirects";

    "redirect.hops" Response Warning Address Low 95 Page(hops);
    title "Several redirects before the page";
    why "Every hop costs a visitor a round trip and a crawler a fetch.";
    fix "cms.redirect.upsert" "Point the first address straight at the last one.";
    see "https://developers.google.com/search/docs/crawling-indexing/301-redirects";
}

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
