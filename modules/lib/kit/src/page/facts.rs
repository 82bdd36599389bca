//! `PageFacts`, everything that is known about one fetched address.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::markup::Markup;
use super::parts::{
    Alternate, Canonical, Charset, FormFact, HeadEnd, Heading, Hop, Image, Indexability, Link, LinkCounts, MetaRefresh,
    Resource, ResponseHeaders, StructuredData, Timing,
};

/// Everything that is known about one fetched address: how it answered, what its head declares, what its body holds.
///
/// Stored as the body of a record of `crawl.pages`, and made anew by `audit.page.check`.
/// A field that does not apply (the title of a redirect) keeps its default. Lengths are in Unicode characters.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PageFacts {
    // How it was reached and how it answered.
    /// The address asked for, normalised.
    pub url: String,
    /// The address that answered, normalised: differs from `url` when redirects were followed by the fetch itself.
    pub final_url: String,
    /// The status of the answer; 0 when there was none.
    pub status: u16,
    /// Why there was no answer: `refused`, `unresolved`, `unreachable`, `timeout`, `redirects`, `tls`, `malformed`,
    /// or `robots` when it was not asked for at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The redirects on the way to this answer, in order; empty when the redirect itself is the recorded answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub redirects: Vec<Hop>,
    /// Where this answer redirects to, normalised, when it is a redirect itself (3xx with a location).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redirect_to: Option<String>,
    /// The headers that matter.
    pub headers: ResponseHeaders,
    /// The media type of the answer in lower case without parameters, such as `text/html`.
    pub content_type: String,
    /// Whether the answer was read as HTML.
    pub is_html: bool,
    /// The encoding it was read in, and how that was found.
    pub charset: Charset,
    /// Milliseconds that the parts of the exchange took.
    pub timing: Timing,

    // The head.
    /// The text of every `<title>`, in order, white space collapsed; titles inside SVG do not count.
    pub titles: Vec<String>,
    /// The content of every `<meta name=description>`, in order.
    pub descriptions: Vec<String>,
    /// Every robots directive of `<meta name=robots>` and `<meta name=googlebot>`, in lower case, in order.
    pub meta_robots: Vec<String>,
    /// Every directive of the `X-Robots-Tag` headers that applies to all crawlers or to `googlebot`, in lower case.
    pub x_robots_tag: Vec<String>,
    /// Every canonical, of the head, of a `Link` header, or out of place in the body.
    pub canonicals: Vec<Canonical>,
    /// Every alternate with an `hreflang`, of the head or of a `Link` header.
    pub hreflang: Vec<Alternate>,
    /// The `lang` attribute of `<html>`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// The content of `<meta name=viewport>`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub viewport: Option<String>,
    /// Open Graph properties (`og:title`, …) and their contents, in order; at most 40.
    pub open_graph: Vec<(String, String)>,
    /// Twitter card properties (`twitter:card`, …) and their contents, in order; at most 20.
    pub twitter: Vec<(String, String)>,
    /// `<meta http-equiv=refresh>`, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta_refresh: Option<MetaRefresh>,
    /// The address of `<link rel=icon>`, resolved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icon: Option<String>,
    /// The address of `<link rel=amphtml>`, resolved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amphtml: Option<String>,
    /// The addresses of `<link rel=next>` and `<link rel=prev>`, resolved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// See `next`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prev: Option<String>,
    /// `<meta name=generator>`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generator: Option<String>,
    /// Resolved `href` of `<base>`, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// Other `<meta>` elements that say something to programs, name (`http-equiv:` before it for those) and content, in
    /// order; at most 20, and 300 characters of each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub metas: Vec<(String, String)>,
    /// The labels of every encoding that a `<meta>` declares, in lower case, in order; at most 5.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub meta_charsets: Vec<String>,
    /// Whether the first of them stands behind the first 1,024 bytes, where it counts no more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub meta_charset_late: bool,
    /// Whether the document begins with `<!doctype html>`; without it browsers use quirks mode.
    pub doctype: bool,
    /// How the head ended, and what of it stands in the body instead.
    pub head_end: HeadEnd,

    // The body.
    /// All headings `h1` to `h6` in document order; at most 300, see `heading_count`.
    pub headings: Vec<Heading>,
    /// How many headings there are.
    pub heading_count: u32,
    /// How many `h1` there are.
    pub h1_count: u32,
    /// Pictures (`<img>`) in document order; at most 300, see `image_count`.
    pub images: Vec<Image>,
    /// How many pictures there are.
    pub image_count: u32,
    /// Pictures without an `alt` attribute (an empty one is a statement and does not count).
    pub images_without_alt: u32,
    /// Pictures without `width` and `height`.
    pub images_without_size: u32,
    /// Links (`<a href>`, `<area href>`) in document order; at most 5,000, see `link_counts`.
    /// Empty in a stored page: the crawl keeps links in a collection of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<Link>,
    /// Links by sort.
    pub link_counts: LinkCounts,
    /// Scripts, style sheets, frames, media and fonts that the page loads; at most 200. Pictures are in `images`.
    pub resources: Vec<Resource>,
    /// Addresses fetched over `http:` by a page served over `https:`; at most 50.
    pub mixed_content: Vec<String>,
    /// Forms, at most 20.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forms: Vec<FormFact>,
    /// How many `<iframe>` there are.
    pub iframes: u32,
    /// What is declared as structured data.
    pub structured: StructuredData,
    /// What its markup offers to people and programs.
    pub markup: Markup,
    /// Dates that the page declares (JSON-LD, meta, `<time>`): published, ISO 8601 as found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    /// As `published`: the last change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,

    // The text.
    /// Words of the main text: of `<main>` or the only `<article>` when there is one, otherwise of the body without
    /// nav, header, aside and footer.
    pub word_count: u32,
    /// Words of the whole visible body.
    pub body_word_count: u32,
    /// SHA-256 over the main text, lower-cased with white space collapsed, in hex; empty without text.
    pub text_sha256: String,
    /// 64-bit SimHash over 3-word shingles of the main text, as 16 hex digits; empty without text.
    pub simhash: String,
    /// A sample of the 5-word shingles of the main text, as `kit::sketch` writes it; empty without text, and in pages that
    /// were read before samples were taken.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub sketch: String,
    /// The first 300 characters of the main text.
    pub excerpt: String,
    /// The author that the text names where readers see it; several are parted by `; `.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byline_visible: Option<String>,
    /// The author that the markup names (JSON-LD, `<meta name=author>`, `rel=author`, microdata); several are parted by
    /// `; `.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byline_markup: Option<String>,

    // The weight.
    /// Bytes of the body after decoding of transfer and content encodings.
    pub html_bytes: u64,
    /// Whether the body was longer than what is kept; facts then speak of the first part only.
    pub truncated: bool,
    /// Visible characters per character of HTML, 0 to 1, rounded to four digits.
    pub text_ratio: f64,
    /// Elements in the document.
    pub elements: u32,
    /// How deep elements are nested at most.
    pub nesting: u32,

    // The verdict.
    /// Whether a search engine may index this address, and what decides it.
    pub indexability: Indexability,
}

impl PageFacts {
    /// The canonicals that search engines count: of the head or a header, and not restricted.
    pub fn counted_canonicals(&self) -> impl Iterator<Item = &Canonical> {
        self.canonicals.iter().filter(|it| it.place != super::parts::Place::Body && it.restricted.is_none())
    }
}
