//! Rules about how title and description are worded.

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};
use crate::rules::fact::is_home;

rules! {
    "title.stuffed" Metadata Notice Indexable Low 82 Page(stuffed);
    title "The title says a word again and again";
    why "Google writes another title where one repeats its words; to readers it looks like spam.";
    fix "onpage.title.suggest" "Say each word once.";
    see "https://developers.google.com/search/docs/appearance/title-link";

    "title.empty_part" Metadata Notice Indexable Low 90 Page(empty_part);
    title "A part of the title is empty";
    why "A template joined the parts of the title and one of them was missing.";
    fix "cms.seo_meta.update" "Fill the missing part, or leave out what stands between the parts.";
    see "https://developers.google.com/search/docs/appearance/title-link";

    "title.shouted" Metadata Notice Indexable Low 70 Page(shouted);
    title "The title is written in capitals";
    why "Capitals take more room, read more slowly and look like an advertisement.";
    fix "onpage.title.suggest" "Write the title as a sentence or a name.";
    see "https://developers.google.com/search/docs/appearance/title-link";

    "title.escaped" Metadata Warning Indexable Low 93 Page(escaped);
    title "Title or description show codes in place of letters";
    why "Entities were escaped twice, so that results show &amp;amp; where an ampersand was meant.";
    fix "cms.seo_meta.update" "Escape the text once.";
    see "https://developers.google.com/search/docs/appearance/title-link";

    "title.address" Metadata Notice Indexable Low 85 Page(address);
    title "The title is an address";
    why "A host name or path says nothing of what the page offers.";
    fix "onpage.title.suggest" "Write a title in words.";
    see "https://developers.google.com/search/docs/appearance/title-link";

    "description.is_title" Metadata Notice Indexable Low 90 Page(description_is_title);
    title "The description repeats the title";
    why "Two lines of the result say the same, and Google writes its own description.";
    fix "onpage.description.suggest" "Say in the description what the title leaves open.";
    see "https://developers.google.com/search/docs/appearance/snippet";

    "description.placeholder" Metadata Warning Indexable Low 93 Page(description_placeholder);
    title "The description is a placeholder";
    why "A template or an editor left its own words where the description belongs.";
    fix "onpage.description.suggest" "Write a description, or leave it out.";
    see "https://developers.google.com/search/docs/appearance/snippet";

    "description.misplaced" Metadata Warning Page Low 90 Page(description_misplaced);
    title "The description stands in the body";
    why "A description outside the head is not read.";
    fix "onpage.markup.validate" "Move it into the head.";
    see "https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata";

    "metadata.icon_missing" Metadata Notice Indexable Low 65 Page(icon_missing);
    title "The website names no icon";
    why "Results show a globe in place of the icon of a site whose home page names none.";
    fix "cms.content.update" "Add <link rel=icon> to the home page, a square of 48 pixels or more.";
    see "https://developers.google.com/search/docs/appearance/favicon-in-search";
}

fn title(page: &PageFacts) -> Option<&str> {
    page.titles.iter().map(String::as_str).find(|text| !text.trim().is_empty())
}

fn description(page: &PageFacts) -> Option<&str> {
    page.descriptions.iter().map(String::as_str).find(|text| !text.trim().is_empty())
}

fn stuffed(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let title = title(page)?;
    let words: Vec<String> =
        kit::text::words(title).map(str::to_lowercase).filter(|it| it.chars().count() > 3).collect();
    let worst = words.iter().find(|word| words.iter().filter(|it| it == word).count() > 2)?;
    Some(Evidence::at("<title>", title).expected(format!("{worst} once")))
}

fn empty_part(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let title = title(page)?.trim();
    let open = ["| ", "- ", "– ", "— ", "» "].iter().any(|it| title.starts_with(it));
    let left = [" |", " -", " –", " —", " »"].iter().any(|it| title.ends_with(it));
    let between = ["| |", "- -", "| -", "- |", "– –"].iter().any(|it| title.contains(it));
    (open || left || between).then(|| Evidence::at("<title>", title).expected("a text on both sides"))
}

fn shouted(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let title = title(page)?;
    let letters = title.chars().filter(|it| it.is_alphabetic()).count();
    // Scripts without small letters have no capitals either.
    let capitals = title.chars().filter(|it| it.is_uppercase()).count();
    (letters >= 15 && capitals * 10 >= letters * 9)
        .then(|| Evidence::at("<title>", title).expected("small letters where a sentence has them"))
}

fn escaped(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let coded = |text: &str| {
        [
            "&amp;", "&quot;", "&#039;", "&#39;", "&lt;", "&gt;", "&nbsp;", "&ndash;", "&mdash;", "&rsquo;", "&#8211;",
            "&#8217;",
        ]
        .iter()
        .any(|code| text.contains(code))
    };
    let both = [("<title>", title(page)), ("<meta name=\"description\">", description(page))];
    let (element, text) = both.into_iter().find_map(|(element, text)| Some((element, text.filter(|it| coded(it))?)))?;
    Some(Evidence::at(element, text).expected("the letters themselves"))
}

fn address(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let title = title(page)?.trim();
    let path = title.starts_with("http://") || title.starts_with("https://") || title.starts_with("www.");
    (path && !title.contains(' ')).then(|| Evidence::at("<title>", title).expected("a title in words"))
}

const DESCRIBED: &str = "<meta name=\"description\">";

fn description_is_title(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (title, text) = (title(page)?, description(page)?);
    let same = title.trim().to_lowercase() == text.trim().trim_end_matches('.').to_lowercase();
    same.then(|| Evidence::at(DESCRIBED, text).expected("what the title leaves open"))
}

fn description_placeholder(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    const LEFT: [&str; 10] = [
        "lorem ipsum",
        "{{",
        "{%",
        "%%",
        "meta description",
        "page description",
        "just another wordpress site",
        "enter description",
        "your description here",
        "default description",
    ];
    let text = description(page)?;
    let folded = text.trim().to_lowercase();
    let left =
        LEFT.iter().any(|it| folded.starts_with(it)) || matches!(folded.as_str(), "description" | "null" | "undefined");
    left.then(|| Evidence::at(DESCRIBED, text).expected("one or two sentences about the page"))
}

fn description_misplaced(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    // What ended the head is said by a rule of its own.
    let lost = page.head_end.misplaced.iter().any(|it| it == "meta:description") && page.head_end.closed_by.is_none();
    lost.then(|| Evidence::at(DESCRIBED, description(page).unwrap_or_default()).expected("in the head"))
}

fn icon_missing(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    (is_home(&page.final_url) && page.icon.is_none())
        .then(|| Evidence::absent("<link rel=\"icon\">").expected("a square picture of 48 pixels or more"))
}
