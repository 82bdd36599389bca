//! Rules about the dates of a text, and about markup that has had its time.

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext, threshold};
use crate::rules::fact::day;

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "content.date_future",
        area: Area::Content,
        severity: Severity::Warning,
        scope: Scope::Indexable,
        threshold: None,
        title: "The page says it comes from the future",
        explanation: "A date after the day of reading is not believed, and results show none.",
        advice: "Correct the date, or publish the page on that day.",
        reference: "https://developers.google.com/search/docs/appearance/publication-dates",
        operation: "onpage.date.extract",
        effort: Effort::Low,
        confidence: 90,
        check: Check::Page(date_future),
    },
    Rule {
        id: "content.dates_reversed",
        area: Area::Content,
        severity: Severity::Notice,
        scope: Scope::Indexable,
        threshold: None,
        title: "The page was changed before it was published",
        explanation: "One of the two dates is wrong, and search engines must guess which.",
        advice: "Correct dateModified.",
        reference: "https://developers.google.com/search/docs/appearance/publication-dates",
        operation: "onpage.date.extract",
        effort: Effort::Low,
        confidence: 92,
        check: Check::Page(dates_reversed),
    },
    Rule {
        id: "content.stale",
        area: Area::Content,
        severity: Severity::Notice,
        scope: Scope::Indexable,
        threshold: Some(threshold!("days", stale_days)),
        title: "An article has not been touched for years",
        explanation: "Facts, prices and links of old articles rot, and searchers prefer what is fresh where it matters.",
        advice: "Read it again: renew it, or leave it as it is if it still holds.",
        reference: "https://developers.google.com/search/docs/fundamentals/creating-helpful-content",
        operation: "content.refresh.plan",
        effort: Effort::High,
        confidence: 45,
        check: Check::Page(stale),
    },
    Rule {
        id: "content.frameset",
        area: Area::Content,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "The page is a set of frames",
        explanation: "Search engines see the frames as pages of their own, without what stands around them.",
        advice: "Build the page without frames.",
        reference: "https://html.spec.whatwg.org/multipage/obsolete.html",
        operation: "onpage.markup.validate",
        effort: Effort::High,
        confidence: 95,
        check: Check::Page(frameset),
    },
    Rule {
        id: "content.plugin",
        area: Area::Content,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "The page needs a plugin that no browser has",
        explanation: "Flash, Java and Silverlight run nowhere any more; visitors see a hole.",
        advice: "Replace it by a video, a picture or a script.",
        reference: "https://developers.google.com/search/blog/2019/10/goodbye-flash",
        operation: "onpage.markup.validate",
        effort: Effort::High,
        confidence: 96,
        check: Check::Page(plugin),
    },
    Rule {
        id: "content.obsolete_elements",
        area: Area::Content,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The page uses elements that HTML has given up",
        explanation: "Browsers may draw them in any way; what they did is the work of style sheets.",
        advice: "Replace them by style sheets.",
        reference: "https://html.spec.whatwg.org/multipage/obsolete.html",
        operation: "onpage.markup.validate",
        effort: Effort::Medium,
        confidence: 80,
        check: Check::Page(obsolete_elements),
    },
    Rule {
        id: "content.reload",
        area: Area::Content,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The page reloads by itself",
        explanation: "A reload throws readers back to the top, most of all those who read slowly or by ear (WCAG 2.2.1).",
        advice: "Load new parts by a script, or let the reader choose.",
        reference: "https://www.w3.org/WAI/WCAG22/Understanding/timing-adjustable",
        operation: "onpage.markup.validate",
        effort: Effort::Medium,
        confidence: 88,
        check: Check::Page(reload),
    },
];

fn date_future(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let today = day(page)?;
    let dates = [("published", &page.published), ("modified", &page.modified)];
    // A day more, as the server and the author may live in different zones.
    let late = |text: &str| kit::dates::parse(text).is_some_and(|it| it.days() > today.days() + 1);
    let (name, text) =
        dates.into_iter().find_map(|(name, date)| Some((name, date.as_deref().filter(|it| late(it))?)))?;
    Some(Evidence::at(name, text).expected(format!("{today} or earlier")))
}

fn dates_reversed(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (published, modified) = (page.published.as_deref()?, page.modified.as_deref()?);
    (kit::dates::parse(modified)? < kit::dates::parse(published)?)
        .then(|| Evidence::at("modified", modified).expected(format!("{published} or later")))
}

fn stale(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let article =
        page.structured.json_ld.iter().any(|it| matches!(it.as_str(), "Article" | "BlogPosting" | "TechArticle"));
    let text = page.modified.as_deref().or(page.published.as_deref()).filter(|_| article)?;
    let age = day(page)?.days() - kit::dates::parse(text)?.days();
    let limit = site.limits.stale_days;
    (age > i64::from(limit))
        .then(|| Evidence::at("modified", text).expected(format!("{limit} days or fewer, not {age}")))
}

fn frameset(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    page.markup.obsolete.iter().find(|it| *it == "frameset")?;
    Some(Evidence::at("<frameset>", "").expected("one document"))
}

fn plugin(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let first = page.markup.plugins.first()?;
    Some(Evidence::at("<object>", first).expected("HTML, a video or a picture").count(page.markup.plugins.len()))
}

fn obsolete_elements(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    // Frames and plugins have rules of their own.
    let said = |name: &str| matches!(name, "frameset" | "frame" | "noframes" | "applet");
    let found: Vec<&str> = page.markup.obsolete.iter().map(String::as_str).filter(|it| !said(it)).collect();
    let first = found.first()?;
    Some(Evidence::at(format!("<{first}>"), found.join(", ")).expected("style sheets").count(found.len()))
}

fn reload(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    // With another address it is a redirect, which has a rule of its own.
    let refresh = page.meta_refresh.as_ref().filter(|it| it.url.is_none())?;
    // Twenty hours and more bother nobody (WCAG 2.2.1).
    (refresh.seconds < 72_000).then(|| {
        Evidence::at("<meta http-equiv=\"refresh\">", refresh.seconds.to_string()).expected("no reload by itself")
    })
}
