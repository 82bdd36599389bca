//! What could be the alternative texts of a page's pictures.

use kit::page::Image;

use super::draft::{Choice, Field, Page, Part, Source};
use super::site::Site;
use super::text::slug;
use crate::rule::Rule;

/// Names that cameras, scripts and editors give.
const MEANINGLESS: [&str; 13] = [
    "img",
    "image",
    "dsc",
    "dscn",
    "pict",
    "photo",
    "picture",
    "screenshot",
    "untitled",
    "unnamed",
    "pxl",
    "bild",
    "foto",
];

/// A text for each picture that the rule finds fault with; none at all when one would be left without.
pub(super) fn parts(rule: &Rule, page: &Page, _: &Site) -> Vec<Part> {
    let facts = &page.record.facts;
    let wrong = |image: &&Image| match rule.id {
        "image.alt_missing" => image.alt.is_none(),
        "image.linked_without_alt" => image.linked && image.alt.as_deref().is_none_or(|alt| alt.trim().is_empty()),
        _ => image.alt.as_deref().is_some_and(|alt| !alt.trim().is_empty()),
    };
    let heading = facts.headings.iter().find(|it| !it.text.is_empty()).map(|it| it.text.as_str());
    let subject = heading.or(facts.titles.first().map(String::as_str)).filter(|it| !it.is_empty());
    let mut parts: Vec<Part> = Vec::new();
    for image in
        facts.images.iter().filter(wrong).filter(|image| rule.id != "image.alt_file_name" || is_file_name(image))
    {
        if parts.iter().any(|part| part.target.as_deref() == Some(&image.src)) {
            continue;
        }
        let elsewhere = facts.images.iter().filter(|it| it.src == image.src && !is_file_name(it));
        let elsewhere = elsewhere.filter_map(|it| it.alt.clone()).find(|alt| !alt.trim().is_empty());
        let mut choices: Vec<Choice> = elsewhere.map(|alt| Choice::new(alt, 0.9, Source::Page)).into_iter().collect();
        choices.extend(named(&image.src).map(|text| Choice::new(text, 0.6, Source::Address)));
        // What the page is about says little of one picture of it; an editor should look at it.
        choices.extend(subject.map(|text| Choice::new(text, 0.25, Source::Page)));
        parts.push(Part { field: Field::Alt, target: Some(image.src.clone()), current: image.alt.clone(), choices });
    }
    parts
}

/// The words of a file's name that say something.
fn named(src: &str) -> Option<String> {
    if !src.starts_with("http") {
        return None;
    }
    let words = slug(src)?;
    let said: Vec<&str> = words.split(' ').filter(|it| it.chars().any(char::is_alphabetic) && !is_size(it)).collect();
    let meaning = said.iter().any(|it| !MEANINGLESS.contains(&it.to_lowercase().as_str()));
    meaning.then(|| said.join(" "))
}

/// Such as `1024x768`.
fn is_size(word: &str) -> bool {
    word.split_once('x').is_some_and(|(wide, high)| wide.parse::<u32>().is_ok() && high.parse::<u32>().is_ok())
}

/// As the rule `image.alt_file_name` sees it; the rule judges again what is proposed.
fn is_file_name(image: &Image) -> bool {
    let alt = image.alt.as_deref().unwrap_or_default().trim();
    !alt.is_empty() && !alt.contains(' ') && alt.contains(['.', '_']) || alt.to_lowercase().starts_with("dscn")
}
