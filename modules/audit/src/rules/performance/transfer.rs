//! Rules about how a page is sent and kept, and what weighs in its HTML.

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};
use crate::rules::fact::header;

rules! {
    "performance.not_compressed" Performance Warning Page Low 78 Page(not_compressed);
    at "bytes" plain_bytes;
    title "The page is sent uncompressed";
    why "HTML shrinks to a fifth or less when it is compressed; here every visitor waits for all of it.";
    fix "monitoring.page_weight.check" "Turn on gzip or Brotli for text.";
    see "https://developer.chrome.com/docs/lighthouse/performance/uses-text-compression";

    "performance.no_store" Performance Notice Indexable Low 70 Page(no_store);
    title "The page may not be kept at all";
    why "no-store makes browsers load the page again when a reader goes back, and keeps it out of their quick memory.";
    fix "monitoring.headers.check" "Write no-cache or a short max-age; no-store belongs on pages with private data.";
    see "https://web.dev/articles/bfcache";

    "performance.no_validator" Performance Notice Indexable Medium 55 Page(no_validator);
    title "The page cannot be asked whether it has changed";
    why "Without ETag or Last-Modified a crawler fetches the whole page each time to learn that nothing is new (RFC 9110 section 8.8).";
    fix "monitoring.headers.check" "Send an ETag or Last-Modified.";
    see "https://developers.google.com/search/docs/crawling-indexing/http-caching";

    "performance.vary_star" Performance Notice Page Low 90 Page(vary_star);
    title "The answer says that it varies by anything";
    why "Vary: * means that no copy is ever good for another visit (RFC 9110 section 12.5.5).";
    fix "monitoring.headers.check" "Name the headers that make a difference.";
    see "https://www.rfc-editor.org/rfc/rfc9110#section-12.5.5";

    "performance.inline_scripts" Performance Notice Page Medium 60 Page(inline_scripts);
    at "bytes" inline_script_bytes;
    title "The HTML carries a great deal of script";
    why "Script in the page cannot be kept apart from it: it is loaded again with every page.";
    fix "monitoring.page_weight.check" "Move it into files.";
    see "https://developer.chrome.com/docs/lighthouse/performance/bootup-time";

    "performance.inline_styles" Performance Notice Page Medium 60 Page(inline_styles);
    at "bytes" inline_style_bytes;
    title "The HTML carries a great deal of style";
    why "Beyond what the first screen needs, styles in the page hold up its text and are loaded again each time.";
    fix "monitoring.page_weight.check" "Keep what the first screen needs, and move the rest into files.";
    see "https://developer.chrome.com/docs/lighthouse/performance/unused-css-rules";

    "performance.style_imports" Performance Notice Page Low 80 Page(style_imports);
    title "Style sheets are imported by style sheets";
    why "The second is asked for only when the first has come; the page waits for both, one after the other.";
    fix "cms.content.update" "Link each style sheet from the page.";
    see "https://web.dev/articles/critical-rendering-path";

    "performance.document_write" Performance Notice Page Medium 80 Page(document_write);
    title "A script writes into the page while it is read";
    why "The browser must stop and wait; on slow connections Chrome does not run such scripts at all.";
    fix "cms.content.update" "Add elements by the DOM, or load the script with async.";
    see "https://developer.chrome.com/docs/lighthouse/best-practices/no-document-write";

    "performance.nesting" Performance Notice Page High 50 Page(nesting);
    at "levels" nesting;
    title "Elements are nested very deep";
    why "Deep trees make every change of the page slower; Lighthouse warns past 32 levels.";
    fix "monitoring.page_weight.check" "Take out boxes that only hold boxes.";
    see "https://developer.chrome.com/docs/lighthouse/performance/dom-size";
}

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
