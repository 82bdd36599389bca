//! What crawlers read first: robots.txt, an index of sitemaps, and the sitemaps, one of them compressed.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::Answer;
use crate::document::{Language, Page, file, url};

const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// robots.txt and everything that it names; one name in it leads nowhere.
pub(crate) fn all(pages: &[Page]) -> Vec<(String, Answer)> {
    let of = |wanted: fn(&Page) -> bool| -> Vec<String> {
        pages.iter().filter(|page| page.sitemap && wanted(page)).map(|page| entry(&page.path, None)).collect()
    };
    let shop = of(|page| page.language == Language::English && page.path.starts_with("/shop/"));
    let blog = of(|page| page.path.starts_with("/blog"));
    let german = of(|page| page.language == Language::German);
    let mut rest = of(|page| {
        page.language == Language::English && !page.path.starts_with("/shop/") && !page.path.starts_with("/blog")
    });
    // Planted: a redirect, an address that is not there, a host that is not ours.
    rest.extend([entry("/old-catalog", None), entry("/retired-lamp", None)]);
    rest.push("  <url><loc>http://lights.example/</loc></url>\n".to_owned());
    let mut dated = blog;
    dated.retain(|entry| !entry.contains("/blog/brass-rules<"));
    // Planted: changed in the future.
    dated.push(entry("/blog/brass-rules", Some("2031-01-01")));
    let xml = |body: String| file("application/xml", body);
    vec![
        ("/robots.txt".to_owned(), file("text/plain; charset=utf-8", robots())),
        ("/sitemap.xml".to_owned(), xml(index())),
        ("/sitemap-pages.xml".to_owned(), xml(set(&rest))),
        ("/sitemap-blog.xml".to_owned(), xml(set(&dated))),
        ("/sitemap-de.xml".to_owned(), xml(set(&german))),
        ("/sitemap-shop.xml.gz".to_owned(), file("application/gzip", gzip(&set(&shop)))),
    ]
}

fn robots() -> String {
    format!(
        "User-agent: *\nDisallow: /private/\nNoindex: /help/old-terms\n\nUser-agent: GPTBot\nDisallow: /blog/\n\nSitemap: {}\nSitemap: {}\n",
        url("/sitemap.xml"),
        url("/sitemap-old.xml")
    )
}

fn index() -> String {
    let names = ["/sitemap-pages.xml", "/sitemap-blog.xml", "/sitemap-de.xml", "/sitemap-shop.xml.gz"];
    let entries: String = names.iter().map(|name| format!("  <sitemap><loc>{}</loc></sitemap>\n", url(name))).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex xmlns=\"{NAMESPACE}\">\n{entries}</sitemapindex>\n"
    )
}

fn entry(path: &str, changed: Option<&str>) -> String {
    let changed = changed.map_or(String::new(), |day| format!("<lastmod>{day}</lastmod>"));
    format!("  <url><loc>{}</loc>{changed}</url>\n", url(path))
}

fn set(entries: &[String]) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{NAMESPACE}\">\n{}</urlset>\n",
        entries.concat()
    )
}

/// Without a time in its header, so that every start serves the same bytes.
fn gzip(text: &str) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    match packed.write_all(text.as_bytes()).and_then(|()| packed.finish()) {
        Ok(bytes) => bytes,
        Err(error) => unreachable!("memory takes every byte: {error}"),
    }
}
