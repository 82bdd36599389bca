//! Alternative texts of pictures in a content.

use std::collections::BTreeSet;

use kit::insertion::marks;
use kit::url::{Url, normalize, resolve};

use super::{in_block, read, replaced, strings, written};

/// A picture with the text that it is to get.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Picture {
    /// Its number in the media library.
    pub(crate) media: Option<u64>,
    /// The addresses of its files, normalised, sizes left out of their names.
    pub(crate) files: Vec<String>,
    /// Its text in the media library before; an equal one in a content came from there.
    pub(crate) known: Option<String>,
    pub(crate) alt: String,
}

/// What was done to pictures of a content.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Described {
    pub(crate) text: String,
    /// Pictures that got the text.
    pub(crate) places: u64,
    /// Pictures that keep a text of their own.
    pub(crate) own: u64,
}

/// The address of a file without the size that WordPress writes into its name: `a-300x200.jpg` is of `a.jpg`.
pub(crate) fn whole_file(url: &str) -> String {
    let Some((stem, extension)) = url.rsplit_once('.') else { return url.to_owned() };
    let size = stem.rsplit_once('-').filter(|(_, size)| {
        let numbers = size.split_once('x').map(|(w, h)| [w, h]);
        numbers.is_some_and(|all| all.iter().all(|it| !it.is_empty() && it.bytes().all(|b| b.is_ascii_digit())))
    });
    size.map_or_else(|| url.to_owned(), |(stem, _)| format!("{stem}.{extension}"))
}

/// A content whose pictures have their texts; none when none of them is in it.
pub(crate) fn described(raw: &str, page: &Url, pictures: &[Picture]) -> Option<Described> {
    let found = marks(raw);
    let mut edits = Vec::new();
    let (mut places, mut own) = (0, 0);
    let mut changed: BTreeSet<usize> = BTreeSet::new();
    for (_, tag) in found.tags.iter().filter(|(name, _)| name == "img") {
        let of = |name: &str| found.attributes.iter().find(|it| it.tag == *tag && it.name == name);
        let value = |name: &str| of(name).map(|it| read(&raw[it.value.clone()]));
        let class = value("class").unwrap_or_default();
        let id = class.split_whitespace().find_map(|it| it.strip_prefix("wp-image-")?.parse::<u64>().ok());
        let src = value("src")
            .and_then(|it| resolve(page, &it))
            .and_then(|it| normalize(it.as_str()))
            .map(|it| whole_file(&it));
        let fits =
            |it: &&Picture| (id.is_some() && it.media == id) || src.as_ref().is_some_and(|src| it.files.contains(src));
        let Some((at, picture)) = pictures.iter().enumerate().find(|(_, it)| fits(it)) else { continue };
        match (of("alt"), value("alt")) {
            (Some(_), Some(held)) if held == picture.alt => {}
            (Some(alt), Some(held)) => {
                // A text that is not the library's was written for this place.
                if !held.trim().is_empty() && picture.known.as_deref() != Some(held.as_str()) {
                    own += 1;
                    continue;
                }
                let text = match alt.quote {
                    Some(quote) => written(&picture.alt, quote),
                    None if alt.value.is_empty() => format!("=\"{}\"", written(&picture.alt, '"')),
                    None => format!("\"{}\"", written(&picture.alt, '"')),
                };
                edits.push((alt.value.clone(), text));
                changed.insert(at);
                places += 1;
            }
            _ => {
                let behind = tag.start + "<img".len();
                edits.push((behind..behind, format!(" alt=\"{}\"", written(&picture.alt, '"'))));
                changed.insert(at);
                places += 1;
            }
        }
    }
    // A cover repeats the text in its comment.
    for block in found.blocks.iter().filter(|it| matches!(it.name.as_str(), "cover" | "core/cover")) {
        let json = &raw[block.json.clone()];
        let id = serde_json::from_str::<serde_json::Value>(json).ok().and_then(|it| it["id"].as_u64());
        let Some(picture) = changed.iter().map(|at| &pictures[*at]).find(|it| id.is_some() && it.media == id) else {
            continue;
        };
        if let Some((_, range, _)) = strings(json).into_iter().find(|(name, ..)| name == "alt") {
            edits.push((block.json.start + range.start..block.json.start + range.end, in_block(&picture.alt)));
        }
    }
    (places > 0 || own > 0).then(|| Described { text: replaced(raw, edits), places, own })
}
