//! The parts that `PageFacts` is made of.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::nodes::DataNode;

/// One redirect on the way.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hop {
    /// The address that redirected.
    pub url: String,
    /// Its status.
    pub status: u16,
    /// The `Location` as sent.
    pub location: String,
}

/// Response headers that search and security look at. Names in lower case.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ResponseHeaders(pub BTreeMap<String, Vec<String>>);

impl ResponseHeaders {
    /// The first value of a header; `name` in lower case.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(|values| values.first()).map(String::as_str)
    }

    /// All values of a header, in the order received.
    #[must_use]
    pub fn all(&self, name: &str) -> &[String] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }
}

/// The encoding a page was read in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Charset {
    /// The WHATWG name in lower case, such as `utf-8`; empty when the body was not read as text.
    pub name: String,
    /// What decided it.
    pub source: CharsetSource,
    /// The label that the page or header declared, as found, in lower case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declared: Option<String>,
    /// Whether bytes had to be replaced.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub damaged: bool,
}

/// What decided an encoding.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CharsetSource {
    /// A byte order mark.
    Bom,
    /// `charset` of the `Content-Type` header.
    Header,
    /// `<meta charset>` or its `http-equiv` form in the first 1,024 bytes.
    Meta,
    /// The bytes are valid UTF-8.
    Bytes,
    /// Nothing declared it: guessed from the bytes, as browsers do.
    #[default]
    Fallback,
}

/// Milliseconds of the exchange.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Timing {
    /// Looking up the name.
    pub dns_ms: u32,
    /// Connecting.
    pub connect_ms: u32,
    /// Until the first byte of the answer.
    pub first_byte_ms: u32,
    /// Until the last byte.
    pub total_ms: u32,
}

/// Where in a document something was declared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// In the head.
    #[default]
    Head,
    /// In the body, where search engines ignore it.
    Body,
    /// In a response header.
    Header,
}

/// One declared canonical.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Canonical {
    /// As written.
    pub href: String,
    /// Resolved and normalised; absent when it is not an address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Where it stands.
    pub place: Place,
    /// What restricts it: the attribute `hreflang`, `lang`, `media` or `type`, or the relation `alternate` beside it. Search
    /// engines then leave it aside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restricted: Option<String>,
}

/// One alternate language version.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Alternate {
    /// The `hreflang` value as written.
    pub lang: String,
    /// The `href` as written.
    pub href: String,
    /// Resolved and normalised; absent when it is not an address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Where it stands.
    pub place: Place,
}

/// A timed redirect in the markup.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MetaRefresh {
    /// Seconds until it acts.
    pub seconds: u32,
    /// Where it leads, resolved and normalised; absent when it reloads the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// How the head ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct HeadEnd {
    /// The element that ended the head although it was not finished, such as `div` or `img`, or `text`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed_by: Option<String>,
    /// Elements of the head that stand in the body for that or another reason: `title`, `meta:robots`, `link:canonical`,
    /// `link:hreflang`, `meta:description`; at most 20.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub misplaced: Vec<String>,
}

/// One heading.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    /// Its text, white space collapsed, at most 300 characters.
    pub text: String,
}

/// One picture.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Image {
    /// `src`, or the first of `srcset`, resolved; `data:` addresses are cut to `data:`.
    pub src: String,
    /// The `alt` attribute; none when there is no such attribute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alt: Option<String>,
    /// The `width` attribute in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// The `height` attribute in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
    /// The `loading` attribute in lower case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loading: Option<String>,
    /// Whether it is inside a link.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub linked: bool,
    /// Whether there is a `srcset` or an enclosing `<picture>` with sources.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub responsive: bool,
}

/// Where on the page a link stands, by the nearest landmark.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Placement {
    /// Navigation, breadcrumbs and menus too.
    Nav,
    /// The page header.
    Header,
    /// The text itself.
    #[default]
    Main,
    /// A side bar.
    Aside,
    /// The page footer.
    Footer,
}

impl Placement {
    /// The word used in answers and indexes.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Placement::Nav => "nav",
            Placement::Header => "header",
            Placement::Main => "main",
            Placement::Aside => "aside",
            Placement::Footer => "footer",
        }
    }
}

/// One link.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Link {
    /// The `href` as written, at most 2,048 characters.
    pub href: String,
    /// Resolved and normalised; empty when it does not lead to an http(s) address.
    pub url: String,
    /// The text of the link, or the `alt` of its picture, at most 200 characters.
    pub anchor: String,
    /// The `rel` tokens in lower case, separated by one space.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub rel: String,
    /// Where it stands.
    pub placement: Placement,
    /// Whether it stays on the site: the same host, `www.` aside.
    pub internal: bool,
    /// Whether its text is that of a picture.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub image: bool,
    /// The fragment, without `#`, when there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fragment: Option<String>,
    /// Whether it opens a new window.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub blank: bool,
}

impl Link {
    /// Whether `rel` asks not to follow: `nofollow`, `ugc` or `sponsored`.
    #[must_use]
    pub fn nofollow(&self) -> bool {
        self.rel.split(' ').any(|token| matches!(token, "nofollow" | "ugc" | "sponsored"))
    }
}

/// Links by sort.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LinkCounts {
    /// To http(s) addresses of the site.
    pub internal: u32,
    /// To other http(s) addresses.
    pub external: u32,
    /// Different internal addresses.
    pub internal_distinct: u32,
    /// Different external addresses.
    pub external_distinct: u32,
    /// Internal ones with `nofollow`, `ugc` or `sponsored`.
    pub internal_nofollow: u32,
    /// External ones with `nofollow`, `ugc` or `sponsored`.
    pub external_nofollow: u32,
    /// Without any text, `alt` or `aria-label`.
    pub empty_anchor: u32,
    /// To a fragment of the same page.
    pub same_page: u32,
    /// Whose `href` cannot be crawled: `javascript:`, empty, or not an address. `mailto:` and `tel:` do not count.
    pub uncrawlable: u32,
    /// To `http:` addresses on the site, from a page served over `https:`.
    pub insecure: u32,
    /// To addresses of this machine or a private network.
    pub local: u32,
}

/// Something the page loads.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Resource {
    /// `script`, `style`, `frame`, `media`, `font`, `preload` or `object`.
    pub kind: String,
    /// Resolved.
    pub url: String,
    /// Whether it holds up the first paint: a script without `async`, `defer` and `type=module`, or a style sheet, in the head.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub blocking: bool,
    /// Whether the browser is told what the file must be (`integrity`).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub integrity: bool,
    /// Whether it is asked for as other origins want it (`crossorigin`).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cors: bool,
    /// What it is loaded early for: the `as` of a preload, in lower case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
}

/// A form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct FormFact {
    /// Where it sends, resolved.
    pub action: String,
    /// Whether it has a password field.
    pub password: bool,
    /// Whether what is typed is sent in the body (`method=post`) and not in the address.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub post: bool,
}

/// What is declared as structured data.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct StructuredData {
    /// Every `@type` of JSON-LD, nested ones too, in order of first appearance.
    pub json_ld: Vec<String>,
    /// The last segment of every microdata `itemtype`, in order of first appearance.
    pub microdata: Vec<String>,
    /// Every RDFa `typeof`, in order of first appearance.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rdfa: Vec<String>,
    /// JSON-LD blocks.
    pub blocks: u32,
    /// Why blocks could not be read, one line each: what is wrong, at which line and column; at most 10.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<String>,
    /// What the blocks of JSON-LD call their `@context`, each once, an empty one where it is missing; at most 5.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contexts: Vec<String>,
    /// The nodes of JSON-LD with their properties, outer ones before those inside them; at most 80 and about 24 KiB. Empty
    /// in pages that were read before nodes were kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<DataNode>,
    /// Whether there were more nodes than are kept.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub nodes_cut: bool,
    /// Bytes that the nodes take, while they are read.
    #[serde(skip)]
    pub(super) node_bytes: usize,
}

/// What a search engine may do with an address.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It may be indexed under this address.
    Indexable,
    /// It may not.
    #[default]
    NotIndexable,
}

/// Why an address may or may not be indexed; the first that applies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Nothing stands against it.
    Ok,
    /// robots.txt forbids fetching it.
    RobotsBlocked,
    /// It could not be fetched.
    #[default]
    Unreachable,
    /// It redirects.
    Redirect,
    /// It answers 4xx.
    ClientError,
    /// It answers 5xx.
    ServerError,
    /// `noindex` or `none` in a robots meta element.
    Noindex,
    /// `noindex` or `none` in `X-Robots-Tag`.
    NoindexHeader,
    /// Its canonical is another address.
    Canonicalised,
    /// A meta refresh leads elsewhere at once.
    MetaRefresh,
    /// It is neither HTML nor a document that search engines index.
    NotDocument,
}

impl Reason {
    /// The word used in answers and indexes.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Reason::Ok => "ok",
            Reason::RobotsBlocked => "robots_blocked",
            Reason::Unreachable => "unreachable",
            Reason::Redirect => "redirect",
            Reason::ClientError => "client_error",
            Reason::ServerError => "server_error",
            Reason::Noindex => "noindex",
            Reason::NoindexHeader => "noindex_header",
            Reason::Canonicalised => "canonicalised",
            Reason::MetaRefresh => "meta_refresh",
            Reason::NotDocument => "not_document",
        }
    }
}

/// Whether a search engine may index an address, and why.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Indexability {
    /// May it?
    pub verdict: Verdict,
    /// What decides it.
    pub reason: Reason,
}

impl Indexability {
    /// Whether it may be indexed.
    #[must_use]
    pub fn is_indexable(self) -> bool {
        self.verdict == Verdict::Indexable
    }
}
