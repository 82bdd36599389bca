//! Rules about what AI assistants can take from a page.

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext};

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "ai.snippet_forbidden",
        area: Area::Ai,
        severity: Severity::Warning,
        scope: Scope::Indexable,
        threshold: None,
        title: "The page forbids quoting it",
        explanation: "nosnippet and max-snippet:0 keep the text out of results and out of AI answers alike.",
        advice: "Remove the directive, or allow a length.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag",
        operation: "cms.seo_meta.update",
        effort: Effort::Low,
        confidence: 85,
        check: Check::Page(snippet_forbidden),
    },
    Rule {
        id: "ai.author_missing",
        area: Area::Ai,
        severity: Severity::Notice,
        scope: Scope::Indexable,
        threshold: None,
        title: "An article names no author",
        explanation: "Readers and assistants weigh a text by who wrote it.",
        advice: "Name the author where readers see it and in the markup.",
        reference: "https://developers.google.com/search/docs/appearance/structured-data/article",
        operation: "schema.markup.generate",
        effort: Effort::Medium,
        confidence: 75,
        check: Check::Page(author_missing),
    },
    Rule {
        id: "ai.date_missing",
        area: Area::Ai,
        severity: Severity::Notice,
        scope: Scope::Indexable,
        threshold: None,
        title: "An article names no date",
        explanation: "Assistants prefer sources that say how old they are.",
        advice: "State when the article was published and last changed.",
        reference: "https://developers.google.com/search/docs/appearance/publication-dates",
        operation: "schema.markup.generate",
        effort: Effort::Low,
        confidence: 75,
        check: Check::Page(date_missing),
    },
    Rule {
        id: "ai.author_hidden",
        area: Area::Ai,
        severity: Severity::Notice,
        scope: Scope::Indexable,
        threshold: None,
        title: "The author stands in the markup only",
        explanation: "Google asks that what markup says can be seen; readers and assistants trust a name that stands on the page.",
        advice: "Show the name where readers see it.",
        reference: "https://developers.google.com/search/docs/appearance/structured-data/sd-policies",
        operation: "authors.byline.audit",
        effort: Effort::Low,
        confidence: 60,
        check: Check::Page(author_hidden),
    },
];

fn snippet_forbidden(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let meta = page.meta_robots.iter().map(|it| ("<meta name=\"robots\">", it));
    let header = page.x_robots_tag.iter().map(|it| ("X-Robots-Tag", it));
    let (element, directive) = meta.chain(header).find(|(_, it)| {
        let bare = it.replace(' ', "");
        bare == "nosnippet" || bare == "max-snippet:0"
    })?;
    Some(Evidence::at(element, directive).expected("no limit, or a length"))
}

fn article(page: &PageFacts) -> Option<&str> {
    let types = page.structured.json_ld.iter().chain(&page.structured.microdata).map(String::as_str);
    types.into_iter().find(|it| {
        matches!(*it, "Article" | "NewsArticle" | "BlogPosting" | "TechArticle" | "ScholarlyArticle" | "Report")
    })
}

fn author_missing(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let kind = article(page)?;
    (page.byline_visible.is_none() && page.byline_markup.is_none())
        .then(|| Evidence::absent(format!("author of {kind}")).expected("a name"))
}

fn date_missing(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let kind = article(page)?;
    (page.published.is_none() && page.modified.is_none())
        .then(|| Evidence::absent(format!("datePublished of {kind}")).expected("an ISO 8601 date"))
}

fn author_hidden(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    article(page)?;
    let name = page.byline_markup.as_deref().filter(|_| page.byline_visible.is_none())?;
    let name = kit::page::people(name).next()?;
    let folded = name.to_lowercase();
    // The excerpt is what is kept of the text; a name at the end of a longer one is not seen here.
    let shown = page.excerpt.to_lowercase().contains(&folded) || page.word_count > 60;
    (!shown).then(|| Evidence::at("author", name).expected("the same name in the text"))
}
