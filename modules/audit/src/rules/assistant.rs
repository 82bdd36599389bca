//! Rules about what AI assistants can take from a page.

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};

rules! {
    "ai.snippet_forbidden" Ai Warning Indexable Low 85 Page(snippet_forbidden);
    title "The page forbids quoting it";
    why "nosnippet and max-snippet:0 keep the text out of results and out of AI answers alike.";
    fix "cms.seo_meta.update" "Remove the directive, or allow a length.";
    see "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag";

    "ai.author_missing" Ai Notice Indexable Medium 75 Page(author_missing);
    title "An article names no author";
    why "Readers and assistants weigh a text by who wrote it.";
    fix "schema.markup.generate" "Name the author where readers see it and in the markup.";
    see "https://developers.google.com/search/docs/appearance/structured-data/article";

    "ai.date_missing" Ai Notice Indexable Low 75 Page(date_missing);
    title "An article names no date";
    why "Assistants prefer sources that say how old they are.";
    fix "schema.markup.generate" "State when the article was published and last changed.";
    see "https://developers.google.com/search/docs/appearance/publication-dates";

    "ai.author_hidden" Ai Notice Indexable Low 60 Page(author_hidden);
    title "The author stands in the markup only";
    why "Google asks that what markup says can be seen; readers and assistants trust a name that stands on the page.";
    fix "authors.byline.audit" "Show the name where readers see it.";
    see "https://developers.google.com/search/docs/appearance/structured-data/sd-policies";
}

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
