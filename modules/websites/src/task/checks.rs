//! The checks that can be made again on one page alone. Each asks what the audit rule of the same id asks.

use kit::glyphs;
use kit::page::{Canonical, PageFacts, Place};

use super::stored::Evidence;

/// Characters kept of a value.
const VALUE: usize = 300;
/// The font size of a result's title on a desktop, in pixels.
const TITLE: f64 = 20.0;
/// The font size of a result's description on a desktop, in pixels.
const DESCRIPTION: f64 = 14.0;

/// One check.
pub(super) struct Check {
    /// The audit rule.
    pub(super) rule: &'static str,
    /// What of the page it needs.
    pub(super) of: Of,
    /// The number at which it usually speaks; the audit's default.
    pub(super) threshold: Option<u32>,
    /// Finds the fault; the number is the one in force.
    pub(super) fault: fn(&PageFacts, u32) -> Option<Evidence>,
    /// What stands at the place, when there is no fault.
    pub(super) shown: fn(&PageFacts) -> Evidence,
}

/// What of a page a check needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    /// Any answer, or none.
    Answer,
    /// The head of an HTML page that answers 200, or its headers.
    Head,
    /// All of an HTML page that answers 200.
    Body,
}

/// The check of a rule; none when one page alone does not show it.
pub(super) fn find(rule: &str) -> Option<&'static Check> {
    CHECKS.iter().find(|check| check.rule == rule)
}

type Fault = fn(&PageFacts, u32) -> Option<Evidence>;

const fn check(
    rule: &'static str,
    of: Of,
    threshold: Option<u32>,
    shown: fn(&PageFacts) -> Evidence,
    fault: Fault,
) -> Check {
    Check { rule, of, threshold, fault, shown }
}

/// All checks. The thresholds are those of `audit.rule.list`.
pub(super) const CHECKS: &[Check] = &[
    check("response.no_answer", Of::Answer, None, status, |page, _| {
        let failure = page.failure.as_deref().filter(|_| page.status == 0)?;
        Some(at("connection", failure).expected("an answer"))
    }),
    check("response.server_error", Of::Answer, None, status, |page, _| {
        (page.status >= 500).then(|| status(page).expected("200"))
    }),
    check("response.client_error", Of::Answer, None, status, |page, _| {
        (400..500).contains(&page.status).then(|| status(page).expected("200"))
    }),
    check("indexability.noindex", Of::Head, None, robots, |page, _| {
        let (element, it) = directives(page).find(|(_, it)| matches!(*it, "noindex" | "none"))?;
        Some(at(element, it).expected("no noindex, if the page should be found"))
    }),
    check("indexability.nofollow", Of::Head, None, robots, |page, _| {
        let (element, it) = directives(page).find(|(_, it)| *it == "nofollow")?;
        Some(at(element, it).expected("follow, which is the default"))
    }),
    check("canonical.missing", Of::Head, None, canonical, |page, _| {
        page.canonicals.is_empty().then(|| canonical(page).expected(&page.final_url))
    }),
    check("canonical.multiple", Of::Head, None, canonical, |page, _| {
        let head = page.canonicals.iter().filter(|it| it.place == Place::Head);
        let mut urls: Vec<&str> = head.map(target).collect();
        urls.sort_unstable();
        urls.dedup();
        (urls.len() > 1).then(|| at(CANONICAL, &urls.join(", ")).expected("one").count(urls.len()))
    }),
    check("canonical.relative", Of::Head, None, canonical, |page, _| {
        let it = effective(page).find(|it| it.url.is_some() && !it.href.trim().contains("://"))?;
        Some(at(CANONICAL, &it.href).expected(target(it)))
    }),
    check("canonical.invalid", Of::Head, None, canonical, |page, _| {
        let it = effective(page).find(|it| it.url.is_none())?;
        Some(at(CANONICAL, &it.href).expected(&page.final_url))
    }),
    check("canonical.misplaced", Of::Body, None, canonical, |page, _| {
        let it = page.canonicals.iter().find(|it| it.place == Place::Body)?;
        Some(at(CANONICAL, &it.href).expected("in the head"))
    }),
    check("canonical.insecure", Of::Head, None, canonical, |page, _| {
        let it = effective(page).map(target).find(|it| it.starts_with("http://"))?;
        page.final_url.starts_with("https://").then(|| at(CANONICAL, it).expected("https"))
    }),
    check("canonical.fragment", Of::Head, None, canonical, |page, _| {
        let it = effective(page).find(|it| it.href.contains('#'))?;
        Some(at(CANONICAL, &it.href).expected(it.href.split('#').next().unwrap_or_default()))
    }),
    check("title.missing", Of::Head, None, title, |page, _| {
        first(&page.titles).is_none().then(|| at("<title>", "").expected("a title"))
    }),
    check("title.multiple", Of::Body, None, title, |page, _| several("<title>", &page.titles)),
    check("title.too_long", Of::Head, Some(580), title, |page, limit| {
        too_wide("<title>", first(&page.titles)?, TITLE, limit)
    }),
    check("title.too_short", Of::Head, Some(10), title, |page, limit| {
        too_short("<title>", first(&page.titles)?, limit)
    }),
    check("description.missing", Of::Head, None, description, |page, _| {
        first(&page.descriptions).is_none().then(|| at(DESCRIBED, "").expected("one or two sentences"))
    }),
    check("description.multiple", Of::Body, None, description, |page, _| several(DESCRIBED, &page.descriptions)),
    check("description.too_long", Of::Head, Some(920), description, |page, limit| {
        too_wide(DESCRIBED, first(&page.descriptions)?, DESCRIPTION, limit)
    }),
    check("description.too_short", Of::Head, Some(50), description, |page, limit| {
        too_short(DESCRIBED, first(&page.descriptions)?, limit)
    }),
    check("heading.h1_missing", Of::Body, None, heading, |page, _| {
        (page.h1_count == 0).then(|| at("<h1>", "").expected("one"))
    }),
    check("heading.h1_multiple", Of::Body, None, heading, |page, _| {
        let count = page.h1_count as usize;
        (count > 1).then(|| heading(page).expected("one").count(count))
    }),
    check("heading.h1_empty", Of::Body, None, heading, |page, _| {
        let empty = page.headings.iter().any(|it| it.level == 1 && it.text.is_empty());
        empty.then(|| at("<h1>", "").expected("a text"))
    }),
    check("heading.h1_too_long", Of::Body, Some(150), heading, |page, limit| {
        let long = |text: &str| text.chars().count() > limit as usize;
        let it = page.headings.iter().find(|it| it.level == 1 && long(&it.text))?;
        Some(at("<h1>", &it.text).expected(&format!("{limit} characters or fewer")))
    }),
    check("image.alt_missing", Of::Body, None, images, |page, _| {
        let first = page.images.iter().find(|image| image.alt.is_none()).map(|it| it.src.as_str()).unwrap_or_default();
        let (element, count) = (format!("<img src=\"{first}\">"), page.images_without_alt as usize);
        (count > 0).then(|| at(&element, "").expected("an alt attribute").count(count))
    }),
    check("image.alt_too_long", Of::Body, Some(250), images, |page, limit| {
        let long = |alt: &&str| alt.chars().count() > limit as usize;
        let mut alts = page.images.iter().filter_map(|it| it.alt.as_deref()).filter(long);
        let first = alts.next()?;
        Some(at("<img>", first).expected(&format!("{limit} characters or fewer")).count(1 + alts.count()))
    }),
];

const CANONICAL: &str = "<link rel=\"canonical\">";
const DESCRIBED: &str = "<meta name=\"description\">";

impl Evidence {
    fn expected(self, expected: &str) -> Self {
        Self { expected: Some(kit::text::clip(expected, VALUE).to_owned()), ..self }
    }

    fn count(self, count: usize) -> Self {
        Self { count: Some(u32::try_from(count).unwrap_or(u32::MAX)), ..self }
    }
}

/// A value found in an element.
pub(super) fn at(element: &str, value: &str) -> Evidence {
    let (element, value) = (kit::text::clip(element, VALUE).to_owned(), kit::text::clip(value, VALUE).to_owned());
    Evidence { element, value, expected: None, count: None }
}

/// The status that a page answers with.
pub(super) fn status(page: &PageFacts) -> Evidence {
    at("status", &page.status.to_string())
}

fn title(page: &PageFacts) -> Evidence {
    at("<title>", first(&page.titles).unwrap_or_default())
}

fn description(page: &PageFacts) -> Evidence {
    at(DESCRIBED, first(&page.descriptions).unwrap_or_default())
}

fn heading(page: &PageFacts) -> Evidence {
    let texts: Vec<&str> = page.headings.iter().filter(|it| it.level == 1).map(|it| it.text.as_str()).collect();
    at("<h1>", &texts.join(" | "))
}

fn canonical(page: &PageFacts) -> Evidence {
    at(CANONICAL, effective(page).next().map(target).unwrap_or_default())
}

fn images(page: &PageFacts) -> Evidence {
    at("<img>", "").count(page.image_count as usize)
}

fn robots(page: &PageFacts) -> Evidence {
    let all: Vec<&str> = directives(page).map(|(_, it)| it).collect();
    at("robots directives", &all.join(", "))
}

fn directives(page: &PageFacts) -> impl Iterator<Item = (&'static str, &str)> {
    let meta = page.meta_robots.iter().map(|it| ("<meta name=\"robots\">", it.as_str()));
    meta.chain(page.x_robots_tag.iter().map(|it| ("X-Robots-Tag", it.as_str())))
}

fn effective(page: &PageFacts) -> impl Iterator<Item = &Canonical> {
    page.canonicals.iter().filter(|it| it.place != Place::Body)
}

fn target(canonical: &Canonical) -> &str {
    canonical.url.as_deref().unwrap_or(&canonical.href)
}

fn first(texts: &[String]) -> Option<&str> {
    texts.iter().map(String::as_str).find(|text| !text.trim().is_empty())
}

fn several(element: &str, texts: &[String]) -> Option<Evidence> {
    (texts.len() > 1).then(|| at(element, &texts.join(" | ")).expected("one").count(texts.len()))
}

/// Without kerning, as the audit measures.
fn too_wide(element: &str, text: &str, size: f64, limit: u32) -> Option<Evidence> {
    let mut letter = [0; 4];
    let wide = text.chars().map(|it| glyphs::width(it.encode_utf8(&mut letter), size)).sum::<f64>().ceil();
    (wide > f64::from(limit)).then(|| at(element, text).expected(&format!("{limit} px or less, not {wide} px")))
}

fn too_short(element: &str, text: &str, limit: u32) -> Option<Evidence> {
    let long = text.chars().count();
    // Scripts that write a word in one or two signs say as much in half the length.
    let dense = text.chars().any(|letter| letter >= '\u{2e80}');
    let least = if dense { limit / 2 } else { limit };
    (long < least as usize).then(|| at(element, text).expected(&format!("{limit} characters or more, not {long}")))
}

#[cfg(test)]
mod tests;
