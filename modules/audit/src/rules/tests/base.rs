//! A page that breaks no rule, and ways to break it.

use kit::page::{self, Answer, Hop, PageFacts, Timing};

/// The title of the page.
pub(super) const TITLE: &str = "<title>Brass lamps that can be mended</title>";
/// The description of the page.
pub(super) const DESCRIPTION: &str = "<meta name=\"description\" content=\"Lamps of brass with cords that can be changed, made to last for longer than one lifetime.\">";
/// The canonical of the page.
pub(super) const CANONICAL: &str = "<link rel=\"canonical\" href=\"https://shop.example/lamps\">";
/// The main heading of the page.
pub(super) const HEADING: &str = "<h1>Brass lamps</h1>";
/// The picture of the page.
pub(super) const PICTURE: &str = "<img src=\"/lamp.jpg\" alt=\"A brass lamp on a desk\" width=\"640\" height=\"480\">";
/// The viewport of the page.
pub(super) const VIEWPORT: &str = "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">";
/// The language versions of the page.
pub(super) const VERSIONS: &str = "<link rel=\"alternate\" hreflang=\"en\" href=\"https://shop.example/lamps\">\
<link rel=\"alternate\" hreflang=\"de\" href=\"https://shop.example/de/lampen\">\
<link rel=\"alternate\" hreflang=\"x-default\" href=\"https://shop.example/lamps\">";
/// The structured data of the page.
pub(super) const DATA: &str = "<script type=\"application/ld+json\">{\"@context\":\"https://schema.org\",\"@graph\":[\
{\"@type\":\"Article\",\"headline\":\"Brass lamps\",\"image\":\"https://shop.example/lamp.jpg\",\"author\":{\"@type\":\"Person\",\"name\":\"Ada Lovelace\"},\"datePublished\":\"2026-03-01\"},\
{\"@type\":\"BreadcrumbList\",\"itemListElement\":[\
{\"@type\":\"ListItem\",\"position\":1,\"name\":\"Lamp shop\",\"item\":\"https://shop.example/\"},\
{\"@type\":\"ListItem\",\"position\":2,\"name\":\"Lamps\"}]}]}</script>";
/// The share card of the page.
pub(super) const CARD: &str = "<meta property=\"og:title\" content=\"Brass lamps\"><meta property=\"og:type\" content=\"article\">\
<meta property=\"og:image\" content=\"https://shop.example/lamp.jpg\"><meta property=\"og:url\" content=\"https://shop.example/lamps\">\
<meta property=\"og:image:alt\" content=\"A brass lamp on a desk\">";
/// A link of the page.
pub(super) const LINK: &str = "<a href=\"/lamps/desk\">Lamps for the desk</a>";
/// The text of the page: 160 words.
pub(super) const TEXT: &str = "TEXT";

/// An answer, to be changed before it is read.
#[derive(Clone)]
pub(super) struct Page {
    url: String,
    status: u16,
    hops: Vec<Hop>,
    headers: Vec<(String, String)>,
    body: String,
    first_byte_ms: u32,
    download_ms: u32,
    failure: Option<&'static str>,
}

/// The page that breaks no rule.
pub(super) fn page() -> Page {
    let body = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">{TITLE}{DESCRIPTION}{CANONICAL}{VIEWPORT}{VERSIONS}{CARD}{DATA}</head>\
<body><header><nav><a href=\"/\">Lamp shop</a></nav></header><main>{HEADING}{PICTURE}<p>{TEXT}</p><p>{LINK}</p></main></body></html>"
    );
    let headers = [
        ("content-type", "text/html; charset=utf-8"),
        ("strict-transport-security", "max-age=31536000; includeSubDomains"),
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'self'; frame-ancestors 'self'"),
        ("referrer-policy", "strict-origin-when-cross-origin"),
        ("date", "Sun, 22 Nov 2026 10:00:00 GMT"),
        ("etag", "\"1\""),
    ];
    Page {
        url: "https://shop.example/lamps".to_owned(),
        status: 200,
        hops: Vec::new(),
        headers: headers.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
        body,
        first_byte_ms: 120,
        download_ms: 40,
        failure: None,
    }
}

impl Page {
    /// With one part of the HTML in the place of another, which must be there.
    pub(super) fn swap(mut self, old: &str, new: &str) -> Self {
        assert!(self.body.contains(old), "the page has no {old}");
        self.body = self.body.replace(old, new);
        self
    }

    /// With more at the end of the head.
    pub(super) fn head(self, more: &str) -> Self {
        let more = format!("{more}</head>");
        self.swap("</head>", &more)
    }

    /// With more at the end of the main part.
    pub(super) fn main(self, more: &str) -> Self {
        let more = format!("{more}</main>");
        self.swap("</main>", &more)
    }

    /// At another address; its own address in canonical, card and versions follows.
    pub(super) fn at(self, url: &str) -> Self {
        let own = format!("\"{}\"", self.url);
        let mut moved = self.swap(&own, &format!("\"{url}\""));
        moved.url = url.to_owned();
        moved
    }

    /// With a header, or without it when the value is empty.
    pub(super) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(it, _)| it != name);
        if !value.is_empty() {
            self.headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// Without a body.
    pub(super) fn bare(mut self) -> Self {
        self.body.clear();
        self
    }

    /// With another status.
    pub(super) fn status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// Reached through these redirects.
    pub(super) fn through(mut self, hops: &[(u16, &str)]) -> Self {
        self.hops = hops
            .iter()
            .map(|(status, location)| Hop { url: self.url.clone(), status: *status, location: (*location).to_owned() })
            .collect();
        self
    }

    /// Slower.
    pub(super) fn first_byte(mut self, milliseconds: u32) -> Self {
        self.first_byte_ms = milliseconds;
        self
    }

    /// Slow to arrive after its first byte.
    pub(super) fn download(mut self, milliseconds: u32) -> Self {
        self.download_ms = milliseconds;
        self
    }

    /// Without any answer.
    pub(super) fn failing(mut self, failure: &'static str) -> Self {
        self.failure = Some(failure);
        self
    }

    /// What the page says.
    pub(super) fn facts(&self) -> PageFacts {
        if let Some(failure) = self.failure {
            return page::unanswered(&self.url, failure);
        }
        let text =
            (1..=20).map(|number| format!("Lamp {number} gives warm light for long evenings.")).collect::<Vec<_>>();
        let body = self.body.replace(TEXT, &text.join(" "));
        page::read(&Answer {
            url: &self.url,
            final_url: &self.url,
            status: self.status,
            hops: &self.hops,
            headers: &self.headers,
            body: body.as_bytes(),
            truncated: false,
            timing: Timing {
                first_byte_ms: self.first_byte_ms,
                total_ms: self.first_byte_ms + self.download_ms,
                ..Timing::default()
            },
        })
    }
}
