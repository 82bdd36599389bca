//! The files that a page declares, and what came of them.

use std::collections::BTreeSet;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use sdk::prelude::*;
use sdk::{Degraded, Failure, Request, Response};
use site::live::Live;

/// Files that are fetched together.
const TOGETHER: usize = 16;
/// Milliseconds after which no more are fetched, and bytes of one.
const LONGEST: u64 = 80_000;
const MOST_BYTES: u32 = 4 << 20;
/// Widths of screens for which pictures are chosen, in CSS pixels.
const WIDTHS: [u32; 2] = [412, 1_350];

/// What a file is.
#[value]
pub(crate) enum Kind {
    Document,
    Script,
    Style,
    Image,
    Font,
    Media,
    Frame,
    Other,
}

impl Kind {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Document => "document",
            Self::Script => "script",
            Self::Style => "style",
            Self::Image => "image",
            Self::Font => "font",
            Self::Media => "media",
            Self::Frame => "frame",
            Self::Other => "other",
        }
    }
}

/// A file that the page declares.
pub(super) struct Declared {
    pub(super) url: String,
    pub(super) kind: Kind,
    pub(super) blocking: bool,
    /// Pixels in which it is shown, where the page says it.
    pub(super) pixels: Option<u64>,
}

/// A file that came.
pub(super) struct Loaded {
    pub(super) url: String,
    pub(super) kind: Kind,
    pub(super) blocking: bool,
    pub(super) pixels: Option<u64>,
    pub(super) status: u16,
    /// As it is sent.
    pub(super) bytes: u64,
    pub(super) estimated: bool,
    /// Unpacked.
    pub(super) plain_bytes: u64,
    pub(super) is_packed: bool,
    /// What it would have packed, for a text that came unpacked.
    pub(super) packed_bytes: Option<u64>,
    pub(super) cache_control: Option<String>,
    pub(super) expires: bool,
}

/// The files that a page declares, each once.
pub(super) fn declared(page: &Live) -> Vec<Declared> {
    let mut seen: BTreeSet<String> = BTreeSet::from([page.facts.final_url.clone()]);
    let mut out: Vec<Declared> = Vec::new();
    let mut add = |url: &str, kind: Kind, blocking: bool, pixels: Option<u64>| {
        let Some(url) = kit::url::resolve_normal(&page.base, url).filter(|it| it.len() <= kit::url::LONGEST) else {
            return;
        };
        if seen.insert(url.clone()) {
            out.push(Declared { url, kind, blocking, pixels });
        }
    };
    for it in &page.facts.resources {
        let kind = match it.kind.as_str() {
            "script" => Kind::Script,
            "style" => Kind::Style,
            "frame" => Kind::Frame,
            "media" => Kind::Media,
            "font" => Kind::Font,
            _ => match it.purpose.as_deref() {
                Some("script") => Kind::Script,
                Some("style") => Kind::Style,
                Some("font") => Kind::Font,
                Some("image") => Kind::Image,
                _ => Kind::Other,
            },
        };
        add(&it.url, kind, it.blocking, None);
    }
    for node in page.dom.elements("img") {
        let attribute = |name: &str| page.dom.attribute(node, name);
        let number = |name: &str| attribute(name)?.trim().parse::<u64>().ok();
        let pixels = number("width").zip(number("height")).map(|(width, height)| width * height);
        match attribute("srcset").map(chosen).filter(|it| !it.is_empty()) {
            Some(urls) => urls.iter().for_each(|url| add(url, Kind::Image, false, pixels)),
            None => attribute("src").into_iter().for_each(|url| add(url, Kind::Image, false, pixels)),
        }
    }
    if let Some(icon) = &page.facts.icon {
        add(icon, Kind::Image, false, None);
    }
    out
}

/// The candidates of a `srcset` that the two screens would choose: the first that is wide enough, else the widest (HTML 4.8.4.3).
/// Densities are taken for a screen of density 1.
pub(super) fn chosen(srcset: &str) -> Vec<String> {
    let mut candidates: Vec<(u32, String)> = srcset
        .split(", ")
        .flat_map(|it| it.split(",\n"))
        .filter_map(|it| {
            let mut parts = it.split_whitespace();
            let url = parts.next()?.trim_end_matches(',').to_owned();
            let width = parts.next().and_then(|it| match it.strip_suffix('w') {
                Some(width) => width.parse().ok(),
                None => it
                    .strip_suffix('x')
                    .and_then(|it| it.parse::<f64>().ok())
                    .map(|it| if it <= 1.0 { 0 } else { u32::MAX }),
            });
            Some((width.unwrap_or(0), url))
        })
        .collect();
    candidates.sort_by_key(|it| it.0);
    let pick = |width: u32| {
        candidates.iter().find(|it| it.0 >= width || it.0 == 0).or(candidates.last()).map(|it| it.1.clone())
    };
    let mut out: Vec<String> = WIDTHS.iter().filter_map(|it| pick(*it)).collect();
    out.dedup();
    out
}

/// Fetches files, and those that style sheets name, one level deep; how many were asked for.
pub(super) fn load(
    cx: &Cx,
    page: &Live,
    declared: Vec<Declared>,
    most: usize,
    degraded: &mut Vec<Degraded>,
) -> (Vec<Loaded>, u64) {
    let mut waiting: Vec<Declared> = declared;
    let mut seen: BTreeSet<String> = waiting.iter().map(|it| it.url.clone()).collect();
    seen.insert(page.facts.final_url.clone());
    let (mut out, mut asked, mut failed, mut at) = (Vec::new(), 0, 0_u64, 0);
    while at < waiting.len().min(most) && cx.elapsed() < LONGEST {
        let end = waiting.len().min(most).min(at + TOGETHER);
        let urls: Vec<(usize, Url)> = (at..end).filter_map(|it| Some((it, waiting[it].url.parse().ok()?))).collect();
        let answers =
            cx.web().fetch_many(urls.iter().map(|it| Request::get(&it.1).max_bytes(MOST_BYTES).timeout(10_000)));
        asked += urls.len() as u64;
        let mut more = Vec::new();
        for ((place, url), answer) in urls.iter().zip(answers) {
            let of = &waiting[*place];
            match answer {
                Ok(answer) => {
                    if of.kind == Kind::Style && answer.is_success() {
                        more.extend(named(&answer.text(), url));
                    }
                    out.push(loaded(of, &answer));
                }
                Err(Failure::Refused) => {}
                Err(_) => failed += 1,
            }
        }
        waiting.extend(more.into_iter().filter(|it| seen.insert(it.url.clone())));
        at = end;
    }
    let left = waiting.len().min(most) - at.min(waiting.len());
    if left > 0 {
        degraded.push(Degraded::new("files", format!("there was no time for {left} files")));
    }
    if failed > 0 {
        degraded.push(Degraded::new(
            "files",
            format!("{failed} files could not be had: their hosts forbid it, want a pause, or do not answer"),
        ));
    }
    (out, asked)
}

fn loaded(of: &Declared, answer: &Response) -> Loaded {
    let header = |name: &str| answer.header(name).map(str::to_owned);
    let plain_bytes = answer.body.len() as u64;
    let is_packed = answer.header("content-encoding").is_some_and(|it| !it.eq_ignore_ascii_case("identity"));
    let told = answer.header("content-length").and_then(|it| it.trim().parse::<u64>().ok());
    let is_text = is_text(of.kind, &header("content-type").unwrap_or_default());
    let packed = (is_text && (!is_packed || told.is_none())).then(|| packed(&answer.body));
    let (bytes, estimated) = match (told, is_packed) {
        (Some(told), _) => (told, false),
        (None, true) => (packed.unwrap_or(plain_bytes), true),
        (None, false) => (plain_bytes, false),
    };
    Loaded {
        url: of.url.clone(),
        kind: of.kind,
        blocking: of.blocking,
        pixels: of.pixels,
        status: answer.status,
        bytes,
        estimated,
        plain_bytes,
        is_packed,
        packed_bytes: packed.filter(|_| !is_packed),
        cache_control: header("cache-control"),
        expires: answer.header("expires").is_some(),
    }
}

fn is_text(kind: Kind, content_type: &str) -> bool {
    matches!(kind, Kind::Script | Kind::Style | Kind::Document)
        || ["text/", "json", "javascript", "xml", "svg"].iter().any(|it| content_type.to_ascii_lowercase().contains(it))
}

/// Bytes of a body after gzip at level 6.
fn packed(body: &[u8]) -> u64 {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(6));
    // Writing into memory cannot fail.
    let written = encoder.write_all(body).and_then(|()| encoder.finish());
    written.map_or(body.len() as u64, |it| it.len() as u64)
}

/// The page itself. Its headers were read with it.
pub(super) fn document(page: &Live) -> Loaded {
    let headers = &page.facts.headers;
    let header = |name: &str| headers.get(name).map(str::to_owned);
    let is_packed = headers.get("content-encoding").is_some();
    let told = headers.get("content-length").and_then(|it| it.parse::<u64>().ok());
    let packed = packed(page.html.as_bytes());
    let plain_bytes = page.facts.html_bytes;
    let (bytes, estimated) = match (told, is_packed) {
        (Some(told), _) => (told, false),
        (None, true) => (packed, true),
        (None, false) => (plain_bytes, false),
    };
    Loaded {
        url: page.facts.final_url.clone(),
        kind: Kind::Document,
        blocking: false,
        pixels: None,
        status: page.facts.status,
        bytes,
        estimated,
        plain_bytes,
        is_packed,
        packed_bytes: (!is_packed).then_some(packed),
        cache_control: header("cache-control"),
        expires: headers.get("expires").is_some(),
    }
}

/// What a style sheet names: `@import` and `url()`; `data:` addresses are part of the sheet.
pub(super) fn named(css: &str, base: &Url) -> Vec<Declared> {
    let mut out = Vec::new();
    let mut rest = css;
    while let Some(at) = rest.find("url(") {
        let is_import = rest[..at].trim_end().ends_with("@import");
        rest = &rest[at + 4..];
        let Some(end) = rest.find(')') else { break };
        let reference = rest[..end].trim().trim_matches(['"', '\'']);
        if !reference.starts_with("data:")
            && !reference.starts_with('#')
            && let Some(url) = kit::url::resolve_normal(base, reference)
        {
            let path = url.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
            let is_font = [".woff2", ".woff", ".ttf", ".otf", ".eot"].iter().any(|it| path.ends_with(it));
            let kind = if is_import {
                Kind::Style
            } else if is_font {
                Kind::Font
            } else {
                Kind::Image
            };
            out.push(Declared { url, kind, blocking: is_import, pixels: None });
        }
        rest = &rest[end..];
    }
    // An import may be a bare text.
    for part in css.split("@import").skip(1) {
        let text = part.trim_start();
        if let Some(quote) = text.chars().next().filter(|it| matches!(it, '"' | '\''))
            && let Some(url) = text[1..].split(quote).next().and_then(|it| kit::url::resolve_normal(base, it))
        {
            out.push(Declared { url, kind: Kind::Style, blocking: true, pixels: None });
        }
    }
    out
}
