//! Rules about how a page is sent and kept, and what weighs in its HTML.

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext, threshold};
use crate::rules::fact::header;

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "performance.not_compressed",
        area: Area::Performance,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: Some(threshold!("bytes", plain_bytes)),
        title: "The page is sent uncompressed",
        explanation: "HTML shrinks to a fifth or less when it is compressed; here every visitor waits for all of it.",
        advice: "Turn on gzip or Brotli for text.",
        reference: "https://developer.chrome.com/docs/lighthouse/performance/uses-text-compression",
        operation: "monitoring.page_weight.check",
        effort: Effort::Low,
        confidence: 78,
        check: Check::Page(not_compressed),
    },
    Rule {
        id: "performance.no_store",
        area: Area::Performance,
        severity: Severity::Notice,
        scope: Scope::Indexable,
        threshold: None,
        title: "The page may not be kept at all",
        explanation: "no-store makes browsers load the page again when a reader goes back, and keeps it out of their quick memory.",
        advice: "Write no-cache or a short max-age; no-store belongs on pages with private data.",
        reference: "https://web.dev/articles/bfcache",
        operation: "monitoring.headers.check",
        effort: Effort::Low,
        confidence: 70,
        check: Check::Page(no_store),
    },
    Rule {
        id: "performance.no_validator",
        area: Area::Performance,
        severity: Severity::Notice,
        scope: Scope::Indexable,
        threshold: None,
        title: "The page cannot be asked whether it has changed",
        explanation: "Without ETag or Last-Modified a crawler fetches the whole page each time to learn that nothing is new (RFC 9110 section 8.8).",
        advice: "Send an ETag or Last-Modified.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/http-caching",
        operation: "monitoring.headers.check",
        effort: Effort::Medium,
        confidence: 55,
        check: Check::Page(no_validator),
    },
    Rule {
        id: "performance.vary_star",
        area: Area::Performance,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The answer says that it varies by anything",
        explanation: "Vary: * means that no copy is ever good for another visit (RFC 9110 section 12.5.5).",
        advice: "Name the headers that make a difference.",
        reference: "https://www.rfc-editor.org/rfc/rfc9110#section-12.5.5",
        operation: "monitoring.headers.check",
        effort: Effort::Low,
        confidence: 90,
        check: Check::Page(vary_star),
    },
    Rule {
        id: "performance.inline_scripts",
        area: Area::Performance,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: Some(threshold!("bytes", inline_script_bytes)),
        title: "The HTML carries a great deal of script",
        explanation: "Script in the page cannot be kept apart from it: it is loaded again with every page.",
        advice: "Move it into files.",
        reference: "https://developer.chrome.com/docs/lighthouse/performance/bootup-time",
        operation: "monitoring.page_weight.check",
        effort: Effort::Medium,
        confidence: 60,
        check: Check::Page(inline_scripts),
    },
    Rule {
        id: "performance.inline_styles",
        area: Area::Performance,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: Some(threshold!("bytes", inline_style_bytes)),
        title: "The HTML carries a great deal of style",
        explanation: "Beyond what the first screen needs, styles in the page hold up its text and are loaded again each time.",
        advice: "Keep what the first screen needs, and move the rest into files.",
        reference: "https://developer.chrome.com/docs/lighthouse/performance/unused-css-rules",
        operation: "monitoring.page_weight.check",
        effort: Effort::Medium,
        confidence: 60,
        check: Check::Page(inline_styles),
    },
    Rule {
        id: "performance.style_imports",
        area: Area::Performance,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "Style sheets are imported by style sheets",
        explanation: "The second is asked for only when the first has come; the page waits for both, one after the other.",
        advice: "Link each style sheet from the page.",
        reference: "https://web.dev/articles/critical-rendering-path",
        operation: "cms.content.update",
        effort: Effort::Low,
        confidence: 80,
        check: Check::Page(style_imports),
    },
    Rule {
        id: "performance.document_write",
        area: Area::Performance,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "A script writes into the page while it is read",
        explanation: "The browser must stop and wait; on slow connections Chrome does not run such scripts at all.",
        advice: "Add elements by the DOM, or load the script with async.",
        reference: "https://developer.chrome.com/docs/lighthouse/best-practices/no-document-write",
        operation: "cms.content.update",
        effort: Effort::Medium,
        confidence: 80,
        check: Check::Page(document_write),
    },
    Rule {
        id: "performance.nesting",
        area: Area::Performance,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: Some(threshold!("levels", nesting)),
        title: "Elements are nested very deep",
        explanation: "Deep trees make every change of the page slower; Lighthouse warns past 32 levels.",
        advice: "Take out boxes that only hold boxes.",
        reference: "https://developer.chrome.com/docs/lighthouse/performance/dom-size",
        operation: "monitoring.page_weight.check",
        effort: Effort::High,
        confidence: 50,
        check: Check::Page(nesting),
    },
];

fn not_compressed(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let limit = u64::from(site.limits.plain_bytes);
    // Without any header kept nothing is known of the way the page was sent.
    let plain = header(page, "content-encoding").is_none() && header(page, "content-type").is_some();
    (plain && page.html_bytes > limit).then(|| {
        Evidence::at("Content-Encoding", format!("{} bytes as they are", page.html_bytes)).expected("gzip or br")
    })
}

fn caching(page: &PageFacts, word: &str) -> bool {
    let values = page.headers.all("cache-control").iter();
    values.flat_map(|value| value.split(',')).any(|it| it.trim().eq_ignore_ascii_case(word))
}

fn no_store(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let value = header(page, "cache-control").filter(|_| caching(page, "no-store"))?;
    Some(Evidence::at("Cache-Control", value).expected("no-cache, or a max-age"))
}

fn no_validator(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let told = header(page, "etag").is_some() || header(page, "last-modified").is_some();
    // What may not be kept needs no sign of its age.
    (!told && !caching(page, "no-store") && header(page, "content-type").is_some())
        .then(|| Evidence::absent("ETag").expected("ETag or Last-Modified"))
}

fn vary_star(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let star = page.headers.all("vary").iter().any(|value| value.split(',').any(|it| it.trim() == "*"));
    star.then(|| Evidence::at("Vary", "*").expected("names of headers, such as Accept-Encoding"))
}

fn weight(element: &str, found: u32, limit: u32, unit: &str) -> Option<Evidence> {
    (found > limit)
        .then(|| Evidence::at(element, format!("{found} {unit}")).expected(format!("{limit} {unit} or fewer")))
}

fn inline_scripts(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    weight("<script>", page.markup.script_bytes, site.limits.inline_script_bytes, "bytes")
}

fn inline_styles(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    weight("<style>", page.markup.style_bytes, site.limits.inline_style_bytes, "bytes")
}

fn style_imports(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let count = page.markup.style_imports;
    (count > 0).then(|| Evidence::at("<style>", "@import").expected("<link rel=\"stylesheet\">").count(count as usize))
}

fn document_write(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    page.markup.document_write.then(|| Evidence::at("<script>", "document.write").expected("no document.write"))
}

fn nesting(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    weight("<body>", page.nesting, site.limits.nesting, "levels")
}
