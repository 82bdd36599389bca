//! The operation `onpage.image.check`, and what the first bytes of a picture say.

pub(crate) mod judge;

use std::collections::BTreeMap;

use sdk::Degraded;
use sdk::Fix;
use sdk::Next;
use sdk::prelude::*;

use crate::live;
use judge::{File, Wrong};
use site::live::Seen;

/// Bytes read of each picture: its size and format stand in the first ones.
const HEAD: u32 = 64 << 10;
const TOGETHER: usize = 16;
/// Milliseconds after which no more is asked.
const LONGEST: u64 = 40_000;

#[args]
pub(crate) struct Check {
    url: Url,
    /// At most this many requests: the page itself, then its different pictures in order.
    #[default(50)]
    max_images: Count<1, 100>,
}

#[value]
pub(crate) struct Checked {
    /// In document order; at most 300.
    images: Vec<Row>,
    /// Bytes that modern formats and fitting sizes would save, estimated.
    bytes_saved: u64,
    counts: BTreeMap<String, u32>,
    page: Seen,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

#[value]
struct Row {
    src: String,
    alt: Option<String>,
    /// 0 when there was no answer; null when the picture was not asked for.
    status: Option<u16>,
    /// Of the whole file, when known.
    bytes: Option<u64>,
    /// Of the file, in pixels.
    width: Option<u32>,
    height: Option<u32>,
    /// As the page shows it, by its attributes, in CSS pixels.
    shown_width: Option<u32>,
    shown_height: Option<u32>,
    /// By its first bytes: `jpeg`, `png`, `webp`, `avif`, `gif`, `svg`, ….
    format: Option<String>,
    /// Bytes that could be saved.
    saving: u64,
    problems: Vec<Wrong>,
}

/// Checks every image of a page: alt, file name, intrinsic versus rendered size from header bytes, format, lazy loading,
/// srcset, dimensions and caching, with bytes saved by modern formats.
///
/// The first 64 KiB of each picture are read. The rendered size is that of the `width` and `height` attributes; style sheets
/// are not applied. Savings take WebP as 26% smaller than PNG and 30% than JPEG, and twice the shown size for fine screens.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = max_images),
    needs = ["web"],
    phrasings = [
        "are the images on my page too big",
        "which images miss alt text",
        "check image seo of a page",
        "how much would webp save",
    ],
    examples = [{ "url": "https://shop.example/lamps", "max_images": 20 }]
)]
pub(crate) fn check(cx: &Cx, args: Check) -> Result<Checked> {
    let page = live::page(cx, &args.url, "/url")?;
    let pictures = judge::pictures(&page);
    let mut wanted: Vec<Url> = Vec::new();
    for url in pictures.iter().filter_map(|it| it.src.parse::<Url>().ok()) {
        if !wanted.contains(&url) {
            wanted.push(url);
        }
    }
    let most = usize::from(args.max_images) - 1;
    let mut files: BTreeMap<String, File> = BTreeMap::new();
    for group in wanted[..wanted.len().min(most)].chunks(TOGETHER) {
        if cx.elapsed() > LONGEST {
            break;
        }
        let requests = group.iter().map(|url| {
            Request::get(url).header("accept", "image/avif,image/webp,image/*").max_bytes(HEAD).timeout(6_000)
        });
        for (url, answer) in group.iter().zip(cx.web().fetch_many(requests)) {
            files.insert(url.to_string(), File::of(&answer));
        }
    }
    let mut degraded = Vec::new();
    let left = wanted.len() - files.len();
    if left > 0 {
        degraded.push(Degraded::new("image_files", format!("{left} pictures were not asked for; raise max_images")));
    }
    let mut counts = BTreeMap::new();
    let mut images = Vec::new();
    let mut bytes_saved = 0;
    for (position, picture) in pictures.into_iter().enumerate() {
        let key = picture.src.parse::<Url>().map(|it| it.to_string()).unwrap_or_default();
        let file = files.get(&key);
        let saving = file.map_or(0, |file| judge::saving(&picture, file));
        let problems = judge::problems(&picture, file, position, saving);
        for problem in &problems {
            *counts.entry(problem.name().to_owned()).or_default() += 1;
        }
        bytes_saved += saving;
        images.push(Row {
            status: file.map(|it| it.status),
            bytes: file.and_then(|it| it.bytes),
            width: file.and_then(|it| it.size).map(|it| it.0),
            height: file.and_then(|it| it.size).map(|it| it.1),
            shown_width: picture.shown.0,
            shown_height: picture.shown.1,
            format: file.and_then(|it| it.format.clone()),
            src: picture.src,
            alt: picture.alt,
            saving,
            problems,
        });
    }
    images.truncate(300);
    let next = next(&counts, &page.facts.final_url);
    Ok(Checked { images, bytes_saved, counts, page: page.seen(), next, degraded })
}

fn next(counts: &BTreeMap<String, u32>, url: &str) -> Vec<Next> {
    let mut out = Vec::new();
    if [Wrong::AltMissing, Wrong::AltTooLong, Wrong::AltIsFileName].iter().any(|it| counts.contains_key(it.name())) {
        out.push(Fix::on("onpage.alt_text.suggest", url).because("proposes alternative texts"));
    }
    if out.is_empty() && !counts.is_empty() {
        out.push(Fix::on("audit.page.check", url).because("checks the page against all page rules"));
    }
    out
}

#[cfg(test)]
mod tests;
