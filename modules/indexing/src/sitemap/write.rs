//! Sitemaps as they are written: split where the protocol wants it, and gzip.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

/// The most entries of one file (sitemaps.org).
pub(crate) const MOST: usize = 50_000;
/// The most bytes of one file before gzip that we write. The protocol lets 50 MB be; a blob holds 8 MiB.
pub(crate) const MOST_BYTES: usize = 8 << 20;

/// One entry to be written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) url: String,
    /// As W3C Datetime.
    pub(crate) lastmod: Option<String>,
    pub(crate) images: Vec<String>,
    /// Code and address of each language version, its own among them.
    pub(crate) alternates: Vec<(String, String)>,
    pub(crate) news: Option<News>,
}

/// An article for news search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct News {
    pub(crate) publication: String,
    pub(crate) language: String,
    pub(crate) date: String,
    pub(crate) title: String,
}

/// Which extensions a file uses.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Extensions {
    pub(crate) image: bool,
    pub(crate) hreflang: bool,
    pub(crate) news: bool,
}

/// A file that is being filled.
pub(crate) struct File {
    text: String,
    /// Entries so far.
    pub(crate) urls: usize,
    most_bytes: usize,
}

const END: &str = "</urlset>\n";

impl File {
    pub(crate) fn begin(extensions: Extensions, most_bytes: usize) -> Self {
        let mut text = String::from(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"",
        );
        if extensions.image {
            text.push_str(" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"");
        }
        if extensions.news {
            text.push_str(" xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\"");
        }
        if extensions.hreflang {
            text.push_str(" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"");
        }
        text.push_str(">\n");
        Self { text, urls: 0, most_bytes }
    }

    /// Goes on with a file that was not ended.
    pub(crate) fn resume(text: String, urls: usize, most_bytes: usize) -> Self {
        Self { text, urls, most_bytes }
    }

    /// What there is of it.
    pub(crate) fn unfinished(&self) -> &str {
        &self.text
    }

    /// Adds an entry; false when there is no room for it in this file.
    pub(crate) fn add(&mut self, entry: &Entry) -> bool {
        let written = entry.written();
        let fits = self.urls < MOST && self.text.len() + written.len() + END.len() <= self.most_bytes;
        if fits {
            self.text.push_str(&written);
            self.urls += 1;
        }
        fits
    }

    pub(crate) fn end(mut self) -> String {
        self.text.push_str(END);
        self.text
    }
}

impl Entry {
    fn written(&self) -> String {
        let mut out = format!("<url><loc>{}</loc>", escaped(&self.url));
        if let Some(lastmod) = &self.lastmod {
            out.push_str(&format!("<lastmod>{}</lastmod>", escaped(lastmod)));
        }
        for (code, url) in &self.alternates {
            out.push_str(&format!(
                "<xhtml:link rel=\"alternate\" hreflang=\"{}\" href=\"{}\"/>",
                escaped(code),
                escaped(url)
            ));
        }
        for image in &self.images {
            out.push_str(&format!("<image:image><image:loc>{}</image:loc></image:image>", escaped(image)));
        }
        if let Some(news) = &self.news {
            out.push_str(&format!(
                "<news:news><news:publication><news:name>{}</news:name><news:language>{}</news:language></news:publication><news:publication_date>{}</news:publication_date><news:title>{}</news:title></news:news>",
                escaped(&news.publication),
                escaped(&news.language),
                escaped(&news.date),
                escaped(&news.title)
            ));
        }
        out.push_str("</url>\n");
        out
    }
}

/// An index of files: the address of each, and the newest change in it.
pub(crate) fn index(files: &[(String, Option<String>)]) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    for (url, lastmod) in files {
        out.push_str(&format!("<sitemap><loc>{}</loc>", escaped(url)));
        if let Some(lastmod) = lastmod {
            out.push_str(&format!("<lastmod>{}</lastmod>", escaped(lastmod)));
        }
        out.push_str("</sitemap>\n");
    }
    out.push_str("</sitemapindex>\n");
    out
}

/// As gzip; the same bytes for the same text, since the archive carries no time.
pub(crate) fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
    // Writing into memory does not fail.
    written.unwrap_or_default()
}

/// Text as XML holds it; characters that XML 1.0 does not know are left out (section 2.2).
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\t' | '\n' | '\r' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => out.push(c),
        }
    }
    out
}
