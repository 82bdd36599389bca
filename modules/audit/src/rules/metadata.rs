//! Rules about title and description.

pub(super) mod wording;

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::pixels::{DESCRIPTION, TITLE, width};
use crate::rule::{SiteContext, rules};

rules! {
    "title.missing" Metadata Error Page Low 98 Page(title_missing);
    title "The page has no title";
    why "The title is the first line of a result and the strongest words of a page; without it search engines make one up.";
    fix "cms.seo_meta.update" "Write a title that says what the page is about.";
    see "https://developers.google.com/search/docs/appearance/title-link";

    "title.multiple" Metadata Warning Page Low 95 Page(title_multiple);
    title "The page has several titles";
    why "Only one title can be shown; which one is left to the reader.";
    fix "cms.seo_meta.update" "Keep one title in the head.";
    see "https://html.spec.whatwg.org/multipage/semantics.html#the-title-element";

    "title.too_long" Metadata Notice Indexable Low 80 Page(title_too_long);
    at "px" title_pixels;
    title "The title is cut in results";
    why "Results show about 580 pixels of a title on a desktop; the rest becomes an ellipsis.";
    fix "onpage.title.suggest" "Say what matters in the first words and shorten the rest.";
    see "https://developers.google.com/search/docs/appearance/title-link";

    "title.too_short" Metadata Notice Indexable Low 70 Page(title_too_short);
    at "characters" title_characters;
    title "The title says hardly anything";
    why "A title of one short word matches few queries and gives nobody a reason to click.";
    fix "onpage.title.suggest" "Name the subject and what the page offers.";
    see "https://developers.google.com/search/docs/appearance/title-link";

    "title.placeholder" Metadata Warning Page Low 95 Page(title_placeholder);
    title "The title is a placeholder";
    why "The title is what a template puts there when nobody writes one.";
    fix "cms.seo_meta.update" "Write a title for this page.";
    see "https://developers.google.com/search/docs/appearance/title-link";

    "title.misplaced" Metadata Warning Page Low 95 Page(title_misplaced);
    title "The title stands outside the head";
    why "A title counts in the head; in the body it is text that nobody sees.";
    fix "onpage.markup.validate" "Move the title into the head, before anything that ends it.";
    see "https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata";

    "title.h1_mismatch" Metadata Notice Indexable Low 60 Page(title_h1_mismatch);
    title "Title and main heading share no word";
    why "Where the two speak of different things, search engines often show the heading instead of the title.";
    fix "onpage.title.suggest" "Let title and main heading name the same subject.";
    see "https://developers.google.com/search/docs/appearance/title-link";

    "description.missing" Metadata Warning Indexable Medium 85 Page(description_missing);
    title "The page has no description";
    why "Without a description the text of the result is cut from the page, often from its menu.";
    fix "onpage.description.suggest" "Write one or two sentences that say what the reader finds.";
    see "https://developers.google.com/search/docs/appearance/snippet";

    "description.multiple" Metadata Notice Page Low 95 Page(description_multiple);
    title "The page has several descriptions";
    why "Only one can be shown; several come from two plugins or templates that do not know of each other.";
    fix "cms.seo_meta.update" "Keep one.";
    see "https://developers.google.com/search/docs/appearance/snippet";

    "description.too_long" Metadata Notice Indexable Low 60 Page(description_too_long);
    at "px" description_pixels;
    title "The description is cut in results";
    why "Results show about 920 pixels of a description on a desktop.";
    fix "onpage.description.suggest" "Put what matters first and shorten the rest.";
    see "https://developers.google.com/search/docs/appearance/snippet";

    "description.too_short" Metadata Notice Indexable Low 65 Page(description_too_short);
    at "characters" description_characters;
    title "The description says hardly anything";
    why "A few words do not tell a reader what the page offers; search engines then replace them.";
    fix "onpage.description.suggest" "Write one or two full sentences.";
    see "https://developers.google.com/search/docs/appearance/snippet";
}

fn first(texts: &[String]) -> Option<&str> {
    texts.iter().map(String::as_str).find(|text| !text.trim().is_empty())
}

fn title_missing(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    first(&page.titles).is_none().then(|| Evidence::absent("<title>").expected("a title"))
}

fn title_multiple(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    (page.titles.len() > 1)
        .then(|| Evidence::at("<title>", page.titles.join(" | ")).expected("one").count(page.titles.len()))
}

fn title_too_long(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let title = first(&page.titles)?;
    let (wide, limit) = (width(title, TITLE), site.limits.title_pixels);
    (wide > limit).then(|| Evidence::at("<title>", title).expected(format!("{limit} px or less, not {wide} px")))
}

fn title_too_short(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let title = first(&page.titles)?;
    let (long, limit) = (title.chars().count(), site.limits.title_characters as usize);
    // Scripts that write a word in one or two signs say as much in half the length.
    let dense = title.chars().any(|letter| letter >= '\u{2e80}');
    (long < if dense { limit / 2 } else { limit })
        .then(|| Evidence::at("<title>", title).expected(format!("{limit} characters or more, not {long}")))
}

/// Titles that templates and editors put there by themselves.
const PLACEHOLDERS: [&str; 14] = [
    "untitled",
    "untitled document",
    "new page",
    "home",
    "homepage",
    "index",
    "title",
    "page title",
    "document",
    "default title",
    "welcome",
    "startseite",
    "accueil",
    "inicio",
];

fn title_placeholder(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let title = first(&page.titles)?;
    let folded = title.trim().to_lowercase();
    (PLACEHOLDERS.contains(&folded.as_str()) || folded.starts_with("lorem ipsum") || folded.contains("{{"))
        .then(|| Evidence::at("<title>", title).expected("a title of its own"))
}

fn title_misplaced(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    page.head_end
        .misplaced
        .iter()
        .any(|it| it == "title")
        .then(|| Evidence::at("<title>", first(&page.titles).unwrap_or_default()).expected("in the head"))
}

fn title_h1_mismatch(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let title = first(&page.titles)?;
    let heading = page.headings.iter().find(|it| it.level == 1 && !it.text.is_empty())?;
    let words = |text: &str| kit::text::words(text).map(str::to_lowercase).collect::<Vec<_>>();
    let (ours, theirs) = (words(title), words(&heading.text));
    // Scripts without spaces have no words that could be held against each other here.
    let dense = [title, &heading.text].iter().any(|text| text.chars().any(|letter| letter >= '\u{2e80}'));
    // `lamp` and `lamps` name one subject.
    let akin =
        |a: &String, b: &String| a == b || (a.len() > 3 && b.starts_with(a)) || (b.len() > 3 && a.starts_with(b));
    let shared = ours.iter().any(|word| theirs.iter().any(|other| akin(word, other)));
    (!dense && !shared && !ours.is_empty() && !theirs.is_empty())
        .then(|| Evidence::at("<title>", title).expected(format!("a word of the <h1>: {}", heading.text)))
}

const DESCRIBED: &str = "<meta name=\"description\">";

fn description_missing(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    first(&page.descriptions).is_none().then(|| Evidence::absent(DESCRIBED).expected("one or two sentences"))
}

fn description_multiple(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let found = &page.descriptions;
    (found.len() > 1).then(|| Evidence::at(DESCRIBED, found.join(" | ")).expected("one").count(found.len()))
}

fn description_too_long(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let text = first(&page.descriptions)?;
    let (wide, limit) = (width(text, DESCRIPTION), site.limits.description_pixels);
    (wide > limit).then(|| Evidence::at(DESCRIBED, text).expected(format!("{limit} px or less, not {wide} px")))
}

fn description_too_short(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let text = first(&page.descriptions)?;
    let (long, limit) = (text.chars().count(), site.limits.description_characters as usize);
    let dense = text.chars().any(|letter| letter >= '\u{2e80}');
    (long < if dense { limit / 2 } else { limit })
        .then(|| Evidence::at(DESCRIBED, text).expected(format!("{limit} characters or more, not {long}")))
}
