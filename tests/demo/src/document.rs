//! A page as parts, and the HTML that the parts make. Faults are planted by changing a part.

use crate::{Answer, HOST, Listed};

/// What a page is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    German,
}

impl Language {
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }
}

/// One page. Everything a fault can be planted in is a part of its own.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub(crate) path: String,
    pub(crate) language: Language,
    /// The `lang` attribute.
    pub(crate) lang: String,
    pub(crate) titles: Vec<String>,
    pub(crate) description: Option<String>,
    /// Addresses of canonical links.
    pub(crate) canonical: Vec<String>,
    pub(crate) robots: Option<&'static str>,
    /// Language code and address.
    pub(crate) alternates: Vec<(String, String)>,
    pub(crate) json_ld: Vec<String>,
    /// More of the head.
    pub(crate) head: String,
    /// The first-level heading, and the rest of the main part.
    pub(crate) heading: Option<String>,
    pub(crate) main: String,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) charset: bool,
    pub(crate) sitemap: bool,
}

/// An address of the shop.
pub(crate) fn url(path: &str) -> String {
    format!("http://{HOST}{path}")
}

impl Page {
    /// A page without faults: own canonical, social tags, in a sitemap.
    pub(crate) fn new(path: &str, language: Language, title: &str, description: &str, main: String) -> Self {
        Self {
            path: path.to_owned(),
            language,
            lang: language.code().to_owned(),
            titles: vec![title.to_owned()],
            description: Some(description.to_owned()),
            canonical: vec![url(path)],
            robots: None,
            alternates: Vec::new(),
            json_ld: Vec::new(),
            head: format!(
                "<meta property=\"og:title\" content=\"{title}\"><meta property=\"og:type\" content=\"website\"><meta property=\"og:url\" content=\"{}\"><meta property=\"og:image\" content=\"{}\">",
                url(path),
                url("/assets/share.png")
            ),
            heading: Some(title.to_owned()),
            main,
            headers: vec![
                ("cache-control", "max-age=600".to_owned()),
                ("x-content-type-options", "nosniff".to_owned()),
            ],
            charset: true,
            sitemap: true,
        }
    }

    /// Says that the same page exists in the other language; English is for everybody else.
    pub(crate) fn translated(mut self, english: &str, german: &str) -> Self {
        self.alternates = vec![
            ("en".to_owned(), url(english)),
            ("de".to_owned(), url(german)),
            ("x-default".to_owned(), url(english)),
        ];
        self
    }

    pub(crate) fn with_json_ld(mut self, data: String) -> Self {
        self.json_ld.push(data);
        self
    }

    /// Whether the page wants to be found and has no fault that speaks against it.
    pub(crate) fn listed(&self) -> bool {
        let own = self.canonical.is_empty() || self.canonical == [url(&self.path)];
        self.robots.is_none() && self.sitemap && own && !self.titles.is_empty() && !self.path.starts_with("/private/")
    }

    pub(crate) fn as_listed(&self) -> Listed {
        Listed {
            path: self.path.clone(),
            language: self.language.code(),
            title: self.titles.first().cloned().unwrap_or_default(),
            description: self.description.clone().unwrap_or_default(),
        }
    }

    pub(crate) fn html(&self) -> String {
        let shop = if self.language == Language::German { "Lampenladen" } else { "Lamp shop" };
        let mut head = String::new();
        if self.charset {
            head += "<meta charset=\"utf-8\">";
        }
        for title in &self.titles {
            head += &format!("<title>{title} | {shop}</title>");
        }
        if let Some(text) = &self.description {
            head += &format!("<meta name=\"description\" content=\"{text}\">");
        }
        head += "<meta name=\"viewport\" content=\"width=device-width\"><meta name=\"generator\" content=\"WordPress 6.8\"><link rel=\"stylesheet\" href=\"/assets/site.css\">";
        if let Some(robots) = self.robots {
            head += &format!("<meta name=\"robots\" content=\"{robots}\">");
        }
        for href in &self.canonical {
            head += &format!("<link rel=\"canonical\" href=\"{href}\">");
        }
        for (code, href) in &self.alternates {
            head += &format!("<link rel=\"alternate\" hreflang=\"{code}\" href=\"{href}\">");
        }
        for data in &self.json_ld {
            head += &format!("<script type=\"application/ld+json\">{data}</script>");
        }
        let heading = self.heading.as_ref().map_or(String::new(), |heading| format!("<h1>{heading}</h1>"));
        format!(
            "<!doctype html>\n<html lang=\"{}\"><head>{head}{}</head><body>{}<main>{heading}{}</main>{}</body></html>",
            self.lang,
            self.head,
            header(self.language),
            self.main,
            footer(self.language)
        )
    }

    pub(crate) fn answer(&self) -> Answer {
        let kind = if self.charset { "text/html; charset=utf-8" } else { "text/html" };
        let mut headers = vec![("content-type", kind.to_owned())];
        headers.extend(self.headers.clone());
        Answer { status: 200, headers, body: self.html().into_bytes() }
    }
}

fn links(all: &[(&str, &str)]) -> String {
    all.iter().map(|(href, text)| format!("<a href=\"{href}\">{text}</a> ")).collect()
}

fn header(language: Language) -> String {
    let nav = match language {
        Language::English => links(&[
            ("/", "Home"),
            ("/products", "Lamps"),
            ("/categories", "Categories"),
            ("/guides", "Guides"),
            ("/blog", "Blog"),
            ("/locations", "Shops"),
            ("/help", "Help"),
            ("/about", "About"),
            ("/contact", "Contact"),
            ("/de/", "Deutsch"),
        ]),
        Language::German => links(&[
            ("/de/", "Start"),
            ("/de/kategorien", "Kategorien"),
            ("/de/ratgeber", "Ratgeber"),
            ("/de/standorte", "Läden"),
            ("/de/hilfe", "Hilfe"),
            ("/", "English"),
        ]),
    };
    format!("<header><nav>{nav}</nav></header>")
}

fn footer(language: Language) -> String {
    let nav = match language {
        Language::English => links(&[("/sale", "Sale"), ("/old-catalog", "Last year's catalog")]),
        Language::German => links(&[("/de/hilfe/versand", "Versand")]),
    };
    format!("<footer>{nav}</footer>")
}

/// The page of addresses that are not there.
pub(crate) fn not_found() -> Answer {
    let body =
        "<!doctype html><html lang=\"en\"><head><title>Not found</title></head><body><h1>Not found</h1></body></html>";
    Answer {
        status: 404,
        headers: vec![("content-type", "text/html; charset=utf-8".to_owned())],
        body: body.as_bytes().to_vec(),
    }
}

/// A redirect.
pub(crate) fn moved(status: u16, to: &str) -> Answer {
    Answer { status, headers: vec![("location", to.to_owned())], body: Vec::new() }
}

/// A file of a type.
pub(crate) fn file(kind: &str, body: impl Into<Vec<u8>>) -> Answer {
    let headers = vec![("content-type", kind.to_owned()), ("cache-control", "max-age=31536000, immutable".to_owned())];
    Answer { status: 200, headers, body: body.into() }
}
