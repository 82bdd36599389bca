//! Rules about what the words around pictures say.

use kit::page::{Image, PageFacts};

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};
use crate::rules::image::some_of;

rules! {
    "image.alt_generic" Images Notice Page Low 88 Page(alt_generic);
    title "An alternative text says only that there is a picture";
    why "\"Image\" or \"photo\" tells nobody what the picture shows.";
    fix "cms.alt_text.bulk_update" "Say what the picture shows, or leave the alt empty where it only decorates.";
    see "https://developers.google.com/search/docs/appearance/google-images";

    "image.alt_repeated" Images Notice Page Low 65 Page(alt_repeated);
    title "Several pictures share one alternative text";
    why "Different pictures with the same words cannot be told apart, in image search or by ear.";
    fix "cms.alt_text.bulk_update" "Say what each picture shows.";
    see "https://developers.google.com/search/docs/appearance/google-images";

    "image.alt_stuffed" Images Notice Page Low 80 Page(alt_stuffed);
    title "An alternative text is a list of keywords";
    why "Google warns of alternative texts that are stuffed with words; to those who hear them they are noise.";
    fix "cms.alt_text.bulk_update" "Say in a sentence what the picture shows.";
    see "https://developers.google.com/search/docs/appearance/google-images";

    "image.file_name" Images Notice Page Medium 50 Page(file_name);
    title "Picture files have names that say nothing";
    why "Google reads the name of the file; IMG_0042.jpg tells it nothing.";
    fix "onpage.image.check" "Name files by what they show, and redirect old names when you change them.";
    see "https://developers.google.com/search/docs/appearance/google-images";
}

fn alt(image: &Image) -> &str {
    image.alt.as_deref().unwrap_or_default().trim()
}

fn alt_generic(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    const WORDS: [&str; 18] = [
        "image",
        "picture",
        "photo",
        "img",
        "graphic",
        "icon",
        "alt",
        "alt text",
        "banner",
        "placeholder",
        "untitled",
        "bild",
        "foto",
        "imagen",
        "immagine",
        "thumbnail",
        "null",
        "undefined",
    ];
    some_of(
        page,
        "what the picture shows",
        |it| alt(it).to_owned(),
        |it| WORDS.contains(&alt(it).to_lowercase().as_str()),
    )
}

/// From this many different pictures on, one text is no accident.
const SHARED: usize = 3;

/// The address without its digits: sizes of one picture, and views of one thing, differ in nothing else.
fn series(src: &str) -> String {
    src.chars().filter(|it| !it.is_ascii_digit()).collect()
}

fn alt_repeated(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let mut texts: std::collections::BTreeMap<&str, Vec<&Image>> = std::collections::BTreeMap::new();
    for image in page.images.iter().filter(|it| alt(it).chars().count() > 3) {
        let same = texts.entry(alt(image)).or_default();
        if !same.iter().any(|it| series(&it.src) == series(&image.src)) && same.len() < 50 {
            same.push(image);
        }
    }
    let (text, images) = texts.into_iter().find(|(_, images)| images.len() >= SHARED)?;
    Some(
        Evidence::at(format!("<img src=\"{}\">", images[1].src), text)
            .expected("a text of its own")
            .count(images.len()),
    )
}

/// Commas of a list of keywords.
const LISTED: usize = 5;

fn alt_stuffed(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    // Sentences have commas too: it is the short pieces between them that make a list.
    let stuffed = |text: &str| {
        text.matches(',').count() >= LISTED && text.split(',').all(|piece| kit::text::word_count(piece) <= 3)
    };
    some_of(page, "a sentence about the picture", |it| alt(it).to_owned(), |it| stuffed(alt(it)))
}

fn file_name(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let camera = |image: &&Image| {
        let path = image.src.split(['?', '#']).next().unwrap_or_default();
        let name = path.rsplit('/').next().unwrap_or_default();
        let stem = name.split('.').next().unwrap_or_default();
        // A name of letters alone that is long is words.
        if stem.len() > 12 && !stem.bytes().any(|it| it.is_ascii_digit()) {
            return false;
        }
        let stem = stem.to_ascii_lowercase();
        let rest =
            ["img", "dsc", "dscn", "dscf", "image", "photo", "picture", "screenshot", "untitled", "bild", "foto"]
                .iter()
                .find_map(|start| stem.strip_prefix(start));
        rest.is_some_and(|rest| rest.bytes().all(|it| it.is_ascii_digit() || matches!(it, b'_' | b'-')))
            || (stem.len() >= 4 && stem.bytes().all(|it| it.is_ascii_digit()))
    };
    some_of(page, "a name that says what it shows", |it| it.src.clone(), camera)
}
