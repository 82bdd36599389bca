//! Rules about the text of a page and how it is declared.

pub(super) mod age;
pub(super) mod language;
pub(super) mod leak;

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext, threshold};

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "content.thin",
        area: Area::Content,
        severity: Severity::Warning,
        scope: Scope::Indexable,
        threshold: Some(threshold!("words", words)),
        title: "The page has hardly any text",
        explanation: "A page of a few words answers nobody's question and gives search engines nothing to rank.",
        advice: "Write what a visitor comes for, or merge the page into a fuller one.",
        reference: "https://developers.google.com/search/docs/fundamentals/creating-helpful-content",
        operation: "content.prune.plan",
        effort: Effort::High,
        confidence: 65,
        check: Check::Page(thin),
    },
    Rule {
        id: "content.placeholder",
        area: Area::Content,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "The text is a placeholder",
        explanation: "The text is what a template puts there when nobody writes any.",
        advice: "Write the text, or take the page offline.",
        reference: "https://developers.google.com/search/docs/fundamentals/creating-helpful-content",
        operation: "cms.content.update",
        effort: Effort::Medium,
        confidence: 95,
        check: Check::Page(placeholder),
    },
    Rule {
        id: "content.empty_shell",
        area: Area::Content,
        severity: Severity::Error,
        scope: Scope::Page,
        threshold: None,
        title: "The text appears only after scripts have run",
        explanation: "The page is an empty frame until its scripts have run; readers that run none, most AI crawlers among them, see nothing.",
        advice: "Render the text on the server.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/javascript/javascript-seo-basics",
        operation: "onpage.render_risk.check",
        effort: Effort::High,
        confidence: 85,
        check: Check::Page(empty_shell),
    },
    Rule {
        id: "content.lang_missing",
        area: Area::Content,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The language of the page is not declared",
        explanation: "Screen readers choose their voice and browsers their translation by it (WCAG 2.2, 3.1.1).",
        advice: "Add lang to the html element.",
        reference: "https://www.w3.org/WAI/WCAG22/Understanding/language-of-page",
        operation: "onpage.language.detect",
        effort: Effort::Low,
        confidence: 95,
        check: Check::Page(lang_missing),
    },
    Rule {
        id: "content.lang_invalid",
        area: Area::Content,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The declared language is not a language tag",
        explanation: "A tag that is not of the form of BCP 47 is ignored.",
        advice: "Write a tag such as en or pt-BR.",
        reference: "https://www.rfc-editor.org/rfc/rfc5646",
        operation: "onpage.language.detect",
        effort: Effort::Low,
        confidence: 95,
        check: Check::Page(lang_invalid),
    },
    Rule {
        id: "content.doctype_missing",
        area: Area::Content,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The page has no doctype",
        explanation: "Without it browsers draw the page by the rules of the nineties.",
        advice: "Begin the page with <!doctype html>.",
        reference: "https://html.spec.whatwg.org/multipage/syntax.html#the-doctype",
        operation: "onpage.markup.validate",
        effort: Effort::Low,
        confidence: 90,
        check: Check::Page(doctype_missing),
    },
];

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
