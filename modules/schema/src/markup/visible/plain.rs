//! What stands on a page about the page itself, and is nothing of its content: bylines, dates of publication, ornaments.

use kit::dom::{Dom, NodeId};

/// Characters of a line that tells who wrote the page, at most.
const BYLINE: usize = 200;
/// Sides of a picture below which it is a sign, in pixels.
const SMALL: u32 = 50;

/// What lines about a page begin with.
const BYLINES: &[&str] = &[
    "by ",
    "written by ",
    "posted by ",
    "posted on ",
    "posted in ",
    "published ",
    "published by ",
    "reviewed by ",
    "fact checked by ",
    "updated ",
    "last updated ",
    "last modified ",
    "author: ",
    "von ",
    "veröffentlicht ",
    "geschrieben von ",
    "aktualisiert ",
    "zuletzt aktualisiert ",
    "stand: ",
    "par ",
    "publié ",
    "mis à jour ",
    "por ",
    "publicado ",
    "actualizado ",
    "di ",
    "pubblicato ",
    "aggiornato ",
    "door ",
    "geplaatst ",
    "опубликовано ",
    "автор: ",
];

/// Whether a paragraph says who wrote the page, or when, and nothing else.
pub(super) fn is_byline(text: &str, length: usize, author: Option<&str>) -> bool {
    if length > BYLINE {
        return false;
    }
    let lower = text.trim_start().to_lowercase();
    let begins = BYLINES.iter().any(|it| lower.starts_with(it));
    let dated = lower.chars().any(|it| it.is_ascii_digit());
    let named = author.is_some_and(|it| !it.is_empty() && text.contains(it));
    // A sentence of the content may begin with these words: one about the page has a date, or its author's name.
    (begins && (dated || named)) || (named && dated && length < BYLINE / 2)
}

/// Parts of the names of files that templates draw with.
const ORNAMENTS: &[&str] = &[
    "arrow",
    "avatar",
    "back",
    "badge",
    "blank",
    "bullet",
    "button",
    "btn",
    "caret",
    "chevron",
    "close",
    "dot",
    "down",
    "emoji",
    "favicon",
    "flag",
    "icon",
    "icons",
    "left",
    "loader",
    "loading",
    "logo",
    "menu",
    "minus",
    "next",
    "pixel",
    "placeholder",
    "plus",
    "prev",
    "right",
    "search",
    "separator",
    "smiley",
    "spacer",
    "spinner",
    "sprite",
    "star",
    "top",
    "transparent",
    "up",
];

/// Whether a picture is one that a template draws with.
pub(super) fn is_ornament(dom: &Dom, image: NodeId, url: &str) -> bool {
    let side =
        |name: &str| dom.attribute(image, name).and_then(|it| it.trim().trim_end_matches("px").parse::<u32>().ok());
    let sides = [side("width"), side("height")];
    if sides.iter().flatten().any(|it| *it < SMALL) || dom.attribute(image, "role") == Some("presentation") {
        return true;
    }
    let told = sides.iter().flatten().all(|it| *it >= 3 * SMALL) && sides.iter().any(Option::is_some);
    if told || dom.ancestors(image).any(|it| dom.name(it) == "figure") {
        return false;
    }
    let path = kit::url::path_and_query(url).split(['?', '#']).next().unwrap_or_default().to_lowercase();
    let file = path.rsplit('/').next().unwrap_or_default();
    let name = file.rsplit_once('.').map_or(file, |(name, _)| name);
    // Every word of the name is one of these, or a number of its size.
    let mut words = name.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty()).peekable();
    let drawn = |it: &str| {
        ORNAMENTS.contains(&it.trim_end_matches(|it: char| it.is_ascii_digit() || it == 'x'))
            || it.chars().all(|it| it.is_ascii_digit() || it == 'x')
    };
    words.peek().is_some() && words.all(drawn)
}

/// Words of classes and properties of what is said of the page.
const OF_THE_PAGE: &[&str] = &[
    "byline",
    "created",
    "datemodified",
    "datepublished",
    "modified",
    "posted",
    "pubdate",
    "published",
    "publication",
    "updated",
    "meta",
    "timestamp",
    "article-date",
    "entry-date",
    "post-date",
];

/// Whether a `time` element says when the page was published or changed.
pub(super) fn is_of_the_page(dom: &Dom, time: NodeId) -> bool {
    let says = |id: NodeId| {
        let named = ["class", "itemprop", "id", "rel"].iter().filter_map(|it| dom.attribute(id, it));
        named.flat_map(|it| it.split(' ')).any(|name| {
            let name = name.to_ascii_lowercase();
            OF_THE_PAGE.contains(&name.as_str()) || name.split(['-', '_']).any(|it| OF_THE_PAGE.contains(&it))
        })
    };
    let beside = || {
        // `Published <time>`: the words before it tell.
        let parent = dom.parent(time)?;
        let text = dom.text(parent);
        let before = text.split_once(dom.text(time).as_str()).map(|(before, _)| before.trim().to_lowercase())?;
        let last = before.rsplit(['.', '!', '?', '|', '·']).next()?.trim();
        let told = [
            "published",
            "posted",
            "updated",
            "last updated",
            "modified",
            "written",
            "veröffentlicht",
            "aktualisiert",
            "publié",
            "publicado",
        ];
        Some(
            told.iter()
                .any(|it| last == *it || last.starts_with(&format!("{it} ")) || last.ends_with(&format!(" {it}"))),
        )
    };
    dom.attribute(time, "pubdate").is_some()
        || std::iter::once(time).chain(dom.ancestors(time).take(3)).any(says)
        || beside().unwrap_or(false)
}
