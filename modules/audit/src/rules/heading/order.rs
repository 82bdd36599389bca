//! Rules about headings that stand in the wrong place or say nothing.

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};

rules! {
    "heading.h1_late" Headings Notice Indexable Low 55 Page(late);
    title "Another heading stands before the main heading";
    why "The outline begins with a part of the page, or of its menu, in place of its subject.";
    fix "onpage.heading.outline" "Let the main heading be the first; make headings of menus plain text.";
    see "https://www.w3.org/WAI/tutorials/page-structure/headings/";

    "heading.none_below" Headings Notice Indexable Medium 70 Page(none_below);
    at "words" unbroken_words;
    title "A long text has no headings below the main one";
    why "Readers who look for one thing cannot skip to it, and search engines cannot link to a part.";
    fix "onpage.heading.outline" "Give each part of the text a heading.";
    see "https://www.w3.org/WAI/tutorials/page-structure/headings/";

    "heading.placeholder" Headings Warning Indexable Low 92 Page(placeholder);
    title "A heading is a placeholder";
    why "A template or an editor left its own words where a heading belongs.";
    fix "cms.content.update" "Write the heading, or remove it.";
    see "https://www.w3.org/WAI/tutorials/page-structure/headings/";

    "heading.paragraph" Headings Notice Indexable Low 72 Page(paragraph);
    at "characters" heading_characters;
    title "A heading below the main one is a paragraph";
    why "A heading that nobody can take in at a glance structures nothing; mostly it is text made large.";
    fix "onpage.heading.outline" "Shorten the heading, or make it a paragraph.";
    see "https://www.w3.org/WAI/tutorials/page-structure/headings/";
}

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
