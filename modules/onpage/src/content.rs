//! The operation `onpage.content.extract`.

use kit::dates::{self, Of};
use kit::extract::FoundBy;
use sdk::Degraded;
use sdk::prelude::*;

use crate::live::{self, Live};
use site::live::Seen;

#[args]
pub(crate) struct Extract {
    url: Url,
    #[default("markdown")]
    form: Form,
    /// The most characters of content; more is cut at the end of a line.
    #[default(20_000)]
    max_chars: Count<500, 50_000>,
}

#[value]
enum Form {
    Markdown,
    Text,
}

#[value]
pub(crate) struct Extracted {
    /// The page's main heading, else its title without the site's name.
    title: String,
    author: Option<String>,
    /// `2024-03-01`.
    published: Option<String>,
    modified: Option<String>,
    /// Without navigation and boilerplate.
    content: String,
    /// Whether the content was longer than `max_chars`.
    cut: bool,
    /// Words of the whole content.
    words: u32,
    /// ISO 639-1.
    language: String,
    /// How the content was found.
    found_by: FoundBy,
    /// Links in the content, in order; at most 200.
    links: Vec<Linked>,
    page: Seen,
    degraded: Vec<Degraded>,
}

#[value]
struct Linked {
    url: String,
    text: String,
}

/// Extracts main content, title, author, dates and links from a page as Markdown by text-density and readability scoring,
/// without navigation and boilerplate.
///
/// A landmark (`main`, the only `article`) that holds most of the text is the content, otherwise the blocks that score best.
/// Nothing is rendered: text that scripts add is not there, and `degraded` says when that seems to be so.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 1),
    needs = ["web"],
    phrasings = [
        "get the article text of a page",
        "page to markdown",
        "read this page without the menu",
        "who wrote this page and when",
    ],
    examples = [{ "url": "https://shop.example/guides/lamps" }, { "url": "https://shop.example/guides/lamps", "form": "text", "max_chars": 5000 }]
)]
pub(crate) fn extract(cx: &Cx, args: Extract) -> Result<Extracted> {
    let page = live::page(cx, &args.url, "/url")?;
    let whole = match args.form {
        Form::Markdown => kit::markdown::write(&page.dom, &page.content, Some(&page.base)),
        Form::Text => page.text(),
    };
    let (content, cut) = clip(&whole, usize::from(args.max_chars));
    let found = dates::candidates(&page.dom, &page.facts.final_url);
    let date = |of| dates::best(&found, of).filter(|it| it.weight >= 0.4).map(|it| it.date.to_string());
    let words = kit::text::word_count(&page.text());
    let mut degraded = Vec::new();
    if words < 50 && page.facts.resources.iter().any(|it| it.kind == "script") {
        let why = "the source holds few words and loads scripts; onpage.render_risk.check says more";
        degraded.push(Degraded::new("rendered_content", why));
    }
    Ok(Extracted {
        title: title(&page),
        author: page.facts.byline_visible.clone().or_else(|| page.facts.byline_markup.clone()),
        published: date(Of::Published),
        modified: date(Of::Modified),
        content,
        cut,
        words,
        language: page.language(None),
        found_by: page.content.found_by,
        links: links(&page),
        page: page.seen(),
        degraded,
    })
}

/// The main heading when the title says so too, else the title without the site's name.
pub(crate) fn title(page: &Live) -> String {
    let (h1, title) = (page.h1(), page.title());
    if !h1.is_empty() && (title.is_empty() || page.facts.h1_count == 1) {
        return h1.trim_end_matches('¶').trim().to_owned();
    }
    without_brand(title).to_owned()
}

/// A title before its last separator, when what follows is short.
pub(crate) fn without_brand(title: &str) -> &str {
    let cut = [" | ", " – ", " — ", " · ", " :: ", " - "]
        .iter()
        .filter_map(|it| title.rsplit_once(it))
        .max_by_key(|it| it.0.len());
    match cut {
        Some((before, brand)) if kit::text::word_count(brand) <= 4 && before.chars().count() >= 8 => before.trim(),
        _ => title,
    }
}

fn links(page: &Live) -> Vec<Linked> {
    let base = &page.base;
    let below =
        page.content.roots.iter().flat_map(|root| page.dom.descendants(*root)).filter(|id| page.dom.name(*id) == "a");
    below
        .filter_map(|id| {
            let url = kit::url::resolve_normal(base, page.dom.attribute(id, "href")?)?;
            let text = kit::text::collapse_to(&page.dom.text(id), 200);
            (!text.is_empty() && text != "¶").then_some(Linked { url, text })
        })
        .take(200)
        .collect()
}

/// At most `most` characters, cut at the end of a line where one is near.
fn clip(text: &str, most: usize) -> (String, bool) {
    let cut = kit::text::clip(text, most);
    if cut.len() == text.len() {
        return (cut.to_owned(), false);
    }
    let line = cut.rfind('\n').filter(|at| *at > cut.len() / 2).unwrap_or(cut.len());
    (cut[..line].trim_end().to_owned(), true)
}

#[cfg(test)]
mod tests;
