//! Rules about the text of a page and how it is declared.

pub(super) mod age;
pub(super) mod language;
pub(super) mod leak;

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};

rules! {
    "content.thin" Content Warning Indexable High 65 Page(thin);
    at "words" words;
    title "The page has hardly any text";
    why "A page of a few words answers nobody's question and gives search engines nothing to rank.";
    fix "content.prune.plan" "Write what a visitor comes for, or merge the page into a fuller one.";
    see "https://developers.google.com/search/docs/fundamentals/creating-helpful-content";

    "content.placeholder" Content Warning Page Medium 95 Page(placeholder);
    title "The text is a placeholder";
    why "The text is what a template puts there when nobody writes any.";
    fix "cms.content.update" "Write the text, or take the page offline.";
    see "https://developers.google.com/search/docs/fundamentals/creating-helpful-content";

    "content.empty_shell" Content Error Page High 85 Page(empty_shell);
    title "The text appears only after scripts have run";
    why "The page is an empty frame until its scripts have run; readers that run none, most AI crawlers among them, see nothing.";
    fix "onpage.render_risk.check" "Render the text on the server.";
    see "https://developers.google.com/search/docs/crawling-indexing/javascript/javascript-seo-basics";

    "content.lang_missing" Content Notice Page Low 95 Page(lang_missing);
    title "The language of the page is not declared";
    why "Screen readers choose their voice and browsers their translation by it (WCAG 2.2, 3.1.1).";
    fix "onpage.language.detect" "Add lang to the html element.";
    see "https://www.w3.org/WAI/WCAG22/Understanding/language-of-page";

    "content.lang_invalid" Content Notice Page Low 95 Page(lang_invalid);
    title "The declared language is not a language tag";
    why "A tag that is not of the form of BCP 47 is ignored.";
    fix "onpage.language.detect" "Write a tag such as en or pt-BR.";
    see "https://www.rfc-editor.org/rfc/rfc5646";

    "content.doctype_missing" Content Notice Page Low 90 Page(doctype_missing);
    title "The page has no doctype";
    why "Without it browsers draw the page by the rules of the nineties.";
    fix "onpage.markup.validate" "Begin the page with <!doctype html>.";
    see "https://html.spec.whatwg.org/multipage/syntax.html#the-doctype";
}

fn thin(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let limit = site.limits.words;
    (page.word_count < limit && !page.truncated).then(|| {
        Evidence::at("main text", format!("{} words", page.word_count)).expected(format!("{limit} words or more"))
    })
}

/// Texts that templates and editors put there by themselves.
const PLACEHOLDERS: [&str; 5] = [
    "lorem ipsum",
    "this is an example page. it's different from a blog post",
    "welcome to wordpress. this is your first post",
    "your content goes here",
    "text goes here",
];

fn placeholder(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let folded = page.excerpt.to_lowercase();
    let found = PLACEHOLDERS.iter().find(|it| folded.contains(*it))?;
    Some(Evidence::at("main text", found).expected("a text of its own"))
}

/// Fewer visible words than this in the whole body are no page.
const SHELL_WORDS: u32 = 20;

fn empty_shell(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let scripts = page.resources.iter().filter(|it| it.kind == "script").count();
    (page.body_word_count < SHELL_WORDS && scripts > 0 && page.link_counts.internal == 0 && !page.truncated).then(
        || {
            Evidence::at("<body>", format!("{} words, {scripts} scripts", page.body_word_count))
                .expected("the text in the HTML")
        },
    )
}

fn lang_missing(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    page.lang
        .as_deref()
        .is_none_or(|it| it.trim().is_empty())
        .then(|| Evidence::absent("<html lang>").expected("a language tag"))
}

fn lang_invalid(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let lang = page.lang.as_deref().map(str::trim).filter(|it| !it.is_empty())?;
    (!crate::language::is_tag(lang)).then(|| Evidence::at("<html lang>", lang).expected("a tag such as en or pt-BR"))
}

fn doctype_missing(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    (!page.doctype).then(|| Evidence::absent("<!doctype html>").expected("<!doctype html>"))
}
