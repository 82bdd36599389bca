//! The pictures of a page, what their files are, and what is wrong with each.

use kit::url::resolve;
use sdk::prelude::*;
use sdk::{Failure, Response};

use crate::live::Live;

/// Pictures before this position are likely seen first.
const FIRST: usize = 2;

/// What is wrong with a picture.
#[value]
pub(crate) enum Wrong {
    NoSource,
    Unreachable,
    NotAPicture,
    AltMissing,
    /// More than 125 characters.
    AltTooLong,
    /// `alt` is the name of the file.
    AltIsFileName,
    /// A name such as `IMG_1234`.
    FileName,
    /// No `width` or `height`: the page jumps when it loads.
    SizeMissing,
    /// Shown larger than it is.
    Upscaled,
    /// More than twice as large as shown.
    Oversized,
    /// Shown in another ratio than its own.
    Distorted,
    OldFormat,
    /// More than 300 kB.
    Heavy,
    /// Far down the page and not `loading=lazy`.
    NotLazy,
    /// At the top of the page and `loading=lazy`.
    LazyAtTop,
    /// Wide, and without `srcset` or `picture`.
    NoSrcset,
    /// Cached for less than a week.
    ShortCache,
}

impl Wrong {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::NoSource => "no_source",
            Self::Unreachable => "unreachable",
            Self::NotAPicture => "not_a_picture",
            Self::AltMissing => "alt_missing",
            Self::AltTooLong => "alt_too_long",
            Self::AltIsFileName => "alt_is_file_name",
            Self::FileName => "file_name",
            Self::SizeMissing => "size_missing",
            Self::Upscaled => "upscaled",
            Self::Oversized => "oversized",
            Self::Distorted => "distorted",
            Self::OldFormat => "old_format",
            Self::Heavy => "heavy",
            Self::NotLazy => "not_lazy",
            Self::LazyAtTop => "lazy_at_top",
            Self::NoSrcset => "no_srcset",
            Self::ShortCache => "short_cache",
        }
    }
}

/// A picture as the page has it.
pub(crate) struct Picture {
    /// Resolved; empty without one, `data:` for one inside the page.
    pub(crate) src: String,
    pub(crate) alt: Option<String>,
    pub(crate) shown: (Option<u32>, Option<u32>),
    lazy: bool,
    responsive: bool,
}

/// A picture as its server gives it.
pub(crate) struct File {
    pub(crate) status: u16,
    pub(crate) bytes: Option<u64>,
    pub(crate) size: Option<(u32, u32)>,
    pub(crate) format: Option<String>,
    /// Seconds that caches may keep it.
    cached: Option<u64>,
}

/// Pictures in document order.
pub(crate) fn pictures(page: &Live) -> Vec<Picture> {
    let dom = &page.dom;
    let of = |id| {
        let written = dom.attribute(id, "src").map(str::trim).filter(|it| !it.is_empty());
        let later = ["data-src", "data-lazy-src", "data-original"].iter().find_map(|it| dom.attribute(id, it));
        let first = dom.attribute(id, "srcset").and_then(|it| it.split_whitespace().next());
        let written = written.filter(|it| !it.starts_with("data:")).or(later).or(first).or(written).unwrap_or_default();
        let src = match written {
            "" => String::new(),
            _ if written.starts_with("data:") => "data:".to_owned(),
            _ => resolve(&page.base, written).map(|it| it.to_string()).unwrap_or_default(),
        };
        let pixels = |name| dom.attribute(id, name).and_then(|it| it.trim().trim_end_matches("px").parse().ok());
        let in_picture = dom.ancestors(id).take(2).any(|it| dom.name(it) == "picture");
        Picture {
            src,
            alt: dom.attribute(id, "alt").map(|it| kit::text::collapse_to(it, 300)),
            shown: (pixels("width"), pixels("height")),
            lazy: dom.attribute(id, "loading").is_some_and(|it| it.eq_ignore_ascii_case("lazy")),
            responsive: dom.attribute(id, "srcset").is_some() || in_picture,
        }
    };
    dom.elements("img").map(of).take(1_000).collect()
}

impl File {
    pub(crate) fn of(answer: &Result<Response, Failure>) -> Self {
        let Ok(response) = answer else {
            return Self { status: 0, bytes: None, size: None, format: None, cached: None };
        };
        let length = response.header("content-length").and_then(|it| it.parse().ok());
        let (size, format) = read(&response.body);
        let cache = response.header("cache-control").unwrap_or_default().to_ascii_lowercase();
        let age = cache.split(',').find_map(|it| it.trim().strip_prefix("max-age=").and_then(|it| it.parse().ok()));
        let never = cache.contains("no-store") || cache.contains("no-cache");
        Self {
            status: response.status,
            bytes: if response.truncated { length } else { Some(response.body.len() as u64) },
            size,
            format,
            cached: if never { Some(0) } else { age },
        }
    }
}

/// The size and format that the first bytes say.
fn read(bytes: &[u8]) -> (Option<(u32, u32)>, Option<String>) {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(512)]).to_ascii_lowercase();
    if start.contains("<svg") {
        return (None, Some("svg".to_owned()));
    }
    let pixels = |of: usize| u32::try_from(of).unwrap_or(u32::MAX);
    let size = imagesize::blob_size(bytes).ok().map(|it| (pixels(it.width), pixels(it.height)));
    let format = imagesize::image_type(bytes).ok().map(|it| format!("{it:?}").to_ascii_lowercase());
    // A family of formats is written with what it holds, such as `heif(av1)`.
    let format = format.map(|it| if it.contains("av1") || it.contains("avif") { "avif".to_owned() } else { it });
    (size, format)
}

/// Bytes that a modern format and a fitting size would save, estimated.
pub(crate) fn saving(picture: &Picture, file: &File) -> u64 {
    let Some(bytes) = file.bytes else { return 0 };
    let (wide, high) = file.size.unwrap_or_default();
    let mut left = bytes as f64;
    if let (Some(shown), true) = (picture.shown.0, wide > 0 && high > 0) {
        let share = (f64::from(shown) * 2.0 / f64::from(wide)).min(1.0);
        left *= share * share;
    }
    left *= match file.format.as_deref() {
        Some("jpeg") => 0.70,
        Some("png" | "bmp" | "tiff") => 0.74,
        _ => 1.0,
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not more than the file's own bytes")]
    let left = left.round() as u64;
    bytes.saturating_sub(left)
}

/// What is wrong with a picture.
pub(crate) fn problems(picture: &Picture, file: Option<&File>, position: usize, saving: u64) -> Vec<Wrong> {
    let mut out = Vec::new();
    let mut add = |wrong: bool, problem| {
        if wrong {
            out.push(problem);
        }
    };
    add(picture.src.is_empty(), Wrong::NoSource);
    let name = name(&picture.src);
    match &picture.alt {
        None => add(true, Wrong::AltMissing),
        Some(alt) => {
            add(alt.chars().count() > 125, Wrong::AltTooLong);
            let lower = alt.to_lowercase();
            let is_name = !name.is_empty()
                && (lower == name.to_lowercase()
                    || lower.ends_with(".jpg")
                    || lower.ends_with(".png")
                    || lower.ends_with(".webp"));
            add(!alt.is_empty() && is_name, Wrong::AltIsFileName);
        }
    }
    add(is_meaningless(name), Wrong::FileName);
    add(picture.shown.0.is_none() || picture.shown.1.is_none(), Wrong::SizeMissing);
    add(position >= 4 && !picture.lazy && picture.src != "data:", Wrong::NotLazy);
    add(position < FIRST && picture.lazy, Wrong::LazyAtTop);
    let Some(file) = file else { return out };
    add(!(200..300).contains(&file.status), Wrong::Unreachable);
    if !(200..300).contains(&file.status) {
        return out;
    }
    add(file.format.is_none(), Wrong::NotAPicture);
    if let (Some((wide, high)), (Some(shown_wide), Some(shown_high))) = (file.size, picture.shown) {
        add(shown_wide > wide && wide > 1, Wrong::Upscaled);
        add(wide > shown_wide.saturating_mul(2) && saving > 4_096, Wrong::Oversized);
        let (own, shown) =
            (f64::from(wide) / f64::from(high.max(1)), f64::from(shown_wide) / f64::from(shown_high.max(1)));
        add((own / shown - 1.0).abs() > 0.05 && shown_wide > 1, Wrong::Distorted);
    }
    add(matches!(file.format.as_deref(), Some("jpeg" | "png" | "gif" | "bmp" | "tiff")), Wrong::OldFormat);
    add(file.bytes.is_some_and(|it| it > 300_000), Wrong::Heavy);
    add(file.size.is_some_and(|(wide, _)| wide > 800) && !picture.responsive, Wrong::NoSrcset);
    add(file.cached.is_some_and(|it| it < 604_800), Wrong::ShortCache);
    out
}

/// The file's name without its ending.
pub(crate) fn name(src: &str) -> &str {
    let path = src.split(['?', '#']).next().unwrap_or_default();
    let file = path.rsplit('/').next().unwrap_or_default();
    file.rsplit_once('.').map_or(file, |(name, _)| name)
}

/// Names that cameras, scripts and editors give.
pub(crate) fn is_meaningless(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let letters: String = lower.chars().filter(char::is_ascii_alphabetic).collect();
    let digits = lower.chars().filter(char::is_ascii_digit).count();
    !name.is_empty()
        && (matches!(
            letters.as_str(),
            "" | "img"
                | "image"
                | "dsc"
                | "dscn"
                | "pict"
                | "photo"
                | "screenshot"
                | "untitled"
                | "unnamed"
                | "pxl"
                | "bild"
                | "foto"
        ) || (digits * 2 > lower.len() && lower.len() > 8))
}
