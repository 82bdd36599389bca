//! Rules about the form of an address.

pub(super) mod spelling;

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext, threshold};
use crate::rules::fact::split;

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "url.too_long",
        area: Area::Url,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: Some(threshold!("characters", url_characters)),
        title: "The address is very long",
        explanation: "Long addresses are cut in results, break in messages, and mostly carry more than the page needs.",
        advice: "Shorten the path to the words that name the page.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/url-structure",
        operation: "cms.redirect.map.build",
        effort: Effort::Medium,
        confidence: 70,
        check: Check::Page(too_long),
    },
    Rule {
        id: "url.uppercase",
        area: Area::Url,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The address has capital letters",
        explanation: "Paths are case-sensitive (RFC 3986 section 6.2.2.1); people type them in small letters and find nothing.",
        advice: "Use small letters and redirect the other form.",
        reference: "https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2.1",
        operation: "cms.redirect.upsert",
        effort: Effort::Medium,
        confidence: 65,
        check: Check::Page(uppercase),
    },
    Rule {
        id: "url.underscore",
        area: Area::Url,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The address joins words by underscores",
        explanation: "Google reads words joined by an underscore as one; it recommends hyphens.",
        advice: "Use hyphens in new addresses; redirect old ones only when you change them anyway.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/url-structure",
        operation: "cms.redirect.map.build",
        effort: Effort::Medium,
        confidence: 50,
        check: Check::Page(underscore),
    },
    Rule {
        id: "url.space",
        area: Area::Url,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The address has spaces",
        explanation: "A space must be written as %20 and ends the address in many messages.",
        advice: "Use hyphens.",
        reference: "https://www.rfc-editor.org/rfc/rfc3986#section-2.1",
        operation: "cms.redirect.upsert",
        effort: Effort::Medium,
        confidence: 90,
        check: Check::Page(space),
    },
    Rule {
        id: "url.double_slash",
        area: Area::Url,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "The address has an empty segment",
        explanation: "Two slashes in a row come from a join that went wrong; the same page then answers with one slash too.",
        advice: "Correct the links and redirect to the address with one slash.",
        reference: "https://www.rfc-editor.org/rfc/rfc3986#section-3.3",
        operation: "cms.redirect.upsert",
        effort: Effort::Low,
        confidence: 90,
        check: Check::Page(double_slash),
    },
    Rule {
        id: "url.parameters",
        area: Area::Url,
        severity: Severity::Notice,
        scope: Scope::Indexable,
        threshold: Some(threshold!("parameters", url_parameters)),
        title: "The address has many parameters",
        explanation: "Each combination is a page of its own to a crawler; filters and sorts make millions.",
        advice: "Leave out parameters that do not change the page, or name a canonical.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/url-structure",
        operation: "crawl.trap.detect",
        effort: Effort::Medium,
        confidence: 70,
        check: Check::Page(parameters),
    },
    Rule {
        id: "url.session",
        area: Area::Url,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "The address carries a session",
        explanation: "Each visit makes new addresses of the same page, and a shared link may share a session.",
        advice: "Keep sessions in a cookie.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/url-structure",
        operation: "crawl.trap.detect",
        effort: Effort::Medium,
        confidence: 90,
        check: Check::Page(session),
    },
    Rule {
        id: "url.repeated_segment",
        area: Area::Url,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "The address repeats itself",
        explanation: "A segment three times over mostly means a relative link that grows with each click.",
        advice: "Correct the relative link that leads here.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/url-structure",
        operation: "crawl.trap.detect",
        effort: Effort::Low,
        confidence: 85,
        check: Check::Page(repeated_segment),
    },
    Rule {
        id: "url.non_ascii",
        area: Area::Url,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The address has letters that are sent as escapes",
        explanation: "Each letter outside ASCII becomes two to four escapes of three signs (RFC 3986 section 2.1), which many programs show instead of the letter.",
        advice: "Nothing where readers write in that script; else spell the path in ASCII letters and redirect the old address.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/url-structure",
        operation: "cms.redirect.upsert",
        effort: Effort::Medium,
        confidence: 40,
        check: Check::Page(non_ascii),
    },
];

fn too_long(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let (long, limit) = (page.final_url.chars().count(), site.limits.url_characters as usize);
    (long > limit)
        .then(|| Evidence::at("address", &page.final_url).expected(format!("{limit} characters or fewer, not {long}")))
}

fn uppercase(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (path, _) = split(&page.final_url)?;
    // Hex digits of an escape are no letters of the path.
    let mut letters =
        path.split('%').enumerate().flat_map(|(position, part)| part.chars().skip(if position == 0 { 0 } else { 2 }));
    letters.any(|letter| letter.is_ascii_uppercase()).then(|| Evidence::at("path", path).expected(path.to_lowercase()))
}

fn underscore(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (path, _) = split(&page.final_url)?;
    path.contains('_').then(|| Evidence::at("path", path).expected(path.replace('_', "-")))
}

fn space(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (path, _) = split(&page.final_url)?;
    path.contains("%20").then(|| Evidence::at("path", path).expected(path.replace("%20", "-")))
}

fn double_slash(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (path, _) = split(&page.final_url)?;
    path.contains("//").then(|| Evidence::at("path", path).expected("one slash"))
}

fn parameters(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let (_, query) = split(&page.final_url)?;
    let count = query.split('&').filter(|it| !it.is_empty()).count();
    let limit = site.limits.url_parameters as usize;
    (count > limit).then(|| Evidence::at("query", query).expected(format!("{limit} or fewer")).count(count))
}

/// Names under which common servers put a session into the address.
const SESSIONS: [&str; 7] = ["phpsessid", "jsessionid", "sessionid", "session_id", "sid", "aspsessionid", "cfid"];

fn session(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (path, query) = split(&page.final_url)?;
    let folded = path.to_lowercase();
    let in_path = folded.split(';').skip(1).any(|it| it.starts_with("jsessionid="));
    let named = query
        .split('&')
        .find(|it| SESSIONS.contains(&it.split('=').next().unwrap_or_default().to_lowercase().as_str()));
    let name = named.map(|it| it.split('=').next().unwrap_or_default()).or(in_path.then_some("jsessionid"))?;
    // The value is somebody's session and stays where it is.
    Some(Evidence::at("parameter", name).expected("a cookie"))
}

fn repeated_segment(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (path, _) = split(&page.final_url)?;
    let segments = path.split('/').filter(|it| !it.is_empty()).collect::<Vec<_>>();
    let worst = segments.iter().find(|segment| segments.iter().filter(|it| it == segment).count() > 2)?;
    Some(Evidence::at("path", path).expected(format!("{worst} once")))
}

fn non_ascii(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (path, _) = split(&page.final_url)?;
    let escaped = |part: &str| part.get(..2).and_then(|it| u8::from_str_radix(it, 16).ok()).is_some_and(|it| it > 0x7f);
    (!path.is_ascii() || path.split('%').skip(1).any(escaped))
        .then(|| Evidence::at("path", path).expected("letters of ASCII"))
}
