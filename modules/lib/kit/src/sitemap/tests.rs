//! Tests of `sitemap`.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{MOST_URLS, read};

fn urls(file: &[u8]) -> Vec<String> {
    read(file).urls.into_iter().map(|entry| entry.url).collect()
}

#[test]
fn a_file_lists_pages_with_dates_and_extensions_do_not_disturb() {
    let file = br#"<?xml version="1.0" encoding="UTF-8"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="x">
        <!-- <url><loc>http://foo.bar/commented</loc></url> -->
        <url><loc> http://foo.bar/?a=1&amp;b=%20&#38;c </loc><lastmod>2026-01-02</lastmod>
          <image:image><image:loc>http://foo.bar/i.png</image:loc></image:image></url>
        <url><loc><![CDATA[http://foo.bar/cdata?a&b]]></loc></url>
        <url><lastmod>2026</lastmod></url></urlset>"#;
    let sitemap = read(file);
    assert_eq!(sitemap.urls.len(), 2);
    assert_eq!(
        (sitemap.urls[0].url.as_str(), sitemap.urls[0].lastmod.as_deref()),
        ("http://foo.bar/?a=1&b=%20&c", Some("2026-01-02"))
    );
    assert_eq!(sitemap.urls[1].url, "http://foo.bar/cdata?a&b");
    assert!(!sitemap.cut && sitemap.sitemaps.is_empty());
}

#[test]
fn an_index_lists_files_under_any_prefix() {
    let file = b"<sm:sitemapindex><sm:sitemap><sm:loc>http://foo.bar/1.xml.gz</sm:loc></sm:sitemap></sm:sitemapindex>";
    let sitemap = read(file);
    assert_eq!(sitemap.sitemaps[0].url, "http://foo.bar/1.xml.gz");
    assert!(sitemap.urls.is_empty());
}

#[test]
fn a_gzip_file_is_inflated_and_a_damaged_one_gives_what_it_has() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let text: String = (0..2_000).map(|n| format!("<url><loc>http://foo.bar/{n}</loc></url>")).collect();
    encoder.write_all(format!("<urlset>{text}</urlset>").as_bytes()).expect("written");
    let file = encoder.finish().expect("finished");
    assert_eq!(urls(&file).len(), 2_000);
    let damaged = read(&file[..file.len() / 2]);
    assert!(damaged.cut && damaged.urls.len() < 2_000);
}

#[test]
fn an_archive_that_inflates_without_end_is_cut() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let block = vec![b' '; 1 << 20];
    for _ in 0..40 {
        encoder.write_all(&block).expect("written");
    }
    assert!(read(&encoder.finish().expect("finished")).cut);
}

#[test]
fn a_plain_list_has_one_address_a_line() {
    assert_eq!(
        urls(b"\xEF\xBB\xBFhttp://foo.bar/1\r\nhttp://foo.bar/2\n\nnot an address\n"),
        ["http://foo.bar/1", "http://foo.bar/2"]
    );
    assert!(urls(b"<html><body>Not found</body></html>").is_empty());
}

#[test]
fn addresses_past_the_limit_are_left_out_and_it_says_so() {
    let text: String = (0..=MOST_URLS).map(|n| format!("<url><loc>http://foo.bar/{n}</loc></url>")).collect();
    let sitemap = read(format!("<urlset>{text}</urlset>").as_bytes());
    assert!(sitemap.cut);
    assert_eq!(sitemap.urls.len(), MOST_URLS);
}

#[test]
fn an_entry_without_an_end_does_not_make_the_whole_file_slow() {
    let never = format!("<urlset>{}", "<url><loc><![CDATA[&&&&".repeat(100_000));
    assert!(read(never.as_bytes()).urls.is_empty());
    let amps = format!("<urlset><url><loc>https://a.example/{}</loc></url></urlset>", "&".repeat(1 << 20));
    assert_eq!(read(amps.as_bytes()).urls.len(), 1);
}
