//! Rules about headings that stand in the wrong place or say nothing.

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext, threshold};

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "heading.h1_late",
        area: Area::Headings,
        severity: Severity::Notice,
        scope: Scope::Indexable,
        threshold: None,
        title: "Another heading stands before the main heading",
        explanation: "The outline begins with a part of the page, or of its menu, in place of its subject.",
        advice: "Let the main heading be the first; make headings of menus plain text.",
        reference: "https://www.w3.org/WAI/tutorials/page-structure/headings/",
        operation: "onpage.heading.outline",
        effort: Effort::Low,
        confidence: 55,
        check: Check::Page(late),
    },
    Rule {
        id: "heading.none_below",
        area: Area::Headings,
        severity: Severity::Notice,
        scope: Scope::Indexable,
        threshold: Some(threshold!("words", unbroken_words)),
        title: "A long text has no headings below the main one",
        explanation: "Readers who look for one thing cannot skip to it, and search engines cannot link to a part.",
        advice: "Give each part of the text a heading.",
        reference: "https://www.w3.org/WAI/tutorials/page-structure/headings/",
        operation: "onpage.heading.outline",
        effort: Effort::Medium,
        confidence: 70,
        check: Check::Page(none_below),
    },
    Rule {
        id: "heading.placeholder",
        area: Area::Headings,
        severity: Severity::Warning,
        scope: Scope::Indexable,
        threshold: None,
        title: "A heading is a placeholder",
        explanation: "A template or an editor left its own words where a heading belongs.",
        advice: "Write the heading, or remove it.",
        reference: "https://www.w3.org/WAI/tutorials/page-structure/headings/",
        operation: "cms.content.update",
        effort: Effort::Low,
        confidence: 92,
        check: Check::Page(placeholder),
    },
    Rule {
        id: "heading.paragraph",
        area: Area::Headings,
        severity: Severity::Notice,
        scope: Scope::Indexable,
        threshold: Some(threshold!("characters", heading_characters)),
        title: "A heading below the main one is a paragraph",
        explanation: "A heading that nobody can take in at a glance structures nothing; mostly it is text made large.",
        advice: "Shorten the heading, or make it a paragraph.",
        reference: "https://www.w3.org/WAI/tutorials/page-structure/headings/",
        operation: "onpage.heading.outline",
        effort: Effort::Low,
        confidence: 72,
        check: Check::Page(paragraph),
    },
];

fn late(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let first = page.headings.first().filter(|it| it.level > 1 && !it.text.is_empty())?;
    let main = page.headings.iter().find(|it| it.level == 1)?;
    Some(Evidence::at(format!("<h{}>", first.level), &first.text).expected(format!("after <h1>{}</h1>", main.text)))
}

fn none_below(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let limit = site.limits.unbroken_words;
    let below = page.headings.iter().any(|it| it.level > 1 && !it.text.is_empty());
    (page.word_count > limit && !below && !page.truncated).then(|| {
        Evidence::absent("<h2>").expected(format!("headings in a text of {} words, more than {limit}", page.word_count))
    })
}

fn placeholder(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    const LEFT: [&str; 10] = [
        "heading",
        "your heading here",
        "add your heading text here",
        "title",
        "title goes here",
        "headline",
        "untitled",
        "new section",
        "überschrift",
        "heading 1",
    ];
    let heading = page.headings.iter().find(|it| {
        let folded = it.text.to_lowercase();
        LEFT.contains(&folded.as_str()) || folded.starts_with("lorem ipsum") || folded.contains("{{")
    })?;
    Some(Evidence::at(format!("<h{}>", heading.level), &heading.text).expected("a text of its own"))
}

fn paragraph(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let limit = site.limits.heading_characters as usize;
    let heading = page.headings.iter().find(|it| it.level > 1 && it.text.chars().nth(limit).is_some())?;
    Some(Evidence::at(format!("<h{}>", heading.level), &heading.text).expected(format!("{limit} characters or fewer")))
}
