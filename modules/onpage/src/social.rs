//! The operation `onpage.social.preview`: how a page looks when it is shared.

use std::collections::BTreeMap;

use kit::text::clip;
use sdk::Degraded;
use sdk::Fix;
use sdk::prelude::*;

use crate::live::{self, Live};
use site::live::Seen;

/// Bytes of a picture that are read: its size stands in the first ones.
const HEAD: u32 = 512 << 10;
/// The least and the best width and height of a large card, in pixels.
const LEAST: (usize, usize) = (200, 200);
const GOOD: (usize, usize) = (1_200, 630);
/// What the networks take at most, in bytes.
const HEAVIEST: u64 = 5_000_000;

#[args]
pub(crate) struct Preview {
    url: Url,
}

#[value]
pub(crate) struct Previewed {
    /// Open Graph properties, the first of each name.
    open_graph: BTreeMap<String, String>,
    card: Card,
    image: Option<Picture>,
    problems: Vec<Problem>,
    page: Seen,
    degraded: Vec<Degraded>,
}

/// How the card reads, after the fallbacks that networks take.
#[value]
struct Card {
    /// `summary_large_image` or `summary`.
    form: String,
    title: String,
    description: String,
    /// The host that is shown.
    site: String,
    image_url: Option<String>,
    image_alt: Option<String>,
}

#[value]
struct Picture {
    url: String,
    status: u16,
    width: Option<u32>,
    height: Option<u32>,
    /// Of the whole file, when the server says so or it was read whole.
    bytes: Option<u64>,
    media_type: Option<String>,
}

#[value]
struct Problem {
    /// The property it is about.
    property: String,
    kind: Kind,
    message: String,
    /// The call that mends it or shows more.
    fix: Fix,
}

#[value]
enum Kind {
    Missing,
    /// An address that is not absolute, as networks need it.
    NotAbsolute,
    /// An `http:` address on a page served over `https:`.
    Insecure,
    /// `og:url` is another page than the canonical.
    WrongAddress,
    Unreachable,
    NotAPicture,
    TooSmall,
    /// Wider or higher than the card's frame by more than a fifth.
    WrongRatio,
    TooHeavy,
    TooLong,
    /// A value that the network does not know.
    UnknownValue,
}

/// Parses Open Graph and X card tags, checks required fields, image size and ratio and address type, and returns how the share
/// card will read.
///
/// Two outside requests: the page, and the first 512 KiB of the picture. Required are `og:title`, `og:type`, `og:image` and
/// `og:url` (ogp.me); X falls back to Open Graph.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 2),
    needs = ["web"],
    phrasings = [
        "how does my page look when shared",
        "check open graph tags",
        "why is there no image when I post the link",
        "twitter card preview",
    ],
    examples = [{ "url": "https://shop.example/guides/lamps" }]
)]
pub(crate) fn preview(cx: &Cx, args: Preview) -> Result<Previewed> {
    let page = live::page(cx, &args.url, "/url")?;
    let mut open_graph = BTreeMap::new();
    for (name, value) in &page.facts.open_graph {
        open_graph.entry(name.clone()).or_insert_with(|| value.clone());
    }
    let mut problems = Problems { url: page.facts.final_url.clone(), found: Vec::new() };
    problems.of_tags(&page, &open_graph);
    let card = card(&page, &open_graph);
    let mut degraded = Vec::new();
    let image = card.image_url.as_ref().and_then(|url| url.parse::<Url>().ok()).map(|url| picture(cx, &url));
    match &image {
        Some(image) => problems.of_picture(image, card.form == "summary_large_image"),
        None => degraded.push(Degraded::new("image", "the page names no picture that could be fetched")),
    }
    Ok(Previewed { open_graph, card, image, problems: problems.found, page: page.seen(), degraded })
}

fn card(page: &Live, open_graph: &BTreeMap<String, String>) -> Card {
    let twitter = |name: &str| page.facts.twitter.iter().find(|(it, _)| it == name).map(|(_, value)| value.clone());
    let pick = |name: &str| {
        let value = twitter(&format!("twitter:{name}")).or_else(|| open_graph.get(&format!("og:{name}")).cloned());
        value.filter(|it| !it.trim().is_empty())
    };
    let image = pick("image").or_else(|| open_graph.get("og:image:url").cloned());
    let image_url = image.and_then(|it| kit::url::resolve(&page.base, &it)).map(|it| it.to_string());
    let host =
        page.facts.final_url.parse::<Url>().ok().and_then(|it| it.host_str().map(str::to_owned)).unwrap_or_default();
    Card {
        form: twitter("twitter:card")
            .unwrap_or_else(|| if image_url.is_some() { "summary_large_image" } else { "summary" }.to_owned()),
        title: clip(&pick("title").unwrap_or_else(|| page.title().to_owned()), 70).to_owned(),
        description: clip(&pick("description").unwrap_or_else(|| page.description().to_owned()), 200).to_owned(),
        site: host.strip_prefix("www.").unwrap_or(&host).to_owned(),
        image_url,
        image_alt: pick("image:alt"),
    }
}

fn picture(cx: &Cx, url: &Url) -> Picture {
    let answer = cx.web().fetch(&Request::get(url).header("accept", "image/*").max_bytes(HEAD).timeout(5_000));
    let Ok(response) = answer else {
        return Picture { url: url.to_string(), status: 0, width: None, height: None, bytes: None, media_type: None };
    };
    let size = imagesize::blob_size(&response.body).ok();
    let pixels = |of: usize| u32::try_from(of).unwrap_or(u32::MAX);
    let length = response.header("content-length").and_then(|it| it.parse().ok());
    Picture {
        url: url.to_string(),
        status: response.status,
        width: size.map(|it| pixels(it.width)),
        height: size.map(|it| pixels(it.height)),
        bytes: if response.truncated { length } else { Some(response.body.len() as u64) },
        media_type: response.header("content-type").map(|it| clip(it, 100).to_owned()),
    }
}

struct Problems {
    url: String,
    found: Vec<Problem>,
}

impl Problems {
    fn add(&mut self, property: &str, kind: Kind, message: impl Into<String>) {
        let fix = match property {
            "og:title" => Fix::on("onpage.title.suggest", &self.url),
            "og:description" => Fix::on("onpage.description.suggest", &self.url),
            "og:image" => Fix::on("onpage.image.check", &self.url),
            _ => Fix::on("audit.page.check", &self.url),
        };
        self.found.push(Problem { property: property.to_owned(), kind, message: message.into(), fix });
    }

    fn of_tags(&mut self, page: &Live, open_graph: &BTreeMap<String, String>) {
        let facts = &page.facts;
        for property in ["og:title", "og:type", "og:image", "og:url", "og:description"] {
            if open_graph.get(property).is_none_or(|it| it.trim().is_empty()) {
                self.add(property, Kind::Missing, format!("{property} is missing"));
            }
        }
        for property in ["og:image", "og:url"] {
            let Some(value) = open_graph.get(property).filter(|it| !it.is_empty()) else { continue };
            if !value.starts_with("http://") && !value.starts_with("https://") {
                self.add(property, Kind::NotAbsolute, format!("{} is not an absolute address", clip(value, 200)));
            } else if value.starts_with("http://") && facts.final_url.starts_with("https://") {
                self.add(property, Kind::Insecure, format!("{} is not served securely", clip(value, 200)));
            }
        }
        let canonical =
            facts.canonicals.first().and_then(|it| it.url.clone()).unwrap_or_else(|| facts.final_url.clone());
        let named = open_graph.get("og:url").and_then(|it| kit::url::normalize(it));
        if named.is_some_and(|named| named != canonical) {
            self.add("og:url", Kind::WrongAddress, format!("og:url is not {canonical}"));
        }
        if open_graph.get("og:title").is_some_and(|it| it.chars().count() > 95) {
            self.add("og:title", Kind::TooLong, "networks cut titles after about 95 characters");
        }
        let card = facts.twitter.iter().find(|(name, _)| name == "twitter:card").map(|(_, value)| value.as_str());
        let known = ["summary", "summary_large_image", "app", "player"];
        match card {
            None => self.add("twitter:card", Kind::Missing, "twitter:card is missing; X shows a small card or none"),
            Some(value) if !known.contains(&value) => {
                self.add("twitter:card", Kind::UnknownValue, format!("{} is no card", clip(value, 100)));
            }
            Some(_) => {}
        }
    }

    fn of_picture(&mut self, image: &Picture, large: bool) {
        const OF: &str = "og:image";
        if !(200..300).contains(&image.status) {
            return self.add(OF, Kind::Unreachable, format!("the picture answers with status {}", image.status));
        }
        let (Some(width), Some(height)) = (image.width, image.height) else {
            return self.add(
                OF,
                Kind::NotAPicture,
                "the size could not be read; networks take JPEG, PNG, GIF and WebP",
            );
        };
        let (wide, high) = (width as usize, height as usize);
        if wide < LEAST.0 || high < LEAST.1 {
            self.add(OF, Kind::TooSmall, format!("{width} × {height}; the least is {} × {}", LEAST.0, LEAST.1));
        } else if large && (wide < GOOD.0 / 2 || high < GOOD.1 / 2) {
            self.add(OF, Kind::TooSmall, format!("{width} × {height}; a large card wants {} × {}", GOOD.0, GOOD.1));
        }
        let ratio = f64::from(width) / f64::from(height.max(1));
        if large && !(1.52..=2.29).contains(&ratio) {
            self.add(OF, Kind::WrongRatio, format!("the ratio is {ratio:.2} : 1; a large card shows 1.91 : 1"));
        }
        if let Some(bytes) = image.bytes.filter(|it| *it > HEAVIEST) {
            self.add(OF, Kind::TooHeavy, format!("{bytes} bytes; networks take 5 MB at most"));
        }
    }
}

#[cfg(test)]
mod tests;
