//! Rules about the form of an address.

pub(super) mod spelling;

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};
use crate::rules::fact::split;

rules! {
    "url.too_long" Url Notice Page Medium 70 Page(too_long);
    at "characters" url_characters;
    title "The address is very long";
    why "Long addresses are cut in results, break in messages, and mostly carry more than the page needs.";
    fix "cms.redirect.map.build" "Shorten the path to the words that name the page.";
    see "https://developers.google.com/search/docs/crawling-indexing/url-structure";

    "url.uppercase" Url Notice Page Medium 65 Page(uppercase);
    title "The address has capital letters";
    why "Paths are case-sensitive (RFC 3986 section 6.2.2.1); people type them in small letters and find nothing.";
    fix "cms.redirect.upsert" "Use small letters and redirect the other form.";
    see "https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2.1";

    "url.underscore" Url Notice Page Medium 50 Page(underscore);
    title "The address joins words by underscores";
    why "Google reads words joined by an underscore as one; it recommends hyphens.";
    fix "cms.redirect.map.build" "Use hyphens in new addresses; redirect old ones only when you change them anyway.";
    see "https://developers.google.com/search/docs/crawling-indexing/url-structure";

    "url.space" Url Notice Page Medium 90 Page(space);
    title "The address has spaces";
    why "A space must be written as %20 and ends the address in many messages.";
    fix "cms.redirect.upsert" "Use hyphens.";
    see "https://www.rfc-editor.org/rfc/rfc3986#section-2.1";

    "url.double_slash" Url Warning Page Low 90 Page(double_slash);
    title "The address has an empty segment";
    why "Two slashes in a row come from a join that went wrong; the same page then answers with one slash too.";
    fix "cms.redirect.upsert" "Correct the links and redirect to the address with one slash.";
    see "https://www.rfc-editor.org/rfc/rfc3986#section-3.3";

    "url.parameters" Url Notice Indexable Medium 70 Page(parameters);
    at "parameters" url_parameters;
    title "The address has many parameters";
    why "Each combination is a page of its own to a crawler; filters and sorts make millions.";
    fix "crawl.trap.detect" "Leave out parameters that do not change the page, or name a canonical.";
    see "https://developers.google.com/search/docs/crawling-indexing/url-structure";

    "url.session" Url Warning Page Medium 90 Page(session);
    title "The address carries a session";
    why "Each visit makes new addresses of the same page, and a shared link may share a session.";
    fix "crawl.trap.detect" "Keep sessions in a cookie.";
    see "https://developers.google.com/search/docs/crawling-indexing/url-structure";

    "url.repeated_segment" Url Warning Page Low 85 Page(repeated_segment);
    title "The address repeats itself";
    why "A segment three times over mostly means a relative link that grows with each click.";
    fix "crawl.trap.detect" "Correct the relative link that leads here.";
    see "https://developers.google.com/search/docs/crawling-indexing/url-structure";

    "url.non_ascii" Url Notice Page Medium 40 Page(non_ascii);
    title "The address has letters that are sent as escapes";
    why "Each letter outside ASCII becomes two to four escapes of three signs (RFC 3986 section 2.1), which many programs show instead of the letter.";
    fix "cms.redirect.upsert" "Nothing where readers write in that script; else spell the path in ASCII letters and redirect the old address.";
    see "https://developers.google.com/search/docs/crawling-indexing/url-structure";
}

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
