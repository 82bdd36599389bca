//! Rules about the outline of a page.

pub(super) mod order;

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};

rules! {
    "heading.h1_missing" Headings Warning Page Low 90 Page(h1_missing);
    title "The page has no main heading";
    why "The main heading tells readers, and search engines that need a title, what the page is.";
    fix "cms.content.update" "Give the page one h1.";
    see "https://www.w3.org/WAI/tutorials/page-structure/headings/";

    "heading.h1_multiple" Headings Notice Page Low 70 Page(h1_multiple);
    title "The page has several main headings";
    why "Search engines manage, but a page with several main subjects has none.";
    fix "cms.content.update" "Keep one h1 and make the others h2.";
    see "https://www.w3.org/WAI/tutorials/page-structure/headings/";

    "heading.h1_empty" Headings Warning Page Low 90 Page(h1_empty);
    title "A main heading is empty";
    why "Screen readers announce a heading and then nothing (WCAG 2.2, 2.4.6).";
    fix "cms.content.update" "Write its text, or remove the element; a logo needs an alt.";
    see "https://www.w3.org/WAI/WCAG22/Understanding/headings-and-labels";

    "heading.h1_too_long" Headings Notice Page Low 75 Page(h1_too_long);
    at "characters" heading_characters;
    title "The main heading is a paragraph";
    why "A heading of this length is no summary; often a whole block was marked as one.";
    fix "cms.content.update" "Shorten the heading and put the rest into the text.";
    see "https://www.w3.org/WAI/tutorials/page-structure/headings/";

    "heading.skipped" Headings Notice Page Medium 80 Page(skipped);
    title "The outline skips a level";
    why "Readers who move by headings (WCAG 1.3.1) take a skipped level for missing text.";
    fix "onpage.heading.outline" "Use the levels in order.";
    see "https://www.w3.org/WAI/tutorials/page-structure/headings/";

    "heading.empty" Headings Notice Page Low 90 Page(empty);
    title "A heading is empty";
    why "An empty heading is a line in the outline that leads nowhere (WCAG 2.2, 2.4.6).";
    fix "onpage.heading.outline" "Write its text, or remove the element.";
    see "https://www.w3.org/WAI/WCAG22/Understanding/headings-and-labels";

    "heading.repeated" Headings Notice Indexable Medium 60 Page(repeated);
    title "Two headings of the page say the same";
    why "Equal headings do not tell sections apart, for those who skim and for screen readers (WCAG 2.2, 2.4.6).";
    fix "onpage.heading.outline" "Say in each heading what only its section has.";
    see "https://www.w3.org/WAI/WCAG22/Understanding/headings-and-labels";
}

fn h1_missing(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    (page.h1_count == 0).then(|| Evidence::absent("<h1>").expected("one"))
}

fn h1_multiple(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let texts = page.headings.iter().filter(|it| it.level == 1).map(|it| it.text.as_str()).collect::<Vec<_>>();
    (page.h1_count > 1).then(|| Evidence::at("<h1>", texts.join(" | ")).expected("one").count(page.h1_count as usize))
}

fn h1_empty(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    page.headings.iter().find(|it| it.level == 1 && it.text.is_empty())?;
    Some(Evidence::at("<h1>", "").expected("a text"))
}

fn h1_too_long(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let limit = site.limits.heading_characters as usize;
    let heading = page.headings.iter().find(|it| it.level == 1 && it.text.chars().count() > limit)?;
    Some(Evidence::at("<h1>", &heading.text).expected(format!("{limit} characters or fewer")))
}

fn skipped(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let pair = page.headings.windows(2).find(|pair| pair[1].level > pair[0].level + 1)?;
    Some(Evidence::at(format!("<h{}>", pair[1].level), &pair[1].text).expected(format!(
        "<h{}> after the <h{}> before it",
        pair[0].level + 1,
        pair[0].level
    )))
}

fn empty(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let count = page.headings.iter().filter(|it| it.level > 1 && it.text.is_empty()).count();
    let first = page.headings.iter().find(|it| it.level > 1 && it.text.is_empty())?;
    Some(Evidence::at(format!("<h{}>", first.level), "").expected("a text").count(count))
}

fn repeated(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let folded: Vec<String> = page.headings.iter().map(|it| it.text.to_lowercase()).collect();
    let twice = |text: &String| !text.is_empty() && folded.iter().filter(|it| *it == text).count() > 1;
    let at = folded.iter().rposition(twice)?;
    let count = folded.iter().filter(|it| **it == folded[at]).count();
    let heading = &page.headings[at];
    Some(Evidence::at(format!("<h{}>", heading.level), &heading.text).expected("a text of its own").count(count))
}
